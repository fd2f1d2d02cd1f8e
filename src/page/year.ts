/** The view of the annual settlement. */
import { type AnnualRequest, settleYear } from '../tax/annual.ts';
import { type AnnualDetail, annualRequest, type AnnualResult } from '../tax/annual-contract.ts';
import { currentPeriod } from './frame/calculation.ts';
import { element } from './frame/dom.ts';
import {
  type ShownAnswer,
  type Calculator,
  fieldsOf,
  type Head,
  LEAST_PAYMENT,
  type PlanResult,
} from './frame/request.ts';
import { limitsIn, reviewHint } from './salary/salary.ts';
import {
  bracketSteps,
  deductionStep,
  lawDisclosure,
  stepTable,
  taxableStep,
} from './salary/steps.ts';
import { addTexts, format, text } from './frame/texts.ts';

addTexts(`
title.year | Vietnam annual tax settlement | Quyết toán thuế thu nhập cá nhân
about.year | The tax of a year that is still to be paid, or was overpaid.
  | Số thuế cả năm còn phải nộp hoặc đã nộp thừa.
taxOfYear | Tax of the whole year {year} | Số thuế của cả năm {year}
year | Year as a resident: 183 days, or a home here
  | Năm cư trú: từ 183 ngày hoặc có nơi ở
hint.year | In Vietnam for 183 days of the year or of 12 months in a row, or with a permanent home
    here. A non-resident owes 20% of each payment, and settles no year.
  | Ở Việt Nam từ 183 ngày trong năm hoặc 12 tháng liên tục, hoặc có nơi ở thường xuyên. Không cư
    trú: nộp 20% mỗi lần trả, không quyết toán năm.
income.year | Salary income before deductions | Thu nhập chịu thuế cả năm
insuranceYear | Employee insurance of the year | BHXH, BHYT, BHTN đã đóng
dependent_months | Dependent months | Số tháng giảm trừ người phụ thuộc
hint.dependent_months | The sum for all: 24 for two people all year. Each counts from the month in
    which the duty to support began, such as the birth, and not from the registration.
  | Cộng số tháng của tất cả người phụ thuộc: hai người, cả năm là 24. Tính từ tháng phát sinh nghĩa
    vụ nuôi dưỡng, như tháng sinh con, không phải tháng đăng ký.
self_months | Months of the personal deduction | Số tháng giảm trừ bản thân
charity | Charity, with receipts | Từ thiện, có chứng từ
medical | Medical expenses | Chi phí y tế
education | Education expenses | Chi phí giáo dục
withheld | Tax withheld or paid | Thuế đã khấu trừ, đã nộp
hint.withheld | Empty: the tax of the year alone. | Để trống: chỉ tính thuế cả năm.
balance.1 | To be paid for {year} | Số thuế còn phải nộp năm {year}
balance.-1 | Overpaid for {year} | Số thuế nộp thừa năm {year}
balance.0 | Nothing to pay, nothing overpaid for {year}
  | Không phải nộp thêm, không nộp thừa, năm {year}
yearNote | tax {tax}, withheld or paid {withheld} | thuế {tax}, đã khấu trừ, đã nộp {withheld}
limit.year | At most {amount} is deducted in {time}. | Năm {time} được trừ tối đa {amount}.
smallBalance | 50,000 đồng or less: tax owed is waived; tax overpaid, since July 2026, is set off,
    not refunded.
  | Từ 50.000 đồng trở xuống: số còn phải nộp được miễn; số nộp thừa (từ tháng 7/2026) được bù
    trừ, không hoàn.
taxBalance | Still to be paid | Số thuế còn phải nộp
refund | Overpaid | Số thuế nộp thừa
yearStory | From income to tax, đồng per year | Từ thu nhập đến số thuế (đồng/năm)
lawOfYear | The law of {year}, with its sources | Căn cứ pháp lý áp dụng năm {year}
hint.income.year | Without tax-free parts, of all employers; before insurance and deductions.
  | Không gồm phần miễn thuế, ở mọi nơi trả lương; chưa trừ bảo hiểm, giảm trừ.
hint.insuranceYear | 0 for a year without insurance.
  | Phần trừ vào lương; 0 nếu cả năm không đóng.
hint.self_months | 12, also if you worked for some months only; fewer only for a foreigner
    resident for part of the year.
  | 12, kể cả khi chỉ làm vài tháng; ít hơn chỉ với người nước ngoài cư trú một phần năm.
hint.medical | Deductible from 2026, up to a limit per year.
  | Được trừ từ năm 2026, đến mức tối đa của năm.
hint.education | Deductible from 2026, up to a limit per year.
  | Được trừ từ năm 2026, đến mức tối đa của năm.
limit.year.0 | Not deductible in {time}. | Năm {time} chưa được trừ khoản này.
phrase.year | Year {value} | Năm {value}
phrase.self_months | Personal deduction: {value} months | Giảm trừ bản thân: {value} tháng
more.year | More deductions | Các khoản giảm trừ khác
`);

/** The page asks about a smaller income of a year, in đồng: about its unit, and whether it is that of a month. */
const [LEAST_INCOME, LEAST_YEARLY_INCOME] = [1_000_000, 100_000_000];

/** More than the contributions of a month of the highest insured salary. */
const LEAST_YEARLY_INSURANCE = 5_500_000;

/** A person files the return of a year until the end of April: Law 38/2019/QH14 art. 44.2.b. */
const LAST_MONTH_OF_RETURNS = 4;

/** The largest balance, in đồng, that is waived or set off. */
const SMALL_BALANCE = 50_000;

const OPTIONAL = ['voluntary_pension', 'charity', 'medical', 'education'] as const;

const payment = { unit: '₫', per: 'year', least: LEAST_PAYMENT } as const;
const extra = { ...payment, isExtra: true };

/** The year that people settle in a month: until April, in which they file their returns, the year before. */
export function yearToSettle(month: string): string {
  const [year = 0, number = 0] = month.split('-').map(Number);
  return String(number <= LAST_MONTH_OF_RETURNS ? year - 1 : year);
}

/** A result with its detail, for which the page always asks. */
type DetailedYear = AnnualResult & { readonly detail: AnnualDetail };

/** The annual settlement. */
export const calculator: Calculator<DetailedYear> = {
  name: 'year',
  calculationOf: () => ({
    path: '/api/v1/tax/annual',
    calculate: settleYear as (request: AnnualRequest) => DetailedYear,
  }),
  always: { detail: true },
  fields: fieldsOf(annualRequest, {
    year: { example: yearToSettle(currentPeriod()) },
    income: {
      label: 'income.year',
      ...payment,
      placeholder: '390000000',
      least: LEAST_INCOME,
      leastPerYear: LEAST_YEARLY_INCOME,
    },
    insurance: {
      label: 'insuranceYear',
      ...payment,
      placeholder: '37800000',
      leastPerYear: LEAST_YEARLY_INSURANCE,
    },
    dependent_months: {},
    withheld: { ...payment, placeholder: '11755000' },
    self_months: { isNamed: () => true },
    ...Object.fromEntries(OPTIONAL.map((name) => [name, extra])),
  }),
  answer,
};

function answer({ data, values }: PlanResult<DetailedYear>): ShownAnswer {
  const { year, balance = 0, detail } = data;
  const isSmall = balance !== 0 && Math.abs(balance) <= SMALL_BALANCE;
  return {
    ...headOf(data),
    limits: [limitsIn(data.deductions, values, 'year', String(year))],
    nodes: [
      reviewHint(`${year}-12`),
      isSmall && element('p.hint', text('smallBalance')),
      story(data),
      lawDisclosure(text('lawOfYear', { year }), detail),
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

function story(data: DetailedYear): HTMLElement {
  const { deductions, withheld, balance = 0, detail } = data;
  return stepTable('yearStory', [
    { name: 'income.year', amount: data.income },
    { name: 'insurance', amount: -deductions.insurance },
    deductionStep(detail, 'self_deduction', deductions.self),
    deductionStep(detail, 'dependent_deduction', deductions.dependents),
    ...OPTIONAL.map((name) => ({ name, amount: -deductions[name] })),
    taxableStep(data.taxable_income),
    ...bracketSteps(detail),
    { name: 'tax', amount: data.tax, kind: 'sum' },
    { name: 'withheld', amount: -(withheld ?? 0) },
    {
      name: balance < 0 ? 'refund' : 'taxBalance',
      amount: Math.abs(balance),
      kind: withheld === undefined ? undefined : 'sum total',
    },
  ]);
}
