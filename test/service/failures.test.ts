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

const failures: readonly [
  label: string,
  path: string,
  init: RequestInit,
  code: FailureCode,
  message: RegExp,
][] = [
  ['an unknown path', '/nothing', {}, 'not_found', /no resource at this path; GET \/ lists/],
  ['a trailing slash', `${TAX}/`, sent('{}'), 'not_found', /mean \/api\/v1\/tax\/calculate\?$/],
  ['two slashes', `/${TAX}`, sent('{}'), 'not_found', /mean \/api\/v1\/tax\/calculate\?$/],
  ['no version', '/api/tax/annual', sent('{}'), 'not_found', /mean \/api\/v1\/tax\/annual\?$/],
  ['a last segment', '/solve', sent('{}'), 'not_found', /mean \/api\/v1\/interest\/solve\?$/],
  [
    'the beginning of paths',
    '/api/v1/interest',
    sent('{}'),
    'not_found',
    /mean \/api\/v1\/interest\/calculate or \/api\/v1\/interest\/solve\?$/,
  ],
  ['a long path', `/${'a/'.repeat(4_000)}`, {}, 'not_found', /GET \/ lists the operations$/],
  ['a property of Object.prototype', '/constructor', {}, 'not_found', /no resource at this path/],
  [
    'a path in upper case',
    '/API/v1/hash',
    sent('{}'),
    'not_found',
    /no resource at this path; GET/,
  ],
  ['an escaped slash', '/api/v1%2Fhash', sent('{}'), 'not_found', /no resource at this path; GET/],
  ['an incomplete escape', '/api/v1/hash%', sent('{}'), 'bad_request', /percent-encoding/],
  ['an escape of invalid UTF-8', '/%ff', {}, 'bad_request', /percent-encoding/],
  ['GET of an operation', TAX, {}, 'method_not_allowed', /POST, OPTIONS, got GET/],
  [
    'PUT of an operation',
    HASH,
    { ...sent('{"text":""}'), method: 'PUT' },
    'method_not_allowed',
    /got PUT/,
  ],
  [
    'POST of a health check',
    '/healthz',
    sent('{}'),
    'method_not_allowed',
    /GET, HEAD, OPTIONS, got POST/,
  ],
  [
    'no media type',
    TAX,
    sent('{}', { 'content-type': '' }),
    'unsupported_media_type',
    /application\/json/,
  ],
  [
    'form data',
    TAX,
    sent('income=1', { 'content-type': 'application/x-www-form-urlencoded' }),
    'unsupported_media_type',
    /application\/json/,
  ],
  [
    'another JSON media type',
    TAX,
    sent('{}', { 'content-type': 'application/json-patch+json' }),
    'unsupported_media_type',
    /application\/json/,
  ],
  [
    'an unsupported charset',
    TAX,
    sent('{}', { 'content-type': 'application/json; charset=latin1' }),
    'unsupported_media_type',
    /charset=utf-8 or none, got "application\/json; charset=latin1"/,
  ],
  [
    'two media types',
    TAX,
    sent('{}', { 'content-type': 'application/json, text/plain' }),
    'unsupported_media_type',
    /application\/json/,
  ],
  [
    'a compressed body',
    TAX,
    sent(gzipSync('{"income":1}'), { ...json, 'content-encoding': 'gzip' }),
    'unsupported_media_type',
    /Content-Encoding/,
  ],
  [
    'an unsupported charset of lines',
    TAX,
    sent('{}', { 'content-type': 'application/x-ndjson; charset=latin1' }),
    'unsupported_media_type',
    /charset=utf-8 or none, got "application\/x-ndjson; charset=latin1"/,
  ],
  [
    'compressed lines',
    TAX,
    sent(gzipSync('{}'), { 'content-type': 'application/x-ndjson', 'content-encoding': 'gzip' }),
    'unsupported_media_type',
    /Content-Encoding/,
  ],
  [
    'an empty body',
    TAX,
    sent(''),
    'invalid_json',
    /Expected an object, got the end at character 1 of the body/,
  ],
  ['white space', TAX, sent(' \n'), 'invalid_json', /got the end at character 3/],
  ['invalid JSON', TAX, sent('{"income":1,}'), 'invalid_json', /"}" at character 13/],
  ['an array', TAX, sent('[]'), 'invalid_json', /object at the top level/],
  ['null', TAX, sent('null'), 'invalid_json', /object at the top level/],
  ['a byte order mark', TAX, sent('\ufeff{"income":1}'), 'invalid_json', /character 1/],
  [
    'invalid UTF-8',
    HASH,
    sent(Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d])),
    'invalid_json',
    /byte 3/,
  ],
  [
    'an incomplete character',
    HASH,
    sent(Buffer.from('{"text":"é').subarray(0, -1)),
    'invalid_json',
    /byte 10/,
  ],
  ['UTF-16', HASH, sent(Buffer.from('\ufeff{}', 'utf16le')), 'invalid_json', /byte 1/],
  [
    'a duplicate name',
    TAX,
    sent('{"income":1,"income":2}'),
    'invalid_json',
    /unique names.*character 13/,
  ],
  [
    'one byte over the limit',
    TAX,
    sent(`{"income":1${' '.repeat(16_384 - 11)}}`),
    'body_too_large',
    /16384 bytes/,
  ],
  [
    'far over the limit',
    HASH,
    sent(`{"text":"${'a'.repeat(3_000_000)}"}`),
    'body_too_large',
    /1048576 bytes/,
  ],
  [
    'an internal error',
    faulty.path,
    sent('{}'),
    'internal_error',
    /^An internal error occurred and has been logged\.$/,
  ],
];

test('answers every failure with its status and the error envelope', async (context) => {
  const { url } = await listen(context, { operations: [...operations, faulty] });
  for (const [label, path, init, code, message] of failures) {
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
  [
    'charset utf-8',
    TAX,
    sent('{"income":1}', { 'content-type': 'application/json; charset=utf-8' }),
  ],
  [
    'charset UTF-8, quoted',
    TAX,
    sent('{"income":1}', { 'content-type': 'Application/JSON;charset="UTF-8"' }),
  ],
  [
    'another parameter',
    TAX,
    sent('{"income":1}', { 'content-type': 'application/json; profile="a;b"' }),
  ],
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
