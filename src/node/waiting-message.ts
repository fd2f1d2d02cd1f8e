import { IncomingMessage } from 'node:http';
import { BodyBuffer } from '../http/body.ts';

/** A smaller piece is copied, because it would keep the read of up to 64 KiB in memory that contains it. */
const SMALL_PIECE = 16 * 1024;

/**
 * A request that can keep its body in one buffer while it waits for the answers before its own. node:http keeps each
 * chunk of a body as an object of some 400 bytes, and 64 KiB can hold 10,900 chunks.
 */
export class WaitingMessage extends IncomingMessage {
  private body: BodyBuffer | undefined;
  private hasEnded = false;

  /** Begins to keep the body, before any of it has arrived. */
  gather(): void {
    this.body = new BodyBuffer(Infinity);
  }

  /** Passes the body on to the reader of the request. */
  release(): void {
    const bytes = this.body?.take();
    this.body = undefined;
    if (bytes !== undefined && bytes.length > 0) super.push(bytes);
    if (this.hasEnded) super.push(null);
  }

  /** Adds a piece of the body, or null at its end. node:http reads no more of the body if the result is false. */
  override push(piece: Uint8Array | null): boolean {
    if (this.body === undefined) return super.push(piece);
    if (piece === null) this.hasEnded = true;
    else this.body.add(piece.length < SMALL_PIECE ? Buffer.from(piece) : piece);
    return this.body.size < this.readableHighWaterMark;
  }
}
