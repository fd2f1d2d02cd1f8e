/** Bulk requests on node:http. */
import type { IncomingMessage } from 'node:http';
import { failureOf } from '../../contract/failure.ts';
import { deepFreeze } from '../../contract/freeze.ts';
import { answerLines, BULK_ANSWER, emptyTally, type Tally } from '../../lines/lines.ts';
import { TimeSlicer } from '../../lines/time-slicer.ts';
import type { Exchange } from '../../server/exchange.ts';
import { IDLE_TIMEOUT } from '../../server/limits.ts';
import { report } from '../../server/observer.ts';
import { movedBytes } from '../../server/places.ts';
import { envelopeAnswer } from '../../service/answer.ts';
import type { ByteQueue } from '../../service/body.ts';
import { requestId } from '../../service/request.ts';
import type { PostRoute } from '../../service/service.ts';
import { readAhead } from './read-ahead.ts';
import { FREE_SIZE, type Holder, type Reservation, type Room } from './room.ts';

// Shared by all bulk requests of the process on purpose: together they take one slice per turn of the event loop.
const slicer = new TimeSlicer();

const FULL = 'Other bulk requests use all the memory for bulk requests';
/** The answer to a bulk request for whose body there is no room. */
export const NO_ROOM = deepFreeze(envelopeAnswer(failureOf('overloaded', FULL)));

/**
 * Returns the function that answers bulk requests line by line, or refuses them if there is no room for their bodies.
 * The connection is reset if the answers cannot be completed.
 */
export function bulkAnswerer(room: Room): (exchange: Exchange, route: PostRoute) => void {
  return (exchange, route) => {
    const reservation = room.reserve(lengthOf(exchange.request), holderOf(exchange));
    exchange.sendContinue();
    if (reservation !== undefined) answerWithRoom(reservation, exchange, route);
    else answerWithoutRoom(room, exchange, route);
  };
}

/** The length of a body in bytes; NaN if it is unknown. */
function lengthOf({ headers }: IncomingMessage): number {
  return headers['transfer-encoding'] === undefined ? Number(headers['content-length'] ?? 0) : NaN;
}

function holderOf({ connection }: Exchange): Holder {
  return {
    progress: () => movedBytes(connection.socket),
    reset: () => connection.reset('slow'),
  };
}

/**
 * Answers a bulk request for which there is no room. Like any request, it has REQUEST_TIMEOUT to send as many bytes as
 * need none. If more bytes arrive, it takes the room of slow clients, or is refused.
 */
function answerWithoutRoom(room: Room, exchange: Exchange, route: PostRoute): void {
  const { app, request } = exchange;
  const answer = (first: ByteQueue): void => {
    const lacksRoom = first.size > FREE_SIZE;
    if (lacksRoom) room.resetSlow();
    const length = lacksRoom ? lengthOf(request) : first.size;
    const reservation = room.reserve(length, holderOf(exchange));
    if (reservation !== undefined) {
      answerWithRoom(reservation, exchange, route, first);
      return;
    }
    report(app.observers, 'shed', 'bulk requests');
    exchange.send(NO_ROOM);
  };
  const onRead = (first: ByteQueue): void => {
    request.pause();
    // After a pause of the process, bytes of slow clients may be in the kernel. They are read before a client is reset.
    setImmediate(() => exchange.attempt(() => answer(first)));
  };
  exchange.readBody(FREE_SIZE, onRead);
}

/** Answers a bulk request, of whose body the first bytes may have been read. */
function answerWithRoom(
  reservation: Reservation,
  exchange: Exchange,
  route: PostRoute,
  first?: ByteQueue,
): void {
  const { app, connection, request, response } = exchange;
  const id = requestId(request);
  const tally = emptyTally();
  const writer = new AnswerWriter(exchange);
  connection.lent = response;
  response.on('close', () => {
    reservation.release();
    connection.lent = undefined;
    connection.noteEnd(tally.bytes);
    reportBulkEnd(exchange, writer.sent, tally);
  });

  const source = readAhead(exchange, reservation, first);
  const onFault = (fault: unknown, line: number): void =>
    report(app.observers, 'faulted', fault, id, line);
  const answers = answerLines(route, source, onFault, tally, slicer);
  const send = async (): Promise<void> => {
    response.setTimeout(IDLE_TIMEOUT, () => connection.onTimeout());
    await writer.send(answers, reservation);
  };
  send().catch((fault: unknown) => {
    // If the client has left, reading the body fails for this reason.
    if (exchange.isWritable) connection.fail(request, fault);
  });
}

/** Writes an answer in parts, no faster than the client takes them. */
class AnswerWriter {
  /** How much of the answer has been sent. */
  sent: 'nothing' | 'a part' | 'all' = 'nothing';
  private readonly exchange: Exchange;

  constructor(exchange: Exchange) {
    this.exchange = exchange;
  }

  /** Sends the parts, and the head before the first of them. */
  async send(parts: AsyncIterable<Uint8Array>, reservation: Reservation): Promise<void> {
    const { response } = this.exchange;
    let wake = (): void => undefined;
    response.on('drain', () => wake()).on('close', () => wake());
    for await (const part of parts) {
      if (!this.ensureBegun()) return;
      if (response.write(part)) continue;
      await reservation.waitFor(new Promise<void>((resolve) => (wake = resolve)));
    }
    if (!this.ensureBegun()) return;
    // A mock may emit both `finish` and `close` before `end` returns.
    response.on('finish', () => (this.sent = 'all'));
    response.end();
  }

  /** Begins the answer unless it has begun. Returns whether a further part can be sent. */
  private ensureBegun(): boolean {
    if (this.exchange.begin(BULK_ANSWER)) this.sent = 'a part';
    return this.sent !== 'nothing' && this.exchange.isWritable;
  }
}

/** Reports the end of a bulk request, whose client may have left before or during the answer. */
function reportBulkEnd(
  exchange: Exchange,
  sent: AnswerWriter['sent'],
  { succeeded, failed, bytes }: Tally,
): void {
  if (sent === 'nothing') {
    exchange.abandon();
    return;
  }
  const id = requestId(exchange.request);
  const isAborted = sent !== 'all';
  exchange.reportEnd({ id, status: 200, bytes, isAborted, lines: { succeeded, failed } });
}
