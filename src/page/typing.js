import { SEPARATORS } from './numbers.js';
import { addMonths, readAmount, readDecimal, readInteger, readMonth, regroup } from './reading.js';
import { language } from './texts.js';

export const TYPED = {
  /** After an edit of digits, the separators that the page wrote are in wrong places. */
  amount(input, { data, inputType, isComposing }) {
    const { group } = SEPARATORS[language];
    const isLoose = input.dataset.written?.includes(group) && !/\D/.test(data ?? '');
    delete input.dataset.written;
    const { value, isOwn } = readAmount(input.value, language, isLoose);
    if (!isOwn) return value;
    if (!isComposing) {
      const isForwards = inputType === 'deleteContentForward';
      const { text, caret } = regroup({ text: input.value, caret: input.selectionStart, value, language, isForwards });
      input.value = text;
      input.setSelectionRange(caret, caret);
    }
    input.dataset.written = input.value;
    return value;
  },
  decimal: (input) => readDecimal(input.value),
  integer: (input) => readInteger(input.value),
  month: (input) => readMonth(input.value),
};

export const STEPPED = {
  integer(value, direction, { range: [minimum, maximum], initial }) {
    const current = Number(/^\d+$/.test(value) ? value : initial || minimum);
    return String(Math.min(maximum, Math.max(minimum, current + direction)));
  },
  month: (value, direction) =>
    addMonths(/^\d{4}-\d{2}$/.test(value) ? value : new Date().toISOString().slice(0, 7), direction),
};
