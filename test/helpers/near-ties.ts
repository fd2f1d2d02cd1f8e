/** Whole numbers whose products with a fraction are as near as possible to a half: by continued fractions. */
import type { Fraction } from './interest-oracle.ts';

/**
 * The whole numbers n up to a limit for which n × fraction is nearest to a half below and above it. With the fraction
 * a/b, the remainder of 2na − b by 2b is the distance from the half.
 */
export function nearestToHalf({ numerator, denominator }: Fraction, limit: bigint): bigint[] {
  const circle = 2n * denominator;
  const returns = closestReturns((2n * numerator) % circle, circle, limit);
  return [-denominator, denominator].map((start) => {
    let [count, distance] = [0n, start];
    for (const { steps, shift } of returns) {
      if (shift > 0n === distance > 0n) continue;
      const [toHalf, toLimit] = [distance / -shift, (limit - count) / steps];
      const times = toHalf < toLimit ? toHalf : toLimit;
      count += times * steps;
      distance += times * shift;
    }
    return count;
  });
}

/** Numbers of steps around a circle after which a point returns ever closer to its start, from alternating sides. */
function closestReturns(
  step: bigint,
  circle: bigint,
  limit: bigint,
): { readonly steps: bigint; readonly shift: bigint }[] {
  const returns: { steps: bigint; shift: bigint }[] = [];
  let [before, steps] = [0n, 1n];
  let [shiftBefore, shift] = [-circle, step];
  while (steps <= limit && shift !== 0n) {
    returns.push({ steps, shift });
    const times = -shiftBefore / shift;
    [before, steps] = [steps, before + times * steps];
    [shiftBefore, shift] = [shift, shiftBefore + times * shift];
  }
  return returns;
}
