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

/** A row with a salary, which may be that of a person. */
interface Candidate {
  readonly row: Row;
  /** The salary in đồng, or NaN for a text. */
  readonly salary: number;
  readonly name: string;
  /** The name in small letters without its punctuation. */
  readonly bareName: string;
  /** The form of the first cell. */
  readonly first: string;
  readonly isCoded: boolean;
  /** The amounts as a text, if one of them is unusual, or ''. */
  readonly unusual: string;
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

/** A text in small letters without its punctuation. */
function bareIn(text: string): string {
  const words = text
    .normalize('NFC')
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\d]+/gu, ' ');
  return words.trim();
}

/** Finds the amounts of rows of which one is below the least of its field, or far above the salary. */
function unusualIn({ columns, read }: Context): (row: Row, salary: number) => string {
  const amounts = fieldsIn(columns).filter(([{ kind }]) => kind === 'amount');
  return (row, salary) => {
    const most = Math.min(MOST_SALARY, MOST_SHARE * salary);
    const values = amounts.map(([field, index]) =>
      field.name === 'income' ? salary : Number(read(field, index, row)),
    );
    const isUnusual = amounts.some(([{ least = 0 }], place) => {
      const { [place]: value = 0 } = values;
      return value !== 0 && (value < least || value > most);
    });
    return isUnusual && !Number.isNaN(salary) ? values.join('-') : '';
  };
}

/** The rows with a salary; `salaries` are those of all rows, of which 0 is none. */
function candidatesIn(context: Context, salaries: readonly number[]): Candidate[] {
  const { sheet, columns } = context;
  const unusualOf = unusualIn(context);
  return sheet.rows.flatMap((row, at) => {
    const { [at]: salary = 0 } = salaries;
    if (salary === 0) return [];
    const name = nameIn(sheet, columns, row);
    const first = formOfFirst(row);
    const isCoded = sheet.codes.some((index) => isFilled(row.cells[index]));
    return [
      {
        ...{ row, salary, name, first, isCoded },
        bareName: bareIn(name),
        unusual: unusualOf(row, salary),
      },
    ];
  });
}

/** Whether each form differs from the usual one, which half of the people have, if there is one. */
function oddIn(people: readonly Candidate[], formOf: (one: Candidate) => string): boolean[] {
  const sample = people.filter(({ first }) => first !== 'department').slice(0, SAMPLE);
  const known = sample.map(formOf);
  const countOf = (form: string): number => known.filter((one) => one === form).length;
  const usual = [...new Set(known)].find((form) => countOf(form) * 2 >= known.length) ?? '';
  const isName = (form: string): boolean => form === 'words' && usual !== 'capitals';
  const isOdd = (form: string): boolean => usual !== '' && form !== usual && !isName(form);
  return people.map((one) => isOdd(formOf(one)));
}

/** Whether each row is unlike those of most people, by the form of its first cell, or by its name. */
function oddRows(people: readonly Candidate[]): boolean[] {
  const oddFirsts = oddIn(people, ({ first }) => first);
  const oddNames = oddIn(people, ({ name }) => formOfName(name));
  return people.map(({ bareName, isCoded }, at) => {
    const isNote = !isCoded && NOTE.test(bareName);
    return isNote || oddFirsts[at] === true || oddNames[at] === true;
  });
}

/** The texts that occur more than once. */
function repeatedIn(texts: readonly string[]): ReadonlySet<string> {
  const seen = new Set(['']);
  return new Set(texts.filter((text) => text !== '' && (seen.has(text) || !seen.add(text))));
}

/** Whether each person has a code of another one in the month, or has no code, and its name. */
function repetitionsIn({ sheet, columns }: Context, people: readonly Candidate[]): boolean[] {
  const { codes, names } = sheet;
  const { period = -1 } = columns;
  const identities = people.map(({ row: { cells }, bareName }) => {
    // Some write names without marks, or with marks on other letters.
    const name = names.length > 0 ? plain(bareName) : '';
    const texts = [name, ...codes.map((index) => bareIn(cells[index] ?? ''))];
    return texts.map((text, place) => text && `${place} ${text} ${cells[period] ?? ''}`);
  });
  const repeated = repeatedIn(identities.flat());
  const isUncoded = ([, ...found]: readonly string[]): boolean => !found.some(isFilled);
  const uncoded = new Set(identities.filter(isUncoded).map(([name]) => name));
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

/** Finds the reason of a person who is odd or repeated, and has the sum of the salaries of others. */
function reasonOf(
  { sheet, columns }: Context,
  { row, name, bareName, first, isCoded }: Candidate,
  [isOdd, isRepeated, count]: readonly [boolean, boolean, number],
): Reason {
  const { width } = sheet;
  if (width > 0 && row.cells.slice(width).some(isFilled)) return ['surplus'];
  const used = Object.values(columns);
  const words = row.words.filter((word, index) => word !== '' && !used.includes(index));
  const hasTotal = name === '' && words.some((word) => TOTAL.test(bareIn(word)));
  if (hasTotal || TOTAL.test(bareName)) return ['total', count > 0 || (isOdd && words.length < 2)];
  if (count > 0 && first === 'department') return ['sum', true];
  const isNumbered = first === 'number' || isCoded;
  if (count > 1 && (isOdd || !isNumbered)) return ['sum', name === ''];
  if (isRepeated) return ['repeated'];
  return [words.some(isForeign) ? 'currency' : isOdd ? 'odd' : undefined];
}

const isIn = ({ answer }: Item): boolean => answer === 'in';

/** Judges the rows with a salary, which are given for all rows; the choice of the person about a row counts. */
export function judge(context: Context, amounts: readonly number[]): Verdict[] {
  const { answerTo } = context;
  const people = candidatesIn(context, amounts);
  const repeated = repetitionsIn(context, people);
  const odd = oddRows(people);
  // The salaries of people so far, whose sums are those of other rows.
  const salaries = people.map(({ salary }, at) => (odd[at] ? 0 : salary || 0));
  const verdictAt = (one: Candidate, at: number): Verdict => {
    const { row, salary, unusual } = one;
    const counts = [countOf(salaries, at, 1, salary), countOf(salaries, at, -1, salary)];
    const facts = [odd[at] === true, repeated[at] === true, Math.max(...counts)] as const;
    const [reason, isCertain] = reasonOf(context, one, facts);
    const key = `row.${row.number}`;
    const chosen = answerTo(key);
    const name = reason ?? (chosen && 'chosen');
    const answer = chosen ?? (isCertain ? 'out' : undefined);
    const doubts: Item[] = name === undefined ? [] : [{ name, key, part: row, answer }];
    if (unusual !== '' && doubts.every(isIn)) {
      const extreme = `amount.${row.number}.${unusual}`;
      doubts.push({ name: 'extreme', key: extreme, part: row, answer: answerTo(extreme) });
    }
    salaries[at] = doubts.every(isIn) ? salary || 0 : 0;
    return { row, doubts };
  };
  people.forEach(verdictAt); // The sums of groups of groups need those of the groups below them.
  return people.map(verdictAt);
}
