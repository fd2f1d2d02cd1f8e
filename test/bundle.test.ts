/** The bundle: the command, the service and the page in one file. */
import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { freePort, run } from './command.ts';
import { exists, readText, root } from './repository.ts';

const PAGE = 'dist/src/page/';
const BUNDLE = 'dist/utility-calculation-service.cjs';
const REQUEST = '{"income":30000000,"dependents":1,"period":"2026-08"}';
/** Milliseconds between two checks whether a service answers. */
const INTERVAL = 50;

const skip = exists(PAGE) ? false : 'the page is not built; to build it: npm run build';
let folder = '';
/** Copies of the checkout, with spaces in their paths. */
let copies: readonly string[] = [];

before(() => {
  if (skip !== false) return;
  folder = mkdtempSync(join(tmpdir(), 'bundle-'));
  copies = ['one copy', 'the other copy'].map((name) => join(folder, name));
  for (const copy of copies) {
    for (const path of ['package.json', '.build', 'src', PAGE]) {
      cpSync(new URL(path, root), join(copy, path), { recursive: true });
    }
    symlinkSync(new URL('node_modules', root), join(copy, 'node_modules'));
  }
  // A single process loads the compiler only once.
  const [first, second] = copies.map((copy) => JSON.stringify(pathToFileURL(join(copy, '.build/bundle.mjs'))));
  const program = `
    process.env.TZ = 'Asia/Ho_Chi_Minh';
    await import(${first});
    process.env.TZ = 'America/Los_Angeles';
    await import(${second});
  `;
  execFileSync(process.execPath, ['--input-type=module', '--eval', program]);
});

after(() => {
  if (folder !== '') rmSync(folder, { recursive: true });
});

/** The path of the bundle. */
function bundlePath(copy = copies[0]!): string {
  return join(copy, BUNDLE);
}

/** The options with which Node may read the bundle and nothing else, and may write nothing. */
function permissions(): string[] {
  const known = process.allowedNodeEnvironmentFlags;
  return [
    known.has('--permission') ? '--permission' : '--experimental-permission',
    `--allow-fs-read=${bundlePath()}`,
    // From Node 25 the network is a permission too.
    ...(known.has('--allow-net') ? ['--allow-net'] : []),
  ];
}

test('the bundle has the same bytes in any folder and time zone', { skip }, () => {
  const [first, second] = copies.map((copy) => readFileSync(bundlePath(copy), 'utf8'));
  assert.equal(first, second);
  assert.ok(!first?.includes(folder));
});

test('the bundle has the comments of the source', { skip }, () => {
  const bundle = readFileSync(bundlePath(), 'utf8');
  const text = readText('src/operations.ts');
  const comment = text.slice(0, text.indexOf('import'));
  assert.match(comment, /^\/\*\*\n \* Start here: /);
  assert.ok(bundle.includes(`modules['src/operations.ts'] = (function () {\n${comment}`));
});

for (const workers of [1, 2]) {
  test(`the bundle serves with permission to read nothing else, workers: ${workers}`, { skip }, async (context) => {
    const options = [...permissions(), ...(workers > 1 ? ['--allow-child-process'] : [])];
    const environment = { PORT: '0', WORKERS: String(workers), LOG: 'requests' };
    const service = run(context, [], environment, options, bundlePath());
    const { address } = await service.event('ready');
    const url = String(address);
    const headers = { 'content-type': 'application/json' };
    const answer = await fetch(`${url}/api/v1/tax/calculate`, { method: 'POST', headers, body: REQUEST });
    assert.match(await answer.text(), /"net_income":26592500\}\}$/);
    assert.match(await (await fetch(url, { headers: { accept: 'text/html' } })).text(), /^<!doctype html>/);

    const healthcheck = run(context, ['healthcheck'], { PORT: new URL(url).port }, permissions(), bundlePath());
    assert.equal(await healthcheck.ended(), 0, healthcheck.errors);
    service.child.kill('SIGTERM');
    assert.equal(await service.ended(), 0);
    assert.doesNotMatch(service.errors, /ERR_ACCESS_DENIED/);
    assert.deepEqual(service.lines.filter((line) => line.includes('"level":"error"')), []);
  });
}

test('the bundle serves the files of the page as they are', { skip }, async (context) => {
  const service = run(context, ['--port=0'], {}, [], bundlePath());
  const { address } = await service.event('ready');
  const names = readdirSync(new URL(PAGE, root)).filter((name) => /\.(?:css|js|svg)$/.test(name));
  assert.ok(names.length > 20);
  for (const name of names) {
    const response = await fetch(`${String(address)}/page/${name}`);
    // `npm test` builds with source maps, which the bundle leaves out.
    const text = readText(PAGE + name).replace(/^\/\/# sourceMappingURL=.*\n?/m, '');
    assert.equal(response.headers.get('content-encoding'), 'gzip');
    assert.equal(await response.text(), text, name);
  }
});

test('the bundle calculates with permission to read nothing else', { skip }, async (context) => {
  const calculation = run(context, ['calc', 'tax', REQUEST], {}, permissions(), bundlePath());
  assert.equal(await calculation.ended(), 0, calculation.errors);
  assert.match(String(calculation.lines[0]), /"net_income":26592500\}\}$/);
});

test('the bundle serves while standard output is closed', { skip }, async (context) => {
  const port = await freePort();
  const args = ['-c', 'exec "$0" "$@" >&-', process.execPath, bundlePath(), `--port=${port}`];
  const child = spawn('/bin/sh', args, { stdio: ['ignore', 'inherit', 'ignore'] });
  context.after(() => void child.kill('SIGKILL'));
  const ended = once(child, 'exit');
  let status: number | undefined;
  while (status === undefined && child.exitCode === null) {
    await sleep(INTERVAL);
    const response = await fetch(`http://127.0.0.1:${port}/healthz`).catch(() => undefined);
    status = response?.status;
  }
  assert.equal(status, 200);
  child.kill('SIGTERM');
  assert.deepEqual(await ended, [0, null]);
});
