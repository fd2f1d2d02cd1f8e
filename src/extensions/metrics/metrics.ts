/** The metrics of a process, and their text format. */
import { readdirSync } from 'node:fs';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { descriptorLimit } from '../../command/descriptors.ts';
import { failureOf } from '../../contract/failure.ts';
import { type Answer, envelopeAnswer, textAnswer } from '../../service/answer.ts';
import { METHODS } from '../../service/request.ts';
import type { Resource } from '../../service/service.ts';

/** Samples by their names in the Prometheus text format, labels included: plain data that processes can exchange. */
export type Samples = Readonly<Record<string, number>>;

/** The media type of the Prometheus text format; without its version, a reader has to guess the format. */
const EXPOSITION_TYPE = 'text/plain; version=0.0.4';

/**
 * The help texts of all metrics, by their names, whose ends are the conventions of Prometheus: `_total` is a counter,
 * and here `_duration_seconds` is a histogram; any other metric is a gauge.
 */
const FAMILIES = {
  http_requests_total: 'Answers by method, route and status',
  http_request_duration_seconds:
    'Time from the headers of a single request to its answer, by method and route',
  bulk_request_duration_seconds:
    'Time from the headers of a bulk request to its last answer, by route',
  bulk_lines_total: 'Lines of bulk requests by route and outcome',
  mcp_calls_total: 'Calls over MCP by tool and outcome',
  bulk_memory_used_bytes: 'Memory used by the bodies of bulk requests in progress',
  bulk_memory_limit_bytes: 'Memory for the bodies of bulk requests',
  http_requests_in_flight: 'Requests that are being answered',
  http_connections_refused_total: 'Connections closed because of MAX_CONNECTIONS',
  workers: 'Worker processes that are alive; absent without workers',
  worker_replacements_total: 'Worker processes started to replace those that exited',
  nodejs_eventloop_lag_p99_seconds:
    'Delay of the event loop since the last scrape, or 0.7 s with workers, p99',
  nodejs_heap_size_used_bytes: 'Used heap of V8',
  nodejs_heap_size_total_bytes: 'Allocated heap of V8',
  process_cpu_seconds_total: 'CPU time, user and system',
  process_resident_memory_bytes: 'Resident memory',
  process_open_fds: 'Open file descriptors; absent if /proc cannot be read',
  process_max_fds: 'Maximum open file descriptors; absent if unlimited or unknown',
  process_start_time_seconds: 'Start time of the process in Unix time',
  tax_law_reviewed_through_timestamp_seconds:
    'End of the last month up to which the tax law has been reviewed, in Unix time',
  build_info: 'Always 1; the version of the service and of Node',
};

/** The functions that join the values of several processes, by the names of metrics. All others are added. */
const JOINS: Readonly<Record<string, (left: number, right: number) => number>> = {
  nodejs_eventloop_lag_p99_seconds: Math.max,
  process_start_time_seconds: Math.min,
  tax_law_reviewed_through_timestamp_seconds: Math.min,
  build_info: Math.max,
};

/** Upper bounds of the buckets in seconds: of single requests, and of bulk requests, which may take minutes. */
const BUCKETS = [
  0.0005,
  0.001,
  0.0025,
  0.005,
  0.01,
  0.025,
  0.05,
  0.1,
  0.25,
  0.5,
  1,
  2.5,
  5,
  10,
  Infinity,
];
const BULK_BUCKETS = [0.01, 0.1, 0.5, 1, 5, 10, 30, 60, 300, 600, Infinity];
/** Methods with a label of their own; the others are `other`, because their number is not bounded by this service. */
const LABELLED_METHODS = METHODS.split(', ');

/** Milliseconds between two samples of the delay of the event loop. */
const DELAY_RESOLUTION = 20;

class Histogram {
  private readonly name: string;
  private readonly labels: string;
  private readonly bounds: readonly number[];
  private readonly counts: number[];
  private sum = 0;

  constructor(name: string, labels: string, bounds: readonly number[]) {
    this.name = name;
    this.labels = labels;
    this.bounds = bounds;
    this.counts = bounds.map(() => 0);
  }

  add(seconds: number): void {
    this.sum += seconds;
    this.counts[this.bounds.findIndex((bound) => seconds <= bound)]! += 1;
  }

  samples(): [string, number][] {
    const { name, labels } = this;
    let total = 0;
    const buckets = this.counts.map((count, index): [string, number] => {
      total += count;
      const bound = this.bounds[index] === Infinity ? '+Inf' : this.bounds[index];
      return [`${name}_bucket{${labels},le="${bound}"}`, total];
    });
    return [...buckets, [`${name}_sum{${labels}}`, this.sum], [`${name}_count{${labels}}`, total]];
  }
}

/** The counts of one process. */
export class Metrics {
  /** Requests that have begun and are not yet answered. */
  inFlight = 0;
  /** Connections closed because of MAX_CONNECTIONS. */
  closedConnections = 0;
  private readonly version: string;
  /** The counts of the samples without a histogram, by their names. */
  private readonly counters = new Map<string, number>();
  /** The durations by their labels, which differ between single and bulk requests. */
  private readonly durations = new Map<string, Histogram>();
  private readonly delay = monitorEventLoopDelay({ resolution: DELAY_RESOLUTION });

  /** Begins to measure the event loop; `version` is that of the service. */
  constructor(version: string) {
    this.version = version;
    this.delay.enable();
  }

  /** Counts an answer and, of a single request that was read, its duration. */
  count(method: string, route: string, status: number, seconds?: number): void {
    const label = LABELLED_METHODS.includes(method) ? method : 'other';
    const labels = `method="${label}",route="${route}"`;
    this.increase(`http_requests_total{${labels},status="${status}"}`, 1);
    if (seconds === undefined) return;
    this.addDuration('http_request_duration_seconds', labels, BUCKETS, seconds);
  }

  /** Counts a bulk request that has ended, and its lines. */
  countBulk(route: string, seconds: number, succeeded: number, failed: number): void {
    this.count('POST', route, 200);
    this.increase(`bulk_lines_total{route="${route}",outcome="success"}`, succeeded);
    this.increase(`bulk_lines_total{route="${route}",outcome="error"}`, failed);
    const labels = `route="${route}"`;
    this.addDuration('bulk_request_duration_seconds', labels, BULK_BUCKETS, seconds);
  }

  /** Counts the call of a tool. */
  countCall({ tool, outcome }: NonNullable<Answer['facts']>): void {
    this.increase(`mcp_calls_total{tool="${tool}",outcome="${outcome}"}`, 1);
  }

  /** All samples; the delay of the event loop is measured since the last call. */
  samples(): Samples {
    // Each measured delay includes the interval of its timer.
    const lag = Math.max(0, this.delay.percentile(99) / 1e6 - DELAY_RESOLUTION) / 1000;
    this.delay.reset();
    const durations = [...this.durations.values()].flatMap((histogram) => histogram.samples());
    return {
      ...Object.fromEntries([...this.counters, ...durations]),
      http_requests_in_flight: this.inFlight,
      http_connections_refused_total: this.closedConnections,
      // NaN before the first sample.
      nodejs_eventloop_lag_p99_seconds: lag || 0,
      [`build_info{version="${this.version}",node="${process.version}"}`]: 1,
      ...processSamples(),
    };
  }

  /** Stops measuring the event loop. */
  stop(): void {
    this.delay.disable();
  }

  private increase(name: string, count: number): void {
    this.counters.set(name, (this.counters.get(name) ?? 0) + count);
  }

  private addDuration(
    name: string,
    labels: string,
    bounds: readonly number[],
    seconds: number,
  ): void {
    let histogram = this.durations.get(labels);
    if (histogram === undefined) {
      histogram = new Histogram(name, labels, bounds);
      this.durations.set(labels, histogram);
    }
    histogram.add(seconds);
  }
}

/** Milliseconds for which the samples of the process are kept, because counting 10,000 descriptors takes 5 ms. */
const SAMPLING_TIME = 1_000;
// Shared by all metrics of the process, which they describe.
let processState = { sampledAt: -Infinity, samples: {} as Samples };

/** The samples of any process, also of one that answers no requests, from the last SAMPLING_TIME. */
export function processSamples(): Samples {
  const now = performance.now();
  if (now - processState.sampledAt >= SAMPLING_TIME) {
    processState = { sampledAt: now, samples: takeSamples() };
  }
  return processState.samples;
}

function takeSamples(): Samples {
  const { heapUsed, heapTotal, rss } = process.memoryUsage();
  const { user, system } = process.cpuUsage();
  return {
    nodejs_heap_size_used_bytes: heapUsed,
    nodejs_heap_size_total_bytes: heapTotal,
    process_cpu_seconds_total: (user + system) / 1e6,
    process_resident_memory_bytes: rss,
    ...descriptorSamples(),
    process_start_time_seconds: performance.timeOrigin / 1000,
  };
}

/** The open file descriptors and their limit. */
function descriptorSamples(): Samples {
  const limit = descriptorLimit();
  try {
    return {
      process_open_fds: readdirSync('/proc/self/fd').length,
      ...(limit !== undefined && { process_max_fds: limit }),
    };
  } catch {
    // Only Linux has this folder, and Node's permission model may deny it.
    return {};
  }
}

/** The sums of the counters and histograms of two processes; gauges are left out. */
export function addCounters(left: Samples, right: Samples): Samples {
  const counters = [...joined([left, right])].filter(
    ([name]) => kindOf(familyOf(name)) !== 'gauge',
  );
  return Object.fromEntries(counters);
}

/** The samples of several processes, joined, in the Prometheus text format. */
export function exposition(processes: readonly Samples[]): string {
  const lines = new Map<string, string>();
  for (const [name, value] of joined(processes)) {
    const family = familyOf(name);
    lines.set(family, `${lines.get(family) ?? ''}${name} ${value}\n`);
  }
  return Object.entries(FAMILIES)
    .map(([family, help]) => {
      const head = `# HELP ${family} ${help}\n# TYPE ${family} ${kindOf(family)}\n`;
      return head + (lines.get(family) ?? '');
    })
    .join('');
}

/** The samples of several processes, joined. */
function joined(processes: readonly Samples[]): ReadonlyMap<string, number> {
  const samples = new Map<string, number>();
  for (const [name, value] of processes.flatMap((one) => Object.entries(one))) {
    const before = samples.get(name);
    const join = JOINS[familyOf(name)] ?? sum;
    samples.set(name, before === undefined ? value : join(before, value));
  }
  return samples;
}

function sum(left: number, right: number): number {
  return left + right;
}

/** The name of the metric to which a sample belongs: without its labels, and without a suffix of histograms. */
function familyOf(sample: string): string {
  return sample.replace(/(?:_bucket|_sum|_count)?(?:\{.*)?$/, '');
}

function kindOf(family: string): 'counter' | 'histogram' | 'gauge' {
  if (family.endsWith('_total')) return 'counter';
  return family.endsWith('_duration_seconds') ? 'histogram' : 'gauge';
}

/** GET /metrics. A script of another origin, whose requests have an Origin, gets 404. */
export function metricsResource(text: () => string): Resource {
  return {
    path: '/metrics',
    kind: 'get',
    answer: ({ headers }) =>
      headers['origin'] === undefined
        ? textAnswer(EXPOSITION_TYPE, text())
        : envelopeAnswer(failureOf('not_found')),
  };
}
