import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Failure } from '../../src/contract/failure.ts';
import type { AnnualResult } from '../../src/tax/annual-contract.ts';
import { type AnnualRequest, settleYear } from '../../src/tax/annual.ts';
import type { TaxResult } from '../../src/tax/contract.ts';
import {
  annualLawOf,
  type Dated,
  EXPENSE_LIMITS,
  FAMILY_DEDUCTIONS,
  lawOf,
  LEAST_BRACKET_MONTHS,
  PROGRESSIVE_TAX,
  REVIEWED_THROUGH,
  VOLUNTARY_PENSION_LIMIT,
} from '../../src/tax/law.ts';
import { calculateTax, type TaxRequest } from '../../src/tax/tax.ts';
import { seeded } from '../helpers/random.ts';
import { search } from '../helpers/repository.ts';
import { expectedYear } from '../helpers/tax-oracle.ts';
import { vectors } from '../helpers/vectors.ts';

/** The tables that the settlement uses. */
const TABLES: readonly (readonly Dated<unknown>[])[] = [
  PROGRESSIVE_TAX,
  FAMILY_DEDUCTIONS,
  LEAST_BRACKET_MONTHS,
  VOLUNTARY_PENSION_LIMIT,
  ...Object.values(EXPENSE_LIMITS),
];

/** The years from 2015 to the one after the last change of a table. */
const YEARS: readonly number[] = (() => {
  const last = Math.max(
    ...TABLES.flat().map(({ effective_from }) => Number(effective_from.slice(0, 4))),
  );
  return Array.from({ length: last + 2 - 2015 }, (_, index) => 2015 + index);
})();

for (const [request, settled, origin = 'calculated independently'] of vectors<
  [request: AnnualRequest, settled: Readonly<Record<string, number>>, origin?: 'published']
>('annual-cases')) {
  test(`settles ${JSON.stringify(request)} (${origin})`, () => {
    const { deductions, taxable_income: taxable, tax, balance } = settleYear(request);
    const due = balance === undefined ? {} : { balance };
    assert.deepEqual({ deductions: deductions.total, taxable, tax, ...due }, settled);
  });
}

test('applies the law that is in force from January to December of a year', () => {
  for (const { effective_from } of TABLES.flat()) assert.match(effective_from, /-01$/);
  for (const year of YEARS) {
    const { tax, voluntaryPension } = annualLawOf(year);
    const monthly = lawOf(`${year}-12`, 1);
    assert.deepEqual([tax, voluntaryPension], [monthly.tax, monthly.voluntaryPension]);
  }
});

test('returns the annual brackets, rates and law of 900M in 2026 as detail', () => {
  const { taxable_income, tax, detail } = settleYear({
    year: 2026,
    income: 900_000_000,
    insurance: 0,
    detail: true,
  });
  assert.deepEqual([taxable_income, tax], [714_000_000, 100_800_000]);
  assert.deepEqual(Object.keys(detail!), [
    'reviewed_through',
    'brackets',
    'effective_rate',
    'marginal_rate',
    'law',
  ]);
  assert.equal(detail!.reviewed_through, REVIEWED_THROUGH);
  assert.deepEqual(detail!.brackets, [
    { rate: 5, from: 0, to: 120_000_000, taxable_amount: 120_000_000, tax: 6_000_000 },
    { rate: 10, from: 120_000_000, to: 360_000_000, taxable_amount: 240_000_000, tax: 24_000_000 },
    { rate: 20, from: 360_000_000, to: 720_000_000, taxable_amount: 354_000_000, tax: 70_800_000 },
    { rate: 30, from: 720_000_000, to: 1_200_000_000, taxable_amount: 0, tax: 0 },
    { rate: 35, from: 1_200_000_000, to: null, taxable_amount: 0, tax: 0 },
  ]);
  assert.deepEqual([detail!.effective_rate, detail!.marginal_rate], [11.2, 20]);
  const expenses = 'Law 109/2025/QH15 art. 11; Decree 253/2026/NĐ-CP art. 49.2';
  const pension = 'Law 109/2025/QH15 art. 8.2; Decree 253/2026/NĐ-CP art. 46.2.a';
  assert.deepEqual(
    detail!.law.map(({ rule, value, effective_from, instrument }) => [
      rule,
      value,
      effective_from,
      instrument,
    ]),
    [
      [
        'self_deduction',
        15_500_000,
        '2026-01',
        'Resolution 110/2025/UBTVQH15; Law 109/2025/QH15 art. 10.1',
      ],
      [
        'dependent_deduction',
        6_200_000,
        '2026-01',
        'Resolution 110/2025/UBTVQH15; Law 109/2025/QH15 art. 10.1',
      ],
      [
        'progressive_tax_brackets',
        undefined,
        '2026-01',
        'Law 109/2025/QH15 art. 9.2, art. 29.2; Decree 253/2026/NĐ-CP art. 69.1.a',
      ],
      ['voluntary_pension_limit', 3_000_000, '2026-01', pension],
      ['medical_limit', 23_000_000, '2026-01', `${expenses}.a`],
      ['education_limit', 24_000_000, '2026-01', `${expenses}.b`],
    ],
  );
});

test('deducts no expenses for medical care and education in 2025, and cites no limit for them', () => {
  const { detail, deductions } = settleYear({
    year: 2025,
    income: 1,
    insurance: 0,
    medical: 5e7,
    education: 5e7,
    voluntary_pension: 5e7,
    detail: true,
  });
  assert.deepEqual(
    detail!.law.map(({ rule, value }) => `${rule} ${value}`),
    [
      'self_deduction 11000000',
      'dependent_deduction 4400000',
      'progressive_tax_brackets undefined',
      'voluntary_pension_limit 1000000',
    ],
  );
  assert.deepEqual(
    [deductions.medical, deductions.education, deductions.voluntary_pension],
    [0, 0, 12_000_000],
  );
});

test('the brackets of a foreigner have as many months as the deduction until 2025, and 12 since', () => {
  for (const [year, self_months, first, rows] of [
    [2025, 9, 9 * 5_000_000, ['least_bracket_months 1 2015-01']],
    [2025, 12, 12 * 5_000_000, []],
    [2026, 9, 12 * 10_000_000, ['least_bracket_months 12 2026-01']],
  ] as const) {
    const { detail } = settleYear({ year, income: 1, insurance: 0, self_months, detail: true });
    const { brackets, law } = detail!;
    assert.equal(brackets[0]!.to, first);
    const cited = law.filter(({ rule }) => rule === 'least_bracket_months');
    assert.deepEqual(
      cited.map(({ rule, value, effective_from }) => `${rule} ${value} ${effective_from}`),
      rows,
    );
  }
});

test('accepts deductions above the income, and refunds the tax withheld', () => {
  const { taxable_income, tax, balance, detail } = settleYear({
    year: 2026,
    income: 0,
    insurance: 1e12,
    withheld: 1e12,
    detail: true,
  });
  assert.deepEqual([taxable_income, tax, balance], [0, 0, -1e12]);
  assert.deepEqual([detail!.effective_rate, detail!.marginal_rate], [0, 0]);
});

/** The requests of twelve months of a year, as a payroll sends them. */
type Months = readonly Omit<TaxRequest, 'period'>[];

/** The settlement of the months of a year, from the totals of their answers, as on a certificate of withholding. */
function settleMonths(
  year: number,
  months: Months,
): { readonly withheld: number; readonly settled: AnnualResult } {
  const results = months.map((request, index) =>
    calculateTax({ ...request, period: `${year}-${String(index + 1).padStart(2, '0')}` }),
  );
  const sumOf = (amountOf: (result: TaxResult) => number): number =>
    results.reduce((sum, result) => sum + amountOf(result), 0);
  const withheld = sumOf(({ tax }) => tax);
  const settled = settleYear({
    year,
    income: sumOf(({ gross_income, exempt_income = 0 }) => gross_income - exempt_income),
    insurance: sumOf(({ insurance }) => insurance.total),
    dependent_months: months.reduce((sum, { dependents = 0 }) => sum + dependents, 0),
    voluntary_pension: sumOf(({ voluntary_pension = 0 }) => voluntary_pension),
    withheld,
  });
  return { withheld, settled };
}

test('settles a year with a raise, a bonus, a dependent from June, and a law from July', () => {
  // A raise in April, a bonus of 60M in February, and meals of 730,000 and, from July, of 1,200,000.
  const months = Array.from({ length: 12 }, (_, index) => {
    const salary = index < 3 ? 48_000_000 : 52_000_000;
    const meals = index < 6 ? 730_000 : 1_200_000;
    return {
      income: salary + meals + (index === 1 ? 60_000_000 : 0),
      insurance_salary: salary,
      exempt_income: meals,
      dependents: index < 5 ? 0 : 1,
    };
  });
  const { withheld, settled } = settleMonths(2026, months);
  // The caps of bhxh and bhyt are 46.8M and, from July, 50.6M: 9.5 % of 6 × 46.8M and 6 × 50.6M, and 1 % of 612M.
  const insurance = 26_676_000 + 28_842_000 + 6_120_000;
  // 144M and 468M of salary and 60M of bonus, less 186M and seven months of 6.2M.
  const taxable = 672_000_000 - insurance - 186_000_000 - 43_400_000;
  assert.deepEqual(
    [settled.income, settled.deductions.insurance, settled.taxable_income],
    [672_000_000, insurance, taxable],
  );
  // 6M on the first 120M, 24M on the next 240M, and 20 % of 20,962,000.
  assert.equal(settled.tax, 34_192_400);
  // January and March, February, April and May, June, and July to December.
  assert.equal(withheld, 2 * 2_257_400 + 16_772_200 + 2 * 2_806_800 + 2_033_400 + 6 * 1_997_300);
  assert.equal(settled.balance, settled.tax - withheld);
});

test('withholds in the months at least the tax of the year, but for roundings, for 1,000 random years', () => {
  const random = seeded(2026);
  for (let count = 0; count < 1000; count += 1) {
    const salary = Math.round(10 ** (6.8 + random.next() * 2));
    const months = Array.from({ length: 12 }, () => ({
      income: Math.round(salary * random.pick([1, 1, 1, 1.2, 3]) * (0.8 + random.next())),
      dependents: random.below(3),
      ...(random.below(3) === 0 && { exempt_income: random.below(1_000_000) }),
      ...(random.below(3) === 0 && { voluntary_pension: random.below(4_000_000) }),
      ...(random.below(4) === 0 && { self_deduction: false, insurance_salary: salary }),
    }));
    const year = random.pick(YEARS);
    const { withheld, settled } = settleMonths(year, months);
    // Each of the thirteen taxes is rounded by at most half a đồng.
    assert.ok(settled.tax - withheld <= 6.5, `${year}: ${JSON.stringify(months)}`);
  }
});

const RANDOM = search(4000);

test(`returns the results of the oracle for ${RANDOM.words} random years`, () => {
  const random = seeded(12);
  const amount = (): number =>
    random.pick([() => 0, () => random.below(1e8), () => random.next() * 1e8])();
  for (let count = 0; count < RANDOM.cases; count += 1) {
    const request = {
      year: random.pick(YEARS),
      income: 10 ** (4 + random.next() * 8),
      insurance: amount(),
      dependent_months: random.below(61),
      self_months: 1 + random.below(12),
      voluntary_pension: amount(),
      charity: amount(),
      medical: amount(),
      education: amount(),
      ...(random.below(4) > 0 && { withheld: amount() }),
    };
    const { detail, ...result } = settleYear({ ...request, detail: true });
    assert.deepEqual(result, expectedYear(request), JSON.stringify(request));
    assert.deepEqual(settleYear(request), result);
    const sum = (values: readonly number[]): number =>
      values.reduce((total, value) => total + value, 0);
    assert.equal(sum(detail!.brackets.map((row) => row.taxable_amount)), result.taxable_income);
    assert.equal(sum(detail!.brackets.map((row) => row.tax)), result.tax);
  }
});

const REJECTED = vectors<[request: object, problems: readonly string[]]>('rejected-years');
for (const [request, problems] of REJECTED) {
  test(`rejects ${JSON.stringify(request)}, and reports every problem`, () => {
    assert.throws(
      () => settleYear(request as AnnualRequest),
      (error) => {
        assert.ok(error instanceof Failure && error.code === 'validation_failed');
        assert.deepEqual(
          error.details?.map(({ message }) => message),
          problems,
        );
        return true;
      },
    );
  });
}
