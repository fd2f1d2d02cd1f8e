import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { settleYear } from '../../src/tax/annual.ts';
import { calculateTax, type TaxRequest } from '../../src/tax/tax.ts';
import {
  DEVIATING_SALARIES,
  PUBLISHED_SALARIES,
  PUBLISHED_YEARS,
  type Stated,
} from '../vectors/tax-published.ts';

/** Every amount that a source may state, as the service calculates it. */
function amountsOf(request: TaxRequest): Required<Stated> {
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
  for (const [source, examples] of Object.entries(PUBLISHED_SALARIES)) {
    for (const [request, stated] of examples) {
      test(`${JSON.stringify(request)} (${source})`, () => {
        const amounts = amountsOf(request);
        assert.deepEqual(amounts, { ...amounts, ...stated });
      });
    }
  }
});

describe('calculates published years to the đồng', () => {
  for (const [source, examples] of Object.entries(PUBLISHED_YEARS)) {
    for (const [request, stated] of examples) {
      test(`${JSON.stringify(request)} (${source})`, () => {
        const settled = settleYear(request);
        assert.deepEqual(settled, { ...settled, ...stated });
      });
    }
  }
});

describe('deviates from published salaries for a stated reason', () => {
  for (const [source, deviations] of Object.entries(DEVIATING_SALARIES)) {
    for (const [request, stated, returned, reason] of deviations) {
      test(`${reason} (${source})`, () => {
        const amounts = amountsOf(request);
        assert.deepEqual(amounts, { ...amounts, ...returned });
        assert.deepEqual(Object.keys(returned), Object.keys(stated));
        for (const [name, amount] of Object.entries(stated)) {
          assert.notEqual(amounts[name as keyof Stated], amount, name);
        }
      });
    }
  }
});

test('no example is a duplicate, and each states an amount', () => {
  const examples = Object.values(PUBLISHED_SALARIES).flat();
  assert.ok(examples.length >= 250);
  assert.deepEqual(
    examples.filter(([, stated]) => Object.keys(stated).length === 0),
    [],
  );
  const rows = Object.entries(PUBLISHED_SALARIES).flatMap(([source, rows]) =>
    rows.map(([request]) => source + JSON.stringify(request)),
  );
  assert.equal(new Set(rows).size, rows.length);
});
