/**
 * Compound interest with monthly deposits.
 *
 * Each month accrues balance × annual rate / 12. Accrued interest is added to the balance every 1, 3, 6 or 12 months
 * and at the end of the term; until then it earns nothing, and the balance shown counts it. Nothing is rounded on the
 * way: each amount of the answer is the exact value, rounded once, half away from zero, to `decimals`.
 *
 * Exact fractions would grow with every month. Amounts are instead whole numbers of a tiny unit, 1 / 60^places: 60 has
 * every prime factor that a denominator can have here (rates are decimals divided by 1200), so that with enough places
 * every division is exact. With fewer places, `error` is a bound of the remainders that were dropped. In the rare case
 * that the bound leaves the rounding of an amount undecided, everything is calculated again with four times the places.
 */
import { operation, type Operation } from '../contract/operation.ts';
import { type Input, parse, type Value } from '../contract/schema.ts';
import {
  type Compounding, interestRequest, type InterestResult, interestResult, type TimelineRow,
} from './contract.ts';
import {
  type Approximation, approximate, divideHalfAway, type Fraction, fractionOf, numberOf, roundingTo,
} from './decimal.ts';

const MONTHS_PER_PERIOD: Readonly<Record<Compounding, number>> = {
  monthly: 1,
  quarterly: 3,
  semiannually: 6,
  annually: 12,
};
const GUARD_PLACES = 24;
const EFFECTIVE_RATE_DECIMALS = 6;

/** A savings plan, in any currency. */
export type InterestRequest = Input<typeof interestRequest>;

type Plan = Value<typeof interestRequest>;

/**
 * The effect of some months that begin when no interest is pending: a balance becomes (factor × balance + offset) ÷
 * divisor, `deposited` has been paid in, and the bound of an error has grown by `errorGrowth`.
 */
interface Step {
  readonly factor: bigint;
  readonly offset: bigint;
  readonly divisor: bigint;
  readonly deposited: Approximation;
  readonly errorGrowth: number;
}

/**
 * Calculates the growth of a principal with monthly deposits; every amount is exact and rounded to `decimals`. Throws a
 * Failure (`validation_failed`) for an invalid request.
 */
export function calculateInterest(request: InterestRequest): InterestResult {
  return calculate(parse(interestRequest, request));
}

function calculate(request: Plan): InterestResult {
  const rows = growth(request);
  const last = rows.at(-1)!;
  return {
    initial_principal: request.principal,
    monthly_deposit: request.monthly_deposit,
    annual_rate_percent: request.annual_rate,
    years: request.years,
    final_balance: last.total_balance,
    total_deposited: last.total_deposited,
    total_profit: last.total_interest,
    effective_annual_rate: effectiveRate(request),
    timeline: request.timeline === 'none' ? [] : rows,
  };
}

/** The rows of the timeline; for `none`, the last row alone. */
function growth(request: Plan): readonly TimelineRow[] {
  const months = Math.round(request.years * 12);
  // A month multiplies an error by at most this factor; the margin covers the rounding of these doubles.
  const errorGrowth = (1 + Math.abs(request.annual_rate) / 1200) * (1 + 1e-12);
  let places = GUARD_PLACES + Math.ceil((months * Math.log(errorGrowth)) / Math.log(60));
  for (;;) {
    const rows = growthInUnits(request, months, errorGrowth, 60n ** BigInt(places));
    if (rows !== undefined) return rows;
    places *= 4;
  }
}

/** The rows, calculated in units of 1 / scale; undefined if the unit is too coarse to round every amount. */
function growthInUnits(
  request: Plan,
  months: number,
  errorGrowth: number,
  scale: bigint,
): readonly TimelineRow[] | undefined {
  const { timeline, compounding, decimals } = request;
  // The effect of a stride is worked out once: a year, or a period of compounding if every month has a row.
  const stride = Math.min(months, timeline === 'monthly' ? MONTHS_PER_PERIOD[compounding] : 12);
  const steps = stepsUpTo(stride, request, approximate(fractionOf(request.monthly_deposit), scale), errorGrowth);
  const round = roundingTo(decimals, scale);
  const rows: TimelineRow[] = [];
  let balance = approximate(fractionOf(request.principal), scale);
  let deposited = balance;
  for (let passed = 0; passed < months; passed += stride) {
    const length = Math.min(stride, months - passed);
    const [balanceBefore, depositedBefore] = [balance, deposited];
    for (let month = timeline === 'monthly' ? 1 : length; month <= length; month += 1) {
      const step = steps[month - 1]!;
      balance = apply(step, balanceBefore);
      deposited = sum(depositedBefore, step.deposited);
      if (timeline === 'none' && passed + length < months) continue;
      const totalBalance = round(balance);
      const totalDeposited = round(deposited);
      const totalInterest = round({ units: balance.units - deposited.units, error: balance.error + deposited.error });
      if (totalBalance === undefined || totalDeposited === undefined || totalInterest === undefined) return undefined;
      const year = (passed + month) / 12;
      rows.push({ year, total_balance: totalBalance, total_deposited: totalDeposited, total_interest: totalInterest });
    }
  }
  return rows;
}

/** The effects of 1, 2, … `months` months. A balance is linear in its start and its deposits: each runs by itself. */
function stepsUpTo(months: number, request: Plan, deposit: Approximation, errorGrowth: number): Step[] {
  const rate = monthlyRate(request.annual_rate);
  const factors = accrue(1n, 0n, months, rate, request);
  const offsets = accrue(0n, deposit.units, months, rate, request);
  return factors.map((factor, index) => ({
    factor,
    offset: offsets[index]!,
    divisor: rate.denominator ** BigInt(index + 1),
    deposited: { units: deposit.units * BigInt(index + 1), error: deposit.error * (index + 1) },
    errorGrowth: errorGrowth ** (index + 1),
  }));
}

/** The rule itself, month by month. The balance after n months is multiplied by denominator^n, to stay whole. */
function accrue(
  start: bigint,
  deposit: bigint,
  months: number,
  { numerator, denominator }: Fraction,
  request: Plan,
): bigint[] {
  const balances: bigint[] = [];
  let [balance, accrued, payment] = [start, 0n, deposit];
  for (let month = 1; month <= months; month += 1) {
    if (request.deposit_timing === 'start') balance += payment;
    accrued = accrued * denominator + balance * numerator;
    balance *= denominator;
    payment *= denominator;
    if (request.deposit_timing === 'end') balance += payment;
    if (month % MONTHS_PER_PERIOD[request.compounding] === 0) {
      balance += accrued;
      accrued = 0n;
    }
    balances.push(balance + accrued);
  }
  return balances;
}

function apply({ factor, offset, divisor, deposited, errorGrowth }: Step, balance: Approximation): Approximation {
  const dividend = factor * balance.units + offset;
  const units = dividend / divisor;
  const error = (balance.error + deposited.error) * errorGrowth;
  return { units, error: error === 0 && units * divisor === dividend ? 0 : error + 1 };
}

function sum(left: Approximation, right: Approximation): Approximation {
  return { units: left.units + right.units, error: left.error + right.error };
}

/** A rate in percent per year, as a fraction per month. */
function monthlyRate(annualRate: number): Fraction {
  const { numerator, denominator } = fractionOf(annualRate);
  return { numerator, denominator: 1200n * denominator };
}

/** The growth of one year in percent: ((1 + k × rate)^(12 / k) − 1) × 100, with interest added every k months. */
function effectiveRate({ annual_rate, compounding }: Plan): number {
  const { numerator, denominator } = monthlyRate(annual_rate);
  const monthsPerPeriod = BigInt(MONTHS_PER_PERIOD[compounding]);
  const periods = 12n / monthsPerPeriod;
  const before = denominator ** periods;
  const gain = (denominator + monthsPerPeriod * numerator) ** periods - before;
  const steps = divideHalfAway(gain * 10n ** BigInt(EFFECTIVE_RATE_DECIMALS + 2), before);
  return numberOf(steps!, EFFECTIVE_RATE_DECIMALS);
}

/** POST /api/v1/interest/calculate */
export const interestOperation: Operation = operation({
  id: 'calculateInterest',
  path: '/api/v1/interest/calculate',
  summary: 'Compound interest and growth of a principal with monthly deposits',
  description: 'Each month accrues balance × annual rate / 12; accrued interest is added to the balance as '
    + '`compounding` says, and at the end of the term. Nothing is rounded on the way: each amount is the exact value, '
    + 'rounded half away from zero to `decimals`.',
  input: 'small-body',
  request: interestRequest,
  result: interestResult,
  examples: {
    'a year and a half of saving': {
      principal: 100_000_000, monthly_deposit: 5_000_000, annual_rate: 8.5, years: 1.5,
    },
  },
  calculate,
});
