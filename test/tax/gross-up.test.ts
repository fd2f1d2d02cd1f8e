/**
 * That every net has a smallest gross which leaves it exactly, and that it is found, by the law of every era and
 * region.
 *
 * Between two edges (a cap, a bracket bound) net is a sum of roundings that repeats: contributions with a period of 200
 * đồng of gross (8 %, 1.5 % and 1 %), tax with one of 20 đồng of taxable income. After 4,000 đồng both are where they
 * were, so looking at that many in a row behind every edge is looking at all there is.
 */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { assess } from '../../src/tax/assessment.ts';
import { grossUp } from '../../src/tax/gross-up.ts';
import { type Law, lawOf } from '../../src/tax/law.ts';
import { calculateTax } from '../../src/tax/tax.ts';
import { type Random, seeded } from '../random.ts';
import { ERAS, REGIONS } from './oracle.ts';

const PERIOD = 4000;
const MAXIMUM_CALLS = 60;
const LAWS: readonly Law[] = ERAS.flatMap((period) => REGIONS.map((region) => lawOf(period, region)));

type NetOf = (gross: number) => number;

function deductionsFor(dependents: number, { deductions: { value } }: Law): number {
  return value.self + dependents * value.dependent;
}

function netBy(law: Law, dependents: number, insuranceSalary?: number): NetOf {
  return (gross) => assess(gross, insuranceSalary ?? gross, dependents, law).net_income;
}

/** The gross incomes at which the slope changes: none, the caps, and where taxable income passes a bracket bound. */
function edgesOf(law: Law, dependents: number, insuranceSalary?: number): number[] {
  const deductions = deductionsFor(dependents, law);
  const taxableOf = (gross: number): number => assess(gross, insuranceSalary ?? gross, dependents, law).taxable_income;
  const bounds = [0, ...law.brackets.value.flatMap(({ to }) => to ?? [])];
  const passed = bounds.map((bound) => smallest(2 * (bound + deductions + 1e8), (gross) => taxableOf(gross) > bound));
  return [0, 20 * law.baseSalary.value, 20 * law.minimumWage.value, ...passed];
}

/** The smallest whole number at which something that stays true becomes true, by halving. */
function smallest(upTo: number, holds: (value: number) => boolean): number {
  let [below, above] = [-1, upTo];
  while (above - below > 1) {
    const middle = Math.floor((below + above) / 2);
    if (holds(middle)) above = middle;
    else below = middle;
  }
  return above;
}

/** The first gross around an edge where one đồng more does not leave 0 or 1 đồng more of net. */
function findLeap(netOf: NetOf, edge: number): number | undefined {
  let net = netOf(Math.max(0, edge - 300));
  for (let gross = Math.max(0, edge - 300); gross < edge + PERIOD + 300; gross += 1) {
    const next = netOf(gross + 1);
    if (next !== net && next !== net + 1) return gross;
    net = next;
  }
  return undefined;
}

function assertSmallestGross(net: number, netOf: NetOf, label: string): void {
  let calls = 0;
  const gross = grossUp(net, (candidate) => {
    calls += 1;
    return netOf(candidate);
  });
  assert.equal(netOf(gross), net, `${label}: net ${net} comes back`);
  // As net never falls, no gross below this one gives the net either.
  if (gross > 0) assert.ok(netOf(gross - 1) < net, `${label}: no smaller gross gives net ${net}`);
  assert.ok(calls < MAXIMUM_CALLS, `${label}: ${calls} calls for net ${net}`);
}

function randomNet(random: Random): number {
  const kinds = [() => random.below(3000), () => random.below(2e8), () => Math.round(10 ** (random.next() * 12))];
  return random.pick(kinds)();
}

describe('net rises by 0 or 1 đồng per đồng of gross, over a whole period behind every edge', () => {
  for (const law of LAWS) {
    test(`${law.period}, region ${law.region}`, () => {
      for (const dependents of [0, 2, 20]) {
        for (const salary of [undefined, 7_777_777]) {
          const netOf = netBy(law, dependents, salary);
          for (const edge of [...edgesOf(law, dependents, salary), 1e12]) {
            assert.equal(findLeap(netOf, edge), undefined, `${dependents} dependents, insurance on ${salary}, ${edge}`);
          }
        }
      }
    });
  }
});

describe('the smallest gross that leaves a net exactly', () => {
  for (const law of LAWS) {
    test(`${law.period}, region ${law.region}`, () => {
      const random = seeded(law.region);
      for (const dependents of [0, 1, 50]) {
        for (const salary of [undefined, 0, 50, 7_777_777, 1e12]) {
          const netOf = netBy(law, dependents, salary);
          const label = `${dependents} dependents, insurance on ${salary}`;
          const atEdges = edgesOf(law, dependents, salary).map((edge) => Math.max(0, netOf(edge)));
          const anywhere = Array.from({ length: 20 }, () => randomNet(random));
          for (const net of [0, 1, 1e12, ...atEdges, ...anywhere]) assertSmallestGross(net, netOf, label);
        }
      }
    });
  }
});

const FACTS: readonly [working: string, net: number, insuranceSalary: number | undefined, gross: number][] = [
  ['nothing', 0, undefined, 0],
  ['30M: 89.5 % is 26.85M, less 15.5M and 5 % of 10M, 10 % of 1.35M', 26_215_000, undefined, 30_000_000],
  ['8 %, 1.5 % and 1 % of 1 are rounded to 0', 1, undefined, 1],
  ['gross 6 pays 0.48, 0.09 and 0.06, rounded to 0; gross 7 pays 0.56, rounded to 1: both leave 6', 6, undefined, 6],
  ['nothing is left of 2.1M with insurance on 20M', 0, 20_000_000, 2_100_000],
  ['one đồng is left of one đồng more', 1, 20_000_000, 2_100_001],
];
for (const [working, income, insurance_salary, gross] of FACTS) {
  test(`net ${income} in 2026-08: ${working}`, () => {
    const request = { income, insurance_salary, detail: true, period: '2026-08' };
    const result = calculateTax({ ...request, type: 'net' });
    assert.equal(result.gross_income, gross);
    assert.equal(result.net_income, income);
    assert.deepEqual(result, calculateTax({ ...request, type: 'gross', income: gross }));
  });
}
