import { write, writeSync } from 'node:fs';

/** Which lines are written: none, those about the process and its faults, or one for each request too. */
export type LogLevel = 'off' | 'errors' | 'requests';

/** All of them. */
export const LOG_LEVELS: readonly LogLevel[] = ['off', 'errors', 'requests'];

/** Lines of JSON on standard output. */
export interface Log {
  /** Adds a line: what happened, in words of ours, when, and the fields that belong to it. */
  readonly line: (event: string, fields?: Readonly<Record<string, unknown>>) => void;
  /** The same with the fields as JSON text, each after a comma: for the line of every request. */
  readonly write: (event: string, fields: string) => void;
  /** Writes what is left, at once, for a process that is about to end. */
  readonly flush: () => void;
}

const STANDARD_OUTPUT = 1;
/** Characters that wait for a slow reader; further lines are dropped, and the next one tells how many. */
const MAXIMUM_WAITING = 1024 * 1024;
/** Bytes that a pipe takes undivided, so that workers sharing one do not mix their lines (PIPE_BUF of Linux). */
const ATOMIC_SIZE = 4096;
/** Milliseconds after a write in which lines gather for the next, and after which a full pipe is tried again. */
const GATHERING_TIME = 50;

/**
 * A log that never holds up the event loop. process.stdout writes synchronously to pipes and files, so that a stalled
 * reader would stall the service; this gathers lines and writes them in the background, one write at a time. With
 * `isShared`, other processes write to the same pipe, and writes are kept short enough not to mix.
 */
export function createLog(isOff: boolean, isShared: boolean): Log {
  let lines = '';
  let bytes: Buffer = Buffer.alloc(0);
  let dropped = 0;
  let lastInstant = 0;
  let time = '';
  let isBusy = false;
  let isBroken = isOff;
  const writeOn = (): void => {
    if (bytes.length === 0) {
      bytes = Buffer.from(lines);
      lines = '';
    }
    isBusy = bytes.length > 0;
    if (!isBusy) return;
    const isLong = isShared && bytes.length > ATOMIC_SIZE;
    const end = isLong ? bytes.lastIndexOf('\n', ATOMIC_SIZE - 1) + 1 : 0;
    write(STANDARD_OUTPUT, bytes, 0, end || bytes.length, null, (error, written) => {
      if (error === null) bytes = bytes.subarray(written);
      // A reader that is full (EAGAIN) may come back; one that has gone (EPIPE) will not.
      isBroken = error !== null && error.code !== 'EAGAIN';
      if (error === null && bytes.length > 0) writeOn();
      else if (!isBroken) setTimeout(writeOn, GATHERING_TIME);
    });
  };
  const log: Log = {
    line(event, fields = {}) {
      log.write(event, Object.keys(fields).length === 0 ? '' : `,${JSON.stringify(fields).slice(1, -1)}`);
    },
    write(event, fields) {
      if (isBroken) return;
      if (lines.length > MAXIMUM_WAITING) {
        dropped += 1;
        return;
      }
      const instant = Date.now();
      // Writing out a time costs as much as the rest of a line, and under load many lines have the same.
      if (instant !== lastInstant) time = new Date(instant).toISOString();
      lastInstant = instant;
      const loss = dropped > 0 ? `,"dropped":${dropped}` : '';
      dropped = 0;
      lines += `{"time":"${time}","event":"${event}"${fields}${loss}}\n`;
      if (!isBusy) setImmediate(writeOn);
      isBusy = true;
    },
    flush() {
      try {
        if (!isBroken) writeSync(STANDARD_OUTPUT, Buffer.concat([bytes, Buffer.from(lines)]));
      } catch {
        isBroken = true;
      }
    },
  };
  return log;
}

/** An error as fields of a line: kind, message and stack, for a fault of ours is logged whole. */
export function fieldsOf(error: unknown): Readonly<Record<string, unknown>> {
  if (!(error instanceof Error)) return { message: String(error) };
  return { name: error.name, message: error.message, stack: error.stack };
}
