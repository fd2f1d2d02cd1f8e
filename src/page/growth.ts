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
import { type Child, disclosure, element, type Fact, facts, shape } from './dom.ts';
import type { Write } from './numbers.ts';
import {
  type Answer,
  type Calculator,
  type Field,
  fieldsOf,
  type Head,
  type Values,
} from './request.ts';
import { table } from './tables.ts';
import { addTexts, counted, format, text } from './texts.ts';

addTexts(`
title.growth | Compound interest and savings | Lãi kép và tiết kiệm
about.growth | How a deposit and monthly savings grow, exact to the last decimal.
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
timeline | Rows of the table | Bảng theo
yearly | every year | từng năm
none | none | không
decimals | Decimals of the amounts | Số chữ số thập phân
finalBalance | Balance after {duration} | Số dư sau {duration}
deposited | Deposited | Tổng tiền gửi
interest | Interest | Tiền lãi
lossOf | Loss | Lỗ
effectiveAnnualRate | effective annual rate {rate} | lãi suất thực tế năm {rate}
chart | Selected time | Chọn thời điểm để xem
balance | Balance | Số dư
term | After | Sau
interestStays | The interest stays in the balance. Interest that is withdrawn, terms by days, and
    loans are not modelled.
  | Lãi được giữ trong số dư. Chưa tính trường hợp rút lãi, gửi theo ngày, hoặc vay.
timelineRows | Table, {rows} | Bảng theo thời gian, {rows}
`);

type Growth = InterestResult | SolveResult;

/** The field of the plan that is not given, because it is sought. */
const given = (name: Sought): Pick<Field, 'when'> => ({
  when: ({ solve_for: sought }) => sought !== name,
});

/** Compound interest, and the plan that reaches a goal. */
export const calculator: Calculator<Growth> = {
  name: 'growth',
  pathOf: (values) => `api/v1/interest/${isSought(values) ? 'solve' : 'calculate'}`,
  fields: [
    ...fieldsOf(solveRequest, {
      solve_for: { isRequired: false },
      target: { unit: '₫', example: '1000000000', when: isSought },
    }),
    ...fieldsOf(interestRequest, {
      principal: { unit: '₫', example: '100000000', ...given('principal') },
      monthly_deposit: { unit: '₫', example: '5000000', ...given('monthly_deposit') },
      annual_rate: { kind: 'decimal', unit: '%', example: '6', ...given('annual_rate') },
      years: { kind: 'term', example: '10', ...given('years') },
      compounding: { columns: 2, isExtra: true },
      deposit_timing: { isExtra: true },
      timeline: { isExtra: true },
      decimals: { isExtra: true },
    }),
  ],
  calculate: calculateGrowth,
  answer,
};

function isSought({ solve_for: sought }: Values): boolean {
  return sought !== '' && sought !== undefined;
}

function calculateGrowth(body: string, values: Values): Outcome<Growth> {
  return isSought(values)
    ? calculate({ operation: solveOperation, result: solveResult }, body)
    : calculate({ operation: interestOperation, result: interestResult }, body);
}

function answer(data: Growth, { decimals = '' }: Values): Answer {
  const { timeline } = data;
  const write = format.amount(Number(decimals === '' ? 2 : decimals));
  const total = {
    total_balance: data.final_balance,
    total_deposited: data.total_deposited,
    total_interest: data.total_profit,
  };
  return {
    ...headOf(data, write),
    nodes: [
      timeline.length === 0
        ? facts(partsOf(total, write))
        : [
            growthChart(timeline, write),
            disclosure('timeline', counted('timelineRows', timeline.length), () => [
              timelineTable(timeline, write),
            ]),
          ],
      element('p.hint', text('interestStays')),
    ],
  };
}

function headOf(data: Growth, write: Write): Head {
  const duration = format.duration(data.years);
  const balance = write(data.final_balance);
  if (!('solve_for' in data)) {
    const rate = format.rate(data.effective_annual_rate);
    const note = text('effectiveAnnualRate', { rate });
    return { caption: text('finalBalance', { duration }), figure: balance, note };
  }
  const figures: Readonly<Record<Sought, string>> = {
    principal: write(data.initial_principal),
    monthly_deposit: write(data.monthly_deposit),
    annual_rate: format.percent(data.annual_rate_percent),
    years: duration,
  };
  return {
    caption: text('toReach', { name: text(data.solve_for), target: write(data.target) }),
    figure: figures[data.solve_for],
    note: text('reached', { duration, balance }),
  };
}

type Totals = Omit<TimelineRow, 'year'>;

/** In a loss, the lower part of a bar is the balance. */
function partsOf(totals: Totals, write: Write): Fact[] {
  const { total_balance: balance, total_deposited: deposited, total_interest: interest } = totals;
  if (interest < 0) {
    return [
      { name: text('balance'), value: write(balance), part: 'deposits' },
      { name: text('lossOf'), value: write(interest), part: 'loss' },
      { name: text('deposited'), value: write(deposited) },
    ];
  }
  return [
    { name: text('deposited'), value: write(deposited), part: 'deposits' },
    { name: text('interest'), value: write(interest), part: 'gains' },
    { name: text('balance'), value: write(balance) },
  ];
}

function timelineTable(timeline: readonly TimelineRow[], write: Write): HTMLElement {
  const rows = timeline.map((row) => [
    format.duration(row.year),
    write(row.total_deposited),
    write(row.total_interest),
    write(row.total_balance),
  ]);
  const heads = ['term', 'deposited', 'interest', 'balance'];
  return table('', counted('timelineRows', rows.length), heads, rows);
}

const HEIGHT = 100;
const LABELS_ACROSS = 6;

let chosenYear: number | undefined; // stays chosen while the values change

/** A bar per row, and over them a transparent slider, which chooses the bar that is read. */
function growthChart(timeline: readonly TimelineRow[], write: Write): HTMLElement {
  const top = Math.max(...timeline.flatMap((row) => [row.total_balance, row.total_deposited])) || 1;
  const found = timeline.findIndex(({ year }) => year === chosenYear);
  const readout = element('div.readout');
  const chosen = (): TimelineRow | undefined => timeline[slider.valueAsNumber - 1];
  const slider = element('input.slider', {
    type: 'range',
    min: 1,
    max: timeline.length,
    value: found === -1 ? timeline.length : found + 1,
    'aria-label': text('chart'),
    oninput() {
      chosenYear = chosen()?.year;
      read();
    },
  });
  const read = (): void => {
    const row = chosen();
    if (row === undefined) return;
    const time = text('finalBalance', { duration: format.duration(row.year) });
    const parts = partsOf(row, write);
    const spoken = parts.map(({ name, value }) => `${String(name)}: ${value}`);
    slider.setAttribute('aria-valuetext', [time, ...spoken].join('; '));
    plot.style.setProperty('--at', String((slider.valueAsNumber - 1) / timeline.length));
    readout.replaceChildren(element('h3', time), facts(parts));
  };
  const plot = element('div.plot', bars(timeline, top), element('div.cursor'), slider);
  read();
  return element(
    'figure.chart',
    element(
      'div.axes',
      { '--count': timeline.length },
      labels(
        'amounts',
        steps(top).map((value) => [value / top, format.compact(value)]),
      ),
      plot,
      labels('times', timesOf(timeline)),
    ),
    readout,
  );
}

/** One unit across is one bar. */
function bars(timeline: readonly TimelineRow[], top: number): SVGElement {
  const gap = timeline.length > 40 ? 0 : 0.1;
  const height = (value: number): number => HEIGHT - (value / top) * HEIGHT;
  const path = (
    name: 'deposits' | 'gains' | 'loss',
    bounds: (row: TimelineRow) => [from: number, to: number],
  ): SVGElement =>
    shape(`path.${name}`, {
      d: timeline
        .map((row, index) => {
          const [from, to] = bounds(row);
          return to > from
            ? `M${index + gap} ${height(from)}H${index + 1 - gap}V${height(to)}H${index + gap}z`
            : '';
        })
        .join(''),
    });
  const line = (value: number): SVGElement =>
    shape('line', {
      x1: 0,
      x2: timeline.length,
      y1: height(value),
      y2: height(value),
    });
  return shape(
    'svg',
    {
      viewBox: `0 0 ${timeline.length} ${HEIGHT}`,
      preserveAspectRatio: 'none',
      'aria-hidden': 'true',
    },
    steps(top).map(line),
    path('deposits', (row) => [0, Math.min(row.total_balance, row.total_deposited)]),
    path('gains', (row) => [row.total_deposited, row.total_balance]),
    path('loss', (row) => [row.total_balance, row.total_deposited]),
  );
}

function steps(top: number): number[] {
  const power = 10 ** Math.floor(Math.log10(top / 2));
  const step = power * ([1, 2, 5].find((factor) => top / (power * factor) <= 6) ?? 5);
  return Array.from({ length: Math.floor(top / step) + 1 }, (_, index) => index * step);
}

/** A place from 0 to 1 along an axis, and its label. */
type Label = readonly [at: number, label: string];

/** The first label has the unit. */
function timesOf(timeline: readonly TimelineRow[]): Label[] {
  const { length } = timeline;
  const isMonthly = timeline.some(({ year }) => year < 0.99) && length > 1;
  const choices = isMonthly ? [1, 3, 6, 12, 24, 60, 120, 240] : [1, 2, 5, 10, 20];
  const every = choices.find((count) => length / count <= LABELS_ACROSS) ?? 1;
  const isInMonths = isMonthly && every % 12 !== 0;
  return timeline.flatMap(({ year }, index) => {
    if ((index + 1) % every !== 0) return [];
    const isWhole = isInMonths || Math.abs(year - Math.round(year)) < 1e-6;
    // The bar of a part of a year has a label only where it is alone: the others are years.
    if (!isWhole) return length === 1 ? [[0.5, format.duration(year)]] : [];
    const count = format.count(Math.round(isInMonths ? year * 12 : year));
    const unit = text(isInMonths ? 'unit.months' : 'unit.years');
    return [[(index + 0.5) / length, index + 1 === every ? `${count} ${unit}` : count]];
  });
}

function labels(name: 'amounts' | 'times', entries: readonly Label[]): Child {
  return element(
    `div.${name}`,
    { 'aria-hidden': 'true' },
    entries.map(([at, label]) => element('span', { '--at': at }, label)),
  );
}
