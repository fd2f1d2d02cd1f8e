/* A payroll file as a table, and the uses of its columns by their exact names. */
import { taxRequest } from '../../tax/contract.ts';
import { type Field, fieldsOf, LEAST_PAYMENT } from '../request.ts';
import { addTexts, TEXTS, text } from '../texts.ts';
import { WHO } from '../who.ts';
import type { CsvRecord } from './csv.ts';

addTexts(`
use.number | No. | STT
use.code | Employee code | Mã nhân viên
use.name | Name | Họ tên
use.gross | Gross salary | Lương gross
use.net | Net salary | Lương net
use.cost | Employer cost | Tổng chi phí công ty
use.type | Gross, net or cost | Gross, net hay chi phí
use.insured | Insured (yes or no) | Có đóng bảo hiểm
use.self_deduction | Personal deduction (yes or no) | Có giảm trừ bản thân
use.foreigner | Foreign citizen (yes or no) | Là người nước ngoài
use.union_fund | Trade-union fund (yes or no) | Có kinh phí công đoàn
choice.1 | I | I
choice.2 | II | II
choice.3 | III | III
choice.4 | IV | IV
insurance_salary. | The gross salary | Theo lương gross
insurance_salary.0 | Not insured | Không đóng bảo hiểm
flag.insured.true | Insured | Đóng bảo hiểm
flag.insured.false | Not insured | Không đóng bảo hiểm
flag.self_deduction.true | Personal deduction | Có giảm trừ bản thân
flag.self_deduction.false | No personal deduction | Không giảm trừ bản thân
flag.foreigner.true | Foreign citizen | Người nước ngoài
flag.foreigner.false | Vietnamese citizen | Người Việt Nam
flag.union_fund.true | Trade-union fund | Có kinh phí công đoàn
flag.union_fund.false | No trade-union fund | Không có kinh phí công đoàn
asAll | as for all rows | như mọi dòng
head.number | No; # | TT; Số TT; Số thứ tự
head.code | Code; ID; Employee ID; Staff code | Mã NV; Mã số NV; Mã số nhân viên; Mã số
head.name | Full name; Employee name; Employee | Họ và tên; Tên nhân viên; Họ tên nhân viên
head.dependents | Number of dependents | NPT; Số NPT; Người phụ thuộc
head.period | Month | Tháng
head.region | Region | Vùng
head.insurance_salary | Insured salary | Lương đóng BHXH
`);

/** The columns that every person has. */
export const PEOPLE = ['number', 'code', 'name'] as const;

/** The columns of the salary, of which a file uses one: the types of the request. */
export const SALARIES: readonly string[] = ['gross', 'net', 'cost'];

/** Smaller salaries of a month, in đồng, are asked about. */
const LEAST_SALARY = 1_000_000;

/** The fields of a request, of which the payroll sets the three insurances together. */
export const FIELDS: readonly Field[] = fieldsOf(taxRequest, {
  income: { least: LEAST_SALARY },
  type: {},
  dependents: {},
  insurance_salary: { least: LEAST_SALARY },
  exempt_income: { least: LEAST_PAYMENT },
  period: {},
  paid_in: {},
  region: {},
  voluntary_pension: { least: LEAST_PAYMENT },
  taxation: {},
  foreigner: {},
  self_deduction: {},
  union_fund: {},
  bhxh: {},
  bhyt: {},
  bhtn: {},
});

/** In most files, the columns with these names have amounts; who is paid, and `insured`, set them. */
const INSURANCES = ['bhxh', 'bhyt', 'bhtn'];

/** The fields of columns besides the salary. */
export const COLUMNS: readonly Field[] = [
  { name: 'who', kind: 'choice', options: Object.keys(WHO) },
  ...FIELDS.filter(({ name }) => ![...INSURANCES, 'income'].includes(name)),
  { name: 'insured', kind: 'flag' },
];

/** All uses of columns, by which `''` is none. */
export const USES: readonly string[] = [...PEOPLE, ...SALARIES, ...COLUMNS.map(({ name }) => name)];

/** The label of a use. */
export function labelOf(use: string): string {
  return text(`use.${use}`) || text(use);
}

/** The labels of a use in both languages. */
const labelsOf = (use: string): readonly string[] => TEXTS[`use.${use}`] ?? TEXTS[use] ?? [];

/** A text as exact names are compared. */
export function keyOf(cell: string): string {
  return cell.slice(0, 200).normalize('NFC').trim().replace(/\s+/g, ' ').toLowerCase();
}

/** A unit at the end of a head, which changes no meaning: the form states the unit. */
const UNIT =
  / ?\((?:đ|₫|đồng|vnđ|vnd|(?:nghìn|ngàn|triệu)(?: đồng)?|(?:thousand|million)s?(?: vnd)?)\)$/;

/** The uses by the exact names of their columns. */
const NAMES: ReadonlyMap<string, string> = new Map(
  USES.flatMap((use) => {
    const others = (TEXTS[`head.${use}`] ?? []).flatMap((names) => names.split(';'));
    return [use, ...labelsOf(use), ...others].map((name) => [keyOf(name), use] as const);
  }),
);

/** The use that a text is the exact name of, or ''. */
export function useNamed(head: string): string {
  return NAMES.get(keyOf(head).replace(UNIT, '')) ?? '';
}

/** The names that need no choice, by use. */
export function namesOf(use: string): string {
  return [labelOf(use), ...text(`head.${use}`).split('; ')].filter(isFilled).join(', ');
}

/** A row of a file, and whether it has heads: an exact name and no number. */
export interface Row extends CsvRecord {
  readonly isHeads: boolean;
}

/** A file as a table. */
export interface Sheet {
  /** The head of each column, or ''. */
  readonly heads: readonly string[];
  /** The number of columns up to the last head; all, in a file without heads. */
  readonly width: number;
  /** The texts above the heads, and the heads. */
  readonly titles: readonly string[];
  /** All rows but that of the heads. */
  readonly rows: readonly Row[];
  /** The numbers of the rows below the heads of another table. */
  readonly others: ReadonlySet<number>;
}

/** The heads are looked for in the first rows. */
const SEARCHED = 30;

export const isFilled = (cell = ''): boolean => cell.trim() !== '';

const oneLine = (cell = ''): string => cell.trim().replace(/\s+/g, ' ');

const isNumber = (cell: string): boolean => /^[\s\d.,]*\d[\s\d.,]*$/.test(cell);

/** Adds to a row whether it has heads. */
export function rowOf({ number, cells }: CsvRecord): Row {
  const isHeads = !cells.some(isNumber) && cells.some((cell) => useNamed(cell) !== '');
  return { number, cells, isHeads };
}

/**
 * Makes rows a table, one per step. The heads are the row with the most exact names; without one, all
 * rows are others.
 */
export function* sheetOf(all: readonly Row[]): Generator<undefined, Sheet> {
  const countIn = ({ cells }: Row): number => new Set(cells.map(useNamed).filter(isFilled)).size;
  const counts = all.slice(0, SEARCHED).map((row) => (row.isHeads ? countIn(row) : 0));
  const at = Math.max(...counts) > 0 ? counts.indexOf(Math.max(...counts)) : -1;
  const named = (all[at]?.cells ?? []).map(oneLine);
  const isSame = ({ cells }: Row): boolean =>
    cells.every((cell, index) => !isFilled(cell) || oneLine(cell) === named[index]);
  const rows: Row[] = [];
  const others = new Set<number>();
  let columns = 0;
  let isOwn = true;
  for (const [place, row] of all.entries()) {
    columns = Math.max(columns, row.cells.length);
    // Heads directly below heads are those of the same columns, as in another language.
    const isBelow: boolean = isOwn && place > at && all[place - 1]?.isHeads === true;
    const isTable = row.isHeads && row.cells.filter(isFilled).length > 1;
    if (isTable) isOwn = isBelow || isSame(row);
    else if (!isOwn) others.add(row.number);
    if (place !== at) rows.push(row);
    yield;
  }
  const heads = Array.from({ length: columns }, (_, index) => named[index] ?? '');
  const width = at === -1 ? columns : heads.map(isFilled).lastIndexOf(true) + 1;
  const titles = all.slice(0, at + 1).flatMap(({ cells }) => cells);
  return { heads, width, titles, rows, others };
}
