/**
 * The rule of places: if all are taken, a connection gives way to a new one. The latest eighth of the connections never
 * gives way, because their clients have had no time to move bytes; of the others, the one with the lowest score does. A
 * score is the number of bytes that a client has moved lately: half of it is lost per HALF_LIFE. Each connection begins
 * with CREDIT. The longest idle go first, then those of slow clients.
 */
import { COMPARED_PLACES, RESERVED_PART } from './limits.ts';

/** Bytes: those of one head and a short answer. With more, a client that moves nothing would displace slow ones. */
const CREDIT = 4 * 1024;
/** Bytes: a client that stops scores no more than a new one after at most five times HALF_LIFE. */
const MAXIMUM_SCORE = 32 * CREDIT;
/** Milliseconds. */
const HALF_LIFE = 1_000;

/** A place, and its score at a time of `performance.now`, which is infinite while its client awaits the service. */
export interface Place {
  readonly scoreAt: (now: number) => number;
}

/** The score of a connection. */
export class Score {
  private value = CREDIT;
  private moved = 0;
  private updatedAt = performance.now();

  /** The score after a number of bytes moved so far, at a time of `performance.now`. */
  update(moved: number, now: number): number {
    const rest = this.value * 2 ** ((this.updatedAt - now) / HALF_LIFE);
    this.value = Math.min(MAXIMUM_SCORE, rest + moved - this.moved);
    this.moved = moved;
    this.updatedAt = now;
    return this.value;
  }
}

/** The connections that hold the places of a process. */
export class Places<P extends Place> {
  /** How many of the latest never give way. */
  private readonly reserve: number;
  /** The latest, in the order of their arrival. */
  private readonly latest = new Set<P>();
  private readonly others = new Set<P>();

  constructor(count: number) {
    this.reserve = Math.ceil(count * RESERVED_PART);
  }

  get size(): number {
    return this.latest.size + this.others.size;
  }

  add(place: P): void {
    this.latest.add(place);
    const [first] = this.latest;
    if (this.latest.size <= this.reserve) return;
    this.latest.delete(first!);
    this.others.add(first!);
  }

  delete(place: P): void {
    this.latest.delete(place);
    this.others.delete(place);
  }

  /**
   * Removes and returns the place that gives way. If all compared scores are infinite, it is the one whose last
   * comparison is the oldest. The caller has added more places than there are.
   */
  takeSlowest(): P {
    const [first] = this.others;
    const slowest = slowestOf(this.others) ?? first!;
    this.delete(slowest);
    return slowest;
  }

  *[Symbol.iterator](): Generator<P> {
    yield* this.others;
    yield* this.latest;
  }
}

/**
 * Returns the place with the lowest score, or undefined if all scores are infinite. It compares the first
 * COMPARED_PLACES of a set, and moves each to the end, so that the next call compares others.
 */
export function slowestOf<P extends Place>(places: Set<P>): P | undefined {
  const now = performance.now();
  let slowest: P | undefined;
  let lowest = Infinity;
  let left = Math.min(places.size, COMPARED_PLACES);
  for (const place of places) {
    if (left === 0) break;
    left -= 1;
    places.delete(place);
    places.add(place);
    const score = place.scoreAt(now);
    if (score >= lowest) continue;
    slowest = place;
    lowest = score;
  }
  return slowest;
}
