import { element } from './dom.js';
import { amount } from './request.js';
import { bracketSteps, lawDisclosure, reviewHint, steps, taxableStep } from './salary.js';
import { addTexts, format, text } from './texts.js';

addTexts(`
title.year | Vietnam annual tax settlement | Quyết toán thuế thu nhập cá nhân
about.year | The tax that a resident still has to pay, or the refund.
  | Số thuế còn phải nộp hoặc được hoàn của cá nhân cư trú.
year | Year | Năm
income.year | Salary income of the year | Thu nhập từ tiền lương cả năm
insuranceYear | Compulsory insurance paid | Bảo hiểm bắt buộc đã đóng
dependent_months | Months of all dependents, summed | Tổng số tháng giảm trừ người phụ thuộc
self_months | Months of the personal deduction | Số tháng giảm trừ bản thân
charity | Charity, with receipts | Từ thiện, có chứng từ
medical | Medical expenses | Chi phí y tế
education | Education expenses | Chi phí giáo dục
withheld | Tax withheld or paid | Thuế đã khấu trừ, đã nộp
balance.toPay | To be paid for {year} | Còn phải nộp, năm {year}
balance.back | To be refunded for {year} | Được hoàn, năm {year}
balance.none | Nothing to pay or refund for {year} | Không phải nộp thêm, không được hoàn, năm {year}
yearNote | tax {tax}, paid so far {withheld} | thuế {tax}, đã nộp {withheld}
smallBalance | In practice, up to 50,000 đồng is waived if owed, and set off instead of refunded.
  | Trên thực tế, số phải nộp đến 50.000 đồng được miễn; số nộp thừa đến 50.000 đồng được bù trừ, không hoàn.
taxBalance | Balance (−: refunded) | Còn phải nộp (−: được hoàn)
yearStory | From income to tax, đồng per year | Diễn giải cả năm, đồng
lawOfYear | The law of {year}, with its sources | Quy định của năm {year}, kèm văn bản
`);

/** The largest balance, in đồng, that is waived or set off. */
const SMALL_BALANCE = 50_000;

export const calculator = {
  name: 'year',
  path: 'api/v1/tax/annual',
  always: ['"detail":true'],
  isLaw: true,
  fields: [
    { name: 'year', kind: 'integer', isRequired: true, example: `${new Date().getFullYear()}`, range: [2015, 9999] },
    amount('income', { label: 'income.year', isRequired: true, example: '390000000' }),
    amount('insurance', { label: 'insuranceYear', initial: '0', example: '37800000' }),
    { name: 'dependent_months', kind: 'integer', initial: '0', range: [0, 600] },
    amount('withheld', { initial: '0', example: '11755000' }),
    { name: 'self_months', kind: 'integer', initial: '12', range: [1, 12], isExtra: true },
    ...['voluntary_pension', 'charity', 'medical', 'education'].map((name) =>
      amount(name, { initial: '0', isExtra: true })),
  ],
  answer,
};

function answer(data, values, reviewed) {
  const { year, balance } = data;
  const places = { year, tax: format.dong(data.tax), withheld: format.dong(data.withheld) };
  const state = balance === 0 ? 'none' : balance > 0 ? 'toPay' : 'back';
  return {
    caption: text(`balance.${state}`, places),
    figure: format.dong(Math.abs(balance)),
    note: text('yearNote', places),
    nodes: [
      reviewHint(String(year), reviewed),
      balance !== 0 && Math.abs(balance) <= SMALL_BALANCE && element('p.hint', text('smallBalance')),
      story(data),
      lawDisclosure(text('lawOfYear', places), data.detail),
    ],
  };
}

function story({ income, deductions, taxable_income: taxable, tax, withheld, balance, detail }) {
  const { insurance, self, dependents, total, ...others } = deductions;
  const optional = Object.entries(others).filter(([, value]) => value > 0);
  return steps(text('yearStory'), [
    ['income.year', income],
    ['insurance', -insurance],
    ['self_deduction', -self],
    ['dependentDeduction', -dependents],
    ...optional.map(([name, value]) => [name, -value]),
    taxableStep(taxable),
    ...bracketSteps(detail),
    ['tax', tax, '', 'sum'],
    ['withheld', -withheld],
    ['taxBalance', balance, '', 'sum total'],
  ]);
}
