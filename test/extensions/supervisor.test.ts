/** The primary process with workers that are objects of this process, on a clock that the tests advance. */
import assert from 'node:assert/strict';
import cluster from 'node:cluster';
import { EventEmitter } from 'node:events';
import { test, type TestContext } from 'node:test';
import { addCounters, exposition, processSamples } from '../../src/extensions/metrics/metrics.ts';
import { Supervisor } from '../../src/extensions/workers/cluster.ts';
import { replaceClock } from '../helpers/clock.ts';

/** Milliseconds after which a worker does not count as one that exits early. */
const HEALTHY = 10_000;
/** The longest delay before a worker is replaced. */
const LONGEST_DELAY = 5_000;

interface Exposition {
  readonly text: string;
  readonly previous: string;
}

/** A worker process, as the primary sees it. */
class FakeWorker extends EventEmitter {
  readonly signals: string[] = [];
  readonly received: Exposition[] = [];
  readonly process = { pid: 1, kill: (signal: string) => this.signals.push(signal) };
  private hasExited = false;

  isDead(): boolean {
    return this.hasExited;
  }

  send(message: Exposition, sent: () => void): void {
    this.received.push(message);
    sent();
  }

  listen(): void {
    cluster.emit('listening', this, { address: '127.0.0.1', port: 80 });
  }

  report(samples: Readonly<Record<string, number>>): void {
    cluster.emit('message', this, { samples });
  }

  exit(): void {
    this.hasExited = true;
    this.emit('exit', 1, null);
  }
}

interface Supervised {
  readonly supervisor: Supervisor;
  readonly workers: FakeWorker[];
  /** The fields of the lines about workers that exited. */
  readonly exits: Readonly<Record<string, unknown>>[];
  /** The exit codes and messages with which the supervisor stopped. */
  readonly stops: [number, string | undefined][];
  readonly ready: unknown[];
  /** Lets time pass for the clock and the timers. */
  readonly pass: (milliseconds: number) => void;
}

function supervised(context: TestContext, count: number): Supervised {
  const passClock = replaceClock(context);
  context.mock.timers.enable({ apis: ['setTimeout', 'setInterval'] });
  const workers: FakeWorker[] = [];
  const { workers: original } = cluster;
  context.mock.method(cluster, 'fork', () => {
    const worker = new FakeWorker();
    workers.push(worker);
    Object.assign(cluster, { workers: { ...workers } });
    return worker;
  });
  context.after(() => {
    cluster.removeAllListeners('listening').removeAllListeners('message');
    Object.assign(cluster, { workers: original });
  });
  const exits: Readonly<Record<string, unknown>>[] = [];
  const stops: [number, string | undefined][] = [];
  const ready: unknown[] = [];
  const supervisor = new Supervisor({
    workers: count,
    killAfter: 1_000,
    log: {
      line: (_level, _message, fields = {}) => void exits.push(fields),
      write: () => undefined,
      flush: () => Promise.resolve(true),
    },
    metrics: { addCounters, exposition, processSamples },
    onReady: (address) => ready.push(address),
    onStopped: (code, message) => stops.push([code, message]),
  });
  supervisor.start();
  const pass = (milliseconds: number): void => {
    passClock(milliseconds);
    context.mock.timers.tick(milliseconds);
  };
  return { supervisor, workers, exits, stops, ready, pass };
}

test('is ready once, when all workers listen', (context) => {
  const { workers, ready } = supervised(context, 2);
  assert.equal(workers.length, 2);
  workers[0]!.listen();
  assert.equal(ready.length, 0);
  for (const worker of workers) worker.listen();
  assert.deepEqual(ready, [{ address: '127.0.0.1', port: 80 }]);
});

/** Starts workers that listen. */
function running(context: TestContext, count: number): Supervised {
  const service = supervised(context, count);
  for (const worker of service.workers) worker.listen();
  return service;
}

/** The milliseconds until the supervisor has replaced a worker. */
function delayOf({ workers, pass }: Supervised): number {
  const before = workers.length;
  let delay = 0;
  while (workers.length === before) {
    assert.ok(delay <= LONGEST_DELAY, `expected a new worker within ${LONGEST_DELAY} ms`);
    pass(1);
    delay += 1;
  }
  return delay;
}

test('replaces workers that exit early after ever longer delays, and gives up after 8 in a row', (context) => {
  const service = running(context, 1);
  const { workers, exits, stops } = service;
  const delays: number[] = [];
  for (let exit = 1; exit < 8; exit += 1) {
    workers.at(-1)!.exit();
    delays.push(delayOf(service));
  }
  assert.deepEqual(
    delays,
    [...delays].sort((left, right) => left - right),
  );
  assert.ok(delays[0]! < 1_000 && delays.at(-1)! > 1_000, delays.join());
  assert.deepEqual(stops, []);
  workers.at(-1)!.exit();
  assert.deepEqual(
    exits.map((fields) => fields['early_exits']),
    [1, 2, 3, 4, 5, 6, 7, 8],
  );
  assert.deepEqual(stops, [[1, 'workers keep exiting: 8 in a row']]);
});

test('counts no early exit of a worker that has run for more than 10 s, and replaces it at once', (context) => {
  const service = running(context, 1);
  const { workers, exits, pass } = service;
  workers.at(-1)!.exit();
  const early = delayOf(service);
  for (const [uptime, count] of [
    [HEALTHY, 2],
    [HEALTHY + 1, 0],
    [0, 1],
  ] as const) {
    pass(uptime);
    workers.at(-1)!.exit();
    assert.equal(exits.at(-1)?.['early_exits'], count, `after ${uptime} ms`);
    const delay = delayOf(service);
    assert.equal(delay < early, count === 0, `${delay} ms after an uptime of ${uptime} ms`);
  }
});

test('shows in the metrics how many workers are alive and have been replaced', (context) => {
  const service = running(context, 2);
  const { workers, pass } = service;
  const shown = (worker: FakeWorker): string[] => {
    pass(1_000);
    const { text } = worker.received.at(-1)!;
    return [
      'workers',
      'worker_replacements_total',
      'http_requests_in_flight',
      'http_connections_refused_total',
    ].map((name) => new RegExp(`^${name} .*$`, 'm').exec(text)?.[0] ?? `${name} is absent`);
  };
  for (const worker of workers)
    worker.report({ http_requests_in_flight: 2, http_connections_refused_total: 5 });
  assert.deepEqual(shown(workers[0]!), [
    'workers 2',
    'worker_replacements_total 0',
    'http_requests_in_flight 4',
    'http_connections_refused_total 10',
  ]);
  workers[1]!.exit();
  // A message of a worker may arrive after its exit.
  workers[1]!.report({ http_requests_in_flight: 2, http_connections_refused_total: 5 });
  delayOf(service);
  workers[2]!.report({ http_requests_in_flight: 0, http_connections_refused_total: 1 });
  assert.deepEqual(shown(workers[0]!), [
    'workers 2',
    'worker_replacements_total 1',
    'http_requests_in_flight 2',
    'http_connections_refused_total 11',
  ]);
});

test('sends each text together with the text before it, so that all workers show the same', (context) => {
  const { workers, pass } = running(context, 1);
  const [worker] = workers as [FakeWorker];
  worker.report({ http_connections_refused_total: 0 });
  for (let count = 1; count <= 3; count += 1) {
    worker.report({ http_connections_refused_total: count });
    pass(1_000);
  }
  const { received } = worker;
  assert.ok(received.length >= 4);
  assert.equal(received[0]?.previous, received[0]?.text);
  for (const [index, { previous }] of received.slice(1).entries())
    assert.equal(previous, received[index]?.text);
  assert.match(received.at(-1)!.text, /^http_connections_refused_total 3$/m);
});

test('stops all workers, kills those that do not exit, and exits with the first code that is not 0', (context) => {
  const { supervisor, workers, stops, pass } = running(context, 2);
  supervisor.stop();
  supervisor.stop(3, 'a failure');
  supervisor.stop(4, 'a later failure');
  assert.deepEqual(
    workers.map(({ signals }) => signals),
    [['SIGTERM'], ['SIGTERM']],
  );
  workers[0]!.exit();
  assert.deepEqual(stops, []);
  pass(1_000);
  assert.deepEqual(
    workers.map(({ signals }) => signals),
    [['SIGTERM'], ['SIGTERM', 'SIGKILL']],
  );
  workers[1]!.exit();
  assert.deepEqual(stops, [[3, 'a failure']]);
  pass(LONGEST_DELAY);
  assert.equal(workers.length, 2, 'no worker is replaced while the service stops');
});
