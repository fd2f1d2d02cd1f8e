import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { type AnnualRequest, settleYear } from '../../src/tax/annual.ts';
import { calculateTax, type TaxRequest } from '../../src/tax/tax.ts';
import { sourced } from '../helpers/vectors.ts';

/** The amounts that a source states, in whole đồng. */
type Stated = Readonly<Record<string, number>>;

const salaries = sourced<[request: TaxRequest, stated: Stated]>('published-salaries');
const years = sourced<[request: AnnualRequest, stated: Stated]>('published-years');
/** Salaries of which the service returns another amount, with the reason. */
const deviations =
  sourced<[request: TaxRequest, stated: Stated, returned: Stated, reason: string]>(
    'deviating-salaries',
  );

/** Every amount that a source may state, as the service calculates it. */
function amountsOf(request: TaxRequest): Stated {
  const { insurance, deductions, gross_income, taxable_income, tax, net_income, detail } =
    calculateTax({ ...request, detail: true });
  const { bhxh, bhyt, bhtn, union_fund = 0, total, cost } = detail!.employer;
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
    employer_bhxh: bhxh,
    employer_bhyt: bhyt,
    employer_bhtn: bhtn,
    employer_total: total,
    union_fund,
    cost,
  };
}

// Amounts that a source does not state are not compared.
describe('calculates published salaries to the đồng', () => {
  for (const [source, request, stated] of salaries) {
    test(`${JSON.stringify(request)} (${source})`, () => {
      const amounts = amountsOf(request);
      assert.deepEqual(amounts, { ...amounts, ...stated });
    });
  }
});

describe('calculates published years to the đồng', () => {
  for (const [source, request, stated] of years) {
    test(`${JSON.stringify(request)} (${source})`, () => {
      const settled = settleYear(request);
      assert.deepEqual(settled, { ...settled, ...stated });
    });
  }
});

describe('deviates from published salaries for a stated reason', () => {
  for (const [source, request, stated, returned, reason] of deviations) {
    test(`${reason} (${source})`, () => {
      const amounts = amountsOf(request);
      assert.deepEqual(amounts, { ...amounts, ...returned });
      assert.deepEqual(Object.keys(returned), Object.keys(stated));
      for (const [name, amount] of Object.entries(stated)) {
        assert.notEqual(amounts[name], amount, name);
      }
    });
  }
});

test('no example is a duplicate, and each states an amount', () => {
  assert.ok(salaries.length >= 250);
  for (const [, , stated] of [...salaries, ...years, ...deviations]) {
    assert.notEqual(Object.keys(stated).length, 0);
  }
  const rows = salaries.map(([source, request]) => source + JSON.stringify(request));
  assert.equal(new Set(rows).size, rows.length);
});
