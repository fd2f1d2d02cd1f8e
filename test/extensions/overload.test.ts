/** Overloads of the service, on a clock that only calculations advance: the tests assert the order of the answers. */
import assert from 'node:assert/strict';
import type { Socket } from 'node:net';
import { type TestContext, test } from 'node:test';
import type { Operation } from '../../src/contract/operation.ts';
import { WorkQueue } from '../../src/extensions/overload/queue.ts';
import { operations } from '../../src/operations.ts';
import { connect } from '../helpers/client.ts';
import { replaceClock } from '../helpers/clock.ts';
import { faulty, type Fixture, listen, post } from '../helpers/fixture.ts';
import { recording } from '../helpers/recording.ts';
import { chunkOf, CHUNKED, HASH, headOf, LAST_CHUNK } from '../helpers/streams.ts';
import { turn, until } from '../helpers/until.ts';

const HEALTH = 'GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n';

/** An answer, and the number of calculations before it. */
interface Answered {
  readonly path: unknown;
  readonly status: unknown;
  readonly after: number;
}

interface Busy {
  readonly fixture: Fixture;
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
  input: 'large-body',
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
  const { observers } = recording(context, {}, ({ path, status }) => {
    answers.push({ path, status, after: calls });
  });
  const queue = new WorkQueue(maximumWait);
  const fixture = await listen(
    context,
    { operations: [...operations, operation] },
    { observers, scheduler: queue },
  );
  return {
    fixture,
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
  const large = post(work.path, '{}'.padEnd(100_000));
  const { answers, open, until } = await busyService(
    context,
    { cost: 5, maximumWait: 100 },
    (calls) => {
      if (calls === 3) health!.write(HEALTH);
      if (calls === 10) late!.write(large);
    },
  );
  const [health, late, probe, ...sockets] = await open(requests + 3);
  for (const socket of sockets) socket.write(post(work.path, '{}'));
  await until(requests + 2);

  const of = (path: string): Answered[] => answers.filter((answer) => answer.path === path);
  const [healthy] = of('/healthz');
  assert.equal(healthy?.status, 200);
  assert.ok(
    healthy.after >= 3 && healthy.after <= 5,
    `the health check was answered after ${healthy.after} others`,
  );
  // The large body is refused at once, because others have waited for a third of the limit.
  const refusedAt = of(work.path).findIndex(({ status }) => status === 503);
  assert.ok(
    of(work.path)[refusedAt]!.after <= 12,
    `the large body was refused after ${refusedAt} others`,
  );
  // Each request takes 5 ms, so that the first 21 wait for up to 100 ms.
  const statuses = of(work.path)
    .toSpliced(refusedAt, 1)
    .map(({ status }) => status);
  assert.deepEqual(
    statuses,
    Array.from({ length: requests }, (_, index) => (index <= 20 ? 200 : 503)),
  );

  // The overload is over with the queue.
  probe!.write(large);
  await until(requests + 3);
  assert.equal(answers.at(-1)?.status, 200);
});

test('answers single requests and health checks between the slices of many streams', async (context) => {
  const streams = 24;
  const lines = 200;
  const { answers, open, until } = await busyService(
    context,
    { cost: 0.4, maximumWait: 500 },
    (calls) => {
      if (calls === 1_000) health!.write(HEALTH);
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
