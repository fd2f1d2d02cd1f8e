/* A payroll file as a table, and the uses of its columns by their exact names. */
import { MONTH } from '../../tax/contract.ts';
import type { Field } from '../frame/request.ts';
import { form, INSURANCES } from '../salary/salary-form.ts';
import { addTexts, format, TEXTS, text } from '../frame/texts.ts';
import { WHO } from '../salary/who.ts';
import { readMoney, readMonthCell } from './cells.ts';
import type { CsvRecord } from './csv.ts';

addTexts(`
use.number | No. | STT
use.code | Employee code | Mã nhân viên
use.name | Name | Họ tên
use.gross | Gross salary | Lương gross
use.net | Net salary | Lương net
use.cost | Employer cost | Chi phí công ty
use.exempt_income | Tax-free part, within the gross salary | Phần miễn thuế, nằm trong lương gross
use.exempt_beside | Tax-free part, beside the gross salary | Phần miễn thuế, ngoài lương gross
use.type | Gross, net or cost | Gross, net hay chi phí
use.insured | Insured (yes or no) | Có đóng bảo hiểm
use.self_deduction | Personal deduction (yes or no) | Có giảm trừ bản thân
use.foreigner | Foreign citizen (yes or no) | Là người nước ngoài
use.union_fund | Trade-union fund (yes or no) | Có kinh phí công đoàn
insurance_salary. | The gross salary without its tax-free part | Lương gross trừ phần miễn thuế
insurance_salary.0 | Not insured | Không đóng bảo hiểm
insured.true | Insured | Đóng bảo hiểm
insured.false | Not insured | Không đóng bảo hiểm
self_deduction.true | Personal deduction | Có giảm trừ bản thân
self_deduction.false | No personal deduction | Không giảm trừ bản thân
foreigner.true | Foreign citizen | Người nước ngoài
foreigner.false | Vietnamese citizen | Người Việt Nam
union_fund.true | Trade-union fund | Có kinh phí công đoàn
union_fund.false | No trade-union fund | Không có kinh phí công đoàn
emptyFile | The file has no row with a person. Add a row per person.
  | Tệp chưa có dòng nào. Hãy thêm mỗi người một dòng.
largeRow | Row {row} has more than {columns} columns or a cell of more than {characters} characters.
  | Dòng {row} có hơn {columns} cột hoặc có ô dài hơn {characters} ký tự.
exact.number | No; # | TT; Số TT; Số thứ tự
exact.code | Code; ID; Employee ID; Staff code | Mã NV; Mã số NV; Mã số nhân viên; Mã số; Mã
exact.name | Full name; Employee name | Họ và tên; Tên nhân viên; Họ tên nhân viên; Nhân viên; Tên
exact.gross | Gross | Gross
exact.net | Net | Net
exact.cost | Cost to the employer | Tổng chi phí công ty
exact.who | Contract; Contract type; Type of contract; Who is paid
  | Hợp đồng; Loại hợp đồng; Loại HĐ; Hình thức hợp đồng; Người được trả lương
exact.dependents | Number of dependents | NPT; Số NPT; Người phụ thuộc
exact.period | Month | Tháng; Kỳ lương; Tháng lương; Tháng/Năm
exact.region | Region; Region of the workplace | Vùng; Vùng nơi làm việc
exact.insurance_salary | Salary for insurance | Lương đóng BHXH; Mức đóng BHXH
exact.exempt_income | Tax-free part of the salary | Phần lương miễn thuế
exact.1 | I; Region I; Region 1; I: inner Hanoi, Ho Chi Minh City
  | I; Vùng I; Vùng 1; I: nội thành Hà Nội, TP.HCM
exact.2 | II; Region II; Region 2; II: Da Nang, Can Tho, Hue
  | II; Vùng II; Vùng 2; II: Đà Nẵng, Cần Thơ, Huế
exact.3 | III; Region III; Region 3; III: towns, districts near cities
  | III; Vùng III; Vùng 3; III: thị xã, vùng ven đô thị
exact.4 | IV; Region IV; Region 4; IV: rural areas | IV; Vùng IV; Vùng 4; IV: nông thôn, vùng xa
exact.true | x; 1; yes | có
exact.false | -; 0; no | không
exact.self_deduction | Use the personal deduction here | Dùng giảm trừ bản thân ở đây
exact.who.employee | Employee, 3 months or more | Nhân viên
exact.who.freelance | Freelancer or contract under a month, 10%
  | Cộng tác viên, HĐLĐ dưới 1 tháng, 10%
exact.who.second_job | Second job | Công việc thứ hai
exact.who.foreigner | Foreigner, 12 months or more | Người nước ngoài, từ 12 tháng
exact.who.non_resident | Non-resident, 20% | Không cư trú, 20%; Không cư trú 20%
`);

/** The columns that every person has. */
export const PEOPLE = ['number', 'code', 'name'] as const;

/** The character that the number, code or name of a person has. */
export const SIGNS: Readonly<Record<string, RegExp>> = { number: /\d/, code: /\d/, name: /\p{L}/u };

/** The columns of the salary: the types of the request. */
export const SALARIES: readonly string[] = ['gross', 'net', 'cost'];

/** The tax-free part inside the salary, and the one beside it, which is added to the salary. */
export const [TAX_FREE, BESIDE] = ['exempt_income', 'exempt_beside'] as const;

/** The names of the fields that a column states; of the people, that of the use. */
export function fieldNamesOf(use: string): readonly string[] {
  if (use === BESIDE) return [TAX_FREE, 'income'];
  return [SALARIES.includes(use) ? 'income' : use];
}

/** In most files, the columns with these names have amounts; who is paid, and `insured`, set them. */
const OTHERS: readonly string[] = ['who', ...INSURANCES];

/** The fields of columns: those of people and of the salary form, and whether a person is insured. */
export const COLUMNS: readonly Field[] = [
  ...PEOPLE.map((name): Field => ({ name, kind: 'text' })),
  { name: 'who', kind: 'choice', options: WHO, initial: 'employee' },
  ...form.fields.filter(({ name }) => !OTHERS.includes(name)),
  { name: 'insured', kind: 'flag' },
];

/** All uses of columns, by which `''` is none. */
export const USES: readonly string[] = COLUMNS.flatMap(({ name }) => {
  if (name === 'income') return SALARIES;
  return name === TAX_FREE ? [name, BESIDE] : name;
});

/** The label of a use. */
export function labelOf(use: string): string {
  return text(`use.${use}`) || text(use);
}

export const isFilled = (cell = ''): boolean => cell.trim() !== '';

/** A text as exact ones are compared. */
export function keyOf(cell: string): string {
  return cell.slice(0, 200).normalize('NFC').trim().replace(/\s+/g, ' ').toLowerCase();
}

/** A unit at the end of a head, which changes no meaning: the form states the unit. */
const UNIT =
  / ?\((?:đ|₫|đồng|vnđ|vnd|tr|(?:nghìn|ngàn|triệu)(?: đồng)?|(?:thousand|million)s?(?: vnd)?)\)$/;

/** The options of a field by their exact texts: keys, labels in both languages, and others. */
export function exactTexts(name: string, options: readonly string[]): ReadonlyMap<string, string> {
  const exact = options.flatMap((option) => {
    const labels = TEXTS[`${name}.${option}`] ?? TEXTS[option] ?? [];
    const aliases = TEXTS[`exact.${name}.${option}`] ?? TEXTS[`exact.${option}`] ?? [];
    const all = [option, ...labels, ...aliases.flatMap((texts) => texts.split(';'))];
    return all.filter(isFilled).map((one) => [keyOf(one), option] as const);
  });
  return new Map(exact);
}

const NAMES = exactTexts('use', USES);

/** A head as names are compared, without its unit. */
const bareOf = (head: string): string => keyOf(head).replace(UNIT, '');

/** The use that a text is the exact name of, or ''. */
export function useNamed(head: string): string {
  return NAMES.get(bareOf(head)) ?? '';
}

/** The end of the head of a tax-free amount. */
const UNTAXED = '(?:miễn|không (?:tính|chịu)) thuế$';

/** A head with that end, and without a word that excludes or adds others. */
const ENDING = new RegExp(`^(?!.*(?:không|chưa|sau|trừ|và|cả|gồm) .*${UNTAXED}).*${UNTAXED}`);

/** The use that the second line of a head, or the end of a head, names; or ''. */
export function useEnding(head: string): string {
  const named = useNamed(head.split(' – ').at(-1)!);
  return named || (ENDING.test(bareOf(head)) ? TAX_FREE : '');
}

/** The words of heads of columns that may be the salary, which the person must decide. */
const LIKELY = /lương|thu nhập|salary|income|wage/i;

/** The columns that may be the salary. */
export function likelySalaries({ heads }: Sheet, uses: readonly string[]): number[] {
  return heads.flatMap((head, index) => {
    const named = useEnding(head);
    const isLikely = named === '' ? LIKELY.test(head) : SALARIES.includes(named);
    return isLikely && !uses[index] ? index : [];
  });
}

/** A row of a table. */
export interface Row extends CsvRecord {
  /** The number of its exact names; 0 if it has a number. A row with one has heads. */
  readonly names: number;
}

/** A file as a table. */
export interface Sheet {
  /** The head of each column, or ''. */
  readonly heads: readonly string[];
  /** The number of columns up to the last head; all, in a file without heads. */
  readonly width: number;
  /** How many rows stand above the heads. */
  readonly above: number;
  /** All rows but that of the heads. */
  readonly rows: readonly Row[];
  /** Whether it is one of a workbook, whose numbers have no notation. */
  readonly isTyped: boolean;
  /** The indices of the columns that Excel hides. */
  readonly hidden: readonly number[];
}

const MOST_COLUMNS = 200;
const LONGEST_CELL = 5_000;
/** The number of first rows, one of which has the heads. */
export const SEARCHED = 30;

const oneLine = (cell = ''): string => cell.trim().replace(/\s+/g, ' ');

/** The rows below the heads whose cells show what their column is. */
const SAMPLED = 1_000;

/** The first texts of a column below its head. */
export function cellsOf({ rows, above }: Sheet, index: number): string[] {
  const texts = rows.slice(above, above + SAMPLED).map(({ cells }) => shortOf(cells[index]));
  return [...new Set(texts)].filter(isFilled);
}

/** The text of the rows above the heads. */
const titleOf = ({ rows, above }: Sheet): string =>
  rows
    .slice(0, above)
    .flatMap(({ cells }) => cells)
    .join(' ')
    .normalize('NFC');

/** A unit in a title or a head: ĐVT: triệu đồng, (tr), (nghìn đồng), Đơn vị: 1.000đ. */
const STATED = new RegExp(
  '(?:\\(|đvt|unit|đơn vị(?: tính| tiền)?)[\\s:]*(?:vnd )?'
    + '(?:(?:(tr|triệu|million)|nghìn|ngàn|thousand)s?(?!\\p{L})|1[.,]?000(?= ?[đ₫v]))',
  'iu',
);

/** The unit of amounts that the title or a head states. */
export function unitIn(sheet: Sheet): string {
  const [found, millions] = STATED.exec([titleOf(sheet), ...sheet.heads].join(' ')) ?? [];
  if (found === undefined) return '1';
  return millions === undefined ? '1000' : '1000000';
}

/** The months that the title names: Tháng 8/2026, T8/2026, 08 năm 2026. */
export function monthsIn(sheet: Sheet): string[] {
  const found = titleOf(sheet).matchAll(/\bt?\d\d?(?: ?[/.-] ?| năm )20\d\d(?![\d/])/gi);
  const months = [...found].map(([written]) => readMonthCell(written));
  return [...new Set(months)].filter((month) => MONTH.test(month));
}

/** A cell in a few words. */
export const shortOf = (cell = ''): string => cell.trim().replace(/^(.{39}).{2,}$/su, '$1…');

/** The table of the rows of a file, one per step, or the reason to refuse it. */
export function* sheetIn(
  records: Iterable<CsvRecord>,
  hidden: readonly number[] = [],
): Generator<undefined, Sheet | string> {
  const rows: Row[] = [];
  for (const one of records) {
    const end = one.cells.map(isFilled).lastIndexOf(true) + 1;
    const cells = one.cells.slice(0, end);
    if (end > MOST_COLUMNS || cells.some(({ length }) => length > LONGEST_CELL)) {
      return text('largeRow', {
        row: format.count(one.number),
        columns: MOST_COLUMNS,
        characters: format.count(LONGEST_CELL),
      });
    }
    if (end > 0) rows.push(rowOf({ ...one, cells }));
    yield;
  }
  const sheet = { ...sheetOf(rows), hidden };
  return sheet.rows.length > 0 ? sheet : text('emptyFile');
}

/** Makes a row of a file one of a table. */
function rowOf(record: CsvRecord): Row {
  const { cells } = record;
  const hasNumber = cells.some((cell) => /^[\s\d.,]*\d[\s\d.,]*$/.test(cell));
  const uses = hasNumber ? [] : cells.map(useNamed).filter(isFilled);
  return { ...record, names: new Set(uses).size };
}

/** Whether a cell is an amount or another number. */
const isNumber = (cell: string): boolean => /\d/.test(cell) && readMoney(cell, {}) !== undefined;

/**
 * The index of the heads: of the row with the most exact names; without one, of the last row of texts above the first
 * row with two numbers; -1 if there is none.
 */
function headsIn(rows: readonly Row[]): number {
  const counts = rows.map(({ names }) => names);
  const most = Math.max(...counts);
  if (most > 0) return counts.indexOf(most);
  const numbers = rows.map(({ cells }) => cells.filter(isNumber).length);
  const first = numbers.findIndex((count) => count > 1);
  return rows
    .slice(0, Math.max(first, 0))
    .map(({ cells }, index) => numbers[index] === 0 && cells.filter(isFilled).length > 1)
    .lastIndexOf(true);
}

/** The texts of a row, each in one line. */
const lineAt = (rows: readonly Row[], at: number): string[] => (rows[at]?.cells ?? []).map(oneLine);

/**
 * The heads, with the texts of a second line: the row above or below, if it has no number and two texts under no exact
 * name, of which one has no other head.
 */
function linesOf(rows: readonly Row[], at: number): string[] {
  const named = lineAt(rows, at);
  const isOpen = (index: number): boolean => useNamed(named[index] ?? '') === '';
  const place = [at - 1, at + 1].find((other) => {
    const cells = lineAt(rows, other);
    const open = [...cells.keys()].filter((index) => isFilled(cells[index]) && isOpen(index));
    const isNew = open.some((index) => !isFilled(named[index]));
    return open.length > 1 && isNew && !cells.some(isNumber);
  });
  if (at < 0 || place === undefined) return named;
  const lines = [at, place].sort((one, other) => one - other).map((line) => lineAt(rows, line));
  const { length } = lines.flat();
  return Array.from({ length }, (_, index) => {
    const texts = isOpen(index) ? lines.map((line) => line[index] ?? '') : [named[index]!];
    return texts.filter(isFilled).join(' – ');
  });
}

/** Makes rows a table. Without heads, all rows are others. */
function sheetOf(all: readonly Row[]): Omit<Sheet, 'hidden'> {
  const at = headsIn(all.slice(0, SEARCHED));
  const lines = linesOf(all, at);
  const length = all.reduce((most, { cells }) => Math.max(most, cells.length), 0);
  const heads = Array.from({ length }, (_, index) => lines[index] ?? '');
  return {
    heads,
    width: heads.map(isFilled).lastIndexOf(true) + 1 || length,
    above: Math.max(at, 0),
    rows: all.filter((_, place) => place !== at),
    isTyped: all.some(({ typed }) => typed !== undefined),
  };
}

/** Whether the texts of a row are the heads, or names of their uses, as in another language. */
export function areHeads({ heads }: Sheet, cells: readonly string[]): boolean {
  return cells.every((cell, index) => {
    const { [index]: head = '' } = heads;
    const use = useNamed(cell);
    return head.includes(oneLine(cell)) || (use !== '' && use === useEnding(head));
  });
}
