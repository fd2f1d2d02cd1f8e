/**
 * A connection, whose requests are answered one at a time and in order.
 *
 * node:http parses all bytes of a read, up to 64 KiB, before anything else runs, and emits every request in them: up to
 * 2,600. It then hands the socket to one response after the other. Here, a request begins when its response gets the
 * socket, which is after the answer before it has left the process. Until then, the request has no cost but that of its
 * objects, and the connection is not read.
 *
 * | state | response with the socket | responses that wait | socket |
 * |---|---|---|---|
 * | idle | none | 0 | is read |
 * | answering | one | 0 | is read, because the rest of a body may follow |
 * | pipelining | one | 1 to MAXIMUM_WAITING | is paused |
 * | refusing, until the answers before the refusal are sent | one | 0 to MAXIMUM_WAITING | is paused |
 * | refused | none | 0 | is read, discarded, and closed after `lingerTime` |
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { Failure } from '../contract/failure.ts';
import { failureAnswer } from '../http/answer.ts';
import { METHODS, requestId } from '../http/request.ts';
import { currentResponse, onceAssigned, stopReading, watchParser } from './undocumented.ts';
import { HEADERS_TIMEOUT, IDLE_TIMEOUT, LINGER_TIME, MAXIMUM_WAITING } from './limits.ts';
import type { RequestRecorder } from './recorder.ts';
import { failureCodeOf } from './protocol.ts';
import type { WorkQueue } from './queue.ts';
import { answerOnSocket, resetSocket } from './refusal.ts';

/** The parts that the connections of a process share. */
export interface ConnectionParts {
  readonly recorder: RequestRecorder;
  readonly queue: WorkQueue;
  /** The open connections; on a server of another program, those whose state has mattered so far. */
  readonly connections: Set<Connection>;
}

// Shared by all servers of the process, because a socket belongs to one of them.
const connections = new WeakMap<Socket, Connection>();

/** Returns the connection of a socket. The first call creates it, and states whether the client may half-close it. */
export function connectionOf(
  parts: ConnectionParts,
  socket: Socket,
  isHalfOpen = false,
): Connection {
  const known = connections.get(socket);
  if (known !== undefined) return known;
  const connection = new Connection(parts, socket, isHalfOpen);
  connections.set(socket, connection);
  parts.connections.add(connection);
  socket.on('close', () => parts.connections.delete(connection));
  return connection;
}

/** Returns the connection of a socket that `connectionOf` has returned before. */
export function knownConnection(socket: Socket): Connection | undefined {
  return connections.get(socket);
}

/** A connection with a client. */
export class Connection {
  /** Whether a bulk answer is being sent, which would look complete if it were cut without a reset. */
  hasBulkAnswer = false;
  readonly socket: Socket;
  private readonly parts: ConnectionParts;
  /** Bytes that had been read when a large answer ended. With more, the client has read the answer and gone on. */
  private largeAnswerAt: number | undefined;
  /** Whether node:http has removed the listener that continues a bulk answer after a pause. */
  private hasConnect = false;
  /** Whether the connection was not read for some time since the last check of the time limits. */
  private hasBeenHeld = false;
  private isTurnOver = false;
  /** Whether to resume the socket when it is no longer held. */
  private resumesOnRelease = false;
  /** The requests whose heads have arrived so far. */
  private requests = 0;
  private readonly waiting: ServerResponse[] = [];
  private state: 'open' | 'refusing' | 'refused' = 'open';
  private refuse: () => void = () => undefined;

  constructor(parts: ConnectionParts, socket: Socket, isHalfOpen: boolean) {
    this.parts = parts;
    this.socket = socket;
    // node:http removes its own listener when it hands the socket over, for example after CONNECT. Without a listener,
    // a reset by the client would end the process.
    socket.on('error', () => undefined);
    // Unlike `allowHalfOpen`, a server of another program ends the answer when the client half-closes, and would send
    // the end of the connection before a reset that comes later.
    socket.prependListener('end', () => {
      if (this.hasBulkAnswer && !isHalfOpen) this.reset('half-close');
    });
    watchParser(socket, () => {
      this.requests += 1;
    });
    // node:http resumes the socket whenever a body is read or discarded.
    socket.on('resume', () => {
      if (!this.isHeld) return;
      this.resumesOnRelease = true;
      stopReading(socket);
    });
  }

  /** Whether the socket must not be read, although node:http may resume it. */
  private get isHeld(): boolean {
    return this.isTurnOver || this.waiting.length > 0 || this.state === 'refusing';
  }

  /** Begins a bulk answer. */
  beginBulkAnswer(): void {
    this.hasBulkAnswer = true;
    if (this.hasConnect) this.reset('CONNECT');
  }

  /** Reads no more until `beginTurn`. */
  endTurn(): void {
    this.hold(false);
    this.isTurnOver = true;
  }

  /** Reads on after `endTurn`; if `hasRoom` is false, only when node:http resumes the socket. */
  beginTurn(hasRoom: boolean): void {
    this.isTurnOver = false;
    if (hasRoom) this.resumesOnRelease = true;
    this.release();
  }

  /** Stops reading; an earlier cause keeps its own `resumesOnRelease`. */
  private hold(resumesOnRelease: boolean): void {
    if (!this.isHeld) this.resumesOnRelease = resumesOnRelease;
    this.hasBeenHeld = true;
    stopReading(this.socket);
  }

  private release(): void {
    if (!this.isHeld && this.resumesOnRelease) this.socket.resume();
  }

  /** Whether requests wait for the answers before theirs. */
  get hasWaiting(): boolean {
    return this.waiting.length > 0;
  }

  /**
   * Milliseconds for which input is read after a refusal. Closing the connection with unread input would discard the
   * part of a large answer that a slow client has yet to receive (RFC 9112 section 9.6).
   */
  get lingerTime(): number {
    return this.largeAnswerAt === undefined ? LINGER_TIME : IDLE_TIMEOUT;
  }

  /** Whether the client's kernel may lack a part of an answer that has ended. */
  get isSending(): boolean {
    const { socket } = this;
    return socket.writableLength > 0 || this.largeAnswerAt === socket.bytesRead;
  }

  /** Notes that an answer which has ended is larger than a kernel accepts from a peer for certain. */
  noteLargeAnswer(): void {
    this.largeAnswerAt = this.socket.bytesRead;
  }

  /** Ends the side of the service after a large answer: the client closes the connection when it has read it. */
  endAfterLargeAnswer(): void {
    const { socket } = this;
    const isBusy = currentResponse(socket) !== undefined || socket.writableLength > 0;
    if (!isBusy && this.isSending) socket.end();
  }

  /** Calls `begin` when the response gets the socket. The connection may close before. */
  wait(response: ServerResponse, begin: () => void): void {
    const { parts, socket, waiting } = this;
    if (this.state !== 'open' || !socket.writable || response.writableEnded) return;
    if (waiting.length === MAXIMUM_WAITING) {
      this.reset('pipelining');
      return;
    }
    // node:http has paused the socket if it buffers enough of a body, and resumes it when the body is read.
    this.hold(!socket.isPaused());
    waiting.push(response);
    onceAssigned(response, () => {
      waiting.shift();
      if (this.state === 'refusing' && !response.req.complete) {
        this.refuse();
        return;
      }
      this.release();
      parts.queue.add(() => {
        // The response emits its end only once.
        if (!socket.destroyed) begin();
      });
    });
  }

  /** Resets the connection, and logs the reason. */
  reset(reason: string): void {
    const { parts, socket } = this;
    if (socket.destroyed) return;
    parts.recorder.reset(socket, reason, currentResponse(socket)?.req);
    resetSocket(socket);
  }

  /** Closes a connection without traffic. */
  onTimeout(): void {
    if (this.socket.writableLength > 0) this.reset('unread');
    else this.socket.destroy();
  }

  /** Refuses CONNECT. */
  onConnect(request: IncomingMessage): void {
    const failure = new Failure('method_not_allowed', `Expected one of ${METHODS}, got CONNECT`);
    this.hasConnect = true;
    if (this.hasBulkAnswer) this.reset('CONNECT');
    else this.refuseInTurn(failure, 'CONNECT', request);
  }

  /** Refuses a request that the parser or a timer of node:http has rejected. */
  onClientError(error: NodeJS.ErrnoException): void {
    const code = failureCodeOf(error);
    const reason = error.code ?? error.message;
    const isInBulkRequest =
      this.hasBulkAnswer && currentResponse(this.socket)?.req.complete === false;
    // A bulk request has no time limit as long as bytes arrive.
    if (code === 'request_timeout' && isInBulkRequest) return;
    if (code === 'request_timeout' && this.hasBeenHeld) this.extendTime(error);
    else if (isInBulkRequest) this.reset(reason);
    else this.refuseInTurn(new Failure(code), reason);
  }

  /** Checks a time limit again later, because the time in which the connection was not read does not count. */
  private extendTime(error: NodeJS.ErrnoException): void {
    const { requests } = this;
    const latest = (this.waiting.at(-1) ?? currentResponse(this.socket))?.req;
    // Without an incomplete request, the head of the next one is incomplete.
    const request = latest?.complete === false ? latest : undefined;
    this.hasBeenHeld = this.isHeld;
    const check = (): void => {
      const isIncomplete = request === undefined ? this.requests === requests : !request.complete;
      if (isIncomplete && !this.socket.destroyed) this.onClientError(error);
    };
    setTimeout(check, HEADERS_TIMEOUT).unref();
  }

  /**
   * Ends the connection because the process ends: with a refusal if a request is unanswered, or with a reset if an
   * answer is incomplete. Returns whether a refusal is being sent.
   */
  shutDown(): boolean {
    const request = unansweredRequest(this.socket);
    if (request !== undefined) {
      this.refuseNow(
        new Failure('overloaded', 'The service is shutting down'),
        'shutdown',
        request,
      );
      return true;
    }
    if (this.hasBulkAnswer || this.socket.writableLength > 0) this.reset('shutdown');
    return false;
  }

  /** Refuses the request that is arriving when the requests before it have been answered. */
  private refuseInTurn(failure: Failure, reason: string, request?: IncomingMessage): void {
    if (this.state !== 'open') return;
    this.refuse = () => this.refuseNow(failure, reason, request ?? unansweredRequest(this.socket));
    const last = this.waiting.at(-1) ?? currentResponse(this.socket);
    const isLastComplete = last?.req.complete === true;
    if (!isLastComplete && this.waiting.length === 0) {
      this.refuse();
      return;
    }
    this.hold(false);
    this.state = 'refusing';
    if (isLastComplete) last.once('close', this.refuse);
  }

  /** Answers on the socket itself, and closes the connection. */
  private refuseNow(failure: Failure, reason: string, request: IncomingMessage | undefined): void {
    const { socket } = this;
    const { recorder } = this.parts;
    this.state = 'refused';
    const id = (request && requestId(request)) ?? recorder.newId();
    const allow = failure.code === 'method_not_allowed' ? ['Allow', METHODS] : [];
    const isSent = answerOnSocket(socket, failureAnswer(failure, allow), id, this.lingerTime);
    if (isSent) recorder.refused(socket, id, failure.code, reason, request);
  }
}

/** The request whose response has the socket, if it has not been answered. */
function unansweredRequest(socket: Socket): IncomingMessage | undefined {
  const response = currentResponse(socket);
  return response?.headersSent === false ? response.req : undefined;
}
