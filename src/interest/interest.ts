/**
 * Compound interest with monthly deposits.
 *
 * Each month accrues balance × annual rate / 12. Accrued interest is added to the balance every 1, 3, 6 or 12 months,
 * or at maturity only, and at the end of the term; until then it earns nothing, and `total_balance` includes it.
 * Intermediate values are not rounded: each amount of the answer is the exact value, rounded once, half away from zero,
 * to `decimals`.
 *
 * The methods:
 *  - Doubles with bounds on their errors (growth.ts) decide most roundings and comparisons.
 *  - The closed form of the growth, in integers (closed-form.ts), decides the others: ties, such as half a cent, near
 *    ties, and amounts of nearly 16 digits.
 *
 * The work is bounded: a plan has up to 1,200 rows, and calculates each exactly at most once.
 *
 * Each step of a proof stands above its line.
 */
import { type Failure, outOfRange, validationFailure } from '../contract/failure.ts';
import { type Context, operation } from '../contract/operation.ts';
import { type Input, parse } from '../contract/schema.ts';
import { ExactGrowth, fractionOf } from './closed-form.ts';
import { interestRequest, type InterestResult, interestResult, OTHER_PLANS } from './contract.ts';
import { difference, Growth, nearestInteger } from './growth.ts';
import { type Amounts, monthsOf, type Plan, rowMonths } from './plan.ts';

const EFFECTIVE_RATE_DECIMALS = 6;
/** The greatest amount in steps: the whole numbers up to it are doubles. */
export const MOST_STEPS: number = Number.MAX_SAFE_INTEGER;

/** A savings plan, in any currency. */
export type InterestRequest = Input<typeof interestRequest>;

/**
 * Calculates the growth of a principal with monthly deposits; every amount is exact and rounded to `decimals`. Throws a
 * Failure (`validation_failed`) for an invalid request.
 *
 * @example
 * calculateInterest({ principal: 1_000_000, annual_rate: 6, years: 1 })
 *   .final_balance; // 1061677.81
 */
export function calculateInterest(request: InterestRequest): InterestResult {
  return calculateGrowth(parse(interestRequest, request));
}

/** Refuses a timeline with more monthly rows than the reader of the answer takes. */
export function checkRows(plan: Plan, { maximumRows = Infinity }: Partial<Context>): void {
  if (plan.timeline !== 'monthly' || monthsOf(plan) <= maximumRows) return;
  const expected = `"yearly" or "none" for more than ${maximumRows} months`;
  const message = `timeline: expected ${expected}, got "monthly"`;
  throw validationFailure([{ field: 'timeline', code: 'not_allowed', message }]);
}

/** Calculates the growth of a plan. Refuses an amount above the greatest number of steps. */
export function calculateGrowth(plan: Plan): InterestResult {
  const amountsAfter = amountsOf(plan);
  const rows = rowMonths(plan).map((month) => {
    const { balance, deposited, interest } = amountsAfter(month);
    return {
      year: month / 12,
      total_balance: balance,
      total_deposited: deposited,
      total_interest: interest,
    };
  });
  const last = rows.at(-1)!;
  return {
    initial_principal: plan.principal,
    monthly_deposit: plan.monthly_deposit,
    annual_rate_percent: plan.annual_rate,
    years: plan.years,
    final_balance: last.total_balance,
    total_deposited: last.total_deposited,
    total_profit: last.total_interest,
    effective_annual_rate: effectiveRate(plan),
    timeline: plan.timeline === 'none' ? [] : rows,
  };
}

/** The function that returns the rounded amounts after some months, which must not fall. */
function amountsOf(plan: Plan): (months: number) => Amounts<number> {
  const stepsPerOne = 10 ** plan.decimals;
  const growth = new Growth(plan);
  let exact: ExactGrowth | undefined;
  const inOnes = (steps: Amounts<number | bigint>): Amounts<number> => {
    if (steps.balance > MOST_STEPS || steps.deposited > MOST_STEPS) throw tooLarge(plan);
    return {
      balance: Number(steps.balance) / stepsPerOne,
      deposited: Number(steps.deposited) / stepsPerOne,
      interest: Number(steps.interest) / stepsPerOne,
    };
  };
  return (months) => {
    const balance = growth.balanceAfter(months);
    const deposited = growth.depositedAfter(months);
    const steps = {
      balance: nearestInteger(balance),
      deposited: nearestInteger(deposited),
      interest: nearestInteger(difference(balance, deposited)),
    };
    const isDecided = !Number.isNaN(steps.balance + steps.deposited + steps.interest);
    if (isDecided) return inOnes(steps);
    exact ??= new ExactGrowth(plan, BigInt(stepsPerOne));
    return inOnes(exact.amountsAfter(months));
  };
}

/** The failure for an amount above the greatest number of steps. */
function tooLarge(plan: Plan): Failure {
  const { decimals } = plan;
  const digits = String(MOST_STEPS);
  if (decimals === 0) return amountTooLarge('years', digits, 'fewer years or smaller amounts');
  // Throws the failure for whole amounts if they are too large as well.
  calculateGrowth({ ...plan, decimals: 0, timeline: 'none' });
  const greatest = `${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`;
  return amountTooLarge('decimals', greatest, 'fewer decimals');
}

function amountTooLarge(field: string, greatest: string, remedy: string): Failure {
  return outOfRange(field, `amounts of up to ${greatest}, got a larger one: send ${remedy}`);
}

/** The growth of a year in percent: the interest on 100. */
function effectiveRate(plan: Plan): number {
  if (plan.compounding === 'at_maturity') return rateAtMaturity(plan);
  const year = { ...plan, principal: 100, monthly_deposit: 0, decimals: EFFECTIVE_RATE_DECIMALS };
  return amountsOf(year)(12).interest;
}

/**
 * The yearly growth over a term of n months, in percent: (1 + rn/1200)^(12/n) − 1. Doubles guess it, and powers of
 * integers decide it.
 */
function rateAtMaturity(plan: Plan): number {
  const months = monthsOf(plan);
  const { numerator, denominator } = fractionOf(plan.annual_rate);
  const base = 1200n * denominator;
  const stepsPerOne = 100 * 10 ** EFFECTIVE_RATE_DECIMALS;
  const halvesPerOne = BigInt(2 * stepsPerOne);
  const [power, root] = [12n, BigInt(months)];
  const grown = (base + root * numerator) ** power * halvesPerOne ** root;
  // Whether (1 + halves / halvesPerOne)^n is at most (1 + rn/1200)^12.
  const reaches = (halves: number): boolean =>
    (halvesPerOne + BigInt(halves)) ** root * base ** power <= grown;
  const factor = (1 + (plan.annual_rate * months) / 1200) ** (12 / months);
  let steps = Math.round((factor - 1) * stepsPerOne);
  while (!reaches(2 * steps - 1)) steps -= 1;
  while (reaches(2 * steps + 1)) steps += 1;
  return steps / 10 ** EFFECTIVE_RATE_DECIMALS;
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
