/** The exports of the package. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import http from 'node:http';
import net from 'node:net';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { inspect } from 'node:util';
import { createFetchHandler as createPortableHandler } from '../src/subpaths/fetch.ts';
import { SMALL_BODY_LIMIT } from '../src/contract/operation.ts';
import * as library from '../src/index.ts';
import {
  calculateInterest,
  calculateTax,
  ConfigError,
  createFetchHandler,
  createHandler,
  createServer,
  createService,
  Failure,
  FAILURES,
  hashText,
  law,
  type RouteResult,
  settleYear,
  solveInterest,
  taxRules,
  TOO_LARGE,
} from '../src/index.ts';
import { execFile } from './helpers/child.ts';
import {
  calculations,
  CLOSE,
  errorCode,
  firstExample,
  sendJson,
  serve,
  statusesOf,
} from './helpers/fixture.ts';
import { pageFiles } from './helpers/repository.ts';
import { chunkedHead, HASH } from './helpers/streams.ts';
import { once } from './helpers/until.ts';

const JSON_TYPE = { 'content-type': 'application/json' };
const onUnix = { skip: process.platform === 'win32' ? 'needs a Unix domain socket' : false };

async function listen(context: TestContext, server: http.Server): Promise<string> {
  return `http://127.0.0.1:${await serve(context, server)}`;
}

const dataOf = async (operation: (typeof calculations)[number]): Promise<unknown> => {
  const head = { method: 'POST', target: operation.path, headers: JSON_TYPE };
  const answer = await createService().answer(
    head,
    Buffer.from(JSON.stringify(firstExample(operation))),
  );
  return (JSON.parse(String(answer.body)) as { data: unknown }).data;
};

test('starts nothing, and takes no random values, when it is loaded', async () => {
  // Cloudflare Workers refuse both outside of a request.
  const refusing = `
    import crypto from 'node:crypto';
    import { syncBuiltinESMExports } from 'node:module';
    const refuse = (name) => () => {
      throw new Error(\`\${name} is called\`);
    };
    for (const name of ['setTimeout', 'setInterval', 'setImmediate', 'fetch'])
      globalThis[name] = refuse(name);
    for (const name of ['randomUUID', 'randomBytes', 'randomInt'])
      crypto[name] = refuse(name);
    syncBuiltinESMExports();
    await import(process.argv[1]);
    process.stdout.write('loaded');
  `;
  const entry = new URL(`../src/index${extname(import.meta.url)}`, import.meta.url).href;
  const args = ['--input-type=module', '--eval', refusing, entry];
  assert.equal((await execFile(process.execPath, args)).stdout, 'loaded');
});

test('exports a function per calculation, which has the name of the operation and returns its data', async () => {
  for (const operation of calculations) {
    const calculate = library[operation.id as keyof typeof library] as
      | ((request: object) => unknown)
      | undefined;
    assert.ok(
      calculate !== undefined,
      `src/index.ts: export ${operation.id}, the function of ${operation.path}`,
    );
    assert.deepEqual(calculate(firstExample(operation)), await dataOf(operation), operation.id);
  }
});

test('throws a Failure with every problem of an invalid request', () => {
  const failures: readonly [() => unknown, string[]][] = [
    [
      () => calculateTax({ income: -1, dependents: 0.5, period: '2014-12' }),
      ['income', 'dependents', 'period'],
    ],
    [() => calculateTax({ income: 1, insurance_salary: 1e9 }), ['insurance_salary']],
    [
      () => calculateInterest({ principal: Number.NaN, annual_rate: Infinity, years: 0 }),
      ['principal', 'annual_rate', 'years'],
    ],
    [
      () => settleYear({ year: 2014, income: -1, insurance: 0, self_months: 0 }),
      ['year', 'income', 'self_months'],
    ],
    [
      () => solveInterest({ solve_for: 'years', target: 0, principal: 1, years: 1 }),
      ['target', 'annual_rate', 'years'],
    ],
    [() => hashText({ text: '\ud800' }), ['text']],
    [() => hashText({ text: 1 as unknown as string }), ['text']],
    [() => taxRules({ period: '1999-01' }), ['period']],
  ];
  for (const [call, fields] of failures) {
    assert.throws(
      call,
      (error) =>
        error instanceof Failure
        && error.code === 'validation_failed'
        && FAILURES[error.code].status === 422
        && error.details?.map(({ field }) => field).join() === fields.join(),
    );
  }
});

test('names values that JSON does not have', () => {
  const values = [
    [null, 'null'],
    [undefined, 'undefined'],
    [1n, 'a bigint'],
    [() => 1, 'a function'],
    [Symbol('a'), 'a symbol'],
    [[], 'an array'],
  ] as const;
  for (const [value, name] of values) {
    assert.throws(() => calculateTax(value as never), {
      message: `Expected an object, got ${name}`,
    });
    if (value === undefined) continue;
    const message = `income: expected a number from 0 up to 1000000000000, got ${name}`;
    assert.throws(() => calculateTax({ income: value as never }), { message });
  }
});

test('the route of a bulk request answers each of its lines', () => {
  const service = createService();
  const routeOf = (type: string): RouteResult =>
    service.route({ method: 'POST', target: '/api/v1/hash', headers: { 'content-type': type } });
  const [stream, single] = [routeOf('application/x-ndjson'), routeOf('application/json')];
  assert.ok(stream.kind === 'post' && single.kind === 'post');
  assert.deepEqual([stream.isBulk, single.isBulk], [true, false]);
  for (const line of ['{"text":"a"}', '{"text":1}', TOO_LARGE] as const)
    assert.deepEqual(stream.answer(line), single.answer(line));
});

test('everything that several callers share is frozen', () => {
  const shared: readonly (readonly [string, unknown])[] = [
    ...Object.entries(law),
    ['lawOf', law.lawOf('2026-08', 1)],
    ['annualLawOf', law.annualLawOf(2026)],
    ['FAILURES', FAILURES],
    ['createService', createService()],
  ];
  const check = (value: unknown, path: string): void => {
    if (typeof value !== 'object' || value === null) return;
    assert.ok(Object.isFrozen(value), path);
    for (const [name, member] of Object.entries(value)) check(member, `${path}.${name}`);
  };
  for (const [name, value] of shared) check(value, name);
});

/** Changes every member and element of a value, at any depth, that is not frozen. */
function vandalize(value: unknown, seen: Set<unknown> = new Set()): void {
  if (typeof value !== 'object' || value === null || seen.has(value)) return;
  seen.add(value);
  for (const member of Object.values(value)) vandalize(member, seen);
  for (const name of Object.keys(value)) Reflect.set(value, name, 'changed');
  Reflect.set(value, 'added', 'changed');
  if (Array.isArray(value) && !Object.isFrozen(value)) value.length = 0;
}

test('returns values whose modification changes no later result', async () => {
  const service = createService({ taxPeriod: '2026-08' });
  const targets = [...service.paths, '/nowhere', '/api/v1/tax/rules?period=2026-08'];
  const headers = { 'content-type': 'application/json', origin: 'https://example.org' };
  const take = async (): Promise<unknown[]> => [
    Object.fromEntries(Object.entries(law).filter(([, value]) => typeof value === 'object')),
    law.lawOf('2026-08', 1),
    law.inForce(law.BASE_SALARY, '2026-08'),
    FAILURES,
    taxRules(),
    taxRules({ period: '2020-01' }),
    calculateTax({ income: 30_000_000, period: '2026-08', detail: true }),
    settleYear({ year: 2026, income: 600_000_000, insurance: 0, detail: true }),
    calculateInterest({ principal: 1_000, annual_rate: 5, years: 3 }),
    hashText({ text: 'a' }),
    service.paths,
    service.overloaded,
    service.crossOrigin('https://example.org'),
    ...(await Promise.all(
      targets.flatMap((target) =>
        ['GET', 'POST', 'OPTIONS'].map((method) =>
          service.answer({ method, target, headers }, Buffer.from('{"text":"a"}'.padEnd(20_000))),
        ),
      ),
    )),
    new Failure('not_found'),
  ];
  const before = structuredClone(await take());
  for (const value of await take()) vandalize(value);
  assert.deepEqual(structuredClone(await take()), before);
});

test('treats a field that is undefined as absent', () => {
  assert.deepEqual(
    calculateTax({ income: 1, period: undefined, type: undefined }),
    calculateTax({ income: 1 }),
  );
  assert.throws(
    () => calculateTax({ income: undefined } as never),
    /^Failure: income: this field is required$/,
  );
});

test('createServer serves every resource, and accepts the settings of the command', async (context) => {
  const url = await listen(
    context,
    createServer({ taxPeriod: '2019-06', log: 'off', metrics: 'on' }),
  );
  const post = (body: string): Promise<Response> => sendJson(`${url}/api/v1/tax/calculate`, body);
  const { data } = (await (await post('{"income":3e7,"detail":true}')).json()) as {
    data: { detail: { period: string } };
  };
  assert.equal(data.detail.period, '2019-06');
  assert.equal((await post('{"income":1}'.padEnd(SMALL_BODY_LIMIT + 1))).status, 413);
  assert.match(
    await (await fetch(`${url}/metrics`)).text(),
    /route="\/api\/v1\/tax\/calculate",status="413"\} 1\n/,
  );
  assert.match(await (await fetch(url, { headers: { accept: 'text/html' } })).text(), /<html/);
});

test('rejects an invalid setting when the service is created', () => {
  const service = [
    { taxPeriod: '2014-12' },
    { bodyLimit: 0 },
    { bodyLimit: 1.5 },
    { corsOrigin: 'example.org' },
    { bodylimit: 5 },
    { port: 8080 },
    { taxPeriod: {} },
    { bodyLimit: 10n },
    null,
    5,
    10n,
    ['taxPeriod'],
  ];
  const server = [
    { log: 'all' },
    { requestTimeout: Number.NaN },
    { metrics: true },
    { log: () => undefined },
  ];
  for (const create of [
    createService,
    createHandler,
    createServer,
    createFetchHandler,
    createPortableHandler,
  ]) {
    for (const settings of [...service, ...server]) {
      assert.throws(
        () => create(settings as never),
        { name: 'ConfigError', message: /expected|did you mean/i },
        inspect(settings),
      );
    }
  }
});

test('treats settings that are undefined as absent, and rejects settings of the command alone', () => {
  assert.doesNotThrow(() => createService({ taxPeriod: undefined, bodyLimit: 16_384 }));
  assert.throws(() => createServer({ port: 8080 } as never), {
    name: 'ConfigError',
    message: /^Unknown field "port"; expected only bodyLimit, /,
  });
});

test('createHandler reads the page at once, opens no other file and no buffer, and logs no request', async () => {
  const program = `
    import fs from 'node:fs';
    import http from 'node:http';
    import { syncBuiltinESMExports } from 'node:module';
    import { createHandler } from ${JSON.stringify(new URL(`../src/index${extname(import.meta.url)}`, import.meta.url).href)};

    const opened = [];
    for (const name of ['readdirSync', 'readFileSync', 'openSync', 'write']) {
      const original = fs[name];
      fs[name] = (...given) => {
        opened.push(String(given[0]).split('/').at(-1));
        return original(...given);
      };
    }
    syncBuiltinESMExports();
    const before = process.memoryUsage().arrayBuffers;
    const resources = process.getActiveResourcesInfo().length;
    const lines = [];
    const handlers = [createHandler({}, (line) => lines.push(line)), createHandler()];
    const grown = process.memoryUsage().arrayBuffers - before;
    const read = [...new Set(opened.splice(0))].sort();
    const atStart = [grown < 100_000, process.getActiveResourcesInfo().length - resources];
    const statuses = [];
    for (const handler of handlers) {
      const server = http.createServer(handler);
      await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
      const url = 'http://127.0.0.1:' + server.address().port;
      for (const accept of ['*/*', 'text/html']) statuses.push((await fetch(url, { headers: { accept } })).status);
      server.closeAllConnections();
      server.close();
    }
    console.log(JSON.stringify({ atStart, statuses, read, opened, lines }));
  `;
  const { stdout } = await execFile(process.execPath, ['--input-type=module', '--eval', program]);
  assert.deepEqual(JSON.parse(stdout), {
    atStart: [true, 0],
    statuses: [200, 200, 200, 200],
    read: pageFiles().sort(),
    opened: [],
    lines: [],
  });
});

test('createServer without a function for the log reports only errors, on the console', async (context) => {
  const reported = context.mock.method(console, 'error', () => undefined);
  for (const [log, expected] of [
    ['requests', [['error', 'a-1']]],
    ['off', []],
  ] as const) {
    const server = createServer({ log });
    // A method that throws is a fault of the request in progress.
    server.prependListener('request', ({ headers }, response) => {
      if (headers['x-request-id'] === 'a-1') Object.assign(response, { writeHead: undefined });
    });
    const port = await serve(context, server);
    assert.deepEqual(await statusesOf(port, CLOSE), [200]);
    assert.deepEqual(
      await statusesOf(port, CLOSE.replace('Host', 'X-Request-Id: a-1\r\nHost')),
      [],
    );
    const lines = reported.mock.calls.map(({ arguments: given }) => String(given[0]));
    reported.mock.resetCalls();
    const parsed = lines.map((line) => JSON.parse(line) as { level: string; id: string });
    assert.deepEqual(
      parsed.map(({ level, id }) => [level, id]),
      expected,
      log,
    );
  }
});

test('createFetchHandler answers as the server does', async (context) => {
  const respond = createFetchHandler({ taxPeriod: '2026-08' });
  const url = await listen(context, createServer({ taxPeriod: '2026-08', log: 'off' }));
  const requests: readonly [path: string, init?: RequestInit][] = [
    ...calculations.map((operation): [string, RequestInit] => [
      operation.path,
      { method: 'POST', headers: JSON_TYPE, body: JSON.stringify(firstExample(operation)) },
    ]),
    [
      '/api/v1/hash',
      { method: 'POST', headers: { ...JSON_TYPE, 'x-request-id': 'a-1' }, body: '{"text":1}' },
    ],
    [
      '/api/v1/hash',
      { method: 'POST', headers: { ...JSON_TYPE, origin: 'https://a.example' }, body: '{"text":' },
    ],
    ['/api/v1/hash', { method: 'POST', headers: JSON_TYPE }],
    ['/api/v1/hash', { method: 'POST', body: '{}' }],
    [
      '/api/v1/tax/calculate',
      { method: 'POST', headers: JSON_TYPE, body: '{"income":1}'.padEnd(20_000) },
    ],
    ['/api/v1/hash?x=1', { method: 'OPTIONS' }],
    ['/openapi.json', { method: 'HEAD' }],
    ['/api/v1/tax/rules?period=2026-08', { headers: { 'if-none-match': '*' } }],
    ['/readyz'],
    ['/nowhere'],
    ['/healthz', { method: 'DELETE' }],
  ];
  // A request without an id gets a new one from each.
  const byConnection = ['date', 'connection', 'keep-alive', 'x-request-id'];
  for (const [path, init] of requests) {
    const ours = await respond(new Request(url + path, init));
    // createFetchHandler compresses no document.
    const identity = { ...init, headers: { ...init?.headers, 'accept-encoding': 'identity' } };
    const theirs = await fetch(url + path, identity);
    const headers = [...theirs.headers].filter(([name]) => !byConnection.includes(name));
    const ownHeaders = [...ours.headers].filter(([name]) => !byConnection.includes(name));
    assert.deepEqual(
      [ours.status, ownHeaders, await ours.text()],
      [theirs.status, headers, await theirs.text()],
      path,
    );
    assert.equal(ours.headers.has('x-request-id'), theirs.headers.has('x-request-id'), path);
  }
});

test('the index of createFetchHandler is that of the server, with links to its own documents', async (context) => {
  const respond = createFetchHandler();
  const url = await listen(context, createServer({ log: 'off' }));
  const indexIn = async (response: Response): Promise<object> =>
    ((await response.json()) as { data: object }).data;
  const own = await indexIn(await respond(new Request(`${url}/`)));
  const index = await indexIn(await fetch(`${url}/`));
  assert.deepEqual(own, { ...index, links: { openapi: '/openapi.json' } });
});

test('createFetchHandler gives an id to every answer but 200, and repeats that of the request', async () => {
  const respond = createFetchHandler();
  const idOf = async (
    path: string,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<string | null> => {
    const response = await respond(new Request(`http://a${path}`, { headers }));
    return response.headers.get('x-request-id');
  };
  assert.equal(await idOf('/healthz'), null);
  assert.match((await idOf('/nothing')) ?? '', /^[\da-f-]{36}$/);
  for (const path of ['/healthz', '/nothing'])
    assert.equal(await idOf(path, { 'x-request-id': 'order-17' }), 'order-17');
  const failure = await respond(new Request('http://a/nothing'));
  assert.equal(errorCode(await failure.text()), 'not_found');
});

test('createFetchHandler answers below its base path only', async () => {
  const respond = createFetchHandler({ basePath: '/calculate/v2' });
  const statusOf = async (path: string): Promise<number> =>
    (await respond(new Request(`http://a${path}`))).status;
  assert.equal(await statusOf('/calculate/v2/healthz'), 200);
  assert.equal(await statusOf('/calculate/v2/api/v1/tax/rules?period=2026-08'), 200);
  assert.equal(await statusOf('/calculate/v2/api/v1/tax/rules?period=2014-12'), 422);
  assert.equal(await statusOf('/calculate/v2/'), 200);
  for (const path of [
    '/calculate/v2',
    '/calculate/v2healthz',
    '/healthz',
    '/calculate/healthz',
    '/',
  ]) {
    const response = await respond(new Request(`http://a${path}`));
    assert.equal(response.status, 404, path);
    assert.equal(errorCode(await response.text()), 'not_found', path);
  }
  for (const basePath of [
    'calculate',
    '/',
    '/calculate/',
    '/a?b',
    '/a#b',
    '//a',
    '/a b',
    '/tính',
    '/a/../b',
    '/.',
    1,
  ]) {
    assert.throws(() => createFetchHandler({ basePath } as object), ConfigError, String(basePath));
    assert.throws(() => createPortableHandler({ basePath } as object), /basePath: expected/);
  }
});

test('createFetchHandler answers 500 when the body was read before', async (context) => {
  context.mock.method(console, 'error', () => undefined);
  const request = new Request('http://a/api/v1/hash', {
    method: 'POST',
    headers: JSON_TYPE,
    body: '{"text":"a"}',
  });
  await request.text();
  const response = await createFetchHandler()(request);
  assert.deepEqual([response.status, errorCode(await response.text())], [500, 'internal_error']);
  assert.match(response.headers.get('x-request-id') ?? '', /^[\da-f-]{36}$/);
});

test('createFetchHandler counts a body while it arrives, and survives an aborted body', async () => {
  const respond = createFetchHandler();
  const stream = (pull: (controller: ReadableStreamDefaultController) => void): Request =>
    new Request('http://a/api/v1/tax/calculate', {
      method: 'POST',
      headers: JSON_TYPE,
      body: new ReadableStream({ pull }),
      duplex: 'half',
    } as RequestInit);
  const endless = await respond(
    stream((controller) => controller.enqueue(new Uint8Array(1_000).fill(32))),
  );
  assert.deepEqual([endless.status, errorCode(await endless.text())], [413, 'body_too_large']);
  const gone = await respond(stream((controller) => controller.error(new Error('gone'))));
  assert.deepEqual([gone.status, errorCode(await gone.text())], [400, 'bad_request']);
});

test(
  'createServer resets connections over TCP only, and closes others',
  onUnix,
  async (context) => {
    const folder = mkdtempSync(join(tmpdir(), 'socket-'));
    context.after(() => rmSync(folder, { recursive: true }));
    const path = join(folder, 'socket');
    const server = createServer({ log: 'off' }).listen(path);
    context.after(() => server.close());
    await once(server, 'listening');
    const client = net.connect(path);
    // Over TCP, such tiny chunks lead to a reset.
    client.write(chunkedHead(HASH) + '1\r\n \r\n'.repeat(5_000));
    await once(client.resume(), 'close');
  },
);
