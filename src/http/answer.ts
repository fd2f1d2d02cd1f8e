import { FAILURES, type Failure } from '../contract/failure.ts';

/** A response, but for the headers that every response or a connection adds. */
export interface Answer {
  readonly status: number;
  /** Media type of the body; undefined where there is no body. */
  readonly type: string | undefined;
  readonly body: string;
  /** For how long the answer may be kept; the value of Cache-Control. */
  readonly caching: 'no-store' | 'no-cache';
  /** Names and values of further headers in turn. */
  readonly headers: readonly string[];
  /** The error behind an answer of 500, for the log. */
  readonly fault?: unknown;
}

const JSON_TYPE = 'application/json; charset=utf-8';
const TEXT_TYPE = 'text/plain; charset=utf-8';
/** Seconds after which a client may come back to a service that is shedding load or shutting down. */
const RETRY_AFTER = '1';
const NONE: readonly string[] = [];

/** The success envelope around data that is JSON text. */
export function success(data: string): Answer {
  return answerOf(200, JSON_TYPE, `{"status":"success","data":${data}}`);
}

/** The failure envelope, with the status of its code. */
export function failed(failure: Failure, headers: readonly string[] = NONE): Answer {
  const { status } = FAILURES[failure.code];
  const further = status === 503 ? ['Retry-After', RETRY_AFTER, ...headers] : headers;
  return answerOf(status, JSON_TYPE, failure.toEnvelope(), further);
}

/** Plain text, for people and for Prometheus. */
export function text(body: string): Answer {
  return answerOf(200, TEXT_TYPE, body);
}

/** What OPTIONS answers: the methods of a path, also in the terms of CORS. */
export function preflight(allow: string): Answer {
  return answerOf(204, undefined, '', ['Allow', allow, 'Access-Control-Allow-Methods', allow,
    'Access-Control-Allow-Headers', 'Content-Type, X-Request-Id', 'Access-Control-Max-Age', '86400']);
}

function answerOf(status: number, type: string | undefined, body: string, headers = NONE): Answer {
  return { status, type, body, caching: 'no-store', headers };
}

/** All headers of an answer, names and values in turn, followed by `further` ones. */
export function headersOf({ type, body, caching, headers }: Answer, further: readonly string[]): string[] {
  const all = type === undefined
    ? ['X-Content-Type-Options', 'nosniff', 'Cache-Control', caching]
    : ['X-Content-Type-Options', 'nosniff', 'Cache-Control', caching, 'Content-Type', type,
      'Content-Length', String(Buffer.byteLength(body))]; // given a length, node:http need not look for it
  if (headers.length > 0) all.push(...headers);
  if (further.length > 0) all.push(...further);
  return all;
}
