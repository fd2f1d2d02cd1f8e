import { write } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';

/** Which lines are written: none, those about the process and its faults, or one for each request too. */
export const LOG_LEVELS = ['off', 'errors', 'requests'] as const;

/** One of them. */
export type LogLevel = (typeof LOG_LEVELS)[number];

/** Lines of JSON on standard output. */
export interface Log {
  /** Adds a line: what happened, in words of ours, when, and the fields that belong to it. */
  readonly line: (event: string, fields?: Readonly<Record<string, unknown>>) => void;
  /** The same with a function that gives all but the time as JSON text, at the end of the turn of the event loop. */
  readonly write: (fields: () => string) => void;
  /** For a process that is about to end: true when all is written, false when its reader takes nothing any more. */
  readonly flush: () => Promise<boolean>;
}

const STANDARD_OUTPUT = 1;
/** Bytes that wait for a slow reader; further lines are dropped, and the next one tells how many. */
const CAPACITY = 1024 * 1024;
/** Bytes of a character of a string in UTF-8, at most. */
const CHARACTER_SIZE = 3;
/** Bytes of a write: few enough to see whether a slow reader takes them. */
const WRITE_SIZE = 64 * 1024;
/** Bytes that a pipe takes undivided, so that workers sharing one do not mix their lines (PIPE_BUF of Linux). */
const ATOMIC_SIZE = 4096;
/** Milliseconds after a write in which lines gather for the next, and after which a full pipe is tried again. */
const GATHERING_TIME = 50;
/** Milliseconds without a write after which a process about to end waits for its reader no longer. */
const PATIENCE = 1_000;

const writeBytes = promisify(write);

/**
 * A log that never holds up the event loop. process.stdout writes synchronously to pipes and files, so that a stalled
 * reader would stall the service; this gathers lines and writes them in the background, one write at a time. With
 * `isShared`, other processes write to the same pipe, and writes are kept short enough not to mix.
 */
export function createLog(isOff: boolean, isShared: boolean): Log {
  let events: (() => string)[] = [];
  // Bytes, for as text all lines would be copied at every garbage collection until they are written.
  let filling = Buffer.allocUnsafeSlow(isOff ? 0 : CAPACITY);
  let emptying = Buffer.allocUnsafeSlow(isOff ? 0 : CAPACITY);
  let filled = 0;
  let dropped = 0;
  let writes = 0;
  let isBroken = isOff;
  let isEnding = false;
  let writing: Promise<void> | undefined;
  /** Makes the lines of all events of a turn of the event loop; each by itself, among other work, would take twice. */
  const makeLines = (): Promise<void> => {
    const time = new Date().toISOString();
    let lines = '';
    for (const fields of events) {
      const line = `{"time":"${time}",${fields()}${dropped > 0 ? `,"dropped":${dropped}` : ''}}\n`;
      if (filled + (lines.length + line.length) * CHARACTER_SIZE > filling.length) {
        // How many bytes there really are is known when they have been encoded.
        filled += filling.write(lines, filled);
        lines = '';
      }
      const hasRoom = filled + line.length * CHARACTER_SIZE <= filling.length;
      if (hasRoom) lines += line;
      dropped = hasRoom ? 0 : dropped + 1;
    }
    events = [];
    filled += filling.write(lines, filled);
    writing ??= writeOn().finally(() => (writing = undefined));
    return writing;
  };
  const writeOn = async (): Promise<void> => {
    while (filled > 0 && !isBroken) {
      const bytes = filling.subarray(0, filled);
      filled = 0;
      [filling, emptying] = [emptying, filling];
      for (let start = 0; start < bytes.length && !isBroken;) start += await writeSome(bytes.subarray(start));
      if (!isEnding) await sleep(GATHERING_TIME);
    }
  };
  /** Writes some of the lines, and returns how many bytes. */
  const writeSome = async (bytes: Buffer): Promise<number> => {
    const most = isShared ? ATOMIC_SIZE : WRITE_SIZE;
    const end = bytes.length > most ? bytes.lastIndexOf('\n', most - 1) + 1 : 0;
    try {
      const { bytesWritten } = await writeBytes(STANDARD_OUTPUT, bytes, 0, end || bytes.length);
      writes += 1;
      return bytesWritten;
    } catch (error) {
      // A reader that is full (EAGAIN) may come back; one that has gone (EPIPE) will not.
      isBroken = (error as NodeJS.ErrnoException).code !== 'EAGAIN';
      await sleep(GATHERING_TIME);
      return 0;
    }
  };
  const log: Log = {
    line: (event, fields) => log.write(() => JSON.stringify({ event, ...fields }).slice(1, -1)),
    write(fields) {
      if (isBroken) return;
      if (events.length === 0) setImmediate(makeLines);
      events.push(fields);
    },
    async flush() {
      isEnding = true;
      const written = makeLines().then(() => true);
      for (;;) {
        const before = writes;
        const isWritten = await Promise.race([written, sleep(PATIENCE, false)]);
        if (isWritten || writes === before) return isWritten;
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
