import { write, writeSync } from 'node:fs';

/** Which lines are written: none, those about the process and its faults, or one for each request too. */
export type LogLevel = 'off' | 'errors' | 'requests';

/** All of them. */
export const LOG_LEVELS: readonly LogLevel[] = ['off', 'errors', 'requests'];

/** Lines of JSON on standard output. */
export interface Log {
  /** Adds a line: what happened, in words of ours, when, and the fields that belong to it. */
  readonly line: (event: string, fields?: Readonly<Record<string, unknown>>) => void;
  /** The same with a function that gives the fields as JSON text, each after a comma: for the line of every request. */
  readonly write: (event: string, fields: () => string) => void;
  /** Writes what is left, at once, for a process that is about to end. */
  readonly flush: () => void;
}

const STANDARD_OUTPUT = 1;
/** Bytes that wait for a slow reader; further lines are dropped, and the next one tells how many. */
const CAPACITY = 1024 * 1024;
/** Bytes of a character of a string in UTF-8, at most. */
const CHARACTER_SIZE = 3;
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
  let events: [event: string, fields: () => string][] = [];
  // Bytes, for as text all lines would be copied at every garbage collection until they are written.
  let filling = Buffer.allocUnsafeSlow(isOff ? 0 : CAPACITY);
  let emptying = Buffer.allocUnsafeSlow(isOff ? 0 : CAPACITY);
  let filled = 0;
  let bytes = emptying.subarray(0, 0);
  let dropped = 0;
  let isBusy = false;
  let isBroken = isOff;
  /** Makes the lines of all events of a turn of the event loop; each by itself, among other work, would take twice. */
  const makeLines = (): void => {
    const time = new Date().toISOString();
    for (const [event, fields] of events) {
      const line = `{"time":"${time}","event":"${event}"${fields()}${dropped > 0 ? `,"dropped":${dropped}` : ''}}\n`;
      const hasRoom = filled + line.length * CHARACTER_SIZE <= filling.length;
      if (hasRoom) filled += filling.write(line, filled);
      dropped = hasRoom ? 0 : dropped + 1;
    }
    events = [];
    if (!isBusy) writeOn();
  };
  const writeOn = (): void => {
    if (bytes.length === 0) {
      bytes = filling.subarray(0, filled);
      filled = 0;
      [filling, emptying] = [emptying, filling];
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
      log.write(event, () => (Object.keys(fields).length === 0 ? '' : `,${JSON.stringify(fields).slice(1, -1)}`));
    },
    write(event, fields) {
      if (isBroken) return;
      if (events.length === 0) setImmediate(makeLines);
      events.push([event, fields]);
    },
    flush() {
      isBusy = true;
      makeLines();
      try {
        if (!isBroken) writeSync(STANDARD_OUTPUT, Buffer.concat([bytes, filling.subarray(0, filled)]));
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
