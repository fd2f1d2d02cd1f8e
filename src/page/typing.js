import { SEPARATORS } from './numbers.js';
import { addMonths, readAmount, readInteger, readMonth, regroup } from './reading.js';
import { language } from './texts.js';

/** Reads what is typed into a field of each kind; it may have begun before this was loaded. */
export const TYPING = {
  /** While one edits digits, separators that the page wrote stay behind in wrong places; all others are meant. */
  amount({ change, control: { input, shown } }) {
    const { group } = SEPARATORS[language];
    let written = input.value;
    let isLoose;
    input.addEventListener('focus', () => {
      written = input.value;
    });
    input.addEventListener('beforeinput', ({ data }) => {
      isLoose = input.value === written && written.includes(group) && !/\D/.test(data ?? '');
    });
    const read = ({ inputType, isComposing }) => {
      const amount = readAmount(input.value, language, isLoose);
      if (amount.isOwn && !isComposing) {
        const isForwards = inputType === 'deleteContentForward';
        const edit = { text: input.value, caret: input.selectionStart, value: amount.value, language, isForwards };
        const { text, caret } = regroup(edit);
        input.value = text;
        input.setSelectionRange(caret, caret);
      }
      if (amount.isOwn) written = input.value;
      change(amount.value);
    };
    input.addEventListener('input', read);
    if (input.value === shown()) return;
    isLoose = input.value.includes(group);
    read({});
  },

  integer(row) {
    const { field: { range: [minimum, maximum], initial }, value, control } = row;
    const current = () => Number(/^\d+$/.test(value()) ? value() : initial || minimum);
    listen(row, readInteger, (direction) => String(Math.min(maximum, Math.max(minimum, current() + direction))));
    control.input.addEventListener('input', control.write);
  },

  month(row) {
    const known = () => (/^\d{4}-\d{2}$/.test(row.value()) ? row.value() : new Date().toISOString().slice(0, 7));
    listen(row, readMonth, (direction) => addMonths(known(), direction));
  },
};

/** The buttons and the arrow keys up and down take a step. */
function listen({ change, control: { input, less, more, write, shown } }, read, stepped) {
  const step = (direction) => {
    change(stepped(direction));
    write();
  };
  const readInput = () => change(read(input.value));
  input.addEventListener('input', readInput);
  input.addEventListener('keydown', (event) => {
    const direction = { ArrowUp: 1, ArrowDown: -1 }[event.key];
    if (direction === undefined) return;
    event.preventDefault();
    step(direction);
  });
  less.addEventListener('click', () => step(-1));
  more.addEventListener('click', () => step(1));
  if (input.value !== shown()) readInput();
}
