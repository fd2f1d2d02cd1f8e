/** Bulk requests on node:http. */
import { failureOf } from '../../contract/failure.ts';
import { deepFreeze } from '../../contract/freeze.ts';
import { answerLines, BULK_ANSWER, emptyTally, type Tally } from '../../lines/lines.ts';
import { TimeSlicer } from '../../lines/time-slicer.ts';
import type { Exchange } from '../../server/exchange.ts';
import { IDLE_TIMEOUT } from '../../server/limits.ts';
import { report } from '../../server/observer.ts';
import { type Answer, envelopeAnswer } from '../../service/answer.ts';
import { bulkTooLarge, type ByteQueue } from '../../service/body.ts';
import { requestId } from '../../service/request.ts';
import type { PostRoute } from '../../service/service.ts';
import type { Holder, Room } from './room.ts';

// Shared by all bulk requests of the process on purpose: together they take one slice per turn of the event loop.
const slicer = new TimeSlicer();

const FULL = 'Other bulk requests use all the memory for bulk requests';
/** The answer to a bulk request for whose body there is no room. */
export const NO_ROOM = deepFreeze(envelopeAnswer(failureOf('overloaded', FULL)));

/**
 * Returns the function that reads a bulk request to its end, and then answers it line by line. Many programs, and
 * proxies in Go, cannot send a request any further once its answer begins (golang/go issue 15527).
 */
export function bulkAnswerer(room: Room): (exchange: Exchange, route: PostRoute) => void {
  const tooLarge = deepFreeze(envelopeAnswer(bulkTooLarge(room.maximum)));
  return (exchange, route) => {
    const isTooLarge = Number(exchange.request.headers['content-length']) > room.maximum;
    if (isTooLarge) exchange.send(tooLarge);
    else new BulkRequest(exchange, route, room, tooLarge).read();
  };
}

/** A bulk request. While it is read, it can be refused; the connection is reset if the answers cannot be completed. */
class BulkRequest implements Holder {
  held = 0;
  private readonly exchange: Exchange;
  private readonly route: PostRoute;
  private readonly room: Room;
  private readonly tooLarge: Answer;
  /** Whether the whole answer has been sent. */
  private isSent = false;
  private stopReading = (): void => undefined;

  constructor(exchange: Exchange, route: PostRoute, room: Room, tooLarge: Answer) {
    this.exchange = exchange;
    this.route = route;
    this.room = room;
    this.tooLarge = tooLarge;
  }

  scoreAt(now: number): number {
    return this.exchange.connection.scoreAt(now);
  }

  giveWay(): void {
    const { app, connection, request } = this.exchange;
    if (request.readableEnded) {
      connection.reset('slow');
      return;
    }
    report(app.observers, 'overloaded', 'bulk requests');
    this.refuse(NO_ROOM);
  }

  /** Reads the body to its end, and answers it. */
  read(): void {
    const { exchange, room } = this;
    const { connection, response } = exchange;
    connection.bulk = response;
    response.on('close', () => this.leave());
    connection.socket.setTimeout(IDLE_TIMEOUT);
    exchange.sendContinue();
    const done = (bytes: ByteQueue): void => {
      if (bytes.size > room.maximum) this.refuse(this.tooLarge);
      else this.answer(bytes);
    };
    this.stopReading = exchange.readBody(room.maximum, done, (size) => room.hold(this, size));
  }

  private refuse(answer: Answer): void {
    const { exchange } = this;
    this.stopReading();
    this.leave();
    exchange.attempt(() => exchange.send(answer));
  }

  private leave(): void {
    this.exchange.connection.bulk = undefined;
    this.room.note(this, 0);
  }

  /** Answers the lines of a body. */
  private answer(bytes: ByteQueue): void {
    const { exchange, route } = this;
    const { app, connection, request, response } = exchange;
    const id = requestId(request);
    const tally = emptyTally();
    response.on('close', () => {
      // Nobody needs the rest, whose turn may come much later.
      bytes.clear();
      connection.noteEnd(tally.bytes);
      this.reportEnd(id, tally);
    });
    const onFault = (fault: unknown, line: number): void =>
      report(app.observers, 'faulted', fault, id, line);
    const answers = answerLines(route, this.partsOf(bytes), onFault, tally, slicer);
    this.send(answers).catch((fault: unknown) => connection.fail(request, fault));
  }

  /** The parts of a body, each of which leaves the room when it is passed on. */
  private *partsOf(bytes: ByteQueue): Generator<Uint8Array> {
    for (const part of bytes.take()) {
      this.room.note(this, bytes.size);
      yield part;
    }
  }

  /** Sends the parts of the answer no faster than the client takes them, and the head before the first of them. */
  private async send(parts: AsyncIterable<Uint8Array>): Promise<void> {
    const { connection, response } = this.exchange;
    let wake = (): void => undefined;
    response.on('drain', () => wake()).on('close', () => wake());
    for await (const part of parts) {
      if (!this.canSend()) return;
      const isTaken = response.write(part);
      connection.noteProgress();
      if (isTaken) continue;
      await new Promise<void>((resolve) => (wake = resolve));
    }
    if (!this.canSend()) return;
    response.on('finish', () => (this.isSent = true));
    response.end();
  }

  /** Begins the answer unless it has begun. Returns whether a further part can be sent. */
  private canSend(): boolean {
    return this.exchange.begin(BULK_ANSWER) || this.exchange.isWritable;
  }

  /** Reports the end of the request, whose client may have left before or during the answer. */
  private reportEnd(id: string | undefined, { succeeded, failed, bytes }: Tally): void {
    const { exchange, isSent } = this;
    if (!exchange.response.headersSent) return exchange.abandon();
    const lines = { succeeded, failed };
    exchange.reportEnd({ id, status: 200, bytes, isAborted: !isSent, lines });
  }
}
