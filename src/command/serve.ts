/** Serving HTTP in a process, until a signal. */
import type { AddressInfo } from 'node:net';
import { isatty } from 'node:tty';
import type { App } from '../server/exchange.ts';
import { GracefulServer } from '../server/server.ts';
import { hasParser } from '../server/undocumented.ts';
import { REVIEWED_THROUGH } from '../tax/law.ts';
import { compareClock } from './clock.ts';
import { connectionCapacity } from './descriptors.ts';
import { LOOPBACK } from './healthcheck.ts';
import { fieldsOf, type Log } from './log.ts';
import { exit, fail, FAILURE, STANDARD_OUTPUT, USAGE_ERROR } from './output.ts';
import {
  type ConnectionSettings,
  milliseconds,
  type ProcessSettings,
  serverLimits,
} from './server-settings.ts';
import { VERSION } from './service-settings.ts';
import { oncePerSignalTime, onSignal } from './signals.ts';

/** The settings of a process that serves. */
export type ServeSettings = ProcessSettings & ConnectionSettings;

const CONNECTION_CAPACITY = connectionCapacity();
/**
 * The setting that is the cause of an error when the service begins to listen, and the exit code. After FAILURE, a
 * later start with the same settings may succeed: a port becomes free, an address is added, a name server answers.
 */
const LISTEN_ERRORS: Readonly<Record<string, readonly [setting: string, exitCode: number]>> = {
  EADDRINUSE: ['PORT', FAILURE],
  EACCES: ['PORT', USAGE_ERROR],
  EADDRNOTAVAIL: ['HOST', FAILURE],
  EINVAL: ['HOST', USAGE_ERROR],
  ENOTFOUND: ['HOST', USAGE_ERROR],
  EAI_AGAIN: ['HOST', FAILURE],
};

/** Why the service cannot listen, and the exit code. */
export function listenFailure({
  code = '',
  message,
}: NodeJS.ErrnoException): readonly [message: string, exitCode: number] {
  const [setting, exitCode] = LISTEN_ERRORS[code] ?? ['HOST or PORT', FAILURE];
  return [`${setting}: ${message}`, exitCode];
}

/** Milliseconds before the greeting, in which the log writes its line. */
const GREETING_DELAY = 100;

/**
 * Serves HTTP in this process until a signal. A worker process passes `reportFailure`: it obeys only its primary
 * process, which logs for all workers, and reports to it why it cannot listen.
 */
export function serve(
  app: App,
  settings: ServeSettings,
  log: Log,
  reportFailure?: (message: string, exitCode: number, onSent: () => void) => void,
): void {
  const isWorker = reportFailure !== undefined;
  const gracefulServer = new GracefulServer(app, {
    ...serverLimits(settings),
    maxConnections: Math.min(settings.maxConnections, CONNECTION_CAPACITY),
  });

  const stop = async (exitCode: number): Promise<void> => {
    const { shutdownTimeout, drainDelay } = settings;
    await gracefulServer.drain(milliseconds(shutdownTimeout), milliseconds(drainDelay));
    if (!isWorker) log.line('info', 'stopped');
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
  onSignal(isWorker ? stopWorker : oncePerSignalTime(stopProcess));
  process.on('uncaughtException', (error) => {
    log.line('error', 'crashed', fieldsOf(error));
    if (app.isDraining) void exit(log, 1);
    else void stop(1);
  });

  const { server } = gracefulServer;
  const { host, port } = settings;
  const onFailure = (error: NodeJS.ErrnoException): void => {
    const [message, exitCode] = listenFailure(error);
    if (reportFailure === undefined) fail(message, exitCode);
    reportFailure(message, exitCode, () => process.exit(exitCode));
  };
  server.once('error', onFailure);
  server.listen({ host, port }, () => {
    server.off('error', onFailure);
    server.on('error', (error) => log.line('error', 'error', fieldsOf(error)));
    const address = server.address() as AddressInfo;
    if (!isWorker) logReady(log, settings, address, 1);
  });
}

/** Logs that the service listens, how current its law is, and the conditions in which it would refuse requests. */
export function logReady(
  log: Log,
  { maxConnections }: ServeSettings,
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
    reviewed_through: REVIEWED_THROUGH,
  });
  if (CONNECTION_CAPACITY < maxConnections) {
    log.line('warn', 'few descriptors', {
      max_connections: maxConnections,
      available: CONNECTION_CAPACITY,
    });
  }
  // Reading `process.stdout` would make the writes of the log to a pipe asynchronous.
  if (isatty(STANDARD_OUTPUT)) greet(address in LOOPBACK ? 'localhost' : host, port);
  if (!hasParser()) log.line('warn', 'unknown parser', { node: process.version });
  compareClock(log);
}

/** Shows a person at a terminal how to go on, after the line of the log, which a later turn writes. */
function greet(host: string, port: number): void {
  const text = `Open http://${host}:${port} in a browser. Ctrl+C stops the service.\n`;
  setTimeout(() => process.stderr.write(text), GREETING_DELAY).unref();
}
