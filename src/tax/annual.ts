/**
 * Annual settlement (quyết toán thuế) of the salary income of a resident.
 *
 * 1. Deductions are the compulsory contributions, the family deductions × months, charitable contributions, and
 *    voluntary pension, medical care and education up to their limits.
 * 2. Taxable income is income − deductions, and never negative.
 * 3. Tax is the sum of slice × rate over the monthly brackets with every bound × their months, rounded half up once.
 *    They have 12 months, and until 2025 as many as the personal deduction.
 * 4. Balance is tax − tax withheld, if the request states it.
 */
import { operation } from '../contract/operation.ts';
import { type Input, parse } from '../contract/schema.ts';
import {
  type AnnualDetail,
  annualRequest,
  type AnnualRequestValue,
  type AnnualResult,
  annualResult,
} from './annual-contract.ts';
import { taxOn } from './assessment.ts';
import { appliedTaxRules, bracketRows, cite, effectiveTaxRate, marginalTaxRate } from './detail.ts';
import { type AnnualLaw, annualLawOf, type Bracket, REVIEWED_THROUGH } from './law.ts';

const MONTHS = 12;

/** The salary income of a year, and the deductions and the tax already paid. */
export type AnnualRequest = Input<typeof annualRequest>;

/**
 * Calculates the settlement of a year. Throws a Failure (`validation_failed`) for an invalid request.
 *
 * @example
 * settleYear({ year: 2026, income: 660_000_000, insurance: 64_200_000 }).tax; // 39960000
 */
export function settleYear(request: AnnualRequest): AnnualResult {
  return settle(parse(annualRequest, request));
}

function settle(request: AnnualRequestValue): AnnualResult {
  const { year, income, withheld } = request;
  const law = annualLawOf(year);
  const brackets = annualBrackets(law, request.self_months);
  const deductions = deductionsOf(request, law);
  const taxableIncome = Math.max(0, income - deductions.total);
  const tax = taxOn(taxableIncome, brackets);
  const result = {
    year,
    income,
    deductions,
    taxable_income: taxableIncome,
    tax,
    ...(withheld !== undefined && { withheld, balance: tax - withheld }),
  };
  if (!request.detail) return result;
  return { ...result, detail: annualDetailOf(result, brackets, law, request.self_months) };
}

function deductionsOf(request: AnnualRequestValue, law: AnnualLaw): AnnualResult['deductions'] {
  const { self, dependent } = law.tax.deductions.value;
  const deductions = {
    insurance: request.insurance,
    self: self * request.self_months,
    dependents: dependent * request.dependent_months,
    voluntary_pension: Math.min(request.voluntary_pension, law.voluntaryPension.value * MONTHS),
    charity: request.charity,
    medical: Math.min(request.medical, law.medical?.value ?? 0),
    education: Math.min(request.education, law.education?.value ?? 0),
  };
  const total = Object.values(deductions).reduce((sum, amount) => sum + amount, 0);
  return { ...deductions, total };
}

function annualBrackets(
  { tax, leastBracketMonths }: AnnualLaw,
  selfMonths: number,
): readonly Bracket[] {
  const months = Math.max(selfMonths, leastBracketMonths.value);
  return tax.brackets.value.map(({ to, rate }) => ({
    to: to === null ? null : to * months,
    rate,
  }));
}

function annualDetailOf(
  result: AnnualResult,
  brackets: readonly Bracket[],
  law: AnnualLaw,
  selfMonths: number,
): AnnualDetail {
  const { income, taxable_income, tax } = result;
  const rows = bracketRows(taxable_income, brackets);
  return {
    reviewed_through: REVIEWED_THROUGH,
    brackets: rows,
    effective_rate: effectiveTaxRate(tax, income),
    marginal_rate: marginalTaxRate(rows),
    law: cite({
      ...appliedTaxRules(law.tax),
      least_bracket_months: selfMonths < MONTHS && law.leastBracketMonths,
      voluntary_pension_limit: law.voluntaryPension,
      medical_limit: law.medical,
      education_limit: law.education,
    }),
  };
}

export const annualOperation = operation({
  id: 'settleYear',
  path: '/api/v1/tax/annual',
  summary: 'Settle the tax of a year',
  description:
    'Calculates the personal income tax of a resident of Vietnam on the salary income of a year '
    + 'and, with `withheld`, its balance. Amounts are totals of all months and employers. The net '
    + 'of the year is `income` − `insurance` − tax. Not for income other than from salaries, or '
    + 'other countries.',
  method: 'POST',
  request: annualRequest,
  result: annualResult,
  examples: {
    'with tax withheld': {
      year: 2026,
      income: 660_000_000,
      insurance: 64_200_000,
      withheld: 28_980_000,
    },
    'with every deduction': {
      year: 2026,
      income: 600_000_000,
      insurance: 60_000_000,
      dependent_months: 12,
      voluntary_pension: 12_000_000,
      charity: 5_000_000,
      medical: 10_000_000,
      education: 20_000_000,
      withheld: 20_000_000,
    },
  },
  invalidExamples: { 'a year before the law tables, and no income': { year: 2014 } },
  calculate: settle,
});
