import assert from 'node:assert/strict';
import { constants } from 'node:buffer';
import { test } from 'node:test';
import {
  checkSettings,
  serviceOptions,
  serviceSettings,
} from '../../src/command/service-settings.ts';
import { metricsResource } from '../../src/extensions/metrics/metrics.ts';
import { createService } from '../../src/index.ts';
import { coreOperations } from '../../src/operations/core.ts';
import { operations } from '../../src/operations/operations.ts';
import { type Answer, type CrossOrigin, headersOf } from '../../src/service/answer.ts';
import { type Service, serviceOf } from '../../src/service/service.ts';
import { periodAt } from '../../src/tax/period.ts';
import { conformingService, errorCode, faulty, listen } from '../helpers/fixture.ts';

const headers = { 'content-type': 'application/json' };

async function taxOf(
  currentPeriod: () => string,
  body: object,
): Promise<{ tax: number; detail: { period: string } }> {
  const service = conformingService({ currentPeriod });
  const head = { method: 'POST', target: '/api/v1/tax/calculate', headers };
  const answer = await service.answer(
    head,
    Buffer.from(JSON.stringify({ income: 30_000_000, detail: true, ...body })),
  );
  return (JSON.parse(String(answer.body)) as { data: Awaited<ReturnType<typeof taxOf>> }).data;
}

test('applies the current month of the service to a tax request without a period', async () => {
  const december = await taxOf(() => '2025-12', {});
  const january = await taxOf(() => '2025-12', { period: '2026-01' });
  assert.deepEqual([december.detail.period, january.detail.period], ['2025-12', '2026-01']);
  assert.deepEqual(await taxOf(() => '2026-01', {}), january);
  assert.notEqual(december.tax, january.tax);
});

test('answers a request with 500 if its answer and its id are longer than a string can be', async () => {
  const run = (): string => `"${'a'.repeat(constants.MAX_STRING_LENGTH - 100)}"`;
  const options = serviceOptions(checkSettings(serviceSettings, {}), []);
  const service = serviceOf({ ...options, operations: [{ ...faulty, run }] });
  const head = { method: 'POST', target: faulty.path, headers };
  const id = 'b'.repeat(128);
  const { status, body, fault } = await service.answer(head, Buffer.from(JSON.stringify({ id })));
  assert.equal(status, 500);
  assert.ok(fault instanceof RangeError);
  assert.match(String(body), /^\{"id":"b{128}","status":"error","error":\{"code":"internal_error"/);
});

test('accepts no limit of bodies with which the answer to a hash request could not exist', async () => {
  const head = { method: 'POST', target: '/api/v1/hash', headers };
  const answer = await createService().answer(head, Buffer.from('{"text":""}'));
  const { maximum } = serviceSettings.fields.bodyLimit.schema;
  // A character of ASCII, which has one byte in a body, is in the answer itself and as 4 / 3 characters of Base64.
  const longest = answer.body.length + Math.ceil((Number(maximum) * 7) / 3);
  assert.ok(longest < constants.MAX_STRING_LENGTH);
});

test('determines the current month in Vietnam, seven hours ahead of UTC', () => {
  for (const [instant, month] of [
    ['2025-12-31T16:59:59.999Z', '2025-12'],
    ['2025-12-31T17:00:00Z', '2026-01'],
    ['2026-02-28T17:00:00Z', '2026-03'],
    ['2028-02-29T16:59:59Z', '2028-02'],
  ] as const) {
    assert.equal(periodAt(Date.parse(instant)), month, instant);
    const options = { timeZone: 'Asia/Ho_Chi_Minh', year: 'numeric', month: '2-digit' } as const;
    assert.equal(
      new Intl.DateTimeFormat('en-CA', options).format(new Date(instant)),
      month,
      instant,
    );
  }
});

test('names the clock in the answers to requests that need it while it shows a month before the law tables', async () => {
  const service = conformingService({
    currentPeriod: () => periodAt(Date.parse('2014-12-31T16:59:59.999Z')),
  });
  const head = { method: 'POST', target: '/api/v1/tax/calculate', headers };
  const expected =
    'The clock of the service shows 2014-12, which is before 2015-01: set the clock, or send `period`';
  const { status, body, fault } = await service.answer(head, Buffer.from('{"income":1}'));
  assert.deepEqual(
    [status, JSON.parse(String(body))],
    [500, { status: 'error', error: { code: 'internal_error', message: expected } }],
  );
  assert.ok(fault instanceof Error && fault.message === expected); // for the log
  const month = await service.answer(head, Buffer.from('{"income":1,"period":"2015-01"}'));
  assert.deepEqual([month.status, month.fault], [200, undefined]);
  const refused = await service.answer(head, Buffer.from('{}'));
  assert.deepEqual([refused.status, refused.fault], [422, undefined]);
  assert.equal(periodAt(Date.parse('2014-12-31T17:00:00Z')), '2015-01');
});

test('reports readiness from the isReady option, and is always alive', async () => {
  let isReady = true;
  const service = conformingService({ isReady: () => isReady });
  const get = async (target: string): Promise<Answer> =>
    service.answer({ method: 'GET', target, headers: {} }, Buffer.alloc(0));
  const alive = '{"status":"success","data":{"alive":true}}';
  assert.equal((await get('/healthz')).body, alive);
  assert.equal((await get('/readyz')).body, alive.replace('alive', 'ready'));
  isReady = false;
  assert.equal((await get('/healthz')).body, alive);
  const { status, body } = await get('/readyz');
  assert.deepEqual([status, errorCode(body)], [503, 'overloaded']);
});

test('limits the body by operation', async () => {
  const service = conformingService({ bodyLimit: 20_000 });
  const status = async (target: string, length: number): Promise<number> =>
    (await service.answer({ method: 'POST', target, headers }, Buffer.from('{}'.padEnd(length))))
      .status;
  const limits = [
    ['/api/v1/tax/calculate', 16_384],
    ['/api/v1/interest/calculate', 16_384],
    ['/api/v1/hash', 20_000],
  ] as const;
  for (const [target, limit] of limits) {
    assert.deepEqual(
      [await status(target, limit), await status(target, limit + 1)],
      [422, 413],
      target,
    );
  }
});

test('allows any origin, none, or those of a list, and reflects no other', () => {
  const allowed = (corsOrigins: readonly string[], origin?: string): CrossOrigin =>
    conformingService({ corsOrigins }).crossOrigin(origin);
  const exposing = ['Access-Control-Expose-Headers', 'ETag, Retry-After, X-Request-Id'];
  for (const origin of ['https://a.example', undefined]) {
    assert.deepEqual(allowed(['*'], origin), {
      allowing: ['Access-Control-Allow-Origin', '*'],
      exposing,
    });
    assert.deepEqual(allowed([], origin), { allowing: [], exposing: [] });
  }
  const list = ['https://a.example', 'https://b.example:8443'];
  for (const origin of list) {
    const allowing = ['Access-Control-Allow-Origin', origin, 'Vary', 'Origin'];
    assert.deepEqual(allowed(list, origin), { allowing, exposing });
  }
  for (const origin of ['https://c.example', undefined]) {
    assert.deepEqual(allowed(list, origin), { allowing: ['Vary', 'Origin'], exposing: [] });
  }
});

test('hides the metrics from scripts of other origins, and sends an id with every answer but 200', async (context) => {
  const { url } = await listen(context, { resources: [metricsResource(() => 'a 1\n')] });
  const headersOfPath = async (path: string): Promise<(string | null)[]> => {
    const { headers } = await fetch(url + path, { headers: { origin: 'https://a.example' } });
    return [
      headers.get('access-control-allow-origin'),
      headers.get('access-control-expose-headers'),
    ];
  };
  const read = await fetch(`${url}/metrics`);
  assert.deepEqual([read.status, await read.text()], [200, 'a 1\n']);
  const fromScript = { headers: { origin: 'https://a.example' } };
  const refused = await fetch(`${url}/metrics`, fromScript);
  assert.deepEqual([refused.status, errorCode(await refused.text())], [404, 'not_found']);
  assert.deepEqual(await headersOfPath('/healthz'), ['*', null]);
  assert.deepEqual(await headersOfPath('/openapi.json'), ['*', 'ETag, Retry-After, X-Request-Id']);
  assert.deepEqual(await headersOfPath('/nothing'), ['*', 'ETag, Retry-After, X-Request-Id']);
  assert.match(
    (await fetch(`${url}/nothing`)).headers.get('x-request-id') ?? '',
    /^[\da-f]{8}-[\da-f]{4}-\d+$/,
  );
  assert.equal((await fetch(`${url}/healthz`)).headers.get('x-request-id'), null);
});

test('the core answers the operations, the health checks and the index, and nothing else', async () => {
  const settings = checkSettings(serviceSettings, { taxPeriod: '2026-08' });
  const options = serviceOptions(settings, coreOperations);
  const further = operations
    .filter(({ id }) => !coreOperations.some((operation) => operation.id === id))
    .map(({ path }) => path);
  const core = serviceOf(options);
  const whole = createService({ taxPeriod: '2026-08' });
  const bodyOf = async (service: Service, target: string): Promise<string> =>
    String((await service.answer({ method: 'GET', target, headers: {} }, Buffer.alloc(0))).body);
  assert.deepEqual(
    [...core.paths].sort(),
    ['/', '/healthz', '/readyz', ...coreOperations.map(({ path }) => path)].sort(),
  );
  for (const target of ['/healthz', '/readyz']) {
    assert.equal(await bodyOf(core, target), await bodyOf(whole, target), target);
  }
  const index = await bodyOf(whole, '/');
  assert.equal(
    await bodyOf(core, '/'),
    index
      .replace('"openapi":"/openapi.json"', '')
      .replaceAll(new RegExp(`\\{"method":"\\w+","path":"(${further.join('|')})".*?\\},`, 'g'), ''),
  );
  for (const target of ['/openapi.json', '/api/v1/tax/rules']) {
    assert.equal(errorCode(await bodyOf(core, target)), 'not_found', target);
  }
  const known = { 'if-none-match': '*', 'accept-encoding': 'gzip' };
  const answer = await core.answer({ method: 'GET', target: '/', headers: known }, Buffer.alloc(0));
  assert.deepEqual([answer.status, answer.caching, answer.headers], [200, 'no-store', []]);
  const body = Buffer.from('{"text":""}');
  for (const [type, status] of [
    ['application/json', 200],
    ['application/x-ndjson', 415],
  ] as const) {
    const head = { method: 'POST', target: '/api/v1/hash', headers: { 'content-type': type } };
    const answer = await core.answer(head, body);
    assert.equal(answer.status, status);
    if (status === 415)
      assert.match(
        String(answer.body),
        /Expected Content-Type: application\/json, with charset=utf-8 or none/,
      );
  }
});

/** The answers to requests that succeed and that are refused, and the headers of each, as far as clients see them. */
function seenAnswers(): unknown[] {
  const service = createService();
  const requests: readonly [method: string, target: string, headers: object, body: string][] = [
    ['POST', '/api/v1/hash', headers, '{"text":""}'],
    ['POST', '/api/v1/hash', headers, '{"text":1,"txt":2}'],
    ['POST', '/api/v1/hash', headers, '{'],
    ['POST', '/api/v1/hash', { ...headers, 'content-length': '1000000000' }, ''],
    ['POST', '/api/v1/hash', {}, ''],
    ['GET', '/readyz', {}, ''],
    ['GET', '/%', {}, ''],
    ['DELETE', '/healthz', {}, ''],
  ];
  return requests.map(([method, target, sent, body]) => {
    const answer = service.answer({ method, target, headers: { ...sent } }, Buffer.from(body));
    const { status, fault } = answer;
    const all = headersOf(answer, undefined, service.crossOrigin('https://a.example'), 'id');
    return [status, String(answer.body), fault, all];
  });
}

test('answers the same if another module has added members of answers to Object.prototype', () => {
  const expected = seenAnswers();
  const prototype = Object.prototype as unknown as Record<string, unknown>;
  for (const name of ['details', 'message', 'fault', 'facts']) {
    try {
      prototype[name] = [{ field: 'a', code: 'b', message: 'c' }];
      assert.deepEqual(seenAnswers(), expected, name);
    } finally {
      delete prototype[name];
    }
  }
});
