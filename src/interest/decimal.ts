/** The decimal that a JSON number stands for, as an exact fraction or as a double-double. */
import { DoubleDouble, productError, quotientOf, SQUARE } from './double-double.ts';

/** An exact number: numerator ÷ denominator. */
export interface Fraction {
  readonly numerator: bigint;
  readonly denominator: bigint;
}

const POWERS_OF_TEN = Array.from({ length: 16 }, (_, index) => Number(`1e${index}`));
/** The smallest number is above 2^-61, and a double-double has 106 bits. */
const FRACTION_BITS = 200;

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

/** The decimal that a value represents × multiplier ÷ divisor. */
export function doubleDoubleOf(value: number, multiplier: number, divisor: number): DoubleDouble {
  // Decimals of up to 15 digits are distinct doubles: such a double stands for one decimal.
  for (const power of POWERS_OF_TEN) {
    const coefficient = Math.round(value * power);
    if (Math.abs(coefficient) >= 1e15) break;
    if (coefficient / power !== value) continue;
    const product = coefficient * multiplier;
    const error = productError(coefficient, multiplier, product);
    return quotientOf(product, error, divisor * power);
  }
  const { numerator, denominator } = fractionOf(value);
  return nearest(numerator * BigInt(multiplier), denominator * BigInt(divisor));
}

/** The double-double nearest to a quotient. */
function nearest(numerator: bigint, denominator: bigint): DoubleDouble {
  const scaled = (numerator << BigInt(FRACTION_BITS)) / denominator;
  // Rounding leaves a rest of at most u times the number, and rounding the rest changes it by at
  // most u² times the number. The division cuts off less than 2^-200, which is less than 2^-139
  // times a number, and thus than u².
  const high = Number(scaled);
  const low = Number(scaled - BigInt(high)) / 2 ** FRACTION_BITS;
  const number = high / 2 ** FRACTION_BITS;
  return new DoubleDouble(number, low, 2 * SQUARE * Math.abs(number));
}
