import assert from 'node:assert/strict';
import { test } from 'node:test';
import { doubleDoubleOf, fractionOf } from '../../src/interest/decimal.ts';
import * as oracle from '../helpers/interest-oracle.ts';
import { seeded } from '../helpers/random.ts';

const DECIMALS: readonly [value: number, coefficient: bigint, decimals: number][] = [
  [0, 0n, 0],
  [-0, 0n, 0],
  [100, 100n, 0],
  [8.5, 85n, 1],
  [-8.5, -85n, 1],
  [-0.5, -5n, 1],
  [0.1, 1n, 1],
  [0.1 + 0.2, 30_000_000_000_000_004n, 17],
  [1e-6, 1n, 6],
  [1.5e-7, 15n, 8],
  [-1e-10, -1n, 10],
  [5e-324, 5n, 324],
  [1e15, 10n ** 15n, 0],
  [1e21, 10n ** 21n, 0],
  [1.5e300, 15n * 10n ** 299n, 0],
];
for (const [value, coefficient, decimals] of DECIMALS) {
  test(`reads ${value} as ${coefficient} × 10^-${decimals}`, () => {
    assert.deepEqual(fractionOf(value), {
      numerator: coefficient,
      denominator: 10n ** BigInt(decimals),
    });
  });
}

const NUMBERS: readonly [
  working: string,
  value: number,
  multiplier: number,
  divisor: number,
  high: number,
  low: number,
][] = [
  ['100.005 in hundredths is 10000.5', 100.005, 100, 1, 10000.5, 0],
  [
    '0.005 in tenths is 0.05, whose double is 2.8 × 10^-18 too large',
    0.005,
    10,
    1,
    0.05,
    -2.7755575615628914e-18,
  ],
  ['12 % per year is 0.01 per month', 12, 1, 1200, 0.01, -2.0816681711721684e-19],
  ['−6 % per year is −0.005 per month', -6, 1, 1200, -0.005, 1.0408340855860842e-19],
  ['0', 0, 1e6, 1, 0, 0],
  ['10^15 in millionths is 10^21', 1e15, 1e6, 1, 1e21, 0],
  [
    '0.1 + 0.2 is 0.30000000000000004, and its double 4.4 × 10^-18 larger',
    0.1 + 0.2,
    1,
    1,
    0.30000000000000004,
    -4.408920985006262e-18,
  ],
];
for (const [working, value, multiplier, divisor, high, low] of NUMBERS) {
  test(`converts to a double-double: ${working}`, () => {
    const number = doubleDoubleOf(value, multiplier, divisor);
    assert.equal(number.high, high);
    assert.ok(Math.abs(number.low - low) <= 2 ** -52 * Math.abs(low), `${number.low}`);
  });
}

test('converts a number of up to 17 digits within the error', () => {
  const random = seeded(17);
  const bits = 300n;
  const unitsOf = (value: number): bigint => BigInt(Math.trunc(value * 2 ** 300));
  for (let count = 0; count < 20_000; count += 1) {
    const digits = 1 + random.below(17);
    const value = Number(
      ((random.next() - 0.2) * 10 ** (random.below(30) - 14)).toPrecision(digits),
    );
    const [multiplier, divisor] = random.pick([
      [1, 1200],
      [10 ** random.below(7), 1],
    ] as const);
    const { high, low, error: bound } = doubleDoubleOf(value, multiplier, divisor);
    const { numerator, denominator } = oracle.fractionOf(value);
    const exact = ((numerator * BigInt(multiplier)) << bits) / (denominator * BigInt(divisor));
    const error = Math.abs(Number(unitsOf(high) + unitsOf(low) - exact));
    assert.ok(
      error <= bound * 2 ** 300 + 2
        && bound <= (2 ** -103 * Math.abs(value * multiplier)) / divisor,
      `${value} × ${multiplier} ÷ ${divisor}`,
    );
    assert.equal(high, high + low);
  }
});
