import { monitorEventLoopDelay } from 'node:perf_hooks';

/** Samples by their name in the Prometheus text format, labels included: plain data, which processes can exchange. */
export type Samples = Readonly<Record<string, number>>;

/** What is measured: name, kind, meaning, and how the samples of several processes become one. */
const FAMILIES = [
  ['http_requests_total', 'counter', 'Answers by operation and status', 'sum'],
  ['http_request_duration_seconds', 'histogram', 'Time from the header of a request to its answer', 'sum'],
  ['bulk_lines_total', 'counter', 'Lines of streams by operation and outcome', 'sum'],
  ['http_requests_in_flight', 'gauge', 'Requests begun and not yet answered', 'sum'],
  ['http_connections_refused_total', 'counter', 'Connections closed at once, being over the limit', 'sum'],
  ['nodejs_eventloop_lag_seconds', 'gauge', 'Delay of the event loop, 99th percentile', 'max'],
  ['process_resident_memory_bytes', 'gauge', 'Resident memory', 'sum'],
  ['process_start_time_seconds', 'gauge', 'Start of the process in Unix time', 'min'],
] as const;

/** Upper bounds of the buckets of the duration histogram, in seconds. */
const BUCKETS = [0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.5, 1, 10, Infinity];

/** Milliseconds between two samples of the delay of the event loop. */
const DELAY_RESOLUTION = 20;

interface Counts {
  readonly statuses: Map<number, number>;
  readonly buckets: number[];
  seconds: number;
}

/** The counts of one process. */
export interface Metrics {
  inFlight: number;
  refused: number;
  /** Counts an answer of an operation, with the seconds that it took; without them, a request refused unread. */
  readonly count: (operation: string, status: number, seconds?: number) => void;
  /** Counts the lines of a stream that has ended. */
  readonly countLines: (operation: string, succeeded: number, failed: number) => void;
  /** All samples now; the delay of the event loop is that since the last call. */
  readonly samples: () => Samples;
  /** Stops the measurement of the event loop. */
  readonly stop: () => void;
}

/** Starts counting. */
export function createMetrics(): Metrics {
  const operations = new Map<string, Counts>();
  const lines = new Map<string, number>();
  const delay = monitorEventLoopDelay({ resolution: DELAY_RESOLUTION });
  delay.enable();
  const countLine = (operation: string, outcome: string, count: number): void => {
    const name = `bulk_lines_total{operation="${operation}",outcome="${outcome}"}`;
    lines.set(name, (lines.get(name) ?? 0) + count);
  };
  const metrics: Metrics = {
    inFlight: 0,
    refused: 0,
    count(operation, status, seconds) {
      const counts = operations.get(operation) ?? { statuses: new Map(), buckets: BUCKETS.map(() => 0), seconds: 0 };
      operations.set(operation, counts);
      counts.statuses.set(status, (counts.statuses.get(status) ?? 0) + 1);
      if (seconds === undefined) return;
      counts.seconds += seconds;
      counts.buckets[BUCKETS.findIndex((bound) => seconds <= bound)]! += 1;
    },
    countLines(operation, succeeded, failed) {
      countLine(operation, 'success', succeeded);
      countLine(operation, 'error', failed);
    },
    samples() {
      const lag = Math.max(0, delay.percentile(99) / 1e6 - DELAY_RESOLUTION) / 1000;
      delay.reset();
      return {
        ...Object.fromEntries(lines),
        ...Object.fromEntries([...operations].flatMap(samplesOf)),
        http_requests_in_flight: metrics.inFlight,
        http_connections_refused_total: metrics.refused,
        nodejs_eventloop_lag_seconds: lag || 0,
        process_resident_memory_bytes: process.memoryUsage.rss(),
        process_start_time_seconds: startTime(),
      };
    },
    stop: () => void delay.disable(),
  };
  return metrics;
}

function samplesOf([operation, { statuses, buckets, seconds }]: [string, Counts]): [string, number][] {
  const label = `operation="${operation}"`;
  let total = 0;
  return [
    ...[...statuses].map(([status, count]): [string, number] =>
      [`http_requests_total{${label},status="${status}"}`, count]),
    ...buckets.map((count, index): [string, number] => {
      total += count;
      const bound = BUCKETS[index] === Infinity ? '+Inf' : BUCKETS[index];
      return [`http_request_duration_seconds_bucket{${label},le="${bound}"}`, total];
    }),
    [`http_request_duration_seconds_sum{${label}}`, seconds],
    [`http_request_duration_seconds_count{${label}}`, total],
  ];
}

/** The samples of a process that answers no requests. */
export function samplesOfPrimary(): Samples {
  return { process_resident_memory_bytes: process.memoryUsage.rss(), process_start_time_seconds: startTime() };
}

function startTime(): number {
  return performance.timeOrigin / 1000;
}

/** The sums of the counters and histograms of two processes; what has no sum over time is left out. */
export function addCounters(left: Samples, right: Samples): Samples {
  const sums = new Map<string, number>();
  for (const [name, value] of [...Object.entries(left), ...Object.entries(right)]) {
    const family = FAMILIES.find(([prefix]) => name.startsWith(prefix));
    if (family?.[1] !== 'gauge') sums.set(name, (sums.get(name) ?? 0) + value);
  }
  return Object.fromEntries(sums);
}

/** The samples of several processes in the Prometheus text format, version 0.0.4, as those of one. */
export function exposition(processes: readonly Samples[]): string {
  const joins = {
    sum: (left: number, right: number): number => left + right,
    max: Math.max,
    min: Math.min,
  };
  return FAMILIES.map(([family, kind, help, join]) => {
    const joined = new Map<string, number>();
    for (const [name, value] of processes.flatMap((samples) => Object.entries(samples))) {
      const before = joined.get(name);
      if (name.startsWith(family)) joined.set(name, before === undefined ? value : joins[join](before, value));
    }
    const lines = [...joined].map(([name, value]) => `${name} ${value}\n`);
    return `# HELP ${family} ${help}\n# TYPE ${family} ${kind}\n${lines.join('')}`;
  }).join('');
}
