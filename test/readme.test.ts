import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { extname } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { describeValues } from '../src/contract/describe.ts';
import { FAILURES } from '../src/contract/failure.ts';
import { MAXIMUM_VALUES } from '../src/contract/json.ts';
import type { JsonSchema } from '../src/contract/schema.ts';
import { calculateInterest, calculateTax } from '../src/index.ts';
import { interestRequest } from '../src/interest/contract.ts';
import { BULK_BUFFERS_PER_PROCESS } from '../src/node/app.ts';
import {
  DISCARDED_BODY, HEADER_LIMIT, HEADERS_TIMEOUT, IDLE_TIMEOUT, LINGER_SIZE, LINGER_TIME, STALL_TIMEOUT,
} from '../src/node/limits.ts';
import { serviceOf } from '../src/http/service.ts';
import { operations } from '../src/operations.ts';
import { calculationsOf } from '../src/process/calc.ts';
import { exposition } from '../src/process/metrics.ts';
import { environmentName } from '../src/settings/command-line.ts';
import { commandSettings } from '../src/settings/process-settings.ts';
import * as law from '../src/tax/law.ts';
import { run } from './command.ts';
import { calculations, listen, serviceOptions } from './http/fixture.ts';
import { exists, readText, sources } from './repository.ts';

const readme = readText('README.md');
const settings = commandSettings.schema['properties'] as Readonly<Record<string, JsonSchema>>;

/** The text from a heading to the next heading. */
function section(heading: string): string {
  const start = readme.indexOf(`\n${heading}\n`);
  assert.notEqual(start, -1, heading);
  const text = readme.slice(start + heading.length + 2);
  const end = text.search(/^#{1,3} /m);
  return end === -1 ? text : text.slice(0, end);
}

/** The rows of the first table in a section, as cells. */
function tableUnder(heading: string): string[][] {
  const lines = section(heading).split('\n');
  const first = lines.findIndex((line) => line.startsWith('|'));
  const length = lines.slice(first).findIndex((line) => !line.startsWith('|'));
  const rows = lines.slice(first + 2, first + length);
  return rows.map((line) => line.split('|').slice(1, -1).map((cell) => cell.trim()));
}

/** The names in backticks in the first column of a table. */
function namesIn(table: readonly (readonly string[])[]): string[] {
  return table.flatMap(([cell = '']) => [...cell.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name));
}

/** The anchor that GitHub gives a heading. */
function anchorOf(heading: string): string {
  return heading.toLowerCase().replace(/[^\p{L}\d _-]/gu, '').replaceAll(' ', '-');
}

test('the contents list the headings that follow, in order', () => {
  const after = readme.slice(readme.indexOf('\n## Contents\n') + 1);
  const headings = [...after.matchAll(/^#{2,3} (.+)$/gm)].map(([, heading = '']) => heading).slice(1);
  assert.ok(headings.length > 10);
  const links = [...section('## Contents').matchAll(/\[([^\]]+)\]\(#([^)]+)\)/g)];
  assert.deepEqual(links.map(([, , anchor]) => anchor), headings.map(anchorOf));
  assert.deepEqual(links.map(([, title]) => title), headings.map((heading) => heading.split(':')[0]));
});

test('every link refers to a heading or a file', () => {
  const anchors = [...readme.matchAll(/^#{1,3} (.+)$/gm)].map(([, heading = '']) => `#${anchorOf(heading)}`);
  for (const [, target = ''] of readme.matchAll(/\]\(([^)]+)\)/g)) {
    assert.ok(anchors.includes(target) || exists(target), target);
  }
});

test('each example is a request and the answer of the service', async (context) => {
  const { url } = await listen(context);
  const call = /^\$ curl (http:\/\/[^/]+)(\S+) -H '(\S+): (.+)' -d '(.*)'\n(.*)$/gm;
  const examples = [...readme.matchAll(call)];
  assert.deepEqual(examples.map(([, , path]) => path), calculations.map(({ path }) => path));
  for (const [, origin, path = '', name = '', value = '', body = '', answer] of examples) {
    assert.equal(origin, `http://${settings['host']?.['default']}:${settings['port']?.['default']}`);
    const response = await fetch(url + path, { method: 'POST', headers: { [name]: value }, body });
    assert.equal(await response.text(), answer);
  }
  const [, body = '', failure] = /the answer to `(.+)`:\n```json\n(.*)\n```/.exec(section('## Failures')) ?? [];
  const response = await fetch(`${url}/api/v1/tax/calculate`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body,
  });
  assert.equal(await response.text(), failure);
});

test('the example of a bulk request has the answers that the text describes', async (context) => {
  const { url } = await listen(context);
  const [, body = '', path = ''] = /printf '(.*)' \| curl http:\/\/127\.0\.0\.1:8080(\S+) /.exec(readme) ?? [];
  const headers = { 'content-type': 'application/x-ndjson' };
  const response = await fetch(url + path, { method: 'POST', headers, body: body.replaceAll('\\n', '\n') });
  const answers = (await response.text()).trimEnd().split('\n').map((line) => JSON.parse(line) as object);
  assert.deepEqual(answers.map((answer) => Object.keys(answer).join()), ['status,data', 'status,error']);
  assert.equal((answers[1] as { error: { line: number } }).error.line, 2);
});

test('the table of failures equals FAILURES', () => {
  const rows = tableUnder('## Failures');
  const expected = Object.entries(FAILURES).map(([code, { status, title }]) => [String(status), `\`${code}\``, title]);
  assert.deepEqual(rows, expected);
});

test('the table of settings has every setting with its default, values and description', () => {
  const rows = Object.entries(settings).map(([key, schema]) => [
    `\`${environmentName(key)}\``,
    'default' in schema ? `\`${schema['default']}\`` : '',
    describeValues(schema),
    schema['description'],
  ]);
  assert.deepEqual(tableUnder('## Settings'), rows);
});

test('the table of limits has the values of the code', () => {
  const limits: Readonly<Record<string, string | undefined>> = Object.fromEntries(tableUnder('### Limits'));
  const expected: Readonly<Record<string, string>> = {
    'request line and headers': `${HEADER_LIMIT / 1024} KiB`,
    'time for the headers to arrive': `${HEADERS_TIMEOUT / 1000} s, or \`REQUEST_TIMEOUT\` if that is shorter`,
    'time in which a client reads no byte of an answer, or a bulk request has no traffic in either direction':
      `${IDLE_TIMEOUT / 1000} s, noticed within ${(2 * IDLE_TIMEOUT) / 1000} s`,
    'time in which the client of a bulk request reads no answer while `BULK_BUFFER` is full': `${STALL_TIMEOUT / 1000} s`,
    'memory of one process for bulk requests that are read ahead': `${BULK_BUFFERS_PER_PROCESS} × \`BULK_BUFFER\``,
    'body with a `Content-Length` that is discarded after a refusal, to keep the connection':
      `${DISCARDED_BODY / 1024} KiB`,
    'any other body that is discarded after a refusal, before the connection closes':
      `${LINGER_TIME / 1000} s and ${LINGER_SIZE / 2 ** 20} MiB`,
    'values in a request; unknown fields that a refusal lists': `${MAXIMUM_VALUES}; 20`,
  };
  for (const [name, value] of Object.entries(expected)) assert.equal(limits[name], value, name);
});

test('the tables of fields have every field with its default', () => {
  for (const { path, request: { schema: whole } } of calculations) {
    const heading = readme.split('\n').find((line) => line.startsWith('### ') && line.endsWith(`\`POST ${path}\``));
    assert.ok(heading !== undefined, path);
    const properties = whole['properties'] as Readonly<Record<string, JsonSchema>>;
    const required = whole['required'] as readonly string[];
    const rows = tableUnder(heading);
    // Every request may have an `id`, which the section on the operations describes.
    const names = Object.keys(properties).filter((name) => name !== 'id');
    const fields = rows.flatMap(([cell = '', , byDefault]) =>
      [...cell.matchAll(/`(\w+)`/g)].map(([, field = '']) => [field, byDefault] as const));
    // The table of the goal leaves out the fields of the interest operation.
    const shared = path.endsWith('/solve') ? Object.keys(interestRequest.fields) : [];
    assert.deepEqual(fields.map(([field]) => field), names.filter((name) => !shared.includes(name)));
    for (const [field, byDefault] of fields) {
      const schema = properties[field]!;
      if (required.includes(field)) assert.equal(byDefault, 'required');
      else if ('default' in schema) assert.equal(byDefault, `\`${JSON.stringify(schema['default'])}\``);
      else assert.match(String(byDefault), /^(?:the |absent$)/);
      for (const value of (schema['enum'] ?? []) as unknown[]) {
        assert.ok(rows.flat().join().includes(JSON.stringify(value)), `${field}: ${String(value)}`);
      }
    }
  }
});

test('the section on the law names the instruments in the tables, and no others', () => {
  const text = section('## The law');
  const table = tableUnder('## The law');
  for (const { effective_from: from, instrument } of [law.PROGRESSIVE_TAX, law.FAMILY_DEDUCTIONS].flat()) {
    assert.ok(table.some(([, month, source]) => month === from && source === instrument), instrument);
  }
  const numbersIn = (instruments: string): string[] =>
    [...instruments.matchAll(/\d+\/\d{4}\/[\p{L}\d-]+/gu)].map(([number]) => number);
  for (const { instrument } of [law.EMPLOYEE_RATES, law.EMPLOYER_RATES].flatMap(Object.values).flat()) {
    for (const number of numbersIn(instrument)) assert.ok(text.includes(number), number);
  }
  for (const wages of [law.BASE_SALARY, law.MINIMUM_WAGE]) {
    const span = `${wages[0]?.instrument} to ${wages.at(-1)?.instrument}`;
    assert.ok(text.includes(span), span);
  }
  for (const number of numbersIn(text)) assert.ok(readText('src/tax/law.ts').includes(number), number);
});

test('the amounts that the sections on tax and interest state are those of the service', () => {
  const tax = section('### Tax: `POST /api/v1/tax/calculate`');
  const stated = /60,000,000 leave ([\d,]+) net in 2025-12, ([\d,]+) in\s+2026-01, and ([\d,]+) from 2026-07/.exec(tax);
  const net = ['2025-12', '2026-01', '2026-07'].map((period) => calculateTax({ income: 60_000_000, period }).net_income);
  assert.deepEqual(stated?.slice(1), net.map((amount) => amount.toLocaleString('en-US')));
  const interest = section('### Interest: `POST /api/v1/interest/calculate`');
  assert.ok(interest.includes(Math.round((100_000_000 * 0.06 * 182) / 365).toLocaleString('en-US')));
  const { total_profit } = calculateInterest({
    principal: 100_000_000, annual_rate: 6, years: 0.5, compounding: 'annually',
  });
  assert.ok(interest.includes(`six months earn\n${total_profit.toLocaleString('en-US')} here`));
});

test('the README and the descriptions of the operations warn of the same traps', () => {
  const traps: readonly (readonly [path: string, heading: string, ...traps: readonly RegExp[]])[] = [
    ['/api/v1/tax/calculate', '### Tax: `POST /api/v1/tax/calculate`',
      /not change the insurance\. An employee without a labour contract|not change the insurance: an employee without/,
      /2025-07, .*foreigners? on a contract of under 12 months or transferred within/,
      /programs should send it/i, /when a law begins/, /including those of the employer/,
      /accidents at work \(0\.5 %\), which payslips show separately/,
      /thu nhập tính thuế/i, /thu nhập chịu thuế/, /trade-union fund only (with|if) `union_fund`/],
    ['/api/v1/tax/annual', '### Year: `POST /api/v1/tax/annual`', /monthly amounts, each up to the monthly limit/,
      /up to 50,000 (đồng )?owed is waived, and up to 50,000 overpaid is set off and not refunded; this is not applied/],
    ['/api/v1/tax/rules', '## The law', /10 % was withheld from 2,000,000 on; the table follows art\. 69\.1\.a/],
    ['/api/v1/interest/calculate', '### Interest: `POST /api/v1/interest/calculate`',
      /months are equal, while banks count days over 365/i, /8\.5 % is 8\.5, not 0\.085/],
  ];
  for (const [path, heading, ...patterns] of traps) {
    const { request, result } = operations.find((operation) => operation.path === path)!;
    const texts = [section(heading).replace(/\s+/g, ' '), JSON.stringify([request.schema, result.schema])];
    for (const pattern of patterns) {
      for (const text of texts) assert.match(text, pattern);
    }
  }
});

test('a number that is too small for a double is read as 0', async () => {
  const [, tiny = ''] = /double, such as (\S+), is read as 0/.exec(section('## The operations')) ?? [];
  const service = serviceOf(serviceOptions());
  const head = { method: 'POST', target: '/api/v1/interest/calculate', headers: { 'content-type': 'application/json' } };
  const answerTo = async (principal: string): Promise<string> =>
    (await service.answer(head, Buffer.from(`{"principal":${principal},"annual_rate":1,"years":1}`))).body;
  assert.equal(await answerTo(tiny), await answerTo('0'));
  assert.match(await answerTo(tiny), /"initial_principal":0,/);
});

test('the table of the code lists every source file once', () => {
  const rows = tableUnder('## The code').map(([folder = '', files = '']) => [folder.slice(1, -1), files] as const);
  const drawn = rows.flatMap(([folder, files]) => [...files.matchAll(/`([\w-]+\.ts)`/g)].map(([, file]) => folder + file));
  assert.deepEqual(drawn.sort(), sources().sort());
});

test('the table of log events lists every event', () => {
  const text = sources().map(readText).join('\n');
  const events = [...text.matchAll(/(?:log\.line\('\w+', |"msg":)['"]([^'"]+)['"]/g)].map(([, event = '']) => event);
  assert.ok(events.includes('worker exited') && events.includes('request'));
  assert.deepEqual(namesIn(tableUnder('### Log')).sort(), [...new Set(events)].sort());
});

test('the sample log line equals a line of the command, except for variable values', async (context) => {
  const [, sample = ''] = /```json\n(.*)\n```/.exec(section('### Log')) ?? [];
  const shown = JSON.parse(sample) as Record<string, unknown>;
  const command = run(context, ['--port=0', '--log=requests']);
  const { address } = await command.event('ready');
  const [, body = ''] = /calculate -H .* -d '(.*)'/.exec(section('## Start and test')) ?? [];
  const headers = { 'content-type': 'application/json' };
  await (await fetch(String(address) + String(shown['path']), { method: 'POST', headers, body })).text();
  const written = await command.event('request');
  assert.deepEqual(Object.keys(shown), Object.keys(written));
  for (const key of ['client', 'method', 'path', 'status', 'bytes']) assert.equal(shown[key], written[key], key);
});

test('the table of metrics lists every metric with its type and help text', () => {
  const lines = [...exposition([]).matchAll(/# HELP (\S+) (.+)\n# TYPE \S+ (\S+)/g)];
  assert.ok(lines.length >= 8);
  const expected = lines.map(([, name, meaning, kind]) => [`\`${name}\``, kind, meaning]);
  assert.deepEqual(tableUnder('### Metrics').map((row) => row.slice(0, 3)), expected);
});

test('the messages of status 503 equal those of the service', () => {
  const service = serviceOf(serviceOptions({ isReady: () => false }));
  const routed = service.route({ method: 'GET', target: '/readyz', headers: {} });
  assert.ok(routed.kind === 'answer');
  const messages = [service.overloaded, routed.answer].map(({ status, body }) => {
    assert.equal(status, 503);
    return (JSON.parse(body) as { error: { message: string } }).error.message;
  });
  assert.deepEqual(tableUnder('### Alarms and status 503').map(([message]) => message).slice(0, -1), messages);
});

test('the table of commands names the calculations', () => {
  const text = section('## Running the service');
  for (const name of calculationsOf(operations).keys()) assert.ok(text.includes(`\`${name}\``), name);
});

test('CI runs the commands for installing and testing', () => {
  assert.ok(readme.includes('\nnpm ci && npm start\n') && readme.includes('\nnpm ci && npm test\n'));
  assert.match(readText('.ci/run'), /^npm ci\nnpm test$/m);
});

test('CI skips existing tests on further versions of Node', () => {
  const [, areas = ''] = /--test-skip-pattern=\/\^\(([\w|]+)\): \/'/.exec(readText('.ci/run')) ?? [];
  const tests = ['node/haproxy', 'node/nginx', 'page/page', 'package'].map((file) => readText(`test/${file}.test.ts`));
  for (const area of areas.split('|')) {
    const title = new RegExp(`^test\\('${area}: |^ *name: '${area}',`, 'm');
    assert.ok(tests.some((text) => title.test(text)), `${area} has no test`);
  }
});

test('the example program runs, and prints the output in its comments', async () => {
  const examples = [...readme.matchAll(/```ts\n(import [\s\S]*?)```/g)].map(([, code = '']) => code);
  assert.equal(examples.length, 1);
  const index = new URL(`../src/index${extname(import.meta.url)}`, import.meta.url).href;
  for (const code of examples) {
    const expected = [...code.matchAll(/console\.log\(.*\);? \/\/ (.*)/g)].map(([, printed]) => printed);
    const program = code.replace("'utility-calculation-service'", JSON.stringify(index));
    const args = ['--input-type=module', '--eval', program];
    const { stdout, stderr } = await promisify(execFile)(process.execPath, args);
    assert.deepEqual([stdout.trimEnd().split('\n'), stderr], [expected, '']);
  }
});
