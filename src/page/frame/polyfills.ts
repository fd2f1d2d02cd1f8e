/* What Firefox 100 to 103 lack of the functions that the calculations use. */

const prototype: { findLast?: unknown } = Array.prototype;

/** Array.prototype.findLast of ECMAScript 2023, with the value alone for its function. */
prototype.findLast ??= function (
  this: readonly unknown[],
  matches: (value: unknown) => unknown,
): unknown {
  return [...this].reverse().find((value) => matches(value));
};
