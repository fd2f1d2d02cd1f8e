/**
 * Amounts at and near ties, drawn on purpose: random plans meet few that are nearer than the errors of
 * doubles, so that they would hardly notice a bound that is too small.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Growth, nearestInteger } from '../../src/interest/growth.ts';
import { calculateInterest } from '../../src/interest/interest.ts';
import { MONTHS_PER_PERIOD, type Plan } from '../../src/interest/plan.ts';
import { solveInterest } from '../../src/interest/solve.ts';
import {
  expectedInterest,
  fractionOf,
  type Fraction,
  roundHalfAway,
} from '../helpers/interest-oracle.ts';
import { nearestToHalf } from '../helpers/near-ties.ts';
import { convergingPlan, OPTIONS, withoutLoss } from '../helpers/plans.ts';
import { type Random, seeded } from '../helpers/random.ts';
import { search } from '../helpers/repository.ts';

const CENTURY = {
  monthly_deposit: 0,
  years: 100,
  deposit_timing: 'end',
  decimals: 0,
  timeline: 'none',
} as const;

/** A rate at which 100 years multiply an amount by a number from e^-3 to e^3. */
function slowRate(random: Random): number {
  return Number(((random.next() - 0.5) * 6).toPrecision(1 + random.below(4)));
}

/** The growth of 1 over 100 years. */
function factorOf(annual_rate: number, compounding: Plan['compounding']): Fraction {
  const { numerator, denominator } = fractionOf(annual_rate);
  const months = MONTHS_PER_PERIOD[compounding];
  const base = 1200n * denominator;
  const periods = BigInt(1200 / months);
  return {
    numerator: (base + BigInt(months) * numerator) ** periods,
    denominator: base ** periods,
  };
}

const NEAREST = search(500);

test(`rounds the balances nearest to a tie, and solves for them, in ${NEAREST.words} plans`, () => {
  const random = seeded(2);
  const seen = { decided: 0, open: 0 };
  for (let count = 0; count < NEAREST.cases; count += 1) {
    const drawn = { annual_rate: slowRate(random), compounding: random.pick(OPTIONS.compounding) };
    const { annual_rate, compounding } = withoutLoss(drawn);
    const factor = factorOf(annual_rate, compounding);
    const greatest = (10n ** 15n * factor.denominator) / factor.numerator;
    const limit = greatest < 10n ** 15n ? greatest : 10n ** 15n;
    for (const principal of nearestToHalf(factor, limit)) {
      const plan = { ...CENTURY, principal: Number(principal), annual_rate, compounding };
      const balance = { numerator: principal * factor.numerator, denominator: factor.denominator };
      const profit = {
        numerator: balance.numerator - principal * factor.denominator,
        denominator: factor.denominator,
      };
      const label = JSON.stringify(plan);
      const growth = new Growth(plan);
      const isOpen = Number.isNaN(nearestInteger(growth.balanceAfter(1200)));
      seen[isOpen ? 'open' : 'decided'] += 1;
      const { final_balance, total_profit } = calculateInterest(plan);
      assert.equal(final_balance, roundHalfAway(balance, 0), label);
      assert.equal(total_profit, roundHalfAway(profit, 0), label);
      // The half to which the balance is nearest.
      const target = Number(balance.numerator / balance.denominator) + 0.5;
      const isEnough = 2n * balance.numerator >= BigInt(2 * target) * balance.denominator;
      const { principal: _, ...given } = plan;
      const { initial_principal } = solveInterest({ solve_for: 'principal', target, ...given });
      const least = BigInt(initial_principal);
      assert.equal(least === principal, isEnough, label);
      assert.ok(2n * least * factor.numerator >= BigInt(2 * target) * factor.denominator, label);
    }
  }
  assert.ok(Math.min(seen.open, seen.decided) > NEAREST.cases / 10, JSON.stringify(seen));
});

const CONVERGING = search(60);

test(`rounds the amounts of ${CONVERGING.words} plans that converge to a tie, in each month of 100 years`, () => {
  const random = seeded(3);
  for (let count = 0; count < CONVERGING.cases; count += 1) {
    const plan = convergingPlan(random);
    assert.deepEqual(calculateInterest(plan), expectedInterest(plan), JSON.stringify(plan));
  }
});
