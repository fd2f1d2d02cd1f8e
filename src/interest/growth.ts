/**
 * The growth of a savings plan in doubles, and a bound on the error of each amount.
 *
 * Rounding changes a double by at most one unit, 2^-53 times the double. Over a period of m months,
 * with a monthly rate r and a monthly deposit D, a balance B becomes B + (B × mr + offset):
 *  1. mr has 3 units: the number of the request, a product and a quotient are rounded.
 *  2. The offset is D × m + D × r × accruedMonths. Each of these terms has at most 6 units, and
 *     rounding their sum adds 1.
 *  3. Rounding B × mr and its sum with the offset adds 2 units of B × mr and 1 of the terms. Together,
 *     B × mr has 5 units, and the terms have 8.
 *  4. Rounding the new balance adds 1 unit of B × (1 + mr) and 1 of the terms.
 *  5. The error of B is multiplied by 1 + mr, which has 1 unit, and 3 units of mr, by (1).
 *
 * Thus, the new error is at most |1 + mr| times the old one, plus 1 unit of B × (1 + mr), 8 of B × mr
 * and 9 of the terms, where B is its magnitude plus the old error. A unit is enlarged: this covers
 * the rounding of the bounds in 1,200 months.
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

/**
 * The effect of some months from the start of a period: a balance B becomes B + (B × rate + offset),
 * and its error becomes error × factor + (B × share + offsetError).
 */
interface Transition {
  readonly rate: number;
  readonly offset: number;
  readonly factor: number;
  readonly share: number;
  readonly offsetError: number;
}

/** A savings plan month by month, with amounts in steps of 10^-decimals. */
export class Growth {
  readonly #plan: Plan;
  readonly #principal: Approximation;
  readonly #deposit: number;
  readonly #period: number;
  readonly #wholePeriod: Transition;
  /** The balance at the end of the last whole period, after #passed months. */
  #compounded: Approximation;
  #passed = 0;

  constructor(plan: Plan) {
    this.#plan = plan;
    this.#principal = stepsOf(plan.principal, plan);
    this.#deposit = stepsOf(plan.monthly_deposit, plan).value;
    this.#period = MONTHS_PER_PERIOD[plan.compounding];
    this.#wholePeriod = this.#transitionOver(this.#period);
    this.#compounded = this.#principal;
  }

  /** The balance after some months, which must not be fewer than in the last call. */
  balanceAfter(months: number): Approximation {
    const periods = Math.floor((months - this.#passed) / this.#period);
    this.#compounded = grown(this.#compounded, this.#wholePeriod, periods);
    this.#passed += periods * this.#period;
    const rest = months - this.#passed;
    return rest === 0 ? this.#compounded : grown(this.#compounded, this.#transitionOver(rest), 1);
  }

  /** The principal and the deposits of some months. */
  depositedAfter(months: number): Approximation {
    // The deposits have 3 units, and rounding the sum adds 1.
    const value = this.#principal.value + this.#deposit * months;
    return { value, error: 4 * UNIT * value };
  }

  #transitionOver(months: number): Transition {
    const rate = (this.#plan.annual_rate * months) / 1200;
    const paid = this.#deposit * months;
    const earned =
      (this.#deposit * this.#plan.annual_rate * accruedMonths(this.#plan, months)) / 1200;
    const factor = Math.abs(1 + rate);
    const share = UNIT * (factor + 8 * Math.abs(rate));
    const offsetError = 9 * UNIT * (paid + Math.abs(earned));
    return { rate, offset: paid + earned, factor: factor + share, share, offsetError };
  }
}

/** An amount in steps. Its double and the product have 1 unit each. */
export function stepsOf(amount: number, { decimals }: Pick<Plan, 'decimals'>): Approximation {
  const value = amount * 10 ** decimals;
  return { value, error: 2 * UNIT * value };
}

/** A balance after a transition, repeated some times. */
function grown(balance: Approximation, transition: Transition, times: number): Approximation {
  const { rate, offset, factor, share, offsetError } = transition;
  let { value, error } = balance;
  for (let count = 0; count < times; count += 1) {
    error = error * factor + (Math.abs(value) * share + offsetError);
    value += value * rate + offset;
  }
  return { value, error };
}

/** The difference between two numbers. */
export function difference(left: Approximation, right: Approximation): Approximation {
  const value = left.value - right.value;
  return { value, error: left.error + right.error + UNIT * Math.abs(value) };
}

/**
 * The nearest whole number, or undefined if the error leaves it undecided. From 2^52 on, the error,
 * which is at least 1 unit, always does.
 */
export function nearestInteger({ value, error }: Approximation): number | undefined {
  const nearest = Math.round(value) + 0; // Turns −0 into 0.
  return Math.abs(value - nearest) + error < 0.5 ? nearest : undefined;
}
