/**
 * The memory for the bodies of all bulk requests of a process. A body is read to its end before it is answered; each
 * line then leaves the memory when it is answered.
 *
 * If a body that arrives needs more than there is, the request with the lowest score gives way, as in the rule of
 * places (`server/places.ts`). If all compared requests wait for the service, it is the one whose body arrives.
 */
import { type Place, slowestOf } from '../../server/places.ts';

/** Bytes of each body that need no room: many short bulk requests displace no long one, and none displaces them. */
export const FREE_SIZE = 64 * 1024;

/** A bulk request, whose body takes up room. */
export interface Holder extends Place {
  /** The room that it takes up, in bytes; set by the room. */
  held: number;
  /** Refuses or resets the request, whose room is needed. */
  readonly giveWay: () => void;
}

/** The memory for the bodies of all bulk requests of a process. */
export class Room {
  /** The memory in bytes, and the part in use. */
  readonly size: number;
  used = 0;
  /** The greatest body in bytes. */
  readonly maximum: number;
  private readonly holders = new Set<Holder>();

  constructor(size: number, maximum: number) {
    this.size = size;
    this.maximum = maximum;
  }

  /** Notes how many bytes of a body that grows are in memory. If there is too little room, holders give way. */
  hold(holder: Holder, bytes: number): void {
    this.note(holder, bytes);
    while (this.used > this.size) {
      const leaving = slowestOf(this.holders) ?? holder;
      this.note(leaving, 0);
      leaving.giveWay();
    }
  }

  /** Notes how many bytes of a body are left in memory. A holder that gives way may call it. */
  note(holder: Holder, bytes: number): void {
    const held = Math.max(0, bytes - FREE_SIZE);
    this.used += held - holder.held;
    holder.held = held;
    if (held > 0) this.holders.add(holder);
    else this.holders.delete(holder);
  }
}
