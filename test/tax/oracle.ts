/**
 * The rule of the tax operation a second time, written for being obviously right: whole numbers of any size, each
 * amount as a fraction that is rounded where the rule says so. It shares nothing with the calculation but the tables.
 */
import type { TaxResult } from '../../src/tax/contract.ts';
import {
  BASE_SALARY, type Dated, EMPLOYEE_RATES, EMPLOYER_RATES, FAMILY_DEDUCTIONS, MINIMUM_WAGE, PROGRESSIVE_TAX,
  type Region,
} from '../../src/tax/law.ts';

const TABLES: readonly (readonly Dated<unknown>[])[] = [
  PROGRESSIVE_TAX, FAMILY_DEDUCTIONS, BASE_SALARY, MINIMUM_WAGE,
  ...Object.values(EMPLOYEE_RATES), ...Object.values(EMPLOYER_RATES),
];

export const REGIONS: readonly Region[] = [1, 2, 3, 4];

/** The first month of every era: each month in which a row of any table comes into force. */
export const ERAS: readonly string[] = [...new Set(TABLES.flat().map(({ effective_from }) => effective_from))].sort();

/** One salary, gross. */
export interface GrossCase {
  readonly income: number;
  readonly dependents: number;
  readonly period: string;
  readonly region: Region;
  readonly insurance_salary?: number;
}

/** What the tax operation should return for a gross income, without detail. */
export function expectedTax({ income, dependents, period, region, insurance_salary }: GrossCase): TaxResult {
  const gross = wholeDong(income);
  const salary = wholeDong(insurance_salary ?? income);
  const generalBase = smaller(salary, 20n * BigInt(valueAt(BASE_SALARY, period)));
  const unemploymentBase = smaller(salary, 20n * BigInt(valueAt(MINIMUM_WAGE, period)[region]));
  const bhxh = halfUp(generalBase * 8n, 100n);
  const bhyt = halfUp(generalBase * 15n, 1000n);
  const bhtn = halfUp(unemploymentBase, 100n);
  const deduction = valueAt(FAMILY_DEDUCTIONS, period);
  const forDependents = dependents * deduction.dependent;
  const left = gross - bhxh - bhyt - bhtn - BigInt(deduction.self + forDependents);
  const taxable = left > 0n ? left : 0n;
  const tax = halfUp(taxInHundredths(taxable, period), 100n);
  return {
    gross_income: Number(gross),
    insurance: { bhxh: Number(bhxh), bhyt: Number(bhyt), bhtn: Number(bhtn), total: Number(bhxh + bhyt + bhtn) },
    deductions: { self: deduction.self, dependents: forDependents, total: deduction.self + forDependents },
    taxable_income: Number(taxable),
    tax: Number(tax),
    net_income: Number(gross - bhxh - bhyt - bhtn - tax),
  };
}

/** dividend ÷ divisor, a half rounded up; for what is not negative. */
export function halfUp(dividend: bigint, divisor: bigint): bigint {
  return (2n * dividend + divisor) / (2n * divisor);
}

/** The double's own value to the nearest whole đồng, a half up. */
function wholeDong(amount: number): bigint {
  const whole = Math.floor(amount);
  return BigInt(whole) + (amount - whole >= 0.5 ? 1n : 0n);
}

/** Each đồng of a bracket above its lower bound costs the rate of that bracket more than the rate of the one before. */
function taxInHundredths(taxable: bigint, period: string): bigint {
  let sum = 0n;
  let bound = 0n;
  let rateBefore = 0;
  for (const { to, rate } of valueAt(PROGRESSIVE_TAX, period)) {
    if (taxable > bound) sum += (taxable - bound) * BigInt(rate - rateBefore);
    if (to === null) return sum;
    bound = BigInt(to);
    rateBefore = rate;
  }
  throw new RangeError('The last bracket has no bound');
}

function valueAt<T>(table: readonly Dated<T>[], period: string): T {
  return table.filter(({ effective_from }) => effective_from <= period).at(-1)!.value;
}

function smaller(left: bigint, right: bigint): bigint {
  return left < right ? left : right;
}
