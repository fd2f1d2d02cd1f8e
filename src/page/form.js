import { disclosure, element, explained } from './dom.js';
import { writeMonth, writeNumber } from './numbers.js';
import { isSet } from './request.js';
import { format, language, text } from './texts.js';

/**
 * A form of some fields. It writes into `values` and calls `edited` after each change. `showProblems` puts messages
 * beside their fields, and returns the fields that have some, and the problems of no field.
 */
export function createForm(id, fields, { values, edited, submitted }) {
  const rows = fields.map((field) => createRow({
    id: `${id}-${field.name}`,
    field,
    value: () => values[field.name],
    change(value) {
      if (value === values[field.name]) return;
      values[field.name] = value;
      update();
      edited();
    },
  }));
  const extras = rows.filter(({ field }) => field.isExtra);
  const first = rows.filter(({ field }) => !field.isExtra);
  const setExtras = element('span');
  const isShown = ({ field }) => field.when === undefined || field.when(values);
  const update = () => {
    for (const row of rows) row.node.hidden = !isShown(row);
    const set = extras.filter((row) => isShown(row) && isSet(row.field, values[row.field.name]));
    setExtras.textContent = set.length === 0 ? '' : `: ${format.list(set.map(({ label }) => label))}`;
  };
  update();
  const more = extras.length > 0
    && disclosure(id, [text('moreOptions'), setExtras], () => extras.map(({ node }) => node));
  const onsubmit = (event) => {
    event.preventDefault();
    submitted();
  };
  let typing;
  const listen = () => {
    typing ??= import('./typing.js').then(({ TYPING }) => {
      for (const row of rows) TYPING[row.field.kind]?.(row);
      node.dataset.ready = '';
    });
    return typing;
  };
  const onclick = async ({ target }) => {
    if ('ready' in node.dataset || !target.matches('.step')) return;
    await listen();
    target.click(); // the first click came too early
  };
  const attributes = { id: `${id}-form`, novalidate: '', autocomplete: 'off', onsubmit, onclick, onfocusin: listen };
  const node = element('form', attributes, first.map((row) => row.node), more,
    element('button', { hidden: '' })); // without which Enter does nothing
  return {
    node,
    /** Loads what reads the fields, which the first answer can do without. */
    listen,
    showProblems(problems, messageOf) {
      const invalid = rows.filter((row) =>
        row.showMessages(problems.filter(({ field }) => field === row.field.name).map((problem) =>
          messageOf(problem, row.field, values))));
      if (invalid.some(({ field }) => field.isExtra)) more.open = true;
      return {
        invalid,
        others: problems.filter(({ field }) => rows.every((row) => row.field.name !== field)),
      };
    },
    /** Shows the values anew, except where one types. */
    refresh() {
      for (const { node, write } of rows) if (!node.contains(document.activeElement)) write();
      update();
    },
  };
}

function createRow({ id, field, value, change }) {
  const label = text(field.label ?? field.name);
  const hint = element('p', { id: `${id}-hint`, class: 'hint' }, text(`hint.${field.name}`));
  const error = element('p', { id: `${id}-error`, class: 'error' });
  const control = CONTROLS[field.kind]({ id, field, value, change, label });
  const { content, write } = control;
  write();
  const isGroup = ['choice', 'term'].includes(field.kind);
  const name = isGroup ? element('legend', {}, label) : element('label', { for: id }, label, spokenUnit(field));
  const head = field.isExplained ? explainedName(name, label, field.name, isGroup) : name;
  const role = field.kind === 'choice' && 'radiogroup';
  const kind = field.kind === 'flag' ? 'field flag' : 'field';
  const node = element(isGroup ? 'fieldset' : 'div', { role, class: kind }, head, content, hint, error);
  const target = node.querySelector(`#${id}`) ?? node;
  if (field.isRequired) target.setAttribute('aria-required', true);
  const showMessages = (messages) => {
    error.textContent = messages.join(' ');
    const notes = [hint, error].filter(({ textContent }) => textContent !== '');
    target.setAttribute('aria-describedby', notes.map((note) => note.id).join(' '));
    target.setAttribute('aria-invalid', messages.length > 0);
    return messages.length > 0;
  };
  showMessages([]);
  const focus = () => (target === node ? node.querySelector('input') : target).focus();
  return { field, label, node, value, change, control, write, showMessages, focus };
}

function explainedName(name, label, key, isGroup) {
  const [, ...help] = explained(label, key);
  if (!isGroup) return element('div', { class: 'head' }, name, help);
  name.append(...help);
  return name;
}

/** The sign in the box is for the eyes, the word for the ears. */
function spokenUnit({ unit }) {
  return unit && element('span', { class: 'hidden' }, `, ${text(`unit.${unit}`)}`);
}

export function boxed({ unit }, ...content) {
  return element('div', { class: 'box' }, content,
    unit && element('span', { class: 'unit', 'aria-hidden': true }, unit));
}

/** `written` turns a value into what the field shows. */
export function textInput({ id, value }, written, attributes) {
  const input = element('input', { id, autocomplete: 'off', spellcheck: 'false', ...attributes });
  const shown = () => written(value());
  const write = () => {
    input.value = shown();
  };
  input.addEventListener('blur', write);
  return { input, write, shown };
}

function stepper({ field, label }, control, [minus, plus]) {
  const [less, more] = [[minus, 'fewer'], [plus, 'more']].map(([sign, key]) =>
    element('button', {
      type: 'button', class: 'step', 'aria-label': text(`${key}.${field.kind}`, { field: label }),
    }, sign));
  return { ...control, content: boxed(field, less, control.input, more), less, more };
}

/** What is in a field of each kind; other modules add kinds. */
export const CONTROLS = {
  amount(row) {
    const control = textInput(row, (amount) => writeNumber(amount, language, true), { inputmode: 'text' });
    return { ...control, content: boxed(row.field, control.input) };
  },

  integer(row) {
    const { field, value } = row;
    const [minimum, maximum] = field.range;
    const attributes = { inputmode: 'numeric', role: 'spinbutton', 'aria-valuemin': minimum, 'aria-valuemax': maximum };
    const control = stepper(row, textInput(row, (number) => number, attributes), ['−', '+']);
    const write = () => {
      control.write();
      const number = Number(value());
      control.input.setAttribute('aria-valuenow', number);
      control.less.ariaDisabled = number <= minimum;
      control.more.ariaDisabled = number >= maximum;
    };
    return { ...control, write };
  },

  /** A text, because not every browser has a control for months, and none of those speaks the page's language. */
  month(row) {
    const placeholder = writeMonth(new Date().toISOString().slice(0, 7));
    return stepper(row, textInput(row, writeMonth, { placeholder }), ['‹', '›']);
  },

  choice({ id, field, value, change }) {
    const radios = field.options.map((option) =>
      element('input', { type: 'radio', name: id, value: option, onchange: () => change(option) }));
    const write = () => radios.forEach((radio) => {
      radio.checked = value() === radio.value;
    });
    const content = element('div', { class: 'choice', '--count': field.columns ?? radios.length }, radios.map((radio) =>
      element('label', {}, radio, element('span', {}, text(`${field.name}.${radio.value}`) ?? text(radio.value)))));
    return { content, write };
  },

  flag({ id, value, change }) {
    const input = element('input', { id, type: 'checkbox', onchange: () => change(String(input.checked)) });
    const write = () => {
      input.checked = value() === 'true';
    };
    return { content: input, write };
  },
};
