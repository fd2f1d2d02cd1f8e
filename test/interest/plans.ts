import type { Plan } from '../../src/interest/plan.ts';
import type { Random } from '../random.ts';

/** All values of the options. */
export const OPTIONS = {
  compounding: ['monthly', 'quarterly', 'semiannually', 'annually'],
  deposit_timing: ['end', 'start'],
  decimals: [0, 1, 2, 3, 4, 5, 6],
  timeline: ['yearly', 'monthly', 'none'],
} as const;
const RATES = [0, 1e-10, -1e-10, 1e-15, -5, 500, -100, 12, -12, 8.5, 0.1, 8.123456789012345, -33.333333333333336];
const PRINCIPALS = [0, 1e-15, 1e15, 1.005, 0.5, 2.5, 100, 100.005, 1e-7, 123_456_789.12, 999_999_999_999_999.9];
const DEPOSITS = [0, 1e-15, 1e13, 1.00005, 0.005, 1, 100.1, 5_000_000, 1.0050000000000001];

/** A plan with ordinary and extreme numbers. */
export function randomPlan(random: Random, months: number): Plan {
  return {
    principal: random.pick([...PRINCIPALS, random.next() * 1e6, random.below(1e9) / 1000]),
    monthly_deposit: random.pick([...DEPOSITS, random.next() * 1e4]),
    annual_rate: random.pick([...RATES, random.next() * 20, random.next() * 600 - 100, random.below(2000) / 100]),
    years: months / 12,
    compounding: random.pick(OPTIONS.compounding),
    deposit_timing: random.pick(OPTIONS.deposit_timing),
    decimals: random.pick(OPTIONS.decimals),
    timeline: random.pick(OPTIONS.timeline),
  };
}
