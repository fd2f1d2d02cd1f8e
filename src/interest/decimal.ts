/** A number exactly: numerator ÷ denominator. */
export interface Fraction {
  readonly numerator: bigint;
  readonly denominator: bigint;
}

/** A number in units of 1 / one, and by how many units it may be off. */
export interface Approximation {
  readonly units: bigint;
  readonly error: number;
}

/**
 * The decimal that a finite double stands for: the shortest that reads as this double (ECMAScript Number::toString),
 * which for up to 15 digits is what was written in the request. So 0.1 is one tenth, not 0.1000000000000000055…
 */
export function fractionOf(value: number): Fraction {
  const [mantissa = '', exponent = '0'] = String(value).split('e');
  const [whole = '', fraction = ''] = mantissa.split('.');
  const numerator = BigInt(whole + fraction);
  const decimals = fraction.length - Number(exponent);
  if (decimals >= 0) return { numerator, denominator: 10n ** BigInt(decimals) };
  return { numerator: numerator * 10n ** BigInt(-decimals), denominator: 1n };
}

/** A fraction in units of 1 / one; without error where it is a whole number of them. */
export function scaled({ numerator, denominator }: Fraction, one: bigint): Approximation {
  const dividend = numerator * one;
  const units = dividend / denominator;
  return { units, error: units * denominator === dividend ? 0 : 1 };
}

/**
 * A function from amounts in units of 1 / one to numbers of so many decimals, rounded half away from zero; undefined
 * where an amount's error leaves open which way to round. Doubles nearly always suffice to see it, at less cost.
 */
export function rounding(one: bigint, decimals: number): (amount: Approximation) => number | undefined {
  const unitsPerStep = one / 10n ** BigInt(decimals);
  const scale = Number(unitsPerStep);
  return ({ units, error }) => {
    const near = Number(units) / scale;
    const steps = Math.round(near);
    // Three roundings put `near` off by less than 2^-51 of itself: farther than that from a half, it is sure.
    const isSure = scale < Infinity && 0.5 - Math.abs(near - steps) > Math.abs(near) * 2 ** -51 + error / scale;
    if (isSure) return steps / 10 ** decimals + 0;
    const exact = divideHalfAway(units, unitsPerStep, BigInt(Math.ceil(error)));
    return exact === undefined ? undefined : numberOf(exact, decimals);
  };
}

/**
 * The quotient rounded half away from zero, where the dividend is only known to be within `error` of the true one.
 * Undefined where that leaves open which way to round. The divisor is positive and even.
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
  // Two exact doubles divide to the nearest double; a coefficient that is not exact would be rounded twice.
  return Number.isSafeInteger(whole) ? whole / 10 ** decimals : Number(`${coefficient}e-${decimals}`);
}
