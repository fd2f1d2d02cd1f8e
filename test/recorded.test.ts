/** A request that uses no field added since the recording is answered as before; see test/vectors/recorded.txt. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createService } from '../src/index.ts';
import { readText } from './helpers/repository.ts';

const RULES = '/api/v1/tax/rules';

const cases = readText('test/vectors/recorded.txt')
  .split('\n')
  .filter((line) => line !== '' && !line.startsWith('#'))
  .map(
    (line) => line.split('\t') as [request: string, body: string, status: string, answer: string],
  );

/** The values of tables, without their first months and instruments. */
function valuesOf(tables: unknown): unknown {
  if (Array.isArray(tables)) return tables.map(({ value }: { value: unknown }) => value);
  if (typeof tables !== 'object' || tables === null) return tables;
  return Object.fromEntries(Object.entries(tables).map(([name, inner]) => [name, valuesOf(inner)]));
}

/** The values of the recorded rules. */
function recordedRules(answer: string, recorded: string): string {
  const { data } = JSON.parse(answer) as { data: Readonly<Record<string, unknown>> };
  return JSON.stringify(
    Object.fromEntries(
      Object.keys(JSON.parse(recorded) as object).map((name) => [name, valuesOf(data[name])]),
    ),
  );
}

test('answers every recorded request as before, byte for byte', async (context) => {
  const service = createService({ taxPeriod: '2026-08' });
  const operations = new Map<string, number>();
  for (const [request, body, status, recorded] of cases) {
    const [method = '', target = ''] = request.split(' ');
    const headers = method === 'POST' ? { 'content-type': 'application/json' } : {};
    const answer = await service.answer({ method, target, headers }, Buffer.from(body));
    const isRules = target.startsWith(RULES) && answer.status === 200;
    const given = String(answer.body);
    const text = isRules
      ? recordedRules(given, recorded)
      : given.replace(/"reviewed_through":"[\d-]+",/, '').replace(/,"law":\[[^\]]*\]/, ',"law":[]');
    assert.deepEqual([answer.status, text], [Number(status), recorded], `${request} ${body}`);
    const operation = `${request.split('?')[0]} ${status}`;
    operations.set(operation, (operations.get(operation) ?? 0) + 1);
  }
  context.diagnostic(`${cases.length} answers: ${JSON.stringify(Object.fromEntries(operations))}`);
  assert.ok(cases.length > 500);
  assert.deepEqual(
    [...new Set([...operations.keys()].map((name) => name.split(' ')[1]))],
    ['/api/v1/tax/calculate', '/api/v1/interest/calculate', '/api/v1/hash', '/api/v1/tax/rules'],
  );
});
