import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { calculateTax } from '../../src/tax/tax.ts';
import { PUBLISHED_EXAMPLES, type PublishedExample, type Stated } from '../vectors/tax-published.ts';

/** Every amount that a source may state, as the service calculates it. */
function amountsOf({ period, insurance_salary, type, income, dependents, region }: PublishedExample): Required<Stated> {
  const { insurance, deductions, gross_income, taxable_income, tax, net_income } =
    calculateTax({ type, income, dependents, region, period, insurance_salary: insurance_salary ?? undefined });
  return {
    gross_income,
    bhxh: insurance.bhxh,
    bhyt: insurance.bhyt,
    bhtn: insurance.bhtn,
    insurance_total: insurance.total,
    deductions_total: deductions.total,
    taxable_income,
    tax,
    net_income,
  };
}

describe('calculates published examples to the đồng', () => {
  for (const example of PUBLISHED_EXAMPLES) {
    test(`${example.id}: ${example.type} ${example.income}, ${example.period} (${example.source})`, () => {
      const amounts = amountsOf(example);
      // Amounts that the source does not state are not compared.
      assert.deepEqual(amounts, { ...amounts, ...example.expected });
    });
  }

  test('has 77 examples, each with a unique id and a stated amount', () => {
    assert.equal(PUBLISHED_EXAMPLES.length, 77);
    assert.equal(new Set(PUBLISHED_EXAMPLES.map(({ id }) => id)).size, 77);
    assert.deepEqual(PUBLISHED_EXAMPLES.filter(({ expected }) => Object.keys(expected).length === 0), []);
  });
});
