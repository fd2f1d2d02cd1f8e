import assert from 'node:assert/strict';
import { Failure, type Problem } from '../../src/contract/failure.ts';
import type { Context, Operation } from '../../src/contract/operation.ts';
import { type Check, parse } from '../../src/contract/schema.ts';

/** The problems that a check reports; none for a valid value. */
export function problemsOf<T>(check: Check<T>, value: unknown): readonly Problem[] {
  try {
    parse(check, value);
    return [];
  } catch (error) {
    assert.ok(
      error instanceof Failure && error.code === 'validation_failed' && error.details !== undefined,
    );
    return error.details;
  }
}

/** The value that a check returns, with plain objects: those of a check have no prototype with members. */
export function parsed<T>(check: Check<T>, value: unknown): T {
  return structuredClone(parse(check, value));
}

/** The result of an operation as JSON text; the request must be valid. */
export function resultOf(operation: Operation, request: unknown, context: Context): string {
  const result = operation.run(request, context);
  assert.ok(typeof result === 'string', JSON.stringify(result));
  return result;
}
