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
import { part, search } from '../helpers/repository.ts';
import {
  ERAS,
  expectedEmployer,
  INSURANCES,
  mustBeStated,
  REGIONS,
  salaryOf,
  TAXATIONS,
} from '../helpers/tax-oracle.ts';
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

test('finds the largest gross of every small budget', () => {
  const costOf = costBy(lawOf('2021-07', 1), salaryOf({}));
  const costs = Array.from({ length: 3000 }, (_, gross) => costOf(gross));
  for (let budget = 0; budget < 3000; budget += 1) {
    assert.equal(
      grossWithin(budget, costOf),
      costs.findLastIndex((cost) => cost <= budget),
    );
  }
});

const RANDOM = search(4000);

test(`returns the result of the gross that it finds, and the contributions of the oracle, for ${RANDOM.words} random budgets`, () => {
  const random = seeded(36);
  for (let count = 0; count < RANDOM.cases; count += 1) {
    const given = {
      income: Math.round(10 ** (7 + random.next() * 5)),
      period: random.pick(ERAS),
      region: random.pick(REGIONS),
      dependents: random.below(4),
      taxation: random.pick(TAXATIONS),
      foreigner: random.below(2) === 0,
      ...(random.below(2) === 0 && { insurance_salary: random.below(6_000_000) }),
      ...(random.below(2) === 0 && random.pick(INSURANCES)),
      ...(random.below(2) === 0 && { exempt_income: random.below(5_000_000) }),
    };
    if (mustBeStated(given)) given.insurance_salary ??= random.below(6_000_000);
    const union_fund = random.below(2) === 0;
    const result = calculateTax({ ...given, type: 'cost', union_fund, detail: true });
    const gross = { ...given, income: result.gross_income };
    assert.deepEqual(
      result,
      calculateTax({ ...gross, union_fund, detail: true }),
      JSON.stringify(given),
    );
    assert.deepEqual(
      result.detail?.employer,
      expectedEmployer(gross, union_fund),
      JSON.stringify(given),
    );
  }
});

test('counts the trade-union fund in the cost alone, and cites its rate', () => {
  const request: TaxRequest = { income: 80_000_000, period: '2026-08', detail: true };
  const { detail: without, ...result } = calculateTax({ ...request, union_fund: false });
  const { detail: counted, ...same } = calculateTax(request);
  assert.deepEqual(same, result);
  // 2 % of the cap of 50.6M.
  const { bhxh, bhyt, bhtn, total, cost } = without!.employer;
  assert.deepEqual(
    Object.entries(counted!.employer),
    Object.entries({
      bhxh,
      bhyt,
      bhtn,
      union_fund: 1_012_000,
      total: total + 1_012_000,
      cost: cost + 1_012_000,
    }),
  );
  assert.deepEqual(
    counted!.law.filter(({ rule }) => rule === 'union_fund_rate'),
    [
      {
        rule: 'union_fund_rate',
        value: 2,
        effective_from: '2026-05',
        instrument:
          'Law 50/2024/QH15 art. 29.1.b, amended by Law 97/2025/QH15 art. 2.8; Decree 105/2026/NĐ-CP art. 2.1',
      },
    ],
  );
  assert.deepEqual(
    counted!.law.filter(({ rule }) => rule !== 'union_fund_rate'),
    without!.law,
  );
  assert.deepEqual(calculateTax({ ...request, detail: false }), result);
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
