/** Worked examples of savings goals; calculated in exact fractions by a script that shares no code with the service. */
import type { SolveRequest } from '../../src/interest/solve.ts';

/** A request, the value that it should find, and the final balance of the completed plan. */
export type SolvedGoal = readonly [label: string, request: SolveRequest, value: number, final_balance: number];

/** Goals that some value reaches. */
export const SOLVED_GOALS: readonly SolvedGoal[] = [
  ['the deposit for a billion in ten years',
    { solve_for: 'monthly_deposit', target: 1e9, principal: 1e8, annual_rate: 8.5, years: 10 },
    4_075_378.67, 1_000_000_000.87],
  ['the deposit without interest: a twelfth of the target, rounded up',
    { solve_for: 'monthly_deposit', target: 1e7, principal: 0, annual_rate: 0, years: 1 }, 833_333.34, 10_000_000.08],
  ['the deposit where the principal alone suffices',
    { solve_for: 'monthly_deposit', target: 1000, principal: 2000, annual_rate: 1, years: 1 }, 0, 2020.09],
  ['the principal', { solve_for: 'principal', target: 1e6, annual_rate: 5, years: 20, compounding: 'annually' },
    376_889.49, 1_000_000.02],
  ['the years in which savings at 7 % double',
    { solve_for: 'years', target: 20_000, principal: 10_000, annual_rate: 7 }, 10, 20_096.61],
  ['the months without interest',
    { solve_for: 'years', target: 100, principal: 0, monthly_deposit: 10, annual_rate: 0 }, 10 / 12, 100],
  ['the rate that doubles savings in ten years, annually',
    { solve_for: 'annual_rate', target: 2000, principal: 1000, years: 10, compounding: 'annually' }, 7.177347, 2000],
  ['the rate that doubles savings in ten years, monthly',
    { solve_for: 'annual_rate', target: 2000, principal: 1000, years: 10 }, 6.95153, 2000],
  ['a rate below zero',
    { solve_for: 'annual_rate', target: 900, principal: 1000, years: 2, compounding: 'annually' }, -5.13167, 900],
];

/** Goals that no value reaches, with the final balance of the greatest one. */
export const REJECTED_GOALS: readonly (readonly [label: string, request: SolveRequest, reached: number])[] = [
  ['no term without interest', { solve_for: 'years', target: 1000, principal: 100, annual_rate: 0 }, 100],
  ['no rate in a year', { solve_for: 'annual_rate', target: 1e15, principal: 1, years: 1 }, 65.34],
];
