/** Many requests in one: a line each (NDJSON), each answered by a line as it would be alone, in constant memory. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { atLine } from '../contract/failure.ts';
import type { Answer } from './answer.ts';
import { Gathering } from './body.ts';

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
  answer: (line: Buffer | undefined) => Answer,
  tally: Tally,
  onFault: (fault: unknown, line: number) => void,
): AsyncGenerator<string> {
  const unfinished = new Gathering(limit + 1); // with the carriage return
  let number = 0;
  const answerTo = (given: Buffer | undefined): string => {
    number += 1;
    const line = given?.[given.length - 1] === CARRIAGE_RETURN ? given.subarray(0, -1) : given;
    if (line?.length === 0) return '';
    const { status, body, fault } = answer(line);
    if (fault !== undefined) onFault(fault, number);
    tally[status === 200 ? 'succeeded' : 'failed'] += 1;
    return `${status === 200 ? body : atLine(body, number)}\n`;
  };
  for await (const { buffer, byteOffset, byteLength } of chunks) {
    const chunk = Buffer.from(buffer, byteOffset, byteLength);
    if (performance.now() >= sliceEnd) await ownTurn();
    let answers = '';
    let start = 0;
    for (let end = chunk.indexOf(NEWLINE); end !== -1; end = chunk.indexOf(NEWLINE, start)) {
      const part = chunk.subarray(start, end);
      start = end + 1;
      if (unfinished.size === 0) {
        answers += answerTo(part);
      } else {
        unfinished.add(part);
        answers += answerTo(unfinished.take());
      }
      if (performance.now() < sliceEnd) continue;
      tally.bytes += Buffer.byteLength(answers);
      yield answers;
      await ownTurn();
      answers = '';
    }
    unfinished.add(chunk.subarray(start));
    tally.bytes += Buffer.byteLength(answers);
    if (answers !== '') yield answers;
  }
  if (unfinished.size === 0) return;
  const last = answerTo(unfinished.take());
  tally.bytes += Buffer.byteLength(last);
  if (last !== '') yield last;
}
