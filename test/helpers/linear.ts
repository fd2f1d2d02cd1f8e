import assert from 'node:assert/strict';

/** Ten times the ratio of linear work, and far less than that of quadratic work on a text of one mebibyte. */
const MAXIMUM_RATIO = 30;

/** Milliseconds of processor time, which other processes hardly change. */
function processorTime(work: () => unknown): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

/** Asserts that work on a value takes a time in proportion to its size, compared with writing and reading it as JSON. */
export function assertLinear(value: unknown, work: () => unknown): void {
  const reference = processorTime(() => JSON.parse(JSON.stringify(value)));
  const taken = processorTime(work);
  assert.ok(
    taken < MAXIMUM_RATIO * reference,
    `${taken} ms; JSON.parse and JSON.stringify take ${reference} ms`,
  );
}
