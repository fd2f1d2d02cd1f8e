import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough, Readable } from 'node:stream';
import { test } from 'node:test';
import { calculate, calculations } from '../src/calc.ts';
import { VERSION } from '../src/settings.ts';
import { serviceOf } from '../src/http/service.ts';
import { operations } from '../src/operations.ts';
import { freePort, residentMemory, run } from './command.ts';
import { errorCode, faulty, serviceOptions } from './http/fixture.ts';

test('calc answers a request from its argument or standard input as the service does', async (context) => {
  const argument = run(context, ['calc', 'hash', '{"text":"a"}']);
  assert.equal(await argument.ended(), 0);
  const [answer = ''] = argument.lines;
  assert.match(answer, /^\{"status":"success","data":\{"input":"a","md5":"0cc175b9c0f1b6a831c399e269772661",/);

  const input = run(context, ['calc', 'tax', '--tax-period=2025-12']);
  input.child.stdin?.end('{"income":30000000,"detail":true}');
  assert.equal(await input.ended(), 0);
  assert.match(String(input.lines[0]), /"period":"2025-12"/);
});

test('calc names each calculation, and answers the annual settlement', async (context) => {
  for (const name of ['tax', 'annual', 'interest', 'hash']) assert.ok(calculations.has(name), name);
  const annual = run(context, ['calc', 'annual', '{"year":2026,"income":186000010}']);
  assert.equal(await annual.ended(), 0);
  assert.match(String(annual.lines[0]), /^\{"status":"success","data":\{"year":2026,.*"balance":1\}\}$/);
});

test('calc exits with 1 after a failure, and with 2 after invalid arguments', async (context) => {
  const invalid = run(context, ['calc', 'interest', '{"principal":"1"}']);
  assert.equal(await invalid.ended(), 1);
  assert.equal(errorCode(String(invalid.lines[0])), 'validation_failed');
  assert.equal(invalid.errors, '');
  const unknown = run(context, ['calc', 'rules', '{}']);
  assert.equal(await unknown.ended(), 2);
  assert.equal(unknown.errors,
    `utility-calculation-service: calc: expected one of ${[...calculations.keys()].join(', ')}, then at most one JSON text `
    + 'or file\n');
  for (const args of [['calc'], ['calc', 'taxes', '{}'], ['calc', 'tax', '{}', '{}'], ['serve', 'now'], ['start']]) {
    const wrong = run(context, args);
    assert.equal(await wrong.ended(), 2, args.join(' '));
    assert.match(wrong.errors, /^utility-calculation-service: [^\n]+\n$/, args.join(' '));
    assert.deepEqual(wrong.lines, []);
  }
});

test('healthcheck requests the health of the service with the given settings', async (context) => {
  const port = await freePort();
  const settings = { HOST: '0.0.0.0', PORT: String(port) };
  const before = run(context, ['healthcheck'], settings);
  assert.equal(await before.ended(), 1);
  assert.match(before.errors, /^utility-calculation-service: healthcheck: [^\n]*ECONNREFUSED[^\n]*\n$/);
  const service = run(context, [], settings);
  await service.event('ready');
  const during = run(context, ['healthcheck'], settings);
  assert.equal(await during.ended(), 0);
  assert.equal(during.errors + during.lines.join(), '');
});

test('--version and --help print the version and the usage', async (context) => {
  const version = run(context, ['--version']);
  assert.equal(await version.ended(), 0);
  assert.deepEqual(version.lines, [VERSION]);
  const help = run(context, ['--help']);
  assert.equal(await help.ended(), 0);
  assert.match(String(help.lines[0]), /^Usage: utility-calculation-service /);
});

test('calc --help lists every field of the calculation with its values and default', async (context) => {
  for (const [name, { request, examples }] of calculations) {
    const help = run(context, ['calc', name, '--help']);
    assert.equal(await help.ended(), 0);
    const text = help.lines.join('\n');
    const fields = Object.entries(request.schema['properties'] as Readonly<Record<string, Record<string, unknown>>>);
    for (const [field, { description, default: byDefault }] of fields) {
      assert.ok(text.includes(`  ${field}: `) && text.includes(`      ${String(description)}`), field);
      if (byDefault !== undefined) assert.ok(text.includes(`; default ${JSON.stringify(byDefault)}`), field);
    }
    assert.ok(text.endsWith(`calc ${name} '${JSON.stringify(Object.values(examples)[0])}'`), text);
  }
  const tax = run(context, ['help', 'calc', 'tax']);
  assert.equal(await tax.ended(), 0);
  assert.ok(tax.lines.includes('  income: number from 0 up to 1000000000000; required'), tax.lines.join('\n'));
  assert.ok(tax.lines.includes('  region: one of 1, 2, 3, 4; default 1'));
});

test('-h and help print the settings, and -v the version', async (context) => {
  for (const flag of ['-h', 'help']) {
    const help = run(context, [flag]);
    assert.equal(await help.ended(), 0);
    assert.match(String(help.lines[0]), /^Usage: utility-calculation-service /);
  }
  const version = run(context, ['-v']);
  assert.equal(await version.ended(), 0);
  assert.deepEqual(version.lines, [VERSION]);
});

test('calc reads a file, also one that begins with a byte order mark', async (context) => {
  const folder = mkdtempSync(join(tmpdir(), 'calc-'));
  context.after(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'payroll.ndjson');
  writeFileSync(file, '\ufeff{"id":"a","income":1}\n{"id":"b","income":2}\n');
  const calc = run(context, ['calc', 'tax', file]);
  assert.equal(await calc.ended(), 0);
  assert.deepEqual(calc.lines.map((line) => (JSON.parse(line) as { id: string }).id), ['a', 'b']);
  const absent = run(context, ['calc', 'tax', join(folder, 'absent')]);
  assert.equal(await absent.ended(), 1);
  assert.match(absent.errors, /^utility-calculation-service: calc: ENOENT: [^\n]+\n$/);
});

const LINE = '{"income":30000000}';
const NDJSON = { 'content-type': 'application/x-ndjson' };

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
  ['a first line over the limit and longer than a chunk of the input', `${' '.repeat(200_000)}\n${LINE}\n`, 1, 2],
];

test('calc answers each line as the service does, and counts the failed lines', async (context) => {
  const service = serviceOf(serviceOptions());
  for (const [label, input, failed, lines] of streams) {
    await context.test(label, async () => {
      const head = { method: 'POST', target: '/api/v1/tax/calculate', headers: NDJSON };
      const { body } = await service.answer(head, Buffer.from(input as string));
      const child = run(context, ['calc', 'tax', '--tax-period=2026-08']);
      child.child.stdin?.end(input);
      assert.equal(await child.ended(), failed === 0 ? 0 : 1);
      assert.equal(child.lines.map((line) => `${line}\n`).join(''), body);
      assert.equal(child.lines.length, lines);
      assert.equal(child.errors, failed === 0 ? '' : `${failed} of ${lines} lines failed\n`);
    });
  }
});

test('calc accepts one JSON text over several lines as one request', async (context) => {
  const one = run(context, ['calc', 'tax']);
  one.child.stdin?.end(`${JSON.stringify({ income: 30_000_000, detail: true }, null, 2)}\n`);
  assert.equal(await one.ended(), 0);
  assert.equal(one.lines.length, 1);
  assert.match(one.lines[0]!, /^\{"status":"success",/);
  const wrong = run(context, ['calc', 'tax']);
  wrong.child.stdin?.end('{\r\n  "income": -1\r\n}\r\n');
  assert.equal(await wrong.ended(), 1);
  assert.deepEqual(wrong.lines.map(errorCode), ['validation_failed']);
  assert.equal(wrong.errors, '');
});

test('calc answers each line as soon as it arrives', async (context) => {
  const { child, lines, ended } = run(context, ['calc', 'hash']);
  for (const text of ['a', 'b', 'c']) {
    child.stdin?.write(`{"text":"${text}"}\n`);
    await once(child.stdout!, 'data');
    assert.match(lines.at(-1)!, new RegExp(`"input":"${text}"`));
  }
  child.stdin?.end();
  assert.equal(await ended(), 0);
  assert.equal(lines.length, 3);
});

test('calc exits with 0 and no message when the reader of its answers closes the pipe', async (context) => {
  const stream = run(context, ['calc', 'tax']);
  const { stdin, stdout } = stream.child;
  stdin?.on('error', () => undefined);
  stdin?.write(`${LINE}\n`);
  await once(stdout!, 'data');
  stdout?.destroy();
  stdin?.write(`${LINE}\n`.repeat(100));
  assert.equal(await stream.ended(), 0);
  assert.equal(stream.errors, '');
  for (const args of [['calc', 'hash', '{"text":"a"}'], ['calc', 'hash']]) {
    const single = run(context, args);
    single.child.stdout?.destroy();
    single.child.stdin?.on('error', () => undefined).end('{"text":"a"}');
    assert.equal(await single.ended(), 0, args.join(' '));
    assert.equal(single.errors, '', args.join(' '));
  }
});

test('calc waits for a slow reader of its answers, and loses no answer', async (context) => {
  const { child, lines, ended } = run(context, ['calc', 'tax']);
  const count = 50_000;
  child.stdout?.pause();
  child.stdin?.end(`${LINE}\n`.repeat(count));
  // Without backpressure, calc would answer all lines in this time.
  await new Promise((resolve) => setTimeout(resolve, 1_000));
  assert.equal(child.exitCode, null);
  assert.ok((child.stdin?.writableLength ?? 0) > 0);
  child.stdout?.resume();
  assert.equal(await ended(), 0);
  assert.equal(lines.length, count);
  assert.equal(new Set(lines).size, 1);
});

const onLinux = { skip: process.platform === 'linux' ? false : 'needs procfs' };

test('calc answers 400,000 lines in constant memory', onLinux, async (context) => {
  const stream = run(context, ['calc', 'tax', '--tax-period=2026-08']);
  const { stdin, stdout } = stream.child;
  const block = Array.from({ length: 1_000 }, (_, index) => (index === 7 ? 'no\n' : `{"income":${index}}\n`)).join('');
  const begin = performance.now();
  const samples: number[] = [];
  let count = 0;
  stdout?.removeAllListeners('data').on('data', (text: string) => {
    for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) {
      count += 1;
      if (count % 20_000 === 0 && count < 400_000) samples.push(residentMemory(stream.child));
    }
  });
  for (let index = 0; index < 400; index += 1) if (!stdin?.write(block)) await once(stdin!, 'drain');
  stdin?.end();
  assert.equal(await stream.ended(), 1);
  const seconds = (performance.now() - begin) / 1000;
  assert.equal(count, 400_000);
  assert.equal(stream.errors, '400 of 400000 lines failed\n');
  const [early, most] = [Math.max(...samples.slice(0, 4)), Math.max(...samples)];
  context.diagnostic(`${Math.round(count / seconds)} lines per second, memory ${Math.round(early)} MB, `
    + `then at most ${Math.round(most)} MB`);
  assert.ok(most - early < 60, `${early} MB, then ${most} MB`);
});

/** Runs a calculation on a stream of lines, and returns its messages, which are progress and failures. */
async function messagesOf(
  isTerminal: boolean,
  input: string,
  target: string = '/api/v1/tax/calculate',
): Promise<{ said: string; succeeded: boolean }> {
  const step = serviceOf(serviceOptions({ operations: [...operations, faulty] }))
    .route({ method: 'POST', target, headers: { 'content-type': 'application/json' } });
  assert.ok('limit' in step);
  const messages = Object.assign(new PassThrough(), { isTTY: isTerminal });
  const output = new PassThrough().resume();
  const succeeded = await calculate(step, { input: Readable.from([Buffer.from(input)]), output, messages });
  const said = (await messages.setEncoding('utf8').end().toArray()).join('');
  return { said, succeeded };
}

test('calc reports its progress and the number of failed lines on a terminal', async () => {
  const progress = '\\r\\d+ lines, \\d+ per second, \\d+ MB\\x1b\\[K';
  const good = await messagesOf(true, `${LINE}\n${LINE}\n`);
  assert.match(good.said, new RegExp(`^(?:${progress})*\\r2 lines, \\d+ per second, 0 MB\\x1b\\[K\\n$`));
  assert.equal(good.succeeded, true);
  const bad = await messagesOf(true, `${LINE}\nno\n`);
  assert.match(bad.said, new RegExp(`^(?:${progress})+\\n1 of 2 lines failed\\n$`));
  assert.equal(bad.succeeded, false);
  assert.deepEqual(await messagesOf(false, `${LINE}\n${LINE}\n`), { said: '', succeeded: true });
});

test('calc reports an internal error with its line number and stack', async () => {
  assert.match((await messagesOf(false, '{}', faulty.path)).said, /^TypeError: the secret[^\n]+\n +at/);
  const { said, succeeded } = await messagesOf(false, '{}\n\n{}\n', faulty.path);
  assert.equal(succeeded, false);
  assert.match(said, /^line 1: TypeError: the secret[^\n]+\n +at[^]+\nline 3: TypeError: [^]+\n2 of 2 lines failed\n$/);
});
