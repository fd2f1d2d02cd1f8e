/** Waits. Each has an end of its own, which only a hang reaches, and then fails with the name of its event. */
import assert from 'node:assert/strict';
import events, { type EventEmitter } from 'node:events';
import type { Writable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';

/** Milliseconds between two checks of a condition. */
const INTERVAL = 10;
/** Milliseconds that only a hang takes, however busy the machine is. */
const END = 300_000;
/** The clock and the timers, also while a test replaces them. */
const now = performance.now.bind(performance);
const { setTimeout, clearTimeout } = globalThis;

/** Waits until a condition holds. It must be one that does not cease to hold between two checks. */
export async function until(
  event: string,
  holds: () => boolean | Promise<boolean>,
  pause: () => Promise<void> = () => sleep(INTERVAL),
): Promise<void> {
  const end = now() + END;
  while (!(await holds())) {
    assert.ok(now() < end, `expected within ${END / 1000} s: ${event}`);
    await pause();
  }
}

/** Waits for the next turn of the event loop. As the pause of `until`, it works while a test replaces the timers. */
export function turn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

/** Waits for a promise. */
export function within<T>(event: string, promise: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const end = new Promise<never>((_, reject) => {
    // Without a handle that it waits for, the process ends, and the runner names the test.
    timer = setTimeout(
      () => reject(new Error(`expected within ${END / 1000} s: ${event}`)),
      END,
    ).unref();
  });
  return Promise.race([promise, end]).finally(() => clearTimeout(timer));
}

/** Waits for an event, like the function of node:events. */
export function once(emitter: EventEmitter, event: string): Promise<unknown[]> {
  return within(`the event "${event}"`, events.once(emitter, event));
}

/** Waits until a stream has taken bytes, or cannot take them. */
export function written(stream: Writable, bytes: string | Uint8Array): Promise<void> {
  return within('a write', new Promise((resolve) => stream.write(bytes, () => resolve())));
}
