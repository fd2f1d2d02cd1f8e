/** Tests of the proxy configurations, each with two instances of the service behind the proxy. */
import assert from 'node:assert/strict';
import type { ChildProcess } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import http from 'node:http';
import https from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { json } from 'node:stream/consumers';
import { type TestContext, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { missing, spawn, spawnSync } from './child.ts';
import { freePort, type Run, run } from './command.ts';
import { isThorough, part, readText } from './repository.ts';
import { once, turn, until, within } from './until.ts';

const HASH = '/api/v1/hash';
const CLIENTS = 8;
/** Milliseconds between two requests of a client, which leave processor time for other tests. */
const PAUSE = 25;
/** The instances to restart in turn. After each restart, the proxy has to use the instance again. */
const RESTARTS = part([0, 1]);
/** Answers between two restarts. */
const ANSWERS = 100;
const STREAM_MEGABYTES = isThorough ? 10 : 2;
const LINE_SIZE = 10_000;
/** A loopback address that neither the proxy nor the instances use. */
const CLIENT = '127.0.0.2';

/** A proxy: its program, and a function that starts it with an adapted recipe in a folder of its own. */
export interface Proxy {
  readonly name: 'haproxy' | 'nginx';
  readonly start: (recipe: string, folder: string) => ChildProcess;
}

const CONFIGURATIONS = { haproxy: '.deploy/haproxy.cfg', nginx: '.deploy/nginx.conf' } as const;

/** A recipe without the addresses of IPv6, which the machine may lack. */
function recipeOf(name: Proxy['name']): string {
  return readText(CONFIGURATIONS[name]).replaceAll(/^ *listen \[::\].*\n/gm, '');
}

interface Setup {
  readonly front: number;
  readonly backs: readonly number[];
  readonly instances: Run[];
  readonly startInstance: (port: number) => Run;
}

/** Starts two instances and the proxy, and waits until the proxy is ready. */
async function setUp(context: TestContext, { name, start }: Proxy): Promise<Setup> {
  const [front, ...backs] = [await freePort(), await freePort(), await freePort()] as [
    number,
    number,
    number,
  ];
  const settings = ['--drain-delay=2', '--log=requests', '--trust-proxy=127.0.0.1', '--metrics=on'];
  const startInstance = (port: number): Run => run(context, [`--port=${port}`, ...settings]);
  const instances = backs.map(startInstance);
  for (const instance of instances) await instance.event('ready');

  const folder = folderOf(context, name);
  const child = start(
    recipeOf(name)
      // Otherwise HAProxy would remove an instance that does not answer four checks within 300 ms on a busy machine.
      .replace('timeout connect 2s', 'timeout connect 600s\n  timeout check 600s')
      .replace(
        /(bind :|listen )80\b/,
        (_, word: string) => `${word.replace(':', '')}127.0.0.1:${front}`,
      )
      .replace('192.0.2.11:8080', `127.0.0.1:${backs[0]}`)
      .replace('192.0.2.12:8080', `127.0.0.1:${backs[1]}`),
    folder,
  );
  context.after(() => void child.kill());
  await until('an answer of each instance', async () => {
    await send(front, new http.Agent(), '{"text":""}');
    return instances.every(isUsed);
  });
  return { front, backs, instances, startInstance };
}

/** A folder that is removed after the test. */
export function folderOf(context: TestContext, name: string): string {
  const folder = mkdtempSync(join(tmpdir(), `${name}-`));
  context.after(() => rmSync(folder, { recursive: true }));
  return folder;
}

/** Whether the proxy has sent a request to an instance. */
function isUsed({ lines }: Run): boolean {
  return lines.some((line) => line.includes(HASH));
}

/** Sends a request to the proxy. The body of a failure shows whether the proxy or an instance sent it. */
async function send(
  port: number,
  agent: http.Agent,
  body: string,
): Promise<{ status: number | string; body: string }> {
  const headers = { 'Content-Type': 'application/json' };
  return await within(
    'an answer of the proxy',
    new Promise((resolve) => {
      const request = http.request(
        { port, host: '127.0.0.1', path: HASH, method: 'POST', headers, agent },
        (response) => {
          let text = '';
          response.on('data', (chunk) => (text += String(chunk)));
          response.on('end', () => resolve({ status: response.statusCode ?? 0, body: text }));
        },
      );
      request.on('error', ({ message }) => resolve({ status: message, body: '' }));
      request.end(body);
    }),
  );
}

async function get(port: number, path: string): Promise<number> {
  const request = http.get({ port, host: '127.0.0.1', path, agent: false });
  const [response] = (await once(request, 'response')) as [http.IncomingMessage];
  response.resume();
  return response.statusCode ?? 0;
}

/** Defines the tests of one recipe. */
export function testRecipe(proxy: Proxy): void {
  test(
    `${proxy.name}: the recipe ends TLS, and limits the rate of requests`,
    { skip: missing(proxy.name, 'openssl') },
    (context) => limitRate(context, proxy),
  );

  test(
    `${proxy.name}: the recipe for two instances hides them behind one address`,
    { skip: missing(proxy.name) },
    async (context) => {
      const setup = await setUp(context, proxy);
      await context.test(
        `passes on the client and a stream of ${STREAM_MEGABYTES} of 10 MB, and hides the metrics`,
        () => passOn(setup),
      );
      await context.test(
        `fails no request while ${RESTARTS.length} of 2 instances restart in turn under load`,
        (part) => restart(part, setup),
      );
    },
  );
}

async function passOn({ front, instances }: Setup): Promise<void> {
  // The service trusts the address of the proxy; its client has another address, and claims a third.
  const headers = { 'X-Forwarded-For': '203.0.113.7', 'X-Request-Id': 'forged' };
  const request = http.get({
    port: front,
    host: '127.0.0.1',
    localAddress: CLIENT,
    path: '/healthz',
    headers,
    agent: false,
  });
  const [{ statusCode }] = (await once(request, 'response')) as [http.IncomingMessage];
  assert.equal(statusCode, 200);
  const logged = (): string | undefined =>
    instances.flatMap(({ lines }) => lines).find((line) => line.includes('"forged"'));
  await until('the log line of the request', () => logged() !== undefined);
  assert.equal((JSON.parse(logged()!) as { client: string }).client, CLIENT);

  const line = `${JSON.stringify({ text: 'a'.repeat(LINE_SIZE) })}\n`;
  const count = Math.ceil((STREAM_MEGABYTES * 1e6) / line.length);
  const response = await fetch(`http://127.0.0.1:${front}${HASH}`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/x-ndjson' },
    body: line.repeat(count),
  });
  assert.equal((await response.text()).split('{"status":"success"').length, count + 1);

  for (const path of ['/metrics', '/%6detrics', '/metrics?x', '/metrics?'])
    assert.equal(await get(front, path), 404, path);
  assert.equal(await get(front, '/healthz'), 200);
}

/** Sends requests over TLS, which no instance answers, until the proxy refuses one. */
async function limitRate(context: TestContext, { name, start }: Proxy): Promise<void> {
  const folder = folderOf(context, name);
  const key = join(folder, 'key.pem');
  const certificate = join(folder, 'certificate.pem');
  const request = [
    '-x509',
    '-newkey',
    'ec',
    '-pkeyopt',
    'ec_paramgen_curve:prime256v1',
    '-nodes',
    '-days',
    '2',
    '-subj',
    '/CN=localhost',
  ];
  const { status, stderr } = spawnSync('openssl', [
    'req',
    ...request,
    '-keyout',
    key,
    '-out',
    certificate,
  ]);
  assert.equal(status, 0, stderr);
  const both = fileIn(
    folder,
    'both.pem',
    readFileSync(certificate, 'utf8') + readFileSync(key, 'utf8'),
  );
  const [plain, secure, closed] = [await freePort(), await freePort(), await freePort()];
  const recipe = recipeOf(name)
    .replaceAll(/^( *)# {3}/gm, '$1')
    .replace(/^ *listen \[::\]:443 .*\n/m, '')
    .replace(
      /(bind :|listen )80\b/,
      (_, word: string) => `${word.replace(':', '')}127.0.0.1:${plain}`,
    )
    .replace(
      /(bind :|listen )443\b/,
      (_, word: string) => `${word.replace(':', '')}127.0.0.1:${secure}`,
    )
    .replace('/etc/haproxy/service.pem', both)
    .replace('/etc/nginx/service.pem', certificate)
    .replace('/etc/nginx/service.key', key)
    .replaceAll(/192\.0\.2\.\d+:8080/g, `127.0.0.1:${closed}`)
    // Periods that a slow machine does not exceed.
    .replaceAll(/\b10s\b/g, '600s')
    .replace('rate=10r/s', 'rate=1r/m');
  const child = start(recipe, folder);
  context.after(() => void child.kill());

  const options = {
    port: secure,
    host: '127.0.0.1',
    path: '/healthz',
    agent: false,
    rejectUnauthorized: false,
  };
  const responses: http.IncomingMessage[] = [];
  await until(
    'status 429',
    async () => {
      // The proxy refuses connections until it listens.
      const received = (await once(https.get(options), 'response').catch(
        () => [],
      )) as http.IncomingMessage[];
      responses.at(-1)?.resume();
      responses.push(...received);
      return responses.at(-1)?.statusCode === 429;
    },
    turn,
  );
  assert.ok(responses.length > 100);
  const response = responses.at(-1)!;
  assert.ok(Number(response.headers['retry-after']) > 0);
  assert.equal(response.headers['access-control-allow-origin'], '*');
  assert.equal(response.headers['access-control-expose-headers'], 'Retry-After');
  assert.match(String(response.headers['content-type']), /^application\/json/);
  const { error } = (await json(response)) as { readonly error: object };
  assert.deepEqual(error, { code: 'rate_limited', message: 'Too many requests' });
}

async function restart(
  context: TestContext,
  { front, backs, instances, startInstance }: Setup,
): Promise<void> {
  const agent = new http.Agent({ keepAlive: true });
  context.after(() => agent.destroy());
  const failures: object[] = [];
  let answered = 0;
  let isOver = false;
  const clients = Array.from({ length: CLIENTS }, async () => {
    while (!isOver) {
      const outcome = await send(front, agent, '{"text":"load"}');
      if (outcome.status === 200) answered += 1;
      else failures.push({ ...outcome, at: new Date().toISOString() });
      await sleep(PAUSE);
    }
  });
  for (const index of RESTARTS) {
    const before = answered;
    await until('answers', () => answered >= before + ANSWERS);
    const instance = instances[index]!;
    await instance.stop();
    instances[index] = startInstance(backs[index]!);
    await until('an answer of the new instance', () => isUsed(instances[index]!));
  }
  isOver = true;
  await Promise.all(clients);
  context.diagnostic(`${answered} requests answered`);
  assert.deepEqual(failures, []);
}

/** Writes a configuration and returns the path of the file. */
export function fileIn(folder: string, name: string, text: string): string {
  const file = join(folder, name);
  writeFileSync(file, text);
  return file;
}

/** Starts a program in the foreground. */
export function startProgram(program: string, ...args: readonly string[]): ChildProcess {
  return spawn(program, args, { stdio: ['ignore', 'ignore', 'inherit'] });
}
