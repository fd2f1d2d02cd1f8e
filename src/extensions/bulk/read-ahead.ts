/**
 * The buffer between the body of a bulk request and the calculation. Many clients, and nginx, read no answer before
 * they have sent all lines; without a buffer, client and service would wait for each other.
 *
 * | body | is passed on | is read |
 * |---|---|---|
 * | of a declared length up to the size of the buffer | when it has arrived | to its end |
 * | any other | as it arrives | until the buffer is full |
 */
import type { Exchange } from '../../server/exchange.ts';
import { ByteQueue } from '../../service/body.ts';
import { FREE_SIZE, type Reservation } from './room.ts';

/**
 * Reads a body, whose first bytes have perhaps been read, ahead of its consumer. Throws if the connection, or the
 * answer, ends before the end of the body.
 */
export async function* readAhead(
  exchange: Pick<Exchange, 'connection' | 'request' | 'response' | 'isWritable'>,
  reservation: Reservation,
  waitsForEnd: boolean,
  bytes: ByteQueue = new ByteQueue(),
): AsyncGenerator<Uint8Array> {
  const { connection, request, response } = exchange;
  let wake = (): void => undefined;
  const excess = (): number => Math.max(0, bytes.size - FREE_SIZE);
  const isFull = (): boolean => !waitsForEnd && excess() >= reservation.size;
  const onData = (chunk: Buffer): void => {
    bytes.add(chunk);
    if (isFull()) connection.attempt(request, () => request.pause());
    wake();
  };
  request.on('data', onData);
  request.on('end', () => {
    reservation.shrink(excess());
    wake();
  });
  request.on('close', () => wake());
  response.on('close', () => wake());
  if (!isFull()) request.resume();
  for (;;) {
    const hasEnded = request.readableEnded;
    const part = hasEnded || !waitsForEnd ? bytes.take() : undefined;
    if (part !== undefined) {
      if (hasEnded) reservation.shrink(excess());
      else if (!isFull()) request.resume();
      yield part;
    } else if (hasEnded) {
      return;
    } else if (request.destroyed || !exchange.isWritable) {
      // Nobody keeps the rest, which may still arrive.
      request.off('data', onData).resume();
      throw new Error('The connection or the answer has ended before the end of the body');
    } else {
      await reservation.waitFor(new Promise<void>((resolve) => (wake = resolve)));
    }
  }
}
