/**
 * The buffer between the body of a bulk request and the calculation. Many clients, and nginx, read no answer before
 * they have sent all lines; without a buffer, client and service would wait for each other.
 *
 * | while | passes on | reads |
 * |---|---|---|
 * | it waits for the end of a body with a declared length | nothing | up to the limit |
 * | the client reads answers | on demand | one block ahead |
 * | the client reads no answers | on demand | up to the limit |
 * | the buffers of all bulk requests are full | on demand | one block ahead |
 */
import { Duplex } from 'node:stream';

/** Bytes that are read ahead while the client reads answers. */
const BLOCK_SIZE = 64 * 1024;
/** Bytes of memory that a chunk takes besides its content, which may be a single byte. */
const CHUNK_COST = 512;

/** The memory for bulk requests, in bytes: per request, for all requests of a process, and in use. */
export interface BulkBuffer {
  readonly limit: number;
  readonly total: number;
  used: number;
}

/** A body that is read ahead of the calculation. */
export class ReadAhead extends Duplex {
  private readonly buffer: BulkBuffer;
  private waitsForEnd: boolean;
  private allowance: number;
  /** The chunks to pass on; null is the end. */
  private chunks: (Buffer | null)[] = [];
  private size = 0;
  private hasDemand = false;
  private readMore: (() => void) | undefined;

  constructor(buffer: BulkBuffer, waitsForEnd: boolean) {
    super({ readableHighWaterMark: BLOCK_SIZE });
    this.buffer = buffer;
    this.waitsForEnd = waitsForEnd;
    this.allowance = waitsForEnd ? buffer.limit : BLOCK_SIZE;
  }

  /** Whether no more of the body can be read until some of it has been passed on. */
  get isFull(): boolean {
    return this.size >= this.buffer.limit || this.isTotalUsed;
  }

  /** Begins to read ahead up to the limit, because the client reads no answers. */
  extend(): void {
    this.allowance = this.buffer.limit;
    this.acceptMore();
  }

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: () => void): void {
    this.chunks.push(chunk);
    this.use(chunk.length + CHUNK_COST);
    this.readMore = done;
    this.passOn();
  }

  override _final(done: () => void): void {
    this.chunks.push(null);
    this.waitsForEnd = false;
    this.passOn();
    done();
  }

  override _read(): void {
    this.hasDemand = true;
    this.passOn();
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    this.use(-this.size);
    this.chunks = [];
    done(error);
  }

  private get isTotalUsed(): boolean {
    return this.buffer.used >= this.buffer.total;
  }

  private use(size: number): void {
    this.size += size;
    this.buffer.used += size;
  }

  private passOn(): void {
    if (this.isFull) this.waitsForEnd = false;
    while (this.hasDemand && !this.waitsForEnd && this.chunks.length > 0) {
      const chunk = this.chunks.shift() ?? null;
      if (chunk !== null) this.use(-chunk.length - CHUNK_COST);
      this.hasDemand = this.push(chunk);
    }
    this.acceptMore();
  }

  private acceptMore(): void {
    const allowance = this.isTotalUsed ? BLOCK_SIZE : this.allowance;
    if (this.size >= allowance) return;
    const { readMore } = this;
    this.readMore = undefined;
    readMore?.();
  }
}
