/* The rows of a payroll: people, and rows that are left out, each with its reason. */
import { type Columns, type Context, fieldsIn } from './columns.ts';
import { isForeign, plain } from './heads.ts';
import { isFilled, ROMAN, type Row, SAMPLE, type Sheet } from './sheet.ts';

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

/** A row with a salary, which is that of a person unless a question about it has the answer `out`. */
export interface Verdict {
  readonly row: Row;
  readonly doubts: readonly Item[];
}

/** The usual salaries of a month, in đồng. */
const [LEAST_SALARY, MOST_SALARY] = [1_000_000, 1_000_000_000];

/** The largest part of a salary that another amount of its row usually is. */
const MOST_SHARE = 2;

/** Whether a salary of a month, in đồng, is neither very low nor very high. */
export function isUsual(salary: number): boolean {
  return salary >= LEAST_SALARY && salary <= MOST_SALARY;
}

/** The marks of the letters matter: Tống is a surname, and Công a given name. */
const TOTAL = /^(?:tổng|cộng|tổng cộng|tổng số|tong cong|(?:grand |sub)?total)$/;

/** The beginning of the name of a department, a sum or a payment, which may also be that of a person. */
const NOTE = new RegExp(
  '^(?:tổng|cộng|trung bình|bình quân|cao nhất|thấp nhất|tháng|lương (?:tháng|thử việc|quý|năm)'
    + '|thưởng|phụ cấp|trợ cấp|tạm ứng|quỹ|truy|hoàn|điều chỉnh|chênh lệch|khấu trừ|bổ sung|phòng'
    + '|bộ phận|khối|ban|tổ|đội|nhóm|chi nhánh|(?:phân )?xưởng|nhà máy|công ty|văn phòng'
    + '|total|sum|subtotal|average|maximum|minimum|last|previous|bonus|allowance|advance|arrears'
    + '|back ?pay|adjustment|correction|deduction|refund|budget|department|division|team|branch)'
    + '(?!\\p{L})',
  'u',
);

/** The amounts of each row of which one is unusual: below the least of its field, or far above its salary. */
function unusualIn(
  { sheet, columns, read }: Context,
  salaries: readonly number[],
): (string | undefined)[] {
  const amounts = fieldsIn(columns).filter(([{ kind }]) => kind === 'amount');
  return sheet.rows.map((row, at) => {
    const { [at]: salary = 0 } = salaries;
    if (Number.isNaN(salary) || salary === 0) return undefined;
    const most = Math.min(MOST_SALARY, MOST_SHARE * salary);
    const values = amounts.map((column) => Number(read(...column, row)));
    const isUnusual = amounts.some(([{ least = 0 }], place) => {
      const { [place]: value = 0 } = values;
      return value !== 0 && (value < least || value > most);
    });
    return isUnusual ? values.join('-') : undefined;
  });
}

/** The words of the cells that have no field. */
function wordsOf({ words }: Row, used: readonly number[]): string[] {
  return words.filter((word, index) => word !== '' && !used.includes(index));
}

/** The name of a person: the columns of names, or in a file without one the first words without a field. */
export function nameIn({ names }: Sheet, columns: Columns, { cells, words }: Row): string {
  const used = Object.values(columns);
  const first = words.findIndex((word, at) => word !== '' && !used.includes(at));
  const parts = (names.length > 0 ? names : [first]).map((at) => cells[at]?.trim() ?? '');
  return parts.filter(isFilled).join(' ').slice(0, 100);
}

const NAME_WORD = /^\p{Lu}[\p{L}\p{M}'’.-]*$/u;

/** The form of a name: one or several words that begin with capitals, only capitals, or another text. */
function formOfName(name: string): string {
  if (name === '') return '';
  const words = name.split(/\s+/);
  if (!words.every((word) => NAME_WORD.test(word))) return 'text';
  if (name === name.toUpperCase()) return 'capitals';
  return words.length > 1 ? 'words' : 'word';
}

/** The form of the first cell of a row: a number, a text, or the number of a department. */
function formOfFirst({ cells: [first = ''] }: Row): string {
  if (ROMAN.test(first)) return 'department';
  if (/^\s*\d/.test(first)) return 'number';
  return isFilled(first) ? 'text' : '';
}

/** Whether each form differs from the usual one, which half of the people have, if there is one. */
function oddIn(forms: readonly string[], people: readonly number[]): boolean[] {
  const known = people.map((at) => forms[at] ?? '');
  const countOf = (form: string): number => known.filter((one) => one === form).length;
  const usual = [...new Set(known)].find((form) => countOf(form) * 2 >= known.length) ?? '';
  const isName = (form: string): boolean => form === 'words' && usual !== 'capitals';
  return forms.map((form) => usual !== '' && form !== usual && !isName(form));
}

/** Whether each row is unlike those of most people, by the form of its first cell, or by its name. */
function oddRows({ sheet, columns }: Context, amounts: readonly number[]): boolean[] {
  const firsts = sheet.rows.map(formOfFirst);
  const names = sheet.rows.map((row) => nameIn(sheet, columns, row));
  const isPerson = (at: number): boolean => amounts[at] !== 0 && firsts[at] !== 'department';
  const people = [...firsts.keys()].filter(isPerson).slice(0, SAMPLE);
  const [oddFirsts, oddNames] = [oddIn(firsts, people), oddIn(names.map(formOfName), people)];
  const isNote = (name: string, at: number): boolean =>
    NOTE.test(bareIn(name)) && !isIdentified(sheet, sheet.rows[at]!);
  return names.map(
    (name, at) => oddFirsts[at] === true || oddNames[at] === true || isNote(name, at),
  );
}

/** Whether a row has a number or a code, as people have. */
function isIdentified({ codes }: Sheet, row: Row): boolean {
  return formOfFirst(row) === 'number' || codes.some((index) => isFilled(row.cells[index]));
}

/** A text in small letters without its punctuation. */
function bareIn(text: string): string {
  const words = text
    .normalize('NFC')
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\d]+/gu, ' ');
  return words.trim();
}

/** The texts that occur more than once. */
function repeatedIn(texts: readonly string[]): ReadonlySet<string> {
  const seen = new Set(['']);
  return new Set(texts.filter((text) => text !== '' && (seen.has(text) || !seen.add(text))));
}

/** Whether each row with a salary has a code of another one in the month, or its name without a code. */
function repetitionsIn({ sheet, columns }: Context, amounts: readonly number[]): boolean[] {
  const { codes, names, rows } = sheet;
  const { period = -1 } = columns;
  const isCoded = ({ cells }: Row): boolean => codes.some((index) => isFilled(cells[index]));
  const identities = rows.map((row, at) => {
    const name = names.length > 0 ? nameIn(sheet, columns, row) : '';
    const texts = [name, ...codes.map((index) => row.cells[index] ?? '')].map(bareIn);
    const month = row.cells[period] ?? '';
    const isPaid = amounts[at] !== 0;
    // Some write names without marks, or with marks on other letters.
    return texts.map((text, place) =>
      isPaid && text !== '' ? `${place} ${plain(text)} ${month}` : '',
    );
  });
  const repeated = repeatedIn(identities.flat());
  const uncoded = new Set(identities.filter((_, at) => !isCoded(rows[at]!)).map(([name]) => name));
  return identities.map(([name = '', ...found]) =>
    [uncoded.has(name) ? name : '', ...found].some((text) => repeated.has(text)),
  );
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
type Reason = readonly [reason: string | undefined, isCertain?: boolean];

/** Finds the reasons of rows; `salaries` are those of people so far. */
function reasonsOf(
  context: Context,
  amounts: readonly number[],
  odd: readonly boolean[],
  salaries: readonly number[],
): (row: Row, at: number) => Reason {
  const { sheet, columns } = context;
  const used = Object.values(columns);
  const repeated = repetitionsIn(context, amounts);
  return (row, at) => {
    const amount = amounts[at] ?? 0;
    if (sheet.width > 0 && row.cells.slice(sheet.width).some(isFilled)) return ['surplus'];
    const words = wordsOf(row, used);
    const name = bareIn(nameIn(sheet, columns, row));
    const isOdd = odd[at] === true;
    const counts = [countOf(salaries, at, 1, amount), countOf(salaries, at, -1, amount)];
    const count = Math.max(...counts);
    const isTotal =
      TOTAL.test(name) || (name === '' && words.some((word) => TOTAL.test(bareIn(word))));
    if (isTotal) return ['total', count > 0 || (isOdd && words.length < 2)];
    if (count > 0 && formOfFirst(row) === 'department') return ['sum', true];
    const isPerson = isIdentified(sheet, row) && !isOdd;
    if (count > 1 && !isPerson) return ['sum', name === ''];
    if (repeated[at] === true) return ['repeated'];
    return [words.some(isForeign) ? 'currency' : isOdd ? 'odd' : undefined];
  };
}

/** Judges the rows with a salary; the choice of the person about a row counts. */
export function judge(context: Context, amounts: readonly number[]): Verdict[] {
  const { answerTo, sheet } = context;
  const unusual = unusualIn(context, amounts);
  const odd = oddRows(context, amounts);
  const salaries = amounts.map((amount, at) => (odd[at] ? 0 : amount || 0));
  const reasonAt = reasonsOf(context, amounts, odd, salaries);
  const verdictAt = (row: Row, at: number): Verdict => {
    const amount = amounts[at] ?? 0;
    const [reason, isCertain] = reasonAt(row, at);
    const doubts: Item[] = [];
    const key = `row.${row.number}`;
    const chosen = answerTo(key);
    const name = reason ?? (chosen && 'chosen');
    const answer = chosen ?? (isCertain ? 'out' : undefined);
    if (name !== undefined) doubts.push({ name, key, part: row, answer });
    const isIn = (one: Item): boolean => one.answer === 'in';
    if (unusual[at] !== undefined && doubts.every(isIn)) {
      const extreme = `amount.${row.number}.${unusual[at]}`;
      doubts.push({ name: 'extreme', key: extreme, part: row, answer: answerTo(extreme) });
    }
    salaries[at] = doubts.every(isIn) ? amount || 0 : 0;
    return { row, doubts };
  };
  const verdicts = (): Verdict[] =>
    sheet.rows.flatMap((row, at) => (amounts[at] === 0 ? [] : [verdictAt(row, at)]));
  verdicts(); // The sums of groups of groups need those of the groups below them.
  return verdicts();
}
