/** A request of node:http and its response. */
import type { ServerResponse } from 'node:http';
import { type Answer, headersOf } from '../service/answer.ts';
import { ByteQueue } from '../service/body.ts';
import { newId, requestId } from '../service/request.ts';
import type { PostRoute, Service } from '../service/service.ts';
import { type BodyMessage, discardBody, hasBody, hasShortBody } from './body.ts';
import type { Connection, ConnectionParts } from './connection.ts';
import { IDLE_TIMEOUT, RECEIVE_BUFFER } from './limits.ts';
import { CLIENT_CLOSED_REQUEST, type Outcome, report } from './observer.ts';

/** The Expect header of a request (RFC 9110 section 10.1.1). */
export type Expectation = 'none' | '100-continue' | 'unknown';

/** The parts that requests share. */
export interface App extends ConnectionParts {
  readonly service: Service;
  /** Answers a bulk request: it takes over the response. Absent if the service accepts none. */
  readonly answerBulk?: (exchange: Exchange, route: PostRoute) => void;
  /** Whether the process is shutting down: it is not ready, and its answers close the connection. Set by `drain`. */
  isDraining: boolean;
}

/**
 * A request of node:http and its response. Only this class decides whether an answer can begin, and begins it. The
 * client may have left, or a refusal on the socket may have ended the connection. In both cases, the request counts as
 * one whose client has left.
 */
export class Exchange {
  readonly app: App;
  readonly connection: Connection;
  readonly request: BodyMessage;
  readonly response: ServerResponse;
  readonly expectation: Expectation;
  /** When the request began: a time of `performance.now`. */
  readonly startedAt: number;

  constructor(
    app: App,
    connection: Connection,
    request: BodyMessage,
    response: ServerResponse,
    expectation: Expectation,
  ) {
    this.app = app;
    this.connection = connection;
    this.request = request;
    this.response = response;
    this.expectation = expectation;
    this.startedAt = performance.now();
    if (this.isOpen) report(app.observers, 'began', response);
  }

  /** Does a part of the work of the request, unless the client has left, or leaves because the work throws. */
  attempt(work: () => void): void {
    try {
      if (this.isOpen) return work();
    } catch (fault) {
      this.connection.fail(this.request, fault);
    }
    this.abandon();
  }

  /** Adds a part of the work of the request to the scheduler. If it is late, the request is refused instead. */
  schedule(work: () => void): void {
    this.app.scheduler.add((isLate) => this.attempt(isLate ? () => this.refuseLate() : work));
  }

  /** Whether an answer can begin. */
  get isOpen(): boolean {
    return !this.response.headersSent && this.isWritable;
  }

  /** Whether an answer can begin or go on. */
  get isWritable(): boolean {
    return !this.response.destroyed && this.connection.socket.writable;
  }

  /** Sends an answer, and closes the connection if `close` is true or the request cannot be read to its end. */
  send(answer: Answer, close: boolean = this.isLast): void {
    const { app, request } = this;
    const { status, body, facts, fault } = answer;
    // Until a slow client has read it, node:http would keep both the string and its bytes.
    const isLargeText = typeof body === 'string' && body.length > RECEIVE_BUFFER;
    const sent = isLargeText ? { ...answer, body: Buffer.from(body) } : answer;
    const size = Buffer.byteLength(sent.body);
    // An answer of 200 has an id only if the client has sent one.
    const id = requestId(request) ?? (status === 200 ? undefined : newId());
    if (fault !== undefined) report(app.observers, 'faulted', fault, id);
    this.write(sent, size, id, close);
    const bytes = request.method === 'HEAD' ? 0 : size;
    this.reportEnd({ id, status, bytes, isAborted: false, facts });
  }

  /**
   * Reads the body to its end, or until it has more than `limit` bytes, and calls `done` with the bytes; before, calls
   * `onSize` with each number of bytes. The request is abandoned if the connection closes first. Returns the function
   * that stops reading, and frees the bytes.
   */
  readBody(
    limit: number,
    done: (bytes: ByteQueue) => void,
    onSize: (size: number) => void = () => undefined,
  ): () => void {
    const { connection, request } = this;
    const bytes = new ByteQueue();
    const stop = (): void => {
      request.off('data', onData).off('end', onEnd).off('close', onClose);
    };
    const onData = (chunk: Buffer): void => {
      bytes.add(chunk);
      connection.noteProgress();
      if (bytes.size > limit) onEnd();
      else onSize(bytes.size);
    };
    const onEnd = (): void => {
      stop();
      this.attempt(() => done(bytes));
    };
    const onClose = (): void => {
      stop();
      this.abandon();
    };
    request.on('data', onData).on('end', onEnd).on('close', onClose);
    return () => {
      stop();
      bytes.clear();
    };
  }

  /** Asks a client that expects 100-continue for the body. */
  sendContinue(): void {
    if (this.expectation === '100-continue') this.response.writeContinue();
  }

  /** Refuses a request that has waited too long. */
  refuseLate(): void {
    report(this.app.observers, 'overloaded', 'requests');
    this.send(this.app.service.overloaded);
  }

  /** Reports that the client has left, unless the service has refused the request on the socket itself. */
  abandon(): void {
    if (this.connection.isRefused) return;
    const id = requestId(this.request);
    this.reportEnd({ id, status: CLIENT_CLOSED_REQUEST, bytes: 0, isAborted: true });
  }

  /** Reports the end of the request. */
  reportEnd(end: Omit<Outcome, 'startedAt'>): void {
    const { app, request, startedAt } = this;
    report(app.observers, 'answered', request, { ...end, startedAt });
  }

  /** Begins an answer whose parts another module writes, if an answer can begin. Returns whether it has begun. */
  begin(answer: Answer): boolean {
    if (!this.isOpen) return false;
    const { request } = this;
    // Without a length, node:http ends a connection over HTTP/1.0 with the answer.
    const isClosing = this.isLast || request.httpVersion === '1.0';
    this.writeHead(answer, undefined, requestId(request), isClosing);
    return true;
  }

  /** Whether the service answers no further request of the connection. */
  private get isLast(): boolean {
    // node:http discards the bytes that follow an Upgrade request, and could not read a next request.
    if (this.request.headers.upgrade !== undefined) return true;
    return this.app.isDraining && !this.connection.hasWaiting;
  }

  /**
   * Writes the answer at once. The connection ends with the answer if `close` is true, or if the rest of the request
   * cannot be discarded.
   */
  private write(answer: Answer, size: number, id: string | undefined, close: boolean): void {
    const { connection, request, response } = this;
    const { body } = answer;
    // node:http marks a request without a body as complete only after its listener has returned.
    const isUnread = !request.complete && hasBody(request);
    // node:http reads a short body to its end, unless it closes the connection at the request of the client.
    const isDiscarded = response.shouldKeepAlive && hasShortBody(request);
    const isClosing = close || (isUnread && !isDiscarded);
    this.writeHead(answer, size, id, isClosing);
    if (isUnread && isClosing) {
      response.flushHeaders();
      if (body !== '') response.write(body);
      discardBody(request, connection, () => response.end());
    } else {
      response.end(body);
    }
    connection.noteEnd(size);
    // The rest of the body arrives after the answer.
    if (isUnread) request.on('end', () => connection.noteEnd(0));
    // The timeout is set only if the client does not keep up, because server.timeout would cost a timer per request.
    if (connection.socket.writableLength > 0) connection.socket.setTimeout(IDLE_TIMEOUT);
  }

  private writeHead(
    answer: Answer,
    size: number | undefined,
    id: string | undefined,
    isClosing: boolean,
  ): void {
    const { app, connection, request, response } = this;
    const headers = headersOf(answer, size, app.service.crossOrigin(request.headers.origin), id);
    if (isClosing) {
      headers.push('Connection', 'close');
      connection.endWithAnswer();
    }
    response.writeHead(answer.status, headers);
  }
}
