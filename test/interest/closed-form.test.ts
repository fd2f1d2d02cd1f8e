import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ExactGrowth } from '../../src/interest/closed-form.ts';
import { type Amounts, monthsOf, type Plan } from '../../src/interest/plan.ts';
import { type Fraction, type Month, simulate, stepsOf } from '../helpers/interest-oracle.ts';
import { hardPlan, randomPlan } from '../helpers/plans.ts';
import { seeded } from '../helpers/random.ts';
import { search } from '../helpers/repository.ts';

const AMOUNTS = ['balance', 'deposited', 'interest'] as const;

function exactAmount(
  amount: keyof Amounts<Fraction>,
  { balance, deposited, denominator }: Month,
): Fraction {
  return { numerator: { balance, deposited, interest: balance - deposited }[amount], denominator };
}

/** Compares each amount, rounded, and the next half steps that a balance reaches, with exact fractions. Returns the ties. */
function check(plan: Plan, decimals: number, months: readonly number[]): number {
  const exact = simulate(plan, monthsOf(plan));
  const growth = new ExactGrowth(plan, 10n ** BigInt(decimals));
  const halves = new ExactGrowth(plan, 2n * 10n ** BigInt(decimals));
  let ties = 0;
  for (const month of months) {
    const label = `${JSON.stringify(plan)}, month ${month}, ${decimals} decimals`;
    const amounts = growth.amountsAfter(month);
    for (const amount of AMOUNTS) {
      const fraction = exactAmount(amount, exact[month - 1]!);
      assert.equal(amounts[amount], stepsOf(fraction, decimals), `${amount}: ${label}`);
    }
    const { numerator, denominator } = exactAmount('balance', exact[month - 1]!);
    const doubled = 2n * numerator * 10n ** BigInt(decimals);
    const floor = doubled / denominator;
    if (floor * denominator === doubled) ties += 1;
    assert.deepEqual(
      [halves.reaches(floor, month), halves.reaches(floor + 1n, month)],
      [true, false],
      label,
    );
  }
  return ties;
}

const PLANS = search(3000);
const LONG_PLANS = search(30);

test(`compares the amounts of ${PLANS.words} plans with half steps as exact fractions do`, () => {
  const random = seeded(60);
  let ties = 0;
  for (let count = 0; count < PLANS.cases; count += 1) {
    const plan = random.pick([randomPlan, hardPlan])(random, 1 + random.below(40));
    const months = Array.from({ length: monthsOf(plan) }, (_, index) => index + 1);
    ties += check(plan, random.below(count % 2 === 0 ? 7 : 40), months);
  }
  assert.ok(ties > PLANS.cases / 4, `${ties} ties`);
});

test(`compares the amounts of ${LONG_PLANS.words} plans of 100 years as exact fractions do, in months in any order`, () => {
  const random = seeded(1200);
  for (let count = 0; count < LONG_PLANS.cases; count += 1) {
    const plan = random.pick([randomPlan, hardPlan])(random, 1200);
    check(plan, plan.decimals, [1200, 700 + random.below(500), 1 + random.below(600), 12, 1199]);
  }
});

/**
 * 1 is 400 × (12 × 1,200) = 5,760,000 units, half a step is 28,800 units, F is 101/100, S is −1,000, and P − S is 1,100.
 * After a month, the balance is −5,760,000,000 + 6,336,000,000 × 101/100 = 639,360,000 units, which is 111.
 */
test('follows the example worked out by hand: 100 with 10 a month, at 12 %, is 111 after a month', () => {
  const plan: Plan = {
    principal: 100,
    monthly_deposit: 10,
    annual_rate: 12,
    years: 1,
    compounding: 'monthly',
    deposit_timing: 'end',
    decimals: 2,
    timeline: 'none',
  };
  const growth = new ExactGrowth(plan, 100n);
  assert.equal(growth.amountsAfter(1).balance, 11_100n);
  assert.deepEqual([growth.reaches(11_100n, 1), growth.reaches(11_101n, 1)], [true, false]);
});
