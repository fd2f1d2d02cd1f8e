import { isUtf8 } from 'node:buffer';
import { Failure } from '../contract/failure.ts';

/** A body: its bytes, a string decoded from valid UTF-8, or undefined if the body was larger than the limit. */
export type Body = Buffer | string | undefined;

const EMPTY: Buffer = Buffer.alloc(0);
/** Maximum bytes of a UTF-16 code unit in UTF-8. */
const MAXIMUM_UNIT_SIZE = 3;

/** Collects chunks up to a limit. The buffer doubles, so that each byte is copied about twice at most. */
export class BodyBuffer {
  /** Bytes added so far, including those that were not kept. */
  size = 0;
  private bytes = EMPTY;
  private readonly limit: number;

  constructor(limit: number) {
    this.limit = limit;
  }

  /** Adds a chunk. Returns false once there are more bytes than the limit; none are kept then. */
  add(chunk: Buffer): boolean {
    const before = this.size;
    this.size += chunk.length;
    if (this.size > this.limit) {
      this.bytes = EMPTY;
    } else if (before === 0) {
      this.bytes = chunk; // Often the only chunk.
    } else if (chunk.length > 0) {
      // Copied, because a chunk of one byte would keep everything in memory that was read from the socket with it.
      if (this.size > this.bytes.length) this.bytes = grow(this.bytes, before, Math.min(this.limit, 2 * this.size));
      chunk.copy(this.bytes, before);
    }
    return this.size <= this.limit;
  }

  /** Returns the bytes, or undefined if there were more than the limit, and empties the buffer. */
  take(): Buffer | undefined {
    const { bytes, size } = this;
    this.bytes = EMPTY;
    this.size = 0;
    if (size > this.limit) return undefined;
    return size === bytes.length ? bytes : bytes.subarray(0, size);
  }
}

function grow(bytes: Buffer, size: number, capacity: number): Buffer {
  const larger = Buffer.allocUnsafe(capacity);
  bytes.copy(larger, 0, 0, size);
  return larger;
}

/** Whether a body has more bytes than the limit. */
export function exceeds(body: Buffer | string, limit: number): boolean {
  if (typeof body !== 'string') return body.length > limit;
  return body.length * MAXIMUM_UNIT_SIZE > limit && Buffer.byteLength(body) > limit;
}

/** The text of a body in UTF-8. Throws `invalid_json` with the position of the first byte that is not UTF-8. */
export function decodeText(body: Buffer | string): string {
  const text = body.toString();
  // Invalid bytes are decoded as U+FFFD. A text without this character, as most are, needs no further check.
  if (typeof body === 'string' || !text.includes('\ufffd') || isUtf8(body)) return text;
  const at = Buffer.from(text).findIndex((byte, index) => byte !== body[index]);
  throw new Failure('invalid_json', `Expected a body in UTF-8, got an invalid byte sequence at byte ${at + 1}`);
}
