/** Bulk requests on node:http: the lines are answered while they arrive. */
import type { IncomingMessage } from 'node:http';
import { Failure } from '../../contract/failure.ts';
import { deepFreeze } from '../../contract/freeze.ts';
import { connectionOf } from '../../server/connection.ts';
import type { Exchange } from '../../server/exchange.ts';
import { IDLE_TIMEOUT, RECEIVE_BUFFER } from '../../server/limits.ts';
import { report } from '../../server/observer.ts';
import { failureAnswer } from '../../service/answer.ts';
import { requestId } from '../../service/request.ts';
import type { PostRoute } from '../../service/service.ts';
import { answerLines, BULK_ANSWER, emptyTally, type Tally } from './lines.ts';
import { readAhead } from './read-ahead.ts';
import type { Reservation, Room } from './room.ts';
import { TimeSlicer } from './time-slicer.ts';

// Shared by all bulk requests of the process on purpose: together they take one slice per turn of the event loop.
const slicer = new TimeSlicer();

const FULL = 'Other bulk requests use all the memory for bulk requests';
/** The answer to a bulk request for whose body there is no room. */
export const NO_ROOM = deepFreeze(failureAnswer(new Failure('overloaded', FULL)));

/**
 * Returns the function that answers bulk requests line by line, or refuses them if there is no room for their bodies.
 * The connection is reset if the answers cannot be completed.
 */
export function bulkAnswerer(room: Room): (exchange: Exchange, route: PostRoute) => void {
  return (exchange, route) => answerBulk(room, exchange, route);
}

function answerBulk(room: Room, exchange: Exchange, route: PostRoute): void {
  const reservation = reserve(room, exchange);
  if (reservation !== undefined) {
    answerWithin(reservation, exchange, route);
    return;
  }
  // After a pause of the process, bytes of slow clients may be in the kernel. They are read before a client is reset.
  setImmediate(() => {
    if (!exchange.isOpen) {
      exchange.abandon();
      return;
    }
    room.resetSlow();
    const freed = reserve(room, exchange);
    if (freed !== undefined) {
      answerWithin(freed, exchange, route);
      return;
    }
    report(exchange.app.observers, 'shed', 'bulk requests');
    exchange.send(NO_ROOM);
  });
}

/** The length of a body in bytes; NaN if it is unknown. */
function lengthOf({ headers }: IncomingMessage): number {
  return headers['transfer-encoding'] === undefined ? Number(headers['content-length'] ?? 0) : NaN;
}

function reserve(room: Room, { app, request }: Exchange): Reservation | undefined {
  const { socket } = request;
  return room.reserve(lengthOf(request), {
    progress: () => socket.bytesRead + socket.bytesWritten - socket.writableLength,
    reset: () => connectionOf(app, socket).reset('slow'),
  });
}

function answerWithin(
  reservation: Reservation,
  exchange: Exchange,
  { limit, answer }: PostRoute,
): void {
  const { app, request, response } = exchange;
  const id = requestId(request);
  const connection = connectionOf(app, request.socket);
  const tally = emptyTally();
  exchange.sendContinue();
  connection.lent = response;
  response.setTimeout(IDLE_TIMEOUT, () => connection.onTimeout());

  // A client that declares the length may send all lines before it reads an answer. So does nginx, which stops
  // forwarding a request once the response has begun.
  const waitsForEnd = lengthOf(request) <= reservation.room.maximum;
  const source = readAhead(exchange, reservation, waitsForEnd);
  if (!waitsForEnd) exchange.begin(BULK_ANSWER);
  const onFault = (fault: unknown, line: number): void =>
    report(app.observers, 'faulted', fault, id, line);
  const answers = answerLines(source, { limit, answer, tally, slicer, onFault });
  exchange.sendParts(BULK_ANSWER, answers).catch((fault: unknown) => {
    // If the client has left, reading the body fails for this reason.
    if (!exchange.isWritable) return;
    report(app.observers, 'faulted', fault, id);
    connection.reset('fault');
  });
  response.on('close', () => {
    reservation.release();
    connection.lent = undefined;
    if (tally.bytes > RECEIVE_BUFFER) connection.noteLargeAnswer();
    reportEnd(exchange, tally);
  });
}

/** Reports the end of a bulk request, whose client may have left before or during the answer. */
function reportEnd(exchange: Exchange, { succeeded, failed, bytes }: Tally): void {
  const { app, request, response, startedAt, sent } = exchange;
  if (sent === 'nothing') {
    exchange.abandon();
    return;
  }
  const id = requestId(request);
  const isAborted = sent !== 'all' || !response.writableFinished;
  const outcome = { id, status: 200, bytes, startedAt, isAborted };
  report(app.observers, 'answered', request, { ...outcome, lines: { succeeded, failed } });
}
