import assert from 'node:assert/strict';
import { test } from 'node:test';
import { growthInPairs, interestOn, Pair } from '../../src/interest/pairs.ts';
import { monthsOf, type Plan, shownMonths } from '../../src/interest/plan.ts';
import { type Random, seeded } from '../random.ts';
import { simulate } from './oracle.ts';
import { OPTIONS } from './plans.ts';

const BITS = 200;
const U = 2 ** -53;

/** A pair as a whole number of 2^-200. */
const wholeOf = ({ high, low }: Pair): bigint =>
  BigInt(Math.trunc(high * 2 ** BITS)) + BigInt(Math.trunc(low * 2 ** BITS));

const size = (value: bigint): bigint => (value < 0n ? -value : value);

/** A number of up to `digits` digits, between 0 and `maximum`. */
function decimal(random: Random, maximum: number, digits: number): number {
  return Number((random.next() * maximum).toPrecision(1 + random.below(digits)));
}

function shortPlan(random: Random, months: number): Plan {
  const rate = decimal(random, random.pick([1, 20, 500]), 13);
  return {
    principal: random.pick([0, 1e9, decimal(random, 10 ** random.below(10), 13)]),
    monthly_deposit: random.pick([0, 1e6, decimal(random, 10 ** random.below(7), 13)]),
    annual_rate: random.pick([rate, 0, -100, -99.9999999, -Math.min(100, rate)]),
    years: months / 12,
    compounding: random.pick(OPTIONS.compounding),
    deposit_timing: random.pick(OPTIONS.deposit_timing),
    decimals: random.pick(OPTIONS.decimals),
    timeline: random.pick(OPTIONS.timeline),
  };
}

test('stays within the proven error bound in 2,000 plans', () => {
  const random = seeded(106);
  let largest = 0;
  for (let count = 0; count < 2000; count += 1) {
    const plan = shortPlan(random, 1 + random.below(count % 100 === 0 ? 300 : 40));
    const exact = simulate(plan, monthsOf(plan));
    const growth = growthInPairs(plan, shownMonths(plan), (month, balance, deposited, interest) => {
      const state = exact[month - 1]!;
      const scaled = (amount: bigint): bigint => ((amount * 10n ** BigInt(plan.decimals)) << BigInt(BITS)) / state.denominator;
      const wanted = [scaled(state.balance), scaled(state.deposited), scaled(state.balance - state.deposited)];
      const most = Number(wanted[0]! > wanted[1]! ? wanted[0] : wanted[1]);
      const bound = (123 * month + 48) * U * U * most + 2 ** 10;
      [balance, deposited, interest].forEach((pair, index) => {
        const error = Number(size(wholeOf(pair) - wanted[index]!));
        assert.ok(error <= bound, `${JSON.stringify(plan)}, month ${month}: ${error} of ${bound}`);
        if (most > 2 ** BITS) largest = Math.max(largest, error / bound);
      });
    });
    assert.notEqual(growth, undefined, JSON.stringify(plan));
  }
  assert.ok(largest > 2 ** -12, `the bound is never approached: ${largest}`);
});

/** Numbers of hundredths. */
const ROUNDED: readonly [working: string, high: number, low: number, amount: number | undefined][] = [
  ['100.4', 100.4, 0, 1],
  ['100.5', 100.5, 0, undefined],
  ['100.5 + 2^-34', 100.5, 2 ** -34, 1.01],
  ['100.5 − 2^-34', 100.5 - 2 ** -34, 0, 1],
  ['100.5 − 2^-34, whose high part is a half', 100.5, -(2 ** -34), undefined],
  ['100.5 + 2^-35', 100.5, 2 ** -35, undefined],
  ['100.5 + 1.5 × 2^-36', 100.5, 1.5 * 2 ** -36, undefined],
  ['100.5 + 2^-36', 100.5, 2 ** -36, undefined],
  ['100.5 − 2^-36', 100.5 - 2 ** -36, 0, undefined],
  ['−0.1', -0.1, 0, 0],
  ['−100.6', -100.6, 0, -1.01],
  ['2^52 − 0.75', 2 ** 52 - 1, 0.25, (2 ** 52 - 1) / 100],
  ['2^52', 2 ** 52, 0, undefined],
  ['−2^52', -(2 ** 52), 0, undefined],
];
for (const [working, high, low, amount] of ROUNDED) {
  test(`${amount === undefined ? 'leaves the rounding undecided for' : 'rounds'} ${working} hundredths`, () => {
    assert.equal(new Pair(high, low).round(100), amount);
  });
}

test('returns undefined for a plan with a number of more than 15 digits', () => {
  const plan = { ...shortPlan(seeded(1), 12), principal: 1, monthly_deposit: 1, annual_rate: 1 };
  const none = (): undefined => undefined;
  for (const value of [0.1 + 0.2, 1.234567890123456, 1e-16, 5e-324]) {
    for (const field of ['principal', 'monthly_deposit', 'annual_rate']) {
      assert.equal(growthInPairs({ ...plan, [field]: value }, [12], none), undefined, `${field} ${value}`);
    }
  }
  for (const annual_rate of [-33.333333333333336, -0.1 - 0.2]) {
    assert.equal(growthInPairs({ ...plan, annual_rate }, [12], none), undefined, String(annual_rate));
  }
  for (const value of [1e15, 0.1, 1e-15, 123456.789012345, 1234567.89012345, 99999999999999.9]) {
    assert.deepEqual(growthInPairs({ ...plan, principal: value }, [12], none)?.rows, [undefined], String(value));
  }
});

test('keeps the interest of a year within the proven bound', () => {
  const random = seeded(12);
  for (let count = 0; count < 300; count += 1) {
    const plan: Plan = { ...shortPlan(random, 12), principal: 100, monthly_deposit: 0, decimals: 6 };
    const { balance, deposited, denominator } = simulate(plan, 12).at(-1)!;
    const scaled = (amount: bigint): bigint => ((amount * 10n ** 6n) << BigInt(BITS)) / denominator;
    const { yearFactor } = growthInPairs(plan, [1], (): undefined => undefined)!;
    const error = Number(size(wholeOf(interestOn(100e6, yearFactor)) - scaled(balance - deposited)));
    const most = Number(scaled(balance > deposited ? balance : deposited));
    assert.ok(error <= (123 * 12 + 48) * U * U * most, `${JSON.stringify(plan)}: ${error}`);
  }
});

test('setToMultiplyAdd stays within its error bound of 15 u²', () => {
  const random = seeded(53);
  const number = (): Pair => {
    const high = (random.next() - 0.5) * 2 ** random.below(40);
    return new Pair(high, (random.next() - 0.5) * 2 ** -53 * Math.abs(high));
  };
  for (let count = 0; count < 20_000; count += 1) {
    const [left, right, addend, sum] = [number(), number(), number(), new Pair(0, 0)];
    sum.setToMultiplyAdd(left, right, addend);
    const product = (wholeOf(left) * wholeOf(right)) >> BigInt(BITS);
    const error = Number(size(wholeOf(sum) - product - wholeOf(addend)));
    const bound = 15 * U * U * (Number(size(product)) + Number(size(wholeOf(addend)))) + 2 ** 10;
    assert.ok(error <= bound, `${count}: ${error} of ${bound}`);
    assert.equal(sum.high, sum.high + sum.low);
  }
});

test('setToMultiplyAdd is exact for the product of two doubles of 53 bits', () => {
  const random = seeded(27);
  const double = (): number => 2 ** 52 + random.below(2 ** 26) * 2 ** 26 + random.below(2 ** 26);
  for (let count = 0; count < 2000; count += 1) {
    const [left, right, product] = [double(), -double(), new Pair(0, 0)];
    product.setToMultiplyAdd(new Pair(left, 0), new Pair(right, 0), new Pair(0, 0));
    assert.equal(BigInt(product.high) + BigInt(product.low), BigInt(left) * BigInt(right), `${left} × ${right}`);
  }
});
