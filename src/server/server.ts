/** The service on an http.Server: limits, protocol errors and graceful shutdown. */
import http, { type Server } from 'node:http';
import type { Socket } from 'node:net';
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import { BodyMessage } from './body.ts';
import { type Connection, connectionOf } from './connection.ts';
import type { App } from './exchange.ts';
import { requestListenerOf } from './handler.ts';
import {
  CLOSE_TIMEOUT,
  DRAIN_GRACE,
  HEADER_LIMIT,
  HEADERS_TIMEOUT,
  type ServerLimits,
} from './limits.ts';
import { Places } from './places.ts';
import { report } from './observer.ts';
import { allowHalfOpen, stopListening } from './undocumented.ts';

/** Bytes of a body that node:http buffers: the default of Node 20. */
const HIGH_WATER_MARK = 16 * 1024;
/** Milliseconds between two checks for idle connections while draining. */
const DRAIN_INTERVAL = 50;

/** The events of node:http that report requests, with the Expect header of these requests. */
const EXPECTATIONS = {
  request: 'none',
  checkContinue: '100-continue',
  checkExpectation: 'unknown',
} as const;

/** An http.Server with the service, which can be shut down without the loss of a request. */
export class GracefulServer {
  readonly server: Server;
  readonly connections: Places<Connection>;
  /** The last connection that has given way, whose client may still read until another gives way. */
  private leaving: Connection | undefined;
  private readonly app: App;

  /** Creates the server; the caller starts it with `server.listen`. */
  constructor(app: App, limits: ServerLimits) {
    this.app = app;
    this.connections = new Places(limits.maxConnections);
    this.server = createHttpServer(limits);
    for (const [event, expectation] of Object.entries(EXPECTATIONS)) {
      this.server.on(event, requestListenerOf(app, expectation));
    }
    this.server.on('connection', (socket) => this.accept(socket, limits.maxConnections));
    // Since Node 26, `stream` wraps the socket while the body of the request is incomplete.
    this.server.on('connect', (request, stream) => {
      stream.on('error', () => undefined);
      connectionOf(app, request.socket).onConnect(request);
    });
    // The event has a net.Socket, although its type is Duplex.
    this.server.on('clientError', (error, socket) =>
      connectionOf(app, socket as Socket).onClientError(error),
    );
    this.server.on('timeout', (socket) => connectionOf(app, socket).onTimeout());
  }

  /**
   * Accepts a connection. `server.maxConnections` is not set: with workers, node:cluster would offer a connection that
   * a worker drops to the workers again and again.
   */
  private accept(socket: Socket, maxConnections: number): void {
    const { app, connections } = this;
    const connection = connectionOf(app, socket);
    connections.add(connection);
    socket.on('close', () => connections.delete(connection));
    report(app.observers, 'connected');
    if (connections.size <= maxConnections) return;
    report(app.observers, 'overloaded', 'connections');
    this.leaving?.socket.destroy();
    this.leaving = connections.takeSlowest();
    this.leaving.close('slow');
  }

  /**
   * Marks the app as draining and, after `delay` milliseconds, stops listening, lets open requests finish, and closes
   * idle connections. After `timeout` more milliseconds, a request whose answer has not begun is answered with 503, and
   * every connection is closed.
   */
  async drain(timeout: number, delay = 0): Promise<void> {
    const { connections } = this;
    this.app.isDraining = true;
    await sleep(delay);
    const startedAt = performance.now();
    const closed = stopListening(this.server);
    if (this.leaving?.socket.closed === false) connections.add(this.leaving);
    while (connections.size > 0 && performance.now() < startedAt + timeout - CLOSE_TIMEOUT) {
      await sleep(DRAIN_INTERVAL);
      // Timers run before sockets are read. A request that arrived during a pause of the process is read first, because
      // an end of its connection would lose it.
      await nextTurn();
      if (performance.now() < startedAt + DRAIN_GRACE) continue;
      for (const connection of connections) connection.endIfIdle();
    }
    const refused = [...connections].filter((connection) => connection.shutDown());
    if (refused.length > 0) await sleep(CLOSE_TIMEOUT);
    for (const { socket } of connections) socket.destroy();
    await closed;
    // Sockets emit `close`, with which their requests end, after the server has emitted it.
    while (connections.size > 0) await nextTurn();
  }
}

function createHttpServer({ requestTimeout }: ServerLimits): Server {
  const server = http.createServer({
    maxHeaderSize: HEADER_LIMIT,
    headersTimeout: Math.min(HEADERS_TIMEOUT, requestTimeout),
    requestTimeout,
    // An idle connection gives way to a new one, and needs no other end. A client never loses the race between its
    // request and a timeout of the service.
    keepAliveTimeout: 0,
    connectionsCheckingInterval: Math.min(1_000, requestTimeout),
    requireHostHeader: false, // protocolError checks it, so that the refusal has an envelope.
    highWaterMark: HIGH_WATER_MARK,
    IncomingMessage: BodyMessage,
  });
  // HEADER_LIMIT is the bound; Node 20 would silently drop headers over a count.
  server.maxHeadersCount = 0;
  allowHalfOpen(server);
  return server;
}
