/* The rows of a payroll: what each says, and whether it is calculated or left out. */
import { bounded, examplesOf, type Values } from '../frame/request.ts';
import { form, OTHER } from '../salary/salary-form.ts';
import { addTexts, type Placeholders, text } from '../frame/texts.ts';
import { membersOf } from '../salary/who.ts';
import { readCount, readMoney, readMonthCell } from './cells.ts';
import {
  ADDED,
  type Column,
  columnsIn,
  isUnnumbered,
  isWorded,
  type Mapping,
  salaryIn,
} from './mapping.ts';
import { isFilled, keyOf, labelOf, PEOPLE, type Row, type Sheet } from './sheet.ts';
import { eachOf } from './turns.ts';

addTexts(`
refused.amount | {head}: «{cell}» cannot be read as an amount.
  | {head}: không đọc được «{cell}» thành số tiền.
refused.negative | {head}: «{cell}» is negative. | {head}: «{cell}» là số âm.
refused.meaning | {head}: choose above what «{cell}» means. | {head}: hãy chọn ở trên «{cell}»
    nghĩa là gì.
refused.month | Choose the month above. | Hãy chọn tháng ở trên.
refused.contrary | Columns contradict each other: {name}. | Các cột mâu thuẫn với nhau: {name}.
`);

/** The result of a row: its amounts, or its problem. */
export interface RowResult {
  readonly amounts: readonly number[];
  readonly problem: string;
  /** Why the row is not calculated, as it is counted; '' if it is. */
  readonly kind: string;
}

/** A row as its columns say it is. */
export interface Reading {
  readonly row: Row;
  readonly values: Values;
  /** The salary in đồng, or 0. */
  readonly income: number;
  /** The code of the person, or without one the name, or without both the row, in the month. */
  readonly identity: string;
  /** The reason that the row has by itself. */
  readonly reason: string | undefined;
  /** Why the row cannot be calculated, by its columns, or ''. */
  readonly problem: string;
  /** The result, once it is calculated. */
  result?: RowResult;
}

const DEFAULTS: Values = { ...examplesOf(form), income: '0' };

/** The largest usual salary of a month, in đồng, and the largest part of it that another amount is. */
const [MOST_SALARY, MOST_SHARE] = [1_000_000_000, 2];

/** Creates the reader of rows. */
export function readerOf(sheet: Sheet, mapping: Mapping): (row: Row) => Reading {
  const columns = columnsIn(sheet, mapping);
  const type = salaryIn(mapping) ?? '';
  return (row) => {
    const { stated, problems } = statementOf(columns, mapping, row);
    const values: Values = { ...DEFAULTS, ...mapping.common, type, ...stated, who: OTHER };
    const income = Number(values['income']);
    const reason = reasonOf(sheet, mapping, row, values);
    const identity = identityOf(row, values);
    return { row, values, income, identity, reason, problem: problems.join(' ') };
  };
}

/** The values that the columns of a row state, also by who the person is, and their problems. */
function statementOf(
  columns: readonly Column[],
  { common }: Mapping,
  { cells }: Row,
): { readonly stated: Values; readonly problems: readonly string[] } {
  const stated: Values = {};
  const problems: string[] = [];
  const refuse = (reason: string, placeholders: Placeholders = {}): unknown =>
    problems.push(text(`refused.${reason}`, placeholders));
  const state = (name: string, value: string): void => {
    const { [name]: other = value } = stated;
    if (other !== value) refuse('contrary', { name: labelOf(name) });
    stated[name] = value;
  };
  for (const column of columns) {
    const { index, field, head } = column;
    const { name } = field;
    const cell = bounded((cells[index] ?? '').trim());
    const value = valueIn(column, cell, common);
    const isNegative = field.kind === 'amount' && Number(value) < 0;
    // An income that is no amount, or is negative, is the reason of its row.
    if (name !== 'income' && (value === undefined || isNegative)) {
      const unread = isWorded(field, cell) ? 'meaning' : 'amount';
      refuse(isNegative ? 'negative' : unread, { head, cell: cell || text('blank') });
    } else if (value !== '') {
      const { [name]: other = '0' } = stated;
      stated[name] = name === ADDED ? String(Number(other) + Number(value)) : (value ?? '');
    }
  }
  const { period = common['period'] ?? '', who = '', insured } = stated;
  if (period === '') refuse('month');
  for (const [name, value] of Object.entries(membersOf(who, period))) state(name, value);
  if (insured === 'false') state('insurance_salary', '0');
  state('insured', String(stated['insurance_salary'] !== '0'));
  return { stated, problems };
}

/** The value of a cell; '' is that for all rows, and undefined none. */
function valueIn({ field, meaningOf }: Column, cell: string, common: Values): string | undefined {
  if (isWorded(field, cell)) return meaningOf(cell);
  if (cell === '' || field.kind === 'text') return cell;
  if (field.kind === 'month') return readMonthCell(cell);
  return field.kind === 'integer' ? readCount(cell) : readMoney(cell, common);
}

/** The reason of a row by itself, the first that applies. */
function reasonOf(
  { width }: Sheet,
  mapping: Mapping,
  { cells, names, isOther }: Row,
  values: Values,
): string | undefined {
  const { income = '' } = values;
  if (Number(income) < 0) return 'negative';
  if (!(Number(income) > 0)) return income === '' && names === 0 ? 'text' : 'blank';
  if (isOther) return 'other';
  const flaw = flawIn(mapping, values);
  if (flaw !== undefined) return flaw;
  if (cells.slice(width).some(isFilled)) return 'surplus';
  return oddityIn(values);
}

/** The first use of a person whose column has no digit, or for the name no letter. */
function flawIn({ uses }: Mapping, values: Values): string | undefined {
  return PEOPLE.filter((use) => uses.includes(use)).find((use) => {
    const sign = use === 'name' ? /\p{L}/u : /\d/;
    return !sign.test(values[use] ?? '');
  });
}

/** Why an amount is unusual: hardly any, above a billion, or far above the salary. */
function oddityIn(values: Values): string | undefined {
  for (const { name, least = 0 } of form.fields) {
    const amount = Number(values[name]);
    if (amount !== 0 && amount < least) return 'low';
    if (amount > MOST_SALARY) return 'high';
    if (amount > MOST_SHARE * Number(values['income'])) return 'share';
  }
  return undefined;
}

/** The code of a person, or without one the name, or without both the row, in the month. */
function identityOf({ number }: Row, { code, name, period }: Values): string {
  return `${keyOf(code ?? name ?? `row ${number}`)} ${period}`;
}

/** The choices of the person about rows, by their numbers. */
export type Checks = ReadonlyMap<number, boolean>;

/**
 * The choices about the rows of a table in a changed one, one row per step: of rows with the same
 * cells, and in a table with as many rows, of those with the same number.
 */
export function* checksIn(
  after: Sheet,
  before: Sheet,
  checks: Checks,
): Generator<undefined, Map<number, boolean>> {
  const numbers = new Map<string, number[]>();
  for (const { number, cells } of after.rows) {
    const same = numbers.get(String(cells)) ?? [];
    numbers.set(String(cells), same);
    same.push(number);
    yield;
  }
  const isAlike = after.rows.length === before.rows.length;
  const kept = new Map<number, boolean>();
  for (const { number, cells } of before.rows) {
    const check = checks.get(number);
    const now = numbers.get(String(cells))?.shift() ?? (isAlike ? number : undefined);
    if (check !== undefined && now !== undefined) kept.set(now, check);
    yield;
  }
  return kept;
}

/**
 * The reasons for which rows are left out unless the person includes them, or cannot be calculated,
 * one per step. A row that the person includes counts for the reasons of others; one that the person
 * leaves out counts as before, so that nobody else's reason changes.
 */
export function* reasonsOf(
  mapping: Mapping,
  readings: readonly Reading[],
  checks: Checks,
): Generator<undefined, (string | undefined)[]> {
  const amounts = yield* eachOf(readings, ({ row, reason, income }) => {
    const isCounted = reason === undefined || checks.get(row.number) === true;
    return isCounted ? income : 0;
  });
  const sums = isUnnumbered(mapping) ? yield* sumsOf(amounts) : new Set<number>();
  const [once, twice] = [new Set<string>(), new Set<string>()];
  yield* eachOf(readings, ({ identity }, at) => {
    if (amounts[at]! > 0 && !sums.has(at)) (once.has(identity) ? twice : once).add(identity);
  });
  return yield* eachOf(readings, ({ reason, identity }, at) => {
    const isSum = sums.has(at);
    return reason ?? (isSum ? 'sum' : twice.has(identity) ? 'twice' : undefined);
  });
}

/**
 * The indices of amounts that are the sum of two or more others directly above or below them, up to one
 * of 0 or another sum, or up to the first or the last one, which may be a total.
 */
function* sumsOf(amounts: readonly number[]): Generator<undefined, Set<number>> {
  const sums = new Set<number>();
  const indices = [...amounts.keys()];
  for (const ordered of [indices, [...indices].reverse(), indices]) {
    const starts = new Set([0]);
    let [total, last] = [0, 0];
    for (const at of ordered) {
      const amount = amounts[at]!;
      if (amount > 0 && amount !== last && starts.has(total - amount)) sums.add(at);
      const isPart = amount > 0 && !sums.has(at);
      if (isPart) [total, last] = [total + amount, amount];
      if (!isPart || total === amount) starts.add(total);
      yield;
    }
  }
  return sums;
}
