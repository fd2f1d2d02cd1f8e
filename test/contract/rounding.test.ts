import assert from 'node:assert/strict';
import { test } from 'node:test';
import { divideHalfUp } from '../../src/contract/rounding.ts';
import { seeded } from '../helpers/random.ts';
import { halfUp } from '../helpers/tax-oracle.ts';

test('divides whole numbers below 2^53 and rounds half up, around every half and whole quotient', () => {
  const random = seeded(53);
  for (let count = 0; count < 20_000; count += 1) {
    const divisor = random.pick([100, 1000, 2, 3, 1 + random.below(1e12)]);
    const quotient = Math.floor(
      random.next()
        * random.pick([1, 2 ** -20, 2 ** -40])
        * (Number.MAX_SAFE_INTEGER / divisor - 1),
    );
    const edge = quotient * divisor + Math.floor(random.pick([0, 0.5, 1]) * divisor);
    for (const dividend of [edge - 1, edge, edge + 1].filter((one) => one >= 0)) {
      const expected = Number(halfUp(BigInt(dividend), BigInt(divisor)));
      assert.equal(divideHalfUp(dividend, divisor), expected, `${dividend} / ${divisor}`);
    }
  }
});
