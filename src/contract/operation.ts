import { type Check, type JsonSchema, parse } from './schema.ts';

/** What a calculation may know beside its request. */
export interface Context {
  /** The month (YYYY-MM) that a request without a `period` means. */
  readonly currentPeriod: () => string;
}

/** The two sizes of body: a few `fields`, or a `text` of the client's own. Each has a limit in bytes. */
export type BodyLimits = Readonly<Record<'fields' | 'text', number>>;

/** One operation, said once; routing, checking, documentation and tests are derived from this. */
export interface Declaration<Request, Result> {
  readonly path: string;
  readonly summary: string;
  readonly body: keyof BodyLimits;
  readonly request: Check<Request>;
  readonly result: Check<Result>;
  readonly example: { readonly request: unknown; readonly result: Result };
  readonly calculate: (request: Request, context: Context) => Result;
  /** The result as JSON text, where something faster than JSON.stringify is known to give the same. */
  readonly write?: (result: Result) => string;
}

/** An operation whose types have been settled by `operation`, so that different ones fit into one list. */
export interface Operation extends Pick<Declaration<never, never>, 'path' | 'summary' | 'body'> {
  readonly requestSchema: JsonSchema;
  readonly resultSchema: JsonSchema;
  readonly example: { readonly request: unknown; readonly result: unknown };
  /** Checks a body and calculates; the result is JSON text. Throws a Failure for a body that is not valid. */
  readonly run: (body: unknown, context: Context) => string;
}

/** Makes an operation out of its declaration. */
export function operation<Request, Result>(declaration: Declaration<Request, Result>): Operation {
  const { path, summary, body, request, result, example, calculate, write = JSON.stringify } = declaration;
  return {
    path,
    summary,
    body,
    requestSchema: request.schema,
    resultSchema: result.schema,
    example,
    run: (given, context) => write(calculate(parse(request, given), context)),
  };
}
