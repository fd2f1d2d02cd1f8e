/** The exact bounds of bodies, lines and query strings, on any runtime. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { answerLines, answerSource, emptyTally } from '../../src/extensions/bulk/lines.ts';
import { TimeSlicer } from '../../src/extensions/bulk/time-slicer.ts';
import { MAXIMUM_PARAMETERS } from '../../src/extensions/documents/query.ts';
import { fetchHandlerOf } from '../../src/extensions/fetch/fetch.ts';
import { successAnswer } from '../../src/service/answer.ts';
import { type Body, BodyBuffer, decode, TOO_LARGE } from '../../src/service/body.ts';
import { conformingService, errorCode } from '../helpers/fixture.ts';

const LIMIT = 64;

test('a body of exactly the limit is accepted in chunks of any size, and one byte more is refused', () => {
  const text = Array.from({ length: LIMIT }, (_, index) => String.fromCharCode(32 + index)).join(
    '',
  );
  for (let size = 1; size <= LIMIT; size += 1) {
    const body = new BodyBuffer(LIMIT);
    for (let start = 0; start < LIMIT; start += size) {
      assert.equal(body.add(Buffer.from(text.slice(start, start + size))), true, String(size));
    }
    const taken = body.take();
    assert.ok(taken !== TOO_LARGE);
    assert.equal(Buffer.from(taken).toString(), text, String(size));
    const longer = new BodyBuffer(LIMIT);
    for (let start = 0; start < LIMIT; start += size)
      longer.add(Buffer.from(text.slice(start, start + size)));
    assert.equal(longer.add(Buffer.from('x')), false, String(size));
    assert.equal(longer.take(), TOO_LARGE, String(size));
  }
});

test('a line of exactly the limit is answered whole, with either line end, in chunks of any size', async () => {
  const lines = [LIMIT, LIMIT + 1, 1, LIMIT, LIMIT + 2, LIMIT].map((length) => 'a'.repeat(length));
  for (const end of ['\n', '\r\n']) {
    const bytes = Buffer.from(lines.map((line) => line + end).join('') + lines[0]);
    for (const size of [1, 2, 3, LIMIT - 1, LIMIT, LIMIT + 1, LIMIT + 2, bytes.length]) {
      const seen: (string | undefined)[] = [];
      const answer = (line: Body): ReturnType<typeof successAnswer> => {
        const bytes = line === TOO_LARGE ? undefined : line;
        const text = bytes instanceof Uint8Array ? decode(bytes) : bytes;
        seen.push(text !== undefined && text.length > LIMIT ? undefined : text);
        return successAnswer('1');
      };
      const chunks = function* (): Generator<Buffer> {
        for (let start = 0; start < bytes.length; start += size)
          yield bytes.subarray(start, start + size);
      };
      const options = {
        limit: LIMIT,
        answer,
        tally: emptyTally(),
        slicer: new TimeSlicer(),
        onFault: assert.fail,
      };
      for await (const part of answerLines(chunks(), options)) assert.ok(part.length > 0);
      const expected = [...lines, lines[0]!].map((line) =>
        line.length > LIMIT ? undefined : line,
      );
      assert.deepEqual(seen, expected, `${JSON.stringify(end)}, chunks of ${size} bytes`);
    }
  }
});

test(`a query string may have ${MAXIMUM_PARAMETERS} parameters`, async () => {
  const service = conformingService();
  const messageOf = async (count: number): Promise<string> => {
    const target = `/api/v1/tax/rules?${Array.from({ length: count }, () => 'period=2026-08').join('&')}`;
    const { body } = await service.answer({ method: 'GET', target, headers: {} }, Buffer.alloc(0));
    return (JSON.parse(body) as { error: { message: string; details: { message: string }[] } })
      .error.details[0]!.message;
  };
  assert.match(await messageOf(MAXIMUM_PARAMETERS), /^period: expected /);
  assert.equal(
    await messageOf(MAXIMUM_PARAMETERS + 1),
    `Expected up to ${MAXIMUM_PARAMETERS} parameters, got more`,
  );
});

test('the health checks report what they are named after', async () => {
  const service = conformingService();
  for (const [target, data] of [
    ['/healthz', { alive: true }],
    ['/readyz', { ready: true }],
  ] as const) {
    const { body } = await service.answer({ method: 'GET', target, headers: {} }, Buffer.alloc(0));
    assert.deepEqual(JSON.parse(body), { status: 'success', data });
  }
});

test('the Fetch handler gives an id to every answer but 200, and repeats that of the request', async () => {
  const respond = fetchHandlerOf(conformingService(), answerSource);
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

test('the OpenAPI document asks for no header', async () => {
  const { body } = await conformingService().answer(
    { method: 'GET', target: '/openapi.json', headers: {} },
    Buffer.alloc(0),
  );
  const required = [...body.matchAll(/"in":"header","required":(true|false)/g)].map(
    ([, value]) => value,
  );
  assert.ok(required.length > 0 && required.every((value) => value === 'false'));
});
