/** Load shedding: a pause of the process refuses no request, and a true overload keeps answers quick. */
import assert from 'node:assert/strict';
import http from 'node:http';
import { type TestContext, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort, type Run, run } from '../command.ts';

const HASH = '/api/v1/hash';
const CLIENTS = 12;
const onLinux = { skip: process.platform === 'linux' ? false : 'needs SIGSTOP' };

interface Outcome {
  /** The status, or the code of the error of the connection. */
  readonly status: number | string;
  /** Milliseconds. */
  readonly time: number;
}

/** Sends requests over connections that are kept. */
class Client {
  private readonly address: string;
  private readonly agent = new http.Agent({ keepAlive: true });

  constructor(context: TestContext, address: string) {
    this.address = address;
    context.after(() => this.agent.destroy());
  }

  send(path: string, body?: string): Promise<Outcome> {
    const begin = performance.now();
    const headers = body === undefined ? {}
      : { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(body) };
    const method = body === undefined ? 'GET' : 'POST';
    return new Promise((resolve) => {
      const end = (status: number | string): void => resolve({ status, time: performance.now() - begin });
      const request = http.request(this.address + path, { method, headers, agent: this.agent }, (response) => {
        response.resume().on('end', () => end(response.statusCode ?? 0)).on('error', () => end('aborted'));
      });
      request.on('error', ({ code, message }: NodeJS.ErrnoException) => end(code ?? message)).end(body);
    });
  }

  /** Twelve clients, each of which sends its next request when the one before was answered. */
  async keepBusy(isOver: () => boolean, outcomes: Outcome[]): Promise<void> {
    await Promise.all(Array.from({ length: CLIENTS }, async () => {
      while (!isOver()) outcomes.push(await this.send(HASH, '{"text":"busy"}'));
    }));
  }
}

const countOf = (outcomes: readonly Outcome[], status: number | string): number =>
  outcomes.filter((outcome) => outcome.status === status).length;

function percentile(outcomes: readonly Outcome[], share: number): number {
  const times = outcomes.map(({ time }) => time).sort((left, right) => left - right);
  return times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? Number.NaN;
}

/** Stops the process for some milliseconds, as a host does that has no time for it. */
async function pause({ child }: Run, milliseconds: number): Promise<void> {
  child.kill('SIGSTOP');
  await sleep(milliseconds);
  child.kill('SIGCONT');
}

const pauses: readonly [label: string, interfere: (service: Run) => Promise<void>][] = [
  ['one of 1.2 s', (service) => pause(service, 1_200)],
  ['300 ms once a second', async (service) => {
    for (let second = 0; second < 3; second += 1) {
      await pause(service, 300);
      await sleep(700);
    }
  }],
  ['half of every 100 ms, as with a quota of half a core', async (service) => {
    for (let period = 0; period < 30; period += 1) {
      await pause(service, 50);
      await sleep(50);
    }
  }],
];

for (const [label, interfere] of pauses) {
  test(`twelve busy clients, and pauses of the process: ${label}: no request is refused`, onLinux, async (context) => {
    const service = run(context, ['--port=0']);
    const client = new Client(context, String((await service.event('ready'))['address']));
    const outcomes: Outcome[] = [];
    let isOver = false;
    const busy = client.keepBusy(() => isOver, outcomes);
    while (outcomes.length < 100) await sleep(10);
    await interfere(service);
    const before = outcomes.length;
    while (outcomes.length < before + 100) await sleep(10);
    isOver = true;
    await busy;
    assert.equal(countOf(outcomes, 200), outcomes.length);
  });
}

test('a start under full load refuses no request', async (context) => {
  const port = await freePort();
  const client = new Client(context, `http://127.0.0.1:${port}`);
  const outcomes: Outcome[] = [];
  const busy = client.keepBusy(() => countOf(outcomes, 200) >= 1_000, outcomes);
  await run(context, [`--port=${port}`]).event('ready');
  await busy;
  assert.deepEqual(new Set(outcomes.map(({ status }) => status)), new Set(['ECONNREFUSED', 200]));
});

/** A request that costs some milliseconds, most of them in the service. */
const LARGE = JSON.stringify({ text: 'đ'.repeat(100_000) });
const SECONDS = 4;

test('twice the requests that it can answer: the answers stay quick, health answers at once', async (context) => {
  const service = run(context, ['--port=0']);
  const client = new Client(context, String((await service.event('ready'))['address']));
  const probe = new Client(context, String((await service.event('ready'))['address']));
  const warmUp: Outcome[] = [];
  const measureUntil = performance.now() + 2_000;
  await Promise.all(Array.from({ length: CLIENTS }, async () => {
    while (performance.now() < measureUntil) warmUp.push(await client.send(HASH, LARGE));
  }));
  const rate = warmUp.length / 2;

  const outcomes: Outcome[] = [];
  const health: Outcome[] = [];
  const pending: Promise<unknown>[] = [];
  const begin = performance.now();
  for (let sent = 0; performance.now() < begin + SECONDS * 1000; await sleep(5)) {
    for (; sent < ((performance.now() - begin) / 1000) * rate * 2; sent += 1) {
      pending.push(client.send(HASH, LARGE).then((outcome) => outcomes.push(outcome)));
    }
    if (pending.length % 20 === 0) pending.push(probe.send('/healthz').then((outcome) => health.push(outcome)));
  }
  const end = performance.now();
  while ((await probe.send(HASH, '{"text":"after"}')).status !== 200) await sleep(20);
  const recovery = performance.now() - end;
  await Promise.all(pending);

  const accepted = outcomes.filter(({ status }) => status === 200);
  context.diagnostic(`${Math.round(rate)}/s; of ${outcomes.length} requests ${accepted.length} accepted, answered in up `
    + `to ${Math.round(percentile(accepted, 1))} ms; health within ${Math.round(percentile(health, 1))} ms; recovery `
    + `after ${Math.round(recovery)} ms`);
  assert.equal(countOf(outcomes, 200) + countOf(outcomes, 503), outcomes.length);
  assert.ok(countOf(outcomes, 503) > outcomes.length / 10 && accepted.length > outcomes.length / 10);
  assert.ok(percentile(accepted, 0.9) < 1_500);
  assert.ok(percentile(health, 0.9) < 500);
  assert.ok(recovery < 2_000);
  assert.equal((await service.event('overloaded'))['refusing'], 'requests');
  assert.equal((await service.event('recovered'))['refused'], countOf(outcomes, 503));
});

test('more streams than it can carry: single requests and health are answered at once', async (context) => {
  const service = run(context, ['--port=0']);
  const address = String((await service.event('ready'))['address']);
  const lines = '{"income":30000000}\n'.repeat(2_000);
  let isOver = false;
  const streams = Array.from({ length: 24 }, () => new Promise<number>((resolve, reject) => {
    const headers = { 'Content-Type': 'application/x-ndjson' };
    const request = http.request(`${address}/api/v1/tax/calculate`, { method: 'POST', headers }, (response) => {
      let bytes = 0;
      response.on('data', (chunk: Buffer) => (bytes += chunk.length)).on('end', () => resolve(bytes)).on('error', reject);
    });
    const upload = (): void => void (isOver ? request.end() : request.write(lines, upload));
    request.on('error', reject);
    upload();
  }));
  const client = new Client(context, address);
  const outcomes: Outcome[] = [];
  for (const end = performance.now() + SECONDS * 1000; performance.now() < end; await sleep(20)) {
    outcomes.push(await client.send(HASH, '{"text":"between"}'), await client.send('/healthz'));
  }
  isOver = true;
  assert.ok((await Promise.all(streams)).every((bytes) => bytes > 0));
  context.diagnostic(`up to ${Math.round(percentile(outcomes, 1))} ms`);
  assert.equal(countOf(outcomes, 200), outcomes.length);
  assert.ok(percentile(outcomes, 0.9) < 500);
});
