import { disclosure, element, explained, facts, tableRow } from './dom.js';
import { addTexts, format, text } from './texts.js';

addTexts({
  'caption.gross': ['Net salary, {month}', 'Lương net, tháng {month}'],
  'caption.net': ['Gross salary for that net, {month}', 'Lương gross tương ứng, tháng {month}'],
  'caption.cost': ['Gross salary within the budget, {month}', 'Lương gross trong ngân sách, tháng {month}'],
  'note.gross': ['of {gross} gross', 'từ {gross} lương gross'],
  'note.net': ['leaves {net} net', 'để nhận {net} lương net'],
  'note.cost': ['leaves {net} net and costs {cost}', 'nhận {net} lương net, công ty chi {cost}'],
  taxation: ['Tax status', 'Cách tính thuế'],
  progressive: ['Resident, contract of 3 months or more', 'Cư trú, hợp đồng từ 3 tháng'],
  short_term: ['Resident, shorter or no contract', 'Cư trú, hợp đồng dưới 3 tháng'],
  non_resident: ['Not a resident of Vietnam', 'Không cư trú'],
  foreigner: ['Foreign citizen', 'Người nước ngoài'],
  paid_in: ['Month of payment', 'Tháng trả lương'],
  'hint.paid_in': ['Empty: the salary month. The tax follows it.', 'Để trống: tháng tính lương. Thuế tính theo tháng trả.'],
  flatTax: ['Flat tax of {rate}', 'Thuế suất toàn phần {rate}'],
  netIncome: ['Net salary', 'Lương net'],
  grossIncome: ['Gross salary', 'Lương gross'],
  insurance: ['Insurance', 'Bảo hiểm'],
  tax: ['Income tax', 'Thuế TNCN'],
  employerCost: ['Cost to the employer', 'Chi phí của công ty'],
  effectiveRate: ['Tax share of the gross', 'Thuế trên lương gross'],
  marginalRate: ['Marginal tax rate', 'Thuế suất biên'],
  story: ['From gross to net, đồng per month', 'Diễn giải: từ gross đến net, đồng mỗi tháng'],
  employerStory: ['Paid by the employer, đồng per month', 'Công ty chi trả, đồng mỗi tháng'],
  bhxh: ['Social insurance', 'BHXH'],
  bhyt: ['Health insurance', 'BHYT'],
  bhtn: ['Unemployment insurance', 'BHTN'],
  union_fund: ['Trade-union fund', 'Kinh phí công đoàn'],
  rateOf: ['{rate} of {base}', '{rate} của {base}'],
  capped: ['{rate} of {base}, the cap: 20 × {limit}', '{rate} của {base} (mức trần: 20 × {limit})'],
  cap: ['Cap of the contributions', 'Mức trần đóng bảo hiểm'],
  selfDeduction: ['Own deduction', 'Giảm trừ bản thân'],
  dependentDeduction: ['Deduction for dependents', 'Giảm trừ người phụ thuộc'],
  taxableIncome: ['Taxable income', 'Thu nhập tính thuế'],
  notBelowZero: ['not below 0', 'không dưới 0'],
  bracket: ['Bracket of {rate}', 'Bậc {rate}'],
  bracketTax: ['{rate} of {amount}', '{rate} của {amount}'],
  netHow: ['gross − insurance − tax', 'gross − bảo hiểm − thuế'],
  costHow: ['gross + contributions', 'gross + phần công ty đóng'],
  law: ['The law in {month}, with its sources', 'Quy định áp dụng, tháng {month}, kèm văn bản'],
});

const LARGEST_SALARY = 1e12;

export const calculator = {
  name: 'salary',
  path: 'api/v1/tax/calculate',
  always: ['"detail":true'],
  fields: [
    { name: 'income', kind: 'amount', unit: '₫', isRequired: true, example: '30000000', range: [0, LARGEST_SALARY] },
    { name: 'type', kind: 'choice', options: ['gross', 'net', 'cost'], initial: 'gross' },
    { name: 'period', kind: 'month', isExplained: true },
    { name: 'region', kind: 'choice', options: ['1', '2', '3', '4'], initial: '1', isExplained: true },
    { name: 'dependents', kind: 'integer', initial: '0', range: [0, 50], when: isProgressive, isExplained: true },
    {
      name: 'taxation',
      kind: 'choice',
      options: ['progressive', 'short_term', 'non_resident'],
      initial: 'progressive',
      columns: 1,
      isExtra: true,
    },
    { name: 'foreigner', kind: 'flag', initial: 'false', isExtra: true },
    { name: 'paid_in', kind: 'month', isExtra: true },
    { name: 'insurance_salary', kind: 'amount', unit: '₫', range: [0, LARGEST_SALARY], isExtra: true },
    { name: 'union_fund', kind: 'flag', initial: 'false', isExtra: true },
  ],
  isLaw: true,
  isComparable: true,
  answer,
};

function isProgressive({ taxation }) {
  return taxation === 'progressive';
}

const INSURANCES = ['bhxh', 'bhyt', 'bhtn'];

/** A caption, a figure and a note on it, and the nodes that explain them. */
function answer(data, values, reviewed) {
  const { detail } = data;
  const places = {
    month: format.month(detail.period),
    gross: format.dong(data.gross_income),
    net: format.dong(data.net_income),
    cost: format.dong(detail.employer.cost),
  };
  const isBeyond = reviewed !== undefined && detail.period > reviewed;
  return {
    period: detail.period,
    caption: text(`caption.${values.type}`, places),
    figure: values.type === 'gross' ? places.net : places.gross,
    note: text(`note.${values.type}`, places),
    nodes: [
      isBeyond && element('p', { class: 'hint' }, text('beyondReview', { month: format.month(reviewed) })),
      splitBar(data),
      facts([
        [text('employerCost'), places.cost],
        [text('effectiveRate'), format.percent(detail.effective_rate)],
        [explained(text('marginalRate'), 'marginalRate'), format.percent(detail.marginal_rate)],
      ]),
      story(data),
      employerStory(data),
      disclosure('law', text('law', places), async () => (await import('./law.js')).lawTables(text('law', places), detail)),
    ],
  };
}

/** The net part carries its share: the other colours have too little contrast for a text. The list says all. */
function splitBar({ gross_income: gross, insurance, tax, net_income: net }) {
  const share = (amount) => (gross > 0 ? amount / gross : 0);
  const parts = [['net', 'netIncome', net], ['insurance', 'insurance', insurance.total], ['tax', 'tax', tax]];
  const bar = element('div', { class: 'bar', 'aria-hidden': 'true' }, parts
    .filter(([, , amount]) => amount > 0)
    .map(([name, , amount]) => element('div', { class: name, '--share': share(amount) },
      name === 'net' && share(amount) > 0.2 ? format.share(share(amount)) : '')));
  const entries = parts.map(([name, key, amount]) =>
    [`${text(key)}${gross > 0 ? ` · ${format.share(share(amount))}` : ''}`, format.dong(amount), name]);
  return element('div', { class: 'split' }, gross > 0 && bar, facts(entries));
}

function story(data) {
  const { gross_income: gross, insurance, deductions, taxable_income: taxable, tax, net_income: net, detail } = data;
  const dependents = lawValue(detail, 'dependent_deduction');
  const isFlat = lawValue(detail, 'flat_tax_rate') !== undefined;
  return steps(text('story'), [
    [text('grossIncome'), '', gross],
    ...INSURANCES.map((name) => [text(name), contribution(detail, 'employee', name), -insurance[name]]),
    ...(isFlat ? [] : [
      [text('selfDeduction'), '', -deductions.self],
      deductions.dependents > 0 && [text('dependentDeduction'),
        `${format.count(deductions.dependents / dependents)} × ${format.count(dependents)}`, -deductions.dependents],
    ]),
    [text('taxableIncome'), taxable === 0 && !isFlat ? text('notBelowZero') : '', taxable, 'sum'],
    ...detail.brackets.filter((row) => row.taxable_amount > 0).map((row) => {
      const places = { rate: format.percent(row.rate), amount: format.count(row.taxable_amount) };
      return [text(isFlat ? 'flatTax' : 'bracket', places), text('bracketTax', places), row.tax];
    }),
    [text('tax'), '', tax, 'sum'],
    [text('netIncome'), text('netHow'), net, 'sum total'],
  ]);
}

function employerStory({ gross_income: gross, detail }) {
  const { employer } = detail;
  return steps(text('employerStory'), [
    [text('grossIncome'), '', gross],
    ...INSURANCES.map((name) => [text(name), contribution(detail, 'employer', name), employer[name]]),
    employer.union_fund !== undefined
      && [text('union_fund'), rateOf(detail, 'union_fund_rate', detail.insurance_base.bhxh), employer.union_fund],
    [text('employerCost'), text('costHow'), employer.cost, 'sum total'],
  ]);
}

/** Rows of a name, how its amount comes about, the amount, and a class. */
export function steps(caption, rows) {
  return element('table', { class: 'steps' },
    element('caption', {}, caption),
    element('tbody', {}, rows.filter(Boolean).map(([name, how, amount, kind]) =>
      tableRow([[name, how !== '' && element('span', { class: 'how' }, how)], format.count(amount + 0)], kind)))); // −0 becomes 0
}

function lawValue({ law }, name) {
  return law.find(({ rule }) => rule === name)?.value;
}

function rateOf(detail, rule, base) {
  const rate = lawValue(detail, rule);
  return rate === undefined ? '' : text('rateOf', { rate: format.percent(rate), base: format.count(base) });
}

/** The cap is named where it was reached. */
function contribution(detail, side, name) {
  const base = detail.insurance_base[name];
  const rate = lawValue(detail, `${side}_${name}_rate`);
  const limit = lawValue(detail, name === 'bhtn' ? 'minimum_wage' : 'base_salary');
  if (rate === undefined || limit === undefined || base !== 20 * limit) {
    return rateOf(detail, `${side}_${name}_rate`, base);
  }
  const places = { rate: format.percent(rate), base: format.count(base), limit: format.count(limit) };
  return explained(text('capped', places), 'cap', text('cap'));
}
