/** The document of the API, for those who write clients: its tables and amounts are those of the code. */
import assert from 'node:assert/strict';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { type FailureCode, FAILURES } from '../../src/contract/failure.ts';
import { SMALL_BODY_LIMIT } from '../../src/contract/operation.ts';
import type { JsonSchema } from '../../src/contract/schema.ts';
import { MESSAGE_LIMIT } from '../../src/extensions/mcp/messages.ts';
import { mcpResource } from '../../src/extensions/mcp/resource.ts';
import { CALL_LIMIT, MAXIMUM_ROWS } from '../../src/extensions/mcp/tools.ts';
import { calculateInterest, calculateTax, createServer } from '../../src/index.ts';
import { interestRequest } from '../../src/interest/contract.ts';
import { operations } from '../../src/operations/operations.ts';
import type { Scheduler } from '../../src/server/scheduler.ts';
import { serviceOf } from '../../src/service/service.ts';
import { commandLine } from '../../src/composition/settings.ts';
import { taxRequest } from '../../src/tax/contract.ts';
import { FLAT_TAX } from '../../src/tax/law.ts';
import {
  calculations,
  CLOSE,
  errorCode,
  exchange,
  listen,
  post,
  postHead,
  serve,
  serviceOptions,
} from '../helpers/fixture.ts';
import { Document, namesIn, unfolded } from '../helpers/markdown.ts';
import { EARLIER, REVISION } from '../helpers/mcp.ts';
import { once } from '../helpers/until.ts';

const api = new Document('src/API.md');
const JSON_HEADERS = { 'content-type': 'application/json' };

test('the table of failures has every code with its status', () => {
  const listed = api
    .table('Failures')
    .flatMap(([status, codes = '']) => namesIn(codes).map((code) => [code, Number(status)]))
    .filter(([code]) => /^[a-z_]+$/.test(String(code)));
  const expected = Object.entries(FAILURES).map(([code, { status }]) => [code, status]);
  assert.deepEqual(listed, expected);
});

/** The fields of another operation, which the table of an operation leaves out. */
const SHARED_FIELDS: Readonly<Record<string, readonly string[]>> = {
  '/api/v1/interest/solve': Object.keys(interestRequest.fields),
  '/api/v1/tax/reconcile': Object.keys(taxRequest.fields),
};

test('the tables of fields have every field with its default and its choices', () => {
  for (const {
    path,
    request: { schema: whole },
  } of calculations) {
    const heading = api.headings('###').find((line) => line.endsWith(`\`POST ${path}\``));
    assert.ok(
      heading !== undefined,
      `src/API.md: add a section "### Name: \`POST ${path}\`" with a table of the fields`,
    );
    const properties = whole['properties'] as Readonly<Record<string, JsonSchema>>;
    const required = whole['required'] as readonly string[];
    const rows = api.table(heading);
    // Every request may have an `id`, which "Requests and answers" describes.
    const names = Object.keys(properties).filter((name) => name !== 'id');
    const fields = rows.flatMap(([cell = '', , byDefault]) =>
      namesIn(cell).map((field) => [field, byDefault] as const),
    );
    const shared = SHARED_FIELDS[path] ?? [];
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
  const interest = unfolded(api.section('Interest: `POST /api/v1/interest/calculate`'));
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
  const { effective_annual_rate: rate } = calculateInterest({
    principal: 1,
    annual_rate: 6,
    years: 5,
    compounding: 'at_maturity',
  });
  assert.ok(interest.includes(`6 % for 5 years are ${rate}`));
});

test('the descriptions of the operations warn of the traps', () => {
  const traps: Readonly<Record<string, readonly RegExp[]>> = {
    '/api/v1/tax/calculate': [
      /`taxation` does not change the insurance/,
      /without a labour contract/,
      /foreigner on a contract of under 12 months or transferred within/,
      /those of the employer count if `income` includes them/,
      /accidents at work \(0\.5 %\), which payslips show separately/,
      /many calculators leave it out/,
      /Required with a `taxation` other than progressive/,
      /registered dependents, without the employee/i,
      /on which insurance is paid, without overtime and bonuses/,
      /when a law begins/,
      /thu nhập tính thuế/i,
      /thu nhập chịu thuế/,
    ],
    '/api/v1/tax/annual': [
      /monthly amounts, each up to the monthly limit/,
      /12 for a child of the whole year/,
      /of the months/,
      /up to 50,000 owed is waived, and up to 50,000 overpaid is set off and not refunded/,
    ],
    '/api/v1/interest/calculate': [
      /months are equal, while banks count days over 365/i,
      /interest paid at maturity/i,
      /a rate per month × 12/,
      /6 months are 0\.5/,
      /8\.5 % is 8\.5, not 0\.085/,
    ],
  };
  for (const [path, patterns] of Object.entries(traps)) {
    const { request, result } = operations.find((operation) => operation.path === path)!;
    const text = JSON.stringify([request.schema, result.schema]);
    for (const pattern of patterns) assert.match(text, pattern);
  }
});

test('the descriptions of the tax operation have the amounts and the rules of the law', () => {
  const { income, taxation } = taxRequest.fields;
  const [before, since] = FLAT_TAX.short_term.map(
    ({ effective_from, value }) =>
      [effective_from, value.threshold.toLocaleString('en-US')] as const,
  );
  assert.equal(since?.[0], '2026-07');
  const described = `payments from ${since[1]} (until 2026-06, ${before?.[1]})`;
  assert.ok(String(taxation.schema['description']).includes(described), described);
  const [, rule] = /coefficient × `(\w+)`, which `detail\.law` gives/.exec(
    String(income.schema['description']),
  )!;
  for (const [period, salary] of [
    ['2026-06', 2_340_000],
    ['2026-07', 2_530_000],
  ] as const) {
    const { detail } = calculateTax({ income: 0, bhtn: false, period, detail: true });
    assert.equal(detail!.law.find((row) => row.rule === rule)!.value, salary, period);
  }
});

test('a number that is too small for a double is read as 0', async () => {
  const [, tiny = ''] =
    /double, such as (\S+), is read as 0/.exec(unfolded(api.section('Requests and answers'))) ?? [];
  const service = serviceOf(serviceOptions());
  const head = { method: 'POST', target: '/api/v1/interest/calculate', headers: JSON_HEADERS };
  const answerTo = async (principal: string): Promise<string> =>
    String(
      (
        await service.answer(
          head,
          Buffer.from(`{"principal":${principal},"annual_rate":1,"years":1}`),
        )
      ).body,
    );
  assert.equal(await answerTo(tiny), await answerTo('0'));
  assert.match(await answerTo(tiny), /"initial_principal":0,/);
});

test('the limits of bodies in the text are the defaults', () => {
  const { bodyLimit } = commandLine.parse([], {}).settings;
  const sizes = [bodyLimit / 2 ** 20, SMALL_BODY_LIMIT / 2 ** 10];
  const text = unfolded(api.section('Requests and answers'));
  const [, ...stated] =
    /at most (\d+) MiB, unless .*, that of any other request (\d+) KiB/.exec(text) ?? [];
  assert.deepEqual(stated, sizes.map(String));
  const [message, call] = [MESSAGE_LIMIT, CALL_LIMIT].map((limit) => `${limit / 2 ** 10} KiB`);
  const section = unfolded(api.section('MCP'));
  assert.ok(section.includes(`for a message over ${message},`));
  assert.ok(section.includes(`A call has at most ${call}:`));
  assert.ok(section.includes(`at most ${MAXIMUM_ROWS} monthly rows`));
  const revisions = [REVISION, ...EARLIER.toReversed()];
  assert.deepEqual(/The revisions are (.*?)\./.exec(section)?.[1]?.split(/, | and /), revisions);
});

test('at /mcp, a refused request has the envelope, and a refused message gets an error of JSON-RPC', async (context) => {
  const resources = [mcpResource(serviceOptions())];
  const late: Scheduler = { add: (work) => work(true) };
  const port = await serve(context, createServer());
  const slow = await listen(context, { resources }, { limits: { requestTimeout: 100 } });
  const overloaded = await listen(context, { resources }, { scheduler: late });
  const message = post('/mcp', '{}', 'Connection: close');
  const refusals: Readonly<Record<string, readonly [port: number, request: string]>> = {
    bad_request: [port, post('/mcp', '{}', 'Transfer-Encoding: gzip')],
    method_not_allowed: [port, CLOSE.replace('/healthz', '/mcp')],
    request_timeout: [slow.port, postHead('/mcp', 1000)],
    unsupported_media_type: [port, message.replace('application/json', 'text/plain')],
    expectation_failed: [port, post('/mcp', '{}', 'Expect: a', 'Connection: close')],
    headers_too_large: [port, post('/mcp', '{}', `X-Long: ${'a'.repeat(20_000)}`)],
    overloaded: [overloaded.port, message],
  };
  for (const [code, [at, request]] of Object.entries(refusals)) {
    const [answer] = await exchange(at, request);
    assert.equal(errorCode(answer!.body), code);
    assert.equal(answer!.status, FAILURES[code as FailureCode].status);
  }
  for (const body of ['{}', '{', ' '.repeat(MESSAGE_LIMIT + 1)]) {
    const [answer] = await exchange(port, post('/mcp', body, 'Connection: close'));
    const { jsonrpc, error } = JSON.parse(answer!.body) as { jsonrpc: string; error: object };
    assert.equal(jsonrpc, '2.0');
    assert.deepEqual(Object.keys(error), ['code', 'message']);
  }
});

test('each path of the table answers GET and HEAD', async (context) => {
  const server = createServer({ metrics: 'on' }).listen(0, '127.0.0.1');
  context.after(() => server.close());
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const paths = api.table('Other paths').flatMap(([cell = '']) => namesIn(cell));
  assert.ok(paths.length > 5);
  for (const path of paths) {
    for (const method of ['GET', 'HEAD']) {
      const response = await fetch(`http://127.0.0.1:${port}${path}`, { method });
      await response.text();
      assert.equal(response.status, 200, `${method} ${path}`);
    }
  }
});
