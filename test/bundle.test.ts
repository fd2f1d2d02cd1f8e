/** The bundle: the command, the service and the page in one file. */
import assert from 'node:assert/strict';
import { readFileSync, statSync } from 'node:fs';
import { test } from 'node:test';
import { coreOperations } from '../src/operations/core.ts';
import { spawn } from './helpers/child.ts';
import { type Received, receive } from './helpers/client.ts';
import { freePort, run } from './helpers/command.ts';
import { BUNDLE, built, modules, pageFiles, readText } from './helpers/repository.ts';
import { once, until, within } from './helpers/until.ts';

const REQUEST = '{"income":30000000,"dependents":1,"period":"2026-08"}';
const bundle = built(BUNDLE);
const core = built(BUNDLE.replace('.cjs', '-core.cjs'));

/** The options in the systemd unit for this version of Node: it may read only the bundle. */
function unitOptions(): string[] {
  const unit = readText('.deploy/utility-calculation-service.service');
  const rows = [...unit.matchAll(/^# {3}Node\.js ([\d, and later]+): (--.+)$/gm)];
  const [, started = '', script = ''] = /^ExecStart=\/usr\/bin\/node (.+) (\S+)$/m.exec(unit) ?? [];
  assert.ok(
    rows.some(([, , options]) => options === started),
    started,
  );
  const major = Number(process.versions.node.split('.')[0]);
  const isListed = (versions: string): boolean => versions.split(', ').map(Number).includes(major);
  const isAfter = (versions: string): boolean =>
    versions.endsWith(' and later') && major >= Number.parseInt(versions, 10);
  const [, , options = ''] =
    rows.find(([, versions = '']) => isListed(versions) || isAfter(versions))
    ?? assert.fail(`no row for Node ${major}`);
  const words = options.split(' ');
  assert.ok(words.includes(`--allow-fs-read=${script}`), script);
  assert.equal(words.filter((word) => word.startsWith('--allow-fs')).length, 1);
  return words.map((word) => word.replace(script, bundle));
}

test('the sections of the bundle begin with the first comment of a file', () => {
  const text = readFileSync(bundle, 'utf8');
  const [modules = '', page] = text.split("\nmodules['src/extensions/documents/page-files.ts'] = ");
  assert.ok(page !== undefined);
  const sections = [...modules.matchAll(/^modules\['(src\/.+\.ts)'\] = \(function \(\) \{\n/gm)];
  assert.ok(sections.length > 60);
  for (const { 0: head, 1: path = '', index } of sections) {
    const source = readText(path).replace(/^#!.*\n/, '');
    const [comment = ''] = /^\/\*\*[\s\S]*?\*\/\n/.exec(source) ?? [];
    assert.ok(modules.startsWith(comment, index + head.length), path);
  }
});

test('the bundle of the core has at most 234,300 bytes', () => {
  const { size } = statSync(core);
  assert.ok(
    size <= 234_300,
    `${size} bytes: shorten the core, or raise the limit for a new operation`,
  );
});

for (const workers of [1, 2]) {
  const title = `the bundle serves with the options of the systemd unit, workers: ${workers}`;
  test(title, async (context) => {
    const options = [...unitOptions(), ...(workers > 1 ? ['--allow-child-process'] : [])];
    const environment = { PORT: '0', WORKERS: String(workers), LOG: 'requests' };
    const service = run(context, [], environment, options, bundle);
    const { address } = await service.ready();
    const url = address;
    const headers = { 'content-type': 'application/json' };
    const init = { method: 'POST', headers, body: REQUEST };
    const answer = await fetch(`${url}/api/v1/tax/calculate`, init);
    assert.match(await answer.text(), /"net_income":26592500\}\}$/);
    const page = await fetch(url, { headers: { accept: 'text/html' } });
    assert.match(await page.text(), /^<!doctype html>/);

    const { port } = new URL(url);
    const healthcheck = run(context, ['healthcheck'], { PORT: port }, unitOptions(), bundle);
    assert.equal(await healthcheck.ended(), 0, healthcheck.errors);
    await service.stop();
    assert.doesNotMatch(service.errors, /ERR_ACCESS_DENIED/);
    assert.deepEqual(
      service.lines.filter((line) => line.includes('"level":"error"')),
      [],
    );
  });
}

const OLDER: readonly (readonly [name: string, file: string, version: string])[] = [
  ['bundle', bundle, '8.0.0'],
  ['bundle', bundle, '18.19.0'],
  ['bundle', bundle, '20.11.1'],
  ['bundle of the core', core, '20.11.1'],
];

for (const [name, file, version] of OLDER) {
  test(`the ${name} ends with a sentence on Node.js ${version}`, async (context) => {
    const older = `data:text/javascript,Object.defineProperties(process, {
      version: { value: 'v${version}' }, versions: { value: { node: '${version}' } } })`;
    const service = run(context, ['--port=0'], {}, [`--import=${older}`], file);
    assert.equal(await service.ended(), 2);
    assert.equal(service.errors, `Node.js 20.12 or later is required, this is v${version}\n`);
  });
}

test('the bundle sends the documents of the service, byte for byte', async (context) => {
  const runs = [
    run(context, ['--port=0'], {}, [], modules),
    run(context, ['--port=0'], {}, [], bundle),
  ];
  const addresses = await Promise.all(
    runs.map(async ({ event }) => (await event('ready'))['address']),
  );
  const pathOf = (name: string): string => (name.startsWith('index') ? '/' : `/page/${name}`);
  const paths = ['/?lang=vi', '/openapi.json', '/api/v1/tax/rules', ...pageFiles().map(pathOf)];
  /** The answers of the service and of the bundle, which must be equal. */
  const receiveEqual = async (
    ...[path, headers, method]: Parameters<typeof receive>
  ): Promise<Received> => {
    const answers = addresses.map(async (address) => {
      const all = { accept: 'text/html', 'x-request-id': 'same', ...headers };
      const answer = await receive(String(address) + path, all, method);
      return { ...answer, headers: { ...answer.headers, date: '' } };
    });
    const [expected, answer] = await Promise.all(answers);
    assert.deepEqual(answer, expected, path);
    return answer!;
  };
  for (const path of paths) {
    for (const coding of ['identity', 'gzip']) {
      const headers = { 'accept-encoding': coding };
      const {
        status,
        headers: { etag },
      } = await receiveEqual(path, headers);
      assert.equal(status, 200);
      await receiveEqual(path, headers, 'HEAD');
      const known = await receiveEqual(path, { ...headers, 'if-none-match': String(etag) });
      assert.equal(known.status, 304);
    }
  }
});

test('the bundle of the core answers the operations as the service does, and names what it lacks', async (context) => {
  const runs = [
    run(context, ['--port=0'], {}, [], modules),
    run(context, ['--port=0'], {}, [], core),
  ];
  const [whole, other] = await Promise.all(
    runs.map(async ({ event }) => String((await event('ready'))['address'])),
  );
  const send = async (
    base = '',
    path = '',
    type = 'application/json',
  ): Promise<[number, string]> => {
    const init = { method: 'POST', headers: { 'content-type': type }, body: REQUEST };
    const isPost = path.startsWith('/api') && !path.endsWith('/rules');
    const response = await fetch(base + path, isPost ? init : {});
    return [response.status, await response.text()];
  };
  const paths = [...coreOperations.map(({ path }) => path), '/healthz', '/readyz'];
  for (const path of paths)
    assert.deepEqual(await send(other, path), await send(whole, path), path);
  const [status, text] = await send(other, '/api/v1/tax/calculate', 'application/x-ndjson');
  assert.deepEqual([status, text.includes('NDJSON') || text.includes('ndjson')], [415, true]);
  for (const path of [
    '/openapi.json',
    '/api/v1/tax/rules',
    '/api/v1/tax/reconcile',
    '/metrics',
    '/page/page.js',
    '/mcp',
  ]) {
    const [code] = await send(other, path);
    assert.equal(code, 404, path);
  }
  const [, index] = await send(other, '/');
  assert.match(
    index,
    /core without: page, OpenAPI, law tables, reconciliation, bulk requests, metrics/,
  );
  await runs[1]!.stop();
  assert.deepEqual(runs[1]!.messages(), ['ready', 'draining', 'stopped']);
});

test('the core answers, and stops, after the reader of its log has left', async (context) => {
  const service = run(context, ['--port=0'], {}, [], core);
  const { address } = await service.ready();
  const begun = fetch(`${address}/healthz`);
  service.child.stdout!.destroy();
  assert.equal((await within('an answer', begun)).status, 200);
  await service.stop();
});

test('the bundle calculates with the options of the systemd unit', async (context) => {
  const calculation = run(context, ['calc', 'tax', REQUEST], {}, unitOptions(), bundle);
  assert.equal(await calculation.ended(), 0, calculation.errors);
  assert.match(String(calculation.lines[0]), /"net_income":26592500\}\}$/);
});

test('the bundle serves while standard output is closed', async (context) => {
  const port = await freePort();
  const args = ['-c', 'exec "$0" "$@" >&-', process.execPath, bundle, `--port=${port}`];
  const child = spawn('/bin/sh', args, { stdio: ['ignore', 'inherit', 'ignore'] });
  context.after(() => void child.kill('SIGKILL'));
  const ended = once(child, 'exit');
  await until('the service answers', async () => {
    assert.equal(child.exitCode, null);
    const response = await fetch(`http://127.0.0.1:${port}/healthz`).catch(() => undefined);
    return response?.status === 200;
  });
  child.kill('SIGTERM');
  assert.deepEqual(await ended, [0, null]);
});

test('the bundle serves from standard input, and refuses workers, which need a file', async (context) => {
  const service = run(context, ['--port=0'], {}, [], '-');
  service.child.stdin?.end(readFileSync(bundle));
  await service.event('ready');
  await service.stop();

  const refused = run(context, ['--port=0', '--workers=2'], {}, [], '-');
  refused.child.stdin?.end(readFileSync(bundle));
  assert.equal(await refused.ended(), 2);
  assert.match(refused.errors, /^utility-calculation-service: WORKERS: [^\n]*\n$/);
});
