import type { Problem } from '../contract/failure.ts';
import { currentPeriod } from './calculation.ts';
import { type Control, CONTROLS, type Row } from './controls.ts';
import { button, type Child, disclosure, element, explained } from './dom.ts';
import { messageOf } from './messages.ts';
import { writeMonth } from './numbers.ts';
import { scaledUp } from './reading.ts';
import { type Field, isSet, isUsed, type Values } from './request.ts';
import { addTexts, format, text } from './texts.ts';

addTexts(`
moreOptions | More options | Tùy chọn khác
change | change | thay đổi
meant | Did you mean {amount}? | Ý bạn là {amount}?
folded.period | {value} | Tháng {value}
folded.region | Region {value} | Vùng {value}
folded.dependents | Dependents: {value} | Người phụ thuộc: {value}
`);

/** A form whose fields write into values. */
export interface Form {
  readonly node: HTMLFormElement;
  /** Shows the problems beside their fields; returns those fields, and the other problems. */
  readonly showProblems: (problems: readonly Problem[]) => {
    readonly invalid: readonly FormRow[];
    readonly others: readonly Problem[];
  };
  /** The amounts that must be confirmed before they are calculated with. */
  readonly doubts: () => Problem[];
  /** Shows the values anew, except where one types. */
  readonly refresh: () => void;
}

interface FormOptions {
  readonly values: Values;
  readonly edited: () => void;
  readonly submitted: () => void;
}

/** A field with its label, control and messages. */
interface FormRow extends Row {
  readonly node: HTMLElement;
  readonly control: Control;
  readonly showMessages: (messages: readonly string[]) => boolean;
  readonly update: () => void;
  readonly focus: () => void;
}

/** The width from which the form stands beside the answer, and paper, which has all fields. */
const WIDE = '(min-width: 60rem), print';

/** Creates the form of fields. */
export function createForm(id: string, fields: readonly Field[], options: FormOptions): Form {
  const { values, edited, submitted } = options;
  const rows = fields.map((field) =>
    createRow({
      id: `${id}-${field.name}`,
      field,
      label: text(field.label ?? field.name),
      value: () => values[field.name] ?? '',
      change(value) {
        if (value === values[field.name]) return;
        values[field.name] = value;
        update();
        edited();
      },
    }),
  );
  const extras = rows.filter(({ field }) => field.isExtra);
  const folded = rows.filter(({ field }) => field.isFolded);
  const setExtras = element('span');
  const foldedValues = element('span');
  const update = (): void => {
    for (const row of rows) {
      row.node.hidden = !isUsed(row.field, values);
      row.update();
    }
    const set = extras.filter(
      ({ node, field }) => !node.hidden && isSet(field, values[field.name]),
    );
    const labels = format.list(set.map(({ label }) => label));
    setExtras.textContent = labels === '' ? '' : `: ${labels}`;
    foldedValues.textContent = folded
      .filter(({ node }) => !node.hidden)
      .map(({ field, value }) => foldedValue(field, value()))
      .join(' · ');
  };
  const more = disclosure(id, [text('moreOptions'), setExtras], () =>
    extras.map(({ node }) => node),
  );
  const fold = createFold(folded, foldedValues);
  update();
  const onsubmit = (event: Event): void => {
    event.preventDefault();
    submitted();
  };
  const plain = rows.filter((row) => !extras.includes(row) && !folded.includes(row));
  const node = element(
    'form',
    { autocomplete: 'off', novalidate: '', onsubmit },
    plain.map((row) => row.node),
    folded.length > 0 && fold,
    extras.length > 0 && more,
    element('button', { hidden: '' }),
  ); // so that Enter submits
  return {
    node,
    showProblems(problems) {
      const invalid = rows.filter(({ field, showMessages }) =>
        showMessages(
          problems
            .filter((problem) => problem.field === field.name)
            .map((problem) => messageOf(problem, field, values)),
        ),
      );
      if (invalid.some((row) => extras.includes(row))) more.open = true;
      if (invalid.some((row) => folded.includes(row))) fold.open = true;
      return { invalid, others: problems.filter(({ field }) => !(field in values)) };
    },
    doubts: () =>
      rows
        .filter(({ field, value }) => isUsed(field, values) && isDoubtful(value()))
        .filter(({ field }) => field.least !== undefined)
        .map(({ field: { name } }) => ({ field: name, code: 'malformed', message: name })),
    refresh() {
      for (const row of rows) {
        if (!row.node.contains(document.activeElement)) row.control.write();
      }
      update();
    },
  };
}

/** On a phone, one line in place of the fields, which it opens. */
function createFold(rows: readonly FormRow[], values: HTMLElement): HTMLDetailsElement {
  const node = element(
    'details.fold',
    element('summary', values, element('span.change', text('change'))),
    element(
      'div.folded',
      rows.map((row) => row.node),
    ),
  );
  const wide = matchMedia(WIDE);
  const adapt = (): void => {
    node.open = wide.matches;
  };
  wide.addEventListener('change', adapt);
  adapt();
  return node;
}

function foldedValue({ name, initial = '' }: Field, value: string): string {
  if (name === 'period') {
    return text('folded.period', { value: writeMonth(value === '' ? currentPeriod() : value) });
  }
  const shown = name === 'region' ? text(value) : value || initial;
  return text(`folded.${name}`, { value: shown });
}

/** An amount of đồng below a million with decimals, such as 32.5. */
function isDoubtful(value: string): boolean {
  return /^\d{1,6}\.\d+$/.test(value);
}

function createRow(row: Row): FormRow {
  const {
    id,
    label,
    field: { name, kind, unit, isExplained, isRequired },
  } = row;
  const hint = element('p.hint', { id: `${id}-hint` }, text(`hint.${name}`));
  const error = element('p.error', { id: `${id}-error` });
  const question = element('p.question');
  const control = CONTROLS[kind](row);
  control.write();
  const [, ...help] = isExplained ? explained(label, name) : [];
  const spokenUnit = unit && element('span.hidden', `, ${text(`unit.${unit}`)}`);
  const node = createField(row, [label, spokenUnit], help);
  node.append(control.content, question, hint, error);
  const target = node.querySelector(`#${id}`) ?? node;
  if (isRequired) target.setAttribute('aria-required', 'true');
  const showMessages = (messages: readonly string[]): boolean => {
    error.textContent = messages.join(' ');
    const notes = [hint, error].filter(({ textContent }) => textContent !== '');
    target.setAttribute('aria-describedby', notes.map((note) => note.id).join(' '));
    target.setAttribute('aria-invalid', String(messages.length > 0));
    node.classList.toggle('invalid', messages.length > 0);
    return messages.length > 0;
  };
  const focus = (): void => node.querySelector<HTMLElement>('input, textarea')?.focus();
  const update = (): void => {
    control.update?.();
    ask(row, question, () => {
      control.write();
      focus();
    });
  };
  showMessages([]);
  return { ...row, node, control, showMessages, update, focus };
}

/** A group of inputs has a name of its own, which does not contain the button of the help. */
function createField(
  { id, field: { kind } }: Row,
  label: Child,
  help: readonly Child[],
): HTMLElement {
  if (kind !== 'choice' && kind !== 'term') {
    const head = element('div.head', element('label', { for: id }, label), help);
    return element(`div.field.${kind}`, head);
  }
  return element(
    'div.field',
    {
      role: kind === 'choice' ? 'radiogroup' : 'group',
      'aria-labelledby': `${id}-label`,
    },
    element('div.head', element('span.label', { id: `${id}-label` }, label), help),
  );
}

/** Asks about an amount that is too small, or that two people would read as different amounts. */
function ask({ field, value, change }: Row, question: HTMLElement, written: () => void): void {
  const meant = field.least === undefined ? undefined : scaledUp(value(), field.least);
  if (meant === undefined) return question.replaceChildren();
  const label = text('meant', { amount: format.dong(BigInt(meant)) });
  question.replaceChildren(
    button(
      label,
      () => {
        change(meant);
        written();
      },
      'inline',
    ),
  );
}
