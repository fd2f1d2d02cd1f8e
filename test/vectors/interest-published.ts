/** Worked examples of savings that others have published, in any currency. */
import type { InterestRequest } from '../../src/interest/interest.ts';
import type { SolveRequest } from '../../src/interest/solve.ts';

/** The amounts that a source states. */
export interface StatedGrowth {
  readonly final_balance?: number;
  readonly total_profit?: number;
}

/** Savings whose stated amounts are those of the service, by their source. */
export const PUBLISHED_SAVINGS: Readonly<Record<
  string, readonly (readonly [request: InterestRequest, stated: StatedGrowth])[]
>> = {
  'Microsoft Excel, reference of the function FV': [
    [{
      principal: 500, monthly_deposit: 200, annual_rate: 6, years: 10 / 12, deposit_timing: 'start',
    },
    { final_balance: 2_581.40 }],
    [{ principal: 0, monthly_deposit: 1000, annual_rate: 12, years: 1 },
      { final_balance: 12_682.50 }],
    [{
      principal: 0, monthly_deposit: 2000, annual_rate: 11, years: 35 / 12,
      deposit_timing: 'start',
    },
    { final_balance: 82_846.25 }],
    [{
      principal: 1000, monthly_deposit: 100, annual_rate: 6, years: 1, deposit_timing: 'start',
    },
    { final_balance: 2_301.40 }],
  ],
  'numpy.org/doc/1.18/reference/generated/numpy.fv.html': [
    [{ principal: 100, monthly_deposit: 100, annual_rate: 5, years: 10, decimals: 6 },
      { final_balance: 15_692.928894 }],
  ],
  'github.com/AZTomiq/ztools.site, tests/features/compound-interest.test.js': [
    [{ principal: 10_000_000, annual_rate: 10, years: 2, compounding: 'annually' },
      { final_balance: 12_100_000, total_profit: 2_100_000 }],
  ],
  'github.com/AZTomiq/ztools.site, tests/features/savings-interest.test.js': [
    [{ principal: 100_000_000, annual_rate: 6, years: 1, compounding: 'annually' },
      { final_balance: 106_000_000, total_profit: 6_000_000 }],
    [{ principal: 100_000_000, annual_rate: 6, years: 0.5, compounding: 'annually' },
      { total_profit: 3_000_000 }],
  ],
};

const DAYS = 'Banks count the days of the six months, 182, over 365; here, months are equal.';

/** Savings whose stated profit differs from that of the service, with the reason. */
export const DEVIATING_SAVINGS: readonly (readonly [
  source: string, request: InterestRequest, stated: number, returned: number, reason: string,
])[] = [
  ['Circular 14/2017/TT-NHNN art. 5: 100,000,000 × 6 % × 182 / 365',
    { principal: 100_000_000, annual_rate: 6, years: 0.5, compounding: 'annually' },
    2_991_781, 3_000_000, DAYS],
];

const CENTS = 'The service rounds up, because an amount that is rounded down misses the goal.';
const MONTHS = 'The service returns the first month in which the goal is reached.';

/** Goals whose stated values differ from those of the service; terms are in months. */
export const DEVIATING_GOALS: readonly (readonly [
  source: string, request: SolveRequest, stated: number, returned: number, reason: string,
])[] = [
  ['Microsoft Excel, reference of the function PMT',
    { solve_for: 'monthly_deposit', target: 50_000, principal: 0, annual_rate: 6, years: 18 },
    129.08, 129.09, CENTS],
  ['numpy.org/doc/1.19/reference/generated/numpy.pv.html',
    {
      solve_for: 'principal', target: 15_692.93, monthly_deposit: 100, annual_rate: 5, years: 10,
    },
    100.00067131625819, 100.01, CENTS],
  ['Microsoft Excel, reference of the function NPER, payments at the start',
    {
      solve_for: 'years', target: 10_000, principal: 1000, monthly_deposit: 100, annual_rate: 12,
      deposit_timing: 'start',
    },
    59.6738657, 60, MONTHS],
  ['Microsoft Excel, reference of the function NPER, payments at the end',
    {
      solve_for: 'years', target: 10_000, principal: 1000, monthly_deposit: 100, annual_rate: 12,
    },
    60.0821229, 61, MONTHS],
];
