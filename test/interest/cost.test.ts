/**
 * No request is expensive. A search begins with the most expensive requests known, and changes one field at a time of
 * the worst so far. `TRIES=10000 node --test dist/test/interest/cost.test.js` searches longer and prints the worst.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Failure } from '../../src/contract/failure.ts';
import { calculateInterest, type InterestRequest } from '../../src/interest/interest.ts';
import { solveInterest, type SolveRequest } from '../../src/interest/solve.ts';
import { type Random, seeded } from '../random.ts';
import { OPTIONS, randomPlan } from './plans.ts';

const TRIES = Number(process.env['TRIES'] ?? 100);
/** Four times the duration of the worst request on a machine of 2026, because a shared machine may be slow. */
const MAXIMUM_MILLISECONDS = 20;
const RATES = [500, 400, -99.99999999999999, -99.999999, -96, -33.333333333333336, 499.99999999999994, 1e-15, 8.5];
const AMOUNTS = [0, 1e-15, 2.5, 5.005, 0.1 + 0.2, 9_999_999_999.999998, 49_999_999_997.5, 1e13];
const KNOWN: readonly InterestRequest[] = [
  { principal: 0, monthly_deposit: 9_999_999_999.999998, annual_rate: -99.99999999999999, years: 100,
    compounding: 'annually', deposit_timing: 'start', decimals: 6, timeline: 'monthly' },
  { principal: 5.005, monthly_deposit: 49_999_999_997.5, annual_rate: 500, years: 100, deposit_timing: 'start', decimals: 6,
    timeline: 'monthly' },
  { principal: 0.5, annual_rate: 1.2345678901234567e-15, years: 100, decimals: 0, timeline: 'monthly' },
];

/** Processor time of a request in milliseconds: the minimum of four runs if the first is among the worst. */
function costOf(run: () => unknown, worst: number): number {
  const once = (): number => {
    const before = process.cpuUsage();
    try {
      run();
    } catch (error) {
      assert.ok(error instanceof Failure, String(error));
    }
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1000;
  };
  const first = once();
  return first < worst ? first : Math.min(first, once(), once(), once());
}

function changed(random: Random, request: InterestRequest): InterestRequest {
  const amount = (): number => random.pick([...AMOUNTS, Number((random.next() * 10 ** random.below(10)).toPrecision(17))]);
  return { ...request, ...random.pick<() => Partial<InterestRequest>>([
    () => ({ principal: amount() }),
    () => ({ monthly_deposit: amount() }),
    () => ({ annual_rate: random.pick([...RATES, random.next() * 600 - 100, -100 + 10 ** -random.below(14)]) }),
    () => ({ compounding: random.pick(OPTIONS.compounding), deposit_timing: random.pick(OPTIONS.deposit_timing) }),
    () => ({ decimals: random.pick(OPTIONS.decimals), timeline: random.pick(OPTIONS.timeline) }),
    () => randomPlan(random, 1 + random.below(1200)),
  ])() };
}

/** A solve request for one number of a plan; its target is often the balance of the plan. */
function goalOf(random: Random, plan: InterestRequest): SolveRequest {
  const sought = random.pick(['monthly_deposit', 'principal', 'years', 'annual_rate'] as const);
  const { [sought]: _, ...given } = plan;
  const { final_balance: balance } = calculateInterest(plan);
  const target = random.pick([balance, balance, 1e-15, 1.005, random.next() * 1e15]);
  return { solve_for: sought, ...given, target: Math.min(1e15, Math.max(1e-15, target)) };
}

const SEARCHES: readonly (readonly [name: string, run: (random: Random, plan: InterestRequest) => () => unknown])[] = [
  ['calculate', (_, plan) => () => calculateInterest(plan)],
  ['solve', (random, plan) => {
    const goal = goalOf(random, plan);
    return () => solveInterest(goal);
  }],
];
for (const [name, prepare] of SEARCHES) {
  test(`finds no expensive request to ${name} in ${TRIES} tries`, (context) => {
    const random = seeded(TRIES);
    let worst = KNOWN.map((plan) => ({ plan, cost: costOf(prepare(random, plan), 0) }));
    for (let count = 0; count < TRIES; count += 1) {
      const plan = changed(random, random.pick(worst).plan);
      const cost = costOf(prepare(random, plan), worst.at(-1)!.cost);
      worst = [...worst, { plan, cost }].sort((left, right) => right.cost - left.cost).slice(0, 8);
    }
    const [{ plan, cost }] = worst as [typeof worst[0]];
    context.diagnostic(`${cost} ms: ${JSON.stringify(plan)}`);
    assert.ok(cost < MAXIMUM_MILLISECONDS, `${cost} ms: ${JSON.stringify(plan)}`);
  });
}
