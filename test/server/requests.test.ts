/** The messages that the server accepts: bodies in pieces, codings, methods and targets. */
import assert from 'node:assert/strict';
import net from 'node:net';
import { test } from 'node:test';
import {
  assertHeaders,
  CLOSE,
  collect,
  errorCode,
  exchange,
  listen,
  post,
  postHead,
  statusesOf,
} from '../helpers/fixture.ts';
import { chunkedHead, HASH, TAX } from '../helpers/streams.ts';

test('answers a body in two pieces, cut at every position', async (context) => {
  const { port } = await listen(context);
  const request = post(HASH, '{"text":"Xin chào"}', 'Connection: close');
  const pieces = [...Buffer.from(request)].map((byte) => Buffer.of(byte));
  const [whole] = await exchange(port, request);
  const [fragmented] = await exchange(port, ...pieces);
  assert.equal(whole?.status, 200);
  assert.equal(fragmented?.body, whole?.body);
  for (const at of pieces.keys()) {
    const [response] = await exchange(
      port,
      Buffer.concat(pieces.slice(0, at)),
      Buffer.concat(pieces.slice(at)),
    );
    assert.equal(response?.body, whole?.body, `cut at ${at}`);
  }
});

test('accepts chunked bodies with extensions and trailers, and up to 1,000 chunks of one byte', async (context) => {
  const { port } = await listen(context);
  const text = JSON.stringify({ text: 'đ'.repeat(490) });
  const bytes = [...Buffer.from(text)].map((byte) => `1;a=b\r\n${String.fromCharCode(byte)}\r\n`);
  const message = `${chunkedHead(HASH, 'Connection: close')}${bytes.join('')}0\r\nTrailer: x\r\n\r\n`;
  const [chunked] = await exchange(port, Buffer.from(message, 'latin1'));
  const [plain] = await exchange(port, post(HASH, text, 'Connection: close'));
  assert.equal(chunked?.status, 200);
  assert.equal(chunked?.body, plain?.body);
});

test('sends no 100 Continue before the refusal of a body over the limit', async (context) => {
  const { port } = await listen(context);
  const refused = postHead(TAX, 16_385, 'Expect: 100-continue');
  assert.deepEqual(await statusesOf(port, refused), [413]);
});

test('answers HEAD as GET without a body, and OPTIONS with the methods and CORS headers', async (context) => {
  const { port } = await listen(context);
  const raw = net.connect(port, '127.0.0.1');
  const bytes = collect(raw);
  raw.write(CLOSE.replace('GET', 'HEAD'));
  const text = await bytes;
  assert.match(text, /^HTTP\/1\.1 200 OK\r\n/);
  assert.match(text, /Content-Length: 42\r\n/);
  assert.ok(text.endsWith('\r\n\r\n'));

  const targets = [
    [HASH, 'POST, OPTIONS'],
    ['/readyz', 'GET, HEAD, OPTIONS'],
    ['*', 'GET, HEAD, POST, OPTIONS'],
  ];
  for (const [target, allow] of targets) {
    const preflight =
      `OPTIONS ${target} HTTP/1.1\r\nHost: a\r\nOrigin: https://example.org\r\n`
      + 'Access-Control-Request-Method: POST\r\nConnection: close\r\n\r\n';
    const [response] = await exchange(port, preflight);
    assert.equal(response?.status, 204);
    assertHeaders(response?.headers, {
      allow,
      'access-control-allow-methods': allow,
      'access-control-allow-origin': '*',
      'access-control-allow-headers': 'Content-Type, Authorization, *',
      'access-control-max-age': '86400',
      'access-control-allow-credentials': undefined,
    });
  }
});

test('accepts targets in absolute form, HTTP/1.0 without Host, and thousands of small headers', async (context) => {
  const { port } = await listen(context);
  const good = [
    CLOSE.replace('/healthz', 'http://example.org:8080/healthz?x=1'),
    'GET /healthz HTTP/1.0\r\n\r\n',
    CLOSE.replace('\r\n\r\n', `\r\n${'a:\r\n'.repeat(2500)}\r\n`),
  ];
  for (const request of good) {
    assert.deepEqual(await statusesOf(port, request), [200], request);
  }
  for (const target of [
    'http://example.org',
    'http://example.org?x',
    'HTTPS://[::1]:80',
    'http://a:',
  ]) {
    const [response] = await exchange(port, CLOSE.replace('/healthz', target));
    assert.match(response?.body ?? '', /"operations":/, target);
  }
  for (const target of [
    '//healthz',
    'http://[',
    'http://',
    'http://a@b',
    'ftp://a/',
    '/healthz#x',
    'x',
    '?',
  ]) {
    const [response] = await exchange(port, CLOSE.replace('/healthz', target));
    const code = response?.status === 404 ? 'not_found' : 'bad_request';
    assert.equal(errorCode(response?.body ?? '{}'), code, target);
    assert.ok([400, 404].includes(response!.status), target);
  }
});
