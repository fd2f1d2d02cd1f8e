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
import type { Compounding, InterestRequest, InterestResult, TimelineRow } from './contract.ts';
import { type Decimal, decimalOf, divideHalfAway, numberOf } from './decimal.ts';

const MONTHS_PER_PERIOD: Readonly<Record<Compounding, number>> = {
  monthly: 1,
  quarterly: 3,
  semiannually: 6,
  annually: 12,
};
const GUARD_PLACES = 24;
const EFFECTIVE_RATE_DECIMALS = 6;

/** An amount in units of 1 / 60^places, and how many units it may be off. */
interface Amount {
  readonly units: bigint;
  readonly error: number;
}

/**
 * What some months do, from a month on when no interest is waiting: a balance becomes (kept × balance + added) ÷
 * divisor, `paid` is deposited, and an error grows at most by `spread`.
 */
interface Step {
  readonly kept: bigint;
  readonly added: bigint;
  readonly divisor: bigint;
  readonly paid: Amount;
  readonly spread: number;
}

/** What a principal and monthly deposits grow to: every amount exact, rounded to `decimals`. */
export function calculateInterest(request: InterestRequest): InterestResult {
  const { principal, monthly_deposit, annual_rate, years, timeline } = request;
  const rows = growth(request);
  const last = rows.at(-1)!;
  return {
    initial_principal: principal,
    monthly_deposit,
    annual_rate_percent: annual_rate,
    years,
    final_balance: last.total_balance,
    total_deposited: last.total_deposited,
    total_profit: last.total_interest,
    effective_annual_rate: effectiveRate(request),
    timeline: timeline === 'none' ? [] : rows,
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
  const { principal, monthly_deposit, decimals, timeline, compounding } = request;
  // What one stride does is worked out once: a year, or a period of compounding where every month is shown.
  const stride = Math.min(months, timeline === 'monthly' ? MONTHS_PER_PERIOD[compounding] : 12);
  const steps = stepsUpTo(stride, request, amountOf(decimalOf(monthly_deposit), one), spread);
  const show = rounding(one / 10n ** BigInt(decimals), decimals);
  const rows: TimelineRow[] = [];
  let balance = amountOf(decimalOf(principal), one);
  let paid = balance;
  for (let passed = 0; passed < months; passed += stride) {
    const length = Math.min(stride, months - passed);
    const [balanceBefore, paidBefore] = [balance, paid];
    for (let month = timeline === 'monthly' ? 1 : length; month <= length; month += 1) {
      const step = steps[month - 1]!;
      balance = after(step, balanceBefore);
      paid = sum(paidBefore, step.paid);
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

/** The rule itself, month by month, over fractions of an unknown balance: what 1, 2, … `months` months do. */
function stepsUpTo(
  months: number,
  { annual_rate, compounding, deposit_timing }: InterestRequest,
  deposit: Amount,
  spread: number,
): Step[] {
  const { numerator, denominator } = monthlyRate(annual_rate);
  const steps: Step[] = [];
  let divisor = 1n;
  let kept = 1n;
  let added = 0n;
  let keptAccrued = 0n;
  let addedAccrued = 0n;
  for (let month = 1; month <= months; month += 1) {
    if (deposit_timing === 'start') added += deposit.units * divisor;
    keptAccrued = keptAccrued * denominator + kept * numerator;
    addedAccrued = addedAccrued * denominator + added * numerator;
    divisor *= denominator;
    kept *= denominator;
    added *= denominator;
    if (deposit_timing === 'end') added += deposit.units * divisor;
    if (month % MONTHS_PER_PERIOD[compounding] === 0) {
      kept += keptAccrued;
      added += addedAccrued;
      keptAccrued = 0n;
      addedAccrued = 0n;
    }
    const paid = { units: deposit.units * BigInt(month), error: deposit.error * month };
    steps.push({ kept: kept + keptAccrued, added: added + addedAccrued, divisor, paid, spread: spread ** month });
  }
  return steps;
}

function after({ kept, added, divisor, paid, spread }: Step, balance: Amount): Amount {
  const dividend = kept * balance.units + added;
  const units = dividend / divisor;
  const error = (balance.error + paid.error) * spread;
  return { units, error: error === 0 && units * divisor === dividend ? 0 : error + 1 };
}

function sum(left: Amount, right: Amount): Amount {
  return { units: left.units + right.units, error: left.error + right.error };
}

function amountOf({ coefficient, decimals }: Decimal, one: bigint): Amount {
  const dividend = coefficient * one;
  const divisor = 10n ** BigInt(decimals);
  const units = dividend / divisor;
  return { units, error: units * divisor === dividend ? 0 : 1 };
}

/** Percent a year as a fraction a month. */
function monthlyRate(annualRate: number): { numerator: bigint; denominator: bigint } {
  const { coefficient, decimals } = decimalOf(annualRate);
  return { numerator: coefficient, denominator: 1200n * 10n ** BigInt(decimals) };
}

/**
 * A function from amounts to numbers of so many decimals, rounded half away from zero; undefined where an amount's
 * error leaves open which way to round. Doubles nearly always suffice to see it, at a tenth of the cost.
 */
function rounding(unitsPerStep: bigint, decimals: number): (amount: Amount) => number | undefined {
  const scale = Number(unitsPerStep);
  const one = 10 ** decimals;
  return ({ units, error }) => {
    const near = Number(units) / scale;
    const steps = Math.round(near);
    // Three roundings put `near` off by less than 2^-51 of itself: farther than that from a half, it is sure.
    if (0.5 - Math.abs(near - steps) > Math.abs(near) * 2 ** -51 + error / scale) return steps / one + 0;
    const exact = divideHalfAway(units, unitsPerStep, BigInt(Math.ceil(error)));
    return exact === undefined ? undefined : numberOf(exact, decimals);
  };
}

/** Growth of one year in percent: ((1 + k × rate)^(12 / k) − 1) × 100, with interest added every k months. */
function effectiveRate({ annual_rate, compounding }: InterestRequest): number {
  const { numerator, denominator } = monthlyRate(annual_rate);
  const monthsPerPeriod = BigInt(MONTHS_PER_PERIOD[compounding]);
  const periods = 12n / monthsPerPeriod;
  const before = denominator ** periods;
  const growth = (denominator + monthsPerPeriod * numerator) ** periods - before;
  const steps = divideHalfAway(growth * 10n ** BigInt(EFFECTIVE_RATE_DECIMALS + 2), before);
  return numberOf(steps!, EFFECTIVE_RATE_DECIMALS);
}
