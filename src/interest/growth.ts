/**
 * The growth of a savings plan in doubles, each with a bound on its error.
 *
 * A unit is 2^-53 times a number. The relative error of a double is counted in units:
 *  - Reading a decimal and rounding the result of an operation add 1 unit each.
 *  - A product or a quotient has the units of both operands.
 *  - A sum of terms that are not negative has the units of the term with more of them.
 *
 * UNIT is slightly larger, which covers the rounding of the bounds in 1,200 months, and the products of units. Numbers
 * of months and of steps per one are exact.
 *
 * The bounds ignore underflow. It occurs only when a negative rate drives a balance to 0, and adds less than 2^-1000,
 * while half a step and the smallest target are above 2^-50.
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
  readonly rate: number;
  readonly offset: number;
  /** The units of the rate, and of the offset, at most. */
  readonly units: number;
}

/** A savings plan month by month, with amounts in steps of 10^-decimals. */
export class Growth {
  readonly #plan: Plan;
  readonly #principal: number;
  readonly #deposit: number;
  readonly #period: number;
  /** The transitions over 1, 2, 4, 8 … periods, as far as they have been needed. */
  readonly #powers: Transition[];
  /** The balance at the end of the last whole period, after #passed months. */
  #compounded: Approximation;
  #passed = 0;

  constructor(plan: Plan) {
    this.#plan = plan;
    this.#compounded = stepsOf(plan.principal, plan);
    this.#principal = this.#compounded.value;
    this.#deposit = stepsOf(plan.monthly_deposit, plan).value;
    this.#period = MONTHS_PER_PERIOD[plan.compounding];
    this.#powers = [this.#transitionOver(this.#period)];
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

  /** The principal and the deposits of some months. A deposit has 2 units, as the principal has. */
  depositedAfter(months: number): Approximation {
    return withUnits(4, this.#principal + this.#deposit * months);
  }

  /**
   * The transition over some months from the start of a period, by the rule of accruedMonths. The rate has 3 units, and
   * so has the second term of the sum. A negative one is less than 6/11 of the sum's other term, so that 3 units of it
   * are less than 4 of the sum, which has less than 5. With the 2 of the deposit, the offset has less than 8.
   */
  #transitionOver(months: number): Transition {
    const { annual_rate } = this.#plan;
    const accrued = accruedMonths(this.#plan, months);
    return {
      rate: (annual_rate * months) / 1200,
      offset: this.#deposit * (months + (annual_rate * accrued) / 1200),
      units: 8,
    };
  }
}

/** An amount in steps: a decimal and a product. */
export function stepsOf(amount: number, { decimals }: Pick<Plan, 'decimals'>): Approximation {
  return withUnits(2, amount * 10 ** decimals);
}

function withUnits(units: number, value: number): Approximation {
  return { value, error: units * UNIT * Math.abs(value) };
}

/** The difference between two numbers. */
export function difference(left: Approximation, right: Approximation): Approximation {
  const { value, error } = withUnits(1, left.value - right.value);
  return { value, error: left.error + right.error + error };
}

/**
 * A balance after a transition. The error of the balance is multiplied by 1 + rate. The product and the two sums add
 * units to those of the rate and the offset.
 */
function changed(balance: Approximation, { rate, offset, units }: Transition): Approximation {
  const { value, error } = withUnits(1, balance.value + (balance.value * rate + offset));
  const terms = (balance.value + balance.error) * Math.abs(rate) + offset;
  return { value, error: balance.error * (1 + rate) + error + (units + 2) * UNIT * terms };
}

/**
 * A transition and itself again: B(1 + r)(1 + r) + o(1 + r) + o, which is B + (B × r(2 + r) + o(2 + r)). A rate is at
 * least −1, so that its error is no larger a part of 2 + r than of r.
 */
function twice({ rate, offset, units }: Transition): Transition {
  return { rate: rate * (2 + rate), offset: offset * (2 + rate), units: 2 * units + 2 };
}

/**
 * The nearest whole number, or NaN if the error leaves it undecided. From 2^52 on, the error, which is at least 1 unit,
 * always does.
 */
export function nearestInteger({ value, error }: Approximation): number {
  const nearest = Math.round(value) + 0; // Turns −0 into 0.
  return Math.abs(value - nearest) + error < 0.5 ? nearest : NaN;
}
