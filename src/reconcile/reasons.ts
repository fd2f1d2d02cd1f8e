/** The changes of a match as fields with values, and in words that the law tables complete. */
import { reasonToInsure } from '../tax/contract.ts';
import type { Law } from '../tax/law.ts';
import { type Assumptions, type Field, SELECT_LAW, tryChanges } from './alternatives.ts';
import { lastMonthOf } from './laws.ts';
import { type Match, type Outcome, outcomeOf } from './search.ts';

/** A field with the value of another source, and the reason in words. */
export interface Change {
  readonly field: Field;
  readonly value: string | number | boolean;
  readonly reason: string;
}

/**
 * Words for a reason, in which amounts, rates and months (YYYY-MM) take their places `{name}`; the
 * place `{change}` has an amount with its sign.
 */
export type ReasonWords = (key: string, places: Readonly<Record<string, unknown>>) => string;

/**
 * The reasons in English by their fields, those of one value behind a dot, the differences, and the
 * provisions of a law.
 */
const ENGLISH = `
period | The law of {since} to {value}
brackets | Other brackets with the same deductions
region | Region {value}
dependents | Dependents: {value} instead of {own}
insurance_salary | Insured on {value}
insurance_salary.0 | No insurance
insurance_salary.minimum | Insured on the minimum wage of {value} only
exempt_income | Tax-free meals of {value}
union_dues | Union dues of {rate} % of the insured salary, which are not modelled
self_deduction | No personal deduction, as in a second job
bhtn | No unemployment insurance, as from the pension age on
foreigner | The insurance of a foreigner
taxation | Another tax status
net_income | The other figure is the income before tax
type.net | The income was taken for net
type.cost | The income was taken for the budget of the employer
union_fund | A budget without the trade-union fund
difference.0 | The same net income
difference.1 | Higher by {value}
difference.-1 | Lower by {value}
difference.insurance | insurance {change}
difference.tax | tax {change}
difference.outside | besides them {change}
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
  (REASONS.get(key) ?? '').replace(/\{(\w+)\}/g, (_, name: string) => {
    const sign = name === 'change' && Number(places[name]) > 0 ? '+' : '';
    return sign + String(places[name]).replace(/\B(?=(\d{3})+$)/g, ',');
  });

/** The changes of a match. */
export function changesOf(match: Match, own: Assumptions, inWords: ReasonWords): readonly Change[] {
  const { law, union_dues: rate } = match.assumptions;
  return changedFields(match, own).map((field) => {
    const value = valueIn(field, match);
    const isMinimum = field === 'insurance_salary' && value === law.minimumWage.value;
    const special = `${field}.${isMinimum ? 'minimum' : String(value)}`;
    const key = REASONS.has(special) ? special : field;
    const places = { value, own: own[field], since: match.since, rate };
    const provisions = provisionsOf(field, match, own).map(([name, provision]) =>
      inWords(`law.${name}`, { value: provision }),
    );
    const reason = `${inWords(key, places)}: ${provisions.join(', ')}`;
    return { field, value, reason: reason.replace(/: $/, '') };
  });
}

/** The changed fields. Some changes require an insured salary, which the request may not have stated. */
function changedFields({ assumptions }: Match, own: Assumptions): readonly Field[] {
  const { changes } = assumptions;
  const isStated = own.insurance_salary !== undefined || changes.includes('insurance_salary');
  const isRequired = reasonToInsure(assumptions) !== undefined;
  return isRequired && !isStated ? [...changes, 'insurance_salary'] : changes;
}

function valueIn(field: Field, match: Match): Change['value'] {
  const { assumptions, gross, union_dues } = match;
  const { period, brackets, insurance_salary, exempt_income = 0 } = assumptions;
  if (field === 'period') return lastMonthOf(period);
  if (field === 'brackets') return brackets!.value.length;
  if (field === 'insurance_salary') return insurance_salary ?? gross - exempt_income;
  return field === 'union_dues' ? union_dues : assumptions[field]!;
}

/** The provisions of the law that a change brings with it, by their names. */
function provisionsOf(field: Field, match: Match, own: Assumptions): [string, unknown][] {
  const { assumptions } = match;
  if (!SELECT_LAW.has(field)) return [];
  let before: Provisions = {};
  tryChanges(assumptions, [[field, [own[field]]]], 1, () => {
    before = provisionsIn(assumptions.law, outcomeOf(assumptions));
  });
  return Object.entries(provisionsIn(assumptions.law, match)).filter(
    ([name, value]) => value && value !== before[name],
  );
}

/** Provisions of the law as far as they concern a calculation, by their names. */
type Provisions = Readonly<Record<string, number | undefined>>;

function provisionsIn({ tax, employeeRates }: Law, { base, deductions }: Outcome): Provisions {
  return {
    self: deductions.self,
    dependents: deductions.dependents,
    ...(tax.kind === 'flat' ? tax.flatTax.value : { brackets: tax.brackets.value.length }),
    bhxhBase: Math.max(base.bhxh, base.bhyt),
    bhtnBase: base.bhtn,
    bhxh: base.bhxh && employeeRates.bhxh.value,
  };
}
