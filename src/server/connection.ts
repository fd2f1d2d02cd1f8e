/**
 * A connection, whose requests are answered one at a time and in order.
 *
 * node:http parses all bytes of a read before anything else runs, emits every request in them, and hands the socket to
 * one response after the other. Here, a request begins when its response gets the socket, which is after the answer
 * before it has left the process. Until then, its body is kept (`body.ts`).
 *
 * | state | begins | requests | input |
 * |---|---|---|---|
 * | open | with the connection | one in progress; up to MAXIMUM_WAITING wait | is parsed |
 * | refusing | with a refusal that waits for the answers before it | no further one is accepted | is not parsed |
 * | refused | when the refusal is sent | none | is discarded; the connection is closed after `lingerTime` |
 *
 * node:http reports once that a request exceeds REQUEST_TIMEOUT. Its connection is read for one more turn of the event
 * loop, and is then refused, unless it is a bulk request, for which IDLE_TIMEOUT applies instead.
 *
 * | a connection ends | by | its client sees |
 * |---|---|---|
 * | with the last answer, because its client asks for the end | node:http | the end of the answer |
 * | with the last answer, because the service ends it | `endOnSocket` | the same; its input is discarded |
 * | with a refusal: malformed, too late, CONNECT | `refuseInTurn`, `refuseNow` | the same |
 * | with a refusal at the deadline of the shutdown | `shutDown` | the same |
 * | idle: while draining, or because all places are taken | `close` | the end of the connection |
 * | while a request or an answer is incomplete, for any reason | `reset` | a reset, so that no part looks complete |
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { type FailureContent, failureOf } from '../contract/failure.ts';
import { envelopeAnswer } from '../service/answer.ts';
import { METHODS, newId, requestId } from '../service/request.ts';
import {
  IDLE_TIMEOUT,
  LINGER_TIME,
  MAXIMUM_WAITING,
  PROBE_DELAY,
  RECEIVE_BUFFER,
} from './limits.ts';
import { type Observer, report } from './observer.ts';
import { failureCodeOf, reasonOf } from './protocol.ts';
import { endOnSocket, messageOf, resetSocket } from './endings.ts';
import { type Place, Score } from './places.ts';
import type { Scheduler } from './scheduler.ts';
import {
  arrivingRequest,
  currentResponse,
  endsConnection,
  onceAssigned,
  onLastAnswer,
  watchParser,
} from './undocumented.ts';

/** The parts that the connections of a process share. */
export interface ConnectionParts {
  readonly observers: readonly Observer[];
  readonly scheduler: Scheduler;
}

/** A request that waits for the answers before its own. */
interface Waiting {
  readonly response: ServerResponse;
  /** Begins the request, or refuses it, when its response has got the socket. */
  begin: () => void;
}

/** The key of a socket that has a connection. A WeakMap of all sockets would take 2 % of the time of a new one. */
const CONNECTION = Symbol('connection');
type Keyed = Socket & { [CONNECTION]?: Connection };

/** Returns the connection of a socket. The first call creates it. */
export function connectionOf(parts: ConnectionParts, socket: Keyed): Connection {
  socket[CONNECTION] ??= new Connection(parts, socket);
  return socket[CONNECTION];
}

/** Returns the connection of a socket that `connectionOf` has returned before. */
export function knownConnection(socket: Keyed): Connection | undefined {
  return socket[CONNECTION];
}

/** A connection with a client. */
export class Connection implements Place {
  /** The response of the bulk request in progress, if any: only a reset shows that its answer is incomplete. */
  bulk: ServerResponse | undefined;
  readonly socket: Socket;
  private readonly parts: ConnectionParts;
  private state: 'open' | 'refusing' | 'refused' = 'open';
  /** Whether an answer was so large that a slow client may not yet have received all of it. */
  private hasLargeAnswer = false;
  private readonly waiting: Waiting[] = [];
  /** The requests whose heads have arrived so far. */
  private requests = 0;
  private readonly score = new Score();
  /** Bytes that had been read when the last request ended. */
  private readBefore = 0;

  constructor(parts: ConnectionParts, socket: Socket) {
    this.parts = parts;
    this.socket = socket;
    watchParser(socket, () => {
      this.requests += 1;
      const isEnding = endsConnection(currentResponse(socket));
      return this.state === 'open' && socket.writable && !isEnding;
    });
  }

  /**
   * Milliseconds for which input is read after the service has ended the connection. Closing the connection with unread
   * input would discard the part of an answer that the client has not yet received (RFC 9112 section 9.6).
   */
  get lingerTime(): number {
    return this.hasLargeAnswer ? IDLE_TIMEOUT : LINGER_TIME;
  }

  /** Notes the bytes that the client has moved until now. Until then, they count as if they had just moved. */
  noteProgress(): void {
    this.score.update(this.movedBytes, performance.now());
  }

  /** Notes that a request has an answer of a size, or that it has been read to its end afterwards. */
  noteEnd(size: number): void {
    this.noteProgress();
    this.readBefore = this.socket.bytesRead;
    this.hasLargeAnswer ||= size > RECEIVE_BUFFER;
    // The probes take four system calls once, which a connection that ends does not need.
    if (!endsConnection(currentResponse(this.socket))) this.socket.setKeepAlive(true, PROBE_DELAY);
  }

  /** Ends the connection with the answer in progress, and discards the input that follows. */
  endWithAnswer(): void {
    onLastAnswer(this.socket, () => endOnSocket(this.socket, '', this.lingerTime));
  }

  /** Whether a request is in progress, or a part of an answer has not left the process. */
  private get isBusy(): boolean {
    return currentResponse(this.socket) !== undefined || this.socket.writableLength > 0;
  }

  /** The bytes that the client has sent, and has taken of the answers, so far. */
  private get movedBytes(): number {
    const { bytesRead, bytesWritten, writableLength } = this.socket;
    return bytesRead + bytesWritten - writableLength;
  }

  /**
   * The score in the rule of places. A connection that awaits an answer, or its next part, scores Infinity: it gives
   * way only if all compared ones do. One whose client has yet to send or to read has the score of its bytes.
   */
  scoreAt(now: number): number {
    const { socket } = this;
    const awaitsAnswer = currentResponse(socket)?.req.complete && socket.writableLength === 0;
    return awaitsAnswer ? Infinity : this.score.update(this.movedBytes, now);
  }

  /**
   * Ends the connection, because it is idle, or because of its client; `reason` is reported if a reset is necessary. If
   * the client may lack a part of an answer, it has `lingerTime` to read that part.
   */
  close(reason: string): void {
    const { socket } = this;
    if (this.isBusy) this.reset(reason);
    else if (this.hasLargeAnswer) endOnSocket(socket, '', this.lingerTime);
    else socket.destroy();
  }

  /** Ends the connection unless a request is arriving or in progress. */
  endIfIdle(): void {
    if (!this.isBusy && this.socket.bytesRead === this.readBefore) this.close('idle');
  }

  get hasWaiting(): boolean {
    return this.waiting.length > 0;
  }

  /** Whether the service has ended the connection with a refusal, which it has recorded. */
  get isRefused(): boolean {
    return this.state === 'refused';
  }

  /** Calls `begin` when the response gets the socket. The connection may close before. */
  wait(response: ServerResponse, begin: () => void): void {
    const { parts, waiting } = this;
    if (waiting.length === MAXIMUM_WAITING) {
      this.reset('pipelining');
      return;
    }
    const item: Waiting = { response, begin };
    waiting.push(item);
    onceAssigned(response, () => {
      waiting.shift();
      // `begin` adds the work of the request to the scheduler, which may then find it too late.
      parts.scheduler.add(() => item.begin());
    });
  }

  /**
   * Resets the connection, and reports the reason; closes it if the service has already sent its last byte and ended
   * its side.
   */
  reset(reason: string): void {
    const { parts, socket } = this;
    if (socket.destroyed) return;
    // libuv refuses to reset a connection that is being shut down, and Node would then never close it.
    if (socket.writableEnded && socket.writableLength === 0) {
      socket.destroy();
      return;
    }
    report(parts.observers, 'reset', socket, reason, currentResponse(socket)?.req);
    resetSocket(socket);
  }

  /** Resets the connection because of a fault in a request, and reports both. */
  fail(request: IncomingMessage, fault: unknown): void {
    report(this.parts.observers, 'faulted', fault, requestId(request));
    this.reset('fault');
  }

  /** Resets a connection without traffic if its client does not read an answer, or has a bulk request in progress. */
  onTimeout(): void {
    if (this.socket.writableLength > 0) this.reset('unread');
    else if (this.bulk !== undefined) this.reset('idle');
  }

  onConnect(request: IncomingMessage): void {
    const { socket } = this;
    // node:http has removed its listeners. Without a listener of `error`, a reset by the client would end the process.
    socket.on('error', () => undefined);
    // The answers before the refusal still need these two.
    socket.on('drain', () => currentResponse(socket)?.emit('drain'));
    socket.on('timeout', () => this.onTimeout());
    const message = `Expected one of ${METHODS}, got CONNECT`;
    this.refuseInTurn(failureOf('method_not_allowed', message), 'CONNECT', request);
  }

  /** Refuses a request that the parser or a timer of node:http has rejected. */
  onClientError(error: NodeJS.ErrnoException): void {
    const code = failureCodeOf(error);
    const reason = reasonOf(error);
    if (code !== 'request_timeout') {
      this.refuseInTurn(failureOf(code), reason);
      return;
    }
    // Timers run before sockets are read: after a pause of the process, the rest of the request may be in the kernel.
    const { completeRequests } = this;
    setImmediate(() => {
      const { bulk, socket } = this;
      const isBulk = bulk !== undefined && bulk.req === arrivingRequest(socket);
      if (isBulk || this.completeRequests > completeRequests) return;
      this.refuseInTurn(failureOf(code), reason);
    });
  }

  /** The number of requests that have arrived completely. */
  private get completeRequests(): number {
    return this.requests - (arrivingRequest(this.socket) === undefined ? 0 : 1);
  }

  /**
   * Ends the connection because the process ends: with a refusal if a request is unanswered, or with a reset if an
   * answer is incomplete. Returns whether a refusal is being sent.
   */
  shutDown(): boolean {
    const response = currentResponse(this.socket);
    if (response?.headersSent === false) {
      const message = 'The service is shutting down';
      this.refuseNow(failureOf('overloaded', message), 'shutdown', response.req);
      return true;
    }
    if (this.bulk !== undefined || this.socket.writableLength > 0) this.reset('shutdown');
    return false;
  }

  /** Refuses the request that is arriving, if its head has arrived, when the requests before it have been answered. */
  private refuseInTurn(
    failure: FailureContent,
    reason: string,
    request = arrivingRequest(this.socket),
  ): void {
    if (this.state !== 'open' || !this.socket.writable) return;
    const refuse = (): void => this.refuseNow(failure, reason, request);
    const last = this.waiting.at(-1);
    const response = last?.response ?? currentResponse(this.socket);
    this.state = 'refusing';
    // When the client half-closes, node:http would end the connection after the answers that have begun. The only
    // listener is its own.
    this.socket.removeAllListeners('end');
    if (response === undefined) refuse();
    else if (response.req !== request) response.once('close', refuse);
    else if (last === undefined) refuse();
    else last.begin = refuse;
  }

  /** Answers on the socket itself, and closes the connection; if the client has left, its requests are abandoned. */
  private refuseNow(
    failure: FailureContent,
    reason: string,
    request: IncomingMessage | undefined,
  ): void {
    const { socket } = this;
    if (!socket.writable) return;
    this.state = 'refused';
    const response = currentResponse(socket);
    // The client would take a second answer to a request for that to its next one.
    const isAnswered =
      response === undefined ? arrivingRequest(socket) !== undefined : response.headersSent;
    if (isAnswered) {
      endOnSocket(socket, '', this.lingerTime);
      return;
    }
    const id = (request && requestId(request)) ?? newId();
    const allow = failure.code === 'method_not_allowed' ? ['Allow', METHODS] : [];
    const message = messageOf(envelopeAnswer(failure, '', allow), id);
    endOnSocket(socket, message, this.lingerTime);
    report(this.parts.observers, 'refused', socket, { id, code: failure.code, reason }, request);
  }
}
