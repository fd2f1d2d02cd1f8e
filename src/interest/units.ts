/**
 * The growth of a savings plan in integers of a very small unit, for roundings that pairs leave undecided.
 *
 * The unit is 1 / 60^places. Rates are decimals divided by 1200, so that every denominator divides a power of 60, and
 * with enough places every division is exact. With fewer places, `error` is a bound on the effect of the remainders
 * that were dropped; it is 0 as long as there are none. If the bound leaves a question undecided, the calculation is
 * repeated with more places. 1176 places suffice for a balance that approaches a half by the factor 10^-16 each year
 * for 100 years, which is the fastest approach that a rate of 16 digits allows.
 */
import { type Approximation, approximate, fractionOf } from './decimal.ts';
import { accruedMonths, MONTHS_PER_PERIOD, monthsOf, type Plan } from './plan.ts';

const GUARD_PLACES = 24;
/** 24, then 168, then 1176 places, in addition to those for the growth. */
const PLACES_FACTOR = 7;
/** Covers the rounding of the doubles in which errors are added. */
const ERROR_MARGIN = 1 + 1e-12;

/** Calls `ask` with more and more places, until it returns an answer. */
export function decide<Answer>(plan: Plan, ask: (scale: bigint) => Answer | undefined): Answer {
  // Interest multiplies an error as it multiplies a balance.
  const growth = monthsOf(plan) * Math.log(1 + Math.max(0, plan.annual_rate) / 1200);
  const growthPlaces = Math.ceil(growth / Math.log(60));
  for (let places = GUARD_PLACES; ; places *= PLACES_FACTOR) {
    const answer = ask(60n ** BigInt(places + growthPlaces));
    if (answer !== undefined) return answer;
  }
}

/** Calculates the balance and the deposits after each of the given months, which ascend, in units of 1 / scale. */
export function* growthInUnits(
  plan: Plan,
  scale: bigint,
  months: Iterable<number>,
): Generator<{ readonly month: number; readonly balance: Approximation; readonly deposited: Approximation }> {
  const principal = approximate(fractionOf(plan.principal), scale);
  const deposit = approximate(fractionOf(plan.monthly_deposit), scale);
  const period = MONTHS_PER_PERIOD[plan.compounding];
  const transitions = Array.from({ length: period }, (_, index) => transitionOf(plan, index + 1, deposit));
  let balance = principal;
  let passed = 0;
  for (const month of months) {
    for (; month - passed > period; passed += period) balance = advanced(balance, transitions[period - 1]!);
    const after = advanced(balance, transitions[month - passed - 1]!);
    if (month - passed === period) [balance, passed] = [after, month];
    const deposited = {
      units: principal.units + BigInt(month) * deposit.units,
      error: principal.error + month * deposit.error,
    };
    yield { month, balance: after, deposited };
  }
}

/**
 * The effect of some months from the start of a period: a balance becomes (factor × balance + offset) ÷ divisor, and
 * its error is multiplied by `errorFactor` at most.
 */
interface Transition {
  readonly factor: bigint;
  readonly offset: bigint;
  readonly divisor: bigint;
  readonly errorFactor: number;
  readonly offsetError: number;
}

function transitionOf(plan: Plan, months: number, deposit: Approximation): Transition {
  const { numerator, denominator } = fractionOf(plan.annual_rate);
  const divisor = 1200n * denominator;
  const rate = Math.max(0, plan.annual_rate) / 1200;
  const sum = accruedMonths(plan, months);
  return {
    factor: divisor + BigInt(months) * numerator,
    offset: deposit.units * (BigInt(months) * divisor + BigInt(sum) * numerator),
    divisor,
    errorFactor: (1 + months * rate) * ERROR_MARGIN,
    offsetError: deposit.error * (months + sum * rate) * ERROR_MARGIN,
  };
}

function advanced(balance: Approximation, transition: Transition): Approximation {
  const { factor, offset, divisor, errorFactor, offsetError } = transition;
  const dividend = balance.units * factor + offset;
  const units = dividend / divisor;
  const error = balance.error * errorFactor + offsetError;
  return { units, error: error === 0 && units * divisor === dividend ? 0 : error + 1 };
}
