/**
 * The growth of a savings plan in double-double arithmetic; each amount has a bound on its error.
 *
 * The bounds leave underflow out. Only a balance that vanishes at a negative rate meets it; that
 * adds less than 2^-1000, while half a step and the smallest target are above 2^-50.
 */
import { doubleDoubleOf } from './decimal.ts';
import { DoubleDouble } from './double-double.ts';
import { accruedMonths, MONTHS_PER_PERIOD, type Plan } from './plan.ts';

const ZERO = new DoubleDouble(0);
const ONE = new DoubleDouble(1);
const MINUS_ONE = new DoubleDouble(-1);
/** 100 in steps of 10^-6. */
const HUNDRED = new DoubleDouble(100e6);
const MINUS_HUNDRED = new DoubleDouble(-100e6);

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
    this.#wholeYear =
      this.#period > 12 ? this.#transitionOver(12) : repeat(this.#wholePeriod, 12 / this.#period);
    this.#compounded = this.#principal;
  }

  /** Moves on to a month, which must not be earlier than the last one. */
  advanceTo(month: number): void {
    for (; this.#period <= 12 && month - this.#passed >= 12; this.#passed += 12) {
      this.#compounded = after(this.#compounded, this.#wholeYear);
    }
    for (; month - this.#passed >= this.#period; this.#passed += this.#period) {
      this.#compounded = after(this.#compounded, this.#wholePeriod);
    }
    const rest = month - this.#passed;
    this.balance =
      rest === 0 ? this.#compounded : after(this.#compounded, this.#transitionOver(rest));
    this.deposited = this.#deposit.fma(new DoubleDouble(month), this.#principal);
    this.interest = this.deposited.fma(MINUS_ONE, this.balance);
  }

  /** The interest of a year on 100, in steps of 10^-6. */
  yearlyInterest(): DoubleDouble {
    return this.#wholeYear.factor.fma(HUNDRED, MINUS_HUNDRED);
  }

  /** The effect of some months from the start of a period. */
  #transitionOver(months: number): Transition {
    const count = new DoubleDouble(months);
    const accrued = new DoubleDouble(accruedMonths(this.#plan, months));
    return {
      factor: this.#rate.fma(count, ONE),
      offset: this.#rate.fma(accrued, count).fma(this.#deposit, ZERO),
    };
  }
}

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
