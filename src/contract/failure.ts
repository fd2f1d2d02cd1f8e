/** All failures in one table, and their envelope. */
import { deepFreeze } from './freeze.ts';
import { JSON_TYPE, NDJSON_TYPE } from './media-types.ts';

/** All failures: the HTTP status and the meaning of each code. Nothing else sets the status of a failure. */
export const FAILURES = deepFreeze({
  bad_request: { status: 400, title: 'The request is not well-formed HTTP/1.1.' },
  invalid_json: { status: 400, title: 'The body is not a single JSON object in UTF-8.' },
  not_found: { status: 404, title: 'There is no resource at this path.' },
  method_not_allowed: {
    status: 405,
    title: 'The resource does not support this method; see the Allow header.',
  },
  request_timeout: {
    status: 408,
    title: 'The headers or the body of the request took too long to arrive.',
  },
  body_too_large: { status: 413, title: 'The body is larger than the operation accepts.' },
  unsupported_media_type: {
    status: 415,
    title:
      `The Content-Type must be ${JSON_TYPE} or ${NDJSON_TYPE} in UTF-8, `
      + 'without a Content-Encoding.',
  },
  expectation_failed: { status: 417, title: 'Only Expect: 100-continue is supported.' },
  validation_failed: { status: 422, title: 'The request has invalid values; see the details.' },
  headers_too_large: { status: 431, title: 'The headers of the request are too large.' },
  internal_error: { status: 500, title: 'An internal error occurred and has been logged.' },
  digest_unavailable: {
    status: 501,
    title: 'A hash algorithm is not available in this installation.',
  },
  overloaded: {
    status: 503,
    title: 'The service is overloaded or shutting down; try again after Retry-After.',
  },
} as const);

/** The code of a failure, as clients read it in `error.code`. */
export type FailureCode = keyof typeof FAILURES;

/** The codes of the problems that one field can have. */
export const PROBLEM_CODES = [
  'required',
  'wrong_type',
  'out_of_range',
  'not_allowed',
  'malformed',
  'unknown_field',
] as const;

export type ProblemCode = (typeof PROBLEM_CODES)[number];

/** A problem of one field; the message has the expected and the received value. */
export interface Problem {
  readonly field: string;
  readonly code: ProblemCode;
  readonly message: string;
}

/**
 * The content of a failure envelope. A function that returns it creates no Error, whose stack takes about as long as
 * the rest of a refused request.
 */
export interface FailureContent {
  readonly code: FailureCode;
  readonly message: string;
  /** Every problem of every field, for `validation_failed` only. */
  readonly details: readonly Problem[] | undefined;
}

/**
 * The content of a failure without details; the title of the code is the message by default. Each member is an own one,
 * because another module may have added a member with its name to Object.prototype.
 */
export function failureOf(
  code: FailureCode,
  message: string = FAILURES[code].title,
): FailureContent {
  return { code, message, details: undefined };
}

/** The only error whose message is meant for clients. Any other error is a fault of the service. */
export class Failure extends Error implements FailureContent {
  readonly code: FailureCode;
  readonly details: readonly Problem[] | undefined;

  constructor(
    code: FailureCode,
    message: string = FAILURES[code].title,
    options: ErrorOptions & { readonly details?: readonly Problem[] } = {},
  ) {
    super(message, options);
    this.name = 'Failure';
    this.code = code;
    this.details = Object.hasOwn(options, 'details') ? options.details : undefined;
  }
}

/** The envelope of a result in JSON, or of a failure, as JSON text. `id` is its first member (`idMember`), or empty. */
export function envelopeOf(result: string | FailureContent, id = ''): string {
  if (typeof result === 'string') return `{${id}"status":"success","data":${result}}`;
  const { code, message, details } = result;
  return `{${id}"status":"error","error":${JSON.stringify({ code, message, details })}}`;
}

/** Whether an error is a fault of the service, even if its message is for clients. */
export function isFault(error: unknown): boolean {
  return !(error instanceof Failure) || error.code === 'internal_error';
}

/** The problem of an absent field that is required. */
export function missingField(field: string, remark = ''): Problem {
  return { field, code: 'required', message: `${field}: this field is required${remark}` };
}

/** The refusal of a request with invalid fields, with every problem found. */
export function invalidFields(details: readonly Problem[]): FailureContent {
  const fields = new Set(details.map((problem) => problem.field));
  const message =
    fields.size === 1 ? details[0]!.message : `${fields.size} fields are invalid; see the details`;
  return { code: 'validation_failed', message, details };
}

/** The failure for a request with invalid fields, with every problem found. */
export function validationFailure(details: readonly Problem[]): Failure {
  const { code, message } = invalidFields(details);
  return new Failure(code, message, { details });
}

/** The failure for a value that only the calculation can judge. */
export function outOfRange(field: string, expected: string): Failure {
  const message = `${field}: expected ${expected}`;
  return validationFailure([{ field, code: 'out_of_range', message }]);
}
