/** Protocol errors: requests that the HTTP parser rejects, and malformed requests that it accepts. */
import type { IncomingMessage } from 'node:http';
import type { FailureCode } from '../contract/failure.ts';

/** RFC 9110 section 7.2: a host, which may be empty, and an optional port. */
const HOST = /^(?:[\w.~!$&'()*+,;=%-]*|\[[\da-f:.]+\])(?::\d{0,5})?$/i;

const PARSE_ERRORS: Readonly<Record<string, FailureCode>> = {
  HPE_HEADER_OVERFLOW: 'headers_too_large',
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 'body_too_large',
  ERR_HTTP_REQUEST_TIMEOUT: 'request_timeout',
};

/** The first bytes of a TLS handshake (RFC 8446 section 5.1). */
const TLS_HANDSHAKE = '\x16\x03';
/** The first bytes of HTTP/2 with prior knowledge (RFC 9113 section 3.4). */
const HTTP2_PREFACE = 'PRI * HTTP/2.0';

/** The reason of an error of the parser or the timers of node:http: its code, or the protocol in place of HTTP/1.1. */
export function reasonOf(error: NodeJS.ErrnoException & { readonly rawPacket?: Buffer }): string {
  const received = error.rawPacket?.toString('latin1', 0, HTTP2_PREFACE.length) ?? '';
  if (received.startsWith(TLS_HANDSHAKE)) return 'TLS';
  return received === HTTP2_PREFACE ? 'HTTP/2' : (error.code ?? error.message);
}

/** The failure code of an error of the parser or the timers of node:http. */
export function failureCodeOf(error: NodeJS.ErrnoException): FailureCode {
  return PARSE_ERRORS[error.code ?? ''] ?? 'bad_request';
}

/**
 * The error in the version, framing, Host or Content-Type of a request that node:http has accepted, if any. Versions of
 * Node accept different errors, and a proxy might disagree about the end of such a request (RFC 9112 section 3.2, 6.1).
 */
export function protocolError({
  headers,
  rawHeaders,
  httpVersion,
}: IncomingMessage): string | undefined {
  if (httpVersion !== '1.1' && httpVersion !== '1.0') return 'Expected HTTP/1.1';
  if (isRepeated(rawHeaders, 'content-type')) return 'Expected one Content-Type';
  const coding = headers['transfer-encoding'];
  const isUnsupported = coding !== undefined && coding.toLowerCase() !== 'chunked';
  if (isUnsupported) return 'Expected no Transfer-Encoding other than chunked';
  if (coding !== undefined && headers['content-length'] !== undefined) {
    return 'Expected Content-Length or Transfer-Encoding, got both';
  }
  if (coding !== undefined && httpVersion === '1.0') {
    return 'Expected no Transfer-Encoding in HTTP/1.0';
  }
  if (headers.host === undefined) {
    return httpVersion === '1.0' ? undefined : 'Expected a Host header';
  }
  return isHost(headers.host) && !isRepeated(rawHeaders, 'host')
    ? undefined
    : 'Expected one Host: host[:port]';
}

/** The last valid Host. Most requests have it, too, and a regular expression takes up to 3 µs in a running server. */
let knownHost = '';

function isHost(text: string): boolean {
  if (text !== knownHost && HOST.test(text)) knownHost = text;
  return text === knownHost;
}

function isRepeated(rawHeaders: readonly string[], name: string): boolean {
  let count = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const given = rawHeaders[index]!;
    if (given.length === name.length && given.toLowerCase() === name) count += 1;
  }
  return count > 1;
}
