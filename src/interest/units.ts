/**
 * The growth of a savings plan in whole numbers of a tiny unit: the part that decides whatever pairs of doubles cannot.
 *
 * The unit is 1 / 60^places. 60 has every prime factor that a denominator can have here (rates are decimals divided by
 * 1200), so that with enough places every division is exact. With fewer places, `error` is a bound of the remainders that
 * were dropped, which is 0 as long as there are none. If this bound leaves a question open, it is asked again with more
 * places. The last of the usual numbers of places suffices for a balance that approaches a half by the factor 10^-16
 * each year for 100 years, which is the fastest that a rate of 16 digits allows.
 */
import { type Approximation, approximate, fractionOf } from './decimal.ts';
import { accruedMonths, MONTHS_PER_PERIOD, monthsOf, type Plan } from './plan.ts';

const GUARD_PLACES = 24;
/** 24, then 168, then 1176 places. */
const MORE_PLACES = 7;
/** Covers the rounding of the doubles that errors are added up in. */
const ERROR_MARGIN = 1 + 1e-12;

/** Asks a question with more and more places, until there is an answer. */
export function decide<Answer>(plan: Plan, ask: (scale: bigint) => Answer | undefined): Answer {
  // Interest multiplies an error as it multiplies a balance.
  const growth = monthsOf(plan) * Math.log(1 + Math.max(0, plan.annual_rate) / 1200);
  const more = Math.ceil(growth / Math.log(60));
  for (let places = GUARD_PLACES; ; places *= MORE_PLACES) {
    const answer = ask(60n ** BigInt(places + more));
    if (answer !== undefined) return answer;
  }
}

/** Calculates the balance and the deposits after each of some ascending months, in units of 1 / scale. */
export function* growthInUnits(
  plan: Plan,
  scale: bigint,
  months: Iterable<number>,
): Generator<{ readonly month: number; readonly balance: Approximation; readonly deposited: Approximation }> {
  const principal = approximate(fractionOf(plan.principal), scale);
  const deposit = approximate(fractionOf(plan.monthly_deposit), scale);
  const step = stepOf(plan, deposit);
  const period = MONTHS_PER_PERIOD[plan.compounding];
  let balance = principal;
  let passed = 0;
  for (const month of months) {
    for (; month - passed > period; passed += period) balance = step(balance, period);
    const after = step(balance, month - passed);
    if (month - passed === period) [balance, passed] = [after, month];
    const deposited = {
      units: principal.units + BigInt(month) * deposit.units,
      error: principal.error + month * deposit.error,
    };
    yield { month, balance: after, deposited };
  }
}

/** Returns the effect that some months from the start of a period have on a balance. */
function stepOf(plan: Plan, deposit: Approximation): (balance: Approximation, months: number) => Approximation {
  const { numerator, denominator: percent } = fractionOf(plan.annual_rate);
  const denominator = 1200n * percent;
  const rate = Math.max(0, plan.annual_rate) / 1200;
  return ({ units, error }, months) => {
    const sum = accruedMonths(plan, months);
    const factor = denominator + BigInt(months) * numerator;
    const offset = deposit.units * (BigInt(months) * denominator + BigInt(sum) * numerator);
    const dividend = units * factor + offset;
    const quotient = dividend / denominator;
    const grown = (error * (1 + months * rate) + deposit.error * (months + sum * rate)) * ERROR_MARGIN;
    const isExact = grown === 0 && quotient * denominator === dividend;
    return { units: quotient, error: isExact ? 0 : grown + 1 };
  };
}
