/**
 * Insurance, personal income tax and net salary of a month.
 *
 * 1. A contribution is min(insurance salary, cap) × rate, rounded half up to the đồng; it is 0 if the insurance is not
 *    paid.
 * 2. Taxable income is gross − exempt income − contributions − family deductions − voluntary pension up to its limit,
 *    and never negative. Under a flat tax it is gross − exempt income if that reaches the threshold, else 0.
 * 3. Tax is the sum of slice × rate over the brackets, or taxable income × flat rate, rounded half up once.
 * 4. Net is gross − contributions − tax.
 *
 * Amounts are whole đồng, and rates are whole percents or become whole tenths, so that every product is a whole number
 * below 2^53, which a double holds exactly. (`Math.round(x * 0.35)` is wrong for about a seventh of the exact halves.)
 */
import { divideHalfUp } from '../contract/rounding.ts';
import type { Contributions, Insurances, TaxRequestValue, TaxResult } from './contract.ts';
import {
  type Bracket,
  CAP_MULTIPLE,
  type FlatTax,
  type Insurance,
  type Law,
  type ProgressiveTaxLaw,
  type RatesInForce,
} from './law.ts';

/** The properties of a salary, besides its gross income, that determine its insurance, tax and cost. */
export type Salary = Pick<
  TaxRequestValue,
  | 'dependents'
  | 'insurance_salary'
  | 'exempt_income'
  | 'self_deduction'
  | Insurance
  | 'voluntary_pension'
  | 'union_fund'
>;

/** The part of a result that depends on the kind of the tax. */
type Taxed = Pick<TaxResult, 'deductions' | 'taxable_income' | 'tax'>;

/** Calculates steps 1 to 4 of the rule above. */
export function assess(gross: number, salary: Salary, law: Law): TaxResult {
  const insurance = contributionsOn(insuranceBaseOf(gross, salary, law), law.employeeRates);
  const { deductions, taxable_income, tax } = taxAfter(insurance.total, gross, salary, law);
  const net_income = gross - insurance.total - tax;
  const { exempt_income, voluntary_pension } = salary;
  // Nearly all results have no optional member, and a literal takes V8 about 30 % less time than the spreads below.
  if (exempt_income === undefined && voluntary_pension === undefined) {
    return { gross_income: gross, insurance, deductions, taxable_income, tax, net_income };
  }
  return {
    gross_income: gross,
    insurance,
    deductions,
    ...(exempt_income !== undefined && { exempt_income }),
    ...(voluntary_pension !== undefined && { voluntary_pension: deductiblePension(salary, law) }),
    taxable_income,
    tax,
    net_income,
  };
}

/** Calculates steps 2 and 3 of the rule, after contributions with a total of `insurance`. */
export function taxAfter(insurance: number, gross: number, salary: Salary, law: Law): Taxed {
  const income = assessableIncome(gross, salary);
  if (law.tax.kind === 'flat') return taxFlatly(income, law.tax.flatTax.value);
  const left = income - insurance - deductiblePension(salary, law);
  return taxProgressively(left, salary, law.tax);
}

/**
 * The gross income without its exempt part: thu nhập chịu thuế. A search from net or cost also tries a gross below the
 * exempt part, of which all is exempt.
 */
function assessableIncome(gross: number, { exempt_income = 0 }: Salary): number {
  return Math.max(0, gross - exempt_income);
}

function deductiblePension({ voluntary_pension = 0 }: Salary, law: Law): number {
  return law.tax.kind === 'flat' ? 0 : Math.min(voluntary_pension, law.voluntaryPension.value);
}

function taxFlatly(income: number, { rate, threshold }: FlatTax): Taxed {
  const taxableIncome = income >= threshold ? income : 0;
  return {
    deductions: { self: 0, dependents: 0, total: 0 },
    taxable_income: taxableIncome,
    tax: percentageOf(taxableIncome, rate),
  };
}

function taxProgressively(income: number, salary: Salary, law: ProgressiveTaxLaw): Taxed {
  const deductions = deductionsFor(salary, law);
  const taxableIncome = Math.max(0, income - deductions.total);
  return {
    deductions,
    taxable_income: taxableIncome,
    tax: taxOn(taxableIncome, law.brackets.value),
  };
}

/** The salary on which each contribution is paid: up to its cap, and 0 if it is not paid. */
export function insuranceBaseOf(gross: number, salary: Salary, law: Law): Insurances {
  const { bhxh = true, bhyt = true, bhtn = true } = salary;
  const { insurance_salary = assessableIncome(gross, salary) } = salary;
  const capped = Math.min(insurance_salary, CAP_MULTIPLE * law.baseSalary.value);
  return {
    bhxh: bhxh ? capped : 0,
    bhyt: bhyt ? capped : 0,
    bhtn: bhtn ? Math.min(insurance_salary, CAP_MULTIPLE * law.minimumWage.value) : 0,
  };
}

/** Contributions at `rates` in percent, each rounded half up, and their sum. */
export function contributionsOn(base: Insurances, rates: RatesInForce): Contributions {
  const bhxh = percentageOf(base.bhxh, rates.bhxh.value);
  const bhyt = percentageOf(base.bhyt, rates.bhyt.value);
  const bhtn = percentageOf(base.bhtn, rates.bhtn.value);
  return { bhxh, bhyt, bhtn, total: bhxh + bhyt + bhtn };
}

function deductionsFor(
  { dependents, self_deduction = true }: Salary,
  law: ProgressiveTaxLaw,
): TaxResult['deductions'] {
  const { dependent } = law.deductions.value;
  const self = self_deduction ? law.deductions.value.self : 0;
  const forDependents = dependents * dependent;
  return { self, dependents: forDependents, total: self + forDependents };
}

/** The tax on a taxable income ≥ 0, rounded half up once. */
export function taxOn(taxableIncome: number, brackets: readonly Bracket[]): number {
  let hundredths = 0;
  let from = 0;
  for (const { to, rate } of brackets) {
    const end = to ?? Infinity;
    hundredths += (Math.min(taxableIncome, end) - from) * rate;
    if (taxableIncome <= end) break;
    from = end;
  }
  return divideHalfUp(hundredths, 100);
}

/** A whole amount × a rate in percent with at most one decimal, rounded half up. */
export function percentageOf(amount: number, rate: number): number {
  return divideHalfUp(amount * Math.round(rate * 10), 1000);
}
