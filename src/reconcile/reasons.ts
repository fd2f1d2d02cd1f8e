/** The changes of a match as fields with values, and in words that the law tables complete. */
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

/** The languages of reasons: English, for programs, and Vietnamese. */
export type Language = 'en' | 'vi';

/**
 * The reasons by their fields, those of one value behind a dot, and the provisions of a law, in
 * English and in Vietnamese; an indented line continues the one before it.
 */
const WORDS = `
period | The law of {since} to {value} | Quy định từ {since} đến {value}
brackets | Other brackets with the same deductions | Biểu thuế khác, giữ nguyên mức giảm trừ
region | Region {value} | Vùng {value}
dependents | Dependents: {value} instead of {own} | Số người phụ thuộc: {value} thay vì {own}
insurance_salary | Insured on {value} | Đóng bảo hiểm trên {value}
insurance_salary.0 | No insurance | Không đóng bảo hiểm
insurance_salary.minimum | Insured on the minimum wage of {value} only
  | Chỉ đóng bảo hiểm trên lương tối thiểu vùng {value}
exempt_income | Tax-free meals of {value} | Tiền ăn miễn thuế {value}
union_dues | Union dues of {rate} % of the insured salary, which are not modelled
  | Trừ đoàn phí {rate} % lương đóng bảo hiểm (công cụ chưa tính)
self_deduction | No personal deduction, as in a second job
  | Không giảm trừ bản thân, như nơi làm việc thứ hai
bhtn | No unemployment insurance, as from the pension age on
  | Không đóng BHTN, như khi đủ tuổi nghỉ hưu
foreigner | The insurance of a foreigner | Đóng bảo hiểm như người nước ngoài
taxation | Another tax status | Cách tính thuế khác
net_income | The other figure is the income before tax | Số kia là thu nhập trước thuế
type.net | The income was taken for net | Lương đã nhập được hiểu là lương net
type.cost | The income was taken for the budget of the employer
  | Lương đã nhập được hiểu là tổng chi phí công ty
law.self | personal deduction of {value} | giảm trừ bản thân {value}
law.dependents | {value} for dependents | giảm trừ người phụ thuộc {value}
law.brackets | {value} brackets | {value} bậc thuế
law.rate | flat tax of {value} % | khấu trừ {value} %
law.threshold | no tax below {value} | chưa khấu trừ dưới {value}
law.bhxhBase | bhxh and bhyt on {value} | đóng BHXH, BHYT trên {value}
law.bhtnBase | bhtn on {value} | đóng BHTN trên {value}
law.bhxh | bhxh of {value} % | BHXH {value} %
`;

const wordsByKey = new Map(
  WORDS.trim()
    .split(/\n(?! )/)
    .map((row) => row.split(/\s*\| /))
    .map(([key = '', ...texts]) => [key, texts]),
);

/** The words of a key, with amounts and months in the notation of the language. */
function inWords(
  key: string,
  language: Language,
  places: Readonly<Record<string, unknown>>,
): string {
  const [english = '', vietnamese = ''] = wordsByKey.get(key) ?? [];
  const text = language === 'vi' ? vietnamese : english;
  return text.replace(/\{(\w+)\}/g, (_, name: string) =>
    notationOf(String(places[name]), language),
  );
}

function notationOf(text: string, language: Language): string {
  const [point, comma] = language === 'vi' ? [',', '.'] : ['.', ','];
  const number = text.replace('.', point).replace(/\B(?=(\d{3})+$)/g, comma);
  return language === 'vi' ? number.replace(/^(\d{4})-(\d\d)$/, '$2/$1') : number;
}

/** The changes of a match. */
export function changesOf(match: Match, own: Assumptions, language: Language): readonly Change[] {
  const { law, changes, union_dues: rate } = match.assumptions;
  return changes.map((field) => {
    const value = valueIn(field, match);
    const isMinimum = field === 'insurance_salary' && value === law.minimumWage.value;
    const special = `${field}.${isMinimum ? 'minimum' : String(value)}`;
    const key = wordsByKey.has(special) ? special : field;
    const places = { value, own: own[field], since: match.since, rate };
    const provisions = provisionsOf(field, match, own).map(([name, provision]) =>
      inWords(`law.${name}`, language, { value: provision }),
    );
    const reason = `${inWords(key, language, places)}: ${provisions.join(', ')}`;
    return { field, value, reason: reason.replace(/: $/, '') };
  });
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
