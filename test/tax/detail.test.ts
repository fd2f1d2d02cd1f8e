import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { TaxDetail, TaxResult } from '../../src/tax/contract.ts';
import { lawOf, REVIEWED_THROUGH } from '../../src/tax/law.ts';
import { calculateTax, type TaxRequest } from '../../src/tax/tax.ts';
import { seeded } from '../helpers/random.ts';
import { ERAS, halfUp, REGIONS } from '../helpers/tax-oracle.ts';
import { vectors } from '../helpers/vectors.ts';

type Detailed = TaxResult & { readonly detail: TaxDetail };

function detailed(request: Partial<TaxRequest>, period: string): Detailed {
  const result = calculateTax({ income: 0, ...request, period, detail: true });
  const { detail } = result;
  assert.ok(detail !== undefined);
  return { ...result, detail };
}

function sum(amounts: readonly number[]): number {
  return amounts.reduce((total, amount) => total + amount, 0);
}

test('returns the detail of 200M in 2026-07, region 4', () => {
  const { law: _, ...rest } = detailed({ income: 200_000_000, region: 4 }, '2026-07').detail;
  // bhxh 4,048,000, bhyt 759,000 and bhtn 740,000 leave 194,453,000, of which 178,953,000 are over 15.5M.
  assert.deepEqual(rest, {
    period: '2026-07',
    reviewed_through: REVIEWED_THROUGH,
    region: 4,
    insurance_base: { bhxh: 50_600_000, bhyt: 50_600_000, bhtn: 74_000_000 },
    brackets: [
      { rate: 5, from: 0, to: 10_000_000, taxable_amount: 10_000_000, tax: 500_000 },
      { rate: 10, from: 10_000_000, to: 30_000_000, taxable_amount: 20_000_000, tax: 2_000_000 },
      { rate: 20, from: 30_000_000, to: 60_000_000, taxable_amount: 30_000_000, tax: 6_000_000 },
      { rate: 30, from: 60_000_000, to: 100_000_000, taxable_amount: 40_000_000, tax: 12_000_000 },
      { rate: 35, from: 100_000_000, to: null, taxable_amount: 78_953_000, tax: 27_633_550 },
    ],
    employer: {
      bhxh: 8_855_000,
      bhyt: 1_518_000,
      bhtn: 740_000,
      // 2 % of the cap of 50.6M.
      union_fund: 1_012_000,
      total: 12_125_000,
      cost: 212_125_000,
    },
    effective_rate: 24.07,
    marginal_rate: 35,
  });
});

test('returns the detail of a non-resident foreigner who is paid for 2026-06 in 2026-07', () => {
  const request = {
    income: 50_000_000,
    taxation: 'non_resident',
    foreigner: true,
    insurance_salary: 50_000_000,
    paid_in: '2026-07',
  } as const;
  const { law, ...rest } = detailed(request, '2026-06').detail;
  assert.deepEqual(rest, {
    period: '2026-06',
    paid_in: '2026-07',
    reviewed_through: REVIEWED_THROUGH,
    region: 1,
    insurance_base: { bhxh: 46_800_000, bhyt: 46_800_000, bhtn: 50_000_000 },
    brackets: [{ rate: 20, from: 0, to: null, taxable_amount: 50_000_000, tax: 10_000_000 }],
    employer: {
      bhxh: 8_190_000,
      bhyt: 1_404_000,
      bhtn: 0,
      union_fund: 936_000,
      total: 10_530_000,
      cost: 60_530_000,
    },
    effective_rate: 20,
    marginal_rate: 20,
  });
  assert.deepEqual(Object.keys({ ...rest, law }), [
    'period',
    'paid_in',
    'reviewed_through',
    'region',
    'insurance_base',
    'brackets',
    'employer',
    'effective_rate',
    'marginal_rate',
    'law',
  ]);
  assert.deepEqual(
    law.map(({ rule, value, effective_from, instrument }) => [
      rule,
      value,
      effective_from,
      instrument,
    ]),
    [
      ['base_salary', 2_340_000, '2024-07', 'Decree 73/2024/NĐ-CP'],
      ['minimum_wage', 5_310_000, '2026-01', 'Decree 293/2025/NĐ-CP'],
      ['employee_bhxh_rate', 8, '2025-07', 'Law 41/2024/QH15 art. 33.1'],
      ['employee_bhyt_rate', 1.5, '2025-07', 'Law 51/2024/QH15; Decree 188/2025/NĐ-CP'],
      ['employee_bhtn_rate', 0, '2026-01', 'Law 74/2025/QH15 art. 31'],
      [
        'employer_bhxh_rate',
        17.5,
        '2025-07',
        'Law 41/2024/QH15 art. 34.1; Decree 58/2020/NĐ-CP art. 4',
      ],
      ['employer_bhyt_rate', 3, '2025-07', 'Law 51/2024/QH15; Decree 188/2025/NĐ-CP'],
      ['employer_bhtn_rate', 0, '2026-01', 'Law 74/2025/QH15 art. 31'],
      [
        'union_fund_rate',
        2,
        '2026-05',
        'Law 50/2024/QH15 art. 29.1.b, amended by Law 97/2025/QH15 art. 2.8; Decree 105/2026/NĐ-CP art. 2.1',
      ],
      ['flat_tax_rate', 20, '2026-07', 'Law 109/2025/QH15 art. 21'],
      ['flat_tax_threshold', 0, '2026-07', 'Law 109/2025/QH15 art. 21'],
    ],
  );
});

test('returns the detail of a short-term payment below and at the threshold of 2026-08', () => {
  const at = (income: number): unknown[] => {
    const { brackets, marginal_rate, effective_rate, law } = detailed(
      { income, taxation: 'short_term', insurance_salary: income },
      '2026-08',
    ).detail;
    return [
      brackets,
      marginal_rate,
      effective_rate,
      ...law.slice(-2).map(({ rule, value }) => `${rule} ${value}`),
    ];
  };
  const law = ['flat_tax_rate 10', 'flat_tax_threshold 5000000'];
  assert.deepEqual(at(4_999_999), [
    [{ rate: 10, from: 0, to: null, taxable_amount: 0, tax: 0 }],
    0,
    0,
    ...law,
  ]);
  assert.deepEqual(at(5_000_000), [
    [{ rate: 10, from: 0, to: null, taxable_amount: 5_000_000, tax: 500_000 }],
    10,
    10,
    ...law,
  ]);
});

const EMPLOYER =
  vectors<[working: string, period: string, employer: readonly number[]]>('employer-contributions');
for (const [working, period, [bhxh, bhyt, bhtn, total, cost]] of EMPLOYER) {
  test(`returns the contributions of the employer, ${working}`, () => {
    const { employer } = detailed({ income: 30_000_000, union_fund: false }, period).detail;
    assert.deepEqual(employer, { bhxh, bhyt, bhtn, total, cost });
  });
}

const BASES =
  vectors<[working: string, request: Partial<TaxRequest>, base: readonly number[]]>(
    'insurance-bases',
  );
for (const [working, request, [bhxh, bhyt, bhtn]] of BASES) {
  test(`returns the insurance base, 2026-08: ${working}`, () => {
    assert.deepEqual(detailed(request, '2026-08').detail.insurance_base, { bhxh, bhyt, bhtn });
  });
}

/** Without insurance, the first 15.5M are free of tax; the next 10M are taxed at 5 %, and the next 20M at 10 %. */
const RATES =
  vectors<[working: string, request: Partial<TaxRequest>, effective: number, marginal: number]>(
    'tax-rates',
  );
for (const [working, request, effective, marginal] of RATES) {
  test(`rounds the effective rate half up, and returns the marginal rate, 2026-08: ${working}`, () => {
    const { effective_rate, marginal_rate } = detailed(
      { insurance_salary: 0, ...request },
      '2026-08',
    ).detail;
    assert.deepEqual(
      { effective_rate, marginal_rate },
      { effective_rate: effective, marginal_rate: marginal },
    );
  });
}

/** The rows of the law in one month, region 1, as [rule, value, first month, instrument]. */
function lawRows(period: string): (string | number | undefined)[][] {
  return detailed({ income: 30_000_000 }, period).detail.law.map(
    ({ rule, value, effective_from, instrument }) => [rule, value, effective_from, instrument],
  );
}

test('cites each value of the law that it applies, 2026-07', () => {
  assert.deepEqual(
    lawRows('2026-07').map(([rule, value, from]) => `${rule} ${value} ${from}`),
    [
      'base_salary 2530000 2026-07',
      'minimum_wage 5310000 2026-01',
      'employee_bhxh_rate 8 2025-07',
      'employee_bhyt_rate 1.5 2025-07',
      'employee_bhtn_rate 1 2026-01',
      'employer_bhxh_rate 17.5 2025-07',
      'employer_bhyt_rate 3 2025-07',
      'employer_bhtn_rate 1 2026-01',
      'union_fund_rate 2 2026-05',
      'self_deduction 15500000 2026-01',
      'dependent_deduction 6200000 2026-01',
      'progressive_tax_brackets undefined 2026-01',
    ],
  );
});

test('cites the brackets without a value, which they have themselves', () => {
  for (const [period, since] of [
    ['2025-12', '2015-01'],
    ['2026-01', '2026-01'],
  ] as const) {
    const [row, ...others] = detailed({ income: 30_000_000 }, period).detail.law.filter(
      ({ rule }) => rule === 'progressive_tax_brackets',
    );
    assert.deepEqual(Object.keys(row!), ['rule', 'effective_from', 'instrument']);
    assert.deepEqual([row!.effective_from, others], [since, []]);
  }
});

const CHANGES =
  vectors<[period: string, rule: string, value: number, from: string, instrument: string]>(
    'cited-rows',
  );
for (const [period, ...row] of CHANGES) {
  test(`cites the row in force in ${period}: ${row.join(', ')}`, () => {
    assert.deepEqual(
      lawRows(period).filter(([rule]) => rule === row[0]),
      [row],
    );
  });
}

test('returns a detail that adds up to the result, for 3,000 random salaries of every era', () => {
  const random = seeded(36);
  for (let count = 0; count < 3000; count += 1) {
    const [period, region] = [random.pick(ERAS), random.pick(REGIONS)];
    const request = {
      income: Math.round(10 ** (4 + random.next() * 8)),
      region,
      dependents: random.below(6),
      union_fund: random.below(2) === 0,
    };
    const { gross_income, taxable_income, tax, detail } = detailed(request, period);
    const { brackets, employer, insurance_base, effective_rate, marginal_rate } = detail;
    const label = `${JSON.stringify(request)} in ${period}`;
    assert.equal(sum(brackets.map((row) => row.taxable_amount)), taxable_income, label);
    assert.equal(sum(brackets.map((row) => row.tax)), tax, label);
    assert.deepEqual(
      brackets.map((row) => row.from),
      [0, ...brackets.map((row) => row.to)].slice(0, -1),
      label,
    );
    assert.deepEqual(
      brackets.filter((row) => row.taxable_amount > 0),
      brackets.filter((row) => row.from < taxable_income),
      label,
    );
    assert.equal(
      marginal_rate,
      brackets.findLast((row) => row.from < taxable_income)?.rate ?? 0,
      label,
    );
    assert.equal(
      effective_rate,
      Number(halfUp(BigInt(tax) * 10_000n, BigInt(gross_income))) / 100,
      label,
    );
    const { bhxh, bhyt, bhtn } = lawOf(period, region).employerRates;
    const share = (base: number, percent: number): number =>
      Number(halfUp(BigInt(base) * BigInt(percent * 10), 1000n));
    const shares = [
      share(insurance_base.bhxh, bhxh.value),
      share(insurance_base.bhyt, bhyt.value),
      share(insurance_base.bhtn, bhtn.value),
      ...(request.union_fund ? [share(insurance_base.bhxh, 2)] : []),
    ];
    assert.deepEqual(
      Object.values(employer),
      [...shares, sum(shares), gross_income + sum(shares)],
      label,
    );
  }
});
