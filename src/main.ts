#!/usr/bin/env node
/** The command. No other file reads arguments, environment or signals, or ends the process. */
import cluster from 'node:cluster';
import { createReadStream } from 'node:fs';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Readable } from 'node:stream';
import { JSON_TYPE } from './contract/media-types.ts';
import { escapeInvisible, quoted } from './contract/escape.ts';
import { serviceOf } from './http/service.ts';
import { createApp } from './node/app.ts';
import { GracefulServer } from './node/server.ts';
import { hasParser } from './node/undocumented.ts';
import { operations } from './operations.ts';
import { calculate, calculateOne, calculationHelp, calculationsOf } from './process/calc.ts';
import { joinWorkers, reportFailure, Supervisor } from './process/cluster.ts';
import { connectionCapacity } from './process/descriptors.ts';
import { createLog, fieldsOf, type Log, NO_LOG } from './process/log.ts';
import type { Samples } from './process/metrics.ts';
import { helpText, parseCommand } from './settings/command-line.ts';
import {
  type CommandSettings,
  milliseconds,
  serverLimits,
  workerCount,
} from './settings/process-settings.ts';
import { ConfigError, serviceOptions, VERSION } from './settings/service-settings.ts';
import { periodAt } from './tax/tax.ts';

const calculations = calculationsOf(operations);
/** The connections for which each process has descriptors. */
const CAPACITY = connectionCapacity();
/** The signals that stop the service, with their numbers; a terminal that is closed sends SIGHUP. */
const SIGNALS = { SIGHUP: 1, SIGINT: 2, SIGTERM: 15 } as const;
/** Milliseconds from the shutdown deadline of a worker until the primary process kills it. */
const KILL_DELAY = 2_000;
/**
 * Milliseconds after a signal during which further signals belong to it: npm and `timeout` forward a signal that the
 * whole process group has received, and systemd may send SIGHUP together with SIGTERM.
 */
const SIGNAL_TIME = 500;
/** The setting that is the cause of an error when the service begins to listen. */
const LISTEN_ERRORS: Readonly<Record<string, string>> = {
  EADDRINUSE: 'PORT',
  EACCES: 'PORT',
  EADDRNOTAVAIL: 'HOST',
  EINVAL: 'HOST',
  ENOTFOUND: 'HOST',
  EAI_AGAIN: 'HOST',
};
const HEALTHCHECK_TIMEOUT = 3_000;
/** The addresses at which a service that listens on all of them is checked. */
const LOOPBACK: Readonly<Record<string, string>> = { '0.0.0.0': '127.0.0.1', '::': '::1' };
/** The script of `node -`, which workers would wait for on an input of their own. */
const STANDARD_INPUT = '-';
/** The exit code for an invalid argument or setting; 1 is a failure of the service or of a calculation. */
const USAGE_ERROR = 2;

/** Serves HTTP in this process until a signal; in a worker, until the primary process sends one. */
function serve(settings: CommandSettings, log: Log): void {
  const { worker } = cluster;
  const join = worker && ((samples: () => Samples) => joinWorkers(worker, samples));
  const app = createApp(settings, operations, log, join);
  const service = new GracefulServer(app, {
    ...serverLimits(settings),
    maxConnections: Math.min(settings.maxConnections, CAPACITY),
  });

  const stop = async (exitCode: number): Promise<void> => {
    await service.drain(milliseconds(settings.shutdownTimeout), milliseconds(settings.drainDelay));
    if (worker === undefined) log.line('info', 'stopped');
    await exit(log, exitCode);
  };
  const stopWorker = (signal: string): void => {
    // Terminals send SIGINT and SIGHUP, and systemd SIGTERM, to every process of the group. Workers ignore all signals
    // but the first SIGTERM.
    if (signal === 'SIGTERM' && !app.isDraining) void stop(0);
  };
  const stopProcess = (signal: string, exitCode: number): void => {
    if (app.isDraining) {
      void exit(log, exitCode);
      return;
    }
    log.line('info', 'draining', { signal });
    void stop(0);
  };
  onSignal(worker === undefined ? oncePerSignalTime(stopProcess) : stopWorker);
  process.on('uncaughtException', (error) => {
    log.line('error', 'crashed', fieldsOf(error));
    if (app.isDraining) void exit(log, 1);
    else void stop(1);
  });
  listen(service, settings, log);
}

/** Listens. If that fails, the process exits; a worker reports the reason to the primary process first. */
function listen({ server }: GracefulServer, settings: CommandSettings, log: Log): void {
  const { host, port } = settings;
  const { worker } = cluster;
  const onFailure = (error: NodeJS.ErrnoException): void => {
    const message = `${LISTEN_ERRORS[error.code ?? ''] ?? 'HOST or PORT'}: ${error.message}`;
    if (worker === undefined) fail(message);
    reportFailure(worker, message, () => process.exit(1));
  };
  server.once('error', onFailure);
  server.listen({ host, port }, () => {
    server.off('error', onFailure);
    server.on('error', (error) => log.line('error', 'error', fieldsOf(error)));
    // A server that listens at a host and a port has such an address.
    const address = server.address() as AddressInfo;
    if (worker === undefined) logReady(log, settings, address, 1);
  });
}

/** Runs the worker processes; this process answers no request itself. */
function serveWithWorkers(settings: CommandSettings, log: Log): void {
  const [, script = STANDARD_INPUT] = process.argv;
  if (script === STANDARD_INPUT) failUsage('WORKERS: expected a script in a file, got none');
  const { drainDelay, shutdownTimeout } = settings;
  const workers = workerCount(settings);
  const supervisor = new Supervisor({
    workers,
    killAfter: milliseconds(drainDelay + shutdownTimeout) + KILL_DELAY,
    log,
    hasMetrics: settings.metrics === 'on',
    onReady: (address) => logReady(log, settings, address, workers),
    onStopped(exitCode, message) {
      if (message === undefined) log.line('info', 'stopped');
      else printError(message);
      void exit(log, exitCode);
    },
  });
  const stop = (signal: string, exitCode: number): void => {
    if (supervisor.isStopping) return supervisor.kill(exitCode);
    log.line('info', 'draining', { signal });
    return supervisor.stop();
  };
  onSignal(oncePerSignalTime(stop));
  process.on('uncaughtException', (error) => {
    log.line('error', 'crashed', fieldsOf(error));
    supervisor.stop(1);
  });
  try {
    supervisor.start();
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const hint = code === 'ERR_ACCESS_DENIED' ? '; Node needs --allow-child-process' : '';
    fail(`cannot start workers: ${message}${hint}`);
  }
}

/** Called with the name of a signal, and with the exit code of a process that the signal ends. */
type SignalListener = (signal: string, exitCode: number) => void;

/** Calls `listener` on SIGHUP, SIGINT and SIGTERM. */
function onSignal(listener: SignalListener): void {
  for (const [signal, number] of Object.entries(SIGNALS)) {
    process.on(signal, () => listener(signal, 128 + number));
  }
}

/** A listener that takes all signals within SIGNAL_TIME of the first for one. */
function oncePerSignalTime(listener: SignalListener): SignalListener {
  let isSame = false;
  const end = (): void => {
    isSame = false;
  };
  return (signal, exitCode) => {
    if (isSame) return;
    isSame = true;
    // Timers run before signals are read. A signal that arrived during a pause of the process is
    // read before `end` runs.
    setTimeout(() => setImmediate(end), SIGNAL_TIME).unref();
    listener(signal, exitCode);
  };
}

/** Checks that the service with these settings is alive. */
function checkHealth({ host, port }: CommandSettings): void {
  const address = LOOPBACK[host] ?? host;
  const request = http.get(
    { host: address, port, path: '/healthz', timeout: HEALTHCHECK_TIMEOUT },
    (response) => {
      if (response.statusCode !== 200) {
        fail(`healthcheck: expected 200, got ${response.statusCode}`);
      }
      process.exit(0);
    },
  );
  const seconds = HEALTHCHECK_TIMEOUT / 1000;
  const timedOut = `healthcheck: expected an answer within ${seconds} seconds, got none`;
  request.on('timeout', () => fail(timedOut));
  request.on('error', (error) => fail(`healthcheck: ${error.message}`));
}

/** Answers the request in the argument, or the requests in a file or on standard input, as the service would. */
async function calc(
  settings: CommandSettings,
  [name = '', argument, ...others]: readonly string[],
): Promise<void> {
  const operation = calculations.get(name);
  if (operation === undefined || others.length > 0) {
    failUsage(
      `calc: expected one of ${[...calculations.keys()].join(', ')}, `
        + 'then at most one JSON text or file',
    );
  }
  const headers = { 'content-type': JSON_TYPE };
  const service = serviceOf(serviceOptions(settings, operations));
  const route = service.route({ method: 'POST', target: operation.path, headers });
  if (route.kind !== 'post') throw new Error(`${operation.path} does not accept POST`);
  const { stdout: output, stderr: messages } = process;
  const onFailure = failureOf('calc');
  output.on('error', onFailure);
  try {
    const hasSucceeded = argument?.trimStart().startsWith('{')
      ? calculateOne(route, Buffer.from(argument), { output, messages })
      : await calculate(route, { input: openInput(argument), output, messages });
    process.exitCode = hasSucceeded ? 0 : 1;
  } catch (error) {
    onFailure(error as Error);
  }
}

/** Opens the named file, or standard input; on a terminal, a message first states that the command reads its input. */
function openInput(name: string | undefined): Readable {
  if (name !== undefined) return createReadStream(name);
  const { stdin, stderr } = process;
  if (stdin.isTTY) {
    stderr.write('Reading requests, one per line, until the end of input (Ctrl+D).\n');
  }
  return stdin;
}

/** Logs that the service listens, and each limit of the machine that would make it refuse requests. */
function logReady(
  log: Log,
  { maxConnections, taxPeriod }: CommandSettings,
  { address, port }: Pick<AddressInfo, 'address' | 'port'>,
  workers: number,
): void {
  const host = address.includes(':') ? `[${address}]` : address;
  log.line('info', 'ready', {
    address: `http://${host}:${port}`,
    version: VERSION,
    node: process.version,
    pid: process.pid,
    workers,
  });
  if (CAPACITY < maxConnections) {
    log.line('warn', 'few descriptors', { max_connections: maxConnections, available: CAPACITY });
  }
  if (!hasParser()) log.line('warn', 'unknown parser', { node: process.version });
  if (taxPeriod !== undefined) return;
  try {
    periodAt(Date.now());
  } catch (error) {
    log.line('warn', 'wrong clock', { reason: (error as Error).message });
  }
}

/** Prints the output of the command. */
function print(text: string): void {
  process.stdout.on('error', failureOf('standard output'));
  process.stdout.write(text);
}

/** Prints the reasons for which the process exits, one per line. */
function printError(message: string): void {
  // Arguments, the environment and messages of Node may contain characters that a terminal obeys.
  for (const line of message.split('\n')) {
    process.stderr.write(`utility-calculation-service: ${escapeInvisible(line)}\n`);
  }
}

function fail(message: string, exitCode = 1): never {
  printError(message);
  process.exit(exitCode);
}

/** A function that exits because of an error of a stream. */
function failureOf(label: string): (error: NodeJS.ErrnoException) => never {
  return ({ code, message }) => {
    // A reader that closes the pipe early, such as head, is not an error.
    if (code === 'EPIPE') process.exit();
    fail(`${label}: ${message}`);
  };
}

/** Exits because of an invalid argument or setting. */
function failUsage(message: string): never {
  fail(message, USAGE_ERROR);
}

/** Exits when the log has been written. */
async function exit(log: Log, exitCode: number): Promise<never> {
  if (await log.flush()) process.exit(exitCode);
  // A thread that waits for the reader of the log keeps Node from exiting; SIGKILL has no effect on process 1.
  process.kill(process.pid, 'SIGKILL');
  process.abort();
}

/** The help of a calculation (`calc tax --help`), or of the command. */
function helpOf(command: string, name = ''): string {
  const operation = command === 'calc' ? calculations.get(name) : undefined;
  return operation === undefined
    ? helpText([...calculations.keys()])
    : calculationHelp(name, operation);
}

function main(): void {
  // Without a listener, Node opens a port for a debugger.
  process.on('SIGUSR1', () => undefined);
  const { positionals, settings, show } = parseCommand(process.argv.slice(2), process.env);
  const [command = 'serve', ...others] = positionals;
  if (show === 'help') print(helpOf(command, others[0]));
  else if (show === 'version') print(`${VERSION}\n`);
  else if (command === 'calc') void calc(settings, others);
  else if (others.length > 0) {
    failUsage(`${command}: expected no further argument, got ${quoted(others[0]!)}`);
  } else if (command === 'healthcheck') checkHealth(settings);
  else if (command !== 'serve') {
    failUsage(`expected serve, healthcheck, calc or help, got ${quoted(command)}`);
  } else {
    start(settings);
  }
}

/** Starts to serve, in this process or in workers. */
function start(settings: CommandSettings): void {
  const hasWorkers = workerCount(settings) > 1;
  const log = settings.log === 'off' ? NO_LOG : createLog(hasWorkers);
  if (hasWorkers && cluster.isPrimary) serveWithWorkers(settings, log);
  else serve(settings, log);
}

try {
  main();
} catch (error) {
  if (!(error instanceof ConfigError)) throw error;
  failUsage(error.message);
}
