/** The distinct laws of tax and insurance since 2015, which follow from the law tables. */
import {
  BASE_SALARY,
  EMPLOYEE_RATES,
  FAMILY_DEDUCTIONS,
  FLAT_TAX,
  FOREIGNER_RATES,
  inForce,
  type Law,
  lawOf,
  MINIMUM_WAGE,
  PROGRESSIVE_TAX,
  type Region,
  type Table,
  type Taxation,
  VOLUNTARY_PENSION_LIMIT,
} from '../../tax/law.ts';

/** The first months (YYYY-MM) of distinct laws, the latest first. */
export type Months = readonly string[];

const TABLES_OF_TAX: readonly Table<unknown>[] = [
  PROGRESSIVE_TAX,
  FAMILY_DEDUCTIONS,
  VOLUNTARY_PENSION_LIMIT,
  ...Object.values(FLAT_TAX),
];
const TABLES_OF_INSURANCE: readonly Table<unknown>[] = [
  ...Object.values(EMPLOYEE_RATES),
  ...Object.values(FOREIGNER_RATES.employee),
  BASE_SALARY,
  MINIMUM_WAGE,
];

/** The months in which a value of the tables changes; a row may repeat the value before it. */
function firstMonthsIn(tables: readonly Table<unknown>[]): Months {
  const months = tables.flatMap((table) =>
    table
      .filter(({ value }, at) => JSON.stringify(value) !== JSON.stringify(table[at - 1]?.value))
      .map(({ effective_from }) => effective_from),
  );
  return [...new Set(months)].sort().reverse();
}

/** The laws that the employee's side of a calculation can have. */
export const LAWS = {
  all: firstMonthsIn([...TABLES_OF_TAX, ...TABLES_OF_INSURANCE]),
  insurance: firstMonthsIn(TABLES_OF_INSURANCE),
  tax: firstMonthsIn(TABLES_OF_TAX),
  brackets: firstMonthsIn([PROGRESSIVE_TAX]),
};

/** The first month of the law of a month (YYYY-MM, 2015-01 or later). */
export function firstMonthOf(months: Months, month: string): string {
  return months.find((first) => first <= month)!;
}

/** The last month of the law with a first month; undefined if it is still in force. */
export function lastMonthOf(months: Months, first: string): string | undefined {
  const next = months[months.indexOf(first) - 1];
  if (next === undefined) return undefined;
  const [year, month] = next.split('-').map(Number) as [number, number];
  const before = month === 1 ? [year - 1, 12] : [year, month - 1];
  return before.map((part) => String(part).padStart(2, '0')).join('-');
}

/** The names of the assumptions that select the law. */
export const LAW_FIELDS: ReadonlySet<string> = new Set<keyof LawSelection>([
  'period',
  'paid_in',
  'brackets',
  'region',
  'taxation',
  'foreigner',
]);

/** The assumptions that select the law; each month is the first of a law. */
export interface LawSelection {
  /** The law of the insurance and, without `paid_in`, of the tax. */
  readonly period: string;
  readonly paid_in: string | undefined;
  /** The law of the brackets, if they are not those of the other tax law. */
  readonly brackets: string | undefined;
  readonly region: Region;
  readonly taxation: Taxation;
  readonly foreigner: boolean;
}

const TAXATIONS: readonly Taxation[] = ['progressive', 'short_term', 'non_resident'];
/** More than there are laws, so that a law has a key of its own. */
const RADIX = 128;

// Each request needs the same laws, and the look-up takes as long as many calculations. The months
// are those of LAWS, which bounds the number of laws, and the laws are frozen, so that all callers
// can share them.
const lawsByKey = new Map<number, Law>();

/** The law under assumptions. */
export function lawUnder(selection: LawSelection): Law {
  const { period, paid_in = '', brackets = '', region, taxation, foreigner } = selection;
  const months = [period, paid_in, brackets].reduce(
    (key, month) => key * RADIX + LAWS.all.indexOf(month) + 1,
    0,
  );
  const key = (months * 8 + region) * 8 + TAXATIONS.indexOf(taxation) * 2 + Number(foreigner);
  const known = lawsByKey.get(key);
  if (known !== undefined) return known;
  const law = lookUpSelected(selection);
  lawsByKey.set(key, law);
  return law;
}

function lookUpSelected({
  period,
  region,
  brackets,
  paid_in = period,
  ...employment
}: LawSelection): Law {
  const law = lawOf(period, region, { ...employment, paid_in });
  if (brackets === undefined || law.tax.kind === 'flat') return law;
  return { ...law, tax: { ...law.tax, brackets: inForce(PROGRESSIVE_TAX, brackets) } };
}
