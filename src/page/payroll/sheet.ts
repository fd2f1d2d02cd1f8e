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
  /** The rows above the heads. */
  readonly above: readonly Row[];
  /** The head of each column, or ''. A file without heads has only empty ones. */
  readonly heads: readonly string[];
  /** The number of columns up to the last head. */
  readonly width: number;
  /** The unit that each head states, in đồng: '' for none, and undefined for another currency. */
  readonly units: readonly (string | undefined)[];
  /** The columns of the names and of the codes of people, or -1. */
  readonly names: number;
  readonly codes: number;
  readonly rows: readonly Row[];
  /** The rows of tables with other heads, above or below. */
  readonly others: readonly Row[];
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
  const first = Math.max(at, 0);
  const ends = records.findIndex((row, place) => place > at && !isHeads(row));
  // Heads below heads are those of the columns in another language.
  const start = at === -1 ? 0 : ends;
  const found = [records.slice(first, start), mergedAbove(records, at)];
  const isOther = (row: Row): boolean => isHeads(row) && !isSame(row, found.flat());
  const above = records.slice(0, first).findIndex(isOther);
  const begin = above === -1 ? first : above;
  const below = records.slice(start).findIndex(isOther);
  const rows = records.slice(start, below === -1 ? undefined : start + below);
  const others = [...records.slice(begin, first), ...records.slice(start + rows.length)];
  const named = headsOf(found);
  const widths = rows.slice(0, SAMPLE).map(({ cells }) => cells.length);
  const columns = Math.max(named.length, ...widths);
  const heads = Array.from({ length: columns }, (_, index) => named[index] ?? '');
  return {
    above: records.slice(0, begin),
    heads,
    width: named.map(isFilled).lastIndexOf(true) + 1,
    units: heads.map(unitIn),
    names: heads.findIndex(isName),
    codes: heads.findIndex(isCode),
    rows,
    others,
  };
}

/** The texts above the heads. */
export function titlesOf({ above }: Sheet): string[] {
  return above.flatMap(({ cells }) => cells.filter(isFilled).map(oneLine));
}

const oneLine = (text: string): string => text.replace(/\s+/g, ' ').trim();

/** Whether a row has the heads of a table. */
export function isHeads(record: CsvRecord): boolean {
  const isHead = (cell: string): boolean =>
    isHarmless(cell) || isKnown(cell) || isLikely('income', cell);
  return !hasNumber(record) && record.cells.filter(isHead).length > 1;
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
    const rows = [[record], mergedAbove(records, at)];
    const heads = headsOf(rows).filter(isFilled);
    return heads.length + heads.filter(isKnown).length * SEARCHED;
  });
  const most = Math.max(...scores, 0);
  return most === 0 ? -1 : scores.indexOf(most);
}

/** The row before heads, which has those of merged cells; it is a title if it has one cell only. */
function mergedAbove(records: readonly Row[], at: number): readonly Row[] {
  const above = at > 0 ? records.slice(at - 1, at) : [];
  return above.filter((row) => !hasNumber(row) && row.cells.filter(isFilled).length > 1);
}

/** The heads of columns in rows of heads, of which further ones only have those that others lack. */
function headsOf(found: readonly (readonly Row[])[]): string[] {
  const widths = found.flat().map(({ cells }) => cells.length);
  return Array.from({ length: Math.max(...widths, 0) }, (_, index) => {
    const heads = found.map((rows) => rows.map(({ cells }) => oneLine(cells[index] ?? '')));
    const texts = heads.map((row) => row.find(isKnown) ?? row.filter(isFilled).join(' / '));
    return texts.find(isFilled) ?? '';
  });
}
