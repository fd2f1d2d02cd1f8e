import './controls.js';
import { disclosure, element, facts, shape } from './dom.js';
import { choice } from './request.js';
import { table } from './tables.js';
import { addTexts, counted, format, language, text } from './texts.js';

addTexts(`
title.growth | Compound interest and savings | Lãi kép và tiết kiệm
about.growth | How a deposit and monthly savings grow, exact to the last decimal.
  | Chính xác đến chữ số cuối: tiền gốc, tiền gửi hằng tháng và kết quả theo thời gian.
solve_for | Value to find | Cần tìm
solve_for. | The balance | Số dư
solve_for.monthly_deposit | The deposit | Tiền gửi tháng
solve_for.principal | The start | Số tiền đầu
solve_for.years | The term | Kỳ hạn
solve_for.annual_rate | The rate | Lãi suất
target | Balance to reach | Số dư cần đạt
toReach | {name} to reach {target} | {name} để đạt {target}
reached | balance after {duration}: {balance} | số dư sau {duration}: {balance}
principal | Starting amount | Số tiền ban đầu
monthly_deposit | Deposit each month | Gửi thêm mỗi tháng
annual_rate | Interest rate per year | Lãi suất năm
years | Term | Kỳ hạn
hint.years | Months are equal; banks count days over 365. | Các tháng bằng nhau; ngân hàng tính số ngày chia 365.
compounding | Interest is added to the balance | Nhập lãi vào gốc
monthly | every month | hằng tháng
quarterly | every quarter | hằng quý
semiannually | every half-year | mỗi 6 tháng
annually | every year | hằng năm
deposit_timing | Deposits are made at the | Gửi thêm vào
end | end of the month | cuối tháng
start | start | đầu tháng
timeline | Rows of the table | Bảng diễn biến
yearly | every year | hằng năm
none | none | không
decimals | Decimals of the amounts | Số chữ số thập phân
finalBalance | Balance after {duration} | Số dư sau {duration}
deposited | Deposited | Tổng tiền gửi
interest | Interest | Tiền lãi
lossOf | Loss | Lỗ
effectiveAnnualRate | effective annual rate {rate} | lãi suất thực tế năm {rate}
chart | Selected time | Thời điểm cần xem
balance | Balance | Số dư
term | After | Sau
timelineRows | Table, {rows} | Bảng diễn biến, {rows}
`);

const SOUGHT = ['monthly_deposit', 'principal', 'years', 'annual_rate'];

const amount = (name, largest, more) => ({ name, kind: 'amount', isRequired: true, range: [0, largest], ...more });

export const calculator = {
  name: 'growth',
  pathOf: ({ solve_for: sought }) => `api/v1/interest/${sought === '' ? 'calculate' : 'solve'}`,
  fields: [
    choice('solve_for', ['', ...SOUGHT], { columns: 2 }),
    amount('target', 1e15, { example: '1000000000', when: ({ solve_for: sought }) => sought !== '' }),
    ...[
      amount('principal', 1e15, { example: '100000000' }),
      amount('monthly_deposit', 1e13, { isRequired: false, initial: '0', example: '5000000' }),
      { name: 'annual_rate', kind: 'decimal', unit: '%', isRequired: true, example: '6', range: [-100, 500] },
      { name: 'years', kind: 'term', isRequired: true, example: '10', range: [0, 100] },
    ].map((field) => ({ ...field, when: ({ solve_for: sought }) => sought !== field.name })),
    choice('compounding', ['monthly', 'quarterly', 'semiannually', 'annually'], { columns: 2, isExtra: true }),
    choice('deposit_timing', ['end', 'start'], { isExtra: true }),
    choice('timeline', ['yearly', 'monthly', 'none'], { isExtra: true }),
    {
      name: 'decimals', kind: 'integer', initial: '2', range: [0, 6], isExtra: true,
      example: language === 'vi' ? '0' : '2', // đồng has none
    },
  ],
  answer,
};

function answer(data, { decimals }) {
  const { timeline } = data;
  const write = format.amount(Number(decimals || 2));
  const total = {
    total_balance: data.final_balance, total_deposited: data.total_deposited, total_interest: data.total_profit,
  };
  return {
    ...headOf(data, write),
    nodes: timeline.length === 0 ? [facts(partsOf(total, write))] : [
      growthChart(timeline, write),
      disclosure('timeline', counted('timelineRows', timeline.length), () => [timelineTable(timeline, write)]),
    ],
  };
}

function headOf(data, write) {
  const duration = format.duration(data.years);
  const balance = write(data.final_balance);
  if (data.solve_for === undefined) {
    const rate = format.rate(data.effective_annual_rate);
    const note = text('effectiveAnnualRate', { rate });
    return { caption: text('finalBalance', { duration }), figure: balance, note };
  }
  const figures = {
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

/** In a loss, the lower part of a bar is the balance. */
function partsOf({ total_balance: balance, total_deposited: deposited, total_interest: interest }, write) {
  const isLoss = interest < 0;
  const parts = [['deposited', write(deposited), !isLoss && 'deposits'],
    [isLoss ? 'lossOf' : 'interest', write(interest), isLoss ? 'loss' : 'gains'],
    ['balance', write(balance), isLoss && 'deposits']];
  return isLoss ? parts.reverse() : parts;
}

function timelineTable(timeline, write) {
  const rows = timeline.map((row) => [format.duration(row.year),
    ...[row.total_deposited, row.total_interest, row.total_balance].map(write)]);
  return table('', counted('timelineRows', rows.length), ['term', 'deposited', 'interest', 'balance'], rows);
}

const HEIGHT = 100;
const LABELS_ACROSS = 6;

let chosenYear; // stays chosen while the values change

/** A bar per row, and over them a transparent slider, which chooses the bar that is read. */
function growthChart(timeline, write) {
  const top = Math.max(...timeline.flatMap((row) => [row.total_balance, row.total_deposited])) || 1;
  const found = timeline.findIndex(({ year }) => year === chosenYear);
  const readout = element('div.readout');
  const slider = element('input.slider', {
    type: 'range', min: 1, max: timeline.length,
    value: found === -1 ? timeline.length : found + 1,
    'aria-label': text('chart'),
    oninput() {
      chosenYear = timeline[slider.value - 1].year;
      read();
    },
  });
  const read = () => {
    const row = timeline[slider.value - 1];
    const time = text('finalBalance', { duration: format.duration(row.year) });
    const parts = partsOf(row, write);
    slider.ariaValueText = [time, ...parts.map(([key, value]) => `${text(key)}: ${value}`)].join('; ');
    plot.style.setProperty('--at', (slider.value - 1) / timeline.length);
    readout.replaceChildren(element('h3', time), facts(parts));
  };
  const plot = element('div.plot', { '--count': timeline.length }, bars(timeline, top),
    element('div.cursor'), slider);
  read();
  return element('figure.chart',
    element('div.axes',
      labels('amounts', steps(top).map((value) => [value / top, format.compact(value)])),
      plot,
      labels('times', timesOf(timeline))),
    readout);
}

/** One unit across is one bar. */
function bars(timeline, top) {
  const gap = timeline.length > 40 ? 0 : 0.1;
  const height = (value) => HEIGHT - (value / top) * HEIGHT;
  const path = (name, bounds) => shape(`path.${name}`, {
    d: timeline.map((row, index) => {
      const [from, to] = bounds(row).map(height);
      return to < from ? `M${index + gap} ${from}H${index + 1 - gap}V${to}H${index + gap}z` : '';
    }).join(''),
  });
  return shape(
    'svg',
    { viewBox: `0 0 ${timeline.length} ${HEIGHT}`, preserveAspectRatio: 'none', 'aria-hidden': 'true' },
    steps(top).map((value) => shape('line', { x1: 0, x2: timeline.length, y1: height(value), y2: height(value) })),
    path('deposits', (row) => [0, Math.min(row.total_balance, row.total_deposited)]),
    path('gains', (row) => [row.total_deposited, row.total_balance]),
    path('loss', (row) => [row.total_balance, row.total_deposited]),
  );
}

function steps(top) {
  const power = 10 ** Math.floor(Math.log10(top / 2));
  const step = power * [1, 2, 5].find((factor) => top / (power * factor) <= 6);
  return Array.from({ length: Math.floor(top / step) + 1 }, (_, index) => index * step);
}

/** The first label has the unit. */
function timesOf(timeline) {
  const { length } = timeline;
  const isMonthly = timeline[0].year < 0.5 && length > 1;
  const every = (isMonthly ? [1, 3, 6, 12, 24, 60, 120, 240] : [1, 2, 5, 10, 20])
    .find((choice) => length / choice <= LABELS_ACROSS);
  const unit = isMonthly && every % 12 !== 0 ? 'months' : 'years';
  return timeline.flatMap(({ year }, index) => {
    if ((index + 1) % every !== 0) return [];
    const count = format.count(unit === 'months' ? Math.round(year * 12) : year);
    return [[(index + 0.5) / length, index + 1 === every ? `${count} ${text(`unit.${unit}`)}` : count]];
  });
}

function labels(name, entries) {
  return element(`div.${name}`, { 'aria-hidden': 'true' },
    entries.map(([at, label]) => element('span', { '--at': at }, label)));
}
