import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';

/** Milliseconds between two checks of a condition. */
const INTERVAL = 10;
/** Milliseconds that only a hang takes, however busy the machine is. */
const END = 120_000;

/** Waits until a condition holds. Fails with the name of the event that did not happen. */
export async function until(
  event: string,
  holds: () => boolean | Promise<boolean>,
  pause: () => Promise<void> = () => sleep(INTERVAL),
): Promise<void> {
  const end = performance.now() + END;
  while (!await holds()) {
    assert.ok(performance.now() < end, `expected within ${END / 1000} s: ${event}`);
    await pause();
  }
}

/** Waits for the next turn of the event loop. As the pause of `until`, it works while a test replaces the timers. */
export function turn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
