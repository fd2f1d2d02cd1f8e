/**
 * Undocumented behaviour of Node on which the service relies. Each item states its reason and the test that fails if a
 * version of Node behaves differently. The tests run on every supported version.
 */
import http, { type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import net, { type Socket } from 'node:net';

/**
 * The response in progress on a socket. node:http keeps it in `_httpMessage`, and its own handling of parse errors uses
 * it; without it, an error after the headers could not be distinguished from one between requests.
 *
 * Test: server/order.test.ts, "answers a malformed request after the answers to all that wait before it".
 */
export function currentResponse(socket: Socket): ServerResponse | undefined {
  return Reflect.get(socket, '_httpMessage') ?? undefined;
}

/**
 * Calls back when node:http hands the socket of the connection to a response, which it does in the order of the
 * requests. A response that must wait has no socket. The documentation has this event for client requests only.
 *
 * Test: server/order.test.ts, "begins a request when the answer before it has been sent".
 */
export function onceAssigned(response: ServerResponse, callback: () => void): void {
  response.once('socket', callback);
}

/**
 * Whether an answer ends the connection. node:http derives it from the headers of the request and the answer, and from
 * the end of the client's side.
 *
 * Test: server/order.test.ts, "counts no request that follows an answer which ends the connection".
 */
export function endsConnection(response: ServerResponse | undefined): boolean {
  return response !== undefined && Reflect.get(response, '_last') === true;
}

/**
 * Replaces the method with which node:http closes a connection after the last answer has left the process. It closes
 * both sides at once, which resets a connection with unread input.
 *
 * Test: server/order.test.ts, "sends an answer that ends the connection, whatever follows its request".
 */
export function onLastAnswer(socket: Socket, end: () => void): void {
  socket.destroySoon = end;
}

/**
 * Restarts the reading of a socket that a listener has taken from the parser of node:http. If the parser had stopped
 * the socket, the stream still waits for the result of its last read; an empty chunk is such a result.
 *
 * Test: server/order.test.ts, "sends an answer that ends the connection, whatever follows its request".
 */
export function restartReading(socket: Socket): void {
  socket.push('');
}

/**
 * The request whose body is arriving on a connection, if any. A request that has been answered early has no response in
 * progress, and its body may still arrive.
 *
 * Test: server/refusals.test.ts, "sends no second answer to a request whose body arrives too slowly after the first".
 */
export function arrivingRequest(socket: Socket): IncomingMessage | undefined {
  const request: IncomingMessage | null | undefined = Reflect.get(socket, 'parser')?.incoming;
  return request?.complete === false ? request : undefined;
}

/**
 * Calls `onRequest` for each request that the parser of a connection finds, and stops the parser if the result is
 * false. node:http would create a request and a response for each of the up to 2,600 requests in the bytes that it has
 * read, and keep them until the end of the turn. A result of −1 is an error to the parser; for an Upgrade request,
 * node:http would close the connection instead.
 *
 * Test: server/order.test.ts, "parses no more requests of a connection that it has reset".
 */
export function watchParser(socket: Socket, onRequest: () => boolean): void {
  const parser = Reflect.get(socket, 'parser');
  const onIncoming = parser?.onIncoming;
  if (typeof onIncoming !== 'function') return;
  parser.onIncoming = (request: IncomingMessage, isKeptAlive: boolean) => {
    if (onRequest()) return onIncoming(request, isKeptAlive);
    Object.assign(request, { upgrade: false });
    return -1;
  };
}

/**
 * Whether this version of Node has the parser that `watchParser` needs. Without it, a client may pipeline as many
 * requests as one read contains.
 *
 * Test: server/undocumented.test.ts, "finds the parser of a connection".
 */
export function hasParser(): boolean {
  const server = http.createServer();
  const socket = new net.Socket();
  server.emit('connection', socket);
  const onIncoming: unknown = Reflect.get(socket, 'parser')?.onIncoming;
  socket.destroy();
  return typeof onIncoming === 'function';
}

/**
 * Allows half-open connections: when a client closes its side, that of the server stays open. Otherwise a truncated
 * bulk answer over HTTP/1.0, which ends with the connection, would look complete. http.Server has no such option.
 *
 * Test: extensions/bulk.test.ts, "answers every line over HTTP/1.0, with Connection: close, and after the client
 * half-closes".
 */
export function allowHalfOpen(server: Server): void {
  Object.assign(server, { httpAllowHalfOpen: true });
}

/**
 * Stops listening and resolves when all connections have closed. Since Node 19, http.Server.close also closes idle
 * connections at once, and would reset a request that is already on its way; the method of net.Server does not.
 *
 * Test: server/drain.test.ts, "answers a request that arrived during a pause of the process while draining".
 */
export function stopListening(server: Server): Promise<void> {
  return new Promise((resolve) => net.Server.prototype.close.call(server, () => resolve()));
}
