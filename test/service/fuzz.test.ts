import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FAILURES, type FailureCode } from '../../src/contract/failure.ts';
import { fuzzedBody } from '../helpers/bodies.ts';
import {
  calculations,
  conformingService,
  errorCode,
  exchange,
  listen,
  postHead,
} from '../helpers/fixture.ts';
import { seeded } from '../helpers/random.ts';
import { search } from '../helpers/repository.ts';

const { cases: CASES, words } = search(6_000);
const SEED = 20_261_121;

test(`answers ${words} random bodies, seed ${SEED}, with envelopes and without internal errors`, async (context) => {
  const random = seeded(SEED);
  const service = conformingService();
  const { port } = await listen(context);
  const counts = new Map<number, number>();
  for (let index = 0; index < CASES; index += 1) {
    const operation = random.pick(calculations);
    const bytes = fuzzedBody(random, operation);
    const headers = { 'content-type': 'application/json' };
    const answer = await service.answer({ method: 'POST', target: operation.path, headers }, bytes);
    const label = `case ${index}: ${bytes.toString('latin1')} → ${answer.body}`;
    if (answer.status === 200) {
      const envelope = JSON.parse(String(answer.body)) as Record<string, unknown>;
      const members = Object.keys(envelope).join().replace(/^id,/, '');
      assert.deepEqual([members, envelope['status']], ['status,data', 'success'], label);
      assert.ok(
        !/null|NaN|Infinity/.test(
          String(answer.body).replace(/"(?:id|input)":"(?:[^"\\]|\\.)*"|"to":null/g, ''),
        ),
        label,
      );
    } else {
      const code = errorCode(answer.body) as FailureCode;
      assert.equal(answer.status, FAILURES[code].status, label);
      assert.ok([400, 422].includes(answer.status), label);
    }
    counts.set(answer.status, (counts.get(answer.status) ?? 0) + 1);
    if (index % 20 === 0) {
      const head = postHead(operation.path, bytes.length, 'Connection: close');
      const [response] = await exchange(port, head, bytes);
      assert.deepEqual([response?.status, response?.body], [answer.status, answer.body], label);
    }
  }
  for (const status of [200, 400, 422]) {
    assert.ok((counts.get(status) ?? 0) > CASES / 20, `${status}: ${counts.get(status)}`);
  }
});
