import assert from 'node:assert/strict';
import { test } from 'node:test';
import { memoizeLast } from '../../src/http/memoize.ts';
import { conformingService } from './fixture.ts';

test('returns the result of the given text, and computes it once for consecutive equal texts', () => {
  const seen: string[] = [];
  const length = memoizeLast((text) => {
    seen.push(text);
    return text === '' ? undefined : text.length;
  });
  assert.deepEqual(['', '', 'a', 'a', 'bc', 'a', ''].map(length), [undefined, undefined, 1, 1, 2, 1, undefined]);
  assert.deepEqual(seen, ['', 'a', 'bc', 'a', '']);
});

test('answers each of two alternating Content-Types by its own value', async () => {
  const service = conformingService();
  const statuses: number[] = [];
  for (const type of ['application/json', 'text/plain', 'application/json; charset=utf-8', 'application/json; charset=utf-16',
    'application/json; charset=utf-8', '', 'APPLICATION/JSON']) {
    const head = { method: 'POST', target: '/api/v1/hash', headers: { 'content-type': type } };
    statuses.push((await service.answer(head, Buffer.from('{"text":""}'))).status);
  }
  assert.deepEqual(statuses, [200, 415, 200, 415, 200, 415, 200]);
});
