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
    law: cite(appliedRules(law, request)),
  };
}

/**
 * The portion of a taxable income in each bracket. Every bound is a multiple of 100 đồng, so that only the row of the
 * highest bracket reached can need rounding.
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

/** Rows of the law by the names of their rules; false or undefined for a rule that does not apply. */
type Rules = Readonly<Record<string, Dated<unknown> | false | undefined>>;

/** Cites each rule that applies, with its value if that is a number. */
export function cite(rules: Rules): LawRow[] {
  const rows: LawRow[] = [];
  for (const [rule, row] of Object.entries(rules)) {
    if (!row) continue;
    const { value, effective_from, instrument } = row;
    rows.push({ rule, ...(typeof value === 'number' && { value }), effective_from, instrument });
  }
  return rows;
}

function appliedRules(law: Law, request: TaxRequestValue): Rules {
  const { employeeRates, employerRates, tax } = law;
  const { bhxh = true, bhyt = true, bhtn = true, union_fund = true } = request;
  const isPensionDeducted = tax.kind === 'progressive' && request.voluntary_pension !== undefined;
  return {
    base_salary: law.baseSalary,
    minimum_wage: law.minimumWage,
    employee_bhxh_rate: bhxh && employeeRates.bhxh,
    employee_bhyt_rate: bhyt && employeeRates.bhyt,
    employee_bhtn_rate: bhtn && employeeRates.bhtn,
    employer_bhxh_rate: bhxh && employerRates.bhxh,
    employer_bhyt_rate: bhyt && employerRates.bhyt,
    employer_bhtn_rate: bhtn && employerRates.bhtn,
    union_fund_rate: union_fund && law.unionFundRate,
    ...appliedTaxRules(tax, request.self_deduction),
    voluntary_pension_limit: isPensionDeducted && law.voluntaryPension,
  };
}

/** The rules of a tax, with or without the personal deduction. */
export function appliedTaxRules(tax: TaxLaw, hasSelfDeduction = true): Rules {
  if (tax.kind === 'flat') {
    const { flatTax } = tax;
    return {
      flat_tax_rate: { ...flatTax, value: flatTax.value.rate },
      flat_tax_threshold: { ...flatTax, value: flatTax.value.threshold },
    };
  }
  const { deductions, brackets } = tax;
  return {
    self_deduction: hasSelfDeduction && { ...deductions, value: deductions.value.self },
    dependent_deduction: { ...deductions, value: deductions.value.dependent },
    progressive_tax_brackets: brackets,
  };
}
