import { divideHalfUp, insuranceBaseOf } from './assessment.ts';
import type { BracketRow, LawRow, TaxDetail, TaxRequestValue, TaxResult } from './contract.ts';
import { employerOn } from './cost.ts';
import type { Bracket, Dated, Law, TaxLaw } from './law.ts';

/** Explains a result: bases, brackets, employer contributions, rates, and every value of the law used. */
export function explain(
  result: TaxResult, insuranceSalary: number, law: Law, { paid_in, union_fund }: TaxRequestValue,
): TaxDetail {
  const { gross_income: gross, taxable_income: taxableIncome, tax } = result;
  const brackets = bracketRows(taxableIncome, bracketsOf(law.tax));
  return {
    period: law.period,
    ...(paid_in !== undefined && { paid_in }),
    region: law.region,
    insurance_base: insuranceBaseOf(insuranceSalary, law),
    brackets,
    employer: employerOn(gross, insuranceSalary, law, union_fund),
    effective_rate: effectiveRate(tax, gross),
    marginal_rate: marginalRate(brackets),
    law: lawRows(law, union_fund),
  };
}

/**
 * The portion of a taxable income in each bracket. Bounds are whole multiples of 100 đồng, so that only the last row
 * with income can have a fraction to round.
 */
export function bracketRows(taxableIncome: number, brackets: readonly Bracket[]): BracketRow[] {
  let from = 0;
  return brackets.map(({ to, rate }) => {
    const amount = Math.max(0, Math.min(taxableIncome, to ?? Infinity) - from);
    const row = { rate, from, to, taxable_amount: amount, tax: divideHalfUp(amount * rate, 100) };
    from = to ?? Infinity;
    return row;
  });
}

function bracketsOf(tax: TaxLaw): readonly Bracket[] {
  return tax.kind === 'progressive' ? tax.brackets.value : [{ to: null, rate: tax.flatTax.value.rate }];
}

/** The tax in percent of an income, rounded half up to two decimals. */
export function effectiveRate(tax: number, income: number): number {
  return income === 0 ? 0 : divideHalfUp(tax * 10_000, income) / 100;
}

/** The rate on the last đồng of taxable income, in percent; 0 if no income is taxable. */
export function marginalRate(brackets: readonly BracketRow[]): number {
  return brackets.findLast((row) => row.taxable_amount > 0)?.rate ?? 0;
}

/** The citation of a value of the law. */
export function citation(rule: string, { effective_from, instrument }: Dated<unknown>, value: number): LawRow {
  return { rule, value, effective_from, instrument };
}

function lawRows(law: Law, hasUnionFund: boolean): LawRow[] {
  const { employeeRates, employerRates, unionFundRate, baseSalary, minimumWage, tax } = law;
  return [
    citation('base_salary', baseSalary, baseSalary.value),
    citation('minimum_wage', minimumWage, minimumWage.value),
    citation('employee_bhxh_rate', employeeRates.bhxh, employeeRates.bhxh.value),
    citation('employee_bhyt_rate', employeeRates.bhyt, employeeRates.bhyt.value),
    citation('employee_bhtn_rate', employeeRates.bhtn, employeeRates.bhtn.value),
    citation('employer_bhxh_rate', employerRates.bhxh, employerRates.bhxh.value),
    citation('employer_bhyt_rate', employerRates.bhyt, employerRates.bhyt.value),
    citation('employer_bhtn_rate', employerRates.bhtn, employerRates.bhtn.value),
    ...(hasUnionFund ? [citation('union_fund_rate', unionFundRate, unionFundRate.value)] : []),
    ...taxRows(tax),
  ];
}

/** The citations of the values of a tax. */
export function taxRows(tax: TaxLaw): LawRow[] {
  if (tax.kind === 'flat') {
    const { flatTax } = tax;
    return [
      citation('flat_tax_rate', flatTax, flatTax.value.rate),
      citation('flat_tax_threshold', flatTax, flatTax.value.threshold),
    ];
  }
  const { deductions, brackets } = tax;
  return [
    citation('self_deduction', deductions, deductions.value.self),
    citation('dependent_deduction', deductions, deductions.value.dependent),
    citation('progressive_tax_brackets', brackets, brackets.value.length),
  ];
}
