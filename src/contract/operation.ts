import type { FailureCode } from './failure.ts';
import { type AnyCheck, type Check, parse } from './schema.ts';

/** What an operation may know beside its request. */
export interface Context {
  /** The month (YYYY-MM) that a request without a `period` means. */
  readonly currentPeriod: () => string;
  /** Whether new work is welcome in the long run. */
  readonly isReady: () => boolean;
}

/** The largest body in bytes, for the two kinds of request: a few `fields`, or a `text` of the client's own. */
export type BodyLimits = Readonly<Record<'fields' | 'text', number>>;

/** One operation, said once; routing, checking, documentation and tests are derived from this. */
interface Declaration<Request, Result> {
  /** Its name in a program: a verb and what it is done to. */
  readonly id: string;
  readonly path: string;
  readonly summary: string;
  readonly description: string;
  /** A POST takes a body of one of the kinds; a GET a query that selects from what never changes, or nothing. */
  readonly takes: keyof BodyLimits | 'query' | 'nothing';
  readonly request: Check<Request>;
  readonly result: Check<Result>;
  /** Requests by what they show; together they have every field that has no default. */
  readonly examples: Readonly<Record<string, object>>;
  /** What can go wrong beside that which can with every operation that takes the same. */
  readonly failures?: readonly FailureCode[];
  readonly calculate: (request: Request, context: Context) => Result;
  /** The result as JSON text, where something faster than JSON.stringify is known to give the same. */
  readonly write?: (result: Result) => string;
}

/** An operation, its types settled, so that different ones fit into one list. */
export interface Operation extends Omit<Declaration<never, never>, 'request' | 'result' | 'calculate' | 'write'> {
  readonly request: AnyCheck;
  readonly result: AnyCheck;
  /** Checks a request and calculates; the result is JSON text. Throws a Failure for a request that is not valid. */
  readonly run: (request: unknown, context: Context) => string;
}

/** Makes an operation out of its declaration. */
export function operation<Request, Result>(declaration: Declaration<Request, Result>): Operation {
  const { calculate, write = JSON.stringify, ...rest } = declaration;
  return { ...rest, run: (given, context) => write(calculate(parse(rest.request, given), context)) };
}

/** How an operation is called: one that takes a body with POST. */
export function methodOf({ takes }: Pick<Operation, 'takes'>): 'GET' | 'POST' {
  return takes === 'query' || takes === 'nothing' ? 'GET' : 'POST';
}

/** What an operation is about, the third part of its path: tax for /api/v1/tax/calculate. */
export function subjectOf({ path }: Pick<Operation, 'path'>): string {
  return path.split('/')[3] ?? 'service';
}
