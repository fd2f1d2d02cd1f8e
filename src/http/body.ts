import { isUtf8 } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import { Failure } from '../contract/failure.ts';

/** A body as it came, as a text that it has proved to be, or undefined where there was too much to keep. */
export type Body = Buffer | string | undefined;

const NOTHING: Buffer = Buffer.alloc(0);
/** Bytes of a character of a string in UTF-8, at most. */
const CHARACTER_SIZE = 3;

/** Bytes that come in pieces, up to a limit; each is copied about twice at most, however small the pieces are. */
export class Gathering {
  /** How many have come. */
  size = 0;
  private bytes = NOTHING;
  private readonly limit: number;

  constructor(limit: number) {
    this.limit = limit;
  }

  /** Adds a piece; false, as long as there are more than the limit, of which none are kept. */
  add(piece: Buffer): boolean {
    const before = this.size;
    this.size += piece.length;
    if (this.size > this.limit) {
      this.bytes = NOTHING;
    } else if (before === 0) {
      this.bytes = piece; // often the only one
    } else if (piece.length > 0) {
      // Copied, not kept: a piece of one byte would hold on to all that was read from the socket with it.
      if (this.size > this.bytes.length) this.bytes = enlarged(this.bytes, before, Math.min(this.limit, 2 * this.size));
      piece.copy(this.bytes, before);
    }
    return this.size <= this.limit;
  }

  /** All of them, or undefined if there were too many; then begins anew. */
  take(): Buffer | undefined {
    const { bytes, size } = this;
    this.bytes = NOTHING;
    this.size = 0;
    if (size > this.limit) return undefined;
    return size === bytes.length ? bytes : bytes.subarray(0, size);
  }
}

function enlarged(bytes: Buffer, size: number, capacity: number): Buffer {
  const larger = Buffer.allocUnsafe(capacity);
  bytes.copy(larger, 0, 0, size);
  return larger;
}

/** Takes a body that has arrived completely: reading one by the events of a stream costs a fifth of a request. */
export function takeBody(request: IncomingMessage, limit: number): Buffer | undefined {
  const { readableLength: size, headers } = request;
  return size > 0 && size <= limit && size === Number(headers['content-length']) ? request.read() : undefined;
}

/**
 * Reads a body of up to `limit` bytes. Calls `done` with the bytes, or with undefined as soon as there are too many; or
 * `abandoned` if the connection closes before.
 */
export function readBody(
  request: IncomingMessage,
  limit: number,
  abandoned: () => void,
  done: (bytes: Buffer | undefined) => void,
): void {
  const body = new Gathering(limit);
  const finish = (): void => {
    request.off('data', onData).off('end', onEnd).off('close', onClose);
  };
  const onData = (chunk: Buffer): void => {
    if (body.add(chunk)) return;
    finish();
    done(undefined);
  };
  const onEnd = (): void => {
    finish();
    done(body.take());
  };
  const onClose = (): void => {
    finish();
    abandoned();
  };
  request.on('data', onData).on('end', onEnd).on('close', onClose);
}

/** Whether a body has more bytes than the limit. */
export function isLarger(body: Buffer | string, limit: number): boolean {
  if (typeof body !== 'string') return body.length > limit;
  return body.length * CHARACTER_SIZE > limit && Buffer.byteLength(body) > limit;
}

/** The text of a body in UTF-8. Throws `invalid_json`, which says at which byte it is not. */
export function decodeText(body: Buffer | string): string {
  const text = body.toString();
  // Whatever is not UTF-8 has been decoded as U+FFFD; most texts have none, sent or not.
  if (typeof body === 'string' || !text.includes('\ufffd') || isUtf8(body)) return text;
  const at = Buffer.from(text).findIndex((byte, index) => byte !== body[index]);
  throw new Failure('invalid_json', `Expected a body in UTF-8, got a byte sequence that is not at byte ${at + 1}`);
}
