/** The view of savings, with its chart. */
import {
  interestRequest,
  type InterestResult,
  interestResult,
  type TimelineRow,
} from '../interest/contract.ts';
import { interestOperation } from '../interest/interest.ts';
import {
  solveRequest,
  type SolveResult,
  solveResult,
  type Sought,
} from '../interest/solve-contract.ts';
import { solveOperation } from '../interest/solve.ts';
import { calculate, type Reply } from './frame/calculation.ts';
import { changeBy, phrasesApart } from './frame/compare.ts';
import { disclosure, element, facts, type Part } from './frame/dom.ts';
import {
  type ShownAnswer,
  bodyOf,
  type Calculator,
  fieldsOf,
  type Head,
  type PlanResult,
  type RequestForm,
  type Values,
} from './frame/request.ts';
import { table } from './frame/tables.ts';
import { addTexts, counted, format, text } from './frame/texts.ts';

addTexts(`
title.growth | Compound interest and savings | Lãi kép và tiết kiệm
about.growth | How a deposit and monthly savings grow, exact to the đồng.
  | Gửi tiết kiệm hằng tháng thì có bao nhiêu, chính xác đến từng đồng.
solve_for | I want to know | Tôi muốn biết
solve_for. | How much will there be? | Có được bao nhiêu?
solve_for.monthly_deposit | How much to deposit each month? | Mỗi tháng gửi bao nhiêu?
solve_for.principal | How much to start with? | Cần vốn bao nhiêu?
solve_for.years | How long will it take? | Gửi trong bao lâu?
solve_for.annual_rate | Which interest rate is needed? | Cần lãi suất nào?
target | Balance to reach | Số dư cần đạt
expects.target | Enter an amount above 0, up to {to}, such as 500,000,000 or 1bn.
  | Nhập số tiền lớn hơn 0, tối đa {to}, ví dụ 500.000.000 hoặc 1 tỷ.
toReach | {name} to reach {target} | {name} để đạt {target}
reached | balance after {duration}: {balance} | số dư sau {duration}: {balance}
principal | Starting amount | Số tiền ban đầu
monthly_deposit | Deposit each month | Gửi thêm mỗi tháng
annual_rate | Interest rate per year | Lãi suất năm
years | Term | Thời gian gửi
hint.years | Months are equal; banks count days over 365.
  | Các tháng bằng nhau; ngân hàng tính số ngày chia 365.
compounding | Interest is added to the balance | Nhập lãi vào gốc
monthly | every month | hằng tháng
quarterly | every quarter | hằng quý
semiannually | every half-year | mỗi 6 tháng
annually | every year | hằng năm
at_maturity | once, at maturity | một lần, cuối kỳ
deposit_timing | Deposits are made at the | Gửi thêm vào
end | end of the month | cuối tháng
start | start | đầu tháng
versus.annual_rate | Compared with a rate of | So với lãi suất
versus.compounding | Interest is added | Nhập lãi
otherPlan | With {what}: {figure} | Với {what}: {figure}
otherAmount | With {what}: {figure}, which is {change} | Với {what}: {figure}, {change}
finalBalance | Balance after {duration} | Số dư sau {duration}
deposited | Deposited | Tiền gửi
interest | Interest | Tiền lãi
lossOf | Loss | Lỗ
effectiveAnnualRate | effective annual rate {rate} | lãi suất thực tế năm {rate}
chart | Selected time | Chọn thời điểm để xem
balance | Balance | Số dư
term | After | Sau
interestStays | The interest stays in the balance. Interest that is withdrawn, terms by days, and
    loans are not modelled.
  | Lãi được giữ trong số dư. Chưa tính trường hợp rút lãi, gửi theo ngày, hoặc vay.
timelineRows | Table in đồng, {rows} | Bảng theo thời gian (đồng), {rows}
`);

type Growth = InterestResult | SolveResult;

const form: RequestForm = {
  name: 'growth',
  always: ['"decimals":0'],
  fields: [
    ...fieldsOf(solveRequest, {
      solve_for: { isRequired: false },
      target: { unit: '₫', example: '1000000000', when: isSought },
    }),
    ...fieldsOf(interestRequest, {
      principal: { unit: '₫', example: '100000000' },
      monthly_deposit: { unit: '₫', example: '5000000' },
      annual_rate: { kind: 'decimal', unit: '%', example: '6' },
      compounding: {},
      years: { kind: 'term', example: '10' },
      deposit_timing: { isExtra: true },
    }).map((field) => ({ ...field, when: (values: Values) => values['solve_for'] !== field.name })),
  ],
};

/** Compound interest, and the plan that reaches a goal. */
export const calculator: Calculator<Growth> = {
  ...form,
  pathOf: (values) => `api/v1/interest/${isSought(values) ? 'solve' : 'calculate'}`,
  calculate: calculateGrowth,
  answer,
  comparison: {
    layout: {
      annual_rate: { isExtra: false, label: 'versus.annual_rate' },
      compounding: { isExtra: false, label: 'versus.compounding' },
      monthly_deposit: {},
      years: {},
    },
    valuesOf: (values, own) => ({ ...values, ...own }),
    calculate: (values) => calculateGrowth(bodyOf(form, values), values),
  },
};

function isSought({ solve_for: sought }: Values): boolean {
  return sought !== '' && sought !== undefined;
}

function calculateGrowth(body: string, values: Values): Reply<Growth> {
  return isSought(values)
    ? calculate({ operation: solveOperation, result: solveResult }, body)
    : calculate({ operation: interestOperation, result: interestResult }, body);
}

/** Another plan with the words by which it differs. */
interface Other {
  readonly name: string;
  readonly data: Growth;
}

function answer(data: Growth, values: Values, plan?: PlanResult<Growth>): ShownAnswer {
  const { timeline } = data;
  const other = plan && {
    name: phrasesApart(form.fields, values, plan.values)[1].join(', '),
    data: plan.data,
  };
  return {
    ...headOf(data),
    verdict: other === undefined ? '' : verdictOn(data, other),
    nodes: [
      chart(timeline, other),
      element('p.hint', text('interestStays')),
      disclosure('timeline', counted('timelineRows', timeline.length), () => [
        timelineTable(timeline),
      ]),
    ],
  };
}

/** The number that is sought, or the balance. */
const NUMBERS: Readonly<Record<Sought | '', (data: Growth) => number>> = {
  '': (data) => data.final_balance,
  principal: (data) => data.initial_principal,
  monthly_deposit: (data) => data.monthly_deposit,
  annual_rate: (data) => data.annual_rate_percent,
  years: (data) => data.years,
};

/** The formats of the numbers that are not amounts. */
const FORMATS: Partial<Record<Sought | '', (value: number) => string>> = {
  annual_rate: format.percent,
  years: format.duration,
};

function soughtIn(data: Growth): Sought | '' {
  return 'solve_for' in data ? data.solve_for : '';
}

function figureOf(data: Growth): string {
  const sought = soughtIn(data);
  const write = FORMATS[sought] ?? format.dong;
  return write(NUMBERS[sought](data));
}

function headOf(data: Growth): Head {
  const duration = format.duration(data.years);
  const figure = figureOf(data);
  if (!('solve_for' in data)) {
    const rate = format.rate(data.effective_annual_rate);
    const note = text('effectiveAnnualRate', { rate });
    return { caption: text('finalBalance', { duration }), figure, note };
  }
  const balance = format.dong(data.final_balance);
  return {
    caption: text('toReach', { name: text(data.solve_for), target: format.dong(data.target) }),
    figure,
    note: text('reached', { duration, balance }),
  };
}

/** The figure of another plan, and its difference from that of the form if it is an amount. */
function verdictOn(data: Growth, { name, data: other }: Other): string {
  const sought = soughtIn(other);
  const placeholders = { what: name, figure: figureOf(other) };
  if (sought in FORMATS) return text('otherPlan', placeholders);
  const amountOf = NUMBERS[sought];
  return text('otherAmount', {
    ...placeholders,
    change: changeBy(amountOf(other) - amountOf(data)),
  });
}

function timelineTable(timeline: readonly TimelineRow[]): HTMLElement {
  const write = (amount: number): string => format.dong(amount).replace(/\s*₫\s*/, '');
  const rows = timeline.map((row) => [
    format.duration(row.year),
    write(row.total_balance),
    write(row.total_deposited),
    write(row.total_interest),
  ]);
  const heads = ['term', 'balance', 'deposited', 'interest'];
  return table('timeline', counted('timelineRows', rows.length), heads, rows);
}

const LABELS_ACROSS = 6;
/** The maximum number of bars with gaps between them. */
const MOST_APART = 40;

/** The year that is read: it stays chosen while the values change, which draw the chart anew. */
let chosenYear: number | undefined;

/** An amount of a time, and its part of the bar. */
interface Amount {
  readonly name: string;
  readonly amount: number;
  readonly part?: Part;
}

interface Bar {
  readonly year: number;
  /** The label under the bar; '' for most bars of a long term. */
  readonly label: string;
  readonly amounts: readonly Amount[];
}

/** A bar per row; the rows of the other plan may be at other times. */
function barsOf(timeline: readonly TimelineRow[], other: Other | undefined): Bar[] {
  const labels = labelsOf(timeline);
  return timeline.map((row, index) => {
    const another = other?.data.timeline.find(({ year }) => year === row.year);
    const amounts = amountsOf(row);
    if (other !== undefined && another !== undefined) {
      amounts.push({ name: other.name, amount: another.total_balance, part: 'other' });
    }
    return { year: row.year, label: labels[index] ?? '', amounts };
  });
}

/** The amounts of a time, from the lowest part of the bar up. In a loss, that part is the balance. */
function amountsOf(row: TimelineRow): Amount[] {
  const [balance, deposited] = [
    { name: text('balance'), amount: row.total_balance },
    { name: text('deposited'), amount: row.total_deposited },
  ];
  const interest = row.total_interest;
  return interest < 0
    ? [
        { ...balance, part: 'deposits' },
        { name: text('lossOf'), amount: interest, part: 'loss' },
        deposited,
      ]
    : [
        { ...deposited, part: 'deposits' },
        { name: text('interest'), amount: interest, part: 'gains' },
        balance,
      ];
}

/** The bars, and over them a transparent slider, which chooses the bar that is read. */
function chart(timeline: readonly TimelineRow[], other?: Other): HTMLElement {
  const bars = barsOf(timeline, other);
  const top = Math.max(...bars.flatMap(({ amounts }) => amounts.map(({ amount }) => amount))) || 1;
  const found = bars.findIndex(({ year }) => year === chosenYear);
  const slider = element('input.slider', {
    type: 'range',
    min: 1,
    max: bars.length,
    value: found === -1 ? bars.length : found + 1,
    'aria-label': text('chart'),
    oninput: () => {
      read();
      chosenYear = bars[slider.valueAsNumber - 1]?.year;
    },
  });
  const plot = element('div.plot', drawing(bars, top), element('div.cursor'), slider);
  const readout = element('div.readout');
  const read = (): void => readBar(bars, slider, plot, readout);
  read();
  const amounts = ticks(top).map((amount) =>
    element('span', { '--share': amount / top }, format.compact(amount)),
  );
  return element(
    'figure.chart',
    element(
      'div.axes',
      { '--count': bars.length },
      element('div.amounts', { 'aria-hidden': 'true' }, amounts),
      plot,
    ),
    readout,
  );
}

/** Shows the amounts of the chosen bar. */
function readBar(
  bars: readonly Bar[],
  slider: HTMLInputElement,
  plot: HTMLElement,
  readout: HTMLElement,
): void {
  const index = slider.valueAsNumber - 1;
  const { year = 0, amounts = [] } = bars[index] ?? {};
  const time = text('finalBalance', { duration: format.duration(year) });
  const entries = amounts.map(({ amount, ...named }) => ({ ...named, value: format.dong(amount) }));
  const spoken = entries.map(({ name, value }) => `${name}: ${value}`);
  slider.setAttribute('aria-valuetext', [time, ...spoken].join('; '));
  plot.style.setProperty('--at', String(index / bars.length));
  readout.replaceChildren(element('h3', time), facts(entries));
}

/** The bars, of parts from below, with a line at the balance of the other plan. */
function drawing(bars: readonly Bar[], top: number): HTMLElement {
  return element(
    'div.bars',
    { 'aria-hidden': 'true', '--gap': bars.length > MOST_APART ? 0 : '10%' },
    ticks(top).map((amount) => element('hr', { '--share': amount / top })),
    bars.map(({ label, amounts }) =>
      element(
        'div.bar',
        amounts.map(
          ({ amount, part }) => part && element(`b.${part}`, { '--share': Math.abs(amount) / top }),
        ),
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
 * The labels under the bars, at most six. The first has the unit. A part of a year has a label only
 * if it is the only bar.
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
