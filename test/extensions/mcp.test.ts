import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { MAXIMUM_VALUES } from '../../src/contract/json.ts';
import type { JsonSchema } from '../../src/contract/schema.ts';
import { MESSAGE_LIMIT, messageAnswerer } from '../../src/extensions/mcp/messages.ts';
import { LINE_LIMIT } from '../../src/extensions/mcp/command.ts';
import {
  ADVICE,
  CALL_LIMIT,
  CASE,
  INSTRUCTIONS,
  MAXIMUM_ROWS,
} from '../../src/extensions/mcp/tools.ts';
import { REVIEWED_THROUGH } from '../../src/tax/law.ts';
import { spawnSync } from '../helpers/child.ts';
import { run } from '../helpers/command.ts';
import {
  calculations,
  faulty,
  firstExample,
  sendJson,
  serviceOptions,
} from '../helpers/fixture.ts';
import {
  EARLIER,
  headersOf,
  type Json,
  listenMcp,
  messagesTo,
  metaOf,
  post,
  REVISION,
  waysTo,
} from '../helpers/mcp.ts';
import { command, readText, root } from '../helpers/repository.ts';
import { seeded } from '../helpers/random.ts';
import { until } from '../helpers/until.ts';
import { violationsOf } from '../helpers/validator.ts';
import { vectors } from '../helpers/vectors.ts';

/** The revisions of messages that are answered, the newest first. */
const SUPPORTED = [REVISION, ...EARLIER.toReversed()];
const ping = { jsonrpc: '2.0', id: 1, method: 'ping' };

/** A call of a tool after a handshake, and the same call without one. */
const callOf = (name: string, given: unknown, id: string | number = 1) =>
  ({ jsonrpc: '2.0', id, method: 'tools/call', params: { name, arguments: given } }) as const;
const lateCallOf = (name: string, given: unknown) => ({
  ...callOf(name, given),
  params: { name, arguments: given, _meta: metaOf() },
});

/** Sends a request to the operation itself, and resolves to its answer. */
async function answerOf(url: string, path: string, request: object): Promise<Json> {
  return (await post(url.replace('/mcp', path), request)).message!;
}

/** The tools of a service, by their names. */
async function toolsOf(url: string): Promise<ReadonlyMap<string, Json>> {
  const { message } = await post(url, { jsonrpc: '2.0', id: 1, method: 'tools/list' });
  const tools = message!['result']!['tools'] as Json;
  return new Map([...tools].map((tool) => [tool['name'] as string, tool]));
}

/** The keywords that each API of models accepts, and `items`, which results have. */
const KEYWORDS = ['type', 'description', 'enum', 'properties', 'required', 'items'];

/** The schema of a field in the list of tools. */
function plainOf({ type, description, enum: values, default: byDefault }: JsonSchema): JsonSchema {
  const words = byDefault === undefined ? '' : `; default ${String(byDefault)}`;
  const schema = { type, description: `${String(description)}${words}` };
  return type === 'string' && values !== undefined ? { ...schema, enum: values } : schema;
}

/** Checks that a schema, and those in it, have no other keywords, and that an enum has strings. */
function assertPlain(schema: JsonSchema): void {
  for (const keyword of Object.keys(schema)) assert.ok(KEYWORDS.includes(keyword), keyword);
  const { enum: values = [], properties = {}, items } = schema;
  for (const value of values as unknown[]) assert.equal(typeof value, 'string');
  const inner = Object.values(properties as Readonly<Record<string, JsonSchema>>);
  for (const other of items === undefined ? inner : [...inner, items as JsonSchema]) {
    assertPlain(other);
  }
}

test('each operation with POST is a tool, which its declaration describes completely', async (context) => {
  const tools = await toolsOf(await listenMcp(context));
  assert.deepEqual(
    [...tools.keys()],
    calculations.map(({ id }) => id),
  );
  for (const operation of calculations) {
    const { id, summary, description, request, result } = operation;
    const tool = tools.get(id)!;
    assert.match(id, /^[\w.-]{1,128}$/);
    assert.equal(tool['title'], summary);
    // A tool with a larger limit over HTTP also states the limit of a call.
    const longer = ` A call has up to 8 KiB: send a longer request over HTTP, with POST ${operation.path}.`;
    const { properties, required } = request.schema as { properties: object; required: string[] };
    const rows = ' A call returns up to 120 rows of `timeline`.';
    assert.equal(
      tool['description'],
      description
        + (operation.hasLargeBody ? longer : '')
        + (Object.hasOwn(properties, 'timeline') ? rows : '')
        + (ADVICE[id] ?? ''),
    );
    assert.deepEqual(tool['annotations'], {
      readOnlyHint: true,
      idempotentHint: true,
      openWorldHint: false,
    });
    const { inputSchema, outputSchema } = tool as unknown as Record<string, JsonSchema>;
    // A message has an id of its own, and a field with a single value says nothing.
    const fields = Object.entries(properties as Readonly<Record<string, JsonSchema>>)
      .filter(([name, { enum: values }]) => name !== 'id' && JSON.stringify(values) !== '["gross"]')
      .map(([name, schema]) => [name, plainOf(schema)]);
    assert.deepEqual(inputSchema!['properties'], Object.fromEntries(fields));
    assert.deepEqual(inputSchema!['required'], required);
    assert.equal(inputSchema!['type'], 'object');
    for (const schema of [inputSchema!, outputSchema!]) assertPlain(schema);
    assert.equal(outputSchema!['type'], 'object');
    const names = (schema: JsonSchema): string[] => Object.keys(schema['properties'] as object);
    assert.deepEqual(names(outputSchema!), names(result.schema));
  }
});

/** Maximum characters of the names, descriptions and inputs of the tools: 3,300 tokens of o200k_base. */
const MAXIMUM_SHOWN = 13_950;

test('each tool has the units and its limits in its description', async (context) => {
  const tools = await toolsOf(await listenMcp(context));
  for (const { id } of calculations) {
    const text = tools.get(id)!['description']!;
    assert.match(text, /Not for /, `${id}: say in the description what the operation is not for`);
  }
  const tax = tools.get('calculateTax')!['description']!;
  for (const word of ['Gross is', 'net is', 'cost is']) assert.ok(tax.includes(word), word);
  for (const id of ['calculateTax', 'settleYear', 'reconcileTax']) {
    assert.match(JSON.stringify(tools.get(id)!['inputSchema']), /whole đồng \(VND\)/, id);
  }
  // A model reads the list with each conversation, and a client may load one tool alone.
  const { length } = JSON.stringify([...tools.values()]);
  assert.ok(length < 30_000, String(length));
  const shown = [...tools.values()].map(({ name, description, inputSchema }) => ({
    name,
    description,
    inputSchema,
  }));
  assert.ok(JSON.stringify(shown).length < MAXIMUM_SHOWN, String(JSON.stringify(shown).length));
  for (const { name, inputSchema } of shown)
    assert.doesNotMatch(JSON.stringify(inputSchema), /See `|(?:calculate|settle|solve)[A-Z]/, name);
});

test('descriptions state facts, and only the tools instruct', () => {
  const ids = calculations.map(({ id }) => id);
  for (const id of Object.keys(ADVICE)) assert.ok(ids.includes(id), id);
  const texts = calculations.map(({ description, request, result }) =>
    JSON.stringify([description, request.schema, result.schema]),
  );
  for (const text of texts) {
    assert.doesNotMatch(text, /(?:^|[.:;,] )(?:[Ss]end|[Cc]all|[Ss]ay|[Aa]sk|do not take)\b/);
    for (const id of ids) assert.ok(!text.includes(id), id);
  }
});

test('answers the same in every revision, over HTTP and over standard input and output', async (context) => {
  const ways = await waysTo(context);
  const url = await listenMcp(context);
  for (const [way, send] of ways) {
    const isLate = way.startsWith(REVISION);
    const { result: list } = await send('tools/list');
    assert.deepEqual(
      [...list!['tools']!].map(({ name }) => name),
      calculations.map(({ id }) => id),
    );
    assert.deepEqual(
      [list!['resultType'], list!['ttlMs'], list!['cacheScope']],
      isLate ? ['complete', 3_600_000, 'public'] : [undefined, undefined, undefined],
      way,
    );
    for (const operation of calculations) {
      const request = firstExample(operation);
      const { data } = await answerOf(url, operation.path, request);
      const response = await send('tools/call', { name: operation.id, arguments: request });
      const { content, structuredContent, isError, resultType, _meta } = response['result']!;
      assert.deepEqual(structuredContent, data, way);
      const [json, ...others] = content!;
      assert.deepEqual(json, { type: 'text', text: JSON.stringify(data) }, way);
      assert.equal(others.length, operation.caseWords === undefined ? 0 : 1, way);
      assert.equal(isError, undefined);
      assert.equal(resultType, isLate ? 'complete' : undefined, way);
      const server = _meta?.['io.modelcontextprotocol/serverInfo']?.['name'];
      assert.equal(server, isLate ? 'utility-calculation-service' : undefined, way);
    }
    const { error } = await send('unknown/method');
    assert.equal(error!['code'], -32_601, way);
  }
});

/** The schema of the arguments of a tool, which may be in any order. */
const requestSchema = (inputSchema: JsonSchema): JsonSchema => ({
  ...inputSchema,
  additionalProperties: false,
});

test('the result of each example conforms to the schema of its tool', async (context) => {
  const url = await listenMcp(context);
  const tools = await toolsOf(url);
  for (const { id, examples } of calculations) {
    const { inputSchema, outputSchema } = tools.get(id) as unknown as Record<string, JsonSchema>;
    for (const [title, request] of Object.entries(examples)) {
      assert.deepEqual(violationsOf({}, requestSchema(inputSchema!), request), [], title);
      const { message } = await post(url, callOf(id, request));
      const { structuredContent } = message!['result']!;
      assert.deepEqual(violationsOf({}, outputSchema!, structuredContent), [], title);
    }
  }
});

/** Calls with the words of their cases. */
const CASES =
  vectors<[tool: string, given: Readonly<Record<string, unknown>>, words: string]>('case-words');

test('an answer states its case, whether the fields were sent or not', async (context) => {
  const url = await listenMcp(context);
  for (const [tool, given, words] of CASES) {
    const { message } = await post(url, callOf(tool, given));
    const text = message!['result']!['content']![1]?.['text'];
    const expected = `${CASE}${words.replace('REVIEWED_THROUGH', REVIEWED_THROUGH)}`;
    assert.equal(text, expected, JSON.stringify(given));
  }
  const tested = new Set(CASES.map(([tool]) => tool));
  const stated = calculations.filter(({ caseWords }) => caseWords !== undefined);
  assert.deepEqual([...tested].sort(), stated.map(({ id }) => id).sort());
  // The result and its case have the same month, even if a month ends between them.
  const months = ['2025-12', '2026-01'];
  const answer = messageAnswerer(serviceOptions({ currentPeriod: () => months.shift()! }));
  const { body } = answer({ body: JSON.stringify(callOf('calculateTax', { income: 30_000_000 })) });
  const { result } = JSON.parse(body) as Json;
  assert.equal(result!['structuredContent']!['net_income'], 25_222_500);
  assert.match(result!['content']![1]!['text']!, /month 2025-12;/);
});

/** Another value of a field than its default, or undefined if the field has no default. */
function otherThanDefault({ type, enum: values, default: byDefault }: JsonSchema): unknown {
  if (byDefault === undefined) return undefined;
  if (type === 'boolean') return byDefault !== true;
  return (values as unknown[] | undefined)?.find((value) => value !== byDefault) ?? 3;
}

test('a case differs by each optional field without its default, and by no other', () => {
  // A month that no example has.
  const answer = messageAnswerer(serviceOptions({ currentPeriod: () => '2015-02' }));
  const caseOf = (tool: string, given: object): readonly unknown[] => {
    const { body } = answer({ body: JSON.stringify(callOf(tool, given)) });
    const { content, structuredContent } = (JSON.parse(body) as Json)['result']!;
    return [content?.[1]?.['text'], structuredContent];
  };
  for (const { id, request, examples } of calculations.filter(({ caseWords }) => caseWords)) {
    const { id: _, ...properties } = request.schema['properties'] as Record<string, JsonSchema>;
    const required = request.schema['required'] as string[];
    const optional = Object.keys(properties).filter((name) => !required.includes(name));
    const tried = new Set<string>();
    const cases = CASES.filter(([tool]) => tool === id).map(([, given]) => given);
    for (const given of [...cases, ...(Object.values(examples) as typeof cases)]) {
      const usual = caseOf(id, given);
      for (const name of optional) {
        const { default: byDefault } = properties[name]!;
        const { [name]: sent, ...others } = given;
        // An absent amount may be an amount of 0, and null is absent.
        if (sent === 0 || sent === null) continue;
        const isSent = sent !== undefined && sent !== byDefault;
        const other = isSent ? others : { ...given, [name]: otherThanDefault(properties[name]!) };
        const [words] = caseOf(id, other);
        if (JSON.stringify(other) === JSON.stringify(given)) continue;
        tried.add(name);
        // Some fields require others.
        if (words === undefined) continue;
        assert.notEqual(words, usual[0], `${id} ${name} ${JSON.stringify(given)}`);
        if (isSent || byDefault === undefined) continue;
        assert.deepEqual(caseOf(id, { ...given, [name]: byDefault }), usual, `${id} ${name}`);
      }
    }
    assert.deepEqual(
      optional.filter((name) => !tried.has(name)),
      [],
      id,
    );
  }
});

test('a refused calculation is a result with every problem, so that a model can correct it', async (context) => {
  const url = await listenMcp(context);
  for (const { id, path, invalidExamples } of calculations) {
    for (const [title, request] of Object.entries(invalidExamples)) {
      const { status, message } = await post(url, callOf(id, request));
      const { isError, content, structuredContent } = message!['result']!;
      assert.deepEqual([status, isError, structuredContent], [200, true, undefined], title);
      const [{ text }] = content as unknown as [{ text: string }];
      assert.deepEqual(JSON.parse(text), await answerOf(url, path, request), title);
    }
  }
});

test('agrees in a handshake on the revision of the client, or else on the latest one', async (context) => {
  const url = await listenMcp(context);
  const ask = messagesTo(context);
  for (const asked of [...EARLIER, '2024-10-07', REVISION, undefined]) {
    const params = {
      protocolVersion: asked,
      capabilities: {},
      clientInfo: { name: 'a', version: '1' },
    };
    const request = { method: 'initialize', params };
    const whole = { jsonrpc: '2.0', id: 'a', ...request };
    const { message } = await post(url, whole);
    // Some clients name a revision before the handshake.
    const named = await post(url, whole, { 'MCP-Protocol-Version': asked ?? REVISION });
    for (const { result } of [message!, named.message!, await ask(request)]) {
      const agreed = EARLIER.includes(String(asked)) ? asked : EARLIER.at(-1);
      assert.equal(result!['protocolVersion'], agreed);
      assert.deepEqual(result!['capabilities'], { tools: {} });
      assert.equal(result!['serverInfo']!['name'], 'utility-calculation-service');
      assert.equal(result!['instructions'], INSTRUCTIONS);
    }
  }
  const accepted = await post(url, { jsonrpc: '2.0', method: 'notifications/initialized' });
  assert.deepEqual([accepted.status, accepted.body], [202, '']);
  assert.equal(accepted.headers['content-length'], '0');
  assert.deepEqual((await post(url, ping)).message, { jsonrpc: '2.0', id: 1, result: {} });
});

test('describes itself without a handshake', async (context) => {
  const url = await listenMcp(context);
  const request = { method: 'server/discover', params: { _meta: metaOf() } };
  const headers = headersOf('server/discover');
  const { message } = await post(url, { jsonrpc: '2.0', id: 'a', ...request }, headers);
  for (const { result } of [message!, await messagesTo(context)(request)]) {
    assert.deepEqual(result!['supportedVersions'], SUPPORTED);
    assert.deepEqual(result!['capabilities'], { tools: {} });
    assert.equal(result!['instructions'], INSTRUCTIONS);
    assert.deepEqual([result!['ttlMs'], result!['cacheScope']], [3_600_000, 'public']);
  }
});

/** Requests with the status and the code of their errors over HTTP. */
const ERRORS: readonly [
  title: string,
  body: unknown,
  status: number,
  code: number,
  headers?: Record<string, string>,
][] = [
  ['no JSON', '{"jsonrpc":"2.0","id":1,"method":', 400, -32_700],
  ['a byte order mark', `\ufeff${JSON.stringify(ping)}`, 400, -32_700],
  ['another value', '"ping"', 400, -32_700],
  ['a batch', [ping], 400, -32_600],
  ['an empty batch', ' []', 400, -32_600],
  ['a batch', [ping], 400, -32_600, { 'MCP-Protocol-Version': '2025-03-26' }],
  ['no version of JSON-RPC', { id: 1, method: 'ping' }, 400, -32_600],
  ['no method', { jsonrpc: '2.0', id: 1 }, 400, -32_600],
  ['a response', { jsonrpc: '2.0', id: 1, result: {} }, 400, -32_600],
  ['the id null', { ...ping, id: null }, 400, -32_600],
  ['an id with a fraction', { ...ping, id: 1.5 }, 400, -32_600],
  [
    'an id that a double cannot represent',
    '{"jsonrpc":"2.0","id":9007199254740993,"method":"ping"}',
    400,
    -32_600,
  ],
  ['parameters in an array', { ...ping, params: [] }, 400, -32_600],
  ['a name twice', '{"jsonrpc":"2.0","id":1,"id":2,"method":"ping"}', 400, -32_700],
  [
    'an argument twice',
    JSON.stringify(callOf('hashText', { text: 'a', b: 1 })).replace('"b"', '"text"'),
    400,
    -32_700,
  ],
  [
    'too many values',
    callOf(
      'hashText',
      Object.fromEntries(Array.from({ length: MAXIMUM_VALUES }, (_, at) => [`f${at}`, ''])),
    ),
    400,
    -32_700,
  ],
  ['nesting', callOf('hashText', JSON.parse(`${'['.repeat(899)}${']'.repeat(899)}`)), 400, -32_700],
  ['an unknown method after a handshake', { ...ping, method: 'resources/list' }, 200, -32_601],
  ['a name of Object.prototype', { ...ping, method: 'constructor' }, 200, -32_601],
  ['an unknown tool', callOf('constructor', {}), 200, -32_602],
  ['no tool', { ...ping, method: 'tools/call' }, 200, -32_602],
  ['a tool that is an object', callOf({ toString: 1 } as never, {}), 200, -32_602],
  ['a tool in an array', callOf([{ toString: 1 }] as never, {}), 200, -32_602],
  ['arguments that are no object', callOf('hashText', ['a']), 200, -32_602],
  [
    'a later revision after a handshake',
    ping,
    400,
    -32_022,
    { 'MCP-Protocol-Version': '2027-01-01' },
  ],
  ['no _meta', { ...ping, method: 'server/discover' }, 400, -32_602],
  ['no _meta with the header', ping, 400, -32_602, { 'MCP-Protocol-Version': REVISION }],
  [
    'a handshake in a revision without one',
    { ...ping, method: 'initialize', params: { _meta: metaOf() } },
    404,
    -32_601,
    headersOf('initialize'),
  ],
];

test('answers messages that the protocol does not allow with errors', async (context) => {
  const url = await listenMcp(context);
  for (const [title, body, status, code, headers] of ERRORS) {
    const answer = await post(url, body, headers);
    const { jsonrpc, error, result } = answer.message!;
    assert.deepEqual(
      [answer.status, jsonrpc, error?.['code'], result],
      [status, '2.0', code, undefined],
      title,
    );
    assert.match(error!['message']!, /^[A-Z]/, title);
    assert.ok(answer.body.length < 300, title);
  }
  const unknown = await post(url, callOf('mcp__x__hashText', {}));
  const names = calculations.map(({ id }) => id).join(', ');
  const message = `Unknown tool "mcp__x__hashText"; expected one of ${names}`;
  assert.equal(unknown.message!['error']!['message'], message);
  const slash = await post(`${url}/`, ping);
  assert.match(slash.message!['error']!['message']!, /did you mean \/mcp\?$/);
  // The client finds its request by the id, unless the id itself is invalid.
  assert.equal((await post(url, { id: 'a' })).message!['id'], 'a');
  assert.equal((await post(url, { ...ping, id: null })).message!['id'], undefined);
  // The id of a response is not that of a request of the client.
  for (const member of ['result', 'error']) {
    const response = { jsonrpc: '2.0', id: 1, [member]: {} };
    assert.equal((await post(url, response)).message!['id'], undefined);
  }
});

test('answers the same if another module has added members to Object.prototype', async (context) => {
  const url = await listenMcp(context);
  const notification = { jsonrpc: '2.0', method: 'notifications/initialized' };
  for (const [name, value] of Object.entries({ id: 1, params: [], method: 'ping' })) {
    Object.defineProperty(Object.prototype, name, { value, configurable: true, writable: true });
    try {
      assert.equal((await post(url, notification)).status, 202, name);
      assert.equal((await post(url, { jsonrpc: '2.0', id: 'a' })).status, 400, name);
    } finally {
      Reflect.deleteProperty(Object.prototype, name);
    }
  }
});

test('checks _meta, and the headers that repeat a message', async (context) => {
  const url = await listenMcp(context);
  const call = lateCallOf('hashText', { text: '' });
  const headers = headersOf('tools/call', 'hashText');
  const encoded = `=?base64?${Buffer.from('hashText').toString('base64')}?=`;
  const cases: readonly [
    title: string,
    body: object,
    headers: Record<string, string>,
    status: number,
    code?: number,
  ][] = [
    ['the headers of the message', call, headers, 200],
    ['a name in Base64', call, { ...headers, 'Mcp-Name': encoded }, 200],
    ['a name in invalid Base64', call, { ...headers, 'Mcp-Name': '=?base64?%?=' }, 400, -32_020],
    ['another name', call, { ...headers, 'Mcp-Name': 'settleYear' }, 400, -32_020],
    ['another method', call, { ...headers, 'Mcp-Method': 'tools/list' }, 400, -32_020],
    ['another case', call, { ...headers, 'Mcp-Method': 'Tools/Call' }, 400, -32_020],
    ['another revision', call, { ...headers, 'MCP-Protocol-Version': EARLIER[2]! }, 400, -32_020],
    ['no headers', call, {}, 400, -32_020],
    ['an unknown method', { ...call, method: 'ping' }, headersOf('ping'), 404, -32_601],
  ];
  for (const [title, body, sent, status, code] of cases) {
    const answer = await post(url, body, sent);
    assert.deepEqual([answer.status, answer.message!['error']?.['code']], [status, code], title);
  }
  for (const missing of ['protocolVersion', 'clientCapabilities']) {
    const meta = Object.entries(metaOf()).filter(([name]) => !name.endsWith(missing));
    const params = { ...call.params, _meta: Object.fromEntries(meta) };
    const answer = await post(url, { ...call, params }, headers);
    assert.deepEqual([answer.status, answer.message!['error']!['code']], [400, -32_602], missing);
  }
  const later = { ...call, params: { ...call.params, _meta: metaOf('2027-01-01') } };
  const { status, message } = await post(
    url,
    later,
    headersOf('tools/call', 'hashText', '2027-01-01'),
  );
  assert.equal(status, 400);
  assert.deepEqual(message!['error'], {
    code: -32_022,
    message: 'Unsupported protocol version',
    data: { supported: SUPPORTED, requested: '2027-01-01' },
  });
  // A client may send the request again in each revision of the list.
  for (const revision of message!['error']!['data']!['supported']!) {
    const again = { ...call, params: { ...call.params, _meta: metaOf(revision) } };
    const answer = await post(url, again, headersOf('tools/call', 'hashText', revision));
    assert.equal(answer.message!['error'], undefined, revision);
  }
  const long = await post(url, ping, { 'MCP-Protocol-Version': 'x'.repeat(8_000) });
  assert.deepEqual(long.message!['error']!['data'], {
    supported: SUPPORTED,
    requested: `${'x'.repeat(40)}…`,
  });
});

test('answers with the id of the request, also with a lone surrogate, which UTF-8 cannot encode', async (context) => {
  const url = await listenMcp(context);
  for (const id of ['"\\ud800"', '"a\\udc00b"', '"đ😀"', '""', '-1', '9007199254740991']) {
    const response = await sendJson(url, `{"jsonrpc":"2.0","id":${id},"method":"ping"}`);
    assert.equal(await response.text(), `{"jsonrpc":"2.0","id":${id},"result":{}}`);
  }
});

test('refuses what the other resources refuse', async (context) => {
  const url = await listenMcp(context);
  for (const method of ['GET', 'DELETE', 'PUT']) {
    const response = await fetch(url, { method });
    assert.deepEqual([response.status, response.headers.get('allow')], [405, 'POST, OPTIONS']);
    await response.text();
  }
  for (const type of ['text/plain', 'application/x-ndjson', 'application/json; charset=latin1']) {
    assert.equal((await post(url, ping, { 'Content-Type': type })).status, 415, type);
  }
  assert.equal((await post(url, ping, { 'Content-Encoding': 'gzip' })).status, 415);
  const tooLong = callOf('hashText', { text: 'a'.repeat(MESSAGE_LIMIT) });
  const large = await post(url, tooLong);
  assert.equal(large.status, 413);
  assert.equal(large.message!['error']!['message'], 'Expected a body of up to 65536 bytes');
  // A body without a Content-Length is refused while it arrives.
  const chunked = { 'Transfer-Encoding': 'chunked' };
  assert.equal((await post(url, tooLong, chunked)).status, 413);
});

test('calls a tool with a message of up to 8 KiB; a longer text is hashed over HTTP, as the tool states', async (context) => {
  const url = await listenMcp(context);
  const { description } = (await toolsOf(url)).get('hashText')!;
  const [, kibibytes, path] =
    /A call has up to (\d+) KiB: .* over HTTP, with POST (.*)\.$/.exec(description!) ?? [];
  assert.equal(Number(kibibytes) * 1024, CALL_LIMIT);
  const longest = 'a'.repeat(CALL_LIMIT - JSON.stringify(callOf('hashText', { text: '' })).length);
  const call = await post(url, callOf('hashText', { text: longest }));
  assert.equal(call.message!['result']!['structuredContent']!['input'], longest);
  const text = `${longest}a`;
  const { message } = await post(url, callOf('hashText', { text }));
  assert.equal(message!['result']!['isError'], true);
  assert.match(message!['result']!['content']![0]!['text']!, /body_too_large.*up to 8192 bytes/);
  assert.equal((await answerOf(url, path!, { text }))['data']!['input'], text);
});

test('accepts requests of browsers only from the origins of CORS_ORIGIN', async (context) => {
  const origin = { Origin: 'https://a.example' };
  const cases = [
    ['*', 200],
    ['https://a.example', 200],
    ['https://b.example,https://a.example', 200],
    ['https://b.example', 403],
    ['off', 403],
  ] as const;
  for (const [corsOrigin, status] of cases) {
    const url = await listenMcp(context, { corsOrigin });
    const answer = await post(url, ping, origin);
    assert.equal(answer.status, status, corsOrigin);
    assert.equal(answer.message!['id'], status === 200 ? 1 : undefined);
    // Other programs send no Origin.
    assert.equal((await post(url, ping)).status, 200);
    assert.equal(
      (await post(url, ping, { Origin: 'null' })).status,
      corsOrigin === '*' ? 200 : 403,
    );
  }
});

test('the log and the metrics count calls by their tools', async (context) => {
  const lines: string[] = [];
  const url = await listenMcp(context, { log: 'requests', metrics: 'on' }, (line) =>
    lines.push(line),
  );
  await post(url, callOf('hashText', { text: '' }));
  await post(url, callOf('hashText', {}));
  await post(
    url,
    lateCallOf('settleYear', { year: 2026, income: 1, insurance: 0 }),
    headersOf('tools/call', 'settleYear'),
  );
  await post(url, callOf('unknown"\n', {}));
  await post(url, ping);
  await answerOf(url, '/api/v1/hash', { text: '' });
  const logged = (): unknown[][] =>
    lines
      .map((line) => JSON.parse(line) as Record<string, unknown>)
      .filter(({ msg }) => msg === 'request')
      .map(({ path, tool, outcome }) => [path, tool, outcome]);
  await until('a line per request', () => logged().length === 6);
  assert.deepEqual(logged(), [
    ['/mcp', 'hashText', 'success'],
    ['/mcp', 'hashText', 'error'],
    ['/mcp', 'settleYear', 'success'],
    ['/mcp', undefined, undefined],
    ['/mcp', undefined, undefined],
    ['/api/v1/hash', undefined, undefined],
  ]);
  const metrics = await (await fetch(new URL('/metrics', url))).text();
  assert.deepEqual(metrics.match(/^(?:mcp_calls|http_requests)_total.* \d+$/gm), [
    'http_requests_total{method="POST",route="/mcp",status="200"} 5',
    'http_requests_total{method="POST",route="/api/v1/hash",status="200"} 1',
    'mcp_calls_total{tool="hashText",outcome="success"} 1',
    'mcp_calls_total{tool="hashText",outcome="error"} 1',
    'mcp_calls_total{tool="settleYear",outcome="success"} 1',
  ]);
});

test('a fault of the service is an error without its details, and is reported', () => {
  const answer = messageAnswerer(serviceOptions({ operations: [faulty] }));
  const body = JSON.stringify(callOf(faulty.id, {}, 'a'));
  const { status, body: text, fault } = answer({ body });
  assert.ok(fault instanceof TypeError);
  assert.equal(status, 500);
  assert.deepEqual(JSON.parse(text), {
    jsonrpc: '2.0',
    id: 'a',
    error: { code: -32_603, message: 'An internal error occurred and has been logged.' },
  });
});

/** Changes of a message, which hostile or faulty clients might send. */
const PIECES = [
  ...['"', '\\', '{', '}', '[', ']', ':', ',', ' ', '\n', '\0', '\ufeff', '\ud800', 'đ'],
  ...['null', '1e999', '-0', 'true', '""', '{}', '[]', '"id":1', '"__proto__":{}', '"method"'],
];

test('answers any message with one message, and with no fault', () => {
  const { next, below, pick } = seeded(1);
  const answer = messageAnswerer(serviceOptions());
  const messages = [
    ...calculations.flatMap(({ id, examples }) =>
      Object.values(examples).flatMap((request) => [callOf(id, request), lateCallOf(id, request)]),
    ),
    { jsonrpc: '2.0', id: 1, method: 'server/discover', params: { _meta: metaOf() } },
    { jsonrpc: '2.0', method: 'notifications/initialized' },
    ping,
  ].map((message) => JSON.stringify(message));
  const statuses = new Set<number>();
  for (let index = 0; index < 5_000; index += 1) {
    let text = pick(messages);
    for (let changes = below(4); changes > 0; changes -= 1) {
      const at = below(text.length);
      text = text.slice(0, at) + (next() < 0.7 ? pick(PIECES) : '') + text.slice(at + below(4));
    }
    const body = next() < 0.5 ? text : Buffer.from(text);
    const headers = next() < 0.5 ? undefined : headersOf('tools/call', 'calculateTax');
    const given =
      headers
      && Object.fromEntries(
        Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]),
      );
    const { status, body: response, fault } = answer({ body, ...(given && { headers: given }) });
    assert.equal(fault, undefined, text);
    statuses.add(status);
    if (status === 202) continue;
    const { jsonrpc, result, error } = JSON.parse(response) as Json;
    assert.equal(jsonrpc, '2.0', text);
    assert.notEqual(result === undefined, error === undefined, text);
  }
  assert.deepEqual([...statuses].sort(), [200, 202, 400, 404]);
});

test('MCP=off removes the path and its link', async (context) => {
  const url = await listenMcp(context, { mcp: 'off' });
  assert.equal((await post(url, ping)).status, 404);
  const index = await fetch(new URL('/', url));
  assert.ok(!(await index.text()).includes('mcp'));
  const other = await fetch(new URL('/', await listenMcp(context)));
  assert.ok((await other.text()).includes('"mcp":"/mcp"'));
});

test('over standard input, a message is a line, in any pieces, and only responses are written', async (context) => {
  const { child, lines, ended, errors } = run(context, ['mcp']);
  const text = 'đ\u2028\u2029"\\';
  const input = Buffer.from(
    [
      `${JSON.stringify(ping)}\r`,
      JSON.stringify({
        jsonrpc: '2.0',
        method: 'notifications/cancelled',
        params: { requestId: 1 },
      }),
      '',
      JSON.stringify(callOf('hashText', { text }, 'a')),
      JSON.stringify(callOf('hashText', { text: 'b'.repeat(MESSAGE_LIMIT) }, 'b')),
      JSON.stringify({ ...ping, id: 'c', params: { a: 'c'.repeat(LINE_LIMIT - 100) } }),
      'nonsense',
      JSON.stringify([ping]),
      JSON.stringify({ ...ping, id: 'last' }),
    ].join('\n'),
  );
  for (let at = 0; at < input.length; at += 777) child.stdin!.write(input.subarray(at, at + 777));
  child.stdin!.end();
  assert.equal(await ended(), 0);
  const responses = lines.map((line) => JSON.parse(line) as Json);
  assert.deepEqual(
    responses.map(({ id, error }) => [id, error?.['code']]),
    [
      [1, undefined],
      ['a', undefined],
      ['b', undefined],
      ['c', undefined],
      [undefined, -32_700],
      [undefined, -32_600],
      ['last', undefined],
    ],
  );
  assert.equal(responses[1]!['result']!['structuredContent']!['input'], text);
  const { isError, content } = responses[2]!['result']!;
  assert.equal(isError, true);
  assert.match(content![0]!['text']!, /body_too_large.*up to 8192 bytes/);
  assert.equal(errors, '');
});

test('over standard input, a line over the limit ends the process, after the answers to earlier ones', async (context) => {
  for (const hasEnd of [true, false]) {
    const mcp = run(context, ['mcp']);
    mcp.child.stdin!.on('error', () => undefined);
    mcp.child.stdin!.write(`${JSON.stringify(ping)}\n${' '.repeat(LINE_LIMIT + 1)}`);
    if (hasEnd) mcp.child.stdin!.write('\n');
    else mcp.child.stdin!.end();
    assert.equal(await mcp.ended(), 1);
    assert.deepEqual(mcp.lines, ['{"jsonrpc":"2.0","id":1,"result":{}}']);
    const expected = `expected messages of up to ${LINE_LIMIT} bytes`;
    assert.equal(mcp.errors, `utility-calculation-service: mcp: ${expected}\n`);
  }
});

test('takes null for an optional object that is absent', async (context) => {
  const url = await listenMcp(context);
  const ask = messagesTo(context);
  const cases: readonly [method: string, params: unknown, member: string | undefined][] = [
    ['ping', null, undefined],
    ['tools/list', null, 'tools'],
    ['tools/list', { _meta: null }, 'tools'],
    ['initialize', null, 'protocolVersion'],
    ['tools/call', { name: 'hashText', arguments: null }, 'isError'],
  ];
  for (const [method, params, member] of cases) {
    const request = { method, params } as object;
    const { status, message } = await post(url, { jsonrpc: '2.0', id: 1, ...request });
    assert.equal(status, 200, method);
    for (const { result } of [message!, await ask(request)])
      assert.ok(member === undefined ? result : Object.hasOwn(result!, member), method);
  }
  const notified = await post(url, {
    jsonrpc: '2.0',
    method: 'notifications/initialized',
    params: null,
  });
  assert.equal(notified.status, 202);
});

test('takes null for an absent argument, which the operation itself refuses', async (context) => {
  const url = await listenMcp(context);
  for (const operation of calculations) {
    const { id, path, request } = operation;
    const given = firstExample(operation);
    const [required = ''] = Object.keys(given);
    const absent = Object.keys(request.fields).filter((name) => !Object.hasOwn(given, name));
    const nulls = Object.fromEntries(absent.map((name) => [name, null]));
    const { data } = await answerOf(url, path, given);
    const { message } = await post(url, callOf(id, { ...nulls, ...given }));
    assert.deepEqual(message!['result']!['structuredContent'], data, id);
    const refused = await post(url, callOf(id, { ...given, [required]: null }));
    assert.match(
      refused.message!['result']!['content']![0]!['text']!,
      /this field is required/,
      id,
    );
    const { error } = await answerOf(url, path, { ...given, [required]: null });
    assert.equal(error!['code'], 'validation_failed', id);
  }
});

test('returns up to 120 rows, and states what to send for a longer term', async (context) => {
  const url = await listenMcp(context);
  const plan = { principal: 1, annual_rate: 5, years: 10, timeline: 'monthly' };
  const goal = { solve_for: 'principal', target: 9, annual_rate: 5, timeline: 'monthly' };
  const term = { ...goal, solve_for: 'years', principal: 8 };
  const long = { ...plan, years: 121 / 12 };
  const calls: readonly [name: string, given: object, rows: number | undefined][] = [
    ['calculateInterest', plan, MAXIMUM_ROWS],
    ['calculateInterest', long, undefined],
    ['calculateInterest', { ...plan, years: 100, timeline: 'yearly' }, 100],
    ['calculateInterest', { ...plan, years: 100, timeline: 'none' }, 0],
    ['solveInterest', { ...goal, years: 10 }, MAXIMUM_ROWS],
    ['solveInterest', { ...goal, years: 100 }, undefined],
    ['solveInterest', term, 29],
    ['solveInterest', { ...term, principal: 1 }, undefined],
  ];
  for (const [name, given, rows] of calls) {
    const { message } = await post(url, callOf(name, given));
    const { structuredContent, content, isError } = message!['result']!;
    const timeline = structuredContent?.['timeline'] as readonly unknown[] | undefined;
    assert.equal(timeline?.length, rows, JSON.stringify(given));
    if (rows !== undefined) continue;
    assert.equal(isError, true);
    const { error } = JSON.parse(content![0]!['text']!) as Json;
    assert.deepEqual(error!['details'], [
      {
        field: 'timeline',
        code: 'not_allowed',
        message: 'timeline: expected "yearly" or "none" for more than 120 months, got "monthly"',
      },
    ]);
  }
  // Programs that call the operation itself receive all rows.
  const { data } = await answerOf(url, '/api/v1/interest/calculate', long);
  assert.equal(data!['timeline']!.length, 121);
});

test('the command refuses arguments, and ends when nobody reads its responses', async (context) => {
  const refused = run(context, ['mcp', 'x']);
  assert.equal(await refused.ended(), 2);
  const { child, ended } = run(context, ['mcp']);
  child.stdout!.destroy();
  child.stdin!.on('error', () => undefined);
  const write = (): boolean => child.stdin!.write(`${JSON.stringify(ping)}\n`);
  const timer = setInterval(write, 10);
  context.after(() => clearInterval(timer));
  assert.equal(await ended(), 0);
});

test('README has a configuration, and the document of the API a call, that work', async (context) => {
  const text = readText('README.md') + readText('src/API.md');
  const [, json = ''] = /```jsonc\n(\{"mcpServers".*)\n```/.exec(text) ?? [];
  const { mcpServers } = JSON.parse(json) as {
    mcpServers: Record<string, { command: string; args: string[] }>;
  };
  const [server] = Object.values(mcpServers);
  assert.equal(server!.command, 'node');
  assert.deepEqual(server!.args, ['/opt/utility-calculation-service.cjs', 'mcp']);
  const { stdout } = spawnSync(process.execPath, [command, ...server!.args.slice(1)], {
    cwd: fileURLToPath(root),
    input: `${JSON.stringify(ping)}\n`,
  });
  assert.equal(stdout, '{"jsonrpc":"2.0","id":1,"result":{}}\n');
  const [, body = ''] =
    /curl http:\S+\/mcp -H 'Content-Type: application\/json' \\\n {2}-d '(.+)'\n/.exec(text) ?? [];
  const { message } = await post(await listenMcp(context), body);
  assert.equal(message!['result']!['structuredContent']!['net_income'], 26_215_000);
});

/** Questions with the arguments that answer them, and a member of the result. */
const QUESTIONS =
  vectors<[question: string, tool: string, given: object, member: string, value: unknown]>(
    'questions',
  );

test('the schemas suffice to express thirty questions', async (context) => {
  const url = await listenMcp(context);
  const tools = await toolsOf(url);
  assert.equal(QUESTIONS.length, 30);
  for (const [question, name, given, member, value] of QUESTIONS) {
    const { inputSchema } = tools.get(name) as unknown as Record<string, JsonSchema>;
    assert.deepEqual(violationsOf({}, requestSchema(inputSchema!), given), [], question);
    const { message } = await post(url, callOf(name, given));
    const { structuredContent, content } = message!['result']!;
    assert.equal(structuredContent?.[member], value, `${question} ${content![0]!['text']}`);
    // A field that a question leaves open has a default or is described as optional, never required.
    for (const field of inputSchema!['required'] as string[])
      assert.ok(Object.hasOwn(given, field));
  }
  // Every field with a choice says what each of its values means, or the names do.
  for (const tool of tools.values()) {
    const { properties } = tool['inputSchema'] as unknown as Record<
      string,
      Record<string, JsonSchema>
    >;
    for (const [field, schema] of Object.entries(properties!)) {
      assert.match(String(schema['description']), /\w{3}/, field);
      assert.ok(['boolean', 'string', 'number', 'integer'].includes(String(schema['type'])), field);
    }
  }
});
