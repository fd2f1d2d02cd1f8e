/** The runner of `npm test`. */
import assert from 'node:assert/strict';
import type { ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import net, { type AddressInfo, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { type TestContext, test } from 'node:test';
import { execFile, execFileSync, spawn, spawnSync } from './helpers/child.ts';
import { root } from './helpers/repository.ts';
import { once, until, within } from './helpers/until.ts';

const RUNNER = fileURLToPath(new URL('.build/test.mjs', root));
/** A program that does not end. */
const ENDLESS = ['--eval', 'setInterval(() => undefined, 1_000)'];

/** Runs a test file. */
function runFile(context: TestContext, program: string): ChildProcess {
  const folder = mkdtempSync(join(tmpdir(), 'runner-'));
  context.after(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'some.test.mjs');
  writeFileSync(file, program);
  const child = spawn(process.execPath, [RUNNER, file], { stdio: ['ignore', 'pipe', 'pipe'] });
  context.after(() => void child.kill('SIGKILL'));
  return child;
}

for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP', 'SIGKILL'] as const) {
  test(`a runner that is ended by ${signal} ends its tests and their services`, async (context) => {
    const sockets: Socket[] = [];
    const server = net.createServer((socket) => void sockets.push(socket)).listen(0, '127.0.0.1');
    context.after(() => server.close());
    await once(server, 'listening');
    const connect = `require('node:net').connect(${(server.address() as AddressInfo).port}, '127.0.0.1')`;
    const child = runFile(
      context,
      `import { spawn } from 'node:child_process';
      import { createRequire } from 'node:module';
      import test from 'node:test';
      const require = createRequire(import.meta.url);
      test('a test that waits for its service', () => new Promise(() => {
        ${connect};
        spawn(process.execPath, ['--eval', ${JSON.stringify(connect)}]);
      }));`,
    );
    await until('a test and its service', () => sockets.length === 2);
    const closed = sockets.map((socket) =>
      once(
        socket.resume().on('error', () => undefined),
        'close',
      ),
    );
    child.kill(signal);
    await Promise.all(closed);
  });
}

test('a set-up that fails fails once, by its reason', async (context) => {
  const child = runFile(
    context,
    `import test from 'node:test';
    throw new Error('the program is not installed');
    test('a test', () => undefined);
    test('another test', () => undefined);`,
  );
  const [output] = await Promise.all([
    within('the output', text(child.stdout!)),
    once(child, 'exit'),
  ]);
  assert.match(output, /the program is not installed/);
  assert.match(output, /^\W*fail 1$/m);
  assert.equal(child.exitCode, 1);
});

test('a program over its limit fails by its name and the limit', async () => {
  const message = /^node --eval .* has not ended after 0.1 s$/;
  const limit = 100;
  const runs = [spawnSync, execFileSync].map(
    (run) => () => run(process.execPath, ENDLESS, { limit }),
  );
  for (const run of runs) assert.throws(run, { message });
  await assert.rejects(execFile(process.execPath, ENDLESS, { limit }), { message });
});
