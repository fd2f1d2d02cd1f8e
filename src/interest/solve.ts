/**
 * The smallest number that lets a savings plan reach a target, where the other numbers of the plan are given.
 *
 * A plan reaches the target if its final balance, before any rounding, is at least the target. The candidates for an
 * amount are the multiples of 10^-decimals with at most 15 digits, those for a rate the multiples of 10^-6 percent, and
 * those for a term whole months. Integers of a small unit (units.ts) decide every comparison, so that the answer
 * reaches the target and the candidate before it does not.
 */
import { validationFailure } from '../contract/failure.ts';
import { operation, type Operation } from '../contract/operation.ts';
import { type Input, parse, type Value } from '../contract/schema.ts';
import {
  MAXIMUM_DEPOSIT, MAXIMUM_PRINCIPAL, MAXIMUM_RATE, MAXIMUM_YEARS, MINIMUM_RATE, type Sought, solveRequest,
  type SolveResult, solveResult,
} from './contract.ts';
import { type Approximation, approximate, fractionOf, numberOf } from './decimal.ts';
import { calculate, writeInterest } from './interest.ts';
import { accruedMonths, MONTHS_PER_PERIOD, monthsOf, type Plan } from './plan.ts';
import { decide, growthInUnits } from './units.ts';

/** A savings plan without one of its numbers, and the final balance to reach. */
export type SolveRequest = Input<typeof solveRequest>;

/** The target, and the function that completes the plan with a value of the field to solve for. */
interface Goal {
  readonly planWith: (value: number) => Plan;
  readonly target: number;
}

const GREATEST: Readonly<Record<Sought, number>> = {
  monthly_deposit: MAXIMUM_DEPOSIT,
  principal: MAXIMUM_PRINCIPAL,
  years: MAXIMUM_YEARS,
  annual_rate: MAXIMUM_RATE,
};
const RATES_PER_PERCENT = 1e6;
/** Maximum number of digits of an amount: a double preserves every decimal of up to 15 digits. */
const MAXIMUM_DIGITS = 15;

/**
 * Finds the smallest deposit, principal, term or rate with which a plan reaches a target, and calculates the growth of
 * the completed plan. Throws a Failure (`validation_failed`) for an invalid request, or if no value reaches the target.
 */
export function solveInterest(request: SolveRequest): SolveResult {
  return solve(parse(solveRequest, request));
}

function solve(request: Value<typeof solveRequest>): SolveResult {
  const { solve_for: sought, target, principal = 0, annual_rate = 0, years = MAXIMUM_YEARS, ...rest } = request;
  const planWith = (value: number): Plan => ({ ...rest, principal, annual_rate, years, [sought]: value });
  const value = SOLVERS[sought]({ planWith, target }, GREATEST[sought]);
  if (value === undefined) {
    const { final_balance } = calculate({ ...planWith(GREATEST[sought]), timeline: 'none' });
    const reached = `with \`${sought}\` ${GREATEST[sought]}, the final balance is ${final_balance}`;
    const message = `target: expected a balance within reach (${reached}), got the number ${target}`;
    throw validationFailure([{ field: 'target', code: 'out_of_range', message }]);
  }
  const plan = planWith(value);
  return { solve_for: sought, target, months: monthsOf(plan), ...calculate(plan) };
}

/** The smallest value that reaches the target; undefined if not even the greatest one does. */
const SOLVERS: Readonly<Record<Sought, (goal: Goal, greatest: number) => number | undefined>> = {
  monthly_deposit: leastAmount,
  principal: leastAmount,
  years: leastTerm,
  annual_rate: leastRate,
};

/** The balance is linear in the amount, so that the amount is a quotient, rounded up to the grid. */
function leastAmount({ planWith, target }: Goal, greatest: number): number | undefined {
  const { decimals } = planWith(0);
  const stepsToGreatest = fractionOf(greatest).numerator * 10n ** BigInt(decimals);
  const bounds = decideFor(target, planWith(greatest), (scale, goal) => {
    const [lowest, highest] = [finalBalance(planWith(0), scale), finalBalance(planWith(greatest), scale)];
    const [isReachedAtZero, isReached] = [isAtLeast(lowest, goal), isAtLeast(highest, goal)];
    if (isReachedAtZero === undefined || isReached === undefined) return undefined;
    if (isReachedAtZero) return [0n, 0n];
    if (!isReached) return [];
    const [missing, gain] = [difference(goal, lowest), difference(highest, lowest)];
    if (gain.units <= gain.error) return undefined;
    const least = ceilingOf(stepsToGreatest * (missing.units - missing.error), gain.units + gain.error);
    const most = ceilingOf(stepsToGreatest * (missing.units + missing.error), gain.units - gain.error);
    return most - least > 1n ? undefined : [least, most];
  });
  const candidates = bounds.map((steps) => numberOf(withoutFurtherDigits(steps), decimals));
  return candidates.find((amount) => reaches(planWith(amount), target));
}

/** The term in years after which the balance, with the interest accrued so far, first reaches the target. */
function leastTerm({ planWith, target }: Goal, greatest: number): number | undefined {
  const plan = planWith(greatest);
  const months = Array.from({ length: monthsOf(plan) }, (_, index) => index + 1);
  const found = decideFor(target, plan, (scale, goal) => {
    for (const { month, balance } of growthInUnits(plan, scale, months)) {
      const isReached = isAtLeast(balance, goal);
      if (isReached !== false) return isReached && month;
    }
    return 0;
  });
  return found === 0 ? undefined : found / 12;
}

/** The balance never falls as the rate rises. Doubles give an estimate, which whole numbers confirm or correct. */
function leastRate({ planWith, target }: Goal, greatest: number): number | undefined {
  const rateAt = (index: number): number => (index + MINIMUM_RATE * RATES_PER_PERCENT) / RATES_PER_PERCENT;
  const isEnough = (index: number): boolean => reaches(planWith(rateAt(index)), target);
  const last = (greatest - MINIMUM_RATE) * RATES_PER_PERCENT;
  if (isEnough(0)) return MINIMUM_RATE;
  if (!isEnough(last)) return undefined;
  const estimate = firstOf(0, last, (index) => balanceInDoubles(planWith(rateAt(index))) >= target);
  for (let width = 1; ; width *= 16) {
    const [low, high] = [Math.max(0, estimate - width), Math.min(last, estimate + width - 1)];
    if (!isEnough(low) && isEnough(high)) return rateAt(firstOf(low, high, isEnough));
  }
}

/** The first index that passes, by bisection: `low` does not pass, `high` does. */
function firstOf(low: number, high: number, passes: (index: number) => boolean): number {
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (passes(middle)) high = middle;
    else low = middle;
  }
  return high;
}

function balanceInDoubles(plan: Plan): number {
  const rate = plan.annual_rate / 1200;
  let balance = plan.principal;
  for (let left = monthsOf(plan); left > 0; left -= MONTHS_PER_PERIOD[plan.compounding]) {
    const months = Math.min(left, MONTHS_PER_PERIOD[plan.compounding]);
    balance = balance * (1 + months * rate) + plan.monthly_deposit * (months + accruedMonths(plan, months) * rate);
  }
  return balance;
}

function reaches(plan: Plan, target: number): boolean {
  return decideFor(target, plan, (scale, goal) => isAtLeast(finalBalance(plan, scale), goal));
}

/** Runs `decide` with the target; for a target below 1 the unit is finer, so that the target keeps its places. */
function decideFor<Answer>(
  target: number, plan: Plan, ask: (scale: bigint, goal: Approximation) => Answer | undefined,
): Answer {
  const finer = 60n ** BigInt(Math.max(0, Math.ceil(-Math.log(target) / Math.log(60))));
  return decide(plan, (scale) => ask(scale * finer, approximate(fractionOf(target), scale * finer)));
}

function finalBalance(plan: Plan, scale: bigint): Approximation {
  const [final] = growthInUnits(plan, scale, [monthsOf(plan)]);
  return final!.balance;
}

/** Whether a balance is at least the goal; undefined if the errors leave that undecided. */
function isAtLeast(balance: Approximation, goal: Approximation): boolean | undefined {
  const { units, error } = difference(balance, goal);
  if (units >= error) return true;
  return units < -error ? false : undefined;
}

function difference(left: Approximation, right: Approximation): { readonly units: bigint; readonly error: bigint } {
  return { units: left.units - right.units, error: BigInt(Math.ceil(left.error + right.error)) };
}

/** The quotient of two positive numbers, rounded up. */
function ceilingOf(dividend: bigint, divisor: bigint): bigint {
  return (dividend + divisor - 1n) / divisor;
}

/** Rounds up to a number of 15 digits, followed by zeros. */
function withoutFurtherDigits(steps: bigint): bigint {
  const unit = 10n ** BigInt(Math.max(0, String(steps).length - MAXIMUM_DIGITS));
  return ceilingOf(steps, unit) * unit;
}

/** Writes the result as JSON; see `writeInterest`. */
function writeSolution({ solve_for, target, months, ...growth }: SolveResult): string {
  return `{"solve_for":"${solve_for}","target":${target},"months":${months},${writeInterest(growth).slice(1)}`;
}

/** POST /api/v1/interest/solve */
export const solveOperation: Operation = operation({
  id: 'solveInterest',
  path: '/api/v1/interest/solve',
  summary: 'Solve for a savings goal',
  description: 'Finds the smallest value of the field `solve_for` with which the exact final balance is at least '
    + '`target`: an amount of `decimals` decimals and at most 15 digits, a whole number of months, or a rate in '
    + 'millionths of a percent. The result is the growth of the completed plan.',
  input: 'small-body',
  request: solveRequest,
  result: solveResult,
  examples: {
    'the deposit that doubles savings in a year': {
      solve_for: 'monthly_deposit', target: 200_000_000, principal: 100_000_000, annual_rate: 8.5, years: 1,
    },
  },
  refusals: {
    'the sought field, and not the others': { solve_for: 'years', target: 200_000_000, years: 1 },
    'a target that no rate reaches': { solve_for: 'annual_rate', target: 200_000_000, principal: 1_000, years: 1 },
  },
  calculate: solve,
  write: writeSolution,
});
