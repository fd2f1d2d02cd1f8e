/** Tests of hostile clients. */
import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import type { Socket } from 'node:net';
import { test } from 'node:test';
import { IDLE_TIMEOUT } from '../../src/server/limits.ts';
import { connect, normalRequest } from '../helpers/client.ts';
import { needsDescriptors, residentMemory, type Run, run } from '../helpers/command.ts';
import { assertHeaders, exchange, listen, post, postHead } from '../helpers/fixture.ts';
import { once, until } from '../helpers/until.ts';

const onLinux = { skip: process.platform === 'linux' ? false : 'needs procfs' };
const HASH = '/api/v1/hash';
/** Connections that are opened at once: with more than the backlog of the listener, some would wait for a second. */
const BATCH = 100;

test(
  'does not buffer requests of a client that sends and never reads',
  onLinux,
  async (context) => {
    const service = run(context, ['--port=0', '--max-lag=60000', '--request-timeout=3600']);
    const address = String((await service.event('ready'))['address']);
    const port = Number(new URL(address).port);
    for (let index = 0; index < 20; index += 1) await normalRequest(address);
    const before = residentMemory(service.child);
    const request = post(HASH, JSON.stringify({ text: 'a'.repeat(100_000) }));
    const sockets = await Promise.all(Array.from({ length: 10 }, () => connect(port)));
    for (const socket of sockets) {
      socket.pause();
      // 20 MB of pipelined requests each; the sender keeps the bytes that the service does not read.
      for (let index = 0; index < 200; index += 1) socket.write(request);
    }
    for (let index = 0; index < 20; index += 1) await normalRequest(address);
    const during = residentMemory(service.child);
    assert.ok(during - before < 150, `${Math.round(before)} MB, then ${Math.round(during)} MB`);
    sockets.forEach((socket) => socket.destroy());
  },
);

test('sets an idle timeout only on a connection whose client reads no byte of its answer', async (context) => {
  const { server, port } = await listen(context);
  const first = once(server, 'connection') as Promise<[Socket]>;
  await exchange(port, post(HASH, '{"text":"a"}', 'Connection: close'));
  const [answered] = await first;
  assert.notEqual(answered.timeout, IDLE_TIMEOUT);
  const second = once(server, 'connection') as Promise<[Socket]>;
  const client = await connect(port);
  context.after(() => client.destroy());
  client.pause();
  const [unread] = await second;
  const large = post(HASH, JSON.stringify({ text: 'a'.repeat(1_000_000) }));
  // The kernel takes the first answers; their number depends on its buffers.
  await until('an idle timeout', () => {
    if (client.writableLength === 0) client.write(large);
    return unread.timeout === IDLE_TIMEOUT;
  });
});

/** The number in the metrics of connections that were closed because of the limit. */
async function closedByLimit(port: number): Promise<number> {
  const [response] = await exchange(
    port,
    'GET /metrics HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n',
  );
  return Number(/\nhttp_connections_refused_total (\d+)\n/.exec(response?.body ?? '')?.[1]);
}

test('at the limit, closes the connection that has been idle longest for a new one', async (context) => {
  for (const workers of [1, 2]) {
    const service = run(context, [
      '--port=0',
      `--workers=${workers}`,
      '--max-connections=5',
      '--metrics=on',
    ]);
    const port = Number(new URL(String((await service.event('ready'))['address'])).port);
    const open: Socket[] = [];
    // With two workers, the primary process gives each of them every second connection.
    for (let count = 0; count < 5 * workers; count += 1) {
      const socket = (await connect(port)).resume();
      context.after(() => socket.destroy());
      socket.write('GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n');
      await once(socket, 'data');
      open.push(socket);
    }
    const [health] = await exchange(
      port,
      'GET /healthz HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n',
    );
    assert.equal(health?.status, 200);
    await until('the close of the first connection', () => open[0]!.destroyed);
    assert.equal(open.at(-1)!.destroyed, false);
    await until('the count', async () => (await closedByLimit(port)) > 0);
    service.child.kill();
    assert.equal(await service.ended(), 0);
  }
});

test('at the limit, closes a new connection if all others are in use', onLinux, async (context) => {
  const service = run(context, ['--port=0', '--max-connections=5']);
  const port = Number(new URL(String((await service.event('ready'))['address'])).port);
  const before = descriptors(service);
  const kept = await Promise.all(Array.from({ length: 5 }, () => connect(port)));
  for (const socket of kept) {
    socket.write(postHead(HASH, 1_000, 'Expect: 100-continue'));
    await once(socket, 'data');
  }
  for (let count = 0; count < 20; count += 1) {
    const extra = (await connect(port)).resume();
    await until('the close of a further connection', () => extra.destroyed);
  }
  assert.ok(kept.every((socket) => !socket.destroyed));
  for (const socket of kept) socket.destroy();
  await until('the close of all descriptors', () => descriptors(service) <= before);
  await service.event('overloaded');
});

test('answers 503 over the lag limit until the event loop recovers, and 200 to health checks', async (context) => {
  const service = run(context, ['--port=0', '--max-lag=10']);
  const address = String((await service.event('ready'))['address']);
  const body = JSON.stringify({ text: 'đ'.repeat(300_000) });
  const statuses = new Set<number>();
  let isOver = false;
  context.after(() => {
    isOver = true;
  });
  const client = async (): Promise<void> => {
    while (!isOver) {
      const headers = { 'content-type': 'application/json' };
      const response = await fetch(address + HASH, { method: 'POST', headers, body });
      statuses.add(response.status);
      if (response.status === 503) assertHeaders(response.headers, { 'retry-after': '1' });
      await response.text();
    }
  };
  const clients = Array.from({ length: 8 }, client);
  await until('an answer with 503', async () => {
    assert.equal((await fetch(`${address}/healthz`)).status, 200);
    return statuses.has(503);
  });
  isOver = true;
  await Promise.all(clients);
  const single = async (): Promise<number> => {
    const headers = { 'content-type': 'application/json' };
    const response = await fetch(address + HASH, { method: 'POST', headers, body: '{"text":"a"}' });
    await response.text();
    return response.status;
  };
  await until('an answer with 200', async () => (await single()) === 200);
  assert.deepEqual([...statuses].sort(), [200, 503]);
});

const descriptors = ({ child }: Run): number => readdirSync(`/proc/${child.pid}/fd`).length;

/** Opens connections, and begins to use each. */
async function openMany(
  port: number,
  count: number,
  begin: (socket: Socket) => void,
): Promise<Socket[]> {
  const all: Socket[] = [];
  while (all.length < count) {
    const sockets = await Promise.all(Array.from({ length: BATCH }, () => connect(port)));
    for (const socket of sockets) begin(socket.resume());
    all.push(...sockets);
  }
  return all;
}

const crowds: readonly [label: string, count: number, begin: (socket: Socket) => void][] = [
  ['slow headers', 200, (socket) => socket.write('GET / HTTP/1.1\r\nHost:')],
  ['slow bodies', 200, (socket) => socket.write(postHead(HASH, 1000))],
  ['idle', 1000, (socket) => socket.write('GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n')],
  ['silent', 500, () => undefined],
];

const forMany = { skip: needsDescriptors(2_100) };

test(
  'serves other clients while the connections of many are slow or idle',
  forMany,
  async (context) => {
    const service = run(context, [
      '--port=0',
      '--request-timeout=3600',
      '--keep-alive-timeout=3600',
    ]);
    const address = String((await service.event('ready'))['address']);
    const port = Number(new URL(address).port);
    const open: Socket[] = [];
    for (const [label, count, begin] of crowds) {
      const sockets = await openMany(port, count, begin);
      await normalRequest(address);
      // The time for headers is fixed; the service may have closed connections without complete headers.
      if (label === 'slow bodies' || label === 'idle') open.push(...sockets);
    }
    assert.deepEqual(
      open.filter((socket) => socket.destroyed),
      [],
    );
  },
);

const forBatches = { skip: onLinux.skip || needsDescriptors(600) };

test('closes connections that are slow, idle or reset', forBatches, async (context) => {
  const service = run(context, ['--port=0', '--request-timeout=2', '--keep-alive-timeout=2']);
  const address = String((await service.event('ready'))['address']);
  const port = Number(new URL(address).port);
  await normalRequest(address);
  const before = descriptors(service);
  const all: Socket[] = [];
  for (const [, , begin] of crowds) all.push(...(await openMany(port, BATCH, begin)));
  await until('the close of all connections', () => descriptors(service) <= before + 5);
  await until('the end of all connections', () => all.every((socket) => socket.destroyed));
  await openMany(port, 1_000, (socket) => {
    socket.write(postHead(HASH, 1000));
    socket.resetAndDestroy();
  });
  await normalRequest(address);
  await until('the close of all reset connections', () => descriptors(service) <= before + 5);
});
