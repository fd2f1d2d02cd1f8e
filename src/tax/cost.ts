/**
 * From the budget of the employer to gross: the largest whole gross income whose cost is within the budget. Cost is
 * gross + contributions of the employer + the trade-union fund where it is counted, each rounded half up.
 *
 * One more đồng of gross costs 1 to 4 đồng more, because at most three contributions are rounded up at the same gross;
 * the tests prove it over a whole period of the roundings, for every combination of insurances. At most 3 đồng of a
 * budget therefore stay unspent.
 */
import { bisect } from '../contract/bisection.ts';
import { contributionsOn, insuranceBaseOf, percentageOf, type Salary } from './assessment.ts';
import type { TaxDetail } from './contract.ts';
import type { Law } from './law.ts';

/** The contributions of the employer in addition to the gross income, and the cost of both. */
export function employerOn(gross: number, salary: Salary, law: Law): TaxDetail['employer'] {
  const base = insuranceBaseOf(gross, salary, law);
  const { bhxh, bhyt, bhtn, total } = contributionsOn(base, law.employerRates);
  const { union_fund = true } = salary;
  if (!union_fund) return { bhxh, bhyt, bhtn, total, cost: gross + total };
  // The fund is due where social insurance is, whose rate is the higher one.
  const fund = bhxh > 0 ? percentageOf(base.bhxh, law.unionFundRate.value) : 0;
  return {
    bhxh,
    bhyt,
    bhtn,
    union_fund: fund,
    total: total + fund,
    cost: gross + total + fund,
  };
}

/**
 * The largest whole gross income whose cost is at most `budget`, or -1 if that of 0 is not. The bisection finds the
 * smallest one above the budget, which `budget + 1` is, because a cost is at least its gross income.
 */
export function grossWithin(budget: number, costOf: (gross: number) => number): number {
  return bisect(-1, budget + 1, (gross) => costOf(gross) > budget) - 1;
}
