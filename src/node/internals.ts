/**
 * Undocumented behaviour of Node on which the service relies. Each item states its reason and the test that fails if a
 * version of Node behaves differently. The tests run on every supported version.
 */
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import net, { type Socket } from 'node:net';

/**
 * The response in progress on a socket. node:http keeps it in `_httpMessage`, and its own handling of parse errors uses
 * it; without it, an error after the headers could not be distinguished from one between requests.
 * Test: node/protocol.test.ts, "answers a malformed request after the answers to the requests before it".
 */
export function currentResponse(socket: Socket): ServerResponse | undefined {
  return Reflect.get(socket, '_httpMessage') ?? undefined;
}

/**
 * Allows half-open connections: when a client closes its side, that of the server stays open. Otherwise a truncated
 * bulk answer over HTTP/1.0, which ends with the connection, would look complete. http.Server has no option for it.
 * Test: node/stream.test.ts, "answers every line over HTTP/1.0, with Connection: close, and after the client
 * half-closes".
 */
export function allowHalfOpen(server: Server): void {
  Object.assign(server, { httpAllowHalfOpen: true });
}

/**
 * Stops listening and resolves when all connections have closed. Since Node 19, http.Server.close also closes idle
 * connections at once, and would reset a request that is already on its way; the method of net.Server does not.
 * Test: node/drain.test.ts, "answers a request that arrived during a pause of the process while draining".
 */
export function stopListening(server: Server): Promise<void> {
  return new Promise((resolve) => net.Server.prototype.close.call(server, () => resolve()));
}

/**
 * Makes Node cache the address of the client, so that it is available after the connection has closed.
 * Test: node/observer.test.ts, "logs the client and status 499 of a request whose client resets the connection".
 */
export function cacheRemoteAddress(socket: Socket | null): void {
  socket?.remoteAddress;
}

/**
 * Whether middleware of the program that mounts the service has replaced writeHead. The replacement may not support
 * headers in an array, which node:http does.
 * Test: index.test.ts, "createHandler calls a writeHead that middleware has replaced".
 */
export function hasReplacedWriteHead(response: ServerResponse): boolean {
  return Object.hasOwn(response, 'writeHead');
}

/**
 * Takes a body that has arrived completely: read() returns all buffered bytes at once. Reading a body through stream
 * events takes a fifth of the time of a short request.
 * Test: node/protocol.test.ts, "answers a body in two pieces, cut at every position, and pipelined requests".
 */
export function takeBody(request: IncomingMessage, limit: number): Buffer | undefined {
  const { readableLength: size, headers } = request;
  return size > 0 && size <= limit && size === Number(headers['content-length']) ? request.read() : undefined;
}
