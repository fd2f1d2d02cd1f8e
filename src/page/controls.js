import { element } from './dom.js';
import { CONTROLS, textInput } from './form.js';
import { NUMBER, writeNumber } from './numbers.js';
import { bareOf, readDecimal, readInteger } from './reading.js';
import { language, text } from './texts.js';

/* The kinds of fields that a salary does not have. */
Object.assign(CONTROLS, {
  decimal: (row) => textInput(row, (number) => writeNumber(number, language)),

  /** Years and months. A value that is not a whole number of months stays in the first input. */
  term({ id, value, change }) {
    const inputs = ['', '-months'].map((ending) => element('input', { id: id + ending }));
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

const TERM = /^(?:([\d.,]+)(?:năm|years?|yrs?|y))?(?:([\d.,]+)(?:tháng|months?|mo|m))?$/;

/** Reads 1,5 and 18 tháng and 1 năm 6 tháng into years. */
export function readTerm(text) {
  const decimal = readDecimal(text);
  if (NUMBER.test(decimal)) return decimal;
  const [, years = '0', months = '0'] = TERM.exec(bareOf(text)) ?? [];
  const total = Number(readDecimal(years)) * 12 + Number(readDecimal(months));
  return total > 0 ? yearsOf(total) : text;
}

export function yearsOf(months) {
  return String(Number((months / 12).toFixed(8))); // from which the service finds the month again
}

/** The months of a term, or undefined if their number is not whole. */
export function monthsOf(years) {
  const months = Math.round(Number(years) * 12);
  return NUMBER.test(years) && Math.abs(Number(years) * 12 - months) < 1e-6 ? months : undefined;
}
