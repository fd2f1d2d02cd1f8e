import assert from 'node:assert/strict';
import cluster, { type Worker } from 'node:cluster';
import { EventEmitter } from 'node:events';
import { readFile } from 'node:fs/promises';
import http from 'node:http';
import { describe, test, type TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { joinWorkers, Supervisor } from '../../src/extensions/workers/cluster.ts';
import { NO_LOG } from '../../src/command/log.ts';
import { connect, finish, openRequest } from '../helpers/client.ts';
import { residentMemory, type Run, run } from '../helpers/command.ts';
import { GET } from '../helpers/fixture.ts';
import { isThorough, part } from '../helpers/repository.ts';
import { once, until, within } from '../helpers/until.ts';

const HASH = '/api/v1/hash';
/** Workers that are killed one after another; the delay of the replacement doubles each time. */
const KILLS = isThorough ? 2 : 1;
/** Milliseconds between two requests of a client, which leave processor time for other tests. */
const PAUSE = 25;

/** The pause between two checks of a condition that each send requests. */
const pause = (): Promise<void> => sleep(50);

/** Milliseconds after which a request is repeated: its connection may be lost with a worker, and remain open. */
const GET_TIMEOUT = 10_000;

/** The response to a request on a connection of its own; undefined if its worker was killed or stopped. */
async function get(
  url: string,
): Promise<{ readonly response: Response; readonly text: string } | undefined> {
  try {
    const signal = AbortSignal.timeout(GET_TIMEOUT);
    const response = await fetch(url, { headers: { connection: 'close' }, signal });
    return { response, text: await response.text() };
  } catch {
    return undefined;
  }
}

/** The body of a scrape. A scrape whose own worker was killed or stopped is repeated, as Prometheus does. */
async function scrape(address: string): Promise<string> {
  let answer: Awaited<ReturnType<typeof get>>;
  await until('an answer to a scrape', async () => {
    answer = await get(`${address}/metrics`);
    return answer !== undefined;
  });
  assert.equal(answer?.response.status, 200);
  assert.match(answer.text, /\nprocess_start_time_seconds \d/);
  return answer.text;
}

/** The prefix that the worker which answers a request gives to the ids that it assigns, if any answers. */
async function idOf(address: string): Promise<string | undefined> {
  const answer = await get(`${address}/missing`);
  return answer?.response.headers.get('x-request-id')?.replace(/-\d+$/, '');
}

/** Waits until two workers answer requests. */
async function untilTwoAnswer(address: string): Promise<void> {
  const areTwo = async (): Promise<boolean> => {
    const ids = await Promise.all(Array.from({ length: 8 }, () => idOf(address)));
    return new Set(ids.filter((id) => id !== undefined)).size === 2;
  };
  await until('answers of two workers', areTwo, pause);
}

/** The value of a sample; 0 if the text does not contain it. */
const sample = (text: string, name: string): number =>
  Number(
    text
      .split('\n')
      .find((line) => line.startsWith(`${name} `))
      ?.split(' ')[1] ?? 0,
  );

/** The number of hash requests that /metrics reports. */
async function requestsOf(address: string): Promise<number> {
  return sample(
    await scrape(address),
    `http_requests_total{method="POST",route="${HASH}",status="200"}`,
  );
}

/** Waits until /metrics reports a number of hash requests. From then on, all workers report it. */
async function reported(address: string, count: number): Promise<void> {
  const isReported = async (): Promise<boolean> => (await requestsOf(address)) >= count;
  await until(`${count} requests in /metrics`, isReported, pause);
  const further = await Promise.all([0, 1, 2, 3].map(() => requestsOf(address)));
  assert.deepEqual(further, [count, count, count, count]);
}

/**
 * Sends a request on a connection of its own, which goes to the next worker. Resolves to the status, or to the code of
 * an error. It stays without an answer if the primary was passing the connection to a worker that was killed or stopped,
 * until the returned request is destroyed.
 */
function sendTo(address: string): {
  readonly request: http.ClientRequest;
  readonly outcome: Promise<number | string>;
} {
  const request = http.request(address + HASH, { method: 'POST', agent: false });
  const outcome = new Promise<number | string>((resolve) => {
    const fail = (error: NodeJS.ErrnoException): void => resolve(error.code ?? error.message);
    request.on('response', (response) => {
      response.resume();
      response.on('end', () => resolve(response.statusCode ?? 0));
      response.on('error', fail);
    });
    request.on('error', fail);
  });
  request.setHeader('Content-Type', 'application/json').end('{"text":"a"}');
  return { request, outcome };
}

const send = (address: string): Promise<number | string> =>
  within('an answer', sendTo(address).outcome);

/** Clients that send one request after the other. */
class Clients {
  answered = 0;
  readonly failures: (number | string)[] = [];
  private readonly waiting = new Set<http.ClientRequest>();
  private readonly all: Promise<unknown>;
  private isOver = false;

  constructor(context: TestContext, address: string, count: number) {
    context.after(() => this.end());
    this.all = Promise.all(Array.from({ length: count }, () => this.run(address)));
  }

  /** Waits for further answers. */
  async progress(count: number): Promise<void> {
    const end = this.answered + count;
    await until(`${count} further answers`, () => this.answered >= end);
  }

  /** Ends the clients; requests that have no answer then fail. */
  async end(): Promise<void> {
    this.isOver = true;
    for (const request of this.waiting) request.destroy(new Error('no answer'));
    await this.all;
  }

  private async run(address: string): Promise<void> {
    for (; !this.isOver; await sleep(PAUSE)) {
      const { request, outcome } = sendTo(address);
      this.waiting.add(request);
      const status = await outcome;
      this.waiting.delete(request);
      if (status === 200) this.answered += 1;
      else if (!this.isOver) this.failures.push(status);
    }
  }
}

function events(service: Run, name: string): Record<string, unknown>[] {
  const lines = service.lines.map((line) => JSON.parse(line) as Record<string, unknown>);
  return lines.filter(({ msg }) => msg === name);
}

test('shows a text of the primary after half a second, and the text before it until then', (context) => {
  let time = 0n;
  context.mock.method(process.hrtime, 'bigint', () => time * 1_000_000n);
  const sent: unknown[] = [];
  const worker = Object.assign(new EventEmitter(), {
    send: (message: unknown) => sent.push(message) > 0,
  });
  const show = joinWorkers(worker as unknown as Worker, () => ({ count: sent.length }));
  // The first report makes the primary send the first text.
  assert.deepEqual(sent, [{ samples: { count: 0 } }]);
  worker.emit('message', { sentAt: 1_000, text: 'second', previous: 'first' });
  assert.deepEqual(sent.slice(1), [{ samples: { count: 1 } }]);
  for (const [now, expected] of [
    [1_000, 'first'],
    [1_499, 'first'],
    [1_500, 'second'],
    [9_000, 'second'],
  ] as const) {
    time = BigInt(now);
    assert.equal(show(), expected, `at ${now} ms`);
  }
});

test('sends each text with the one before it, and counts no report of a worker after its exit', async (context) => {
  const supervisor = new Supervisor({
    workers: 0,
    killAfter: 0,
    log: NO_LOG,
    metrics: {
      processSamples: () => ({}),
      addCounters: (left) => left,
      exposition: (processes) => JSON.stringify(processes),
    },
    onReady: () => assert.fail(),
    onStopped: () => assert.fail(),
  });
  context.after(() => cluster.removeAllListeners());
  supervisor.start();
  const sent: { readonly text: string; readonly previous: string }[] = [];
  const worker = (isDead: boolean): object => ({
    isDead: () => isDead,
    send(message: (typeof sent)[number], done: () => void) {
      sent.push(message);
      done();
    },
  });
  cluster.emit('message', worker(true), { samples: { dead: 1 } });
  cluster.emit('message', worker(false), { samples: { alive: 1 } });
  await until('two further texts', () => sent.length >= 3);
  assert.equal(sent[0]!.previous, sent[0]!.text);
  for (const [index, { previous }] of sent.slice(1).entries())
    assert.equal(previous, sent[index]!.text);
  assert.match(sent.at(-1)!.text, /"alive":1/);
  assert.doesNotMatch(sent.at(-1)!.text, /dead/);
});

const onLinux = { skip: process.platform === 'linux' ? false : 'needs procfs' };

test(
  'shares the port among workers, adds their metrics, and stops them together',
  onLinux,
  async (context) => {
    const service = run(context, [
      '--port=0',
      '--workers=2',
      '--max-connections=100',
      '--metrics=on',
    ]);
    const { address, workers } = await service.event('ready');
    assert.equal(workers, 2);
    // From the line `ready` on, all workers listen, and have their turns.
    const ids = [await idOf(String(address)), await idOf(String(address))];
    assert.equal(new Set(ids).size, 2);
    for (let index = 0; index < 20; index += 1) assert.equal(await send(String(address)), 200);
    await reported(String(address), 20);
    const processes = [service.child, ...(await workersOf(service)).map((pid) => ({ pid }))];
    // Memory grows between the readings; without one of the processes the sum would be a third less.
    const isOfAll = async (): Promise<boolean> => {
      const counted =
        sample(await scrape(String(address)), 'process_resident_memory_bytes') / 2 ** 20;
      const sum = processes.map(residentMemory).reduce((left, right) => left + right);
      return counted > sum * 0.9 && counted < sum * 1.3;
    };
    await until('the memory of all processes in /metrics', isOfAll, pause);
    await service.stop();
    assert.equal(service.errors, '');
    assert.deepEqual(service.messages(), ['ready', 'draining', 'stopped']);
  },
);

test(
  'replaces a worker that is killed under load, and fails only its connections',
  onLinux,
  async (context) => {
    const service = run(context, ['--port=0', '--workers=2']);
    const { address } = await service.ready();
    const clients = new Clients(context, address, 4);
    await clients.progress(50);
    const victim = await workerOf(service);
    process.kill(victim, 'SIGKILL');
    await service.event('worker exited');
    await until('two workers', async () => (await workersOf(service)).length === 2);
    await clients.progress(100);
    await clients.end();
    const { failures } = clients;
    assert.ok(failures.length <= 4, `${failures.length}: ${failures.join()}`);
    assert.equal(events(service, 'worker exited').length, 1);
    assert.equal((await workersOf(service)).includes(victim), false);
    await service.stop();
  },
);

/** The option that replaces the clock of a process. */
function clockOf(time: string): string {
  const script = `const now = performance.now.bind(performance); performance.now = () => ${time};`;
  return `--import=data:text/javascript,${encodeURIComponent(script)}`;
}

/** These tests spend most of their time waiting, and run side by side. */
describe('serves while workers exit or are stopped', { concurrency: true }, () => {
  test(
    `answers scrapes with counters that never fall while ${KILLS} of 2 workers are killed`,
    onLinux,
    async (context) => {
      const service = run(context, ['--port=0', '--workers=2', '--metrics=on']);
      const { address } = await service.ready();
      const clients = new Clients(context, address, 4);
      let isOver = false;
      context.after(() => {
        isOver = true;
      });
      let scrapes = 0;
      const scraper = async (): Promise<void> => {
        for (let before = 0; !isOver; await sleep(PAUSE)) {
          const count = await requestsOf(address);
          scrapes += 1;
          assert.ok(count >= before, `${count} after ${before}`);
          before = count;
        }
      };
      const scrapers = Promise.all(Array.from({ length: 3 }, scraper));
      for (let kills = 1; kills <= KILLS; kills += 1) {
        const scrapesBefore = scrapes;
        await clients.progress(50);
        await until('20 further scrapes', () => scrapes >= scrapesBefore + 20);
        const victims = await workersOf(service);
        process.kill(victims[kills % 2]!, 'SIGKILL');
        await until(`exit ${kills}`, () => events(service, 'worker exited').length >= kills);
        // Without a worker that listens, the primary would close the port.
        await untilTwoAnswer(address);
      }
      isOver = true;
      await scrapers;
      await clients.end();
      context.diagnostic(`${clients.answered} requests, ${scrapes} scrapes`);
      const isReplaced = async (): Promise<boolean> => {
        const text = await scrape(address);
        const replaced = sample(text, 'worker_replacements_total');
        return sample(text, 'workers') === 2 && replaced === KILLS;
      };
      await until('the workers in /metrics', isReplaced, pause);
      assert.equal(events(service, 'worker exited').length, KILLS);
      assert.equal(events(service, 'ready').length, 1);
      await service.stop();
      assert.equal(service.errors, '');
    },
  );

  test(
    'answers scrapes with the last counts of a stopped worker, and exits with 0',
    onLinux,
    async (context) => {
      const service = run(context, [
        '--port=0',
        '--workers=2',
        '--metrics=on',
        '--shutdown-timeout=0.5',
      ]);
      const { address } = await service.ready();
      for (let count = 0; count < 20; count += 1) assert.equal(await send(address), 200);
      await reported(address, 20);
      const stopped = await workerOf(service);
      process.kill(stopped, 'SIGSTOP');
      context.after(() => {
        // A stopped worker would keep the output open, and the test would wait for it.
        if (service.child.exitCode === null) process.kill(stopped, 'SIGKILL');
      });
      // The first connection to the stopped worker is not answered; the primary passes no further ones to it.
      const outcomes = [send(address), send(address)];
      assert.equal(await Promise.race(outcomes), 200);
      await reported(address, 21);
      await service.stop();
      assert.equal((await Promise.all(outcomes)).filter((outcome) => outcome === 200).length, 1);
    },
  );

  test(
    'counts no early exit of a worker that has run for more than 10 s, and replaces it',
    onLinux,
    async (context) => {
      // For the processes, a millisecond lasts 10 s.
      const service = run(context, ['--port=0', '--workers=2'], {}, [clockOf('now() * 1e4')]);
      await service.event('ready');
      for (let exits = 1; exits <= KILLS; exits += 1) {
        process.kill(await workerOf(service), 'SIGKILL');
        await until(`exit ${exits}`, () => events(service, 'worker exited').length >= exits);
        await until('two workers', async () => (await workersOf(service)).length === 2);
      }
      const exits = events(service, 'worker exited').map((fields) => fields['early_exits']);
      assert.deepEqual(exits, Array(KILLS).fill(0));
    },
  );

  test(
    'replaces workers that keep exiting after ever longer delays, and exits with 1 after 8 in a row',
    onLinux,
    async (context) => {
      // For the processes, no time passes: every exit is early, however slow the machine is.
      const service = run(context, ['--port=0', '--workers=2'], {}, [clockOf('0')]);
      await service.event('ready');
      const killing = setInterval(() => {
        void workersOf(service)
          .then((ids) => ids.forEach((id) => process.kill(id, 'SIGKILL')))
          .catch(() => undefined);
      }, 50);
      context.after(() => clearInterval(killing));
      assert.equal(await service.ended(), 1);
      assert.match(
        service.errors,
        /^utility-calculation-service: workers keep exiting: 8 in a row\n$/,
      );
      const exits = events(service, 'worker exited');
      assert.deepEqual(
        exits.map((fields) => fields['early_exits']),
        [1, 2, 3, 4, 5, 6, 7, 8],
      );
      // The next exit but one is that of a worker which started after the delay. No timer ends early.
      const times = exits.map(({ time }) => Date.parse(String(time)));
      for (const [index, delay] of [200, 400, 800, 1_600, 3_200, 5_000].entries())
        assert.ok(times[index + 2]! - times[index]! > delay - 20, times.join());
    },
  );
});

test('stops the workers of a primary that is killed', async (context) => {
  const service = run(context, ['--port=0', '--workers=2']);
  await service.event('ready');
  service.child.kill('SIGKILL');
  // The workers hold the standard output of the primary, which ends with the last of them.
  assert.equal(await service.ended(), 'SIGKILL');
});

test('reports a missing permission to start workers in one line, and exits with 2', async (context) => {
  const flags = process.allowedNodeEnvironmentFlags;
  const permission = flags.has('--permission') ? '--permission' : '--experimental-permission';
  const options = [
    permission,
    '--allow-fs-read=*',
    '--no-warnings',
    ...(flags.has('--allow-net') ? ['--allow-net'] : []),
  ];
  const service = run(context, ['--port=0', '--workers=2'], {}, options);
  assert.equal(await service.ended(), 2);
  assert.match(
    service.errors,
    /^utility-calculation-service: cannot start workers: [^\n]*--allow-child-process[^\n]*\n$/,
  );
});

for (const count of part([1, 2])) {
  test(
    `exits with 0 on a signal before ${count} of 2 workers are replaced`,
    onLinux,
    async (context) => {
      const service = run(context, ['--port=0', '--workers=2', '--shutdown-timeout=3600']);
      const { port } = await service.ready();
      // Each worker has an idle connection, which it closes after DRAIN_GRACE.
      for (let connections = 0; connections < 2; connections += 1) {
        const socket = await connect(port);
        context.after(() => socket.destroy());
        socket.write(GET);
        await once(socket, 'data');
      }
      const ids = await workersOf(service);
      for (const id of ids.slice(0, count)) process.kill(id, 'SIGKILL');
      await until(`${count} exits`, () => events(service, 'worker exited').length === count);
      // The next worker would start after 0.2 s, while the other worker drains, and would be awaited for an hour. On a
      // machine so slow that it is alive, the outcome is the same.
      await service.stop();
      assert.equal(service.messages().length, count + 3);
      assert.match(String(service.lines.at(-1)), /"msg":"stopped"/);
    },
  );
}

test(
  'completes open requests after a signal to every process, as systemd sends it',
  onLinux,
  async (context) => {
    const service = run(context, ['--port=0', '--workers=2']);
    const { address } = await service.ready();
    // Each worker gets every second connection.
    const open = [];
    for (let count = 0; count < 6; count += 1) open.push(await openRequest(address));
    for (let index = 0; index < 4; index += 1) assert.equal(await send(address), 200);
    for (const id of [...(await workersOf(service)), service.child.pid!])
      process.kill(id, 'SIGTERM');
    // The primary has sent each worker a second signal before this line. A worker that has answered twice has received
    // the signals that it was sent before.
    await service.event('draining');
    for (const request of open) assert.equal(await finish(request), 200);
    assert.equal(await service.ended(), 0);
  },
);

/** Ends each worker when it asks the primary for the port, which reads the question when the worker has ended. */
const GONE = `--import=data:text/javascript,${encodeURIComponent(`
  import cluster from 'node:cluster';
  import net from 'node:net';
  const pause = (time) => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, time);
  const { listen } = net.Server.prototype;
  if (cluster.isPrimary) cluster.on('online', () => pause(1_000));
  else net.Server.prototype.listen = function (...options) {
    listen.apply(this, options);
    setTimeout(() => process.kill(process.pid, 'SIGKILL'), 100);
  };
`)}`;

test('logs the exit of a worker, and no message that it has missed', onLinux, async (context) => {
  const service = run(context, ['--port=0', '--workers=2'], {}, [GONE]);
  assert.equal(await service.ended(), 1);
  assert.notEqual(events(service, 'worker exited').length, 0);
  assert.deepEqual(events(service, 'error'), []);
});

/** The ids of the child processes, from procfs. */
async function workersOf(service: Run): Promise<number[]> {
  const { pid } = service.child;
  const children = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8');
  return children
    .trim()
    .split(' ')
    .filter((id) => id !== '')
    .map(Number);
}

/** The id of a worker. In place of an absent id, 0 would stand for the processes of the test. */
async function workerOf(service: Run): Promise<number> {
  const [id] = await workersOf(service);
  return id ?? assert.fail('the service has no worker');
}
