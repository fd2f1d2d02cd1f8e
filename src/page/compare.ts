import type { TaxResult } from '../tax/contract.ts';
import { button, element } from './dom.ts';
import { createForm, type Form, phraseOf, presetsIn } from './form.ts';
import { adviceOn } from './messages.ts';
import type { Comparison, Memory, Values } from './request.ts';
import { AMOUNTS, calculateSalary, calculator, detailed, type Salary } from './salary.ts';
import { table } from './tables.ts';
import { addTexts, format, text } from './texts.ts';

addTexts(`
compareMonth | Compare months | So sánh các tháng
compareOffer | Compare offers | So sánh mức lương
this | This offer | Mức lương này
other | The other offer | Mức lương kia
difference | Difference | Chênh lệch
monthVerdict | {before}: {other} {kind}. {now}: {change}.
  | {before}: {other} {kind}. {now}: {change}.
change.1 | {difference} more | cao hơn {difference}
change.0 | the same | không chênh lệch
change.-1 | {difference} less | thấp hơn {difference}
offerVerdict.1 | The other offer leaves {difference} more a month.
  | Mức lương kia nhận được nhiều hơn {difference} mỗi tháng.
offerVerdict.0 | Both leave the same. | Hai mức lương nhận được như nhau.
offerVerdict.-1 | The other offer leaves {difference} less a month; to match it, ask for {gross}
    gross.
  | Mức lương kia nhận được ít hơn {difference} mỗi tháng; để bằng, cần {gross} gross.
`);

/** The values that differ from those of the salary. */
export function overridesOf(values: Values, shown: Values): Values {
  return Object.fromEntries(
    Object.entries(shown).filter(([name, value]) => value !== values[name]),
  );
}

/**
 * The values that the other salary takes over: all, except that another month has another month of
 * payment.
 */
export function inheritedBy(values: Values, { period }: Values): Values {
  const isMoved = period !== undefined && period !== values['period'];
  return isMoved ? { ...values, paid_in: '' } : values;
}

/** The name, two amounts and difference per amount of two salaries. */
export function differencesOf(one: Salary, other: Salary): [string, number, number, number][] {
  return Object.entries(AMOUNTS).map(([name, amountOf]) => [
    name,
    amountOf(one),
    amountOf(other),
    amountOf(one) - amountOf(other),
  ]);
}

/** The December before a month: most laws begin in January. 2015 is the first year. */
export function monthBefore(period: string): string {
  const year = Number(period.slice(0, 4));
  return year === 2015 ? '2015-02' : `${year - 1}-12`;
}

const PRESETS = calculator.presets ?? {};

/** A comparison starts from another month, which is given, or from another offer. */
const KINDS = ['compareMonth', 'compareOffer'] as const;

type Kind = (typeof KINDS)[number];

/** The other values of a link decide which comparison is open. */
function kindOf(others: Values): Kind | undefined {
  const names = Object.keys(others);
  if (names.length === 0) return undefined;
  return names.every((name) => name === 'period') ? 'compareMonth' : 'compareOffer';
}

/** The comparison of a salary with another month or another offer. */
export class SalaryComparison implements Comparison<TaxResult> {
  readonly buttons: readonly HTMLButtonElement[];
  readonly node = element('section.comparison');
  private readonly memory: Memory;
  private readonly changed: () => void;
  private readonly shown: Values = {};
  private readonly result = element('div.answer');
  private kind: Kind | undefined;
  private form: Form | undefined;

  constructor(memory: Memory, changed: () => void) {
    this.memory = memory;
    this.changed = changed;
    this.buttons = KINDS.map((kind) => button(text(kind), () => this.toggle(kind)));
    this.open(kindOf(memory.others));
  }

  update(data: TaxResult, values: Values): string {
    if (this.form === undefined) return '';
    const salary = detailed(data);
    const isUnset = this.kind === 'compareMonth' && this.memory.others['period'] === undefined;
    if (isUnset) this.memory.others = { period: monthBefore(salary.detail.period) };
    const own = this.memory.others;
    Object.assign(this.shown, inheritedBy(values, own), own);
    this.form.refresh();
    return this.compare(this.form, salary);
  }

  private toggle(kind: Kind): void {
    this.memory.others = {};
    this.open(kind === this.kind ? undefined : kind);
    this.changed();
    this.node.scrollIntoView({ block: 'nearest' });
    this.node.querySelector('h2')?.focus();
  }

  private open(kind: Kind | undefined): void {
    this.kind = kind;
    this.buttons.forEach((one, index) => {
      one.setAttribute('aria-pressed', String(KINDS[index] === kind));
    });
    this.form = undefined;
    this.node.replaceChildren();
    if (kind === undefined) return;
    const isMonth = kind === 'compareMonth';
    Object.assign(this.shown, this.memory.values);
    const edited = (): void => this.edited();
    const months = calculator.fields.filter(({ name }) => name === 'period');
    const month = months.map((field) => ({ ...field, isFolded: false }));
    this.form = createForm(isMonth ? 'month' : 'other', isMonth ? month : calculator.fields, {
      values: this.shown,
      presets: isMonth ? undefined : calculator.presets,
      edited,
      submitted: edited,
    });
    const head = text(isMonth ? kind : 'other');
    this.node.append(element('h2', { tabindex: -1 }, head), this.form.node, this.result);
  }

  private edited(): void {
    const { values, others } = this.memory;
    this.memory.others = overridesOf(inheritedBy(values, others), this.shown);
    this.changed();
  }

  /** Shows the differences, and returns the verdict. */
  private compare(form: Form, salary: Salary): string {
    const outcome = calculateSalary(this.shown);
    const problems = outcome.kind === 'refusal' ? outcome.problems : form.doubts();
    const { invalid } = form.showProblems(problems);
    if (outcome.kind === 'refusal' || problems.length > 0) {
      const { message, links } = adviceOn(invalid);
      this.result.replaceChildren(element('p', links));
      return message;
    }
    return this.showDifferences(salary, detailed(outcome.data));
  }

  private showDifferences(salary: Salary, other: Salary): string {
    const { values } = this.memory;
    const isMonth = this.kind === 'compareMonth';
    const verdict = isMonth
      ? monthVerdict(salary, other, values)
      : offerVerdict(salary, other, this.shown);
    const heads = headsOf(values, this.shown);
    // The other month came before, and the other offer would come after.
    if (isMonth) heads.reverse();
    const [before, after] = isMonth ? [other, salary] : [salary, other];
    const rows = differencesOf(after, before).map(([name, later, earlier, difference]) => [
      text(name),
      format.count(earlier),
      format.count(later),
      format.signed(difference),
    ]);
    this.result.replaceChildren(
      element('p.verdict', verdict),
      table('columns', text('difference'), ['', ...heads, 'difference'], rows),
    );
    return verdict;
  }
}

/** The month of a salary. */
function monthOf({ detail }: Salary): string {
  return text('phrase.period', { value: format.month(detail.period) });
}

/** The names of the presets that values have, such as `Freelance 10% / Probation`. */
function whoIn(values: Values): string {
  const names = presetsIn(PRESETS, values);
  return names.map((name) => text(`who.${name}`)).join(' / ');
}

/** The heads of two columns: the presets and values by which they differ; their keys, if none do. */
function headsOf(own: Values, other: Values): string[] {
  const [who = '', whoElse = ''] = [own, other].map(whoIn);
  const isNamed = who !== '' && whoElse !== '' && who !== whoElse;
  const named = isNamed ? Object.values(PRESETS).flatMap((preset) => Object.keys(preset)) : [];
  const changed = calculator.fields.filter(
    ({ name }) => own[name] !== other[name] && !named.includes(name),
  );
  const headOf = (key: string, values: Values, name: string): string => {
    const phrases = changed.map((field) => phraseOf(field, values[field.name] ?? ''));
    return [...(isNamed ? [name] : []), ...phrases].join('\n') || key;
  };
  return [headOf('this', own, who), headOf('other', other, whoElse)];
}

function monthVerdict(salary: Salary, other: Salary, { type }: Values): string {
  const kind = type === 'gross' ? 'net' : 'gross';
  const [now, before] = [salary[`${kind}_income`], other[`${kind}_income`]];
  const difference = format.dong(Math.abs(now - before));
  return text('monthVerdict', {
    before: monthOf(other),
    now: monthOf(salary),
    kind,
    other: format.dong(before),
    change: text(`change.${Math.sign(now - before)}`, { difference }),
  });
}

/** Compares what a person gets, and says which gross salary of the other offer leaves as much. */
function offerVerdict(salary: Salary, other: Salary, shown: Values): string {
  const more = other.net_income - salary.net_income;
  const match = calculateSalary({ ...shown, type: 'net', income: String(salary.net_income) });
  return text(`offerVerdict.${Math.sign(more)}`, {
    difference: format.dong(Math.abs(more)),
    gross: match.kind === 'result' ? format.dong(match.data.gross_income) : '?',
  });
}
