/** The view of savings, with its chart. */
import { interestRequest, type InterestResult, type TimelineRow } from '../interest/contract.ts';
import { calculateInterest, interestOperation } from '../interest/interest.ts';
import { solveRequest, type SolveResult, type Sought } from '../interest/solve-contract.ts';
import { solveInterest, solveOperation } from '../interest/solve.ts';
import { type AmountRow, amountsTable, changeBy, sharedBy } from './frame/compare.ts';
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
monthly_deposit | Deposit each month | Gửi thêm mỗi tháng
annual_rate | Interest rate per year | Lãi suất mỗi năm
years | Term | Thời gian gửi
hint.years | Each month is 1/12 year; banks count actual days over 365, so theirs differs
    slightly.
  | Mỗi tháng tính là 1/12 năm; ngân hàng tính theo ngày thực tế/365 nên số lệch chút ít.
unfit.years | The amounts exceed {0}: enter a shorter term.
  | Số tiền vượt quá {0}: hãy nhập thời gian ngắn hơn.
compounding | Interest is paid | Cách trả lãi
compounding. | at maturity; with monthly deposits every month
  | cuối kỳ; có gửi thêm thì hằng tháng
monthly | added every month | nhập gốc hằng tháng
quarterly | added every 3 months | nhập gốc mỗi kỳ 3 tháng
semiannually | added every 6 months | nhập gốc mỗi kỳ 6 tháng
annually | added every 12 months | nhập gốc mỗi kỳ 12 tháng
at_maturity | at maturity | lãi cuối kỳ
deposit_timing | Deposits are made at the | Gửi thêm vào
end | end of the month | cuối tháng
start | start | đầu tháng
payment | {payment}, effective annual rate {rate} | {payment}, lãi suất hiệu dụng {rate}/năm
effectiveRate | Effective annual rate, % | Lãi suất hiệu dụng (%/năm)
verdict.interest | B: interest {change} | B: tiền lãi {change}
verdict.monthly_deposit | B: {change} each month | B: mỗi tháng {change}
verdict.rates | Only the rates can be compared: {reason} differ
  | Chỉ so được lãi suất: {reason} khác nhau
finalBalance | Balance after {duration} | Số dư sau {duration}
deposited | Total deposited | Tổng tiền gốc
interest | Interest | Tiền lãi
lossOf | Loss | Lỗ
balance | Balance | Số dư
term | After | Sau
interestStays | Not included: interest withdrawn at intervals, terms by days, loans.
  | Chưa tính: rút lãi định kỳ, kỳ hạn theo ngày, khoản vay.
sums | Sums in đồng | Các khoản (đồng)
otherBalance | The lines are the balance of B. | Vạch ngang là số dư của B.
timelineRows | Table in đồng, {rows} | Bảng theo thời gian (đồng), {rows}
hint.annual_rate | A rate per month: as in 0.5%/month. | Lãi suất tháng: nhập như 0,5%/tháng.
hint.compounding | A deposit that is renewed with its interest: added at each renewal, every
    6 months for a term of 6 months. At maturity: one term of the whole time.
  | Tự động tái tục cả gốc và lãi: chọn theo kỳ hạn gửi. Lãi cuối kỳ: một kỳ hạn bằng cả thời gian
    gửi.
more.growth | Start or end of month | Gửi đầu hay cuối tháng
phrase.annual_rate | {value} per year | lãi suất {value}/năm
phrase.years | {value} | {value}
phrase.monthly_deposit | {value} each month | {value} mỗi tháng
compare.growth | + Compare with another bank | + So với ngân hàng khác
expects.term | Enter years and months, such as 1 year 6 months or 18 months; up to {to} years.
  | Nhập năm và tháng, ví dụ 1 năm 6 tháng hoặc 18 tháng; tối đa {to} năm.
unfit.target | No value reaches this goal. | Không có giá trị nào đạt được mục tiêu này.
`);

type Growth = InterestResult | SolveResult;

/** A sum of a plan. */
type SumKey = 'total_deposited' | 'total_profit' | 'final_balance';

/** The page asks about a lower rate, in percent per year: it may be one per month. */
const LEAST_RATE = 1;

/** The ways of paying interest. */
const PAYMENTS = ['monthly', 'quarterly', 'semiannually', 'annually', 'at_maturity'] as const;

const form: RequestForm = {
  name: 'growth',
  always: { decimals: 0 },
  fields: [
    ...fieldsOf(solveRequest, {
      solve_for: { isRequired: false, options: ['', 'monthly_deposit', 'years'] },
      target: { unit: '₫', example: '1000000000', when: isSought },
    }),
    ...fieldsOf(interestRequest, {
      principal: { unit: '₫', example: '100000000' },
      monthly_deposit: { unit: '₫', per: 'month', example: '5000000' },
      annual_rate: { kind: 'rate', unit: '%', example: '6', leastPerYear: LEAST_RATE },
      compounding: { options: ['', ...PAYMENTS], initial: '', members: paymentOf },
      years: { kind: 'term', example: '10' },
      deposit_timing: { isExtra: true },
    }).map((field) => ({ ...field, when: (values: Values) => values['solve_for'] !== field.name })),
  ],
};

const SAVINGS = { operation: interestOperation, calculate: calculateInterest };
const GOAL = { operation: solveOperation, calculate: solveInterest };

/** Compound interest, and the plan that reaches a goal. */
export const calculator: Calculator<Growth> = {
  ...form,
  calculationOf: (values) => (isSought(values) ? GOAL : SAVINGS),
  answer,
  isComparable: true,
};

/** The payment of interest: until one is chosen, that of a deposit, or of monthly savings. */
function paymentOf({ compounding, monthly_deposit: deposit, solve_for: sought }: Values): Values {
  const isSaved = sought === 'monthly_deposit' || Number(deposit) !== 0;
  return { compounding: compounding || (isSaved ? 'monthly' : 'at_maturity') };
}

function isSought({ solve_for: sought }: Values): boolean {
  return sought !== '' && sought !== undefined;
}

type Plan = PlanResult<Growth>;

function answer(own: Plan, other?: Plan): ShownAnswer {
  const plans = other === undefined ? [own] : [own, other];
  const isCompared = other === undefined || ownDifferences(own, other).length === 0;
  return {
    ...(other === undefined ? headOf(own) : comparedHead(own, other)),
    nodes: [
      chart(own.data.timeline, isCompared ? other?.data.timeline : undefined),
      sumsTable(own, other, isCompared),
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
  return form.fields.filter((field) => {
    const isUsedByBoth = isUsed(field, own.values) && isUsed(field, other.values);
    return (
      isUsedByBoth
      && !OFFER.includes(field.name)
      && own.values[field.name] !== other.values[field.name]
    );
  });
}

/** Two offers for the same savings are compared by what is sought, or by their interest; others by their rates. */
function comparedHead(own: Plan, other: Plan): Head {
  const apart = ownDifferences(own, other);
  const plans = [own, other];
  const note = sharedBy(form.fields, own, other);
  if (apart.length > 0) {
    return {
      caption: text('effectiveRate'),
      figures: plans.map(({ data }) => format.rate(data.effective_annual_rate)),
      note,
      verdict: text('verdict.rates', {
        reason: apart.map(({ name }) => text(name).toLowerCase()).join(', '),
      }),
    };
  }
  const sought = soughtIn(own.data);
  const isInterest = sought === '';
  const key = sought === 'monthly_deposit' ? 'monthly_deposit' : 'total_profit';
  const change = changeBy(other.data[key] - own.data[key]);
  return {
    caption: text(sought || 'interest'),
    figures: plans.map(({ data }) =>
      isInterest ? format.dong(data.total_profit) : figureOf(data),
    ),
    note,
    verdict: text(`verdict.${sought || 'interest'}`, { change }),
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
    const payment = text(paymentOf(values)['compounding'] ?? '');
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

/**
 * The sums of one plan, or of two with their rates; its marks explain the chart. In a loss, the balance is the lower
 * part.
 */
function sumsTable(own: Plan, other: Plan | undefined, isCompared: boolean): HTMLElement {
  const isLoss = own.data.total_profit < 0;
  const sums: readonly (readonly [name: string, sum: SumKey, part?: Part])[] = isLoss
    ? [
        ['deposited', 'total_deposited'],
        ['lossOf', 'total_profit', 'loss'],
        ['balance', 'final_balance', 'deposits'],
      ]
    : [
        ['deposited', 'total_deposited', 'deposits'],
        ['interest', 'total_profit', 'gains'],
        ['balance', 'final_balance'],
      ];
  const rows = sums.map(
    ([name, sum, part]): AmountRow => [
      [part && swatch(part), text(name)],
      own.data[sum],
      other?.data[sum],
    ],
  );
  return amountsTable(text('sums'), [...rowsAbove(own, other), ...rows], isCompared);
}

/** The rows of the rates of two plans, and of a deposit that is sought. */
function rowsAbove({ data }: Plan, other?: Plan): AmountRow[] {
  const rateOf = (of: Growth): number => Math.round(of.effective_annual_rate * 100) / 100;
  const isSought = [data, other?.data].every((one) => !one || soughtIn(one) === 'monthly_deposit');
  const deposit = data.monthly_deposit;
  return [
    ...(other ? [[text('effectiveRate'), rateOf(data), rateOf(other.data)] as const] : []),
    ...(isSought ? [[text('monthly_deposit'), deposit, other?.data.monthly_deposit] as const] : []),
  ];
}

function timelineTable(timeline: readonly TimelineRow[]): HTMLElement {
  const rows = timeline.map((row) => [
    format.duration(row.year),
    format.count(row.total_balance),
    format.count(row.total_deposited),
    format.count(row.total_interest),
  ]);
  const heads = ['term', 'balance', 'deposited', 'interest'];
  return table('timeline', counted('timelineRows', rows.length), heads, rows);
}

const LABELS_ACROSS = 6;
const FEWEST_BARS = 3;
/** The maximum number of bars with gaps between them. */
const MOST_APART = 40;

/** A part of a bar. */
interface BarPart {
  readonly amount: number;
  readonly part: Part;
}

interface Bar {
  /** The years since the bar before, to which its width is proportional. */
  readonly years: number;
  /** The label under the bar; '' for most bars of a long term. */
  readonly label: string;
  readonly parts: readonly BarPart[];
}

/** The parts at a time, from the lowest up. In a loss, that part is the balance. */
function partsOf({ total_balance, total_deposited, total_interest }: TimelineRow): BarPart[] {
  return total_interest < 0
    ? [
        { amount: total_balance, part: 'deposits' },
        { amount: -total_interest, part: 'loss' },
      ]
    : [
        { amount: total_deposited, part: 'deposits' },
        { amount: total_interest, part: 'gains' },
      ];
}

/** A bar per row; the rows of the other plan may be at other times. */
function barsOf(timeline: readonly TimelineRow[], others: readonly TimelineRow[]): Bar[] {
  const labels = labelsOf(timeline);
  return timeline.map((row, index) => {
    const other = others.find(({ year }) => year === row.year);
    const mark: BarPart[] = other ? [{ amount: other.total_balance, part: 'other' }] : [];
    const years = row.year - (timeline[index - 1]?.year ?? 0);
    return { years, label: labels[index] ?? '', parts: [...partsOf(row), ...mark] };
  });
}

/** The most that a bar, or the mark of the other plan, has. */
function heightOf({ parts }: Bar): number {
  const amounts = parts.filter(({ part }) => part !== 'other').map(({ amount }) => amount);
  const own = amounts.reduce((sum, amount) => sum + amount, 0);
  return Math.max(own, ...parts.map(({ amount }) => amount));
}

/** The bars, which the tables below them explain; a chart of one or two says nothing. */
function chart(timeline: readonly TimelineRow[], others: readonly TimelineRow[] = []): Child {
  if (timeline.length < FEWEST_BARS) return undefined;
  const bars = barsOf(timeline, others);
  const top = Math.max(...bars.map(heightOf)) || 1;
  const amounts = ticks(top).map((amount) =>
    element('span', { '--share': amount / top }, format.compact(amount)),
  );
  return element(
    'div.axes',
    { 'aria-hidden': 'true' },
    element('div.amounts', amounts),
    drawing(bars, top),
    element('p.hint', others.length > 0 && text('otherBalance')),
  );
}

/** The bars, of parts from below, with a line at the balance of the other plan. */
function drawing(bars: readonly Bar[], top: number): HTMLElement {
  return element(
    'div.bars',
    { '--gap': bars.length > MOST_APART ? 0 : '10%' },
    ticks(top).map((amount) => element('hr', { '--share': amount / top })),
    bars.map(({ years, label, parts }) =>
      element(
        'div.bar',
        { '--years': years },
        parts.map(({ amount, part }) => element(`b.${part}`, { '--share': amount / top })),
        label !== '' && element('span', label),
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

/**
 * The labels under the bars, at most six. The first has the unit. A part of a year has a label only if it is the only
 * bar.
 */
function labelsOf(timeline: readonly TimelineRow[]): string[] {
  const { length } = timeline;
  const every = [1, 2, 5, 10, 20].find((count) => length / count <= LABELS_ACROSS) ?? 1;
  return timeline.map(({ year }, index) => {
    const isLabelled = (index + 1) % every === 0 && (year === index + 1 || length === 1);
    if (!isLabelled) return '';
    return index + 1 === every ? format.duration(year) : format.count(year);
  });
}
