/** The assumptions under which another source may have calculated a salary, as one table. */
import type { TaxRequestValue } from '../tax/contract.ts';
import {
  type Bracket,
  type Dated,
  type Law,
  lawOf,
  PROGRESSIVE_TAX,
  REVIEWED_THROUGH,
  type Taxation,
} from '../tax/law.ts';
import { lawOfMonth, LAWS } from './laws.ts';

/**
 * The assumptions of a calculation: the fields of a tax request, and assumptions about the law and the figures, for
 * which a tax request has no field.
 */
export interface Assumptions extends TaxRequestValue {
  /** The first month of the law; that of the request is not changed. */
  readonly period: string;
  /** The brackets; without a change, those of the law. */
  readonly brackets: Dated<readonly Bracket[]> | undefined;
  /** The dues of a member of the union, in percent of the salary on which `bhxh` is paid. */
  readonly union_dues: number;
  readonly net_income: 'after_tax' | 'before_tax';
  /** The law that the other members select. */
  law: Law;
  /** The members that differ from those of the request. */
  readonly changes: Field[];
}

/** All members with their defaults, because V8 changes a member in less time than it adds one. */
const DEFAULT_ASSUMPTIONS = {
  income: 0,
  type: 'gross',
  dependents: 0,
  taxation: 'progressive',
  foreigner: false,
  period: '',
  paid_in: undefined,
  region: 1,
  insurance_salary: undefined,
  exempt_income: 0,
  self_deduction: true,
  bhxh: true,
  bhyt: true,
  bhtn: true,
  voluntary_pension: 0,
  union_fund: true,
  brackets: undefined,
  union_dues: 0,
  net_income: 'after_tax',
  law: undefined,
  changes: [],
};

/** The assumptions of a request under its law. */
export function assumptionsOf(request: Omit<TaxRequestValue, 'detail'>, law: Law): Assumptions {
  return {
    ...DEFAULT_ASSUMPTIONS,
    ...request,
    period: LAWS[lawOfMonth(law.period)],
    brackets: law.tax.kind === 'progressive' ? law.tax.brackets : undefined,
    law,
    changes: [],
  } as unknown as Assumptions;
}

/** The name of an assumption that may differ. */
export type Field = Exclude<keyof Assumptions, 'law' | 'changes'>;

/** An assumption with other values, the likeliest first. */
export type Row = readonly [field: Field, values: readonly unknown[]];

/** The minimum wage of the law and the region. */
const MINIMUM = 'minimum_wage';

/** The latest laws by the last review. */
const LIKELY_LAWS = LAWS.filter((month) => month <= REVIEWED_THROUGH).slice(0, 4);

/** The alternatives that often hold, alone or two at once. */
export const LIKELY: readonly Row[] = [
  ['period', LIKELY_LAWS],
  // Until 2026-06, many employers withheld by the brackets of 2025 with the deductions of 2026.
  ['brackets', PROGRESSIVE_TAX],
  ['region', [1, 2, 3, 4]],
  ['dependents', [0, 1, 2]],
  ['insurance_salary', [MINIMUM, 0, undefined]],
  // Meals in money: Decree 253/2026/NĐ-CP art. 8.2.g; before, Circular 111/2013/TT-BTC art. 2.2.g.
  ['exempt_income', [1_200_000, 730_000]],
  ['union_dues', [0.5, 1]],
];

/** The alternatives that hold alone. */
export const UNLIKELY: readonly Row[] = [
  ['period', LAWS.filter((month) => !LIKELY_LAWS.includes(month))],
  ['dependents', [3, 4, 5, 6]],
  ['self_deduction', [false]],
  ['bhtn', [false]],
  ['foreigner', [true]],
  ['taxation', ['short_term', 'non_resident']],
  ['net_income', ['before_tax']],
  ['type', ['net', 'cost']],
];

/** Pairs of alternatives: with the first one, the second is the usual case. */
export const PAIRS: readonly (readonly [Row, Row])[] = [
  [
    ['taxation', ['short_term', 'non_resident']],
    ['insurance_salary', [0]],
  ],
  [
    ['self_deduction', [false]],
    ['insurance_salary', [0]],
  ],
  [
    ['type', ['cost']],
    ['union_fund', [false]],
  ],
];

/** The assumptions that select the law. */
export const SELECT_LAW: ReadonlySet<Field> = new Set([
  'period',
  'brackets',
  'region',
  'foreigner',
  'taxation',
]);

/** Tries each way to change `count` assumptions of a table, which it makes and undoes in one object. */
export function tryChanges(
  trial: Assumptions,
  table: readonly Row[],
  count: number,
  attempt: () => void,
  from = 0,
): void {
  if (count === 0) return attempt();
  const members = trial as Record<Field, unknown>;
  const { law, changes } = trial;
  for (let at = from; at < table.length; at += 1) {
    const [field, values] = table[at]!;
    const before = members[field];
    const isLaw = SELECT_LAW.has(field);
    changes.push(field);
    for (const given of values) {
      const value = given === MINIMUM ? law.minimumWage.value : given;
      if (value === before) continue;
      members[field] = value;
      if (isLaw) trial.law = lawUnder(trial);
      tryChanges(trial, table, count - 1, attempt, at + 1);
    }
    changes.pop();
    members[field] = before;
    trial.law = law;
  }
}

// Each request needs the same laws, and the look-up takes as long as many calculations. The months
// are in LAWS, or have the law of one of them, which bounds the number of laws, and the laws are
// frozen, so that all callers can share them.
const laws = new Map<number, Law>();
const TAXATIONS: readonly Taxation[] = ['progressive', 'short_term', 'non_resident'];

function lawUnder(trial: Assumptions): Law {
  const { period, paid_in = period, region, taxation, foreigner, brackets, changes } = trial;
  const months = lawOfMonth(period) * LAWS.length + lawOfMonth(paid_in);
  const key = ((months * 8 + region) * 4 + TAXATIONS.indexOf(taxation)) * 2 + Number(foreigner);
  const law = laws.get(key) ?? lawOf(period, region, trial);
  laws.set(key, law);
  if (!brackets || !changes.includes('brackets') || law.tax.kind === 'flat') return law;
  return { ...law, tax: { ...law.tax, brackets } };
}
