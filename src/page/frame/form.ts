/** The form of a calculator. */
import type { Problem } from '../../contract/failure.ts';
import { controlOf, type FieldRow, shortOf, wordsOf } from './controls.ts';
import { button, type Child, disclosure, element, showText } from './dom.ts';
import { messageOf } from './messages.ts';
import { isFraction, scaledUp, yearlyBelow } from './reading.ts';
import { type Field, isSet, isUsed, PLANS, type Values } from './request.ts';
import { addTexts, text } from './texts.ts';

addTexts(`
more.salary | Insured salary, bonus, meals… | Lương đóng bảo hiểm, thưởng, ăn ca…
meant.amount | Did you mean {amount}? | Ý bạn là {amount}?
meant.year | Is it per month? Use {amount} per year | Là số của một tháng? Dùng {amount}/năm
phrase.income | {value} | {value}
phrase.period | {value} | Tháng\u00a0{value}
phrase.region | Region\u00a0{value} | Vùng\u00a0{value}
phrase.exempt_income | Tax-free: {value} | Miễn thuế: {value}
phrase.insurance_salary | Insured on {value} | Đóng bảo hiểm theo mức {value}
unset.insurance_salary | the gross salary | lương gross
unset.paid_in | the salary month | tháng tính lương
unset.other | none | không có
`);

interface FormOptions {
  readonly values: Values;
  /** The name of the plan, and the values of the other one, if there are two. */
  readonly plan?: string | undefined;
  readonly beside?: Values;
  /** Receives each change of a value, and calls `show`. */
  readonly edited: () => void;
  readonly submitted: () => void;
}

/** A field with its label, control and messages. */
interface FormRow extends FieldRow {
  readonly node: HTMLElement;
  readonly show: (hint: string, messages: readonly string[], limit?: string) => void;
  readonly focus: () => void;
}

const nodeOf = ({ node }: FormRow): HTMLElement => node;

/** A form whose fields write into values. */
export class Form {
  readonly node: HTMLFormElement;
  readonly values: Values;
  private readonly options: FormOptions;
  private readonly rows: readonly FormRow[];
  private readonly extras: readonly FormRow[];
  /** Shows or hides the fields that follow it. */
  readonly more: HTMLDetailsElement;
  /** The values of the folded options. */
  private readonly phrases = element('span');

  constructor(view: string, fields: readonly Field[], options: FormOptions) {
    this.options = options;
    this.values = options.values;
    const id = [view, options.plan].filter(Boolean).join('-');
    this.rows = fields.map((field) => this.createRow(`${id}-${field.name}`, field));
    this.extras = this.rows.filter(({ field }) => field.isExtra);
    const plain = this.rows.filter((row) => !this.extras.includes(row));
    const about = element('span.more', text(`more.${view}`));
    this.more = disclosure(`${view}.more`, [this.phrases, about], () => []);
    const more = this.extras.length > 0 ? [this.more] : [];
    const nodes = [...plain.map(nodeOf), ...more, ...this.extras.map(nodeOf)];
    // The rows of two plans stand beside each other.
    nodes.forEach((node, index) => node.style.setProperty('--row', String(index + 2)));
    const onsubmit = (event: Event): void => {
      event.preventDefault();
      options.submitted();
    };
    // When a click has ended, because a control that moves under the pointer misses it.
    const use = ({ target }: Event): void => {
      for (const { node } of this.rows) {
        node.classList.toggle('used', target instanceof Node && node.contains(target));
      }
    };
    this.node = element(
      'form',
      {
        autocomplete: 'off',
        novalidate: '',
        'aria-label': options.plan,
        onsubmit,
        onclick: use,
        onkeyup: use,
      },
      nodes,
      // Without a button, Enter submits no form of several fields.
      element('button', { hidden: '' }),
    );
  }

  /**
   * Shows the values, except in the field that has the focus, and beside them their problems and limits; returns the
   * fields with problems. A required field that is empty shows that by itself.
   */
  show(problems: readonly Problem[] = [], limits: Values = {}): readonly FormRow[] {
    const { values, beside = values } = this.options;
    const invalid = this.rows.filter((row) => {
      const { field, node, value, show } = row;
      const isOwn = isUsed(field, values);
      node.hidden = !isOwn && !isUsed(field, beside);
      node.classList.toggle('unused', !isOwn);
      const own = problems.filter((problem) => problem.field === field.name);
      const shown = field.isRequired === true && value() === '' ? [] : own;
      const messages = shown.map((problem) => messageOf(problem, field, values));
      show(this.ownHintOf(row), [...new Set(messages)], limits[field.name]);
      return own.length > 0;
    });
    const isNoted = (row: FormRow): boolean => invalid.includes(row) || row.field.name in limits;
    if (this.extras.some(isNoted)) this.more.setAttribute('open', '');
    // Each phrase stays on one line.
    const folded = this.extras.map(({ field }) => field);
    const phrases = phrasesOf(folded, values).map((phrase) => phrase.replaceAll(' ', '\u00a0'));
    showText(this.phrases, phrases.join(' · '));
    return invalid;
  }

  /**
   * The problems of values that the service accepts: amounts with a part of a đồng, which it would round, and choices
   * that the list does not have.
   */
  problems(): Problem[] {
    return this.rows
      .filter(({ field }) => isUsed(field, this.options.values))
      .filter(({ field: { kind, options }, value }) =>
        kind === 'amount' ? isFraction(value()) : options?.includes(value()) === false,
      )
      .map(({ field: { name } }) => ({ field: name, code: 'malformed', message: name }));
  }

  private createRow(id: string, field: Field): FormRow {
    const { values, edited, plan } = this.options;
    const { name, label = name } = field;
    const row = {
      id,
      field,
      label: text(label),
      plan,
      value: () => values[name] ?? '',
      change: (value: string) => {
        if (value === values[name]) return;
        values[name] = value;
        edited();
      },
    };
    return createRow(row);
  }

  /** The hint of a field, which stands once if it is that of both plans. */
  private ownHintOf({ field }: FormRow): string {
    const { values, plan, beside = {} } = this.options;
    const hint = hintOf(field, values);
    const isAbove = plan === PLANS[1] && isUsed(field, beside) && hintOf(field, beside) === hint;
    return isAbove ? '' : hint;
  }
}

/** The phrases of the fields that are named. */
export function phrasesOf(fields: readonly Field[], values: Values): string[] {
  return fields
    .filter((field) => isUsed(field, values))
    .filter((field) => field.isNamed?.(values) ?? isSet(field, values[field.name]))
    .map((field) => phraseOf(field, values[field.name] ?? ''));
}

/** A field with its value in a few words, such as `Region II`; of a choice, the words before a comma or colon. */
function phraseOf(field: Field, value: string): string {
  const { kind, name, initial = '', label = name } = field;
  const words = wordsOf(field, value || initial) || text(`unset.${name}`) || text('unset.other');
  const short = kind === 'choice' ? shortOf(words) : words;
  const labelled = kind === 'choice' ? short : `${text(label)}: ${short}`;
  return text(`phrase.${label}`, { value: short }) || labelled;
}

function createRow(row: FieldRow): FormRow {
  const { id, label, field, plan } = row;
  const { unit, isRequired, isExtra } = field;
  const hint = element('p.hint', { id: `${id}-hint` });
  const limited = element('p.hint', { id: `${id}-limit` });
  const error = element('p.error', { id: `${id}-error` });
  const question = element('p.question', { id: `${id}-question` });
  const control = controlOf(row);
  const spoken = [unit && `(${text(`unit.${unit}`)})`, plan].filter(Boolean).join(' ');
  const node = createField(row, control.content, [
    label,
    spoken !== '' && element('span.hidden', spoken),
  ]);
  node.classList.toggle('extra', isExtra === true);
  const notes = [control.reading, question, limited, error].flatMap((note) => note ?? []);
  node.append(element('div.entry', control.content, notes), hint);
  const target = node.querySelector(`#${id}`) ?? node;
  target.setAttribute('aria-describedby', [...notes, hint].map((note) => note.id).join(' '));
  if (isRequired) target.setAttribute('aria-required', 'true');
  const focus = (): void => node.querySelector<HTMLElement>('input, select')?.focus();
  const show = (words: string, messages: readonly string[], limit = ''): void => {
    const isInvalid = messages.length > 0;
    target.setAttribute('aria-invalid', String(isInvalid));
    if (!node.contains(document.activeElement)) control.write();
    if (isInvalid) control.reading?.replaceChildren();
    node.classList.toggle('invalid', isInvalid);
    node.classList.toggle('empty', row.value() === '');
    showText(hint, words);
    showText(limited, limit);
    showText(error, messages.join(' '));
    ask(row, question, () => {
      control.write();
      focus();
    });
  };
  return { ...row, node, show, focus };
}

/** The explanation of a field; of a list, that of the chosen row. */
function hintOf({ kind, name, label = name, isBrief }: Field, values: Values): string {
  const why = kind === 'choice' && text(`why.${values[name]}`);
  return why || (isBrief === true ? '' : text(`hint.${label}`));
}

/** Creates the node of a field with its label; radio buttons are a group, which `<label>` cannot name. */
function createField({ id }: FieldRow, control: HTMLElement, label: Child): HTMLElement {
  if (!control.matches('.choice')) {
    const head = element('label', { for: id }, label);
    return element('div.field', head);
  }
  const name = element('span.label', { id: `${id}-label` }, label);
  return element('div.field', { role: 'radiogroup', 'aria-labelledby': name.id }, name);
}

/** Asks about a value that is too small for its unit or for a year, or that two people would read differently. */
function ask({ field, value, change }: FieldRow, question: HTMLElement, written: () => void): void {
  const { least = 0, leastPerYear = 0 } = field;
  const scaled = scaledUp(value(), least);
  const meant = scaled ?? yearlyBelow(value(), leastPerYear);
  if (meant === undefined) return showText(question, '');
  const key = scaled === undefined ? 'meant.year' : 'meant.amount';
  const label = text(key, { amount: wordsOf(field, meant) });
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
