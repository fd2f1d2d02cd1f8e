import assert from 'node:assert/strict';
import { test } from 'node:test';
import { doubleDoubleOf } from '../../src/interest/decimal.ts';
import type { DoubleDouble } from '../../src/interest/double-double.ts';
import { Growth } from '../../src/interest/growth.ts';
import { monthsOf, type Plan, rowMonths } from '../../src/interest/plan.ts';
import { fractionOf, type Month, simulate } from '../helpers/interest-oracle.ts';
import { OPTIONS } from '../helpers/plans.ts';
import { type Random, seeded } from '../helpers/random.ts';

const BITS = 200;

/** A double-double as a whole number of 2^-200. */
function unitsOf({ high, low }: DoubleDouble): bigint {
  return BigInt(Math.trunc(high * 2 ** BITS)) + BigInt(Math.trunc(low * 2 ** BITS));
}

const size = (value: bigint): bigint => (value < 0n ? -value : value);

/** A number of up to `digits` digits, between 0 and `maximum`. */
function decimal(random: Random, maximum: number, digits: number): number {
  return Number((random.next() * maximum).toPrecision(1 + random.below(digits)));
}

function shortPlan(random: Random, months: number): Plan {
  const rate = decimal(random, random.pick([1e-12, 1, 20, 500]), 17);
  return {
    principal: random.pick([0, 1e9, decimal(random, 10 ** random.below(16), 17)]),
    monthly_deposit: random.pick([0, 1e6, decimal(random, 10 ** random.below(14), 17)]),
    annual_rate: random.pick([rate, 0, -100, -99.9999999, -Math.min(100, rate)]),
    years: months / 12,
    compounding: random.pick(OPTIONS.compounding),
    deposit_timing: random.pick(OPTIONS.deposit_timing),
    decimals: random.pick(OPTIONS.decimals),
    timeline: random.pick(OPTIONS.timeline),
  };
}

/** An amount in units of 2^-200 steps, rounded toward zero. */
function scaled(amount: bigint, { denominator }: Month, decimals: number): bigint {
  return ((amount * 10n ** BigInt(decimals)) << BigInt(BITS)) / denominator;
}

test('every amount is within its error in 2,000 plans', () => {
  const random = seeded(106);
  let largest = 0;
  for (let count = 0; count < 2000; count += 1) {
    const plan = shortPlan(random, 1 + random.below(count % 100 === 0 ? 300 : 40));
    const exact = simulate(plan, monthsOf(plan));
    const growth = new Growth(plan);
    for (const month of rowMonths(plan)) {
      growth.advanceTo(month);
      const state = exact[month - 1]!;
      const amounts: readonly [DoubleDouble, bigint][] = [
        [growth.balance, state.balance],
        [growth.deposited, state.deposited],
        [growth.interest, state.balance - state.deposited],
      ];
      for (const [number, amount] of amounts) {
        const error = Number(size(unitsOf(number) - scaled(amount, state, plan.decimals))) - 2;
        const limit = number.error * 2 ** BITS;
        assert.ok(error <= limit, `${JSON.stringify(plan)}, month ${month}: ${error} of ${limit}`);
        if (limit > 0) largest = Math.max(largest, error / limit);
      }
    }
  }
  assert.ok(largest > 2 ** -8, `the bound is never approached: ${largest}`);
});

test('the interest of a year on 100 is within its error in 1,000 plans', () => {
  const random = seeded(12);
  for (let count = 0; count < 1000; count += 1) {
    const plan: Plan = {
      ...shortPlan(random, 12),
      principal: 100,
      monthly_deposit: 0,
      decimals: 6,
    };
    const state = simulate(plan, 12).at(-1)!;
    const growth = new Growth({ ...plan, principal: 7, monthly_deposit: 3 });
    const interest = growth.yearlyInterest();
    const distance = size(unitsOf(interest) - scaled(state.balance - state.deposited, state, 6));
    assert.ok(Number(distance) - 2 <= interest.error * 2 ** BITS, JSON.stringify(plan));
    assert.ok(interest.error < 1e-12 * Math.max(100, interest.high), `${interest.error}`);
  }
});

test('compares a balance with a target correctly, or leaves it undecided, in 3,000 plans', () => {
  const random = seeded(15);
  const seen = { above: 0, below: 0, open: 0 };
  for (let count = 0; count < 3000; count += 1) {
    const plan = shortPlan(random, 1 + random.below(30));
    const { balance, denominator } = simulate(plan, monthsOf(plan)).at(-1)!;
    const near =
      (Number((balance * 10n ** 30n) / denominator) / 1e30)
      * (1 + random.pick([0, 1e-15, -1e-15, 1]));
    const target = Math.max(1e-15, near);
    const growth = new Growth(plan);
    growth.advanceTo(monthsOf(plan));
    const isReached = growth.reaches(doubleDoubleOf(target, 10 ** plan.decimals, 1));
    const goal = fractionOf(target);
    const expected = balance * goal.denominator >= goal.numerator * denominator;
    if (isReached !== undefined)
      assert.equal(isReached, expected, `${JSON.stringify(plan)}, ${target}`);
    seen[isReached === undefined ? 'open' : isReached ? 'above' : 'below'] += 1;
  }
  assert.ok(Math.min(...Object.values(seen)) > 100, JSON.stringify(seen));
});
