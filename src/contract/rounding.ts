/**
 * The quotient of whole numbers from 0 to 2^53, rounded half up, as Vietnamese payroll rounds to
 * the đồng. Where the division of the doubles is rounded up to a whole number, the remainder is
 * negative, and that number is the result. (The operator `%` takes several times as long.)
 */
export function divideHalfUp(dividend: number, divisor: number): number {
  const quotient = Math.floor(dividend / divisor);
  const remainder = dividend - quotient * divisor;
  return remainder * 2 >= divisor ? quotient + 1 : quotient;
}
