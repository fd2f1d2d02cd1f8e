import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { TaxDetail, TaxResult } from '../../src/tax/contract.ts';
import { lawOf } from '../../src/tax/law.ts';
import { calculateTax, type TaxRequest } from '../../src/tax/tax.ts';
import { seeded } from '../helpers/random.ts';
import { ERAS, halfUp, REGIONS } from '../helpers/tax-oracle.ts';

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

test('returns no detail unless the request asks for it', () => {
  assert.equal('detail' in calculateTax({ income: 30_000_000, period: '2026-08' }), false);
});

test('returns the detail of 200M in 2026-07, region 4', () => {
  const { law, ...rest } = detailed({ income: 200_000_000, region: 4 }, '2026-07').detail;
  // bhxh 4,048,000, bhyt 759,000 and bhtn 740,000 leave 194,453,000, of which 178,953,000 are over 15.5M.
  assert.deepEqual(rest, {
    period: '2026-07',
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
      total: 11_113_000,
      cost: 211_113_000,
    },
    effective_rate: 24.07,
    marginal_rate: 35,
  });
  assert.deepEqual(Object.keys({ ...rest, law }), [
    'period',
    'region',
    'insurance_base',
    'brackets',
    'employer',
    'effective_rate',
    'marginal_rate',
    'law',
  ]);
});

test('returns the detail of a non-resident foreigner who is paid for 2026-06 in 2026-07', () => {
  const request = {
    income: 50_000_000,
    taxation: 'non_resident',
    foreigner: true,
    paid_in: '2026-07',
  } as const;
  const { law, ...rest } = detailed(request, '2026-06').detail;
  assert.deepEqual(rest, {
    period: '2026-06',
    paid_in: '2026-07',
    region: 1,
    insurance_base: { bhxh: 46_800_000, bhyt: 46_800_000, bhtn: 50_000_000 },
    brackets: [{ rate: 20, from: 0, to: null, taxable_amount: 50_000_000, tax: 10_000_000 }],
    employer: { bhxh: 8_190_000, bhyt: 1_404_000, bhtn: 0, total: 9_594_000, cost: 59_594_000 },
    effective_rate: 20,
    marginal_rate: 20,
  });
  assert.deepEqual(Object.keys({ ...rest, law }), [
    'period',
    'paid_in',
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
      ['flat_tax_rate', 20, '2026-07', 'Law 109/2025/QH15 art. 21'],
      ['flat_tax_threshold', 0, '2026-07', 'Law 109/2025/QH15 art. 21'],
    ],
  );
});

test('returns the detail of a short-term payment below and at the threshold of 2026-08', () => {
  const at = (income: number): unknown[] => {
    const { brackets, marginal_rate, effective_rate, law } = detailed(
      { income, taxation: 'short_term' },
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

const EMPLOYER: readonly [working: string, period: string, employer: readonly number[]][] = [
  [
    '2017-05, 30M: 18 % and 3 % of 24.2M, 1 % of 30M',
    '2017-05',
    [4_356_000, 726_000, 300_000, 5_382_000, 35_382_000],
  ],
  [
    '2017-06, 30M: 17.5 % and 3 % of 24.2M, 1 % of 30M',
    '2017-06',
    [4_235_000, 726_000, 300_000, 5_261_000, 35_261_000],
  ],
  [
    '2021-06, 30M: 17.5 % and 3 % of 29.8M, 1 % of 30M',
    '2021-06',
    [5_215_000, 894_000, 300_000, 6_409_000, 36_409_000],
  ],
  [
    '2021-07, 30M: 17 % instead of 17.5 %',
    '2021-07',
    [5_066_000, 894_000, 300_000, 6_260_000, 36_260_000],
  ],
  ['2021-10, 30M: no bhtn', '2021-10', [5_066_000, 894_000, 0, 5_960_000, 35_960_000]],
  ['2022-07, 30M: 17.5 % again', '2022-07', [5_215_000, 894_000, 0, 6_109_000, 36_109_000]],
  ['2022-10, 30M: bhtn again', '2022-10', [5_215_000, 894_000, 300_000, 6_409_000, 36_409_000]],
];
for (const [working, period, [bhxh, bhyt, bhtn, total, cost]] of EMPLOYER) {
  test(`returns the contributions of the employer, ${working}`, () => {
    const { employer } = detailed({ income: 30_000_000 }, period).detail;
    assert.deepEqual(employer, { bhxh, bhyt, bhtn, total, cost });
  });
}

const BASES: readonly [working: string, request: Partial<TaxRequest>, base: readonly number[]][] = [
  [
    'the gross income, below the caps',
    { income: 30_000_000 },
    [30_000_000, 30_000_000, 30_000_000],
  ],
  ['20 × 2.53M caps bhxh and bhyt', { income: 80_000_000 }, [50_600_000, 50_600_000, 80_000_000]],
  [
    '20 × 4.73M caps bhtn in region 2',
    { income: 1e9, region: 2 },
    [50_600_000, 50_600_000, 94_600_000],
  ],
  [
    'a separate salary',
    { income: 80_000_000, insurance_salary: 5_000_000.5 },
    [5_000_001, 5_000_001, 5_000_001],
  ],
  [
    'a separate salary above the caps',
    { income: 80_000_000, insurance_salary: 1e12 },
    [50_600_000, 50_600_000, 106_200_000],
  ],
  ['no insurance', { income: 80_000_000, insurance_salary: 0 }, [0, 0, 0]],
];
for (const [working, request, [bhxh, bhyt, bhtn]] of BASES) {
  test(`returns the insurance base, 2026-08: ${working}`, () => {
    assert.deepEqual(detailed(request, '2026-08').detail.insurance_base, { bhxh, bhyt, bhtn });
  });
}

/** Without insurance, the first 15.5M are free of tax; the next 10M are taxed at 5 %, and the next 20M at 10 %. */
const RATES: readonly [
  working: string,
  request: Partial<TaxRequest>,
  effective: number,
  marginal: number,
][] = [
  ['no income', { income: 0 }, 0, 0],
  ['no taxable income', { income: 15_500_000 }, 0, 0],
  ['225,000 of 20M is 1.125 %, a half', { income: 20_000_000 }, 1.13, 5],
  ['465,000 of 24.8M is 1.875 %, a half', { income: 24_800_000 }, 1.88, 5],
  [
    '500,000 of 25.5M is 1.9607… %; a taxable income of 10M is in the first bracket',
    { income: 25_500_000 },
    1.96,
    5,
  ],
  ['a taxable income of 10,000,001 is in the second bracket', { income: 25_500_001 }, 1.96, 10],
  [
    '2,500,000 of 45.5M is 5.4945… %; a taxable income of 30M is in the second bracket',
    { income: 45_500_000 },
    5.49,
    10,
  ],
  ['a taxable income of 30,000,001 is in the third bracket', { income: 45_500_001 }, 5.49, 20],
  [
    'with insurance on 7,777,777: 460,400,054,716 of 1,315,616,672,999 is 4 × 10^-15 below 34.995 %',
    { type: 'net', income: 855_215_801_616, dependents: 21, insurance_salary: 7_777_777 },
    34.99,
    35,
  ],
];
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
function lawRows(period: string): (string | number)[][] {
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
      'self_deduction 15500000 2026-01',
      'dependent_deduction 6200000 2026-01',
      'progressive_tax_brackets 5 2026-01',
    ],
  );
});

const CHANGES: readonly [
  period: string,
  rule: string,
  value: number,
  from: string,
  instrument: string,
][] = [
  ['2026-06', 'base_salary', 2_340_000, '2024-07', 'Decree 73/2024/NĐ-CP'],
  ['2026-07', 'base_salary', 2_530_000, '2026-07', 'Decree 161/2026/NĐ-CP'],
  ['2022-06', 'minimum_wage', 4_420_000, '2020-01', 'Decree 90/2019/NĐ-CP'],
  ['2022-07', 'minimum_wage', 4_680_000, '2022-07', 'Decree 38/2022/NĐ-CP'],
  ['2019-12', 'self_deduction', 9_000_000, '2015-01', 'Law 26/2012/QH13 art. 1.4'],
  ['2020-01', 'self_deduction', 11_000_000, '2020-01', 'Resolution 954/2020/UBTVQH14'],
  ['2025-12', 'dependent_deduction', 4_400_000, '2020-01', 'Resolution 954/2020/UBTVQH14'],
  [
    '2026-01',
    'dependent_deduction',
    6_200_000,
    '2026-01',
    'Resolution 110/2025/UBTVQH15; Law 109/2025/QH15 art. 10.1',
  ],
  ['2025-12', 'progressive_tax_brackets', 7, '2015-01', 'Law 04/2007/QH12 art. 22'],
  ['2017-05', 'employer_bhxh_rate', 18, '2016-01', 'Law 58/2014/QH13 art. 86'],
  ['2025-06', 'employee_bhxh_rate', 8, '2016-01', 'Law 58/2014/QH13 art. 85'],
  ['2025-07', 'employee_bhxh_rate', 8, '2025-07', 'Law 41/2024/QH15 art. 33.1'],
  ['2022-09', 'employer_bhtn_rate', 0, '2021-10', 'Resolution 116/NQ-CP; Decision 28/2021/QĐ-TTg'],
  ['2022-10', 'employer_bhtn_rate', 1, '2022-10', 'Law 38/2013/QH13 art. 57'],
];
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
    ];
    assert.deepEqual(
      Object.values(employer),
      [...shares, sum(shares), gross_income + sum(shares)],
      label,
    );
  }
});
