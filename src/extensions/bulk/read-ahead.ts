/**
 * The buffer between the body of a bulk request and the calculation. Many clients, and nginx, read no answer before
 * they have sent all lines; without a buffer, client and service would wait for each other.
 *
 * | body | is passed on | is read |
 * |---|---|---|
 * | of a declared length up to the size of the buffer | when it has arrived | to its end |
 * | any other | on demand | until the buffer is full |
 */
import { Duplex } from 'node:stream';
import { ByteQueue } from '../../service/body.ts';
import type { Reservation } from './room.ts';

/** Bytes that the calculation may demand before it has used those that it has. */
const HIGH_WATER_MARK = 64 * 1024;

/** A body that is read ahead of the calculation. */
export class ReadAhead extends Duplex {
  private readonly reservation: Reservation;
  private state: 'gathering' | 'passing' | 'ended';
  private readonly bytes = new ByteQueue();
  private hasDemand = false;
  private readMore: (() => void) | undefined;

  constructor(reservation: Reservation, waitsForEnd: boolean) {
    super({ readableHighWaterMark: HIGH_WATER_MARK });
    this.reservation = reservation;
    this.state = waitsForEnd ? 'gathering' : 'passing';
  }

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: () => void): void {
    this.bytes.add(chunk);
    this.readMore = done;
    this.passOn();
  }

  override _final(done: () => void): void {
    this.state = 'ended';
    this.passOn();
    done();
  }

  override _read(): void {
    this.hasDemand = true;
    this.passOn();
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    this.reservation.release();
    done(error);
  }

  private passOn(): void {
    while (this.hasDemand && this.state !== 'gathering' && this.bytes.size > 0) {
      this.hasDemand = this.push(this.bytes.take());
    }
    if (this.state === 'ended') {
      this.reservation.shrink(this.bytes.size);
      if (this.bytes.size === 0) this.push(null);
    } else if (this.state === 'gathering' || this.bytes.size < this.reservation.size) {
      const { readMore } = this;
      this.readMore = undefined;
      readMore?.();
    }
  }
}
