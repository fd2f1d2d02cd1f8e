/**
 * The rule of places: if all are taken, the connection with the lowest score gives way to a new one. A score is the
 * number of bytes that a client has moved lately: half of it is lost per HALF_LIFE. Each connection begins with CREDIT,
 * and begins again after each answer. Those that are idle longest are the first, then those of slow clients.
 */
import type { Socket } from 'node:net';
import { COMPARED_CONNECTIONS } from './limits.ts';

/** Bytes. */
const CREDIT = 64 * 1024;
/** A client that stops is equal to a new one after HALF_LIFE at most. */
const MAXIMUM_SCORE = 2 * CREDIT;
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

/** The score of a connection. Each method takes all bytes moved so far, and a time of `performance.now`. */
export class Score {
  private value = CREDIT;
  private moved = 0;
  private updatedAt = performance.now();

  /** Begins again. */
  renew(moved: number, now: number): void {
    this.value = CREDIT;
    this.moved = moved;
    this.updatedAt = now;
  }

  update(moved: number, now: number): number {
    const rest = this.value * 2 ** ((this.updatedAt - now) / HALF_LIFE);
    const score = Math.min(MAXIMUM_SCORE, rest + moved - this.moved);
    this.renew(moved, now);
    this.value = score;
    return score;
  }
}

/**
 * Takes the place that gives way to the latest out of a set: the lowest score among COMPARED_CONNECTIONS.
 * These are the first of the set; each goes to its end, so that the next call compares others.
 */
export function takeSlowest<P extends Place>(places: Set<P>, latest: P): P {
  const now = performance.now();
  let slowest = latest;
  let lowest = Infinity;
  let compared = 0;
  for (const place of places) {
    if (compared === COMPARED_CONNECTIONS) break;
    compared += 1;
    places.delete(place);
    places.add(place);
    const score = place.scoreAt(now);
    if (score >= lowest) continue;
    slowest = place;
    lowest = score;
  }
  places.delete(slowest);
  return slowest;
}
