/** The assumptions under which another source may have calculated a salary, as one table. */
import type { Salary } from '../../tax/assessment.ts';
import { REVIEWED_THROUGH } from '../../tax/law.ts';
import { firstMonthOf, LAW_FIELDS, type LawSelection, type Months, LAWS } from './months.ts';

/** A salary with all that determines its figures: the fields of a request, and what no request has. */
export interface Assumptions extends Required<Omit<Salary, 'insurance_salary'>>, LawSelection {
  readonly income: number;
  readonly type: 'gross' | 'net' | 'cost';
  /** An amount, or the one that the gross income or the law determines. */
  readonly insurance_salary: number | 'gross_income' | 'minimum_wage';
  /** The dues of a member of the union, in percent of the salary on which `bhxh` is paid. */
  readonly union_dues: number;
  readonly net_income: 'after_tax' | 'before_tax';
}

/** The name of an assumption that may differ. */
export type Field = Exclude<
  keyof Assumptions,
  'income' | 'bhxh' | 'bhyt' | 'voluntary_pension' | 'union_fund'
>;

/**
 * The most that a member of the union pays, in percent of the base salary: Decision 1908/QĐ-TLĐ of
 * 2016 art. 23.
 */
export const UNION_DUES_LIMIT = 10;

/** An assumption with its other values, the likeliest first. */
export interface Row {
  readonly field: Field;
  readonly values: readonly Assumptions[Field][];
  /** Whether the assumption selects the law. */
  readonly selectsLaw: boolean;
}

/** The alternatives that often hold, alone or two at once, and those that hold alone. */
interface Alternatives {
  readonly likely: readonly Row[];
  readonly unlikely: readonly Row[];
}

/** The number of the latest laws by the last review that often hold together with another alternative. */
const LIKELY_LAWS = 4;

/** The table of alternatives, the likeliest first, for the laws that `period` selects. */
function tableOf(months: Months): Alternatives {
  const likely = months.filter((month) => month <= REVIEWED_THROUGH).slice(0, LIKELY_LAWS);
  const unlikely = months.filter((month) => !likely.includes(month));
  return {
    likely: [
      alternative('period', likely),
      // Until 2026-06, many employers withheld by the brackets of 2025 with the deductions of 2026.
      alternative('brackets', LAWS.brackets),
      alternative('region', [1, 2, 3, 4]),
      alternative('dependents', [0, 1, 2]),
      alternative('insurance_salary', ['minimum_wage', 0, 'gross_income']),
      // Meals in money: Decree 253/2026/NĐ-CP art. 8.2.g; before, Circular 111/2013/TT-BTC art. 2.2.g.
      alternative('exempt_income', [1_200_000, 730_000, 0]),
      alternative('union_dues', [0.5, 1]),
    ],
    unlikely: [
      alternative('period', unlikely),
      alternative('dependents', [3, 4, 5, 6]),
      alternative('paid_in', LAWS.tax),
      alternative('self_deduction', [false, true]),
      alternative('bhtn', [false, true]),
      alternative('foreigner', [true, false]),
      alternative('taxation', ['short_term', 'non_resident', 'progressive']),
      alternative('net_income', ['before_tax']),
      alternative('type', ['net', 'cost']),
    ],
  };
}

function alternative<F extends Field>(field: F, values: readonly Assumptions[F][]): Row {
  return { field, values, selectsLaw: LAW_FIELDS.has(field) };
}

const BY_SALARY_MONTH = tableOf(LAWS.all);
const BY_BOTH_MONTHS = tableOf(LAWS.insurance);

/** The laws that `period` selects: with `paid_in`, only those of the insurance. */
export function salaryMonths({ paid_in }: Pick<Assumptions, 'paid_in'>): Months {
  return paid_in === undefined ? LAWS.all : LAWS.insurance;
}

/** The alternatives to assumptions. A stated insurance determines the insured salary instead. */
export function alternativesTo(own: Assumptions, isInsuranceStated: boolean): Alternatives {
  const { likely, unlikely } = own.paid_in === undefined ? BY_SALARY_MONTH : BY_BOTH_MONTHS;
  const paid_in = own.paid_in ?? firstMonthOf(LAWS.tax, own.period);
  const brackets = firstMonthOf(LAWS.brackets, paid_in);
  const effective = { ...own, paid_in, brackets };
  const othersIn = (rows: readonly Row[]): Row[] =>
    rows
      .filter(({ field }) => !(isInsuranceStated && field === 'insurance_salary'))
      .map(({ field, values, selectsLaw }) => ({
        field,
        values: values.filter((value) => value !== effective[field]),
        selectsLaw,
      }));
  return { likely: othersIn(likely), unlikely: othersIn(unlikely) };
}
