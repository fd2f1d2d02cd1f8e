/** The view of salaries. */
import { calculateTax, taxOperation } from '../../tax/tax.ts';
import type { TaxDetail, TaxResult } from '../../tax/contract.ts';
import { REVIEWED_THROUGH } from '../../tax/law.ts';
import { currentPeriod, type Reply, replyTo } from '../frame/calculation.ts';
import { type AmountRow, amountsTable, changeBy } from '../frame/compare.ts';
import {
  type Child,
  disclosure,
  element,
  openDisclosures,
  type Part,
  swatch,
  tableRow,
} from '../frame/dom.ts';
import type { LawOfAnswer } from './law.ts';
import {
  type ShownAnswer,
  type Calculator,
  type Head,
  type Inquiry,
  type Memory,
  PLANS,
  type PlanResult,
  requestOf,
  type Values,
} from '../frame/request.ts';
import { form, INSURANCES, payslip } from './salary-form.ts';
import { addTexts, format, text } from '../frame/texts.ts';

addTexts(`
beyondReview | The law has been reviewed through {month}; later months use the newest law.
  | Quy định đã được rà soát đến tháng {month}; các tháng sau tạm tính theo quy định mới nhất.
caption.gross | Net salary, {month} | Lương net, tháng {month}
caption.net | Gross salary needed, {month} | Lương gross tương ứng, tháng {month}
caption.cost | Highest gross for this budget, {month}
  | Lương gross tối đa với ngân sách này, tháng {month}
note.gross | of {gross} gross | từ {gross} lương gross
note.net | for {net} net | để nhận {net} lương net
note.cost | leaves {net} net and costs {cost} | nhận {net} lương net, công ty chi {cost}
flatTax | Withheld: {rate} | Khấu trừ {rate}
netIncome | Net salary | Lương net
grossIncome | Gross salary | Lương gross
insurance | Employee insurance | Bảo hiểm trừ vào lương
tax | Income tax | Thuế TNCN
employerCost | Employer cost | Chi phí công ty
employerPart | Paid by the employer | Công ty đóng
shares | From the employer cost to the net salary, đồng | Từ chi phí công ty đến lương net (đồng)
part.employerPart | Employer | Công ty
part.tax | Tax | Thuế
part.netIncome | Net | Net
story | From gross to net, đồng per month | Từ lương gross đến lương net (đồng/tháng)
employerStory | Employer cost, đồng per month | Chi phí công ty (đồng/tháng)
employer.bhxh | Social insurance with the accident fund | BHXH, gồm quỹ tai nạn lao động
notModelled | Not included: union dues (đoàn phí), housing paid by the employer, severance pay.
  | Chưa tính: đoàn phí, nhà ở do công ty trả, trợ cấp thôi việc.
partOf | {rate} of {base} | {rate} × {base}
capped | {rate} of {base}, the cap: 20 × {limit} | {rate} × {base} (mức trần: 20 × {limit})
limit.month | At most {amount} is deducted in {time}. | Tháng {time} được trừ tối đa {amount}.
step.self_deduction | Personal deduction | Giảm trừ bản thân
step.dependent_deduction | Deduction for dependents | Giảm trừ người phụ thuộc
deductions | Family deductions | Giảm trừ gia cảnh
taxableIncome | Taxable income | Thu nhập tính thuế
notBelowZero | not below 0 | không dưới 0
belowThreshold | below {amount}, from which 10% is withheld | dưới {amount}, mức bắt đầu khấu trừ
bracket | Bracket {number} ({rate}) | Bậc {number} ({rate})
netHow | gross − insurance − tax | gross − bảo hiểm − thuế
netHowUninsured | gross − tax | gross − thuế
costHow | gross + contributions | gross + phần công ty đóng
verdict.gross | B: {change} | B: {change}
verdict.cost | B: {change} | B: {change}
verdict.net | B: {change}; employer cost: {cost} | B: {change}; chi phí công ty {cost}
toYear | The whole year, a 13th salary, two employers: | Cả năm, lương tháng 13, hai nơi làm việc:
toYear.link | annual tax settlement | quyết toán thuế năm
inquiry | Another figure on your payslip? | Phiếu lương ghi số khác?
inquiry.A | Another figure on the payslip of A? | Phiếu lương của A ghi số khác?
law | The law in {month}, with its sources | Căn cứ pháp lý áp dụng tháng {month}
part.insurance | Insurance | Bảo hiểm
limit.month.0 | Not deductible in {time}. | Tháng {time} chưa được trừ khoản này.
`);

/** A result with its detail, for which the page always asks. */
export type DetailedResult = TaxResult & { readonly detail: TaxDetail };

const calculation = { operation: taxOperation, calculate: calculateTax };

/** Gross and net salary of a month. */
export const calculator: Calculator<TaxResult> = {
  ...form,
  linked: payslip,
  inquiry: payslipInquiry,
  calculationOf: () => calculation,
  answer: (own, other) => answer(detailedPlan(own), other && detailedPlan(other)),
  isComparable: true,
  follow: ({ period }) => (period === '' ? { period: currentPeriod() } : {}),
};

/** The question for the figures of a payslip, which another file of the page answers. */
function payslipInquiry(
  memory: Memory,
  edited: () => void,
  compare: (others: Values) => void,
): Inquiry<TaxResult> {
  let answer: ((own?: TaxResult) => void) | undefined;
  let shown: TaxResult | undefined;
  if (memory.values['net_income']) openDisclosures.add('salary.inquiry');
  const summary = element('span');
  const node = disclosure('salary.inquiry', summary, async () => {
    const { addQuestion } = await import('./inquiry.ts');
    const content = element('div.blocks');
    answer = addQuestion(content, memory, edited, compare);
    answer(shown);
    return [content];
  });
  const update = (own?: TaxResult): void => {
    shown = own;
    node.hidden = memory.values['type'] !== 'gross';
    summary.textContent = text(memory.others ? 'inquiry.A' : 'inquiry');
    answer?.(own);
  };
  update();
  return { node, update };
}

/** Calculates the salary of given values. */
export function calculateSalary(values: Values): Reply<TaxResult> {
  return replyTo(calculation, requestOf(form, values));
}

/** The result with its detail. */
export function detailed({ detail, ...result }: TaxResult): DetailedResult {
  if (detail === undefined) throw new Error('The request asked for no detail');
  return { ...result, detail };
}

type AmountOf = (data: DetailedResult) => number;

/** The amounts that a comparison and a payroll show, by the keys of their names; the net salary comes first. */
export const AMOUNTS: Readonly<Record<string, AmountOf>> = {
  netIncome: (data) => data.net_income,
  grossIncome: (data) => data.gross_income,
  insurance: (data) => data.insurance.total,
  deductions: (data) => data.deductions.total,
  taxableIncome: (data) => data.taxable_income,
  tax: (data) => data.tax,
  employerCost: (data) => data.detail.employer.cost,
};

type Insurance = (typeof INSURANCES)[number];

type Plan = PlanResult<DetailedResult>;

function detailedPlan({ data, values }: PlanResult<TaxResult>): Plan {
  return { data: detailed(data), values };
}

function answer(own: Plan, other?: Plan): ShownAnswer {
  const plans = other === undefined ? [own] : [own, other];
  const months = plans.map(({ data }) => latestMonthIn(data.detail)).sort();
  return {
    ...(other === undefined ? headOf(own) : comparedHead(own, other)),
    limits: plans.map(limitsOf),
    nodes: [
      reviewHint(months.at(-1) ?? ''),
      bars(plans),
      sharesTable(own.data, other?.data),
      element('p.hint', text('toYear'), ' ', element('a', { href: '#year' }, text('toYear.link'))),
    ],
    explanations: plans.map((plan) => ({
      heading: text('explanation'),
      content: () => explanationOf(plan),
    })),
  };
}

function headOf({ data, values: { type = '' } }: Plan): Head {
  const placeholders = {
    month: format.month(data.detail.period),
    gross: format.dong(data.gross_income),
    net: format.dong(data.net_income),
    cost: format.dong(data.detail.employer.cost),
  };
  return {
    caption: text(`caption.${type}`, placeholders),
    figures: [type === 'gross' ? placeholders.net : placeholders.gross],
    note: text(`note.${type}`, placeholders),
  };
}

function limitsOf({ data, values }: Plan): Values {
  const { voluntary_pension = 0, detail } = data;
  return limitsIn({ voluntary_pension }, values, 'month', format.month(detail.period));
}

function explanationOf({ data }: Plan): Child[] {
  const { detail } = data;
  return [
    story(data),
    employerStory(data),
    element('p.hint', text('notModelled')),
    lawDisclosure(text('law', { month: format.month(detail.period) }), detail),
  ];
}

/** Salaries of different types are compared by what the person gets. */
function comparedHead(own: Plan, other: Plan): Head {
  const { type = '' } = own.values;
  const kind = type === other.values['type'] ? type : 'gross';
  const sought = kind === 'gross' ? 'netIncome' : 'grossIncome';
  const changeOf = (key: string): number => amountIn(other.data, key) - amountIn(own.data, key);
  return {
    caption: text(sought),
    figures: [own, other].map(({ data }) => format.dong(amountIn(data, sought))),
    verdict: text(`verdict.${kind}`, {
      change: changeBy(changeOf(sought)),
      cost: changeBy(changeOf('employerCost')),
    }),
  };
}

/** The later of the months whose law was used. */
function latestMonthIn({ period, paid_in = period }: TaxDetail): string {
  return paid_in > period ? paid_in : period;
}

/** The hint that the law of a month has not been reviewed yet. */
export function reviewHint(latest: string): Child {
  const month = format.month(REVIEWED_THROUGH);
  return latest > REVIEWED_THROUGH && element('p.hint', text('beyondReview', { month }));
}

/** The law of an answer, which is shown on request, and which another file of the page draws. */
export function lawDisclosure(caption: string, detail: LawOfAnswer): HTMLElement {
  return disclosure('law', caption, async () => {
    const { lawTable } = await import('./law.ts');
    return [lawTable(caption, detail)];
  });
}

/** The amounts from the cost to the employer down to the net salary, and their parts of the bar. */
const SHARES: readonly (readonly [key: string, part?: Part])[] = [
  ['employerCost'],
  ['employerPart', 'employer'],
  ['grossIncome'],
  ['insurance', 'insurance'],
  ['tax', 'tax'],
  ['netIncome', 'net'],
];

/** An amount by its key. A payroll has no column for the employer's part. */
function amountIn(data: DetailedResult, key: string): number {
  if (key === 'employerPart') return data.detail.employer.cost - data.gross_income;
  return AMOUNTS[key]?.(data) ?? NaN;
}

/** A bar for the salary of each plan, to one scale. */
function bars(plans: readonly Plan[]): HTMLElement {
  const costs = plans.map(({ data }) => amountIn(data, 'employerCost'));
  const top = Math.max(...costs) || 1;
  return element(
    'div.splits',
    { 'aria-hidden': 'true' },
    plans.map(({ data }, index) => [
      plans.length > 1 && element('span.plan', PLANS[index]),
      element('div.split', { '--scale': (costs[index] ?? 0) / top }, barParts(data)),
    ]),
  );
}

/** The parts of the cost. */
function barParts(data: DetailedResult): Child[] {
  return SHARES.map(([key, part]) => {
    const amount = amountIn(data, key);
    const label = element('span', text(`part.${key}`) || text(key));
    return part && amount > 0 && element(`b.${part}`, { '--share': amount }, label);
  });
}

/** The table of the salaries, without contributions and tax that are 0. */
function sharesTable(data: DetailedResult, other?: DetailedResult): HTMLElement {
  const rows = SHARES.flatMap(([key, part]): AmountRow[] => {
    const [own, another] = [amountIn(data, key), other && amountIn(other, key)];
    const isShown = part === undefined || part === 'net' || own !== 0 || Boolean(another);
    return isShown ? [[[part && swatch(part), text(key)], own, another]] : [];
  });
  return amountsTable(text('shares'), rows);
}

function story(data: DetailedResult): HTMLElement {
  const { insurance, deductions, taxable_income: taxable, tax, detail } = data;
  const { exempt_income: exempt = 0, voluntary_pension: pension = 0 } = data;
  const isFlat = lawValue(detail, 'flat_tax_rate') !== undefined;
  const netHow = text(insurance.total > 0 ? 'netHow' : 'netHowUninsured');
  return stepTable('story', [
    { name: 'grossIncome', amount: data.gross_income },
    ...INSURANCES.map((name) => ({
      name,
      amount: -insurance[name],
      how: contribution(detail, 'employee', name),
    })),
    { name: 'exempt_income', amount: -exempt },
    deductionStep(detail, 'self_deduction', deductions.self),
    deductionStep(detail, 'dependent_deduction', deductions.dependents),
    { name: 'voluntary_pension', amount: -pension },
    taxableStep(taxable, isFlat ? withheldFrom(data) : undefined),
    ...bracketSteps(detail, isFlat ? 'flatTax' : 'bracket'),
    { name: 'tax', amount: tax, kind: 'sum' },
    { name: 'netIncome', amount: data.net_income, how: netHow, kind: 'sum total' },
  ]);
}

/** The row of a deduction: the number of people or months, times the deduction for each. */
export function deductionStep(detail: LawOfAnswer, rule: string, total: number): Step {
  const each = lawValue(detail, rule) ?? total;
  const count = total / each;
  return {
    name: `step.${rule}`,
    amount: -total,
    how: count > 1 && `${format.count(count)} × ${format.count(each)}`,
  };
}

/** The deductions with a limit that is below the value of their field, in words, by their names. */
export function limitsIn(
  counted: Readonly<Record<string, number>>,
  values: Values,
  unit: 'month' | 'year',
  time: string,
): Values {
  const limited = Object.entries(counted).filter(([name, amount]) => Number(values[name]) > amount);
  return Object.fromEntries(
    limited.map(([name, amount]) => [
      name,
      text(`limit.${unit}${amount > 0 ? '' : '.0'}`, { amount: format.dong(amount), time }),
    ]),
  );
}

function employerStory({ gross_income: gross, detail }: DetailedResult): HTMLElement {
  const {
    employer,
    insurance_base: { bhxh },
  } = detail;
  return stepTable('employerStory', [
    { name: 'grossIncome', amount: gross },
    ...INSURANCES.map((name) => ({
      name: text(`employer.${name}`) || text(name),
      amount: employer[name],
      how: contribution(detail, 'employer', name),
    })),
    {
      name: 'union_fund',
      amount: employer.union_fund ?? 0,
      how: partOf(lawValue(detail, 'union_fund_rate'), bhxh),
    },
    {
      name: 'employerCost',
      amount: employer.cost,
      how: employer.cost > gross && text('costHow'),
      kind: 'sum total',
    },
  ]);
}

/** A row of a calculation: a name or its key, an amount, its derivation, and whether it is a sum. */
export interface Step {
  readonly name: string;
  readonly amount: number;
  readonly how?: Child;
  readonly kind?: 'sum' | 'sum total';
}

/** Creates the table of a calculation with the key of its caption, without amounts of 0 that are no results. */
export function stepTable(caption: string, rows: readonly Step[]): HTMLElement {
  const shown = rows.filter(({ amount, kind }) => amount !== 0 || kind !== undefined);
  return element(
    'table.steps',
    element('caption', text(caption)),
    element('tbody', shown.map(stepRow)),
  );
}

function stepRow({ name, amount, how, kind }: Step): HTMLElement {
  const head = [text(name) || name, how && element('span.how', how)];
  return tableRow([head, format.count(amount)], kind);
}

/** The row of the taxable income. */
export function taxableStep(taxable: number, zero = text('notBelowZero')): Step {
  const how = taxable === 0 && zero;
  return { name: 'taxableIncome', amount: taxable, how, kind: 'sum' };
}

/** Why no flat tax is withheld from a salary: the threshold, if there is one. */
function withheldFrom({ gross_income: gross, detail }: DetailedResult): string {
  const threshold = lawValue(detail, 'flat_tax_threshold') ?? 0;
  return gross < threshold ? text('belowThreshold', { amount: format.dong(threshold) }) : '';
}

/** The rows of the brackets that the taxable income reaches. */
export function bracketSteps(
  { brackets }: LawOfAnswer,
  key: 'bracket' | 'flatTax' = 'bracket',
): Step[] {
  return brackets.flatMap(({ rate, taxable_amount: part, tax }, index) => {
    const name = text(key, { number: index + 1, rate: format.percent(rate) });
    return part > 0 ? [{ name, amount: tax, how: partOf(rate, part) }] : [];
  });
}

/** The value of a rule in the law of an answer. */
function lawValue({ law }: LawOfAnswer, name: string): number | undefined {
  return law.find(({ rule }) => rule === name)?.value;
}

/** The rate of a base, which a limit may have cut to 20 times its amount. */
function partOf(rate: number | undefined, base: number, limit = 0): string {
  if (rate === undefined) return '';
  return text(base === 20 * limit ? 'capped' : 'partOf', {
    rate: format.percent(rate),
    base: format.count(base),
    limit: format.count(limit),
  });
}

/** The derivation of a contribution; '' if the insurance does not apply. */
function contribution(detail: TaxDetail, side: 'employee' | 'employer', name: Insurance): Child {
  const base = detail.insurance_base[name];
  const rate = lawValue(detail, `${side}_${name}_rate`);
  const limit = lawValue(detail, name === 'bhtn' ? 'minimum_wage' : 'base_salary');
  return partOf(rate, base, limit);
}
