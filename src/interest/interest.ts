/**
 * Compound interest with monthly deposits.
 *
 * Each month accrues balance × annual rate / 12. Accrued interest is added to the balance every 1,
 * 3, 6 or 12 months, or at maturity only, and at the end of the term; until then it earns nothing,
 * and `total_balance` includes it. Intermediate values are not rounded: each amount of the answer is
 * the exact value, rounded once, half away from zero, to `decimals`.
 *
 * The methods:
 *  - Double-double arithmetic with bounds on its errors (growth.ts) decides nearly every rounding and
 *    every comparison.
 *  - The closed form of the growth, in integers (closed-form.ts), decides the others: ties, such as
 *    half a cent, and near ties.
 *
 * The work is bounded: a plan has up to 1,200 rows, of which the second method compares at most
 * three amounts with a tie.
 *
 * Each step of a proof stands above its line.
 */
import { validationFailure } from '../contract/failure.ts';
import { type Context, operation } from '../contract/operation.ts';
import { type Input, parse } from '../contract/schema.ts';
import { type Amount, ExactGrowth } from './closed-form.ts';
import {
  interestRequest,
  type InterestResult,
  interestResult,
  OTHER_PLANS,
  type TimelineRow,
} from './contract.ts';
import type { DoubleDouble, Tie } from './double-double.ts';
import { Growth } from './growth.ts';
import { monthsOf, type Plan, rowMonths } from './plan.ts';

const EFFECTIVE_RATE_STEPS = 1e6;

/** The limit of a timeline. */
export type RowLimit = Pick<Context, 'maximumRows'>;

/** A savings plan, in any currency. */
export type InterestRequest = Input<typeof interestRequest>;

/**
 * Calculates the growth of a principal with monthly deposits; every amount is exact and rounded to
 * `decimals`. Throws a Failure (`validation_failed`) for an invalid request.
 *
 * @example
 * calculateInterest({ principal: 1_000_000, annual_rate: 6, years: 1 })
 *   .final_balance; // 1061677.81
 */
export function calculateInterest(request: InterestRequest): InterestResult {
  return calculateGrowth(parse(interestRequest, request));
}

/** Refuses a timeline with more monthly rows than the reader of the answer takes. */
export function checkRows(plan: Plan, { maximumRows = Infinity }: RowLimit): void {
  if (plan.timeline !== 'monthly' || monthsOf(plan) <= maximumRows) return;
  const expected = `"yearly" or "none" for more than ${maximumRows} months`;
  const message = `timeline: expected ${expected}, got "monthly"`;
  throw validationFailure([{ field: 'timeline', code: 'not_allowed', message }]);
}

/** Calculates the growth of a plan. */
export function calculateGrowth(plan: Plan): InterestResult {
  const growth = new Growth(plan);
  const rows = rowsOf(plan, growth);
  const last = rows.at(-1)!;
  return {
    initial_principal: plan.principal,
    monthly_deposit: plan.monthly_deposit,
    annual_rate_percent: plan.annual_rate,
    years: plan.years,
    final_balance: last.total_balance,
    total_deposited: last.total_deposited,
    total_profit: last.total_interest,
    effective_annual_rate: effectiveRate(plan, growth),
    timeline: plan.timeline === 'none' ? [] : rows,
  };
}

function rowsOf(plan: Plan, growth: Growth): TimelineRow[] {
  const stepsPerOne = 10 ** plan.decimals;
  let exact: ExactGrowth | undefined;
  const rounded = (value: DoubleDouble, amount: Amount, month: number): number => {
    const result = value.round(stepsPerOne);
    if (typeof result === 'number') return result;
    exact ??= new ExactGrowth(plan, BigInt(stepsPerOne));
    return decided(result, exact, amount, month);
  };
  return rowMonths(plan).map((month) => {
    growth.advanceTo(month);
    return {
      year: month / 12,
      total_balance: rounded(growth.balance, 'balance', month),
      total_deposited: rounded(growth.deposited, 'deposited', month),
      total_interest: rounded(growth.interest, 'interest', month),
    };
  });
}

/** The result of a tie, or near tie, by the exact growth. */
function decided(tie: Tie, exact: ExactGrowth, amount: Amount, month: number): number {
  const excess = exact.excess(amount, tie.halfSteps, month);
  return excess > 0n || (excess === 0n && tie.halfSteps > 0n) ? tie.upper : tie.lower;
}

/** The growth of one year in percent: the interest on 100. */
function effectiveRate(plan: Plan, growth: Growth): number {
  const value = growth.yearlyInterest();
  const rounded = value.round(EFFECTIVE_RATE_STEPS);
  if (typeof rounded === 'number') return rounded;
  const year = { ...plan, principal: 100, monthly_deposit: 0 };
  return decided(rounded, new ExactGrowth(year, BigInt(EFFECTIVE_RATE_STEPS)), 'interest', 12);
}

export const interestOperation = operation({
  id: 'calculateInterest',
  path: '/api/v1/interest/calculate',
  summary: 'Calculate compound interest',
  description:
    `${OTHER_PLANS} Calculates the growth of a principal with monthly deposits. Without a starting `
    + 'amount, `principal` is 0. Each month accrues balance × annual rate / 12, which '
    + '`compounding` adds to the balance. Intermediate values are not rounded: each amount is the '
    + 'exact value, rounded half away from zero to `decimals`.',
  method: 'POST',
  request: interestRequest,
  result: interestResult,
  examples: {
    'a year and a half of saving': {
      principal: 100_000_000,
      monthly_deposit: 5_000_000,
      annual_rate: 8.5,
      years: 1.5,
    },
  },
  invalidExamples: {
    'a part of a month, and no rate': { principal: 100_000_000, years: 1.3 },
    'a loss at maturity': { principal: 1, annual_rate: -1, years: 1, compounding: 'at_maturity' },
    'an amount too close to 0': { principal: 1e-16, annual_rate: 8.5, years: 1 },
  },
  calculate(request, context) {
    checkRows(request, context);
    return calculateGrowth(request);
  },
});
