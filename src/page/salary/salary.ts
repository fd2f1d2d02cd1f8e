/** The view of salaries. */
import { REVIEWED_THROUGH } from '../../tax/law.ts';
import { currentPeriod } from '../frame/calculation.ts';
import { type AmountRow, amountsTable, changeBy } from '../frame/compare.ts';
import {
  type Child,
  disclosure,
  element,
  openDisclosures,
  type Part,
  swatch,
} from '../frame/dom.ts';
import {
  type ShownAnswer,
  type Calculator,
  type Head,
  type Inquiry,
  PLANS,
  type PlanResult,
  type Plans,
  type Values,
} from '../frame/request.ts';
import { calculation, type DetailedResult, form, payslip } from './salary-form.ts';
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
limit.month | At most {amount} is deducted in {time}. | Tháng {time} được trừ tối đa {amount}.
taxableIncome | Taxable income | Thu nhập tính thuế
deductions | Family deductions | Giảm trừ gia cảnh
verdict.gross | B: {change} | B: {change}
verdict.cost | B: {change} | B: {change}
verdict.net | B: {change}; employer cost: {cost} | B: {change}; chi phí công ty {cost}
toYear | The whole year, two employers: | Cả năm, hai nơi làm việc:
toYear.link | annual tax settlement | quyết toán thuế năm
inquiry | Another figure on your payslip? | Phiếu lương ghi số khác?
inquiry.A | Another figure on the payslip of A? | Phiếu lương của A ghi số khác?
law | The law in {month}, with its sources | Căn cứ pháp lý áp dụng tháng {month}
part.insurance | Insurance | Bảo hiểm
limit.month.0 | Not deductible in {time}. | Tháng {time} chưa được trừ khoản này.
`);

/** Gross and net salary of a month. */
export const calculator: Calculator<DetailedResult> = {
  ...form,
  linked: [...form.fields, ...payslip],
  inquiry: payslipInquiry,
  calculationOf: () => calculation,
  answer,
  follow: ({ period }) => (period === '' ? { period: currentPeriod() } : {}),
};

/** The question for the figures of a payslip, which another file of the page answers. */
function payslipInquiry(plans: Plans): Inquiry<DetailedResult> {
  const { memory } = plans;
  let answer: ((own?: DetailedResult) => void) | undefined;
  let shown: DetailedResult | undefined;
  if (memory.values['net_income']) openDisclosures.add('salary.inquiry');
  const summary = element('span');
  const node = disclosure('salary.inquiry', summary, async () => {
    const { addQuestion } = await import('./inquiry.ts');
    const content = element('div.blocks');
    answer = addQuestion(content, plans);
    answer(shown);
    return [content];
  });
  const update = (own?: DetailedResult): void => {
    shown = own;
    node.hidden = memory.values['type'] !== 'gross';
    summary.textContent = text(memory.others ? 'inquiry.A' : 'inquiry');
    answer?.(own);
  };
  update();
  return { node, update };
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

type Plan = PlanResult<DetailedResult>;

function answer(own: Plan, other?: Plan): ShownAnswer {
  const plans = other === undefined ? [own] : [own, other];
  const months = plans.flatMap(({ data: { detail } }) => [detail.period, detail.paid_in ?? '']);
  return {
    ...(other === undefined ? headOf(own) : comparedHead(own, other)),
    limits: plans.map(limitsOf),
    nodes: [
      reviewHint(months.sort().at(-1) ?? ''),
      bars(plans),
      sharesTable(own.data, other?.data),
      element('p.hint', text('toYear'), ' ', element('a', { href: '#year' }, text('toYear.link'))),
    ],
    explanations: plans.map((plan) => ({
      heading: text('explanation'),
      content: async () => (await import('./steps.ts')).explanationOf(plan.data),
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

/** The hint that the law of a month has not been reviewed yet. */
export function reviewHint(latest: string): Child {
  const month = format.month(REVIEWED_THROUGH);
  return latest > REVIEWED_THROUGH && element('p.hint', text('beyondReview', { month }));
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
