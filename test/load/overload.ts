/**
 * Tests of load shedding that measure times, and therefore run alone. Each limit grows with the time of a request
 * before the overload, so that a busy machine does not exceed it.
 */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import http from 'node:http';
import { test, type TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client, CLIENTS, countOf, type Outcome } from '../client.ts';
import { run } from '../command.ts';

const HASH = '/api/v1/hash';
const TAX = '/api/v1/tax/calculate';

function percentile(outcomes: readonly Outcome[], share: number): number {
  const times = outcomes.map(({ time }) => time).sort((left, right) => left - right);
  return times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? Number.NaN;
}

/** Repeats a measurement that other processes may have disturbed, up to three times; a defect fails each time. */
function measured(measure: (context: TestContext) => Promise<void>): (context: TestContext) => Promise<void> {
  return async (context) => {
    for (let attempt = 1; attempt < 3; attempt += 1) {
      const error = await measure(context).then(() => undefined, (reason: unknown) => reason);
      if (error === undefined) return;
      context.diagnostic(`attempt ${attempt}: ${String(error)}`);
    }
    await measure(context);
  };
}

/** The time in which a service without load answers nine of ten requests. */
async function usualTime(client: Client): Promise<number> {
  const outcomes: Outcome[] = [];
  for (let count = 0; count < 50; count += 1) outcomes.push(await client.send(HASH, '{"text":"usual"}'));
  return percentile(outcomes, 0.9);
}

/** A request that takes some milliseconds, most of them in the service. */
const LARGE = JSON.stringify({ text: 'đ'.repeat(100_000) });
/** Milliseconds of an overload, and of streams, during which answers are measured. */
const OVERLOAD_TIME = 2_000;
const STREAMING_TIME = 1_000;

test('answers fast and refuses the rest under twice the load that it can serve', measured(async (context) => {
  const service = run(context, ['--port=0']);
  const client = new Client(context, String((await service.event('ready'))['address']));
  const probe = new Client(context, String((await service.event('ready'))['address']));
  const warmUp: Outcome[] = [];
  const measureUntil = performance.now() + 1_000;
  await Promise.all(Array.from({ length: CLIENTS }, async () => {
    while (performance.now() < measureUntil) warmUp.push(await client.send(HASH, LARGE));
  }));
  const rate = warmUp.length;
  const usual = percentile(warmUp, 0.9);

  const outcomes: Outcome[] = [];
  const health: Outcome[] = [];
  const pending: Promise<unknown>[] = [];
  const begin = performance.now();
  for (let sent = 0; performance.now() < begin + OVERLOAD_TIME; await sleep(5)) {
    for (; sent < ((performance.now() - begin) / 1000) * rate * 2; sent += 1) {
      pending.push(client.send(HASH, LARGE).then((outcome) => outcomes.push(outcome)));
    }
    if (pending.length % 20 === 0) pending.push(probe.send('/healthz').then((outcome) => health.push(outcome)));
  }
  const end = performance.now();
  const after = [await probe.send(HASH, '{"text":"after"}')];
  for (; after.at(-1)?.status !== 200; await sleep(20)) after.push(await probe.send(HASH, '{"text":"after"}'));
  const recovery = performance.now() - end;
  await Promise.all(pending);

  const accepted = outcomes.filter(({ status }) => status === 200);
  context.diagnostic(`${Math.round(rate)}/s; of ${outcomes.length} requests ${accepted.length} accepted, answered in `
    + `up to ${Math.round(percentile(accepted, 1))} ms; `
    + `health within ${Math.round(percentile(health, 1))} ms; recovery after ${Math.round(recovery)} ms`);
  assert.equal(countOf(outcomes, 200) + countOf(outcomes, 503), outcomes.length);
  assert.ok(countOf(outcomes, 503) > outcomes.length / 20 && accepted.length > outcomes.length / 20);
  assert.ok(percentile(accepted, 0.9) < 1_000 + 5 * usual);
  assert.ok(percentile(health, 0.9) < 400 + usual);
  assert.ok(recovery < 1_500 + 5 * usual);
  assert.equal((await service.event('overloaded'))['refusing'], 'requests');
  // The service may recover more than once; it logs the end of a refusal with a delay.
  const refused = countOf([...warmUp, ...outcomes, ...after], 503);
  const logged = (): number => service.lines.map((line) => JSON.parse(line) as { msg: string; refusals?: number })
    .reduce((sum, line) => sum + (line.msg === 'recovered' ? line.refusals ?? 0 : 0), 0);
  for (const deadline = performance.now() + 5_000; logged() < refused && performance.now() < deadline;) await sleep(20);
  assert.equal(logged(), refused);
}));

test('answers single requests and health checks at once during too many streams', measured(async (context) => {
  const service = run(context, ['--port=0']);
  const address = String((await service.event('ready'))['address']);
  const client = new Client(context, address);
  const usual = await usualTime(client);
  const lines = '{"income":30000000}\n'.repeat(2_000);
  const streams = Array.from({ length: 24 }, () => {
    const headers = { 'Content-Type': 'application/x-ndjson' };
    const request = http.request(`${address}${TAX}`, { method: 'POST', headers });
    context.after(() => request.destroy());
    const upload = (error?: Error | null): void => void (error || request.write(lines, upload));
    request.on('error', () => undefined);
    upload();
    return once(request, 'response').then(([response]) => once((response as http.IncomingMessage).resume(), 'data'));
  });
  const outcomes: Outcome[] = [];
  for (const end = performance.now() + STREAMING_TIME; performance.now() < end; await sleep(20)) {
    outcomes.push(await client.send(HASH, '{"text":"between"}'), await client.send('/healthz'));
  }
  await Promise.all(streams);
  context.diagnostic(`up to ${Math.round(percentile(outcomes, 1))} ms`);
  assert.equal(countOf(outcomes, 200), outcomes.length);
  assert.ok(percentile(outcomes, 0.9) < 500 + 10 * usual);
}));

/** A client for a process of its own that sends lines on one connection, and reads the answers, until it is killed. */
const CLIENT = `
  const [port, path, line] = process.argv.slice(1);
  const socket = require('node:net').connect(port, '127.0.0.1').resume();
  const lines = Buffer.from((line + '\\n').repeat(1000));
  const chunk = Buffer.concat([Buffer.from(lines.length.toString(16) + '\\r\\n'), lines, Buffer.from('\\r\\n')]);
  const write = () => {
    while (socket.write(chunk));
  };
  socket.on('drain', write).on('error', () => process.exit());
  socket.once('data', () => process.stdout.write('streaming'));
  socket.write('POST ' + path + ' HTTP/1.1\\r\\nHost: a\\r\\nContent-Type: application/x-ndjson\\r\\n'
    + 'Transfer-Encoding: chunked\\r\\n\\r\\n');
  write();
`;

test('answers single requests and health checks in time while four streams run', measured(async (context) => {
  const service = run(context, ['--port=0']);
  const address = String((await service.event('ready'))['address']);
  const { port } = new URL(address);
  const client = new Client(context, address);
  const usual = await usualTime(client);
  const clients = Array.from({ length: 4 }, () => {
    const args = ['-e', CLIENT, port, TAX, '{"income":30000000}'];
    const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
    context.after(() => void child.kill('SIGKILL'));
    return child;
  });
  await Promise.all(clients.map(({ stdout }) => once(stdout, 'data')));
  const outcomes: Outcome[] = [];
  for (const end = performance.now() + STREAMING_TIME; performance.now() < end;) {
    outcomes.push(await client.send(HASH, '{"text":"a"}'), await client.send('/healthz'));
  }
  const late99 = percentile(outcomes, 0.99);
  context.diagnostic(`${outcomes.length} requests: median ${percentile(outcomes, 0.5).toFixed(1)} ms, `
    + `p99 ${late99.toFixed(1)} ms; without streams p90 ${usual.toFixed(1)} ms`);
  assert.equal(countOf(outcomes, 200), outcomes.length);
  assert.ok(late99 < 80 + 10 * usual, `p99 ${late99} ms`);
}));
