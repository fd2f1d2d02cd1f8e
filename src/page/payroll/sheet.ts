/* A payroll file: its titles, heads and rows. */
import { NUMBER } from '../numbers.ts';
import { readAmount } from '../reading.ts';
import { bounded } from '../request.ts';
import type { CsvRecord } from './csv.ts';
import { isCode, isDecisive, isHarmless, isKnown, isLikely, isName, unitIn } from './heads.ts';

/** A row with the facts that no choice changes. */
export interface Row extends CsvRecord {
  /** The words of each cell, or ''. */
  readonly words: readonly string[];
  /** The places of the cells that have a word that may change amounts. */
  readonly decisive: readonly number[];
}

/** A file as a table. */
export interface Sheet {
  /** The texts above the heads. */
  readonly titles: readonly string[];
  /** The head of each column, or ''. A file without heads has only empty ones. */
  readonly heads: readonly string[];
  /** The number of columns up to the last head. */
  readonly width: number;
  /** The unit that each head states, in đồng; undefined for another currency. */
  readonly units: readonly (string | undefined)[];
  /** The columns of the names and of the codes of people, or -1. */
  readonly names: number;
  readonly codes: number;
  readonly rows: readonly Row[];
  /** The rows of tables with other heads, above or below. */
  readonly others: readonly CsvRecord[];
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

/** Adds the facts about a row. */
export function rowOf({ number, cells }: CsvRecord): Row {
  const words = cells.map(wordsIn);
  const decisive = [...cells.keys()].filter((index) => words[index] && isDecisive(words[index]));
  return { number, cells, words, decisive };
}

/** The table of the rows of a file. */
export function sheetOf(all: readonly Row[]): Sheet {
  const records = all.filter(({ cells }) => cells.some(isFilled));
  const at = headsAt(records);
  const found = headsOf(records, at);
  const isOther = (record: CsvRecord): boolean =>
    isHeads(record) && !isSame(record, found, records[at - 1]);
  const first = Math.max(at, 0);
  const above = records.slice(0, first).findIndex(isOther);
  const below = records.slice(at + 1).findIndex(isOther);
  const begin = above === -1 ? first : above;
  const rows = records.slice(at + 1, below === -1 ? undefined : at + 1 + below);
  const others = [...records.slice(begin, first), ...records.slice(at + 1 + rows.length)];
  const widths = rows.slice(0, SAMPLE).map(({ cells }) => cells.length);
  const titles = records.slice(0, begin).flatMap(({ cells }) => cells.filter(isFilled));
  const oneLine = (text = ''): string => text.replace(/\s+/g, ' ').trim();
  const columns = Math.max(found.length, ...widths);
  const width = found.map(isFilled).lastIndexOf(true) + 1;
  const heads = Array.from({ length: columns }, (_, index) => oneLine(found[index]));
  return {
    titles: titles.map(oneLine),
    heads,
    width,
    units: heads.map(unitIn),
    names: heads.findIndex(isName),
    codes: heads.findIndex(isCode),
    rows,
    others,
  };
}

/** Whether a row has the heads of a table. */
export function isHeads(record: CsvRecord): boolean {
  const isHead = (cell: string): boolean =>
    isHarmless(cell) || isKnown(cell) || isLikely('income', cell);
  return !hasNumber(record) && record.cells.filter(isHead).length > 1;
}

/** Whether a row repeats heads, or those that are merged with them. */
function isSame({ cells }: CsvRecord, heads: readonly string[], above?: CsvRecord): boolean {
  return cells.every(
    (cell, index) => !isFilled(cell) || cell === heads[index] || cell === above?.cells[index],
  );
}

/**
 * The place of the heads: texts above numbers, of which most are known, and most are there. A
 * person's row has a number, so that rows without heads keep the first person.
 */
function headsAt(records: readonly CsvRecord[]): number {
  const scores = records.slice(0, SEARCHED).map((record, at) => {
    const isAbove = records.slice(at + 1, at + 1 + FOLLOWING).some(hasNumber);
    if (!isAbove || hasNumber(record)) return 0;
    const heads = headsOf(records, at).filter(isFilled);
    return heads.length + heads.filter(isKnown).length * SEARCHED;
  });
  const most = Math.max(...scores, 0);
  return most === 0 ? -1 : scores.indexOf(most);
}

/**
 * The heads of a row; those of cells that are merged with the cells above stand in the row before,
 * which is a title if it has one cell only.
 */
function headsOf(records: readonly CsvRecord[], at: number): readonly string[] {
  const cells = records[at]?.cells ?? [];
  const above = records[at - 1];
  if (above === undefined || hasNumber(above)) return cells;
  if (above.cells.filter(isFilled).length < 2) return cells;
  const width = Math.max(cells.length, above.cells.length);
  return Array.from(
    { length: width },
    (_, index) => (isFilled(cells[index]) ? cells : above.cells)[index] ?? '',
  );
}
