/** The output of a command, and its end. */
import { escapeInvisible } from '../contract/escape.ts';
import type { Log } from './log.ts';

/** The file descriptor of standard output. */
export const STANDARD_OUTPUT = 1;
/** The exit code for a failure of the service or of a calculation. */
export const FAILURE = 1;
/** The exit code for an invalid argument or setting, with which a supervisor should not start the service again. */
export const USAGE_ERROR = 2;

/** Prints the output of the command. */
export function print(text: string): void {
  process.stdout.on('error', exitOn('standard output'));
  process.stdout.write(text);
}

/** Prints why the process exits, one reason per line. */
export function printError(message: string): void {
  // Arguments, the environment and messages of Node may contain characters that a terminal obeys.
  for (const line of message.split('\n')) {
    process.stderr.write(`utility-calculation-service: ${escapeInvisible(line)}\n`);
  }
}

/** Exits because of a failure. */
export function fail(message: string, exitCode = FAILURE): never {
  printError(message);
  process.exit(exitCode);
}

/** Returns a listener that exits because of an error of a stream, which `label` names. */
export function exitOn(label: string): (error: NodeJS.ErrnoException) => never {
  return ({ code, message }) => {
    // A reader that closes the pipe early, such as head, is not an error.
    if (code === 'EPIPE') process.exit();
    fail(`${label}: ${message}`);
  };
}

/** Exits because of an invalid argument or setting. */
export function failUsage(message: string): never {
  fail(message, USAGE_ERROR);
}

/** Exits when the log has been written. */
export async function exit(log: Log, exitCode: number): Promise<never> {
  if (await log.flush()) process.exit(exitCode);
  // A thread that waits for the reader of the log keeps Node from exiting; SIGKILL has no effect on process 1.
  process.kill(process.pid, 'SIGKILL');
  process.abort();
}
