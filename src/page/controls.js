import { element } from './dom.js';
import { boxed, CONTROLS, textInput } from './form.js';
import { writeNumber } from './numbers.js';
import { monthsOf, readDecimal, readInteger, readTerm, yearsOf } from './reading.js';
import { language, text } from './texts.js';

const write = (number) => writeNumber(number, language, false);

/** The kinds of fields that a salary does not have. */
Object.assign(CONTROLS, {
  decimal(row) {
    const inputmode = row.field.range[0] < 0 ? 'text' : 'decimal';
    const control = textInput(row, write, { inputmode });
    control.input.addEventListener('input', () => row.change(readDecimal(control.input.value)));
    return { ...control, content: boxed(row.field, control.input) };
  },

  /** Years and months. What is not a whole number of months stays in the first of the two. */
  term(row) {
    const { id, value, change } = row;
    const partOf = (index) => (years) => {
      const months = monthsOf(years);
      if (months === undefined) return index === 0 ? write(years) : '';
      return String(index === 0 ? Math.floor(months / 12) : months % 12);
    };
    const parts = [
      textInput(row, partOf(0), {}), textInput({ id: `${id}-months`, value }, partOf(1), { inputmode: 'numeric' }),
    ];
    const [years, months] = parts.map(({ input }) => input);
    const content = ['years', 'months'].map((unit, index) => element('label', { class: 'box' }, parts[index].input,
      element('span', { class: 'unit' }, text(`unit.${unit}`))));
    const pair = element('div', { class: 'pair', oninput: () => change(joined(years.value, months.value)) }, content);
    // Leaving one of the two may carry twelve months over to the other.
    pair.addEventListener('focusout', () => parts.forEach((part) => part.write()));
    return { content: pair, write: () => parts.forEach((part) => part.write()) };
  },

  text({ id, value, change }) {
    const area = element('textarea', { id, rows: 7, spellcheck: 'false', autocapitalize: 'off' });
    area.addEventListener('input', () => change(area.value));
    return {
      content: area,
      write() {
        area.value = value();
      },
    };
  },
});

function joined(years, months) {
  const read = readTerm(years);
  if (read !== years && !/^[\d.,\s]*$/.test(years)) return read; // 18 months in words are all of it
  const total = monthsOf(read === '' ? '0' : read);
  const more = readInteger(months);
  if (more === '' || more === '0') return read;
  return total === undefined || !/^\d{1,4}$/.test(more) ? `${years} + ${months}` : yearsOf(total + Number(more));
}
