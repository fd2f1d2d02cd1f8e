/** A request of node:http and its response. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { type Answer, headersOf } from '../service/answer.ts';
import { requestId } from '../service/request.ts';
import type { PostRoute, Service } from '../service/service.ts';
import { discardBody, hasBody, hasShortBody } from './body.ts';
import { type ConnectionParts, connectionOf, knownConnection } from './connection.ts';
import { IDLE_TIMEOUT, RECEIVE_BUFFER } from './limits.ts';
import { CLIENT_CLOSED_REQUEST, newId, report } from './observer.ts';
import { hasReplacedWriteHead } from './undocumented.ts';

/** The Expect header of a request (RFC 9110 section 10.1.1). */
export type Expectation = 'none' | '100-continue' | 'unknown';

/** The parts that requests share. */
export interface App extends ConnectionParts {
  readonly service: Service;
  /** Answers a bulk request: it borrows the response. Absent if the service accepts none. */
  readonly answerStream?: (exchange: Exchange, route: PostRoute) => void;
  /** Whether the process is shutting down: it is not ready, and its answers close the connection. Set by `drain`. */
  isDraining: boolean;
}

/**
 * A request of node:http and its response. No other code writes to a response of node:http, and only this one decides
 * whether an answer can be given. The client may have left; a refusal on the socket may have ended the connection; the
 * program that mounts the service may have begun or ended an answer of its own, because of a deadline for example. In
 * each case the request counts as one whose client has left.
 */
export class Exchange {
  readonly app: App;
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly expectation: Expectation;
  /** A time of `performance.now`. */
  readonly startedAt: number;
  /** How much of an answer in parts has been sent. */
  sent: 'nothing' | 'a part' | 'all' = 'nothing';

  constructor(
    app: App,
    request: IncomingMessage,
    response: ServerResponse,
    expectation: Expectation,
  ) {
    this.app = app;
    this.request = request;
    this.response = response;
    this.expectation = expectation;
    this.startedAt = performance.now();
    knownConnection(request.socket)?.noteBegin(this.startedAt);
    if (this.isOpen) report(app.observers, 'began', response);
  }

  /** Whether an answer can begin. */
  get isOpen(): boolean {
    return !this.response.headersSent && this.isWritable;
  }

  /** Whether an answer can begin or go on. A half-closed connection of another server is not writable. */
  get isWritable(): boolean {
    const { writableEnded, destroyed, socket } = this.response;
    return !writableEnded && !destroyed && socket?.writable !== false;
  }

  /** Sends an answer, and closes the connection if `close` is true or the request cannot be read to its end. */
  send(answer: Answer, close: boolean = this.isLast): void {
    if (!this.isOpen) {
      this.abandon();
      return;
    }
    const { app, request, startedAt } = this;
    const { status, call, fault } = answer;
    const size = Buffer.byteLength(answer.encoded ?? answer.body);
    // An answer of 200 has an id only if the client has sent one.
    const id = requestId(request) ?? (status === 200 ? undefined : newId());
    if (fault !== undefined) report(app.observers, 'faulted', fault, id);
    const bytes = request.method === 'HEAD' ? 0 : size;
    report(app.observers, 'answered', request, {
      id,
      status,
      bytes,
      startedAt,
      isAborted: false,
      call,
    });
    const headers = headersOf(answer, size, app.service.crossOrigin(request.headers.origin), id);
    const isLarge = size > RECEIVE_BUFFER;
    this.write(answer, headers, close, isLarge);
    if (isLarge && this.response.socket) connectionOf(app, this.response.socket).noteLargeAnswer();
  }

  /** Asks a client that expects 100-continue for the body. */
  sendContinue(): void {
    if (this.expectation === '100-continue' && this.isOpen) this.response.writeContinue();
  }

  /** Refuses the request because of overload. */
  shed(): void {
    report(this.app.observers, 'shed', 'requests');
    this.send(this.app.service.overloaded);
  }

  /** Reports that the client has left, unless the service has refused the request on the socket itself. */
  abandon(): void {
    const { app, request, startedAt } = this;
    if (knownConnection(request.socket)?.isRefused) return;
    const id = requestId(request);
    const status = CLIENT_CLOSED_REQUEST;
    report(app.observers, 'answered', request, {
      id,
      status,
      bytes: 0,
      startedAt,
      isAborted: true,
    });
  }

  /** Sends the head of an answer in parts before its first part, if an answer can begin. */
  begin(answer: Answer): void {
    if (this.continues(answer)) this.response.flushHeaders();
  }

  /** Sends an answer in parts, no faster than the client takes them: `waitFor` waits for the client. */
  async sendParts(
    answer: Answer,
    parts: AsyncIterable<Uint8Array>,
    waitFor: (event: Promise<void>) => Promise<void>,
  ): Promise<void> {
    const { response } = this;
    let wake = (): void => undefined;
    response.on('drain', () => wake()).on('close', () => wake());
    for await (const part of parts) {
      if (!this.continues(answer)) return;
      if (response.write(part)) continue;
      await waitFor(new Promise<void>((resolve) => (wake = resolve)));
    }
    if (!this.continues(answer)) return;
    this.sent = 'all';
    response.end();
  }

  /** Begins the answer if that has not been done. Returns whether a part of it can be sent. */
  private continues(answer: Answer): boolean {
    if (this.isOpen) this.writePartsHead(answer);
    return this.sent !== 'nothing' && this.isWritable;
  }

  private writePartsHead(answer: Answer): void {
    const { app, request, response } = this;
    const crossOrigin = app.service.crossOrigin(request.headers.origin);
    const headers = headersOf(answer, undefined, crossOrigin, requestId(request));
    this.closes(headers, this.isLast || request.headers.upgrade !== undefined);
    this.sent = 'a part';
    writeHead(response, answer.status, headers);
  }

  /** Whether the service is draining and answers no further request of the connection. */
  private get isLast(): boolean {
    return this.app.isDraining && knownConnection(this.request.socket)?.hasWaiting !== true;
  }

  /** Notes which side ends the connection with the answer, if any. */
  private closes(headers: string[], isClosing: boolean): void {
    const { request, response } = this;
    if (isClosing) headers.push('Connection', 'close');
    else if (!response.shouldKeepAlive) knownConnection(request.socket)?.noteLastRequest();
  }

  /** Writes the answer at once. The connection ends with it if `close` is true, or if it cannot be read any further. */
  private write(answer: Answer, headers: string[], close: boolean, isLarge: boolean): void {
    const { request, response } = this;
    // As long as the client reads no answer, node:http would hold the text besides its bytes.
    const body = answer.encoded ?? (isLarge ? Buffer.from(answer.body) : answer.body);
    // node:http marks a request without a body as complete only after its listener has returned.
    const isUnread = !request.complete && hasBody(request);
    // node:http reads a short body as far as its end, unless it closes the connection because the client asks for it.
    const isDiscarded = response.shouldKeepAlive && hasShortBody(request);
    // node:http discards the bytes that follow an Upgrade request, and could not read a next request.
    const isClosing = close || (isUnread && !isDiscarded) || request.headers.upgrade !== undefined;
    this.closes(headers, isClosing);
    writeHead(response, answer.status, headers);
    if (isUnread && isClosing) {
      response.flushHeaders();
      if (body !== '') response.write(body);
      const { lingerTime } = connectionOf(this.app, request.socket);
      discardBody(request, lingerTime, () => response.end());
    } else {
      response.end(body);
    }
    this.noteEnd();
    // The rest of the body arrives after the answer.
    if (isUnread) request.on('end', () => this.noteEnd());
    const { socket } = request;
    if (!(socket?.writableLength > 0)) return;
    // The timeout is set only if the client does not keep up, because server.timeout would cost a timer per request.
    socket.setTimeout(IDLE_TIMEOUT);
    response.on('close', () => this.noteEnd());
  }

  private noteEnd(): void {
    knownConnection(this.request.socket)?.noteEnd();
  }
}

function writeHead(response: ServerResponse, status: number, headers: string[]): void {
  if (hasReplacedWriteHead(response)) {
    for (let index = 0; index < headers.length; index += 2) {
      response.appendHeader(headers[index]!, headers[index + 1]!);
    }
    response.writeHead(status);
  } else {
    response.writeHead(status, headers);
  }
}
