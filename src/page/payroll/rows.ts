/* The rows of a payroll: people, and rows that are left out, each with its reason. */
import type { Columns } from './columns.ts';
import { isForeign } from './heads.ts';
import { isFilled, isHeads, numberIn, ROMAN, type Row, SAMPLE, type Sheet } from './sheet.ts';
import type { Values } from '../request.ts';

/** A part of the file that a question is about. */
export interface Item {
  /** The name of the question, which other parts may share. */
  readonly name: string;
  /** The key of the choice. */
  readonly key: string;
  /** The row, or the text of another part. */
  readonly part: Row | string;
  /** The answer that is certain or chosen; undefined if the question is open. */
  readonly answer: string | undefined;
}

/** A row, which is that of a person unless a question about it has the answer `out`. */
export interface Verdict {
  readonly row: Row;
  readonly doubts: readonly Item[];
  /** Whether the file itself leaves the row out. */
  readonly isLeftOut: boolean;
}

/** Whether a salary of a month, in đồng, is neither very low nor very high. */
export function isUsual(salary: number): boolean {
  return salary >= 1_000_000 && salary <= 1_000_000_000;
}

/** The marks of the letters matter: Tống is a surname, and Công a given name. */
const TOTAL = /^(?:tổng|cộng|tổng cộng|tổng số|tong cong|(?:grand |sub)?total)[:.]?$/;

const DEPARTMENTS =
  'phòng|bộ phận|khối|ban|tổ|đội|nhóm|chi nhánh|(?:phân )?xưởng|nhà máy|department|division|team';
const BEGINNING = new RegExp(
  '^(?:tổng|cộng|tong cong|total|sum|subtotal|trung bình|bình quân|average|công ty|toàn|văn phòng|'
    + `${DEPARTMENTS})(?!\\p{L})`,
  'u',
);

/** The beginning of a row that corrects or adds amounts. */
const CORRECTION = new RegExp(
  '^(?:truy (?:lĩnh|lãnh|thu)|điều chỉnh|chênh lệch|quỹ|thưởng|phụ cấp|trợ cấp|tạm ứng|bổ sung'
    + '|khấu trừ|truy linh|dieu chinh|chenh lech|quy luong|adjustment|correction|bonus|arrears'
    + '|back ?pay|advance|deduction)(?!\\p{L})',
  'u',
);

const PAGE = /^(?:(?:trang|page) (?:\d|trước)|bằng chữ|số tiền bằng chữ)/;

/** Whether a row numbers the columns, such as A, B, (1), (2), (3) = (1) + (2). */
export function isNumbering(cells: readonly string[]): boolean {
  const used = cells.map((cell) => cell.trim()).filter(isFilled);
  const numbers = used.filter((cell) => !/^[A-Z]$/.test(cell));
  return (
    used.length > 2
    && numbers.length > 1
    && numbers.every((cell, index) => new RegExp(`^\\(?${index + 1}\\)?(?:\\s*=.*)?$`).test(cell))
  );
}

/** The kind of the first cell: empty, a text, a number, or the number of a department. */
function kindOf({ cells: [first = ''] }: Row): string {
  if (ROMAN.test(first)) return 'roman';
  if (/^\s*\d/.test(first)) return 'number';
  return isFilled(first) ? 'text' : '';
}

/** The facts about the rows of a file. */
interface Facts {
  readonly sheet: Sheet;
  /** The salaries in đồng: 0 without one, and NaN for one that cannot be read. */
  readonly amounts: readonly number[];
  /** The amounts of each row, as a text, if one of them is unusual. */
  readonly unusual: readonly (string | undefined)[];
  readonly columns: Columns;
}

/** The words of the cells that have no field. */
function wordsOf({ words }: Row, used: readonly number[] = []): string[] {
  return words.filter((word, index) => word !== '' && !used.includes(index));
}

/** The place of the name of a person: the column of names, else the first words without a field. */
function nameAt({ names }: Sheet, used: readonly number[], { words }: Row): number {
  return words[names] ? names : words.findIndex((word, at) => word !== '' && !used.includes(at));
}

/** The name of a person, or ''. */
export function nameIn(sheet: Sheet, columns: Columns, row: Row): string {
  const name = row.cells[nameAt(sheet, Object.values(columns), row)];
  return name?.trim().slice(0, 100) ?? '';
}

/** The texts that occur more than once. */
function repeatedIn(texts: readonly string[]): ReadonlySet<string> {
  const seen = new Set(['']);
  return new Set(texts.filter((text) => text !== '' && (seen.has(text) || !seen.add(text))));
}

/** The most rows in succession without a salary that a sum passes over. */
const LONGEST_GAP = 100;

/** The number of people next to a row, above or below, whose salaries have this sum. */
function countOf(salaries: readonly number[], at: number, step: 1 | -1, sum: number): number {
  let [rest, count, gap] = [sum, 0, 0];
  for (let next = at + step; rest > 0 && gap < LONGEST_GAP && next in salaries; next += step) {
    const salary = salaries[next] ?? 0;
    rest -= salary;
    gap = salary > 0 ? 0 : gap + 1;
    if (salary > 0) count += 1;
  }
  return rest === 0 ? count : 0;
}

/** Why a row with a salary may be that of nobody, and whether that is certain. */
function reasonOf(words: readonly string[], isOdd: boolean, count: number): Reason {
  const isAlone = words.length < 2;
  const isNamed = words.some((word) => TOTAL.test(word));
  const begins = words.some((word) => BEGINNING.test(word));
  const isTotal = isNamed || (begins && (isAlone || count > 1));
  const isSum = count > (isTotal ? 0 : 1);
  const isCertain = isNamed ? isSum || (isOdd && isAlone) : isSum && isOdd && isAlone;
  if (isTotal) return ['total', isCertain];
  if (isSum && isAlone) return ['sum', isOdd];
  return [isOdd ? 'odd' : undefined, false];
}

type Reason = readonly [reason: string | undefined, isCertain: boolean];

/** Whether the first cell of each row is of another kind than in half of the rows, except departments. */
function oddIn({ sheet: { rows }, amounts }: Facts): boolean[] {
  const sample = rows.slice(0, SAMPLE).filter((_, at) => amounts[at] !== 0);
  const kinds = sample.map(kindOf).filter((kind) => kind !== 'roman');
  const countOf = (kind: string): number => kinds.filter((one) => one === kind).length;
  const usual = ['number', 'text'].find((kind) => countOf(kind) * 2 >= kinds.length);
  return rows.map((row) => usual !== undefined && kindOf(row) !== usual);
}

/** Finds the reasons of rows; `salaries` are those of people so far. */
function reasonsOf(
  { sheet, amounts, columns }: Facts,
  odd: readonly boolean[],
  salaries: readonly number[],
): (row: Row, at: number) => Reason {
  const { rows } = sheet;
  const used = Object.values(columns);
  const names = rows.map((row) => row.words[nameAt(sheet, used, row)] ?? '');
  const identity = sheet.codes === -1 ? sheet.names : sheet.codes;
  const codes = rows.map(({ cells }) => cells[identity]?.trim().toLowerCase() ?? '');
  const repeated = repeatedIn(codes.filter((_, at) => amounts[at] !== 0));
  return (row, at) => {
    const amount = amounts[at] ?? 0;
    if (at === 0 && isNumbering(row.cells)) return ['numbering', true];
    if (amount === 0) return ['noAmount', true];
    if (sheet.width > 0 && row.cells.slice(sheet.width).some(isFilled)) return ['surplus', false];
    const words = wordsOf(row, used);
    const counts = [countOf(salaries, at, 1, amount), countOf(salaries, at, -1, amount)];
    const found = reasonOf(words, odd[at] === true, Math.max(...counts));
    if (found[0] === 'total' || found[0] === 'sum') return found;
    if (repeated.has(codes[at] ?? '')) return ['repeated', false];
    if (row.decisive.length > 0 && words.some(isForeign)) return ['currency', false];
    const isCorrection = [words[0], names[at]].some((word = '') => CORRECTION.test(word));
    return isCorrection ? ['odd', false] : found;
  };
}

/** Judges the rows; the choice of the person about a row counts. */
export function judge(facts: Facts, choices: Values): Verdict[] {
  const { amounts, unusual } = facts;
  const { rows } = facts.sheet;
  const odd = oddIn(facts);
  const salaries = amounts.map((amount, at) => (odd[at] ? 0 : amount || 0));
  const reasonAt = reasonsOf(facts, odd, salaries);
  const chosenOf = new Map(Object.entries(choices));
  const verdictAt = (row: Row, at: number): Verdict => {
    const amount = amounts[at] ?? 0;
    const [reason, isCertain] = reasonAt(row, at);
    const doubts: Item[] = [];
    const key = `row.${row.number}`;
    const chosen = chosenOf.get(key);
    const name = reason ?? (chosen && 'chosen');
    const answer = chosen ?? (isCertain ? 'out' : undefined);
    if (name !== undefined) doubts.push({ name, key, part: row, answer });
    const isIn = (one: Item): boolean => one.answer === 'in';
    if (unusual[at] !== undefined && doubts.every(isIn)) {
      const extreme = `amount.${row.number}.${unusual[at]}`;
      doubts.push({ name: 'extreme', key: extreme, part: row, answer: chosenOf.get(extreme) });
    }
    salaries[at] = doubts.every(isIn) ? amount || 0 : 0;
    return { row, doubts, isLeftOut: isCertain && chosen === undefined };
  };
  rows.forEach(verdictAt); // The sums of groups of groups need those of the groups below them.
  return rows.map(verdictAt);
}

/** The rows of words above people, except departments: they may say something about the people. */
export function groupsOf(verdicts: readonly Verdict[], income: number): Row[] {
  const last = verdicts.map(({ isLeftOut }) => isLeftOut).lastIndexOf(false);
  const isGroup = (row: Row): boolean => {
    const words = wordsOf(row);
    if (isHeads(row) || Number(numberIn(row.cells[income])) === 0) return false;
    const isKnown = words.some((word) => BEGINNING.test(word) || PAGE.test(word));
    return row.decisive.length > 0 || (words.length > 0 && !isKnown);
  };
  const above = verdicts.slice(0, last + 1).filter(({ isLeftOut }) => isLeftOut);
  return above.map(({ row }) => row).filter(isGroup);
}
