/** Many requests in one: a line each (NDJSON), each answered by a line as it would be alone, in constant memory. */
import { isUtf8 } from 'node:buffer';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { atLine } from '../contract/failure.ts';
import type { Answer } from './answer.ts';
import { type Body, Gathering } from './body.ts';

/** What has been answered so far. */
export interface Tally {
  succeeded: number;
  failed: number;
  bytes: number;
}

/** The tally of a stream that begins. */
export function emptyTally(): Tally {
  return { succeeded: 0, failed: 0, bytes: 0 };
}

const NEWLINE = 10;
const CARRIAGE_RETURN = 13;
/** Milliseconds of work, that of all streams together, after which everything else gets its turn. */
const SLICE = 1;
/** Bytes of requests, or characters of answers, that are worked on together: few enough for the processor's cache. */
const BLOCK_SIZE = 64 * 1024;

let sliceEnd = 0;
let lastInLine: Promise<unknown> = Promise.resolve();

/** Waits for a turn of the event loop that no other stream works in. */
async function ownTurn(): Promise<void> {
  lastInLine = lastInLine.then(() => nextTurn());
  await lastInLine;
  sliceEnd = performance.now() + SLICE;
}

/**
 * The answers to lines of up to `limit` bytes that come in any pieces, in order; `answer` refuses longer ones, and gets
 * undefined for one that was not kept. Empty lines are skipped, and counted where a failure says its line. `onFault` is
 * told of faults of the service.
 */
export async function* answerLines(
  chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  limit: number,
  answer: (line: Body) => Answer,
  tally: Tally,
  onFault: (fault: unknown, line: number) => void,
): AsyncGenerator<Buffer> {
  const unfinished = new Gathering(limit + 1); // with the carriage return
  let number = 0;
  let answers = '';
  const answerTo = (line: Body): void => {
    number += 1;
    const request = withoutReturn(line);
    if (request?.length === 0) return;
    const { status, body, fault } = answer(request);
    if (fault !== undefined) onFault(fault, number);
    tally[status === 200 ? 'succeeded' : 'failed'] += 1;
    answers += status === 200 ? `${body}\n` : `${atLine(body, number)}\n`;
  };
  const takeAnswers = (): Buffer => {
    const bytes = Buffer.from(answers);
    answers = '';
    tally.bytes += bytes.length;
    return bytes;
  };
  for await (const { buffer, byteOffset, byteLength } of chunks) {
    for (let offset = 0; offset < byteLength; offset += BLOCK_SIZE) {
      const block = Buffer.from(buffer, byteOffset + offset, Math.min(BLOCK_SIZE, byteLength - offset));
      if (performance.now() >= sliceEnd) await ownTurn();
      const begin = unfinished.size === 0 ? 0 : block.indexOf(NEWLINE) + 1;
      const end = block.lastIndexOf(NEWLINE) + 1;
      if (begin > 0) {
        unfinished.add(block.subarray(0, begin - 1));
        answerTo(unfinished.take());
      }
      for (const line of linesOf(block.subarray(begin, end))) {
        if (answers.length >= BLOCK_SIZE) yield takeAnswers();
        if (performance.now() >= sliceEnd) {
          if (answers !== '') yield takeAnswers();
          await ownTurn();
        }
        answerTo(line);
      }
      unfinished.add(block.subarray(end));
      if (answers !== '') yield takeAnswers();
    }
  }
  if (unfinished.size > 0) answerTo(unfinished.take());
  if (answers !== '') yield takeAnswers();
}

/** The lines of whole lines: as texts, or as bytes where not all of them are UTF-8. */
function linesOf(bytes: Buffer): readonly (string | Buffer)[] {
  if (isUtf8(bytes)) return bytes.toString().split('\n').slice(0, -1);
  const lines: Buffer[] = [];
  for (let start = 0, end = bytes.indexOf(NEWLINE); end !== -1; end = bytes.indexOf(NEWLINE, start)) {
    lines.push(bytes.subarray(start, end));
    start = end + 1;
  }
  return lines;
}

function withoutReturn(line: Body): Body {
  if (typeof line === 'string') return line.endsWith('\r') ? line.slice(0, -1) : line;
  return line?.at(-1) === CARRIAGE_RETURN ? line.subarray(0, -1) : line;
}
