import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { PassThrough, Readable } from 'node:stream';
import { test } from 'node:test';
import { calculate, calculations } from '../src/calc.ts';
import { VERSION } from '../src/config.ts';
import { createService } from '../src/http/service.ts';
import { operations } from '../src/operations.ts';
import { freePort, type Run, run } from './command.ts';
import { errorCode, faulty, serviceOptions } from './http/fixture.ts';

test('calc answers one request, from its argument or standard input, as the service would', async (context) => {
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

test('calc ends with 1 where the answer is a failure, or the call is none', async (context) => {
  const invalid = run(context, ['calc', 'interest', '{"principal":"1"}']);
  assert.equal(await invalid.ended(), 1);
  assert.equal(errorCode(String(invalid.lines[0])), 'validation_failed');
  assert.equal(invalid.errors, '');
  const unknown = run(context, ['calc', 'rules', '{}']);
  assert.equal(await unknown.ended(), 1);
  assert.equal(unknown.errors,
    `utility-calculation-service: calc: expected ${[...calculations.keys()].join(', ')}, then at most one JSON argument\n`);
  for (const args of [['calc'], ['calc', 'taxes', '{}'], ['calc', 'tax', '{}', '{}'], ['serve', 'now'], ['start']]) {
    const wrong = run(context, args);
    assert.equal(await wrong.ended(), 1, args.join(' '));
    assert.match(wrong.errors, /^utility-calculation-service: [^\n]+\n$/, args.join(' '));
    assert.deepEqual(wrong.lines, []);
  }
});

test('healthcheck asks the service of the same settings', async (context) => {
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

test('--version and --help', async (context) => {
  const version = run(context, ['--version']);
  assert.equal(await version.ended(), 0);
  assert.deepEqual(version.lines, [VERSION]);
  const help = run(context, ['--help']);
  assert.equal(await help.ended(), 0);
  assert.match(String(help.lines[0]), /^Usage: utility-calculation-service /);
});

const LINE = '{"income":30000000}';
const NDJSON = { 'content-type': 'application/x-ndjson' };

const streams: readonly [label: string, input: string | Buffer, failed: number, lines: number][] = [
  ['nothing', '', 0, 0],
  ['empty lines only', '\n\r\n', 0, 0],
  ['one line', `${LINE}\n`, 0, 1],
  ['CR LF, empty lines, no last newline', `${LINE}\r\n\n${LINE}`, 0, 2],
  ['bad lines between good ones', `${LINE}\nno\n{"income":-1}\n${LINE}\n`, 2, 4],
  ['a bad first line', `no\n${LINE}\n`, 1, 2],
  ['an empty first line', `\n${LINE}\n${LINE}\n`, 0, 2],
  ['invalid UTF-8', Buffer.from([0xff, 10, 0xff, 10]), 2, 2],
  ['a line over the limit', `${LINE}\n${' '.repeat(20_000)}\n${LINE}`, 1, 3],
  ['a first line over the limit, longer than what is read at a time', `${' '.repeat(200_000)}\n${LINE}\n`, 1, 2],
];

test('calc answers a line for each line, as the service would, and counts those that failed', async (context) => {
  const service = createService(serviceOptions());
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

test('calc takes one JSON over several lines as one request', async (context) => {
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

test('calc answers a line as soon as it comes', async (context) => {
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

test('calc ends quietly when the reader of its answers goes away, though more could be asked', async (context) => {
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

const memory = ({ child }: Run): number =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))?.[1]) / 1024;

test('calc waits for a slow reader of its answers, and loses none', async (context) => {
  const { child, lines, ended } = run(context, ['calc', 'tax']);
  const count = 50_000;
  child.stdout?.pause();
  child.stdin?.end(`${LINE}\n`.repeat(count));
  // Long enough to be through with all of them, if it did not wait.
  await new Promise((resolve) => setTimeout(resolve, 1_000));
  assert.equal(child.exitCode, null);
  assert.ok((child.stdin?.writableLength ?? 0) > 0);
  child.stdout?.resume();
  assert.equal(await ended(), 0);
  assert.equal(lines.length, count);
  assert.equal(new Set(lines).size, 1);
});

const onLinux = { skip: process.platform === 'linux' ? false : 'needs procfs' };

test('calc answers 1000000 lines in constant memory', onLinux, async (context) => {
  const stream = run(context, ['calc', 'tax', '--tax-period=2026-08']);
  const { stdin, stdout } = stream.child;
  const block = Array.from({ length: 1_000 }, (_, index) => (index === 7 ? 'no\n' : `{"income":${index}}\n`)).join('');
  const begin = performance.now();
  const samples: number[] = [];
  let count = 0;
  stdout?.removeAllListeners('data').on('data', (text: string) => {
    for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) {
      count += 1;
      if (count % 50_000 === 0 && count < 1_000_000) samples.push(memory(stream));
    }
  });
  for (let index = 0; index < 1_000; index += 1) if (!stdin?.write(block)) await once(stdin!, 'drain');
  stdin?.end();
  assert.equal(await stream.ended(), 1);
  const seconds = (performance.now() - begin) / 1000;
  assert.equal(count, 1_000_000);
  assert.equal(stream.errors, '1000 of 1000000 lines failed\n');
  const [early, most] = [Math.max(...samples.slice(0, 4)), Math.max(...samples)];
  context.diagnostic(`${Math.round(count / seconds)} lines per second, memory ${Math.round(early)} MB, `
    + `then at most ${Math.round(most)} MB`);
  assert.ok(most - early < 60, `${early} MB, then ${most} MB`);
});

/** What the calculation of a stream says to people. */
async function saidTo(
  isTerminal: boolean,
  input: string,
  target: string = '/api/v1/tax/calculate',
): Promise<{ said: string; succeeded: boolean }> {
  const step = createService(serviceOptions({ operations: [...operations, faulty] }))
    .route({ method: 'POST', target, headers: { 'content-type': 'application/json' } });
  assert.ok('limit' in step);
  const messages = Object.assign(new PassThrough(), { isTTY: isTerminal });
  const output = new PassThrough().resume();
  const succeeded = await calculate(step, { input: Readable.from([Buffer.from(input)]), output, messages });
  const said = (await messages.setEncoding('utf8').end().toArray()).join('');
  return { said, succeeded };
}

test('calc shows a terminal its progress, and says what has failed', async () => {
  const progress = '\\r\\d+ lines, \\d+ per second, \\d+ MB\\x1b\\[K';
  const good = await saidTo(true, `${LINE}\n${LINE}\n`);
  assert.match(good.said, new RegExp(`^(?:${progress})*\\r2 lines, \\d+ per second, 0 MB\\x1b\\[K\\n$`));
  assert.equal(good.succeeded, true);
  const bad = await saidTo(true, `${LINE}\nno\n`);
  assert.match(bad.said, new RegExp(`^(?:${progress})+\\n1 of 2 lines failed\\n$`));
  assert.equal(bad.succeeded, false);
  assert.deepEqual(await saidTo(false, `${LINE}\n${LINE}\n`), { said: '', succeeded: true });
});

test('calc tells a fault of its own with the line and the stack', async () => {
  const { said, succeeded } = await saidTo(false, '{}\n\n{}\n', faulty.path);
  assert.equal(succeeded, false);
  assert.match(said, /^line 1: TypeError: the secret[^\n]+\n +at[^]+\nline 3: TypeError: [^]+\n2 of 2 lines failed\n$/);
});
