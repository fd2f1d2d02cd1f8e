#!/usr/bin/env node
/** The command. It alone reads arguments, environment and signals, and ends the process. */
import cluster from 'node:cluster';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Config, ConfigError, helpText, readCommand, VERSION } from './config.ts';
import { calculate, calculateOne } from './calc.ts';
import { methodOf, subjectOf } from './contract/operation.ts';
import { assemble, serviceOptions } from './embed.ts';
import { joinWorkers, reportFailure, Supervisor } from './http/cluster.ts';
import type { Samples } from './http/metrics.ts';
import { createEndpoint } from './http/server.ts';
import { createService } from './http/service.ts';
import { createLog, fieldsOf, type Log } from './log.ts';
import { operations } from './operations.ts';

const SIGNALS = { SIGINT: 2, SIGTERM: 15 } as const;
/** Milliseconds beyond its own deadline after which a worker is killed. */
const PATIENCE = 2_000;
const HEALTHCHECK_TIMEOUT = 3_000;

/** Answers HTTP in this process until a signal; as a worker, for the primary. */
function serve(config: Config, log: Log): void {
  const { worker } = cluster;
  const gather = worker && ((samples: () => Samples) => joinWorkers(worker, samples));
  const assembly = assemble(config, log, gather);
  const { server, drain } = createEndpoint(assembly, config);

  const stop = async (exitCode: number): Promise<void> => {
    assembly.draining = true;
    await sleep(config.drainDelay);
    await drain(config.shutdownTimeout);
    if (worker === undefined) log.line('stopped');
    await end(log, exitCode);
  };
  for (const [signal, number] of Object.entries(SIGNALS)) {
    process.on(signal, () => {
      // A terminal sends SIGINT to workers too, and systemd SIGTERM, but they stop when the primary says so, and once.
      if (worker !== undefined && (signal === 'SIGINT' || assembly.draining)) return undefined;
      if (assembly.draining) return void end(log, 128 + number);
      if (worker === undefined) log.line('draining', { signal });
      return void stop(0);
    });
  }
  process.on('uncaughtException', (error) => {
    log.line('crashed', fieldsOf(error));
    void (assembly.draining ? end(log, 1) : stop(1));
  });
  const failToListen = ({ message }: Error): void => {
    if (worker === undefined) fail(message);
    else reportFailure(worker, message, () => process.exit(1));
  };
  server.once('error', failToListen);
  server.listen({ host: config.host, port: config.port }, () => {
    server.off('error', failToListen);
    server.on('error', (error) => log.line('error', fieldsOf(error)));
    if (worker === undefined) log.line('ready', { address: urlOf(server.address()) });
  });
}

/** Runs as many workers as the settings say, and answers nothing itself. */
function serveWithWorkers(config: Config, log: Log): void {
  const { workers, drainDelay, shutdownTimeout } = config;
  const supervisor = new Supervisor({
    workers,
    killAfter: drainDelay + shutdownTimeout + PATIENCE,
    log,
    onReady: (address) => log.line('ready', { address: urlOf(address), workers }),
    onEnd(exitCode, message) {
      if (message === undefined) log.line('stopped');
      else tell(message);
      void end(log, exitCode);
    },
  });
  for (const signal of Object.keys(SIGNALS)) {
    process.on(signal, () => {
      log.line('draining', { signal });
      supervisor.stop();
    });
  }
  process.on('uncaughtException', (error) => {
    log.line('crashed', fieldsOf(error));
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

/** Asks the service of the same settings whether it is alive. */
function checkHealth({ host, port }: Config): void {
  const address = host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '::1' : host;
  const request = http.get({ host: address, port, path: '/healthz', timeout: HEALTHCHECK_TIMEOUT }, (response) => {
    if (response.statusCode !== 200) fail(`healthcheck: expected 200, got ${response.statusCode}`);
    process.exit(0);
  });
  request.on('timeout', () => fail('healthcheck: no answer in time'));
  request.on('error', (error) => fail(`healthcheck: ${error.message}`));
}

/** Answers the request in an argument, or those on standard input, as the service would. */
async function answer(config: Config, [name, given, ...others]: readonly string[]): Promise<void> {
  const calculations = operations.filter((operation) => methodOf(operation) === 'POST');
  const operation = calculations.find((calculation) => subjectOf(calculation) === name);
  if (operation === undefined || others.length > 0) {
    fail(`calc: expected ${calculations.map(subjectOf).join(' | ')}, then at most one JSON argument`);
  }
  const step = createService(serviceOptions(config)).open({
    method: 'POST', target: operation.path, headers: { 'content-type': 'application/json' },
  });
  if (!('limit' in step)) throw new Error(`${operation.path} does not take the request`);
  const { stdin: input, stdout: output, stderr: messages } = process;
  const stop = ({ code, message }: NodeJS.ErrnoException): never => {
    // A reader of the answers that has seen enough, as head does, is no error.
    if (code === 'EPIPE') process.exit();
    fail(`calc: ${message}`);
  };
  output.on('error', stop);
  try {
    const hasSucceeded = given === undefined ? await calculate(step, { input, output, messages })
      : calculateOne(step, Buffer.from(given), output);
    process.exitCode = hasSucceeded ? 0 : 1;
  } catch (error) {
    stop(error as Error);
  }
}

function urlOf(address: Pick<AddressInfo, 'address' | 'port'> | string | null): string {
  if (address === null || typeof address === 'string') return String(address);
  const host = address.address.includes(':') ? `[${address.address}]` : address.address;
  return `http://${host}:${address.port}`;
}

/** Says on standard error why the process ends. */
function tell(message: string): void {
  process.stderr.write(`utility-calculation-service: ${message}\n`);
}

function fail(message: string): never {
  tell(message);
  process.exit(1);
}

async function end(log: Log, exitCode: number): Promise<never> {
  if (await log.flush()) process.exit(exitCode);
  // A thread that waits for the reader of the log keeps Node from exiting, and SIGKILL does not reach process 1.
  process.kill(process.pid, 'SIGKILL');
  process.abort();
}

function main(): void {
  const { words: [command = 'serve', ...words], config, wants } = readCommand(process.argv.slice(2), process.env);
  const log = createLog(config.log === 'off', config.workers > 1);
  if (wants === 'help') process.stdout.write(helpText());
  else if (wants === 'version') process.stdout.write(`${VERSION}\n`);
  else if (command === 'calc') void answer(config, words);
  else if (words.length > 0) fail(`${command}: expected no further argument, got ${JSON.stringify(words[0])}`);
  else if (command === 'healthcheck') checkHealth(config);
  else if (command !== 'serve') fail(`expected serve, healthcheck or calc, got ${JSON.stringify(command)}`);
  else if (config.workers > 1 && cluster.isPrimary) serveWithWorkers(config, log);
  else serve(config, log);
}

try {
  main();
} catch (error) {
  if (!(error instanceof ConfigError)) throw error;
  fail(error.message);
}
