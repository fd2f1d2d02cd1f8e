/* A payroll file: its titles, heads and rows. */
import { NUMBER } from '../numbers.ts';
import { readAmount } from '../reading.ts';
import { bounded } from '../request.ts';
import type { CsvRecord } from './csv.ts';
import { isCode, isKnown, isLikely, isName, isOther, unitIn } from './heads.ts';

/** A row with the words of each of its cells, or ''. */
export interface Row extends CsvRecord {
  readonly words: readonly string[];
}

/** A file as a table. */
export interface Sheet {
  /** The rows above the heads. */
  readonly above: readonly Row[];
  /** The head of each column, or ''. A file without heads has only empty ones. */
  readonly heads: readonly string[];
  /** The number of columns up to the last head. */
  readonly width: number;
  /** The unit that each head states, in đồng: '' for none, and undefined for another currency. */
  readonly units: readonly (string | undefined)[];
  /** The columns of the names and of the codes of people. */
  readonly names: readonly number[];
  readonly codes: readonly number[];
  readonly rows: readonly Row[];
  /** The rows from the next table on, which has other heads. */
  readonly below: readonly Row[];
}

/** The heads are looked for in the first rows, and numbers in the rows that follow a head. */
const SEARCHED = 30;
const FOLLOWING = 5;

/** The rows that stand for all rows of a column. */
export const SAMPLE = 1_000;

export const isFilled = (cell = ''): boolean => cell.trim() !== '';

/** The number of a cell in JSON notation, or undefined. */
export function numberIn(cell = ''): string | undefined {
  const amount = readAmount(bounded(cell.trim()), 'vi');
  return NUMBER.test(amount) ? amount : undefined;
}

const hasNumber = ({ cells }: CsvRecord): boolean =>
  cells.some((cell) => numberIn(cell) !== undefined);

/** The number of a department. */
export const ROMAN: RegExp = /^\s*[IVX]+\.?\s*$/;

/** The words of a cell in small letters, without the number of a list; '' if they are no name. */
function wordsIn(cell: string): string {
  if (!/\p{L}{2}|[$€£¥]/u.test(cell) || ROMAN.test(cell)) return '';
  const words = cell.normalize('NFC').toLowerCase().trim();
  return words.replace(/^(?:[ivx]+|\d+|[a-z])[.)]\s*/, '');
}

/** Adds its words to a row. */
export function rowOf({ number, cells }: CsvRecord): Row {
  return { number, cells, words: cells.map(wordsIn) };
}

/** The table of the rows of a file. */
export function sheetOf(all: readonly Row[]): Sheet {
  const records = all.filter(({ cells }) => cells.some(isFilled));
  const at = headsAt(records);
  const first = Math.max(at, 0);
  // Heads below heads are those of the columns in another language.
  const ends = records.findIndex((row, place) => place > at && !isHeads(row));
  const found = records.slice(first, at === -1 ? 0 : ends);
  const merged = mergedAbove(records, at);
  const start = first + found.length;
  const numbering = records.slice(start, start + 1).filter(isNumbering);
  const body = records.slice(start + numbering.length);
  const isFurther = (row: Row): boolean =>
    at !== -1 && isHeads(row) && !isSame(row, [...found, ...merged]);
  const end = body.findIndex(isFurther);
  const rows = body.slice(0, end === -1 ? undefined : end);
  const named = headsOf(found, merged);
  const widths = rows.slice(0, SAMPLE).map(({ cells }) => cells.length);
  const columns = Math.max(named.length, ...widths);
  const heads = Array.from({ length: columns }, (_, index) => named[index] ?? '');
  return {
    above: records.slice(0, first).filter((row) => !merged.includes(row)),
    heads,
    width: named.map(isFilled).lastIndexOf(true) + 1,
    units: heads.map(unitIn),
    names: placesIn(heads, isName),
    codes: placesIn(heads, isCode),
    rows,
    below: body.slice(rows.length),
  };
}

/** The columns with heads of a kind. */
function placesIn(heads: readonly string[], isOne: (head: string) => boolean): number[] {
  return [...heads.keys()].filter((index) => isOne(heads[index] ?? ''));
}

/** The texts above the heads. */
export function titlesOf({ above }: Sheet): string[] {
  return above.flatMap(({ cells }) => cells.filter(isFilled).map(oneLine));
}

const oneLine = (text: string): string => text.replace(/\s+/g, ' ').trim();

/** Whether a row has the heads of a table. */
export function isHeads(record: CsvRecord): boolean {
  if (hasNumber(record)) return false;
  const isCertain = (cell: string): boolean => isOther(cell) || isKnown(cell);
  const heads = record.cells.filter((cell) => isCertain(cell) || isLikely('income', cell));
  // The name of a person, such as Linh, may be like the head of a salary.
  return heads.length > 1 && heads.some(isCertain);
}

/** Whether a row numbers the columns, such as A, B, (1), (2), (3) = (1) + (2). */
export function isNumbering({ cells }: CsvRecord): boolean {
  const used = cells.map((cell) => cell.trim()).filter(isFilled);
  const numbers = used.filter((cell) => !/^[A-Z]$/.test(cell));
  return (
    used.length > 2
    && numbers.length > 1
    && numbers.every((cell, index) => new RegExp(`^\\(?${index + 1}\\)?(?:\\s*=.*)?$`).test(cell))
  );
}

/** Whether a row repeats heads. */
function isSame({ cells }: Row, found: readonly Row[]): boolean {
  return cells.every(
    (cell, index) => !isFilled(cell) || found.some((row) => row.cells[index] === cell),
  );
}

/**
 * The place of the heads: texts above numbers, of which most are known, and most are there. A
 * person's row has a number, so that rows without heads keep the first person.
 */
function headsAt(records: readonly Row[]): number {
  const scores = records.slice(0, SEARCHED).map((record, at) => {
    const isAbove = records.slice(at + 1, at + 1 + FOLLOWING).some(hasNumber);
    if (!isAbove || hasNumber(record)) return 0;
    const heads = headsOf([record], mergedAbove(records, at)).filter(isFilled);
    return heads.length + heads.filter(isKnown).length * SEARCHED;
  });
  const most = Math.max(...scores, 0);
  return most === 0 ? -1 : scores.indexOf(most);
}

/** The row before heads, if it has those of merged cells: one of a column without a head below it. */
function mergedAbove(records: readonly Row[], at: number): readonly Row[] {
  const below = records[at]?.cells ?? [];
  const isMerged = (row: Row): boolean =>
    row.cells.some((cell, index) => isFilled(cell) && !isFilled(below[index]));
  const above = at > 0 ? records.slice(at - 1, at) : [];
  const several = above.filter((row) => !hasNumber(row) && row.cells.filter(isFilled).length > 1);
  return several.filter(isMerged);
}

/** The heads of columns in rows of heads, below the heads of merged cells. */
function headsOf(rows: readonly Row[], [merged]: readonly Row[]): string[] {
  const width = Math.max(...[...rows, merged].map((row) => row?.cells.length ?? 0));
  let group = '';
  return Array.from({ length: width }, (_, index) => {
    const texts = rows.map(({ cells }) => oneLine(cells[index] ?? ''));
    const head = texts.find(isKnown) ?? texts.filter(isFilled).join(' / ');
    const above = oneLine(merged?.cells[index] ?? '');
    // A merged cell has its text in the first of its columns.
    if (above !== '') group = head === '' ? '' : above;
    const parts = head === '' ? [above] : [group, head];
    return parts.filter(isFilled).join(' / ');
  });
}
