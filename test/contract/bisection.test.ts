import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bisect } from '../../src/contract/bisection.ts';

test('finds the smallest index that passes, and asks only for indexes between the limits', () => {
  for (let low = -3; low <= 3; low += 1) {
    for (let high = low + 1; high <= low + 20; high += 1) {
      for (let first = low + 1; first <= high; first += 1) {
        const asked: number[] = [];
        const found = bisect(low, high, (index) => {
          asked.push(index);
          return index >= first;
        });
        assert.equal(found, first);
        assert.ok(
          asked.every((index) => index > low && index < high),
          `${low} to ${high}: ${asked.join()}`,
        );
      }
    }
  }
});

test('asks at most 50 times among 10^15 indexes', () => {
  let count = 0;
  const found = bisect(-1, 1e15, (index) => {
    count += 1;
    return index >= 123_456_789_012_345;
  });
  assert.equal(found, 123_456_789_012_345);
  assert.ok(count <= 50, String(count));
});
