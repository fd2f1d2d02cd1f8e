/**
 * Overload: the order in which requests begin, and those that are refused. On a clock that only calculations advance, the
 * tests assert the order of the answers.
 */
import assert from 'node:assert/strict';
import type { IncomingMessage } from 'node:http';
import net, { type Socket } from 'node:net';
import { describe, type TestContext, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Operation } from '../../src/contract/operation.ts';
import { WorkQueue } from '../../src/extensions/overload/queue.ts';
import { operations } from '../../src/operations/operations.ts';
import { Client, connect, type Outcome } from '../helpers/client.ts';
import { replaceClock } from '../helpers/clock.ts';
import { freePort, needsDescriptors, type Run, run } from '../helpers/command.ts';
import {
  assertHeaders,
  faulty,
  type Fixture,
  GET,
  listen,
  post,
  sendJson,
} from '../helpers/fixture.ts';
import { recording } from '../helpers/recording.ts';
import { part } from '../helpers/repository.ts';
import { chunkOf, CHUNKED, HASH, headOf, LAST_CHUNK } from '../helpers/streams.ts';
import { once, turn, until } from '../helpers/until.ts';

/** An answer, and the number of calculations before it. */
interface Answered {
  readonly id: unknown;
  readonly path: unknown;
  readonly status: unknown;
  readonly after: number;
}

interface Busy {
  readonly fixture: Fixture;
  /** Lets milliseconds pass. */
  readonly pass: (milliseconds: number) => void;
  /** The answers so far, in the order in which the service sent them. */
  readonly answers: Answered[];
  /** Opens connections, and waits until the service has accepted them. They are closed at the end of the test. */
  readonly open: (count: number) => Promise<Socket[]>;
  /** Waits for a number of answers. */
  readonly until: (count: number) => Promise<void>;
}

/** An operation that takes a time of the clock. */
const work: Omit<Operation, 'run'> = {
  ...faulty,
  id: 'work',
  path: '/api/v1/work',
  method: 'POST',
  hasLargeBody: true,
};

/**
 * Starts a service whose operation `work` takes `cost` milliseconds and then calls back with the number of its calls.
 * A test may send a request in this callback: the kernel has its bytes before the service continues.
 */
async function busyService(
  context: TestContext,
  { cost, maximumWait }: { readonly cost: number; readonly maximumWait: number },
  onCall: (calls: number) => void,
): Promise<Busy> {
  const pass = replaceClock(context);
  let calls = 0;
  const operation: Operation = {
    ...work,
    run() {
      pass(cost);
      calls += 1;
      onCall(calls);
      return '{}';
    },
  };
  const answers: Answered[] = [];
  const { observers } = recording(context, {}, ({ id, path, status }) => {
    answers.push({ id, path, status, after: calls });
  });
  const queue = new WorkQueue(maximumWait);
  const fixture = await listen(
    context,
    { operations: [...operations, operation] },
    { observers, scheduler: queue },
  );
  return {
    fixture,
    pass,
    answers,
    async open(count) {
      let accepted = 0;
      fixture.server.on('connection', () => (accepted += 1));
      const sockets = await Promise.all(Array.from({ length: count }, () => connect(fixture.port)));
      await until(`${count} connections`, () => accepted >= count, turn);
      for (const socket of sockets) {
        socket.resume();
        context.after(() => socket.destroy());
      }
      return sockets;
    },
    async until(count) {
      await until(`${count} answers`, () => answers.length >= count, turn);
    },
  };
}

test('refuses requests that wait too long, and answers health checks between the others', async (context) => {
  const requests = 60;
  const large = (id: string): string =>
    post(work.path, '{}'.padEnd(100_000), `X-Request-Id: ${id}`);
  const { fixture, pass, answers, open, until } = await busyService(
    context,
    { cost: 2, maximumWait: 40 },
    (calls) => {
      if (calls === 3) health!.write(GET);
      if (calls === 5) early!.write(large('early'));
      if (calls === 10) late!.write(large('late'));
    },
  );
  const [health, early, late, probe, ...sockets] = await open(requests + 4);
  const arrived: unknown[] = [];
  fixture.server.on('request', ({ headers }: IncomingMessage) => {
    if (headers['x-request-id'] !== undefined) arrived.push(headers['x-request-id']);
  });
  for (const [index, socket] of sockets.entries()) {
    socket.write(post(work.path, '{}', `X-Request-Id: order-${index}`));
  }
  await until(requests + 3);

  const healthy = answers.find(({ path }) => path === '/healthz');
  assert.equal(healthy?.status, 200);
  assert.ok(
    healthy.after >= 3 && healthy.after <= 5,
    `the health check was answered after ${healthy.after} others`,
  );
  // Each request takes 2 ms, so that the first 21 wait for up to 40 ms. So do the large bodies, which came later, and
  // wait a second time when they have arrived.
  assert.deepEqual(
    answers.filter(({ id }) => arrived.includes(id)).map(({ id, status }) => [id, status]),
    arrived.map((id, index) => [id, index <= 20 || id === 'early' || id === 'late' ? 200 : 503]),
  );

  // The overload is over with the queue, and time without requests is no waiting time.
  pass(10_000);
  probe!.write(large('probe'));
  await until(requests + 4);
  assert.equal(answers.at(-1)?.status, 200);
});

test('refuses no request because of a pause of the process while it waits', async (context) => {
  const requests = 10;
  const { pass, answers, open, until } = await busyService(
    context,
    { cost: 1, maximumWait: 100 },
    (calls) => {
      if (calls === 2) pass(60_000);
    },
  );
  for (const socket of await open(requests)) socket.write(post(work.path, '{}'));
  await until(requests);
  assert.ok(answers.every(({ status }) => status === 200));
});

const forConnections = { skip: needsDescriptors(400) };

test(
  'accepts new connections before further work, for as long as the last work took',
  forConnections,
  async (context) => {
    const connections = 100;
    const requests = 60;
    const { fixture, pass, answers, open, until } = await busyService(
      context,
      { cost: 5, maximumWait: 60_000 },
      (calls) => {
        // A server accepts one connection per turn of the event loop.
        for (let count = 0; calls === 3 && count < connections; count += 1) {
          const socket = net.connect(fixture.port, '127.0.0.1').resume();
          context.after(() => socket.destroy());
          socket.write(GET);
        }
      },
    );
    for (const socket of await open(requests)) socket.write(post(work.path, '{}'));
    fixture.server.on('connection', () => pass(1));
    await until(requests + connections);
    const before = answers.filter(({ path }) => path === '/healthz').map(({ after }) => after);
    // A request takes 5 ms and a connection 1 ms, so that one request follows five connections; more if they are late.
    assert.ok(
      before.slice(0, 4).every((calls) => calls === 3),
      before.join(),
    );
    assert.ok(before.at(-1)! > connections / 6 && before.at(-1)! < requests, before.join());
  },
);

test('begins further requests after a fault of the service outside of an answer', async () => {
  const queue = new WorkQueue(500);
  const listeners = process.rawListeners('uncaughtException') as ((error: Error) => void)[];
  process.removeAllListeners('uncaughtException');
  const thrown = once(process, 'uncaughtException');
  let isDone = false;
  queue.add(() => assert.fail('a fault'));
  queue.add(() => (isDone = true));
  assert.match(String(await thrown), /a fault/);
  for (const listener of listeners) process.on('uncaughtException', listener);
  await until('work in the queue', () => isDone, turn);
});

test('answers single requests and health checks between the slices of many bulk requests', async (context) => {
  const streams = 24;
  const lines = 200;
  const { answers, open, until } = await busyService(
    context,
    { cost: 0.4, maximumWait: 500 },
    (calls) => {
      if (calls === 1_000) health!.write(GET);
      if (calls === 2_000) single!.write(post(HASH, '{"text":"between"}'));
    },
  );
  const [health, single, ...sockets] = await open(streams + 2);
  for (const socket of sockets) {
    socket.write(headOf(work.path, CHUNKED));
    socket.write(chunkOf('{}\n'.repeat(lines)));
    socket.write(LAST_CHUNK);
  }
  await until(streams + 2);

  for (const [path, sentAt] of [
    ['/healthz', 1_000],
    [HASH, 2_000],
  ] as const) {
    const answer = answers.find((other) => other.path === path);
    assert.equal(answer?.status, 200);
    // A slice of 1 ms is three lines, and all streams together take one slice per turn of the event loop.
    assert.ok(
      answer.after <= sentAt + 12,
      `${path}: sent at line ${sentAt}, answered at line ${answer.after}`,
    );
  }
  assert.equal(answers.at(-1)?.after, streams * lines);
});

test('answers 503 over the lag limit until the event loop recovers, and 200 to health checks', async (context) => {
  const service = run(context, ['--port=0', '--max-lag=10']);
  const { address } = await service.ready();
  const send = async (text: string): Promise<Response> => {
    const response = await sendJson(address + HASH, JSON.stringify({ text }));
    await response.text();
    return response;
  };
  const statuses = new Set<number>();
  let isOver = false;
  context.after(() => {
    isOver = true;
  });
  const client = async (): Promise<void> => {
    while (!isOver) {
      const { status, headers } = await send('đ'.repeat(300_000));
      statuses.add(status);
      if (status === 503) assertHeaders(headers, { 'retry-after': '1' });
    }
  };
  const clients = Array.from({ length: 8 }, client);
  await until('an answer with 503', async () => {
    assert.equal((await fetch(`${address}/healthz`)).status, 200);
    return statuses.has(503);
  });
  isOver = true;
  await Promise.all(clients);
  await until('an answer with 200', async () => (await send('a')).status === 200);
  assert.deepEqual([...statuses].sort(), [200, 503]);
});

const onLinux = { skip: process.platform === 'linux' ? false : 'needs SIGSTOP' };

/** Stops the process for some milliseconds or, on a busy machine, longer, like a host that schedules other processes. */
async function pause({ child }: Run, milliseconds: number): Promise<void> {
  child.kill('SIGSTOP');
  await sleep(milliseconds);
  child.kill('SIGCONT');
}

const pauses: readonly [label: string, interfere: (service: Run) => Promise<void>][] = [
  ['of 1.2 s', (service) => pause(service, 1_200)],
  [
    'of 300 ms per second',
    async (service) => {
      for (let second = 0; second < 2; second += 1) {
        await pause(service, 300);
        await sleep(700);
      }
    },
  ],
  [
    'of half of every 100 ms, like a quota of half a core',
    async (service) => {
      for (let period = 0; period < 10; period += 1) {
        await pause(service, 50);
        await sleep(50);
      }
    },
  ],
];

describe(
  `refuses no request after pauses of the process, ${part(pauses).length} of ${pauses.length} kinds`,
  { concurrency: true },
  () => {
    for (const [label, interfere] of part(pauses)) {
      test(label, onLinux, async (context) => {
        const service = run(context, ['--port=0']);
        const client = new Client(context, (await service.ready()).address);
        const outcomes: Outcome[] = [];
        let isOver = false;
        const busy = client.keepBusy(() => isOver, outcomes);
        await until('100 answers', () => outcomes.length >= 100);
        await interfere(service);
        const before = outcomes.length;
        await until('100 answers after the pauses', () => outcomes.length >= before + 100);
        isOver = true;
        await busy;
        assert.deepEqual(new Set(outcomes), new Set([200]));
      });
    }
  },
);

test('refuses no request when it starts under full load', async (context) => {
  const port = await freePort();
  const client = new Client(context, `http://127.0.0.1:${port}`);
  const outcomes: Outcome[] = [];
  const busy = client.keepBusy(
    () => outcomes.filter((outcome) => outcome === 200).length >= 200,
    outcomes,
  );
  await run(context, [`--port=${port}`]).event('ready');
  await busy;
  assert.deepEqual(new Set(outcomes), new Set(['ECONNREFUSED', 200]));
});
