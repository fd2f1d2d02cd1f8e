/** The service on an http.Server: limits, protocol errors and graceful shutdown. */
import http, { type IncomingMessage, type Server } from 'node:http';
import type { Socket } from 'node:net';
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import { Failure } from '../contract/failure.ts';
import { failureAnswer } from '../http/answer.ts';
import { METHODS, requestId } from '../http/request.ts';
import type { App } from './app.ts';
import { requestListenerOf } from './handler.ts';
import { allowHalfOpen, stopListening } from './internals.ts';
import { CLOSE_TIMEOUT, DRAIN_GRACE, HEADER_LIMIT, HEADERS_TIMEOUT } from './limits.ts';
import { answerOnSocket, failureCodeOf, unansweredRequest } from './protocol.ts';
import { resetOf } from './stream.ts';

/** The limits of connections that are settings; times in milliseconds. */
export interface ServerLimits {
  /** Time for a complete request to arrive. */
  readonly requestTimeout: number;
  /** Time for the next request on a connection to begin. */
  readonly keepAliveTimeout: number;
  /** Concurrent connections; further ones are closed at once. */
  readonly maxConnections: number;
}

/** Bytes of a body that are buffered, as on Node 20; in pieces of one byte, they take a hundred times the memory. */
const HIGH_WATER_MARK = 16 * 1024;
/** Milliseconds between two checks for idle connections while draining. */
const DRAIN_INTERVAL = 50;

/** An http.Server with the service, which can be shut down without the loss of a request. */
export class GracefulServer {
  readonly server: Server;
  private readonly app: App;
  private readonly sockets = new Set<Socket>();

  /** Creates the server; the caller starts it with `server.listen`. */
  constructor(app: App, limits: ServerLimits) {
    this.app = app;
    this.server = createHttpServer(limits);
    this.server.on('request', requestListenerOf(app));
    this.server.on('checkContinue', requestListenerOf(app, '100-continue'));
    this.server.on('checkExpectation', requestListenerOf(app, 'unknown'));
    // Both events have a net.Socket, although the types say Duplex.
    this.server.on('connect', (request, socket) => this.onConnect(request, socket as Socket));
    this.server.on('clientError', (error, socket) => this.onClientError(error, socket as Socket));
    this.server.on('connection', (socket) => this.onConnection(socket));
    this.server.on('drop', () => app.observer.connectionRefused());
  }

  /**
   * Marks the app as draining and, after `delay` milliseconds, stops listening, lets open requests finish, and closes
   * idle connections. After `timeout` more milliseconds, a body that has not arrived completely is answered with 503,
   * and every connection is closed.
   */
  async drain(timeout: number, delay = 0): Promise<void> {
    this.app.isDraining = true;
    await sleep(delay);
    const startedAt = performance.now();
    const closed = stopListening(this.server);
    while (this.sockets.size > 0 && performance.now() < startedAt + timeout - CLOSE_TIMEOUT) {
      await sleep(DRAIN_INTERVAL);
      // Timers run before sockets are read. A request that arrived during a pause of the process is read first, because
      // closing its connection would reset it.
      await nextTurn();
      if (performance.now() >= startedAt + DRAIN_GRACE) this.closeIdleConnections();
    }
    await this.closeAllConnections();
    await closed;
  }

  private closeIdleConnections(): void {
    this.server.closeIdleConnections();
    // Before version 26, Node does not count a connection that has sent nothing as idle.
    for (const socket of this.sockets) if (socket.bytesRead === 0) socket.destroy();
  }

  private async closeAllConnections(): Promise<void> {
    const unanswered = [...this.sockets].filter((socket) => unansweredRequest(socket) !== undefined);
    const failure = new Failure('overloaded', 'The service is shutting down');
    for (const socket of unanswered) this.refuse(socket, failure, 'shutdown');
    if (unanswered.length > 0) await sleep(CLOSE_TIMEOUT);
    for (const socket of this.sockets) resetOf(socket)?.('shutdown');
    this.server.closeAllConnections();
  }

  private onConnection(socket: Socket): void {
    this.sockets.add(socket);
    this.app.queue.noteConnection();
    socket.on('close', () => this.sockets.delete(socket));
  }

  private onConnect(request: IncomingMessage, socket: Socket): void {
    const failure = new Failure('method_not_allowed', `Expected one of ${METHODS}, got CONNECT`);
    afterAnswers(socket, () => this.refuse(socket, failure, 'CONNECT', request));
  }

  private onClientError(error: NodeJS.ErrnoException, socket: Socket): void {
    const code = failureCodeOf(error);
    const reason = error.code ?? error.message;
    const reset = resetOf(socket);
    if (reset === undefined) {
      afterAnswers(socket, () => this.refuse(socket, new Failure(code), reason));
    } else if (code !== 'request_timeout') {
      // A bulk request has no time limit as long as bytes arrive.
      reset(reason);
    }
  }

  private refuse(socket: Socket, failure: Failure, reason: string, request = unansweredRequest(socket)): void {
    const allow = failure.code === 'method_not_allowed' ? ['Allow', METHODS] : [];
    const id = (request && requestId(request)) ?? this.app.observer.newId();
    const isSent = answerOnSocket(socket, failureAnswer(failure, [...allow, 'X-Request-Id', id]));
    if (isSent) this.app.observer.refused(socket, id, failure.code, reason, request);
  }
}

function createHttpServer({ requestTimeout, keepAliveTimeout, maxConnections }: ServerLimits): Server {
  const server = http.createServer({
    maxHeaderSize: HEADER_LIMIT,
    headersTimeout: Math.min(HEADERS_TIMEOUT, requestTimeout),
    requestTimeout,
    keepAliveTimeout,
    connectionsCheckingInterval: Math.min(1_000, requestTimeout),
    requireHostHeader: false, // protocolError checks it, so that the refusal has an envelope.
    highWaterMark: HIGH_WATER_MARK,
  });
  server.maxConnections = maxConnections;
  server.maxHeadersCount = 0; // HEADER_LIMIT is the bound; Node 20 would silently drop headers over a count.
  allowHalfOpen(server);
  return server;
}

/** Calls back when the requests that have arrived completely on a connection have been answered. */
function afterAnswers(socket: Socket, done: () => void): void {
  setImmediate(() => {
    if (unansweredRequest(socket)?.complete) afterAnswers(socket, done);
    else done();
  });
}
