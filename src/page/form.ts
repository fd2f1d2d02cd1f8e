import type { Problem } from '../contract/failure.ts';
import { currentPeriod } from './calculation.ts';
import { type Control, CONTROLS, type Row, wordsOf } from './controls.ts';
import { button, type Child, disclosure, element } from './dom.ts';
import { messageOf } from './messages.ts';
import { scaledUp } from './reading.ts';
import { type Field, isPart, isSet, isUsed, type Presets, type Values } from './request.ts';
import { explanation } from './terms.ts';
import { addTexts, format, text } from './texts.ts';

addTexts(`
more.taxation | Tax status, insurance, more options | Cách tính thuế, bảo hiểm, tùy chọn khác
more.self_months | More deductions | Các khoản giảm trừ khác
more.compounding | Compounding, deposits, table | Nhập lãi, gửi thêm, bảng
change | change | thay đổi
meant | Did you mean {amount}? | Ý bạn là {amount}?
phrase.income | {value} | {value}
phrase.type | {value} | {value}
phrase.period | {value} | Tháng {value}
phrase.region | Region {value} | Vùng {value}
phrase.dependents | Dependents: {value} | Người phụ thuộc: {value}
phrase.exempt_income | Tax-free: {value} | Miễn thuế: {value}
`);

interface FormOptions {
  readonly values: Values;
  readonly presets?: Presets | undefined;
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

/** A part of the form besides plain rows, which adapts to the values. */
interface Part {
  readonly node: HTMLElement;
  readonly rows: readonly FormRow[];
  readonly update: () => void;
}

/** The width from which the form stands beside the answer, and paper, which has all fields. */
export const WIDE = '(min-width: 60rem), print';

/** Creates the form of fields. */
export function createForm(id: string, fields: readonly Field[], options: FormOptions): Form {
  return new Form(id, fields, options);
}

/** A form whose fields write into values. */
export class Form {
  readonly node: HTMLFormElement;
  private readonly options: FormOptions;
  private readonly rows: readonly FormRow[];
  private readonly parts: readonly Part[];

  constructor(id: string, fields: readonly Field[], options: FormOptions) {
    this.options = options;
    const { presets = {}, values, submitted } = options;
    this.rows = fields.map((field) => this.createRow(`${id}-${field.name}`, field));
    const extras = this.rows.filter(({ field }) => field.isExtra);
    const folded = this.rows.filter(({ field }) => field.isFolded);
    const plain = this.rows.filter((row) => !extras.includes(row) && !folded.includes(row));
    const more = createMore(`${id}.more`, extras);
    const chosen = (preset: Values): void => {
      Object.assign(values, preset);
      this.refresh();
      more.node.setAttribute('open', '');
      setTimeout(() => usual.node.scrollIntoView()); // when the rows are there
      options.edited();
    };
    const usual = createPresets(presets, values, chosen);
    this.parts = [createFold(folded), usual, more].filter(({ node }) => !node.hidden);
    const onsubmit = (event: Event): void => {
      event.preventDefault();
      submitted();
    };
    this.node = element(
      'form',
      { autocomplete: 'off', novalidate: '', onsubmit },
      [...plain, ...this.parts].map(({ node }) => node),
      // Without a button, Enter submits no form of several fields.
      element('button', { hidden: '' }),
    );
    this.update();
  }

  /** Shows the problems beside their fields; returns those fields, and the other problems. */
  showProblems(problems: readonly Problem[]): {
    readonly invalid: readonly FormRow[];
    readonly others: readonly Problem[];
  } {
    const { values } = this.options;
    const invalid = this.rows.filter(({ field, showMessages }) =>
      showMessages(
        problems
          .filter((problem) => problem.field === field.name)
          .map((problem) => messageOf(problem, field, values)),
      ),
    );
    for (const { rows, node } of this.parts) {
      if (invalid.some((row) => rows.includes(row))) node.setAttribute('open', '');
    }
    return { invalid, others: problems.filter(({ field }) => !(field in values)) };
  }

  /** The amounts that must be confirmed before they are calculated with. */
  doubts(): Problem[] {
    return this.rows
      .filter(({ field, value }) => isUsed(field, this.options.values) && isDoubtful(value()))
      .filter(({ field }) => field.least !== undefined)
      .map(({ field: { name } }) => ({ field: name, code: 'malformed', message: name }));
  }

  /** Shows the values anew, except where one types. */
  refresh(): void {
    for (const row of this.rows) {
      if (!row.node.contains(document.activeElement)) row.control.write();
    }
    this.update();
  }

  private createRow(id: string, field: Field): FormRow {
    const { values, edited } = this.options;
    const { name, label = name } = field;
    return createRow({
      id,
      field,
      label: text(label),
      value: () => values[name] ?? '',
      change: (value) => {
        if (value === values[name]) return;
        values[name] = value;
        this.update();
        edited();
      },
    });
  }

  private update(): void {
    for (const row of this.rows) {
      row.node.hidden = !isUsed(row.field, this.options.values);
      row.update();
    }
    for (const part of this.parts) part.update();
  }
}

/** The rows of further options, folded. Their summary names the subject, and the options that are set. */
function createMore(key: string, rows: readonly FormRow[]): Part {
  const names = element('span');
  const about = text(`more.${rows[0]?.field.name}`);
  const node = disclosure(key, [about, names], () => rows.map((row) => row.node));
  node.hidden = rows.length === 0;
  const update = (): void => {
    const set = rows.filter((row) => !row.node.hidden && isSet(row.field, row.value()));
    names.textContent = set.length === 0 ? '' : `: ${format.list(set.map(({ label }) => label))}`;
  };
  return { node, rows, update };
}

/** On a phone, one line with their values in place of the rows, which it opens. */
function createFold(rows: readonly FormRow[]): Part {
  const values = element('span');
  const node = element(
    'details.fold',
    { open: matchMedia(WIDE).matches && '', hidden: rows.length === 0 && '' },
    element('summary', values, element('span.change', text('change'))),
    element(
      'div.folded',
      rows.map((row) => row.node),
    ),
  );
  const update = (): void => {
    const shown = rows.filter(({ node, field, value }) => !node.hidden && valueOf(field, value()));
    // Each phrase stays on one line.
    const phrases = shown.map(({ field, value }) =>
      phraseOf(field, value()).replace(/ /g, '\u00a0'),
    );
    values.textContent = phrases.join(' · ');
  };
  return { node, rows, update };
}

/** The names of the presets that have the values: several, if they are calculated alike. */
export function presetsIn(presets: Presets, values: Values): string[] {
  return Object.keys(presets).filter((name) => isPart(presets[name] ?? {}, values));
}

/** Buttons that set several fields, and explanations of those whose values are set. */
function createPresets(presets: Presets, values: Values, choose: (one: Values) => void): Part {
  const why = element('p.hint');
  const buttons = Object.entries(presets).map(([name, preset]) => {
    const node = button(text(`who.${name}`), () => choose(preset));
    return { name, node };
  });
  const update = (): void => {
    const names = presetsIn(presets, values);
    for (const { name, node } of buttons) {
      node.setAttribute('aria-pressed', String(names.includes(name)));
    }
    why.textContent = names.map((name) => text(`why.${name}`)).join(' ');
  };
  const node = element(
    'div.field.presets',
    { role: 'group', 'aria-label': text('who'), hidden: buttons.length === 0 && '' },
    element('span.label', text('who')),
    element(
      'div',
      buttons.map((one) => one.node),
    ),
    why,
  );
  return { node, rows: [], update };
}

/** The value of a field, or the one that the service takes for an empty one. */
function valueOf({ name, initial = '' }: Field, value: string): string {
  return value || (name === 'period' ? currentPeriod() : initial);
}

/** A field with its value in a few words, such as `Region II`. */
export function phraseOf(field: Field, value: string): string {
  const { name, label = name } = field;
  const words = wordsOf(field, valueOf(field, value)) || '–';
  return text(`phrase.${name}`, { value: words }) || `${text(label)}: ${words}`;
}

/** An amount of đồng below a million with decimals, such as 32.5. */
function isDoubtful(value: string): boolean {
  return /^\d{1,6}\.\d+$/.test(value);
}

function createRow(row: Row): FormRow {
  const { id, label, field } = row;
  const { name, kind, unit, isExplained, isRequired } = field;
  const hint = element('p.hint', { id: `${id}-hint` }, text(`hint.${name}`));
  const error = element('p.error', { id: `${id}-error` });
  const question = element('p.question', { id: `${id}-question` });
  const control = CONTROLS[kind](row);
  control.write();
  const help = isExplained && explanation(name, label);
  const spokenUnit = unit && element('span.hidden', `, ${text(`unit.${unit}`)}`);
  const node = createField(row, control.content, [label, spokenUnit], help);
  node.append(control.content, question, hint, error);
  const target = node.querySelector(`#${id}`) ?? node;
  if (isRequired) target.setAttribute('aria-required', 'true');
  const focus = (): void => node.querySelector<HTMLElement>('input, select, textarea')?.focus();
  const update = (): void => {
    node.classList.toggle('empty', row.value() === '');
    control.update?.();
    ask(row, question, () => {
      control.write();
      focus();
    });
  };
  const showMessages = createMessages(node, target, [hint, question, error]);
  return { ...row, node, control, showMessages, update, focus };
}

/** Shows the messages of a field at its control, or group of controls, which its notes describe. */
function createMessages(
  node: HTMLElement,
  target: Element,
  notes: readonly [hint: HTMLElement, question: HTMLElement, error: HTMLElement],
): FormRow['showMessages'] {
  const [, , error] = notes;
  target.setAttribute('aria-describedby', notes.map(({ id }) => id).join(' '));
  const show = (messages: readonly string[]): boolean => {
    const isInvalid = messages.length > 0;
    error.textContent = messages.join(' ');
    target.setAttribute('aria-invalid', String(isInvalid));
    node.classList.toggle('invalid', isInvalid);
    return isInvalid;
  };
  show([]);
  return show;
}

/** A group of inputs has a name of its own, which does not contain the button of the help. */
function createField(
  { id, field: { kind } }: Row,
  control: HTMLElement,
  label: Child,
  help: Child,
): HTMLElement {
  if (kind !== 'term' && !control.matches('.choice')) {
    const head = element('div.head', element('label', { for: id }, label), help);
    return element(kind === 'flag' ? 'div.field.flag' : 'div.field', head);
  }
  const role = kind === 'choice' ? 'radiogroup' : 'group';
  const name = element('span.label', { id: `${id}-label` }, label);
  const head = element('div.head', name, help);
  return element('div.field', { role, 'aria-labelledby': name.id }, head);
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
