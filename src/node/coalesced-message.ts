import { IncomingMessage } from 'node:http';
import { knownConnection } from './connection.ts';

/** Pieces of a body that are buffered as they are; smaller ones after them are joined. */
const SEPARATE_PIECES = 8;
/** Maximum bytes of pieces that are joined. */
const BLOCK_SIZE = 16 * 1024;

/**
 * A request whose body is buffered in blocks. node:http pushes each chunk of the transfer coding, and a chunk of one
 * byte takes some 400 bytes; 64 KiB can hold 10,900 chunks.
 */
export class CoalescedMessage extends IncomingMessage {
  private pieces = 0;
  private block: Buffer | undefined;
  private used = 0;
  private hasRoom = true;

  override push(piece: Buffer | null): boolean {
    this.pieces += 1;
    if (this.pieces <= SEPARATE_PIECES) return super.push(piece);
    if (piece !== null && this.used + piece.length <= BLOCK_SIZE) return this.join(piece);
    this.pushBlock();
    this.hasRoom = super.push(piece);
    return this.hasRoom;
  }

  /** Joins the small pieces of a turn of the event loop, in which libuv would otherwise read up to 2 MiB. */
  private join(piece: Buffer): boolean {
    if (this.used === 0) {
      const connection = knownConnection(this.socket);
      connection?.endTurn();
      setImmediate(() => {
        this.pushBlock();
        connection?.beginTurn(this.hasRoom);
      });
    }
    this.block ??= Buffer.allocUnsafe(BLOCK_SIZE);
    this.used += piece.copy(this.block, this.used);
    return this.readableLength + this.used < this.readableHighWaterMark;
  }

  private pushBlock(): void {
    if (this.used === 0 || this.block === undefined) return;
    const bytes = Buffer.from(this.block.subarray(0, this.used));
    this.used = 0;
    this.hasRoom = super.push(bytes);
  }
}
