import { type Check, type JsonSchema, parse } from './schema.ts';

/** What a calculation may know beside its request. */
export interface Context {
  /** The month (YYYY-MM) that a request without a `period` means. */
  readonly currentPeriod: () => string;
}

/** The largest body in bytes, for the two kinds of request: a few `fields`, or a `text` of the client's own. */
export type BodyLimits = Readonly<Record<'fields' | 'text', number>>;

/** One operation, said once; routing, checking, documentation and tests are derived from this. */
interface Declaration<Request, Result> {
  readonly path: string;
  readonly summary: string;
  readonly body: keyof BodyLimits;
  readonly request: Check<Request>;
  readonly result: Check<Result>;
  readonly example: unknown;
  readonly calculate: (request: Request, context: Context) => Result;
  /** The result as JSON text, where something faster than JSON.stringify is known to give the same. */
  readonly write?: (result: Result) => string;
}

/** An operation, its types settled, so that different ones fit into one list. */
export interface Operation extends Pick<Declaration<never, never>, 'path' | 'summary' | 'body' | 'example'> {
  readonly request: JsonSchema;
  readonly result: JsonSchema;
  /** Checks a body and calculates; the result is JSON text. Throws a Failure for a body that is not valid. */
  readonly run: (body: unknown, context: Context) => string;
}

/** Makes an operation out of its declaration. */
export function operation<Request, Result>(declaration: Declaration<Request, Result>): Operation {
  const { request, result, calculate, write = JSON.stringify, ...rest } = declaration;
  return {
    ...rest,
    request: request.schema,
    result: result.schema,
    run: (body, context) => write(calculate(parse(request, body), context)),
  };
}
