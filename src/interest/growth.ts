/**
 * The growth of a savings plan in doubles, each with a bound on its error.
 *
 * The double of a decimal, or of the result of an operation, is wrong by at most one unit, which is
 * 2^-53 times the double. Each operation adds this unit to the error that its operands cause. UNIT
 * is slightly larger, which covers the rounding of the bounds in 1,200 months. Whole numbers of
 * months and of steps per one are exact.
 *
 * The bounds ignore underflow. It occurs only when a negative rate drives a balance to 0, and adds
 * less than 2^-1000, while half a step and the smallest target are above 2^-50.
 */
import { accruedMonths, MONTHS_PER_PERIOD, type Plan } from './plan.ts';

const UNIT = 2 ** -53 * (1 + 2 ** -20);

/** A number, and a bound on its distance from the exact number. */
export interface Approximation {
  readonly value: number;
  readonly error: number;
}

/** The effect of some months: a balance B becomes B + (B × rate + offset). */
interface Transition {
  readonly rate: Approximation;
  readonly offset: Approximation;
}

/** A savings plan month by month, with amounts in steps of 10^-decimals. */
export class Growth {
  readonly #plan: Plan;
  readonly #principal: Approximation;
  readonly #deposit: Approximation;
  readonly #rate: Approximation;
  readonly #period: number;
  /** The transitions over 1, 2, 4, 8 … periods, as far as they have been needed. */
  readonly #powers: Transition[];
  /** The balance at the end of the last whole period, after #passed months. */
  #compounded: Approximation;
  #passed = 0;

  constructor(plan: Plan) {
    this.#plan = plan;
    this.#principal = stepsOf(plan.principal, plan);
    this.#deposit = stepsOf(plan.monthly_deposit, plan);
    this.#rate = rounded(plan.annual_rate);
    this.#period = MONTHS_PER_PERIOD[plan.compounding];
    this.#powers = [this.#transitionOver(this.#period)];
    this.#compounded = this.#principal;
  }

  /** The balance after some months, which must not be fewer than in the last call. */
  balanceAfter(months: number): Approximation {
    const periods = Math.floor((months - this.#passed) / this.#period);
    for (let rest = periods, power = 0; rest > 0; rest = Math.floor(rest / 2), power += 1) {
      if (power === this.#powers.length) this.#powers.push(twice(this.#powers.at(-1)!));
      if (rest % 2 === 1) this.#compounded = changed(this.#compounded, this.#powers[power]!);
    }
    this.#passed += periods * this.#period;
    const rest = months - this.#passed;
    return rest === 0 ? this.#compounded : changed(this.#compounded, this.#transitionOver(rest));
  }

  /** The principal and the deposits of some months. */
  depositedAfter(months: number): Approximation {
    return sum(this.#principal, product(this.#deposit, exact(months)));
  }

  /** The transition over some months from the start of a period, by the rule of accruedMonths. */
  #transitionOver(months: number): Transition {
    const accrued = rounded(accruedMonths(this.#plan, months) / 1200);
    const earned = product(product(this.#deposit, accrued), this.#rate);
    return {
      rate: product(this.#rate, rounded(months / 1200)),
      offset: sum(product(this.#deposit, exact(months)), earned),
    };
  }
}

/** An amount in steps. */
export function stepsOf(amount: number, { decimals }: Pick<Plan, 'decimals'>): Approximation {
  return product(rounded(amount), exact(10 ** decimals));
}

function exact(value: number): Approximation {
  return { value, error: 0 };
}

/** A number that has been rounded, and the error that it had before. */
function rounded(value: number, error = 0): Approximation {
  return { value, error: error + UNIT * Math.abs(value) };
}

function sum(left: Approximation, right: Approximation): Approximation {
  return rounded(left.value + right.value, left.error + right.error);
}

/** The difference between two numbers. */
export function difference(left: Approximation, right: Approximation): Approximation {
  return rounded(left.value - right.value, left.error + right.error);
}

/** The product of l ± d and r ± e, which differs from lr by at most |l|e + d(|r| + e). */
function product(left: Approximation, right: Approximation): Approximation {
  const error =
    Math.abs(left.value) * right.error + left.error * (Math.abs(right.value) + right.error);
  return rounded(left.value * right.value, error);
}

/**
 * A balance after a transition: that of its double as if it were exact, and the error of the double,
 * which the transition multiplies by |1 + rate|.
 */
function changed(balance: Approximation, { rate, offset }: Transition): Approximation {
  const start = exact(balance.value);
  const { value, error } = sum(start, sum(product(start, rate), offset));
  return { value, error: error + balance.error * (Math.abs(1 + rate.value) + rate.error) };
}

/** A transition and itself again: B(1 + r)(1 + r) + o(1 + r) + o, which is B + (B × r(2 + r) + o(2 + r)). */
function twice({ rate, offset }: Transition): Transition {
  const factor = sum(exact(2), rate);
  return { rate: product(rate, factor), offset: product(offset, factor) };
}

/**
 * The nearest whole number, or NaN if the error leaves it undecided. From 2^52 on, the error, which
 * is at least 1 unit, always does.
 */
export function nearestInteger({ value, error }: Approximation): number {
  const nearest = Math.round(value) + 0; // Turns −0 into 0.
  return Math.abs(value - nearest) + error < 0.5 ? nearest : NaN;
}
