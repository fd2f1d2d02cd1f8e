import { element } from './dom.js';
import { createForm } from './form.js';
import { messageOf } from './messages.js';
import { bodyOf, post } from './request.js';
import { AMOUNTS, calculator } from './salary.js';
import { table } from './tables.js';
import { addTexts, format, text } from './texts.js';

addTexts(`
compareWith | Compare with | So sánh với
thisOffer | This salary | mức lương này
otherOffer | The other salary | mức lương kia
difference | Difference | Chênh lệch
verdict | {before}: {other} {kind}. {now}: {change}. | {before}: {other} {kind}; {now}: {change}.
change.1 | {difference} more | cao hơn {difference}
change.0 | the same | không chênh lệch
change.-1 | {difference} less | thấp hơn {difference}
monthName | {month} | tháng {month}
`);

export function overridesOf(values, shown) {
  return Object.fromEntries(Object.entries(shown).filter(([name, value]) => value !== values[name]));
}

export function differencesOf(one, other) {
  return Object.entries(AMOUNTS).map(([name, amountOf]) =>
    [name, amountOf(one), amountOf(other), amountOf(one) - amountOf(other)]);
}

/** Most laws begin in January; 2015 is the first year. */
export function monthBefore(period) {
  const year = Number(period.slice(0, 4));
  return year === 2015 ? '2015-02' : `${year - 1}-12`;
}

/** Without another salary, the comparison begins with another month of law. */
function othersOf({ others, head: { period } }) {
  return Object.keys(others).length > 0 || !period ? others : { period: monthBefore(period) };
}

export function createComparison(memory, { edited, submitted }) {
  const shown = { ...memory.values, ...memory.others };
  const result = element('div.answer', { role: 'status' });
  let running = new AbortController();
  const form = createForm('other', calculator.fields, {
    values: shown,
    edited() {
      memory.others = overridesOf(memory.values, shown);
      edited();
    },
    submitted,
  });
  const node = element('div.comparison', result, element('h3', text('compareWith')), form.node);
  return {
    node,
    async update(data, values) {
      if (node.parentElement?.open === false) return;
      memory.others = othersOf(memory);
      Object.assign(shown, values, memory.others);
      form.refresh();
      running.abort();
      running = new AbortController();
      const { signal } = running;
      const outcome = await post(calculator.path, bodyOf(calculator, shown), { signal });
      if (signal.aborted) return;
      const { invalid } = form.showProblems(outcome.error?.details ?? [], messageOf);
      if (outcome.data) result.replaceChildren(...columns(data, outcome.data, values, shown));
      else result.replaceChildren(invalid.length > 0 ? '' : text(outcome.reason, outcome));
    },
    toggle(isOpen) {
      memory.others = isOpen ? othersOf(memory) : {};
      submitted();
    },
  };
}

function columns(one, other, values, shown) {
  const isSameSalary = Object.keys(overridesOf(values, shown)).every((name) => name === 'period');
  const [now, before] = isSameSalary
    ? [one, other].map(({ detail }) => text('monthName', { month: format.month(detail.period) }))
    : [text('thisOffer'), text('otherOffer')];
  const rows = differencesOf(one, other);
  const kind = values.type === 'gross' ? 'net' : 'gross';
  const [, , amount, difference] = rows.find(([name]) => name === `${kind}Income`);
  const change = text(`change.${Math.sign(difference)}`, { difference: format.dong(Math.abs(difference)) });
  return [
    element('p.verdict', capitalized(text('verdict', { before, now, kind, change, other: format.dong(amount) }))),
    table('columns', text('difference'), ['', capitalized(now), capitalized(before), 'difference'],
      rows.map(([name, first, second, change]) =>
        [text(name), format.count(first), format.count(second), format.signed(change)])),
  ];
}

function capitalized(sentence) {
  return sentence.charAt(0).toUpperCase() + sentence.slice(1);
}
