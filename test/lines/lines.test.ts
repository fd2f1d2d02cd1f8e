import assert from 'node:assert/strict';
import type { UnderlyingSource } from 'node:stream/web';
import { test } from 'node:test';
import { answerLines, emptyTally, type Tally } from '../../src/lines/lines.ts';
import { TimeSlicer } from '../../src/lines/time-slicer.ts';
import { commandLine } from '../../src/composition/settings.ts';
import { fetchHandlerOf } from '../../src/extensions/fetch/fetch.ts';
import { envelopeAnswer } from '../../src/service/answer.ts';
import { type Body, decode, TOO_LARGE } from '../../src/service/body.ts';
import { serviceOf, type Service } from '../../src/service/service.ts';
import { fuzzedBody } from '../helpers/bodies.ts';
import { replaceClock } from '../helpers/clock.ts';
import { calculations, conformingService, listen, serviceOptions } from '../helpers/fixture.ts';
import { seeded } from '../helpers/random.ts';
import { part, search } from '../helpers/repository.ts';
import {
  bodyFor,
  chunkOf,
  CHUNKED,
  HASH,
  headOf,
  LAST_CHUNK,
  NDJSON,
  oracle,
  outline,
  TAX,
  TAX_LINE,
} from '../helpers/streams.ts';
import { turn } from '../helpers/until.ts';

const { cases: FUZZED, words } = search(600);
const SEED = 20_261_128;

/** The answer of the function under test to a body in pieces. */
async function inPieces(
  service: Service,
  target: string,
  pieces: Iterable<Uint8Array>,
): Promise<string> {
  const step = service.route({ method: 'POST', target, headers: NDJSON });
  assert.ok(step.kind === 'post' && step.isBulk);
  const tally: Tally = { succeeded: 0, failed: 0, bytes: 0 };
  let answers = '';
  for await (const text of answerLines(step, pieces, assert.fail, tally))
    answers += Buffer.from(text).toString();
  const envelopes = answers.split('\n').slice(0, -1);
  const failed = envelopes.filter((envelope) =>
    /^\{(?:"id":[^,]+,)?"status":"error"/.test(envelope),
  ).length;
  assert.deepEqual(tally, {
    succeeded: envelopes.length - failed,
    failed,
    bytes: Buffer.byteLength(answers),
  });
  return answers;
}

const small = Buffer.from('{"text":"é"}\r\n\nno\n{"text":1}\n\r\n{"text":"b"}');

/** The pairs of positions at which a small request is cut. */
const PAIRS = Array.from({ length: small.length + 1 }, (_, first) =>
  Array.from({ length: small.length + 1 - first }, (_, size) => [first, first + size] as const),
).flat();

test(`answers a small bulk request, cut at ${part(PAIRS).length} of ${PAIRS.length} pairs of positions, like the whole one`, async () => {
  const expected = await oracle(conformingService(), HASH, small);
  assert.equal(expected.match(/\n/g)?.length, 4);
  const service = serviceOf(serviceOptions());
  for (const [first, second] of part(PAIRS)) {
    const pieces = [
      small.subarray(0, first),
      small.subarray(first, second),
      small.subarray(second),
    ];
    assert.equal(await inPieces(service, HASH, pieces), expected, `${first}, ${second}`);
  }
  assert.equal(
    await inPieces(
      service,
      HASH,
      [...small].map((byte) => Uint8Array.of(byte)),
    ),
    expected,
  );
});

const TAX_LIMIT = 16_384;
const padded = (length: number): string => TAX_LINE.padEnd(length);

const streams: readonly [label: string, body: string | Buffer, lines: readonly string[]][] = [
  ['no byte', '', []],
  ['a newline', '\n', []],
  ['only empty lines', '\r\n\n\n\r\n', []],
  ['one line without a newline', TAX_LINE, ['success']],
  ['one line with CR at the end', `${TAX_LINE}\r`, ['success']],
  ['CR LF', `${TAX_LINE}\r\n${TAX_LINE}\r\n`, ['success', 'success']],
  ['two CR, of which one belongs to the line as white space', `${TAX_LINE}\r\r\n`, ['success']],
  [
    'empty lines, which have numbers but no answers',
    `\n\r\n${TAX_LINE}\n\nx\n`,
    ['success', 'invalid_json 5'],
  ],
  ['lines of white space, which are not empty', ' \n\t\n', ['invalid_json 1', 'invalid_json 2']],
  ['CR alone, which ends no line', `${TAX_LINE}\r${TAX_LINE}\n`, ['invalid_json 1']],
  ['U+2028, which ends no line', `{"\u2028":1}\n`, ['validation_failed 1']],
  ['a byte order mark', `\ufeff${TAX_LINE}\n${TAX_LINE}`, ['invalid_json 1', 'success']],
  [
    'invalid UTF-8',
    Buffer.from([0xff, 10, 0xc3, 10, 0xa9, 10]),
    ['invalid_json 1', 'invalid_json 2', 'invalid_json 3'],
  ],
  ['zero bytes', '\0\n\0', ['invalid_json 1', 'invalid_json 2']],
  [
    'a JSON text over several lines',
    '{\n"income":1\n}',
    ['invalid_json 1', 'invalid_json 2', 'invalid_json 3'],
  ],
  [
    'invalid lines between valid ones',
    `{}\n${TAX_LINE}\n[]\n${TAX_LINE}\n`,
    ['validation_failed 1', 'success', 'invalid_json 3', 'success'],
  ],
  ['lines at the limit', `${padded(TAX_LIMIT)}\n${padded(TAX_LIMIT)}`, ['success', 'success']],
  [
    'lines at the limit, with CR LF',
    `${padded(TAX_LIMIT)}\r\n${padded(TAX_LIMIT)}\r`,
    ['success', 'success'],
  ],
  [
    'one byte over the limit',
    `${padded(TAX_LIMIT + 1)}\n${TAX_LINE}\n`,
    ['body_too_large 1', 'success'],
  ],
  [
    'one byte over the limit, with CR LF',
    `${TAX_LINE}\n${padded(TAX_LIMIT + 1)}\r\n`,
    ['success', 'body_too_large 2'],
  ],
  ['over the limit, without a newline at the end', padded(TAX_LIMIT + 1), ['body_too_large 1']],
  [
    'far over the limit, between valid lines',
    `${TAX_LINE}\n${'x'.repeat(300_000)}\n${TAX_LINE}`,
    ['success', 'body_too_large 2', 'success'],
  ],
  [
    'short lines that together exceed the limit',
    `${TAX_LINE}\n`.repeat(1_000),
    Array.from({ length: 1_000 }, () => 'success'),
  ],
  ['a hundred thousand empty lines', '\n'.repeat(100_000), []],
];

test('splits a bulk request into lines', async (context) => {
  const service = conformingService();
  for (const [label, body, lines] of streams) {
    await context.test(label, async () => {
      const bytes = Buffer.from(body as string);
      const expected = await oracle(service, TAX, bytes);
      assert.deepEqual(outline(expected), lines);
      const sizes = [bytes.length || 1, 65_536, 1_000, bytes.length < 1_000 ? 1 : 97];
      for (const size of sizes) {
        const pieces = Array.from({ length: Math.ceil(bytes.length / size) }, (_, index) =>
          bytes.subarray(index * size, (index + 1) * size),
        );
        assert.equal(await inPieces(service, TAX, pieces), expected, `pieces of ${size}`);
      }
    });
  }
});

test('answers a line of exactly the limit whole, with either line end, in chunks of any size', async () => {
  const limit = 64;
  const lengths = [limit, limit + 1, 1, limit, limit + 2, limit];
  const lines = [...lengths.map((length) => 'a'.repeat(length)), `${'a'.repeat(limit)}\r\r`];
  for (const end of ['\n', '\r\n']) {
    const bytes = Buffer.from(lines.map((line) => line + end).join('') + lines[0]);
    for (const size of [1, 2, 3, limit - 1, limit, limit + 1, limit + 2, bytes.length]) {
      const seen: (string | undefined)[] = [];
      const answer = (line: Body): ReturnType<typeof envelopeAnswer> => {
        const bytes = line === TOO_LARGE ? undefined : line;
        const text = bytes instanceof Uint8Array ? decode(bytes) : bytes;
        seen.push(text !== undefined && text.length > limit ? undefined : text);
        return envelopeAnswer('1');
      };
      const chunks = function* (): Generator<Buffer> {
        for (let start = 0; start < bytes.length; start += size)
          yield bytes.subarray(start, start + size);
      };
      for await (const part of answerLines({ limit, answer }, chunks(), assert.fail))
        assert.ok(part.length > 0);
      const expected = [...lines, lines[0]!].map((line) =>
        line.length > limit ? undefined : line,
      );
      assert.deepEqual(seen, expected, `${JSON.stringify(end)}, chunks of ${size} bytes`);
    }
  }
});

/** The outcome of a body of 20,000 equal pieces, and its processor time, which other processes hardly change. */
async function repeated(
  piece: string,
): Promise<{ readonly outcome: string[]; readonly milliseconds: number }> {
  const bytes = Buffer.from(piece);
  const pieces = function* (): Generator<Buffer> {
    for (let index = 0; index < 20_000; index += 1) yield bytes;
  };
  const before = process.cpuUsage();
  const outcome = outline(await inPieces(conformingService(), TAX, pieces()));
  const { user, system } = process.cpuUsage(before);
  return { outcome, milliseconds: (user + system) / 1000 };
}

test('reads an endless line about as fast as empty lines, and answers it once', async () => {
  const { outcome: none, milliseconds: reference } = await repeated('\n');
  const { outcome, milliseconds } = await repeated('x'.repeat(256));
  assert.deepEqual([none, outcome], [[], ['body_too_large 1']]);
  // Work in quadratic time would take a hundred times as long.
  assert.ok(milliseconds < 10 * reference, `${milliseconds} ms; empty lines take ${reference} ms`);
});

test(`answers the lines of ${words} random streams, seed ${SEED}, like single requests`, async (context) => {
  const random = seeded(SEED);
  const { port, service } = await listen(context);
  const counts = new Map<string, number>();
  for (let index = 0; index < FUZZED; index += 1) {
    const operation = random.pick(calculations);
    const lines = Array.from({ length: random.below(8) }, () => fuzzedBody(random, operation));
    const ends = ['\n', '\n', '\r\n', '\n\n', '\r\r\n', '\n \n'];
    const body = Buffer.concat(
      lines.flatMap((line) => [line, Buffer.from(random.pick(ends))]),
    ).subarray(0, random.below(4) === 0 ? -1 : undefined);
    const expected = await oracle(service, operation.path, body);
    const label = `case ${index}: ${JSON.stringify(body.toString('latin1'))}`;
    const at = [random.below(body.length + 1), random.below(body.length + 1)].sort(
      (left, right) => left - right,
    );
    const pieces = [body.subarray(0, at[0]), body.subarray(at[0], at[1]), body.subarray(at[1])];
    assert.equal(await inPieces(service, operation.path, pieces), expected, label);
    if (index % 10 === 0) {
      const chunks = pieces.filter((piece) => piece.length > 0).map(chunkOf);
      const answered = await bodyFor(
        context,
        port,
        headOf(operation.path, CHUNKED),
        ...chunks,
        LAST_CHUNK,
      );
      assert.equal(answered, expected, label);
    }
    for (const [code = ''] of outline(expected).map((line) => line.split(' '))) {
      counts.set(code, (counts.get(code) ?? 0) + 1);
    }
  }
  for (const code of ['success', 'invalid_json', 'validation_failed']) {
    assert.ok((counts.get(code) ?? 0) > FUZZED / 4, `${code}: ${counts.get(code)}`);
  }
});

/** A bulk request whose body is a stream. */
function streamed(source: UnderlyingSource, further: Record<string, string> = {}): Request {
  return new Request(`http://a${HASH}`, {
    method: 'POST',
    headers: { ...NDJSON, ...further },
    body: new ReadableStream(source),
    duplex: 'half',
  } as RequestInit);
}

test('the Fetch handler reads a bulk request to its end, and then answers it as it is read', async () => {
  const service = conformingService();
  const respond = fetchHandlerOf(service);
  const lines = ['{"text":"a"}\n', '{}\n', '{"text":"b"}'];
  let given = 0;
  const request = streamed(
    {
      pull(controller) {
        if (given < lines.length) controller.enqueue(Buffer.from(lines[given]!));
        else controller.close();
        given += 1;
      },
    },
    { 'x-request-id': 'f-1' },
  );
  const response = await respond(request);
  assert.equal(given, lines.length + 1);
  assert.deepEqual(
    [response.status, response.headers.get('content-type'), response.headers.get('x-request-id')],
    [200, 'application/x-ndjson; charset=utf-8', 'f-1'],
  );
  const body = Buffer.from(lines.join(''));
  assert.equal(await response.text(), await oracle(service, HASH, body));
  const empty = await respond(
    new Request(`http://a${HASH}`, { method: 'POST', headers: NDJSON, body: '\n'.repeat(200_000) }),
  );
  assert.equal(await empty.text(), '');
});

test('the Fetch handler calculates no more than is read, and nothing after the answer is cancelled', async () => {
  let calls = 0;
  const count = 100_000;
  const service = conformingService();
  const counting: Service = {
    ...service,
    route(head) {
      const route = service.route(head);
      if (route.kind === 'answer') return route;
      const answer: typeof route.answer = (line) => {
        calls += 1;
        return route.answer(line);
      };
      return { ...route, answer };
    },
  };
  const respond = fetchHandlerOf(counting);
  const body = '{"text":"a"}\n'.repeat(count);
  const { body: answers } = await respond(
    new Request(`http://a${HASH}`, { method: 'POST', headers: NDJSON, body }),
  );
  const reader = answers!.getReader();
  assert.ok((await reader.read()).value);
  for (let index = 0; index < 100; index += 1) await turn();
  const before = calls;
  assert.ok(before > 0 && before < count / 10, String(before));
  await reader.cancel();
  for (let index = 0; index < 100; index += 1) await turn();
  assert.ok(calls <= before, String(calls));
});

test('the Fetch handler refuses a bulk request over 32 MiB, and cancels the rest of it', async () => {
  assert.equal(commandLine.parse([], {}).settings.bulkBuffer, 33_554_432);
  const respond = fetchHandlerOf(conformingService());
  const piece = Buffer.alloc(2 ** 20, '\n');
  let isCancelled = false;
  const response = await respond(
    streamed({
      pull: (controller) => controller.enqueue(piece),
      cancel: () => void (isCancelled = true),
    }),
  );
  assert.deepEqual([response.status, isCancelled], [413, true]);
  assert.match(await response.text(), /up to 33554432 bytes: send its lines in several requests/);
});

test('the Fetch handler refuses a bulk request whose body cannot be read', async (context) => {
  const respond = fetchHandlerOf(conformingService());
  const gone = await respond(
    streamed({ pull: (controller) => controller.error(new Error('gone')) }),
  );
  assert.equal(gone.status, 400);
  const line = Buffer.from('{"text":"a"}\n');
  const used = new Request(`http://a${HASH}`, { method: 'POST', headers: NDJSON, body: line });
  await used.text();
  const { mock } = context.mock.method(console, 'error', () => undefined);
  assert.equal((await respond(used)).status, 500);
  const locked = new Request(`http://a${HASH}`, { method: 'POST', headers: NDJSON, body: line });
  locked.body!.getReader();
  assert.equal((await respond(locked)).status, 500);
  assert.equal(mock.callCount(), 2);
});

test('does the work of one bulk request per turn of the event loop while fifty run', async (context) => {
  const pass = replaceClock(context);
  const step = serviceOf(serviceOptions()).route({ method: 'POST', target: TAX, headers: NDJSON });
  assert.ok(step.kind === 'post' && step.isBulk);
  const [streams, lines] = [50, 30];
  let answered = 0;
  const answer: typeof step.answer = (line) => {
    answered += 1;
    pass(0.4);
    return step.answer(line);
  };
  const block = Buffer.from(`${TAX_LINE}\n`.repeat(lines));
  const slicer = new TimeSlicer();
  const one = async (): Promise<void> => {
    for await (const _ of answerLines(
      { ...step, answer },
      [block],
      assert.fail,
      emptyTally(),
      slicer,
    ));
  };
  const work = Promise.all(Array.from({ length: streams }, one));
  const perTurn: number[] = [];
  while (answered < streams * lines) {
    const before = answered;
    await turn();
    perTurn.push(answered - before);
  }
  await work;
  // A slice of 1 ms is three lines of 0.4 ms.
  assert.equal(Math.max(...perTurn), 3);
});
