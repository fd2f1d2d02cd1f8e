/**
 * The ways to refuse a request whose body is unwanted, incomplete or malformed. Closing a socket with unread bytes
 * resets the connection, and the client might lose the answer; the first three ways therefore read on.
 *
 * | request | answer | connection |
 * |---|---|---|
 * | with a short body of declared length | is sent at once | stays open; node:http discards the body |
 * | with any other body | is sent at once | is closed after the body, or `lingerTime` without a byte of it |
 * | malformed, too slow, or CONNECT | is written to the socket | is closed by the client, or after `lingerTime` |
 * | bulk, after its answer has begun | is cut | is reset, because a truncated answer could look complete |
 */
import { type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { type Answer, headersOf } from '../http/answer.ts';
import { arrivingRequest } from './undocumented.ts';
import { DISCARDED_BODY, LINGER_SIZE } from './limits.ts';

/** Whether a request has a body, which may be empty in chunks. */
export function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

/** Whether node:http can read and discard the body, so that the connection can be reused. */
export function isDiscardable({ headers }: IncomingMessage): boolean {
  // A client that expects 100-continue may omit the body after a refusal (RFC 9110 section 10.1.1).
  return Number(headers['content-length']) <= DISCARDED_BODY && headers.expect === undefined;
}

/**
 * Ends an answer, and with it the connection, when the body has arrived, or no byte of it has been read for a time in
 * milliseconds. REQUEST_TIMEOUT applies, too.
 */
export function endAfterBody(
  request: IncomingMessage,
  response: ServerResponse,
  time: number,
): void {
  const end = (): void => {
    response.end();
  };
  const timer = setTimeout(end, time);
  response.on('close', () => clearTimeout(timer));
  request.on('end', end).on('data', () => timer.refresh());
  discard(request, request.socket);
}

/**
 * Discards what is read from now on, and stops after LINGER_SIZE bytes of the connection. It is read once per turn of
 * the event loop, because libuv would otherwise read up to 2 MiB of garbage per connection and turn.
 */
function discard(source: IncomingMessage | Socket, socket: Socket): void {
  const limit = socket.bytesRead + LINGER_SIZE;
  source.on('data', () => {
    source.pause();
    if (socket.bytesRead < limit) setImmediate(() => source.resume());
  });
  source.resume();
}

/** Writes an answer to the socket itself, and closes the connection. Returns false if no answer can be sent. */
export function answerOnSocket(socket: Socket, answer: Answer, id: string, time: number): boolean {
  return endOnSocket(socket, messageOf(answer, id), time);
}

/**
 * Ends a connection with a last text, and discards its input until the client closes it, or a time in milliseconds is
 * over. Returns false if the connection has ended before.
 */
export function endOnSocket(socket: Socket, text: string, time: number): boolean {
  if (!socket.writable) return false;
  setTimeout(() => socket.destroy(), time).unref();
  // A body that nobody reads would stop node:http from reading the socket.
  arrivingRequest(socket)?.resume();
  socket.resume();
  // A listener takes the socket from the parser of node:http, which has to resume it before.
  setImmediate(() => discard(socket, socket));
  socket.end(text);
  return true;
}

/** An answer as an HTTP message that closes the connection. */
function messageOf(answer: Answer, id: string): string {
  const { status, body } = answer;
  const headers = headersOf(answer, Buffer.byteLength(body), undefined, id);
  headers.push('Date', new Date().toUTCString(), 'Connection', 'close');
  const lines = [`HTTP/1.1 ${status} ${STATUS_CODES[status]}`];
  for (let index = 0; index < headers.length; index += 2) {
    lines.push(`${headers[index]}: ${headers[index + 1]}`);
  }
  return `${lines.join('\r\n')}\r\n\r\n${body}`;
}

/** Resets a TCP connection. Closes any other connection, such as a Unix domain socket, which cannot be reset. */
export function resetSocket(socket: Socket): void {
  try {
    socket.resetAndDestroy();
  } catch {
    socket.destroy();
  }
}
