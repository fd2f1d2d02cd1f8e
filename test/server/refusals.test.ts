/** The ways to refuse a request, and the answer that its client receives. */
import assert from 'node:assert/strict';
import net from 'node:net';
import { test } from 'node:test';
import {
  DISCARDED_BODY,
  HEADER_LIMIT,
  IDLE_TIMEOUT,
  LINGER_SIZE,
  LINGER_TIME,
} from '../../src/server/limits.ts';
import {
  assertHeaders,
  CLOSE,
  collect,
  errorCode,
  exchange,
  GET,
  listen,
  post,
  postHead,
  type RawResponse,
  responsesIn,
  sendJson,
  statusesOf,
} from '../helpers/fixture.ts';
import { listenRecorded } from '../helpers/recording.ts';
import { chunkedHead, connect, connectUnread, HASH, LONG_BULK, TAX } from '../helpers/streams.ts';
import { once, turn, until, within, written } from '../helpers/until.ts';

/** The beginning of a head, for further headers, and the head of a single request in chunks. */
const BEGUN = GET.slice(0, -2);
const CHUNKED = chunkedHead(HASH);

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
  ['a header without a colon', `${BEGUN}broken\r\n\r\n`, 400, 'bad_request'],
  ['no Host', 'GET /healthz HTTP/1.1\r\n\r\n', 400, 'bad_request'],
  ['two Hosts', `${BEGUN}Host: other\r\n\r\n`, 400, 'bad_request'],
  ['an invalid Host', 'GET /healthz HTTP/1.1\r\nHost: a b\r\n\r\n', 400, 'bad_request'],
  [
    'Transfer-Encoding and Content-Length',
    `${chunkedHead(HASH, 'Content-Length: 5')}0\r\n\r\n`,
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
  ['gzip, chunked', `${CHUNKED.replace('chunked', 'gzip, chunked')}0\r\n\r\n`, 400, 'bad_request'],
  [
    'Transfer-Encoding in HTTP/1.0',
    `${CHUNKED.replace('1.1', '1.0')}0\r\n\r\n`,
    400,
    'bad_request',
  ],
  ['an invalid chunk size', `${CHUNKED}zz\r\n`, 400, 'bad_request'],
  ['an invalid second chunk size', `${CHUNKED}5\r\n{"tex\r\n-1\r\n`, 400, 'bad_request'],
  [
    'a header over the limit',
    `${BEGUN}X-Long: ${'a'.repeat(HEADER_LIMIT)}\r\n\r\n`,
    431,
    'headers_too_large',
  ],
  [
    'a target over the limit',
    `GET /${'a'.repeat(HEADER_LIMIT)} HTTP/1.1\r\nHost: a\r\n\r\n`,
    431,
    'headers_too_large',
  ],
  ['chunk extensions of 17 KiB', `${CHUNKED}1;${'a'.repeat(17 * 1024)}\r\n`, 413, 'body_too_large'],
  ['CONNECT', 'CONNECT a:1 HTTP/1.1\r\nHost: a\r\n\r\n', 405, 'method_not_allowed'],
  [
    'CONNECT with a body',
    'CONNECT a:1 HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\nbody',
    405,
    'method_not_allowed',
  ],
  ['an unknown expectation', `${BEGUN}Expect: tea\r\n\r\n`, 417, 'expectation_failed'],
  ['a declared length over the limit', `${postHead(TAX, 999_999)}{`, 413, 'body_too_large'],
  ['chunks over the limit', `${CHUNKED}200000\r\n${'a'.repeat(0x200000)}`, 413, 'body_too_large'],
];

test('refuses malformed and oversized requests with an envelope, and closes the connection', async (context) => {
  const { port } = await listen(context);
  for (const [label, request, status, code] of refused) {
    await context.test(`${label}: ${status}`, async () => {
      const [response, ...others] = await exchange(port, request);
      assert.equal(response?.status, status);
      assertEnvelope(response!, code);
      const allow = status === 405 ? 'GET, HEAD, POST, OPTIONS' : undefined;
      assertHeaders(response?.headers, { connection: 'close', allow });
      assert.deepEqual(others, []);
    });
  }
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
    assert.deepEqual(
      await statusesOf(port, request + request + CLOSE),
      [status, status, 200],
      label,
    );
    const end = request.indexOf('\r\n\r\n') + 4;
    const parts = [request.slice(0, end), request.slice(end, -1), request.slice(-1) + CLOSE];
    assert.deepEqual(await statusesOf(port, ...parts), [status, 200], label);
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

test('sends a refusal completely although its unwanted body is malformed', async (context) => {
  const { port } = await listen(context);
  const malformed = `${chunkedHead('/nothing')}zz\r\n`;
  const [refusal, ...others] = await exchange(port, malformed);
  assertEnvelope(refusal!, 'not_found');
  assert.deepEqual(others, []);
});

test('sends no second answer to a request whose body arrives too slowly after the first', async (context) => {
  const { port, lines } = await listenRecorded(context, {}, { limits: { requestTimeout: 1_000 } });
  const client = await connect(context, port);
  client.socket.write(`${postHead('/nothing', 100)}{`);
  await client.closed;
  assert.match(client.received, /^HTTP\/1\.1 404 /);
  assert.equal(client.received.split('HTTP/1.1 ').length, 2);
  assert.deepEqual(
    lines.filter(({ msg }) => msg === 'refused' || msg === 'reset'),
    [],
  );
});

test('sends 413 to a client that ends the connection, before its body has arrived', async (context) => {
  const { port } = await listen(context);
  const close = postHead(TAX, 20_000, 'Connection: close');
  for (const head of [close, postHead(TAX, 20_000).replace('HTTP/1.1', 'HTTP/1.0')]) {
    const { closed, received, socket, until: holds } = await connect(context, port, true);
    socket.write(head);
    await holds((text) => text.startsWith('HTTP/1.1 413 '));
    await written(socket, ' '.repeat(20_000));
    socket.end();
    assert.equal(await within('the close of a connection', closed), 'end', head + received);
  }
});

test('sends an answer without a body before the body of its request has arrived', async (context) => {
  const { port } = await listen(context);
  // The service does not give up the body.
  context.mock.timers.enable({ apis: ['setTimeout'] });
  for (const method of ['OPTIONS', 'HEAD']) {
    const { socket, until: holds } = await connect(context, port);
    socket.write(chunkedHead('/healthz').replace('POST', method));
    await holds((text) => /^HTTP\/1\.1 20[04] /.test(text));
    socket.destroy();
  }
});

test('sends 413 to a client that sends its whole body before it reads', async (context) => {
  const { url } = await listen(context);
  const response = await sendJson(url + TAX, 'a'.repeat(20_000_000));
  assert.equal(response.status, 413);
  assert.equal(errorCode(await response.text()), 'body_too_large');
});

test('reads on after a refusal, so that a slow client receives the answers before it', async (context) => {
  const { port } = await listen(context);
  context.mock.timers.enable({ apis: ['setTimeout'] });
  const { socket, until } = await connectUnread(context, port);
  socket.write(LONG_BULK);
  socket.write(post(HASH, ' '.repeat(3_000_000)));
  socket.resume();
  await until('HTTP/1.1 413 ');
  context.mock.timers.tick(LINGER_TIME);
  // The service still reads, so that closing the connection discards nothing.
  for (let index = 0; index < 20; index += 1) await turn();
  assert.equal(socket.readyState, 'open');
  context.mock.timers.tick(IDLE_TIMEOUT);
  await once(socket, 'close');
});

test('reads as long after a refusal if bytes have followed the large answer, because they may have been sent before', async (context) => {
  const { port } = await listen(context);
  const client = await connect(context, port);
  const large = post(HASH, JSON.stringify({ text: 'a'.repeat(100_000) }));
  client.socket.write(large);
  await client.until((received) => received.endsWith('}}'));
  const { mock } = context.mock.method(globalThis, 'setTimeout');
  client.socket.write('garbage\r\n\r\n');
  await client.until((received) => received.includes('HTTP/1.1 400 '));
  const times = mock.calls.map((call) => call.arguments[1]);
  assert.ok(times.includes(IDLE_TIMEOUT) && !times.includes(LINGER_TIME), String(times));
});

test('stops reading an endless body shortly after the limit', async (context) => {
  const { server, port } = await listen(context);
  const chunk = `10000\r\n${'a'.repeat(0x10000)}\r\n`;
  const endless: readonly [head: string, status: number][] = [
    [CHUNKED, 413],
    [CHUNKED.replace(HASH, '/nothing'), 404],
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

test('accepts no request behind the last answer of a connection, and keeps no part of it', async (context) => {
  const { server, port } = await listen(context);
  let requests = 0;
  server.prependListener('request', () => {
    requests += 1;
  });
  const accepted = once(server, 'connection') as Promise<[net.Socket]>;
  // The client keeps its side open.
  const client = await connect(context, port, true);
  const [peer] = await accepted;
  const size = DISCARDED_BODY + 1;
  const refused = postHead(HASH, size).replace('/json', '/xml') + 'a'.repeat(size);
  client.socket.write(refused);
  await client.until((received) => received.includes('415 '));
  await until('the end of the side of the service', () => peer.writableEnded, turn);
  const next = postHead(HASH, 2 ** 30) + 'a'.repeat(2 ** 20);
  client.socket.write(next);
  const isRead = (): boolean => peer.bytesRead === refused.length + next.length || peer.destroyed;
  await until('the input behind the last answer', isRead, turn);
  assert.equal(requests, 1);
});
