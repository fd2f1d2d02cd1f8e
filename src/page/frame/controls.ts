/** The controls of fields. */
import { MONTH } from '../../tax/contract.ts';
import { element, showText } from './dom.ts';
import { NUMBER, SEPARATORS, writeMonth, writeNumber } from './numbers.ts';
import { monthsOf, READ } from './reading.ts';
import { bounded, type Field, type Kind } from './request.ts';
import { addTexts, format, language, text } from './texts.ts';

addTexts(`
example | such as {value} | ví dụ {value}
sign.% | %/year | %/năm
true | yes | có
false | no | không
`);

/** A field of a form, and its value there. */
export interface FieldRow {
  readonly id: string;
  readonly field: Field;
  readonly label: string;
  /** The name of its plan, if the field has half of the width, beside that of another plan. */
  readonly plan?: string | undefined;
  readonly value: () => string;
  readonly change: (value: string) => void;
}

/** The nodes that show and change the value of a field. */
export interface Control {
  readonly content: HTMLElement;
  /** How the page has read a text that it would write otherwise, such as `25tr5 = 25.500.000 ₫`. */
  readonly reading?: HTMLElement;
  /** Shows the value anew. */
  readonly write: () => void;
}

/** How an input shows a value, by the kind of its field; by default as it is. */
const WRITTEN: Partial<Record<Kind, (value: string) => string>> = {
  amount: (value) => writeNumber(value, language, true),
  rate: (value) => writeNumber(value, language),
  month: writeMonth,
  term: writeTerm,
};

/**
 * The keyboard of a phone, by the kind of the field. An input with `type=number` discards commas, so that 1,5 would
 * become 15, and one with `type=month` has the language of the browser, not that of the page.
 */
const KEYBOARDS: Partial<Record<Kind, string>> = { amount: 'decimal', integer: 'numeric' };

/**
 * Creates an input with its unit. A text stays as it is typed until the person leaves the input for another element,
 * and as long as it is refused: in another window, the input stays active, and typing continues later. The line with
 * its reading stays, too, unless the value is refused: a control that moves under the pointer misses the click. The
 * click that enters the input selects an example or a 0, which typing then replaces. As in a spreadsheet, a number has
 * no groups while it is edited: they are those of the page, and further digits would end up in the wrong ones.
 */
function textInput({ id, field, value, change }: FieldRow): Control {
  const { kind, unit, per, placeholder, example } = field;
  const { [kind]: written = String } = WRITTEN;
  const sign = unit && (text(`sign.${unit}`) || unit);
  const suffix = sign ? `\u00a0${sign}` : '';
  let isEntered = false; // by the click that follows
  let read = ''; // the value of the line with the reading
  const reading = element('p.reading', { id: `${id}-reading` });
  const write = (): void => {
    const isRefused = input.getAttribute('aria-invalid') === 'true';
    if (!isRefused || value() !== read) input.value = written(value());
    if (value() !== read) reading.replaceChildren();
  };
  const ungroup = (): void => {
    if (!NUMBER.test(value()) || input.value !== written(value())) return;
    const isSelected = input.selectionEnd !== input.selectionStart; // by the Tab key or a program
    input.value = input.value.replaceAll(SEPARATORS[language].group, '');
    if (isSelected) input.select();
  };
  const oninput = (): void => {
    const typed = bounded(input.value);
    read = READ[kind]?.(typed, language, per) ?? typed;
    const shown = written(read);
    reading.textContent = shown === typed ? '' : `${typed} = ${shown}${suffix}`;
    change(read);
  };
  const input: HTMLInputElement = element('input', {
    id,
    spellcheck: 'false',
    inputmode: KEYBOARDS[kind],
    placeholder: placeholder && text('example', { value: written(placeholder) }),
    onfocus() {
      isEntered = true;
      queueMicrotask(ungroup); // a selection by a program is restored after the event
    },
    oninput,
    onblur: () => document.activeElement !== input && write(),
    onclick() {
      if (isEntered && [example, '0'].includes(value())) input.select();
      isEntered = false;
    },
  });
  const shownUnit = sign && element('span.unit', { 'aria-hidden': 'true' }, sign);
  return { reading, write, content: element('div.box', input, shownUnit) };
}

/** How a number is written with its unit, by the kind of its field. */
const IN_WORDS: Partial<Record<Kind, (value: number) => string>> = {
  amount: format.dong,
  rate: format.percent,
  term: format.duration,
};

/** The value of a field as a person writes it; an invalid one stays as it is. */
export function wordsOf({ kind, name }: Field, value: string): string {
  if (kind === 'month') return MONTH.test(value) ? format.month(value) : value;
  if (kind === 'choice') return text(`${name}.${value}`) || text(value || 'same') || value;
  if (kind === 'flag') return text(value) || value;
  return (NUMBER.test(value) && IN_WORDS[kind]?.(Number(value))) || value;
}

/** The maximum number of options that are radio buttons; a longer list is a select. */
const MOST_RADIOS = 3;

/** Creates a select. It has an `aria-label`, because those of the payroll have no `<label>`. */
export function selectOf({ id, field, label, value, change }: FieldRow): Control {
  const options = (field.options ?? []).map((option) =>
    element('option', { value: option }, wordsOf(field, option)),
  );
  const content: HTMLSelectElement = element(
    'select',
    { id, 'aria-label': label, onchange: () => change(content.value) },
    options,
  );
  const write = (): void => {
    content.value = value();
  };
  write();
  return { content, write };
}

/** The words of a choice before a comma or colon. */
export function shortOf(words: string): string {
  return words.split(/[,:] /)[0] ?? words;
}

/**
 * Creates a list under its chosen row as a text, which wraps where a list would cut it; in a narrow field, in short.
 */
function listOf(row: FieldRow): Control {
  const list = selectOf(row);
  const shown = element('span', { 'aria-hidden': 'true' });
  const write = (): void => {
    list.write();
    const words = wordsOf(row.field, row.value());
    showText(shown, row.plan === undefined ? words : shortOf(words));
  };
  return { content: element('div.box.list', { onchange: write }, shown, list.content), write };
}

function radiosOf({ id, field, value, change }: FieldRow): Control {
  const { options = ['true', 'false'] } = field;
  const radios = options.map((option) =>
    element('input', { type: 'radio', name: id, value: option, onchange: () => change(option) }),
  );
  const write = (): void => {
    for (const radio of radios) radio.checked = value() === radio.value;
  };
  const content = element(
    'div.choice',
    radios.map((radio) => element('label', radio, element('span', wordsOf(field, radio.value)))),
  );
  return { content, write };
}

/** Creates the control of a field. */
export function controlOf(row: FieldRow): Control {
  const { kind, options = [] } = row.field;
  if (kind === 'flag') return radiosOf(row);
  if (kind !== 'choice') return textInput(row);
  return (row.plan !== undefined || options.length > MOST_RADIOS ? listOf : radiosOf)(row);
}

/** Writes a whole number of months as years and months; another value stays as it is. */
function writeTerm(value: string): string {
  const isTerm = (monthsOf(value) ?? 0) > 0;
  return isTerm ? format.duration(Number(value)) : writeNumber(value, language);
}
