import assert from 'node:assert/strict';
import { test } from 'node:test';
import { number, object, optional, parse, string, withDefault } from '../../src/contract/schema.ts';
import { problemsOf } from './problems.ts';

const amount = number({ description: 'Amount' });
const salary = object({
  income: amount,
  kind: optional(string({ description: 'Kind' })),
  dependents: withDefault(amount, 0),
  bonus: optional(amount),
});

for (const name of ['__proto__', 'constructor', 'toString', 'hasOwnProperty', '']) {
  test(`does not know "${name}", and is not misled by it`, () => {
    const value: unknown = JSON.parse(`{"income":1,"${name}":{"kind":"net"}}`);
    const hint = 'expected only income, kind, dependents, bonus';
    assert.deepEqual(problemsOf(salary, value), [
      { field: name, code: 'unknown_field', message: `Unknown field "${name}"; ${hint}` },
    ]);
  });
}

test('inherits nothing from a "__proto__" in the text', () => {
  const codes = problemsOf(salary, JSON.parse('{"__proto__":{"income":1}}')).map(({ code }) => code);
  assert.deepEqual(codes, ['required', 'unknown_field']);
});

test('takes a field of such a name only from the value itself', () => {
  const check = object({ constructor: optional(amount), toString: withDefault(amount, 1) });
  assert.deepEqual(parse(check, {}), { toString: 1 });
});

test('looks for near names in bounded time', () => {
  const long = Object.fromEntries(Array.from({ length: 20 }, (_, index) => [`${index}${'x'.repeat(2 ** 20)}`, 0]));
  const start = performance.now();
  assert.equal(problemsOf(salary, { income: 1, ...long }).length, 20);
  assert.ok(performance.now() - start < 2000);
});

test('cuts the name of an unknown field, and reports twenty of them', () => {
  const many = Object.fromEntries(Array.from({ length: 25 }, (_, index) => [`${index}${'x'.repeat(50)}`, index]));
  const problems = problemsOf(salary, { income: 1, ...many });
  assert.equal(problems.length, 21);
  assert.deepEqual(problems[12], { field: `12${'x'.repeat(38)}`, code: 'unknown_field',
    message: `Unknown field "12${'x'.repeat(38)}…"; expected only income, kind, dependents, bonus` });
  assert.deepEqual(problems[20], { field: '', code: 'unknown_field', message: '5 more fields are unknown' });
  const twenty = Object.fromEntries(Object.entries(many).slice(5));
  assert.equal(problemsOf(salary, { income: 1, ...twenty }).length, 20, 'with nothing more to count');
});

/** Up to a third of the letters of the known name may differ. */
const NEAR: readonly [known: string, given: string, near: boolean][] = [
  ['income', 'Income', true], ['income', 'incom', true], ['income', 'incme', true], ['income', 'inconme', true],
  ['income', 'encoma', true], ['income', 'encama', false], ['income', 'inc', false], ['income', 'incomes12', false],
  ['income', 'incomexx', true], ['dependents', 'dependants', true], ['dependents', 'dep_endent', true],
  ['dependents', 'depend', false], ['kind', 'king', true], ['kind', 'kong', false], ['of', 'or', false],
  ['of', 'OF', true], ['period', 'đeriod', true], ['period', '😀eriod', true],
];
for (const [known, given, near] of NEAR) {
  test(`"${given}" is ${near ? '' : 'not '}near "${known}"`, () => {
    const hint = near ? `did you mean \`${known}\`?` : `expected only ${known}`;
    const [problem] = problemsOf(object({ [known]: optional(amount) }), { [given]: 1 });
    assert.equal(problem?.message, `Unknown field "${given}"; ${hint}`);
  });
}
