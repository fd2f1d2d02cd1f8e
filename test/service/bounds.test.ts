/** The exact bounds of bodies and query strings, on any runtime. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MAXIMUM_PARAMETERS } from '../../src/extensions/documents/query.ts';
import { BodyBuffer, TOO_LARGE } from '../../src/service/body.ts';
import { conformingService } from '../helpers/fixture.ts';

const LIMIT = 64;

test('accepts a body of exactly the limit in chunks of any size, and refuses one byte more', () => {
  const text = Array.from({ length: LIMIT }, (_, index) => String.fromCharCode(32 + index)).join(
    '',
  );
  for (let size = 1; size <= LIMIT; size += 1) {
    const [body, longer] = [new BodyBuffer(LIMIT), new BodyBuffer(LIMIT)];
    for (let start = 0; start < LIMIT; start += size) {
      const chunk = Buffer.from(text.slice(start, start + size));
      assert.equal(body.add(chunk) && longer.add(chunk), true, String(size));
    }
    const taken = body.take();
    assert.ok(taken !== TOO_LARGE);
    assert.equal(Buffer.from(taken).toString(), text, String(size));
    assert.equal(longer.add(Buffer.from('x')), false, String(size));
    assert.equal(longer.take(), TOO_LARGE, String(size));
  }
});

test(`accepts ${MAXIMUM_PARAMETERS} parameters in a query string, and refuses more`, async () => {
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
