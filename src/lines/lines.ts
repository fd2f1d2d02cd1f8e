/** Bulk requests: one request per line (NDJSON), each answered by one line in the same order, in constant memory. */
import { deepFreeze } from '../contract/freeze.ts';
import { NDJSON_TYPE } from '../contract/media-types.ts';
import { textAnswer } from '../service/answer.ts';
import { ByteQueue, decode, encode } from '../service/body.ts';
import type { PostRoute } from '../service/service.ts';
import { TimeSlicer } from './time-slicer.ts';

/** The answer to a bulk request, without its body, which is the answers to the lines. */
export const BULK_ANSWER = deepFreeze(textAnswer(NDJSON_TYPE, ''));

/** The lines answered so far, and the bytes of their answers. */
export interface Tally {
  succeeded: number;
  failed: number;
  bytes: number;
}

/** The tally at the start of a bulk request. */
export function emptyTally(): Tally {
  return { succeeded: 0, failed: 0, bytes: 0 };
}

/** A line in bytes, or decoded from UTF-8. */
export type Line = Uint8Array | string;

/** Answers a line of up to `limit` bytes, or refuses a longer one. */
type LineRoute = Pick<PostRoute, 'limit' | 'answer'>;

/** Receives a fault of the service, and the number of its line. */
type OnFault = (fault: unknown, line: number) => void;

const NEWLINE = 10;
const CARRIAGE_RETURN = 13;
/** Bytes of requests, or characters of answers, that are processed together: few enough for the processor's cache. */
const BLOCK_SIZE = 64 * 1024;

/**
 * The answers to the lines of a body, in order. Empty lines are counted, but not answered. The tally counts the
 * answers; the slicer divides the work of this bulk request, or of several together. `onFault` is called with each
 * fault of the service.
 */
export async function* answerLines(
  route: LineRoute,
  chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  onFault: OnFault,
  tally: Tally = emptyTally(),
  slicer: TimeSlicer = new TimeSlicer(),
): AsyncGenerator<Uint8Array> {
  const splitter = new LineSplitter(route.limit);
  const answerer = new LineAnswerer(route, tally, onFault);
  for await (const chunk of chunks) {
    for (const block of blocksOf(chunk)) {
      if (slicer.isOver) await slicer.next();
      for (const line of splitter.add(block)) {
        if (answerer.isFull) yield* answerer.take();
        if (slicer.isOver) {
          yield* answerer.take();
          await slicer.next();
        }
        answerer.answer(line);
      }
      yield* answerer.take();
    }
  }
  for (const line of splitter.end()) answerer.answer(line);
  yield* answerer.take();
}

function* blocksOf(chunk: Uint8Array): Generator<Uint8Array> {
  for (let start = 0; start < chunk.length; start += BLOCK_SIZE) {
    yield chunk.subarray(start, start + BLOCK_SIZE);
  }
}

/** Splits a text that arrives in blocks into lines, without the newlines and carriage returns that end them. */
export class LineSplitter {
  private readonly unfinished: ByteQueue;

  constructor(limit: number) {
    this.unfinished = new ByteQueue(limit + 1); // One more, for a carriage return.
  }

  /** The lines that end in a block. */
  *add(block: Uint8Array): Generator<Line> {
    const end = block.lastIndexOf(NEWLINE) + 1;
    let start = 0;
    if (end > 0 && this.unfinished.size > 0) {
      start = block.indexOf(NEWLINE) + 1;
      this.unfinished.add(block.subarray(0, start - 1));
      yield withoutCarriageReturn(this.unfinished.takeAll());
    }
    yield* linesOf(block.subarray(start, end));
    this.unfinished.add(block.subarray(end));
  }

  /** The last line, if the text does not end with a newline. */
  end(): readonly Line[] {
    const { unfinished } = this;
    return unfinished.size > 0 ? [withoutCarriageReturn(unfinished.takeAll())] : [];
  }
}

/**
 * Splits lines that each end with a newline, into strings, or into bytes if not all of them are UTF-8. Finds one line
 * at a time: an array of short lines takes up to a hundred times the memory of its block, for each request that waits.
 */
function* linesOf(bytes: Uint8Array): Generator<Line> {
  const text = decode(bytes);
  for (let start = 0; start < (text ?? bytes).length; ) {
    const end = text?.indexOf('\n', start) ?? bytes.indexOf(NEWLINE, start);
    yield withoutCarriageReturn(text?.slice(start, end) ?? bytes.subarray(start, end));
    start = end + 1;
  }
}

/** Answers lines, and collects the answers. */
class LineAnswerer {
  private readonly route: LineRoute;
  private readonly tally: Tally;
  private readonly onFault: OnFault;
  private number = 0;
  private answers = '';

  constructor(route: LineRoute, tally: Tally, onFault: OnFault) {
    this.route = route;
    this.tally = tally;
    this.onFault = onFault;
  }

  get isFull(): boolean {
    return this.answers.length >= BLOCK_SIZE;
  }

  answer(line: Line): void {
    this.number += 1;
    if (line.length === 0) return;
    const { status, body, fault } = this.route.answer(line);
    if (fault !== undefined) this.onFault(fault, this.number);
    this.tally[status === 200 ? 'succeeded' : 'failed'] += 1;
    this.answers += status === 200 ? `${body}\n` : `${atLine(body, this.number)}\n`;
  }

  /** The answers collected since the last call, if there are any. */
  *take(): Generator<Uint8Array> {
    if (this.answers === '') return;
    const bytes = encode(this.answers);
    this.answers = '';
    this.tally.bytes += bytes.length;
    yield bytes;
  }
}

function withoutCarriageReturn(line: Line): Line {
  if (typeof line === 'string') return line.endsWith('\r') ? line.slice(0, -1) : line;
  return line.at(-1) === CARRIAGE_RETURN ? line.subarray(0, -1) : line;
}

/** Adds the line number of a request in a bulk request to its failure envelope. */
function atLine(envelope: string, line: number): string {
  return `${envelope.slice(0, -2)},"line":${line}}}`;
}
