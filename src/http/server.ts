/**
 * The service on a server of node:http. All here is about connections: limits, requests that are none, and stopping
 * without losing a request.
 */
import http, { type IncomingMessage, type Server } from 'node:http';
import net, { type Socket } from 'node:net';
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import { Failure } from '../contract/failure.ts';
import { failed } from './answer.ts';
import { type Assembly, createHandler, isStreaming } from './handler.ts';
import { METHODS } from './service.ts';
import { endWith, failureOf, unansweredRequest } from './wire.ts';

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
/** Bytes of a body that wait, as on Node 20; ones that come in pieces of one byte take a hundred times the memory. */
const HIGH_WATER_MARK = 16 * 1024;
/** Milliseconds for the header of a request to arrive. */
export const HEADERS_TIMEOUT = 10_000;
/** Milliseconds for requests already on their way when draining began, between sweeps, and for the last answers. */
const DRAIN_GRACE = 300;
const DRAIN_INTERVAL = 50;
const CLOSING_TIME = 200;

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
export function createEndpoint(assembly: Assembly, limits: ServerLimits): Endpoint {
  const { observer } = assembly;
  const server = http.createServer({
    maxHeaderSize: HEADER_LIMIT,
    headersTimeout: Math.min(HEADERS_TIMEOUT, limits.requestTimeout),
    requestTimeout: limits.requestTimeout,
    keepAliveTimeout: limits.keepAliveTimeout,
    connectionsCheckingInterval: Math.min(1_000, limits.requestTimeout),
    requireHostHeader: false, // wireFault requires it, with an envelope
    noDelay: true,
    highWaterMark: HIGH_WATER_MARK,
  });
  server.maxConnections = limits.maxConnections;
  server.maxRequestsPerSocket = 0;
  server.maxHeadersCount = 0; // the size is the bound; on Node 20 a count would drop the rest silently

  // A client may close its side and still read: were ours closed too, a stream of HTTP/1.0 would look whole.
  Object.assign(server, { httpAllowHalfOpen: true });

  server.on('request', createHandler(assembly));
  server.on('checkContinue', createHandler(assembly, '100-continue'));
  server.on('checkExpectation', createHandler(assembly, 'unknown'));
  const refuse = (socket: Socket, failure: Failure, reason: string, given?: IncomingMessage): void => {
    const request = given ?? unansweredRequest(socket);
    const allow = failure.code === 'method_not_allowed' ? ['Allow', METHODS] : [];
    if (endWith(socket, failed(failure, allow))) observer.refused(socket, failure.code, reason, request);
  };
  // Both events have a net.Socket, which the types do not say.
  server.on('connect', (request, duplex) => {
    const socket = duplex as Socket;
    const failure = new Failure('method_not_allowed', `Expected one of ${METHODS}, got CONNECT`);
    afterAnswers(socket, () => refuse(socket, failure, 'CONNECT', request));
  });
  server.on('clientError', (error: NodeJS.ErrnoException, duplex) => {
    const socket = duplex as Socket;
    const code = failureOf(error);
    const reason = error.code ?? error.message;
    if (!isStreaming(socket)) afterAnswers(socket, () => refuse(socket, new Failure(code), reason));
    // A stream may take as long as it likes, as long as something comes.
    else if (code !== 'request_timeout') socket.resetAndDestroy();
  });
  server.on('drop', () => observer.dropped());

  const sockets = new Set<Socket>();
  server.on('connection', (socket) => {
    sockets.add(socket);
    assembly.queue.noteConnection();
    socket.on('close', () => sockets.delete(socket));
  });
  return { server, drain: (timeout) => drain(server, sockets, assembly, timeout, refuse) };
}

/** Calls back when the requests that arrived completely on a connection have been answered. */
function afterAnswers(socket: Socket, done: () => void): void {
  setImmediate(() => {
    if (unansweredRequest(socket)?.complete) afterAnswers(socket, done);
    else done();
  });
}

async function drain(
  server: Server,
  sockets: Set<Socket>,
  assembly: Assembly,
  timeout: number,
  refuse: (socket: Socket, failure: Failure, reason: string) => void,
): Promise<void> {
  assembly.draining = true;
  const begin = performance.now();
  // Not server.close(): since Node 19 that closes idle connections at once, and resets a request already on its way.
  const closed = new Promise((resolve) => net.Server.prototype.close.call(server, resolve));
  while (sockets.size > 0 && performance.now() < begin + timeout - CLOSING_TIME) {
    await sleep(DRAIN_INTERVAL);
    // Timers run before sockets are read. A request that arrived during a pause of the process is read first, because
    // closing its connection would reset it.
    await nextTurn();
    if (performance.now() < begin + DRAIN_GRACE) continue;
    server.closeIdleConnections();
    // Node before 26 does not count a connection that has sent nothing as idle.
    for (const socket of sockets) if (socket.bytesRead === 0) socket.destroy();
  }
  const late = [...sockets].filter((socket) => unansweredRequest(socket) !== undefined);
  for (const socket of late) refuse(socket, new Failure('overloaded', 'The service is shutting down'), 'shutdown');
  if (late.length > 0) await sleep(CLOSING_TIME);
  for (const socket of sockets) if (isStreaming(socket)) socket.resetAndDestroy();
  server.closeAllConnections();
  await closed;
}
