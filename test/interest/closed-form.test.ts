import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Amount, ExactGrowth } from '../../src/interest/closed-form.ts';
import { monthsOf, type Plan } from '../../src/interest/plan.ts';
import { seeded } from '../random.ts';
import { type Fraction, type Month, roundHalfAway, simulate } from './oracle.ts';
import { hardPlan, randomPlan } from './plans.ts';

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

/** Compares the answers for the half steps next to each amount with exact fractions. Returns the number of ties. */
function check(plan: Plan, stepsPerOne: bigint, months: readonly number[]): number {
  const exact = simulate(plan, monthsOf(plan));
  const growth = new ExactGrowth(plan, stepsPerOne);
  let ties = 0;
  for (const month of months) {
    for (const amount of AMOUNTS) {
      const state = exactAmount(amount, exact[month - 1]!);
      const floor = floorOf(state, stepsPerOne);
      for (const halfSteps of [floor - 1n, floor, floor + 1n]) {
        const difference = halfSteps * state.denominator - 2n * stepsPerOne * state.numerator;
        const expected = halfSteps < 0n ? difference < 0n : difference <= 0n;
        const label = `${JSON.stringify(plan)}, month ${month}, ${amount}, ${halfSteps} of 2 × ${stepsPerOne}`;
        assert.equal(growth.reaches(halfSteps, amount, month), expected, label);
        if (difference === 0n) ties += 1;
      }
    }
  }
  return ties;
}

test('compares the amounts of 3,000 plans with the nearest half steps as exact fractions do', () => {
  const random = seeded(60);
  let ties = 0;
  for (let count = 0; count < 3000; count += 1) {
    const plan = random.pick([randomPlan, hardPlan])(random, 1 + random.below(40));
    const months = Array.from({ length: monthsOf(plan) }, (_, index) => index + 1);
    ties += check(plan, 10n ** BigInt(random.below(count % 2 === 0 ? 7 : 40)), months);
  }
  assert.ok(ties > 3000, `${ties} ties`);
});

test('compares the amounts of 100 years as exact fractions do, in months in any order', () => {
  const random = seeded(1200);
  for (let count = 0; count < 30; count += 1) {
    const plan = random.pick([randomPlan, hardPlan])(random, 1200);
    check(plan, 10n ** BigInt(plan.decimals), [
      1200,
      700 + random.below(500),
      1 + random.below(600),
      12,
      1199,
    ]);
  }
});

test('decides a rounding by the half of a step, away from zero', () => {
  const plan: Plan = {
    ...randomPlan(seeded(1), 12),
    principal: 0.5,
    monthly_deposit: 0,
    annual_rate: -12,
  };
  const options = { compounding: 'monthly', deposit_timing: 'end', decimals: 2 } as const;
  const growth = new ExactGrowth({ ...plan, ...options }, 100n);
  // After a month, the balance is 0.495, and the interest is −0.005.
  assert.equal(growth.decide({ below: 0.49, above: 0.5, halfSteps: 99n }, 'balance', 1), 0.5);
  assert.equal(growth.decide({ below: -0.01, above: 0, halfSteps: -1n }, 'interest', 1), -0.01);
  assert.equal(roundHalfAway({ numerator: -5n, denominator: 1000n }, 2), -0.01);
});
