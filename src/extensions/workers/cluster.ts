/**
 * Workers that share one port. The primary process answers no request: it passes signals on, replaces workers that
 * exit, and joins the metrics of all processes.
 *
 * | state | begins when | a worker that exits |
 * |---|---|---|
 * | starting | the service starts | stops the service |
 * | running | all workers listen | is replaced |
 * | stopping | a signal arrives, or workers keep exiting | is awaited |
 * | stopped | all workers have exited | |
 *
 * Once per INTERVAL, the primary sends the text with the metrics of all processes to all workers, and each worker
 * responds with its samples, which become part of the next text. A worker shows a text when it is older than
 * SHOWN_AFTER, because all workers have received it by then, and the text before it until then. A counter therefore
 * never falls, whichever worker answers a scrape.
 */
import cluster, { type Address, type Worker } from 'node:cluster';
import { fieldsOf, type Log, type LogFields } from '../../command/log.ts';

/** Uptime in milliseconds after which the exit of a worker no longer counts toward a crash loop. */
const HEALTHY_UPTIME = 10_000;
/** Milliseconds before a worker is replaced: the first time, and at most. */
const SHORTEST_DELAY = 100;
const LONGEST_DELAY = 5_000;
/** Consecutive exits of workers, each before HEALTHY_UPTIME, that make a crash loop. */
const MAXIMUM_EARLY_EXITS = 8;
/** Milliseconds between two texts with the metrics of all processes. */
const INTERVAL = 700;
/** Milliseconds after which a worker shows a text: less than INTERVAL, so that it needs only one text before it. */
const SHOWN_AFTER = 500;

/** A message of a worker to the primary. */
type Report =
  | { readonly failure: string; readonly exitCode: number }
  | { readonly samples: Samples };

/** A message of the primary to a worker: the metrics of all processes in the text format. */
interface Exposition {
  readonly sentAt: number;
  readonly text: string;
  /** The text of the message before. */
  readonly previous: string;
}

const NO_EXPOSITION: Exposition = { sentAt: 0, text: '', previous: '' };

/** Values by their names: plain data that processes can exchange. */
type Samples = Readonly<Record<string, number>>;

/** The functions of the metrics that the primary needs, as parameters, because no extension imports another. */
export interface ProcessMetrics {
  /** The samples of any process, also of one that answers no requests. */
  readonly processSamples: () => Samples;
  /** The sums of the counters of two processes. */
  readonly addCounters: (left: Samples, right: Samples) => Samples;
  /** The samples of several processes as a text. */
  readonly exposition: (processes: readonly Samples[]) => string;
}

/** Options of the primary process. */
export interface SupervisorOptions {
  readonly workers: number;
  /** Milliseconds after which a worker that has not exited on SIGTERM is killed. */
  readonly killAfter: number;
  readonly log: Log;
  /** Joins the metrics of the workers, if they show any. */
  readonly metrics: ProcessMetrics | undefined;
  readonly onReady: (address: Address) => void;
  /** Called once with the exit code, and with a message for the operator if the workers could not keep running. */
  readonly onStopped: (exitCode: number, message?: string) => void;
}

/** The primary process: starts workers and keeps them running until it is stopped. */
export class Supervisor {
  private readonly options: SupervisorOptions;
  private state: 'starting' | 'running' | 'stopping' | 'stopped' = 'starting';
  private exitCode = 0;
  private failure: string | undefined;
  private listening = 0;
  private earlyExits = 0;
  private replacements = 0;
  /** The latest samples of each worker. */
  private readonly latest = new Map<Worker, Samples>();
  /** The counters of the workers that have exited, so that no counter falls. */
  private exited: Samples = {};
  private exposition = NO_EXPOSITION;
  /** Workers that have not received the last text. Further texts for a stopped worker would fill the memory. */
  private readonly receiving = new WeakSet<Worker>();

  constructor(options: SupervisorOptions) {
    this.options = options;
  }

  /** Starts the workers. Throws if this process is not permitted to start others. */
  start(): void {
    cluster.on('listening', (_worker, address) => this.onListening(address));
    cluster.on('message', (worker, report: Report) => {
      if ('samples' in report) this.onSamples(worker, report.samples);
      else if (!this.isStopping) this.stop(report.exitCode, report.failure);
    });
    const { metrics } = this.options;
    if (metrics !== undefined) {
      this.sendMetrics(metrics);
      setInterval(() => this.sendMetrics(metrics), INTERVAL).unref();
    }
    for (let index = 0; index < this.options.workers; index += 1) this.fork();
  }

  /** Stops all workers, which finish their requests. The exit code is the first that is not 0. */
  stop(exitCode = 0, failure?: string): void {
    if (this.exitCode === 0) {
      this.exitCode = exitCode;
      this.failure = failure;
    }
    if (this.isStopping) return;
    this.state = 'stopping';
    setTimeout(killAll, this.options.killAfter, 'SIGKILL').unref();
    killAll('SIGTERM');
    this.finish();
  }

  /** Kills the workers while they are being stopped. */
  kill(exitCode: number): void {
    this.exitCode = exitCode;
    killAll('SIGKILL');
  }

  /** Whether the workers are being stopped, or have been. */
  get isStopping(): boolean {
    return this.state === 'stopping' || this.state === 'stopped';
  }

  private fork(): void {
    if (this.isStopping) return;
    const worker = cluster.fork();
    const startedAt = performance.now();
    const { log } = this.options;
    worker.on('error', (error) => {
      // With a process id, the error is that of a message to a worker that has exited, which has an exit event.
      if (worker.process.pid !== undefined) return;
      log.line('error', 'error', fieldsOf(error));
      this.onWorkerExit(worker, startedAt, {});
    });
    worker.on('exit', (code, signal) =>
      this.onWorkerExit(worker, startedAt, { pid: worker.process.pid, code, signal }),
    );
  }

  private onSamples(worker: Worker, samples: Samples): void {
    // A message may arrive after the exit of its worker, whose counters have been added to `exited`.
    if (worker.isDead()) return;
    if (!this.latest.has(worker)) this.sendExposition(worker);
    this.latest.set(worker, samples);
  }

  private onListening(address: Address): void {
    this.listening += 1;
    if (this.state !== 'starting' || this.listening < this.options.workers) return;
    this.state = 'running';
    this.options.onReady(address);
  }

  private onWorkerExit(worker: Worker, startedAt: number, fields: LogFields): void {
    const { metrics } = this.options;
    const last = this.latest.get(worker);
    if (metrics && last) this.exited = metrics.addCounters(this.exited, last);
    this.latest.delete(worker);
    if (this.isStopping) {
      this.finish();
      return;
    }
    this.earlyExits = performance.now() - startedAt > HEALTHY_UPTIME ? 0 : this.earlyExits + 1;
    this.options.log.line('warn', 'worker exited', { ...fields, early_exits: this.earlyExits });
    if (this.state === 'starting') {
      this.stop(1, 'a worker exited before all had started');
    } else if (this.earlyExits >= MAXIMUM_EARLY_EXITS) {
      this.stop(1, `workers keep exiting: ${this.earlyExits} in a row`);
    } else {
      this.replacements += 1;
      setTimeout(() => this.fork(), Math.min(LONGEST_DELAY, SHORTEST_DELAY * 2 ** this.earlyExits));
    }
  }

  private finish(): void {
    if (this.state === 'stopped' || liveWorkers().length > 0) return;
    this.state = 'stopped';
    this.options.onStopped(this.exitCode, this.failure);
  }

  /** Joins the samples of this process, of all workers, and of those that have exited. */
  private sendMetrics({ processSamples, exposition }: ProcessMetrics): void {
    const own = {
      ...processSamples(),
      workers: liveWorkers().length,
      worker_replacements_total: this.replacements,
    };
    const text = exposition([own, this.exited, ...this.latest.values()]);
    this.exposition = {
      sentAt: sharedClock(),
      text,
      previous: this.exposition.text || text,
    };
    for (const worker of this.latest.keys()) this.sendExposition(worker);
  }

  private sendExposition(worker: Worker): void {
    if (this.receiving.has(worker)) return;
    this.receiving.add(worker);
    worker.send(this.exposition, () => this.receiving.delete(worker));
  }
}

function liveWorkers(): Worker[] {
  return Object.values(cluster.workers ?? {}).filter(
    (worker) => worker !== undefined && !worker.isDead(),
  ) as Worker[];
}

function killAll(signal: NodeJS.Signals): void {
  for (const worker of liveWorkers()) worker.process.kill(signal);
}

/**
 * Reports the samples of this worker to the primary, at once and in response to each text. The returned function shows
 * the metrics of all processes. Call it before the worker listens: messages arrive in order, so that the worker has the
 * first text before its first connection.
 */
export function joinWorkers(worker: Worker, samples: () => Samples): () => string {
  let latest = NO_EXPOSITION;
  const report = (): void => {
    // Without a callback, a channel that has closed would cause an 'error' event, which would end this process.
    worker.send({ samples: samples() } satisfies Report, () => undefined);
  };
  worker.on('message', (message: Exposition) => {
    latest = message;
    report();
  });
  report();
  return () => (sharedClock() >= latest.sentAt + SHOWN_AFTER ? latest.text : latest.previous);
}

/** Milliseconds on a clock that all processes of a machine share, and that never goes back. */
function sharedClock(): number {
  return Number(process.hrtime.bigint() / 1_000_000n);
}

/** Reports to the primary that this worker cannot start, and calls back when the report has been sent. */
export function reportFailure(
  worker: Worker,
  failure: string,
  exitCode: number,
  sent: () => void,
): void {
  worker.process.send?.({ failure, exitCode } satisfies Report, sent);
}
