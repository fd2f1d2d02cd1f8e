/** The declaration of an operation. */
import {
  type Failure,
  type FailureCode,
  type FailureContent,
  isFault,
  type Problem,
  invalidFields,
} from './failure.ts';
import { withId } from './id.ts';
import type { Check, Fields, ObjectCheck, Value } from './schema.ts';

/** The dependencies of an operation besides its request. */
export interface Context {
  /** The month (YYYY-MM) that applies to a request without a `period`. */
  readonly currentPeriod: () => string;
  /** False while the service is shutting down. */
  readonly isReady: () => boolean;
  /**
   * Maximum rows of a monthly timeline; unlimited if absent. Only MCP limits them, and only the calculation knows the
   * number early: to count the rows of a result would take longer than to calculate them.
   */
  readonly maximumRows?: number;
}

/**
 * Words for the values of fields, as functions of a value and of the month that applies without a `period`. An absent
 * field without a default has the value undefined.
 */
export type CaseWords<F> = {
  readonly [K in keyof F]?: (value: Value<F[K]> | undefined, currentPeriod: () => string) => string;
};

/** Maximum bytes of the body of a request, except to an operation that `hasLargeBody`. */
export const SMALL_BODY_LIMIT = 16 * 1024;

/** The parts of an operation that do not depend on the types of its request and result. */
interface Description {
  /** The name of the operation in generated clients: a verb and an object, such as `calculateTax`. */
  readonly id: string;
  readonly path: string;
  readonly summary: string;
  readonly description: string;
  /** GET if a request has no body. */
  readonly method: 'GET' | 'POST';
  /** Whether the limit of the body is the setting BODY_LIMIT, in place of SMALL_BODY_LIMIT. */
  readonly hasLargeBody?: boolean;
  /** The words in which an answer to an assistant states its case: the values of fields, whether sent or not. */
  readonly caseWords?: CaseWords<Readonly<Record<string, Check<any>>>> | undefined;
  /** Example requests by their titles; together they contain every field that has no default. */
  readonly examples: Readonly<Record<string, object>>;
  /** Example requests with invalid values, by their titles; they cover every condition that involves several fields. */
  readonly invalidExamples: Readonly<Record<string, object>>;
  /** The failures that are specific to this operation. */
  readonly failures?: readonly FailureCode[];
}

interface Declaration<F extends Fields, Result> extends Description {
  readonly request: ObjectCheck<F>;
  readonly result: Check<Result>;
  readonly calculate: (request: Value<ObjectCheck<F>>, context: Context) => Result;
  /** Writes the result as the JSON text that JSON.stringify, the default, would produce, but faster. */
  readonly write?: (result: Result) => string;
}

/** An operation, declared once: routing, validation, OpenAPI, command line, metrics and tests are derived from it. */
export interface Operation extends Description {
  readonly request: ObjectCheck<Fields>;
  readonly result: Check<unknown>;
  /** Checks a request, and returns the result as JSON text, or the refusal of the request. Throws faults only. */
  readonly run: (request: unknown, context: Context) => string | FailureContent;
}

/** Creates an operation from its declaration. */
export function operation<F extends Fields, Result>(
  declaration: Declaration<F, Result>,
): Operation {
  const { calculate, write = JSON.stringify, ...description } = declaration;
  const isPost = description.method === 'POST';
  const request = isPost ? withId(description.request) : description.request;
  return {
    ...description,
    request,
    run(given, context) {
      const problems: Problem[] = [];
      const checked = request.read(given, '', problems);
      if (checked === undefined || problems.length > 0) return invalidFields(problems);
      try {
        return write(calculate(checked, context));
      } catch (error) {
        if (isFault(error)) throw error;
        return error as Failure;
      }
    },
  };
}
