/** The view of the annual settlement. */
import { annualOperation } from '../tax/annual.ts';
import {
  type AnnualDetail,
  annualRequest,
  type AnnualResult,
  annualResult,
} from '../tax/annual-contract.ts';
import { calculate, currentPeriod } from './frame/calculation.ts';
import { element } from './frame/dom.ts';
import {
  type ShownAnswer,
  type Calculator,
  fieldsOf,
  type Head,
  LEAST_PAYMENT,
  type Values,
} from './frame/request.ts';
import {
  bracketSteps,
  deductionStep,
  lawDisclosure,
  limitedStep,
  limitsIn,
  reviewHint,
  type Step,
  stepTable,
  taxableStep,
} from './salary/salary.ts';
import { addTexts, format, text } from './frame/texts.ts';

addTexts(`
title.year | Vietnam annual tax settlement | Quyết toán thuế thu nhập cá nhân
about.year | The tax that a resident still has to pay, or the refund.
  | Số thuế còn phải nộp hoặc được hoàn của cá nhân cư trú.
taxOfYear | Tax for {year} | Số thuế phải nộp cả năm {year}
year | Year | Năm
income.year | Salary income of the year | Thu nhập từ tiền lương cả năm
insuranceYear | Compulsory insurance paid | Bảo hiểm bắt buộc đã đóng
dependent_months | Dependent months | Số tháng giảm trừ người phụ thuộc
hint.dependent_months | The sum for all: 24 for two people all year.
  | Cộng số tháng của tất cả người phụ thuộc: hai người, cả năm là 24.
self_months | Months of the personal deduction | Số tháng giảm trừ bản thân
charity | Charity, with receipts | Từ thiện, có chứng từ
medical | Medical expenses | Chi phí y tế
education | Education expenses | Chi phí giáo dục
withheld | Tax withheld or paid | Thuế đã khấu trừ, đã nộp
hint.withheld | Empty: the tax of the year alone. | Bỏ trống: chỉ tính thuế cả năm.
balance.1 | To be paid for {year} | Số thuế còn phải nộp năm {year}
balance.-1 | To be refunded for {year} | Số thuế được hoàn năm {year}
balance.0 | Nothing to pay or refund for {year}
  | Không phải nộp thêm, không được hoàn, năm {year}
yearNote | tax {tax}, paid so far {withheld} | thuế {tax}, đã nộp {withheld}
limit.year | At most {amount} is deducted in {time}. | Năm {time} được trừ tối đa {amount}.
smallBalance | Up to 50,000 đồng owed is waived; since July 2026, up to 50,000 đồng overpaid is set
    off, not refunded.
  | Số phải nộp đến 50.000 đồng được miễn; từ tháng 7/2026, số nộp thừa đến 50.000 đồng được bù trừ,
    không hoàn.
taxBalance | Still to be paid | Số thuế còn phải nộp
refund | Refund | Số thuế được hoàn
yearStory | From income to tax, đồng per year | Diễn giải chi tiết (đồng/năm)
lawOfYear | The law of {year}, with its sources | Căn cứ pháp lý áp dụng năm {year}
`);

/** The page asks about a smaller income of a year, in đồng. */
const LEAST_INCOME = 1_000_000;

/** A person files the return of a year until the end of April: Law 38/2019/QH14 art. 44.2.b. */
const LAST_MONTH_OF_RETURNS = 4;

/** The largest balance, in đồng, that is waived or set off. */
const SMALL_BALANCE = 50_000;

const OPTIONAL = ['voluntary_pension', 'charity', 'medical', 'education'] as const;

const payment = { unit: '₫', least: LEAST_PAYMENT } as const;
const extra = { ...payment, isExtra: true };

/** The year that people settle in a month: until April, in which they file their returns, the year before. */
export function yearToSettle(month: string): string {
  const [year = 0, number = 0] = month.split('-').map(Number);
  return String(number <= LAST_MONTH_OF_RETURNS ? year - 1 : year);
}

/** The annual settlement. */
export const calculator: Calculator<AnnualResult> = {
  name: 'year',
  pathOf: () => 'api/v1/tax/annual',
  always: ['"detail":true'],
  fields: fieldsOf(annualRequest, {
    year: { example: yearToSettle(currentPeriod()) },
    income: { label: 'income.year', unit: '₫', placeholder: '390000000', least: LEAST_INCOME },
    insurance: { label: 'insuranceYear', ...payment, placeholder: '37800000' },
    dependent_months: {},
    withheld: { ...payment, placeholder: '11755000' },
    self_months: { isExtra: true },
    ...Object.fromEntries(OPTIONAL.map((name) => [name, extra])),
  }),
  calculate: (body) => calculate({ operation: annualOperation, result: annualResult }, body),
  answer: ({ data, values }) => answer(data, values),
};

function answer(data: AnnualResult, values: Values): ShownAnswer {
  const { year, balance = 0, detail } = data;
  if (detail === undefined) throw new Error('The request asked for no detail');
  const isSmall = balance !== 0 && Math.abs(balance) <= SMALL_BALANCE;
  const placeholders = { year: String(year) };
  return {
    ...headOf(data),
    limits: [limitsIn(data.deductions, values, 'year', String(year))],
    nodes: [reviewHint(`${year}-12`), isSmall && element('p.hint', text('smallBalance'))],
    further: [
      [story(data, detail, values), lawDisclosure(text('lawOfYear', placeholders), detail)],
    ],
  };
}

/** The balance, or the tax of the year if the tax withheld is not known. */
function headOf({ year, tax, withheld, balance = 0 }: AnnualResult): Head {
  const figures = { year, tax: format.dong(tax), withheld: format.dong(withheld ?? 0) };
  if (withheld === undefined)
    return { caption: text('taxOfYear', figures), figures: [figures.tax] };
  return {
    caption: text(`balance.${Math.sign(balance)}`, figures),
    figures: [format.dong(Math.abs(balance))],
    note: text('yearNote', figures),
  };
}

function story(data: AnnualResult, detail: AnnualDetail, values: Values): HTMLElement {
  const { deductions, withheld, balance = 0 } = data;
  return stepTable('yearStory', [
    { name: 'income.year', amount: data.income },
    { name: 'insurance', amount: -deductions.insurance },
    deductionStep(detail, 'self_deduction', deductions.self),
    deductionStep(detail, 'dependent_deduction', deductions.dependents),
    ...OPTIONAL.map((name) => limitedStep(name, deductions[name], values)),
    taxableStep(data.taxable_income),
    ...bracketSteps(detail),
    { name: 'tax', amount: data.tax, kind: 'sum' },
    ...(withheld === undefined ? [] : balanceSteps(withheld, balance)),
  ]);
}

function balanceSteps(withheld: number, balance: number): Step[] {
  const name = balance < 0 ? 'refund' : 'taxBalance';
  return [
    { name: 'withheld', amount: -withheld },
    { name, amount: Math.abs(balance), kind: 'sum total' },
  ];
}
