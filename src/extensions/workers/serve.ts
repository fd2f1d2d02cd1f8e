/** Serving HTTP in worker processes. */
import { fieldsOf, type Log } from '../../command/log.ts';
import { exit, fail, failUsage, printError } from '../../command/output.ts';
import { logReady, type ServeSettings } from '../../command/serve.ts';
import { milliseconds } from '../../command/server-settings.ts';
import { oncePerSignalTime, onSignal } from '../../command/signals.ts';
import { type ProcessMetrics, Supervisor } from './cluster.ts';

/** Milliseconds from the shutdown deadline of a worker until the primary process kills it. */
const KILL_DELAY = 2_000;
/** The script of `node -`, which workers would wait for on an input of their own. */
const STANDARD_INPUT = '-';

/** Runs the worker processes; this process answers no request itself. */
export function serveWithWorkers(
  settings: ServeSettings,
  workers: number,
  metrics: ProcessMetrics | undefined,
  log: Log,
): void {
  const [, script = STANDARD_INPUT] = process.argv;
  if (script === STANDARD_INPUT) failUsage('WORKERS: expected a script in a file, got none');
  const { drainDelay, shutdownTimeout } = settings;
  const supervisor = new Supervisor({
    workers,
    killAfter: milliseconds(drainDelay + shutdownTimeout) + KILL_DELAY,
    log,
    metrics,
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
    if (code !== 'ERR_ACCESS_DENIED') fail(`cannot start workers: ${message}`);
    failUsage(`cannot start workers: ${message}; Node needs --allow-child-process`);
  }
}
