import { MONTH } from '../tax/contract.ts';
import { currentPeriod } from './calculation.ts';
import { type Attributes, type Child, element } from './dom.ts';
import { NUMBER, SEPARATORS, writeMonth, writeNumber } from './numbers.ts';
import { displacesGroups, monthsOf, READ, readInteger, readTerm, yearsOf } from './reading.ts';
import { bounded, type Field, type Kind } from './request.ts';
import { addTexts, format, language, text } from './texts.ts';

addTexts(`
flag.true | yes | có
flag.false | no | không
`);

/** A field of a form, and its value there. */
export interface Row {
  readonly id: string;
  readonly field: Field;
  readonly label: string;
  readonly value: () => string;
  readonly change: (value: string) => void;
}

/** The nodes that show and change the value of a field. */
export interface Control {
  readonly content: HTMLElement;
  /** Shows the value anew. */
  readonly write: () => void;
  /** Adapts to a changed value, without changing what is typed. */
  readonly update?: () => void;
}

interface TextInput extends Control {
  readonly input: HTMLInputElement;
}

/** Creates an input with its unit; `written` formats a value. */
function textInput(
  { id, field, value, change }: Row,
  written: (value: string) => string,
  attributes: Attributes = {},
  [less, more]: readonly Child[] = [],
): TextInput {
  let before = ''; // the text of the input before the next edit
  const write = (): void => {
    input.value = written(value());
    before = input.value;
  };
  const oninput = (event: Event): void => {
    const isAmount = field.kind === 'amount' && bounded(input.value) === input.value;
    // An input method inserts its text again if the value changes while it composes.
    const isEdit = event instanceof InputEvent && !event.isComposing;
    const digits = isAmount && isEdit && group(input, before, value(), event);
    before = bounded(input.value);
    change(READ[field.kind](digits || before, language));
  };
  const input = element('input', {
    id,
    spellcheck: 'false',
    oninput,
    onblur: write,
    ...attributes,
  });
  const unit = field.unit && element('span.unit', { 'aria-hidden': 'true' }, field.unit);
  return { input, write, content: element('div.box', less, input, more, unit) };
}

/**
 * Sets the separators of thousands after an edit of digits, and returns the digits; the caret stays
 * after its digit. The zeros that a deletion leaves, such as those of 5.000.000, stay for another
 * first digit: with separators, they would be read as decimals.
 */
function group(
  input: HTMLInputElement,
  before: string,
  value: string,
  edit: InputEvent,
): string | undefined {
  const isPlain = /^\d{4,}$/.test(input.value);
  if (!isPlain && !displacesGroups(before, value, edit)) return undefined;
  const typed = input.value.replace(/[.,]/g, '');
  const isDeletion = /^delete/.test(edit.inputType);
  const digits = isDeletion ? typed : typed.replace(/^0+(?=\d)/, '');
  const caret = input.selectionStart ?? input.value.length;
  const digitsBefore =
    input.value.slice(0, caret).replace(/\D/g, '').length - (typed.length - digits.length);
  input.value = digits.replace(/\B(?=(?:\d{3})+$)/g, SEPARATORS[language].group);
  let at = 0;
  for (let seen = 0; seen < digitsBefore; at += 1) {
    if (/\d/.test(input.value[at] ?? '')) seen += 1;
  }
  input.setSelectionRange(at, at);
  return digits;
}

/** The value of a field as a person writes it; an invalid one stays as it is. */
export function wordsOf(field: Field, value: string): string {
  const { kind, name } = field;
  if (kind === 'month') return MONTH.test(value) ? format.month(value) : value;
  if (kind === 'amount') return NUMBER.test(value) ? format.dong(Number(value)) : value;
  if (kind === 'flag') return text(`flag.${value}`) || value;
  return kind === 'choice' ? text(`${name}.${value}`) || text(value) || value : value;
}

/** The input of a whole number, which buttons and the arrow keys increase or decrease by one. */
function stepper(row: Row): Control {
  const { initial = '', range: [minimum, maximum] = [0, Infinity] } = row.field;
  const step = (direction: number): void => {
    const current = Number(/^\d+$/.test(row.value()) ? row.value() : initial || minimum);
    row.change(String(Math.min(maximum, Math.max(minimum, current + direction))));
    control.write();
  };
  const onkeydown = (event: KeyboardEvent): void => {
    if (event.key !== 'ArrowUp' && event.key !== 'ArrowDown') return;
    event.preventDefault();
    step(event.key === 'ArrowUp' ? 1 : -1);
  };
  const stepButton = (direction: number, sign: string): HTMLButtonElement => {
    const label = text(`step.${direction}`, { label: row.label });
    const onclick = (): void => step(direction);
    return element('button.step', { type: 'button', 'aria-label': label, onclick }, sign);
  };
  const [less, more] = [stepButton(-1, '−'), stepButton(1, '+')];
  const spin = { role: 'spinbutton', 'aria-valuemin': minimum, 'aria-valuemax': maximum };
  const attributes = { inputmode: 'numeric', ...spin, onkeydown };
  const control = textInput(row, String, attributes, [less, more]);
  const update = (): void => {
    const number = Number(row.value());
    control.input.setAttribute('aria-valuenow', String(number));
    less.setAttribute('aria-disabled', String(number <= minimum));
    more.setAttribute('aria-disabled', String(number >= maximum));
  };
  return { ...control, update };
}

/** A choice with more options is a select. */
const MOST_RADIOS = 4;

function selectOf({ id, field, value, change }: Row): Control {
  const options = (field.options ?? []).map((option) =>
    element('option', { value: option }, wordsOf(field, option)),
  );
  const content: HTMLSelectElement = element(
    'select',
    { id, onchange: () => change(content.value) },
    options,
  );
  const write = (): void => {
    content.value = value();
  };
  return { content, write };
}

function radiosOf({ id, field, value, change }: Row): Control {
  const { options = [], columns = options.length } = field;
  const radios = options.map((option) =>
    element('input', { type: 'radio', name: id, value: option, onchange: () => change(option) }),
  );
  const write = (): void => {
    for (const radio of radios) radio.checked = value() === radio.value;
  };
  const content = element(
    'div.choice',
    { '--count': columns },
    radios.map((radio) => element('label', radio, element('span', wordsOf(field, radio.value)))),
  );
  return { content, write };
}

/** By the kind of a field. */
export const CONTROLS: Readonly<Record<Kind, (row: Row) => Control>> = {
  amount: (row) =>
    textInput(row, (amount) => writeNumber(amount, language, true), { inputmode: 'decimal' }),

  decimal: (row) => textInput(row, (number) => writeNumber(number, language)),

  integer: stepper,

  /** A text: no browser's control for months speaks the language of the page. */
  month: (row) => {
    const { isExtra, isRequired } = row.field;
    const placeholder = isExtra || isRequired ? '' : writeMonth(currentPeriod());
    return textInput(row, writeMonth, { placeholder });
  },

  choice: (row) => ((row.field.options ?? []).length > MOST_RADIOS ? selectOf : radiosOf)(row),

  flag({ id, value, change }) {
    const content: HTMLInputElement = element('input', {
      id,
      type: 'checkbox',
      onchange: () => change(String(content.checked)),
    });
    const write = (): void => {
      content.checked = value() === 'true';
    };
    return { content, write };
  },

  /** Years and months. A value that is not a whole number of months stays in the first input. */
  term({ id, value, change }) {
    const years = element('input', { id, inputmode: 'decimal' });
    const months = element('input', { id: `${id}-months`, inputmode: 'numeric' });
    const write = (): void => {
      const whole = monthsOf(value());
      const isTerm = whole !== undefined && whole >= 0;
      years.value = isTerm ? String(Math.floor(whole / 12)) : writeNumber(value(), language);
      months.value = isTerm ? String(whole % 12) : '';
    };
    const content = element(
      'div.pair',
      {
        oninput: () => change(joined(bounded(years.value), bounded(months.value))),
        onfocusout: write, // twelve months become a year
      },
      element('label.box', years, element('span.unit', text('unit.years'))),
      element('label.box', months, element('span.unit', text('unit.months'))),
    );
    return { content, write };
  },

  text({ id, value, change }) {
    const content: HTMLTextAreaElement = element('textarea', {
      id,
      rows: 7,
      spellcheck: 'false',
      autocapitalize: 'off',
      oninput: () => change(content.value),
    });
    const write = (): void => {
      content.value = value();
    };
    return { content, write };
  },
};

/** The term of the two inputs; a text in the first one, such as 18 months, is all of it. */
function joined(years: string, months: string): string {
  const read = readTerm(years);
  if (read !== years && !/^[\d.,\s]*$/.test(years)) return read;
  const total = monthsOf(read === '' ? '0' : read);
  const more = readInteger(months);
  if (more === '' || more === '0') return read;
  if (total === undefined || !/^\d{1,4}$/.test(more)) return `${years} + ${months}`;
  return yearsOf(total + Number(more));
}
