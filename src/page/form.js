import { disclosure, element, explained } from './dom.js';
import { writeMonth, writeNumber } from './numbers.js';
import { displacesGroups, READ } from './reading.js';
import { isSet, isUsed } from './request.js';
import { format, language, text } from './texts.js';

/** Writes into `values`. `showProblems` returns the fields that have problems, and the problems of no field. */
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
  const setExtras = element('span');
  const update = () => {
    for (const { node, field, control } of rows) {
      node.hidden = !isUsed(field, values);
      control.update?.();
    }
    const set = extras.filter(({ node, field }) => !node.hidden && isSet(field, values[field.name]));
    setExtras.textContent = set.length > 0 ? `: ${format.list(set.map(({ label }) => label))}` : '';
  };
  update();
  const more = extras.length > 0
    && disclosure(id, [text('moreOptions'), setExtras], () => extras.map(({ node }) => node));
  const onsubmit = (event) => {
    event.preventDefault();
    submitted();
  };
  const node = element('form', { autocomplete: 'off', onsubmit },
    rows.filter((row) => !extras.includes(row)).map((row) => row.node), more,
    element('button', { hidden: '' })); // so that Enter submits
  return {
    node,
    showProblems(problems, messageOf) {
      const invalid = rows.filter(({ field, showMessages }) => showMessages(problems
        .filter((problem) => problem.field === field.name).map((problem) => messageOf(problem, field, values))));
      if (invalid.some((row) => extras.includes(row))) more.open = true;
      return { invalid, others: problems.filter(({ field }) => !(field in values)) };
    },
    /** Shows the values anew, except where one types. */
    refresh() {
      for (const { node, control } of rows) if (!node.contains(document.activeElement)) control.write();
      update();
    },
  };
}

function createRow(row) {
  const { id, field: { name, kind, unit, isExplained, isRequired, label: key = name } } = row;
  const label = text(key);
  const hint = element('p.hint', { id: `${id}-hint` }, text(`hint.${name}`));
  const error = element('p.error', { id: `${id}-error` });
  const control = CONTROLS[kind]({ ...row, label });
  control.write();
  const [, ...help] = isExplained ? explained(label, name) : [];
  const spokenUnit = unit && element('span.hidden', `, ${text(`unit.${unit}`)}`);
  const node = kind === 'choice' || kind === 'term'
    ? element('fieldset.field', { role: kind === 'choice' && 'radiogroup' }, element('legend', label, help))
    : element(`div.field.${kind}`, element('div.head', element('label', { for: id }, label, spokenUnit), help));
  node.append(control.content, hint, error);
  const target = node.querySelector(`#${id}`) ?? node;
  if (isRequired) target.ariaRequired = true;
  const showMessages = (messages) => {
    error.textContent = messages.join(' ');
    const notes = [hint, error].filter(({ textContent }) => textContent !== '');
    target.setAttribute('aria-describedby', notes.map((note) => note.id).join(' '));
    target.ariaInvalid = messages.length > 0;
    return messages.length > 0;
  };
  showMessages([]);
  return { ...row, label, node, control, showMessages, focus: () => node.querySelector('input, textarea').focus() };
}

/** `written` formats a value for its field. */
export function textInput({ id, field, value, change }, written, attributes, less, more) {
  let before; // the text that an edit changes, as it was read
  const write = () => {
    input.value = written(value());
    before = input.value;
  };
  const oninput = (event) => {
    const isDisplaced = field.kind === 'amount' && displacesGroups(before, value(), event);
    before = isDisplaced ? input.value.replace(/[.,]/g, '') : input.value;
    change(READ[field.kind](before, language));
  };
  const input = element('input', {
    id, spellcheck: 'false', oninput, onblur: write, ...attributes,
  });
  const unit = field.unit && element('span.unit', { 'aria-hidden': true }, field.unit);
  return { input, write, content: element('div.box', less, input, more, unit) };
}

/** By the kind of a field; other modules add kinds. */
export const CONTROLS = {
  amount: (row) => textInput(row, (amount) => writeNumber(amount, language, true)),

  /** The buttons and the arrow keys up and down take a step. */
  integer(row) {
    const { field: { initial, range: [minimum, maximum] }, label } = row;
    const step = (direction) => {
      const current = Number(/^\d+$/.test(row.value()) ? row.value() : initial || minimum);
      row.change(String(Math.min(maximum, Math.max(minimum, current + direction))));
      control.write();
    };
    const onkeydown = (event) => {
      const direction = { ArrowUp: 1, ArrowDown: -1 }[event.key];
      if (direction === undefined) return;
      event.preventDefault();
      step(direction);
    };
    const [less, more] = [[-1, '−'], [1, '+']].map(([direction, sign]) => element('button.step', {
      type: 'button', 'aria-label': text(`step.${direction}`, { label }), onclick: () => step(direction),
    }, sign));
    const attributes = {
      inputmode: 'numeric', role: 'spinbutton', 'aria-valuemin': minimum, 'aria-valuemax': maximum, onkeydown,
    };
    const control = textInput(row, (number) => number, attributes, less, more);
    const update = () => {
      const number = Number(row.value());
      control.input.ariaValueNow = number;
      less.ariaDisabled = number <= minimum;
      more.ariaDisabled = number >= maximum;
    };
    return { ...control, update };
  },

  /** A text: not every browser has a control for months, and none of those speaks the page's language. */
  month: (row) => textInput(row, writeMonth, { placeholder: writeMonth(new Date().toISOString().slice(0, 7)) }),

  choice({ id, field: { name, options, columns = options.length }, value, change }) {
    const radios = options.map((option) =>
      element('input', { type: 'radio', name: id, value: option, onchange: () => change(option) }));
    const write = () => radios.forEach((radio) => {
      radio.checked = value() === radio.value;
    });
    const content = element('div.choice', { '--count': columns }, radios.map((radio) =>
      element('label', radio, element('span', text(`${name}.${radio.value}`) ?? text(radio.value) ?? radio.value))));
    return { content, write };
  },

  flag({ id, value, change }) {
    const content = element('input', { id, type: 'checkbox', onchange: () => change(String(content.checked)) });
    const write = () => {
      content.checked = value() === 'true';
    };
    return { content, write };
  },
};
