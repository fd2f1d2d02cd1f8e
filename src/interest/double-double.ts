/**
 * Double-double arithmetic: a number is the sum of two doubles, which is as precise as 106 bits. Each
 * operation derives a bound on its error from those of its operands (running error analysis).
 *
 * The error of a sum or a product of two doubles is a double itself. TwoSum (Knuth) and TwoProduct
 * (Dekker, with the splitting of Veltkamp) calculate it exactly, so that only the arithmetic with
 * the low parts is rounded.
 */

/** u², where u is the unit roundoff 2^-53: rounding changes a double by at most u times the double. */
export const SQUARE = 2 ** -106;
/** Splits a double into two halves of 26 bits (Veltkamp). */
const SPLITTER = 2 ** 27 + 1;
/** From this number on, every double is a whole number. */
const FIRST_WITHOUT_FRACTION = 2 ** 52;

/** A number of half steps next to the exact number, and the results below and above it. */
export interface Tie {
  readonly halfSteps: bigint;
  readonly lower: number;
  readonly upper: number;
}

/** The sum of two doubles, of which `high` is the double nearest to the sum. */
export class DoubleDouble {
  // Without initial values, the fields would begin as undefined, and V8 would not store doubles.
  readonly high: number = 0;
  readonly low: number = 0;
  /** A bound on the distance from the exact number. */
  readonly error: number = 0;

  constructor(high: number, low = 0, error = 0) {
    this.high = high;
    this.low = low;
    this.error = error;
  }

  /**
   * Number × factor + addend. Let P be |number × factor| and A be |addend|; a low part is at most u
   * times its number.
   */
  fma(factor: DoubleDouble, addend: DoubleDouble): DoubleDouble {
    const product = this.high * factor.high;
    // Each of the two products is at most uP, and rounding it adds u²P. Their sum is at most 2uP,
    // and rounding it adds 2u²P. The product of the low parts, at most u²P, is left out. (5u²P)
    const crossProducts = this.high * factor.low + this.low * factor.high;
    // The error of the product is at most uP; rounding its sum with the above adds 3u²P. (8u²P)
    const productLow = productError(this.high, factor.high, product) + crossProducts;
    const sum = product + addend.high;
    const part = sum - product;
    const sumError = product - (sum - part) + (addend.high - part);
    // Rounding the inner sum adds 3u²P + u²A. The error of the sum is at most u(P + A), so that
    // rounding the outer sum adds 4u²P + 2u²A. (15u²P + 3u²A; terms in u³ are less than u²(P + A))
    const rest = sumError + (productLow + addend.low);
    // The sum is a multiple of the last bit of the rest, so that FastTwoSum (Dekker) is exact.
    const high = sum + rest;
    const inherited =
      Math.abs(this.high) * factor.error
      + this.error * (Math.abs(factor.high) + factor.error)
      + addend.error;
    // 17 instead of 16 covers the rounding of the bounds themselves.
    const rounding = 17 * SQUARE * (Math.abs(product) + Math.abs(addend.high));
    return new DoubleDouble(high, rest - (high - sum), inherited + rounding);
  }

  /**
   * Rounds a number of steps half away from zero and converts it: returns the double nearest to the
   * whole number of steps ÷ `stepsPerOne`, which is a power of ten up to 10^6. If the error leaves
   * the result undecided, returns the tie instead.
   */
  round(stepsPerOne: number): number | Tie {
    const { high, low, error } = this;
    if (error >= 0.5) return this.#roundLarge(stepsPerOne);
    const isWhole = Math.abs(high) >= FIRST_WITHOUT_FRACTION;
    const highFloor = Math.floor(high);
    const lowFloor = isWhole ? Math.floor(low) : 0;
    // These differences are exact where the number is near a half.
    const aboveHalf = isWhole ? low - lowFloor - 0.5 : high - (highFloor + 0.5) + low;
    if (aboveHalf > error) return nearestQuotient(highFloor, lowFloor + 1, stepsPerOne);
    const lower = nearestQuotient(highFloor, lowFloor, stepsPerOne);
    if (aboveHalf < -error) return lower;
    const upper = nearestQuotient(highFloor, lowFloor + 1, stepsPerOne);
    if (lower === upper) return lower;
    return { halfSteps: BigInt(2 * highFloor) + BigInt(2 * lowFloor + 1), lower, upper };
  }

  /**
   * Rounds more than 2^87 steps. Neighbouring doubles are so far apart there that the numbers within
   * the error have at most two results, and each result is a whole number. The quotients do not fall
   * as a number rises, and the margin is greater than the error, the rounding and their error
   * together.
   */
  #roundLarge(stepsPerOne: number): number | Tie {
    const { high, low, error } = this;
    const margin = 2 * error + 2;
    const lower = nearestQuotient(high, Math.floor(low) - margin, stepsPerOne);
    const upper = nearestQuotient(high, Math.floor(low) + margin, stepsPerOne);
    if (lower === upper) return lower;
    // The middle between the two has the even one as its result, as has this sum.
    const isMiddleLower = lower / 2 + upper / 2 === lower;
    const middle = (BigInt(lower) + BigInt(upper)) * BigInt(stepsPerOne);
    return { halfSteps: middle + (isMiddleLower ? 1n : -1n), lower, upper };
  }
}

/**
 * The double nearest to (high + low) ÷ divisor, for whole numbers: `low` is at most the last bit of
 * `high`, plus 1, and the divisor is at most 10^6. From 2^101 on, the margin of `#roundLarge` covers
 * the error. Let q be the quotient of `high`, and v the value of its last bit, or 1 if that is less:
 *  1. The remainder and its sum with `low` are exact: they are multiples of v, and below 2^53 v.
 *  2. The result changes at multiples of a quarter of the last bit of q. The correction of q is
 *     such a multiple, or its distance from the next one is at least v / (4 × divisor), which is
 *     more than the error of rounding it.
 */
function nearestQuotient(high: number, low: number, divisor: number): number {
  const sum = high + low;
  if (Math.abs(sum) <= Number.MAX_SAFE_INTEGER) return sum / divisor + 0; // Turns −0 into 0.
  return quotientOf(high, low, divisor).high;
}

/**
 * The quotient (high + low) ÷ divisor, where `low` is at most u times `high`. The error of the
 * first quotient q is at most uq, and `low` ÷ divisor as much, so that the rest is at most 2uq.
 * Rounding its sum and its division adds 4u²q; 5 instead of 4 covers the terms in u³.
 */
export function quotientOf(high: number, low: number, divisor: number): DoubleDouble {
  const quotient = high / divisor;
  const product = quotient * divisor;
  // The remainder of a division of doubles is a double itself.
  const remainder = high - product - productError(quotient, divisor, product);
  const rest = (remainder + low) / divisor;
  const sum = quotient + rest;
  return new DoubleDouble(sum, rest - (sum - quotient), 5 * SQUARE * Math.abs(sum));
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
