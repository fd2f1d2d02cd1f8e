/** The body of a request as bytes and text. */
import { Failure, type FailureContent, failureOf } from '../contract/failure.ts';

/** A body over the limit, of which no bytes are kept. */
export const TOO_LARGE = Symbol('too large');

/** A body: its bytes, or a string decoded from valid UTF-8; or TOO_LARGE in its place. */
export type Body = Uint8Array | string | typeof TOO_LARGE;

/** Maximum bytes of a bulk request, by default. */
export const BULK_LIMIT: number = 32 * 1024 * 1024;

const EMPTY: Uint8Array = new Uint8Array();
/** Bytes from which a piece is kept as it is. */
const LARGE_PIECE = 16 * 1024;
/** Bytes of a block for small pieces. */
const SMALLEST_BLOCK = 1024;
const LARGEST_BLOCK = 64 * 1024;
/** Maximum bytes of a UTF-16 code unit in UTF-8. */
const MAXIMUM_UNIT_SIZE = 3;
// Shared by all bodies: a decoder without the option `stream` keeps no state between calls.
const STRICT_DECODER = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
const LENIENT_DECODER = new TextDecoder('utf-8', { ignoreBOM: true });
const ENCODER = new TextEncoder();
const REPLACEMENT = ENCODER.encode('\ufffd');

/**
 * Bytes in the order in which they arrive, in few buffers, however small the pieces are. Once there are more bytes than
 * the limit, no further piece is kept.
 */
export class ByteQueue {
  size = 0;
  private readonly limit: number;
  private buffers: Uint8Array[] = [];
  /** The last buffer; its bytes from `start` to `end` follow those of `buffers`. */
  private block = EMPTY;
  private start = 0;
  private end = 0;

  constructor(limit = Infinity) {
    this.limit = limit;
  }

  /** Adds a piece. A small one is copied, because it may be a part of a large buffer; the first is not. */
  add(piece: Uint8Array): void {
    if (this.size > this.limit) return;
    if (this.size === 0 || piece.length >= LARGE_PIECE) {
      this.closeBlock();
      this.buffers.push(piece);
    } else {
      if (piece.length > this.block.length - this.end) this.openBlock(piece.length);
      this.block.set(piece, this.end);
      this.end += piece.length;
    }
    this.size += piece.length;
  }

  /** Takes the buffers one by one. */
  *take(): Generator<Uint8Array> {
    this.closeBlock();
    for (let next = this.buffers.shift(); next !== undefined; next = this.buffers.shift()) {
      this.size -= next.length;
      yield next;
    }
  }

  /** Takes all bytes as one buffer. */
  takeAll(): Uint8Array {
    this.closeBlock();
    const { buffers, size } = this;
    this.buffers = [];
    this.size = 0;
    if (buffers.length === 1) return buffers[0]!;
    const all = new Uint8Array(size);
    let position = 0;
    for (const buffer of buffers) {
      all.set(buffer, position);
      position += buffer.length;
    }
    return all;
  }

  /** Frees all bytes. */
  clear(): void {
    this.buffers = [];
    this.block = EMPTY;
    this.start = 0;
    this.end = 0;
    this.size = 0;
  }

  /** Begins a block that is as large as all buffers before it, so that their number stays small. */
  private openBlock(least: number): void {
    this.closeBlock();
    const size = Math.max(least, SMALLEST_BLOCK, Math.min(this.size, LARGEST_BLOCK));
    this.block = new Uint8Array(size);
    this.start = 0;
    this.end = 0;
  }

  private closeBlock(): void {
    if (this.end > this.start) this.buffers.push(this.block.subarray(this.start, this.end));
    this.start = this.end;
  }
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
  if (body === TOO_LARGE || exceeds(body, limit)) {
    const { code, message } = tooLarge(limit);
    throw new Failure(code, message);
  }
  if (typeof body === 'string') return body;
  const text = decode(body);
  if (text !== undefined) return text;
  // Invalid bytes are decoded as U+FFFD, whose first byte, 0xEF, may equal the first invalid byte.
  const decoded = encode(LENIENT_DECODER.decode(body));
  const differs = decoded.findIndex((byte, index) => byte !== body[index]);
  const at = decoded.lastIndexOf(REPLACEMENT[0]!, differs);
  throw new Failure(
    'invalid_json',
    `Expected a body in UTF-8, got an invalid byte sequence at byte ${at + 1}`,
  );
}

/** The refusal of a body over a limit. */
export function tooLarge(limit: number): FailureContent {
  return failureOf('body_too_large', `Expected a body of up to ${limit} bytes`);
}

/** The refusal of a bulk request over a limit. */
export function bulkTooLarge(limit: number): FailureContent {
  const expected = `Expected a bulk request of up to ${limit} bytes`;
  return failureOf('body_too_large', `${expected}: send its lines in several requests`);
}

/** Whether a body has more bytes than a limit. */
export function exceeds(body: Uint8Array | string, limit: number): boolean {
  if (typeof body !== 'string') return body.length > limit;
  return body.length * MAXIMUM_UNIT_SIZE > limit && encode(body).length > limit;
}
