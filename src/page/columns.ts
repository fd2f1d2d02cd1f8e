/* The columns of a payroll: which field each one has, and how its cells are written. */
import { READ } from './controls.ts';
import type { CsvRecord } from './csv.ts';
import { type Language, NUMBER } from './numbers.ts';
import { bareOf, readMonth } from './reading.ts';
import { bounded, type Field, type Kind, type Values } from './request.ts';
import { calculator } from './salary.ts';
import { TEXTS } from './texts.ts';

/** The field of each column; undefined for one that is not used. */
export type Columns = readonly (string | undefined)[];

/**
 * Heads of columns in letters without marks, besides the names of fields and their labels; an
 * earlier pattern is preferred where several columns match.
 */
const HEADS: Readonly<Record<string, readonly RegExp[]>> = {
  income: [
    /^(?:(?:l|luong|tongluong|thunhap|tongthunhap)?gross|gross(?:salary|pay|income|wage))$/,
    /^(?:tong(?:thunhap|(?:tien)?luong)|total(?:salary|wages?|pay|income|earnings))$/,
    /^(?:(?:l|luong|thunhap)?net|net(?:salary|pay|income|wage))$/,
    /^(?:thunhap(?:chiuthue)?|luong(?:hopdong|thoathuan))$/,
    /^(?:(?:muc|tien)?luong(?:thang|chinh|hangthang)?|(?:monthly)?(?:salary|wages?|pay|income))$/,
    /^(?:(?:tien|muc)?luongco(?:ban|so)|(?:basic|base|contract)(?:monthly)?(?:salary|wage|pay))$/,
    // The firm's own result, maybe after an advance, stands beside what it follows from.
    /^(?:luong|tien|sotien)?thuc(?:nhan|linh|lanh)$/,
  ],
  type: [/^(?:grossnet|loai(?:luong)?)$/],
  dependents: [
    /^(?:numberof|noof)?depend[ae]nts?$/,
    /^(?:(?:tong)?so(?:luong)?|sl)?(?:npt|phuthuoc|nguoi(?:pt|phuthuoc))(?:dangky)?$/,
    /^giamtrunpt$/,
  ],
  period: [/^(?:month|period|thang(?:luong|tinhluong)?|kyluong|kytinhluong)$/],
  region: [/^vung(?:luong(?:toithieu)?)?$/],
  insurance_salary: [
    /^(?:(?:luong|muc|tien|mucluong|tienluong)(?:dong|dongbao|thamgia)?(?:bhxh|bh|baohiem|hiem))$/,
    /^(?:insurance|insured)(?:salary|wage|base)$/,
  ],
};

/** A head in small letters without marks. */
function plain(head: string): string {
  return head.slice(0, 100).normalize('NFD').toLowerCase().replaceAll('đ', 'd');
}

/** The letters of a head, without those in parentheses. */
function lettersOf(head: string): string {
  return plain(head).replace(/\(.*|[^a-z]/g, '');
}

/** The field of each column; the first column that fits best has it. */
export function columnsOf(heads: readonly string[]): Columns {
  const columns: (string | undefined)[] = heads.map(() => undefined);
  const keys = heads.map(lettersOf);
  for (const { name } of calculator.fields) {
    const known = new Set([name, ...(TEXTS[name] ?? [])].map(lettersOf));
    const patterns = HEADS[name] ?? [];
    const tests = [
      (key: string) => known.has(key),
      ...patterns.map((pattern) => (key: string) => pattern.test(key)),
    ];
    for (const fits of tests) {
      const at = keys.findIndex(
        (key, index) => key !== '' && columns[index] === undefined && fits(key),
      );
      if (at === -1) continue;
      columns[at] = name;
      break;
    }
  }
  return columns;
}

const NAME_HEAD =
  /^(?:(?:ho(?:va)?)?ten(?:nhanvien|nv|nld)?|(?:full|employee|staff)?names?|nhanvien|employees?)$/;

/** The name of a person: the cell of the column of names, else the first text that is not used. */
export function nameIn(
  cells: readonly string[],
  heads: readonly string[],
  columns: Columns,
): string {
  const isName = (cell = ''): boolean => /\p{L}{2}/u.test(cell);
  const named = cells[heads.findIndex((head) => NAME_HEAD.test(lettersOf(head)))];
  const name = isName(named)
    ? named
    : cells.find((cell, index) => columns[index] === undefined && isName(cell));
  return name?.slice(0, 100) ?? '';
}

/** A title may stand above the heads, which are looked for in the first rows. */
const ROWS_BEFORE_HEADS = 10;

/**
 * The place of the row of heads: the first of the rows with the most fields, of which the salary
 * counts twice, because a title may name a month; 0 without any.
 */
export function headsAt(rows: readonly CsvRecord[]): number {
  const counts = rows.slice(0, ROWS_BEFORE_HEADS).map((_, at) => {
    const columns = columnsOf(headsOf(rows, at).slice(0, 1_000));
    const fields = columns.filter((name) => name !== undefined).length;
    return columns.includes('income') ? fields + 1 : fields;
  });
  const at = Math.max(counts.indexOf(Math.max(...counts, 0)), 0);
  return isBelowGroups(rows, at + 1) ? at + 1 : at;
}

const isEmpty = (cell = ''): boolean => cell.trim() === '';

/** Whether a row has the heads of columns whose groups have the heads of the row before. */
function isBelowGroups(rows: readonly CsvRecord[], at: number): boolean {
  const groups = rows[at - 1]?.cells ?? [];
  const cells = rows[at]?.cells ?? [];
  const isBelow = (cell: string, index: number): boolean =>
    isEmpty(cell) || isEmpty(groups[index]) || isEmpty(groups[index + 1]);
  const texts = cells.filter((cell) => !isEmpty(cell));
  return texts.length > 1 && !texts.some((cell) => /^\s*[\d-]/.test(cell)) && cells.every(isBelow);
}

/**
 * The heads of a row; those of cells that are merged with the cells above stand in the row before,
 * which is a title if it has one cell only.
 */
export function headsOf(rows: readonly CsvRecord[], at: number): readonly string[] {
  const cells = rows[at]?.cells ?? [];
  const above = rows[at - 1]?.cells ?? [];
  if (above.filter((cell) => !isEmpty(cell)).length < 2) return cells;
  const width = Math.max(cells.length, above.length);
  return Array.from(
    { length: width },
    (_, index) => (isEmpty(cells[index]) ? above : cells)[index] ?? '',
  );
}

const TITLE_MONTH =
  /(ngay\s*\d{1,2}\s*)?(?:thang|month|ky(?: luong)?|\bt)[\s:]*(\d{1,2})\s*(?:nam|[/.-])\s*(\d{4})/g;

/** The month that a title names, such as THÁNG 10/2026; undefined without one, or with several. */
export function monthOfTitle(rows: readonly CsvRecord[]): string | undefined {
  const title = rows
    .flatMap(({ cells }) => cells.map(plain))
    .join(' ')
    .replace(/\p{M}/gu, '');
  const periods = [...title.slice(0, 1_000).matchAll(TITLE_MONTH)]
    .filter(([, day]) => day === undefined)
    .map(([, , month, year]) => readMonth(`${month}/${year}`));
  const [period, ...others] = new Set(periods);
  const isMonth = period !== undefined && /^\d{4}-\d\d$/.test(period);
  return isMonth && others.length === 0 ? period : undefined;
}

/** What a head says about the amounts under it. */
export interface HeadFacts {
  readonly type: 'gross' | 'net' | 'cost';
  /** The đồng of the unit in parentheses, such as (nghìn đồng). */
  readonly unit: '1' | '1000' | '1000000';
}

/** Reads the head of the salaries. */
export function headFactsOf(head: string): HeadFacts {
  const letters = plain(head).replace(/[^a-z0-9(]/g, '');
  return { type: typeOf(letters), unit: unitOf(letters) };
}

function typeOf(letters: string): HeadFacts['type'] {
  if (/net|thuc(?:nhan|linh|lanh)/.test(letters)) return 'net';
  return /cost|chiphi|ngansach/.test(letters) ? 'cost' : 'gross';
}

function unitOf(letters: string): HeadFacts['unit'] {
  if (/\(.*(?:nghin|ngan|1000|thousand|k$)/.test(letters)) return '1000';
  return /\(.*(?:trieu|tr$|million)/.test(letters) ? '1000000' : '1';
}

/** The marks of the letters matter: Tống is a surname, and Công a given name. */
const TOTAL = /^\s*(?:tổng|cộng|tong cong|total|grand total|sum)(?!\p{L})/u;

/** Whether the row below the heads numbers the columns, such as A, B, (1), (2), (3) = (1) + (2). */
export function isNumbering(cells: readonly string[]): boolean {
  const used = cells.map((cell) => cell.trim()).filter((cell) => cell !== '');
  const numbers = used.filter((cell) => !/^[A-Z]$/.test(cell));
  return (
    used.length > 2
    && numbers.length > 1
    && numbers.every((cell, index) => new RegExp(`^\\(?${index + 1}\\)?(?:\\s*=.*)?$`).test(cell))
  );
}

/** The number of a department. */
const ROMAN = /^\s*[IVX]+\.?\s*$/;

const DEPARTMENTS = 'phòng|bộ phận|khối|ban|tổ|đội|nhóm|chi nhánh|(?:phân )?xưởng|nhà máy';
const GROUP = new RegExp(`^\\s*(?:${DEPARTMENTS}|department|division|team)(?!\\p{L})`, 'u');

/** The cells of a department besides its name: zeros and sums. */
const SUM = /^\s*(?:[-–0]|[\d.,\s]{6,})\s*$/;

/** Whether a row names a department and nobody; it may have the sum of the rows below. */
export function isGroup(cells: readonly string[], columns: Columns): boolean {
  const names = cells.filter(
    (cell, index) =>
      columns[index] === undefined && !isEmpty(cell) && !ROMAN.test(cell) && !SUM.test(cell),
  );
  const [name = ''] = names;
  return names.length === 1 && GROUP.test(name.normalize('NFC').toLowerCase());
}

/** Whether a row has a sum of the rows above, by its text, or because it names nobody. */
export function isTotal(cells: readonly string[], columns: Columns, sum: number): boolean {
  const first = cells.find(
    (cell, index) => columns[index] === undefined && /\p{L}/u.test(cell) && !ROMAN.test(cell),
  );
  if (first !== undefined) return TOTAL.test(first.normalize('NFC').toLowerCase());
  const income = cells[columns.indexOf('income')] ?? '';
  const names = cells.filter((_, index) => columns[index] === undefined);
  const isNameless = names.length > 0 && names.every((cell) => cell.trim() === '');
  return isNameless && sum > 0 && Number(READ.amount(income, 'vi')) === sum;
}

const REGIONS: Readonly<Record<string, string>> = { i: '1', ii: '2', iii: '3', iv: '4' };
const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];

/** Reads 01/10/2026, T10-26 and Oct-26, as spreadsheets write months, into 2026-10. */
export function readMonthCell(cell: string): string {
  const bare = bareOf(cell);
  const [, day, month, year] = /^(\d{1,2})[/.-](\d{1,2})[/.-](\d{4})$/.exec(bare) ?? [];
  if (day !== undefined && month !== undefined) {
    // The day is second in American files, where it may exceed 12.
    return readMonth(`${Number(month) > 12 ? day : month}/${year}`);
  }
  const iso = /^(\d{4}-\d{1,2})-\d{1,2}/.exec(bare)?.[1];
  if (iso !== undefined) return readMonth(iso);
  const [, number, short] = /^t?(\d{1,2})[/.-](\d{2})$/.exec(bare) ?? [];
  if (number !== undefined) return readMonth(`${number}/20${short}`);
  const [, name = '', digits = ''] = /^([a-z]{3})[a-z]*[/.,-]?(\d{2}|\d{4})$/.exec(bare) ?? [];
  const place = MONTHS.indexOf(name) + 1;
  return place === 0 ? readMonth(cell) : readMonth(`${place}/${digits.padStart(4, '20')}`);
}

const YES = /^(?:true|yes|y|x|v|1|có|đúng|✓|✔|☑)$/;
const NO = /^(?:false|no|n|0|không|ko|sai|-|–|—|☐)$/;

/** Reads a cell that says yes or no; another text stays, and is refused as such. */
function readFlagCell(cell: string): string {
  const word = cell.normalize('NFC').toLowerCase();
  if (YES.test(word)) return 'true';
  return NO.test(word) ? 'false' : cell;
}

/** Reads a cell by the kind of its field. */
const READ_CELL: Partial<Record<Kind, (cell: string, language: Language) => string>> = {
  month: readMonthCell,
  flag: readFlagCell,
};

/** Reads an option by its label in either language, or as the request has it. */
function readChoice({ name, options = [] }: Field, cell: string): string {
  const letters = lettersOf(cell);
  const isLabel = (label: string): boolean => letters !== '' && lettersOf(label) === letters;
  const labelled = options.find((option) =>
    (TEXTS[`${name}.${option}`] ?? TEXTS[option] ?? []).some(isLabel),
  );
  const written = cell
    .normalize('NFC')
    .toLowerCase()
    .replace(/^(?:vùng|region)\s*/, '');
  return labelled ?? REGIONS[written] ?? written;
}

/** The accounting format of spreadsheets writes zero as a dash. */
const ZERO = /^[-–—]$/;

const FIELDS: ReadonlyMap<string, Field> = new Map(
  calculator.fields.map((field) => [field.name, field]),
);

/** The values of a request from the cells of a row; an empty cell takes the value of `defaults`. */
export function valuesOfRow(
  cells: readonly string[],
  columns: Columns,
  defaults: Values,
  language: Language,
): Values {
  const values = { ...defaults };
  for (const [index, name] of columns.entries()) {
    const field = FIELDS.get(name ?? '');
    const cell = bounded((cells[index] ?? '').trim());
    if (field === undefined || cell === '') continue;
    const { kind } = field;
    const isZero = ZERO.test(cell) && (kind === 'amount' || kind === 'integer');
    const read = READ_CELL[kind] ?? READ[kind];
    const value = kind === 'choice' ? readChoice(field, cell) : read(cell, language);
    values[field.name] = isZero ? '0' : value;
  }
  return values;
}

/** An amount in đồng, from one in thousands or millions of đồng. */
export function inDong(amount: string, unit: string): string {
  if (unit === '1' || !NUMBER.test(amount)) return amount;
  const [whole = '', fraction = ''] = amount.split('.');
  const zeros = unit.length - 1;
  const digits = `${whole}${fraction.slice(0, zeros).padEnd(zeros, '0')}`.replace(/^0+(?=\d)/, '');
  const rest = fraction.slice(zeros);
  return rest === '' ? digits : `${digits}.${rest}`;
}
