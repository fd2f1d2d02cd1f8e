/** The OpenAPI document: complete, and consistent with itself. The tests of `service/` compare every answer with it. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import { Failure, FAILURES } from '../../src/contract/failure.ts';
import { operation, type Operation } from '../../src/contract/operation.ts';
import { integer, type JsonSchema, object } from '../../src/contract/schema.ts';
import { openApi, OPENAPI_PATH } from '../../src/extensions/documents/openapi.ts';
import { createService } from '../../src/index.ts';
import { operations } from '../../src/operations/operations.ts';
import { healthOperations } from '../../src/service/health.ts';
import { serviceOf } from '../../src/service/service.ts';
import { serviceOptions } from '../helpers/fixture.ts';
import { resolve, violationsOf } from '../helpers/validator.ts';

const all = [...operations, ...healthOperations];
const document = openApi(
  { title: 'Test', version: '1.2.3', description: 'A service under test' },
  all,
);

type Children = Readonly<Record<string, JsonSchema>>;
const paths = document['paths'] as Readonly<Record<string, Children>>;

/** Every object in the document, with its path. */
function* parts(value: unknown, path = '#'): Generator<[string, JsonSchema]> {
  if (typeof value !== 'object' || value === null) return;
  if (!Array.isArray(value)) yield [path, value as JsonSchema];
  for (const [name, child] of Object.entries(value)) {
    const isExample =
      name === 'examples' || name === 'example' || name === 'default' || name === 'enum';
    if (!isExample) yield* parts(child, `${path}/${name.replaceAll('/', '~1')}`);
  }
}

test('lists every operation by path and method, each with a unique operationId', () => {
  const expected = all.map(({ path, method }) => `${method.toLowerCase()} ${path}`);
  assert.deepEqual(
    Object.entries(paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method} ${path}`),
    ),
    expected,
  );
  const names = Object.values(paths)
    .flatMap((methods) => Object.values(methods))
    .map((item) => item['operationId']);
  assert.equal(new Set(names).size, expected.length);
});

/** Small enough to be read in full by a program that calls the service. */
const MAXIMUM_SIZE = 65_000;

test(`has at most ${MAXIMUM_SIZE} bytes`, async () => {
  const { body } = await createService().answer(
    { method: 'GET', target: OPENAPI_PATH, headers: {} },
    Buffer.alloc(0),
  );
  const size = Buffer.byteLength(body);
  assert.ok(
    size <= MAXIMUM_SIZE,
    `${size} bytes: shorten a description, or raise the limit for a new operation`,
  );
});

test('every field has a description and a type, which accepts its examples', () => {
  let fields = 0;
  for (const [path, schema] of parts(document)) {
    // The schema of a header or a parameter is beside its description; a line has the fields of a single request.
    const isDescribed = /(headers|parameters).*\/schema$|x-ndjson/.test(path);
    if (path.endsWith('/properties') || !('type' in schema) || '$ref' in schema || isDescribed)
      continue;
    assert.ok(
      typeof schema['description'] === 'string' || path.endsWith('/items'),
      `${path} has no description`,
    );
    if (schema['type'] === 'object' || schema['type'] === 'array') continue;
    fields += 1;
    for (const example of (schema['examples'] ?? []) as readonly unknown[]) {
      assert.deepEqual(violationsOf(document, schema, example), [], path);
    }
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
    const examples = Object.values(media['examples'] ?? { only: { value: media['example'] } }) as {
      value: unknown;
    }[];
    assert.ok(examples.length > 0 || path.includes('rules/get/responses/200'), path);
    for (const { value } of examples) {
      assert.deepEqual(violationsOf(document, media['schema'] as JsonSchema, value), [], path);
    }
  }
  assert.ok(bodies >= 19, String(bodies));
});

test('lists every failure in the default response, or describes it with an example in its operations', () => {
  const shared = resolve(document, '#/components/responses/Failure');
  for (const [code, { status, title }] of Object.entries(FAILURES)) {
    const isSpecific = code === 'validation_failed' || code === 'digest_unavailable';
    const own = [...parts(document)]
      .filter(([path]) => path.endsWith(`/responses/${status}`))
      .map(([, part]) => ('$ref' in part ? resolve(document, String(part['$ref'])) : part));
    for (const response of isSpecific ? own : []) {
      assert.match(
        JSON.stringify(response['content']),
        new RegExp(`"status":"error","error":\\{"code":"${code}"`),
      );
    }
    assert.equal(String(shared['description']).includes(`${status} ${code}`), !isSpecific, code);
    if (isSpecific)
      assert.ok(own.length > 0 && own.every(({ description }) => description === title), code);
  }
});

test('describes the headers of a response, and the header of a request that makes a response of 304 possible', () => {
  const headers = (path: string, status: string): string[] => {
    const { responses } = Object.values(paths[path]!)[0]!;
    return Object.keys((responses as unknown as Children)[status]!['headers'] as object);
  };
  assert.deepEqual(headers('/api/v1/hash', '200'), ['X-Request-Id']);
  assert.deepEqual(headers('/readyz', '503'), ['Retry-After', 'X-Request-Id']);
  for (const [path, methods] of Object.entries(paths)) {
    const [{ parameters = [], responses }] = Object.values(methods) as unknown as [
      { parameters?: readonly { name: string }[]; responses: object },
    ];
    assert.equal(
      parameters.some(({ name }) => name === 'If-None-Match'),
      Object.hasOwn(responses, '304'),
      path,
    );
    if (Object.hasOwn(responses, '304')) {
      assert.deepEqual(
        [headers(path, '200'), headers(path, '304')],
        Array(2).fill(['ETag', 'X-Request-Id']),
      );
    }
  }
  const shared = resolve(document, '#/components/responses/Failure');
  assert.deepEqual(Object.keys(shared['headers'] as object), [
    'Allow',
    'Retry-After',
    'X-Request-Id',
  ]);
});

test('lists the statuses that a client of each path distinguishes', () => {
  const responses: Record<string, readonly string[]> = {
    '/healthz': ['200', '431', 'default'],
    '/readyz': ['200', '431', '503', 'default'],
  };
  for (const { path, method, failures = [] } of operations) {
    const notModified = method === 'GET' ? ['304'] : [];
    const own = failures.map((code) => String(FAILURES[code].status));
    responses[path] = ['200', ...notModified, '422', ...own, 'default'];
  }
  assert.deepEqual(responses['/api/v1/hash'], ['200', '422', '501', 'default']);
  for (const [path, methods] of Object.entries(paths)) {
    assert.deepEqual(
      Object.keys(Object.values(methods)[0]!['responses'] as object),
      responses[path],
      path,
    );
  }
});

test('a request and its answer have the same schemas as the lines of a bulk request', () => {
  for (const { id, path, method } of operations) {
    if (method === 'GET') continue;
    const name = id[0]!.toUpperCase() + id.slice(1);
    const place = `#/paths/${path.replaceAll('/', '~1')}/post`;
    const body = resolve(document, `${place}/requestBody/content`) as Children;
    const answer = resolve(document, `${place}/responses/200/content`) as Children;
    const request = { $ref: `#/components/schemas/${name}Request` };
    const success = { $ref: `#/components/schemas/${name}Success` };
    assert.deepEqual(body['application/json']!['schema'], { type: 'object', ...request });
    assert.deepEqual(body['application/x-ndjson']!['schema'], request);
    assert.deepEqual(answer['application/json']!['schema'], { type: 'object', ...success });
    assert.deepEqual(answer['application/x-ndjson; charset=utf-8']!['schema'], success);
    // Validators of requests and responses treat an NDJSON body as one string.
    for (const line of [request, success])
      assert.deepEqual(violationsOf(document, line, '{}\n{}\n'), []);
  }
});

test('a field of a request has its default in its description, and only there', () => {
  let defaults = 0;
  for (const { id, method, request } of operations) {
    if (method === 'GET') continue;
    const name = `${id[0]!.toUpperCase()}${id.slice(1)}Request`;
    const schema = resolve(document, `#/components/schemas/${name}`);
    const { required, properties } = request.schema as { required: unknown; properties: Children };
    assert.deepEqual(schema['required'], required);
    for (const [field, shown] of Object.entries(schema['properties'] as Children)) {
      const { default: value, description } = properties[field]!;
      if ('$ref' in shown) continue;
      const suffix = value === undefined ? '' : `; default ${JSON.stringify(value)}`;
      assert.equal(shown['description'], `${String(description)}${suffix}`, field);
      // Generators would require a field of a component that has a default.
      assert.ok(!('default' in shown), field);
      defaults += value === undefined ? 0 : 1;
    }
  }
  assert.ok(defaults > 20, String(defaults));
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

test('requires no header of a request', () => {
  const required = [...JSON.stringify(document).matchAll(/"in":"header","required":(true|false)/g)];
  assert.ok(required.length > 0 && required.every(([, value]) => value === 'false'));
});

test('marks every request body as required', () => {
  const bodies = Object.values(paths).flatMap(({ post }) =>
    post === undefined ? [] : [post['requestBody'] as unknown as JsonSchema],
  );
  assert.equal(bodies.length, operations.filter(({ method }) => method === 'POST').length);
  assert.ok(bodies.every(({ required }) => required === true));
});

test('has a component only for a named type, or for several references', () => {
  const text = JSON.stringify(document);
  for (const [kind, entries] of Object.entries(document['components'] as Children)) {
    for (const name of Object.keys(entries)) {
      const references = text.split(`"$ref":"#/components/${kind}/${name}"`).length - 1;
      assert.ok(references >= (kind === 'schemas' ? 1 : 2), `${kind}/${name}: ${references}`);
    }
  }
});

test('describes each tag by the summaries of its operations', () => {
  const shown = document['tags'] as readonly { name: string; description: string }[];
  const summaries = (isOfTag: (operation: Operation) => boolean): string =>
    all
      .filter(isOfTag)
      .map(({ summary }) => summary)
      .join('; ');
  const folders = [...new Set(operations.map(({ path }) => path.split('/')[3]!))];
  for (const folder of ['tax', 'interest', 'hash']) assert.ok(folders.includes(folder), folder);
  assert.deepEqual(shown, [
    ...folders.map((name) => ({
      name,
      description: summaries(({ path }) => path.startsWith(`/api/v1/${name}`)),
    })),
    { name: 'service', description: summaries(({ path }) => !path.startsWith('/api/')) },
  ]);
});

test('describes the failure envelope with its lower bounds', () => {
  const bounds = ['Failure', 'FailureError', 'Problem'].map((name) =>
    [...parts(resolve(document, `#/components/schemas/${name}`))].flatMap(
      ([path, { minLength, minimum }]) =>
        minLength === undefined && minimum === undefined
          ? []
          : [`${path.replaceAll('/properties', '')} ${String(minLength ?? minimum)}`],
    ),
  );
  assert.deepEqual(bounds, [[], ['#/message 1', '#/line 1'], ['#/field 0', '#/message 1']]);
});

test('documents the requests of each operation, and the answers of the service to them', async () => {
  const service = serviceOf(serviceOptions());
  const refused: unknown[] = [];
  const shownIn = (body: unknown): unknown[] => {
    const { content } = body as {
      content: { 'application/json': { examples: Readonly<Record<string, { value: unknown }>> } };
    };
    return Object.values(content['application/json'].examples).map(({ value }) => value);
  };
  for (const { path, examples, invalidExamples = {}, method } of operations) {
    const { requestBody, responses } = paths[path]![method.toLowerCase()]!;
    if (requestBody !== undefined) assert.deepEqual(shownIn(requestBody), Object.values(examples));
    for (const [status, requests] of [
      ['200', examples],
      ['422', invalidExamples],
    ] as const) {
      assert.ok(
        Object.keys(requests).length > 0,
        `${path}: add one of the requests that are answered with ${status}`,
      );
      const answers: unknown[] = [];
      for (const request of Object.values(requests)) {
        const query =
          method === 'GET'
            ? `?${new URLSearchParams(request as Record<string, string>).toString()}`
            : '';
        const head = {
          method,
          target: path + query,
          headers: { 'content-type': 'application/json' },
        };
        const answer = await service.answer(head, Buffer.from(JSON.stringify(request)));
        assert.equal(
          String(answer.status),
          status,
          `${path} answers ${answer.status} to ${JSON.stringify(request)}`,
        );
        answers.push(JSON.parse(String(answer.body)));
      }
      const response = (responses as unknown as Children)[status]!;
      if (status === '422') {
        assert.deepEqual(response, { $ref: '#/components/responses/ValidationFailed' }, path);
        refused.push(...answers);
        continue;
      }
      const shown = shownIn(response);
      assert.deepEqual(
        shown,
        answers.filter((answer) => shown.some((other) => isDeepStrictEqual(other, answer))),
        path,
      );
      // The document shows every member of a success; the law tables are left out.
      assert.deepEqual(membersOf(shown), method === 'GET' ? [] : membersOf(answers), path);
    }
  }
  // All refusals have one form, so that the document shows one.
  const shared = resolve(document, '#/components/responses/ValidationFailed');
  assert.deepEqual(shownIn(shared), refused.slice(0, 1));
});

/** The names of all members of some values. */
function membersOf(values: readonly unknown[]): string[] {
  const names = new Set<string>();
  JSON.stringify(values, (name, value: unknown) => {
    if (!/^\d*$/.test(name)) names.add(name);
    return value;
  });
  return [...names].sort();
}

test('omits the example responses of an operation whose examples fail in this installation', () => {
  const broken = operation({
    id: 'fail',
    path: '/api/v1/broken',
    summary: 'Fails',
    description: 'Fails',
    method: 'POST',
    request: object({ a: integer({ description: 'A' }) }),
    result: object({}),
    examples: { one: { a: 1 } },
    invalidExamples: {},
    calculate: () => {
      throw new Failure('digest_unavailable');
    },
  });
  const described = JSON.stringify(openApi({ title: '', version: '', description: '' }, [broken]));
  assert.ok(
    described.includes(
      '"content":{"application/json":'
        + '{"schema":{"type":"object","$ref":"#/components/schemas/FailSuccess"},"examples":{}}',
    ),
  );
});

test('the validator of these tests reports values that a schema does not accept', () => {
  const schema = resolve(document, '#/components/schemas/CalculateTaxSuccess');
  const { value } = Object.values(
    (
      resolve(document, '#/paths/~1api~1v1~1tax~1calculate/post/responses/200/content')[
        'application/json'
      ] as { examples: Readonly<Record<string, { value: { data: object } }>> }
    ).examples,
  )[0]!;
  assert.deepEqual(violationsOf(document, schema, value), []);
  assert.deepEqual(violationsOf(document, schema, { ...value, data: { ...value.data, tax: -1 } }), [
    '$.data.tax: minimum',
  ]);
  assert.deepEqual(
    violationsOf(document, schema, { ...value, data: { ...value.data, tax: '1' } }),
    ['$.data.tax: type'],
  );
  assert.deepEqual(violationsOf(document, schema, { ...value, more: 1 }), ['$: properties']);
  assert.deepEqual(violationsOf(document, schema, { status: 'success' }), ['$: required']);
  assert.throws(() => violationsOf(document, { oneOf: [] }, 1), /no rule for the keyword oneOf/);
});
