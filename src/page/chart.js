import { element, facts, shape } from './dom.js';

const HEIGHT = 100;
const LABELS_ACROSS = 6;
const GAPS_UP_TO = 40;

/**
 * Stacked bars of what was deposited and what it earned, one for each row of a timeline. Where the balance is below the
 * deposits, the missing part is stacked on the balance as a loss. Arrow keys or a pointer choose the bar that is read.
 */
export function growthChart({ timeline, amount, format, text }) {
  const top = Math.max(...timeline.flatMap((row) => [row.total_balance, row.total_deposited])) || 1;
  const last = timeline.length - 1;
  let chosen = last;
  const within = (index) => Math.min(last, Math.max(0, index));
  const read = (index) => {
    const row = timeline[index];
    const entries = [
      [text('finalBalance', { duration: format.duration(row.year) }), amount(row.total_balance)],
      [text('deposited'), amount(row.total_deposited), 'deposits'],
      [text('interest'), amount(row.total_interest), row.total_interest < 0 ? 'loss' : 'gains'],
    ];
    plot.setAttribute('aria-valuenow', index + 1);
    plot.setAttribute('aria-valuetext', entries.map(([name, value]) => `${name}: ${value}`).join('; '));
    plot.style.setProperty('--at', index / timeline.length);
    readout.replaceChildren(facts(entries));
  };
  const readout = element('div', { class: 'readout' });
  const plot = element('div', {
    class: 'plot',
    role: 'slider',
    tabindex: 0,
    'aria-label': text('chart'),
    'aria-valuemin': 1,
    'aria-valuemax': timeline.length,
    '--width': 1 / timeline.length,
    onpointermove({ clientX }) {
      const { left, width } = plot.getBoundingClientRect();
      read(within(Math.floor(((clientX - left) / width) * timeline.length)));
    },
    onpointerleave: () => read(chosen),
    onkeydown(event) {
      const steps = { ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1, Home: -last, End: last };
      if (steps[event.key] === undefined) return;
      event.preventDefault();
      chosen = within(chosen + steps[event.key]);
      read(chosen);
    },
  }, bars(timeline, top), element('div', { class: 'cursor' }));
  read(last);
  return element('figure', { class: 'chart' }, readout,
    element('div', { class: 'axes' },
      labels('amounts', steps(top).map((value) => [value / top, format.compact(value)])),
      plot,
      labels('times', timesOf(timeline, format))),
    element('figcaption', { class: 'hint' }, text('years')));
}

/** One unit across is one bar; the drawing is stretched to the plot. */
function bars(timeline, top) {
  const gap = timeline.length > GAPS_UP_TO ? 0 : 0.1;
  const height = (value) => HEIGHT - (value / top) * HEIGHT;
  const path = (name, bounds) => shape('path', {
    class: name,
    d: timeline.map((row, index) => {
      const [from, to] = bounds(row).map(height);
      return to < from ? `M${index + gap} ${from}H${index + 1 - gap}V${to}H${index + gap}z` : '';
    }).join(''),
  });
  return shape('svg', {
    viewBox: `0 0 ${timeline.length} ${HEIGHT}`, preserveAspectRatio: 'none', 'aria-hidden': 'true',
  },
  steps(top).map((value) => shape('line', { x1: 0, x2: timeline.length, y1: height(value), y2: height(value) })),
  path('deposits', (row) => [0, Math.min(row.total_balance, row.total_deposited)]),
  path('gains', (row) => [row.total_deposited, row.total_balance]),
  path('loss', (row) => [row.total_balance, row.total_deposited]));
}

/** Round values from 0 up to the top: steps of 1, 2 or 5 times a power of ten. */
function steps(top) {
  const power = 10 ** Math.floor(Math.log10(top / 2));
  const step = power * [1, 2, 5].find((factor) => top / (power * factor) <= 6);
  return Array.from({ length: Math.floor(top / step) + 1 }, (_, index) => index * step);
}

function timesOf(timeline, format) {
  const isMonthly = timeline.length > 1 && timeline[1].year - timeline[0].year < 0.5;
  const choices = isMonthly ? [1, 3, 6, 12, 24, 60, 120, 240] : [1, 2, 5, 10, 20];
  const every = choices.find((choice) => timeline.length / choice <= LABELS_ACROSS);
  return timeline.flatMap(({ year }, index) =>
    ((index + 1) % every === 0 ? [[(index + 0.5) / timeline.length, format.count(year)]] : []));
}

function labels(name, entries) {
  return element('div', { class: name, 'aria-hidden': 'true' },
    entries.map(([at, label]) => element('span', { '--at': at }, label)));
}
