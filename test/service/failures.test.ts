import assert from 'node:assert/strict';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { FAILURES, type FailureCode } from '../../src/contract/failure.ts';
import { operations } from '../../src/operations/operations.ts';
import { taxRequest } from '../../src/tax/contract.ts';
import { assertHeaders, errorCode, faulty, listen } from '../helpers/fixture.ts';

const TAX = '/api/v1/tax/calculate';
const HASH = '/api/v1/hash';
const json = { 'content-type': 'application/json' };
const sent = (body: string | Buffer, headers: Record<string, string> = json): RequestInit => ({
  method: 'POST',
  body: body as string,
  headers,
});
const typed = (type: string, body = '{}'): RequestInit => sent(body, { 'content-type': type });

/** Requests by the code of their failure, with its message. */
const failures: Partial<
  Record<FailureCode, readonly [label: string, path: string, init: RequestInit, message: RegExp][]>
> = {
  not_found: [
    ['an unknown path', '/nothing', {}, /no resource at this path; GET \/ lists/],
    ['a trailing slash', `${TAX}/`, sent('{}'), /mean \/api\/v1\/tax\/calculate\?$/],
    ['two slashes', `/${TAX}`, sent('{}'), /mean \/api\/v1\/tax\/calculate\?$/],
    ['no version', '/api/tax/annual', sent('{}'), /mean \/api\/v1\/tax\/annual\?$/],
    ['a last segment', '/solve', sent('{}'), /mean \/api\/v1\/interest\/solve\?$/],
    [
      'the beginning of paths',
      '/api/v1/interest',
      sent('{}'),
      /mean \/api\/v1\/interest\/calculate or \/api\/v1\/interest\/solve\?$/,
    ],
    ['a long path', `/${'a/'.repeat(4_000)}`, {}, /GET \/ lists the operations$/],
    ['a property of Object.prototype', '/constructor', {}, /no resource at this path/],
    ['a path in upper case', '/API/v1/hash', sent('{}'), /no resource at this path; GET/],
    ['an escaped slash', '/api/v1%2Fhash', sent('{}'), /no resource at this path; GET/],
  ],
  bad_request: [
    ['an incomplete escape', '/api/v1/hash%', sent('{}'), /percent-encoding/],
    ['an escape of invalid UTF-8', '/%ff', {}, /percent-encoding/],
  ],
  method_not_allowed: [
    ['GET of an operation', TAX, {}, /POST, OPTIONS, got GET/],
    ['PUT of an operation', HASH, { ...sent('{"text":""}'), method: 'PUT' }, /got PUT/],
    ['POST of a health check', '/healthz', sent('{}'), /GET, HEAD, OPTIONS, got POST/],
  ],
  unsupported_media_type: [
    ['no media type', TAX, typed(''), /application\/json/],
    ['form data', TAX, typed('application/x-www-form-urlencoded', 'income=1'), /application\/json/],
    ['another JSON media type', TAX, typed('application/json-patch+json'), /application\/json/],
    [
      'an unsupported charset',
      TAX,
      typed('application/json; charset=latin1'),
      /charset=utf-8 or none, got "application\/json; charset=latin1"/,
    ],
    ['two media types', TAX, typed('application/json, text/plain'), /application\/json/],
    [
      'a compressed body',
      TAX,
      sent(gzipSync('{"income":1}'), { ...json, 'content-encoding': 'gzip' }),
      /Content-Encoding/,
    ],
    [
      'an unsupported charset of lines',
      TAX,
      typed('application/x-ndjson; charset=latin1'),
      /charset=utf-8 or none, got "application\/x-ndjson; charset=latin1"/,
    ],
    [
      'compressed lines',
      TAX,
      sent(gzipSync('{}'), { 'content-type': 'application/x-ndjson', 'content-encoding': 'gzip' }),
      /Content-Encoding/,
    ],
  ],
  invalid_json: [
    ['an empty body', TAX, sent(''), /Expected an object, got the end at character 1 of the body/],
    ['white space', TAX, sent(' \n'), /got the end at character 3/],
    ['invalid JSON', TAX, sent('{"income":1,}'), /"}" at character 13/],
    ['an array', TAX, sent('[]'), /object at the top level/],
    ['null', TAX, sent('null'), /object at the top level/],
    ['a byte order mark', TAX, sent('\ufeff{"income":1}'), /character 1/],
    [
      'invalid UTF-8',
      HASH,
      sent(Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d])),
      /byte 3/,
    ],
    ['an incomplete character', HASH, sent(Buffer.from('{"text":"é').subarray(0, -1)), /byte 10/],
    ['UTF-16', HASH, sent(Buffer.from('\ufeff{}', 'utf16le')), /byte 1/],
    ['a duplicate name', TAX, sent('{"income":1,"income":2}'), /unique names.*character 13/],
  ],
  body_too_large: [
    ['one byte over the limit', TAX, sent(`{"income":1${' '.repeat(16_384 - 11)}}`), /16384 bytes/],
    ['far over the limit', HASH, sent(`{"text":"${'a'.repeat(3_000_000)}"}`), /1048576 bytes/],
  ],
  internal_error: [
    [
      'an internal error',
      faulty.path,
      sent('{}'),
      /^An internal error occurred and has been logged\.$/,
    ],
  ],
};

test('answers every failure with its status and the error envelope', async (context) => {
  const { url } = await listen(context, { operations: [...operations, faulty] });
  const rows = Object.entries(failures).flatMap(([code, own]) =>
    own.map((row) => [code as FailureCode, ...row] as const),
  );
  for (const [code, label, path, init, message] of rows) {
    await context.test(`${label}: ${code}`, async () => {
      const response = await fetch(url + path, init);
      const body = await response.text();
      assert.equal(errorCode(body), code);
      assert.equal(response.status, FAILURES[code].status);
      assert.match((JSON.parse(body) as { error: { message: string } }).error.message, message);
      assertHeaders(response.headers, {
        'content-type': 'application/json; charset=utf-8',
        'content-length': String(Buffer.byteLength(body)),
        'x-content-type-options': 'nosniff',
        'cache-control': 'no-store',
        'access-control-allow-origin': '*',
      });
      const allow = response.headers.get('allow');
      if (code === 'method_not_allowed') assert.match(String(allow), /^(POST|GET, HEAD), OPTIONS$/);
    });
  }
});

const accepted: readonly [label: string, path: string, init: RequestInit][] = [
  ['a query string, which is ignored', `${TAX}?income=2&%`, sent('{"income":1}')],
  ['escaped letters', '/api/v1/%68a%73h', sent('{"text":""}')],
  ['charset utf-8', TAX, typed('application/json; charset=utf-8', '{"income":1}')],
  ['charset UTF-8, quoted', TAX, typed('Application/JSON;charset="UTF-8"', '{"income":1}')],
  ['another parameter', TAX, typed('application/json; profile="a;b"', '{"income":1}')],
  [
    'Content-Encoding: identity',
    TAX,
    sent('{"income":1}', { ...json, 'content-encoding': 'identity' }),
  ],
  ['a body at the limit', TAX, sent(`{"income":1${' '.repeat(16_384 - 12)}}`)],
  ['white space around', HASH, sent('\r\n\t {"text":"a"} \n')],
];

test('accepts valid requests that resemble failures', async (context) => {
  const { url } = await listen(context);
  for (const [label, path, init] of accepted) {
    await context.test(label, async () => {
      const response = await fetch(url + path, init);
      assert.equal(response.status, 200);
      const body = await response.text();
      assert.match(body, /^\{"status":"success","data":\{.*\}\}$/);
      assertHeaders(response.headers, { 'cache-control': 'no-store' });
    });
  }
});

const problems: readonly [field: string, code: string, message: string][] = [
  [
    'income',
    'wrong_type',
    'income: expected a number from 0 up to 1000000000000, got the string "20000000"',
  ],
  [
    'dependents',
    'out_of_range',
    'dependents: expected a whole number from 0 up to 50, got the number -1',
  ],
  ['period', 'out_of_range', 'period: expected 2015-01 or later, got the string "2014-12"'],
  ['region', 'wrong_type', 'region: expected one of 1, 2, 3, 4, got the string "1"'],
  ['dependants', 'unknown_field', 'Unknown field "dependants"; did you mean `dependents`?'],
  [
    '__proto__',
    'unknown_field',
    `Unknown field "__proto__"; expected only ${Object.keys(taxRequest.fields).join(', ')}`,
  ],
];

test('reports every problem at once, each with its field, the expected and the actual value', async (context) => {
  const { url } = await listen(context);
  const body =
    '{"income":"20000000","dependants":1,"dependents":-1,"region":"1","period":"2014-12",'
    + '"__proto__":{"type":"net"}}';
  const response = await fetch(url + TAX, sent(body));
  assert.equal(response.status, 422);
  const { error } = (await response.json()) as { error: { code: string; details: unknown } };
  assert.equal(error.code, 'validation_failed');
  assert.deepEqual(
    error.details,
    problems.map(([field, code, message]) => ({ field, code, message })),
  );
});
