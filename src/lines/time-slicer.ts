/** The division of bulk requests into slices of work, between which the process does other work. */

/** Milliseconds of a slice. */
const SLICE = 1;

/** Browsers and some workers have no setImmediate. */
const onNextTurn: (callback: () => void) => unknown = globalThis.setImmediate ?? setTimeout;

/** Divides work into slices. All bulk requests that share an instance take one slice together per turn. */
export class TimeSlicer {
  private end = 0;
  private tail: Promise<unknown> = Promise.resolve();

  /** Whether the slice is over. */
  get isOver(): boolean {
    return performance.now() >= this.end;
  }

  /** Waits for a turn of the event loop that no other bulk request uses. */
  async next(): Promise<void> {
    this.tail = this.tail.then(() => new Promise<void>((resolve) => onNextTurn(resolve)));
    await this.tail;
    this.end = performance.now() + SLICE;
  }
}
