import assert from 'node:assert/strict';
import { test } from 'node:test';
import { calculateTax, type TaxRequest } from '../../src/tax/tax.ts';
import { vectors } from '../helpers/vectors.ts';

/** Some amounts of a result. */
type Expected = Readonly<Record<string, number | readonly number[]>>;

for (const [request, expected, origin = 'calculated independently'] of vectors<
  [request: TaxRequest, expected: Expected, origin?: 'published']
>('tax-cases')) {
  test(`calculates ${JSON.stringify(request)} (${origin})`, () => {
    const { gross_income, insurance, taxable_income, tax, net_income, detail } = calculateTax({
      ...request,
      detail: true,
    });
    const { total, cost, ...employer } = detail!.employer;
    const amounts: Expected = {
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
