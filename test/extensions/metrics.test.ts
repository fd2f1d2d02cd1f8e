import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import perfHooks from 'node:perf_hooks';
import { test } from 'node:test';
import {
  addCounters,
  Metrics,
  exposition,
  metricsResource,
  processSamples,
} from '../../src/extensions/metrics/metrics.ts';
import { conformingService } from '../helpers/fixture.ts';

/** A line of the text format: a comment on a family, or a sample. */
const LINE =
  /^(?:# (?:HELP|TYPE) [a-z_0-9]+ .+|[a-z_0-9]+(?:\{[a-z]+="[^"\\\n]*"(?:,[a-z]+="[^"\\\n]*")*\})? (?:[-+]?\d[\d.e+-]*|\+Inf))$/;

test('exposes each family once with help and type, and cumulative buckets', () => {
  const metrics = new Metrics('1.0.0');
  for (const seconds of [0.0005, 0.0001, 0.003, 0.2, 99]) metrics.count('POST', '/a', 200, seconds);
  metrics.count('POST', '/b', 422, 0.01);
  const text = exposition([metrics.samples()]);
  assert.ok(text.endsWith('\n'));
  const lines = text.trimEnd().split('\n');
  for (const line of lines) assert.match(line, LINE);
  const families = lines
    .filter((line) => line.startsWith('# TYPE'))
    .map((line) => line.split(' ')[2]);
  assert.equal(new Set(families).size, families.length);
  const buckets = lines
    .filter((line) => line.includes('_bucket{method="POST",route="/a"'))
    .map((line) => Number(line.split(' ')[1]));
  assert.deepEqual(
    buckets,
    [...buckets].sort((left, right) => left - right),
  );
  assert.equal(buckets[0], 2);
  assert.equal(buckets.at(-2), 4);
  assert.equal(buckets.at(-1), 5);
  const sum = Number(/_sum\{method="POST",route="\/a"\} (\S+)/.exec(text)?.[1]);
  assert.ok(Math.abs(sum - 99.2036) < 1e-9);
});

/** The upper bounds of the buckets in seconds. */
const BOUNDS = '0.0005 0.001 0.0025 0.005 0.01 0.025 0.05 0.1 0.25 0.5 1 2.5 5 10 +Inf';
const BULK_BOUNDS = '0.01 0.1 0.5 1 5 10 30 60 300 600 +Inf';

test('divides durations at fixed boundaries, and counts a duration on a boundary below it', () => {
  const metrics = new Metrics('1.0.0');
  for (const bound of BOUNDS.split(' ').slice(0, -1))
    metrics.count('GET', '/a', 200, Number(bound));
  for (const bound of BULK_BOUNDS.split(' ').slice(0, -1))
    metrics.countBulk('/a', Number(bound), 0, 0);
  const samples = metrics.samples();
  metrics.stop();
  const bucketsOf = (family: string): [string, number][] =>
    Object.entries(samples)
      .filter(([name]) => name.startsWith(`${family}_bucket`))
      .map(([name, value]) => [/le="([^"]+)"/.exec(name)?.[1] ?? '', value]);
  const expected = (bounds: string): [string, number][] =>
    bounds.split(' ').map((bound, index, all) => [bound, Math.min(index + 1, all.length - 1)]);
  assert.deepEqual(bucketsOf('http_request_duration_seconds'), expected(BOUNDS));
  assert.deepEqual(bucketsOf('bulk_request_duration_seconds'), expected(BULK_BOUNDS));
});

test('samples the process at most once per second, however often it is scraped', (context) => {
  // A whole number, so that the differences are exact.
  let time = Math.ceil(performance.now()) + 2_000;
  context.mock.method(performance, 'now', () => time);
  const { mock } = context.mock.method(process, 'memoryUsage');
  const counts = [0, 1, 999, 1_000, 1_500, 2_000].map((milliseconds) => {
    const begin = time;
    time += milliseconds;
    processSamples();
    time = begin;
    return mock.callCount();
  });
  assert.deepEqual(counts, [1, 1, 1, 2, 2, 3]);
});

test('samples a process without requests', (context) => {
  const later = performance.now() + 10_000;
  context.mock.method(performance, 'now', () => later);
  context.mock.method(process, 'cpuUsage', () => ({ user: 2_000_000, system: 500_000 }));
  const metrics = new Metrics('1.2.3');
  const samples = metrics.samples();
  metrics.stop();
  const expected = {
    http_requests_in_flight: 0,
    http_connections_refused_total: 0,
    process_cpu_seconds_total: 2.5,
    process_start_time_seconds: performance.timeOrigin / 1_000,
    [`build_info{version="1.2.3",node="${process.version}"}`]: 1,
  };
  for (const [name, value] of Object.entries(expected)) assert.equal(samples[name], value, name);
});

test('samples the delay of the event loop since the sample before', async () => {
  const startedAt = performance.now();
  const metrics = new Metrics('1.0.0');
  const turn = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 50));
  const lag = 'nodejs_eventloop_lag_p99_seconds';
  await turn();
  // The loop is blocked for 0.3 s in one of few samples.
  for (const end = performance.now() + 300; performance.now() < end; );
  await turn();
  const blocked = Number(metrics.samples()[lag]);
  assert.ok(blocked > 0.2 && blocked * 1_000 < performance.now() - startedAt, String(blocked));
  assert.equal(metrics.samples()[lag], 0);
  metrics.stop();
});

test('samples the 99th percentile of the delay beyond the resolution of its timer', (context) => {
  let delay: number | undefined;
  context.mock.method(
    perfHooks,
    'monitorEventLoopDelay',
    ({ resolution }: { resolution: number }) => ({
      enable: () => true,
      disable: () => true,
      reset: () => undefined,
      percentile: (rank: number) => (delay === undefined ? NaN : (resolution + delay + rank) * 1e6),
    }),
  );
  syncBuiltinESMExports();
  context.after(() => {
    context.mock.restoreAll();
    syncBuiltinESMExports();
  });
  const metrics = new Metrics('1.0.0');
  const lag = (): unknown => metrics.samples()['nodejs_eventloop_lag_p99_seconds'];
  assert.equal(lag(), 0, 'before the first sample');
  delay = 1;
  assert.equal(lag(), 0.1);
  delay = -200;
  assert.equal(lag(), 0, 'a timer that fires early');
});

test(
  'samples the file descriptors and their limit',
  {
    skip: existsSync('/proc/self/limits') ? false : 'needs procfs',
  },
  () => {
    const samples = processSamples();
    const open = readdirSync('/proc/self/fd').length;
    assert.ok(Math.abs(Number(samples['process_open_fds']) - open) <= 2);
    const [, limit] = /Max open files +(\S+)/.exec(readFileSync('/proc/self/limits', 'utf8')) ?? [];
    assert.equal(samples['process_max_fds'], limit === 'unlimited' ? undefined : Number(limit));
  },
);

test('adds the samples of several processes, except the longest lag and the earliest start', () => {
  const one = new Metrics('1.0.0');
  const two = new Metrics('1.0.0');
  one.count('POST', '/a', 200, 0.01);
  two.count('POST', '/a', 200, 0.01);
  two.count('POST', '/a', 404, 0.01);
  one.inFlight = 2;
  two.inFlight = 3;
  two.closedConnections = 7;
  const text = exposition([
    { ...one.samples(), nodejs_eventloop_lag_p99_seconds: 0.1 },
    { ...two.samples(), nodejs_eventloop_lag_p99_seconds: 0.5, process_start_time_seconds: 1 },
  ]);
  for (const line of [
    'http_requests_total{method="POST",route="/a",status="200"} 2',
    'http_requests_total{method="POST",route="/a",status="404"} 1',
    'http_requests_in_flight 5',
    'http_connections_refused_total 7',
    'nodejs_eventloop_lag_p99_seconds 0.5',
    'process_start_time_seconds 1',
  ])
    assert.ok(text.includes(`\n${line}\n`), `${line}\n${text}`);
});

test('keeps the counters of a process that has exited, and drops its gauges', () => {
  const metrics = new Metrics('1.0.0');
  metrics.count('POST', '/a', 200, 0.01);
  metrics.countBulk('/a', 2, 3, 1);
  metrics.closedConnections = 2;
  metrics.inFlight = 5;
  const ended = addCounters(addCounters({}, metrics.samples()), metrics.samples());
  metrics.stop();
  const text = exposition([processSamples(), ended]);
  for (const line of [
    'http_requests_total{method="POST",route="/a",status="200"} 4',
    'http_request_duration_seconds_bucket{method="POST",route="/a",le="+Inf"} 2',
    'http_request_duration_seconds_sum{method="POST",route="/a"} 0.02',
    'bulk_lines_total{route="/a",outcome="success"} 6',
    'bulk_request_duration_seconds_bucket{route="/a",le="1"} 0',
    'bulk_request_duration_seconds_bucket{route="/a",le="5"} 2',
    'bulk_request_duration_seconds_sum{route="/a"} 4',
    'http_connections_refused_total 4',
  ])
    assert.ok(text.includes(`\n${line}\n`), `${line}\n${text}`);
  assert.ok(!('http_requests_in_flight' in ended) && !('process_resident_memory_bytes' in ended));
  assert.ok(Number(/\nprocess_resident_memory_bytes (\d+)\n/.exec(text)?.[1]) > 1e6);
});

test('serves /metrics only when enabled, and only for GET and HEAD', async () => {
  const get = { method: 'GET', target: '/metrics', headers: {} };
  assert.equal((await conformingService().answer(get, Buffer.alloc(0))).status, 404);
  const service = conformingService({ resources: [metricsResource(() => 'a 1\n')] });
  const answer = await service.answer(get, Buffer.alloc(0));
  assert.deepEqual(
    [answer.status, answer.contentType, answer.body],
    [200, 'text/plain; version=0.0.4; charset=utf-8', 'a 1\n'],
  );
  assert.equal((await service.answer({ ...get, method: 'POST' }, Buffer.alloc(0))).status, 405);
  const failing = metricsResource(() => {
    throw new Error('broken');
  });
  const broken = conformingService({ resources: [failing] });
  assert.equal((await broken.answer(get, Buffer.alloc(0))).status, 500);
});
