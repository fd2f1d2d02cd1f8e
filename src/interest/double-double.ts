/**
 * Double-double arithmetic: a number is the sum of two doubles, which is as precise as 106 bits.
 *
 * The error of a sum or a product of two doubles is a double itself. TwoSum (Knuth) and TwoProduct
 * (Dekker, with the splitting of Veltkamp) calculate it exactly, so that only the arithmetic with
 * the low parts is rounded.
 *
 * `fma` is within 16u²(P + A), where u is 2^-53, P is |number × factor| and A is |addend|. A low
 * part is at most u times its number, and rounding changes a double by at most u times the double:
 *  1. Each product of a high part and a low part is at most uP; rounding the two adds 2u²P.
 *  2. The sum of (1) is at most 2uP; rounding it adds 2u²P.
 *  3. The error of the product of the high parts is at most uP; rounding its sum with (2), 3u²P.
 *  4. The product of the low parts, at most u²P, is left out.
 *  5. Rounding the sum of (3) and the low part of the addend adds 3u²P + u²A.
 *  6. The error of the sum of the high parts is at most u(P + A); rounding its sum with (5) adds
 *     4u²P + 2u²A.
 *  7. The last two operations are exact (FastTwoSum, Dekker), because the sum of the high parts is
 *     a multiple of the last bit of (6).
 *  8. Together, this is 15u²P + 3u²A. The terms in u³ are less than u²(P + A).
 */

/** Splits a double into two halves of 26 bits (Veltkamp). */
const SPLITTER = 2 ** 27 + 1;
/** From this number on, every double is a whole number. */
const FIRST_WITHOUT_FRACTION = 2 ** 52;

/**
 * A rounding that the error leaves undecided. The result is `above` if the exact number is at least
 * `halfSteps` half steps (if that is negative: more than that); otherwise it is `below`.
 */
export interface Undecided {
  readonly below: number;
  readonly above: number;
  readonly halfSteps: bigint;
}

/** The sum of two doubles, of which `high` is the double nearest to the sum. */
export class DoubleDouble {
  // Without initial values, the fields would begin as undefined, and V8 would not store doubles.
  readonly high: number = 0;
  readonly low: number = 0;

  constructor(high: number, low: number) {
    this.high = high;
    this.low = low;
  }

  /**
   * A fused multiply-add: number × factor + addend. Unlike that of a processor, it is not correctly
   * rounded.
   */
  fma(factor: DoubleDouble, addend: DoubleDouble): DoubleDouble {
    const product = this.high * factor.high;
    const crossProducts = this.high * factor.low + this.low * factor.high;
    const productLow = productError(this.high, factor.high, product) + crossProducts;
    const sum = product + addend.high;
    const part = sum - product;
    const sumError = product - (sum - part) + (addend.high - part);
    const rest = sumError + (productLow + addend.low);
    const high = sum + rest;
    return new DoubleDouble(high, rest - (high - sum));
  }

  /**
   * Rounds a number of steps half away from zero and converts it: returns the double nearest to the
   * whole number of steps ÷ `stepsPerOne`, which is a power of ten up to 10^6. `error` is a bound
   * on the distance from the exact number; half a step or more only for a number beyond 2^80.
   */
  round(stepsPerOne: number, error: number): number | Undecided {
    const { high, low } = this;
    const isWhole = Math.abs(high) >= FIRST_WITHOUT_FRACTION;
    const highFloor = Math.floor(high);
    const lowFloor = isWhole ? Math.floor(low) : 0;
    // These differences are exact where the number is near a half.
    const aboveHalf = isWhole ? low - lowFloor - 0.5 : high - (highFloor + 0.5) + low;
    if (aboveHalf > error) return nearestQuotient(highFloor, lowFloor + 1, stepsPerOne);
    if (aboveHalf < -error) return nearestQuotient(highFloor, lowFloor, stepsPerOne);
    if (error >= 0.5) return this.#roundBeyondSteps(stepsPerOne, error);
    const below = nearestQuotient(highFloor, lowFloor, stepsPerOne);
    const above = nearestQuotient(highFloor, lowFloor + 1, stepsPerOne);
    if (below === above) return below;
    return { below, above, halfSteps: 2n * (BigInt(highFloor) + BigInt(lowFloor)) + 1n };
  }

  /**
   * Rounds a number that is so large that neighbouring doubles are many steps apart:
   *  1. The quotients at the two ends of the range of the exact number are equal, or neighbours.
   *  2. The result changes in the middle between them, which is a whole number of steps.
   *  3. The middle itself becomes the neighbour whose last bit is 0, as (below + above) / 2 does.
   */
  #roundBeyondSteps(stepsPerOne: number, error: number): number | Undecided {
    const margin = 2 * error + 1;
    const below = nearestQuotient(this.high, this.low - margin, stepsPerOne);
    const above = nearestQuotient(this.high, this.low + margin, stepsPerOne);
    if (below === above) return below;
    const middle = (BigInt(below) + BigInt(above)) * BigInt(stepsPerOne);
    const isMiddleAbove = (below + above) / 2 === above;
    return { below, above, halfSteps: isMiddleAbove ? middle - 1n : middle + 1n };
  }
}

/**
 * The double nearest to (high + low) ÷ divisor, for whole numbers: `low` is at most the last bit of
 * `high`, plus 1, `high` is below 2^98, and the divisor is at most 10^6. Let q be the quotient of
 * `high`, and v the value of its last bit, or 1 if that is less:
 *  1. The remainder and its sum with `low` are exact: they are multiples of v, and below 2^53 v.
 *  2. The result changes at multiples of a quarter of the last bit of q. The correction of q is
 *     such a multiple, or its distance from the next one is at least v / (4 × divisor), which is
 *     more than the error of rounding it.
 */
function nearestQuotient(high: number, low: number, divisor: number): number {
  const sum = high + low;
  if (Math.abs(sum) <= Number.MAX_SAFE_INTEGER) return sum / divisor + 0; // Turns −0 into 0.
  const quotient = high / divisor;
  return quotient + (remainderOf(high, divisor, quotient) + low) / divisor;
}

/** The quotient (high + low) ÷ divisor, where `low` is at most u times `high`, within 4u². */
export function quotientOf(high: number, low: number, divisor: number): DoubleDouble {
  const quotient = high / divisor;
  const rest = (remainderOf(high, divisor, quotient) + low) / divisor;
  const sum = quotient + rest;
  return new DoubleDouble(sum, rest - (sum - quotient));
}

/** The remainder of a division of doubles, dividend − quotient × divisor: a double itself. */
function remainderOf(dividend: number, divisor: number, quotient: number): number {
  const product = quotient * divisor;
  return dividend - product - productError(quotient, divisor, product);
}

/** The error of a product of doubles, left × right − product: a double itself. */
export function productError(left: number, right: number, product: number): number {
  const leftShifted = SPLITTER * left;
  const leftHigh = leftShifted - (leftShifted - left);
  const leftLow = left - leftHigh;
  const rightShifted = SPLITTER * right;
  const rightHigh = rightShifted - (rightShifted - right);
  const rightLow = right - rightHigh;
  const error = leftHigh * rightHigh - product + leftHigh * rightLow + leftLow * rightHigh;
  return error + leftLow * rightLow;
}
