/** Tests of hostile clients. */
import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import type { Socket } from 'node:net';
import { test } from 'node:test';
import { IDLE_TIMEOUT } from '../../src/node/limits.ts';
import { connect, normalRequest } from '../client.ts';
import { residentMemory, type Run, run } from '../command.ts';
import { collect, exchange, listen, post, postHead } from '../http/fixture.ts';

const onLinux = { skip: process.platform === 'linux' ? false : 'needs procfs' };
const HASH = '/api/v1/hash';
/** Milliseconds within which the service answers an ordinary request, although other tests run at the same time. */
const ANSWER_TIME = 5_000;

test('does not buffer requests of a client that sends and never reads', onLinux, async (context) => {
  const service = run(context, ['--port=0', '--max-lag=10000']);
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
});

test('sets an idle timeout only on a connection whose client reads no byte of its answer', async (context) => {
  const { server, port } = await listen(context);
  const timeouts = new Set<number | undefined>();
  server.on('connection', (socket) => socket.on('data', () => setImmediate(() => timeouts.add(socket.timeout))));
  const large = post(HASH, JSON.stringify({ text: 'a'.repeat(1_000_000) }));
  await exchange(port, post(HASH, '{"text":"a"}', 'Connection: close'));
  assert.ok(!timeouts.has(IDLE_TIMEOUT));
  const socket = await connect(port);
  context.after(() => socket.destroy());
  socket.pause();
  while (!timeouts.has(IDLE_TIMEOUT)) {
    socket.write(large);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
});

test('closes connections over the limit and counts them', async (context) => {
  const service = run(context, ['--port=0', '--max-connections=5', '--metrics=on']);
  const address = String((await service.event('ready'))['address']);
  const port = Number(new URL(address).port);
  const kept = await Promise.all(Array.from({ length: 5 }, () => connect(port)));
  const extra = await connect(port);
  await new Promise((resolve) => extra.resume().once('close', resolve));
  const metrics = collect(kept[0]!);
  kept[0]!.write('GET /metrics HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n');
  assert.match(await metrics, /\nhttp_connections_refused_total 1\n/);
  kept.forEach((socket) => socket.destroy());
});

test('answers 503 over the lag limit until the event loop recovers, and 200 to health checks', async (context) => {
  const service = run(context, ['--port=0', '--max-lag=10']);
  const address = String((await service.event('ready'))['address']);
  const body = JSON.stringify({ text: 'đ'.repeat(300_000) });
  const statuses = new Set<number>();
  let isOver = false;
  const client = async (): Promise<void> => {
    while (!isOver) {
      const headers = { 'content-type': 'application/json' };
      const response = await fetch(address + HASH, { method: 'POST', headers, body });
      statuses.add(response.status);
      if (response.status === 503) assert.equal(response.headers.get('retry-after'), '1');
      await response.text();
    }
  };
  const clients = Array.from({ length: 8 }, client);
  while (!statuses.has(503)) assert.equal((await fetch(`${address}/healthz`)).status, 200);
  isOver = true;
  await Promise.all(clients);
  const begin = performance.now();
  for (;;) {
    const headers = { 'content-type': 'application/json' };
    const response = await fetch(address + HASH, { method: 'POST', headers, body: '{"text":"a"}' });
    if (response.status === 200) break;
    assert.ok(performance.now() - begin < 15_000, 'recovers');
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  assert.deepEqual([...statuses].sort(), [200, 503]);
});

const descriptors = ({ child }: Run): number => readdirSync(`/proc/${child.pid}/fd`).length;

async function until(holds: () => boolean, expected: string): Promise<void> {
  const begin = performance.now();
  while (!holds()) {
    assert.ok(performance.now() - begin < 15_000, expected);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

test('serves other clients while many are slow, idle or reset, and then closes their connections', onLinux, async (context) => {
  const service = run(context, ['--port=0', '--request-timeout=2', '--keep-alive-timeout=2']);
  const address = String((await service.event('ready'))['address']);
  const port = Number(new URL(address).port);
  await normalRequest(address);
  const descriptorsBefore = descriptors(service);
  const crowds: readonly [label: string, count: number, begin: (socket: Socket) => void][] = [
    ['slow headers', 200, (socket) => socket.write('GET / HTTP/1.1\r\nHost:')],
    ['slow bodies', 200, (socket) => socket.write(postHead(HASH, 1000))],
    ['idle', 1000, (socket) => socket.write('GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n')],
    ['silent', 500, () => undefined],
  ];
  const all: Socket[] = [];
  for (const [label, count, begin] of crowds) {
    const sockets = await Promise.all(Array.from({ length: count }, () => connect(port)));
    for (const socket of sockets) {
      all.push(socket);
      begin(socket.resume());
    }
    assert.ok(await normalRequest(address) < ANSWER_TIME, label);
  }
  await until(() => descriptors(service) <= descriptorsBefore + 5, 'the service closes its descriptors');
  await until(() => all.every((socket) => socket.destroyed), 'the clients receive the close');
  for (let round = 0; round < 20; round += 1) {
    const sockets = await Promise.all(Array.from({ length: 100 }, () => connect(port)));
    for (const socket of sockets) {
      socket.write(postHead(HASH, 1000));
      socket.resetAndDestroy();
    }
  }
  assert.ok(await normalRequest(address) < ANSWER_TIME, 'resets');
  await until(() => descriptors(service) <= descriptorsBefore + 5, 'the service closes its descriptors after resets');
});
