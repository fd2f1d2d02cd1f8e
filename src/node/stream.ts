/** Bulk requests on node:http: the lines are answered while they arrive. */
import type { Socket } from 'node:net';
import { pipeline } from 'node:stream';
import { answerLines, emptyTally, TimeSlicer } from '../http/bulk.ts';
import type { PostRoute } from '../http/service.ts';
import { connectionOf } from './connection.ts';
import type { Exchange } from './exchange.ts';
import { IDLE_TIMEOUT, RECEIVE_BUFFER, STALL_TIMEOUT } from './limits.ts';
import { ReadAhead } from './read-ahead.ts';

/** Milliseconds between two checks of whether the client reads its answers. */
const WATCH_INTERVAL = 1_000;

// Shared by all bulk requests of the process on purpose: together they take one slice per turn of the event loop.
const slicer = new TimeSlicer();

/** Answers a bulk request line by line. The connection is reset if the answers cannot be completed. */
export function answerBulk(exchange: Exchange, { limit, answer }: PostRoute): void {
  const { app, request, response, startedAt } = exchange;
  const { recorder, bulkBuffer } = app;
  const { socket } = request;
  const connection = connectionOf(app, socket);
  const tally = emptyTally();
  exchange.beginBulkAnswer();
  connection.beginBulkAnswer();
  response.setTimeout(IDLE_TIMEOUT, () => connection.reset('idle'));

  // A client that declares the length may send all lines before it reads an answer. So does nginx, which stops
  // forwarding a request once the response has begun.
  const waitsForEnd = Number(request.headers['content-length']) <= bulkBuffer.limit;
  const source = new ReadAhead(bulkBuffer, waitsForEnd);
  if (!waitsForEnd) response.flushHeaders();
  const watch = watchReader(socket, source, () => connection.reset('unread'));
  const onFault = (fault: unknown, line: number): void => recorder.faulted(request, fault, line);
  const answers = async function* (chunks: AsyncIterable<Buffer>): AsyncGenerator<Uint8Array> {
    try {
      yield* answerLines(chunks, { limit, answer, tally, slicer, onFault });
    } catch (fault) {
      // If the client has left, reading the body fails for this reason.
      if (!socket.destroyed) {
        recorder.faulted(request, fault);
        connection.reset('fault');
      }
      throw fault;
    }
  };
  pipeline(request, source, answers, response, (error) => {
    clearInterval(watch);
    // pipeline removes it from a request that it destroys; the log contains its address.
    request.socket = socket;
    connection.hasBulkAnswer = false;
    if (tally.bytes > RECEIVE_BUFFER) connection.noteLargeAnswer();
    recorder.answeredBulk(request, tally, startedAt, !error);
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
