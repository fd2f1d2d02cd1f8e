import { Duplex } from 'node:stream';

/** Bytes of a block, the unit in which a body is passed on. */
const BLOCK_SIZE = 64 * 1024;
/** Chunks below this size are copied into a block, because the smallest take a hundred times their size in memory. */
const SMALL_CHUNK = 4 * 1024;

/** The bytes that all bulk requests of a process together may hold in memory. */
export class Budget {
  private available: number;

  constructor(size: number) {
    this.available = size;
  }

  get isSpent(): boolean {
    return this.available <= 0;
  }

  take(size: number): void {
    this.available -= size;
  }

  release(size: number): void {
    this.available += size;
  }
}

/** The options of a read-ahead. */
export interface ReadAheadOptions {
  /** Maximum bytes that it holds, if the budget allows. */
  readonly limit: number;
  readonly budget: Budget;
  /** Whether to hold the body back until it is complete, or until the limit or the budget is reached. */
  readonly isHeld: boolean;
}

/**
 * The buffer between the body of a bulk request and the calculation, for clients that read no answer before they have
 * sent all their lines, such as many HTTP libraries and nginx. It holds one block while the client reads answers. While
 * the client reads none, or if `isHeld` is true, it reads ahead up to the limit.
 */
export class ReadAhead extends Duplex {
  private readonly limit: number;
  private readonly budget: Budget;
  private isHeld: boolean;
  private allowance: number;
  private blocks: Buffer[] = [];
  /** The last block, while small chunks are copied into it, and the number of its bytes in use. */
  private last: Buffer | undefined;
  private used = 0;
  private size = 0;
  private hasDemand = false;
  private isEnded = false;
  private readMore: (() => void) | undefined;

  constructor({ limit, budget, isHeld }: ReadAheadOptions) {
    super({ readableHighWaterMark: BLOCK_SIZE });
    this.limit = limit;
    this.budget = budget;
    this.isHeld = isHeld;
    this.allowance = isHeld ? limit : BLOCK_SIZE;
  }

  /** Whether no more of the body can be read until some of it has been passed on. */
  get isFull(): boolean {
    return this.size >= this.limit || this.budget.isSpent;
  }

  /** Begins to read ahead up to the limit, because the client reads no answers. */
  extend(): void {
    this.allowance = this.limit;
    this.move();
  }

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: () => void): void {
    this.append(chunk);
    this.readMore = done;
    this.move();
  }

  override _final(done: () => void): void {
    this.isEnded = true;
    this.isHeld = false;
    this.move();
    done();
  }

  override _read(): void {
    this.hasDemand = true;
    this.move();
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    this.budget.release(this.size);
    this.size = 0;
    this.blocks = [];
    done(error);
  }

  private append(chunk: Buffer): void {
    this.size += chunk.length;
    this.budget.take(chunk.length);
    if (chunk.length >= SMALL_CHUNK) {
      this.finishBlock();
      this.blocks.push(chunk);
      return;
    }
    if (this.last !== undefined && this.used + chunk.length > BLOCK_SIZE) this.finishBlock();
    this.last ??= Buffer.allocUnsafe(BLOCK_SIZE);
    this.used += chunk.copy(this.last, this.used);
  }

  private finishBlock(): void {
    if (this.last !== undefined) this.blocks.push(this.last.subarray(0, this.used));
    this.last = undefined;
    this.used = 0;
  }

  /** Passes blocks on while there is demand, then reads more if the limits allow. */
  private move(): void {
    if (this.isHeld && this.isFull) this.isHeld = false;
    while (this.hasDemand && !this.isHeld && this.size > 0) {
      if (this.blocks.length === 0) this.finishBlock();
      const block = this.blocks.shift()!;
      this.size -= block.length;
      this.budget.release(block.length);
      this.hasDemand = this.push(block);
    }
    if (this.isEnded && this.size === 0) {
      this.isEnded = false;
      this.push(null);
    }
    const { readMore } = this;
    const allowance = this.budget.isSpent ? BLOCK_SIZE : this.allowance;
    if (readMore === undefined || this.size >= allowance) return;
    this.readMore = undefined;
    readMore();
  }
}
