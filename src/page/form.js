import { CALCULATORS } from './calculators.js';
import { disclosure, element } from './dom.js';
import { NUMBER, readAmount, readDecimal, readInteger, regroup, writeNumber } from './numbers.js';

/** Stands for a month of which only a part is filled in, so that the service refuses it. */
const INCOMPLETE_MONTH = '----';

/**
 * The form of a calculator. It writes into `values` and calls `edited` after each change. `showProblems` puts problems
 * beside their fields, and returns the labels of those fields and the problems of no field.
 */
export function createForm(calculator, values, { text, language, edited, submitted }) {
  const rows = CALCULATORS[calculator].fields.map((field) => createRow({
    id: `${calculator}-${field.name}`,
    field,
    text,
    language,
    value: () => values[field.name],
    change(value) {
      if (value === values[field.name]) return;
      values[field.name] = value;
      nameSetExtras();
      edited();
    },
  }));
  const extras = rows.filter(({ field }) => field.isExtra);
  const setExtras = element('span');
  const nameSetExtras = () => {
    const set = extras.filter(({ field: { name, initial = '' } }) => values[name] !== initial);
    setExtras.textContent = set.map(({ label }, index) => `${index === 0 ? ': ' : ', '}${label}`).join('');
  };
  nameSetExtras();
  const more = extras.length === 0 ? undefined
    : disclosure(calculator, [text('moreOptions'), setExtras], () => extras.map(({ node }) => node));
  const onsubmit = (event) => {
    event.preventDefault();
    submitted();
  };
  return {
    node: element('form', { novalidate: '', autocomplete: 'off', onsubmit },
      rows.filter(({ field }) => !field.isExtra).map(({ node }) => node), more),
    showProblems(problems) {
      const invalid = rows.filter((row) => row.showProblems(problems.filter(({ field }) => field === row.field.name)));
      if (invalid.some(({ field }) => field.isExtra)) more.open = true;
      return {
        labels: invalid.map(({ label }) => label),
        others: problems.filter(({ field }) => rows.every((row) => row.field.name !== field)),
      };
    },
  };
}

function createRow(row) {
  const { id, field, text } = row;
  const label = text(field.name);
  const hint = element('p', { id: `${id}-hint`, class: 'hint' }, text(`hint.${field.name}`));
  const error = element('p', { id: `${id}-error`, class: 'error', lang: 'en' });
  const content = [CONTROLS[field.kind](row), hint, error];
  const node = field.kind === 'choice'
    ? element('fieldset', { role: 'radiogroup', class: 'field' }, element('legend', {}, label), content)
    : element('div', { class: 'field' }, element('label', { for: id }, label), content);
  const control = node.querySelector(`#${id}`) ?? node;
  const showProblems = (problems) => {
    error.textContent = problems.map(({ message }) => message).join(' ');
    const notes = [hint, error].filter(({ textContent }) => textContent !== '');
    control.setAttribute('aria-describedby', notes.map((note) => note.id).join(' '));
    control.setAttribute('aria-invalid', problems.length > 0);
    return problems.length > 0;
  };
  showProblems([]);
  return { field, label, node, showProblems };
}

function textInput({ id, value, field, language, change }, inputmode, read) {
  const input = element('input', { id, inputmode, autocomplete: 'off', spellcheck: 'false' });
  const write = () => {
    input.value = writeNumber(value(), language, field.kind === 'amount');
  };
  write();
  input.addEventListener('blur', write);
  if (read) input.addEventListener('input', () => change(read(input.value)));
  return { input, write };
}

function boxed({ unit }, ...content) {
  return element('div', { class: 'box' }, content,
    unit && element('span', { class: 'unit', 'aria-hidden': true }, unit));
}

const CONTROLS = {
  /** While one edits digits, separators that the page wrote stay behind in wrong places; all others are meant. */
  amount(row) {
    const { field, language, value, change } = row;
    const { input } = textInput(row, 'decimal');
    let written;
    let isLoose;
    input.addEventListener('focus', () => {
      written = input.value;
    });
    input.addEventListener('beforeinput', ({ data }) => {
      isLoose = input.value === written && NUMBER.test(value()) && !/[.,]/.test(data ?? '');
    });
    input.addEventListener('input', ({ inputType, isComposing }) => {
      const read = readAmount(input.value, language, isLoose);
      if (read.isOwn && !isComposing) {
        const isForwards = inputType === 'deleteContentForward';
        const edit = { text: input.value, caret: input.selectionStart, value: read.value, language, isForwards };
        const shown = regroup(edit);
        input.value = shown.text;
        input.setSelectionRange(shown.caret, shown.caret);
      }
      if (read.isOwn) written = input.value;
      change(read.value);
    });
    return boxed(field, input);
  },

  decimal(row) {
    return boxed(row.field, textInput(row, 'decimal', readDecimal).input);
  },

  integer(row) {
    const { field, text, value, change } = row;
    const { input, write } = textInput(row, 'numeric', readInteger);
    const [minimum, maximum] = field.range;
    const button = (key, sign, difference) => element('button', {
      type: 'button',
      class: 'step',
      'aria-label': text(key, { field: text(field.name) }),
      onclick() {
        const number = Number(/^\d+$/.test(value()) ? value() : field.initial);
        change(String(Math.min(maximum, Math.max(minimum, number + difference))));
        write();
      },
    }, sign);
    return boxed(field, button('fewer', '−', -1), input, button('more', '+', 1));
  },

  month({ id, field, value, change }) {
    const input = element('input', { id, type: 'month', min: '2015-01', placeholder: 'YYYY-MM' });
    input.value = value();
    for (const event of ['input', 'blur']) {
      input.addEventListener(event, () => {
        const month = input.validity.badInput ? INCOMPLETE_MONTH : input.value;
        if (month !== '' || event === 'input') change(month);
      });
    }
    return boxed(field, input);
  },

  choice({ id, field, text, value, change }) {
    return element('div', { class: 'choice' }, field.options.map((option) => {
      const radio = element('input', { type: 'radio', name: id, value: option, onchange: () => change(option) });
      radio.checked = value() === option;
      return element('label', {}, radio, element('span', {}, text(option)));
    }));
  },

  text({ id, value, change }) {
    const area = element('textarea', { id, rows: 7, spellcheck: 'false', autocapitalize: 'off' });
    area.value = value();
    area.addEventListener('input', () => change(area.value));
    return area;
  },
};
