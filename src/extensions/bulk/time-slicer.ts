/** Milliseconds of work of all bulk requests together per turn of the event loop. */
const SLICE = 1;

/** Browsers and some workers have no setImmediate. */
const onNextTurn: (callback: () => void) => unknown = globalThis.setImmediate ?? setTimeout;

/** Divides the work of bulk requests into slices. Those that share an instance take one slice per turn together. */
export class TimeSlicer {
  private end = 0;
  private tail: Promise<unknown> = Promise.resolve();

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
