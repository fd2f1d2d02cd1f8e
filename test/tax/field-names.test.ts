import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Problem } from '../../src/contract/failure.ts';
import { annualRequest } from '../../src/tax/annual-contract.ts';
import { taxRequest } from '../../src/tax/contract.ts';
import { vectors } from '../helpers/vectors.ts';

/** Names that have the same suggestion, or none, for the same reason. */
const FIELD_NAMES = vectors<{
  readonly reason: string;
  readonly field?: string;
  readonly remark?: string;
  readonly names: readonly string[];
}>('field-names');

/** The field that a check suggests for an unknown name, with its remark. */
function suggested(
  check: typeof taxRequest | typeof annualRequest,
  name: string,
): string | undefined {
  const problems: Problem[] = [];
  check.read({ [name]: 1 }, '', problems);
  const message = problems.find(({ code }) => code === 'unknown_field')?.message;
  assert.ok(message !== undefined, `${name} is a field`);
  return /did you mean (.*)\?$/.exec(message)?.[1];
}

test('no name of payroll files is a duplicate', () => {
  const names = FIELD_NAMES.flatMap((row) => row.names);
  assert.ok(names.length >= 200);
  assert.deepEqual(names, [...new Set(names)]);
});

for (const { reason, field, remark, names } of FIELD_NAMES) {
  const expected = field && [`\`${field}\``, ...(remark === undefined ? [] : [remark])].join(': ');
  const suggestion = field === undefined ? 'suggests no field' : `suggests \`${field}\``;
  test(`${suggestion} for ${names[0]}: ${reason}`, () => {
    assert.deepEqual(
      names.map((name) => [name, suggested(taxRequest, name)]),
      names.map((name) => [name, expected]),
    );
  });
}

test('suggests the fields of a year, and no field for the deductions', () => {
  const names = [
    ['annual_salary', 'income'],
    ['Thu nhập chịu thuế', 'income'],
    ['insurances', 'insurance'],
    ['dependents_months', 'dependent_months'],
    ['deduction', undefined],
    ['deductions', undefined],
    ['base_salary', undefined],
  ] as const;
  for (const [name, field] of names) {
    assert.equal(suggested(annualRequest, name), field && `\`${field}\``, name);
  }
});
