import assert from 'node:assert/strict';
import { test } from 'node:test';
import { calculateTax } from '../../src/tax/tax.ts';
import { type Expected, TAX_CASES } from '../vectors/tax-cases.ts';

for (const [request, expected, origin = 'calculated independently'] of TAX_CASES) {
  test(`calculates ${JSON.stringify(request)} (${origin})`, () => {
    const { gross_income, insurance, taxable_income, tax, net_income, detail } = calculateTax({
      ...request,
      detail: true,
    });
    const { total, cost, ...employer } = detail!.employer;
    const amounts: Required<Expected> = {
      gross: gross_income,
      insurance: insurance.total,
      taxable: taxable_income,
      tax,
      net: net_income,
      employer: Object.values(employer),
      employerTotal: total,
    };
    // A case states some of the amounts; the others are not compared.
    assert.deepEqual(amounts, { ...amounts, ...expected });
    assert.equal(cost, gross_income + total);
  });
}
