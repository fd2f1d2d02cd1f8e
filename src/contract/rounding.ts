/**
 * Divides a whole number from 0 to 2^53 by one from 1 to 2^53, and rounds the quotient half up, as Vietnamese payroll
 * rounds to the đồng. If the division of the doubles yields the next whole number, the remainder is negative, and that
 * number is the rounded quotient. (The operator `%` takes several times as long.)
 */
export function divideHalfUp(dividend: number, divisor: number): number {
  const quotient = Math.floor(dividend / divisor);
  const remainder = dividend - quotient * divisor;
  return remainder * 2 >= divisor ? quotient + 1 : quotient;
}
