import { FAILURES, type Failure } from '../contract/failure.ts';

/** A response: status, header names and values in turn, and body. It is complete but for what a connection adds. */
export interface Answer {
  readonly status: number;
  readonly headers: string[];
  readonly body: string;
  /** The error behind an answer of 500, for the log. */
  readonly fault?: unknown;
}

/** Seconds after which a client may come back to a service that is shedding load or shutting down. */
const RETRY_AFTER = '1';

/** On every answer: it is read as what it says it is, and kept by nobody. */
const COMMON_HEADERS: readonly string[] = [
  'X-Content-Type-Options', 'nosniff',
  'Cache-Control', 'no-store',
];

function answerOf(status: number, body: string, headers: readonly string[] = [], type = 'application/json'): Answer {
  return {
    status,
    headers: [
      'Content-Type', `${type}; charset=utf-8`,
      // Given a length, node:http need not look for it.
      'Content-Length', String(Buffer.byteLength(body)),
      ...COMMON_HEADERS,
      ...headers,
    ],
    body,
  };
}

/** The success envelope around data that is JSON text. */
export function success(data: string): Answer {
  return answerOf(200, `{"status":"success","data":${data}}`);
}

/** The failure envelope, with the status of its code. */
export function failed(failure: Failure, headers: readonly string[] = []): Answer {
  const { status } = FAILURES[failure.code];
  return answerOf(status, failure.toEnvelope(), status === 503 ? ['Retry-After', RETRY_AFTER, ...headers] : headers);
}

/** Plain text, for people and for Prometheus. */
export function text(body: string): Answer {
  return answerOf(200, body, [], 'text/plain');
}

/** What OPTIONS answers: the methods of a path, also in the terms of CORS. */
export function preflight(allow: string): Answer {
  const headers = ['Allow', allow, 'Access-Control-Allow-Methods', allow,
    'Access-Control-Allow-Headers', 'Content-Type, X-Request-Id', 'Access-Control-Max-Age', '86400'];
  return { status: 204, headers: [...COMMON_HEADERS, ...headers], body: '' };
}
