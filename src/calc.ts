/** The calculations on the command line: a single request, or one request per line. */
import type { Readable, Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { inspect } from 'node:util';
import { isJson } from './contract/json.ts';
import { commandOf, methodOf, type Operation } from './contract/operation.ts';
import { answerLines, emptyTally, type Tally } from './http/bulk.ts';
import type { PostRoute } from './http/service.ts';
import { operations } from './operations.ts';

/** Milliseconds between two updates of the progress. */
const PROGRESS_INTERVAL = 500;

/** The operations of the command line, by their names: `tax`, `annual`. */
export const calculations: ReadonlyMap<string, Operation> = new Map(operations
  .filter((operation) => methodOf(operation) === 'POST')
  .map((operation) => [commandOf(operation), operation]));

/** The source of the requests and the destination of the answers. */
export interface Streams {
  readonly input: Readable;
  readonly output: Writable;
  /** Progress, if it is a terminal, and errors. */
  readonly messages: Writable & { readonly isTTY?: boolean };
}

/** Answers one request. Returns whether it succeeded. */
export function calculateOne({ answer }: PostRoute, request: Buffer, output: Writable): boolean {
  const { status, body } = answer(request);
  output.write(`${body}\n`);
  return status === 200;
}

/**
 * Answers the requests on `input`: a single JSON text, which may have several lines, or else one request per line.
 * Resolves to whether all succeeded. Rejects with EPIPE if the reader of `output` has gone.
 */
export async function calculate(route: PostRoute, { input, output, messages }: Streams): Promise<boolean> {
  const { limit, answer } = route;
  const chunks = input[Symbol.asyncIterator]() as AsyncIterator<Buffer>;
  const { bytes, isSingle } = await readBeginning(chunks, limit);
  if (isSingle) return calculateOne(route, bytes, output);
  const tally = emptyTally();
  const onFault = (fault: unknown, line: number): void => void messages.write(`line ${line}: ${inspect(fault)}\n`);
  const stop = messages.isTTY ? showProgress(tally, messages) : undefined;
  const answers = answerLines(following(bytes, chunks), { limit, answer, tally, onFault });
  await pipeline(answers, output, { end: false }).finally(stop);
  const { succeeded, failed } = tally;
  if (failed > 0) messages.write(`${failed} of ${succeeded + failed} lines failed\n`);
  return failed === 0;
}

/** Reads until the first line is a complete JSON text, which is then one of many, or until the end of the input. */
async function readBeginning(
  chunks: AsyncIterator<Buffer>,
  limit: number,
): Promise<{ readonly bytes: Buffer; readonly isSingle: boolean }> {
  let bytes: Buffer = Buffer.alloc(0);
  for (;;) {
    const { done, value } = await chunks.next();
    if (done) return { bytes, isSingle: isJson(bytes.toString()) };
    bytes = Buffer.concat([bytes, value]);
    const end = bytes.indexOf('\n');
    const isLine = end !== -1 && isJson(bytes.toString('utf8', 0, end));
    if (isLine || bytes.length > limit) return { bytes, isSingle: false };
  }
}

async function* following(bytes: Buffer, chunks: AsyncIterator<Buffer>): AsyncGenerator<Buffer> {
  yield bytes;
  for (let next = await chunks.next(); !next.done; next = await chunks.next()) yield next.value;
}

/** Shows the progress on one line; the function returned shows it a last time. */
function showProgress(tally: Tally, messages: Writable): () => void {
  const startedAt = performance.now();
  const show = (): void => {
    const lines = tally.succeeded + tally.failed;
    const rate = Math.round((lines * 1000) / (performance.now() - startedAt));
    messages.write(`\r${lines} lines, ${rate} per second, ${Math.round(tally.bytes / 1e6)} MB\x1b[K`);
  };
  const timer = setInterval(show, PROGRESS_INTERVAL);
  return () => {
    clearInterval(timer);
    show();
    messages.write('\n');
  };
}
