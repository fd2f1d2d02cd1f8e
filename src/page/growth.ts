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
import { calculate, type Outcome } from './calculation.ts';
import { changeBy, phrasesApart } from './compare.ts';
import { type Child, disclosure, element, type Fact, facts, shape } from './dom.ts';
import {
  type Answer,
  bodyOf,
  type Calculator,
  fieldsOf,
  type Head,
  type Plan,
  type RequestForm,
  type Values,
} from './request.ts';
import { table } from './tables.ts';
import { addTexts, counted, format, text } from './texts.ts';

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
deposit_timing | Deposits are made at the | Gửi thêm vào
end | end of the month | cuối tháng
start | start | đầu tháng
versus.annual_rate | Compared with a rate of | So với lãi suất
versus.compounding | Interest is added | Nhập lãi
otherPlan | {what}: {figure} | {what}: {figure}
otherAmount | {what}: {figure}, {change} | {what}: {figure}, {change}
finalBalance | Balance after {duration} | Số dư sau {duration}
deposited | Deposited (without interest) | Tiền gửi (chưa có lãi)
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
      years: { kind: 'term', example: '10' },
      compounding: { isExtra: true },
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
    places: {
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

function calculateGrowth(body: string, values: Values): Outcome<Growth> {
  return isSought(values)
    ? calculate({ operation: solveOperation, result: solveResult }, body)
    : calculate({ operation: interestOperation, result: interestResult }, body);
}

/** Another plan with the words by which it differs. */
interface Other {
  readonly name: string;
  readonly data: Growth;
}

function answer(data: Growth, values: Values, plan?: Plan<Growth>): Answer {
  const { timeline } = data;
  const other = plan && {
    name: phrasesApart(form.fields, values, plan.values)[1].join(', '),
    data: plan.data,
  };
  return {
    ...headOf(data),
    verdict: other === undefined ? '' : verdictOn(data, other),
    nodes: [
      new GrowthChart(timeline, other).node,
      disclosure('timeline', counted('timelineRows', timeline.length), () => [
        timelineTable(timeline),
      ]),
      element('p.hint', text('interestStays')),
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

/** The numbers that are no amounts. */
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
  const places = { what: name, figure: figureOf(other) };
  if (sought in FORMATS) return text('otherPlan', places);
  const [amount, another] = [data, other].map(NUMBERS[sought]);
  return text('otherAmount', { ...places, change: changeBy((another ?? 0) - (amount ?? 0)) });
}

type Totals = Omit<TimelineRow, 'year'>;

/** In a loss, the lower part of a bar is the balance. */
function partsOf(totals: Totals): Fact[] {
  const { total_balance: balance, total_deposited: deposited, total_interest: interest } = totals;
  if (interest < 0) {
    return [
      { name: text('balance'), value: format.dong(balance), part: 'deposits' },
      { name: text('lossOf'), value: format.dong(interest), part: 'loss' },
      { name: text('deposited'), value: format.dong(deposited) },
    ];
  }
  return [
    { name: text('deposited'), value: format.dong(deposited), part: 'deposits' },
    { name: text('interest'), value: format.dong(interest), part: 'gains' },
    { name: text('balance'), value: format.dong(balance) },
  ];
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
  return table('', counted('timelineRows', rows.length), heads, rows);
}

const HEIGHT = 100;
const LABELS_ACROSS = 6;

/** The year that is read: it stays chosen while the values change, which draw the chart anew. */
let chosenYear: number | undefined;

/** A bar per row, and over them a transparent slider, which chooses the bar that is read. */
class GrowthChart {
  readonly node: HTMLElement;
  private readonly timeline: readonly TimelineRow[];
  private readonly other: Other | undefined;
  private readonly readout = element('div.readout');
  private readonly slider: HTMLInputElement;
  private readonly plot: HTMLElement;

  constructor(timeline: readonly TimelineRow[], other?: Other) {
    this.timeline = timeline;
    this.other = other;
    this.slider = this.createSlider();
    const others = this.others();
    const heights = timeline.flatMap((row) => [row.total_balance, row.total_deposited]);
    const top = Math.max(...heights, ...others.map((balance) => balance ?? 0)) || 1;
    const amounts = ticks(top).map((value): Label => [value / top, format.compact(value)]);
    this.plot = element(
      'div.plot',
      bars(timeline, others, top),
      element('div.cursor'),
      this.slider,
    );
    this.node = element(
      'figure.chart',
      element(
        'div.axes',
        { '--count': timeline.length },
        labels('amounts', amounts),
        this.plot,
        labels('times', timesOf(timeline)),
      ),
      this.readout,
    );
    this.read();
  }

  private createSlider(): HTMLInputElement {
    const { length } = this.timeline;
    const found = this.timeline.findIndex(({ year }) => year === chosenYear);
    return element('input.slider', {
      type: 'range',
      min: 1,
      max: length,
      value: found === -1 ? length : found + 1,
      'aria-label': text('chart'),
      oninput: () => {
        chosenYear = this.chosen()?.year;
        this.read();
      },
    });
  }

  /** The balances of the other plan at the times of the first; its rows may be at other times. */
  private others(): readonly (number | undefined)[] {
    const rows = this.other?.data.timeline ?? [];
    return this.timeline.map(({ year }) => rows.find((row) => row.year === year)?.total_balance);
  }

  private chosen(): TimelineRow | undefined {
    return this.timeline[this.slider.valueAsNumber - 1];
  }

  private partOfOther(): Fact[] {
    const balance = this.others()[this.slider.valueAsNumber - 1];
    if (balance === undefined || this.other === undefined) return [];
    return [{ name: this.other.name, value: format.dong(balance), part: 'other' }];
  }

  private read(): void {
    const row = this.chosen();
    if (row === undefined) return;
    const time = text('finalBalance', { duration: format.duration(row.year) });
    const parts = [...partsOf(row), ...this.partOfOther()];
    const spoken = parts.map(({ name, value }) => `${String(name)}: ${value}`);
    this.slider.setAttribute('aria-valuetext', [time, ...spoken].join('; '));
    const at = (this.slider.valueAsNumber - 1) / this.timeline.length;
    this.plot.style.setProperty('--at', String(at));
    this.readout.replaceChildren(element('h3', time), facts(parts));
  }
}

/** One unit across is one bar; a line over the bars shows the balance of another plan. */
function bars(
  timeline: readonly TimelineRow[],
  others: readonly (number | undefined)[],
  top: number,
): SVGElement {
  const { length } = timeline;
  const gap = length > 40 ? 0 : 0.1;
  const height = (value: number): number => HEIGHT - (value / top) * HEIGHT;
  const path = (
    name: 'deposits' | 'gains' | 'loss',
    bounds: (row: TimelineRow) => [from: number, to: number],
  ): SVGElement => {
    const rects = timeline.map((row, index) => {
      const [from, to] = bounds(row);
      const [left, right] = [index + gap, index + 1 - gap];
      return to > from ? `M${left} ${height(from)}H${right}V${height(to)}H${left}z` : '';
    });
    return shape(`path.${name}`, { d: rects.join('') });
  };
  const steps = others.map((balance, index) => {
    if (balance === undefined) return '';
    const move = others[index - 1] === undefined ? `M${index} ` : 'V';
    return `${move}${height(balance)}H${index + 1}`;
  });
  return shape(
    'svg',
    { viewBox: `0 0 ${length} ${HEIGHT}`, preserveAspectRatio: 'none', 'aria-hidden': 'true' },
    ticks(top).map((value) => {
      const [y1, y2] = [height(value), height(value)];
      return shape('line', { x1: 0, x2: length, y1, y2 });
    }),
    path('deposits', (row) => [0, Math.min(row.total_balance, row.total_deposited)]),
    path('gains', (row) => [row.total_deposited, row.total_balance]),
    path('loss', (row) => [row.total_balance, row.total_deposited]),
    shape('path.level', { d: steps.join('') }),
  );
}

/** Round amounts along the axis. */
function ticks(top: number): number[] {
  const power = 10 ** Math.floor(Math.log10(top / 2));
  const step = power * ([1, 2, 5].find((factor) => top / (power * factor) <= 6) ?? 5);
  return Array.from({ length: Math.floor(top / step) + 1 }, (_, index) => index * step);
}

/** A place from 0 to 1 along an axis, and its label. */
type Label = readonly [at: number, label: string];

/** The first label has the unit. The bar of a part of a year has a label only where it is alone. */
function timesOf(timeline: readonly TimelineRow[]): Label[] {
  const { length } = timeline;
  const every = [1, 2, 5, 10, 20].find((count) => length / count <= LABELS_ACROSS) ?? 1;
  return timeline.flatMap(({ year }, index) => {
    const isLabelled = (index + 1) % every === 0 && (year === index + 1 || length === 1);
    const isFirst = index + 1 === every;
    const label = isFirst ? format.duration(year) : format.count(year);
    return isLabelled ? [[(index + 0.5) / length, label]] : [];
  });
}

function labels(name: 'amounts' | 'times', entries: readonly Label[]): Child {
  return element(
    `div.${name}`,
    { 'aria-hidden': 'true' },
    entries.map(([at, label]) => element('span', { '--at': at }, label)),
  );
}
