import assert from 'node:assert/strict';
import type { ChildProcess } from 'node:child_process';
import { randomInt } from 'node:crypto';
import events from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import net from 'node:net';
import type { TestContext } from 'node:test';
import { descriptorLimit } from '../../src/command/descriptors.ts';
import { spawn } from './child.ts';
import { command } from './repository.ts';
import { once, within } from './until.ts';

/** A run of the command, which is killed at the end of the test. */
export interface Run {
  readonly child: ChildProcess;
  /** The complete lines of standard output so far. */
  readonly lines: string[];
  /** The standard error so far. */
  errors: string;
  /** The messages of the log so far, except those about the machine. */
  messages(): string[];
  /** Resolves to the first log line with a message, `ready` for example. */
  event(name: string): Promise<Record<string, unknown>>;
  /** Resolves to the address and the port of the service when it listens. */
  ready(): Promise<{ readonly address: string; readonly port: number }>;
  /** Resolves to the exit code, or to the signal that ended the process. */
  ended(): Promise<number | string>;
  /** Sends SIGTERM, after which the process must exit with 0. */
  stop(): Promise<void>;
}

/** Messages that depend on the day of the run, the limits of its user, or the version of Node.js. */
const ABOUT_MACHINE = ['law outdated', 'few descriptors', 'unknown parser'];

/** Starts the command, or another script, in an environment without any other setting. */
export function run(
  test: TestContext,
  args: readonly string[] = [],
  environment: Readonly<Record<string, string>> = {},
  nodeOptions: readonly string[] = [],
  script: string = command,
): Run {
  const words = [...nodeOptions, script, ...args];
  const child = spawn(process.execPath, words, { stdio: ['pipe', 'pipe', 'pipe'] }, environment);
  test.after(() => void child.kill('SIGKILL'));
  const exit = events.once(child, 'close');
  const lines: string[] = [];
  let waiting: (() => void)[] = [];
  let rest = '';
  child.stdout!.setEncoding('utf8').on('data', (text: string) => {
    const parts = (rest + text).split('\n');
    rest = parts.pop() ?? '';
    lines.push(...parts);
    for (const wake of waiting) wake();
    waiting = [];
  });
  const result: Run = {
    child,
    lines,
    errors: '',
    messages() {
      const messages = lines.map((line) => (JSON.parse(line) as { msg: string }).msg);
      return messages.filter((message) => !ABOUT_MACHINE.includes(message));
    },
    async event(name) {
      for (;;) {
        const written = lines.map((line) => JSON.parse(line) as Record<string, unknown>);
        const found = written.find(({ msg }) => msg === name);
        if (found !== undefined) return found;
        const line = new Promise<void>((resolve) => waiting.push(resolve));
        const ended = await within(`a line, ${name}`, Promise.race([exit, line]));
        if (ended !== undefined) throw new Error(`ended before ${name}: ${result.errors}`);
      }
    },
    async ready() {
      const address = String((await result.event('ready'))['address']);
      return { address, port: Number(new URL(address).port) };
    },
    async ended() {
      const [code, signal] = (await within('the end of the process', exit)) as [
        number | null,
        string | null,
      ];
      return code ?? String(signal);
    },
    async stop() {
      child.kill('SIGTERM');
      assert.equal(await result.ended(), 0, result.errors);
    },
  };
  child.stderr!.setEncoding('utf8').on('data', (text: string) => {
    result.errors += text;
  });
  return result;
}

/** The resident memory of a process in megabytes, from procfs. */
export function residentMemory({ pid }: Pick<ChildProcess, 'pid'>): number {
  return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024;
}

/** Asserts that the memory of a process, in megabytes, does not grow with the work that it has done. */
export function assertConstantMemory(samples: readonly number[]): void {
  const early = Math.max(...samples.slice(0, 4));
  // The least of several samples, because the memory grows until it is collected.
  const late = Math.min(...samples.slice(-4));
  assert.ok(late - early < 25, `at most ${early} MB, then at least ${late} MB`);
}

/** The processor time of a process and its threads in milliseconds, from procfs. */
export function processorTime({ pid }: Pick<ChildProcess, 'pid'>): number {
  const tasks = `/proc/${pid}/task`;
  const nanoseconds = readdirSync(tasks).map((thread) =>
    Number.parseInt(readFileSync(`${tasks}/${thread}/schedstat`, 'utf8'), 10),
  );
  return nanoseconds.reduce((sum, time) => sum + time, 0) / 1e6;
}

/** The option `skip` of a test that opens many file descriptors in one process. */
export function needsDescriptors(count: number): false | string {
  const limit = descriptorLimit() ?? Infinity;
  return limit < count && `needs ${count} file descriptors, of which the limit is ${limit}`;
}

/** The ports of `freePort`: below those that operating systems choose for a socket without one. */
const FIRST_PORT = 20_000;
const PORT_COUNT = 12_000;

async function listen(port: number): Promise<net.Server> {
  const server = net.createServer().listen(port, '127.0.0.1');
  await once(server, 'listening');
  return server.unref();
}

/**
 * A loopback port that was free a moment ago, and that no server with the port 0 is given before the service listens: a
 * test that polls the service would send requests to the server of another test. A server on another port, PORT_COUNT
 * below, claims it until the process of the test ends, because a service that restarts does not listen for a moment.
 */
export async function freePort(): Promise<number> {
  const port = FIRST_PORT + randomInt(PORT_COUNT);
  try {
    await listen(port - PORT_COUNT);
    const server = await listen(port);
    server.close();
    await once(server, 'close');
    return port;
  } catch {
    return await freePort();
  }
}
