/** The assumptions under which another source may have calculated a salary, as one table. */
import type { TaxRequestValue } from '../tax/contract.ts';
import {
  type Bracket,
  type Dated,
  type Law,
  lawOf,
  PROGRESSIVE_TAX,
  REVIEWED_THROUGH,
} from '../tax/law.ts';
import { EMPLOYEE, PERSONS, personalValues } from '../tax/persons.ts';
import { lawOfMonth, LAWS } from './laws.ts';

type SalaryRequest = Omit<TaxRequestValue, 'type' | 'union_fund' | 'detail'>;

/**
 * The assumptions of a calculation: the fields of a tax request, and assumptions about the law and the figures, for
 * which a tax request has no field.
 */
export interface Assumptions extends SalaryRequest {
  readonly type: TaxRequestValue['type'];
  /** The first month of the law; that of the request is not changed. */
  readonly period: string;
  /** Brackets other than those of the law. */
  readonly brackets: Dated<readonly Bracket[]> | undefined;
  /** The dues of a member of the union, in percent of the salary on which `bhxh` is paid. */
  readonly union_dues: number;
  readonly net_income: 'after_tax' | 'before_tax';
  /** The amount that is added besides the insurance and the tax, or subtracted if it is below 0. */
  readonly outside: number;
  /** The law that the other members select. */
  readonly law: Law;
  /** The number of changes. */
  readonly count: number;
}

/** The name of an assumption that may differ. */
export type Assumption = Exclude<keyof Assumptions, 'law' | 'count'>;

/** Values of assumptions that hold together, and count as one change. */
export type Alternative = { readonly [K in Assumption]?: Assumptions[K] | undefined };

/** Alternatives of which at most one holds, the likeliest first. */
export type AlternativeRow = readonly Alternative[];

/** All members with their defaults, in the order of the changes of an explanation. */
const DEFAULT_ASSUMPTIONS = {
  income: 0,
  type: 'gross',
  period: '',
  paid_in: undefined,
  brackets: undefined,
  region: 1,
  dependents: 0,
  ...EMPLOYEE,
  insurance_salary: undefined,
  exempt_income: undefined,
  voluntary_pension: undefined,
  union_dues: 0,
  net_income: 'after_tax',
  outside: 0,
} as const;

/** The assumptions of a request under its law. */
export function assumptionsOf(request: SalaryRequest, law: Law): Assumptions {
  const period = LAWS[lawOfMonth(law.period)];
  return { ...DEFAULT_ASSUMPTIONS, ...request, period, law, count: 0 } as Assumptions;
}

/** The names of the assumptions that differ from others. */
export function differing(trial: Assumptions, own: Assumptions): readonly Assumption[] {
  const names = Object.keys(DEFAULT_ASSUMPTIONS) as Assumption[];
  const hidden = insuredSalaryOf(trial) === insuredSalaryOf(own) ? 'insurance_salary' : undefined;
  return names.filter((name) => name !== hidden && trial[name] !== own[name]);
}

/** The insured salary, which is the income without its tax-free part by default. */
export function insuredSalaryOf({
  income,
  insurance_salary,
  exempt_income = 0,
}: Assumptions): number {
  return insurance_salary ?? income - exempt_income;
}

/** Stands for the minimum wage of the law and the region. */
const MINIMUM = -1;

const REGIONS = [1, 2, 3, 4] as const;

/** The latest laws by the last review. */
const LIKELY_LAWS = LAWS.filter((month) => month <= REVIEWED_THROUGH).slice(0, 3);

const INSURED = rowOf('insurance_salary', [MINIMUM, 0, undefined]);

const FURTHER = [
  // Meals in money: Decree 253/2026/NĐ-CP art. 8.2.g; before, Circular 111/2013/TT-BTC art. 2.2.g.
  rowOf('exempt_income', [1_200_000, 730_000]),
  rowOf('dependents', [0, 1, 2]),
  rowOf('period', LIKELY_LAWS),
  // Until 2026-06, many employers withheld by the brackets of 2025 with the deductions of 2026.
  rowOf('brackets', PROGRESSIVE_TAX),
];

/** The alternatives that often hold, alone or two at once; a stated insurance implies the salary. */
export function likelyAlternatives(
  own: Assumptions,
  isInsuranceStated: boolean,
): readonly AlternativeRow[] {
  const isImplied = isInsuranceStated && own.insurance_salary === undefined;
  const rows = isImplied ? FURTHER : [INSURED, ...FURTHER];
  const { tax } = own.law;
  // The brackets of the request are no alternative, nor are they with another law.
  const present = { ...own, brackets: tax.kind === 'progressive' ? tax.brackets : undefined };
  return rows.map((row) => row.filter((one) => isOther(one, present)));
}

/** Further alternatives that hold alone. */
export const UNLIKELY: AlternativeRow = [
  ...rowOf('dependents', [3, 4, 5, 6]),
  ...rowOf(
    'period',
    LAWS.filter((month) => !LIKELY_LAWS.includes(month)),
  ),
  ...rowOf('region', REGIONS),
  ...REGIONS.map((region) => ({ region, insurance_salary: MINIMUM })),
  { self_deduction: false },
  { net_income: 'before_tax' },
  ...rowOf('type', ['net', 'cost']),
];

/** The persons, who hold alone or with an implied insured salary. */
export function personsFor(own: Assumptions): AlternativeRow {
  const { insurance_salary, law } = own;
  // A person who is insured has the insured salary of the request, if it is not 0.
  const employee = { ...EMPLOYEE, insurance_salary: insurance_salary || undefined };
  return [
    ...Object.keys(PERSONS).map((key) => ({ ...employee, ...personalValues(key, law.period) })),
    ...rowOf('taxation', ['short_term', 'non_resident']),
  ];
}

function rowOf<K extends Assumption>(name: K, values: readonly Assumptions[K][]): AlternativeRow {
  return values.map((value) => ({ [name]: value }));
}

function isOther(alternative: Alternative, own: Assumptions): boolean {
  return (Object.keys(alternative) as Assumption[]).some((name) => alternative[name] !== own[name]);
}

/** The assumptions that select the law. */
export const SELECT_LAW = ['period', 'brackets', 'region', 'foreigner', 'taxation'] as const;

/** Assumptions in which an alternative holds, too. */
export function assume(own: Assumptions, alternative: Alternative): Assumptions {
  const trial = { ...own, ...alternative, count: own.count + 1 } as Assumptions;
  const isOfLaw = SELECT_LAW.some((name) => alternative[name] !== undefined);
  const law = isOfLaw ? lawUnder(trial) : own.law;
  if (trial.insurance_salary !== MINIMUM) return { ...trial, law };
  return { ...trial, law, insurance_salary: law.minimumWage.value };
}

// Each request needs the same laws, and the look-up takes as long as many calculations. The months are in LAWS, or have
// the law of one of them, which bounds the number of laws, and the laws are frozen, so that all callers can share them.
const laws = new Map<string, Law>();

/** The law that assumptions select. */
export function lawUnder(trial: Assumptions): Law {
  const { period, paid_in = period, region, taxation, foreigner, brackets } = trial;
  const key = `${period} ${lawOfMonth(paid_in)} ${region} ${taxation} ${foreigner}`;
  const law = laws.get(key) ?? lawOf(period, region, trial);
  laws.set(key, law);
  if (!brackets || law.tax.kind === 'flat') return law;
  return { ...law, tax: { ...law.tax, brackets } };
}
