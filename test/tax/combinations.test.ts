/**
 * The fields of the three insurances and of the voluntary pension, in every combination with the kinds of employment, the
 * months and the types, compared with the oracle.
 */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { Failure } from '../../src/contract/failure.ts';
import type { TaxResult } from '../../src/tax/contract.ts';
import {
  type Dated,
  EMPLOYEE_RATES,
  EMPLOYER_RATES,
  FOREIGNER_RATES,
  type Insurance,
  VOLUNTARY_PENSION_LIMIT,
} from '../../src/tax/law.ts';
import { calculateTax, type TaxRequest } from '../../src/tax/tax.ts';
import { seeded } from '../helpers/random.ts';
import { part } from '../helpers/repository.ts';
import {
  bases,
  ERAS,
  expectedEmployer,
  expectedTax,
  type GrossCase,
  INSURANCES,
  mustBeStated,
  rowAt,
  TAXATIONS,
} from '../helpers/tax-oracle.ts';
import { vectors } from '../helpers/vectors.ts';

const NAMES: readonly Insurance[] = ['bhxh', 'bhyt', 'bhtn'];
/** No voluntary pension, and amounts below and above the limits of 1,000,000 and 3,000,000. */
const PENSIONS: readonly (number | undefined)[] = [undefined, 0, 654_321.5, 1_234_567, 1e12];

/** The rules that a detail is expected to cite, with their rows; the tax is checked elsewhere. */
function expectedCitations(given: GrossCase): [rule: string, row: Dated<number>][] {
  const { period, paid_in = period, taxation, foreigner, voluntary_pension } = given;
  const rates =
    foreigner === true ? FOREIGNER_RATES : { employee: EMPLOYEE_RATES, employer: EMPLOYER_RATES };
  const paid = NAMES.filter((name) => given[name] !== false);
  const ratesOf = (side: 'employee' | 'employer'): [string, Dated<number>][] =>
    paid.map((name) => [`${side}_${name}_rate`, rowAt(rates[side][name], period)]);
  const hasPension = taxation === 'progressive' && voluntary_pension !== undefined;
  return [
    ...ratesOf('employee'),
    ...ratesOf('employer'),
    ...(hasPension
      ? [
          ['voluntary_pension_limit', rowAt(VOLUNTARY_PENSION_LIMIT, paid_in)] as [
            string,
            Dated<number>,
          ],
        ]
      : []),
  ];
}

const CITED = /^(?:employee_|employer_|voluntary_pension_limit$)/;

/** Checks the result of a gross income, with its detail. */
function assertGross(
  given: GrossCase,
  { detail, ...result }: TaxResult,
  hasUnionFund: boolean,
  label: string,
): void {
  assert.deepEqual(result, expectedTax(given), label);
  const { bhxh, bhyt, bhtn } = bases(given);
  const { insurance_base, employer, law } = detail!;
  assert.deepEqual(
    insurance_base,
    { bhxh: Number(bhxh), bhyt: Number(bhyt), bhtn: Number(bhtn) },
    label,
  );
  assert.deepEqual(employer, expectedEmployer(given, hasUnionFund), label);
  const expected = expectedCitations(given).map(
    ([rule, { value, effective_from, instrument }]) => ({
      rule,
      value,
      effective_from,
      instrument,
    }),
  );
  assert.deepEqual(
    law.filter(({ rule }) => CITED.test(rule)),
    expected,
    label,
  );
}

const INSURED = part(INSURANCES);
const combined = `${INSURED.length} of ${INSURANCES.length} combinations of insurances`;

describe(`returns the results of the oracle for ${combined} with each pension, employment and type`, () => {
  for (const period of ERAS) {
    test(period, () => {
      const random = seeded(Number(period.replace('-', '')));
      const year = Number(period.slice(0, 4));
      for (const insured of INSURED) {
        for (const voluntary_pension of PENSIONS) {
          for (const taxation of TAXATIONS) {
            for (const foreigner of [false, true]) {
              const paidIn = random.pick([
                undefined,
                `${Math.max(2015, year - 1)}-12`,
                `${year + 1}-01`,
              ]);
              const given: Omit<GrossCase, 'income'> & { insurance_salary?: number } = {
                ...insured,
                taxation,
                foreigner,
                period,
                dependents: random.below(3),
                region: random.pick([1, 2, 3, 4]),
                ...(paidIn !== undefined && { paid_in: paidIn }),
                ...(voluntary_pension !== undefined && { voluntary_pension }),
                // A cost of 1,500,000 less the shares of the employer, on at most 3,000,000, exceeds it.
                ...(random.below(2) === 0 && { exempt_income: random.below(750_000) }),
                ...(random.below(2) === 0 && { self_deduction: random.below(2) === 0 }),
                ...(random.below(4) === 0 && { insurance_salary: random.below(3_000_000) }),
              };
              if (mustBeStated(given)) given.insurance_salary ??= random.below(3_000_000);
              assertEveryType(
                given,
                Math.round(10 ** (6.5 + random.next() * 3)),
                random.below(2) === 0,
              );
              // The thresholds of the flat tax are 2,000,000 and 5,000,000.
              if (taxation === 'short_term')
                assertEveryType(given, 1_500_000 + random.below(4_500_000), true);
            }
          }
        }
      }
    });
  }
});

/** Checks the results of an income that is gross, net and the cost. */
function assertEveryType(
  given: Omit<GrossCase, 'income'>,
  income: number,
  union_fund: boolean,
): void {
  for (const type of ['gross', 'net', 'cost'] as const) {
    const label = JSON.stringify({ ...given, income, type, union_fund });
    const result = calculateTax({ ...given, income, type, union_fund, detail: true });
    const gross = result.gross_income;
    const netOf = (other: number): number => expectedTax({ ...given, income: other }).net_income;
    const costOf = (other: number): number =>
      expectedEmployer({ ...given, income: other }, union_fund)['cost']!;
    assertGross({ ...given, income: gross }, result, union_fund, label);
    if (type === 'gross') assert.equal(gross, income, label);
    // Where net falls, at the threshold of a flat tax, a smaller gross leaves the same net.
    if (type === 'net') assert.ok(netOf(gross) === income && netOf(gross - 1) < income, label);
    if (type === 'cost') assert.ok(costOf(gross) <= income && costOf(gross + 1) > income, label);
  }
}

type Amounts = readonly [
  insurance: number,
  pension: number | null,
  taxable: number,
  tax: number,
  net: number,
];

const WORKED =
  vectors<[working: string, request: TaxRequest, amounts: Amounts]>('worked-combinations');
for (const [working, request, amounts] of WORKED) {
  test(`calculates ${working}`, () => {
    const { insurance, voluntary_pension, taxable_income, tax, net_income } = calculateTax(request);
    assert.deepEqual(
      [insurance.total, voluntary_pension ?? null, taxable_income, tax, net_income],
      amounts,
    );
  });
}

const REJECTED = vectors<[field: string, value: unknown, message: string]>('rejected-insurances');
for (const [field, value, message] of REJECTED) {
  test(`rejects ${field} of ${JSON.stringify(value)}`, () => {
    assert.throws(
      () => calculateTax({ income: 1, [field]: value }),
      (error) => {
        assert.ok(error instanceof Failure && error.code === 'validation_failed');
        assert.deepEqual(
          error.details?.map((problem) => problem.message),
          [message],
        );
        return true;
      },
    );
  });
}
