import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MAXIMUM_SHOWN_LENGTH } from '../../src/contract/escape.ts';
import {
  MAXIMUM_SHOWN_FIELDS,
  number,
  object,
  optional,
  string,
  withDefault,
} from '../../src/contract/schema.ts';
import { assertLinear } from '../helpers/linear.ts';
import { parsed, problemsOf } from '../helpers/problems.ts';
import { vectors } from '../helpers/vectors.ts';

const amount = number({ description: 'Amount' });
const salary = object({
  income: amount,
  kind: optional(string({ description: 'Kind' })),
  dependents: withDefault(amount, 0),
  bonus: optional(amount),
});

for (const name of ['__proto__', 'constructor', 'toString', 'hasOwnProperty', '']) {
  test(`rejects "${name}" as an unknown field`, () => {
    const value: unknown = JSON.parse(`{"income":1,"${name}":{"kind":"net"}}`);
    const hint = 'expected only income, kind, dependents, bonus';
    assert.deepEqual(problemsOf(salary, value), [
      { field: name, code: 'unknown_field', message: `Unknown field "${name}"; ${hint}` },
    ]);
  });
}

test('reads no field from the value of "__proto__"', () => {
  const codes = problemsOf(salary, JSON.parse('{"__proto__":{"income":1}}')).map(
    ({ code }) => code,
  );
  assert.deepEqual(codes, ['required', 'unknown_field']);
});

test('does not read declared fields from inherited properties', () => {
  const check = object({ constructor: optional(amount), toString: withDefault(amount, 1) });
  assert.deepEqual(parsed(check, {}), { toString: 1 });
});

test('compares long names with the known fields in linear time', () => {
  const long = Object.fromEntries(
    Array.from({ length: MAXIMUM_SHOWN_FIELDS }, (_, index) => [
      `${index}${'x'.repeat(2 ** 20)}`,
      0,
    ]),
  );
  assertLinear(long, () =>
    assert.equal(problemsOf(salary, { income: 1, ...long }).length, MAXIMUM_SHOWN_FIELDS),
  );
});

test('shortens the names of unknown fields, and reports a limited number of them', () => {
  const count = MAXIMUM_SHOWN_FIELDS + 5;
  const many = Object.fromEntries(
    Array.from({ length: count }, (_, index) => [`${index}${'x'.repeat(50)}`, index]),
  );
  const problems = problemsOf(salary, { income: 1, ...many });
  assert.equal(problems.length, MAXIMUM_SHOWN_FIELDS + 1);
  const shown = `3${'x'.repeat(MAXIMUM_SHOWN_LENGTH - 1)}…`;
  assert.deepEqual(problems[3], {
    field: shown,
    code: 'unknown_field',
    message: `Unknown field "${shown}"; expected only income, kind, dependents, bonus`,
  });
  const further = (given: number): unknown =>
    problemsOf(salary, { income: 1, ...Object.fromEntries(Object.entries(many).slice(0, given)) })[
      MAXIMUM_SHOWN_FIELDS
    ];
  assert.deepEqual(further(count), {
    field: '',
    code: 'unknown_field',
    message: 'Further unknown fields: 5',
  });
  assert.deepEqual(further(MAXIMUM_SHOWN_FIELDS + 1), {
    field: '',
    code: 'unknown_field',
    message: 'Further unknown fields: 1',
  });
  assert.equal(further(MAXIMUM_SHOWN_FIELDS), undefined);
});

/** Names are similar with one slip, or two from ten letters on; accents, capitals and separators do not count. */
const SIMILAR = vectors<[known: string, given: string, isSimilar: boolean]>('similar-names');
for (const [known, given, isSimilar] of SIMILAR) {
  test(`${isSimilar ? 'suggests' : 'does not suggest'} "${known}" for "${given}"`, () => {
    const hint = isSimilar ? `did you mean \`${known}\`?` : `expected only ${known}`;
    const [problem] = problemsOf(object({ [known]: optional(amount) }), { [given]: 1 });
    assert.equal(problem?.message, `Unknown field "${given}"; ${hint}`);
  });
}

test('suggests a field for its synonyms, unless another field has a similar name', () => {
  const fields = {
    income: withDefault(amount, 1),
    salary_b: optional(amount),
    days: optional(amount),
  };
  const check = object(fields, undefined, undefined, { income: /^(gross)?salary$|^luonggop$/ });
  const hintOf = (name: string): string | undefined => problemsOf(check, { [name]: 1 })[0]?.message;
  for (const name of ['gross_salary', 'grossSalary', 'GROSSSALARY', 'Gross salary', 'Lương gộp']) {
    assert.equal(hintOf(name), `Unknown field "${name}"; did you mean \`income\`?`);
  }
  assert.equal(hintOf('salary'), 'Unknown field "salary"; did you mean `salary_b`?');
  assert.equal(
    hintOf('net_salary'),
    'Unknown field "net_salary"; expected only income, salary_b, days',
  );
});
