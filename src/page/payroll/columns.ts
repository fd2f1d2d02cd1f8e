/* The fields of columns: those that are certain, and those that are asked about. */
import type { Field, Values } from '../request.ts';
import { calculator } from '../salary.ts';
import { readCell } from './cells.ts';
import type { CsvRecord } from './csv.ts';
import { isExact, isLikely, isTotal } from './heads.ts';
import { isFilled, numberIn, SAMPLE, type Sheet } from './sheet.ts';

/**
 * The columns of fields. The columns of tax-free pay are added; the key of each further one ends with
 * its number, such as `exempt_income.5`.
 */
export type Columns = Readonly<Record<string, number>>;

/** The field of which several columns are added. */
const ADDED = 'exempt_income';

/** The field of a key, and its column, for all columns. */
export function fieldsIn(columns: Columns): (readonly [field: Field, index: number])[] {
  return Object.entries(columns).flatMap(([key, index]) => {
    const field = calculator.fields.find(({ name }) => name === key.split('.')[0]);
    return field === undefined ? [] : [[field, index] as const];
  });
}

/** The columns that are certain or chosen, and those that may have a field. */
export interface Assignment {
  readonly columns: Columns;
  readonly open: readonly (readonly [field: string, indexes: readonly number[]])[];
}

/** A larger amount is the number of a tax code, an identity card or an account. */
const LEAST_IDENTIFIER = 1_000_000_000;
/** A lower number, in any unit, may be that of a row or of days. */
const LEAST_COUNT = 500;
/** A smaller or larger part of the salary is hardly the salary for insurance. */
const [LEAST_SHARE, MOST_SHARE] = [0.25, 2];

/** Reads the cell of a field. */
export type ReadField = (field: Field, index: number, row: CsvRecord) => string;

/** The answer of the person about a column, if there is one. */
export type AnswerAt = (name: string, index: number) => string | undefined;

/** The unit of the amounts of a field: that of the salaries, unless the head of another column states one. */
export function unitAt({ units }: Sheet, { name }: Field, index: number, unit: string): string {
  const own = units[index] ?? '1';
  return name === 'income' || own === '' ? unit || '1' : own;
}

/** Reads cells in a unit, and with answers; each text of an option once. */
export function readerOf(sheet: Sheet, unit: string, answerAt: AnswerAt): ReadField {
  const known = new Map<string, string>();
  return (field, index, { cells }) => {
    const cell = cells[index] ?? '';
    const key = `${index} ${cell}`;
    const found = known.get(key);
    if (found !== undefined) return found;
    const reading = {
      unit: unitAt(sheet, field, index, unit),
      answer: (name: string) => answerAt(name, index),
    };
    const value = readCell(field, cell, reading);
    if (field.options !== undefined) known.set(key, value);
    return value;
  };
}

/** Whether a column has amounts, by its numbers or by its head. */
function hasAmounts({ heads, rows }: Sheet, index: number): boolean {
  const numbers = rows.slice(0, SAMPLE).flatMap(({ cells }) => numberIn(cells[index]) ?? []);
  const isAmount = (number: string): boolean =>
    Number(number) < LEAST_IDENTIFIER && (Number(number) >= LEAST_COUNT || number.includes('.'));
  return isLikely('income', heads[index] ?? '') ? numbers.length > 0 : numbers.some(isAmount);
}

/** Whether most amounts of a column may be salaries for insurance, and not contributions. */
function isInsured(
  sheet: Sheet,
  read: ReadField,
  field: Field,
  index: number,
  income: number,
): boolean {
  const shares = sheet.rows
    .slice(0, SAMPLE)
    .map((row) => Number(read(field, index, row)) / Number(read(field, income, row)))
    .filter((share) => share > 0);
  const usual = shares.filter((share) => share >= LEAST_SHARE && share <= MOST_SHARE);
  return usual.length * 2 > shares.length;
}

/** The uses of columns that the person has chosen, the latest last; '' is none. */
function usesIn(choices: Values): Map<number, string> {
  const uses = new Map<number, string>();
  for (const [key, value] of Object.entries(choices)) {
    const [kind, name = ''] = key.split('.');
    const isField = kind === 'column' && value !== '';
    if (!isField && kind !== 'use') continue;
    const index = Number(isField ? value : name);
    uses.delete(index);
    uses.set(index, isField ? name : value);
  }
  return uses;
}

/** Finds the columns of the fields; those that the person has chosen stay. */
export function assign(sheet: Sheet, choices: Values): Assignment {
  const columns: Record<string, number> = {};
  const open: [string, readonly number[]][] = [];
  const uses = usesIn(choices);
  for (const [index, name] of uses) {
    const key = name === ADDED && name in columns ? `${name}.${index}` : name;
    if (name !== '') columns[key] = index;
  }
  const isSettled = (name: string): boolean =>
    name in columns || (name !== 'income' && choices[`column.${name}`] === '');
  for (const field of calculator.fields.filter(({ name }) => !isSettled(name))) {
    const [exact, likely] = candidatesOf(sheet, columns, uses, choices, field);
    const isRival = (index: number): boolean =>
      exact.includes(index) || (field.name === 'income' && isTotal(sheet.heads[index] ?? ''));
    const rivals = exact.length > 0 ? likely.filter(isRival) : likely;
    const indexes = [...new Set([...exact, ...rivals])];
    const [first = -1] = exact;
    if (indexes.length === 1 && rivals.includes(first)) columns[field.name] = first;
    else if (field.name === 'income' || indexes.length > 0) open.push([field.name, indexes]);
  }
  return { columns, open };
}

/** The columns that have the head of a field, and those whose head or amounts may be its own. */
function candidatesOf(
  sheet: Sheet,
  columns: Columns,
  uses: ReadonlyMap<number, string>,
  choices: Values,
  field: Field,
): readonly [exact: readonly number[], likely: readonly number[]] {
  const { heads, units, rows } = sheet;
  const { name } = field;
  const { income } = columns;
  const used = Object.values(columns);
  const isUsed = (index: number): boolean =>
    used.includes(index) || uses.has(index) || !rows.some(({ cells }) => isFilled(cells[index]));
  const isEarly = name === 'insurance_salary' && income === undefined;
  const free = isEarly ? [] : [...heads.keys()].filter((index) => !isUsed(index));
  const unit = choices[`unit.${income}`] ?? units[income ?? -1] ?? '1';
  const read = readerOf(sheet, unit, (key, index) => choices[`${key}.${index}`]);
  const exact = free.filter((index) => isExact(name, heads[index] ?? ''));
  const likely = free.filter((index) => {
    if (name === 'income') return hasAmounts(sheet, index);
    if (!exact.includes(index) && !isLikely(name, heads[index] ?? '')) return false;
    return name !== 'insurance_salary' || isInsured(sheet, read, field, index, income ?? -1);
  });
  return [exact, likely];
}
