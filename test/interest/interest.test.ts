import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { calculateInterest } from '../../src/interest/interest.ts';
import type { Plan } from '../../src/interest/plan.ts';
import { expectedInterest } from '../helpers/interest-oracle.ts';
import { hardPlan, OPTIONS, randomPlan } from '../helpers/plans.ts';
import { seeded } from '../helpers/random.ts';

const PLAN: Plan = {
  principal: 0,
  monthly_deposit: 0,
  annual_rate: 0,
  years: 1,
  compounding: 'monthly',
  deposit_timing: 'end',
  decimals: 2,
  timeline: 'yearly',
};

/** Calculates a plan, and compares the result with that of the oracle. */
function calculate(changes: Partial<Plan>): ReturnType<typeof calculateInterest> {
  const request = { ...PLAN, ...changes };
  const result = calculateInterest(request);
  assert.deepEqual(result, expectedInterest(request), JSON.stringify(request));
  return result;
}

/** The results of a spreadsheet for FV(rate, periods, payment, present value, 1 for payment at the start). */
const FUTURE_VALUES: readonly [call: string, plan: Partial<Plan>, balance: number][] = [
  [
    'FV(8%/12,120,-1000,-10000,0)',
    { annual_rate: 8, years: 10, monthly_deposit: 1000, principal: 10_000 },
    205_142.44,
  ],
  [
    'FV(8%/12,120,-1000,-10000,1)',
    {
      annual_rate: 8,
      years: 10,
      monthly_deposit: 1000,
      principal: 10_000,
      deposit_timing: 'start',
    },
    206_362.08,
  ],
  [
    'FV(8.5%/12,18,-5000000,-100000000,0)',
    { annual_rate: 8.5, years: 1.5, monthly_deposit: 5_000_000, principal: 100_000_000 },
    209_176_447.85,
  ],
  [
    'FV(6%/12,240,-500,0,1)',
    { annual_rate: 6, years: 20, monthly_deposit: 500, deposit_timing: 'start' },
    232_175.55,
  ],
  [
    'FV(12%/12,360,-2000000,-50000000,0)',
    { annual_rate: 12, years: 30, monthly_deposit: 2_000_000, principal: 50_000_000 },
    8_787_410_331.92,
  ],
  [
    'FV(5%/4,40,0,-10000)',
    { annual_rate: 5, years: 10, principal: 10_000, compounding: 'quarterly' },
    16_436.19,
  ],
  [
    'FV(6%/2,10,0,-1000)',
    { annual_rate: 6, years: 5, principal: 1000, compounding: 'semiannually' },
    1343.92,
  ],
  [
    'FV(7%,30,0,-1000)',
    { annual_rate: 7, years: 30, principal: 1000, compounding: 'annually' },
    7612.26,
  ],
  ['FV(500%/12,12,0,-1)', { annual_rate: 500, years: 1, principal: 1 }, 65.34],
  [
    'FV(500%/12,1200,-1,-1,0)',
    { annual_rate: 500, years: 100, principal: 1, monthly_deposit: 1 },
    1.1289879687595453e182,
  ],
  [
    'FV(1%/12,1200,-10,-1,0)',
    { annual_rate: 1, years: 100, principal: 1, monthly_deposit: 10 },
    20_608.52,
  ],
  ['FV(-5%/12,12,-100,-1000)', { annual_rate: -5, principal: 1000, monthly_deposit: 100 }, 2124.01],
  ['FV(-100%/12,12,0,-1000)', { annual_rate: -100, principal: 1000 }, 352],
  ['FV(0%,24,-100,-1000)', { years: 2, principal: 1000, monthly_deposit: 100 }, 3400],
];
for (const [call, plan, balance] of FUTURE_VALUES) {
  test(`returns the balance of ${call}: ${balance}`, () =>
    assert.equal(calculate(plan).final_balance, balance));
}

type Amounts = [balance: number, deposited: number, profit: number];

/** A year at −96 % turns a balance B and deposits D into 0.04 B + 6.72 D: a balance of 7 D, 5.005, stays constant. */
const STEADY = {
  annual_rate: -96,
  monthly_deposit: 0.715,
  compounding: 'annually',
  years: 60,
} as const;

/** Plans that can be calculated by hand. */
const WORKED: readonly [working: string, plan: Partial<Plan>, ...Amounts][] = [
  [
    '12 % quarterly, 3 months of 100 at the end: 100 × 2 % + 100 × 1 %',
    { annual_rate: 12, years: 0.25, monthly_deposit: 100, compounding: 'quarterly' },
    303,
    300,
    3,
  ],
  [
    '12 % quarterly, 3 months of 100 at the start: 100 × 3 % + 100 × 2 % + 100 × 1 %',
    {
      annual_rate: 12,
      years: 0.25,
      monthly_deposit: 100,
      compounding: 'quarterly',
      deposit_timing: 'start',
    },
    306,
    300,
    6,
  ],
  [
    '12 % quarterly, 6 months of 100 at the end: 303 × 1.03 + 303',
    { annual_rate: 12, years: 0.5, monthly_deposit: 100, compounding: 'quarterly' },
    615.09,
    600,
    15.09,
  ],
  [
    '10 % annually for 18 months: 1000 × 1.1, then 6 months of simple interest, × 1.05',
    { annual_rate: 10, years: 1.5, principal: 1000, compounding: 'annually' },
    1155,
    1000,
    155,
  ],
  [
    '12 % for 2 months of 100 at the start: (100 × 1.01 + 100) × 1.01',
    { annual_rate: 12, years: 1 / 6, monthly_deposit: 100, deposit_timing: 'start' },
    203.01,
    200,
    3.01,
  ],
  [
    'rounds half away from zero: 0.495 and −0.005 after a month of 0.5 at −12 %',
    { annual_rate: -12, years: 1 / 12, principal: 0.5 },
    0.5,
    0.5,
    -0.01,
  ],
  [
    'rounds the decimal as written: 1.005 is a half, although its double is less',
    { principal: 1.005 },
    1.01,
    1.01,
    0,
  ],
  [
    'returns 0, never −0, for a loss below half a cent',
    { annual_rate: -100, years: 1 / 12, principal: 0.0049 },
    0,
    0,
    0,
  ],
  [
    'keeps a half exact for 30 years: −1 % of 100.005 equals the deposit',
    {
      annual_rate: -12,
      years: 30,
      principal: 100.005,
      monthly_deposit: 1.00005,
      timeline: 'monthly',
    },
    100.01,
    460.02,
    -360.02,
  ],
  [
    'keeps a half exact for 60 years, compounded annually',
    { ...STEADY, principal: 5.005 },
    5.01,
    519.81,
    -514.8,
  ],
  ['rounds up 3 × 10^-82 above a half', { ...STEADY, principal: 200 }, 5.01, 714.8, -709.79],
  ['rounds down 7 × 10^-84 below a half', { ...STEADY, principal: 0 }, 5, 514.8, -509.8],
  [
    'rounds −0.5 + 0.5 × 0.75^128 to 0: 32 years at −25 % per quarter',
    { annual_rate: -100, years: 32, principal: 0.5, compounding: 'quarterly', decimals: 0 },
    0,
    1,
    0,
  ],
  [
    'rounds half a step up for 100 years: 10^9 + 0.0000005',
    { principal: 1e9 + 0.0000005, years: 100, decimals: 6 },
    1_000_000_000.000001,
    1_000_000_000.000001,
    0,
  ],
  [
    '1000001 × 2^29 × 6^21 is in the middle of two doubles, of which the even one is nearest',
    { annual_rate: 500, years: 21, principal: 1_000_001 * 2 ** 29, compounding: 'annually' },
    1.1777322474109341e31,
    536_871_448_870_912,
    1.177732247410934e31,
  ],
  ['returns 0 for a plan without a principal and deposits', { annual_rate: 8.5 }, 0, 0, 0],
];
for (const [working, plan, balance, deposited, profit] of WORKED) {
  test(`returns the amounts worked out by hand: ${working}`, () => {
    const { final_balance, total_deposited, total_profit } = calculate(plan);
    assert.deepEqual([final_balance, total_deposited, total_profit], [balance, deposited, profit]);
  });
}

const EFFECTIVE_RATES: readonly [annual_rate: number, Plan['compounding'], effective: number][] = [
  [8.5, 'monthly', 8.839091],
  [8.5, 'quarterly', 8.774796],
  [8.5, 'semiannually', 8.680625],
  [8.5, 'annually', 8.5],
  [12, 'monthly', 12.682503],
  [12, 'quarterly', 12.550881],
  [12, 'semiannually', 12.36],
  [0, 'monthly', 0],
  [500, 'monthly', 6434.496113],
  [500, 'annually', 500],
  [-100, 'monthly', -64.800437],
  [-100, 'annually', -100],
  [-5, 'monthly', -4.886993],
  [1e-10, 'monthly', 0],
  [-1e-10, 'monthly', 0],
];
for (const [annual_rate, compounding, effective] of EFFECTIVE_RATES) {
  test(`gives ${effective} % per year for ${annual_rate} % ${compounding}, independent of the term`, () => {
    for (const years of [1 / 12, 1, 7]) {
      assert.equal(calculate({ annual_rate, compounding, years }).effective_annual_rate, effective);
    }
  });
}

const YEARS: readonly [timeline: Plan['timeline'], years: number, rows: number[]][] = [
  ['yearly', 3, [1, 2, 3]],
  ['yearly', 1.5, [1, 1.5]],
  ['yearly', 0.25, [0.25]],
  ['yearly', 0.0833333, [1 / 12]],
  ['monthly', 0.5, [1 / 12, 2 / 12, 3 / 12, 4 / 12, 5 / 12, 6 / 12]],
  ['none', 3, []],
  ['monthly', 100, Array.from({ length: 1200 }, (_, index) => (index + 1) / 12)],
  ['yearly', 100, Array.from({ length: 100 }, (_, index) => index + 1)],
];
for (const [timeline, years, rows] of YEARS) {
  test(`returns ${rows.length} rows for the ${timeline} timeline of ${years} years`, () => {
    const result = calculate({
      timeline,
      years,
      principal: 100,
      annual_rate: 12,
      monthly_deposit: 1,
    });
    assert.deepEqual(
      result.timeline.map((row) => row.year),
      rows,
    );
    assert.equal(result.years, years);
  });
}

test('returns the members in the order of the contract', () => {
  const result = calculate({ principal: 1000, monthly_deposit: 10, annual_rate: 5 });
  assert.deepEqual(Object.keys(result), [
    'initial_principal',
    'monthly_deposit',
    'annual_rate_percent',
    'years',
    'final_balance',
    'total_deposited',
    'total_profit',
    'effective_annual_rate',
    'timeline',
  ]);
  assert.deepEqual(Object.keys(result.timeline[0]!), [
    'year',
    'total_balance',
    'total_deposited',
    'total_interest',
  ]);
});

describe('returns the amounts of exact fractions', () => {
  const terms: readonly [cases: number, longest: number][] = [
    [3000, 24],
    [400, 120],
    [30, 400],
  ];
  for (const [cases, longest] of terms) {
    test(`in ${cases} random plans of up to ${longest} months`, () => {
      const random = seeded(longest);
      for (let count = 0; count < cases; count += 1)
        calculate(randomPlan(random, 1 + random.below(longest)));
    });
  }

  for (const [cases, longest] of [
    [3000, 30],
    [60, 400],
  ] as const) {
    test(`in ${cases} plans with ties, near ties and numbers of 17 digits over up to ${longest} months`, () => {
      const random = seeded(longest);
      for (let count = 0; count < cases; count += 1)
        calculate(hardPlan(random, 1 + random.below(longest)));
    });
  }

  test('in 40 such plans over 100 years', () => {
    const random = seeded(100);
    for (let count = 0; count < 40; count += 1)
      calculate({ ...hardPlan(random, 1200), timeline: 'yearly' });
  });

  test('in every combination of options over 14 months', () => {
    const plan = { principal: 1000.005, monthly_deposit: 10.05, annual_rate: 7.3, years: 14 / 12 };
    for (const compounding of OPTIONS.compounding) {
      for (const deposit_timing of OPTIONS.deposit_timing) {
        for (const decimals of OPTIONS.decimals) {
          for (const timeline of OPTIONS.timeline) {
            calculate({ ...plan, compounding, deposit_timing, decimals, timeline });
          }
        }
      }
    }
  });

  const century: readonly [annual_rate: number, compounding: Plan['compounding']][] = [
    [8.5, 'monthly'],
    [-100, 'quarterly'],
    [500, 'annually'],
    [1e-10, 'monthly'],
    [7.123456789012345, 'semiannually'],
  ];
  for (const [annual_rate, compounding] of century) {
    test(`in each month of 100 years at ${annual_rate} % ${compounding}`, () => {
      calculate({
        principal: 1.005,
        monthly_deposit: 0.1,
        annual_rate,
        compounding,
        years: 100,
        timeline: 'monthly',
      });
    });
  }
});

test('treats a deposit at the start of a month as a deposit at the end of the previous month', () => {
  const random = seeded(1);
  for (let count = 0; count < 300; count += 1) {
    const plan = {
      ...randomPlan(random, 1 + random.below(60)),
      principal: random.below(1000),
      monthly_deposit: 25,
    };
    const atStart = calculateInterest({ ...plan, decimals: 0, deposit_timing: 'start' });
    const early = {
      ...plan,
      decimals: 0,
      principal: plan.principal + 25,
      deposit_timing: 'end',
    } as const;
    assert.equal(
      atStart.final_balance,
      calculateInterest(early).final_balance - 25,
      JSON.stringify(plan),
    );
  }
});
