import type { TaxResult } from '../tax/contract.ts';
import { disclosure, element, openDisclosures } from './dom.ts';
import { createForm, type Form } from './form.ts';
import { adviceOn } from './messages.ts';
import type { Comparison, Field, Memory, Values } from './request.ts';
import { AMOUNTS, calculateSalary, calculator, detailed, type Salary } from './salary.ts';
import { table } from './tables.ts';
import { addTexts, format, text } from './texts.ts';

addTexts(`
compareMonth | Compare with another month | So sánh với tháng khác
compareOffer | Compare with another offer | So sánh với mức lương khác
offerIn | {amount} {type}, {month} | {amount} {type}, tháng {month}
offerType.gross | gross | gross
offerType.net | net | net
offerType.cost | employer cost | tổng chi phí
monthName | {month} | Tháng {month}
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
 * The values of the other salary, without its own ones: those of the salary, except that a month of
 * payment belongs to its salary month.
 */
export function inheritedBy(values: Values, { period }: Values): Values {
  const isMoved = period !== undefined && period !== values['period'];
  return isMoved ? { ...values, paid_in: '' } : values;
}

/** A row of a comparison: the key of a name, the two amounts, and their difference. */
export type Difference = readonly [name: string, one: number, other: number, difference: number];

/** Compares the amounts of two salaries. */
export function differencesOf(one: Salary, other: Salary): Difference[] {
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

/** The other values of a link decide which comparison is open. */
type Door = 'compareMonth' | 'compareOffer';

function doorOf(others: Values): Door | undefined {
  const names = Object.keys(others);
  if (names.length === 0) return undefined;
  return names.every((name) => name === 'period') ? 'compareMonth' : 'compareOffer';
}

/** Creates the comparisons of a salary: with another month, and with another offer. */
export function createComparisons(memory: Memory, changed: () => void): Comparison<TaxResult> {
  const open = doorOf(memory.others);
  for (const door of ['compareMonth', 'compareOffer'] as const) {
    if (door === open) openDisclosures.add(door);
    else openDisclosures.delete(door);
  }
  const periods = calculator.fields.filter(({ name }) => name === 'period');
  const month = new ComparisonDoor('compareMonth', periods, memory, changed);
  const offer = new ComparisonDoor('compareOffer', calculator.fields, memory, changed);
  month.excludes(offer);
  offer.excludes(month);
  return {
    nodes: [month.node, offer.node],
    update(data, values) {
      month.update(detailed(data), values);
      offer.update(detailed(data), values);
    },
  };
}

/** One comparison, which its disclosure opens; opening it closes the other one. */
class ComparisonDoor {
  readonly node: HTMLDetailsElement;
  private readonly door: Door;
  private readonly memory: Memory;
  private readonly changed: () => void;
  private readonly result = element('div.answer', { role: 'status' });
  private readonly shown: Values = {};
  private readonly form: Form;
  private salary: Salary | undefined;

  constructor(door: Door, fields: readonly Field[], memory: Memory, changed: () => void) {
    this.door = door;
    this.memory = memory;
    this.changed = changed;
    Object.assign(this.shown, memory.values);
    this.form = createForm(door === 'compareMonth' ? 'month' : 'other', unfolded(fields), {
      values: this.shown,
      presets: door === 'compareOffer' ? calculator.presets : undefined,
      edited: () => this.edited(),
      submitted: () => this.edited(),
    });
    // An offer is entered before it is compared; a month is already given.
    const parts = [this.result, this.form.node];
    if (door === 'compareOffer') parts.reverse();
    this.node = disclosure(door, text(door), () => [element('div.comparison', parts)]);
    this.node.addEventListener('toggle', () => this.toggled());
  }

  /** Closes the other comparison when this one opens. */
  excludes(other: ComparisonDoor): void {
    this.node.addEventListener('toggle', () => {
      if (this.node.open) other.node.open = false;
    });
  }

  update(salary: Salary, values: Values): void {
    this.salary = salary;
    if (!this.node.open) return;
    const { others } = this.memory;
    const isUnset = this.door === 'compareMonth' && others['period'] === undefined;
    if (isUnset) this.memory.others = { period: monthBefore(salary.detail.period) };
    const own = this.memory.others;
    Object.assign(this.shown, inheritedBy(values, own), own);
    this.form.refresh();
    this.compare(salary);
  }

  private toggled(): void {
    const isOther = doorOf(this.memory.others) !== this.door;
    if (isOther === this.node.open) this.memory.others = {};
    if (this.node.open && this.salary !== undefined) {
      this.update(this.salary, this.memory.values);
    }
    this.changed();
  }

  private edited(): void {
    const { values, others } = this.memory;
    const inherited = inheritedBy(values, this.shown);
    const isFirstMove = inherited !== values && others['period'] === undefined;
    if (isFirstMove) Object.assign(this.shown, { paid_in: '' });
    this.memory.others = overridesOf(inherited, this.shown);
    this.form.refresh();
    this.changed();
    if (this.salary !== undefined) this.compare(this.salary);
  }

  private compare(salary: Salary): void {
    const doubts = this.form.doubts();
    const outcome = calculateSalary(this.shown);
    const problems = outcome.kind === 'refusal' ? outcome.problems : doubts;
    const { invalid } = this.form.showProblems(problems);
    if (outcome.kind === 'refusal' || problems.length > 0) {
      this.result.replaceChildren(element('p', adviceOn(invalid).links));
      return;
    }
    const other = detailed(outcome.data);
    const isMonth = this.door === 'compareMonth';
    const heads = isMonth
      ? [monthOf(salary), monthOf(other)]
      : [nameOf(salary, this.memory.values), nameOf(other, this.shown)];
    // As in the verdict: this month after the other one, and the other offer against this one.
    const sign = isMonth ? 1 : -1;
    const rows = differencesOf(salary, other).map(([name, one, second, difference]) => [
      text(name),
      format.count(one),
      format.count(second),
      format.signed(sign * difference),
    ]);
    this.result.replaceChildren(
      element(
        'p.verdict',
        isMonth
          ? monthVerdict(salary, other, this.memory.values)
          : offerVerdict(salary, other, this.shown),
      ),
      table('columns', text('difference'), ['', ...heads, 'difference'], rows),
    );
  }
}

/** The form of a comparison has all fields in sight. */
function unfolded(fields: readonly Field[]): Field[] {
  return fields.map((field) => ({ ...field, isFolded: false }));
}

/** The month of a salary. */
function monthOf({ detail }: Salary): string {
  return text('monthName', { month: format.month(detail.period) });
}

/** The amount that was entered, and the month of a column. */
function nameOf({ detail }: Salary, { income = '', type = '' }: Values): string {
  return text('offerIn', {
    amount: format.dong(Number(income)),
    type: text(`offerType.${type}`),
    month: format.month(detail.period),
  });
}

function monthVerdict(salary: Salary, other: Salary, { type }: Values): string {
  const kind = type === 'gross' ? 'net' : 'gross';
  const [now, before] =
    kind === 'net'
      ? [salary.net_income, other.net_income]
      : [salary.gross_income, other.gross_income];
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
