import { element } from './dom.js';
import { CONTROLS, textInput } from './form.js';
import { writeNumber } from './numbers.js';
import { monthsOf, readInteger, readTerm, yearsOf } from './reading.js';
import { language, text } from './texts.js';

/* The kinds of fields that a salary does not have. */
Object.assign(CONTROLS, {
  decimal: (row) => textInput(row, (number) => writeNumber(number, language)),

  /** Years and months. A value that is not a whole number of months stays in the first input. */
  term({ id, value, change }) {
    const inputs = ['', '-months'].map((ending) => element('input', { id: id + ending, autocomplete: 'off' }));
    const write = () => {
      const months = monthsOf(value());
      const parts = months >= 0 ? [Math.floor(months / 12), months % 12] : [writeNumber(value(), language), ''];
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
