import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough, Readable, Writable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import { calculateAll, calculationHelp, calculationsOf } from '../../src/extensions/calc/calc.ts';
import { operations } from '../../src/operations/operations.ts';
import { type PostRoute, serviceOf } from '../../src/service/service.ts';
import { commandLine } from '../../src/composition/settings.ts';
import { assertConstantMemory, residentMemory, run } from '../helpers/command.ts';
import { errorCode, faulty, serviceOptions } from '../helpers/fixture.ts';
import { isThorough } from '../helpers/repository.ts';
import { oracle, outline } from '../helpers/streams.ts';
import { once, turn, within } from '../helpers/until.ts';

const calculations = calculationsOf(operations);

test('calc answers a request from its argument as the service does', async (context) => {
  const calc = run(context, [
    'calc',
    'tax',
    '{"income":30000000,"detail":true}',
    '--tax-period=2025-12',
  ]);
  assert.equal(await calc.ended(), 0);
  assert.match(String(calc.lines[0]), /^\{"status":"success","data":\{.*"period":"2025-12"/);
});

test('calc names each calculation, and answers the annual settlement', async () => {
  for (const name of ['tax', 'annual', 'interest', 'hash']) assert.ok(calculations.has(name), name);
  for (const name of ['', 'taxes', 'rules']) assert.ok(!calculations.has(name), name);
  const annual = await calculated(
    '{"year":2026,"income":186000010,"insurance":0,"withheld":0}',
    calculations.get('annual')?.path,
  );
  assert.match(annual.answers, /^\{"status":"success","data":\{"year":2026,.*"balance":1\}\}\n$/);
});

test('calc --help lists every field of the calculation with its values and default', async (context) => {
  for (const [name, operation] of calculations) {
    const { request, examples } = operation;
    const help = calculationHelp(name, operation);
    // Lines are broken between words.
    const text = help.replaceAll(/\n {6}/g, ' ');
    const fields = Object.entries(
      request.schema['properties'] as Readonly<Record<string, Record<string, unknown>>>,
    );
    for (const [field, { description, default: byDefault }] of fields) {
      const line = text.split('\n').find((one) => one.startsWith(`  ${field} `)) ?? '';
      assert.ok(line.includes(` ${String(description)}`), field);
      if (byDefault !== undefined) assert.equal(line.split(/ {2,}/)[2], JSON.stringify(byDefault));
    }
    assert.ok(
      text.endsWith(`calc ${name} '${JSON.stringify(Object.values(examples)[0])}'\n`),
      text,
    );
  }
  const args = ['calc', 'tax', '--help'];
  const tax = run(context, args);
  assert.equal(await tax.ended(), 0);
  const text = `${tax.lines.join('\n')}\n`;
  assert.ok(text.startsWith(calculationHelp('tax', calculations.get('tax')!)), text);
  assert.match(text, /^  income +required +number from 0 up to 1000000000000$/m);
  assert.match(text, /^  region +1 +one of 1, 2, 3, 4$/m);
  assert.deepEqual(commandLine.parse(['help', 'calc', 'tax'], {}), commandLine.parse(args, {}));
  const short = run(context, ['help', 'tax']);
  assert.equal(await short.ended(), 0);
  assert.deepEqual(short.lines, tax.lines);
  const all = run(context, ['help', 'calc']);
  assert.equal(await all.ended(), 0);
  for (const [name, { summary }] of calculations)
    assert.ok(all.lines.some((line) => line.startsWith(`  ${name} `) && line.endsWith(summary)));
});

test('calc reads a file, also one that begins with a byte order mark', async (context) => {
  const folder = mkdtempSync(join(tmpdir(), 'calc-'));
  context.after(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'payroll.ndjson');
  writeFileSync(file, '\ufeff{"id":"a","income":1}\n{"id":"b","income":2}\n');
  const calc = run(context, ['calc', 'tax', file]);
  assert.equal(await calc.ended(), 0);
  assert.deepEqual(
    calc.lines.map((line) => (JSON.parse(line) as { id: string }).id),
    ['a', 'b'],
  );
});

test('calc exits with 2 if it cannot read a file, and states its path and the cause', async (context) => {
  const folder = mkdtempSync(join(tmpdir(), 'calc-'));
  context.after(() => rmSync(folder, { recursive: true }));
  const secret = join(folder, 'secret');
  writeFileSync(secret, '{"income":1}', { mode: 0o000 });
  const unreadable: readonly (readonly [path: string, code: string])[] = [
    ['30000000', 'ENOENT'],
    [join(folder, 'absent'), 'ENOENT'],
    [join(secret, 'payroll'), 'ENOTDIR'],
    [folder, 'EISDIR'],
    // The superuser reads every file.
    ...(process.getuid?.() === 0 ? [] : [[secret, 'EACCES'] as const]),
  ];
  const runs = unreadable.map(([path]) => run(context, ['calc', 'tax', path]));
  for (const [index, [path, code]] of unreadable.entries()) {
    const calc = runs[index]!;
    assert.equal(await calc.ended(), 2);
    const expected = `calc: expected a JSON object in braces, a file, or -, got "${path}": ${code}: `;
    assert.ok(calc.errors.startsWith(`utility-calculation-service: ${expected}`), calc.errors);
  }
});

test('calc reads standard input if the file is -', async (context) => {
  const calc = run(context, ['calc', 'tax', '-']);
  calc.child.stdin?.end('{"income":1}\n{"income":2}\n');
  assert.equal(await calc.ended(), 0);
  assert.equal(calc.lines.length, 2);
});

test('calc refuses an array as argument, and states how to send several requests', async (context) => {
  const calc = run(context, ['calc', 'tax', ' [{"income":1}]']);
  assert.equal(await calc.ended(), 1);
  assert.match(calc.lines.join(), /got an array; several requests are one object per line/);
});

const TAX = '/api/v1/tax/calculate';
const LINE = '{"income":30000000}';
const CHUNK = 65_536;

const streams: readonly [label: string, input: string | Buffer, failed: number, lines: number][] = [
  ['no input', '', 0, 0],
  ['empty lines only', '\n\r\n', 0, 0],
  ['one line', `${LINE}\n`, 0, 1],
  ['CR LF, an empty line, and no newline at the end', `${LINE}\r\n\n${LINE}`, 0, 2],
  ['invalid lines between valid ones', `${LINE}\nno\n{"income":-1}\n${LINE}\n`, 2, 4],
  ['an invalid first line', `no\n${LINE}\n`, 1, 2],
  ['an empty first line', `\n${LINE}\n${LINE}\n`, 0, 2],
  ['invalid UTF-8', Buffer.from([0xff, 10, 0xff, 10]), 2, 2],
  ['a line over the limit', `${LINE}\n${' '.repeat(20_000)}\n${LINE}`, 1, 3],
  [
    'a first line over the limit and longer than a chunk of the input',
    `${' '.repeat(200_000)}\n${LINE}\n`,
    1,
    2,
  ],
];

/** The calculation that answers lines for a path. */
function routeOf(target: string): PostRoute {
  const service = serviceOf(serviceOptions({ operations: [...operations, faulty] }));
  const routed = service.route({
    method: 'POST',
    target,
    headers: { 'content-type': 'application/json' },
  });
  assert.ok(routed.kind === 'post');
  return routed;
}

/** The outcome of a calculation on a stream of lines. */
interface Calculated {
  readonly answers: string;
  readonly said: string;
  readonly succeeded: boolean;
}

/** Runs a calculation in this process, on chunks of the size that Node reads from a pipe. */
async function calculated(input: string | Buffer, target: string = TAX): Promise<Calculated> {
  const bytes = Buffer.from(input as string);
  const chunks = Array.from({ length: Math.ceil(bytes.length / CHUNK) }, (_, index) =>
    bytes.subarray(index * CHUNK, (index + 1) * CHUNK),
  );
  const messages = new PassThrough();
  const output = new PassThrough();
  const answers = text(output);
  const said = text(messages);
  const succeeded = await calculateAll(routeOf(target), {
    input: Readable.from(chunks),
    output,
    messages,
  });
  output.end();
  messages.end();
  return { answers: await answers, said: await said, succeeded };
}

test('calc answers each line as the service does, and counts the failed lines', async (context) => {
  const service = serviceOf(serviceOptions());
  for (const [label, input, failed, lines] of streams) {
    await context.test(label, async () => {
      const expected = await oracle(service, TAX, Buffer.from(input as string));
      const { answers, said, succeeded } = await calculated(input);
      assert.equal(answers, expected);
      assert.equal(answers.split('\n').length - 1, lines);
      assert.equal(said, failed === 0 ? '' : `${failed} of ${lines} lines failed\n`);
      assert.equal(succeeded, failed === 0);
    });
  }
});

test('calc exits with 1 if a line failed, after all answers', async (context) => {
  const calc = run(context, ['calc', 'tax', '--tax-period=2026-08']);
  calc.child.stdin?.end(`${LINE}\nno\n${LINE}\n`);
  assert.equal(await calc.ended(), 1);
  assert.equal(calc.lines.length, 3);
  assert.equal(calc.errors, '1 of 3 lines failed\n');
});

test('calc accepts one JSON text over several lines as one request', async () => {
  const one = await calculated(
    `${JSON.stringify({ income: 30_000_000, detail: true }, null, 2)}\n`,
  );
  assert.match(one.answers, /^\{"status":"success",[^\n]+\n$/);
  assert.equal(one.succeeded, true);
  const wrong = await calculated('{\r\n  "income": -1\r\n}\r\n');
  assert.equal(errorCode(wrong.answers), 'validation_failed');
  assert.equal(wrong.succeeded, false);
  assert.equal(wrong.said, '');
});

test('calc accepts one JSON text over several lines of up to the limit', async () => {
  const limit = 16_384;
  const whole = '{"income":\n1}'.padEnd(limit);
  assert.deepEqual(outline((await calculated(whole)).answers), ['success']);
  assert.deepEqual(outline((await calculated(`${whole} `)).answers), [
    'invalid_json 1',
    'invalid_json 2',
  ]);
});

test('calc answers each line as soon as it arrives', async () => {
  const input = new PassThrough();
  const output = new PassThrough();
  const route = routeOf(calculations.get('hash')!.path);
  const ended = calculateAll(route, { input, output, messages: new PassThrough() });
  for (const text of ['a', 'b', 'c']) {
    input.write(`{"text":"${text}"}\n`);
    const [answer] = await once(output, 'data');
    assert.match(String(answer), new RegExp(`^[^\\n]*"input":"${text}"[^\\n]*\n$`));
  }
  input.end();
  assert.equal(await within('the end of the calculation', ended), true);
});

test('calc exits with 0 and no message when the reader of its answers closes the pipe', async (context) => {
  const calc = run(context, ['calc', 'tax']);
  const { stdin, stdout } = calc.child;
  stdin?.on('error', () => undefined);
  stdin?.write(`${LINE}\n`);
  await once(stdout!, 'data');
  stdout?.destroy();
  stdin?.write(`${LINE}\n`.repeat(100));
  assert.equal(await calc.ended(), 0);
  assert.equal(calc.errors, '');
});

test('calc loses no answer when their reader is slow', async (context) => {
  const { child, lines, ended } = run(context, ['calc', 'tax']);
  // Their answers are far longer than what pipes and streams hold.
  const count = 3_000;
  const { stdin, stdout } = child;
  stdout?.on('data', () => {
    stdout.pause();
    setImmediate(() => stdout.resume());
  });
  stdin?.end(`${LINE}\n`.repeat(count));
  assert.equal(await ended(), 0);
  assert.equal(lines.length, count);
  assert.equal(new Set(lines).size, 1);
});

/** Bounds of the heap, as in the Dockerfile, so that it does not grow before it is collected. */
const SMALL_HEAP = ['--max-semi-space-size=4', '--heap-growing-percent=50'];
const onLinux = { skip: process.platform === 'linux' ? false : 'needs procfs' };

/** One line of as many is invalid. */
const STEP = 1_000;
const LINES = isThorough ? 60_000 : 20_000;

test(`calc answers ${LINES} of 60000 lines in constant memory`, onLinux, async (context) => {
  const stream = run(context, ['calc', 'tax', '--tax-period=2026-08'], {}, SMALL_HEAP);
  const { stdin, stdout } = stream.child;
  // With their details, the answers to the fewer lines have 40 MB, which must not stay in the memory.
  const lines = Array.from({ length: STEP }, (_, index) =>
    index === 7 ? 'no\n' : `{"income":${index},"detail":true}\n`,
  );
  const block = lines.join('');
  const samples: number[] = [];
  let count = 0;
  stdout?.removeAllListeners('data').on('data', (text: string) => {
    for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) {
      count += 1;
      if (count % STEP === 0 && count < LINES) samples.push(residentMemory(stream.child));
    }
  });
  for (let sent = 0; sent < LINES; sent += STEP)
    if (!stdin?.write(block)) await once(stdin!, 'drain');
  stdin?.end();
  assert.equal(await stream.ended(), 1);
  assert.equal(count, LINES);
  assert.equal(stream.errors, `${LINES / STEP} of ${LINES} lines failed\n`);
  assertConstantMemory(samples);
});

test('calc reads no further while nobody reads its answers', async () => {
  const blocks = 1_000;
  let read = 0;
  const input = Readable.from(
    (function* (): Generator<Buffer> {
      for (; read < blocks; read += 1) yield Buffer.from(`${LINE}\n`.repeat(10));
    })(),
  );
  let answers = 0;
  let isStalled = true;
  let resume = (): void => assert.fail('nothing was written');
  const output = new Writable({
    write(chunk: Buffer, _encoding, done) {
      answers += String(chunk).split('\n').length - 1;
      if (isStalled) resume = done;
      else done();
    },
  });
  const done = calculateAll(routeOf(TAX), {
    input,
    output,
    messages: new PassThrough(),
  });
  // Each turn of the event loop answers one line at least.
  for (let before = -1; before < read; ) {
    before = read;
    for (let index = 0; index < 100; index += 1) await turn();
  }
  assert.ok(read < blocks / 4, `${read} blocks`);
  isStalled = false;
  resume();
  assert.equal(await done, true);
  assert.equal(answers, blocks * 10);
});

test('calc reports an internal error with its line number and stack', async () => {
  assert.match((await calculated('{}', faulty.path)).said, /^TypeError: the secret[^\n]+\n +at/);
  const { said, succeeded } = await calculated('{}\n\n{}\n', faulty.path);
  assert.equal(succeeded, false);
  assert.match(
    said,
    /^line 1: TypeError: the secret[^\n]+\n +at[^]+\nline 3: TypeError: [^]+\n2 of 2 lines failed\n$/,
  );
});
