import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createService } from '../../src/http/service.ts';
import { periodAt } from '../../src/tax/period.ts';
import { errorCode, serviceOptions } from './fixture.ts';

const headers = { 'content-type': 'application/json' };

function taxOf(currentPeriod: () => string, body: object): { tax: number; detail: { period: string } } {
  const service = createService(serviceOptions({ currentPeriod }));
  const head = { method: 'POST', target: '/api/v1/tax/calculate', headers };
  const answer = service.answer(head, Buffer.from(JSON.stringify({ income: 30_000_000, detail: true, ...body })));
  return (JSON.parse(answer.body) as { data: ReturnType<typeof taxOf> }).data;
}

test('a tax request without a period means the month that the service is told', () => {
  assert.equal(taxOf(() => '2025-12', {}).detail.period, '2025-12');
  assert.equal(taxOf(() => '2025-12', { period: '2026-01' }).detail.period, '2026-01');
  assert.notEqual(taxOf(() => '2025-12', {}).tax, taxOf(() => '2026-01', {}).tax);
});

test('the current month is that of Vietnam, which is seven hours ahead of UTC', () => {
  for (const [instant, month] of [
    ['2025-12-31T16:59:59.999Z', '2025-12'],
    ['2025-12-31T17:00:00Z', '2026-01'],
    ['2026-02-28T17:00:00Z', '2026-03'],
    ['2028-02-29T16:59:59Z', '2028-02'],
  ] as const) {
    assert.equal(periodAt(Date.parse(instant)), month, instant);
    const options = { timeZone: 'Asia/Ho_Chi_Minh', year: 'numeric', month: '2-digit' } as const;
    assert.equal(new Intl.DateTimeFormat('en-CA', options).format(new Date(instant)), month, instant);
  }
});

test('readiness is what the service is told, liveness is not', () => {
  let isReady = true;
  const service = createService(serviceOptions({ isReady: () => isReady }));
  const get = (target: string): { status: number; body: string } =>
    service.answer({ method: 'GET', target, headers: {} }, Buffer.alloc(0));
  assert.deepEqual([get('/healthz').status, get('/readyz').status], [200, 200]);
  isReady = false;
  assert.deepEqual([get('/healthz').status, get('/readyz').status], [200, 503]);
  assert.equal(errorCode(get('/readyz').body), 'overloaded');
});

test('the limits of the body go by operation', () => {
  const service = createService(serviceOptions({ bodyLimits: { fields: 100, text: 200 } }));
  const status = (target: string, length: number): number =>
    service.answer({ method: 'POST', target, headers }, Buffer.from('{}'.padEnd(length))).status;
  assert.deepEqual([status('/api/v1/tax/calculate', 100), status('/api/v1/tax/calculate', 101)], [422, 413]);
  assert.deepEqual([status('/api/v1/interest/calculate', 100), status('/api/v1/interest/calculate', 101)], [422, 413]);
  assert.deepEqual([status('/api/v1/hash', 200), status('/api/v1/hash', 201)], [422, 413]);
});
