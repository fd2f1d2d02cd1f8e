/** Bulk requests: one request per line (NDJSON), each answered by one line in the same order, in constant memory. */
import { deepFreeze } from '../../contract/freeze.ts';
import { NDJSON_TYPE } from '../../contract/media-types.ts';
import { type Answer, textAnswer, type TextAnswer } from '../../service/answer.ts';
import { ByteQueue, decode, encode } from '../../service/body.ts';
import type { PostRoute } from '../../service/service.ts';
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
type Line = Uint8Array | string;

/** Options for answering the lines of a bulk request. */
export interface LineOptions {
  /** Maximum bytes per line. */
  readonly limit: number;
  /** Answers a line, or refuses one over the limit. */
  readonly answer: (line: Line) => TextAnswer;
  /** Counts the answers. */
  readonly tally: Tally;
  /** Divides the work of this bulk request, or of several together, into slices. */
  readonly slicer: TimeSlicer;
  /** Called with each fault of the service. */
  readonly onFault: (fault: unknown, line: number) => void;
}

const NEWLINE = 10;
const CARRIAGE_RETURN = 13;
/** Bytes of requests, or characters of answers, that are processed together: few enough for the processor's cache. */
const BLOCK_SIZE = 64 * 1024;

/** The answers to the lines of a body, in order. Empty lines are counted, but not answered. */
export async function* answerLines(
  chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  options: LineOptions,
): AsyncGenerator<Uint8Array> {
  const { slicer } = options;
  const splitter = new LineSplitter(options.limit);
  const answerer = new LineAnswerer(options);
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

/** The answers to the lines of one source of requests, which shares its processor time with no other. */
export function answerSource(
  { limit, answer }: PostRoute,
  chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  onFault: LineOptions['onFault'],
  tally: Tally = emptyTally(),
): AsyncIterable<Uint8Array> {
  return answerLines(chunks, { limit, answer, tally, slicer: new TimeSlicer(), onFault });
}

/** Streams of requests for a service: lines of NDJSON. */
export const LINES = { mediaType: NDJSON_TYPE, answer: answerAllLines } as const;

/** The answer to a bulk request whose body has arrived. */
async function answerAllLines(route: PostRoute, body: Uint8Array): Promise<Answer> {
  let answers = '';
  let fault: unknown;
  const onFault = (error: unknown): void => {
    fault ??= error;
  };
  for await (const part of answerSource(route, [body], onFault)) answers += decode(part);
  return { ...BULK_ANSWER, body: answers, fault };
}

function* blocksOf(chunk: Uint8Array): Generator<Uint8Array> {
  for (let start = 0; start < chunk.length; start += BLOCK_SIZE) {
    yield chunk.subarray(start, start + BLOCK_SIZE);
  }
}

/** Splits a body that arrives in blocks into lines. */
class LineSplitter {
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
      yield this.unfinished.takeAll();
    }
    yield* linesOf(block.subarray(start, end));
    this.unfinished.add(block.subarray(end));
  }

  /** The last line, if the body does not end with a newline. */
  end(): readonly Line[] {
    return this.unfinished.size > 0 ? [this.unfinished.takeAll()] : [];
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
    yield text?.slice(start, end) ?? bytes.subarray(start, end);
    start = end + 1;
  }
}

/** Answers lines, and collects the answers. */
class LineAnswerer {
  private readonly options: LineOptions;
  private number = 0;
  private answers = '';

  constructor(options: LineOptions) {
    this.options = options;
  }

  get isFull(): boolean {
    return this.answers.length >= BLOCK_SIZE;
  }

  answer(line: Line): void {
    const { answer, tally, onFault } = this.options;
    this.number += 1;
    const request = stripCarriageReturn(line);
    if (request.length === 0) return;
    const { status, body, fault } = answer(request);
    if (fault !== undefined) onFault(fault, this.number);
    tally[status === 200 ? 'succeeded' : 'failed'] += 1;
    this.answers += status === 200 ? `${body}\n` : `${atLine(body, this.number)}\n`;
  }

  /** The answers collected since the last call, if there are any. */
  *take(): Generator<Uint8Array> {
    if (this.answers === '') return;
    const bytes = encode(this.answers);
    this.answers = '';
    this.options.tally.bytes += bytes.length;
    yield bytes;
  }
}

function stripCarriageReturn(line: Line): Line {
  if (typeof line === 'string') return line.endsWith('\r') ? line.slice(0, -1) : line;
  return line.at(-1) === CARRIAGE_RETURN ? line.subarray(0, -1) : line;
}

/** Adds the line number of a request in a bulk request to its failure envelope. */
function atLine(envelope: string, line: number): string {
  return `${envelope.slice(0, -2)},"line":${line}}}`;
}
