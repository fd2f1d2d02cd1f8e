import { taxOperation } from '../tax/tax.ts';
import { type TaxDetail, taxRequest, type TaxResult, taxResult } from '../tax/contract.ts';
import { REVIEWED_THROUGH } from '../tax/law.ts';
import type { BracketRow, LawRow } from '../tax/contract.ts';
import { calculate, currentPeriod, type Outcome } from './calculation.ts';
import { type Child, disclosure, element, type Part, swatch, tableRow } from './dom.ts';
import { lawTables } from './law.ts';
import {
  type Answer,
  bodyOf,
  type Calculator,
  fieldsOf,
  LEAST_PAYMENT,
  type RequestForm,
  type Values,
} from './request.ts';
import { table } from './tables.ts';
import { explanation } from './terms.ts';
import { addTexts, format, text } from './texts.ts';
import './who.ts';

addTexts(`
beyondReview | The law has been reviewed through {month}. Later months are calculated by the newest
    law in the tables.
  | Quy định đã được rà soát đến tháng {month}. Các tháng sau tạm tính theo quy định mới nhất trong
    bảng.
caption.gross | Net salary, {month} | Lương net, tháng {month}
caption.net | Gross salary for that net, {month} | Lương gross tương ứng, tháng {month}
caption.cost | Gross salary within the employer cost, {month}
  | Lương gross tối đa với ngân sách này, tháng {month}
note.gross | of {gross} gross | từ {gross} lương gross
note.net | leaves {net} net | để nhận {net} lương net
note.cost | leaves {net} net and costs {cost} | nhận {net} lương net, công ty chi {cost}
taxation | Tax status | Cách tính thuế
hint.taxation | Does not change the insurance. Casual work without a labour contract has none; since
    July 2025 foreigners on a contract of under 12 months or transferred within their company have
    none, either.
  | Không ảnh hưởng đến bảo hiểm. Việc thời vụ không có hợp đồng lao động thì không đóng; từ tháng
    7/2025, người nước ngoài có hợp đồng dưới 12 tháng hoặc di chuyển nội bộ doanh nghiệp cũng vậy.
uninsured | No insurance | Không đóng bảo hiểm
progressive | Resident, contract of 3 months or more | Cư trú, hợp đồng từ 3 tháng trở lên
short_term | Resident, shorter or no contract | Cư trú, không có hợp đồng từ 3 tháng trở lên
non_resident | Not a resident of Vietnam | Không cư trú
foreigner | Foreign citizen | Người nước ngoài
paid_in | Month of payment | Tháng trả lương
hint.paid_in | Selects the tax law. Empty: the salary month.
  | Để trống: tháng tính lương. Thuế tính theo tháng trả.
voluntary_pension | Voluntary pension, life insurance | Hưu trí tự nguyện, bảo hiểm nhân thọ
hint.voluntary_pension | With the part of the employer. Each month counts up to its limit.
  | Gồm cả phần công ty đóng. Mỗi tháng được trừ tối đa theo mức quy định.
flatTax | Flat tax of {rate} | Thuế suất toàn phần {rate}
netIncome | Net salary | Lương net
grossIncome | Gross salary | Lương gross
insurance | Insurance | Bảo hiểm
tax | Income tax | Thuế TNCN
employerCost | Cost to the employer | Chi phí của công ty
employerPart | Paid by the employer | Công ty đóng
shares | From the cost to the net salary, đồng | Từ chi phí công ty đến lương net (đồng)
perMonth | Month | Tháng
perYear | 12 months | 12 tháng
shareOfCost | Share | Tỷ lệ
story | From gross to net, đồng per month | Diễn giải chi tiết (đồng/tháng)
employerStory | Paid by the employer, đồng per month | Người sử dụng lao động chi trả (đồng/tháng)
bhxh | Social insurance | BHXH
bhyt | Health insurance | BHYT
bhtn | Unemployment insurance | BHTN
employer.bhxh | Social insurance with the accident fund | BHXH, gồm quỹ tai nạn lao động
exempt_income | Tax-free part of the salary | Phần lương miễn thuế
hint.exempt_income | Meals, overtime, clothing… contained in the salary. Left out: all of the salary
    is taxed.
  | Ăn ca, làm thêm, trang phục… đã nằm trong lương. Bỏ trống: tính thuế trên toàn bộ lương.
self_deduction | Use the personal deduction here | Dùng giảm trừ bản thân ở đây
hint.self_deduction | Off: another employer uses it. | Bỏ chọn: nơi làm việc khác đã dùng.
notModelled | Not modelled: union dues (đoàn phí), housing paid by the employer, severance pay.
  | Chưa tính: đoàn phí, nhà ở do công ty trả, trợ cấp thôi việc.
union_fund | Trade-union fund | Kinh phí công đoàn
withoutFund | The cost is without the trade-union fund of 2 %, which nearly all employers owe.
  | Chi phí chưa gồm 2 % kinh phí công đoàn, khoản gần như mọi công ty phải đóng.
hint.union_fund | Part of the cost to the employer only if checked.
  | Chỉ khi chọn mới tính vào chi phí của công ty.
partOf | {rate} of {base} | {rate} × {base}
capped | {rate} of {base}, the cap: 20 × {limit} | {rate} × {base} (mức trần: 20 × {limit})
notForeign | does not apply to foreign citizens | không áp dụng với người nước ngoài
cap | Contribution cap | Mức trần đóng bảo hiểm
selfDeduction | Personal deduction | Giảm trừ bản thân
usedElsewhere | used at another employer | đã dùng ở nơi khác
dependentDeduction | Deduction for dependents | Giảm trừ người phụ thuộc
deductions | Family deductions | Giảm trừ gia cảnh
taxableIncome | Taxable income | Thu nhập tính thuế
notBelowZero | not below 0 | không dưới 0
belowThreshold | below {amount}, from which the flat tax is withheld
  | dưới {amount}, mức bắt đầu khấu trừ
bracket | Bracket {number} ({rate}) | Bậc {number} ({rate})
netHow | gross − insurance − tax | gross − bảo hiểm − thuế
costHow | gross + contributions | gross + phần công ty đóng
law | The law in {month}, with its sources | Căn cứ pháp lý áp dụng tháng {month}
`);

/** The page asks about a smaller salary, in đồng per month. */
const LEAST_SALARY = 1_000_000;

const EMPLOYEE: Values = {
  taxation: 'progressive',
  uninsured: 'false',
  foreigner: 'false',
  self_deduction: 'true',
};
const FLAT: Values = { ...EMPLOYEE, taxation: 'short_term', uninsured: 'true' };

const form: RequestForm = {
  name: 'salary',
  presets: {
    employee: EMPLOYEE,
    freelance: FLAT,
    probation: FLAT,
    foreigner: { ...EMPLOYEE, foreigner: 'true' },
    second_job: { ...EMPLOYEE, uninsured: 'true', self_deduction: 'false' },
  },
  always: ['"detail":true'],
  fields: fieldsOf(taxRequest, {
    income: { unit: '₫', example: '30000000', least: LEAST_SALARY },
    type: {},
    period: { isFolded: true },
    region: { isExplained: true, isFolded: true },
    dependents: { isFolded: true, when: isProgressive },
    exempt_income: { unit: '₫', isFolded: true, least: LEAST_PAYMENT },
    taxation: { columns: 1, isExplained: true, isExtra: true },
    uninsured: { members: ['bhxh', 'bhyt', 'bhtn'], isExtra: true },
    foreigner: { isExtra: true },
    self_deduction: { isExtra: true, when: isProgressive },
    paid_in: { isExtra: true },
    insurance_salary: { unit: '₫', isExtra: true, least: LEAST_SALARY },
    voluntary_pension: { unit: '₫', isExtra: true, least: LEAST_PAYMENT, when: isProgressive },
    union_fund: { isExtra: true },
  }),
};

function isProgressive({ taxation }: Values): boolean {
  return taxation === 'progressive';
}

/** A result with its detail, for which the page always asks. */
export type Salary = TaxResult & { readonly detail: TaxDetail };

/** Gross and net salary of a month. */
export const calculator: Calculator<TaxResult> = {
  ...form,
  pathOf: () => 'api/v1/tax/calculate',
  calculate: calculateBody,
  answer: (data, values) => answer(detailed(data), values),
  // A month of payment requires the salary month, which is the current one as long as none is given.
  follow: ({ period, paid_in }) =>
    period === '' && paid_in !== '' ? { period: currentPeriod() } : {},
};

function calculateBody(body: string): Outcome<TaxResult> {
  return calculate({ operation: taxOperation, result: taxResult }, body);
}

/** Calculates the salary of given values. */
export function calculateSalary(values: Values): Outcome<TaxResult> {
  return calculateBody(bodyOf(form, values));
}

/** The result with its detail. */
export function detailed({ detail, ...result }: TaxResult): Salary {
  if (detail === undefined) throw new Error('The request asked for no detail');
  return { ...result, detail };
}

type AmountOf = (data: Salary) => number;

/** The amounts that a comparison and a payroll show, by the keys of their names; a person's own is first. */
export const AMOUNTS: Readonly<Record<string, AmountOf>> = {
  netIncome: (data) => data.net_income,
  grossIncome: (data) => data.gross_income,
  insurance: (data) => data.insurance.total,
  deductions: (data) => data.deductions.total,
  taxableIncome: (data) => data.taxable_income,
  tax: (data) => data.tax,
  employerCost: (data) => data.detail.employer.cost,
};

const INSURANCES = ['bhxh', 'bhyt', 'bhtn'] as const;

type Insurance = (typeof INSURANCES)[number];

function answer(data: Salary, { type = '' }: Values): Answer {
  const { detail } = data;
  const { period } = detail;
  const places = {
    month: format.month(period),
    gross: format.dong(data.gross_income),
    net: format.dong(data.net_income),
    cost: format.dong(detail.employer.cost),
  };
  return {
    caption: text(`caption.${type}`, places),
    figure: type === 'gross' ? places.net : places.gross,
    note: text(`note.${type}`, places),
    nodes: [
      reviewHint(period),
      ...split(data),
      lacksFund(detail) && element('p.hint', text('withoutFund')),
      story(data),
      employerStory(data),
      element('p.hint', text('notModelled')),
      lawDisclosure(text('law', places), detail),
    ],
  };
}

/** Whether the cost leaves out the trade-union fund, which is due where social insurance is. */
function lacksFund({ employer: { union_fund, bhxh } }: TaxDetail): boolean {
  return union_fund === undefined && bhxh > 0;
}

/** Says which law a month has that is after the review of the law. */
export function reviewHint(period: string): Child {
  const month = format.month(REVIEWED_THROUGH);
  return period > REVIEWED_THROUGH && element('p.hint', text('beyondReview', { month }));
}

/** The law of an answer, which is shown on request. */
export function lawDisclosure(
  caption: string,
  detail: { readonly law: readonly LawRow[]; readonly brackets: readonly BracketRow[] },
): HTMLElement {
  return disclosure('law', caption, () => lawTables(caption, detail));
}

/** The cost to the employer, and its parts down to the net salary, per month and in 12 months. */
function split(data: Salary): Child[] {
  const { gross_income: gross, insurance, tax, net_income: net, detail } = data;
  const { cost } = detail.employer;
  const rows: [key: string, amount: number, part?: Part][] = [
    ['employerCost', cost],
    ['employerPart', cost - gross, 'employer'],
    ['grossIncome', gross],
    ['insurance', insurance.total, 'insurance'],
    ['tax', tax, 'tax'],
    ['netIncome', net, 'net'],
  ];
  const shareOf = (amount: number): number => (cost > 0 ? (amount / cost) * 100 : 0);
  const bar = element(
    'div.split',
    { 'aria-hidden': 'true' },
    rows
      .filter(([, amount]) => amount > 0)
      .map(([, amount, part]) => part && element(`b.${part}`, { '--share': shareOf(amount) })),
  );
  const cells = rows.map(([key, amount, part]) => [
    [part && swatch(part), text(key)],
    format.count(amount),
    format.count(12 * amount),
    format.share(shareOf(amount)),
  ]);
  return [bar, table('shares', text('shares'), ['', 'perMonth', 'perYear', 'shareOfCost'], cells)];
}

function story(data: Salary): HTMLElement {
  const { insurance, deductions, taxable_income: taxable, tax, detail } = data;
  const { exempt_income: exempt = 0, voluntary_pension: pension = 0 } = data;
  const isFlat = lawValue(detail, 'flat_tax_rate') !== undefined;
  return steps(text('story'), [
    { name: text('grossIncome'), amount: data.gross_income },
    ...INSURANCES.map((name) => ({
      name: text(name),
      amount: -insurance[name],
      how: contribution(detail, 'employee', name),
    })),
    exempt > 0 && { name: text('exempt_income'), amount: -exempt },
    !isFlat && {
      name: text('selfDeduction'),
      amount: -deductions.self,
      how: deductions.self === 0 && text('usedElsewhere'),
    },
    deductions.dependents > 0 && {
      name: text('dependentDeduction'),
      amount: -deductions.dependents,
      how: dependentsHow(data),
    },
    pension > 0 && { name: text('voluntary_pension'), amount: -pension },
    taxableStep(taxable, isFlat ? withheldFrom(data) : undefined),
    ...bracketSteps(detail, isFlat ? 'flatTax' : 'bracket'),
    { name: text('tax'), amount: tax, kind: 'sum' },
    { name: text('netIncome'), amount: data.net_income, how: text('netHow'), kind: 'sum total' },
  ]);
}

function dependentsHow({ deductions, detail }: Salary): Child {
  const each = lawValue(detail, 'dependent_deduction');
  if (each === undefined) return undefined;
  return `${format.count(deductions.dependents / each)} × ${format.count(each)}`;
}

function employerStory({ gross_income: gross, detail }: Salary): HTMLElement {
  const {
    employer,
    insurance_base: { bhxh },
  } = detail;
  const fund = employer.union_fund;
  return steps(text('employerStory'), [
    { name: text('grossIncome'), amount: gross },
    ...INSURANCES.map((name) => ({
      name: text(`employer.${name}`) || text(name),
      amount: employer[name],
      how: contribution(detail, 'employer', name),
    })),
    fund !== undefined && {
      name: text('union_fund'),
      amount: fund,
      how: partOf(lawValue(detail, 'union_fund_rate'), bhxh),
    },
    {
      name: text('employerCost'),
      amount: employer.cost,
      how: text('costHow'),
      kind: 'sum total',
    },
  ]);
}

/** A row of a calculation: a name, an amount, how it comes about, and whether it is a sum. */
export interface Step {
  readonly name: string;
  readonly amount: number;
  readonly how?: Child;
  readonly kind?: 'sum' | 'sum total';
}

/** Creates the table of a calculation. */
export function steps(caption: string, rows: readonly (Step | false)[]): HTMLElement {
  return element(
    'table.steps',
    element('caption', caption),
    element(
      'tbody',
      rows.map((row) => row && stepRow(row)),
    ),
  );
}

function stepRow({ name, amount, how, kind }: Step): HTMLElement {
  const head = [name, how !== undefined && how !== '' && element('span.how', how)];
  return tableRow([head, format.count(amount + 0)], kind); // Adding 0 turns −0 into 0.
}

/** The row of the taxable income. */
export function taxableStep(taxable: number, zero = text('notBelowZero')): Step {
  const how = taxable === 0 && zero;
  return { name: text('taxableIncome'), amount: taxable, how, kind: 'sum' };
}

/** Why no flat tax is withheld from a salary: the threshold, if there is one. */
function withheldFrom({ gross_income: gross, detail }: Salary): string {
  const threshold = lawValue(detail, 'flat_tax_threshold') ?? 0;
  return gross < threshold ? text('belowThreshold', { amount: format.dong(threshold) }) : '';
}

/** The rows of the brackets that the taxable income reaches. */
export function bracketSteps(
  { brackets }: { readonly brackets: readonly BracketRow[] },
  key: 'bracket' | 'flatTax' = 'bracket',
): Step[] {
  return brackets.flatMap(({ rate, taxable_amount: part, tax }, index) => {
    const name = text(key, { number: index + 1, rate: format.percent(rate) });
    return part > 0 ? [{ name, amount: tax, how: partOf(rate, part) }] : [];
  });
}

function lawValue({ law }: TaxDetail, name: string): number | undefined {
  return law.find(({ rule }) => rule === name)?.value;
}

function partOf(rate: number | undefined, base: number, key = 'partOf', limit = 0): string {
  if (rate === undefined) return '';
  const places = {
    rate: format.percent(rate),
    base: format.count(base),
    limit: format.count(limit),
  };
  return text(key, places);
}

/** How a contribution comes about; nothing if the insurance does not apply. */
function contribution(detail: TaxDetail, side: 'employee' | 'employer', name: Insurance): Child {
  const base = detail.insurance_base[name];
  const rate = lawValue(detail, `${side}_${name}_rate`);
  const limit = lawValue(detail, name === 'bhtn' ? 'minimum_wage' : 'base_salary');
  if (rate === 0) return text('notForeign');
  const isCapped = rate !== undefined && limit !== undefined && base === 20 * limit;
  if (!isCapped) return partOf(rate, base);
  return [partOf(rate, base, 'capped', limit), explanation('cap', text('cap'))];
}
