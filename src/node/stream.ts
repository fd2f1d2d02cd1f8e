/** Bulk requests on node:http: the lines are answered while they arrive. */
import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { type Duplex, pipeline } from 'node:stream';
import { answerLines, emptyTally, Slices } from '../http/bulk.ts';
import type { PostRoute } from '../http/service.ts';
import type { Exchange } from './exchange.ts';
import { IDLE_TIMEOUT, STALL_TIMEOUT } from './limits.ts';
import { ReadAhead } from './read-ahead.ts';

/** Milliseconds between two checks of whether the client reads its answers. */
const WATCH_INTERVAL = 1_000;

// Shared by all bulk requests of the process on purpose: together they take one slice per turn of the event loop.
const slices = new Slices();

/** The last bulk request of each connection, until its answers are complete; several may be pipelined. */
const streaming = new WeakMap<Duplex, IncomingMessage>();

/** Whether a bulk request is in progress on a connection: if it ends early, it must end with a reset. */
export function isStreaming(socket: Duplex): boolean {
  return streaming.has(socket);
}

/** Answers a bulk request line by line. The connection is reset if the answers cannot be completed. */
export function answerStream(exchange: Exchange, { limit, answer }: PostRoute): void {
  const { app: { observer, bulkBuffer }, request, response, startedAt } = exchange;
  const { socket } = request;
  const tally = emptyTally();
  const reset = (reason: string): void => {
    observer.reset(request, reason);
    socket.resetAndDestroy();
  };
  exchange.beginStream();
  streaming.set(socket, request);
  response.setTimeout(IDLE_TIMEOUT, () => reset('nothing was sent or received'));

  // A client that declares the length may send all lines before it reads an answer. So does nginx, which stops
  // forwarding a request once the response has begun.
  const isHeld = Number(request.headers['content-length']) <= bulkBuffer.limit;
  const source = new ReadAhead({ ...bulkBuffer, isHeld });
  if (!isHeld) response.flushHeaders();
  const watch = watchReader(socket, source, () => reset('the answers were not read'));
  const onFault = (fault: unknown, line: number): void => observer.faulted(request, fault, line);
  const answers = (chunks: AsyncIterable<Buffer>): AsyncGenerator<Uint8Array> =>
    answerLines(chunks, { limit, answer, tally, slices, onFault });
  pipeline(request, source, answers, response, (error) => {
    clearInterval(watch);
    if (streaming.get(socket) === request) streaming.delete(socket);
    observer.streamed(request, tally, startedAt, !error);
  });
}

/** Reads ahead while the client reads no answers; calls `onStalled` if it still reads none when the buffer is full. */
function watchReader(socket: Socket, source: ReadAhead, onStalled: () => void): NodeJS.Timeout {
  let before = 0;
  let stalled = 0;
  return setInterval(() => {
    const taken = socket.bytesWritten - socket.writableLength;
    stalled = taken === before && socket.writableLength > 0 ? stalled + WATCH_INTERVAL : 0;
    before = taken;
    if (stalled > 0) source.extend();
    if (stalled >= STALL_TIMEOUT && source.isFull) onStalled();
  }, WATCH_INTERVAL).unref();
}
