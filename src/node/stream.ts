/** Bulk requests on node:http: the lines are answered while they arrive. */
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

type Reset = (reason: string) => void;

/** The reset of the last bulk request of each connection, until its answers are complete; several may be pipelined. */
const resets = new WeakMap<Duplex, Reset>();

/**
 * Returns the function that resets the connection of a bulk request in progress and logs the reason, or undefined if
 * there is no such request. Without a reset, a truncated answer would look complete.
 */
export function resetOf(socket: Duplex): Reset | undefined {
  return resets.get(socket);
}

/** Answers a bulk request line by line. The connection is reset if the answers cannot be completed. */
export function answerStream(exchange: Exchange, { limit, answer }: PostRoute): void {
  const { app: { observer, bulkBuffer }, request, response, startedAt } = exchange;
  const { socket } = request;
  const tally = emptyTally();
  const reset: Reset = (reason) => {
    if (socket.destroyed) return;
    observer.reset(request, reason);
    resetConnection(socket);
  };
  exchange.beginStream();
  resets.set(socket, reset);
  response.setTimeout(IDLE_TIMEOUT, () => reset('nothing was sent or received'));

  // A client that declares the length may send all lines before it reads an answer. So does nginx, which stops
  // forwarding a request once the response has begun.
  const isHeld = Number(request.headers['content-length']) <= bulkBuffer.limit;
  const source = new ReadAhead({ ...bulkBuffer, isHeld });
  if (!isHeld) response.flushHeaders();
  const watch = watchReader(socket, source, () => reset('the answers were not read'));
  const onFault = (fault: unknown, line: number): void => observer.faulted(request, fault, line);
  const answers = async function* (chunks: AsyncIterable<Buffer>): AsyncGenerator<Uint8Array> {
    try {
      yield* answerLines(chunks, { limit, answer, tally, slices, onFault });
    } catch (fault) {
      // If the client has left, reading the body fails for this reason.
      if (!socket.destroyed) {
        observer.faulted(request, fault);
        reset('an internal error');
      }
      throw fault;
    }
  };
  pipeline(request, source, answers, response, (error) => {
    clearInterval(watch);
    request.socket = socket; // pipeline removes it from a request that it destroys; the log contains its address.
    if (resets.get(socket) === reset) resets.delete(socket);
    observer.streamed(request, tally, startedAt, !error);
  });
}

/** Resets a TCP connection. Closes any other connection, such as a Unix domain socket, which cannot be reset. */
function resetConnection(socket: Socket): void {
  try {
    socket.resetAndDestroy();
  } catch {
    socket.destroy();
  }
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
