/** An exact number: numerator ÷ denominator. */
export interface Fraction {
  readonly numerator: bigint;
  readonly denominator: bigint;
}

/** A number in units of 1 / scale, and a bound of its error in these units. */
export interface Approximation {
  readonly units: bigint;
  readonly error: number;
}

/**
 * The decimal that a finite double represents: the shortest that reads as this double (ECMAScript Number::toString).
 * For up to 15 digits, it is the number as written in the request: 0.1 is one tenth, not 0.1000000000000000055…
 */
export function fractionOf(value: number): Fraction {
  const [mantissa = '', exponent = '0'] = String(value).split('e');
  const [whole = '', fraction = ''] = mantissa.split('.');
  const numerator = BigInt(whole + fraction);
  const decimals = fraction.length - Number(exponent);
  if (decimals >= 0) return { numerator, denominator: 10n ** BigInt(decimals) };
  return { numerator: numerator * 10n ** BigInt(-decimals), denominator: 1n };
}

/** A fraction in units of 1 / scale; without error if it is a whole number of units. */
export function approximate({ numerator, denominator }: Fraction, scale: bigint): Approximation {
  const dividend = numerator * scale;
  const units = dividend / denominator;
  return { units, error: units * denominator === dividend ? 0 : 1 };
}

/**
 * Returns a function that rounds an amount in units of 1 / scale half away from zero to `decimals`. The function gives
 * undefined if the error of the amount leaves the rounding undecided. Doubles nearly always decide it, at less cost.
 */
export function roundingTo(decimals: number, scale: bigint): (amount: Approximation) => number | undefined {
  const unitsPerStep = scale / 10n ** BigInt(decimals);
  const divisor = Number(unitsPerStep);
  return ({ units, error }) => {
    const quotient = Number(units) / divisor;
    const steps = Math.round(quotient);
    // Three roundings put `quotient` off by less than 2^-51 of itself: if it is farther than that from a half, the
    // rounding is decided.
    const margin = Math.abs(quotient) * 2 ** -51 + error / divisor;
    if (divisor < Infinity && 0.5 - Math.abs(quotient - steps) > margin) return steps / 10 ** decimals + 0;
    const exact = divideHalfAway(units, unitsPerStep, BigInt(Math.ceil(error)));
    return exact === undefined ? undefined : numberOf(exact, decimals);
  };
}

/**
 * The quotient, rounded half away from zero, of a dividend that is within `error` of the true one; undefined if that
 * leaves the rounding undecided. The divisor is positive and even.
 */
export function divideHalfAway(dividend: bigint, divisor: bigint, error = 0n): bigint | undefined {
  const shifted = (dividend < 0n ? -dividend : dividend) + divisor / 2n;
  const quotient = shifted / divisor;
  const remainder = shifted - quotient * divisor;
  if (remainder < error || divisor - remainder <= error) return undefined;
  return dividend < 0n ? -quotient : quotient;
}

/** The double nearest to coefficient ÷ 10^decimals, for up to 22 decimals. */
export function numberOf(coefficient: bigint, decimals: number): number {
  const whole = Number(coefficient);
  // The quotient of two exact doubles is the nearest double; an inexact coefficient would be rounded twice.
  return Number.isSafeInteger(whole) ? whole / 10 ** decimals : Number(`${coefficient}e-${decimals}`);
}
