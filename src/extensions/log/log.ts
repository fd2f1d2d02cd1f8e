/** The log on standard output. */
import { write } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { type Level, type Log, type LogFields, membersOf } from '../../command/log.ts';
import { STANDARD_OUTPUT } from '../../command/output.ts';

/** Writes bytes, and resolves to the number of those that were written. */
export type Sink = (bytes: Uint8Array) => Promise<number>;

const STANDARD_ERROR = 2;
/** Bytes that may wait for a slow reader. In the lines of the current turn, characters are counted instead. */
const CAPACITY = 1024 * 1024;
/** Bytes per write: few enough for a slow reader to show progress. */
const WRITE_SIZE = 64 * 1024;
/** Bytes that are written to a pipe atomically, so that workers do not interleave their lines (PIPE_BUF on Linux). */
const ATOMIC_SIZE = 4096;
/** Milliseconds between two writes, during which lines are collected, and after which a full pipe is tried again. */
const COLLECTING_TIME = 50;
/** Milliseconds after which a write that failed, on a full disk for example, is tried again. */
const RETRY_TIME = 1_000;
/** Milliseconds without progress after which a process that is about to exit stops waiting for its reader. */
const FLUSH_TIMEOUT = 1_000;

const writeBytes = promisify(write);

/** The log on standard output; `isShared` if other processes write to the same pipe. */
export function createLog(isShared: boolean): Log {
  const sink: Sink = async (bytes) => (await writeBytes(STANDARD_OUTPUT, bytes)).bytesWritten;
  const report = (message: string): void =>
    write(STANDARD_ERROR, `utility-calculation-service: ${message}\n`, () => undefined);
  return new BufferedLog(sink, report, isShared ? ATOMIC_SIZE : WRITE_SIZE);
}

/**
 * A log that never blocks the event loop. process.stdout writes synchronously to pipes and files, so that a stalled
 * reader would stall the service; this log collects lines and writes them in the background, one write at a time.
 *
 * | state | ends | further lines |
 * |---|---|---|
 * | idle | with the first line | begin a write |
 * | writing | when the sink has taken all lines that waited | wait, up to CAPACITY |
 * | collecting | after COLLECTING_TIME | wait, up to CAPACITY |
 * | failed | after RETRY_TIME; if a pipe is full, after COLLECTING_TIME | wait, up to CAPACITY |
 * | ending, after `flush` | when all is written, the sink has failed, or FLUSH_TIMEOUT passes | are written, too |
 *
 * Lines over CAPACITY are dropped and counted; the next line that has room reports their number.
 */
export class BufferedLog implements Log {
  private readonly sink: Sink;
  private readonly report: (message: string) => void;
  private readonly writeSize: number;
  private events: (() => string)[] = [];
  // Lines wait as bytes, because each garbage collection would copy strings.
  private waiting: Buffer[] = [];
  private size = 0;
  private dropped = 0;
  private writing: Promise<void> | undefined;
  private writes = 0;
  private isWriting = false;
  private hasFailed = false;
  private isEnding = false;

  /** Writes to `sink`, up to `writeSize` bytes at a time, and reports the first of consecutive failures. */
  constructor(sink: Sink, report: (message: string) => void, writeSize: number = WRITE_SIZE) {
    this.sink = sink;
    this.report = report;
    this.writeSize = writeSize;
  }

  line(level: Level, message: string, fields?: LogFields): void {
    this.write(() => membersOf(level, message, fields));
  }

  write(members: () => string): void {
    if (this.events.length === 0) setImmediate(() => this.format());
    this.events.push(members);
  }

  async flush(): Promise<boolean> {
    this.isEnding = true;
    this.format();
    const written = this.writing?.then(() => true) ?? true;
    for (;;) {
      const before = this.writes;
      const isWritten = await Promise.race([written, sleep(FLUSH_TIMEOUT, false)]);
      // A write that still runs without progress is stuck.
      if (isWritten || this.writes === before) return !this.isWriting;
    }
  }

  /** Formats the lines of a turn of the event loop together: one by one, among other work, they take twice as long. */
  private format(): void {
    const time = new Date().toISOString();
    let lines = '';
    for (const members of this.events) {
      const dropped = this.dropped > 0 ? `,"dropped":${this.dropped}` : '';
      const line = `{"time":"${time}",${members()}${dropped}}\n`;
      // The last lines report that the process stops, and how many lines were dropped.
      const hasRoom = this.isEnding || this.size + lines.length + line.length <= CAPACITY;
      if (hasRoom) lines += line;
      this.dropped = hasRoom ? 0 : this.dropped + 1;
    }
    this.events = [];
    const bytes = Buffer.from(lines);
    this.waiting.push(bytes);
    this.size += bytes.length;
    this.writing ??= this.writeAll().finally(() => {
      this.writing = undefined;
    });
  }

  private async writeAll(): Promise<void> {
    while (this.size > 0) {
      const bytes = Buffer.concat(this.waiting);
      this.waiting = [];
      this.size = 0;
      for (let start = 0; start < bytes.length; ) {
        start += await this.writeSome(bytes.subarray(start));
        if (this.isEnding && this.hasFailed) return;
      }
      if (!this.isEnding) await sleep(COLLECTING_TIME);
    }
  }

  /** Writes the first lines, or a first line that is longer than a write. Returns the number of bytes written. */
  private async writeSome(bytes: Buffer): Promise<number> {
    const end = bytes.lastIndexOf('\n', this.writeSize - 1) + 1 || bytes.indexOf('\n') + 1;
    this.isWriting = true;
    try {
      const count = await this.sink(bytes.subarray(0, end));
      this.writes += 1;
      this.hasFailed = false;
      return count;
    } catch (error) {
      await this.afterFailure(error as NodeJS.ErrnoException);
      return 0;
    } finally {
      this.isWriting = false;
    }
  }

  private async afterFailure({ code, message }: NodeJS.ErrnoException): Promise<void> {
    this.isWriting = false;
    if (code === 'EAGAIN') return sleep(COLLECTING_TIME);
    if (!this.hasFailed) this.report(`cannot write the log: ${message}; trying again every second`);
    this.hasFailed = true;
    return this.isEnding ? undefined : sleep(RETRY_TIME);
  }
}
