import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import http from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { freePort, run } from '../command.ts';
import { readText } from '../repository.ts';

const isMissing = spawnSync('haproxy', ['-v']).error !== undefined;

/** The configuration that the README gives, with the ports of this test. */
function configuration(front: number, backs: readonly number[]): string {
  const [, recipe = ''] = /```haproxy\n([\s\S]*?)```/.exec(readText('README.md')) ?? [];
  return recipe
    .replace(':80\n', `127.0.0.1:${front}\n`)
    .replace('192.0.2.11:8080', `127.0.0.1:${backs[0]}`)
    .replace('192.0.2.12:8080', `127.0.0.1:${backs[1]}`);
}

test('two instances behind HAProxy, restarted in turn under load: no request fails', {
  skip: isMissing ? 'haproxy is not installed' : false,
}, async (context) => {
  const backs = [await freePort(), await freePort()];
  const front = await freePort();
  const start = (port: number): ReturnType<typeof run> => run(context, [`--port=${port}`, '--drain-delay=2']);
  const instances = backs.map(start);
  for (const instance of instances) await instance.event('ready');

  const folder = mkdtempSync(join(tmpdir(), 'haproxy-'));
  context.after(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'haproxy.cfg');
  writeFileSync(file, configuration(front, backs));
  const proxy = spawn('haproxy', ['-db', '-f', file], { stdio: 'ignore' });
  context.after(() => void proxy.kill('SIGKILL'));

  const agent = new http.Agent({ keepAlive: true });
  context.after(() => agent.destroy());
  const send = (): Promise<number | string> => new Promise((resolve) => {
    const headers = { 'Content-Type': 'application/json' };
    const options = { port: front, host: '127.0.0.1', path: '/api/v1/hash', method: 'POST', headers, agent };
    const request = http.request(options, (response) => {
      let body = '';
      response.on('data', (chunk) => (body += String(chunk)));
      // What is no success tells whether it was the proxy's or an instance's.
      response.on('end', () => resolve(response.statusCode === 200 ? 200 : `${response.statusCode} ${body}`));
    });
    request.on('error', (error) => resolve(error.message));
    request.end('{"text":"load"}');
  });
  while (await send() !== 200) await new Promise((resolve) => setTimeout(resolve, 50));

  const counts = new Map<number | string, number>();
  let isOver = false;
  const client = async (): Promise<void> => {
    while (!isOver) {
      const status = await send();
      counts.set(status, (counts.get(status) ?? 0) + 1);
    }
  };
  const clients = Array.from({ length: 8 }, client);
  for (const [index, port] of backs.entries()) {
    instances[index]?.child.kill('SIGTERM');
    assert.equal(await instances[index]?.ended(), 0);
    instances[index] = start(port);
    await instances[index]?.event('ready');
    // Until the proxy has seen it ready again: two checks of a second.
    await new Promise((resolve) => setTimeout(resolve, 3_000));
  }
  isOver = true;
  await Promise.all(clients);
  context.diagnostic(`${counts.get(200)} requests answered`);
  assert.deepEqual([...counts.keys()], [200]);
  assert.ok((counts.get(200) ?? 0) > 100);
});
