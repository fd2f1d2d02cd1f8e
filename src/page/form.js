import { disclosure, element, explained } from './dom.js';
import { writeMonth, writeNumber } from './numbers.js';
import { isSet, isUsed } from './request.js';
import { format, language, text } from './texts.js';

/**
 * A form, which writes into `values` and calls `edited` after each change. `showProblems` returns the fields that have
 * problems, and the problems of no field.
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
  const node = element('form', { id: `${id}-form`, novalidate: '', autocomplete: 'off', onsubmit },
    rows.filter((row) => !extras.includes(row)).map((row) => row.node), more,
    element('button', { hidden: '' })); // without which Enter does nothing
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
  // The sign in the box is for the eyes, the word for the ears.
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

let typing; // a module, which the first answer does without
let loading; // shared, so that edits are read in their order

export async function loadTyping() {
  loading ??= import('./typing.js').catch((error) => {
    loading = undefined;
    throw error;
  });
  typing = await loading;
}

/** `written` turns a value into what the field shows. */
export function textInput({ id, field, value, change }, written, attributes, less, more) {
  const write = () => {
    input.value = written(value());
    input.dataset.written = input.value;
  };
  const oninput = async (event) => {
    if (!typing) await loadTyping(); // once it is there, each edit is read before the next
    change(typing.TYPED[field.kind](input, event));
  };
  const input = element('input', {
    id, autocomplete: 'off', spellcheck: 'false', oninput, onblur: write, ...attributes,
  });
  const unit = field.unit && element('span.unit', { 'aria-hidden': true }, field.unit);
  return { input, write, content: element('div.box', less, input, more, unit) };
}

/** The buttons and the arrow keys up and down take a step. */
function stepper(row, signs, written, attributes) {
  const { field: { kind }, label } = row;
  const step = async (direction) => {
    await loadTyping();
    row.change(typing.STEPPED[kind](row.value(), direction, row.field));
    control.write();
  };
  const onkeydown = (event) => {
    const direction = { ArrowUp: 1, ArrowDown: -1 }[event.key];
    if (direction === undefined) return;
    event.preventDefault();
    step(direction);
  };
  const [less, more] = [-1, 1].map((direction, index) => element('button.step', {
    type: 'button', 'aria-label': text(`step.${kind}.${direction}`, { label }), onclick: () => step(direction),
  }, signs[index]));
  const control = textInput(row, written, { ...attributes, onkeydown }, less, more);
  return { ...control, less, more };
}

/** By the kind of a field; other modules add kinds. */
export const CONTROLS = {
  amount: (row) => textInput(row, (amount) => writeNumber(amount, language, true)),

  integer(row) {
    const [minimum, maximum] = row.field.range;
    const attributes = { inputmode: 'numeric', role: 'spinbutton', 'aria-valuemin': minimum, 'aria-valuemax': maximum };
    const control = stepper(row, '−+', (number) => number, attributes);
    const update = () => {
      const number = Number(row.value());
      control.input.ariaValueNow = number;
      control.less.ariaDisabled = number <= minimum;
      control.more.ariaDisabled = number >= maximum;
    };
    return { ...control, update };
  },

  /** A text: not every browser has a control for months, and none of those speaks the page's language. */
  month: (row) => stepper(row, '‹›', writeMonth, { placeholder: writeMonth(new Date().toISOString().slice(0, 7)) }),

  choice({ id, field: { name, options, columns = options.length }, value, change }) {
    const radios = options.map((option) =>
      element('input', { type: 'radio', name: id, value: option, onchange: () => change(option) }));
    const write = () => radios.forEach((radio) => {
      radio.checked = value() === radio.value;
    });
    const content = element('div.choice', { '--count': columns }, radios.map((radio, index) => {
      const option = options[index];
      return element('label', radio, element('span', text(`${name}.${option}`) ?? text(option) ?? option));
    }));
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
