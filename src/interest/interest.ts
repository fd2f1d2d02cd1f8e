/**
 * Compound interest with monthly deposits.
 *
 * Each month accrues balance × annual rate / 12. Accrued interest is added to the balance every 1, 3, 6 or 12 months
 * and at the end of the term; until then it earns nothing, and `total_balance` includes it. Intermediate values are not
 * rounded: each amount of the answer is the exact value, rounded once, half away from zero, to `decimals`.
 *
 * Pairs of doubles decide nearly every rounding. Integers of a very small unit (units.ts) decide the others, most
 * of which are halves.
 */
import { operation, type Operation } from '../contract/operation.ts';
import { type Input, parse } from '../contract/schema.ts';
import { interestRequest, type InterestResult, interestResult, type TimelineRow } from './contract.ts';
import { type Approximation, divideHalfAway, numberOf } from './decimal.ts';
import { type GrowthInPairs, growthInPairs, interestOn, type Pair } from './pairs.ts';
import { type Plan, shownMonths } from './plan.ts';
import { decide, growthInUnits } from './units.ts';

const EFFECTIVE_RATE_DECIMALS = 6;
/** The fraction of an amount in JSON, by its hundredths: none, .01, …, .1, …, .99. */
const HUNDREDTHS = Array.from({ length: 100 }, (_, count) => String(count / 100).slice(1));

/** A savings plan, in any currency. */
export type InterestRequest = Input<typeof interestRequest>;

/**
 * Calculates the growth of a principal with monthly deposits; every amount is exact and rounded to `decimals`. Throws a
 * Failure (`validation_failed`) for an invalid request.
 */
export function calculateInterest(request: InterestRequest): InterestResult {
  return calculate(parse(interestRequest, request));
}

/** Calculates the growth of a plan. */
export function calculate(plan: Plan): InterestResult {
  const months = shownMonths(plan);
  const pairs = rowsInPairs(plan, months);
  const rows = pairs?.rows.every((row) => row !== undefined) ? pairs.rows : completed(plan, months, pairs?.rows);
  const last = rows.at(-1)!;
  return {
    initial_principal: plan.principal,
    monthly_deposit: plan.monthly_deposit,
    annual_rate_percent: plan.annual_rate,
    years: plan.years,
    final_balance: last.total_balance,
    total_deposited: last.total_deposited,
    total_profit: last.total_interest,
    effective_annual_rate: effectiveRate(plan, pairs?.yearFactor),
    timeline: plan.timeline === 'none' ? [] : rows,
  };
}

function rowsInPairs(plan: Plan, months: readonly number[]): GrowthInPairs<TimelineRow | undefined> | undefined {
  const stepsPerOne = 10 ** plan.decimals;
  return growthInPairs(plan, months, (month, balance, deposited, interest) =>
    rowOf(month, balance.round(stepsPerOne), deposited.round(stepsPerOne), interest.round(stepsPerOne)));
}

/** Calculates the rows that pairs leave undecided with integers (units.ts), and returns all rows. */
function completed(
  plan: Plan, months: readonly number[], rows: readonly (TimelineRow | undefined)[] = [],
): TimelineRow[] {
  const found = new Map(rows.filter((row) => row !== undefined).map((row) => [row.year, row]));
  return decide(plan, (scale) => {
    const round = roundingTo(plan.decimals, scale);
    const open = months.filter((month) => !found.has(month / 12));
    for (const { month, balance, deposited } of growthInUnits(plan, scale, open)) {
      const interest = { units: balance.units - deposited.units, error: balance.error + deposited.error };
      const row = rowOf(month, round(balance), round(deposited), round(interest));
      if (row !== undefined) found.set(row.year, row);
    }
    return found.size < months.length ? undefined : [...found.values()].sort((left, right) => left.year - right.year);
  });
}

/**
 * Returns a function that rounds an amount in units of 1 / scale half away from zero; the function returns undefined if
 * the error of the amount leaves that undecided.
 */
function roundingTo(decimals: number, scale: bigint): (amount: Approximation) => number | undefined {
  const unitsPerStep = scale / 10n ** BigInt(decimals);
  return (amount) => {
    const steps = divideHalfAway(amount, unitsPerStep);
    return steps === undefined ? undefined : numberOf(steps, decimals);
  };
}

function rowOf(
  month: number,
  balance: number | undefined,
  deposited: number | undefined,
  interest: number | undefined,
): TimelineRow | undefined {
  if (balance === undefined || deposited === undefined || interest === undefined) return undefined;
  return { year: month / 12, total_balance: balance, total_deposited: deposited, total_interest: interest };
}

/** The growth of one year in percent: the interest on 100. */
function effectiveRate(plan: Plan, yearFactor: Pair | undefined): number {
  const stepsPerOne = 10 ** EFFECTIVE_RATE_DECIMALS;
  const inPairs = yearFactor && interestOn(100 * stepsPerOne, yearFactor).round(stepsPerOne);
  if (inPairs !== undefined) return inPairs;
  const year: Plan = { ...plan, principal: 100, monthly_deposit: 0, years: 1, decimals: EFFECTIVE_RATE_DECIMALS };
  return completed(year, [12])[0]!.total_interest;
}

/** Writes the result as JSON. The numbers need no escaping, and JSON.stringify takes longer than the calculation. */
export function writeInterest(result: InterestResult): string {
  let rows = '';
  for (const { year, total_balance, total_deposited, total_interest } of result.timeline) {
    rows += `${rows === '' ? '' : ','}{"year":${year},"total_balance":${written(total_balance)},`
      + `"total_deposited":${written(total_deposited)},"total_interest":${written(total_interest)}}`;
  }
  return `{"initial_principal":${result.initial_principal},"monthly_deposit":${result.monthly_deposit},`
    + `"annual_rate_percent":${result.annual_rate_percent},"years":${result.years},`
    + `"final_balance":${written(result.final_balance)},"total_deposited":${written(result.total_deposited)},`
    + `"total_profit":${written(result.total_profit)},"effective_annual_rate":${result.effective_annual_rate},`
    + `"timeline":[${rows}]}`;
}

/** An amount as JSON. With two decimals it is written as two integers, because V8 formats fractions more slowly. */
function written(amount: number): string {
  const whole = Math.floor(amount);
  const hundredths = Math.round((amount - whole) * 100);
  // A decimal of up to 12 digits that reads as this double is the shortest one, which JSON.stringify writes too.
  const isExact = amount >= 0 && whole < 2 ** 31 && hundredths < 100 && (whole * 100 + hundredths) / 100 === amount;
  return isExact ? whole + HUNDREDTHS[hundredths]! : String(amount);
}

/** POST /api/v1/interest/calculate */
export const interestOperation: Operation = operation({
  id: 'calculateInterest',
  path: '/api/v1/interest/calculate',
  summary: 'Calculate compound interest',
  description: 'Calculates the growth of a principal with monthly deposits. Each month accrues balance × annual rate / '
    + '12; accrued interest is added to the balance at the interval of `compounding`, and at the end of the term. '
    + 'Intermediate values are not rounded: each amount is the exact value, rounded half away from zero to `decimals`.',
  input: 'small-body',
  request: interestRequest,
  result: interestResult,
  examples: {
    'a year and a half of saving': {
      principal: 100_000_000, monthly_deposit: 5_000_000, annual_rate: 8.5, years: 1.5,
    },
  },
  refusals: {
    'a part of a month, and no rate': { principal: 100_000_000, years: 1.3 },
    'an amount too close to 0': { principal: 1e-16, annual_rate: 8.5, years: 1 },
  },
  calculate,
  write: writeInterest,
});
