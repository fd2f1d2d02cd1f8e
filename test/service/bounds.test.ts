/** The exact bounds of bodies and query strings, on any runtime. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MAXIMUM_PARAMETERS } from '../../src/extensions/documents/query.ts';
import { ByteQueue } from '../../src/service/body.ts';
import { conformingService } from '../helpers/fixture.ts';

const LIMIT = 64;

test('keeps bytes up to the limit in pieces of any size, and no piece after one that exceeds it', () => {
  const text = Array.from({ length: LIMIT }, (_, index) => String.fromCharCode(32 + index)).join(
    '',
  );
  for (let size = 1; size <= LIMIT; size += 1) {
    const [bytes, longer] = [new ByteQueue(LIMIT), new ByteQueue(LIMIT)];
    for (let start = 0; start < LIMIT; start += size) {
      const piece = Buffer.from(text.slice(start, start + size));
      bytes.add(piece);
      longer.add(piece);
    }
    assert.equal(Buffer.from(bytes.takeAll()).toString(), text, String(size));
    for (const piece of ['x', 'y', 'z']) longer.add(Buffer.from(piece));
    assert.equal(longer.size, LIMIT + 1);
    assert.equal(Buffer.from(longer.takeAll()).toString(), `${text}x`, String(size));
    assert.equal(longer.size, 0);
  }
});

test(`accepts ${MAXIMUM_PARAMETERS} parameters in a query string, and refuses more`, async () => {
  const service = conformingService();
  const messageOf = async (count: number): Promise<string> => {
    const target = `/api/v1/tax/rules?${Array.from({ length: count }, () => 'period=2026-08').join('&')}`;
    const { body } = await service.answer({ method: 'GET', target, headers: {} }, Buffer.alloc(0));
    return (
      JSON.parse(String(body)) as { error: { message: string; details: { message: string }[] } }
    ).error.details[0]!.message;
  };
  assert.match(await messageOf(MAXIMUM_PARAMETERS), /^period: expected /);
  assert.equal(
    await messageOf(MAXIMUM_PARAMETERS + 1),
    `Expected up to ${MAXIMUM_PARAMETERS} parameters, got more`,
  );
});
