/** The calculations on the command line: one request, or a stream with a request a line. */
import type { Readable, Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { inspect } from 'node:util';
import { answerLines, emptyTally, type Tally } from './http/bulk.ts';
import type { Awaiting } from './http/service.ts';

/** Milliseconds between two looks at the progress. */
const PROGRESS_INTERVAL = 500;

/** Where requests come from and answers go. */
export interface Streams {
  readonly input: Readable;
  readonly output: Writable;
  /** For people: progress if it is a terminal, and what went wrong. */
  readonly messages: Writable & { readonly isTTY?: boolean };
}

/** Answers one request. Returns whether it succeeded. */
export function calculateOne({ answer }: Awaiting, request: Buffer, output: Writable): boolean {
  const { status, body } = answer(request);
  output.write(`${body}\n`);
  return status === 200;
}

/**
 * Answers what comes on `input`: a text that is one JSON over several lines as one request, any other line by line.
 * Returns whether all succeeded. Rejects with EPIPE when the reader of `output` has gone.
 */
export async function calculate(operation: Awaiting, { input, output, messages }: Streams): Promise<boolean> {
  const { limit, answer } = operation;
  const chunks = input[Symbol.asyncIterator]() as AsyncIterator<Buffer>;
  const { bytes, isWhole } = await beginning(chunks, limit);
  if (isWhole) return calculateOne(operation, bytes, output);
  const tally = emptyTally();
  const onFault = (fault: unknown, line: number): void => void messages.write(`line ${line}: ${inspect(fault)}\n`);
  const stop = messages.isTTY ? showProgress(tally, messages) : undefined;
  const answers = answerLines(following(bytes, chunks), limit, answer, tally, onFault);
  await pipeline(answers, output, { end: false }).finally(stop);
  const { succeeded, failed } = tally;
  if (failed > 0) messages.write(`${failed} of ${succeeded + failed} lines failed\n`);
  return failed === 0;
}

/** Reads until it is clear whether the first line is JSON by itself, or the whole is. */
async function beginning(
  chunks: AsyncIterator<Buffer>,
  limit: number,
): Promise<{ readonly bytes: Buffer; readonly isWhole: boolean }> {
  let bytes: Buffer = Buffer.alloc(0);
  for (;;) {
    const { done, value } = await chunks.next();
    if (done) return { bytes, isWhole: isJson(bytes) };
    bytes = Buffer.concat([bytes, value]);
    const end = bytes.indexOf('\n');
    const isLine = end !== -1 && isJson(bytes.subarray(0, end));
    if (isLine || bytes.length > limit) return { bytes, isWhole: false };
  }
}

async function* following(bytes: Buffer, chunks: AsyncIterator<Buffer>): AsyncGenerator<Buffer> {
  yield bytes;
  for (let next = await chunks.next(); !next.done; next = await chunks.next()) yield next.value;
}

function isJson(bytes: Buffer): boolean {
  try {
    JSON.parse(bytes.toString());
    return true;
  } catch {
    return false;
  }
}

/** Shows on one line what has been done; the function returned shows it a last time. */
function showProgress(tally: Tally, messages: Writable): () => void {
  const begin = performance.now();
  const show = (): void => {
    const lines = tally.succeeded + tally.failed;
    const rate = Math.round((lines * 1000) / (performance.now() - begin));
    messages.write(`\r${lines} lines, ${rate} a second, ${Math.round(tally.bytes / 1e6)} MB\x1b[K`);
  };
  const timer = setInterval(show, PROGRESS_INTERVAL);
  return () => {
    clearInterval(timer);
    show();
    messages.write('\n');
  };
}
