/** The changes of a match as fields with values, and in words that the law tables complete. */
import { reasonToInsure } from '../tax/contract.ts';
import type { Law } from '../tax/law.ts';
import { type Assumption, type Assumptions, lawUnder, SELECT_LAW } from './alternatives.ts';
import type { Change } from './contract.ts';
import { lastMonthOf } from './laws.ts';
import { type Match, type Trial, trialOf } from './search.ts';

/**
 * Words for a reason, in which amounts, rates and months (YYYY-MM) take their places `{name}`. The place `{amount}`
 * always has an amount, and `{change}` has the amount by which a figure is greater (above 0) or less.
 */
export type ReasonWords = (key: string, places: Readonly<Record<string, unknown>>) => string;

/**
 * The reasons in English by their fields, those of one value behind a dot, the differences, and the provisions of a
 * law.
 */
const ENGLISH = `
period | The law of {since} to {value}
brackets | Other brackets with the same deductions
region | Region {value}
dependents | Dependents: {value} instead of {own}
dependents.least | Dependents: {value} or more instead of {own}, or tax-free pay, or a pension
income | The payslip is for {value}, as with unpaid days, a bonus or other pay
insurance_salary | Insured on {value}
insurance_salary.0 | No insurance
insurance_salary.minimum | Insured on the minimum wage of {value} only
insurance_salary.above | Insured on {value}, as in a part of a month, or for several
exempt_income | Tax-free pay of {value}, as for meals or overtime, or a pension
exempt_income.least | Tax-free pay of {value} or more, as for overtime or leave, or a pension
voluntary_pension | A voluntary pension or life insurance of {value}
union_dues | Union dues of {rate} % of the insured salary, which are not modelled
outside | {change} besides insurance and tax, as by an advance, fine or bonus, unpaid days or meals
self_deduction.true | The personal deduction
self_deduction.false | No personal deduction, as in a second job
bhxh.true | Social insurance
bhxh.false | No social insurance
bhyt.true | Health insurance
bhyt.false | No health insurance
bhtn.true | Unemployment insurance
bhtn.false | No unemployment insurance, as for civil servants, foreigners, or at the pension age
foreigner.true | The insurance of a foreigner
foreigner.false | The insurance of a citizen
taxation | Another tax status
net_income | The other figure is the income before tax
type.net | The income was taken for net
type.cost | The income was taken for the budget of the employer
difference.0 | The same net income
difference.1 | The payslip is {amount} higher than the answer
difference.-1 | The payslip is {amount} lower than the answer
difference.insurance | {change} insurance
difference.tax | {change} tax
difference.outside | {change} besides both
law.self | personal deduction of {value}
law.dependents | {value} for dependents
law.brackets | {value} brackets
law.rate | flat tax of {value} %
law.threshold | no tax below {value}
law.bhxhBase | bhxh and bhyt on {value}
law.bhtnBase | bhtn on {value}
law.bhxh | bhxh of {value} %
`;

/** The texts in English, by their keys. */
export const REASONS: ReadonlyMap<string, string> = new Map(
  ENGLISH.trim()
    .split('\n')
    .map((row) => row.split(' | ') as [string, string]),
);

/** Words in English, with the thousands of amounts in groups. */
export const inEnglish: ReasonWords = (key, places) =>
  (REASONS.get(key) ?? '').replace(/\{(\w+)\}/g, (_, name: string) =>
    name === 'change' ? changeInEnglish(Number(places[name])) : inGroups(places[name]),
  );

/** A difference of amounts in words. */
function changeInEnglish(change: number): string {
  if (change === 0) return 'the same';
  return `${inGroups(Math.abs(change))} ${change > 0 ? 'more' : 'less'}`;
}

function inGroups(value: unknown): string {
  return String(value).replace(/\B(?=(\d{3})+$)/g, ',');
}

/** The changes of a match. */
export function changesOf(match: Match, own: Assumptions, inWords: ReasonWords): readonly Change[] {
  const { since, assumptions } = match;
  return changedFields(match, own).map((field) => {
    const value = valueIn(field, match);
    const special = `${field}.${variantOf(field, value, match)}`;
    const key = REASONS.has(special) ? special : field;
    const places = { value, own: own[field], since, rate: assumptions.union_dues, change: value };
    const provisions = provisionsOf(field, match, own).map(([name, provision]) =>
      inWords(`law.${name}`, { value: provision }),
    );
    const reason = `${inWords(key, places)}: ${provisions.join(', ')}`;
    return { field, value, reason: reason.replace(/: $/, '') };
  });
}

/** The changed fields. Some changes require an insured salary, which the request may not have stated. */
function changedFields({ assumptions, changes }: Match, own: Assumptions): readonly Assumption[] {
  const isStated = own.insurance_salary !== undefined || changes.includes('insurance_salary');
  if (isStated || reasonToInsure(assumptions) === undefined) return changes;
  return [...changes, 'insurance_salary'];
}

function valueIn(field: Assumption, match: Match): Change['value'] {
  const { assumptions, gross, union_dues } = match;
  const { period, brackets, insurance_salary, exempt_income = 0 } = assumptions;
  if (field === 'period') return lastMonthOf(period);
  if (field === 'brackets') return brackets!.value.length;
  if (field === 'insurance_salary') return insurance_salary ?? gross - exempt_income;
  return field === 'union_dues' ? union_dues : assumptions[field]!;
}

/** The name of a value that may have words of its own. */
function variantOf(
  field: Assumption,
  value: Change['value'],
  { gross, tax, assumptions }: Match,
): string {
  const isKept = field === 'exempt_income' && assumptions.insurance_salary !== undefined;
  if (tax === 0 && (isKept || field === 'dependents')) return 'least';
  if (field !== 'insurance_salary') return String(value);
  if (value === assumptions.law.minimumWage.value) return 'minimum';
  return Number(value) > gross ? 'above' : String(value);
}

/** The provisions of the law that a change brings with it, by their names. */
function provisionsOf(field: Assumption, match: Match, own: Assumptions): [string, unknown][] {
  const { assumptions } = match;
  if (!SELECT_LAW.some((name) => name === field)) return [];
  const unchanged = { ...assumptions, [field]: own[field] };
  const law = lawUnder(unchanged);
  const before = provisionsIn(law, trialOf({ ...unchanged, law }));
  return Object.entries(provisionsIn(assumptions.law, match)).filter(
    ([name, value]) => value && value !== before[name],
  );
}

/** Provisions of the law as far as they concern a calculation, by their names. */
type Provisions = Readonly<Record<string, number | undefined>>;

function provisionsIn({ tax, employeeRates }: Law, { base, deductions }: Trial): Provisions {
  return {
    self: deductions.self,
    dependents: deductions.dependents,
    ...(tax.kind === 'flat' ? tax.flatTax.value : { brackets: tax.brackets.value.length }),
    bhxhBase: Math.max(base.bhxh, base.bhyt),
    bhtnBase: base.bhtn,
    bhxh: base.bhxh && employeeRates.bhxh.value,
  };
}
