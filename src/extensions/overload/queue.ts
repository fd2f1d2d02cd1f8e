/**
 * The queue in which requests wait for the processor: first come, first served, one slice of work per turn of the event
 * loop. It measures the wait, and not the delay of the event loop, because of two traps.
 *
 * libuv accepts one connection per turn. With turns of 100 ms, which a few large texts to hash cause, a server accepts
 * ten clients per second, health checks included; the rest wait in the kernel, which may drop them.
 *
 * An overload is a queue that does not become empty. A pause of the process (a busy host, a CPU quota, a suspended
 * machine) delays every request once, but leaves a queue that is empty again after some milliseconds; the clock of the
 * queue therefore leaves pauses out, and no request is refused because of them.
 *
 * A large body that has arrived costs no more than to read it; to refuse it costs that, too, and a new connection.
 * Large bodies therefore have no rule of their own: they wait in the queue, and bulk requests have their own slices.
 */
import type { Observer } from '../../server/observer.ts';
import type { Scheduler, Work } from '../../server/scheduler.ts';

/** Milliseconds of work per turn of the event loop. */
const WORK_PER_TURN = 1;
/** Maximum milliseconds per step of the clock: a longer step counts as a pause of the process. */
const LONGEST_STEP = 50;

interface QueuedWork {
  readonly work: Work;
  /** The time of the clock when it was added. */
  readonly since: number;
}

/** A first-in, first-out queue whose items may each wait for `maximumWait` milliseconds. */
export class WorkQueue implements Scheduler, Observer {
  private readonly maximumWait: number;
  private waiting: QueuedWork[] = [];
  /** The position in `waiting` of the first item that still waits. */
  private position = 0;
  /** Milliseconds during which the queue was not empty. */
  private clock = 0;
  /** When the clock was last read; undefined if the time since then was not spent in the queue. */
  private lastReading: number | undefined;
  private isScheduled = false;
  private hasConnection = false;
  /** Until when connections are accepted before further work: a time of the clock. */
  private acceptedUntil = 0;

  constructor(maximumWait: number) {
    this.maximumWait = maximumWait;
  }

  /** Adds the work of a request, which begins after the current phase of the event loop. */
  add(work: Work): void {
    this.waiting.push({ work, since: this.clock });
    if (this.isScheduled) return;
    this.isScheduled = true;
    // The time until now was not spent in the queue.
    this.lastReading = undefined;
    setImmediate(this.run);
  }

  /**
   * A connection was accepted: others may be waiting behind it, and are accepted before further work, for as long as
   * the last work took. More of them would displace clients whose requests wait for their answers.
   */
  connected(): void {
    this.hasConnection = true;
  }

  private readonly run = (): void => {
    const start = this.readClock();
    if (this.hasConnection && start < this.acceptedUntil) {
      this.hasConnection = false;
      setImmediate(this.run);
      return;
    }
    try {
      do this.runFirst();
      while (this.waiting.length > 0 && this.readClock() < start + WORK_PER_TURN);
    } finally {
      const end = this.readClock();
      this.acceptedUntil = end + (end - start);
      if (this.waiting.length > 0) setImmediate(this.run);
      else this.isScheduled = false;
    }
  };

  private runFirst(): void {
    const { work, since } = this.waiting[this.position]!;
    this.position += 1;
    // Array.shift would move all items of a long queue each time.
    if (this.position * 2 >= this.waiting.length) {
      this.waiting = this.waiting.slice(this.position);
      this.position = 0;
    }
    work(this.clock - since > this.maximumWait);
  }

  private readClock(): number {
    const now = performance.now();
    const step = now - (this.lastReading ?? now);
    this.clock += Math.min(step, LONGEST_STEP);
    this.lastReading = now;
    return this.clock;
  }
}
