/** The log of a process: lines of JSON, about the process itself unless observers add others. */
import { inspect } from 'node:util';

/** The members of a line besides its time, in JSON and without braces. */
export function membersOf(level: Level, msg: string, fields?: LogFields): string {
  return JSON.stringify({ level, msg, ...fields }).slice(1, -1);
}

/** The fields of an error for a log line, with its stack. */
export function fieldsOf(error: unknown): LogFields {
  if (!(error instanceof Error)) return { err: { message: String(error) } };
  return { err: { type: error.name, message: error.message, stack: error.stack } };
}

export type Level = 'info' | 'warn' | 'error';

/** The members of a line besides its time, level and message. */
export type LogFields = Readonly<Record<string, unknown>>;

/** A log of JSON lines. */
export interface Log {
  /** Adds a line with the time, a level, a message and further fields. */
  readonly line: (level: Level, message: string, fields?: LogFields) => void;
  /** Adds a line with members in JSON after the time. `members` is called by the end of the turn of the event loop. */
  readonly write: (members: () => string) => void;
  /** Writes the remaining lines before the process exits. Resolves to false if a write is stuck on a stalled reader. */
  readonly flush: () => Promise<boolean>;
}

/** Receives the lines of a log, in JSON and without their newlines. */
export type LineReceiver = (line: string) => void;

/** A log that drops its lines. */
export const NO_LOG: Log = {
  line: () => undefined,
  write: () => undefined,
  flush: () => Promise.resolve(true),
};

/**
 * A log whose lines a function receives, each as soon as it is added. If the function throws, or is asynchronous and
 * rejects, the process emits a warning.
 */
export function logTo(receive: LineReceiver): Log {
  const write: Log['write'] = (members) => {
    const received = new Promise((resolve) =>
      resolve(receive(`{"time":"${new Date().toISOString()}",${members()}}`)),
    );
    received.catch((error: unknown) => process.emitWarning(`The log failed: ${inspect(error)}`));
  };
  return {
    ...NO_LOG,
    line: (level, message, fields) => write(() => membersOf(level, message, fields)),
    write,
  };
}

/** A log that drops its lines, except those of errors, which go to console.error. */
export function errorsToConsole(): Log {
  const { line } = logTo((text) => console.error(text));
  return {
    ...NO_LOG,
    line(level, message, fields) {
      if (level === 'error') line(level, message, fields);
    },
  };
}
