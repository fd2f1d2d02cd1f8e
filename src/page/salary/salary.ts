/** The view of salaries. */
import { taxOperation } from '../../tax/tax.ts';
import { type TaxDetail, type TaxResult, taxResult } from '../../tax/contract.ts';
import { REVIEWED_THROUGH } from '../../tax/law.ts';
import { calculate, currentPeriod, type Reply } from '../frame/calculation.ts';
import { changeBy, phrasesApart } from '../frame/compare.ts';
import {
  type Child,
  disclosure,
  element,
  openDisclosures,
  type Part,
  swatch,
  tableRow,
} from '../frame/dom.ts';
import { phrasesOf } from '../frame/form.ts';
import type { LawOfAnswer } from './law.ts';
import {
  type ShownAnswer,
  bodyOf,
  type Calculator,
  type Inquiry,
  type PlanResult,
  type Values,
} from '../frame/request.ts';
import { form, INSURANCES, payslip, RAW } from './salary-form.ts';
import { table } from '../frame/tables.ts';
import { addTexts, format, text } from '../frame/texts.ts';

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
flatTax | Flat tax of {rate} | Thuế suất toàn phần {rate}
netIncome | Net salary | Lương net
grossIncome | Gross salary | Lương gross
insurance | Insurance | Bảo hiểm
tax | Income tax | Thuế TNCN
employerCost | Cost to the employer | Chi phí công ty
employerPart | Paid by the employer | Công ty đóng
shares | From the cost to the net salary, đồng | Từ chi phí công ty đến lương net (đồng)
part.employerPart | Employer | Công ty
part.tax | Tax | Thuế
part.netIncome | Net | Net
perMonth | Month | Tháng
perYear | 12 months | 12 tháng
shareOfCost | Share | Tỷ lệ
story | From gross to net, đồng per month | Diễn giải chi tiết (đồng/tháng)
employerStory | Paid by the employer, đồng per month | Người sử dụng lao động chi trả (đồng/tháng)
employer.bhxh | Social insurance with the accident fund | BHXH, gồm quỹ tai nạn lao động
notModelled | Not modelled: union dues (đoàn phí), housing paid by the employer, severance pay.
  | Chưa tính: đoàn phí, nhà ở do công ty trả, trợ cấp thôi việc.
partOf | {rate} of {base} | {rate} × {base}
capped | {rate} of {base}, the cap: 20 × {limit} | {rate} × {base} (mức trần: 20 × {limit})
limit.month | At most {amount} is deducted in {time}. | Tháng {time} được trừ tối đa {amount}.
limited | all that counts of {given} | mức tối đa, trên {given} đã nhập
step.self_deduction | Personal deduction | Giảm trừ bản thân
step.dependent_deduction | Deduction for dependents | Giảm trừ người phụ thuộc
deductions | Family deductions | Giảm trừ gia cảnh
taxableIncome | Taxable income | Thu nhập tính thuế
notBelowZero | not below 0 | không dưới 0
belowThreshold | below {amount}, from which the flat tax is withheld
  | dưới {amount}, mức bắt đầu khấu trừ
bracket | Bracket {number} ({rate}) | Bậc {number} ({rate})
netHow | gross − insurance − tax | gross − bảo hiểm − thuế
netHowUninsured | gross − tax | gross − thuế
costHow | gross + contributions | gross + phần công ty đóng
given.gross | {amount} gross | {amount} gross
given.net | {amount} net | {amount} net
given.cost | {amount} of employer cost | {amount} chi phí công ty
verdict.gross | {what} leaves {amount}: {change}. | {what}: {amount} net, {change}.
verdict.net | {what} needs {gross} gross; cost to the employer: {change}.
  | {what}: {gross} gross; chi phí công ty {change}.
verdict.cost | {what} allows {amount} gross: {change}. | {what}: {amount} gross, {change}.
keep | You keep {share} of the extra {extra}. | Giữ lại {share} của {extra} tăng thêm.
summary | {given}: {figure} {kind} (insurance {insurance}, tax {tax})
  | {given}: {figure} {kind} (bảo hiểm {insurance}, thuế {tax})
inquiry | Another figure on your payslip? | Phiếu lương ghi số khác?
law | The law in {month}, with its sources | Căn cứ pháp lý áp dụng tháng {month}
`);

/** A result with its detail, for which the page always asks. */
export type DetailedResult = TaxResult & { readonly detail: TaxDetail };

/** Gross and net salary of a month. */
export const calculator: Calculator<TaxResult> = {
  ...form,
  linked: payslip,
  inquiry: payslipInquiry,
  pathOf: () => 'api/v1/tax/calculate',
  calculate: calculateBody,
  answer: (data, values, other) => answer(detailed(data), values, other),
  follow: ({ period }) => (period === '' ? { period: currentPeriod() } : {}),
  comparison: {
    layout: {
      income: { isExtra: false, label: 'versus.income' },
      period: {},
      who: {},
      insurance_salary: {},
      ...Object.fromEntries(Object.keys(RAW).map((name) => [name, {}])),
    },
    // Another month has another month of payment.
    valuesOf: (values, own) => ({ ...values, ...('period' in own && { paid_in: '' }), ...own }),
    calculate: calculateSalary,
  },
};

/** The question for the figures of a payslip, which another file of the page answers. */
function payslipInquiry(values: Values, edited: () => void): Inquiry {
  let answer: (() => void) | undefined;
  if (values['net_income']) openDisclosures.add('salary.inquiry');
  const node = disclosure('salary.inquiry', text('inquiry'), async () => {
    const { addQuestion } = await import('./inquiry.ts');
    const content = element('div.blocks');
    answer = addQuestion(content, values, edited);
    answer();
    return [content];
  });
  const update = (): void => {
    node.hidden = values['type'] !== 'gross';
    answer?.();
  };
  update();
  return { node, update };
}

function calculateBody(body: string): Reply<TaxResult> {
  return calculate({ operation: taxOperation, result: taxResult }, body);
}

/** Calculates the salary of given values. */
export function calculateSalary(values: Values): Reply<TaxResult> {
  return calculateBody(bodyOf(form, values));
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

/** Another salary, the words by which it differs, and those of the first one. */
interface Other {
  readonly salary: DetailedResult;
  readonly heads: readonly [own: string, other: string];
  readonly verdict: string;
}

function answer(data: DetailedResult, values: Values, plan?: PlanResult<TaxResult>): ShownAnswer {
  const { type = '' } = values;
  const { detail } = data;
  const { period } = detail;
  const placeholders = {
    month: format.month(period),
    gross: format.dong(data.gross_income),
    net: format.dong(data.net_income),
    cost: format.dong(detail.employer.cost),
  };
  const other = plan && otherOf(data, values, plan);
  const figure = type === 'gross' ? placeholders.net : placeholders.gross;
  return {
    caption: text(`caption.${type}`, placeholders),
    figure,
    note: text(`note.${type}`, placeholders),
    verdict: other?.verdict ?? '',
    summary: summaryOf(data, values, figure),
    limits: limitsIn(
      { voluntary_pension: data.voluntary_pension ?? 0 },
      values,
      'month',
      placeholders.month,
    ),
    nodes: [
      reviewHint(latestMonthIn(detail)),
      bar(data),
      sharesTable(data, other),
      story(data, values),
      element('p.hint', text('notModelled')),
      disclosure(`employer.${type}`, [text('employerCost'), `: ${placeholders.cost}`], () => [
        employerStory(data),
      ]),
      lawDisclosure(text('law', placeholders), detail),
    ],
  };
}

/** The amount that answers a request, by its type. */
const SOUGHT: Readonly<Record<string, string>> = {
  gross: 'netIncome',
  net: 'employerCost',
  cost: 'grossIncome',
};

/** Salaries of different types are compared by what the person gets. */
function otherOf(data: DetailedResult, values: Values, plan: PlanResult<TaxResult>): Other {
  const salary = detailed(plan.data);
  const [own, others] = phrasesApart(form.fields, values, plan.values);
  const type = plan.values['type'] === values['type'] ? (values['type'] ?? '') : 'gross';
  const sought = SOUGHT[type] ?? '';
  const more = Number(plan.values['income']) - Number(values['income']);
  const isOfIncome = others.length === 1 && more !== 0;
  const what = others.join(', ');
  const amount = amountIn(salary, sought);
  const gained = amount - amountIn(data, sought);
  const verdict = text(`verdict.${type}`, {
    what: isOfIncome ? text(`given.${type}`, { amount: what }) : what,
    amount: format.dong(amount),
    gross: format.dong(salary.gross_income),
    change: changeBy(gained),
  });
  const isKept = type === 'gross' && isOfIncome && gained > 0;
  return {
    salary,
    heads: [own.join('\n'), others.join('\n')],
    verdict: [verdict, isKept && kept(gained, more)].filter(Boolean).join(' '),
  };
}

/** The share that a person keeps of more gross salary. */
function kept(gained: number, more: number): string {
  const share = format.percent(Math.round((gained / more) * 100));
  return text('keep', { share, extra: format.dong(more) });
}

/** The request and the result in one sentence. */
function summaryOf(data: DetailedResult, values: Values, figure: string): string {
  const { income = '', type = '' } = values;
  const given = text(`given.${type}`, { amount: format.dong(Number(income)) });
  return text('summary', {
    given: [given, ...phrasesOf(form.fields.slice(2), values)].join(', '),
    figure,
    kind: text(type === 'gross' ? 'net' : 'gross').toLowerCase(),
    insurance: format.count(data.insurance.total),
    tax: format.count(data.tax),
  });
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
    const { lawTables } = await import('./law.ts');
    return lawTables(caption, detail);
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

/** The bar of a salary: the parts of its cost. */
function bar(data: DetailedResult): HTMLElement {
  const parts = SHARES.map(([key, part]) => {
    const amount = amountIn(data, key);
    const label = element('span', text(`part.${key}`) || text(key));
    return part && amount > 0 && element(`b.${part}`, { '--share': amount }, label);
  });
  return element('div.split', { 'aria-hidden': 'true' }, parts);
}

/** The table of a salary: per month and in 12 months, or beside another salary. */
function sharesTable(data: DetailedResult, other?: Other): HTMLElement {
  const cost = data.detail.employer.cost || 1;
  const rows = SHARES.flatMap(([key, part]) => {
    const amount = amountIn(data, key);
    const another = other && amountIn(other.salary, key);
    const cells =
      another === undefined
        ? [format.count(12 * amount), format.share((amount / cost) * 100)]
        : [format.count(another), format.signed(another - amount)];
    const isShown = part === undefined || part === 'net' || amount !== 0 || Boolean(another);
    return isShown ? [[[part && swatch(part), text(key)], format.count(amount), ...cells]] : [];
  });
  const heads = other ? [...other.heads, 'difference'] : ['perMonth', 'perYear', 'shareOfCost'];
  const kind = other ? 'shares columns' : 'shares';
  return table(kind, text('shares'), ['', ...heads], rows);
}

function story(data: DetailedResult, values: Values): HTMLElement {
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
    limitedStep('voluntary_pension', pension, values),
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

/** The row of a deduction with a limit. An expense above it is shown even if the limit is 0. */
export function limitedStep(name: string, counted: number, values: Values): Step {
  const given = Number(values[name]);
  const how = text('limited', { given: format.count(given) });
  const limit = given > counted && ({ how, kind: 'limited' } as const);
  return { name, amount: 0 - counted, ...limit }; // −0 would have a sign
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
      text(`limit.${unit}`, { amount: format.dong(amount), time }),
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

/** A row of a calculation: a name or its key, an amount, its derivation, and whether it is a sum or cut to a limit. */
export interface Step {
  readonly name: string;
  readonly amount: number;
  readonly how?: Child;
  readonly kind?: 'sum' | 'sum total' | 'limited';
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
