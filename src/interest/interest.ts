/**
 * Compound interest with monthly deposits.
 *
 * Each month accrues balance × annual rate / 12. Accrued interest is added to the balance every 1, 3, 6 or 12 months
 * and at the end of the term; until then it earns nothing, and the balance shown counts it. Nothing is rounded on the
 * way: each amount of the answer is the exact value, rounded once, half away from zero, to `decimals`.
 *
 * How that is had without fractions that grow by the month: amounts are whole numbers of a tiny unit, 1 / 60^places.
 * 60 has every prime factor that a denominator can have here (rates are decimals over 1200), so with places enough
 * every division comes out even. With fewer, `error` bounds what the divisions have dropped; and in the rare case that
 * this leaves open which way an amount rounds, all is calculated again with four times the places.
 */
import { operation, type Operation } from '../contract/operation.ts';
import {
  type Compounding, type InterestRequest, interestRequest, type InterestResult, interestResult, type TimelineRow,
} from './contract.ts';
import {
  type Approximation, divideHalfAway, type Fraction, fractionOf, numberOf, rounding, scaled,
} from './decimal.ts';

const MONTHS_PER_PERIOD: Readonly<Record<Compounding, number>> = {
  monthly: 1,
  quarterly: 3,
  semiannually: 6,
  annually: 12,
};
const GUARD_PLACES = 24;
const EFFECTIVE_RATE_DECIMALS = 6;

/**
 * What some months do, from a month on when no interest is waiting: a balance becomes (kept × balance + added) ÷
 * divisor, `paid` has been deposited, and an error has grown at most by `spread`.
 */
interface Step {
  readonly kept: bigint;
  readonly added: bigint;
  readonly divisor: bigint;
  readonly paid: Approximation;
  readonly spread: number;
}

/** What a principal and monthly deposits grow to: every amount exact, rounded to `decimals`. */
export function calculateInterest(request: InterestRequest): InterestResult {
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

/** The rows of the timeline; for `none` the last one alone. */
function growth(request: InterestRequest): readonly TimelineRow[] {
  const months = Math.round(request.years * 12);
  // Growth multiplies an error by at most this each month; the margin outweighs the roundings of these doubles.
  const spread = (1 + Math.abs(request.annual_rate) / 1200) * (1 + 1e-12);
  let places = GUARD_PLACES + Math.ceil((months * Math.log(spread)) / Math.log(60));
  for (;;) {
    const rows = growthWithin(request, months, spread, 60n ** BigInt(places));
    if (rows !== undefined) return rows;
    places *= 4;
  }
}

/** The same in units of 1 / one; undefined where these are too coarse to round every amount surely. */
function growthWithin(
  request: InterestRequest,
  months: number,
  spread: number,
  one: bigint,
): readonly TimelineRow[] | undefined {
  const { timeline, compounding, decimals } = request;
  // What one stride does is worked out once: a year, or a period of compounding where every month is shown.
  const stride = Math.min(months, timeline === 'monthly' ? MONTHS_PER_PERIOD[compounding] : 12);
  const steps = stepsUpTo(stride, request, scaled(fractionOf(request.monthly_deposit), one), spread);
  const show = rounding(one, decimals);
  const rows: TimelineRow[] = [];
  let balance = scaled(fractionOf(request.principal), one);
  let paid = balance;
  for (let passed = 0; passed < months; passed += stride) {
    const length = Math.min(stride, months - passed);
    const [balanceBefore, paidBefore] = [balance, paid];
    for (let month = timeline === 'monthly' ? 1 : length; month <= length; month += 1) {
      const step = steps[month - 1]!;
      balance = after(step, balanceBefore);
      paid = { units: paidBefore.units + step.paid.units, error: paidBefore.error + step.paid.error };
      if (timeline === 'none' && passed + length < months) continue;
      const total = show(balance);
      const deposited = show(paid);
      const interest = show({ units: balance.units - paid.units, error: balance.error + paid.error });
      if (total === undefined || deposited === undefined || interest === undefined) return undefined;
      const year = (passed + month) / 12;
      rows.push({ year, total_balance: total, total_deposited: deposited, total_interest: interest });
    }
  }
  return rows;
}

/** What 1, 2, … `months` months do. A balance is linear in its start and its deposits: each runs by itself. */
function stepsUpTo(months: number, request: InterestRequest, deposit: Approximation, spread: number): Step[] {
  const rate = monthlyRate(request.annual_rate);
  const kept = accrue(1n, 0n, months, rate, request);
  const added = accrue(0n, deposit.units, months, rate, request);
  return kept.map((factor, index) => ({
    kept: factor,
    added: added[index]!,
    divisor: rate.denominator ** BigInt(index + 1),
    paid: { units: deposit.units * BigInt(index + 1), error: deposit.error * (index + 1) },
    spread: spread ** (index + 1),
  }));
}

/** The rule itself, month by month. What it gives after n months is multiplied by denominator^n, to stay whole. */
function accrue(
  start: bigint,
  deposit: bigint,
  months: number,
  { numerator, denominator }: Fraction,
  request: InterestRequest,
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

function after({ kept, added, divisor, paid, spread }: Step, balance: Approximation): Approximation {
  const dividend = kept * balance.units + added;
  const units = dividend / divisor;
  const error = (balance.error + paid.error) * spread;
  return { units, error: error === 0 && units * divisor === dividend ? 0 : error + 1 };
}

/** Percent a year as a fraction a month. */
function monthlyRate(annualRate: number): Fraction {
  const { numerator, denominator } = fractionOf(annualRate);
  return { numerator, denominator: 1200n * denominator };
}

/** Growth of one year in percent: ((1 + k × rate)^(12 / k) − 1) × 100, with interest added every k months. */
function effectiveRate({ annual_rate, compounding }: InterestRequest): number {
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
  takes: 'fields',
  request: interestRequest,
  result: interestResult,
  examples: {
    'a year and a half of saving': {
      principal: 100_000_000, monthly_deposit: 5_000_000, annual_rate: 8.5, years: 1.5,
    },
  },
  calculate: calculateInterest,
});
