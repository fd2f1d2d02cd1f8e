/** An exact number: numerator ÷ denominator. */
export interface Fraction {
  readonly numerator: bigint;
  readonly denominator: bigint;
}

/** A number in units of 1 / scale, and a bound on its error in these units. */
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
 * The quotient, rounded half away from zero, of a dividend that is within `error` of the true one; undefined if that
 * leaves the rounding undecided. The divisor is positive and even.
 */
export function divideHalfAway({ units, error }: Approximation, divisor: bigint): bigint | undefined {
  const bound = BigInt(Math.ceil(error));
  const shifted = (units < 0n ? -units : units) + divisor / 2n;
  const quotient = shifted / divisor;
  const remainder = shifted - quotient * divisor;
  if (remainder < bound || divisor - remainder <= bound) return undefined;
  return units < 0n ? -quotient : quotient;
}

/** The double nearest to coefficient ÷ 10^decimals, for up to 22 decimals. */
export function numberOf(coefficient: bigint, decimals: number): number {
  const whole = Number(coefficient);
  // The quotient of two exact doubles is the nearest double.
  if (Number.isSafeInteger(whole)) return whole / 10 ** decimals;
  if (coefficient < 0n) return -numberOf(-coefficient, decimals);
  // With 128 more bits, of which the last one stands for the remainder, Number rounds as it would the exact quotient.
  const [dividend, divisor] = [coefficient << 128n, 10n ** BigInt(decimals)];
  const quotient = dividend / divisor;
  const isExact = quotient * divisor === dividend;
  return Number(isExact ? quotient : quotient | 1n) / 2 ** 128;
}
