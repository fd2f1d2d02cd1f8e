/** The body of a request on node:http: kept until it is read, taken at once, or discarded. */
import { IncomingMessage } from 'node:http';
import { ByteQueue } from '../service/body.ts';
import { type Connection, knownConnection } from './connection.ts';
import { DISCARDED_BODY, FREE_CHUNKS, SMALLEST_CHUNK } from './limits.ts';
import { resumerOf } from './endings.ts';

/**
 * A request that keeps its body in few buffers until it is read, and can discard it. node:http would keep each chunk as
 * an object of some 400 bytes, and 64 KiB can hold 10,900 chunks.
 */
export class BodyMessage extends IncomingMessage {
  private readonly kept = new ByteQueue();
  private use: 'none' | 'read' | 'discard' = 'none';
  private onDiscard: (() => void) | undefined;
  private size = 0;
  private pieces = 0;

  /** Bytes that have arrived and have not been read. */
  get keptSize(): number {
    return this.kept.size;
  }

  /** Discards the rest of the body. Calls `onRead` after each read, which pauses the socket. */
  discard(onRead: () => void): void {
    this.use = 'discard';
    this.onDiscard = onRead;
    this.resume();
  }

  /** Adds a piece of the body, or null at its end. node:http pauses the socket if the result is false. */
  override push(piece: Uint8Array | null): boolean {
    // Before anyone reads, drop the null: node:http has set `complete`, and `_read` pushes the end later.
    if (piece === null) return this.use !== 'none' && super.push(null);
    this.size += piece.length;
    this.pieces += 1;
    if (this.hasTinyChunks) {
      knownConnection(this.socket)?.reset('tiny chunks');
      return false;
    }
    if (this.use === 'read') return super.push(piece);
    if (this.use === 'discard') {
      if (!this.socket.isPaused()) this.onDiscard?.();
      return false;
    }
    this.kept.add(piece);
    return this.kept.size < this.readableHighWaterMark;
  }

  /** Passes the kept part of the body on, when a reader demands it. */
  override _read(size: number): void {
    if (this.use === 'none') {
      this.use = 'read';
      if (this.kept.size > 0) super.push(this.kept.takeAll());
      if (this.complete) super.push(null);
    }
    if (!this.complete) super._read(size);
  }

  /** Whether the chunks are so small that they take long to parse. Reading on to refuse them would take as long. */
  private get hasTinyChunks(): boolean {
    return (
      this.pieces > FREE_CHUNKS
      && this.size < this.pieces * SMALLEST_CHUNK
      && this.headers['transfer-encoding'] !== undefined
    );
  }
}

/** Whether a request has a body; a chunked body may be empty. */
export function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

/**
 * Whether the body is so short that reading it takes less time than refusing it. node:http then reads and discards it
 * after a refusal, so that the connection can be reused.
 */
export function hasShortBody({ headers }: IncomingMessage): boolean {
  // A chunked body has no length. A client that expects 100-continue may omit the body after a refusal (RFC 9110
  // section 10.1.1).
  return Number(headers['content-length']) <= DISCARDED_BODY && headers.expect === undefined;
}

/**
 * Takes a body of up to `limit` bytes that has arrived completely; returns undefined if it is incomplete, empty or too
 * large. Reading through stream events takes a fifth of the time of a short request.
 */
export function takeBody(request: BodyMessage, limit: number): Buffer | undefined {
  const size = request.keptSize;
  // Without a size, read() returns only the first of several buffers since Node 26.
  const isTakeable = request.complete && size > 0 && size <= limit;
  return isTakeable ? (request.read(size) as Buffer) : undefined;
}

/**
 * Discards the body of an answered request, and calls `end` when it has arrived. If no byte of it has been read for
 * `lingerTime`, calls `end` and closes the connection. REQUEST_TIMEOUT applies, too.
 */
export function discardBody(request: BodyMessage, connection: Connection, end: () => void): void {
  const { socket, lingerTime } = connection;
  const resume = resumerOf(socket);
  const timer = setTimeout(() => {
    socket.on('finish', () => socket.destroy());
    end();
  }, lingerTime);
  request.on('close', () => clearTimeout(timer));
  request.on('end', end);
  request.discard(() => {
    timer.refresh();
    resume();
  });
}
