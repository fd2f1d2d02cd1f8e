/** A request calculates a bounded number of salaries, which the tables determine. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ReconcileResult } from '../../src/reconcile/contract.ts';
import { type ReconcileRequest, reconcileTax } from '../../src/reconcile/reconcile.ts';
import { countCalls, type Counter } from '../helpers/calls.ts';
import { type Random, seeded } from '../helpers/random.ts';
import { changesTo } from '../helpers/reconcile-oracle.ts';
import { search } from '../helpers/repository.ts';

/** The most salaries that the alternatives and pairs need, and those of one that is calculated from net. */
const LIMIT = 400;
/** From net, each step closes more than half of the gap, of at most 10^12. */
const STEPS_FROM_NET = 40;
/** An income of at most 10^12 is bisected. */
const STEPS_OF_EXEMPT = 40;
/** With each of two union dues, a tax is calculated, too. */
const WITH_DUES = 3;

/** The bound of the calculations of a request, without those for words. */
function boundOf({ insurance, insurance_salary }: Partial<ReconcileRequest>): number {
  const isImplied = insurance !== undefined && insurance_salary === undefined;
  const { likely, persons, alone } = changesTo({ stated: insurance, insurance_salary });
  const few = 1 + likely.length;
  const pairs = likely.flatMap(([field], at) =>
    likely.slice(at + 1).filter(([other]) => other !== field),
  );
  const own = 1;
  const single = few * WITH_DUES + alone.length + STEPS_FROM_NET;
  // A tax decides whether the implied salary is tried.
  const hundreds = 1 + 2 * WITH_DUES;
  const implied = isImplied ? few + WITH_DUES + likely.length + persons.length + hundreds : 0;
  const double = pairs.length * (isImplied ? 3 : 1);
  // At most two amounts of tax-free pay, and two other incomes, alone or with each likely change.
  const exempt = STEPS_OF_EXEMPT + 2 + 2 * WITH_DUES;
  const other = 2 * few * (isImplied ? 3 : 1);
  return own + single + implied + double + exempt + other;
}

const OF_LAW = ['period', 'brackets', 'region', 'foreigner', 'taxation'];

/** Each change of the law is compared with the calculation without it. */
function wordsIn({ explanations }: ReconcileResult): number {
  const changes = explanations.flatMap(({ changes: made }) => made);
  return changes.filter(({ field }) => OF_LAW.includes(field)).length;
}

/** The calculations of a request, or none if it is refused, and their bound. */
function calculationsOf(
  request: ReconcileRequest,
  callsDuring: Counter,
): readonly [calculations: number, most: number] {
  let most = boundOf(request);
  const calculations = callsDuring(() => {
    try {
      most += wordsIn(reconcileTax(request));
    } catch {
      // It has been refused before the search.
    }
  });
  return [calculations, most];
}

/** A request with another value of a field, or without it. */
function changed(random: Random, request: ReconcileRequest): ReconcileRequest {
  const income = 1e6 * (1 + random.below(150));
  const values: Readonly<Record<string, readonly unknown[]>> = {
    income: [income, income, income + random.below(1e6), 1e12],
    net_income: [0.9, 0.7, 1].map((part) => Math.round(request.income * part) - random.below(9)),
    tax: [undefined, 0, random.below(request.income / 5), 1000 * random.below(2000)],
    insurance: [undefined, 105 * random.below(50_000), Math.round(request.income * 0.105)],
    dependents: [0, 1, 7],
    period: ['2026-08', '2026-03', '2019-01'],
    paid_in: [undefined, '2026-08', '2015-01'],
    region: [1, 4],
    insurance_salary: [undefined, 0, 5_310_000, 7_777_777],
    exempt_income: [undefined, 0, 900_001],
    taxation: [undefined, 'progressive', 'non_resident'],
    self_deduction: [undefined, false],
    bhtn: [undefined, false],
  };
  const name = random.pick(Object.keys(values));
  const entries = Object.entries({ ...request, [name]: random.pick(values[name]!) });
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined)) as never;
}

test('the tables allow a bounded number of calculations', () => {
  assert.ok(boundOf({}) < LIMIT, String(boundOf({})));
  assert.ok(boundOf({ insurance: 1 }) < LIMIT, String(boundOf({ insurance: 1 })));
});

const TRIES = search(2000);

test(`no request needs more calculations, of ${TRIES.words} that a search finds`, (context) => {
  const random = seeded(54);
  const kept = 8;
  let worst: { readonly request: ReconcileRequest; readonly calculations: number }[] = [
    { request: { income: 8_000_000, net_income: 7_160_001 }, calculations: 0 },
  ];
  countCalls('/tax/assessment.', 'taxAfter', (callsDuring) => {
    for (let count = 0; count < TRIES.cases; count += 1) {
      const request = changed(random, random.pick(worst).request);
      const [calculations, most] = calculationsOf(request, callsDuring);
      assert.ok(calculations <= most, `${calculations}: ${JSON.stringify(request)}`);
      worst = [...worst, { request, calculations }]
        .sort((left, right) => right.calculations - left.calculations)
        .slice(0, kept);
    }
  });
  const [{ request, calculations }] = worst as [(typeof worst)[0]];
  context.diagnostic(`${calculations} calculations: ${JSON.stringify(request)}`);
});
