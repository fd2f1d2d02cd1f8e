import { disclosure, element, explained, facts, swatch, tableRow } from './dom.js';
import { amount, choice } from './request.js';
import { addTexts, format, text } from './texts.js';

addTexts(`
caption.gross | Net salary, {month} | Lương net, tháng {month}
caption.net | Gross salary for that net, {month} | Lương gross tương ứng, tháng {month}
caption.cost | Gross salary within the budget, {month} | Lương gross trong ngân sách, tháng {month}
note.gross | of {gross} gross | từ {gross} lương gross
note.net | leaves {net} net | để nhận {net} lương net
note.cost | leaves {net} net and costs {cost} | nhận {net} lương net, công ty chi {cost}
taxation | Tax status | Cách tính thuế
hint.taxation | Does not change the insurance. Without a labour contract there is none, and since July 2025 none for
    foreigners on a contract of under 12 months or transferred within their company.
  | Không ảnh hưởng đến bảo hiểm. Không có hợp đồng lao động thì không đóng; từ tháng 7/2025, người nước ngoài có hợp
    đồng dưới 12 tháng hoặc di chuyển nội bộ doanh nghiệp cũng vậy.
uninsured | No insurance | Không đóng bảo hiểm
progressive | Resident, contract of 3 months or more | Cư trú, hợp đồng từ 3 tháng trở lên
short_term | Resident, shorter or no contract | Cư trú, không có hợp đồng từ 3 tháng trở lên
non_resident | Not a resident of Vietnam | Không cư trú
foreigner | Foreign citizen | Người nước ngoài
paid_in | Month of payment | Tháng trả lương
hint.paid_in | Selects the tax law. Empty: the salary month. | Để trống: tháng tính lương. Thuế tính theo tháng trả.
voluntary_pension | Voluntary pension, life insurance | Hưu trí tự nguyện, bảo hiểm nhân thọ
hint.voluntary_pension | With the part of the employer. Each month counts up to its limit.
  | Gồm cả phần công ty đóng. Mỗi tháng được trừ tối đa theo mức quy định.
flatTax | Flat tax of {rate} | Thuế suất toàn phần {rate}
netIncome | Net salary | Lương net
grossIncome | Gross salary | Lương gross
insurance | Insurance | Bảo hiểm
tax | Income tax | Thuế TNCN
employerCost | Cost to the employer | Chi phí của công ty
marginalRate | Marginal tax rate | Thuế suất biên
story | From gross to net, đồng per month | Diễn giải: từ gross đến net, đồng mỗi tháng
employerStory | Paid by the employer, đồng per month | Công ty chi trả, đồng mỗi tháng
bhxh | Social insurance | BHXH
bhyt | Health insurance | BHYT
bhtn | Unemployment insurance | BHTN
employer.bhxh | Social insurance with the accident fund | BHXH, gồm quỹ tai nạn lao động
union_fund | Trade-union fund | Kinh phí công đoàn
hint.union_fund | Part of the cost to the employer only if checked. | Chỉ khi chọn mới tính vào chi phí của công ty.
partOf | {rate} of {base} | {rate} của {base}
capped | {rate} of {base}, the cap: 20 × {limit} | {rate} của {base} (mức trần: 20 × {limit})
cap | Contribution cap | Mức trần đóng bảo hiểm
self_deduction | Personal deduction | Giảm trừ bản thân
dependentDeduction | Deduction for dependents | Giảm trừ người phụ thuộc
taxableIncome | Taxable income | Thu nhập tính thuế
notBelowZero | not below 0 | không dưới 0
bracket | Bracket of {rate} | Bậc {rate}
netHow | gross − insurance − tax | gross − bảo hiểm − thuế
costHow | gross + contributions | gross + phần công ty đóng
law | The law in {month}, with its sources | Quy định áp dụng, tháng {month}, kèm văn bản
`);

export const calculator = {
  name: 'salary',
  path: 'api/v1/tax/calculate',
  always: ['"detail":true'],
  fields: [
    amount('income', { isRequired: true, example: '30000000' }),
    choice('type', ['gross', 'net', 'cost']),
    { name: 'period', kind: 'month' },
    choice('region', ['1', '2', '3', '4'], { isExplained: true }),
    {
      name: 'dependents', kind: 'integer', initial: '0', range: [0, 50],
      when: ({ taxation }) => taxation === 'progressive',
    },
    choice('taxation', ['progressive', 'short_term', 'non_resident'], {
      columns: 1, isExplained: true, isExtra: true,
    }),
    {
      name: 'uninsured', kind: 'flag', initial: 'false', isExtra: true,
      members: '"bhxh":false, "bhyt":false, "bhtn":false',
    },
    { name: 'foreigner', kind: 'flag', initial: 'false', isExtra: true },
    { name: 'paid_in', kind: 'month', isExtra: true },
    amount('insurance_salary', { isExtra: true }),
    amount('voluntary_pension', { isExtra: true, when: ({ taxation }) => taxation === 'progressive' }),
    { name: 'union_fund', kind: 'flag', initial: 'false', isExtra: true },
  ],
  isLaw: true,
  isComparable: true,
  answer,
};

export const AMOUNTS = {
  grossIncome: (data) => data.gross_income,
  insurance: (data) => data.insurance.total,
  taxableIncome: (data) => data.taxable_income,
  tax: (data) => data.tax,
  netIncome: (data) => data.net_income,
  employerCost: (data) => data.detail.employer.cost,
};

const INSURANCES = ['bhxh', 'bhyt', 'bhtn'];

function answer(data, { type }, reviewed) {
  const { detail } = data;
  const { period } = detail;
  const places = {
    month: format.month(period),
    gross: format.dong(data.gross_income),
    net: format.dong(data.net_income),
    cost: format.dong(detail.employer.cost),
  };
  return {
    period,
    caption: text(`caption.${type}`, places),
    figure: type === 'gross' ? places.net : places.gross,
    note: text(`note.${type}`, places),
    nodes: [
      reviewHint(period, reviewed),
      ...split(data),
      facts([
        ['employerCost', places.cost],
        [explained(text('marginalRate'), 'marginalRate'), format.percent(detail.marginal_rate)],
      ]),
      story(data),
      employerStory(data),
      lawDisclosure(text('law', places), detail),
    ],
  };
}

export function reviewHint(period, reviewed) {
  return reviewed && period > reviewed.slice(0, period.length)
    && element('p.hint', text('beyondReview', { month: format.month(reviewed) }));
}

export function lawDisclosure(caption, detail) {
  return disclosure('law', caption, async () => (await import('./law.js')).lawTables(caption, detail));
}

function split({ gross_income: gross, insurance, tax, net_income: net }) {
  const parts = [['net', 'netIncome', net], ['insurance', 'insurance', insurance.total], ['tax', 'tax', tax]]
    .map(([part, key, amount]) => ({ part, key, amount, share: gross > 0 ? amount / gross * 100 : 0 }));
  const drawn = parts.filter(({ share }) => share > 0);
  return [
    drawn.length > 0 && element('div.split', { 'aria-hidden': 'true' },
      element('div', drawn.map(({ part, share }) => element(`b.${part}`, { '--share': share }))),
      element('div', drawn.map(({ part, share }) =>
        element('span', { '--share': share }, swatch(part), format.rate(share))))),
    facts(parts.map(({ part, key, amount, share }) =>
      [[text(key), element('span.hidden', `, ${format.rate(share)}`)], format.dong(amount), part])),
  ];
}

function story(data) {
  const { gross_income: gross, insurance, deductions, taxable_income: taxable, tax, net_income: net, detail } = data;
  const { voluntary_pension: pension = 0 } = data;
  const isFlat = lawValue(detail, 'flat_tax_rate') !== undefined;
  const each = lawValue(detail, 'dependent_deduction');
  return steps(text('story'), [
    ['grossIncome', gross],
    ...INSURANCES.map((name) => [name, -insurance[name], contribution(detail, 'employee', name)]),
    !isFlat && ['self_deduction', -deductions.self],
    deductions.dependents > 0 && ['dependentDeduction', -deductions.dependents,
      `${format.count(deductions.dependents / each)} × ${format.count(each)}`],
    pension > 0 && ['voluntary_pension', -pension],
    taxableStep(taxable, isFlat),
    ...bracketSteps(detail, isFlat ? 'flatTax' : 'bracket'),
    ['tax', tax, '', 'sum'],
    ['netIncome', net, text('netHow'), 'sum total'],
  ]);
}

function employerStory({ gross_income: gross, detail }) {
  const { employer, insurance_base: { bhxh } } = detail;
  return steps(text('employerStory'), [
    ['grossIncome', gross],
    ...INSURANCES.map((name) =>
      [text(`employer.${name}`) ?? name, employer[name], contribution(detail, 'employer', name)]),
    employer.union_fund !== undefined
      && ['union_fund', employer.union_fund, partOf(lawValue(detail, 'union_fund_rate'), bhxh)],
    ['employerCost', employer.cost, text('costHow'), 'sum total'],
  ]);
}

/** Rows of a name or the key of its text, the amount, how it comes about, and a class. */
export function steps(caption, rows) {
  return element('table.steps',
    element('caption', caption),
    element('tbody', rows.filter(Boolean).map(([name, amount, how, kind]) =>
      // Adding 0 turns −0 into 0.
      tableRow([[text(name) ?? name, how && element('span.how', how)], format.count(amount + 0)], kind))));
}

export function taxableStep(taxable, isFlat) {
  return ['taxableIncome', taxable, taxable === 0 && !isFlat && text('notBelowZero'), 'sum'];
}

export function bracketSteps({ brackets }, key = 'bracket') {
  return brackets.filter(({ taxable_amount: part }) => part > 0).map(({ rate, taxable_amount: part, tax }) =>
    [text(key, { rate: format.percent(rate) }), tax, partOf(rate, part)]);
}

function lawValue({ law }, name) {
  return law.find(({ rule }) => rule === name)?.value;
}

function partOf(rate, base, key = 'partOf', limit = 0) {
  const places = { rate: format.percent(rate), base: format.count(base), limit: format.count(limit) };
  return rate !== undefined && text(key, places);
}

function contribution(detail, side, name) {
  const base = detail.insurance_base[name];
  const rate = lawValue(detail, `${side}_${name}_rate`);
  const limit = lawValue(detail, name === 'bhtn' ? 'minimum_wage' : 'base_salary');
  const isCapped = rate !== undefined && base === 20 * limit;
  return isCapped ? explained(partOf(rate, base, 'capped', limit), 'cap', text('cap')) : partOf(rate, base);
}
