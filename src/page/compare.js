import { AMOUNTS } from './amounts.js';
import { element } from './dom.js';
import { createForm } from './form.js';
import { addMonths } from './reading.js';
import { bodyOf } from './request.js';
import { calculator } from './salary.js';
import { post } from './service.js';
import { table } from './tables.js';
import { addTexts, format, text } from './texts.js';

addTexts({
  compareWith: ['Compare with', 'So sánh với'],
  thisOffer: ['This salary', 'Mức lương này'],
  otherOffer: ['The other salary', 'Mức lương kia'],
  difference: ['Difference', 'Chênh lệch'],
  'more.net': [
    '{before} net: {other}. {now}: {difference} more.',
    'Lương net {before}: {other}; {now}: thêm {difference}.',
  ],
  'less.net': [
    '{before} net: {other}. {now}: {difference} less.',
    'Lương net {before}: {other}; {now}: giảm {difference}.',
  ],
  'equal.net': ['{before} net: {other}. {now}: the same.', 'Lương net {before}: {other}; {now}: bằng nhau.'],
  'more.gross': [
    '{before} gross: {other}. {now}: {difference} more.',
    'Lương gross {before}: {other}; {now}: thêm {difference}.',
  ],
  'less.gross': [
    '{before} gross: {other}. {now}: {difference} less.',
    'Lương gross {before}: {other}; {now}: giảm {difference}.',
  ],
  'equal.gross': ['{before} gross: {other}. {now}: the same.', 'Lương gross {before}: {other}; {now}: bằng nhau.'],
  monthName: ['{month}', 'tháng {month}'],
});

const PAUSE = 300;

/** The values that differ from those of the answer; the others follow them. */
export function overridesOf(values, shown) {
  return Object.fromEntries(Object.entries(shown).filter(([name, value]) => value !== values[name]));
}

/** The amounts of two answers: the name, both amounts, and the first minus the other. */
export function differencesOf(one, other) {
  return Object.entries(AMOUNTS).map(([name, amountOf]) =>
    [name, amountOf(one), amountOf(other), amountOf(one) - amountOf(other)]);
}

/** The last month of the previous year, because most laws begin in January; for 2015, the first year, February. */
export function monthBefore(period) {
  return addMonths(`${period.slice(0, 4)}-01`, period.slice(0, 4) === '2015' ? 1 : -1);
}

/** The values of the other salary that differ; without any, the comparison begins with another month of law. */
function othersOf({ others, period }) {
  return Object.keys(others).length > 0 || period === undefined ? others : { period: monthBefore(period) };
}

/** A second column: the same salary by the law of another month, or another salary. */
export function createComparison(memory, changed) {
  const shown = {};
  const result = element('div', { class: 'answer', role: 'status' });
  let timer;
  let running = new AbortController();
  const submitted = () => {
    clearTimeout(timer);
    memory.others = overridesOf(memory.values, shown);
    changed();
  };
  const edited = () => {
    clearTimeout(timer);
    timer = setTimeout(submitted, PAUSE);
  };
  const form = createForm('other', calculator.fields, { values: shown, edited, submitted });
  const node = element('div', { class: 'comparison' }, result, element('h3', {}, text('compareWith')), form.node);
  const show = async (data, values) => {
    running.abort();
    running = new AbortController();
    const { signal } = running;
    const outcome = await post(calculator.path, bodyOf(calculator, shown), { signal });
    if (signal.aborted) return;
    const { messageOf, reasonOf } = await import('./messages.js');
    const { invalid } = form.showProblems(outcome.error?.details ?? [], messageOf);
    if (outcome.data) result.replaceChildren(...columns(data, outcome.data, values, shown));
    else result.replaceChildren(invalid.length > 0 ? '' : reasonOf(outcome));
  };
  const update = (data, values) => {
    memory.others = othersOf(memory);
    Object.assign(shown, values, memory.others);
    form.refresh();
    show(data, values);
  };
  return {
    node,
    update: (...last) => node.parentElement?.open !== false && update(...last),
    toggle(isOpen) {
      memory.others = isOpen ? othersOf(memory) : {};
      changed();
    },
  };
}

function columns(one, other, values, shown) {
  const isSameSalary = Object.keys(overridesOf(values, shown)).every((name) => name === 'period');
  const monthOf = (data) => format.month(data.detail.period);
  const [now, before] = isSameSalary
    ? [one, other].map((data) => text('monthName', { month: monthOf(data) }))
    : [text('thisOffer'), text('otherOffer')];
  const rows = differencesOf(one, other);
  const isGross = values.type !== 'gross';
  const [, , amount, difference] = rows.find(([name]) => name === (isGross ? 'grossIncome' : 'netIncome'));
  const direction = difference === 0 ? 'equal' : difference > 0 ? 'more' : 'less';
  const sentence = text(`${direction}.${isGross ? 'gross' : 'net'}`, {
    before, now, other: format.dong(amount), difference: format.dong(Math.abs(difference)),
  });
  return [
    element('p', { class: `verdict ${direction}` }, capitalized(sentence)),
    table({
      caption: text('difference'),
      heads: ['', capitalized(now), capitalized(before), text('difference')],
      rows: rows.map(([name, ...amounts]) =>
        [text(name), format.count(amounts[0]), format.count(amounts[1]), format.signed(amounts[2])]),
      kind: 'columns',
    }),
  ];
}

function capitalized(sentence) {
  return sentence.charAt(0).toUpperCase() + sentence.slice(1);
}
