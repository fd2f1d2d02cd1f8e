import { Failure } from '../contract/failure.ts';

/** A body: its bytes, a string decoded from valid UTF-8, or undefined if the body was larger than the limit. */
export type Body = Uint8Array | string | undefined;

const EMPTY: Uint8Array = new Uint8Array();
/** Maximum bytes of a UTF-16 code unit in UTF-8. */
const MAXIMUM_UNIT_SIZE = 3;
// Shared by all bodies: a decoder without the option `stream` keeps no state between calls.
const STRICT_DECODER = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
const LENIENT_DECODER = new TextDecoder('utf-8', { ignoreBOM: true });
const ENCODER = new TextEncoder();

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
  add(chunk: Uint8Array): boolean {
    const before = this.size;
    this.size += chunk.length;
    if (this.size > this.limit) {
      this.bytes = EMPTY;
    } else if (before === 0) {
      this.bytes = chunk; // Often the only chunk.
    } else if (chunk.length > 0) {
      // Copied, because a chunk of one byte would keep everything in memory that was read from the socket with it.
      if (this.size > this.bytes.length) {
        this.bytes = grow(this.bytes, before, Math.min(this.limit, 2 * this.size));
      }
      this.bytes.set(chunk, before);
    }
    return this.size <= this.limit;
  }

  /** Returns the bytes, or undefined if there were more than the limit, and empties the buffer. */
  take(): Uint8Array | undefined {
    const { bytes, size } = this;
    this.bytes = EMPTY;
    this.size = 0;
    if (size > this.limit) return undefined;
    return size === bytes.length ? bytes : bytes.subarray(0, size);
  }
}

function grow(bytes: Uint8Array, size: number, capacity: number): Uint8Array {
  const larger = new Uint8Array(capacity);
  larger.set(bytes.subarray(0, size));
  return larger;
}

/** The bytes of a text in UTF-8. */
export function encode(text: string): Uint8Array {
  return ENCODER.encode(text);
}

/** The text of bytes, with its byte order mark if it has one; undefined if the bytes are not UTF-8. */
export function decode(bytes: Uint8Array): string | undefined {
  try {
    return STRICT_DECODER.decode(bytes);
  } catch {
    return undefined;
  }
}

/**
 * The text of a body. Throws `body_too_large` if it has more bytes than the limit, and `invalid_json` with the position
 * of the first byte that is not UTF-8.
 */
export function textOf(body: Body, limit: number): string {
  if (body === undefined || exceeds(body, limit)) {
    throw new Failure('body_too_large', `Expected a body of up to ${limit} bytes`);
  }
  if (typeof body === 'string') return body;
  const text = decode(body);
  if (text !== undefined) return text;
  // Invalid bytes are decoded as U+FFFD.
  const at = encode(LENIENT_DECODER.decode(body)).findIndex((byte, index) => byte !== body[index]);
  throw new Failure(
    'invalid_json',
    `Expected a body in UTF-8, got an invalid byte sequence at byte ${at + 1}`,
  );
}

function exceeds(body: Uint8Array | string, limit: number): boolean {
  if (typeof body !== 'string') return body.length > limit;
  return body.length * MAXIMUM_UNIT_SIZE > limit && encode(body).length > limit;
}
