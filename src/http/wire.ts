/** Requests that never become one: what node:http rejects by itself, and what it lets through but should not. */
import { type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { FailureCode } from '../contract/failure.ts';
import { type Answer, headersOf } from './answer.ts';
import { keepingLatest } from './latest.ts';

/** Milliseconds for which input is read after a refusal: some clients send everything before they read. */
export const LINGER_TIME = 1_000;
/** Bytes of input that are read after a refusal. */
export const LINGER_SIZE: number = 1024 * 1024;

/** RFC 9110 section 7.2: a host, which may be empty, and an optional port. */
const HOST = /^(?:[\w.~!$&'()*+,;=%-]*|\[[\da-f:.]+\])(?::\d{0,5})?$/i;
const isHost = keepingLatest((text) => HOST.test(text));

const PARSE_ERRORS: Readonly<Record<string, FailureCode>> = {
  HPE_HEADER_OVERFLOW: 'headers_too_large',
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 'body_too_large',
  ERR_HTTP_REQUEST_TIMEOUT: 'request_timeout',
};

/** What an error of node:http's parser or timers means to the client. */
export function failureOf(error: NodeJS.ErrnoException): FailureCode {
  return PARSE_ERRORS[error.code ?? ''] ?? 'bad_request';
}

/**
 * What is wrong with the framing or the Host of a request that node:http has accepted, if anything. Versions differ in
 * what they accept; a proxy in front may see another end of such a request than we do (RFC 9112 sections 3.2, 6.1).
 */
export function wireFault({ headers, rawHeaders, httpVersion }: IncomingMessage): string | undefined {
  if (httpVersion !== '1.1' && httpVersion !== '1.0') return 'Expected HTTP/1.1';
  if (isRepeated(rawHeaders, 'content-type')) return 'Expected one Content-Type';
  const coding = headers['transfer-encoding'];
  if (coding !== undefined && coding.toLowerCase() !== 'chunked') return 'Expected no Transfer-Encoding but chunked';
  if (coding !== undefined && headers['content-length'] !== undefined) {
    return 'Expected Content-Length or Transfer-Encoding, got both';
  }
  if (coding !== undefined && httpVersion === '1.0') return 'Expected no Transfer-Encoding in HTTP/1.0';
  if (headers.host === undefined) return httpVersion === '1.0' ? undefined : 'Expected a Host header';
  return isHost(headers.host) && !isRepeated(rawHeaders, 'host') ? undefined : 'Expected one Host: host[:port]';
}

function isRepeated(rawHeaders: readonly string[], name: string): boolean {
  let count = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const given = rawHeaders[index]!;
    if (given.length === name.length && given.toLowerCase() === name) count += 1;
  }
  return count > 1;
}

/** The response that node:http has under way on a socket. Its own handling of parse errors looks here too. */
function responseOn(socket: Socket): ServerResponse | undefined {
  return Reflect.get(socket, '_httpMessage') ?? undefined;
}

/** The request on a socket that has begun, its body still arriving, and has not been answered. */
export function unansweredRequest(socket: Socket): IncomingMessage | undefined {
  const response = responseOn(socket);
  return response?.headersSent === false ? response.req : undefined;
}

/**
 * Answers on the socket itself, where there is no response to answer with, and closes the connection. Returns false if
 * no answer can be sent there.
 */
export function endWith(socket: Socket, answer: Answer): boolean {
  if (!socket.writable) return false;
  setTimeout(() => socket.destroy(), LINGER_TIME).unref();
  const end = socket.bytesRead + LINGER_SIZE;
  socket.on('data', () => socket.bytesRead > end && socket.destroy());
  if (responseOn(socket)?.headersSent) {
    // That answer goes out whole, and another after it would be taken for that of a request.
    socket.end();
    return false;
  }
  const date = new Date().toUTCString();
  const { status, body } = answer;
  const headers = headersOf(answer, ['Date', date, 'Connection', 'close']);
  const lines = [`HTTP/1.1 ${status} ${STATUS_CODES[status]}`];
  for (let index = 0; index < headers.length; index += 2) lines.push(`${headers[index]}: ${headers[index + 1]}`);
  socket.end(`${lines.join('\r\n')}\r\n\r\n${body}`);
  return true;
}
