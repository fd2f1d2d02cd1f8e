import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { interestRequest } from '../../src/interest/contract.ts';
import { calculateInterest } from '../../src/interest/interest.ts';
import { monthsOf, type Plan } from '../../src/interest/plan.ts';
import { expectedInterest } from '../helpers/interest-oracle.ts';
import { hardPlan, randomPlan } from '../helpers/plans.ts';
import { problemsOf } from '../helpers/problems.ts';
import { seeded } from '../helpers/random.ts';
import { search } from '../helpers/repository.ts';
import { vectors } from '../helpers/vectors.ts';

const PLAN: Plan = {
  principal: 0,
  monthly_deposit: 0,
  annual_rate: 0,
  years: 1,
  compounding: 'monthly',
  deposit_timing: 'end',
  decimals: 2,
  timeline: 'yearly',
};

/** Calculates a plan, and compares the result with that of the oracle. */
function calculate(changes: Partial<Plan>): ReturnType<typeof calculateInterest> {
  const request = { ...PLAN, ...changes };
  const result = calculateInterest(request);
  assert.deepEqual(result, expectedInterest(request), JSON.stringify(request));
  return result;
}

/** Calculates a plan. If it is refused, does what the refusal says until there is a result. */
function calculateLess(plan: Plan): void {
  const expected = expectedInterest(plan);
  if (typeof expected !== 'string') {
    calculate(plan);
    return;
  }
  assert.throws(() => calculateInterest(plan), { message: expected }, JSON.stringify(plan));
  const { decimals } = plan;
  if (expected.startsWith('decimals')) {
    calculateLess({ ...plan, decimals: decimals - 1 });
  } else {
    calculateLess({ ...plan, years: Math.ceil(monthsOf(plan) / 2) / 12 });
  }
}

/** The results of a spreadsheet for FV(rate, periods, payment, present value, 1 for payment at the start). */
const FUTURE_VALUES =
  vectors<[call: string, plan: Partial<Plan>, balance: number]>('future-values');
for (const [call, plan, balance] of FUTURE_VALUES) {
  test(`returns the balance of ${call}: ${balance}`, () =>
    assert.equal(calculate(plan).final_balance, balance));
}

type Amounts = [balance: number, deposited: number, profit: number];

/** Plans that can be calculated by hand. */
const WORKED = vectors<[working: string, plan: Partial<Plan>, ...Amounts]>('worked-savings');
for (const [working, plan, balance, deposited, profit] of WORKED) {
  test(`returns the amounts worked out by hand: ${working}`, () => {
    const { final_balance, total_deposited, total_profit } = calculate(plan);
    assert.deepEqual([final_balance, total_deposited, total_profit], [balance, deposited, profit]);
  });
}

const EFFECTIVE_RATES =
  vectors<[annual_rate: number, Plan['compounding'], effective: number]>('effective-rates');
for (const [annual_rate, compounding, effective] of EFFECTIVE_RATES) {
  test(`gives ${effective} % per year for ${annual_rate} % ${compounding}, independent of the term`, () => {
    for (const years of [1 / 12, 1, 7]) {
      assert.equal(calculate({ annual_rate, compounding, years }).effective_annual_rate, effective);
    }
  });
}

const MATURITY_RATES =
  vectors<[label: string, annual_rate: number, years: number, effective: number]>(
    'rates-at-maturity',
  );
for (const [label, annual_rate, years, effective] of MATURITY_RATES) {
  test(`gives ${effective} % per year for ${annual_rate} % at maturity after ${years} years: ${label}`, () => {
    const { effective_annual_rate } = calculate({ annual_rate, compounding: 'at_maturity', years });
    assert.equal(effective_annual_rate, effective);
  });
}

const REFUSED = vectors<[label: string, plan: Partial<Plan>, message: string]>('rejected-growths');
for (const [label, plan, message] of REFUSED) {
  test(`rejects an amount that is too large, and says what to send: ${label}`, () => {
    const request = { ...PLAN, ...plan };
    const code = 'out_of_range';
    const details = [{ field: message.slice(0, message.indexOf(':')), code, message }];
    assert.throws(() => calculateInterest(request), { code: 'validation_failed', details });
    calculateLess(request);
  });
}

describe('returns the amounts of exact fractions', () => {
  const terms: readonly [all: number, longest: number][] = [
    [3000, 24],
    [400, 120],
    [30, 400],
  ];
  for (const [all, longest] of terms) {
    const { cases, words } = search(all);
    test(`in ${words} random plans of up to ${longest} months`, () => {
      const random = seeded(longest);
      for (let count = 0; count < cases; count += 1)
        calculateLess(randomPlan(random, 1 + random.below(longest)));
    });
  }

  for (const [all, longest] of [
    [3000, 30],
    [60, 400],
  ] as const) {
    const { cases, words } = search(all);
    test(`in ${words} plans with ties, near ties and amounts of 16 digits over up to ${longest} months`, () => {
      const random = seeded(longest);
      for (let count = 0; count < cases; count += 1)
        calculateLess(hardPlan(random, 1 + random.below(longest)));
    });
  }

  const hardest = search(40);
  test(`in ${hardest.words} such plans over 100 years`, () => {
    const random = seeded(100);
    for (let count = 0; count < hardest.cases; count += 1)
      calculateLess({ ...hardPlan(random, 1200), timeline: 'yearly' });
  });
});

test('a term in months leads to years', () => {
  for (const name of ['months', 'month', 'kỳ hạn', 'Thời hạn', 'term', 'term_months', 'so_thang']) {
    const problems = problemsOf(interestRequest, { principal: 1, annual_rate: 1, [name]: 6 });
    assert.deepEqual(
      problems.map(({ message }) => message),
      [
        'years: this field is required',
        `Unknown field "${name}"; did you mean \`years\`: 6 months are 0.5?`,
      ],
    );
  }
});
