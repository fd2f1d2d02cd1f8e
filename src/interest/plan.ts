/** A savings plan and its months. */
import type { Value } from '../contract/schema.ts';
import { type Compounding, type interestRequest, MAXIMUM_YEARS } from './contract.ts';

/** A savings plan: the checked request. */
export type Plan = Value<typeof interestRequest>;

/** The amounts of a plan after some months. */
export interface Amounts<Amount> {
  readonly balance: Amount;
  readonly deposited: Amount;
  readonly interest: Amount;
}

/**
 * The number of months after which accrued interest is added to the balance. It is also added at the end of the term,
 * and at maturity not before.
 */
export const MONTHS_PER_PERIOD: Readonly<Record<Compounding, number>> = {
  monthly: 1,
  quarterly: 3,
  semiannually: 6,
  annually: 12,
  // Longer than any term, or as long.
  at_maturity: 12 * MAXIMUM_YEARS,
};

/** The term of a plan in months. */
export function monthsOf({ years }: Pick<Plan, 'years'>): number {
  return Math.round(years * 12);
}

/** The months that have a row; for `none`, the last month alone. */
export function rowMonths(plan: Plan): number[] {
  const last = monthsOf(plan);
  const interval = { monthly: 1, yearly: 12, none: last }[plan.timeline];
  const months: number[] = [];
  for (let month = interval; month < last; month += interval) months.push(month);
  months.push(last);
  return months;
}

/**
 * The months for which each deposit of a period has accrued interest, summed, once the period has lasted for `months`.
 * With a deposit D and a monthly rate r, a balance B has then become B × (1 + months × r) + D × (months + sum × r).
 */
export function accruedMonths({ deposit_timing }: Plan, months: number): number {
  return (months * (deposit_timing === 'start' ? months + 1 : months - 1)) / 2;
}
