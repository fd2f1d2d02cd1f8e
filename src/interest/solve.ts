/**
 * The smallest number with which a savings plan reaches a target, if its other numbers are given.
 *
 * A plan reaches the target if its final balance, before any rounding, is at least the target. The candidates are
 *  - for an amount, the multiples of 10^-decimals, up to 2^53 − 1 of them,
 *  - for a rate, the multiples of 10^-6 percent,
 *  - for a term, whole months.
 *
 * Bisection finds amounts and rates, because a balance never falls as one of them rises. It may fall as the term
 * becomes longer; the first month that reaches the target is found month by month.
 */
import { bisect } from '../contract/bisection.ts';
import { type Failure, outOfRange } from '../contract/failure.ts';
import { type Context, operation } from '../contract/operation.ts';
import { type Input, parse, type Value } from '../contract/schema.ts';
import { ExactGrowth, fractionOf } from './closed-form.ts';
import {
  MAXIMUM_DEPOSIT,
  MAXIMUM_PRINCIPAL,
  MAXIMUM_RATE,
  MAXIMUM_YEARS,
  MINIMUM_RATE,
  OTHER_PLANS,
} from './contract.ts';
import { difference, Growth, stepsOf } from './growth.ts';
import { calculateGrowth, checkRows, MOST_STEPS } from './interest.ts';
import { monthsOf, type Plan } from './plan.ts';
import { type Sought, solveRequest, type SolveResult, solveResult } from './solve-contract.ts';

/** A savings plan without one of its numbers, and the final balance to reach. */
export type SolveRequest = Input<typeof solveRequest>;

const GREATEST: Readonly<Record<Sought, number>> = {
  monthly_deposit: MAXIMUM_DEPOSIT,
  principal: MAXIMUM_PRINCIPAL,
  years: MAXIMUM_YEARS,
  annual_rate: MAXIMUM_RATE,
};
const RATE_DECIMALS = 6;

/**
 * Finds the smallest deposit, principal, term or rate with which a plan reaches a target, and calculates the growth of
 * the completed plan. Throws a Failure (`validation_failed`) for an invalid request, or if no value reaches the target.
 *
 * @example
 * solveInterest({ solve_for: 'years', target: 2_000, principal: 1_000, annual_rate: 12 })
 *   .total_profit; // 1006.76
 */
export function solveInterest(request: SolveRequest): SolveResult {
  return solve(parse(solveRequest, request), {});
}

function solve(request: Value<typeof solveRequest>, context: Partial<Context>): SolveResult {
  const { solve_for: sought, target, ...given } = request;
  const { principal = 0, annual_rate = 0, years = 0 } = given;
  const limit: Plan = { ...given, principal, annual_rate, years, [sought]: GREATEST[sought] };
  // A term that is sought is not known yet.
  if (sought !== 'years') checkRows(limit, context);
  const value = sought === 'years' ? leastTerm(limit, target) : leastNumber(limit, sought, target);
  if (value === undefined) throw outOfReach(limit, sought, target);
  const plan: Plan = { ...limit, [sought]: value };
  checkRows(plan, context);
  return { solve_for: sought, target, months: monthsOf(plan), ...calculateGrowth(plan) };
}

/** The failure if even the plan with the greatest value of the sought field misses the target. */
function outOfReach(limit: Plan, sought: Sought, target: number): Failure {
  const { decimals } = limit;
  const { balance: steps } = new ExactGrowth(limit, 10n ** BigInt(decimals)).amountsAfter(
    monthsOf(limit),
  );
  const balance = Number(`${steps}e-${decimals}`);
  const reached = `with \`${sought}\` ${GREATEST[sought]}, the final balance is ${balance}`;
  return outOfRange('target', `a balance within reach (${reached}), got the number ${target}`);
}

/** The first term after which the balance, with the interest accrued so far, reaches the target. */
function leastTerm(plan: Plan, target: number): number | undefined {
  const reaches = comparison(plan, target);
  const last = monthsOf(plan);
  for (let month = 1; month <= last; month += 1) {
    if (reaches(month)) return month / 12;
  }
  return undefined;
}

/** The first candidate for an amount or a rate with which the final balance reaches the target. */
function leastNumber(plan: Plan, sought: Sought, target: number): number | undefined {
  const months = monthsOf(plan);
  const reaches = (value: number): boolean =>
    comparison({ ...plan, [sought]: value }, target)(months);
  const greatest = GREATEST[sought];
  if (!reaches(greatest)) return undefined;
  const isRate = sought === 'annual_rate';
  const least = isRate && plan.compounding !== 'at_maturity' ? MINIMUM_RATE : 0;
  const stepsPerOne = 10 ** (isRate ? RATE_DECIMALS : plan.decimals);
  // 2^53 steps stand for all larger amounts, because each of them is refused.
  const last = Math.min(greatest * stepsPerOne, MOST_STEPS + 1);
  const steps = bisect(least * stepsPerOne - 1, last, (count) => reaches(count / stepsPerOne));
  return steps / stepsPerOne;
}

/** A function that checks whether the balance after some months, which must not fall, reaches the target. */
function comparison(plan: Plan, target: number): (months: number) => boolean {
  const growth = new Growth(plan);
  const targetSteps = stepsOf(target, plan);
  let exact: ExactGrowth | undefined;
  return (months) => {
    const { value, error } = difference(growth.balanceAfter(months), targetSteps);
    if (Math.abs(value) > error) return value > 0;
    const { numerator, denominator } = fractionOf(target);
    exact ??= new ExactGrowth(plan, denominator);
    return exact.reaches(numerator, months);
  };
}

export const solveOperation = operation({
  id: 'solveInterest',
  path: '/api/v1/interest/solve',
  summary: 'Solve for a savings goal',
  description:
    `${OTHER_PLANS} Finds the smallest value of the field \`solve_for\` with which the exact final `
    + 'balance is at least `target`: an amount of `decimals` decimals, a whole number of months, '
    + 'or a rate in millionths of a percent.',
  method: 'POST',
  request: solveRequest,
  result: solveResult,
  examples: {
    'the deposit that doubles savings in a year': {
      solve_for: 'monthly_deposit',
      target: 200_000_000,
      principal: 100_000_000,
      annual_rate: 8.5,
      years: 1,
    },
  },
  invalidExamples: {
    'the sought field, and not the others': { solve_for: 'years', target: 200_000_000, years: 1 },
    'a loss at maturity': {
      solve_for: 'principal',
      target: 100,
      annual_rate: -1,
      years: 1,
      compounding: 'at_maturity',
    },
    'a target that no rate reaches': {
      solve_for: 'annual_rate',
      target: 200_000_000,
      principal: 1_000,
      years: 1,
    },
  },
  calculate: solve,
});
