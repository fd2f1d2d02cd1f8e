/**
 * The rule of places: if all are taken, the connection with the lowest score gives way to a new one. A score is the
 * number of bytes that a client has moved lately: half of it is lost per HALF_LIFE. Each connection begins with CREDIT.
 * The longest idle go first, then those of slow clients.
 */
import type { Socket } from 'node:net';
import { COMPARED_CONNECTIONS } from './limits.ts';

/** Bytes: those of one head and a short answer. With more, a client that moves nothing would displace slow ones. */
const CREDIT = 4 * 1024;
/** Bytes: a client that stops scores no more than a new one after at most five times HALF_LIFE. */
const MAXIMUM_SCORE = 32 * CREDIT;
/** Milliseconds. */
const HALF_LIFE = 1_000;

/** A place, and its score at a time of `performance.now`. */
export interface Place {
  readonly scoreAt: (now: number) => number;
}

/** The bytes that a client has sent, and has taken of the answers, so far. */
export function movedBytes(socket: Socket): number {
  return socket.bytesRead + socket.bytesWritten - socket.writableLength;
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

/**
 * Takes the place that gives way to the latest out of a set: the lowest score among COMPARED_CONNECTIONS, or the first
 * of them if all scores are infinite. The latest never gives way to itself: otherwise, clients that always have a
 * request in progress could lock all others out. The compared places are the first of the set; each goes to its end, so
 * that the next call compares others.
 */
export function takeSlowest<P extends Place>(places: Set<P>, latest: P): P {
  const now = performance.now();
  let [slowest = latest] = places;
  let lowest = Infinity;
  let compared = 0;
  for (const place of places) {
    if (compared === COMPARED_CONNECTIONS) break;
    compared += 1;
    places.delete(place);
    places.add(place);
    const score = place.scoreAt(now);
    // The latest has had no time to move bytes.
    if (place === latest || score >= lowest) continue;
    slowest = place;
    lowest = score;
  }
  places.delete(slowest);
  return slowest;
}
