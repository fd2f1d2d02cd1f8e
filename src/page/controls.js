import { element } from './dom.js';
import { boxed, CONTROLS, textInput } from './form.js';
import { writeNumber } from './numbers.js';
import { monthsOf, readInteger, readTerm, yearsOf } from './reading.js';
import { language, text } from './texts.js';

const write = (number) => writeNumber(number, language, false);

/** The kinds of fields that a salary does not have. */
Object.assign(CONTROLS, {
  decimal(row) {
    const inputmode = row.field.range[0] < 0 ? 'text' : 'decimal';
    const control = textInput(row, write, { inputmode });
    return { ...control, content: boxed(row.field, control.input) };
  },

  /** Years and months. What is not a whole number of months stays in the first of the two. */
  term({ id, value, change }) {
    const inputs = ['', '-months'].map((ending) => element('input', { id: id + ending, autocomplete: 'off' }));
    const write = () => {
      const months = monthsOf(value());
      const parts = months === undefined ? [writeNumber(value(), language), ''] : [Math.floor(months / 12), months % 12];
      inputs.forEach((input, index) => {
        input.value = parts[index];
      });
    };
    const content = element('div.pair', {
      oninput: () => change(joined(...inputs.map((input) => input.value))),
      onfocusout: write, // twelve months become a year
    }, ['years', 'months'].map((unit, index) => element('label.box',
      inputs[index], element('span.unit', text(`unit.${unit}`)))));
    return { content, write };
  },

  text({ id, value, change }) {
    const content = element('textarea', {
      id, rows: 7, spellcheck: 'false', autocapitalize: 'off', oninput: () => change(content.value),
    });
    const write = () => {
      content.value = value();
    };
    return { content, write };
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
