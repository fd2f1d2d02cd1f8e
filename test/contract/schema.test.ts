import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  array,
  boolean,
  type Check,
  choice,
  integer,
  nullable,
  number,
  object,
  optional,
  parse,
  refine,
  string,
  withDefault,
} from '../../src/contract/schema.ts';
import { parsed, problemsOf } from '../helpers/problems.ts';

/** Problems as lines of the form `field | code | message`. */
function linesOf<T>(check: Check<T>, value: unknown): string[] {
  return problemsOf(check, value).map(
    ({ field, code, message }) => `${field} | ${code} | ${message}`,
  );
}

const amount = number({ description: 'Amount', minimum: 0, maximum: 1e12 });
const CHECKS = {
  amount,
  any: number({ description: 'Any' }),
  rate: number({ description: 'Rate', exclusiveMinimum: 0, maximum: 100 }),
  count: integer({ description: 'Count', minimum: 0, maximum: 50 }),
  text: string({ description: 'Text' }),
  flag: boolean('Flag'),
  kind: choice(['gross', 'net'], 'Kind'),
  region: choice([1, 2, 3, 4], 'Region'),
  even: refine(
    integer({ description: 'Even' }),
    'malformed',
    'an even number',
    (value) => value % 2 === 0,
  ),
  bound: nullable(amount),
  list: array(amount, 'List'),
  inner: object({ value: amount }),
};
type Name = keyof typeof CHECKS;

const GOOD: readonly [name: Name, ...values: unknown[]][] = [
  ['amount', 0, 1e12, 0.5, 5e-324],
  ['any', -1.7976931348623157e308, 1.7976931348623157e308],
  ['rate', 5e-324, 100],
  ['count', 0, 50],
  ['text', '', 'a', '\ud800'],
  ['flag', true, false],
  ['kind', 'gross', 'net'],
  ['region', 1, 4],
  ['even', 0, -2],
  ['bound', null, 3],
  ['list', [], [1, 2]],
  ['inner', { value: 1 }],
];
for (const [name, ...values] of GOOD) {
  test(`${name} accepts each of ${JSON.stringify(values)} unchanged`, () => {
    const check = object({ [name]: CHECKS[name] });
    for (const value of values)
      assert.deepEqual(parsed(check, { [name]: value }), { [name]: value });
  });
}

test('reads −0 as 0', () => {
  for (const check of [CHECKS.amount, CHECKS.any, CHECKS.count])
    assert.equal(Object.is(parse(check, -0), 0), true);
});

const AMOUNT = 'a number from 0 up to 1000000000000';
const CUT = `"${'x'.repeat(40)}…"`;
const BAD: readonly [name: Name, value: unknown, code: string, expectedAndGot: string][] = [
  ['amount', '20000000', 'wrong_type', `${AMOUNT}, got the string "20000000"`],
  ['amount', null, 'wrong_type', `${AMOUNT}, got null`],
  ['amount', true, 'wrong_type', `${AMOUNT}, got true`],
  ['amount', [1], 'wrong_type', `${AMOUNT}, got an array`],
  ['amount', { a: 1 }, 'wrong_type', `${AMOUNT}, got an object`],
  ['amount', -1, 'out_of_range', `${AMOUNT}, got the number -1`],
  ['amount', 1e12 + 0.5, 'out_of_range', `${AMOUNT}, got the number 1000000000000.5`],
  ['amount', Infinity, 'out_of_range', `${AMOUNT}, got a number too large to represent`],
  ['any', Infinity, 'out_of_range', 'a number, got a number too large to represent'],
  ['any', -Infinity, 'out_of_range', 'a number, got a number too large to represent'],
  ['rate', 0, 'out_of_range', 'a number above 0 up to 100, got the number 0'],
  ['rate', 100.5, 'out_of_range', 'a number above 0 up to 100, got the number 100.5'],
  ['count', 1.5, 'wrong_type', 'a whole number from 0 up to 50, got the number 1.5'],
  ['count', 50.5, 'out_of_range', 'a whole number from 0 up to 50, got the number 50.5'],
  ['count', 51, 'out_of_range', 'a whole number from 0 up to 50, got the number 51'],
  ['text', 1, 'wrong_type', 'a string, got the number 1'],
  ['text', null, 'wrong_type', 'a string, got null'],
  ['flag', 'true', 'wrong_type', 'true or false, got the string "true"'],
  ['flag', 0, 'wrong_type', 'true or false, got the number 0'],
  ['kind', 'Gross', 'not_allowed', 'one of "gross", "net", got the string "Gross"'],
  [
    'kind',
    'x'.repeat(40),
    'not_allowed',
    `one of "gross", "net", got the string "${'x'.repeat(40)}"`,
  ],
  ['kind', 'x'.repeat(41), 'not_allowed', `one of "gross", "net", got the string ${CUT}`],
  ['kind', 'a"\n', 'not_allowed', 'one of "gross", "net", got the string "a\\"\\n"'],
  ['kind', 1, 'wrong_type', 'one of "gross", "net", got the number 1'],
  ['region', 5, 'not_allowed', 'one of 1, 2, 3, 4, got the number 5'],
  ['region', '1', 'wrong_type', 'one of 1, 2, 3, 4, got the string "1"'],
  ['even', 3, 'malformed', 'an even number, got the number 3'],
  ['even', 'a', 'wrong_type', 'a whole number, got the string "a"'],
  ['bound', false, 'wrong_type', `${AMOUNT}, got false`],
  ['list', {}, 'wrong_type', 'an array, got an object'],
  ['inner', [], 'wrong_type', 'an object, got an array'],
  ['inner', null, 'wrong_type', 'an object, got null'],
];
for (const [name, value, code, expectedAndGot] of BAD) {
  test(`${name} rejects: expected ${expectedAndGot}`, () => {
    const wanted = [{ field: name, code, message: `${name}: expected ${expectedAndGot}` }];
    assert.deepEqual(problemsOf(object({ [name]: CHECKS[name] }), { [name]: value }), wanted);
  });
}

test('rejects NaN as a number', () => {
  for (const check of [CHECKS.amount, CHECKS.any, CHECKS.count, CHECKS.even]) {
    const problems = problemsOf(check, NaN);
    assert.deepEqual(
      problems.map(({ code }) => code),
      ['wrong_type'],
    );
    assert.match(problems[0]!.message, /, got NaN$/);
  }
});

const salary = object({
  income: amount,
  kind: withDefault(CHECKS.kind, 'gross'),
  dependents: withDefault(CHECKS.count, 0),
  bonus: optional(amount),
});

describe('an object', () => {
  test('has the default of an absent field, and no absent optional field', () => {
    assert.deepEqual(parsed(salary, { income: 1 }), { income: 1, kind: 'gross', dependents: 0 });
    assert.deepEqual(parsed(salary, { income: 1, kind: 'net', dependents: 2, bonus: 3 }), {
      income: 1,
      kind: 'net',
      dependents: 2,
      bonus: 3,
    });
  });

  test('reports every problem at once', () => {
    assert.deepEqual(linesOf(salary, { kind: 1, dependents: -1, bonus: null, depedents: 1 }), [
      'income | required | income: this field is required',
      'kind | wrong_type | kind: expected one of "gross", "net", got the number 1',
      'dependents | out_of_range | dependents: expected a whole number from 0 up to 50, got the number -1',
      `bonus | wrong_type | bonus: expected ${AMOUNT}, got null`,
      'depedents | unknown_field | Unknown field "depedents"; did you mean `dependents`?',
    ]);
  });

  test('reports the path of a field in nested arrays and objects', () => {
    const nested = object({
      rows: array(object({ value: amount }), 'Rows'),
      inner: object({ flag: CHECKS.flag }),
    });
    assert.deepEqual(
      linesOf(nested, { rows: [{ value: 1 }, { value: -1 }, {}, 4], inner: { flag: 1, flga: 2 } }),
      [
        `rows[1].value | out_of_range | rows[1].value: expected ${AMOUNT}, got the number -1`,
        'rows[2].value | required | rows[2].value: this field is required',
        'rows[3] | wrong_type | rows[3]: expected an object, got the number 4',
        'inner.flag | wrong_type | inner.flag: expected true or false, got the number 1',
        'inner.flga | unknown_field | Unknown field "flga"; did you mean `flag`?',
      ],
    );
  });

  test('fails with the problem of a single field, or with the number of invalid fields', () => {
    const message = (value: unknown): string | undefined => {
      try {
        return String(parse(salary, value));
      } catch (error) {
        return (error as Error).message;
      }
    };
    assert.equal(message({}), 'income: this field is required');
    assert.equal(message({ kind: 'x' }), '2 fields are invalid; see the details');
  });
});
