/** The service on requests of node:http: reading bodies, and writing answers. Nothing else touches a response. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { type Duplex, pipeline } from 'node:stream';
import { type Answer, headersOf, headersOfLines } from './answer.ts';
import { readBody, takeBody } from './body.ts';
import { answerLines, emptyTally } from './bulk.ts';
import { type Observer, requestId } from './observer.ts';
import type { WorkQueue } from './queue.ts';
import { type Budget, ReadAhead } from './read-ahead.ts';
import type { Awaiting, Service } from './service.ts';
import { LINGER_SIZE, LINGER_TIME, wireFault } from './wire.ts';

/** Milliseconds without progress after which an answer that is not read, or a bulk request, is given up. */
export const IDLE_TIMEOUT = 60_000;
/** Milliseconds after which a client is given up that sends requests, but takes none of the answers. */
export const STALL_TIMEOUT = 10_000;
const WATCH_INTERVAL = 1_000;

/** Bytes of a declared body that is read and discarded after a refusal, so that the connection can be kept. */
export const DISCARDED_BODY: number = 64 * 1024;

/** The fault of a program that reads bodies before the service can. */
export const BODY_IS_GONE = 'The body was read before the service got the request: mount it before what reads bodies';

/** What answers HTTP in one process. */
export interface Assembly {
  readonly service: Service;
  readonly observer: Observer;
  readonly queue: WorkQueue;
  /** Bytes of one bulk request, and of all together, that may be read before their answers are taken. */
  readonly bulkBuffer: { readonly limit: number; readonly budget: Budget };
  /** Whether the process is on its way out, so that answers close their connections. */
  draining: boolean;
}

/** What requests expect before they send a body (RFC 9110 section 10.1.1). */
export type Expectation = 'none' | '100-continue' | 'unknown';

/** Answers one request. */
export type Handler = (request: IncomingMessage, response: ServerResponse) => void;

/** Creates a node:http request listener for requests with a given Expect header. */
export function createHandler(assembly: Assembly, expectation: Expectation = 'none'): Handler {
  const { service, observer, queue } = assembly;
  return (request, response) => {
    const startedAt = observer.begin(response);
    const send = (answer: Answer, close = assembly.draining): void => {
      const size = Buffer.byteLength(answer.body);
      const id = observer.answered(request, answer, size, startedAt);
      const headers = headersOf(answer, service.crossOrigin(request.headers.origin), size);
      if (id !== undefined) headers.push('X-Request-Id', id);
      write(request, response, answer, headers, close);
    };
    const shed = (): void => {
      observer.shed();
      send(service.overloaded);
    };
    const abandon = (): void => {
      // A connection that this side has ended was refused, and recorded as that.
      if (!request.socket.writableEnded) observer.abandoned(request, startedAt);
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
    // A short body costs less to read than a refusal; it takes its place in the queue.
    if (queue.isOverloaded && (step.isBulk || !isDiscardable(request))) return shed();
    if (expectation === '100-continue') response.writeContinue();

    const answer = (body: Buffer | undefined, isLate: boolean): void => {
      if (request.socket.destroyed) abandon();
      else if (isLate) shed();
      else send(step.answer(body));
    };
    const read = (isLate: boolean): void => {
      const isGone = request.readableEnded || request.readableDidRead;
      if (isGone) return send({ ...service.fail('internal_error'), fault: new Error(BODY_IS_GONE) });
      if (step.isBulk) return stream(assembly, request, response, step, startedAt);
      const body = takeBody(request, step.limit);
      if (body !== undefined || isLate) return answer(body, isLate);
      return readBody(request, step.limit, abandon, (bytes) => {
        if (bytes === undefined) answer(bytes, false);
        else queue.add((isTooLate) => answer(bytes, isTooLate));
      });
    };
    // Most bodies arrive with the headers and are complete when the queue gets to them. Where another listener already
    // consumes the stream, waiting would lose data.
    if (step.isBulk || request.readableFlowing !== null) return read(false);
    return queue.add(read);
  };
}

/** The last request on a connection that is answered line by line while it comes; several may be pipelined. */
const streaming = new WeakMap<Duplex, IncomingMessage>();

/** Whether a connection has a stream in progress: one that ends early must end as a fault, not as a short answer. */
export function isStreaming(socket: Duplex): boolean {
  return streaming.has(socket);
}

/** Answers a bulk request line by line, on a connection that is reset if the answers cannot be complete. */
function stream(
  { service, observer, bulkBuffer, draining }: Assembly,
  request: IncomingMessage,
  response: ServerResponse,
  { limit, answer }: Awaiting,
  startedAt: number,
): void {
  const { socket } = request;
  const tally = emptyTally();
  const reset = (reason: string): void => {
    observer.reset(request, reason);
    socket.resetAndDestroy();
  };
  const headers = headersOfLines(service.crossOrigin(request.headers.origin));
  const id = requestId(request);
  if (id !== undefined) headers.push('X-Request-Id', id);
  if (draining || request.headers.upgrade !== undefined) headers.push('Connection', 'close');
  writeHead(response, 200, headers);
  streaming.set(socket, request);
  response.setTimeout(IDLE_TIMEOUT, () => reset('nothing was sent or received'));

  // A client that declares the length may send all lines before it reads an answer, and so does nginx, which forwards
  // no more of a request once the answer has begun.
  const isHeld = Number(request.headers['content-length']) <= bulkBuffer.limit;
  const source = new ReadAhead({ ...bulkBuffer, isHeld });
  if (!isHeld) response.flushHeaders();
  const watch = watchReader(socket, source, () => reset('the answers were not read'));
  const onFault = (fault: unknown, line: number): void => observer.faulted(request, fault, line);
  const lines = (chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> =>
    answerLines(chunks, limit, answer, tally, onFault);
  pipeline(request, source, lines, response, (error) => {
    clearInterval(watch);
    if (streaming.get(socket) === request) streaming.delete(socket);
    observer.streamed(request, tally, startedAt, !error);
  });
}

/** Reads ahead while a client takes no answers; calls back if it takes none although nothing more can be read. */
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

function write(
  request: IncomingMessage,
  response: ServerResponse,
  { status, body }: Answer,
  headers: string[],
  close: boolean,
): void {
  // node:http marks a request without a body as complete only after its listener has returned.
  const isUnread = !request.complete && hasBody(request);
  // node:http discards the bytes that follow an Upgrade request, so the connection cannot be reused.
  const isClosing = close || (isUnread && !isDiscardable(request)) || request.headers.upgrade !== undefined;
  if (isClosing) headers.push('Connection', 'close');
  writeHead(response, status, headers);
  if (isUnread && isClosing) {
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

/** Whether node:http can read and discard the body, so that the next request on the connection follows. */
function isDiscardable({ headers }: IncomingMessage): boolean {
  // A client that expects 100-continue may leave out the body after a refusal (RFC 9110 section 10.1.1).
  return Number(headers['content-length']) <= DISCARDED_BODY && headers.expect === undefined;
}

/**
 * Ends an answer, and with it the connection, when the body has arrived or LINGER_TIME has passed. Closing a socket
 * with unread bytes resets the connection, and the client might lose the answer.
 */
function linger(request: IncomingMessage, response: ServerResponse): void {
  const end = (): void => void response.end();
  const timer = setTimeout(end, LINGER_TIME);
  let size = 0;
  request.on('data', (chunk: Buffer) => {
    size += chunk.length;
    if (size > LINGER_SIZE) request.pause();
  });
  request.on('end', end);
  request.resume();
  response.on('close', () => clearTimeout(timer));
}
