/** Helpers for bulk requests: a client on a socket, and the expected answers. */
import assert from 'node:assert/strict';
import events from 'node:events';
import http from 'node:http';
import net, { type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import type { TestContext } from 'node:test';
import type { Service } from '../../src/service/service.ts';
import { once, turn, within, written } from './until.ts';

export const TAX = '/api/v1/tax/calculate';
export const HASH = '/api/v1/hash';
export const NDJSON = { 'content-type': 'application/x-ndjson' };
export const TAX_LINE = '{"income":30000000}';

/** The head of a stream, as text for a socket. */
export function headOf(path: string, ...headers: readonly string[]): string {
  return [
    `POST ${path} HTTP/1.1`,
    'Host: a',
    'Content-Type: application/x-ndjson',
    ...headers,
    '\r\n',
  ].join('\r\n');
}

const LONG_LINES = '{"income":30000000,"period":"2026-08","detail":true}\n'.repeat(2_500);

/** A short bulk request, whose answer of 5 MB is more than the buffers of a connection can hold. */
export const LONG_BULK: string = headOf(TAX, `Content-Length: ${LONG_LINES.length}`) + LONG_LINES;

export const CHUNKED = 'Transfer-Encoding: chunked';

/** The head of a single request in chunks. */
export function chunkedHead(path: string, ...headers: readonly string[]): string {
  return headOf(path, CHUNKED, ...headers).replace('x-ndjson', 'json');
}

export const LAST_CHUNK = '0\r\n\r\n';

/** Bytes as one chunk of the chunked transfer coding. */
export function chunkOf(bytes: string | Buffer): Buffer {
  const data = Buffer.from(bytes as string);
  return Buffer.concat([Buffer.from(`${data.length.toString(16)}\r\n`), data, Buffer.from('\r\n')]);
}

/** A connection, the bytes received on it as text with one character per byte, and how it ended. */
export interface Connection {
  readonly socket: Socket;
  received: string;
  /** Resolves to 'end' after an orderly close, otherwise to the code of the error. */
  readonly closed: Promise<string>;
  /** Waits until the received text fulfils a condition. */
  readonly until: (holds: (received: string) => boolean) => Promise<void>;
}

export async function connect(
  context: TestContext,
  port: number,
  isHalfOpen = false,
): Promise<Connection> {
  const socket = net.connect({ port, host: '127.0.0.1', noDelay: true, allowHalfOpen: isHalfOpen });
  context.after(() => socket.destroy());
  let error = 'end';
  socket.on('error', ({ code }: NodeJS.ErrnoException) => (error = String(code)));
  const closed = new Promise<string>((resolve) => socket.on('close', () => resolve(error)));
  const connection: Connection = {
    socket,
    received: '',
    closed,
    async until(holds) {
      while (!holds(connection.received)) {
        const data = events.once(socket, 'data').then(
          () => undefined,
          () => undefined,
        );
        const reason = await within('more of the answer', Promise.race([closed, data]));
        if (reason !== undefined && !holds(connection.received)) {
          throw new Error(`closed (${reason}) after ${connection.received.slice(-200)}`);
        }
      }
    },
  };
  socket.on('data', (data) => {
    connection.received += data.toString('latin1');
  });
  await once(socket, 'connect');
  return connection;
}

/** A connection that is not read at first, and keeps only the end of the answers, which are long. */
export async function connectUnread(
  context: TestContext,
  port: number,
): Promise<{ readonly socket: Socket; readonly until: (text: string) => Promise<void> }> {
  const connection = await connect(context, port);
  const { socket } = connection;
  socket.pause().on('data', () => (connection.received = connection.received.slice(-1_000)));
  return { socket, until: (text) => connection.until((received) => received.includes(text)) };
}

/**
 * Sends LONG_BULK behind other bytes, and stops to read when its answer has begun, so that the answer stays incomplete
 * until the client goes on.
 */
export async function beginBulk(
  context: TestContext,
  port: number,
  bytes: string | Buffer = LONG_BULK,
): Promise<Connection> {
  const connection = await connect(context, port);
  connection.socket.write(bytes);
  await connection.until((received) => received.includes('application/x-ndjson'));
  connection.socket.pause();
  return connection;
}

/**
 * How a connection that is not read has ended: `ECONNRESET` after a reset. To a reader, libuv reports the end in place
 * of a reset that follows the last bytes in the buffer of the kernel; a write fails with the error.
 */
export function endingOf({ socket, closed }: Connection): Promise<string> {
  socket.write('a');
  socket.resume();
  return closed;
}

/** A received response, its body without the transfer coding. */
export interface Streamed {
  readonly head: string;
  readonly body: string;
  readonly isWhole: boolean;
  /** The text after it. */
  readonly rest: string;
}

/** The first response in a received text. */
export function responseIn(received: string): Streamed {
  const end = received.indexOf('\r\n\r\n');
  const head = received.slice(0, end);
  let rest = received.slice(end + 4);
  if (/^HTTP\/1\.1 1\d\d /.test(head)) return responseIn(rest);
  if (!/\r\nTransfer-Encoding: chunked(?:\r|$)/i.test(head)) {
    const length = Number(/\r\nContent-Length: (\d+)/i.exec(head)?.[1] ?? rest.length);
    const body = Buffer.from(rest.slice(0, length), 'latin1').toString();
    return { head, body, isWhole: rest.length >= length, rest: rest.slice(length) };
  }
  const parts: string[] = [];
  for (;;) {
    const size = /^([\da-f]+)\r\n/i.exec(rest.slice(0, 20));
    if (size === null) break;
    const [line, digits = ''] = size;
    const length = Number.parseInt(digits, 16);
    parts.push(rest.slice(line.length, line.length + length));
    const isWhole = length === 0 && rest.startsWith(LAST_CHUNK);
    rest = rest.slice(line.length + length + 2);
    if (isWhole)
      return { head, body: Buffer.from(parts.join(''), 'latin1').toString(), isWhole, rest };
  }
  return { head, body: Buffer.from(parts.join(''), 'latin1').toString(), isWhole: false, rest };
}

export const isWhole = (received: string): boolean =>
  received.includes('\r\n\r\n') && responseIn(received).isWhole;

/** Sends parts, each after the kernel has taken the previous part, and returns the body of the answer. */
export async function bodyFor(
  context: TestContext,
  port: number,
  ...parts: readonly (string | Buffer)[]
): Promise<string> {
  const connection = await connect(context, port);
  for (const part of parts) {
    await written(connection.socket, part);
    await turn();
  }
  await connection.until(isWhole);
  connection.socket.destroy();
  return responseIn(connection.received).body;
}

/** The expected answer to a body: per line, the answer to a single request; an error also has the line number. */
export async function oracle(service: Service, target: string, body: Buffer): Promise<string> {
  const answers: string[] = [];
  let number = 0;
  for (let start = 0; start < body.length; ) {
    const newline = body.indexOf('\n', start);
    const end = newline === -1 ? body.length : newline;
    const line = body.subarray(start, body[end - 1] === 13 && end > start ? end - 1 : end);
    start = end + 1;
    number += 1;
    if (line.length === 0) continue;
    const head = { method: 'POST', target, headers: { 'content-type': 'application/json' } };
    const answer = await service.answer(head, line);
    const text = String(answer.body);
    const envelope = JSON.parse(text) as { error?: object };
    const isSuccess = answer.status === 200;
    answers.push(
      isSuccess
        ? text
        : JSON.stringify({ ...envelope, error: { ...envelope.error, line: number } }),
    );
  }
  return answers.map((answer) => `${answer}\n`).join('');
}

/** Lines in each piece of a request for `answeredLines`. */
const PIECE = 200;

/**
 * Sends lines in one bulk request without a length, on a connection that may be kept, and returns how many answers have
 * arrived at their place.
 */
export async function answeredLines(port: number, count: number): Promise<number> {
  const agent = new http.Agent({ keepAlive: true });
  const options = { port, host: '127.0.0.1', path: TAX, method: 'POST', headers: NDJSON, agent };
  const request = http.request(options);
  const response = once(request, 'response') as Promise<[http.IncomingMessage]>;
  for (let line = 0; line < count; line += PIECE) {
    const piece = Array.from({ length: PIECE }, (_, index) => `{"income":${line + index}}\n`);
    if (!request.write(piece.join(''))) await once(request, 'drain');
    await turn();
  }
  request.end();
  const [received] = await response;
  const lines = (await within('the end of an answer', text(received))).split('\n').slice(0, -1);
  agent.destroy();
  const atPlace = (line: string, index: number): boolean =>
    line.includes(`"gross_income":${index},`);
  return lines.filter(atPlace).length;
}

export const outline = (answers: string): string[] =>
  answers
    .split('\n')
    .slice(0, -1)
    .map((text) => {
      const { error } = JSON.parse(text) as { error?: { code: string; line: number } };
      if (error !== undefined) assert.equal(Object.keys(error).at(-1), 'line');
      return error === undefined ? 'success' : `${error.code} ${error.line}`;
    });
