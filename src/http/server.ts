/**
 * The service on node:http. All here is about connections: limits, requests that are none, bodies that nobody wants,
 * and stopping without losing a request. What a request means is for `service.ts`.
 */
import http, { type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import net, { type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Answer } from './answer.ts';
import { readBody } from './body.ts';
import type { Observer } from './observer.ts';
import type { Service } from './service.ts';
import { endWith, failureOf, isUnanswered, wireFault } from './wire.ts';

/** Limits of connections; times in milliseconds. */
export interface ServerLimits {
  /** For a whole request to arrive. */
  readonly requestTimeout: number;
  /** For the next request on a connection to begin. */
  readonly keepAliveTimeout: number;
  /** Connections at a time; further ones are closed at once. */
  readonly maxConnections: number;
}

/** Bytes of a request line and header. */
export const HEADER_LIMIT: number = 16 * 1024;
/** Milliseconds for the header of a request to arrive. */
export const HEADERS_TIMEOUT = 10_000;
/** Milliseconds without a byte in either direction: how a client that does not read is noticed. */
export const SOCKET_TIMEOUT = 60_000;

/** For how long an unwanted body is read after the answer: some clients send all before they read. */
const LINGER_TIME = 1_000;

/** Milliseconds for requests already on their way when draining began, between sweeps, and for the last answers. */
const DRAIN_GRACE = 300;
const DRAIN_INTERVAL = 50;
const CLOSING_TIME = 200;

/** What the parts of one process share: whether it is on its way out, so that answers close their connections. */
export interface Lifecycle {
  draining: boolean;
}

/** A server that has not been told to listen, and the way to stop it. */
export interface Endpoint {
  readonly server: Server;
  /**
   * Stops listening, lets requests under way finish, and closes idle connections. After `timeout` milliseconds, a body
   * that has not arrived whole is answered 503 and every connection is closed.
   */
  readonly drain: (timeout: number) => Promise<void>;
}

/** Puts the service on an http.Server. */
export function createEndpoint(
  service: Service,
  limits: ServerLimits,
  lifecycle: Lifecycle,
  observer?: Observer,
): Endpoint {
  const server = http.createServer({
    maxHeaderSize: HEADER_LIMIT,
    headersTimeout: Math.min(HEADERS_TIMEOUT, limits.requestTimeout),
    requestTimeout: limits.requestTimeout,
    keepAliveTimeout: limits.keepAliveTimeout,
    connectionsCheckingInterval: Math.min(1_000, limits.requestTimeout),
    requireHostHeader: false, // wireFault requires it, with an envelope
    noDelay: true,
  });
  server.timeout = Math.max(SOCKET_TIMEOUT, limits.requestTimeout + 2_000);
  server.maxConnections = limits.maxConnections;
  server.maxRequestsPerSocket = 0;
  server.maxHeadersCount = 0; // the size is the bound; on Node 20 a count would drop the rest silently

  const handle = (request: IncomingMessage, response: ServerResponse, expectation = 'none'): void => {
    const begun = observer?.begin(response) ?? 0;
    const send = (answer: Answer, close = lifecycle.draining): void => {
      const id = observer?.answered(request, answer, begun);
      const headers = answer.headers.concat(service.crossOrigin(request.headers.origin));
      if (id !== undefined) headers.push('X-Request-Id', id);
      write(request, response, answer, headers, close);
    };
    const fault = wireFault(request);
    if (fault !== undefined) return send(service.fail('bad_request', fault), true);
    if (expectation === 'unknown') return send(service.fail('expectation_failed'), true);
    const { method = '', url = '', headers } = request;
    const step = service.open({ method, target: url, headers });
    if (step instanceof Promise) {
      step.then(send, (error: unknown) => send({ ...service.fail('internal_error'), fault: error }));
      return undefined;
    }
    if ('status' in step) return send(step);
    if (expectation === '100-continue') response.writeContinue();
    return readBody(request, step.limit, (body) => send(step.answer(body)));
  };
  server.on('request', handle);
  server.on('checkContinue', (request, response) => handle(request, response, '100-continue'));
  server.on('checkExpectation', (request, response) => handle(request, response, 'unknown'));
  // Only after the requests before it on the connection, whose bodies end one turn of the loop later, are answered.
  server.on('connect', (_request, socket) => setImmediate(endWith, socket, service.fail('method_not_allowed')));
  server.on('clientError', (error, socket) => setImmediate(endWith, socket, service.fail(failureOf(error))));

  const sockets = new Set<Socket>();
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
  });
  return {
    server,
    drain(timeout) {
      lifecycle.draining = true;
      return drain(server, sockets, service, timeout);
    },
  };
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
  response.writeHead(status, headers);
  if (!isUnread) {
    response.end(body);
    return;
  }
  response.flushHeaders();
  if (body !== '') response.write(body);
  linger(request, response);
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

async function drain(
  server: Server,
  sockets: ReadonlySet<Socket>,
  service: Service,
  timeout: number,
): Promise<void> {
  const begin = performance.now();
  // Not server.close(): since Node 19 that closes idle connections at once, and resets a request already on its way.
  const closed = new Promise((resolve) => net.Server.prototype.close.call(server, resolve));
  while (sockets.size > 0 && performance.now() < begin + timeout - CLOSING_TIME) {
    await sleep(DRAIN_INTERVAL);
    if (performance.now() < begin + DRAIN_GRACE) continue;
    server.closeIdleConnections();
    // Node before 26 does not count a connection that has sent nothing as idle.
    for (const socket of sockets) if (socket.bytesRead === 0) socket.destroy();
  }
  const late = [...sockets].filter(isUnanswered);
  for (const socket of late) endWith(socket, service.fail('overloaded', 'The service is shutting down'));
  if (late.length > 0) await sleep(CLOSING_TIME);
  server.closeAllConnections();
  await closed;
}
