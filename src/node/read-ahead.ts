import { Duplex } from 'node:stream';

/** Bytes of a block, the unit in which a body is passed on. */
const BLOCK_SIZE = 64 * 1024;
/** Chunks below this size are copied into a block: the smallest would take a hundred times their size each. */
const SMALL_CHUNK = 4 * 1024;

/** A number of bytes that the bulk requests of a process may hold in memory together. */
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

/** What a read-ahead may hold, and whether it passes nothing on before it has everything. */
export interface ReadAheadOptions {
  readonly limit: number;
  readonly budget: Budget;
  readonly isHeld: boolean;
}

/**
 * The body of a bulk request on its way to the calculation, for clients that read no answer before they have sent all
 * their lines: many HTTP libraries, and proxies such as nginx. As long as answers are taken, it holds a block. While
 * they are not, or if it is held, it reads ahead up to a limit.
 */
export class ReadAhead extends Duplex {
  private readonly limit: number;
  private readonly budget: Budget;
  private isHeld: boolean;
  private allowance: number;
  private blocks: Buffer[] = [];
  /** The last block, while small chunks are copied into it, and how many bytes of it are used. */
  private last: Buffer | undefined;
  private used = 0;
  private size = 0;
  private isWanted = false;
  private isEnded = false;
  private readMore: (() => void) | undefined;

  constructor({ limit, budget, isHeld }: ReadAheadOptions) {
    super({ readableHighWaterMark: BLOCK_SIZE });
    this.limit = limit;
    this.budget = budget;
    this.isHeld = isHeld;
    this.allowance = isHeld ? limit : BLOCK_SIZE;
  }

  /** Whether no more of the body can be read before some of it is passed on. */
  get isFull(): boolean {
    return this.size >= this.limit || this.budget.isSpent;
  }

  /** Reads ahead, because the client takes no answers. */
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
    this.isWanted = true;
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

  /** Passes blocks on as long as they are wanted, then reads more as long as it may. */
  private move(): void {
    if (this.isHeld && this.isFull) this.isHeld = false;
    while (this.isWanted && !this.isHeld && this.size > 0) {
      if (this.blocks.length === 0) this.finishBlock();
      const block = this.blocks.shift()!;
      this.size -= block.length;
      this.budget.release(block.length);
      this.isWanted = this.push(block);
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
