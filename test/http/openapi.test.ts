/** The OpenAPI document: complete, and consistent with itself. The tests of `http/` compare every answer with it. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Failure, FAILURES } from '../../src/contract/failure.ts';
import { openApi, OPENAPI_PATH } from '../../src/http/openapi.ts';
import { methodOf, operation } from '../../src/contract/operation.ts';
import type { JsonSchema } from '../../src/contract/schema.ts';
import { integer, object } from '../../src/contract/schema.ts';
import { healthOperations } from '../../src/http/health.ts';
import { serviceOf } from '../../src/http/service.ts';
import { operations } from '../../src/operations.ts';
import { serviceOptions } from './fixture.ts';
import { resolve, violationsOf } from '../contract/validator.ts';

const all = [...operations, ...healthOperations];
const document = openApi({ title: 'Test', version: '1.2.3', description: 'A service under test' }, all);

type Children = Readonly<Record<string, JsonSchema>>;

/** Every object in the document, with its path. */
function* parts(value: unknown, path = '#'): Generator<[string, JsonSchema]> {
  if (typeof value !== 'object' || value === null) return;
  if (!Array.isArray(value)) yield [path, value as JsonSchema];
  for (const [name, child] of Object.entries(value)) {
    const isExample = name === 'examples' || name === 'example' || name === 'default' || name === 'enum';
    if (!isExample) yield* parts(child, `${path}/${name.replaceAll('/', '~1')}`);
  }
}

test('lists every operation by path and method, each with a unique operationId', () => {
  const paths = document['paths'] as Readonly<Record<string, Children>>;
  const expected = all.map(({ path, input }) => `${methodOf({ input }).toLowerCase()} ${path}`);
  expected.push(`get ${OPENAPI_PATH}`);
  assert.deepEqual(Object.entries(paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method} ${path}`)), expected);
  const names = Object.values(paths).flatMap((methods) => Object.values(methods)).map((item) => item['operationId']);
  assert.equal(new Set(names).size, expected.length);
});

test('every field has a description, a type, and an example that its schema accepts', () => {
  let fields = 0;
  for (const [path, schema] of parts(document)) {
    if (path.endsWith('/properties') || !('type' in schema) || '$ref' in schema) continue;
    assert.ok(typeof schema['description'] === 'string' || path.endsWith('/items'), `${path} has no description`);
    if (schema['type'] === 'object' || schema['type'] === 'array') continue;
    fields += 1;
    const examples = schema['examples'] as readonly unknown[] | undefined;
    assert.ok(examples !== undefined && examples.length > 0, `${path} has no example`);
    for (const example of examples) assert.deepEqual(violationsOf(document, schema, example), [], path);
  }
  assert.ok(fields > 100, String(fields));
});

test('every body has a schema that accepts its examples, and every reference resolves', () => {
  let bodies = 0;
  for (const [path, part] of parts(document)) {
    if ('$ref' in part) assert.ok(resolve(document, String(part['$ref'])), path);
    const media = (part['content'] as Children | undefined)?.['application/json'];
    if (media === undefined) continue;
    bodies += 1;
    const examples = Object.values(media['examples'] ?? { only: { value: media['example'] } }) as { value: unknown }[];
    assert.ok(examples.length > 0, path);
    for (const { value } of examples) {
      assert.deepEqual(violationsOf(document, media['schema'] as JsonSchema, value), [], path);
    }
  }
  assert.ok(bodies > 20, String(bodies));
});

test('describes every failure, with an example, in the default response or in one of its operations', () => {
  const shared = resolve(document, '#/components/responses/Failure');
  for (const [code, { status, title }] of Object.entries(FAILURES)) {
    const isSpecific = code === 'validation_failed' || code === 'digest_unavailable';
    const own = [...parts(document)].filter(([path]) => path.endsWith(`/responses/${status}`)).map(([, part]) => part);
    for (const response of isSpecific ? own : [shared]) {
      assert.match(JSON.stringify(response['content']), new RegExp(`"status":"error","error":\\{"code":"${code}"`));
    }
    assert.equal(String(shared['description']).includes(`${status} ${code}`), !isSpecific, code);
    if (isSpecific) assert.ok(own.length > 0 && own.every(({ description }) => description === title), code);
  }
});

test('describes the headers of a response, and the header of a request that makes a response of 304 possible', () => {
  const headers = (path: string, status: string): string[] => {
    const response = Object.values((document['paths'] as Readonly<Record<string, Children>>)[path]!)[0]!['responses'];
    return Object.keys((response as unknown as Children)[status]!['headers'] as object);
  };
  assert.deepEqual(headers('/api/v1/hash', '200'), ['X-Request-Id']);
  assert.deepEqual(headers('/readyz', '503'), ['Retry-After', 'X-Request-Id']);
  for (const [path, methods] of Object.entries(document['paths'] as Readonly<Record<string, Children>>)) {
    const [{ parameters = [], responses }] = Object.values(methods) as unknown as
      [{ parameters?: readonly { name: string }[]; responses: object }];
    assert.equal(parameters.some(({ name }) => name === 'If-None-Match'), Object.hasOwn(responses, '304'), path);
    if (Object.hasOwn(responses, '304')) {
      assert.deepEqual([headers(path, '200'), headers(path, '304')], Array(2).fill(['ETag', 'X-Request-Id']));
    }
  }
  const shared = resolve(document, '#/components/responses/Failure');
  assert.deepEqual(Object.keys(shared['headers'] as object), ['Allow', 'Retry-After', 'X-Request-Id']);
});

const OF_POST = ['200', '422', 'default'];
const RESPONSES: Readonly<Record<string, readonly string[]>> = {
  '/api/v1/tax/calculate': OF_POST,
  '/api/v1/tax/annual': OF_POST,
  '/api/v1/interest/calculate': OF_POST,
  '/api/v1/interest/solve': OF_POST,
  '/api/v1/hash': ['200', '422', '501', 'default'],
  '/api/v1/tax/rules': ['200', '304', '422', 'default'],
  '/healthz': ['200', '4XX', 'default'],
  '/readyz': ['200', '503', '4XX', 'default'],
  [OPENAPI_PATH]: ['200', '304', '4XX', 'default'],
};

test('lists the statuses that a client of each path distinguishes', () => {
  for (const [path, methods] of Object.entries(document['paths'] as Readonly<Record<string, Children>>)) {
    assert.deepEqual(Object.keys(Object.values(methods)[0]!['responses'] as object), RESPONSES[path], path);
  }
});

test('the body of a bulk request has the type of a line for generators, and is a text for validators', () => {
  for (const { id, path, input, examples, refusals = {} } of operations) {
    if (methodOf({ input }) === 'GET') continue;
    const name = id[0]!.toUpperCase() + id.slice(1);
    const body = resolve(document, `#/components/requestBodies/${name}Request/content`) as Children;
    const answer = resolve(document, `#/paths/${path.replaceAll('/', '~1')}/post/responses/200/content`) as Children;
    const { type, ...line } = body['application/json']!['schema'] as JsonSchema;
    assert.deepEqual(body['application/x-ndjson']!['schema'], { ...line, description: 'One request per line' });
    const reference = { $ref: `#/components/schemas/${name}Success` };
    assert.deepEqual(answer['application/json']!['schema'], { type, ...reference });
    assert.deepEqual(answer['application/x-ndjson; charset=utf-8']!['schema'], reference);
    for (const content of [body['application/x-ndjson']!, answer['application/x-ndjson; charset=utf-8']!]) {
      assert.deepEqual(violationsOf(document, content['schema'] as JsonSchema, content['example']), []);
    }
    assert.equal(body['application/x-ndjson']!['example'], [examples, refusals].map((requests) =>
      `${JSON.stringify(Object.values(requests)[0])}\n`).join(''));
  }
});

test('a schema has one meaning wherever it is named', () => {
  const named = new Map<string, unknown>();
  for (const { result } of all) {
    for (const [path, { title, description, ...schema }] of parts(result.schema)) {
      if (typeof title !== 'string') continue;
      assert.deepEqual(schema, named.get(title) ?? schema, path);
      named.set(title, schema);
    }
  }
  const schemas = Object.keys(resolve(document, '#/components/schemas'));
  for (const name of ['TaxDetail', 'Bracket', 'LawRow', 'TimelineRow', ...named.keys()]) {
    assert.ok(schemas.includes(name), name);
  }
  for (const [path, { type }] of parts(resolve(document, '#/components/schemas'))) {
    const isNested = type === 'object' && path.split('/').length > 2;
    assert.ok(!isNested, `${path} has no name`);
  }
});

test('marks every request body as required', () => {
  const { requestBodies } = document['components'] as Readonly<Record<string, Children>>;
  assert.deepEqual(Object.entries(requestBodies!).map(([name, body]) => [name, body['required']]), [
    ['CalculateTaxRequest', true], ['SettleYearRequest', true], ['CalculateInterestRequest', true],
    ['SolveInterestRequest', true], ['HashTextRequest', true],
  ]);
});

test('describes each tag by the summaries of its operations', () => {
  const shown = (document['tags'] as readonly { name: string; description: string }[]);
  const summaries = (...ids: readonly string[]): string =>
    all.filter(({ id }) => ids.includes(id)).map(({ summary }) => summary).join('; ');
  assert.deepEqual(shown, [
    { name: 'tax', description: summaries('calculateTax', 'settleYear', 'getTaxRules') },
    { name: 'interest', description: summaries('calculateInterest', 'solveInterest') },
    { name: 'hash', description: summaries('hashText') },
    { name: 'service', description: summaries('isAlive', 'isReady') },
  ]);
});

test('describes the failure envelope with its lower bounds', () => {
  const bounds = ['Failure', 'FailureError', 'Problem'].map((name) =>
    [...parts(resolve(document, `#/components/schemas/${name}`))].flatMap(([path, { minLength, minimum }]) =>
      (minLength === undefined && minimum === undefined ? [] : [[path.replaceAll('/properties', ''), minLength ?? minimum]])));
  assert.deepEqual(bounds, [[['#/id', 1]], [['#/message', 1], ['#/line', 1]], [['#/field', 0], ['#/message', 1]]]);
});

test('documents the answer of the service to each example', async () => {
  const service = serviceOf(serviceOptions());
  const ask = async (path: string, headers: Readonly<Record<string, string>>, body: string): Promise<string> =>
    String((await service.answer({ method: 'POST', target: path, headers }, Buffer.from(body))).body);
  for (const { path, examples, refusals = {}, input } of operations) {
    const method = methodOf({ input });
    const item = (document['paths'] as Readonly<Record<string, Children>>)[path]!;
    const { requestBody = {}, responses } = item[method.toLowerCase()]!;
    const { $ref } = requestBody as { $ref?: string };
    for (const [status, requests] of [['200', examples], ['422', refusals]] as const) {
      assert.ok(Object.keys(requests).length > 0, path);
      for (const [index, request] of Object.values(requests).entries()) {
        const query = method === 'GET' ? `?${new URLSearchParams(request as Record<string, string>).toString()}` : '';
        const head = { method, target: path + query, headers: { 'content-type': 'application/json' } };
        const answer = await service.answer(head, Buffer.from(JSON.stringify(request)));
        assert.equal(String(answer.status), status, JSON.stringify(request));
        const shown = (media: unknown): unknown => (Object.values(
          (media as { content: { 'application/json': { examples: object } } }).content['application/json'].examples,
        )[index] as { value: unknown }).value;
        assert.deepEqual(JSON.parse(answer.body), shown((responses as unknown as Children)[status]));
        if ($ref !== undefined && status === '200') assert.deepEqual(request, shown(resolve(document, $ref)));
      }
    }
    if ($ref === undefined) continue;
    const bulk = resolve(document, $ref)['content'] as Children;
    const answers = (responses as unknown as Children)['200']!['content'] as Children;
    assert.equal(await ask(path, { 'content-type': 'application/x-ndjson' }, String(bulk['application/x-ndjson']!['example'])),
      answers['application/x-ndjson; charset=utf-8']!['example']);
  }
});

test('omits the example responses of an operation whose examples fail in this installation', () => {
  const broken = operation({ id: 'fail', path: '/api/v1/broken', summary: 'Fails', description: 'Fails', input: 'small-body',
    request: object({ a: integer({ description: 'A' }) }), result: object({}), examples: { one: { a: 1 } },
    calculate: () => { throw new Failure('digest_unavailable'); } });
  const described = JSON.stringify(openApi({ title: '', version: '', description: '' }, [broken]));
  assert.ok(described.includes('"content":{"application/json":'
    + '{"schema":{"type":"object","$ref":"#/components/schemas/FailSuccess"},"examples":{}}'));
});

test('the validator of these tests reports values that a schema does not accept', () => {
  const schema = resolve(document, '#/components/schemas/CalculateTaxSuccess');
  const { value } = Object.values((resolve(document, '#/paths/~1api~1v1~1tax~1calculate/post/responses/200/content')
    ['application/json'] as { examples: Readonly<Record<string, { value: { data: object } }>> }).examples)[0]!;
  assert.deepEqual(violationsOf(document, schema, value), []);
  assert.deepEqual(violationsOf(document, schema, { ...value, data: { ...value.data, tax: -1 } }), ['$.data.tax: minimum']);
  assert.deepEqual(violationsOf(document, schema, { ...value, data: { ...value.data, tax: '1' } }), ['$.data.tax: type']);
  assert.deepEqual(violationsOf(document, schema, { ...value, more: 1 }), ['$: additionalProperties']);
  assert.deepEqual(violationsOf(document, schema, { status: 'success' }), ['$: required', '$: minProperties']);
  assert.throws(() => violationsOf(document, { oneOf: [] }, 1), /no rule for the keyword oneOf/);
});
