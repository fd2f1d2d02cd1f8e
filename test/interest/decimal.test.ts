import assert from 'node:assert/strict';
import { test } from 'node:test';
import { approximate, divideHalfAway, fractionOf, numberOf } from '../../src/interest/decimal.ts';
import { seeded } from '../random.ts';

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
    assert.deepEqual(fractionOf(value), { numerator: coefficient, denominator: 10n ** BigInt(decimals) });
  });
}

const SCALED: readonly [working: string, value: number, one: bigint, units: bigint, error: number][] = [
  ['0.1 in sixtieths is 6', 0.1, 60n, 6n, 0],
  ['−8.5 in tenths is −85', -8.5, 10n, -85n, 0],
  ['0.1 in quarters is 0.4, truncated to 0', 0.1, 4n, 0n, 1],
  ['−0.1 in quarters is −0.4, truncated to 0', -0.1, 4n, 0n, 1],
  ['0.9 in quarters is 3.6, truncated to 3', 0.9, 4n, 3n, 1],
  ['5e-324 in units of 60^-24 is truncated to 0', 5e-324, 60n ** 24n, 0n, 1],
  ['0 in sixtieths is 0, exactly', 0, 60n, 0n, 0],
];
for (const [working, value, one, units, error] of SCALED) {
  test(`converts to units: ${working}`, () => assert.deepEqual(approximate(fractionOf(value), one), { units, error }));
}

type Quotient = [working: string, dividend: bigint, divisor: bigint, error: number, quotient: bigint | undefined];

const QUOTIENTS: readonly Quotient[] = [
  ['0.4', 4n, 10n, 0, 0n],
  ['0.5, a half', 5n, 10n, 0, 1n],
  ['−0.5, a half', -5n, 10n, 0, -1n],
  ['−0.4', -4n, 10n, 0, 0n],
  ['1.5, a half', 3n, 2n, 0, 2n],
  ['−2.5, a half', -5n, 2n, 0, -3n],
  ['0.2 to 0.4', 3n, 10n, 1, 0n],
  ['0.3 to 0.5, with a half at the end', 4n, 10n, 1, undefined],
  ['0.4 to 0.6, with a half in the middle', 5n, 10n, 1, undefined],
  ['0.5 to 0.7, with a half at the start', 6n, 10n, 1, 1n],
  ['−0.7 to −0.5', -6n, 10n, 1, -1n],
  ['−0.5 to −0.3', -4n, 10n, 1, undefined],
  ['−0.4 to 0.4', 0n, 10n, 4, 0n],
  ['0.45 to 0.75, with an error of 1.5', 6n, 10n, 1.5, undefined],
  ['an error larger than the divisor', 7n, 10n, 1000, undefined],
];
for (const [working, dividend, divisor, error, quotient] of QUOTIENTS) {
  test(`rounds half away from zero: ${working}: ${quotient ?? 'undecided'}`, () => {
    assert.equal(divideHalfAway({ units: dividend, error }, divisor), quotient);
  });
}

test('leaves a rounding undecided exactly if the two ends of the range round differently', () => {
  for (const divisor of [2n, 10n, 12n]) {
    for (let dividend = -40n; dividend <= 40n; dividend += 1n) {
      for (let error = 0n; error <= 13n; error += 1n) {
        const [low, high] = [dividend - error, dividend + error].map((end) => divideHalfAway({ units: end, error: 0 }, divisor));
        const expected = low === high ? low : undefined;
        assert.equal(divideHalfAway({ units: dividend, error: Number(error) }, divisor), expected, `${dividend} ± ${error} over ${divisor}`);
      }
    }
  }
});

const NUMBERS: readonly [working: string, coefficient: bigint, decimals: number, value: number][] = [
  ['12,345 hundredths', 12_345n, 2, 123.45],
  ['a negative number', -1n, 2, -0.01],
  ['0', 0n, 6, 0],
  ['a whole number', 42n, 0, 42],
  ['22 decimals', 1n, 22, 1e-22],
  ['2^53 + 1, a tie between two doubles, is rounded to the even one', 9_007_199_254_740_993n, 0, 9_007_199_254_740_992],
  ['(2^53 + 1) / 100 ends in .93, nearest to .9375, but 2^53 / 100 in .92', 9_007_199_254_740_993n, 2,
    90_071_992_547_409.9375],
  ['a number far beyond 2^53', 10n ** 200n + 1n, 2, 1e198],
];
for (const [working, coefficient, decimals, value] of NUMBERS) {
  test(`returns the nearest double: ${working}`, () => assert.equal(numberOf(coefficient, decimals), value));
}

test('returns the double nearest to a random decimal whose coefficient is beyond 2^53', () => {
  const random = seeded(53);
  for (let count = 0; count < 2000; count += 1) {
    const coefficient = 2n ** 53n + BigInt(random.below(2 ** 32)) * BigInt(random.below(2 ** 32));
    const decimals = random.below(7);
    const written = `-${coefficient}e-${decimals}`;
    assert.equal(numberOf(-coefficient, decimals), Number(written), written);
  }
});
