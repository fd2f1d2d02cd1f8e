/**
 * The growth of a savings plan in pairs of doubles: as precise as 106 bits, fast, and with a proven bound on the error.
 *
 * A pair is the sum of its two doubles, of which `low` is at most u = 2^-53 of `high`. The error of a sum or a product
 * of two doubles is a double too, which TwoSum (Knuth) and TwoProduct (Dekker, Veltkamp) give exactly. Only the
 * arithmetic with the low parts is rounded. The error of `setToMultiplyAdd` is at most 15 u² (|left × right| +
 * |addend|). In units of u²: the two products with a low part 1 each, their sum 2, the sum with the error of the
 * product 3, the omitted product of the low parts 1, the sum with addend.low 4, the sum with the error of the sum 3.
 * A quotient is within u².
 *
 * Amounts are in steps of 10^-decimals. Let M be the larger of the balance and of the deposits after n months. At 0 %
 * or more, the two terms of a period add up to the balance after it, which then grows at least as much as an error in
 * it does. Below 0 %, down to −100 %, an error never grows, and no term exceeds the deposits so far. A period thus
 * contributes 31 u² M by its factor and 47 u² M by its offset (a multiply-add each, with the error of the rate; for
 * the offset also the product with the deposit), and up to three multiply-adds of 15 u² M: to the factor and the
 * offset of the year, and to the balance. Deposits are within 18 u² M, and the interest adds 30 u² M. Together this is
 * at most (123 n + 48) u² M. The interest of a year on a principal is that of a plan without deposits. As n is at most
 * 1200 and M is below 2^52, every amount is within 2^-36 steps. Underflow, which only a balance that vanishes at a
 * negative rate can meet, adds less than 2^-1000.
 */
import { accruedMonths, MONTHS_PER_PERIOD, type Plan } from './plan.ts';

/** Splits a double into two halves of 26 bits (Veltkamp). */
const SPLITTER = 2 ** 27 + 1;
const MAXIMUM_STEPS = 2 ** 52;
const MARGIN = 2 ** -35;
/** Decimals of up to 15 digits are distinct doubles, so that the double stands for the decimal. */
const MAXIMUM_DIGITS = 15;
const POWERS_OF_TEN = Array.from({ length: MAXIMUM_DIGITS + 1 }, (_, exponent) => Number(`1e${exponent}`));

/** A number of 106 bits: the sum of two doubles. */
export class Pair {
  high = 0;
  low = 0;

  constructor(high: number, low: number) {
    this.high = high;
    this.low = low;
  }

  /** Sets this pair to left × right + addend; each of them may be this pair. */
  setToMultiplyAdd(left: Pair, right: Pair, addend: Pair): void {
    const product = left.high * right.high;
    const productLow = productError(left.high, right.high, product) + (left.high * right.low + left.low * right.high);
    const sum = product + addend.high;
    const part = sum - product;
    const sumError = (product - (sum - part)) + (addend.high - part);
    const rest = sumError + (productLow + addend.low);
    this.high = sum + rest;
    this.low = rest - (this.high - sum);
  }

  /** Rounds the amount to whole steps. Returns undefined if it is too large, or too close to a half, to be certain. */
  round(stepsPerOne: number): number | undefined {
    const steps = Math.round(this.high);
    const rest = this.high - steps + this.low;
    if (Math.abs(steps) >= MAXIMUM_STEPS || Math.abs(rest) >= 0.5 - MARGIN) return undefined;
    // The quotient of two exact doubles is the nearest double; + 0 turns −0 into 0.
    return steps / stepsPerOne + 0;
  }
}

const ZERO = new Pair(0, 0);
const ONE = new Pair(1, 0);

/** The growth of a savings plan. */
export interface GrowthInPairs<Row> {
  readonly rows: Row[];
  /** The factor by which a balance grows in a year without deposits. */
  readonly yearFactor: Pair;
}

/**
 * Calculates the balance, the deposits and the interest after each of the given months, which ascend, in steps of
 * 10^-decimals, and passes them to `toRow`. Returns undefined if a number of the plan has too many digits.
 */
export function growthInPairs<Row>(
  plan: Plan,
  months: readonly number[],
  toRow: (month: number, balance: Pair, deposited: Pair, interest: Pair) => Row,
): GrowthInPairs<Row> | undefined {
  const principal = decimalInPairs(plan.principal, plan.decimals);
  const deposit = decimalInPairs(plan.monthly_deposit, plan.decimals);
  const rate = monthlyRate(plan.annual_rate);
  if (principal === undefined || deposit === undefined || rate === undefined) return undefined;
  const period = MONTHS_PER_PERIOD[plan.compounding];
  const wholePeriod = transitionOf(plan, period, deposit, rate);
  const wholeYear = repeated(wholePeriod, 12 / period);
  const balance = new Pair(principal.high, principal.low);
  let passed = 0;
  const rows = months.map((month) => {
    for (; month - passed >= 12; passed += 12) advance(balance, balance, wholeYear);
    for (; month - passed >= period; passed += period) advance(balance, balance, wholePeriod);
    const [total, deposited, interest] = [new Pair(balance.high, balance.low), new Pair(month, 0), new Pair(-1, 0)];
    if (month > passed) advance(total, balance, transitionOf(plan, month - passed, deposit, rate));
    deposited.setToMultiplyAdd(deposited, deposit, principal);
    interest.setToMultiplyAdd(interest, deposited, total);
    return toRow(month, total, deposited, interest);
  });
  return { rows, yearFactor: wholeYear.factor };
}

/** The interest on a principal that grows by a factor, both in steps. */
export function interestOn(principal: number, factor: Pair): Pair {
  const interest = new Pair(-principal, 0);
  interest.setToMultiplyAdd(factor, new Pair(principal, 0), interest);
  return interest;
}

/** The effect of some months: a balance becomes factor × balance + offset. */
interface Transition {
  readonly factor: Pair;
  readonly offset: Pair;
}

/** The effect of some months from the start of a period. */
function transitionOf(plan: Plan, months: number, deposit: Pair, rate: Pair): Transition {
  const [factor, offset, count] = [new Pair(0, 0), new Pair(0, 0), new Pair(months, 0)];
  factor.setToMultiplyAdd(count, rate, ONE);
  offset.setToMultiplyAdd(new Pair(accruedMonths(plan, months), 0), rate, count);
  offset.setToMultiplyAdd(offset, deposit, ZERO);
  return { factor, offset };
}

function repeated(transition: Transition, times: number): Transition {
  const [factor, offset] = [new Pair(1, 0), new Pair(0, 0)];
  for (let count = 0; count < times; count += 1) {
    factor.setToMultiplyAdd(factor, transition.factor, ZERO);
    advance(offset, offset, transition);
  }
  return { factor, offset };
}

function advance(target: Pair, balance: Pair, { factor, offset }: Transition): void {
  target.setToMultiplyAdd(balance, factor, offset);
}

/** The decimal that an amount stands for, in steps of 10^-decimals; undefined for one of more than 15 digits. */
function decimalInPairs(amount: number, decimals: number): Pair | undefined {
  const places = decimalPlaces(amount);
  if (places === undefined) return undefined;
  const coefficient = Math.round(amount * POWERS_OF_TEN[places]!);
  if (places > decimals) return quotient(coefficient, POWERS_OF_TEN[places - decimals]!);
  const power = POWERS_OF_TEN[decimals - places]!;
  const steps = coefficient * power;
  return new Pair(steps, productError(coefficient, power, steps));
}

function monthlyRate(annualRate: number): Pair | undefined {
  const places = decimalPlaces(annualRate);
  if (places === undefined) return undefined;
  const power = POWERS_OF_TEN[places]!;
  return quotient(Math.round(annualRate * power), 1200 * power);
}

function decimalPlaces(value: number): number | undefined {
  if (Number.isSafeInteger(value)) return 0;
  for (let places = 1; places <= MAXIMUM_DIGITS; places += 1) {
    const coefficient = Math.round(value * POWERS_OF_TEN[places]!);
    if (Math.abs(coefficient) >= POWERS_OF_TEN[MAXIMUM_DIGITS]!) return undefined;
    if (coefficient / POWERS_OF_TEN[places]! === value) return places;
  }
  return undefined;
}

function quotient(numerator: number, denominator: number): Pair {
  const high = numerator / denominator;
  const product = high * denominator;
  const remainder = (numerator - product) - productError(high, denominator, product);
  return new Pair(high, remainder / denominator);
}

/** The error of a product of doubles, left × right − product, which is a double itself. */
function productError(left: number, right: number, product: number): number {
  const leftShifted = SPLITTER * left;
  const leftHigh = leftShifted - (leftShifted - left);
  const leftLow = left - leftHigh;
  const rightShifted = SPLITTER * right;
  const rightHigh = rightShifted - (rightShifted - right);
  const rightLow = right - rightHigh;
  return ((leftHigh * rightHigh - product) + leftHigh * rightLow + leftLow * rightHigh) + leftLow * rightLow;
}
