/**
 * The JSON text of a growth, as JSON.stringify writes it. Up to Node.js 24, V8 takes ten times as long
 * for the digits of a double in the middle between the two shortest decimals that read as this double,
 * such as …488.25 where doubles are 1/8 apart.
 */
import type { InterestResult } from './contract.ts';

/** Below this amount, doubles are nearer to each other than decimals of 6 digits, which amounts have. */
const FIRST_SLOW = 2 ** 33;
/** Adding this number rounds half to even, because the doubles above it are the whole numbers. */
const FIRST_WITHOUT_FRACTION = 2 ** 52;

/** Writes a growth whose last member is its timeline. */
export function writeGrowth(growth: InterestResult): string {
  let text = JSON.stringify({ ...growth, timeline: [] }).slice(0, -2);
  let separator = '';
  for (const { year, total_balance, total_deposited, total_interest } of growth.timeline) {
    text +=
      `${separator}{"year":${year},"total_balance":${textOf(total_balance)},`
      + `"total_deposited":${textOf(total_deposited)},"total_interest":${textOf(total_interest)}}`;
    separator = ',';
  }
  return `${text}]}`;
}

/** Writes the shortest decimal that reads as the amount; of two, the one with an even last digit. */
function textOf(amount: number): string {
  if (amount < 0) return `-${textOf(-amount)}`;
  const whole = Math.floor(amount);
  if (amount < FIRST_SLOW || amount === whole) return String(amount);
  for (let power = 10; ; power *= 10) {
    const digits = (amount - whole) * power + FIRST_WITHOUT_FRACTION - FIRST_WITHOUT_FRACTION;
    if (whole + digits / power === amount) return `${whole}.${String(power + digits).slice(1)}`;
  }
}
