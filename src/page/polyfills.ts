/* What Firefox 100 to 103 lack of the functions that the calculations use. */

interface WithFindLast {
  findLast?: unknown;
}

/** Array.prototype.findLast, as ECMAScript 2023 defines it. */
function findLast<T>(
  this: readonly T[],
  matches: (value: T, index: number, all: readonly T[]) => unknown,
): T | undefined {
  for (let index = this.length - 1; index >= 0; index -= 1) {
    const value = this[index];
    if (value !== undefined && matches(value, index, this)) return value;
  }
  return undefined;
}

const prototype: WithFindLast = Array.prototype;
prototype.findLast ??= findLast;
