import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  envelopeOf,
  Failure,
  FAILURES,
  type FailureCode,
  validationFailure,
} from '../../src/contract/failure.ts';

const STATUSES: Readonly<Record<FailureCode, number>> = {
  bad_request: 400,
  invalid_json: 400,
  not_found: 404,
  method_not_allowed: 405,
  request_timeout: 408,
  body_too_large: 413,
  unsupported_media_type: 415,
  expectation_failed: 417,
  validation_failed: 422,
  headers_too_large: 431,
  internal_error: 500,
  digest_unavailable: 501,
  overloaded: 503,
};

test('has an HTTP status for each code', () => {
  assert.deepEqual(
    Object.fromEntries(Object.entries(FAILURES).map(([code, { status }]) => [code, status])),
    STATUSES,
  );
});

test('uses the title of the code as the default message', () => {
  assert.equal(new Failure('not_found').message, FAILURES.not_found.title);
  assert.equal(new Failure('not_found', 'No such page').message, 'No such page');
});

test('has a cause only if the constructor receives one', () => {
  const cause = new Error('The cause');
  assert.equal(new Failure('bad_request', undefined, { cause }).cause, cause);
  assert.equal(Object.hasOwn(new Failure('bad_request'), 'cause'), false);
});

test('writes an envelope with details only for invalid fields', () => {
  const envelope = envelopeOf(new Failure('not_found', 'No such page'));
  assert.equal(
    envelope,
    '{"status":"error","error":{"code":"not_found","message":"No such page"}}',
  );
  const problem = {
    field: 'years',
    code: 'required',
    message: 'years: this field is required',
  } as const;
  assert.equal(
    envelopeOf(validationFailure([problem])),
    '{"status":"error","error":{"code":"validation_failed",'
      + '"message":"years: this field is required","details":[{"field":"years","code":"required",'
      + '"message":"years: this field is required"}]}}',
  );
});

test('uses the message of a single invalid field, or states the number of invalid fields', () => {
  const [income, other, region] = ['income', 'income', 'region'].map(
    (field, index) =>
      ({ field, code: 'malformed', message: `${field}: problem ${index}` }) as const,
  );
  assert.equal(validationFailure([income!, other!]).message, 'income: problem 0');
  assert.equal(
    validationFailure([income!, other!, region!]).message,
    '2 fields are invalid; see the details',
  );
});
