/** A test of hostile clients that measures times, and therefore runs alone. */
import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import net from 'node:net';
import { test } from 'node:test';
import { connect, normalRequest } from '../client.ts';
import { type Run, run } from '../command.ts';
import { postHead } from '../http/fixture.ts';

const onLinux = { skip: process.platform === 'linux' ? false : 'needs procfs' };
const HASH = '/api/v1/hash';

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
  const crowds: readonly [label: string, count: number, begin: (socket: net.Socket) => void][] = [
    ['slow headers', 200, (socket) => socket.write('GET / HTTP/1.1\r\nHost:')],
    ['slow bodies', 200, (socket) => socket.write(postHead(HASH, 1000))],
    ['idle', 1000, (socket) => socket.write('GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n')],
    ['silent', 500, () => undefined],
  ];
  const all: net.Socket[] = [];
  for (const [label, count, begin] of crowds) {
    const sockets = await Promise.all(Array.from({ length: count }, () => connect(port)));
    for (const socket of sockets) {
      all.push(socket);
      begin(socket.resume());
    }
    assert.ok(await normalRequest(address) < 2_000, label);
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
  assert.ok(await normalRequest(address) < 2_000, 'resets');
  await until(() => descriptors(service) <= descriptorsBefore + 5, 'the service closes its descriptors after resets');
});
