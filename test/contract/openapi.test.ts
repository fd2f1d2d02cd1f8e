/** The OpenAPI document: whole, and true of the service. That it is true of every answer, the other tests show. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Failure, FAILURES } from '../../src/contract/failure.ts';
import { openApi, OPENAPI_PATH } from '../../src/contract/openapi.ts';
import { methodOf, operation } from '../../src/contract/operation.ts';
import type { JsonSchema } from '../../src/contract/schema.ts';
import { integer, object } from '../../src/contract/schema.ts';
import { healthOperations } from '../../src/http/health.ts';
import { createService } from '../../src/http/service.ts';
import { operations } from '../../src/operations.ts';
import { serviceOptions } from '../http/fixture.ts';
import { problemsIn, resolve } from './validator.ts';

const all = [...operations, ...healthOperations];
const document = openApi({ title: 'Test', version: '1.2.3', description: 'A service under test' }, all);

type Children = Readonly<Record<string, JsonSchema>>;

/** Every object in the document, with the path to it. */
function* parts(value: unknown, path = '#'): Generator<[string, JsonSchema]> {
  if (typeof value !== 'object' || value === null) return;
  if (!Array.isArray(value)) yield [path, value as JsonSchema];
  for (const [name, child] of Object.entries(value)) {
    const isExample = name === 'examples' || name === 'example' || name === 'default' || name === 'enum';
    if (!isExample) yield* parts(child, `${path}/${name.replaceAll('/', '~1')}`);
  }
}

test('it has every operation by its method, with a name of its own', () => {
  const paths = document['paths'] as Readonly<Record<string, Children>>;
  const expected = all.map(({ path, input }) => `${methodOf({ input }).toLowerCase()} ${path}`);
  expected.push(`get ${OPENAPI_PATH}`);
  assert.deepEqual(Object.entries(paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method} ${path}`)), expected);
  const names = Object.values(paths).flatMap((methods) => Object.values(methods)).map((item) => item['operationId']);
  assert.equal(new Set(names).size, expected.length);
});

test('every field has a description, a type, and an example that its own schema accepts', () => {
  let fields = 0;
  for (const [path, schema] of parts(document)) {
    if (path.endsWith('/properties') || !('type' in schema)) continue;
    assert.ok(typeof schema['description'] === 'string' || path.endsWith('/items'), `${path} has no description`);
    if (schema['type'] === 'object' || schema['type'] === 'array') continue;
    fields += 1;
    const examples = schema['examples'] as readonly unknown[] | undefined;
    assert.ok(examples !== undefined && examples.length > 0, `${path} has no example`);
    for (const example of examples) assert.deepEqual(problemsIn(document, schema, example), [], path);
  }
  assert.ok(fields > 100, String(fields));
});

test('every body has a schema and examples that it accepts, and every reference leads somewhere', () => {
  let bodies = 0;
  for (const [path, part] of parts(document)) {
    if ('$ref' in part) assert.ok(resolve(document, String(part['$ref'])), path);
    const media = (part['content'] as Children | undefined)?.['application/json'];
    if (media === undefined) continue;
    bodies += 1;
    const examples = Object.values(media['examples'] ?? { only: { value: media['example'] } }) as { value: unknown }[];
    assert.ok(examples.length > 0, path);
    for (const { value } of examples) {
      assert.deepEqual(problemsIn(document, media['schema'] as JsonSchema, value), [], path);
    }
  }
  assert.ok(bodies > 20, String(bodies));
});

test('all failures are in it, each under its status with an example', () => {
  for (const [code, { status, title }] of Object.entries(FAILURES)) {
    const response = resolve(document, `#/components/responses/Failure${status}`);
    assert.ok(String(response['description']).includes(title), code);
    assert.match(JSON.stringify(response['content']), new RegExp(`"status":"error","error":\\{"code":"${code}"`));
  }
});

test('the examples are answered as the document says', async () => {
  const service = createService(serviceOptions());
  for (const { path, examples, input } of operations) {
    const method = methodOf({ input });
    const item = (document['paths'] as Readonly<Record<string, Children>>)[path]!;
    const { requestBody = {}, responses } = item[method.toLowerCase()]!;
    const { $ref } = requestBody as { $ref?: string };
    for (const [index, request] of Object.values(examples).entries()) {
      const query = method === 'GET' ? `?${new URLSearchParams(request as Record<string, string>).toString()}` : '';
      const head = { method, target: path + query, headers: { 'content-type': 'application/json' } };
      const answer = await service.answer(head, Buffer.from(JSON.stringify(request)));
      const shown = (media: unknown): unknown => (Object.values(
        (media as { content: { 'application/json': { examples: object } } }).content['application/json'].examples,
      )[index] as { value: unknown }).value;
      assert.deepEqual(JSON.parse(answer.body), shown((responses as unknown as Children)['200']));
      if ($ref !== undefined) assert.deepEqual(request, shown(resolve(document, $ref)));
    }
  }
});

test('an operation that this installation cannot do is described without an answer', () => {
  const broken = operation({ id: 'fail', path: '/api/v1/broken', summary: 'Fails', description: 'Fails', input: 'small-body',
    request: object({ a: integer({ description: 'A' }) }), result: object({}), examples: { one: { a: 1 } },
    calculate: () => { throw new Failure('digest_unavailable'); } });
  const described = JSON.stringify(openApi({ title: '', version: '', description: '' }, [broken]));
  assert.ok(described.includes('"200":{"description":"The result","content":{"application/json":'
    + '{"schema":{"$ref":"#/components/schemas/FailSuccess"},"examples":{}}}}'));
});

test('what the schemas refuse is refused: the validator of these tests can fail', () => {
  const schema = resolve(document, '#/components/schemas/CalculateTaxSuccess');
  const { value } = Object.values((resolve(document, '#/paths/~1api~1v1~1tax~1calculate/post/responses/200/content')
    ['application/json'] as { examples: Readonly<Record<string, { value: { data: object } }>> }).examples)[0]!;
  assert.deepEqual(problemsIn(document, schema, value), []);
  assert.deepEqual(problemsIn(document, schema, { ...value, data: { ...value.data, tax: -1 } }), ['$.data.tax: minimum']);
  assert.deepEqual(problemsIn(document, schema, { ...value, data: { ...value.data, tax: '1' } }), ['$.data.tax: type']);
  assert.deepEqual(problemsIn(document, schema, { ...value, more: 1 }), ['$: additionalProperties']);
  assert.deepEqual(problemsIn(document, schema, { status: 'success' }), ['$: required', '$: minProperties']);
  assert.throws(() => problemsIn(document, { oneOf: [] }, 1), /no rule for the keyword oneOf/);
});
