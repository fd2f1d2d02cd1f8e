/** The figures of a salary under assumptions. */
import {
  assess,
  contributionsOn,
  insuranceBaseOf,
  percentageOf,
  type Salary,
  taxOn,
} from '../../tax/assessment.ts';
import { employerOn, grossWithin } from '../../tax/cost.ts';
import { grossUp } from '../../tax/gross-up.ts';
import type { Law } from '../../tax/law.ts';
import { type Assumptions, UNION_DUES_LIMIT } from './alternatives.ts';

/** The figures of a salary, and the amounts that are no assumptions, in đồng per month. */
export interface Outcome {
  readonly net_income: number;
  readonly tax: number;
  readonly insurance: number;
  readonly insured: number;
  readonly union_dues: number;
}

/** The gross income under assumptions; −1 if the income is less than the cost of none. */
export function grossUnder(trial: Assumptions, law: Law): number {
  const { income, type } = trial;
  if (type === 'gross') return income;
  const salaryAt = (gross: number): Salary => salaryOf(trial, insuredSalaryOf(trial, law, gross));
  if (type === 'net')
    return grossUp(income, (gross) => assess(gross, salaryAt(gross), law).net_income);
  const costOf = (gross: number): number => employerOn(gross, salaryAt(gross), law).cost;
  return costOf(0) > income ? -1 : grossWithin(income, costOf);
}

/** The salary on which insurance is paid, for a gross income. */
export function insuredSalaryOf(
  { insurance_salary, exempt_income }: Assumptions,
  law: Law,
  gross: number,
): number {
  if (insurance_salary === 'minimum_wage') return law.minimumWage.value;
  if (insurance_salary === 'gross_income') return Math.max(0, gross - exempt_income);
  return insurance_salary;
}

function salaryOf(trial: Assumptions, insurance_salary: number): Salary {
  // Without a spread, which takes as long as the calculation.
  const { dependents, exempt_income, self_deduction, bhxh, bhyt, bhtn } = trial;
  const { voluntary_pension, union_fund } = trial;
  return {
    dependents,
    insurance_salary,
    exempt_income,
    self_deduction,
    bhxh,
    bhyt,
    bhtn,
    voluntary_pension,
    union_fund,
  };
}

/** The sum of the contributions on an insured salary. */
export function contributionsUnder(trial: Assumptions, law: Law, insured: number): number {
  const { bhxh, bhyt, bhtn } = trial;
  const salary = { dependents: 0, insurance_salary: insured, bhxh, bhyt, bhtn };
  return contributionsOn(insuranceBaseOf(0, salary, law), law.employeeRates).total;
}

/**
 * The tax after contributions, by steps 2 and 3 of the rule of assessment.ts, which it repeats for speed: nearly all
 * trials are rejected by this tax, and `outcomeOf` decides on the others.
 */
export function taxUnder(
  trial: Assumptions,
  { tax, voluntaryPension }: Law,
  gross: number,
  insurance: number,
): number {
  const income = gross - trial.exempt_income;
  if (tax.kind === 'flat') {
    const { rate, threshold } = tax.flatTax.value;
    return income < threshold ? 0 : percentageOf(income, rate);
  }
  const { self, dependent } = tax.deductions.value;
  const deductions = (trial.self_deduction ? self : 0) + trial.dependents * dependent;
  const pension = Math.min(trial.voluntary_pension, voluntaryPension.value);
  return taxOn(Math.max(0, income - insurance - deductions - pension), tax.brackets.value);
}

/** The figures under assumptions; undefined if a request with them would be refused. */
export function outcomeOf(trial: Assumptions, law: Law): Outcome | undefined {
  const gross = grossUnder(trial, law);
  const insured = insuredSalaryOf(trial, law, gross);
  if (trial.exempt_income > gross) return undefined;
  const { insurance, tax, net_income: left } = assess(gross, salaryOf(trial, insured), law);
  if (left < 0) return undefined;
  const union_dues = trial.union_dues === 0 ? 0 : duesOf(trial, law, insured);
  const net_income = left - union_dues + (trial.net_income === 'before_tax' ? tax : 0);
  return { net_income, tax, insurance: insurance.total, insured, union_dues };
}

/** The union dues of the employee, in percent of the salary on which `bhxh` is paid. */
function duesOf(trial: Assumptions, law: Law, insured: number): number {
  const { bhxh } = insuranceBaseOf(0, salaryOf(trial, insured), law);
  return Math.min(percentageOf(bhxh, trial.union_dues), duesLimitOf(law));
}

/** The greatest union dues. */
export function duesLimitOf({ baseSalary }: Law): number {
  return percentageOf(baseSalary.value, UNION_DUES_LIMIT);
}
