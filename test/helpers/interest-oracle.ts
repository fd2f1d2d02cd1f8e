/**
 * An independent implementation of the interest rule, written to be obviously correct: month by month in exact
 * fractions of any length. It shares no code with the calculation.
 */
import type { Value } from '../../src/contract/schema.ts';
import type { interestRequest, InterestResult, TimelineRow } from '../../src/interest/contract.ts';

/** An exact number. */
export interface Fraction {
  readonly numerator: bigint;
  readonly denominator: bigint;
}

const MONTHS = {
  monthly: 1,
  quarterly: 3,
  semiannually: 6,
  annually: 12,
  at_maturity: Infinity,
} as const;

/** The greatest amount of an answer in steps of its decimals. */
export const MOST_STEPS = 2n ** 53n - 1n;

/** The expected result of the interest operation, or the message with which it refuses a plan. */
export function expectedInterest(request: Value<typeof interestRequest>): InterestResult | string {
  const { principal, monthly_deposit, annual_rate, years, decimals, timeline } = request;
  const months = Math.round(years * 12);
  const rows = simulate(request, months);
  const refusal = refusalOf(rows.at(-1)!, decimals);
  if (refusal !== undefined) return refusal;
  const shown = (month: number): boolean =>
    timeline === 'monthly' || (timeline === 'yearly' && (month % 12 === 0 || month === months));
  const rowAt = (month: number): TimelineRow => {
    const { balance, deposited, denominator } = rows[month - 1]!;
    const round = (numerator: bigint): number =>
      roundHalfAway({ numerator, denominator }, decimals);
    return {
      year: month / 12,
      total_balance: round(balance),
      total_deposited: round(deposited),
      total_interest: round(balance - deposited),
    };
  };
  const last = rowAt(months);
  return {
    initial_principal: principal,
    monthly_deposit,
    annual_rate_percent: annual_rate,
    years,
    final_balance: last.total_balance,
    total_deposited: last.total_deposited,
    total_profit: last.total_interest,
    effective_annual_rate: effectiveRate(request, months),
    timeline: rows
      .map((_, index) => index + 1)
      .filter(shown)
      .map(rowAt),
  };
}

/**
 * The message about an amount above the greatest. Either the balance never falls, or it is at most the total deposited,
 * which never falls, so that the last month has the largest amount.
 */
function refusalOf(
  { balance, deposited, denominator }: Month,
  decimals: number,
): string | undefined {
  const numerator = balance > deposited ? balance : deposited;
  const isRefused = (places: number): boolean =>
    stepsOf({ numerator, denominator }, places) > MOST_STEPS;
  if (!isRefused(decimals)) return undefined;
  if (isRefused(0)) {
    return `years: expected amounts of up to ${MOST_STEPS}, got a larger one: send fewer years or smaller amounts`;
  }
  const [, whole, fraction] = new RegExp(`^(.*)(.{${decimals}})$`).exec(String(MOST_STEPS))!;
  return `decimals: expected amounts of up to ${whole}.${fraction}, got a larger one: send fewer decimals`;
}

/** Growth of 1 over a year in percent, to 6 decimals; if interest is paid at maturity, from the growth over the term. */
function effectiveRate({ annual_rate, compounding }: Plan, months: number): number {
  if (compounding === 'at_maturity') return rateOfTerm(annual_rate, months);
  const year = {
    principal: 1,
    monthly_deposit: 0,
    annual_rate,
    compounding,
    deposit_timing: 'end',
  } as const;
  const { balance, denominator } = simulate(year, 12)[11]!;
  return roundHalfAway({ numerator: 100n * (balance - denominator), denominator }, 6);
}

/** The greatest number of 10^-6 percent of which the lower half step is at most the yearly growth over a term. */
function rateOfTerm(annual_rate: number, months: number): number {
  const { numerator, denominator } = fractionOf(annual_rate);
  const grown = (1200n * denominator + BigInt(months) * numerator) ** 12n;
  const base = (1200n * denominator) ** 12n;
  const all = 2n * 10n ** 8n;
  let [reached, missed] = [0n, 10n ** 10n];
  while (missed - reached > 1n) {
    const middle = (reached + missed) / 2n;
    const isReached =
      (all + 2n * middle - 1n) ** BigInt(months) * base <= grown * all ** BigInt(months);
    if (isReached) reached = middle;
    else missed = middle;
  }
  return Number(`${reached}e-6`);
}

/** The balance with the accrued interest, and the total deposited, after a month: numerators of one denominator. */
export interface Month {
  readonly balance: bigint;
  readonly deposited: bigint;
  readonly denominator: bigint;
}

/** The fields on which the growth of a plan depends, except its term. */
export type Plan = Omit<Value<typeof interestRequest>, 'years' | 'decimals' | 'timeline'>;

/** The state after each month, in exact fractions. */
export function simulate(plan: Plan, months: number): Month[] {
  const { principal, monthly_deposit, annual_rate, compounding, deposit_timing } = plan;
  const [start, payment, rate] = [
    fractionOf(principal),
    fractionOf(monthly_deposit),
    fractionOf(annual_rate),
  ];
  const monthly = reduced({ numerator: rate.numerator, denominator: 1200n * rate.denominator });
  let denominator = start.denominator * payment.denominator;
  let balance = start.numerator * payment.denominator;
  let deposit = payment.numerator * start.denominator;
  let deposited = balance;
  let accrued = 0n;
  const rows: Month[] = [];
  for (let month = 1; month <= months; month += 1) {
    if (deposit_timing === 'start') balance += deposit;
    deposited += deposit;
    const earned = balance * monthly.numerator;
    balance *= monthly.denominator;
    deposit *= monthly.denominator;
    deposited *= monthly.denominator;
    accrued = accrued * monthly.denominator + earned;
    denominator *= monthly.denominator;
    if (deposit_timing === 'end') balance += deposit;
    if (month % MONTHS[compounding] === 0 || month === months) {
      balance += accrued;
      accrued = 0n;
    }
    rows.push({ balance: balance + accrued, deposited, denominator });
  }
  return rows;
}

/** The decimal that JavaScript writes for a number: 1.5e-7 is 15 over 10^8. */
export function fractionOf(value: number): Fraction {
  const [, sign = '', whole = '', fraction = '', exponent = '0'] =
    /^(-?)(\d+)(?:\.(\d+))?(?:e([+-]\d+))?$/.exec(String(value)) ?? [];
  const power = Number(exponent) - fraction.length;
  const digits = BigInt(`${sign}${whole}${fraction}`);
  return power < 0
    ? { numerator: digits, denominator: 10n ** BigInt(-power) }
    : { numerator: digits * 10n ** BigInt(power), denominator: 1n };
}

function reduced({ numerator, denominator }: Fraction): Fraction {
  let [divisor, rest] = [denominator, numerator < 0n ? -numerator : numerator];
  while (rest !== 0n) [divisor, rest] = [rest, divisor % rest];
  return { numerator: numerator / divisor, denominator: denominator / divisor };
}

/** The JSON number nearest to the fraction rounded half away from zero to `decimals`. */
export function roundHalfAway(fraction: Fraction, decimals: number): number {
  return Number(`${stepsOf(fraction, decimals)}e-${decimals}`);
}

/** A number in steps of 10^-decimals, rounded half away from zero. */
export function stepsOf({ numerator, denominator }: Fraction, decimals: number): bigint {
  const size = (numerator < 0n ? -numerator : numerator) * 10n ** BigInt(decimals);
  const steps = (2n * size + denominator) / (2n * denominator);
  return numerator < 0n ? -steps : steps;
}
