/**
 * The ways to refuse a request whose body is unwanted, incomplete or malformed. Closing a socket with unread bytes
 * resets the connection, and the client might lose the answer; each way therefore reads on.
 *
 * | request | answer | connection |
 * |---|---|---|
 * | with a short body of declared length | is sent at once | stays open; node:http discards the body |
 * | with any other body | is sent at once | is ended after the body, or closed `lingerTime` after its last byte |
 * | malformed, too slow, or CONNECT | is written to the socket | is ended |
 *
 * A connection is ended in the same way after any answer with which the service ends it: its side is closed, and input
 * is discarded until the client closes its side, or `lingerTime` is over (RFC 9112 section 9.6). If the client asks for
 * the end, nothing follows its request, and the connection is closed with the answer.
 */
import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { type Answer, headersOf } from '../service/answer.ts';
import { LINGER_SIZE } from './limits.ts';
import { arrivingRequest, restartReading } from './undocumented.ts';

/**
 * Ends a connection with a last text, and discards its input until the client closes it, or a time in milliseconds is
 * over. Does nothing if the connection has ended before.
 */
export function endOnSocket(socket: Socket, text: string, time: number): void {
  if (!socket.writable) return;
  const timer = setTimeout(() => socket.destroy(), time).unref();
  socket.on('close', () => clearTimeout(timer));
  // A body that nobody reads would stop node:http from reading the socket.
  arrivingRequest(socket)?.resume();
  setImmediate(() => {
    socket.on('data', resumerOf(socket));
    restartReading(socket);
  });
  socket.end(text);
}

/**
 * Returns the function to call after each read of input that is discarded. It continues in the next turn of the event
 * loop, because libuv would otherwise read up to 2 MiB of garbage per connection and turn, and stops after LINGER_SIZE
 * bytes.
 */
export function resumerOf(socket: Socket): () => void {
  const limit = socket.bytesRead + LINGER_SIZE;
  return () => {
    socket.pause();
    if (socket.bytesRead < limit) setImmediate(() => socket.resume());
  };
}

/** An answer as an HTTP message that closes the connection. */
export function messageOf(answer: Answer, id: string): string {
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
