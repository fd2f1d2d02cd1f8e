/** The calculations on the command line: a single request, or one request per line. */
import type { Readable, Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { inspect } from 'node:util';
import { describeFields, folded } from '../../contract/describe.ts';
import { isJson } from '../../contract/json.ts';
import type { Operation } from '../../contract/operation.ts';
import { answerLines, emptyTally } from '../../lines/lines.ts';
import type { PostRoute } from '../../service/service.ts';

const UTF8_MARK = Buffer.from('\ufeff');

/**
 * The operations that take a request, by their names on the command line: `tax` of /api/v1/tax/calculate, `annual` of
 * /api/v1/tax/annual.
 */
export function calculationsOf(operations: readonly Operation[]): ReadonlyMap<string, Operation> {
  const calculations = operations.filter(({ method }) => method === 'POST');
  const nameOf = ({ path }: Operation): string =>
    path.split('/').findLast((segment) => segment !== 'calculate')!;
  return new Map(calculations.map((operation) => [nameOf(operation), operation]));
}

/** The help of one calculation: its description, its fields with their bounds and defaults, and an example. */
export function calculationHelp(
  name: string,
  { description, request, examples }: Operation,
): string {
  const [example] = Object.values(examples);
  return `Usage: utility-calculation-service calc ${name} [JSON | FILE | -] [settings]

${folded(description)}

Fields: name, default and values

${describeFields(request)}
Example:

  utility-calculation-service calc ${name} '${JSON.stringify(example)}'
`;
}

/** The help of all calculations. */
export function calculationsHelp(calculations: ReadonlyMap<string, Operation>): string {
  const rows = [...calculations].map(([name, { summary }]) => `  ${name.padEnd(12)}${summary}\n`);
  return `Usage: utility-calculation-service calc NAME [JSON | FILE | -] [settings]

Calculations, whose fields \`calc NAME --help\` shows:

${rows.join('')}`;
}

/** The source of the requests, and the destinations of the answers and of error messages. */
export interface Streams {
  readonly input: Readable;
  readonly output: Writable;
  readonly messages: Writable;
}

/** Answers one request. Returns whether it succeeded. */
export function calculateOne(
  { answer }: PostRoute,
  request: Buffer,
  { output, messages }: Pick<Streams, 'output' | 'messages'>,
): boolean {
  const { status, body, fault } = answer(request);
  if (fault !== undefined) messages.write(`${inspect(fault)}\n`);
  output.write(`${body}\n`);
  return status === 200;
}

/**
 * Answers the requests on `input`: a single JSON text, which may have several lines, or else one request per line.
 * Resolves to true if all succeeded. Rejects with EPIPE if the reader of `output` has closed it.
 */
export async function calculateAll(
  route: PostRoute,
  { input, output, messages }: Streams,
): Promise<boolean> {
  const chunks = input[Symbol.asyncIterator]() as AsyncIterator<Buffer>;
  const { bytes, isSingle } = await readBeginning(chunks, route.limit);
  if (isSingle) return calculateOne(route, bytes, { output, messages });
  const tally = emptyTally();
  const onFault = (fault: unknown, line: number): void => {
    messages.write(`line ${line}: ${inspect(fault)}\n`);
  };
  const answers = answerLines(route, following(bytes, chunks), onFault, tally);
  await pipeline(answers, output, { end: false });
  const { succeeded, failed } = tally;
  if (failed > 0) messages.write(`${failed} of ${succeeded + failed} lines failed\n`);
  return failed === 0;
}

/**
 * Reads the beginning of the input. If the first line is a complete JSON text, there is one request per line; otherwise
 * the whole input is one request.
 */
async function readBeginning(
  chunks: AsyncIterator<Buffer>,
  limit: number,
): Promise<{ readonly bytes: Buffer; readonly isSingle: boolean }> {
  let bytes: Buffer = Buffer.alloc(0);
  for (;;) {
    const { done, value } = await chunks.next();
    if (done) return { bytes, isSingle: isJson(bytes.toString()) };
    bytes = Buffer.concat([bytes, value]);
    // Editors on Windows begin a file with a byte order mark.
    if (bytes.subarray(0, UTF8_MARK.length).equals(UTF8_MARK)) {
      bytes = bytes.subarray(UTF8_MARK.length);
    }
    const end = bytes.indexOf('\n');
    const isLine = end !== -1 && isJson(bytes.toString('utf8', 0, end));
    if (isLine || bytes.length > limit) return { bytes, isSingle: false };
  }
}

async function* following(bytes: Buffer, chunks: AsyncIterator<Buffer>): AsyncGenerator<Buffer> {
  yield bytes;
  for (let next = await chunks.next(); !next.done; next = await chunks.next()) yield next.value;
}
