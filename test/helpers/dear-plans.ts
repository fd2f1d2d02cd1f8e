/** Requests for interest that are expensive: many rows with ties, near ties, or amounts of nearly 16 digits. */
import { calculateInterest } from '../../src/interest/interest.ts';
import type { Plan } from '../../src/interest/plan.ts';
import type { SolveRequest } from '../../src/interest/solve.ts';
import { convergingPlan, hardPlan, OPTIONS, randomPlan, withoutLoss } from './plans.ts';
import type { Random } from './random.ts';

/** 1,200 rows of the longest amounts. */
const ROWS = {
  principal: 0,
  monthly_deposit: 0,
  years: 100,
  compounding: 'monthly',
  deposit_timing: 'end',
  decimals: 6,
  timeline: 'monthly',
} as const;

/** The most expensive plans that searches have found, by their kind. */
export const DEAR_PLANS: Readonly<Record<string, Plan>> = {
  'a loss of nearly all': {
    ...ROWS,
    principal: 0.5713064999999999,
    monthly_deposit: 1_987_472_742_330.283,
    annual_rate: -100,
    deposit_timing: 'start',
    decimals: 0,
  },
  'deposits that decay to a tie': {
    ...ROWS,
    principal: 5.000000000000002e-7,
    monthly_deposit: 23_300_000.005,
    annual_rate: -96,
    compounding: 'annually',
    deposit_timing: 'start',
    decimals: 5,
  },
  'deposits of 16 digits': {
    ...ROWS,
    monthly_deposit: 999_999_999_999.9998,
    annual_rate: -99.99999999999999,
    compounding: 'annually',
    deposit_timing: 'start',
    decimals: 0,
  },
  'amounts of 16 digits': {
    ...ROWS,
    principal: 646_437_445_888_295.8,
    monthly_deposit: 999_999_999_999,
    annual_rate: 0.0122405,
    compounding: 'annually',
    deposit_timing: 'start',
    decimals: 0,
  },
  'amounts in the middle between decimals': {
    ...ROWS,
    principal: 2 ** 46 + 1 / 8,
    monthly_deposit: 5e10 + 1 / 4,
    annual_rate: 0,
    decimals: 1,
  },
  'such amounts, which are ties as well': {
    ...ROWS,
    principal: 77_562_050.2890625,
    monthly_deposit: 23_318_187,
    annual_rate: 0,
    compounding: 'annually',
    decimals: 5,
  },
  'deposits that are ties, at a rate of 16 digits': {
    ...ROWS,
    principal: 0.0000015,
    monthly_deposit: 23_318_187,
    annual_rate: 8.123456789012344,
    compounding: 'semiannually',
    deposit_timing: 'start',
    decimals: 2,
  },
  'deposits that are ties, at a loss': {
    ...ROWS,
    principal: 0.0000005,
    monthly_deposit: 23_318_187,
    annual_rate: -75,
    compounding: 'annually',
    decimals: 5,
  },
  'near ties next to the principal': {
    ...ROWS,
    principal: 1e9 + 0.0000005,
    monthly_deposit: 0.000001,
    annual_rate: -1.2000000000000001e-12,
    deposit_timing: 'start',
  },
  'a balance that stays near a tie': {
    ...ROWS,
    principal: 78_694_450.0800845,
    monthly_deposit: 7.86944500800846e-8,
    annual_rate: -1.2000000000000001e-12,
    deposit_timing: 'start',
  },
  'interest far below the balance': {
    ...ROWS,
    principal: 1e-15,
    monthly_deposit: 833_333_333_333.333,
    annual_rate: 1.2e-15,
    deposit_timing: 'start',
    decimals: 0,
  },
  'a balance that stays a tie': {
    ...ROWS,
    principal: 0.522225,
    monthly_deposit: 0.047475,
    annual_rate: -100,
    deposit_timing: 'start',
    decimals: 5,
  },
  'a balance that converges to a tie': {
    ...ROWS,
    principal: 1,
    monthly_deposit: 0.715,
    annual_rate: -96,
    compounding: 'annually',
    decimals: 2,
  },
  'a loss that converges to a tie': {
    ...ROWS,
    principal: 476_570_380_937.505,
    annual_rate: -99.99999999999999,
    compounding: 'quarterly',
    decimals: 2,
  },
  'simple interest': {
    ...ROWS,
    principal: 50,
    annual_rate: 12,
    compounding: 'at_maturity',
    decimals: 0,
  },
};

const GOAL = { years: 100, decimals: 6, timeline: 'monthly' } as const;

/** The most expensive goals that searches have found. */
export const DEAR_GOALS: readonly SolveRequest[] = [
  {
    ...GOAL,
    solve_for: 'principal',
    monthly_deposit: 0.000001,
    annual_rate: 1.2e-15,
    compounding: 'at_maturity',
    deposit_timing: 'start',
    target: 1e9,
  },
  {
    ...GOAL,
    solve_for: 'monthly_deposit',
    principal: 1e-15,
    annual_rate: 1.2e-15,
    deposit_timing: 'start',
    target: 1e9,
  },
  // A principal that has lost its effect on the balance, which the target is.
  {
    ...GOAL,
    solve_for: 'principal',
    monthly_deposit: 50.000000125,
    annual_rate: -100,
    target: 600.0000015,
  },
  {
    ...GOAL,
    solve_for: 'monthly_deposit',
    principal: 0.00005,
    annual_rate: 6.564740179328584,
    compounding: 'semiannually',
    deposit_timing: 'start',
    decimals: 4,
    target: 242_202_912_922.9486,
  },
  {
    ...GOAL,
    solve_for: 'principal',
    monthly_deposit: 99.99999999999999,
    annual_rate: -99.99999999999999,
    target: 1200,
  },
  {
    ...GOAL,
    solve_for: 'annual_rate',
    principal: 0.522225,
    monthly_deposit: 0.047475,
    deposit_timing: 'start',
    decimals: 5,
    target: 1.005,
  },
];

/** A plan of the kinds above that has an answer. */
export function dearPlan(random: Random): Plan {
  const known = random.pick(Object.values(DEAR_PLANS));
  const other = random.pick([hardPlan, randomPlan, convergingPlan, tiedPlan])(random, 1200);
  const name = random.pick(Object.keys(other) as (keyof Plan)[]);
  const plan = random.pick([other, { ...known, [name]: other[name] }]);
  return answered(withoutLoss({ ...plan, years: 100, timeline: 'monthly' }));
}

/** The plan, or one with fewer decimals or years, whose amounts are small enough. */
function answered(plan: Plan): Plan {
  try {
    calculateInterest({ ...plan, timeline: 'none' });
    return plan;
  } catch {
    const { decimals, years } = plan;
    const shorter = { ...plan, years: Math.ceil(years * 6) / 12 };
    return answered(decimals > 0 ? { ...plan, decimals: decimals - 1 } : shorter);
  }
}

/** A plan whose principal is a tie, and whose deposits and their interest are whole numbers of half steps. */
function tiedPlan(random: Random): Plan {
  const decimals = random.pick(OPTIONS.decimals);
  const step = 10 ** -decimals;
  const halves = (bits: number): number =>
    Math.floor(2 ** (random.next() * bits)) + random.pick([0, 0.5]);
  const annual_rate = random.pick([0, 0, 12, -12, 37.5, 100, 200, 400, 500, 1.2e-12, -1.2e-15]);
  return {
    ...ROWS,
    principal: Math.min(1e15, Number((halves(52) * step).toPrecision(16))),
    monthly_deposit: Math.min(1e13, Number((halves(45) * step).toPrecision(16))),
    annual_rate,
    compounding: random.pick(OPTIONS.compounding),
    deposit_timing: random.pick(OPTIONS.deposit_timing),
    decimals,
  };
}
