/* The rows of a payroll: what each says, and whether it is calculated or left out. */
import { bounded, examplesOf, type Field, type Values } from '../request.ts';
import { addTexts, type Places, text } from '../texts.ts';
import { membersOf } from '../who.ts';
import { readCount, readMoney, readMonthCell } from './cells.ts';
import {
  ADDED,
  exactMeaning,
  isUnnumbered,
  isWorded,
  type Mapping,
  meaningKey,
  salaryIn,
} from './mapping.ts';
import {
  COLUMNS,
  FIELDS,
  isFilled,
  keyOf,
  labelOf,
  PEOPLE,
  type Row,
  SALARIES,
  type Sheet,
} from './sheet.ts';

addTexts(`
refused.amount | {head}: «{cell}» is not an amount. | {head}: «{cell}» không phải là số tiền.
refused.meaning | {head}: choose above what «{cell}» means. | {head}: hãy chọn ở trên «{cell}»
    nghĩa là gì.
refused.month | Choose the month above. | Hãy chọn tháng ở trên.
refused.contrary | {head} says the contrary of {other}. | {head} mâu thuẫn với {other}.
`);

/** Why a row is left out unless the person includes it, or why it cannot be calculated. */
export type Reason =
  | 'blank'
  | 'text'
  | 'other'
  | 'nobody'
  | 'surplus'
  | 'unusual'
  | 'sum'
  | 'twice';

/** The reasons of rows without an amount, which cannot be included. */
export const AMOUNTLESS: readonly (Reason | undefined)[] = ['blank', 'text'];

/** A row as its columns say it is. */
export interface Reading {
  readonly row: Row;
  readonly values: Values;
  /** The salary in đồng, or 0. */
  readonly salary: number;
  /** The code of the person, or without one the name, in the month; '' without both. */
  readonly identity: string;
  /** The reason that the row has by itself. */
  readonly reason: Reason | undefined;
  /** Why the row cannot be calculated, by its columns, or ''. */
  readonly problem: string;
}

interface Column {
  readonly index: number;
  readonly field: Field;
  readonly head: string;
}

const [INCOME] = FIELDS as readonly [Field, ...Field[]];

const DEFAULTS: Values = { ...examplesOf({ fields: FIELDS }), who: '' };

/** The largest usual salary of a month, in đồng, and the largest part of it that another amount is. */
const [MOST_SALARY, MOST_SHARE] = [1_000_000_000, 2];

/** Creates the reader of rows. The meaning of a text is looked up once. */
export function readerOf(sheet: Sheet, mapping: Mapping): (row: Row) => Reading {
  const columns = columnsIn(sheet, mapping);
  const known = new Map<string, string | undefined>();
  const meaningOf = ({ index, field }: Column, cell: string): string | undefined => {
    const key = `${index} ${cell}`;
    if (!known.has(key)) {
      const chosen = mapping.meanings[meaningKey(index, cell)];
      known.set(key, chosen ?? exactMeaning(field, sheet.heads[index] ?? '', cell));
    }
    return known.get(key);
  };
  return (row) => {
    const statement = new Statement(mapping);
    for (const column of columns) {
      const cell = bounded((row.cells[column.index] ?? '').trim());
      if (!isWorded(column.field, cell)) statement.read(column, cell);
      else statement.mean(column, cell, meaningOf(column, cell));
    }
    const values = statement.complete();
    const salary = Number(values['income']);
    const reason = reasonOf(sheet, mapping, row, values);
    const identity = identityOf(mapping, row, values);
    return { row, values, salary, identity, reason, problem: statement.problems.join(' ') };
  };
}

/** The columns of the salary and of the fields. */
function columnsIn({ heads }: Sheet, { uses }: Mapping): Column[] {
  return uses.flatMap((use, index) => {
    const field = SALARIES.includes(use) ? INCOME : COLUMNS.find(({ name }) => name === use);
    return field === undefined ? [] : [{ index, field, head: heads[index] || labelOf(use) }];
  });
}

/** What the columns state about a row. */
class Statement {
  readonly problems: string[] = [];
  private readonly mapping: Mapping;
  private readonly stated: Record<string, string> = {};
  private readonly sources: Record<string, string> = {};

  constructor(mapping: Mapping) {
    this.mapping = mapping;
  }

  /** Takes a cell with an amount, a month or a number. */
  read({ field: { name, kind }, head }: Column, cell: string): void {
    if (cell === '') return;
    if (kind === 'month') this.state(name, readMonthCell(cell), head);
    else if (kind === 'integer') this.state(name, readCount(cell), head);
    else this.add(name, readMoney(cell, this.mapping.common), head, cell);
  }

  /** Takes the meaning of a text; '' is the value for all rows. */
  mean({ field: { name }, head }: Column, cell: string, meaning: string | undefined): void {
    if (meaning === undefined) this.refuse('meaning', { head, cell: cell || text('blank') });
    else if (name === 'insured' && meaning === 'false') this.state('insurance_salary', '0', head);
    else if (meaning !== '') this.state(name, meaning, head);
  }

  /** The values of the request, with those for all rows and those of the person. */
  complete(): Values {
    const { uses, common } = this.mapping;
    const { month = '', region = '', dependents = '' } = common;
    const { period = month, who = '' } = this.stated;
    if (period === '') this.refuse('month', {});
    for (const [name, value] of Object.entries(membersOf(who, period))) {
      this.state(name, value, this.sources['who'] ?? '');
    }
    const type = uses[salaryIn(this.mapping)] ?? '';
    return { ...DEFAULTS, income: '0', type, period, region, dependents, ...this.stated };
  }

  /** The amounts of the tax-free columns are added; an income that is none is the reason of the row. */
  private add(name: string, amount: string | undefined, head: string, cell: string): void {
    const { [name]: before = '0' } = this.stated;
    if (name === ADDED) this.stated[name] = String(Number(before) + Number(amount));
    else if (amount !== undefined) this.state(name, amount, head);
    if (amount === undefined && name !== INCOME.name) this.refuse('amount', { head, cell });
  }

  private state(name: string, value: string, head: string): void {
    const { [name]: other } = this.sources;
    if (other !== undefined && this.stated[name] !== value)
      this.refuse('contrary', { head, other });
    this.stated[name] = value;
    this.sources[name] = head;
    if (name === 'insurance_salary') this.state('insured', String(Number(value) !== 0), head);
  }

  private refuse(reason: string, places: Places): void {
    this.problems.push(text(`refused.${reason}`, places));
  }
}

/** The reason of a row by itself, the first that applies. */
function reasonOf(
  { width, heads, others }: Sheet,
  mapping: Mapping,
  { number, cells, isHeads }: Row,
  values: Values,
): Reason | undefined {
  if (!(Number(values['income']) > 0)) {
    const salary = readMoney(cells[salaryIn(mapping)] || '0', mapping.common);
    return salary === undefined && !isHeads ? 'text' : 'blank';
  }
  if (others.has(number)) return 'other';
  if (!isPerson(mapping, cells)) return 'nobody';
  if (width < heads.length && cells.slice(width).some(isFilled)) return 'surplus';
  return isUnusual(values) ? 'unusual' : undefined;
}

/** Whether the number and the code have a digit, and the name has a letter, as far as they have columns. */
function isPerson({ uses }: Mapping, cells: readonly string[]): boolean {
  return PEOPLE.every((use) => {
    const index = uses.indexOf(use);
    return index === -1 || (use === 'name' ? /\p{L}/u : /\d/).test(cells[index] ?? '');
  });
}

/** Whether an amount is hardly any, above a billion, or far above the salary. */
function isUnusual(values: Values): boolean {
  const most = Math.min(MOST_SALARY, MOST_SHARE * Number(values['income']));
  return FIELDS.some(({ name, least = 0 }) => {
    const amount = least === 0 ? 0 : Number(values[name]);
    return amount !== 0 && (amount < least || amount > most);
  });
}

/** The code of a person, or without one the name, in the month. */
function identityOf({ uses }: Mapping, { cells }: Row, { period }: Values): string {
  const [code, name] = ['code', 'name'].map((use) => keyOf(cells[uses.indexOf(use)] ?? ''));
  const key = code || name || '';
  return key && `${key} ${period}`;
}

/** A row, and whether it is calculated. */
export interface Verdict {
  readonly reading: Reading;
  /** Why the row is left out unless the person includes it. */
  readonly reason: Reason | undefined;
  readonly isIn: boolean;
}

/** The choices of the person about rows, by their numbers. */
export type Checks = ReadonlyMap<number, boolean>;

/**
 * The choices about the rows of a table in a changed one: of rows with the same cells, and in a table
 * with as many rows, of those with the same number.
 */
export function checksIn(after: Sheet, before: Sheet, checks: Checks): Map<number, boolean> {
  const numbers = new Map(after.rows.map(({ number, cells }) => [String(cells), number]));
  const isAlike = after.rows.length === before.rows.length;
  const kept = new Map<number, boolean>();
  for (const { number, cells } of before.rows) {
    const check = checks.get(number);
    const now = numbers.get(String(cells)) ?? (isAlike ? number : undefined);
    if (check !== undefined && now !== undefined) kept.set(now, check);
  }
  return kept;
}

/**
 * Judges all rows, one per step. A row that the person includes counts for the reasons of others; one
 * that the person leaves out counts as before, so that nobody else's reason changes.
 */
export function* judge(
  mapping: Mapping,
  readings: readonly Reading[],
  checks: Checks,
): Generator<undefined, Verdict[]> {
  const isCounted = ({ row, reason }: Reading): boolean =>
    reason === undefined || (!AMOUNTLESS.includes(reason) && checks.get(row.number) === true);
  const counted = readings.filter(isCounted);
  const sums = isUnnumbered(mapping) ? yield* sumsOf(readings, isCounted) : new Set<Reading>();
  const counts = new Map<string, number>([['', -Infinity]]);
  for (const reading of counted) {
    const { identity } = reading;
    if (!sums.has(reading)) counts.set(identity, (counts.get(identity) ?? 0) + 1);
    yield;
  }
  const verdicts: Verdict[] = [];
  for (const reading of readings) {
    const isTwice = isCounted(reading) && (counts.get(reading.identity) ?? 0) > 1;
    const reason = reading.reason ?? (sums.has(reading) ? 'sum' : isTwice ? 'twice' : undefined);
    const isAmount = !AMOUNTLESS.includes(reason);
    const isIn = isAmount && (checks.get(reading.row.number) ?? reason === undefined);
    verdicts.push({ reading, reason, isIn });
    yield;
  }
  return verdicts;
}

/**
 * The counted rows that are the sum of two or more others directly above or below them, up to a row
 * that does not count or is a sum itself, or up to the first or the last one, which may be a total.
 */
function* sumsOf(
  readings: readonly Reading[],
  isCounted: (reading: Reading) => boolean,
): Generator<undefined, Set<Reading>> {
  const sums = new Set<Reading>();
  for (const ordered of [readings, [...readings].reverse(), readings]) {
    const starts = new Set([0]);
    let [total, last] = [0, 0];
    for (const reading of ordered) {
      const amount = isCounted(reading) && !sums.has(reading) ? reading.salary : 0;
      const isSum = amount > 0 && amount !== last && starts.has(total - amount);
      if (isSum) sums.add(reading);
      if (isSum || amount === 0) starts.add(total);
      if (!isSum && amount > 0) [total, last] = [total + amount, amount];
      if (total === amount) starts.add(total);
      yield;
    }
  }
  return sums;
}
