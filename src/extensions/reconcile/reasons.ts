/** The changes of a match as fields with values, and in words that the law tables complete. */
import { insuranceBaseOf } from '../../tax/assessment.ts';
import { CAP_MULTIPLE, type Law } from '../../tax/law.ts';
import { type Assumptions, type Field, salaryMonths } from './alternatives.ts';
import { lastMonthOf, lawUnder, LAWS, type Months } from './months.ts';
import type { Match } from './search.ts';

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
const REASONS_IN_WORDS = `
period | The law of {law} | Quy định {law}
paid_in | The tax law of {law} | Quy định về thuế {law}
brackets | The brackets of {law}, with the deductions of the request
  | Biểu thuế {law}, giữ nguyên mức giảm trừ
region | Region {value}, whose minimum wage caps unemployment insurance
  | Vùng {value}: lương tối thiểu vùng giới hạn mức đóng BHTN
dependents | Dependents: {value} instead of {own} | Số người phụ thuộc: {value} thay vì {own}
insurance_salary.0 | No insurance | Không đóng bảo hiểm
insurance_salary.minimum | Insured on the minimum wage of {value} only
  | Chỉ đóng bảo hiểm trên lương tối thiểu vùng {value}
insurance_salary | Insured on {value} | Đóng bảo hiểm trên {value}
exempt_income.0 | Nothing tax-free | Không có phần miễn thuế
exempt_income | Tax-free meals of {value} | Tiền ăn miễn thuế {value}
union_dues | Union dues of {rate} % of the insured salary, which are not modelled
  | Trừ đoàn phí {rate} % lương đóng bảo hiểm (công cụ chưa tính)
self_deduction.true | With the personal deduction | Có giảm trừ bản thân
self_deduction.false | No personal deduction, as in a second job
  | Không giảm trừ bản thân, như nơi làm việc thứ hai
bhtn.true | With unemployment insurance | Có đóng BHTN
bhtn.false | No unemployment insurance, as from the pension age on
  | Không đóng BHTN, như khi đủ tuổi nghỉ hưu
foreigner.true | The insurance of a foreigner | Đóng bảo hiểm như người nước ngoài
foreigner.false | The insurance of a citizen | Đóng bảo hiểm như người Việt Nam
taxation.progressive | Progressive tax | Thuế lũy tiến
taxation | Flat tax of {flat} % | Khấu trừ thuế {flat} %
net_income | The other figure is the income before tax | Số kia là thu nhập trước thuế
type.net | The income was taken for net | Lương đã nhập được hiểu là lương net
type.cost | The income was taken for the budget of the employer
  | Lương đã nhập được hiểu là tổng chi phí công ty
law.until | {from} to {to} | từ {from} đến {to}
law.since | {from} on | từ {from}
law.self | personal deduction of {value} | giảm trừ bản thân {value}
law.dependent | deduction of {value} per dependent | giảm trừ {value} mỗi người phụ thuộc
law.brackets | {value} brackets | {value} bậc thuế
law.pension | voluntary pension of at most {value} | hưu trí tự nguyện tối đa {value}
law.threshold | no tax below {value} | chưa khấu trừ dưới {value}
law.cap | bhxh and bhyt on at most {value} | trần đóng BHXH, BHYT {value}
law.bhtnCap | bhtn on at most {value} | trần đóng BHTN {value}
law.bhxh | bhxh of {value} % | BHXH {value} %
`;

const LANGUAGES_OF_REASONS: readonly Language[] = ['en', 'vi'];
const wordsOfReasons = new Map(
  REASONS_IN_WORDS.trim()
    .split(/\n(?! )/)
    .map((row) => row.split(/\s*\| /))
    .map(([key = '', ...texts]) => [key, texts]),
);

type Places = Readonly<Record<string, unknown>>;

/** The words of a key, with amounts and months in the notation of the language. */
function inWords(key: string, language: Language, places: Places): string {
  const text = wordsOfReasons.get(key)?.[LANGUAGES_OF_REASONS.indexOf(language)] ?? '';
  return text.replace(/\{(\w+)\}/g, (_, name: string) => notationOf(places[name], language));
}

function notationOf(value: unknown, language: Language): string {
  const text = String(value);
  const isVietnamese = language === 'vi';
  if (/^\d+$/.test(text)) return text.replace(/\B(?=(\d{3})+$)/g, isVietnamese ? '.' : ',');
  if (!isVietnamese) return text;
  return text.replace(/^(\d{4})-(\d\d)$/, '$2/$1').replace(/^(\d+)\.(\d)$/, '$1,$2');
}

/** The changes of a match to the own assumptions. */
export function changesOf(match: Match, own: Assumptions, language: Language): readonly Change[] {
  return match.changes.map((field) => {
    const value = valueIn(field, match, own);
    const isMinimum = field === 'insurance_salary' && value === match.law.minimumWage.value;
    const { tax } = match.law;
    const places = {
      value,
      own: own[field],
      rate: match.assumptions.union_dues,
      flat: tax.kind === 'flat' && tax.flatTax.value.rate,
      law: lawsOf(field, own) === undefined ? '' : lawInWords(field, match, own, language),
    };
    const special = `${field}.${isMinimum ? 'minimum' : String(value)}`;
    const reason = inWords(wordsOfReasons.has(special) ? special : field, language, places);
    return { field, value, reason };
  });
}

function valueIn(field: Field, match: Match, own: Assumptions): Change['value'] {
  const { assumptions, outcome } = match;
  if (field === 'union_dues') return outcome.union_dues;
  if (field === 'insurance_salary') return outcome.insured;
  const months = lawsOf(field, own);
  const last = months && lastMonthOf(months, assumptions[field] as string);
  // Every alternative has a value.
  return last ?? assumptions[field]!;
}

/** The laws of a field whose value is a month. */
function lawsOf(field: Field, own: Assumptions): Months | undefined {
  if (field === 'period') return salaryMonths(own);
  if (field === 'paid_in') return LAWS.tax;
  return field === 'brackets' ? LAWS.brackets : undefined;
}

/** The months of a law, and its provisions that change the figures. */
function lawInWords(field: Field, match: Match, own: Assumptions, language: Language): string {
  const { assumptions, law, periods } = match;
  const months = lawsOf(field, own)!;
  const latest = months.indexOf(assumptions[field] as string);
  let earliest = latest;
  if (field === 'period') while (periods.includes(months[earliest + 1]!)) earliest += 1;
  const to = lastMonthOf(months, months[latest]!);
  const key = to === undefined ? 'law.since' : 'law.until';
  const span = inWords(key, language, { from: months[earliest], to });
  const before = provisionsOf(match, lawUnder({ ...assumptions, [field]: own[field] }));
  const changed = provisionsOf(match, law)
    .filter(({ effect }, at) => effect !== before[at]?.effect)
    .map(({ name, value }) => inWords(`law.${name}`, language, { value }));
  return changed.length === 0 ? span : `${span}: ${changed.join(', ')}`;
}

/** A value of the law, and what differs for a salary if it does. */
interface Provision {
  readonly name: string;
  readonly value: number;
  readonly effect: unknown;
}

function provisionsOf({ assumptions, outcome }: Match, law: Law): Provision[] {
  const salary = { ...assumptions, insurance_salary: outcome.insured };
  const base = insuranceBaseOf(0, salary, law);
  const cap = CAP_MULTIPLE * law.baseSalary.value;
  const bhtnCap = CAP_MULTIPLE * law.minimumWage.value;
  const rate = law.employeeRates.bhxh.value;
  return [
    ...taxProvisionsOf(assumptions, law),
    { name: 'cap', value: cap, effect: Math.max(base.bhxh, base.bhyt) },
    { name: 'bhtnCap', value: bhtnCap, effect: base.bhtn },
    { name: 'bhxh', value: rate, effect: base.bhxh > 0 && rate },
  ];
}

function taxProvisionsOf(salary: Assumptions, { tax, voluntaryPension }: Law): Provision[] {
  if (tax.kind === 'flat') {
    const { threshold } = tax.flatTax.value;
    return [{ name: 'threshold', value: threshold, effect: threshold }];
  }
  const { self, dependent } = tax.deductions.value;
  const brackets = tax.brackets.value;
  const limit = voluntaryPension.value;
  return [
    { name: 'self', value: self, effect: salary.self_deduction && self },
    { name: 'dependent', value: dependent, effect: salary.dependents * dependent },
    { name: 'brackets', value: brackets.length, effect: brackets },
    { name: 'pension', value: limit, effect: Math.min(salary.voluntary_pension, limit) },
  ];
}
