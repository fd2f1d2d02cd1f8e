import type { IncomingMessage, ServerResponse } from 'node:http';
import { type Answer, headersOf } from '../service/answer.ts';
import { requestId } from '../service/request.ts';
import type { PostRoute, Service } from '../service/service.ts';
import { endAfterBody, hasBody, isDiscardable } from './body.ts';
import { type ConnectionParts, connectionOf, knownConnection } from './connection.ts';
import { IDLE_TIMEOUT, RECEIVE_BUFFER } from './limits.ts';
import { CLIENT_CLOSED_REQUEST, newId, report } from './observer.ts';
import { hasReplacedWriteHead } from './undocumented.ts';

/** The Expect header of a request (RFC 9110 section 10.1.1). */
export type Expectation = 'none' | '100-continue' | 'unknown';

/** The parts that requests share. */
export interface App extends ConnectionParts {
  readonly service: Service;
  /** Answers a stream of requests: it borrows the response. Absent if the service accepts none. */
  readonly answerStream?: (exchange: Exchange, route: PostRoute) => void;
  /** Whether the process is shutting down: it is not ready, and its answers close the connection. Set by `drain`. */
  isDraining: boolean;
}

/** A request of node:http and its response. No other code writes to a response of node:http. */
export class Exchange {
  readonly app: App;
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly expectation: Expectation;
  /** A time of `performance.now`. */
  readonly startedAt: number;

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
    report(app.observers, 'began', response);
  }

  /** Sends an answer, and closes the connection if `close` is true or the request cannot be read to its end. */
  send(answer: Answer, close: boolean = this.isLast): void {
    const { app, request, startedAt } = this;
    const { status, call, fault } = answer;
    const size = Buffer.byteLength(answer.encoded ?? answer.body);
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
    if (isLarge) connectionOf(app, request.socket).noteLargeAnswer();
  }

  /** Asks a client that expects 100-continue for the body. */
  sendContinue(): void {
    if (this.expectation === '100-continue') this.response.writeContinue();
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

  /** Begins an answer whose body the caller writes to the response. */
  begin(answer: Answer): void {
    const { app, request, response } = this;
    const crossOrigin = app.service.crossOrigin(request.headers.origin);
    const headers = headersOf(answer, undefined, crossOrigin, requestId(request));
    if (this.isLast || request.headers.upgrade !== undefined) headers.push('Connection', 'close');
    writeHead(response, answer.status, headers);
  }

  /** Whether the service is draining and answers no further request of the connection. */
  private get isLast(): boolean {
    return this.app.isDraining && knownConnection(this.request.socket)?.hasWaiting !== true;
  }

  /**
   * Writes the answer at once. The connection ends with it if `close` is true or the client asks for the end, or if the
   * rest of the input cannot be read as the next request: a body that is not discarded, or the bytes behind an Upgrade.
   */
  private write(answer: Answer, headers: string[], close: boolean, isLarge: boolean): void {
    const { request, response } = this;
    // As long as the client reads no answer, node:http would hold the text besides its bytes.
    const body = answer.encoded ?? (isLarge ? Buffer.from(answer.body) : answer.body);
    // node:http marks a request without a body as complete only after its listener has returned.
    const isUnread = !request.complete && hasBody(request);
    // node:http discards the bytes that follow an Upgrade request, so the connection cannot be reused.
    // If the client asks for the end of the connection, node:http closes it with the unread body.
    const isDiscarded = response.shouldKeepAlive && isDiscardable(request);
    const isClosing = close || (isUnread && !isDiscarded) || request.headers.upgrade !== undefined;
    if (isClosing) headers.push('Connection', 'close');
    writeHead(response, answer.status, headers);
    if (isUnread && isClosing) {
      response.flushHeaders();
      if (body !== '') response.write(body);
      endAfterBody(request, response, connectionOf(this.app, request.socket).lingerTime);
    } else {
      response.end(body);
    }
    // The timeout is set only if the client does not keep up, because server.timeout would cost a timer per request.
    if (request.socket.writableLength > 0) request.socket.setTimeout(IDLE_TIMEOUT);
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
