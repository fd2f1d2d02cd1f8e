import { monitorEventLoopDelay } from 'node:perf_hooks';

/** Samples by their names in the Prometheus text format, labels included: plain data that processes can exchange. */
export type Samples = Readonly<Record<string, number>>;

/** All metrics: name, kind, help text, and the function that joins the samples of several processes. */
const FAMILIES = [
  ['http_requests_total', 'counter', 'Answers by path and status', 'sum'],
  ['http_request_duration_seconds', 'histogram', 'Time from the headers of a request to its answer', 'sum'],
  ['bulk_lines_total', 'counter', 'Lines of bulk requests by path and outcome', 'sum'],
  ['http_requests_in_flight', 'gauge', 'Requests that are being answered', 'sum'],
  ['http_connections_refused_total', 'counter', 'Connections closed because of MAX_CONNECTIONS', 'sum'],
  ['nodejs_eventloop_lag_seconds', 'gauge', 'Delay of the event loop, 99th percentile', 'max'],
  ['process_resident_memory_bytes', 'gauge', 'Resident memory', 'sum'],
  ['process_start_time_seconds', 'gauge', 'Start time of the process in Unix time', 'min'],
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
export class Metrics {
  /** Requests that have begun and are not yet answered. */
  inFlight = 0;
  /** Connections over the limit, closed at once. */
  refused = 0;
  private readonly operations = new Map<string, Counts>();
  private readonly lines = new Map<string, number>();
  private readonly delay = monitorEventLoopDelay({ resolution: DELAY_RESOLUTION });

  constructor() {
    this.delay.enable();
  }

  /** Counts an answer of an operation and its duration, which is undefined for a request that was refused unread. */
  count(operation: string, status: number, seconds?: number): void {
    const counts = this.operations.get(operation) ?? { statuses: new Map(), buckets: BUCKETS.map(() => 0), seconds: 0 };
    this.operations.set(operation, counts);
    counts.statuses.set(status, (counts.statuses.get(status) ?? 0) + 1);
    if (seconds === undefined) return;
    counts.seconds += seconds;
    counts.buckets[BUCKETS.findIndex((bound) => seconds <= bound)]! += 1;
  }

  /** Counts the lines of a bulk request that has ended. */
  countLines(operation: string, succeeded: number, failed: number): void {
    for (const [outcome, count] of [['success', succeeded], ['error', failed]] as const) {
      const name = `bulk_lines_total{operation="${operation}",outcome="${outcome}"}`;
      this.lines.set(name, (this.lines.get(name) ?? 0) + count);
    }
  }

  /** All samples; the delay of the event loop is measured since the last call. */
  samples(): Samples {
    const lag = Math.max(0, this.delay.percentile(99) / 1e6 - DELAY_RESOLUTION) / 1000;
    this.delay.reset();
    return {
      ...Object.fromEntries(this.lines),
      ...Object.fromEntries([...this.operations].flatMap(samplesOf)),
      http_requests_in_flight: this.inFlight,
      http_connections_refused_total: this.refused,
      nodejs_eventloop_lag_seconds: lag || 0,
      ...processSamples(),
    };
  }

  /** Stops measuring the event loop. */
  stop(): void {
    this.delay.disable();
  }
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
export function processSamples(): Samples {
  return {
    process_resident_memory_bytes: process.memoryUsage.rss(),
    process_start_time_seconds: performance.timeOrigin / 1000,
  };
}

/** The sums of the counters and histograms of two processes; gauges are left out. */
export function addCounters(left: Samples, right: Samples): Samples {
  const sums = new Map<string, number>();
  for (const [name, value] of [...Object.entries(left), ...Object.entries(right)]) {
    const family = FAMILIES.find(([prefix]) => name.startsWith(prefix));
    if (family?.[1] !== 'gauge') sums.set(name, (sums.get(name) ?? 0) + value);
  }
  return Object.fromEntries(sums);
}

/** The samples of several processes, joined, in the Prometheus text format, version 0.0.4. */
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
