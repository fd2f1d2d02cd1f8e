import { createHash } from 'node:crypto';
import { FAILURES, type Failure } from '../contract/failure.ts';
import { deepFreeze } from '../contract/freeze.ts';
import { LINES_TYPE } from '../contract/openapi.ts';

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

const CHARSET = '; charset=utf-8';
const JSON_TYPE = `application/json${CHARSET}`;
const LINES_HEADER = `${LINES_TYPE}${CHARSET}`;
/** Characters of an entity tag: 128 bits. */
const TAG_LENGTH = 22;
/** Seconds after which a client may come back to a service that is shedding load or shutting down. */
const RETRY_AFTER = '1';
const NONE: readonly string[] = deepFreeze([]);

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

/** A text of a media type, without an envelope. */
export function plain(type: string, body: string): Answer {
  return answerOf(200, `${type}${CHARSET}`, body);
}

/** The same answer for one that stays the same: a client may keep it, and ask with its tag whether it still does. */
export function document(answer: Answer, headers: readonly string[] = NONE): Answer {
  let tag: readonly string[] = NONE;
  try {
    tag = ['ETag', `"${createHash('sha256').update(answer.body).digest('base64url').slice(0, TAG_LENGTH)}"`];
  } catch {
    // An OpenSSL without SHA-256: each time it is asked for, the whole is sent.
  }
  return { ...answer, caching: 'no-cache', headers: [...tag, ...answer.headers, ...headers] };
}

/** Makes an answer for the first who asks, and keeps it: at the start nobody should wait for what few will want. */
export function lazily(make: () => Answer): () => Answer {
  let answer: Answer | undefined;
  return () => (answer ??= deepFreeze(make()));
}

/** The answer, or where its tag is among those of If-None-Match (RFC 9110 section 13.1.2), that the client has it. */
export function unlessKnown(answer: Answer, known: string | readonly string[] | undefined): Answer {
  const tag = answer.headers[answer.headers.indexOf('ETag') + 1];
  if (known === undefined || answer.caching === 'no-store') return answer;
  const isKnown = String(known).split(',').some((given) => ['*', tag].includes(given.trim().replace(/^W\//, '')));
  return isKnown ? { ...answer, status: 304, type: undefined, body: '' } : answer;
}

/** What OPTIONS answers: the methods of a path, also in the terms of CORS. */
export function preflight(allow: string): Answer {
  return answerOf(204, undefined, '', ['Allow', allow, 'Access-Control-Allow-Methods', allow,
    'Access-Control-Allow-Headers', 'Content-Type, X-Request-Id', 'Access-Control-Max-Age', '86400']);
}

function answerOf(status: number, type: string | undefined, body: string, headers = NONE): Answer {
  return { status, type, body, caching: 'no-store', headers };
}

/** All headers of an answer of many lines, whose length nobody knows yet; names and values in turn. */
export function headersOfLines(further: readonly string[]): string[] {
  return ['X-Content-Type-Options', 'nosniff', 'Cache-Control', 'no-store', 'Content-Type', LINES_HEADER, ...further];
}

/** All headers of an answer with a body of `size` bytes, names and values in turn, followed by `further` ones. */
export function headersOf(
  { type, body, caching, headers }: Answer,
  further: readonly string[],
  size: number = Buffer.byteLength(body),
): string[] {
  return type === undefined
    ? ['X-Content-Type-Options', 'nosniff', 'Cache-Control', caching, ...headers, ...further]
    : ['X-Content-Type-Options', 'nosniff', 'Cache-Control', caching, 'Content-Type', type,
      'Content-Length', String(size), ...headers, ...further]; // given a length, node:http need not look for it
}
