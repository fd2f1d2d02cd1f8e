/* The rows of a payroll: people, and rows that are left out, each with its reason. */
import type { Columns } from './columns.ts';
import type { CsvRecord } from './csv.ts';
import { isFilled, SAMPLE } from './sheet.ts';
import type { Values } from '../request.ts';

/** A row as that of a person, or with a reason to leave it out. */
export interface Verdict {
  readonly row: CsvRecord;
  /** The key of the choice about the row, or about its amount. */
  readonly key: string;
  readonly reason?: 'numbering' | 'noAmount' | 'total' | 'sum' | 'odd' | 'extreme' | undefined;
  /** What happens to the row, for certain or by choice; undefined if that is open. */
  readonly answer: string | undefined;
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

/** The number of a department. */
const ROMAN = /^\s*[IVX]+\.?\s*$/;

/** The kind of the first cell: empty, a text, a number, or the number of a department. */
function kindOf({ cells: [first = ''] }: CsvRecord): string {
  if (ROMAN.test(first)) return 'roman';
  if (/^\s*\d/.test(first)) return 'number';
  return isFilled(first) ? 'text' : '';
}

/** The kind of the first cell of half of the rows, except departments; undefined if that is empty. */
function usualKind(rows: readonly CsvRecord[]): string | undefined {
  const kinds = rows.map(kindOf).filter((kind) => kind !== 'roman');
  const countOf = (kind: string): number => kinds.filter((one) => one === kind).length;
  return ['number', 'text'].find((kind) => countOf(kind) * 2 >= kinds.length);
}

/** What is known about the rows of a file. */
interface Facts {
  readonly rows: readonly CsvRecord[];
  /** The salaries in đồng: 0 without one, and NaN for one that cannot be read. */
  readonly amounts: readonly number[];
  readonly columns: Columns;
}

/** The texts of a row that may be names. */
function wordsOf({ cells }: CsvRecord, used: readonly number[]): string[] {
  return cells
    .filter((cell, index) => !used.includes(index) && /\p{L}{2}/u.test(cell) && !ROMAN.test(cell))
    .map((cell) => cell.normalize('NFC').toLowerCase().trim());
}

/** The number of people next to a row, above or below, whose salaries have this sum. */
function countOf(salaries: readonly number[], at: number, step: 1 | -1, sum: number): number {
  let [rest, count] = [sum, 0];
  for (let next = at + step; rest > 0 && next in salaries; next += step) {
    const salary = salaries[next] ?? 0;
    rest -= salary;
    if (salary > 0) count += 1;
  }
  return rest === 0 ? count : 0;
}

/** Why a row with a salary may be that of nobody, and whether that is certain. */
function doubtOf(words: readonly string[], isOdd: boolean, count: number): Doubt {
  const isAlone = words.length < 2;
  const isNamed = words.some((word) => TOTAL.test(word));
  const begins = words.some((word) => BEGINNING.test(word));
  const isTotal = isNamed || (begins && (isAlone || count > 1));
  const isSum = count > (isTotal ? 0 : 1);
  if (isTotal) return ['total', (isSum && (isNamed || isAlone)) || (isNamed && isOdd && isAlone)];
  if (isSum && isAlone) return ['sum', isOdd];
  return [isOdd ? 'odd' : undefined, false];
}

type Doubt = readonly [reason: Verdict['reason'], isCertain: boolean];

/** Judges the rows; the choice of the person about a row counts. */
export function judge({ rows, amounts, columns }: Facts, choices: Values): Verdict[] {
  const usual = usualKind(rows.slice(0, SAMPLE).filter((_, at) => amounts[at] !== 0));
  const used = Object.values(columns);
  const words = rows.map((row) => wordsOf(row, used));
  const odd = rows.map((row) => usual !== undefined && kindOf(row) !== usual);
  const salaries = amounts.map((amount, at) => (odd[at] ? 0 : amount || 0));
  const doubtAt = (row: CsvRecord, at: number, amount: number): Doubt => {
    if (at === 0 && isNumbering(row.cells)) return ['numbering', true];
    if (amount === 0) return ['noAmount', true];
    const counts = [countOf(salaries, at, 1, amount), countOf(salaries, at, -1, amount)];
    return doubtOf(words[at] ?? [], odd[at] === true, Math.max(...counts));
  };
  const verdictAt = (row: CsvRecord, at: number): Verdict => {
    const amount = amounts[at] ?? 0;
    const [doubt, isCertain] = doubtAt(row, at, amount);
    const isExtreme = !isUsual(amount) && !Number.isNaN(amount);
    const isPerson = doubt === undefined || choices[`row.${row.number}`] === 'in';
    const reason = isPerson && isExtreme && amount !== 0 ? 'extreme' : doubt;
    const key = `${reason === 'extreme' ? 'amount' : 'row'}.${row.number}`;
    const certain = isCertain ? 'out' : undefined;
    const answer = choices[key] ?? (reason === undefined ? 'in' : certain);
    salaries[at] = answer === 'in' ? amount || 0 : 0;
    return { row, reason, key, answer };
  };
  rows.forEach(verdictAt); // The sums of groups of groups need those of the groups below them.
  return rows.map(verdictAt);
}
