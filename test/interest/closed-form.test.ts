import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Amount, ExactGrowth } from '../../src/interest/closed-form.ts';
import { monthsOf, type Plan } from '../../src/interest/plan.ts';
import { type Fraction, type Month, simulate } from '../helpers/interest-oracle.ts';
import { hardPlan, randomPlan } from '../helpers/plans.ts';
import { seeded } from '../helpers/random.ts';
import { search } from '../helpers/repository.ts';

const AMOUNTS: readonly Amount[] = ['balance', 'deposited', 'interest'];

function exactAmount(amount: Amount, { balance, deposited, denominator }: Month): Fraction {
  return { numerator: { balance, deposited, interest: balance - deposited }[amount], denominator };
}

/** The greatest whole number of half steps that an amount reaches. */
function floorOf({ numerator, denominator }: Fraction, stepsPerOne: bigint): bigint {
  const dividend = 2n * stepsPerOne * numerator;
  const quotient = dividend / denominator;
  return quotient * denominator > dividend ? quotient - 1n : quotient;
}

const signOf = (value: bigint): number => Number(value > 0n) - Number(value < 0n);

/** Compares the sign of the excess of each amount over half steps next to it with exact fractions. Returns the ties. */
function check(plan: Plan, decimals: number, months: readonly number[]): number {
  const exact = simulate(plan, monthsOf(plan));
  const stepsPerOne = 10n ** BigInt(decimals);
  const growth = new ExactGrowth(plan, stepsPerOne);
  let ties = 0;
  for (const month of months) {
    for (const amount of AMOUNTS) {
      const state = exactAmount(amount, exact[month - 1]!);
      const floor = floorOf(state, stepsPerOne);
      const label = `${JSON.stringify(plan)}, month ${month}, ${amount}, ${decimals} decimals`;
      const isTie = floor * state.denominator === 2n * stepsPerOne * state.numerator;
      if (isTie) ties += 1;
      for (const [halfSteps, sign] of [
        [floor - 1n, 1],
        [floor, isTie ? 0 : 1],
        [floor + 1n, -1],
      ] as const) {
        assert.equal(signOf(growth.excess(amount, halfSteps, month)), sign, label);
      }
    }
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
  assert.ok(ties > PLANS.cases, `${ties} ties`);
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
  assert.equal(growth.excess('balance', 22_200n, 1), 0n);
  assert.equal(growth.excess('balance', 22_199n, 1), 28_800n);
});
