/**
 * The room for the bodies of bulk requests: the memory for bytes that have arrived and wait for the calculation.
 *
 * Before its answer begins, a bulk request reserves room for all bytes that may wait, or is refused. Each accepted
 * request is therefore completed, even if all clients send before they read.
 *
 * While a request lacks room, each request that holds room is reset unless its client sends and receives as many bytes
 * per TURNOVER_TIME as the request has reserved. A request lacks room only when more than FREE_SIZE of its body has
 * arrived: if headers were enough, a client that has been reset could take its room again before any other client.
 */
/** Bytes of each body that need no room. */
export const FREE_SIZE = 64 * 1024;
/** Milliseconds in which a client has to send and receive as many bytes as its request has reserved. */
export const TURNOVER_TIME = 60_000;
/** Milliseconds for which a client may be slower. */
export const PACE_GRACE = 10_000;

/** A bulk request that holds room. */
export interface Holder {
  /** The bytes that its client has sent and received so far. */
  readonly progress: () => number;
  /** Ends the request, because its client is too slow, and another request lacks room. */
  readonly reset: () => void;
}

/** The memory for the bodies of all bulk requests of a process. */
export class Room {
  /** The memory in bytes, and the part that is reserved. */
  readonly size: number;
  reserved = 0;
  /** The most that one bulk request reserves, in bytes. */
  readonly maximum: number;
  readonly reservations = new Set<Reservation>();

  constructor(size: number, maximum: number) {
    this.size = size;
    this.maximum = maximum;
  }

  /** Reserves room for a body, whose length is NaN if it is unknown. Returns undefined if there is too little. */
  reserve(length: number, holder: Holder): Reservation | undefined {
    const size = length <= this.maximum ? Math.max(0, length - FREE_SIZE) : this.maximum;
    if (this.reserved + size > this.size) return undefined;
    const reservation = new Reservation(this, size, holder);
    this.reservations.add(reservation);
    this.reserved += size;
    return reservation;
  }

  /** Resets the holders whose clients are too slow, because a request lacks room. */
  resetSlow(): void {
    const now = performance.now();
    for (const reservation of this.reservations) {
      if (!reservation.isSlow(now)) continue;
      reservation.holder.reset();
      reservation.release();
    }
  }
}

/** The room of one bulk request. */
export class Reservation {
  /** Bytes that are still reserved. */
  size: number;
  readonly holder: Holder;
  readonly room: Room;
  /** Milliseconds for which the service has waited for the client, and the beginning of the wait that goes on. */
  private waited = 0;
  private waitsSince: number | undefined;
  /** The time waited, and the progress, when the pace was last sufficient. */
  private pacedAt = 0;
  private progress: number;

  constructor(room: Room, size: number, holder: Holder) {
    this.room = room;
    this.size = size;
    this.holder = holder;
    this.progress = holder.progress();
  }

  /** Returns the room beyond a size in bytes. */
  shrink(size: number): void {
    const rest = Math.min(this.size, size);
    this.room.reserved -= this.size - rest;
    this.size = rest;
    if (rest === 0) this.room.reservations.delete(this);
  }

  release(): void {
    this.shrink(0);
  }

  /** Waits for the client. The time that the service itself takes does not count. */
  async waitFor(event: Promise<void>): Promise<void> {
    this.waitsSince = performance.now();
    await event;
    this.waited = this.waitedUntil(performance.now());
    this.waitsSince = undefined;
  }

  /** Whether the client has been too slow for PACE_GRACE. `now` is in milliseconds. */
  isSlow(now: number): boolean {
    const waited = this.waitedUntil(now);
    const time = waited - this.pacedAt;
    const progress = this.holder.progress();
    const isPaced = (progress - this.progress) * TURNOVER_TIME >= this.size * time;
    if (!isPaced) return time >= PACE_GRACE;
    this.pacedAt = waited;
    this.progress = progress;
    return false;
  }

  private waitedUntil(now: number): number {
    return this.waited + now - (this.waitsSince ?? now);
  }
}
