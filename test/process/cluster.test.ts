import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import http from 'node:http';
import net, { type AddressInfo } from 'node:net';
import { describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { residentMemory, type Run, run } from '../command.ts';

const HASH = '/api/v1/hash';
/** Workers that are killed one after another; the delay of the replacement doubles each time. */
const KILLS = 3;
/** Milliseconds between two requests of a client, which leave processor time for other tests. */
const PAUSE = 25;

/** The body of a scrape. A scrape whose own worker was killed or stopped is repeated, as Prometheus does. */
async function scrape(address: string): Promise<string> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      const headers = { connection: 'close' };
      const response = await fetch(`${address}/metrics`, { headers, signal: AbortSignal.timeout(5_000) });
      assert.equal(response.status, 200);
      return await response.text();
    } catch (error) {
      if (attempt === 3) throw error;
    }
  }
}

const sample = (text: string, name: string): number =>
  Number(text.split('\n').find((line) => line.startsWith(`${name} `))?.split(' ')[1]);

/** The number of hash requests that /metrics reports. */
async function requestsOf(address: string): Promise<number> {
  return sample(await scrape(address), `http_requests_total{method="POST",route="${HASH}",status="200"}`);
}

/**
 * Sends a request on a connection of its own, which goes to the next worker. The timeout is for a connection that the
 * primary was passing to a worker when the worker was killed: it stays open in the primary.
 */
function send(address: string): Promise<number | string> {
  return new Promise((resolve) => {
    const request = http.request(address + HASH, { method: 'POST', agent: false }, (response) => {
      response.resume().on('end', () => resolve(response.statusCode ?? 0));
    });
    request.on('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
    request.setTimeout(2_000, () => request.destroy(new Error('no answer')));
    request.setHeader('Content-Type', 'application/json').end('{"text":"a"}');
  });
}

function events(service: Run, name: string): Record<string, unknown>[] {
  const lines = service.lines.map((line) => JSON.parse(line) as Record<string, unknown>);
  return lines.filter(({ msg }) => msg === name);
}

test('shares the port among workers, adds their metrics, and stops them together', async (context) => {
  const service = run(context, ['--port=0', '--workers=2', '--metrics=on']);
  const { address, workers } = await service.event('ready');
  assert.equal(workers, 2);
  for (let index = 0; index < 20; index += 1) assert.equal(await send(String(address)), 200);
  // Each worker reports the requests of both.
  for (let index = 0; index < 4; index += 1) assert.equal(await requestsOf(String(address)), 20);
  service.child.kill('SIGTERM');
  assert.equal(await service.ended(), 0);
  assert.equal(service.errors, '');
  assert.deepEqual(service.lines.map((line) => (JSON.parse(line) as { msg: string }).msg),
    ['ready', 'draining', 'stopped']);
});

const onLinux = { skip: process.platform === 'linux' ? false : 'needs procfs' };

test('replaces a worker that is killed under load, and fails only its connections', onLinux, async (context) => {
  const service = run(context, ['--port=0', '--workers=2']);
  const { address } = await service.event('ready');
  const failures: (number | string)[] = [];
  let answered = 0;
  let isOver = false;
  const client = async (): Promise<void> => {
    for (; !isOver; await sleep(PAUSE)) {
      const status = await send(String(address));
      if (status === 200) answered += 1;
      else failures.push(status);
    }
  };
  const clients = Array.from({ length: 4 }, client);
  while (answered < 50) await sleep(5);
  const victims = await workersOf(service);
  process.kill(victims[0]!, 'SIGKILL');
  await service.event('worker exited');
  while ((await workersOf(service)).length < 2) await sleep(5);
  const before = answered;
  while (answered < before + 100) await sleep(5);
  isOver = true;
  await Promise.all(clients);
  assert.ok(failures.length <= 4, `${failures.length}: ${failures.join()}`);
  assert.equal(events(service, 'worker exited').length, 1);
  assert.equal((await workersOf(service)).includes(victims[0]!), false);
  service.child.kill('SIGTERM');
  assert.equal(await service.ended(), 0);
});

/** These tests spend most of their time waiting, and run side by side. */
describe('workers that exit or are stopped', { concurrency: true }, () => {
  test('answers every scrape with counters that never fall while workers are killed under load', {
    ...onLinux, timeout: 60_000,
  }, async (context) => {
    const service = run(context, ['--port=0', '--workers=2', '--metrics=on']);
    const address = String((await service.event('ready'))['address']);
    let isOver = false;
    let answered = 0;
    let scrapes = 0;
    const client = async (): Promise<void> => {
      for (; !isOver; await sleep(PAUSE)) if (await send(address) === 200) answered += 1;
    };
    const scraper = async (): Promise<void> => {
      for (let before = 0; !isOver; await sleep(PAUSE)) {
        const count = await requestsOf(address);
        scrapes += 1;
        // The sample is missing until the first request is counted.
        if (Number.isNaN(count)) continue;
        assert.ok(count >= before, `${count} after ${before}`);
        before = count;
      }
    };
    const all = Promise.all([...Array.from({ length: 4 }, client), ...Array.from({ length: 3 }, scraper)]);
    while (answered < 50) await sleep(10);
    for (let kills = 1; kills <= KILLS; kills += 1) {
      const [answeredBefore, scrapesBefore] = [answered, scrapes];
      while (answered < answeredBefore + 20 || scrapes < scrapesBefore + 20) await sleep(10);
      const victims = await workersOf(service);
      process.kill(victims[kills % 2]!, 'SIGKILL');
      while (events(service, 'worker exited').length < kills || (await workersOf(service)).length < 2) await sleep(10);
    }
    isOver = true;
    await all;
    context.diagnostic(`${answered} requests, ${scrapes} scrapes`);
    assert.equal(events(service, 'worker exited').length, KILLS);
    service.child.kill('SIGTERM');
    assert.equal(await service.ended(), 0);
    assert.equal(service.errors, '');
  });

  test('answers scrapes with the last counts of a stopped worker, and exits with 0', {
    ...onLinux, timeout: 60_000,
  }, async (context) => {
    const service = run(context, ['--port=0', '--workers=2', '--metrics=on', '--shutdown-timeout=0.5']);
    const address = String((await service.event('ready'))['address']);
    for (let count = 0; count < 20; count += 1) assert.equal(await send(address), 200);
    assert.equal(await requestsOf(address), 20);
    const [stopped = 0] = await workersOf(service);
    process.kill(stopped, 'SIGSTOP');
    context.after(() => {
      // A stopped worker would keep the output open, and the test would wait for it.
      if (service.child.exitCode === null) process.kill(stopped, 'SIGKILL');
    });
    // The first connection to the stopped worker is not answered; the primary passes no further ones to it.
    assert.deepEqual((await Promise.all([send(address), send(address)])).sort(), [200, 'no answer']);
    assert.deepEqual(await Promise.all([0, 1, 2].map(() => requestsOf(address))), [21, 21, 21]);
    service.child.kill('SIGTERM');
    assert.equal(await service.ended(), 0);
  });

  test('reports workers that keep exiting in one line, and exits with 1', onLinux, async (context) => {
    const service = run(context, ['--port=0', '--workers=2']);
    await service.event('ready');
    const killing = setInterval(() => {
      void workersOf(service).then((ids) => ids.forEach((id) => process.kill(id, 'SIGKILL'))).catch(() => undefined);
    }, 20);
    context.after(() => clearInterval(killing));
    assert.equal(await service.ended(), 1);
    assert.match(service.errors, /^utility-calculation-service: workers keep exiting: 8 in a row\n$/);
  });
});

test('adds the memory of the primary and of all workers', onLinux, async (context) => {
  const service = run(context, ['--port=0', '--workers=2', '--metrics=on']);
  const address = String((await service.event('ready'))['address']);
  const processes = [service.child, ...(await workersOf(service)).map((pid) => ({ pid }))];
  const sum = processes.map(residentMemory).reduce((left, right) => left + right);
  const counted = sample(await scrape(address), 'process_resident_memory_bytes') / 2 ** 20;
  // Memory grows between the readings; without one of the processes the sum would be a third less.
  assert.ok(counted > sum * 0.9 && counted < sum * 1.3, `${counted}, ${sum}`);
});

test('stops the workers of a primary that is killed', onLinux, async (context) => {
  const service = run(context, ['--port=0', '--workers=2']);
  await service.event('ready');
  const ids = await workersOf(service);
  assert.equal(ids.length, 2);
  service.child.kill('SIGKILL');
  const isAlive = (id: number): boolean => {
    try {
      return process.kill(id, 0);
    } catch {
      return false;
    }
  };
  while (ids.some(isAlive)) await sleep(10);
});

test('reports a missing permission to start workers in one line, and exits with 1', async (context) => {
  const flags = process.allowedNodeEnvironmentFlags;
  const permission = flags.has('--permission') ? '--permission' : '--experimental-permission';
  const options = [permission, '--allow-fs-read=*', '--no-warnings', ...(flags.has('--allow-net') ? ['--allow-net'] : [])];
  const service = run(context, ['--port=0', '--workers=2'], {}, options);
  assert.equal(await service.ended(), 1);
  assert.match(service.errors, /^utility-calculation-service: cannot start workers: [^\n]*--allow-child-process[^\n]*\n$/);
});

test('exits with 0 on a signal while no worker is alive', onLinux, async (context) => {
  const service = run(context, ['--port=0', '--workers=2']);
  await service.event('ready');
  for (let exits = 0; exits < 4; exits += 2) {
    let ids: readonly number[] = [];
    for (; ids.length < 2; await sleep(5)) ids = await workersOf(service);
    for (const id of ids) process.kill(id, 'SIGKILL');
    // The delay before the second replacement is longer than the test needs.
    while (events(service, 'worker exited').length < exits + 2) await sleep(5);
  }
  assert.deepEqual(await workersOf(service), []);
  service.child.kill('SIGTERM');
  assert.equal(await service.ended(), 0);
  assert.equal(service.lines.length, 7);
  assert.match(String(service.lines.at(-1)), /"msg":"stopped"/);
});

test('completes open requests after a signal to every process, as systemd sends it', onLinux, async (context) => {
  const service = run(context, ['--port=0', '--workers=2']);
  const { address } = await service.event('ready');
  const body = '{"text":"a"}';
  const answers = await Promise.all([0, 1].map(async () => {
    const request = http.request(address + HASH, { method: 'POST', agent: false,
      headers: { 'Content-Type': 'application/json', 'Content-Length': body.length } });
    const answered = once(request, 'response') as Promise<[http.IncomingMessage]>;
    // The rejection is handled before the test awaits the answer.
    answered.catch(() => undefined);
    request.write(body.slice(0, 3));
    await once(request, 'socket');
    while (request.socket?.connecting ?? true) await new Promise((resolve) => setImmediate(resolve));
    return { request, answered };
  }));
  for (let index = 0; index < 4; index += 1) assert.equal(await send(String(address)), 200);
  for (const id of [...await workersOf(service), service.child.pid!]) process.kill(id, 'SIGTERM');
  await service.event('draining');
  // The primary sends each worker a second signal, which would end the worker within this time.
  await sleep(200);
  for (const { request } of answers) request.end(body.slice(3));
  for (const { answered } of answers) assert.equal((await answered)[0].resume().statusCode, 200);
  assert.equal(await service.ended(), 0);
});

test('reports a port in use once for all workers, and exits with 1', async (context) => {
  const server = net.createServer().listen(0, '127.0.0.1');
  context.after(() => server.close());
  await new Promise((resolve) => server.once('listening', resolve));
  const service = run(context, [`--port=${(server.address() as AddressInfo).port}`, '--workers=2']);
  assert.equal(await service.ended(), 1);
  assert.match(service.errors, /^utility-calculation-service: [^\n]*EADDRINUSE[^\n]*\n$/);
  assert.deepEqual(service.lines, []);
});

/** The ids of the child processes, from procfs. */
async function workersOf(service: Run): Promise<number[]> {
  const { pid } = service.child;
  const children = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8');
  return children.trim().split(' ').filter((id) => id !== '').map(Number);
}
