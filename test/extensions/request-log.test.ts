/** The lines of the log about requests, and their counts in the metrics. */
import assert from 'node:assert/strict';
import type { Server } from 'node:http';
import net, { BlockList } from 'node:net';
import { type TestContext, test } from 'node:test';
import { logTo } from '../../src/command/log.ts';
import { requestLog } from '../../src/extensions/log/request-log.ts';
import { exposition, type Metrics } from '../../src/extensions/metrics/metrics.ts';
import { WorkQueue } from '../../src/extensions/overload/queue.ts';
import type { Scheduler } from '../../src/server/scheduler.ts';
import { operations } from '../../src/operations/operations.ts';
import { HEADER_LIMIT } from '../../src/server/limits.ts';
import { replaceClock, replaceTimeouts } from '../helpers/clock.ts';
import { CLOSE, exchange, faulty, listen, post, postHead, sendJson } from '../helpers/fixture.ts';
import { once, until } from '../helpers/until.ts';
import {
  type Line,
  listenRecorded,
  type Recorded,
  type RecordingOptions,
} from '../helpers/recording.ts';

/** A recorded service with an operation that fails, and the function that sends a request to it. */
async function observed(
  context: TestContext,
  options: RecordingOptions = {},
  parts: Parameters<typeof listen>[2] = {},
): Promise<
  Recorded & {
    send: (path: string, headers?: Readonly<Record<string, string>>) => Promise<Response>;
  }
> {
  const changes = { operations: [...operations, faulty] };
  const recorded = await listenRecorded(
    context,
    changes,
    { scheduler: new WorkQueue(500), ...parts },
    { trusted: new BlockList(), ...options },
  );
  const send = (path: string, headers?: Readonly<Record<string, string>>): Promise<Response> =>
    sendJson(recorded.url + path, '{"text":"secret"}', headers);
  return { ...recorded, send };
}

test('logs id, client, method, path, status, bytes and duration, but neither query nor body', async (context) => {
  const pass = replaceClock(context);
  const { server, send, lines, metrics } = await observed(context);
  // This listener runs after that of the service, which has read the clock then.
  server.on('request', () => pass(12.5));
  const response = await send('/api/v1/hash?token=secret', { 'x-request-id': 'order-17' });
  const body = await response.text();
  assert.equal(response.headers.get('x-request-id'), 'order-17');
  assert.deepEqual(lines, [
    {
      level: 'info',
      msg: 'request',
      id: 'order-17',
      client: '127.0.0.1',
      method: 'POST',
      path: '/api/v1/hash',
      status: 200,
      bytes: Buffer.byteLength(body),
      ms: 12.5,
    },
  ]);
  assert.doesNotMatch(JSON.stringify(lines), /secret/);
  const sum = 'http_request_duration_seconds_sum{method="POST",route="/api/v1/hash"}';
  assert.equal(metrics.samples()[sum], 0.0125);
});

test('accepts a request id of up to 128 visible ASCII characters, and replaces any other', async (context) => {
  const { send, lines } = await observed(context);
  const good = ['a', '!'.repeat(128), '0-9_{}'];
  const bad = ['a b', '~'.repeat(129), 'caf\u00e9', 'a\tb'];
  const idOf = async (id: string): Promise<string | null> =>
    (await send('/api/v1/hash', { 'x-request-id': id })).headers.get('x-request-id');
  for (const id of good) assert.equal(await idOf(id), id);
  for (const id of bad) {
    assert.equal(await idOf(id), null, id);
    assert.match(String(lines.at(-1)?.['id']), /^[\da-f]{8}-[\da-f]{4}-\d+$/, id);
  }
  assert.equal(new Set(lines.map(({ id }) => id)).size, good.length + bad.length);
});

test('logs an internal error with its stack and the id of its answer', async (context) => {
  const { send, lines } = await observed(context, { logsRequests: false });
  const quiet = await send('/api/v1/hash');
  assert.equal(quiet.headers.get('x-request-id'), null);
  const response = await send(faulty.path);
  assert.equal(response.status, 500);
  const id = response.headers.get('x-request-id');
  assert.match(String(id), /^[\da-f]{8}-[\da-f]{4}-\d+$/);
  assert.equal(lines.length, 1);
  const { err, ...line } = lines[0]!;
  const { stack, ...error } = err as Record<string, unknown>;
  assert.deepEqual(
    [line, error],
    [
      { level: 'error', msg: 'error', id },
      { type: 'TypeError', message: 'the secret in /etc/passwd' },
    ],
  );
  assert.match(String(stack), /fixture/);
  assert.doesNotMatch(await response.text(), /secret|passwd|fixture/);
});

test('logs the nearest address that is not a trusted proxy as the client', async (context) => {
  const trusted = new BlockList();
  trusted.addAddress('127.0.0.1');
  trusted.addSubnet('10.0.0.0', 8);
  const forwarded: readonly [header: string, client: string][] = [
    ['203.0.113.7', '203.0.113.7'],
    ['198.51.100.1, 203.0.113.7', '203.0.113.7'],
    ['203.0.113.7, 10.1.2.3', '203.0.113.7'],
    ['2001:db8::1', '2001:db8::1'],
    ['10.1.2.3', '10.1.2.3'],
    [`203.0.113.7${', 10.1.2.3'.repeat(19)}`, '203.0.113.7'],
    // The first of 21 addresses is not considered.
    [`203.0.113.7, 10.9.9.9${', 10.1.2.3'.repeat(19)}`, '10.9.9.9'],
    ['spoofed\u0007', '127.0.0.1'],
    ['', '127.0.0.1'],
    [`fe80::1%${'a'.repeat(8_000)}`, `fe80::1%${'a'.repeat(192)}`],
    [`fe80::1%${'a'.repeat(8_000)}, 10.1.2.3`, `fe80::1%${'a'.repeat(192)}`],
  ];
  const { port, lines } = await observed(context, { trusted });
  for (const [header, client] of forwarded) {
    await exchange(
      port,
      `GET / HTTP/1.1\r\nHost: a\r\nX-Forwarded-For: ${header.replace('\u0007', '')}\r\n`
        + 'Connection: close\r\n\r\n',
    );
    assert.equal(lines.at(-1)?.['client'], client, header);
  }
  const unbelieving = await observed(context);
  await unbelieving.send('/api/v1/hash', { 'x-forwarded-for': '203.0.113.7' });
  assert.equal(unbelieving.lines[0]?.['client'], '127.0.0.1');
});

/** Asserts that the text of the metrics has these lines. */
function assertSamples(metrics: Metrics, lines: readonly string[]): void {
  const text = exposition([metrics.samples()]);
  for (const line of lines) assert.ok(text.includes(`\n${line}\n`), `${line}\n${text}`);
}

/** Sets the time for a request, also for requests that have begun; node:http checks it once per second. */
function limitRequests(server: Server, milliseconds: number): void {
  server.headersTimeout = milliseconds;
  server.requestTimeout = milliseconds;
}

/** Requests, and the event after which those that time out have taken too long. */
const refused: readonly [request: string, line: Line, begun?: 'connection' | 'request'][] = [
  [
    '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03',
    { status: 400, code: 'bad_request', reason: 'TLS' },
  ],
  ['PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', { status: 400, code: 'bad_request', reason: 'HTTP/2' }],
  ['hello\r\n\r\n', { status: 400, code: 'bad_request', reason: 'HPE_INVALID_METHOD' }],
  [
    `GET / HTTP/1.1\r\nHost: a\r\nX: ${'a'.repeat(HEADER_LIMIT)}\r\n\r\n`,
    { status: 431, code: 'headers_too_large', reason: 'HPE_HEADER_OVERFLOW' },
  ],
  [
    'GET / HTTP/1.1\r\nHost:',
    { status: 408, code: 'request_timeout', reason: 'ERR_HTTP_REQUEST_TIMEOUT' },
    'connection',
  ],
  [
    `${postHead('/api/v1/hash?secret', 20)}{"te`,
    {
      method: 'POST',
      path: '/api/v1/hash',
      status: 408,
      code: 'request_timeout',
      reason: 'ERR_HTTP_REQUEST_TIMEOUT',
    },
    'request',
  ],
  [
    'CONNECT a:1 HTTP/1.1\r\nHost: a\r\n\r\n',
    { method: 'CONNECT', path: 'a:1', status: 405, code: 'method_not_allowed', reason: 'CONNECT' },
  ],
];

test('logs and counts requests that are refused before a handler runs', async (context) => {
  const { lines, metrics, port, server } = await observed(context);
  const { requestTimeout } = server;
  for (const [request, line, begun] of refused) {
    lines.length = 0;
    limitRequests(server, requestTimeout);
    if (begun !== undefined) server.once(begun, () => limitRequests(server, 1));
    const [response] = await exchange(port, request);
    assert.equal(response?.status, line['status']);
    const id = response?.headers['x-request-id'];
    assert.match(String(id), /^[\da-f]{8}-[\da-f]{4}-\d+$/);
    assert.deepEqual(lines, [{ level: 'warn', msg: 'refused', id, client: '127.0.0.1', ...line }]);
  }
  assertSamples(metrics, [
    'http_requests_total{method="other",route="other",status="400"} 3',
    'http_requests_total{method="other",route="other",status="405"} 1',
    'http_requests_total{method="other",route="other",status="408"} 1',
    'http_requests_total{method="other",route="other",status="431"} 1',
    'http_requests_total{method="POST",route="/api/v1/hash",status="408"} 1',
    'http_requests_in_flight 0',
  ]);
});

test('logs client and status 499 of a request whose client resets the connection', async (context) => {
  const { port, lines } = await observed(context);
  const socket = net.connect(port, '127.0.0.1');
  await once(socket, 'connect');
  socket.write(`${postHead('/api/v1/hash', 20, 'Expect: 100-continue')}`);
  await once(socket, 'data');
  socket.resetAndDestroy();
  await until('a line in the log', () => lines.length > 0);
  const [{ id, ms, ...line } = {}] = lines;
  assert.deepEqual(line, {
    level: 'info',
    msg: 'request',
    client: '127.0.0.1',
    method: 'POST',
    path: '/api/v1/hash',
    status: 499,
    bytes: 0,
    aborted: true,
  });
  assert.ok(Number(ms) > 0 && id !== undefined);
});

test('logs when it begins and stops refusing requests and connections over the limits', async (context) => {
  replaceTimeouts(context);
  const pass = replaceClock(context);
  let isLate = true;
  const scheduler: Scheduler = { add: (work) => work(isLate) };
  const { port, lines, quiet } = await observed(
    context,
    { logsRequests: false },
    { limits: { maxConnections: 1 }, scheduler },
  );
  const request = post('/api/v1/hash', '{"text":""}', 'Connection: close');
  for (const refusals of [3, 1]) {
    for (let count = 0; count < refusals; count += 1) {
      assert.equal((await exchange(port, request))[0]?.status, 503);
      await quiet();
    }
    context.mock.timers.tick(1_000);
  }
  isLate = false;
  const kept = net.connect(port, '127.0.0.1').on('error', () => undefined);
  await once(kept, 'connect');
  kept.write(postHead('/api/v1/hash', 20, 'Expect: 100-continue'));
  await once(kept, 'data');
  pass(1_000);
  assert.equal((await exchange(port, CLOSE))[0]?.status, 200);
  context.mock.timers.tick(1_000);
  assert.deepEqual(lines, [
    { level: 'warn', msg: 'overloaded', refusing: 'requests' },
    { level: 'info', msg: 'recovered', refusing: 'requests', refusals: 3 },
    { level: 'warn', msg: 'overloaded', refusing: 'requests' },
    { level: 'info', msg: 'recovered', refusing: 'requests', refusals: 1 },
    { level: 'warn', msg: 'overloaded', refusing: 'connections' },
    {
      level: 'warn',
      msg: 'reset',
      client: '127.0.0.1',
      path: '/api/v1/hash',
      reason: 'slow',
    },
    { level: 'info', msg: 'recovered', refusing: 'connections', refusals: 1 },
  ]);
});

test('logs no end of an overload after it has been stopped, and begins another', (context) => {
  replaceTimeouts(context);
  const lines: string[] = [];
  const log = logTo((line) => lines.push(line));
  const observer = requestLog({
    log,
    logsRequests: false,
    routeOf: () => undefined,
    trusted: undefined,
  });
  // The server of a program may listen again after it has been closed.
  for (const isStopped of [false, true, false]) {
    observer.overloaded?.('requests');
    if (isStopped) observer.stop();
    context.mock.timers.tick(2_000);
  }
  assert.deepEqual(
    lines.map((line) => (JSON.parse(line) as Line)['msg']),
    ['overloaded', 'recovered', 'overloaded', 'overloaded', 'recovered'],
  );
});

test('counts a request by its decoded path, and logs the path as received', async (context) => {
  const { lines, metrics, port } = await observed(context);
  const paths: readonly [target: string, path: string][] = [
    ['/healthz', '/healthz'],
    ['http://example.org/healthz?x', '/healthz'],
    ['/%68ealthz', '/healthz'],
    ['/%zz', '/%zz'],
    ['/%C2%9B31m"\\', '/%C2%9B31m"\\'],
  ];
  for (const [target, path] of paths) {
    await exchange(port, `GET ${target} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`);
    assert.equal(lines.at(-1)?.['path'], path);
  }
  assert.match(
    exposition([metrics.samples()]),
    /\nhttp_requests_total\{method="GET",route="\/healthz",status="200"\} 3\n/,
  );
});

test('counts requests by method, route and status, and all unknown paths as one route', async (context) => {
  const { send, metrics } = await observed(context);
  for (const path of ['/api/v1/hash', '/api/v1/hash?x', '/api/v1/hash', '/a', '/b', '/__proto__'])
    await send(path);
  await send('/api/v1/tax/calculate');
  assertSamples(metrics, [
    'http_requests_total{method="POST",route="/api/v1/hash",status="200"} 3',
    'http_requests_total{method="POST",route="/api/v1/tax/calculate",status="422"} 1',
    'http_requests_total{method="POST",route="other",status="404"} 3',
    'http_request_duration_seconds_count{method="POST",route="/api/v1/hash"} 3',
    'http_request_duration_seconds_bucket{method="POST",route="/api/v1/hash",le="+Inf"} 3',
  ]);
});

test('logs nothing of a target but at most 200 characters of its path', async (context) => {
  const { port, lines } = await observed(context);
  const targets: readonly [target: string, path: string][] = [
    ['http://user:secret@x/path?q#f', '/path'],
    ['HTTP://User:secret@x:80/path', '/path'],
    ['ftp://user:secret@x/path', '/path'],
    ['http:///path', '/path'],
    ['http://x/path#secret', '/path'],
    ['http://user:secret@x', ''],
    ['http://user:secret@x?secret', ''],
    ['/path?secret', '/path'],
    ['/path#secret', '/path'],
    ['/users/@name', '/users/@name'],
    ['//x/path', '//x/path'],
    ['*', '*'],
    [`/${'a'.repeat(5_000)}`, `/${'a'.repeat(199)}`],
    // A password that is not escaped may contain any character.
    ['http://user:sec/ret@x/path', ''],
    ['http://user:sec@ret@x/path', ''],
    ['http://user:sec/?ret@x/path', ''],
    ['http://user:sec/#ret@x/path', ''],
    ['//user:secret@x/path', ''],
  ];
  for (const [target, path] of targets) {
    await exchange(port, `GET ${target} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`);
    assert.equal(lines.at(-1)?.['path'], path, target);
  }
  for (const target of ['user:secret@x:443', 'http://user:secret@x']) {
    await exchange(port, `CONNECT ${target} HTTP/1.1\r\nHost: a\r\n\r\n`);
    assert.equal(lines.at(-1)?.['msg'], 'refused', target);
  }
  const log = lines.map((line) => JSON.stringify(line)).join('\n');
  assert.doesNotMatch(log, /sec|ret@/);
});
