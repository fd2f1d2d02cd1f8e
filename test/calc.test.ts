import assert from 'node:assert/strict';
import { test } from 'node:test';
import { VERSION } from '../src/config.ts';
import { freePort, run } from './command.ts';
import { errorCode } from './http/fixture.ts';

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

test('calc ends with 1 where the answer is a failure, or the call is none', async (context) => {
  const invalid = run(context, ['calc', 'interest', '{"principal":"1"}']);
  assert.equal(await invalid.ended(), 1);
  assert.equal(errorCode(String(invalid.lines[0])), 'validation_failed');
  assert.equal(invalid.errors, '');
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
