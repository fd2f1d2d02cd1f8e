/** README, for evaluators: its examples are executed, and its figures compared with the code. */
import assert from 'node:assert/strict';
import { extname } from 'node:path';
import { test } from 'node:test';
import { environmentName } from '../../src/command/command-line.ts';
import { calculateTax, type TaxRequest } from '../../src/index.ts';
import { commandLine, commandSettings } from '../../src/composition/settings.ts';
import { execFile, spawnSync } from '../helpers/child.ts';
import { calculations, listen, sendJson } from '../helpers/fixture.ts';
import { Document, namesIn, unfolded } from '../helpers/markdown.ts';
import { readText } from '../helpers/repository.ts';
import { sourced } from '../helpers/vectors.ts';

const readme = new Document('README.md');
const ORIGIN = 'http://127.0.0.1:8080';

/** JSON as the service writes it, without the line breaks of a document. */
const compact = (json: string): string => JSON.stringify(JSON.parse(json));

test('each operation has an example: a request with curl, and the answer of the service', async (context) => {
  const { url } = await listen(context);
  const call = /^\$ curl (http:\/\/[^/]+)(\S+) -H '(\S+): (.+)' \\\n {2}-d '(.*)'\n([\s\S]*)$/;
  const examples = readme
    .code('console')
    .map((code) => call.exec(code) ?? assert.fail(`README.md: ${code}`));
  for (const { path } of calculations) {
    assert.ok(
      examples.some(([, , shown]) => shown === path),
      `README.md: add an example of POST ${path} with curl`,
    );
  }
  for (const [, origin, path = '', name = '', value = '', body = '', answer = ''] of examples) {
    assert.equal(origin, ORIGIN);
    const response = await fetch(url + path, { method: 'POST', headers: { [name]: value }, body });
    assert.equal(await response.text(), compact(answer), path);
  }
});

test('a request from the net salary gets the answer to the first request', () => {
  const [, net = ''] =
    /`(\{.*"type":"net".*\})`\s+gets the answer to the first request/.exec(readme.text) ?? [];
  const [, first = ''] = /-d '(.*)'/.exec(readme.code('console')[0] ?? '') ?? [];
  const [fromNet, fromGross] = [net, first].map((body) =>
    calculateTax(JSON.parse(body) as TaxRequest),
  );
  assert.deepEqual(fromNet, fromGross);
});

test('the address of the examples is that of the default settings', () => {
  const { host, port } = commandLine.parse([], {}).settings;
  assert.equal(ORIGIN, `http://${host}:${port}`);
  assert.ok(readme.text.includes(`listens on ${ORIGIN}.`));
});

test('the answer to an invalid request is that of the service', async (context) => {
  const { url } = await listen(context);
  const [, body = ''] =
    /A tax request `(.+)` gets status 422 and:\n/.exec(readme.section('A failure')) ?? [];
  const [answer = ''] = readme.code('json');
  const response = await sendJson(`${url}/api/v1/tax/calculate`, body);
  assert.equal(await response.text(), compact(answer));
});

test('the example of a bulk request has the answers that the text describes', async (context) => {
  const { url } = await listen(context);
  const example = /printf '(.*)' \| curl http:\/\/127\.0\.0\.1:8080(\S+) /;
  const [, body = '', path = ''] =
    example.exec(readme.section('Bulk requests, and AI assistants')) ?? [];
  const headers = { 'content-type': 'application/x-ndjson' };
  const response = await sendJson(url + path, body.replaceAll('\\n', '\n'), headers);
  const answers = (await response.text())
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as object);
  assert.deepEqual(
    answers.map((answer) => Object.keys(answer).join()),
    ['status,data', 'status,error'],
  );
  assert.equal((answers[1] as { error: { line: number } }).error.line, 2);
});

/** The text that the comments of a program show as its output. */
const outputOf = (code: string): string[] =>
  [...code.matchAll(/(?:console\.log|print)\(.*\);? +(?:\/\/|#) (.*)/g)].map(
    ([, printed = '']) => printed,
  );

const hasPython = spawnSync('python3', ['-c', 'import http.client']).status === 0;

for (const { language, program, argument, skip } of [
  {
    language: 'js',
    program: process.execPath,
    argument: ['--input-type=module', '--eval'],
    skip: false,
  },
  {
    language: 'python',
    program: 'python3',
    argument: ['-c'],
    skip: hasPython ? false : 'python3 with http.client is not installed',
  },
]) {
  test(`the program in ${language} prints the output in its comment`, { skip }, async (context) => {
    const { url } = await listen(context);
    const [code = '', ...others] = readme.code(language);
    assert.deepEqual(others, []);
    const { stdout, stderr } = await execFile(program, [...argument, code.replace(ORIGIN, url)]);
    assert.deepEqual([stdout.trimEnd().split('\n'), stderr], [outputOf(code), '']);
  });
}

test('the programs that embed the service run, and print the output in their comments', async () => {
  const examples = [readme, new Document('src/README.md')]
    .flatMap((document) => document.code('ts'))
    .filter((code) => code.startsWith('import '));
  assert.equal(examples.length, 1);
  const index = new URL(`../../src/index${extname(import.meta.url)}`, import.meta.url).href;
  for (const code of examples) {
    const program = code.replace("'utility-calculation-service'", JSON.stringify(index));
    const { stdout, stderr } = await execFile(process.execPath, [
      '--input-type=module',
      '--eval',
      program,
    ]);
    assert.deepEqual([stdout.trimEnd().split('\n'), stderr], [outputOf(code), '']);
  }
});

test('the numbers of random and of published salaries are those of the tests', () => {
  assert.ok(
    unfolded(readme.text).includes(`${sourced('published-salaries').length} published salaries`),
  );
  const [, count] = /recalculates ([\d,]+) random salaries/.exec(readme.text) ?? [];
  assert.ok(
    readText('test/tax/tax.test.ts').includes(`oracle for ${count} random salaries`),
    count,
  );
});

test('the settings in the text exist, and accept the values', () => {
  const given = [...readme.text.matchAll(/`([A-Z_]+)=([^`]+)`/g)];
  assert.ok(given.length >= 3);
  const names = Object.keys(commandSettings.fields).map(environmentName);
  for (const [, name = '', value = ''] of given) {
    assert.ok(names.includes(name), name);
    assert.doesNotThrow(() => commandLine.parse([], { [name]: value }));
  }
});

test('the statement on the licence is that of package.json', () => {
  const { license } = JSON.parse(readText('package.json')) as { license?: string };
  assert.equal(license, undefined);
  assert.ok(readme.text.includes('names no licence'));
});

test('the table of operations has the path of each', () => {
  const listed = readme.table('Operations').map(([, path = '']) => namesIn(path)[0]);
  for (const { path } of calculations)
    assert.ok(listed.includes(path), `README.md: "Operations" lacks the path ${path}`);
  assert.deepEqual(
    listed,
    calculations.map(({ path }) => path),
  );
});

test('the figure that shows the change of the law is that of the service', () => {
  const [, ...stated] =
    /gross salary of 60,000,000 đồng leaves ([\d,]+) net by the law of 2025-12, and ([\d,]+) by the law of 2026-08/.exec(
      unfolded(readme.text),
    ) ?? [];
  const net = ['2025-12', '2026-08'].map(
    (period) => calculateTax({ income: 60_000_000, period }).net_income,
  );
  assert.deepEqual(
    stated,
    net.map((amount) => amount.toLocaleString('en-US')),
  );
});
