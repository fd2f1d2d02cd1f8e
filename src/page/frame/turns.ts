/* Long work in turns, between which the page answers. */

/** Milliseconds of work until other events get their turn. */
const TURN = 12;

const pause = (): Promise<void> => new Promise((resolve) => setTimeout(resolve));

/**
 * Runs steps, and returns their result; undefined if the signal ends them. Before each wait, `waits` receives the value
 * of the last step. After a wait, the result begins a turn of its own.
 */
export async function inTurns<Step, Result>(
  steps: Iterator<Step, Result> | AsyncIterator<Step, Result>,
  signal: AbortSignal,
  waits?: (step: Step) => void,
): Promise<Result | undefined> {
  let end = performance.now() + TURN;
  let hasWaited = false;
  for (;;) {
    const step = steps.next();
    const { done, value } = step instanceof Promise ? await step : step;
    if (done === true) {
      if (hasWaited) await pause();
      return hasWaited && signal.aborted ? undefined : value;
    }
    if (performance.now() < end) continue;
    waits?.(value);
    await pause();
    if (signal.aborted) return undefined;
    hasWaited = true;
    end = performance.now() + TURN;
  }
}
