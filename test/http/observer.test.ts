import assert from 'node:assert/strict';
import { BlockList } from 'node:net';
import { type TestContext, test } from 'node:test';
import { createMetrics, exposition } from '../../src/http/metrics.ts';
import { createObserver, type ObserverOptions } from '../../src/http/observer.ts';
import { operations } from '../../src/operations.ts';
import { exchange, faulty, type Fixture, listen } from './fixture.ts';

type Line = Readonly<Record<string, unknown>>;

async function observed(
  context: TestContext,
  options: Partial<ObserverOptions> = {},
): Promise<{ fixture: Fixture; lines: Line[]; send: (path: string, headers?: Record<string, string>) => Promise<Response> }> {
  const lines: Line[] = [];
  const paths = operations.map(({ path }) => path);
  const log: ObserverOptions['log'] = {
    line: (event, fields) => void lines.push({ event, ...fields }),
    write: (fields) => void lines.push(JSON.parse(`{${fields()}}`) as Line),
    flush: () => Promise.resolve(true),
  };
  const trusted = new BlockList();
  const observer = createObserver({ log, level: 'requests', metrics: undefined, paths, trusted, ...options });
  const fixture = await listen(context, { operations: [...operations, faulty] }, {}, observer);
  const send = (path: string, headers: Record<string, string> = {}): Promise<Response> => fetch(fixture.url + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: '{"text":"secret"}',
  });
  return { fixture, lines, send };
}

test('a line for each request: id, client, method, path, status, bytes, milliseconds; no query and no body', async (context) => {
  const { send, lines } = await observed(context);
  const response = await send('/api/v1/hash?token=secret', { 'x-request-id': 'order-17' });
  const body = await response.text();
  assert.equal(response.headers.get('x-request-id'), 'order-17');
  const [{ ms, ...line } = {}] = lines;
  assert.deepEqual(line, {
    event: 'request',
    id: 'order-17',
    client: '127.0.0.1',
    method: 'POST',
    path: '/api/v1/hash',
    status: 200,
    bytes: Buffer.byteLength(body),
  });
  assert.ok(typeof ms === 'number' && ms > 0 && ms < 10_000);
  assert.doesNotMatch(JSON.stringify(lines), /secret/);
});

test('an id of up to 128 visible ASCII characters is kept; any other is not', async (context) => {
  const { send, lines } = await observed(context);
  const good = ['a', '!'.repeat(128), '0-9_{}'];
  const bad = ['a b', '~'.repeat(129), 'caf\u00e9', 'a\tb'];
  for (const id of good) assert.equal((await send('/api/v1/hash', { 'x-request-id': id })).headers.get('x-request-id'), id);
  for (const id of bad) {
    assert.equal((await send('/api/v1/hash', { 'x-request-id': id })).headers.get('x-request-id'), null, id);
    assert.match(String(lines.at(-1)?.['id']), /^[\da-f]{8}-[\da-f]{4}-\d+$/, id);
  }
  assert.equal(new Set(lines.map(({ id }) => id)).size, good.length + bad.length);
});

test('a fault of ours is logged whole under the id that its answer carries', async (context) => {
  const { send, lines } = await observed(context, { level: 'errors' });
  const quiet = await send('/api/v1/hash');
  assert.equal(quiet.headers.get('x-request-id'), null);
  const response = await send(faulty.path);
  assert.equal(response.status, 500);
  const id = response.headers.get('x-request-id');
  assert.match(String(id), /^[\da-f]{8}-[\da-f]{4}-\d+$/);
  assert.equal(lines.length, 1);
  const { stack, ...line } = lines[0]!;
  assert.deepEqual(line, { event: 'error', id, name: 'TypeError', message: 'the secret in /etc/passwd' });
  assert.match(String(stack), /fixture/);
  assert.doesNotMatch(await response.text(), /secret|passwd|fixture/);
});

test('the client is the nearest address that no trusted proxy has', async (context) => {
  const trusted = new BlockList();
  trusted.addAddress('127.0.0.1');
  trusted.addSubnet('10.0.0.0', 8);
  const forwarded: readonly [header: string, client: string][] = [
    ['203.0.113.7', '203.0.113.7'],
    ['198.51.100.1, 203.0.113.7', '203.0.113.7'],
    ['203.0.113.7, 10.1.2.3', '203.0.113.7'],
    ['2001:db8::1', '2001:db8::1'],
    ['10.1.2.3', '10.1.2.3'],
    ['spoofed\u0007', '127.0.0.1'],
    ['', '127.0.0.1'],
  ];
  const { fixture, lines } = await observed(context, { trusted });
  for (const [header, client] of forwarded) {
    await exchange(fixture.port, `GET / HTTP/1.1\r\nHost: a\r\nX-Forwarded-For: ${header.replace('\u0007', '')}\r\n`
      + 'Connection: close\r\n\r\n');
    assert.equal(lines.at(-1)?.['client'], client, header);
  }
  const unbelieving = await observed(context);
  await unbelieving.send('/api/v1/hash', { 'x-forwarded-for': '203.0.113.7' });
  assert.equal(unbelieving.lines[0]?.['client'], '127.0.0.1');
});

test('nothing of a client breaks a line: long paths are cut, and lines are JSON', async (context) => {
  const { fixture, lines } = await observed(context);
  await exchange(fixture.port, `GET /${'a'.repeat(5_000)}"\u2028 HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`);
  const path = String(lines[0]?.['path'] ?? '');
  assert.ok(path.length <= 200);
});

test('requests are counted by operation and status, paths that clients invent as one', async (context) => {
  const metrics = createMetrics();
  const { send } = await observed(context, { metrics });
  for (const path of ['/api/v1/hash', '/api/v1/hash?x', '/api/v1/hash', '/a', '/b', '/__proto__']) await send(path);
  await send('/api/v1/tax/calculate');
  const text = exposition([metrics.samples(0.25)]);
  for (const line of [
    'http_requests_total{operation="/api/v1/hash",status="200"} 3',
    'http_requests_total{operation="/api/v1/tax/calculate",status="422"} 1',
    'http_requests_total{operation="other",status="404"} 3',
    'http_request_duration_seconds_count{operation="/api/v1/hash"} 3',
    'http_request_duration_seconds_bucket{operation="/api/v1/hash",le="+Inf"} 3',
    'nodejs_eventloop_lag_seconds 0.25',
  ]) assert.ok(text.includes(`\n${line}\n`), `${line}\n${text}`);
});
