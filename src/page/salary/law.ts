/** The law of an answer. */
import type { BracketRow, LawRow } from '../../tax/contract.ts';
import type { Language } from '../frame/numbers.ts';
import { table } from '../frame/tables.ts';
import { addTexts, format, language, text } from '../frame/texts.ts';

addTexts(`
rule | Rule | Quy định
value | Value | Mức
since | Since | Áp dụng từ
instrument | Instrument | Văn bản
employee | employee | người lao động
employer | employer | công ty
law.base_salary | Base salary (since July 2025: reference level)
  | Lương cơ sở (từ tháng 7/2025: mức tham chiếu)
law.minimum_wage | Minimum wage of the region | Lương tối thiểu vùng
law.self_deduction | Personal deduction | Giảm trừ bản thân
law.dependent_deduction | Deduction per dependent | Giảm trừ mỗi người phụ thuộc
law.progressive_tax_brackets | Number of tax brackets | Số bậc của biểu thuế
law.least_bracket_months | Months of the brackets, at least | Số tháng tối thiểu của biểu thuế
law.flat_tax_rate | Withheld | Khấu trừ
law.flat_tax_threshold | Withheld from | Khấu trừ từ mức
law.voluntary_pension_limit | Voluntary pension, per month | Hưu trí tự nguyện, mỗi tháng
law.medical_limit | Medical expenses, per year | Chi phí y tế, mỗi năm
law.education_limit | Education expenses, per year | Chi phí giáo dục, mỗi năm
`);

/** The law of an answer. */
export interface LawOfAnswer {
  readonly law: readonly LawRow[];
  readonly brackets: readonly BracketRow[];
}

/** Creates the table of the law of an answer, with its instruments. */
export function lawTable(caption: string, { law, brackets }: LawOfAnswer): HTMLElement {
  const values = law.map(({ rule, value, effective_from: since, instrument }) => [
    nameOf(rule),
    value === undefined ? format.count(brackets.length) : valueOf(rule, value),
    format.month(since),
    instrumentIn(language, instrument),
  ]);
  return table('sources', caption, ['rule', 'value', 'since', 'instrument'], values);
}

function valueOf(rule: string, value: number): string {
  if (rule.endsWith('_rate')) return format.percent(value);
  return rule.endsWith('_months') ? format.count(value) : format.dong(value);
}

function nameOf(rule: string): string {
  const [, side, insurance] = /^(employee|employer)_(bhxh|bhyt|bhtn)_rate$/.exec(rule) ?? [];
  if (side !== undefined && insurance !== undefined) return `${text(insurance)}, ${text(side)}`;
  return text(`law.${rule}`) || text(rule.replace('_rate', '')) || rule;
}

const KINDS: Readonly<Record<string, string>> = {
  Law: 'Luật',
  Decree: 'Nghị định',
  Resolution: 'Nghị quyết',
  Circular: 'Thông tư',
  Decision: 'Quyết định',
  'amended by': 'được sửa đổi bởi',
};

const KIND = new RegExp(Object.keys(KINDS).join('|'), 'g');

/** The name of an instrument, such as `Law 109/2025/QH15 art. 9.2`, in a language. */
export function instrumentIn(language: Language, instrument: string): string {
  if (language !== 'vi') return instrument;
  return instrument
    .replace(KIND, (kind) => KINDS[kind] ?? kind)
    .replace(/ of (\d{4})-(\d\d)-(\d\d)/g, ' ngày $3/$2/$1')
    .replace(/,? art\. (\d+)(?:\.(\d+))?(?:\.([a-zđ]))?/g, articleInVietnamese);
}

/** Vietnamese names the smallest part first. */
function articleInVietnamese(
  _: string,
  article: string,
  clause: string | undefined,
  point: string | undefined,
): string {
  const parts = [point && `điểm ${point}`, clause && `khoản ${clause}`, `Điều ${article}`];
  return `, ${parts.filter(Boolean).join(' ')}`;
}
