/** The view of savings, with its chart. */
import { interestRequest, type InterestResult, type TimelineRow } from '../interest/contract.ts';
import { calculateInterest } from '../interest/interest.ts';
import { solveRequest, type SolveResult, type Sought } from '../interest/solve-contract.ts';
import { solveInterest } from '../interest/solve.ts';
import { type AmountRow, amountsTable, changeBy } from './frame/compare.ts';
import { type Child, element, type Part, swatch } from './frame/dom.ts';
import {
  type ShownAnswer,
  type Calculator,
  type Field,
  fieldsOf,
  type Head,
  isUsed,
  type PlanResult,
  type RequestForm,
  type Values,
} from './frame/request.ts';
import { table } from './frame/tables.ts';
import { counted } from './frame/counts.ts';
import { addTexts, format, text } from './frame/texts.ts';

addTexts(`
title.growth | Savings and compound interest | Tiết kiệm và lãi kép
about.growth | How a deposit and monthly savings grow, what a goal needs, and which of two banks
    pays more.
  | Gửi tiết kiệm thì có bao nhiêu, cần gửi bao nhiêu để đủ số muốn có, ngân hàng nào lợi hơn.
solve_for | I want to know | Tôi muốn biết
solve_for. | How much will there be? | Sẽ có bao nhiêu?
solve_for.monthly_deposit | How much to deposit each month? | Cần gửi mỗi tháng bao nhiêu?
solve_for.years | How long will it take? | Gửi trong bao lâu?
target | Amount to reach | Số tiền muốn có
expects.target | Enter an amount above 0, up to {to}, such as 500,000,000 or 1bn.
  | Nhập số tiền lớn hơn 0, tối đa {to}, ví dụ 500.000.000 hoặc 1 tỷ.
toReach | {name} to reach {target} | {name} để có {target}
reached | balance after {duration}: {balance} | số dư sau {duration}: {balance}
principal | Initial deposit | Số tiền gửi ban đầu
monthly_deposit | Deposit at the end of each month | Gửi thêm cuối mỗi tháng
annual_rate | Interest rate per year | Lãi suất mỗi năm
years | Time in total | Tổng thời gian gửi
hint.years | Each month is 1/12 year; banks count actual days over 365, so theirs differs
    slightly.
  | Mỗi tháng tính là 1/12 năm; ngân hàng tính theo ngày thực tế/365 nên số lệch chút ít.
unfit.years | The amounts exceed {0}: enter a shorter time.
  | Số tiền vượt quá {0}: hãy nhập thời gian ngắn hơn.
compounding | Interest is added to the deposit | Lãi nhập vào gốc
compounding. | Choose | Hãy chọn
monthly | every month | mỗi tháng
quarterly | every 3 months | mỗi 3 tháng
semiannually | every 6 months | mỗi 6 tháng
annually | every 12 months | mỗi 12 tháng
at_maturity | once, at the end of this time or paid out each month or quarter
  | một lần, khi tất toán hoặc lĩnh lãi tháng, quý
phrase.compounding | interest added {value} | lãi nhập gốc {value}
payment | {payment}, effective annual rate {rate} | {payment}, lãi suất hiệu dụng {rate}/năm
effectiveRate | Effective annual rate, % | Lãi suất hiệu dụng (%/năm)
verdict.interest | B: interest {change} | B: tiền lãi {change}
verdict.monthly_deposit | B: {change} each month | B: mỗi tháng {change}
verdict.rates | Only the rates can be compared: {reason} differ
  | Chỉ so được lãi suất: {reason} khác nhau
finalBalance | Balance after {duration} | Số dư sau {duration}
deposited | Total deposited | Tổng tiền gốc
interest | Interest | Tiền lãi
balance | Balance | Số dư
term | After | Sau
interestStays | Not included: terms by days, loans. | Chưa tính: kỳ hạn theo ngày, khoản vay.
sums | Sums in đồng | Các khoản (đồng)
timelineRows | Table in đồng, {rows} | Bảng theo thời gian (đồng), {rows}
hint.annual_rate | A rate per month: as in 0.5%/month. | Lãi suất tháng: nhập như 0,5%/tháng.
hint.compounding | A term that is renewed with its interest: every 6 months for a term of 6 months.
  | Tự động tái tục cả gốc và lãi: chọn theo kỳ hạn, như mỗi 6 tháng.
phrase.annual_rate | {value} per year | lãi suất {value}/năm
phrase.years | {value} | {value}
phrase.monthly_deposit | {value} each month | {value} mỗi tháng
compare.growth | + Compare with another bank | + So với ngân hàng khác
expects.term | Enter years and months, such as 1 year 6 months or 18 months; up to {to} years.
  | Nhập năm và tháng, ví dụ 1 năm 6 tháng hoặc 18 tháng; tối đa {to} năm.
unfit.target | No value reaches this goal. | Không có giá trị nào đạt được mục tiêu này.
`);

type Growth = InterestResult | SolveResult;

/** The page asks about a lower rate, in percent per year: it may be one per month. */
const LEAST_RATE = 1;

const form: RequestForm = {
  name: 'growth',
  always: { decimals: 0 },
  fields: [
    ...fieldsOf(solveRequest, {
      solve_for: { isRequired: false, options: ['', 'monthly_deposit', 'years'] },
      target: { unit: '₫', placeholder: '1000000000', when: isSought },
    }),
    ...fieldsOf(interestRequest, {
      principal: { unit: '₫', placeholder: '100000000' },
      monthly_deposit: { unit: '₫', per: 'month' },
      annual_rate: { kind: 'rate', unit: '%', placeholder: '6', leastPerYear: LEAST_RATE },
      years: { kind: 'term', placeholder: '1' },
      // No payment is the usual one: a person who has not chosen would believe another figure.
      compounding: { isRequired: true, example: '' },
    }).map((field) => ({ ...field, when: (values: Values) => values['solve_for'] !== field.name })),
  ],
};

const SAVINGS = { path: '/api/v1/interest/calculate', calculate: calculateInterest };
const GOAL = { path: '/api/v1/interest/solve', calculate: solveInterest };

/** Compound interest, and the plan that reaches a goal. */
export const calculator: Calculator<Growth> = {
  ...form,
  // Another bank may pay its interest otherwise: the verdict waits until the person has chosen.
  secondPlan: { compounding: '' },
  calculationOf: (values) => (isSought(values) ? GOAL : SAVINGS),
  answer,
};

function isSought({ solve_for: sought }: Values): boolean {
  return sought !== '' && sought !== undefined;
}

type Plan = PlanResult<Growth>;

function answer(own: Plan, other?: Plan): ShownAnswer {
  const plans = other === undefined ? [own] : [own, other];
  const apart = other === undefined ? [] : ownDifferences(own, other);
  return {
    ...(other === undefined ? headOf(own) : comparedHead(own, other, apart)),
    nodes: [
      other === undefined && chart(own.data.timeline),
      sumsTable(plans, apart.length === 0),
      element('p.hint', text('interestStays')),
    ],
    explanations: plans.map(({ data: { timeline } }) => ({
      heading: counted('timelineRows', timeline.length),
      content: () => [timelineTable(timeline)],
    })),
  };
}

/** The fields of an offer; all others are the saver's own. */
const OFFER = ['annual_rate', 'compounding'];

/** The fields in which the savings of two plans differ. */
function ownDifferences(own: Plan, other: Plan): readonly Field[] {
  return form.fields.filter(
    (field) =>
      !OFFER.includes(field.name)
      && [own, other].every(({ values }) => isUsed(field, values))
      && own.values[field.name] !== other.values[field.name],
  );
}

/** Two offers for the same savings are compared by what is sought, or by their interest; others by their rates. */
function comparedHead(own: Plan, other: Plan, apart: readonly Field[]): Head {
  const plans = [own, other];
  if (apart.length > 0) {
    return {
      caption: text('effectiveRate'),
      figures: plans.map(({ data }) => format.rate(data.effective_annual_rate)),
      verdict: text('verdict.rates', {
        reason: apart.map(({ name }) => text(name).toLowerCase()).join(', '),
      }),
    };
  }
  const sought = soughtIn(own.data) || 'interest';
  const key = sought === 'monthly_deposit' ? sought : 'total_profit';
  const change = changeBy(other.data[key] - own.data[key]);
  return {
    caption: text(sought),
    figures: plans.map(({ data }) =>
      sought === 'interest' ? format.dong(data.total_profit) : figureOf(data),
    ),
    verdict: text(`verdict.${sought}`, { change }),
  };
}

function soughtIn(data: Growth): Sought | '' {
  return 'solve_for' in data ? data.solve_for : '';
}

/** The number that is sought, or the balance. */
function figureOf(data: Growth): string {
  const sought = soughtIn(data);
  if (sought === 'years') return format.duration(data.years);
  return format.dong(sought === 'monthly_deposit' ? data.monthly_deposit : data.final_balance);
}

function headOf({ data, values }: Plan): Head {
  const duration = format.duration(data.years);
  const figures = [figureOf(data)];
  if (!('solve_for' in data)) {
    const payment = text('phrase.compounding', { value: text(values['compounding'] ?? '') });
    const rate = format.rate(data.effective_annual_rate);
    const note = data.total_deposited > 0 ? text('payment', { payment, rate }) : '';
    return { caption: text('finalBalance', { duration }), figures, note };
  }
  const balance = format.dong(data.final_balance);
  return {
    caption: text('toReach', { name: text(data.solve_for), target: format.dong(data.target) }),
    figures,
    note: text('reached', { duration, balance }),
  };
}

/** The rates and sums of plans, and the parts of the chart that they explain. */
const SUMS = [
  ['effectiveRate', 'effective_annual_rate'],
  ['monthly_deposit', 'monthly_deposit'],
  ['deposited', 'total_deposited', 'deposits'],
  ['interest', 'total_profit', 'gains'],
  ['balance', 'final_balance'],
] as const;

/** An amount, or a rate as the page shows it. */
const rounded = (value: number): number =>
  Number.isInteger(value) ? value : Math.round(value * 100) / 100;

/** The sums of one plan, or of two with their rates; with the monthly deposit, if it is sought. */
function sumsTable(plans: readonly Plan[], isCompared: boolean): HTMLElement {
  const isShown: Readonly<Record<string, boolean>> = {
    effectiveRate: plans.length > 1,
    monthly_deposit: plans.every(({ data }) => soughtIn(data) === 'monthly_deposit'),
  };
  const rows = SUMS.filter(([name]) => isShown[name] !== false).map(
    ([name, sum, part]): AmountRow => {
      const [own = 0, other] = plans.map(({ data }) => rounded(data[sum]));
      return [[part && swatch(part), text(name)], own, other];
    },
  );
  return amountsTable(text('sums'), rows, isCompared);
}

function timelineTable(timeline: readonly TimelineRow[]): HTMLElement {
  const rows = timeline.map(({ year, total_balance, total_deposited, total_interest }) => [
    format.duration(year),
    ...[total_balance, total_deposited, total_interest].map(format.count),
  ]);
  const heads = ['term', 'balance', 'deposited', 'interest'];
  return table('timeline', counted('timelineRows', rows.length), heads, rows);
}

const LABELS_ACROSS = 6;
const FEWEST_BARS = 3;
/** The maximum number of bars with gaps between them. */
const MOST_APART = 40;

/** The bars, which the table below them explains; a chart of one or two, or of a loss, says nothing. */
function chart(timeline: readonly TimelineRow[]): Child {
  const isLoss = timeline.some(({ total_interest: interest }) => interest < 0);
  if (timeline.length < FEWEST_BARS || isLoss) return undefined;
  const top = timeline.at(-1)?.total_balance || 1;
  const amounts = ticks(top).map((amount) =>
    element('span', { '--share': amount / top }, format.compact(amount)),
  );
  return element(
    'div.axes',
    { 'aria-hidden': 'true' },
    element('div.amounts', amounts),
    drawing(timeline, top),
  );
}

/** The bars, whose widths are proportional to the years since the bar before. */
function drawing(timeline: readonly TimelineRow[], top: number): HTMLElement {
  const labels = labelsOf(timeline);
  const part = (name: Part, amount: number): Child =>
    element(`b.${name}`, { '--share': amount / top });
  return element(
    'div.bars',
    { '--gap': timeline.length > MOST_APART ? 0 : '10%' },
    ticks(top).map((amount) => element('hr', { '--share': amount / top })),
    timeline.map(({ year, total_deposited, total_interest }, index) =>
      element(
        'div.bar',
        { '--years': year - (timeline[index - 1]?.year ?? 0) },
        part('deposits', total_deposited),
        part('gains', total_interest),
        labels[index] && element('span', labels[index]),
      ),
    ),
  );
}

/** Round amounts along the axis. */
function ticks(top: number): number[] {
  const power = 10 ** Math.floor(Math.log10(top / 2));
  const step = power * ([1, 2, 5].find((factor) => top / (power * factor) <= 6) ?? 5);
  return Array.from({ length: Math.floor(top / step) + 1 }, (_, index) => index * step);
}

/** The labels under the bars, at most six. The first has the unit; a part of a year has none. */
function labelsOf(timeline: readonly TimelineRow[]): string[] {
  const { length } = timeline;
  const every = [1, 2, 5, 10, 20].find((count) => length / count <= LABELS_ACROSS) ?? 1;
  return timeline.map(({ year }, index) => {
    if ((index + 1) % every > 0 || year !== index + 1) return '';
    return index + 1 === every ? format.duration(year) : format.count(year);
  });
}
