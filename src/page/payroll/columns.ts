/* The fields of columns: those that are certain, and those that are asked about. */
import type { Field, Values } from '../request.ts';
import { calculator } from '../salary.ts';
import { readCell } from './cells.ts';
import type { CsvRecord } from './csv.ts';
import { isExact, isLikely, isTotal, typeIn } from './heads.ts';
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
  /** The columns that may have the salary, if none is certain. */
  readonly salaries: readonly number[];
  /** The fields that each further column may have by its head. */
  readonly likely: readonly (readonly string[])[];
}

/** The answer to the question of a key, such as `unit.3` about the fourth column, if it is certain or chosen. */
export type AnswerTo = (key: string) => string | undefined;

/** A sheet with its columns and answers. */
export interface Context extends Assignment {
  readonly sheet: Sheet;
  readonly answerTo: AnswerTo;
  readonly read: ReadField;
}

/** A larger amount is the number of a tax code, an identity card or an account. */
const LEAST_IDENTIFIER = 1_000_000_000;
/** A lower number, in any unit, may be that of a row or of days. */
const LEAST_COUNT = 500;
/** A smaller or larger part of the salary is hardly the salary for insurance. */
const [LEAST_SHARE, MOST_SHARE] = [0.25, 2];

/** Reads the cell of a field. */
export type ReadField = (field: Field, index: number, row: CsvRecord) => string;

/** The unit of the amounts of a column: that of the salaries, unless its own head states one. */
export function unitAt(
  sheet: Sheet,
  { income }: Columns,
  answerTo: AnswerTo,
  index: number,
): string {
  const own = index === income ? '' : sheet.units[index];
  return own === '' ? answerTo(`unit.${income}`) || '1' : (own ?? '1');
}

/** Reads cells with answers about their columns; each text of an option once. */
export function readerOf(sheet: Sheet, columns: Columns, answerTo: AnswerTo): ReadField {
  const known = new Map<string, string>();
  return (field, index, { cells }) => {
    const cell = cells[index] ?? '';
    const key = `${index} ${cell}`;
    const found = known.get(key);
    if (found !== undefined) return found;
    const unit = unitAt(sheet, columns, answerTo, index);
    const answer = (name: string): string | undefined => answerTo(`${name}.${index}`);
    const value = readCell(field, cell, { unit, answer });
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
  for (const [key, name] of Object.entries(choices)) {
    const [kind, index] = key.split('.');
    if (kind === 'use') uses.set(Number(index), name);
  }
  return uses;
}

/** The columns of uses, of which the latest of a field counts. */
function columnsOf(uses: ReadonlyMap<number, string>): Record<string, number> {
  const columns: Record<string, number> = {};
  for (const [index, name] of uses) {
    const key = name === ADDED && name in columns ? `${name}.${index}` : name;
    if (name !== '') columns[key] = index;
  }
  return columns;
}

/** The columns that may have the salary: those with its head and those of sums, or any with amounts. */
function salariesIn(sheet: Sheet, free: readonly number[]): number[] {
  const isHead = (index: number): boolean => isExact('income', sheet.heads[index] ?? '');
  const hasHead = free.some(isHead);
  return free.filter((index) => {
    const isRival = !hasHead || isTotal(sheet.heads[index] ?? '');
    return isHead(index) || (isRival && hasAmounts(sheet, index));
  });
}

/** Whether the only column that may have the salary has it: the question of its type names it. */
function isSalary(sheet: Sheet, index: number): boolean {
  const head = sheet.heads[index] ?? '';
  return hasAmounts(sheet, index) && (isExact('income', head) || typeIn(head) === undefined);
}

/** The fields without a column, except that of the salary. */
function openIn(columns: Columns): Field[] {
  return calculator.fields.filter(({ name }) => name !== 'income' && !(name in columns));
}

/** Finds the columns of the fields; those that the person has chosen stay. */
export function assign(sheet: Sheet, choices: Values): Assignment {
  const { heads, units, rows } = sheet;
  const uses = usesIn(choices);
  const columns = columnsOf(uses);
  const isFree = (index: number): boolean =>
    !uses.has(index) && rows.some(({ cells }) => isFilled(cells[index]));
  const free = [...heads.keys()].filter(isFree);
  const salaries = 'income' in columns ? [] : salariesIn(sheet, free);
  const [first, ...rivals] = salaries;
  const isOnly = first !== undefined && rivals.length === 0;
  if (isOnly && isSalary(sheet, first)) columns['income'] = first;
  const { income = -1 } = columns;
  const read = readerOf(sheet, columns, (key) =>
    key === `unit.${income}` ? (choices[key] ?? units[income]) : choices[key],
  );
  const isFit = (field: Field, index: number): boolean =>
    field.name !== 'insurance_salary' || isInsured(sheet, read, field, index, income);
  for (const field of openIn(columns)) {
    const exact = free.filter((index) => isExact(field.name, heads[index] ?? ''));
    const [index = -1, other] = exact.filter((one) => isFit(field, one));
    if (index !== -1 && other === undefined) columns[field.name] = index;
  }
  return { columns, salaries, likely: likelyIn(sheet, columns, free, isFit) };
}

/** The fields without a column that each free column may have by its head. */
function likelyIn(
  { heads }: Sheet,
  columns: Columns,
  free: readonly number[],
  isFit: (field: Field, index: number) => boolean,
): string[][] {
  const used = Object.values(columns);
  const open = openIn(columns);
  return heads.map((head, index) => {
    if (!free.includes(index) || used.includes(index)) return [];
    const fields = open.filter((field) => isLikely(field.name, head) && isFit(field, index));
    return fields.map(({ name }) => name);
  });
}
