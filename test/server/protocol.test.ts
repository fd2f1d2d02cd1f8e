import assert from 'node:assert/strict';
import net from 'node:net';
import { test } from 'node:test';
import {
  DISCARDED_BODY,
  HEADER_LIMIT,
  LINGER_SIZE,
  MAXIMUM_WAITING,
} from '../../src/server/limits.ts';
import {
  assertHeaders,
  collect,
  errorCode,
  exchange,
  listen,
  post,
  postHead,
  type RawResponse,
  responsesIn,
} from '../helpers/fixture.ts';
import { once, written } from '../helpers/until.ts';

const TAX = '/api/v1/tax/calculate';
const HASH = '/api/v1/hash';
const GET = 'GET /healthz HTTP/1.1\r\nHost: localhost\r\n';
const CLOSE = `${GET}Connection: close\r\n\r\n`;
const CHUNKED =
  `POST ${HASH} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n`
  + 'Transfer-Encoding: chunked\r\n';

function assertEnvelope({ headers, body }: RawResponse, code: string): void {
  assert.equal(errorCode(body), code);
  assertHeaders(headers, {
    'content-length': String(Buffer.byteLength(body)),
    'content-type': 'application/json; charset=utf-8',
    'x-content-type-options': 'nosniff',
  });
}

const refused: readonly [label: string, request: string, status: number, code: string][] = [
  ['not HTTP', 'hello\r\n\r\n', 400, 'bad_request'],
  ['TLS', '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03', 400, 'bad_request'],
  ['an invalid method', '<script> / HTTP/1.1\r\nHost: a\r\n\r\n', 400, 'bad_request'],
  ['HTTP/3.0', 'GET / HTTP/3.0\r\nHost: a\r\n\r\n', 400, 'bad_request'],
  ['HTTP/2.0', 'GET /healthz HTTP/2.0\r\nHost: a\r\n\r\n', 400, 'bad_request'],
  ['two Content-Types', post(HASH, '{"text":""}', 'Content-Type: text/plain'), 400, 'bad_request'],
  ['a header without a colon', `${GET}broken\r\n\r\n`, 400, 'bad_request'],
  ['no Host', 'GET /healthz HTTP/1.1\r\n\r\n', 400, 'bad_request'],
  ['two Hosts', `${GET}Host: other\r\n\r\n`, 400, 'bad_request'],
  ['an invalid Host', 'GET /healthz HTTP/1.1\r\nHost: a b\r\n\r\n', 400, 'bad_request'],
  [
    'Transfer-Encoding and Content-Length',
    `${CHUNKED}Content-Length: 5\r\n\r\n0\r\n\r\n`,
    400,
    'bad_request',
  ],
  [
    'an empty Transfer-Encoding',
    post(HASH, '{"text":""}', 'Transfer-Encoding:'),
    400,
    'bad_request',
  ],
  ['two Content-Lengths', post(HASH, '{"text":""}', 'Content-Length: 3'), 400, 'bad_request'],
  ['a Content-Length with a sign', post(HASH, '', 'Content-Length: +0'), 400, 'bad_request'],
  [
    'gzip, chunked',
    `${CHUNKED.replace('chunked', 'gzip, chunked')}\r\n0\r\n\r\n`,
    400,
    'bad_request',
  ],
  [
    'Transfer-Encoding in HTTP/1.0',
    `${CHUNKED.replace('1.1', '1.0')}\r\n0\r\n\r\n`,
    400,
    'bad_request',
  ],
  ['an invalid chunk size', `${CHUNKED}\r\nzz\r\n`, 400, 'bad_request'],
  ['an invalid second chunk size', `${CHUNKED}\r\n5\r\n{"tex\r\n-1\r\n`, 400, 'bad_request'],
  [
    'a header over the limit',
    `${GET}X-Long: ${'a'.repeat(HEADER_LIMIT)}\r\n\r\n`,
    431,
    'headers_too_large',
  ],
  [
    'a target over the limit',
    `GET /${'a'.repeat(HEADER_LIMIT)} HTTP/1.1\r\nHost: a\r\n\r\n`,
    431,
    'headers_too_large',
  ],
  [
    'chunk extensions of 17 KiB',
    `${CHUNKED}\r\n1;${'a'.repeat(17 * 1024)}\r\n`,
    413,
    'body_too_large',
  ],
  [
    'CONNECT',
    'CONNECT example.org:443 HTTP/1.1\r\nHost: example.org\r\n\r\n',
    405,
    'method_not_allowed',
  ],
  ['an unknown expectation', `${GET}Expect: tea\r\n\r\n`, 417, 'expectation_failed'],
  ['a declared length over the limit', `${postHead(TAX, 999_999)}{`, 413, 'body_too_large'],
  [
    'chunks over the limit',
    `${CHUNKED}\r\n200000\r\n${'a'.repeat(0x200000)}`,
    413,
    'body_too_large',
  ],
];

test('refuses malformed and oversized requests with an envelope, and closes the connection', async (context) => {
  const { port } = await listen(context);
  for (const [label, request, status, code] of refused) {
    await context.test(`${label}: ${status}`, async () => {
      const [response, ...others] = await exchange(port, request);
      assert.equal(response?.status, status);
      assertEnvelope(response!, code);
      assertHeaders(response?.headers, { connection: 'close' });
      assert.deepEqual(others, []);
    });
  }
});

test('answers no request that follows a refused request on its connection', async (context) => {
  const { port } = await listen(context);
  const smuggled = await exchange(port, `${CHUNKED}Content-Length: 5\r\n\r\n0\r\n\r\n${CLOSE}`);
  assert.deepEqual(
    smuggled.map(({ status }) => status),
    [400],
  );
  const unread = await exchange(
    port,
    `${post('/nothing', CLOSE.padEnd(DISCARDED_BODY + 1))}${CLOSE}`,
  );
  assert.deepEqual(
    unread.map(({ status }) => status),
    [404],
  );
});

const refusedWithBody: readonly [label: string, request: string, status: number][] = [
  ['an unknown path', post('/nothing', '{}'), 404],
  ['an unsupported method', post(HASH, '{}').replace('POST', 'PUT'), 405],
  ['an unsupported media type', post(HASH, '{}').replace('application/json', 'text/csv'), 415],
  [
    'an unsupported method, with the longest body that is discarded',
    post('/healthz', ' '.repeat(DISCARDED_BODY)),
    405,
  ],
  ['a body over the limit of its operation', post(TAX, '{}'.padEnd(20_000)), 413],
];

test('discards a short body after a refusal, and keeps the connection', async (context) => {
  const { port } = await listen(context);
  for (const [label, request, status] of refusedWithBody) {
    const statuses = (responses: readonly RawResponse[]): number[] =>
      responses.map((response) => response.status);
    assert.deepEqual(
      statuses(await exchange(port, request + request + CLOSE)),
      [status, status, 200],
      label,
    );
    const end = request.indexOf('\r\n\r\n') + 4;
    const parts = [request.slice(0, end), request.slice(end, -1), request.slice(-1) + CLOSE];
    assert.deepEqual(statuses(await exchange(port, ...parts)), [status, 200], label);
  }
  // A client that expects 100-continue may omit the body after a refusal.
  const [refusal, ...others] = await exchange(
    port,
    postHead('/nothing', 2, 'Expect: 100-continue'),
    CLOSE,
  );
  assert.deepEqual([refusal?.status, others], [404, []]);
  assertHeaders(refusal?.headers, { connection: 'close' });
});

test('stops reading an endless body shortly after the limit', async (context) => {
  const { server, port } = await listen(context);
  const chunk = `10000\r\n${'a'.repeat(0x10000)}\r\n`;
  const endless: readonly [head: string, status: number][] = [
    [`${CHUNKED}\r\n`, 413],
    [`${CHUNKED.replace(HASH, '/nothing')}\r\n`, 404],
    ['garbage\r\n\r\n', 400],
  ];
  for (const [head, status] of endless) {
    const accepted = once(server, 'connection') as Promise<[net.Socket]>;
    const client = net.connect({ port, host: '127.0.0.1', allowHalfOpen: true });
    const received = collect(client);
    const [socket] = await accepted;
    client.write(head);
    const upload = (error?: Error | null): void =>
      void (error || client.destroyed || client.write(chunk, upload));
    upload();
    await once(socket, 'close');
    const [response] = responsesIn(await received);
    assert.equal(response?.status, status);
    // The limit of a hash request, LINGER_SIZE, and bytes in flight.
    assert.ok(socket.bytesRead < 2 ** 20 + LINGER_SIZE + 2 ** 20, `${status}: ${socket.bytesRead}`);
  }
});

test('answers a malformed request after the answers to the requests before it', async (context) => {
  const { port } = await listen(context);
  const good = post(HASH, '{"text":"a"}');
  const statuses = async (request: string): Promise<number[]> =>
    (await exchange(port, request)).map(({ status }) => status);
  assert.deepEqual(await statuses(`${good}garbage\r\n\r\n`), [200, 400]);
  assert.deepEqual(await statuses(`${good}${good}garbage\r\n\r\n`), [200, 200, 400]);
  assert.deepEqual(await statuses(`${good}CONNECT a:1 HTTP/1.1\r\nHost: a\r\n\r\n`), [200, 405]);
  // A refusal is sent completely although its unwanted body is malformed.
  const [refusal, ...others] = await exchange(
    port,
    `${CHUNKED.replace(HASH, '/nothing')}\r\nzz\r\n`,
  );
  assertEnvelope(refusal!, 'not_found');
  assert.deepEqual(others, []);
});

test('reads nothing after a request with Upgrade', async (context) => {
  const { port } = await listen(context);
  const upgrade = `${GET}Connection: Upgrade\r\nUpgrade: x\r\n\r\n`;
  const inside = 'GET /nothing HTTP/1.1\r\nHost: a\r\n\r\n';
  const [response, ...others] = await exchange(
    port,
    upgrade + postHead(HASH, inside.length),
    inside,
  );
  assert.equal(response?.status, 200);
  assertHeaders(response?.headers, { connection: 'close' });
  assert.deepEqual(others, []);
});

test('answers a body in two pieces, cut at every position, and pipelined requests', async (context) => {
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

  const incomes = Array.from({ length: MAXIMUM_WAITING }, (_, index) => index * 1_000_000);
  const pipelined = incomes.map((income) => post(TAX, JSON.stringify({ income }))).join('');
  const answers = await exchange(port, pipelined + CLOSE);
  assert.equal(answers.length, MAXIMUM_WAITING + 1);
  assert.deepEqual(
    answers
      .slice(0, -1)
      .map(
        ({ body }) => (JSON.parse(body) as { data: { gross_income: number } }).data.gross_income,
      ),
    incomes,
  );
});

test('accepts chunked bodies with extensions and trailers, and up to 1,000 chunks of one byte', async (context) => {
  const { port } = await listen(context);
  const text = JSON.stringify({ text: 'đ'.repeat(490) });
  const bytes = [...Buffer.from(text)].map((byte) => `1;a=b\r\n${String.fromCharCode(byte)}\r\n`);
  const message = `${CHUNKED}Connection: close\r\n\r\n${bytes.join('')}0\r\nTrailer: x\r\n\r\n`;
  const [chunked] = await exchange(port, Buffer.from(message, 'latin1'));
  const [plain] = await exchange(port, post(HASH, text, 'Connection: close'));
  assert.equal(chunked?.status, 200);
  assert.equal(chunked?.body, plain?.body);
});

test('sends 100 Continue before the answer, and only the refusal to a body over the limit', async (context) => {
  const { port } = await listen(context);
  const socket = net.connect(port, '127.0.0.1');
  const received = collect(socket);
  socket.write(postHead(HASH, 11, 'Expect: 100-continue', 'Connection: close'));
  await once(socket, 'data');
  socket.write('{"text":""}');
  assert.deepEqual(
    responsesIn(await received).map(({ status }) => status),
    [100, 200],
  );

  const refusal = await exchange(port, postHead(TAX, 16_385, 'Expect: 100-continue'));
  assert.deepEqual(
    refusal.map(({ status }) => status),
    [413],
  );
});

test('lists the supported methods in the answer to CONNECT', async (context) => {
  const { port } = await listen(context);
  const [response] = await exchange(
    port,
    'CONNECT example.org:443 HTTP/1.1\r\nHost: example.org\r\n\r\n',
  );
  assertHeaders(response?.headers, { allow: 'GET, HEAD, POST, OPTIONS' });
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
      'access-control-allow-headers':
        'Content-Type, X-Request-Id, If-None-Match, Authorization, traceparent, tracestate',
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
    assert.deepEqual(
      (await exchange(port, request)).map(({ status }) => status),
      [200],
      request,
    );
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
    assert.ok(
      response?.status === 404 || response?.status === 400,
      `${target}: ${response?.status}`,
    );
    assertEnvelope(response!, response?.status === 404 ? 'not_found' : 'bad_request');
  }
});

test('answers 408 to a request that is incomplete after the timeout', async (context) => {
  const { port } = await listen(context, {}, { limits: { requestTimeout: 300 } });
  for (const begun of ['', 'GET /healthz HT', `${postHead(TAX, 20)}{"inc`]) {
    const [response] = await exchange(port, begun);
    assert.equal(response?.status, 408, JSON.stringify(begun));
    assertEnvelope(response!, 'request_timeout');
    assertHeaders(response?.headers, { connection: 'close' });
  }
});

test('serves other clients after incomplete requests that end in a close or a reset', async (context) => {
  const { port, url, server } = await listen(context);
  for (let round = 0; round < 100; round += 1) {
    const socket = net.connect(port, '127.0.0.1');
    await once(socket, 'connect');
    await written(socket, `${postHead(TAX, 20)}{"inc`);
    if (round % 2 === 0) socket.resetAndDestroy();
    else socket.destroy();
  }
  const half = net.connect({ port, host: '127.0.0.1', allowHalfOpen: true });
  const received = collect(half);
  half.end(post(HASH, '{"text":""}'));
  assert.deepEqual(
    responsesIn(await received).map(({ status }) => status),
    [200],
  );
  assert.equal((await fetch(`${url}/healthz`)).status, 200);
  server.close();
  await once(server, 'close');
});

test('delivers 413 to a client that sends its whole body before it reads', async (context) => {
  const { url } = await listen(context);
  const headers = { 'content-type': 'application/json' };
  const response = await fetch(url + TAX, {
    method: 'POST',
    body: 'a'.repeat(20_000_000),
    headers,
  });
  assert.equal(response.status, 413);
  assert.equal(errorCode(await response.text()), 'body_too_large');
});
