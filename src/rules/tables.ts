/** All law tables together. */
import { deepFreeze } from '../contract/freeze.ts';
import {
  BASE_SALARY,
  EMPLOYEE_RATES,
  EMPLOYER_RATES,
  EXPENSE_LIMITS,
  FAMILY_DEDUCTIONS,
  findInForce,
  FLAT_TAX,
  FOREIGNER_RATES,
  LEAST_BRACKET_MONTHS,
  MINIMUM_WAGE,
  PROGRESSIVE_TAX,
  type Table,
  UNION_FUND_RATE,
  VOLUNTARY_PENSION_LIMIT,
} from '../tax/law.ts';

/** Tables by the names of their rules, in groups where there are several. */
export interface Tables {
  readonly [name: string]: Table<unknown> | Tables;
}

/** All tables of the law. They are frozen, so that all callers can share them. */
export const TABLES = deepFreeze({
  progressive_tax: PROGRESSIVE_TAX,
  family_deductions: FAMILY_DEDUCTIONS,
  least_bracket_months: LEAST_BRACKET_MONTHS,
  voluntary_pension_limit: VOLUNTARY_PENSION_LIMIT,
  expense_limits: EXPENSE_LIMITS,
  flat_tax: FLAT_TAX,
  employee_rates: EMPLOYEE_RATES,
  employer_rates: EMPLOYER_RATES,
  foreigner_rates: FOREIGNER_RATES,
  union_fund_rate: UNION_FUND_RATE,
  base_salary: BASE_SALARY,
  minimum_wage: MINIMUM_WAGE,
});

function isTable(tables: Table<unknown> | Tables): tables is Table<unknown> {
  return Array.isArray(tables);
}

/** Tables without their groups. */
export function tablesIn(tables: Table<unknown> | Tables): readonly Table<unknown>[] {
  return isTable(tables) ? [tables] : Object.values(tables).flatMap(tablesIn);
}

/** The tables with only the rows that are in force in a month (YYYY-MM). */
export function tablesInForce<T extends Tables>(tables: T, period: string): T {
  const entries = Object.entries(tables).map(([name, inner]) => {
    if (!isTable(inner)) return [name, tablesInForce(inner, period)];
    const latest = findInForce(inner, period);
    return [name, inner.filter((row) => row === latest)];
  });
  // Every table keeps its name and its type.
  return Object.fromEntries(entries) as T;
}
