import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FAILURES, type FailureCode } from '../../src/contract/failure.ts';
import { headersOf } from '../../src/http/answer.ts';
import { operations } from '../../src/operations.ts';
import { type Random, seeded } from '../random.ts';
import { announce, calculations, errorCode, exampleOf, exchange, heldService, listen } from './fixture.ts';

const CASES = 6_000;
const SEED = 20_261_121;

const texts = ['', '0', 'null', '2026-13', '2026-07', 'gross', 'monthly', '\ud800', '\u2028', '\0', 'x'.repeat(300),
  '__proto__'];
const numbers = ['0', '-0', '1', '-1', '0.5', '50', '51', '1e12', '1e13', '1e400', '-1e400', '5e-324', '100', '0.25',
  '500', '1.7976931348623157e308'];
const others = ['null', 'true', 'false', '[]', '{}', '[[[]]]', '{"a":{"b":1}}', 'NaN', 'Infinity', '01', '1.', '"',
  '"\\x"', '\ufeff'];
const strangers = ['', '__proto__', 'constructor', 'incme', '\ud800'];

function value(random: Random): string {
  return random.pick([
    () => JSON.stringify(random.pick(texts)),
    () => random.pick(numbers),
    () => random.pick(others),
    () => String(random.next() * 10 ** random.below(16)),
  ])();
}

/** A body with fields of the operation, of others and of none, and sometimes bytes changed, cut or added. */
function body(random: Random, example: unknown, names: readonly string[]): Buffer {
  const entries = Object.entries(example as object).map(([name, given]) => [name, JSON.stringify(given)] as const)
    .filter(() => random.below(10) > 0);
  for (let extra = random.below(4); extra > 0; extra -= 1) {
    entries.push([random.pick(random.below(8) > 0 ? names : strangers), value(random)]);
  }
  const bytes = Buffer.from(`{${entries.map(([name, text]) => `${JSON.stringify(name)}:${text}`).join()}}`);
  const change = random.below(6);
  if (change === 0 && bytes.length > 0) bytes[random.below(bytes.length)] = random.below(256);
  if (change === 1) return bytes.subarray(0, random.below(bytes.length + 1));
  if (change === 2) return Buffer.concat([bytes, Buffer.from([random.below(256)])]);
  return bytes;
}

test(`${CASES} bodies, seed ${SEED}: every answer is a whole envelope, none a fault of ours`, async (context) => {
  const random = seeded(SEED);
  const names = operations.flatMap(({ request }) => Object.keys(request['properties'] as object));
  const service = heldService();
  const { port } = await listen(context);
  const counts = new Map<number, number>();
  for (let index = 0; index < CASES; index += 1) {
    const operation = random.pick(calculations);
    const bytes = body(random, exampleOf(operation), names);
    const headers = { 'content-type': 'application/json' };
    const answer = await service.answer({ method: 'POST', target: operation.path, headers }, bytes);
    const label = `case ${index}: ${bytes.toString('latin1')} → ${answer.body}`;
    if (answer.status === 200) {
      const envelope = JSON.parse(answer.body) as Record<string, unknown>;
      assert.deepEqual([Object.keys(envelope).join(), envelope['status']], ['status,data', 'success'], label);
      assert.ok(!/null|NaN|Infinity/.test(answer.body.replace(/"input":"(?:[^"\\]|\\.)*"|"to":null/g, '')), label);
    } else {
      const code = errorCode(answer.body) as FailureCode;
      assert.equal(answer.status, FAILURES[code].status, label);
      assert.ok([400, 422].includes(answer.status), label);
    }
    const fields = headersOf(answer, []);
    const length = fields[fields.indexOf('Content-Length') + 1];
    assert.equal(length, String(Buffer.byteLength(answer.body)), label);
    counts.set(answer.status, (counts.get(answer.status) ?? 0) + 1);
    if (index % 20 === 0) {
      const head = announce(operation.path, bytes.length, 'Connection: close');
      const [response] = await exchange(port, head, bytes);
      assert.deepEqual([response?.status, response?.body], [answer.status, answer.body], label);
    }
  }
  for (const status of [200, 400, 422]) {
    assert.ok((counts.get(status) ?? 0) > CASES / 20, `${status}: ${counts.get(status)}`);
  }
});
