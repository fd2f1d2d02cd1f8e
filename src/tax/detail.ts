import { contributionsOn, divideHalfUp, insuranceBaseOf } from './assessment.ts';
import type { BracketRow, LawRow, TaxDetail, TaxResult } from './contract.ts';
import type { Dated, Law } from './law.ts';

/** Explains a result: bases, brackets, employer contributions, rates, and every value of the law used. */
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

/** Bounds are whole multiples of 100 đồng, so that only the last row with income can have a fraction to round. */
function bracketRows(taxableIncome: number, { brackets }: Law): BracketRow[] {
  let from = 0;
  return brackets.value.map(({ to, rate }) => {
    const amount = Math.max(0, Math.min(taxableIncome, to ?? Infinity) - from);
    const row = { rate, from, to, taxable_amount: amount, tax: divideHalfUp(amount * rate, 100) };
    from = to ?? Infinity;
    return row;
  });
}

function lawRows({ employeeRates, employerRates, baseSalary, minimumWage, deductions, brackets }: Law): LawRow[] {
  const row = (rule: string, { effective_from, instrument }: Dated<unknown>, value: number): LawRow =>
    ({ rule, value, effective_from, instrument });
  return [
    row('base_salary', baseSalary, baseSalary.value),
    row('minimum_wage', minimumWage, minimumWage.value),
    row('employee_bhxh_rate', employeeRates.bhxh, employeeRates.bhxh.value),
    row('employee_bhyt_rate', employeeRates.bhyt, employeeRates.bhyt.value),
    row('employee_bhtn_rate', employeeRates.bhtn, employeeRates.bhtn.value),
    row('employer_bhxh_rate', employerRates.bhxh, employerRates.bhxh.value),
    row('employer_bhyt_rate', employerRates.bhyt, employerRates.bhyt.value),
    row('employer_bhtn_rate', employerRates.bhtn, employerRates.bhtn.value),
    row('self_deduction', deductions, deductions.value.self),
    row('dependent_deduction', deductions, deductions.value.dependent),
    row('progressive_tax_brackets', brackets, brackets.value.length),
  ];
}
