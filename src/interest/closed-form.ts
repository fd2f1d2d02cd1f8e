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
 * The unit of an amount is so small that P, D, half a step and every term of (3) but F^k are even
 * numbers of units:
 *  4. A balance is compared with even numbers only. The odd number between two of them stands for
 *     all balances between the two.
 *  5. Let cF^k be the last term of (3), and F = a/b in lowest terms. If b^k is at most |c|, the
 *     term is calculated exactly. Otherwise b^k does not divide c, so that the term is not an
 *     integer.
 *  6. In that case, F^k is approximated by a fixed-point number: f units of 2^-n. It is the product
 *     of two such powers, cut off, so that f ≤ F^k 2^n < f + (2k − 1)m, where m is the larger of 1
 *     and F^k (by induction over k).
 *  7. Let w be the greatest even number up to cf 2^-n. By (6), cF^k 2^n is between cf and
 *     cf + 2k(c + w + 2). If the next even number is beyond both, w + 1 stands for the term.
 *     Otherwise n is doubled. This ends, because the term is not an integer.
 */
import { type Fraction, fractionOf } from './decimal.ts';
import type { Undecided } from './double-double.ts';
import { MONTHS_PER_PERIOD, type Plan } from './plan.ts';

/** Binary places beyond those of the coefficient, so that (7) nearly always decides at once. */
const GUARD_PLACES = 64;
/** The bits by which a coefficient grows within a period: 1 + 11 × 5/12 is less than 2^3. */
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
  readonly #principal: bigint;
  readonly #deposit: bigint;
  readonly #period: number;
  /** The terms for each number of months since the start of a period; none at a rate of 0. */
  readonly #terms: Terms[] = [];
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
    // The monthly rate is rate / one.
    const rate = percent.numerator;
    const one = 1200n * percent.denominator;
    const denominators = [principal.denominator, deposit.denominator, stepsPerOne];
    const parts = 4n * denominators.reduce((left, right) => (left > right ? left : right));
    // 1 is scale × unit, and always positive.
    const scale = rate < 0n ? -parts : parts;
    const unit = rate === 0n ? 1n : rate * one;
    const scaledPrincipal = principal.numerator * (scale / principal.denominator);
    const scaledDeposit = deposit.numerator * (scale / deposit.denominator);
    this.#halfStep = (scale / stepsPerOne / 2n) * unit;
    this.#principal = scaledPrincipal * unit;
    this.#deposit = scaledDeposit * unit;
    this.#period = MONTHS_PER_PERIOD[plan.compounding];
    const period = BigInt(this.#period);
    this.#factor = reduced({ numerator: one + period * rate, denominator: one });
    const months = period + (plan.deposit_timing === 'start' ? 1n : -1n);
    const steady = (scaledDeposit * (2n * one + rate * months)) / 2n;
    const distance = scaledPrincipal * rate + steady;
    for (let month = 0n; rate !== 0n && month < period; month += 1n) {
      const bend = (scaledDeposit * rate * rate * month * (period - month)) / 2n;
      const coefficient = (one + month * rate) * distance;
      this.#terms.push({ offset: -steady * one - bend, coefficient });
    }
    const bits = bitLength(one * distance) + GROWTH_BITS;
    this.#exactPeriods = bits / (bitLength(this.#factor.denominator) - 1);
    this.#places = BigInt(bits + GUARD_PLACES);
  }

  /** Decides a rounding of an amount. */
  decide({ halfSteps, below, tie, above }: Undecided, amount: Amount, month: number): number {
    const distance = this.#distance(halfSteps, amount, month);
    if (distance === 0n) return tie;
    return distance < 0n ? below : above;
  }

  /** Whether the balance is at least a number of half steps. */
  reaches(halfSteps: bigint, month: number): boolean {
    return this.#distance(halfSteps, 'balance', month) >= 0n;
  }

  /** The units by which an amount is beyond a number of half steps; 0 only if they are equal. */
  #distance(halfSteps: bigint, amount: Amount, month: number): bigint {
    return this.#unitsOf(amount, month) - halfSteps * this.#halfStep;
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
    const terms = this.#terms[month - periods * this.#period];
    if (terms === undefined) return this.#depositedAfter(month);
    return terms.offset + this.#timesPower(terms.coefficient, periods);
  }

  /** The term c F^k, as in (4). */
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

  #timesFixedPointPower(coefficient: bigint, periods: number): bigint {
    for (;;) {
      const product = coefficient * this.#power(periods);
      const whole = 2n * (product >> (this.#places + 1n));
      const error = BigInt(2 * periods) * (coefficient + whole + 2n);
      if (2n * ((product + error) >> (this.#places + 1n)) === whole) return whole + 1n;
      this.#places *= 2n;
      this.#powers = [];
    }
  }

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
