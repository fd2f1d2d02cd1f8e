import assert from 'node:assert/strict';
import { test } from 'node:test';
import { id, idMember } from '../../src/contract/id.ts';
import { answerLines } from '../../src/lines/lines.ts';
import { operations } from '../../src/operations/operations.ts';
import { serviceOf } from '../../src/service/service.ts';
import { serviceOptions } from '../helpers/fixture.ts';
import { problemsOf } from '../helpers/problems.ts';

const MAXIMUM = 2 ** 53 - 1;
const VALID: readonly (string | number)[] = [
  'a',
  ' ',
  'x'.repeat(128),
  '😀'.repeat(128),
  '\ud800',
  0,
  -1,
  MAXIMUM,
  -MAXIMUM,
];
const INVALID: readonly [value: unknown, code: string][] = [
  ['', 'out_of_range'],
  ['x'.repeat(129), 'out_of_range'],
  ['😀'.repeat(129), 'out_of_range'],
  [MAXIMUM + 1, 'out_of_range'],
  [-MAXIMUM - 1, 'out_of_range'],
  [1e300, 'out_of_range'],
  [0.5, 'wrong_type'],
  [Infinity, 'out_of_range'],
  [null, 'wrong_type'],
  [true, 'wrong_type'],
  [['a'], 'wrong_type'],
  [{}, 'wrong_type'],
];

test('accepts a string of 1 to 128 characters or a whole number within 2^53 - 1, and no other value', () => {
  for (const value of VALID) assert.deepEqual(problemsOf(id, value), []);
  for (const [value, code] of INVALID) {
    const [problem, ...others] = problemsOf(id, value);
    assert.deepEqual([problem?.code, others], [code, []], String(value));
    assert.match(
      problem?.message ?? '',
      /xpected a string of 1 to 128 characters, or a whole number from -\(2\^53 - 1\) to 2\^53 - 1, got /,
    );
  }
});

test('writes a valid id as the first member of an envelope, and nothing without one', () => {
  for (const value of VALID) {
    const envelope = `{${idMember({ id: value })}"status":"success"}`;
    assert.equal(envelope, JSON.stringify({ id: value, status: 'success' }));
  }
  for (const [value] of INVALID) assert.equal(idMember({ id: value }), '');
  assert.equal(idMember(Object.create({ id: 1 }) as object), '');
});

test('refuses an id that JSON.parse rounds, instead of answering with another id', async () => {
  for (const sent of [
    '9007199254740993',
    '-9007199254740993',
    '9007199254740992',
    '10000000000000001',
  ]) {
    const { status, body } = await answerTo('/api/v1/hash', `{"id":${sent},"text":""}`);
    const { id: echoed, error } = JSON.parse(body) as { id?: unknown; error: { message: string } };
    assert.deepEqual([status, echoed], [422, undefined]);
    assert.match(error.message, /, got a number near -?\d+$/);
  }
  const { body } = await answerTo('/api/v1/hash', '{"id":9007199254740991,"text":""}');
  assert.match(body, /^\{"id":9007199254740991,/);
});

const service = serviceOf(serviceOptions());

function answerTo(target: string, body: string): { status: number; body: string } {
  const head = { method: 'POST', target, headers: { 'content-type': 'application/json' } };
  const answer = service.answer(head, Buffer.from(body));
  return { ...answer, body: String(answer.body) };
}

test('adds the id of a request to its answer, which is otherwise unchanged, for every operation', () => {
  for (const { path, examples, method } of operations) {
    if (method === 'GET') continue;
    for (const request of Object.values(examples)) {
      const plain = answerTo(path, JSON.stringify(request));
      const identified = answerTo(path, JSON.stringify({ ...request, id: 'order 17' }));
      assert.equal(plain.status, 200);
      assert.equal(identified.body, `{"id":"order 17",${plain.body.slice(1)}`);
    }
  }
});

const TAX = '/api/v1/tax/calculate';

test('adds the id of a request to a failure, and reports an invalid id with the other problems', () => {
  const failure = answerTo(TAX, '{"id":7,"income":-1}');
  assert.match(failure.body, /^\{"id":7,"status":"error","error":\{"code":"validation_failed"/);
  const invalid = JSON.parse(answerTo(TAX, '{"id":null,"income":-1,"typ":1}').body) as {
    id?: unknown;
    error: { details: { field: string }[] };
  };
  assert.equal(invalid.id, undefined);
  assert.deepEqual(
    invalid.error.details.map(({ field }) => field),
    ['id', 'income', 'typ'],
  );
  assert.doesNotMatch(answerTo(TAX, '{"id":1,').body, /"id"/);
});

test('adds the id of each line of a bulk request to its answer, and the line number to a failure', async () => {
  const lines = ['{"id":"a","income":1}', '{"id":"b"}', '{"id":', '{"income":2}'];
  const route = service.route({
    method: 'POST',
    target: TAX,
    headers: { 'content-type': 'application/x-ndjson' },
  });
  assert.ok(route.kind === 'post' && route.isBulk);
  let body = '';
  for await (const part of answerLines(route, [Buffer.from(lines.join('\n'))], assert.fail))
    body += Buffer.from(part).toString();
  const answers = body
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as { id?: string; error?: { line: number } });
  assert.deepEqual(
    answers.map(({ id: given, error }) => [given, error?.line]),
    [
      ['a', undefined],
      ['b', 2],
      [undefined, 3],
      [undefined, undefined],
    ],
  );
});
