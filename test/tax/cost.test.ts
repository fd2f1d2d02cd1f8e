/**
 * The service finds the largest gross whose cost is within a budget, by the law of every era and region, for citizens
 * and foreigners and for every combination of insurances, with and without the trade-union fund.
 *
 * Between two caps the cost is a sum of roundings that repeats: 18 %, 17.5 %, 17 %, 3.5 %, 3 %, 2 % and 1 % have a
 * common period of 200 đồng of gross, so that 200 steps above every cap cover all cases.
 */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { Failure } from '../../src/contract/failure.ts';
import type { Salary } from '../../src/tax/assessment.ts';
import { employerOn, grossWithin } from '../../src/tax/cost.ts';
import { type Law, lawOf } from '../../src/tax/law.ts';
import { calculateTax, type TaxRequest } from '../../src/tax/tax.ts';
import { seeded } from '../helpers/random.ts';
import { part } from '../helpers/repository.ts';
import { ERAS, INSURANCES, REGIONS, salaryOf } from '../helpers/tax-oracle.ts';
import { vectors } from '../helpers/vectors.ts';

const PERIOD = 200;
const MAXIMUM_RISE = 4;
const MAXIMUM_UNSPENT = MAXIMUM_RISE - 1;

const LAWS: readonly Law[] = part(
  ERAS.flatMap((period) =>
    REGIONS.flatMap((region) =>
      [false, true].map((foreigner) => lawOf(period, region, { foreigner })),
    ),
  ),
);

const nameOf = ({ period, region, foreigner }: Law): string =>
  `${period}, region ${region}${foreigner ? ', foreigner' : ''}`;

function costBy(law: Law, salary: Salary): (gross: number) => number {
  return (gross) => employerOn(gross, salary, law).cost;
}

/** A salary for each combination of insurances, with and without the trade-union fund. */
const COMBINATIONS: readonly Salary[] = INSURANCES.flatMap((paid) =>
  [false, true].map((union_fund) => salaryOf({ ...paid, union_fund })),
);

/** The distinct increases of the cost per đồng of gross around an edge. */
function risesAround(edge: number, costOf: (gross: number) => number): number[] {
  const begin = Math.max(0, edge - PERIOD);
  const steps = Array.from({ length: edge - begin + PERIOD }, (_, index) => begin + index);
  return [...new Set(steps.map((gross) => costOf(gross + 1) - costOf(gross)))];
}

describe('the cost rises by 1 to 4 đồng per đồng of gross, over a whole period around every cap', () => {
  const atMost = new Map<string, number>();
  for (const law of LAWS) {
    test(nameOf(law), () => {
      for (const salary of COMBINATIONS) {
        const costOf = costBy(law, salary);
        const edges = [0, 20 * law.baseSalary.value, 20 * law.minimumWage.value, 1e12];
        const rises = edges.flatMap((edge) => risesAround(edge, costOf));
        assert.ok(Math.min(...rises) >= 1 && Math.max(...rises) <= MAXIMUM_RISE, String(rises));
        atMost.set(law.period, Math.max(atMost.get(law.period) ?? 0, ...rises));
      }
    });
  }

  test('rises by 4 đồng only while the employer pays 17 %, 3 % and 1 %', () => {
    assert.deepEqual(
      [...atMost].filter(([, rise]) => rise === MAXIMUM_RISE).map(([period]) => period),
      ['2021-07'],
    );
  });
});

describe('finds the largest gross whose cost is within a budget', () => {
  for (const law of LAWS) {
    test(nameOf(law), () => {
      const random = seeded(law.region);
      const separate = [
        { insurance_salary: 7_777_777 },
        { union_fund: true, insurance_salary: 50 },
      ].map(salaryOf);
      for (const salary of [...COMBINATIONS, ...separate]) {
        const costOf = costBy(law, salary);
        const least = costOf(0);
        const budgets = [
          least,
          least + 1,
          1e12,
          costOf(20 * law.baseSalary.value),
          ...Array.from({ length: 30 }, () => least + Math.round(10 ** (random.next() * 11))),
        ];
        for (const budget of budgets) {
          const gross = grossWithin(budget, costOf);
          const unspent = budget - costOf(gross);
          assert.ok(unspent >= 0 && unspent <= MAXIMUM_UNSPENT, `${budget}: ${unspent} unspent`);
          assert.ok(costOf(gross + 1) > budget, `${budget}: ${gross + 1} is within it too`);
          if (separate.includes(salary))
            assert.equal(unspent, 0, `${budget}: contributions do not depend on the gross`);
        }
      }
    });
  }
});

test('cites the rate of the trade-union fund only if the cost includes the fund', () => {
  const request: TaxRequest = { income: 80_000_000, period: '2026-08', detail: true };
  const without = calculateTax({ ...request, union_fund: false }).detail!;
  const cited = calculateTax(request).detail!.law;
  assert.deepEqual(
    cited.filter(({ rule }) => rule !== 'union_fund_rate'),
    without.law,
  );
  assert.equal(cited.length, without.law.length + 1);
});

const FUNDS =
  vectors<[working: string, request: Partial<TaxRequest>, period: string, fund: number]>(
    'union-funds',
  );
for (const [working, request, period, fund] of FUNDS) {
  test(`counts a trade-union fund of ${fund}: ${working}`, () => {
    const { detail } = calculateTax({
      income: 40_000_000,
      ...request,
      period,
      detail: true,
    });
    assert.equal(detail?.employer.union_fund, fund);
  });
}

test('accepts a budget that the contributions of the employer use up', () => {
  // 17.5 % of 5 is 0.875, rounded to 1; every other contribution is rounded to 0.
  const { gross_income, insurance, net_income } = calculateTax({
    income: 1,
    type: 'cost',
    insurance_salary: 5,
    period: '2026-09',
  });
  assert.deepEqual([gross_income, insurance.total, net_income], [0, 0, 0]);
});

const REJECTED =
  vectors<[working: string, request: Partial<TaxRequest>, message: string]>('rejected-budgets');
for (const [working, request, message] of REJECTED) {
  test(`rejects ${working}: ${JSON.stringify(request)}`, () => {
    const [field = ''] = message.split(':');
    assert.throws(
      () => calculateTax({ income: 0, ...request, type: 'cost', period: '2026-09' }),
      (error) => {
        assert.ok(error instanceof Failure && error.code === 'validation_failed');
        assert.deepEqual(error.details, [{ field, code: 'out_of_range', message }]);
        return true;
      },
    );
  });
}
