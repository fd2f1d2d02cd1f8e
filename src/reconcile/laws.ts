/** The distinct laws of tax and of the insurance of the employee since 2015, as the tables have them. */
import { TABLES, tablesIn } from '../rules/tables.ts';
import { REVIEWED_THROUGH, type Table } from '../tax/law.ts';

// These concern the employer, or a year.
const {
  employer_rates: _,
  union_fund_rate: __,
  expense_limits: ___,
  least_bracket_months: ____,
  foreigner_rates: { employee },
  ...tables
} = TABLES;

/** The first months (YYYY-MM) of the laws, the latest first; a row may repeat the value before it. */
export const LAWS: readonly string[] = [
  ...new Set(tablesIn({ ...tables, employee }).flatMap(firstMonthsIn)),
]
  .sort()
  .reverse();

function firstMonthsIn(table: Table<unknown>): string[] {
  const values = table.map(({ value }) => JSON.stringify(value));
  return table
    .filter((_, at) => values[at] !== values[at - 1])
    .map(({ effective_from }) => effective_from);
}

/** The index of the law of a month (YYYY-MM, 2015-01 or later). */
export function lawOfMonth(month: string): number {
  return LAWS.findIndex((first) => first <= month);
}

/** The last month of the law with a first month; of the newest law, the last month reviewed. */
export function lastMonthOf(first: string): string {
  const next = LAWS[lawOfMonth(first) - 1];
  if (next === undefined) return first < REVIEWED_THROUGH ? REVIEWED_THROUGH : first;
  const day = new Date(next);
  day.setUTCDate(0);
  return day.toISOString().slice(0, 7);
}
