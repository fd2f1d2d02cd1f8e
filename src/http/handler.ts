/** The service on requests of node:http: reading bodies, and writing answers. Nothing else touches a response. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { type Duplex, pipeline } from 'node:stream';
import { type Answer, headersOf, headersOfLines } from './answer.ts';
import { readBody } from './body.ts';
import { answerLines, emptyTally } from './bulk.ts';
import { type Observer, requestId } from './observer.ts';
import type { Awaiting, Service } from './service.ts';
import { wireFault } from './wire.ts';

/** Milliseconds in which a client takes no byte of its answer, or a stream has none in either direction. */
export const IDLE_TIMEOUT = 60_000;

/** For how long an unwanted body is read after the answer: some clients send all before they read. */
const LINGER_TIME = 1_000;

/** The fault of a program that reads bodies before the service can. */
export const BODY_IS_GONE = 'The body was read before the service got the request: mount it before what reads bodies';

/** What answers HTTP in one process. */
export interface Assembly {
  readonly service: Service;
  readonly observer: Observer;
  /** Whether the process is on its way out, so that answers close their connections. */
  draining: boolean;
}

/** What requests expect before they send a body (RFC 9110 section 10.1.1). */
export type Expectation = 'none' | '100-continue' | 'unknown';

/** Answers one request. */
export type Handler = (request: IncomingMessage, response: ServerResponse) => void;

/** Makes the function that answers requests of node:http which all expect the same. */
export function createHandler(assembly: Assembly, expectation: Expectation = 'none'): Handler {
  const { service, observer } = assembly;
  return (request, response) => {
    const begun = observer.begin(response);
    const send = (answer: Answer, close = assembly.draining): void => {
      const size = Buffer.byteLength(answer.body);
      const id = observer.answered(request, answer, size, begun);
      const headers = headersOf(answer, service.crossOrigin(request.headers.origin), size);
      if (id !== undefined) headers.push('X-Request-Id', id);
      write(request, response, answer, headers, close);
    };
    const fault = wireFault(request);
    if (fault !== undefined) return send(service.fail('bad_request', fault), true);
    if (expectation === 'unknown') return send(service.fail('expectation_failed'), true);
    const { method = '', url = '' } = request;
    const step = service.open({ method, target: url, headers: request.headers });
    if (step instanceof Promise) {
      step.then(send, (error: unknown) => send({ ...service.fail('internal_error'), fault: error }));
      return undefined;
    }
    if ('status' in step) return send(step);
    if (expectation === '100-continue') response.writeContinue();
    const receive = (): void => {
      const isGone = request.readableEnded || request.readableDidRead;
      if (isGone) send({ ...service.fail('internal_error'), fault: new Error(BODY_IS_GONE) });
      else if (step.isBulk) stream(assembly, request, response, step, begun);
      else readBody(request, step.limit, (body) => send(step.answer(body)));
    };
    // Nearly every body comes with its header, and is there as a whole when this turn of the event loop is over; but
    // where something else listens to the request, it has gone past by then.
    if (step.isBulk || request.readableFlowing !== null) return receive();
    setImmediate(receive);
    return undefined;
  };
}

/** The last request on a connection that is answered line by line while it comes; several may be pipelined. */
const streaming = new WeakMap<Duplex, IncomingMessage>();

/** Whether a connection has a stream in progress: one that ends early must end as a fault, not as a short answer. */
export function isStreaming(socket: Duplex): boolean {
  return streaming.has(socket);
}

function stream(
  { service, observer, draining }: Assembly,
  request: IncomingMessage,
  response: ServerResponse,
  { limit, answer }: Awaiting,
  begun: number,
): void {
  const { socket } = request;
  const tally = emptyTally();
  const onFault = (fault: unknown, line: number): void => observer.faulted(request, fault, line);
  const headers = headersOfLines(service.crossOrigin(request.headers.origin));
  const id = requestId(request);
  if (id !== undefined) headers.push('X-Request-Id', id);
  if (draining || request.headers.upgrade !== undefined) headers.push('Connection', 'close');
  writeHead(response, 200, headers);
  streaming.set(socket, request);
  response.flushHeaders();
  response.setTimeout(IDLE_TIMEOUT, () => socket.resetAndDestroy());
  pipeline(request, (chunks) => answerLines(chunks, limit, answer, tally, onFault), response, (error) => {
    // An error here is a client that has gone, or was left behind; only the log is there to be told.
    if (streaming.get(socket) === request) streaming.delete(socket);
    observer.streamed(request, tally, begun, !error);
  });
}

function write(
  request: IncomingMessage,
  response: ServerResponse,
  { status, body }: Answer,
  headers: string[],
  close: boolean,
): void {
  // A body has been read whole, or it is there unread; node:http calls a request without one complete only later.
  const isUnread = !request.complete && hasBody(request);
  // What follows a request with Upgrade has been thrown away by node:http, so that nothing may be read after it.
  if (close || isUnread || request.headers.upgrade !== undefined) headers.push('Connection', 'close');
  writeHead(response, status, headers);
  if (isUnread) {
    response.flushHeaders();
    if (body !== '') response.write(body);
    linger(request, response);
  } else {
    response.end(body);
  }
  // Set only here, where the client does not keep up: as server.timeout it would cost each request a timer.
  if (request.socket.writableLength > 0) request.socket.setTimeout(IDLE_TIMEOUT);
}

function writeHead(response: ServerResponse, status: number, headers: string[]): void {
  if (Object.hasOwn(response, 'writeHead')) {
    // Middleware of the program that mounts the service wants to have a say, and may not know headers in an array.
    for (let index = 0; index < headers.length; index += 2) response.appendHeader(headers[index]!, headers[index + 1]!);
    response.writeHead(status);
  } else {
    response.writeHead(status, headers);
  }
}

function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

/**
 * Ends an answer, and with it the connection, when the client has sent what it wanted to or had its time. A socket that
 * is closed with bytes unread is reset, and the client might lose the answer.
 */
function linger(request: IncomingMessage, response: ServerResponse): void {
  const end = (): void => void response.end();
  const timer = setTimeout(end, LINGER_TIME);
  request.on('end', end);
  request.resume();
  response.on('close', () => clearTimeout(timer));
}
