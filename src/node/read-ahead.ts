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
import type { Reservation } from './room.ts';

/** Maximum bytes of a block of small chunks. */
const BLOCK_SIZE = 64 * 1024;
const SMALLEST_BLOCK = 1024;
/** Bytes from which a chunk is kept as it is. */
const LARGE_CHUNK = 16 * 1024;

/** A body that is read ahead of the calculation. */
export class ReadAhead extends Duplex {
  private readonly reservation: Reservation;
  private waitsForEnd: boolean;
  private readonly bytes = new ByteQueue();
  private hasEnded = false;
  private hasDemand = false;
  private readMore: (() => void) | undefined;

  constructor(reservation: Reservation, waitsForEnd: boolean) {
    super({ readableHighWaterMark: BLOCK_SIZE });
    this.reservation = reservation;
    this.waitsForEnd = waitsForEnd;
  }

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: () => void): void {
    this.bytes.add(chunk);
    this.readMore = done;
    this.passOn();
  }

  override _final(done: () => void): void {
    this.hasEnded = true;
    this.waitsForEnd = false;
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
    while (this.hasDemand && !this.waitsForEnd && this.bytes.size > 0) {
      this.hasDemand = this.push(this.bytes.take());
    }
    if (this.hasEnded) {
      this.reservation.shrink(this.bytes.size);
      if (this.bytes.size === 0) this.push(null);
    } else if (this.waitsForEnd || this.bytes.size < this.reservation.size) {
      const { readMore } = this;
      this.readMore = undefined;
      readMore?.();
    }
  }
}

/** Bytes in the order in which they arrive, in few buffers, however small the pieces are. */
class ByteQueue {
  size = 0;
  private readonly buffers: Buffer[] = [];
  /** The last buffer; its bytes from `start` to `end` follow those of `buffers`. */
  private block: Buffer = Buffer.alloc(0);
  private start = 0;
  private end = 0;

  add(piece: Buffer): void {
    if (piece.length >= LARGE_CHUNK) {
      this.closeBlock();
      this.buffers.push(piece);
    } else {
      if (piece.length > this.block.length - this.end) this.openBlock(piece.length);
      this.end += piece.copy(this.block, this.end);
    }
    this.size += piece.length;
  }

  take(): Buffer | undefined {
    if (this.buffers.length === 0) this.closeBlock();
    const buffer = this.buffers.shift();
    this.size -= buffer?.length ?? 0;
    return buffer;
  }

  /** Begins a block that is as large as all buffers before it, so that their number stays small. */
  private openBlock(least: number): void {
    this.closeBlock();
    const size = Math.max(least, SMALLEST_BLOCK, Math.min(this.size, BLOCK_SIZE));
    this.block = Buffer.allocUnsafeSlow(size);
    this.start = 0;
    this.end = 0;
  }

  private closeBlock(): void {
    if (this.end > this.start) this.buffers.push(this.block.subarray(this.start, this.end));
    this.start = this.end;
  }
}
