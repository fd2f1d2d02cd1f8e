import type { TestContext } from 'node:test';

/** Milliseconds that the clock shows at first. */
const START = 1_000;

/** Replaces `performance.now` until the end of the test. Returns the function that lets milliseconds pass. */
export function replaceClock(context: TestContext): (milliseconds: number) => void {
  let now = START;
  const original = performance.now.bind(performance);
  // A function of the test runner would keep each call.
  performance.now = () => now;
  context.after(() => (performance.now = original));
  return (milliseconds) => {
    now += milliseconds;
  };
}

/** Replaces `setTimeout` and `clearTimeout` until the end of the test. */
export function replaceTimeouts(context: TestContext): void {
  context.mock.timers.enable({ apis: ['setTimeout'] });
  const { clearTimeout } = globalThis;
  // Before Node.js 20.18, the replacement fails without a timer, which the original ignores.
  context.mock.method(globalThis, 'clearTimeout', (timer?: NodeJS.Timeout) => {
    if (timer !== undefined) clearTimeout(timer);
  });
}
