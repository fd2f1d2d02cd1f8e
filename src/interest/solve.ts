/**
 * The smallest number with which a savings plan reaches a target, if its other numbers are given.
 *
 * A plan reaches the target if its final balance, before any rounding, is at least the target. The
 * candidates are
 *  - for an amount, the multiples of 10^-decimals with at most 15 digits,
 *  - for a rate, the multiples of 10^-6 percent,
 *  - for a term, whole months.
 *
 * Bisection finds amounts and rates, because a balance never falls as one of them rises. It may fall
 * as the term becomes longer; the first month that reaches the target is found month by month.
 */
import { bisect } from '../contract/bisection.ts';
import { type Failure, outOfRange } from '../contract/failure.ts';
import { operation } from '../contract/operation.ts';
import { type Input, parse, type Value } from '../contract/schema.ts';
import { ExactGrowth } from './closed-form.ts';
import {
  MAXIMUM_DEPOSIT,
  MAXIMUM_PRINCIPAL,
  MAXIMUM_RATE,
  MAXIMUM_YEARS,
  MINIMUM_RATE,
  OTHER_PLANS,
} from './contract.ts';
import { doubleDoubleOf, fractionOf } from './decimal.ts';
import { DoubleDouble } from './double-double.ts';
import { Growth } from './growth.ts';
import { calculateGrowth, checkRows, type RowLimit } from './interest.ts';
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
const ONE = new DoubleDouble(1);
/** The greatest number of steps: a double preserves every decimal of up to 15 digits. */
const MAXIMUM_STEPS = 1e15;

/**
 * Finds the smallest deposit, principal, term or rate with which a plan reaches a target, and
 * calculates the growth of the completed plan. Throws a Failure (`validation_failed`) for an
 * invalid request, or if no value reaches the target.
 *
 * @example
 * solveInterest({ solve_for: 'years', target: 2_000, principal: 1_000, annual_rate: 12 })
 *   .total_profit; // 1006.76
 */
export function solveInterest(request: SolveRequest): SolveResult {
  return solve(parse(solveRequest, request), {});
}

function solve(request: Value<typeof solveRequest>, context: RowLimit): SolveResult {
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
  const { final_balance } = calculateGrowth({ ...limit, timeline: 'none' });
  const reached = `with \`${sought}\` ${GREATEST[sought]}, the final balance is ${final_balance}`;
  return outOfRange('target', `a balance within reach (${reached}), got the number ${target}`);
}

/** The first term after which the balance, with the interest accrued so far, reaches the target. */
function leastTerm(plan: Plan, target: number): number | undefined {
  const isReached = comparison(plan, target);
  const growth = new Growth(plan);
  const last = monthsOf(plan);
  for (let month = 1; month <= last; month += 1) {
    growth.advanceTo(month);
    if (isReached(growth.balance, plan, month)) return month / 12;
  }
  return undefined;
}

/** The first candidate for an amount or a rate with which the final balance reaches the target. */
function leastNumber(plan: Plan, sought: Sought, target: number): number | undefined {
  const isReached = comparison(plan, target);
  const balanceOf = finalBalance(plan, sought);
  const months = monthsOf(plan);
  const isRate = sought === 'annual_rate';
  const least = isRate && plan.compounding !== 'at_maturity' ? MINIMUM_RATE : 0;
  const decimals = isRate ? RATE_DECIMALS : plan.decimals;
  // Beyond the greatest number of steps, the candidates are multiples of a larger step.
  for (let stepsPerOne = 10 ** decimals; ; stepsPerOne /= 10) {
    const mostSteps = GREATEST[sought] * stepsPerOne;
    const last = Math.min(mostSteps, MAXIMUM_STEPS);
    const reaches = (steps: number): boolean => {
      const candidate = { ...plan, [sought]: steps / stepsPerOne };
      return isReached(balanceOf(candidate), candidate, months);
    };
    if (reaches(last)) return bisect(least * stepsPerOne - 1, last, reaches) / stepsPerOne;
    if (last === mostSteps) return undefined;
  }
}

/** The final balance of a candidate in steps. It is linear in each amount. */
function finalBalance(plan: Plan, sought: Sought): (candidate: Plan) => DoubleDouble {
  const balanceOf = (candidate: Plan): DoubleDouble => {
    const growth = new Growth(candidate);
    growth.advanceTo(monthsOf(candidate));
    return growth.balance;
  };
  if (sought === 'annual_rate') return balanceOf;
  const rest = balanceOf({ ...plan, [sought]: 0 });
  const effect = balanceOf({ ...plan, principal: 0, monthly_deposit: 0, [sought]: 1 });
  return (candidate) => doubleDoubleOf(candidate[sought], 1, 1).fma(effect, rest);
}

/** Whether a balance in steps, that of a plan after a number of months, reaches the target. */
function comparison(
  { decimals }: Plan,
  target: number,
): (balance: DoubleDouble, plan: Plan, month: number) => boolean {
  const lessTarget = doubleDoubleOf(-target, 10 ** decimals, 1);
  let exact: ExactGrowth | undefined;
  return (balance, plan, month) => {
    const { high, error } = balance.fma(ONE, lessTarget);
    if (Math.abs(high) > error) return high > 0;
    const { numerator, denominator } = fractionOf(target);
    if (exact?.plan !== plan) exact = new ExactGrowth(plan, denominator, exact);
    return exact.excess('balance', 2n * numerator, month) >= 0n;
  };
}

export const solveOperation = operation({
  id: 'solveInterest',
  path: '/api/v1/interest/solve',
  summary: 'Solve for a savings goal',
  description:
    `${OTHER_PLANS} Finds the smallest value of the field \`solve_for\` with which the exact final `
    + 'balance is at least `target`: an amount of `decimals` decimals and at most 15 digits, a '
    + 'whole number of months, or a rate in millionths of a percent.',
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
