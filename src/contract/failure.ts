import { deepFreeze } from './freeze.ts';

/** The code of a failure, as clients read it in `error.code`. */
export type FailureCode =
  | 'bad_request'
  | 'invalid_json'
  | 'not_found'
  | 'method_not_allowed'
  | 'request_timeout'
  | 'body_too_large'
  | 'unsupported_media_type'
  | 'expectation_failed'
  | 'validation_failed'
  | 'headers_too_large'
  | 'internal_error'
  | 'digest_unavailable'
  | 'overloaded';

/** Where a failure can occur: with any request, with one that has a body or values, or with a few operations. */
export type FailureScope = 'request' | 'body' | 'values' | 'operation';

interface Kind {
  readonly status: number;
  readonly scope: FailureScope;
  readonly title: string;
}

/** All that can go wrong: the HTTP status of each code, and its meaning. Nothing else chooses a failure's status. */
export const FAILURES: Readonly<Record<FailureCode, Kind>> = deepFreeze({
  bad_request: { status: 400, scope: 'request', title: 'The request is not well-formed HTTP/1.1.' },
  invalid_json: { status: 400, scope: 'body', title: 'The body is not one JSON object in UTF-8.' },
  not_found: { status: 404, scope: 'request', title: 'There is nothing at this path.' },
  method_not_allowed: {
    status: 405, scope: 'request', title: 'The path does not take this method; Allow lists those it takes.',
  },
  request_timeout: {
    status: 408, scope: 'request', title: 'The header or the body of the request took too long to arrive.',
  },
  body_too_large: { status: 413, scope: 'body', title: 'The body is larger than the operation takes.' },
  unsupported_media_type: {
    status: 415, scope: 'body', title: 'The body is not declared as uncompressed JSON or NDJSON in UTF-8.',
  },
  expectation_failed: { status: 417, scope: 'request', title: 'The only expectation met is 100-continue.' },
  validation_failed: {
    status: 422, scope: 'values', title: 'The JSON is fine, its values are not; the details list every problem.',
  },
  headers_too_large: { status: 431, scope: 'request', title: 'The header of the request is too large.' },
  internal_error: { status: 500, scope: 'request', title: 'A fault of the service, which has been logged.' },
  digest_unavailable: {
    status: 501, scope: 'operation', title: 'The cryptography of this installation lacks a digest.',
  },
  overloaded: {
    status: 503, scope: 'body', title: 'The service is shedding load or shutting down; try again after Retry-After.',
  },
});

/** What can be wrong with one field. */
export const PROBLEM_CODES = [
  'required', 'wrong_type', 'out_of_range', 'not_allowed', 'malformed', 'unknown_field',
] as const;

/** What is wrong with one field. */
export type ProblemCode = (typeof PROBLEM_CODES)[number];

/** One fault of one field; the message says what was expected and what came. */
export interface Problem {
  readonly field: string;
  readonly code: ProblemCode;
  readonly message: string;
}

/** The one error that is meant for the client. Whatever else is thrown is a fault of the service. */
export class Failure extends Error {
  readonly code: FailureCode;
  /** Every fault of every field, for `validation_failed` only. */
  readonly details: readonly Problem[] | undefined;

  constructor(code: FailureCode, message: string = FAILURES[code].title, details?: readonly Problem[]) {
    super(message);
    this.name = 'Failure';
    this.code = code;
    this.details = details;
  }

  /** The failure envelope, as JSON text. */
  toEnvelope(): string {
    const { code, message, details } = this;
    return JSON.stringify({ status: 'error', error: { code, message, details } });
  }
}

/** A failure envelope that also says on which line of many the request was. */
export function atLine(envelope: string, line: number): string {
  return `${envelope.slice(0, -2)},"line":${line}}}`;
}

/** The failure of a body whose fields are not as they should be, with every problem found. */
export function invalid(details: readonly Problem[]): Failure {
  const fields = new Set(details.map((problem) => problem.field));
  const message = fields.size === 1 ? details[0]!.message : `${fields.size} fields are not valid; see details`;
  return new Failure('validation_failed', message, details);
}
