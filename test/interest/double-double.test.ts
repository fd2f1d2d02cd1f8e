import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  DoubleDouble,
  productError,
  quotientOf,
  type Tie,
} from '../../src/interest/double-double.ts';
import { roundHalfAway } from '../helpers/interest-oracle.ts';
import { type Random, seeded } from '../helpers/random.ts';
import { search } from '../helpers/repository.ts';
import { vectors } from '../helpers/vectors.ts';

const U = 2 ** -53;
const BITS = 300;
const ONE = 1n << BigInt(BITS);

/** A double as a whole number of 2^-300. */
function unitsOf(value: number): bigint {
  if (Math.abs(value) >= 2 ** 52) return BigInt(value) * ONE;
  return BigInt(Math.trunc(value * 2 ** BITS));
}

const exactly = ({ high, low }: DoubleDouble): bigint => unitsOf(high) + unitsOf(low);

const size = (value: bigint): bigint => (value < 0n ? -value : value);

/** The exact product of two doubles. */
function productOf(left: number, right: number): DoubleDouble {
  const high = left * right;
  return new DoubleDouble(high, productError(left, right, high));
}

function randomNumber(random: Random): DoubleDouble {
  const high = (random.next() - 0.5) * 2 ** random.below(40);
  const error = random.pick([0, 2 ** -(60 + random.below(40)) * Math.abs(high)]);
  return new DoubleDouble(high, (random.next() - 0.5) * U * Math.abs(high), error);
}

/** An exact number at the end of the range that the error of a double-double allows. */
function endOf(random: Random, number: DoubleDouble): bigint {
  return exactly(number) + unitsOf(random.pick([number.error, -number.error]));
}

const ADDED = search(20_000);

test(`a multiply-add is within its error, and its high part is the nearest double, in ${ADDED.words} cases`, () => {
  const random = seeded(53);
  for (let count = 0; count < ADDED.cases; count += 1) {
    const [left, right] = [randomNumber(random), randomNumber(random)];
    const addend = random.pick([randomNumber(random), productOf(-left.high, right.high)]);
    const result = left.fma(right, addend);
    const exact = (endOf(random, left) * endOf(random, right)) / ONE + endOf(random, addend);
    const error = Number(size(exactly(result) - exact));
    const bound = Number(unitsOf(result.error)) + 1;
    assert.ok(error <= bound, `${count}: ${error} of ${bound}`);
    assert.equal(result.high, result.high + result.low);
  }
});

test('the product of two doubles of 53 bits is exact', () => {
  const random = seeded(27);
  const double = (): number => 2 ** 52 + random.below(2 ** 26) * 2 ** 26 + random.below(2 ** 26);
  for (let count = 0; count < 2000; count += 1) {
    const [left, right] = [double(), -double()];
    const { high, low } = productOf(left, right);
    assert.equal(BigInt(high) + BigInt(low), BigInt(left) * BigInt(right), `${left} × ${right}`);
  }
});

test('a quotient is within its error, and its high part is the nearest double', () => {
  const random = seeded(4);
  for (let count = 0; count < 5000; count += 1) {
    const dividend = productOf(
      random.below(2 ** 32) * 2 ** 20 + random.below(2 ** 20),
      10 ** random.below(7),
    );
    const divisor = random.pick([1, 1200]) * 10 ** random.below(16);
    const quotient = quotientOf(dividend.high, dividend.low, divisor);
    const exact = exactly(dividend) / BigInt(divisor);
    const error = Number(size(exactly(quotient) - exact));
    assert.ok(error <= Number(unitsOf(quotient.error)) + 1, `${count}`);
    assert.equal(quotient.high, quotient.high + quotient.low);
  }
});

type Rounding = readonly [
  working: string,
  high: number,
  low: number,
  error: number,
  expected: number | null,
];

/** Numbers of hundredths. */
const ROUNDED = vectors<Rounding>('rounded-double-doubles');
for (const [working, high, low, error, expected] of ROUNDED) {
  const verb = expected === null ? 'leaves undecided' : 'rounds';
  test(`${verb} ${working} hundredths`, () => {
    const rounded = new DoubleDouble(high, low, error).round(100);
    assert.equal(typeof rounded === 'number' ? rounded : null, expected);
  });
}

/** A number of steps that is often near a half, or near the middle between two doubles. */
function randomSteps(random: Random, stepsPerOne: number): DoubleDouble {
  const tiny = (random.next() - 0.5) * 2 ** -random.below(60);
  const high =
    Math.round((random.next() - 0.5) * 2 ** random.below(54))
    + random.pick([0, 0.5, random.next()]);
  const large = 2 ** (53 + random.below(40)) * (1 + random.next());
  const middle = 2 ** (80 + random.below(300)) * (1 + random.next());
  const { high: product, low } = productOf(middle, stepsPerOne);
  const unit = 2 ** (Math.floor(Math.log2(middle)) - 53);
  const distance = random.pick([0, 0.5, -0.5, 1, -1, tiny, unit * tiny]);
  const nearMiddle = new DoubleDouble(product, low + unit * stepsPerOne + distance);
  const number = random.pick([
    new DoubleDouble(high, tiny * U * Math.abs(high)),
    new DoubleDouble(random.below(4) - 2.5, tiny * 2 ** -random.below(60)),
    new DoubleDouble(large, Math.round(tiny * 2 ** random.below(20)) + random.pick([0, 0.5, tiny])),
    nearMiddle,
  ]);
  const sum = number.high + number.low;
  const isOrdered = Math.abs(number.high) > Math.abs(number.low);
  const [larger, smaller] = isOrdered ? [number.high, number.low] : [number.low, number.high];
  return new DoubleDouble(sum, smaller - (sum - larger));
}

/** The result of the tie for an exact number of steps. */
function decided({ halfSteps, lower, upper }: Tie, steps: bigint): number {
  const excess = 2n * steps - halfSteps * ONE;
  return excess > 0n || (excess === 0n && halfSteps > 0n) ? upper : lower;
}

const ROUNDINGS = search(30_000);

test(`rounds every number within the error correctly, or leaves it open if it is near a tie, in ${ROUNDINGS.words} cases`, () => {
  const random = seeded(99);
  const seen = { decided: 0, open: 0, large: 0, largeAndOpen: 0 };
  for (let count = 0; count < ROUNDINGS.cases; count += 1) {
    const decimals = random.below(7);
    const { high, low } = randomSteps(random, 10 ** decimals);
    // The greatest error of 100 years and, for a comparison, errors that leave more undecided.
    const error = Math.abs(high) * 2 ** -random.pick([88, 88, 99, 75]);
    const number = new DoubleDouble(high, low, error);
    const isLarge = error >= 0.5;
    if (isLarge && high < 2 ** 87) continue;
    const rounded = number.round(10 ** decimals);
    const isOpen = typeof rounded !== 'number';
    seen[isOpen ? 'open' : 'decided'] += 1;
    if (isLarge) seen[isOpen ? 'largeAndOpen' : 'large'] += 1;
    const roundedAt = (distance: number): number => {
      const denominator = ONE * 10n ** BigInt(decimals);
      return roundHalfAway(
        { numerator: exactly(number) + unitsOf(distance), denominator },
        decimals,
      );
    };
    const label = `${high} + ${low} ± ${error}, ${decimals} decimals`;
    if (isOpen) assert.equal(rounded.lower < rounded.upper, true, label);
    for (const distance of [0, error, -error, error * random.next()]) {
      const steps = exactly(number) + unitsOf(distance);
      const expected = roundedAt(distance);
      assert.equal(isOpen ? decided(rounded, steps) : rounded, expected, `${label}: ${distance}`);
    }
    if (!isOpen) continue;
    // The result changes at the tie, which is within the error, or within the margin of a large number.
    const tie = (rounded.halfSteps * ONE) / 2n;
    const margin = isLarge ? 2 * error + 3 : error;
    assert.ok(size(tie - exactly(number)) <= unitsOf(margin) + 1n, label);
  }
  assert.ok(Math.min(...Object.values(seen)) > ROUNDINGS.cases / 100, JSON.stringify(seen));
});
