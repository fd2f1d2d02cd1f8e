/** The decimal that a JSON number stands for, as an exact fraction. */

/** An exact number: numerator ÷ denominator. */
export interface Fraction {
  readonly numerator: bigint;
  readonly denominator: bigint;
}

/**
 * The decimal that a finite double represents: the shortest that reads as this double (ECMAScript
 * Number::toString). 0.1 is one tenth, not 0.1000000000000000055…
 */
export function fractionOf(value: number): Fraction {
  const [mantissa = '', exponent = '0'] = String(value).split('e');
  const [whole = '', fraction = ''] = mantissa.split('.');
  const numerator = BigInt(whole + fraction);
  const decimals = fraction.length - Number(exponent);
  if (decimals >= 0) return { numerator, denominator: 10n ** BigInt(decimals) };
  return { numerator: numerator * 10n ** BigInt(-decimals), denominator: 1n };
}
