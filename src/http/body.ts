import { isUtf8 } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import { Failure } from '../contract/failure.ts';

const NOTHING: Buffer = Buffer.alloc(0);

/** Bytes that come in pieces, up to a limit. */
export interface Gathering {
  /** Adds a piece; false, as long as there are more than the limit, of which none are kept. */
  readonly add: (piece: Buffer) => boolean;
  /** How many have come. */
  readonly size: () => number;
  /** All of them, or undefined if there were too many; then begins anew. */
  readonly take: () => Buffer | undefined;
}

/** Gathers up to `limit` bytes; each is copied about twice at most, however small the pieces are. */
export function gather(limit: number): Gathering {
  let bytes = NOTHING;
  let size = 0;
  return {
    add(piece) {
      const before = size;
      size += piece.length;
      if (size > limit) {
        bytes = NOTHING;
      } else if (before === 0) {
        bytes = piece; // nearly always the only one
      } else if (piece.length > 0) {
        // Copied, not kept: a piece of one byte would hold on to all that was read from the socket with it.
        if (size > bytes.length) bytes = enlarged(bytes, before, Math.min(limit, 2 * size));
        piece.copy(bytes, before);
      }
      return size <= limit;
    },
    size: () => size,
    take() {
      const taken = size > limit ? undefined : size === bytes.length ? bytes : bytes.subarray(0, size);
      bytes = NOTHING;
      size = 0;
      return taken;
    },
  };
}

function enlarged(bytes: Buffer, size: number, capacity: number): Buffer {
  const larger = Buffer.allocUnsafe(capacity);
  bytes.copy(larger, 0, 0, size);
  return larger;
}

/**
 * Reads a body of up to `limit` bytes, counting as they come, and calls `done` once: with the bytes, or with undefined
 * as soon as there are too many. If the client goes away before, `done` is never called.
 */
export function readBody(request: IncomingMessage, limit: number, done: (bytes: Buffer | undefined) => void): void {
  const body = gather(limit);
  const onData = (chunk: Buffer): void => {
    if (body.add(chunk)) return;
    request.off('data', onData);
    request.off('end', onEnd);
    done(undefined);
  };
  const onEnd = (): void => done(body.take());
  request.on('data', onData);
  request.on('end', onEnd);
}

/** The text that bytes are in UTF-8. Throws `invalid_json`, which says at which byte they are not. */
export function decodeText(bytes: Buffer): string {
  const text = bytes.toString('utf8');
  if (isUtf8(bytes)) return text;
  const at = Buffer.from(text).findIndex((byte, index) => byte !== bytes[index]);
  throw new Failure('invalid_json', `Expected a body in UTF-8, got a byte sequence that is not at byte ${at + 1}`);
}
