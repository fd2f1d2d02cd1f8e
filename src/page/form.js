import { CALCULATORS } from './calculators.js';
import { element } from './dom.js';
import { readAmount, readDecimal, readInteger, regroup, writeNumber } from './numbers.js';
import { TEXTS } from './texts.js';

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
      values[field.name] = value;
      edited();
    },
  }));
  const extras = rows.filter(({ field }) => field.isExtra);
  const isExtraSet = extras.some(({ field: { name, initial = '' } }) => values[name] !== initial);
  const more = element('details', { class: 'more', hidden: extras.length === 0 && '', open: isExtraSet && '' },
    element('summary', {}, text('moreOptions')), extras.map(({ node }) => node));
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
        labels: invalid.map(({ field }) => text(`field.${field.name}`)),
        others: problems.filter(({ field }) => rows.every((row) => row.field.name !== field)),
      };
    },
  };
}

function createRow(row) {
  const { id, field, text } = row;
  const hint = Object.hasOwn(TEXTS, `hint.${field.name}`)
    ? element('p', { id: `${id}-hint`, class: 'hint' }, text(`hint.${field.name}`))
    : undefined;
  const error = element('p', { id: `${id}-error`, class: 'error', lang: 'en', hidden: '' });
  const label = text(`field.${field.name}`);
  const isGroup = field.kind === 'choice';
  const content = CONTROLS[field.kind](row);
  const node = isGroup
    ? element('fieldset', { role: 'radiogroup', class: 'field' }, element('legend', {}, label), content, hint, error)
    : element('div', { class: 'field' }, element('label', { for: id }, label), content, hint, error);
  const control = isGroup ? node : content.querySelector(`#${id}`) ?? content;
  const showProblems = (problems) => {
    const isInvalid = problems.length > 0;
    error.textContent = problems.map(({ message }) => message).join(' ');
    error.hidden = !isInvalid;
    control.setAttribute('aria-invalid', isInvalid);
    control.setAttribute('aria-describedby', [hint?.id, isInvalid ? error.id : undefined].filter(Boolean).join(' '));
    return isInvalid;
  };
  showProblems([]);
  return { field, node, showProblems };
}

function textInput({ id, value, field, language }, inputmode) {
  const input = element('input', { id, inputmode, autocomplete: 'off', spellcheck: 'false' });
  const write = () => {
    input.value = writeNumber(value(), language, field.kind === 'amount');
  };
  write();
  input.addEventListener('blur', write);
  return { input, write };
}

function boxed({ unit }, ...content) {
  const shown = unit && element('span', { class: 'unit', 'aria-hidden': true }, unit);
  return element('div', { class: 'box' }, content, shown);
}

const CONTROLS = {
  /** An edit by keys leaves the separators where they were; a paste over the whole brings its own. */
  amount(row) {
    const { field, language, change } = row;
    const { input } = textInput(row, 'decimal');
    let replacesAll = false;
    input.addEventListener('beforeinput', () => {
      replacesAll = input.selectionEnd - input.selectionStart === input.value.length;
    });
    input.addEventListener('input', ({ inputType, isComposing }) => {
      const isTyped = /^(?:insertText|insertCompositionText|delete)/.test(inputType) || !replacesAll;
      const value = readAmount(input.value, language, isTyped);
      const isForwards = inputType === 'deleteContentForward';
      const shown = regroup({ text: input.value, caret: input.selectionStart, value, language, isForwards });
      if (!isComposing && shown.text !== input.value) {
        input.value = shown.text;
        input.setSelectionRange(shown.caret, shown.caret);
      }
      change(value);
    });
    return boxed(field, input);
  },

  decimal(row) {
    const { input } = textInput(row, 'decimal');
    input.addEventListener('input', () => row.change(readDecimal(input.value)));
    return boxed(row.field, input);
  },

  integer(row) {
    const { field, text, value, change } = row;
    const { input, write } = textInput(row, 'numeric');
    const [minimum, maximum] = field.range;
    const step = (difference) => {
      const number = Number(/^\d+$/.test(value()) ? value() : field.initial);
      change(String(Math.min(maximum, Math.max(minimum, number + difference))));
      write();
    };
    input.addEventListener('input', () => change(readInteger(input.value)));
    const button = (key, sign, difference) => element('button', {
      type: 'button',
      class: 'step',
      'aria-label': text(key, { field: text(`field.${field.name}`) }),
      onclick: () => step(difference),
    }, sign);
    return boxed(field, button('fewer', '−', -1), input, button('more', '+', 1));
  },

  month({ id, field, value, change }) {
    const input = element('input', { id, type: 'month', min: '2015-01', placeholder: 'YYYY-MM' });
    input.value = value();
    for (const event of ['input', 'blur']) {
      input.addEventListener(event, () => {
        const month = input.validity.badInput ? INCOMPLETE_MONTH : input.value;
        if (month !== value() && (month !== '' || event === 'input')) change(month);
      });
    }
    return boxed(field, input);
  },

  choice({ id, field, text, value, change }) {
    return element('div', { class: 'choice' }, field.options.map((option) => {
      const radio = element('input', { type: 'radio', name: id, value: option, onchange: () => change(option) });
      radio.checked = value() === option;
      return element('label', {}, radio, element('span', {}, text(`option.${field.name}.${option}`)));
    }));
  },

  text({ id, value, change }) {
    const area = element('textarea', { id, rows: 7, spellcheck: 'false', autocapitalize: 'off' });
    area.value = value();
    area.addEventListener('input', () => change(area.value));
    return area;
  },
};
