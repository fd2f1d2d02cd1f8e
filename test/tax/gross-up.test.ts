/**
 * Every net is the net of some gross, and the service finds the smallest such gross, by the law of every era and region,
 * for every kind of employment and every combination of insurances.
 *
 * Between two edges (a cap, a bracket bound, a threshold) net is a sum of roundings that repeats: by the rates of 2026,
 * contributions with a period of 200 đồng of gross (8 %, 1.5 % and 1 %), a flat tax with one of 10, the progressive tax
 * with one of 20 đồng of taxable income. The common period is then 200 đồng under a flat tax and 4,000 under the
 * progressive tax, so that a period above every edge covers all cases. A voluntary pension moves the taxable income by a
 * whole amount, of which only the remainder by 20 matters.
 *
 * Without `THOROUGH=1`, only the latest era is calculated, with a part of the voluntary pensions.
 */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { assess, type Salary } from '../../src/tax/assessment.ts';
import { grossUp } from '../../src/tax/gross-up.ts';
import { type Employment, type Law, lawOf } from '../../src/tax/law.ts';
import { type Random, seeded } from '../helpers/random.ts';
import { isThorough, part } from '../helpers/repository.ts';
import { ERAS, INSURANCES, REGIONS, salaryOf, TAXATIONS } from '../helpers/tax-oracle.ts';

const MAXIMUM_CALLS = 60;

/** A year before or after, the law of the tax may be of another era than that of the insurance. */
const EMPLOYMENTS: readonly ((period: string) => Partial<Employment>)[] = [
  ...TAXATIONS.flatMap((taxation) =>
    [false, true].map((foreigner) => () => ({ taxation, foreigner })),
  ),
  (period) => ({ paid_in: `${Number(period.slice(0, 4)) + 1}-01` }),
  (period) => ({ paid_in: `${Math.max(2015, Number(period.slice(0, 4)) - 1)}-12` }),
];

/** The numbers of a law on which net depends; laws that share all of them need one test. */
function netLaw({
  employeeRates: { bhxh, bhyt, bhtn },
  baseSalary,
  minimumWage,
  tax,
}: Law): string {
  const cap = bhtn.value === 0 ? 0 : minimumWage.value;
  const values = Object.values(tax).map(
    (rows: Law['tax'][keyof Law['tax']]) => Object(rows).value as unknown,
  );
  return JSON.stringify([
    bhxh.value,
    bhyt.value,
    bhtn.value,
    baseSalary.value,
    cap,
    tax.kind,
    values,
  ]);
}

/** The latest laws, whose changes are the likeliest, or all. */
const MONTHS = isThorough ? ERAS : ERAS.slice(-1);
const LAWS: readonly Law[] = [
  ...new Map(
    MONTHS.flatMap((period) =>
      REGIONS.flatMap((region) =>
        EMPLOYMENTS.map((employment) => lawOf(period, region, employment(period))),
      ),
    ).map((law) => [netLaw(law), law]),
  ).values(),
];

function greatestDivisor(first: number, second: number): number {
  return second === 0 ? first : greatestDivisor(second, first % second);
}

/** The đồng after which the shares at some rates, in percent with at most one decimal, are whole together. */
function commonPeriod(rates: readonly number[]): number {
  return rates.reduce((period, rate) => {
    const own = 1000 / greatestDivisor(1000, Math.round(rate * 10));
    return (period * own) / greatestDivisor(period, own);
  }, 1);
}

/** The đồng of gross after which the roundings of a law repeat. */
function periodOf({ employeeRates, tax }: Law): number {
  const rates = Object.values(employeeRates).map(({ value }) => value);
  if (tax.kind === 'flat') return commonPeriod([...rates, tax.flatTax.value.rate]);
  return commonPeriod(rates) * commonPeriod(tax.brackets.value.map(({ rate }) => rate));
}

type NetOf = (gross: number) => number;

function nameOf({ period, region, taxation, foreigner, paid_in }: Law): string {
  return `${taxation}${foreigner ? ', foreigner' : ''}, ${period}, region ${region}, paid in ${paid_in}`;
}

function netBy(law: Law, salary: Salary): NetOf {
  return (gross) => assess(gross, salary, law).net_income;
}

/**
 * A salary for each combination of insurances that the law has, with a voluntary pension. A region only moves a cap, so
 * that the first region is enough.
 */
function combinations({ region, employeeRates: { bhtn } }: Law): Salary[] {
  const existing = region === 1 ? INSURANCES.filter((paid) => bhtn.value > 0 || !paid.bhtn) : [];
  return existing.map((paid, index) => salaryOf({ ...paid, voluntary_pension: 900_000 + index }));
}

function thresholdOf({ tax }: Law): number {
  return tax.kind === 'flat' ? tax.flatTax.value.threshold : 0;
}

/** The gross incomes at which the slope changes: none, the caps, and where taxable income passes a bracket bound. */
function edgesOf(law: Law, salary: Salary): number[] {
  const edges = [0, 20 * law.baseSalary.value, 20 * law.minimumWage.value];
  if (law.tax.kind === 'flat') return [...edges, thresholdOf(law)];
  const { self, dependent } = law.tax.deductions.value;
  const highest = self + salary.dependents * dependent + 1e8;
  const taxableOf = (gross: number): number => assess(gross, salary, law).taxable_income;
  const bounds = [0, ...law.tax.brackets.value.flatMap(({ to }) => to ?? [])];
  return [
    ...edges,
    ...bounds.map((bound) => smallest(2 * (bound + highest), (gross) => taxableOf(gross) > bound)),
  ];
}

/** The smallest whole number for which a condition holds that also holds for all larger ones, by bisection. */
function smallest(upTo: number, holds: (value: number) => boolean): number {
  let [below, above] = [-1, upTo];
  while (above - below > 1) {
    const middle = Math.floor((below + above) / 2);
    if (holds(middle)) above = middle;
    else below = middle;
  }
  return above;
}

/** The first gross around an edge where net rises by more than 1. */
function findLeap(netOf: NetOf, edge: number, law: Law): number | undefined {
  const begin = Math.max(0, edge - 5);
  const end = edge + periodOf(law);
  let net = netOf(begin);
  for (let gross = begin; gross < end; gross += 1) {
    const next = netOf(gross + 1);
    if (next > net + 1) return gross;
    net = next;
  }
  return undefined;
}

function assertSmallestGross(net: number, netOf: NetOf, threshold: number, label: string): void {
  let calls = 0;
  const gross = grossUp(net, (candidate) => {
    calls += 1;
    return netOf(candidate);
  });
  assert.equal(netOf(gross), net, `${label}: the net of ${gross}`);
  // Net falls where roundings coincide, by a few đồng, or at the threshold. It rises by at most 1 per đồng, so that a
  // smaller gross with more net would be above one with the same net.
  const smaller = `${label}: a smaller gross than ${gross} has the net ${net} too`;
  for (let below = Math.max(0, gross - 5); below < gross; below += 1)
    assert.ok(netOf(below) < net, smaller);
  if (gross >= threshold && threshold > 0) assert.ok(netOf(threshold - 1) < net, smaller);
  assert.ok(calls < MAXIMUM_CALLS, `${label}: ${calls} calls for net ${net}`);
}

function randomNet(random: Random): number {
  const kinds = [
    () => random.below(3000),
    () => random.below(2e8),
    () => Math.round(10 ** (random.next() * 12)),
  ];
  return random.pick(kinds)();
}

describe(`net rises by at most 1 đồng per đồng of gross, over a whole period above every edge, in ${MONTHS.length} of ${ERAS.length} eras, for ${part(INSURANCES).length} of ${INSURANCES.length} sets of insurances`, () => {
  for (const law of LAWS) {
    test(nameOf(law), () => {
      const ordinary = [{}, { dependents: 20 }, { dependents: 2, insurance_salary: 7_777_777 }].map(
        salaryOf,
      );
      for (const salary of [...ordinary, ...part(combinations(law))]) {
        for (const edge of [...edgesOf(law, salary), 1e12]) {
          const leap = findLeap(netBy(law, salary), edge, law);
          assert.equal(leap, undefined, `${JSON.stringify(salary)}, ${edge}`);
        }
      }
    });
  }
});

const REMAINDERS = Array.from({ length: 20 }, (_, remainder) => remainder);

test(`net rises by at most 1 đồng per đồng of gross for ${part(REMAINDERS).length} of 20 remainders of a voluntary pension by 20`, () => {
  for (const period of ['2025-12', '2026-08']) {
    const law = lawOf(period, 1);
    for (const remainder of part(REMAINDERS)) {
      const salary = salaryOf({ voluntary_pension: 900_000 + remainder });
      for (const edge of edgesOf(law, salary)) {
        assert.equal(
          findLeap(netBy(law, salary), edge, law),
          undefined,
          `${period}, ${remainder}, ${edge}`,
        );
      }
    }
  }
});

describe('finds the smallest gross of a net', () => {
  for (const law of LAWS) {
    test(nameOf(law), () => {
      const random = seeded(law.region);
      const ordinary = [0, 1, 50].flatMap((dependents) =>
        [undefined, 0, 50, 7_777_777, 1e12].map((insurance_salary) =>
          salaryOf({ dependents, insurance_salary }),
        ),
      );
      for (const salary of [...ordinary, ...combinations(law)]) {
        const netOf = netBy(law, salary);
        const edges = [...edgesOf(law, salary), thresholdOf(law) - 1];
        const atEdges = edges.map((edge) => Math.max(0, netOf(Math.max(0, edge))));
        const anywhere = Array.from({ length: 20 }, () => randomNet(random));
        for (const net of [0, 1, 1e12, ...atEdges, ...anywhere]) {
          assertSmallestGross(net, netOf, thresholdOf(law), JSON.stringify(salary));
        }
      }
    });
  }
});

/** The threshold in the first law is 2,000,000 đồng, in the second 5,000,000. */
for (const period of part(['2025-12', '2026-08'])) {
  test(`finds the gross that a complete search finds, for every net around the threshold of ${period}`, () => {
    const law = lawOf(period, 1, { taxation: 'short_term' });
    const threshold = thresholdOf(law);
    const netOf = netBy(law, salaryOf({}));
    // Indexed by the net, and much faster than a Map.
    const first = new Float64Array(threshold * 1.2);
    for (let gross = Math.floor(threshold * 0.85); gross < threshold * 1.2; gross += 1) {
      const net = netOf(gross);
      first[net] ||= gross;
    }
    const [below, from] = [netOf(threshold - 1), netOf(threshold)];
    assert.ok(from < below);
    for (let net = from - 1000; net < below + 1000; net += 1)
      assert.equal(grossUp(net, netOf), first[net]);
  });
}

test('net rises by more than half of an increase', () => {
  const random = seeded(58);
  for (const law of LAWS) {
    const netOf = netBy(law, salaryOf({}));
    for (let count = 0; count < 200; count += 1) {
      const gross = thresholdOf(law) + Math.round(10 ** (random.next() * 9));
      const increase = 1000 + Math.round(10 ** (random.next() * 9));
      // Four roundings at both ends move the net by at most 4 đồng.
      assert.ok(
        netOf(gross + increase) - netOf(gross) > increase / 2 - 4,
        `${nameOf(law)}: ${gross}, ${increase}`,
      );
    }
  }
});
