import assert from 'node:assert/strict';
import { test } from 'node:test';
import { divideHalfAway } from '../../src/interest/decimal.ts';
import { monthsOf } from '../../src/interest/plan.ts';
import { decide, growthInUnits } from '../../src/interest/units.ts';
import { seeded } from '../random.ts';
import { type Fraction, roundHalfAway, simulate } from './oracle.ts';
import { randomPlan } from './plans.ts';

/** Whether units ± error contains an exact amount. */
function holds(units: bigint, error: number, scale: bigint, { numerator, denominator }: Fraction): boolean {
  const difference = units * denominator - numerator * scale;
  return (difference < 0n ? -difference : difference) <= BigInt(Math.ceil(error)) * denominator;
}

test('rounds correctly, or leaves the rounding undecided, with too few places, in 3,000 plans', () => {
  const random = seeded(60);
  const seen = { decided: 0, open: 0, exact: 0 };
  for (let count = 0; count < 3000; count += 1) {
    const plan = randomPlan(random, 1 + random.below(30));
    const exact = simulate(plan, monthsOf(plan));
    const scale = 60n ** BigInt(6 + random.below(2));
    const months = exact.map((_, index) => index + 1).filter((month) => month === exact.length || random.below(2) === 0);
    for (const { month, balance, deposited } of growthInUnits(plan, scale, months)) {
      const { denominator, ...state } = exact[month - 1]!;
      const label = `${JSON.stringify(plan)}, month ${month}, scale ${scale}`;
      for (const [amount, numerator] of [[balance, state.balance], [deposited, state.deposited]] as const) {
        assert.ok(holds(amount.units, amount.error, scale, { numerator, denominator }), label);
        if (amount.error === 0) seen.exact += 1;
        const steps = divideHalfAway(amount, scale / 10n ** BigInt(plan.decimals));
        seen[steps === undefined ? 'open' : 'decided'] += 1;
        if (steps === undefined) continue;
        assert.equal(Number(`${steps}e-${plan.decimals}`), roundHalfAway({ numerator, denominator }, plan.decimals), label);
      }
    }
  }
  assert.ok(Math.min(seen.decided, seen.open, seen.exact) > 300, JSON.stringify(seen));
});

test('repeats an undecided calculation with seven times the places, and adds places for growth', () => {
  const plan = { ...randomPlan(seeded(1), 1200), annual_rate: 0 };
  const asked: bigint[] = [];
  const ask = (scale: bigint): number | undefined => (asked.push(scale) < 3 ? undefined : asked.length);
  assert.equal(decide(plan, ask), 3);
  assert.deepEqual(asked, [60n ** 24n, 60n ** 168n, 60n ** 1176n]);
  assert.equal(decide({ ...plan, annual_rate: -100 }, (scale) => scale), 60n ** 24n);
  // (1 + 500 / 1200) ^ 1200 is 60 ^ 102.08.
  assert.equal(decide({ ...plan, annual_rate: 500 }, (scale) => scale), 60n ** (24n + 103n));
});
