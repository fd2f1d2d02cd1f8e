/**
 * Workers that share one port. The primary process answers nothing: it replaces workers that die, passes signals on,
 * and gathers their metrics.
 */
import cluster, { type Worker } from 'node:cluster';
import type { Log } from '../log.ts';
import type { Samples } from './metrics.ts';

/** A worker that lives this long has not died of its start; milliseconds. */
const HEALTHY_AGE = 10_000;
const SHORTEST_DELAY = 100;
const LONGEST_DELAY = 5_000;
/** Deaths in a row, each before HEALTHY_AGE, that make a crash loop. */
const CRASH_LOOP = 8;
/** Milliseconds that a process has to reply to another. */
const ASKING_TIME = 1_000;

/** What a worker and the primary say to each other. */
type Message =
  | { readonly failed: string }
  | { readonly ask: 'own samples' | 'all samples'; readonly id: number }
  | { readonly reply: readonly Samples[]; readonly id: number };

/** What the primary is told. */
export interface SupervisorOptions {
  readonly workers: number;
  /** Milliseconds after which a worker that was told to stop is killed. */
  readonly patience: number;
  readonly log: Log;
  readonly onReady: (address: { readonly address: string; readonly port: number }) => void;
  /** Called once, with the exit code, and a line for the operator where the workers could not start or stay up. */
  readonly onEnd: (exitCode: number, message?: string) => void;
}

/** Starts workers and keeps them running. The function returned stops them all; called again, it kills them. */
export function supervise({ workers, patience, log, onReady, onEnd }: SupervisorOptions): () => void {
  let state: 'starting' | 'running' | 'stopping' = 'starting';
  let ending: [exitCode: number, message?: string] = [0];
  let isOver = false;
  let deaths = 0;
  const everyone = (): Worker[] => Object.values(cluster.workers ?? {})
    .filter((worker) => worker !== undefined)
    .filter((worker) => !worker.isDead());
  const killAll = (signal: NodeJS.Signals): void => everyone().forEach((worker) => worker.process.kill(signal));
  const fork = (): void => {
    if (state === 'stopping') return;
    const worker = cluster.fork();
    const born = performance.now();
    worker.on('exit', (code, signal) => {
      if (state !== 'stopping') {
        deaths = performance.now() - born > HEALTHY_AGE ? 0 : deaths + 1;
        log.line('worker died', { pid: worker.process.pid, code, signal, deaths });
        if (state === 'starting') end(1, 'a worker ended before all had started', 'SIGTERM');
        else if (deaths >= CRASH_LOOP) end(1, `workers keep dying: ${deaths} in a row`, 'SIGTERM');
        else setTimeout(fork, Math.min(LONGEST_DELAY, SHORTEST_DELAY * 2 ** deaths));
      } else {
        finish();
      }
    });
  };
  const end = (exitCode: number, message: string | undefined, signal: NodeJS.Signals): void => {
    if (state !== 'stopping') {
      ending = message === undefined ? [exitCode] : [exitCode, message];
      setTimeout(killAll, patience, 'SIGKILL').unref();
    }
    state = 'stopping';
    killAll(signal);
    finish();
  };
  const finish = (): void => {
    if (isOver || everyone().length > 0) return;
    isOver = true;
    onEnd(...ending);
  };
  let listening = 0;
  cluster.on('listening', (_worker, address) => {
    listening += 1;
    if (listening !== workers) return;
    state = 'running';
    onReady(address);
  });
  cluster.on('message', (worker, message: Message) => {
    if ('failed' in message) end(1, message.failed, 'SIGTERM');
    if (!('ask' in message)) return;
    void Promise.all(everyone().map((other) => ask(other, 'own samples'))).then((samples) => {
      worker.send({ id: message.id, reply: samples.flat() } satisfies Message);
    });
  });
  for (let index = 0; index < workers; index += 1) fork();
  return () => end(0, undefined, state === 'stopping' ? 'SIGKILL' : 'SIGTERM');
}

/** The worker's side: tells its samples when asked. The function returned asks for those of all workers. */
export function joinWorkers(worker: Worker, samples: () => Samples): () => Promise<readonly Samples[]> {
  worker.on('message', (message: Message) => {
    if ('ask' in message) worker.send({ id: message.id, reply: [samples()] } satisfies Message);
  });
  return () => ask(worker, 'all samples');
}

/** Tells the primary that this worker cannot start, and calls back when that has been sent. */
export function tellFailure(worker: Worker, failed: string, sent: () => void): void {
  worker.process.send?.({ failed } satisfies Message, sent);
}

let lastId = 0;

/** Asks the process at the other end; nothing, if it does not reply in time. */
function ask(peer: Worker, question: 'own samples' | 'all samples'): Promise<readonly Samples[]> {
  return new Promise((resolve) => {
    const id = (lastId += 1);
    const finish = (samples: readonly Samples[] = []): void => {
      clearTimeout(timer);
      peer.off('message', listen);
      resolve(samples);
    };
    const listen = (message: Message): void => {
      if ('reply' in message && message.id === id) finish(message.reply);
    };
    const timer = setTimeout(finish, ASKING_TIME);
    peer.on('message', listen);
    peer.send({ ask: question, id } satisfies Message);
  });
}
