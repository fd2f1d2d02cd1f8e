/**
 * The exact growth of a savings plan, in integers: it decides what doubles leave undecided.
 *
 * Let P be the principal, D the monthly deposit, r the monthly rate, which is not 0, and p the months of a period:
 *  1. A balance of S = −D(1/r + (p ± 1)/2) at the start of a period is S at its end as well: the interest takes what
 *     the deposits add. (+ is for deposits at the start of a month, − for deposits at its end.)
 *  2. A period multiplies the distance of a balance from S by F = 1 + pr.
 *  3. After k periods and j more months, the balance is S − Drj(p − j)/2 + (1 + jr)(P − S)F^k.
 *
 * Amounts are integers: numbers of a unit that is a fraction of 1, chosen for the plan. All terms of (3) but the last
 * one, which is cF^k, are even numbers of units, as are P, D and half a step. All comparisons are with even numbers, so
 * that the odd number between two even ones may replace any amount between them.
 */
import { type Amounts, MONTHS_PER_PERIOD, type Plan } from './plan.ts';

/** An exact number: numerator ÷ denominator. */
export interface Fraction {
  readonly numerator: bigint;
  readonly denominator: bigint;
}

/** The terms of (3) after some months of a period: offset + coefficient × F^k. */
interface Terms {
  readonly offset: bigint;
  readonly coefficient: bigint;
  /** The number of periods up to which the product of the coefficient and F^k is an integer. */
  readonly wholePeriods: number;
}

/** The exact growth of a savings plan; a step is 1 / stepsPerOne, a power of ten. */
export class ExactGrowth {
  /** The binary places of the powers, which are doubled until they decide. */
  places = 128n;
  readonly #halfStep: bigint;
  readonly #principal: bigint;
  readonly #deposit: bigint;
  readonly #period: number;
  /** By the number of months since the start of a period. */
  readonly #terms = new Map<number, Terms>();
  /** Undefined at a rate of 0. */
  readonly #termsAfter: ((month: bigint) => Terms) | undefined;
  /** F in lowest terms. */
  readonly #numerator: bigint;
  readonly #denominator: bigint;
  /** The powers of F, by the number of periods. */
  #powers = new Map<number, bigint>();

  constructor(plan: Plan, stepsPerOne: bigint) {
    const principal = fractionOf(plan.principal);
    const deposit = fractionOf(plan.monthly_deposit);
    const percent = fractionOf(plan.annual_rate);
    // The monthly rate is rate / base.
    const rate = percent.numerator;
    const base = 1200n * percent.denominator;
    // 1 is scale × unit units. The scale makes P, D and a step multiples of 4, so that their halves are even. The unit
    // makes integers of D/r and of products with r and r². Both are negative at a negative rate.
    const denominators = [principal.denominator, deposit.denominator, stepsPerOne];
    const parts = 4n * denominators.reduce((left, right) => (left > right ? left : right));
    const scale = rate < 0n ? -parts : parts;
    const unit = rate === 0n ? 1n : rate * base;
    const scaledPrincipal = principal.numerator * (scale / principal.denominator);
    const scaledDeposit = deposit.numerator * (scale / deposit.denominator);
    this.#halfStep = (scale / stepsPerOne / 2n) * unit;
    this.#principal = scaledPrincipal * unit;
    this.#deposit = scaledDeposit * unit;
    this.#period = MONTHS_PER_PERIOD[plan.compounding];
    const period = BigInt(this.#period);
    const divisor = commonDivisor(base + period * rate, base);
    this.#numerator = (base + period * rate) / divisor;
    this.#denominator = base / divisor;
    // −S is minusS × base units, and P − S is distance × base units, by (1).
    const months = period + (plan.deposit_timing === 'start' ? 1n : -1n);
    const minusS = (scaledDeposit * (2n * base + rate * months)) / 2n;
    const distance = scaledPrincipal * rate + minusS;
    // The terms of (3); the middle one is Drj(p − j)/2.
    const termsAfter = (month: bigint): Terms => {
      const middle = (scaledDeposit * rate * rate * month * (period - month)) / 2n;
      const coefficient = (base + month * rate) * distance;
      // F is a/b in lowest terms, so that b^k divides ca^k only if it divides c.
      const wholePeriods = timesDivisible(coefficient, this.#denominator);
      return { offset: -minusS * base - middle, coefficient, wholePeriods };
    };
    this.#termsAfter = rate === 0n ? undefined : termsAfter;
  }

  /** The balance, the total deposited and the interest in steps, rounded half away from zero. */
  amountsAfter(month: number): Amounts<bigint> {
    const [balance, deposited] = [this.#balanceAfter(month), this.#depositedAfter(month)];
    return {
      balance: this.#rounded(balance),
      deposited: this.#rounded(deposited),
      interest: this.#rounded(balance - deposited),
    };
  }

  /** Whether the balance is at least a number of steps. */
  reaches(steps: bigint, month: number): boolean {
    return this.#balanceAfter(month) >= 2n * steps * this.#halfStep;
  }

  #rounded(units: bigint): bigint {
    const half = units < 0n ? -this.#halfStep : this.#halfStep;
    return (units + half) / (2n * this.#halfStep);
  }

  #depositedAfter(month: number): bigint {
    return this.#principal + BigInt(month) * this.#deposit;
  }

  #balanceAfter(month: number): bigint {
    const periods = Math.floor(month / this.#period);
    const rest = month - periods * this.#period;
    const termsAfter = this.#termsAfter;
    if (termsAfter === undefined) return this.#depositedAfter(month);
    const terms = known(this.#terms, rest, () => termsAfter(BigInt(rest)));
    return terms.offset + this.#timesPower(terms, periods);
  }

  /** The term cF^k if it is an integer, or the odd number that stands in for it. */
  #timesPower({ coefficient, wholePeriods }: Terms, periods: number): bigint {
    if (coefficient === 0n) return 0n;
    if (periods > wholePeriods) return this.#standIn(coefficient, periods);
    const exponent = BigInt(periods);
    return (coefficient / this.#denominator ** exponent) * this.#numerator ** exponent;
  }

  /** The odd number that replaces the term cF^k, which is not an integer. */
  #standIn(coefficient: bigint, periods: number): bigint {
    if (coefficient < 0n) return -this.#standIn(-coefficient, periods);
    for (;;) {
      const product = coefficient * this.#power(periods);
      // If the greatest even number up to the product cf 2^-n is also that up to the term, the odd number after it
      // replaces the term.
      const half = product >> (this.places + 1n);
      // By the bound of f, the product falls short of the term by less than (2k − 1)c or, if F is above 1, (2k − 1)cF^k
      // units of 2^-n. In the second case, cF^k(1 − (2k − 1)2^-n) is at most cf 2^-n, which is below 2 × half + 2, so
      // that (2k − 1)cF^k is less than 2k(2 × half + 2), because 2k(2k − 1) is less than 2^n. 4k is less than 2^13.
      const error = (coefficient + half + 1n) << 13n;
      if ((product + error) >> (this.places + 1n) === half) return 2n * half + 1n;
      // This ends, because the term is not an integer.
      this.places *= 2n;
      this.#powers = new Map();
    }
  }

  /**
   * F^k in fixed-point arithmetic: f units of 2^-n, where n is the number of places. Two powers are multiplied and cut
   * off, so that f ≤ F^k 2^n < f + (2k − 1)m by induction over k, where m is the larger of 1 and F^k.
   */
  #power(periods: number): bigint {
    return known(this.#powers, periods, () => {
      if (periods === 1) return (this.#numerator << this.places) / this.#denominator;
      const half = Math.floor(periods / 2);
      return (this.#power(half) * this.#power(periods - half)) >> this.places;
    });
  }
}

/** The value of a key, which is calculated once. Arrays would inherit values from their prototype. */
function known<V>(values: Map<number, V>, key: number, calculate: () => V): V {
  let value = values.get(key);
  if (value === undefined) {
    value = calculate();
    values.set(key, value);
  }
  return value;
}

/** How often a number is divisible by another, one time after the other. */
function timesDivisible(dividend: bigint, divisor: bigint): number {
  if (dividend === 0n || divisor === 1n) return Infinity;
  let times = 0;
  for (let rest = dividend; rest % divisor === 0n; rest /= divisor) times += 1;
  return times;
}

/** The greatest common divisor (Euclid). */
function commonDivisor(left: bigint, right: bigint): bigint {
  return left === 0n ? right : commonDivisor(right % left, left);
}

/**
 * The decimal that a finite double represents: the shortest that reads as this double (ECMAScript Number::toString).
 * 0.1 is one tenth, not 0.1000000000000000055…
 */
export function fractionOf(value: number): Fraction {
  const [mantissa = '', exponent = '0'] = String(value).split('e');
  const [whole = '', fraction = ''] = mantissa.split('.');
  const numerator = BigInt(whole + fraction);
  const decimals = fraction.length - Number(exponent);
  if (decimals >= 0) return { numerator, denominator: 10n ** BigInt(decimals) };
  return { numerator: numerator * 10n ** BigInt(-decimals), denominator: 1n };
}
