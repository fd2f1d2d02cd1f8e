/**
 * The exact growth of a savings plan, in integers: it decides what double-doubles leave undecided.
 *
 * Let P be the principal, D the monthly deposit, r the monthly rate, which is not 0, and p the
 * months of a period:
 *  1. A balance of S = −D(1/r + (p ± 1)/2) at the start of a period is S at its end as well: the
 *     interest takes what the deposits add. (+ is for deposits at the start of a month, − for
 *     deposits at its end.)
 *  2. A period multiplies the distance of a balance from S by F = 1 + pr.
 *  3. After k periods and j more months, the balance is S − Drj(p − j)/2 + (1 + jr)(P − S)F^k.
 *
 * Amounts are integers: numbers of a unit that is a fraction of 1, chosen for the plan. All terms of
 * (3) but the last one, which is cF^k, are even numbers of units, as are P, D and half a step. An
 * amount is compared with such numbers and rounded at such numbers only, so that the odd number
 * between two of them can stand for all amounts between the two.
 *
 * An example: 100 with 10 at the end of each month, at 12 % and in steps of 0.01. 1 is 5,760,000
 * units, half a step is 28,800 units, and F is 101/100. S is −1,000, which is −5,760,000,000 units,
 * and P − S is 1,100. After a month, the balance is −5,760,000,000 + 6,336,000,000 × 101/100 =
 * 639,360,000 units, which is 111. It is 22,200 half steps, and thus a whole number of steps.
 */
import { type Fraction, fractionOf } from './decimal.ts';
import { MONTHS_PER_PERIOD, type Plan } from './plan.ts';

/** Binary places beyond those of the coefficient, so that they nearly always decide at once. */
const GUARD_PLACES = 64;
/**
 * The bits by which a coefficient grows within a year: 1 + 11 × 5/12 is less than 2^3. In a longer
 * period, no power follows the coefficient.
 */
const GROWTH_BITS = 3;

/** An amount of a plan. */
export type Amount = 'balance' | 'deposited' | 'interest';

/** The terms of (3) after some months of a period: offset + coefficient × F^k. */
interface Terms {
  readonly offset: bigint;
  readonly coefficient: bigint;
}

/** The exact growth of a savings plan; a step is 1 / stepsPerOne, a power of ten. */
export class ExactGrowth {
  readonly #halfStep: bigint;
  /** The power of ten that a step is. */
  readonly #exponent: number;
  readonly #principal: bigint;
  readonly #deposit: bigint;
  readonly #period: number;
  /** The terms by the number of months since the start of a period. */
  readonly #terms: Terms[] = [];
  /** Calculates such terms; undefined at a rate of 0. */
  readonly #termsAfter: ((month: bigint) => Terms) | undefined;
  readonly #factor: Fraction;
  /** The number of periods up to which the power of the factor is calculated exactly. */
  readonly #exactPeriods: number;
  /** The powers of the factor, by the number of periods. */
  #powers: bigint[] = [];
  #places: bigint;

  constructor(plan: Plan, stepsPerOne: bigint) {
    const principal = fractionOf(plan.principal);
    const deposit = fractionOf(plan.monthly_deposit);
    const percent = fractionOf(plan.annual_rate);
    // The monthly rate is rate / base; in the example, 12 / 1,200.
    const rate = percent.numerator;
    const base = 1200n * percent.denominator;
    // 1 is scale × unit units; in the example, 400 × (12 × 1,200). The scale makes P, D and a step
    // multiples of 4, so that their halves are even. The unit makes integers of D/r and of products
    // with r and r². Both are negative at a negative rate, so that 1 is positive.
    const denominators = [principal.denominator, deposit.denominator, stepsPerOne];
    const parts = 4n * denominators.reduce((left, right) => (left > right ? left : right));
    const scale = rate < 0n ? -parts : parts;
    const unit = rate === 0n ? 1n : rate * base;
    const scaledPrincipal = principal.numerator * (scale / principal.denominator);
    const scaledDeposit = deposit.numerator * (scale / deposit.denominator);
    this.#exponent = 1 - String(stepsPerOne).length;
    this.#halfStep = (scale / stepsPerOne / 2n) * unit;
    this.#principal = scaledPrincipal * unit;
    this.#deposit = scaledDeposit * unit;
    this.#period = MONTHS_PER_PERIOD[plan.compounding];
    const period = BigInt(this.#period);
    this.#factor = reduced({ numerator: base + period * rate, denominator: base });
    // −S is steady × base units, and P − S is distance × base units, by (1).
    const months = period + (plan.deposit_timing === 'start' ? 1n : -1n);
    const steady = (scaledDeposit * (2n * base + rate * months)) / 2n;
    const distance = scaledPrincipal * rate + steady;
    // The terms of (3).
    const termsAfter = (month: bigint): Terms => {
      const bend = (scaledDeposit * rate * rate * month * (period - month)) / 2n;
      const coefficient = (base + month * rate) * distance;
      return { offset: -steady * base - bend, coefficient };
    };
    this.#termsAfter = rate === 0n ? undefined : termsAfter;
    // 2^bits exceeds every coefficient c. F is a/b in lowest terms; a number of n bits is at least
    // 2^(n − 1), so that b^k exceeds c beyond this number of periods, which is infinite if b is 1.
    const bits = bitLength(base * distance) + GROWTH_BITS;
    this.#exactPeriods = bits / (bitLength(this.#factor.denominator) - 1);
    this.#places = BigInt(bits + GUARD_PLACES);
  }

  /** Rounds an amount half away from zero to steps. Returns the double nearest to the result. */
  round(amount: Amount, month: number): number {
    const units = this.#unitsOf(amount, month);
    const half = units < 0n ? -this.#halfStep : this.#halfStep;
    const steps = (units + half) / (2n * this.#halfStep);
    return Number(`${steps}e${this.#exponent}`);
  }

  /** Whether the balance is at least a number of half steps. */
  reaches(halfSteps: bigint, month: number): boolean {
    return this.#unitsOf('balance', month) >= halfSteps * this.#halfStep;
  }

  #unitsOf(amount: Amount, month: number): bigint {
    if (amount === 'deposited') return this.#depositedAfter(month);
    const balance = this.#balanceAfter(month);
    return amount === 'balance' ? balance : balance - this.#depositedAfter(month);
  }

  #depositedAfter(month: number): bigint {
    return this.#principal + BigInt(month) * this.#deposit;
  }

  #balanceAfter(month: number): bigint {
    const periods = Math.floor(month / this.#period);
    const rest = month - periods * this.#period;
    if (this.#termsAfter === undefined) return this.#depositedAfter(month);
    const terms = (this.#terms[rest] ??= this.#termsAfter(BigInt(rest)));
    return terms.offset + this.#timesPower(terms.coefficient, periods);
  }

  /** The term cF^k, or the odd number that stands for it. */
  #timesPower(coefficient: bigint, periods: number): bigint {
    if (coefficient === 0n) return 0n;
    if (coefficient < 0n) return -this.#timesPower(-coefficient, periods);
    return periods <= this.#exactPeriods
      ? this.#timesExactPower(coefficient, BigInt(periods))
      : this.#timesFixedPointPower(coefficient, periods);
  }

  #timesExactPower(coefficient: bigint, periods: bigint): bigint {
    const dividend = coefficient * this.#factor.numerator ** periods;
    const divisor = 2n * this.#factor.denominator ** periods;
    const quotient = dividend / divisor;
    const isExact = quotient * divisor === dividend;
    return isExact ? 2n * quotient : 2n * quotient + 1n;
  }

  /**
   * The odd number that stands for cF^k after so many periods k that b^k exceeds c, where F is a/b
   * in lowest terms: then b^k does not divide c, so that the term is not an integer.
   */
  #timesFixedPointPower(coefficient: bigint, periods: number): bigint {
    for (;;) {
      const product = coefficient * this.#power(periods);
      // The greatest even number up to the product cf 2^-n. If the term is below the next even
      // number, too, the odd number between the two stands for it.
      const whole = 2n * (product >> (this.#places + 1n));
      // By the bound of f, the product falls short of the term by less than (2k − 1)c or, if F is
      // above 1, (2k − 1)cF^k units of 2^-n. In the second case, cF^k(1 − (2k − 1)2^-n) is at most
      // cf 2^-n, which is below whole + 2. Because 2k(2k − 1) is less than 2^n, (2k − 1)cF^k is less
      // than 2k(whole + 2).
      const error = BigInt(2 * periods) * (coefficient + whole + 2n);
      if (2n * ((product + error) >> (this.#places + 1n)) === whole) return whole + 1n;
      // This ends, because the term is not an integer.
      this.#places *= 2n;
      this.#powers = [];
    }
  }

  /**
   * F^k in fixed-point arithmetic: f units of 2^-n, where n is the number of places. Two powers are
   * multiplied and cut off, so that f ≤ F^k 2^n < f + (2k − 1)m by induction over k, where m is the
   * larger of 1 and F^k.
   */
  #power(periods: number): bigint {
    const known = this.#powers[periods];
    if (known !== undefined) return known;
    const half = Math.floor(periods / 2);
    const power =
      periods === 1
        ? (this.#factor.numerator << this.#places) / this.#factor.denominator
        : (this.#power(half) * this.#power(periods - half)) >> this.#places;
    this.#powers[periods] = power;
    return power;
  }
}

function bitLength(value: bigint): number {
  return value.toString(2).length;
}

/** A fraction in lowest terms; the denominator has no prime factors but 2, 3 and 5. */
function reduced({ numerator, denominator }: Fraction): Fraction {
  for (const prime of [2n, 3n, 5n]) {
    while (numerator % prime === 0n && denominator % prime === 0n) {
      numerator /= prime;
      denominator /= prime;
    }
  }
  return { numerator, denominator };
}
