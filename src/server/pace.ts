/**
 * The rule of places: if all are taken, the connection with the lowest pace gives way to a new one. The pace of a
 * connection is the number of bytes that it has moved, per time for which the service has waited for its client. Idle
 * connections move nothing, so that the one that has been idle longest is the first; then come those whose requests
 * arrive, or whose answers are taken, more slowly than others.
 */
import type { Socket } from 'node:net';
import { COMPARED_CONNECTIONS } from './limits.ts';

/**
 * Bytes that count as moved at the beginning: those of a small request. Without them, a connection that has just been
 * accepted would have no pace, and clients that open many could keep all others from sending a first byte.
 */
export const CREDIT = 1_000;

/** A place, and its pace at a time of `performance.now`. */
export interface Place {
  readonly paceAt: (now: number) => number;
}

/** The bytes that a client has sent, and has taken of the answers, so far. */
export function movedBytes(socket: Socket): number {
  return socket.bytesRead + socket.bytesWritten - socket.writableLength;
}

/**
 * Takes the place that gives way to the latest one out of a set: that with the lowest pace among COMPARED_CONNECTIONS.
 * These are the first of the set; each goes to its end, so that the next call compares others.
 */
export function takeSlowest<P extends Place>(places: Set<P>, latest: P): P {
  const now = performance.now();
  let slowest = latest;
  let lowest = latest.paceAt(now);
  let compared = 0;
  for (const place of places) {
    if (compared === COMPARED_CONNECTIONS) break;
    compared += 1;
    places.delete(place);
    places.add(place);
    const pace = place.paceAt(now);
    if (pace >= lowest) continue;
    slowest = place;
    lowest = pace;
  }
  places.delete(slowest);
  return slowest;
}
