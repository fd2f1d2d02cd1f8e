/**
 * The room for the bodies of bulk requests. A bulk request reserves all that it may need before its answer begins, or
 * is refused. What has been accepted is therefore completed, however many clients send before they read.
 */
/** Bytes per second that a bulk request has to send or receive, if it is not to be reset while others lack room. */
export const MINIMUM_PACE = 16 * 1024;
/** Time for which a bulk request may be slower than MINIMUM_PACE while others lack room. */
export const PACE_GRACE = 10_000;

/** A bulk request that holds room. */
export interface Holder {
  /** The bytes that its client has sent, and has taken of the answer, so far. */
  readonly progress: () => number;
  /** Ends the request, because it holds room that others need, and is slower than MINIMUM_PACE. */
  readonly reset: () => void;
}

/** The memory for the bodies of all bulk requests of a process. */
export class Room {
  /** The memory in bytes, and the part that is reserved. */
  readonly size: number;
  reserved = 0;
  /** The most that one bulk request reserves, in bytes. */
  readonly maximum: number;
  private readonly reservations = new Set<Reservation>();

  constructor(size: number, maximum: number) {
    this.size = size;
    this.maximum = maximum;
  }

  /** Reserves room for a body, whose length is NaN if it is unknown. Returns undefined if there is too little. */
  reserve(length: number, holder: Holder): Reservation | undefined {
    const size = length <= this.maximum ? length : this.maximum;
    if (this.reserved + size > this.size) return undefined;
    const reservation = new Reservation(this, size, holder);
    this.reservations.add(reservation);
    this.reserved += size;
    return reservation;
  }

  /** Returns a part of a reservation, or all of it. */
  returned(reservation: Reservation, size: number): void {
    this.reserved -= size;
    if (reservation.size === 0) this.reservations.delete(reservation);
  }

  /** Resets the holders that are too slow, because a request lacks room. */
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
  /** The last time at which the pace since the time before was sufficient, and the progress at that time. */
  private pacedAt = performance.now();
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
    const returned = this.size - rest;
    this.size = rest;
    this.room.returned(this, returned);
  }

  release(): void {
    this.shrink(0);
  }

  /** Whether the holder has been slower than MINIMUM_PACE for PACE_GRACE. `now` is in milliseconds. */
  isSlow(now: number): boolean {
    const seconds = (now - this.pacedAt) / 1_000;
    const progress = this.holder.progress();
    if (progress - this.progress < MINIMUM_PACE * seconds) return now - this.pacedAt >= PACE_GRACE;
    this.pacedAt = now;
    this.progress = progress;
    return false;
  }
}
