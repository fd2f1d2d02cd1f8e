/** Answers, their envelopes and headers. */
import {
  envelopeOf,
  Failure,
  FAILURES,
  type FailureContent,
  failureOf,
  isFault,
} from '../contract/failure.ts';
import { deepFreeze } from '../contract/freeze.ts';
import { CHARSET, JSON_TYPE } from '../contract/media-types.ts';

/**
 * A response, without the headers that depend on the origin of the request or on the connection. No member is optional,
 * because another module may have added a member with its name to Object.prototype.
 */
export interface Answer {
  readonly status: number;
  /** The Content-Type; undefined if there is no body. */
  readonly contentType: string | undefined;
  readonly body: string | Uint8Array;
  /** The Cache-Control. */
  readonly caching: 'no-store' | 'no-cache';
  /** Further headers: alternating names and values. */
  readonly headers: readonly string[];
  /**
   * Facts for observers, by their names. Only MCP has some: the tool that was called, and the outcome. The log and the
   * metrics need them beside the request, and no extension imports another.
   */
  readonly facts: Readonly<Record<string, string>> | undefined;
  /** The fault of the service that caused the answer, for the log. */
  readonly fault: unknown;
}

/** An answer whose body is a text. */
export interface TextAnswer extends Answer {
  readonly body: string;
}

/** The CORS headers of the answers to requests from an origin: alternating names and values. */
export interface CrossOrigin {
  readonly allowing: readonly string[];
  /** Only for answers with a header to expose. */
  readonly exposing: readonly string[];
}

const JSON_CONTENT = JSON_TYPE + CHARSET;
/**
 * The headers that scripts of other origins may send: any. The wildcard does not include Authorization, and older
 * browsers take it for a name.
 */
const CORS_REQUEST_HEADERS = 'Content-Type, Authorization, *';
/** Seconds after which a client may repeat a request to a service that is overloaded or shutting down. */
const RETRY_AFTER = '1';
const NO_HEADERS: readonly string[] = deepFreeze([]);

/** The answer with the envelope of a result, which is JSON text, or of a failure, whose code determines the status. */
export function envelopeAnswer(
  result: string | FailureContent,
  id = '',
  headers: readonly string[] = NO_HEADERS,
): TextAnswer {
  const status = typeof result === 'string' ? 200 : FAILURES[result.code].status;
  const further = status === 503 ? ['Retry-After', RETRY_AFTER, ...headers] : headers;
  return answerOf(status, JSON_CONTENT, envelopeOf(result, id), further);
}

/** The answer to a request that threw an error. Clients receive the message of a Failure, and of no other error. */
export function errorAnswer(error: unknown, id?: string): TextAnswer {
  const failure = error instanceof Failure ? error : failureOf('internal_error');
  const answer = envelopeAnswer(failure, id);
  return isFault(error) ? { ...answer, fault: error } : answer;
}

/** An answer with a text of a given media type, without an envelope. */
export function textAnswer(mediaType: string, body: string): TextAnswer {
  return answerOf(200, mediaType + CHARSET, body);
}

/** A function that builds a value on first use, and keeps it, so that the service starts fast. */
export function lazy<T>(build: () => T): () => T {
  let value: T | undefined;
  return () => (value ??= build());
}

/** The answer to OPTIONS, with the methods of a path, which also answers a CORS preflight. */
export function preflight(allow: string): Answer {
  return answerOf(204, undefined, '', [
    'Allow',
    allow,
    'Access-Control-Allow-Methods',
    allow,
    'Access-Control-Allow-Headers',
    CORS_REQUEST_HEADERS,
    'Access-Control-Max-Age',
    '86400',
  ]);
}

/** An answer that no cache may keep. Without a Content-Type, it has no body. */
export function answerOf(
  status: number,
  contentType: string | undefined,
  body: string,
  headers = NO_HEADERS,
): TextAnswer {
  return {
    status,
    contentType,
    body,
    caching: 'no-store',
    headers,
    facts: undefined,
    fault: undefined,
  };
}

/**
 * All headers of an answer except those of the connection: alternating names and values. `size` is the length of the
 * body in bytes, if it is known in advance; `id` is the X-Request-Id.
 */
export function headersOf(
  answer: Answer,
  size: number | undefined,
  crossOrigin: CrossOrigin | undefined,
  id: string | undefined,
): string[] {
  const { contentType, caching, headers } = answer;
  const all = ['X-Content-Type-Options', 'nosniff', 'Cache-Control', caching];
  if (contentType !== undefined) {
    all.push('Content-Type', contentType);
    if (size !== undefined) all.push('Content-Length', String(size));
  }
  all.push(...headers);
  if (id !== undefined) all.push('X-Request-Id', id);
  if (crossOrigin === undefined) return all;
  all.push(...crossOrigin.allowing);
  // Most answers have no header to expose, and would take up to 4 % more time with this one.
  if (headers.length > 0 || id !== undefined) all.push(...crossOrigin.exposing);
  return all;
}
