import { contributionsOn, divideHalfUp, insuranceBaseOf } from './assessment.ts';
import type { BracketRow, LawRow, TaxDetail, TaxResult } from './contract.ts';
import type { Dated, Law } from './law.ts';

/** How a result came about: bases, brackets, the employer's side, rates, and every value of the law used. */
export function explain(result: TaxResult, insuranceSalary: number, law: Law): TaxDetail {
  const { gross_income: gross, taxable_income: taxableIncome, tax } = result;
  const insuranceBase = insuranceBaseOf(insuranceSalary, law);
  const employer = contributionsOn(insuranceBase, law.employerRates);
  const brackets = bracketRows(taxableIncome, law);
  return {
    period: law.period,
    region: law.region,
    insurance_base: insuranceBase,
    brackets,
    employer: { ...employer, cost: gross + employer.total },
    effective_rate: gross === 0 ? 0 : divideHalfUp(tax * 10_000, gross) / 100,
    marginal_rate: brackets.findLast((row) => row.taxable_amount > 0)?.rate ?? 0,
    law: lawRows(law),
  };
}

/** The bracket bounds are whole millions, so only the last row with income can have a fraction of a đồng to round. */
function bracketRows(taxableIncome: number, { brackets }: Law): BracketRow[] {
  let from = 0;
  return brackets.value.map(({ to, rate }) => {
    const amount = Math.max(0, Math.min(taxableIncome, to) - from);
    const bounds = { from, to: to === Infinity ? null : to };
    from = to;
    return { rate, ...bounds, taxable_amount: amount, tax: divideHalfUp(amount * rate, 100) };
  });
}

function lawRows({ employeeRates, employerRates, baseSalary, minimumWage, deductions, brackets }: Law): LawRow[] {
  const row = <T>(rule: string, { value, from, instrument }: Dated<T>, shown: (value: T) => number): LawRow =>
    ({ rule, value: shown(value), effective_from: from, instrument });
  const dong = (value: number): number => value;
  const percent = (tenths: number): number => tenths / 10;
  return [
    row('base_salary', baseSalary, dong),
    row('minimum_wage', minimumWage, dong),
    row('employee_bhxh_rate', employeeRates.bhxh, percent),
    row('employee_bhyt_rate', employeeRates.bhyt, percent),
    row('employee_bhtn_rate', employeeRates.bhtn, percent),
    row('employer_bhxh_rate', employerRates.bhxh, percent),
    row('employer_bhyt_rate', employerRates.bhyt, percent),
    row('employer_bhtn_rate', employerRates.bhtn, percent),
    row('self_deduction', deductions, (value) => value.self),
    row('dependent_deduction', deductions, (value) => value.dependent),
    row('progressive_tax_brackets', brackets, (value) => value.length),
  ];
}
