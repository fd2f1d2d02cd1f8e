/** The explanation of a monthly result. */
import { divideHalfUp } from '../contract/rounding.ts';
import { insuranceBaseOf } from './assessment.ts';
import type { BracketRow, LawRow, TaxDetail, TaxRequestValue, TaxResult } from './contract.ts';
import { employerOn } from './cost.ts';
import { type Bracket, type Dated, type Law, REVIEWED_THROUGH, type TaxLaw } from './law.ts';

/** Explains how a result was calculated. */
export function detailOf(result: TaxResult, request: TaxRequestValue, law: Law): TaxDetail {
  const { gross_income: gross, taxable_income: taxableIncome, tax } = result;
  const { paid_in } = request;
  const brackets = bracketRows(taxableIncome, bracketsOf(law.tax));
  return {
    period: law.period,
    ...(paid_in !== undefined && { paid_in }),
    reviewed_through: REVIEWED_THROUGH,
    region: law.region,
    insurance_base: insuranceBaseOf(gross, request, law),
    brackets,
    employer: employerOn(gross, request, law),
    effective_rate: effectiveTaxRate(tax, gross),
    marginal_rate: marginalTaxRate(brackets),
    law: citationsOf(law, request),
  };
}

/**
 * The portion of a taxable income in each bracket. Every bound is a multiple of 100 đồng, so that
 * only the row of the highest bracket reached can need rounding.
 */
export function bracketRows(taxableIncome: number, brackets: readonly Bracket[]): BracketRow[] {
  let from = 0;
  return brackets.map(({ to, rate }) => {
    const amount = Math.max(0, Math.min(taxableIncome, to ?? Infinity) - from);
    const row = {
      rate,
      from,
      to,
      taxable_amount: amount,
      tax: divideHalfUp(amount * rate, 100),
    };
    from = to ?? Infinity;
    return row;
  });
}

function bracketsOf(tax: TaxLaw): readonly Bracket[] {
  if (tax.kind === 'progressive') return tax.brackets.value;
  return [{ to: null, rate: tax.flatTax.value.rate }];
}

/** The tax in percent of an income, rounded half up to two decimals. */
export function effectiveTaxRate(tax: number, income: number): number {
  return income === 0 ? 0 : divideHalfUp(tax * 10_000, income) / 100;
}

/** The rate on the last đồng of taxable income, in percent; 0 if no income is taxable. */
export function marginalTaxRate(brackets: readonly BracketRow[]): number {
  return brackets.findLast((row) => row.taxable_amount > 0)?.rate ?? 0;
}

/** The citation of a value of the law. */
export function citation(rule: string, row: Dated<number>): LawRow {
  const { value, effective_from, instrument } = row;
  return { rule, value, effective_from, instrument };
}

function citationsOf(law: Law, request: TaxRequestValue): LawRow[] {
  const { employeeRates, employerRates, tax } = law;
  const { bhxh = true, bhyt = true, bhtn = true, union_fund = false } = request;
  const isPensionDeducted = tax.kind === 'progressive' && request.voluntary_pension !== undefined;
  const rows = [
    citation('base_salary', law.baseSalary),
    citation('minimum_wage', law.minimumWage),
    bhxh && citation('employee_bhxh_rate', employeeRates.bhxh),
    bhyt && citation('employee_bhyt_rate', employeeRates.bhyt),
    bhtn && citation('employee_bhtn_rate', employeeRates.bhtn),
    bhxh && citation('employer_bhxh_rate', employerRates.bhxh),
    bhyt && citation('employer_bhyt_rate', employerRates.bhyt),
    bhtn && citation('employer_bhtn_rate', employerRates.bhtn),
    union_fund && citation('union_fund_rate', law.unionFundRate),
    ...taxCitations(tax, request.self_deduction),
    isPensionDeducted && citation('voluntary_pension_limit', law.voluntaryPension),
  ];
  return rows.filter((row) => row !== false);
}

/** The citations of the values of a tax, with or without the personal deduction. */
export function taxCitations(tax: TaxLaw, hasSelfDeduction = true): LawRow[] {
  if (tax.kind === 'flat') {
    const { flatTax } = tax;
    return [
      citation('flat_tax_rate', { ...flatTax, value: flatTax.value.rate }),
      citation('flat_tax_threshold', { ...flatTax, value: flatTax.value.threshold }),
    ];
  }
  const { deductions, brackets } = tax;
  const self = citation('self_deduction', { ...deductions, value: deductions.value.self });
  return [
    ...(hasSelfDeduction ? [self] : []),
    citation('dependent_deduction', { ...deductions, value: deductions.value.dependent }),
    citation('progressive_tax_brackets', { ...brackets, value: brackets.value.length }),
  ];
}
