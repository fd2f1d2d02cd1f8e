import assert from 'node:assert/strict';
import { Failure, type Problem } from '../../src/contract/failure.ts';
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
