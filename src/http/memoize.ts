/**
 * Memoizes the last call. Most requests have the same headers and client as the previous request, and a regular
 * expression takes 0.7 to 3 µs in a running server, where its code is rarely in the processor's caches.
 */
export function memoizeLast<Result>(compute: (text: string) => Result): (text: string) => Result {
  let last: { readonly text: string; readonly result: Result } | undefined;
  return (text) => {
    if (last?.text !== text) last = { text, result: compute(text) };
    return last.result;
  };
}
