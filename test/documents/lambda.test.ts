/** The recipe for a function URL of AWS Lambda (payload format 2.0). */
import assert from 'node:assert/strict';
import { extname } from 'node:path';
import { test } from 'node:test';
import { errorCode } from '../helpers/fixture.ts';
import { readText } from '../helpers/repository.ts';

const EXAMPLE = readText('.deploy/lambda.mjs');

interface Event {
  readonly rawPath: string;
  readonly rawQueryString: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly requestContext: {
    readonly domainName: string;
    readonly http: { readonly method: string };
  };
  readonly body?: string | null;
  readonly isBase64Encoded: boolean;
}

interface Result {
  readonly statusCode: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

const index = new URL(`../../src/index${extname(import.meta.url)}`, import.meta.url).href;
const program = EXAMPLE.replace("'utility-calculation-service'", JSON.stringify(index));
const { handler } = (await import(`data:text/javascript,${encodeURIComponent(program)}`)) as {
  handler: (event: Event) => Promise<Result>;
};

/** An event of a function URL, with the members that the platform sends and the example does not use. */
function eventOf(method: string, path: string, changes: Partial<Event> = {}): Event {
  const domainName = 'abc.lambda-url.ap-southeast-1.on.aws';
  const event = {
    version: '2.0',
    routeKey: '$default',
    rawPath: path,
    rawQueryString: '',
    headers: {
      host: domainName,
      'content-type': 'application/json',
      'x-forwarded-proto': 'https',
      'x-amzn-trace-id': 'Root=1-6a000000-000000000000000000000000',
    },
    requestContext: {
      accountId: 'anonymous',
      apiId: 'abc',
      domainName,
      domainPrefix: 'abc',
      http: { method, path, protocol: 'HTTP/1.1', sourceIp: '192.0.2.1', userAgent: 'a' },
      requestId: 'id',
      routeKey: '$default',
      stage: '$default',
    },
    isBase64Encoded: false,
  };
  return { ...event, ...changes };
}

const base64 = (text: string): string => Buffer.from(text).toString('base64');

test('the handler of a function URL answers a body of text and a body in Base64 alike', async () => {
  const request = JSON.stringify({ text: 'Xin chào' });
  const text = await handler(eventOf('POST', '/api/v1/hash', { body: request }));
  const changes = { body: base64(request), isBase64Encoded: true };
  assert.deepEqual(await handler(eventOf('POST', '/api/v1/hash', changes)), text);
  assert.equal(text.statusCode, 200);
  assert.equal(text.headers['content-type'], 'application/json; charset=utf-8');
  assert.equal(JSON.parse(text.body).data.md5, 'd507cf86fa25f6787e3fc5e5d61e00a3');
});

test('the handler of a function URL answers each line of a bulk request', async () => {
  const { statusCode, body } = await handler(
    eventOf('POST', '/api/v1/hash', {
      headers: { 'content-type': 'application/x-ndjson' },
      body: base64('{"text":"a"}\n{"text":1}\n'),
      isBase64Encoded: true,
    }),
  );
  const statuses = body
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line).status);
  assert.deepEqual([statusCode, statuses], [200, ['success', 'error']]);
});

test('the handler of a function URL passes the method and the query', async () => {
  const rules = eventOf('GET', '/api/v1/tax/rules', { rawQueryString: 'period=2014-12' });
  const refused = await handler(rules);
  assert.deepEqual([refused.statusCode, errorCode(refused.body)], [422, 'validation_failed']);
  const accepted = await handler({ ...rules, rawQueryString: 'period=2026-08' });
  assert.equal(accepted.statusCode, 200);
  const headers = { 'if-none-match': accepted.headers['etag'] ?? '' };
  const known = await handler({ ...rules, rawQueryString: 'period=2026-08', headers });
  assert.deepEqual([known.statusCode, known.body], [304, '']);
  const other = await handler(eventOf('DELETE', '/api/v1/hash', { body: 'a' }));
  assert.deepEqual([other.statusCode, other.headers['allow']], [405, 'POST, OPTIONS']);
});

test('the handler of a function URL answers invalid requests', async () => {
  // A Request of the method GET has no body.
  assert.equal((await handler(eventOf('GET', '/healthz', { body: 'a' }))).statusCode, 200);
  // The console of API Gateway sends null for no body.
  for (const changes of [{}, { body: null }]) {
    assert.equal((await handler(eventOf('POST', '/api/v1/hash', changes))).statusCode, 400);
  }
  assert.equal((await handler(eventOf('GET', '/healthz', { body: null }))).statusCode, 200);
  assert.equal((await handler(eventOf('POST', '/nowhere', { body: '{}' }))).statusCode, 404);
  assert.equal((await handler(eventOf('GET', '//healthz'))).statusCode, 404);
  for (const method of ['TRACE', 'TRACK', 'CONNECT']) {
    assert.equal((await handler(eventOf(method, '/healthz'))).statusCode, 400);
  }
  const headers = { 'x-request-id': 'lương' };
  assert.equal((await handler(eventOf('GET', '/healthz', { headers }))).statusCode, 400);
});
