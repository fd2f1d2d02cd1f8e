import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { extname } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { environmentName, SETTINGS } from '../src/config.ts';
import { FAILURES } from '../src/contract/failure.ts';
import type { JsonSchema } from '../src/contract/schema.ts';
import { BULK_BUFFERS } from '../src/assemble.ts';
import {
  DISCARDED_BODY, HEADER_LIMIT, HEADERS_TIMEOUT, IDLE_TIMEOUT, LINGER_SIZE, LINGER_TIME, STALL_TIMEOUT,
} from '../src/node/limits.ts';
import * as law from '../src/tax/law.ts';
import { calculations, listen } from './http/fixture.ts';
import { readText, sources } from './repository.ts';

const readme = readText('README.md');

/** The rows of the first table below a heading, as cells. */
function tableUnder(heading: string): string[][] {
  const start = readme.indexOf(`\n${heading}\n`);
  assert.notEqual(start, -1, heading);
  const lines = readme.slice(start + heading.length + 2).split('\n');
  const first = lines.findIndex((line) => line.startsWith('|'));
  const length = lines.slice(first).findIndex((line) => !line.startsWith('|'));
  const rows = lines.slice(first + 2, first + length);
  return rows.map((line) => line.slice(2, -2).split(' | ').map((cell) => cell.trim()));
}

test('each example is a real request and its real answer', async (context) => {
  const { url } = await listen(context);
  const call = /^curl (http:\/\/[^/]+)(\S+) -H '(\S+): (.+)' (?:\\\n\s*)?-d '(.*)'\n```\n\n```json\n(.*)\n```/gm;
  const examples = [...readme.matchAll(call)];
  assert.deepEqual(examples.map(([, , path]) => path), calculations.map(({ path }) => path));
  for (const [, origin, path = '', name = '', value = '', body = '', answer] of examples) {
    assert.equal(origin, `http://${SETTINGS.host.default}:${SETTINGS.port.default}`);
    const response = await fetch(url + path, { method: 'POST', headers: { [name]: value }, body });
    assert.equal(await response.text(), answer);
  }
  const failure = /one envelope:\n\n```json\n(.*)\n```/.exec(readme)?.[1];
  const response = await fetch(`${url}/api/v1/tax/calculate`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{"income":"30"}',
  });
  assert.equal(await response.text(), failure);
});

test('the example of many lines is a request, and is answered as it says', async (context) => {
  const { url } = await listen(context);
  const [, body = '', path = ''] = /printf '(.*)' \| curl http:\/\/127\.0\.0\.1:8080(\S+) /.exec(readme) ?? [];
  const headers = { 'content-type': 'application/x-ndjson' };
  const response = await fetch(url + path, { method: 'POST', headers, body: body.replaceAll('\\n', '\n') });
  const answers = (await response.text()).trimEnd().split('\n').map((line) => JSON.parse(line) as object);
  assert.deepEqual(answers.map((answer) => Object.keys(answer).join()), ['status,data', 'status,error']);
  assert.equal((answers[1] as { error: { line: number } }).error.line, 2);
});

test('the table of failures is FAILURES', () => {
  const rows = tableUnder('## Failures');
  const expected = Object.entries(FAILURES).map(([code, { status, title }]) => [String(status), `\`${code}\``, title]);
  assert.deepEqual(rows, expected);
});

test('the table of settings is SETTINGS', () => {
  const rows = Object.entries(SETTINGS).map(([key, setting]) =>
    [`\`${environmentName(key)}\``, setting.default === undefined ? '' : `\`${setting.default}\``, setting.expected,
      setting.description]);
  assert.deepEqual(tableUnder('## Settings'), rows);
});

test('the table of limits has the limits of the code', () => {
  const limits = Object.fromEntries(tableUnder('## Limits'));
  assert.equal(limits['request line and header'], `${HEADER_LIMIT / 1024} KiB`);
  assert.equal(limits['time for a header'], `${HEADERS_TIMEOUT / 1000} s`);
  assert.match(limits['time in which a client takes no byte of its answer, or a stream has none either way']!,
    new RegExp(`^${IDLE_TIMEOUT / 1000} s, found after up to ${2 * IDLE_TIMEOUT / 1000} s$`));
  assert.equal(limits['time in which a client takes no answers of its stream, when `BULK_BUFFER` is full'], `${STALL_TIMEOUT / 1000} s`);
  assert.equal(limits['`BULK_BUFFER` of all streams of a process together'], `${BULK_BUFFERS} times`);
  assert.equal(limits['unwanted body of a declared length that is discarded, keeping the connection'], `${DISCARDED_BODY / 1024} KiB`);
  assert.equal(limits['any other unwanted body read on after its refusal'], `${LINGER_TIME / 1000} s and ${LINGER_SIZE / 2 ** 20} MiB`);
});

test('the tables of fields have every field with its default', () => {
  for (const { path, request: { schema: whole } } of calculations) {
    const heading = readme.split('\n').find((line) => line.startsWith('### ') && line.endsWith(`: \`POST ${path}\``));
    assert.ok(heading !== undefined, path);
    const rows = tableUnder(heading);
    const properties = whole['properties'] as Readonly<Record<string, JsonSchema>>;
    const required = whole['required'] as readonly string[];
    assert.deepEqual(rows.map(([name]) => name), Object.keys(properties).map((name) => `\`${name}\``));
    for (const [name = '', , byDefault] of rows) {
      const field = name.slice(1, -1);
      const schema = properties[field]!;
      if (required.includes(field)) assert.equal(byDefault, 'required');
      else if ('default' in schema) assert.equal(byDefault, `\`${JSON.stringify(schema['default'])}\``);
      else assert.match(String(byDefault), /^the /);
      for (const value of (schema['enum'] ?? []) as unknown[]) {
        assert.ok(rows.flat().join().includes(JSON.stringify(value)), `${field}: ${String(value)}`);
      }
    }
  }
});

test('every instrument of the tables that the README names is in the law, and their first and last are named', () => {
  const rows = [law.PROGRESSIVE_TAX, law.FAMILY_DEDUCTIONS].flat();
  const table = tableUnder('## The law');
  for (const { effective_from: from, instrument } of rows) {
    assert.ok(table.some(([, month, source]) => month === from && source === instrument), instrument);
  }
  for (const [wages, count] of [[law.BASE_SALARY, 'eight'], [law.MINIMUM_WAGE, 'nine']] as const) {
    const short = (instrument = ''): string => instrument.replace('Decree ', '');
    const span = `${count} decrees from ${short(wages[0]?.instrument)} to ${short(wages.at(-1)?.instrument)}`;
    assert.ok(readme.includes(span), span);
  }
});

test('the drawing of the code has every source file, once', () => {
  const tree = /```text\nsrc\/\n([\s\S]*?)```/.exec(readme)?.[1] ?? '';
  let folder = '';
  const drawn: string[] = [];
  for (const line of tree.trimEnd().split('\n')) {
    const [, indent = '', name = ''] = /^( +)(\S+)/.exec(line) ?? [];
    if (name.endsWith('/')) folder = name;
    else drawn.push(`src/${indent.length > 2 ? folder : ''}${name}`);
  }
  assert.deepEqual(drawn.sort(), sources().sort());
});

test('every event of the log is named', () => {
  const events = sources().flatMap((path) => [...readText(path).matchAll(/log\.line\('([^']+)'/g)].map(([, event = '']) => event));
  assert.ok(events.includes('worker died'));
  const [named = ''] = /The log is lines of JSON[\s\S]*?\./.exec(readme) ?? [];
  for (const event of events) assert.ok(named.includes(`\`${event}\``), event);
});

test('the commands are those of CI', () => {
  assert.ok(readme.includes('\nnpm ci && npm start\n') && readme.includes('\nnpm ci && npm test\n'));
  assert.match(readText('.ci/run'), /^npm ci\nnpm test$/m);
});

test('the examples for programs run, and print what their comments say', async () => {
  const examples = [...readme.matchAll(/```ts\n(import [\s\S]*?)```/g)].map(([, code = '']) => code);
  assert.equal(examples.length, 2);
  const index = new URL(`../src/index${extname(import.meta.url)}`, import.meta.url).href;
  for (const code of examples) {
    const expected = [...code.matchAll(/console\.log\(.*\);? \/\/ (.*)/g)].map(([, printed]) => printed);
    const program = code.replace("'utility-calculation-service'", JSON.stringify(index));
    const args = ['--input-type=module', '--eval', program];
    const { stdout, stderr } = await promisify(execFile)(process.execPath, args);
    assert.deepEqual([stdout.trimEnd().split('\n'), stderr], [expected, '']);
  }
});
