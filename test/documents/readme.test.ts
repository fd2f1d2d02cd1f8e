/** README, for evaluators and clients: its examples are executed, and its tables and amounts compared with the code. */
import assert from 'node:assert/strict';
import { extname } from 'node:path';
import { test } from 'node:test';
import { environmentName } from '../../src/command/command-line.ts';
import { FAILURES } from '../../src/contract/failure.ts';
import type { JsonSchema } from '../../src/contract/schema.ts';
import { calculateInterest, calculateTax } from '../../src/index.ts';
import { interestRequest } from '../../src/interest/contract.ts';
import { operations } from '../../src/operations.ts';
import { serviceOf } from '../../src/service/service.ts';
import { commandLine, commandSettings } from '../../src/settings.ts';
import { execFile, spawnSync } from '../helpers/child.ts';
import { calculations, listen, serviceOptions } from '../helpers/fixture.ts';
import { Document, namesIn, unfolded } from '../helpers/markdown.ts';
import { readText } from '../helpers/repository.ts';
import { sourced } from '../helpers/vectors.ts';

const readme = new Document('README.md');
const lawDocument = new Document('src/tax/README.md');
const ORIGIN = 'http://127.0.0.1:8080';
const JSON_HEADERS = { 'content-type': 'application/json' };

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
  assert.equal(examples.length, calculations.length);
  for (const [, origin, path = '', name = '', value = '', body = '', answer = ''] of examples) {
    assert.equal(origin, ORIGIN);
    const response = await fetch(url + path, { method: 'POST', headers: { [name]: value }, body });
    assert.equal(await response.text(), compact(answer), path);
  }
});

test('the address of the examples is that of the default settings', () => {
  const { host, port } = commandLine.parse([], {}).settings;
  assert.equal(ORIGIN, `http://${host}:${port}`);
  assert.ok(readme.text.includes(`starts it on ${ORIGIN};`));
});

test('the answer to an invalid request is that of the service', async (context) => {
  const { url } = await listen(context);
  const [, body = ''] = /the answer to `(.+)`:\n/.exec(readme.section('Failures')) ?? [];
  const [answer = ''] = readme.code('json');
  const response = await fetch(`${url}/api/v1/tax/calculate`, {
    method: 'POST',
    headers: JSON_HEADERS,
    body,
  });
  assert.equal(await response.text(), compact(answer));
});

test('the example of a bulk request has the answers that the text describes', async (context) => {
  const { url } = await listen(context);
  const example = /printf '(.*)' \| curl http:\/\/127\.0\.0\.1:8080(\S+) /;
  const [, body = '', path = ''] = example.exec(readme.section('Bulk requests')) ?? [];
  const headers = { 'content-type': 'application/x-ndjson' };
  const response = await fetch(url + path, {
    method: 'POST',
    headers,
    body: body.replaceAll('\\n', '\n'),
  });
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

const python = spawnSync('python3', ['--version']).error === undefined;

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
    skip: python ? false : 'python3 is not installed',
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
  assert.equal(examples.length, 2);
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

test('the table of failures equals FAILURES', () => {
  const expected = Object.entries(FAILURES).map(([code, { status, title }]) => [
    String(status),
    `\`${code}\``,
    title,
  ]);
  assert.deepEqual(readme.table('Failures'), expected);
});

test('the tables of fields have every field with its default and its choices', () => {
  for (const {
    path,
    request: { schema: whole },
  } of calculations) {
    const heading = readme.headings('###').find((line) => line.endsWith(`\`POST ${path}\``));
    assert.ok(
      heading !== undefined,
      `README.md: add a section "### Name: \`POST ${path}\`" with a table of the fields`,
    );
    const properties = whole['properties'] as Readonly<Record<string, JsonSchema>>;
    const required = whole['required'] as readonly string[];
    const rows = readme.table(heading);
    // Every request may have an `id`, which the section on the operations describes.
    const names = Object.keys(properties).filter((name) => name !== 'id');
    const fields = rows.flatMap(([cell = '', , byDefault]) =>
      namesIn(cell).map((field) => [field, byDefault] as const),
    );
    // The table of the goal leaves out the fields of the interest operation.
    const shared = path.endsWith('/solve') ? Object.keys(interestRequest.fields) : [];
    assert.deepEqual(
      fields.map(([field]) => field),
      names.filter((name) => !shared.includes(name)),
      heading,
    );
    for (const [field, byDefault] of fields) {
      const schema = properties[field]!;
      if (required.includes(field)) assert.equal(byDefault, 'required', field);
      else if ('default' in schema)
        assert.equal(byDefault, `\`${JSON.stringify(schema['default'])}\``, field);
      else assert.match(String(byDefault), /^(?:the |absent$)/);
      for (const value of (schema['enum'] ?? []) as unknown[]) {
        assert.ok(rows.flat().join().includes(JSON.stringify(value)), `${field}: ${String(value)}`);
      }
    }
  }
});

test('the amounts in the text are those of the service', () => {
  const tax = unfolded(readme.section('Tax: `POST /api/v1/tax/calculate`'));
  const stated =
    /gross salary of 60,000,000 leaves ([\d,]+) net in 2025-12, ([\d,]+) in 2026-01, and ([\d,]+) from 2026-07/.exec(
      tax,
    );
  const net = ['2025-12', '2026-01', '2026-07'].map(
    (period) => calculateTax({ income: 60_000_000, period }).net_income,
  );
  assert.deepEqual(
    stated?.slice(1),
    net.map((amount) => amount.toLocaleString('en-US')),
  );
  const interest = unfolded(readme.section('Interest: `POST /api/v1/interest/calculate`'));
  assert.ok(
    interest.includes(
      `a bank pays ${Math.round((100_000_000 * 0.06 * 182) / 365).toLocaleString('en-US')} on 100,000,000`,
    ),
  );
  const { total_profit } = calculateInterest({
    principal: 100_000_000,
    annual_rate: 6,
    years: 0.5,
    compounding: 'annually',
  });
  assert.ok(interest.includes(`six months earn ${total_profit.toLocaleString('en-US')} here`));
});

test('the capacity is that of the handbook', () => {
  const handbook = new Document('.deploy/README.md');
  const text = unfolded(readme.section('Capacity'));
  const stated =
    /With Node\.js ([\d.]+) .* answered ([\d,]+) tax .*, or ([\d,–]+) tax lines/.exec(text) ?? [];
  const [, version, ...capacities] = stated;
  const rows = [0, 1].flatMap((index) => handbook.table('Scaling', index));
  assert.deepEqual(
    rows.filter(([name]) => name === `Node.js ${version}`).map(([, ofTax]) => ofTax),
    capacities,
  );
  const range = /core calculates ([\d,]+) to ([\d,]+) payroll lines/.exec(unfolded(readme.text));
  const [, least, most] = range ?? [];
  assert.ok(unfolded(handbook.section('Speed')).includes(`bulk requests reached ${least} lines`));
  assert.ok(unfolded(handbook.section('Scaling')).includes(`tax requests and ${most} bulk lines`));
  const [, peak = ''] = /: ([\d,]+) tax requests per second need one\./.exec(text) ?? [];
  const [needed = 0, perCore = 0] = [peak, capacities[0]].map((amount) =>
    Number(amount?.replaceAll(',', '')),
  );
  assert.equal(Math.ceil(needed / perCore / 0.6), 1);
});

test('the numbers of random and of published salaries are those of the tests', () => {
  assert.ok(
    unfolded(readme.text).includes(`${sourced('published-salaries').length} published salaries`),
  );
  const [, count] = /checks ([\d,]+) random salaries/.exec(readme.text) ?? [];
  assert.ok(
    readText('test/tax/tax.test.ts').includes(`oracle for ${count} random salaries`),
    count,
  );
});

test('the documents and the descriptions of the operations warn of the same traps', () => {
  const traps: readonly (readonly [path: string, document: string, ...traps: readonly RegExp[]])[] =
    [
      [
        '/api/v1/tax/calculate',
        lawDocument.text,
        /`taxation` does not change the insurance/,
        /without a labour contract/i,
        /foreigner.* on a contract of under 12 months or transferred within/i,
        /those of the employer count if `income` includes them/,
        /accidents at work \(0\.5 %\), which payslips show separately/,
        /trade-union fund only (with|if) `union_fund`/,
      ],
      [
        '/api/v1/tax/calculate',
        readme.section('Tax: `POST /api/v1/tax/calculate`'),
        /programs should send it/i,
        /registered dependents, without the employee/i,
        /on which insurance is paid, without bonuses/i,
        /which nearly all/,
        /month after .*`reviewed_through` in `detail`.* uses the newest law/i,
        /when a law begins/,
        /thu nhập tính thuế/i,
        /thu nhập chịu thuế/,
      ],
      [
        '/api/v1/tax/annual',
        readme.section('Year: `POST /api/v1/tax/annual`'),
        /monthly amounts, each up to the monthly limit/,
        /12 for a child of the whole year/,
        /of the months/,
      ],
      [
        '/api/v1/tax/annual',
        lawDocument.section('Readings'),
        /up to 50,000 (đồng )?owed is waived, and up to 50,000 overpaid is set off and not refunded; this is not applied/,
      ],
      [
        '/api/v1/tax/rules',
        lawDocument.section('Readings'),
        /10 % was withheld from 2,000,000 on; the table follows art\. 69\.1\.a/,
      ],
      [
        '/api/v1/interest/calculate',
        readme.section('Interest: `POST /api/v1/interest/calculate`'),
        /months are equal, while banks count days over 365/i,
        /interest paid at maturity/i,
        /a rate per month × 12/,
        /6 months are 0\.5/,
        /8\.5 % is 8\.5, not 0\.085/,
      ],
    ];
  for (const [path, document, ...patterns] of traps) {
    const { request, result } = operations.find((operation) => operation.path === path)!;
    const texts = [unfolded(document), JSON.stringify([request.schema, result.schema])];
    for (const pattern of patterns) {
      for (const text of texts) assert.match(text, pattern);
    }
  }
});

test('a number that is too small for a double is read as 0', async () => {
  const [, tiny = ''] =
    /double, such as (\S+), is read as 0/.exec(unfolded(readme.section('Operations'))) ?? [];
  const service = serviceOf(serviceOptions());
  const head = { method: 'POST', target: '/api/v1/interest/calculate', headers: JSON_HEADERS };
  const answerTo = async (principal: string): Promise<string> =>
    (
      await service.answer(
        head,
        Buffer.from(`{"principal":${principal},"annual_rate":1,"years":1}`),
      )
    ).body;
  assert.equal(await answerTo(tiny), await answerTo('0'));
  assert.match(await answerTo(tiny), /"initial_principal":0,/);
});

test('the settings in the text exist, and accept the values', () => {
  const given = [...readme.text.matchAll(/`([A-Z_]+)=([^`]+)`/g)];
  assert.ok(given.length >= 4);
  const names = Object.keys(commandSettings.fields).map(environmentName);
  for (const [, name = '', value = ''] of given) {
    assert.ok(names.includes(name), name);
    assert.doesNotThrow(() => commandLine.parse([], { [name]: value }));
  }
});

test('the statement on the licence is that of package.json', () => {
  const { license } = JSON.parse(readText('package.json')) as { license?: string };
  assert.equal(license, undefined);
  assert.ok(readme.section('More').includes('names no licence'));
});
