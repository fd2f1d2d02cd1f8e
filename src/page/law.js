import { element } from './dom.js';
import { table } from './tables.js';
import { addTexts, format, language, text } from './texts.js';

addTexts(`
bracketTable | All tax brackets, đồng | Biểu thuế đầy đủ, đồng
rate | Rate | Thuế suất
range | Taxable income | Thu nhập tính thuế
taxed | Taxable part | Phần tính thuế
bracketsTax | Tax | Thuế
over | over {from} | trên {from}
rule | Rule | Quy định
value | Value | Mức
since | Since | Áp dụng từ
instrument | Instrument | Văn bản
insuranceRate | {kind}, {side} | {kind}, {side}
employee | employee | người lao động
employer | employer | công ty
law.base_salary | Base salary | Lương cơ sở
law.minimum_wage | Minimum wage of the region | Lương tối thiểu vùng
law.self_deduction | Own deduction | Giảm trừ bản thân
law.dependent_deduction | Deduction per dependent | Giảm trừ mỗi người phụ thuộc
law.progressive_tax_brackets | Brackets of the progressive tax | Số bậc của biểu thuế lũy tiến
law.flat_tax_rate | Flat tax | Thuế suất toàn phần
law.flat_tax_threshold | Flat tax from a payment of | Khấu trừ từ mức chi trả
law.voluntary_pension_limit | Voluntary pension, per month | Hưu trí tự nguyện, mỗi tháng
law.medical_limit | Medical expenses, per year | Chi phí y tế, mỗi năm
law.education_limit | Education expenses, per year | Chi phí giáo dục, mỗi năm
law.union_fund_rate | Trade-union fund, employer | Kinh phí công đoàn, công ty
`);

/** The table of all brackets, and that of every value of the law that was used. */
export function lawTables(caption, { law, brackets }) {
  return [lawTable(caption, law), bracketTable(brackets)];
}

function bracketTable(brackets) {
  const range = (from, to) => (to === null
    ? text('over', { from: format.compact(from) })
    : `${format.compact(from)} – ${format.compact(to)}`);
  return table({
    caption: text('bracketTable'),
    heads: ['rate', 'range', 'taxed', 'bracketsTax'].map((key) => text(key)),
    rows: brackets.map((row) => [
      format.percent(row.rate), range(row.from, row.to), format.count(row.taxable_amount), format.count(row.tax),
    ]),
  });
}

function lawTable(caption, rows) {
  return table({
    caption,
    kind: 'sources',
    heads: ['rule', 'value', 'since', 'instrument'].map((key) => text(key)),
    rows: rows.map((row) => [
      nameOf(row.rule), valueOf(row), format.month(row.effective_from),
      element('span', instrumentIn(language, row.instrument)),
    ]),
  });
}

function valueOf({ rule, value }) {
  if (rule.endsWith('_rate')) return format.percent(value);
  return rule.endsWith('_brackets') ? format.count(value) : format.dong(value);
}

/** What a rule of the law is called; the name that the service gives it where the page knows none. */
function nameOf(rule) {
  const [, side, insurance] = /^(employee|employer)_(bhxh|bhyt|bhtn)_rate$/.exec(rule) ?? [];
  if (insurance !== undefined) return text('insuranceRate', { kind: text(insurance), side: text(side) });
  return text(`law.${rule}`) ?? rule;
}

const KINDS = {
  Law: 'Luật',
  Decree: 'Nghị định',
  Resolution: 'Nghị quyết',
  Circular: 'Thông tư',
  Decision: 'Quyết định',
  'amended by': 'sửa đổi bởi',
};

/** An instrument as the service names it in English, such as `Law 109/2025/QH15 art. 9.2`, in another language. */
export function instrumentIn(language, instrument) {
  if (language !== 'vi') return instrument;
  return instrument
    .replace(/\b(?:Law|Decree|Resolution|Circular|Decision|amended by)\b/g, (kind) => KINDS[kind])
    .replace(/ of (\d{4})-(\d\d)-(\d\d)/g, ' ngày $3/$2/$1')
    .replace(/,? art\. (\d+)(?:\.(\d+))?(?:\.([a-zđ]))?/g, (_, article, clause, point) =>
      `, ${[point && `điểm ${point}`, clause && `khoản ${clause}`, `Điều ${article}`].filter(Boolean).join(' ')}`);
}
