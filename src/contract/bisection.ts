/** Finds the smallest index that passes by bisection: `low` does not pass, `high` does, and passing is monotonic. */
export function bisect(low: number, high: number, passes: (index: number) => boolean): number {
  let [failing, passing] = [low, high];
  while (passing - failing > 1) {
    const middle = Math.floor((failing + passing) / 2);
    if (passes(middle)) passing = middle;
    else failing = middle;
  }
  return passing;
}
