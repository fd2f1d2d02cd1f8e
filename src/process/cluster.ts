/**
 * Workers that share one port. The primary process answers no request: it replaces workers that exit, passes signals
 * on, and collects the samples of all workers for /metrics.
 */
import cluster, { type Worker } from 'node:cluster';
import { fieldsOf, type Log } from './log.ts';
import { addCounters, type Samples, processSamples } from './metrics.ts';

/** Uptime in milliseconds after which the exit of a worker no longer counts toward a crash loop. */
const HEALTHY_UPTIME = 10_000;
/** Milliseconds before a worker is replaced: the first time, and at most. */
const SHORTEST_DELAY = 100;
const LONGEST_DELAY = 5_000;
/** Consecutive exits of workers, each before HEALTHY_UPTIME, that make a crash loop. */
const MAXIMUM_EARLY_EXITS = 8;
/** Milliseconds within which a worker has to reply to the primary. */
const WORKER_TIMEOUT = 1_000;
/** Milliseconds within which the primary, which first asks all workers, has to reply to a worker. */
const PRIMARY_TIMEOUT = 2_000;

/** The messages between a worker and the primary. */
type Message =
  | { readonly failure: string }
  | { readonly ask: 'samples'; readonly id: number }
  | { readonly reply: readonly Samples[]; readonly id: number };

/** Options of the primary process. */
export interface SupervisorOptions {
  readonly workers: number;
  /** Milliseconds after which a worker that has not exited on SIGTERM is killed. */
  readonly killAfter: number;
  readonly log: Log;
  readonly onReady: (address: { readonly address: string; readonly port: number }) => void;
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
  /** The latest samples of each worker, and the counts of those that have exited, so that counters never fall. */
  private readonly latest = new Map<Worker, Samples>();
  private exited: Samples = {};

  constructor(options: SupervisorOptions) {
    this.options = options;
  }

  /** Starts the workers. Throws if this process is not permitted to start others. */
  start(): void {
    cluster.on('listening', (_worker, address) => this.onListening(address));
    cluster.on('message', (worker, message: Message) => {
      if ('failure' in message && !this.isStopping) this.stop(1, message.failure);
      if ('ask' in message) void this.collect().then((reply) => send(worker, { id: message.id, reply }));
    });
    for (let index = 0; index < this.options.workers; index += 1) this.fork();
  }

  /** Stops all workers, which finish their requests. The exit code is the first that is not 0. */
  stop(exitCode = 0, failure?: string): void {
    if (this.exitCode === 0) [this.exitCode, this.failure] = [exitCode, failure];
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
      // A process that could not be started has no exit event.
      log.line('error', 'error', fieldsOf(error));
      if (worker.process.pid === undefined) this.onWorkerExit(worker, startedAt, {});
    });
    worker.on('exit', (code, signal) =>
      this.onWorkerExit(worker, startedAt, { pid: worker.process.pid, code, signal }));
  }

  private onListening(address: Parameters<SupervisorOptions['onReady']>[0]): void {
    this.listening += 1;
    if (this.state !== 'starting' || this.listening < this.options.workers) return;
    this.state = 'running';
    this.options.onReady(address);
  }

  private onWorkerExit(worker: Worker, startedAt: number, fields: Readonly<Record<string, unknown>>): void {
    this.exited = addCounters(this.exited, this.latest.get(worker) ?? {});
    this.latest.delete(worker);
    if (this.isStopping) return this.finish();
    this.earlyExits = performance.now() - startedAt > HEALTHY_UPTIME ? 0 : this.earlyExits + 1;
    this.options.log.line('warn', 'worker exited', { ...fields, early_exits: this.earlyExits });
    if (this.state === 'starting') return this.stop(1, 'a worker exited before all had started');
    if (this.earlyExits >= MAXIMUM_EARLY_EXITS) {
      return this.stop(1, `workers keep exiting: ${this.earlyExits} in a row`);
    }
    this.replacements += 1;
    setTimeout(() => this.fork(), Math.min(LONGEST_DELAY, SHORTEST_DELAY * 2 ** this.earlyExits));
    return undefined;
  }

  private finish(): void {
    if (this.state === 'stopped' || liveWorkers().length > 0) return;
    this.state = 'stopped';
    this.options.onStopped(this.exitCode, this.failure);
  }

  /** The samples of this process and of all workers; for a worker that does not reply in time, its latest counters. */
  private async collect(): Promise<readonly Samples[]> {
    const replied = new Set<Worker>();
    await Promise.all(liveWorkers().map(async (worker) => {
      const [reply] = await ask(worker, WORKER_TIMEOUT);
      if (reply === undefined || worker.isDead()) return;
      this.latest.set(worker, reply);
      replied.add(worker);
    }));
    // Read together, because a worker that exits moves its counters from `latest` to `exited`.
    const samples = [...this.latest].map(([worker, latest]) =>
      (replied.has(worker) ? latest : addCounters({}, latest)));
    const workers = { workers: liveWorkers().length, worker_replacements_total: this.replacements };
    return [{ ...processSamples(), ...workers }, this.exited, ...samples];
  }
}

function liveWorkers(): Worker[] {
  return Object.values(cluster.workers ?? {}).filter((worker) => worker !== undefined && !worker.isDead()) as Worker[];
}

function killAll(signal: NodeJS.Signals): void {
  for (const worker of liveWorkers()) worker.process.kill(signal);
}

/** Replies to the primary with the samples of this worker. The returned function asks for those of all processes. */
export function joinWorkers(worker: Worker, samples: () => Samples): () => Promise<readonly Samples[]> {
  worker.on('message', (message: Message) => {
    if ('ask' in message) send(worker, { id: message.id, reply: [samples()] });
  });
  return () => ask(worker, PRIMARY_TIMEOUT);
}

/** Reports to the primary that this worker cannot start, and calls back when the report has been sent. */
export function reportFailure(worker: Worker, failure: string, sent: () => void): void {
  worker.process.send?.({ failure } satisfies Message, sent);
}

function send(peer: Worker, message: Message): void {
  // Without a callback, a channel that has closed would cause an 'error' event, which would end this process.
  peer.send(message, () => undefined);
}

// Shared by all questions of this process, so that each has an id of its own.
let lastId = 0;

/** Asks the peer process for samples; resolves to [] if it exits or does not reply within `timeout` milliseconds. */
function ask(peer: Worker, timeout: number): Promise<readonly Samples[]> {
  return new Promise((resolve) => {
    const id = (lastId += 1);
    const finish = (samples: readonly Samples[] = []): void => {
      clearTimeout(timer);
      peer.off('message', onMessage).off('disconnect', onDisconnect);
      resolve(samples);
    };
    const onMessage = (message: Message): void => {
      if ('reply' in message && message.id === id) finish(message.reply);
    };
    const onDisconnect = (): void => finish();
    const timer = setTimeout(finish, timeout);
    peer.on('message', onMessage).on('disconnect', onDisconnect);
    send(peer, { ask: 'samples', id });
  });
}
