/**
 * Insurance, personal income tax and net salary of a month, for a resident employee on a labour contract.
 *
 * 1. A contribution is min(insurance salary, cap) × rate, rounded half up to the đồng.
 * 2. Taxable income is gross less contributions less family deductions, and never negative.
 * 3. Tax is the sum of slice × rate over the brackets, rounded half up once.
 * 4. Net is gross less contributions less tax.
 *
 * Amounts are whole đồng and rates whole tenths of a percent, so that every product is a whole number below 2^53 and
 * a double holds it exactly. (`Math.round(x * 0.35)` is wrong on about a fifth of the exact halves.)
 */
import type { Contributions, TaxResult } from './contract.ts';
import { type Bracket, CAP_MULTIPLE, type Law } from './law.ts';

/** Steps 1 to 4 of the rule above. */
export function assess(gross: number, insuranceSalary: number, dependents: number, law: Law): TaxResult {
  const insurance = contributionsOn(insuranceBaseOf(insuranceSalary, law), law.employeeRates);
  const deductions = deductionsFor(dependents, law);
  const taxableIncome = Math.max(0, gross - insurance.total - deductions.total);
  const tax = taxOn(taxableIncome, law.brackets.value);
  return {
    gross_income: gross,
    insurance,
    deductions,
    taxable_income: taxableIncome,
    tax,
    net_income: gross - insurance.total - tax,
  };
}

/** The salary that each contribution is paid on: base salary caps bhxh and bhyt, the minimum wage caps bhtn. */
export function insuranceBaseOf(salary: number, { baseSalary, minimumWage }: Law): Contributions {
  const capped = Math.min(salary, CAP_MULTIPLE * baseSalary.value);
  return { bhxh: capped, bhyt: capped, bhtn: Math.min(salary, CAP_MULTIPLE * minimumWage.value) };
}

/** Contributions at `rates` (tenths of a percent), each rounded half up, and their sum. */
export function contributionsOn(base: Contributions, rates: Law['employeeRates']): TaxResult['insurance'] {
  const bhxh = divideHalfUp(base.bhxh * rates.bhxh.value, 1000);
  const bhyt = divideHalfUp(base.bhyt * rates.bhyt.value, 1000);
  const bhtn = divideHalfUp(base.bhtn * rates.bhtn.value, 1000);
  return { bhxh, bhyt, bhtn, total: bhxh + bhyt + bhtn };
}

function deductionsFor(dependents: number, { deductions: { value } }: Law): TaxResult['deductions'] {
  const forDependents = dependents * value.dependent;
  return { self: value.self, dependents: forDependents, total: value.self + forDependents };
}

function taxOn(taxableIncome: number, brackets: readonly Bracket[]): number {
  let hundredths = 0;
  let from = 0;
  for (const { to, rate } of brackets) {
    hundredths += (Math.min(taxableIncome, to) - from) * rate;
    if (taxableIncome <= to) break;
    from = to;
  }
  return divideHalfUp(hundredths, 100);
}

/** The quotient of whole numbers ≥ 0, a half rounded up: how Vietnamese payroll rounds to the đồng. */
export function divideHalfUp(dividend: number, divisor: number): number {
  const remainder = dividend % divisor;
  return (dividend - remainder) / divisor + (remainder * 2 >= divisor ? 1 : 0);
}
