/**
 * The buffer between the body of a bulk request and the calculation. A body is passed on when it has ended, or when
 * more of it has arrived than its room holds; from then on, it is passed on as it arrives.
 *
 * HTTP/1 allows an answer before the end of its request (RFC 9110 section 7.5), but many programs send before they
 * read, and would wait for a service that waits for them. A server in Go, and so a proxy in Go, discards bytes of the
 * request when its answer begins (golang/go issue 15527); nginx stops forwarding the request.
 */
import type { Exchange } from '../../server/exchange.ts';
import { ByteQueue } from '../../service/body.ts';
import { FREE_SIZE, type Reservation } from './room.ts';

/**
 * Reads a body, whose first bytes have perhaps been read, ahead of its consumer. Throws if the connection, or the
 * answer, ends before the end of the body.
 */
export async function* readAhead(
  exchange: Pick<Exchange, 'request' | 'response' | 'isWritable'>,
  reservation: Reservation,
  bytes: ByteQueue = new ByteQueue(),
): AsyncGenerator<Uint8Array> {
  const { request, response } = exchange;
  let hasBegun = false;
  let wake = (): void => undefined;
  const excess = (): number => Math.max(0, bytes.size - FREE_SIZE);
  const isFull = (): boolean => excess() > reservation.size;
  const onData = (chunk: Buffer): void => {
    bytes.add(chunk);
    if (isFull()) request.pause();
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
    hasBegun ||= hasEnded || isFull();
    const part = hasBegun ? bytes.take() : undefined;
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
