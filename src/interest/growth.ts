/**
 * The growth of a savings plan in double-double arithmetic, with a bound on its error.
 *
 * After p months of a period, a balance B with monthly deposits D has become B(1 + pr) + D(p + ar),
 * where r is the monthly rate and a is the sum of the months for which each deposit has accrued
 * interest. The calculation takes whole years, then whole periods, then the months that remain.
 *
 * After n months, the error is at most (n + 1) 2^-99 M, where M is the larger of the balance and
 * the deposits so far. The following bounds are in units of u², where u is 2^-53; 2^-99 is 128u².
 *  1. A decimal of the plan is within 4 times itself (decimal.ts). A multiply-add is within 16
 *     times the sum of its two terms, both taken as positive (double-double.ts).
 *  2. By (1), the factor 1 + pr is within 20(1 + p|r|), and the offset D(p + ar) within
 *     40D(p + a|r|).
 *  3. At a rate of 0 or more, B(1 + pr) + D(p + ar) is the new balance, and thus M. By (2), the
 *     factor and the offset of a period add at most 40M to the error.
 *  4. At a rate below 0, which is at least −100 %, p|r| is at most 1, and a|r| at most 0.55p. The
 *     deposits, and thus M, are at least B + pD. By (2), the factor and the offset of a period add
 *     at most 40B + 62pD, which is at most 62M.
 *  5. The multiply-add of the balance adds at most 16M.
 *  6. The error from before a period is multiplied by 1 + pr. At a rate of 0 or more, M grows at
 *     least as much; at a rate below 0, the error does not grow, and M does not fall.
 *  7. The factor and the offset of a year combine those of its periods by two multiply-adds per
 *     combination. Instead of (5), each combination adds 16 times a balance, which is at most 16M.
 *     There are fewer combinations than periods. (5) follows once per year.
 *  8. By (3) to (7), each period, or part of one, adds at most 62M + 16M, and each year 16M more.
 *     n months have at most n of each, so that the balance is within (94n + 4)M.
 *  9. By (1), the deposits nD + P are within 20 times themselves, and the interest is within
 *     (94n + 4)M + 20M + 32M.
 * 10. The difference from 128(n + 1)M covers the terms in u³ and the rounding of the bound itself.
 *     Underflow, which only a balance that vanishes at a negative rate meets, adds less than
 *     2^-1000.
 */
import { doubleDoubleOf } from './decimal.ts';
import { DoubleDouble } from './double-double.ts';
import { accruedMonths, MONTHS_PER_PERIOD, type Plan } from './plan.ts';

const ERROR_PER_MONTH = 2 ** -99;
const ZERO = new DoubleDouble(0, 0);
const ONE = new DoubleDouble(1, 0);
const MINUS_ONE = new DoubleDouble(-1, 0);
/** 100 in steps of 10^-6: the principal of `yearlyInterest`. */
const PRINCIPAL = new DoubleDouble(100e6, 0);
const MINUS_PRINCIPAL = new DoubleDouble(-100e6, 0);

/** The effect of some months: a balance becomes balance × factor + offset. */
interface Transition {
  readonly factor: DoubleDouble;
  readonly offset: DoubleDouble;
}

/** A savings plan after a number of months, with amounts in steps of 10^-decimals. */
export class Growth {
  balance: DoubleDouble = ZERO;
  deposited: DoubleDouble = ZERO;
  interest: DoubleDouble = ZERO;
  /** The error of the balance and of the interest. */
  error = 0;
  depositedError = 0;
  readonly #plan: Plan;
  readonly #principal: DoubleDouble;
  readonly #deposit: DoubleDouble;
  readonly #rate: DoubleDouble;
  readonly #period: number;
  readonly #wholePeriod: Transition;
  readonly #wholeYear: Transition;
  /** The balance at the end of the last whole period, after #passed months. */
  #compounded: DoubleDouble;
  #passed = 0;

  constructor(plan: Plan) {
    const stepsPerOne = 10 ** plan.decimals;
    this.#plan = plan;
    this.#principal = doubleDoubleOf(plan.principal, stepsPerOne, 1);
    this.#deposit = doubleDoubleOf(plan.monthly_deposit, stepsPerOne, 1);
    this.#rate = doubleDoubleOf(plan.annual_rate, 1, 1200);
    this.#period = MONTHS_PER_PERIOD[plan.compounding];
    this.#wholePeriod = this.#transitionOver(this.#period);
    this.#wholeYear = repeat(this.#wholePeriod, 12 / this.#period);
    this.#compounded = this.#principal;
  }

  /** Moves on to a month, which must not be earlier than the last one. */
  advanceTo(month: number): void {
    for (; month - this.#passed >= 12; this.#passed += 12) {
      this.#compounded = after(this.#compounded, this.#wholeYear);
    }
    for (; month - this.#passed >= this.#period; this.#passed += this.#period) {
      this.#compounded = after(this.#compounded, this.#wholePeriod);
    }
    const rest = month - this.#passed;
    this.balance =
      rest === 0 ? this.#compounded : after(this.#compounded, this.#transitionOver(rest));
    this.deposited = this.#deposit.fma(new DoubleDouble(month, 0), this.#principal);
    this.interest = this.deposited.fma(MINUS_ONE, this.balance);
    this.error = (month + 1) * ERROR_PER_MONTH * Math.max(this.balance.high, this.deposited.high);
    this.depositedError = ERROR_PER_MONTH * this.deposited.high;
  }

  /**
   * Whether the balance is at least the target, in steps; undefined if the error leaves that
   * undecided.
   */
  reaches(target: DoubleDouble): boolean | undefined {
    const { high } = target.fma(MINUS_ONE, this.balance);
    if (Math.abs(high) <= this.error + ERROR_PER_MONTH * target.high) return undefined;
    return high > 0;
  }

  /** The interest of a year on 100, in steps of 10^-6. */
  yearlyInterest(): { readonly interest: DoubleDouble; readonly error: number } {
    const { factor } = this.#wholeYear;
    const interest = factor.fma(PRINCIPAL, MINUS_PRINCIPAL);
    return { interest, error: 13 * ERROR_PER_MONTH * PRINCIPAL.high * Math.max(1, factor.high) };
  }

  /** The effect of some months from the start of a period. */
  #transitionOver(months: number): Transition {
    const count = new DoubleDouble(months, 0);
    const accrued = new DoubleDouble(accruedMonths(this.#plan, months), 0);
    return {
      factor: this.#rate.fma(count, ONE),
      offset: this.#rate.fma(accrued, count).fma(this.#deposit, ZERO),
    };
  }
}

/** The effect of a transition that is repeated. */
function repeat(transition: Transition, times: number): Transition {
  if (times === 1) return transition;
  const half = repeat(transition, Math.floor(times / 2));
  const even = combine(half, half);
  return times % 2 === 0 ? even : combine(even, transition);
}

/** The effect of two transitions, one after the other. */
function combine(first: Transition, second: Transition): Transition {
  return {
    factor: first.factor.fma(second.factor, ZERO),
    offset: after(first.offset, second),
  };
}

function after(balance: DoubleDouble, { factor, offset }: Transition): DoubleDouble {
  return balance.fma(factor, offset);
}
