/** Freezes a value and everything in it, so that no receiver can change it for the others. */
export function deepFreeze<T>(value: T): T {
  // A primitive value counts as frozen.
  if (!Object.isFrozen(value)) {
    Object.freeze(value);
    Object.values(value as object).forEach(deepFreeze);
  }
  return value;
}
