/** The limit of file descriptors. */
import assert from 'node:assert/strict';
import net from 'node:net';
import { test } from 'node:test';
import { spawn } from '../helpers/child.ts';
import { command } from '../helpers/repository.ts';
import { once, until } from '../helpers/until.ts';

const onLinux = { skip: process.platform === 'linux' ? false : 'needs procfs' };
/** The connections that the limit leaves: 64 descriptors without those of the process. */
const AVAILABLE = 64 - 32;

for (const workers of [1, 2]) {
  const title = `accepts as many connections as there are descriptors, workers: ${workers}`;
  test(title, onLinux, async (context) => {
    const args = [command, '--port=0', `--workers=${workers}`, '--max-connections=200'];
    const script = 'ulimit -n 64 && exec "$0" "$@"';
    const stdio = ['ignore', 'pipe', 'inherit'] as const;
    const child = spawn('sh', ['-c', script, process.execPath, ...args], { stdio: [...stdio] });
    context.after(() => void child.kill('SIGKILL'));
    let log = '';
    child.stdout!.setEncoding('utf8').on('data', (text: string) => {
      log += text;
    });
    const event = async (name: string): Promise<Record<string, unknown>> => {
      const find = (): string | undefined =>
        log
          .split('\n')
          .slice(0, -1)
          .find((line) => line.includes(`"msg":"${name}"`));
      await until(name, () => find() !== undefined);
      return JSON.parse(find()!) as Record<string, unknown>;
    };

    const { address } = await event('ready');
    const { level, max_connections, available } = await event('few descriptors');
    assert.deepEqual([level, max_connections, available], ['warn', 200, AVAILABLE]);
    const sockets: net.Socket[] = [];
    context.after(() => sockets.forEach((socket) => socket.destroy()));
    for (let index = 0; index <= workers * AVAILABLE; index += 1) {
      const socket = net.connect(Number(new URL(String(address)).port), '127.0.0.1');
      sockets.push(socket.on('error', () => undefined));
      // The primary process takes the next connection when a worker has this one.
      socket.write('GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n');
      await once(socket, 'data');
    }
    assert.equal((await event('overloaded'))['refusing'], 'connections');
    assert.equal((await fetch(`${String(address)}/healthz`)).status, 200);
    const exit = once(child, 'exit');
    child.kill('SIGTERM');
    assert.deepEqual(await exit, [0, null]);
  });
}
