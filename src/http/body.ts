import { isUtf8 } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import { Failure } from '../contract/failure.ts';

const NOTHING: Buffer = Buffer.alloc(0);

/**
 * Reads a body of up to `limit` bytes, counting as they come, and calls `done` once: with the bytes, or with undefined
 * as soon as there are too many. If the client goes away before, `done` is never called.
 */
export function readBody(request: IncomingMessage, limit: number, done: (bytes: Buffer | undefined) => void): void {
  let bytes = NOTHING;
  let size = 0;
  const onData = (chunk: Buffer): void => {
    const needed = size + chunk.length;
    if (needed > limit) {
      request.off('data', onData);
      request.off('end', onEnd);
      done(undefined);
      return;
    }
    if (size === 0) {
      bytes = chunk; // nearly always the only one
    } else {
      // Copied, not kept: a chunk of one byte would hold on to all that was read from the socket with it.
      if (needed > bytes.length) bytes = enlarged(bytes, size, Math.min(limit, 2 * needed));
      chunk.copy(bytes, size);
    }
    size = needed;
  };
  const onEnd = (): void => done(size === bytes.length ? bytes : bytes.subarray(0, size));
  request.on('data', onData);
  request.on('end', onEnd);
}

function enlarged(bytes: Buffer, size: number, capacity: number): Buffer {
  const larger = Buffer.allocUnsafe(capacity);
  bytes.copy(larger, 0, 0, size);
  return larger;
}

/** The text that bytes are in UTF-8. Throws `invalid_json`, which says at which byte they are not. */
export function decodeText(bytes: Buffer): string {
  const text = bytes.toString('utf8');
  if (isUtf8(bytes)) return text;
  const at = Buffer.from(text).findIndex((byte, index) => byte !== bytes[index]);
  throw new Failure('invalid_json', `Expected a body in UTF-8, got a byte sequence that is not at byte ${at + 1}`);
}
