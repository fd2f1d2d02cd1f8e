/* The rows of a payroll: what each says, and whether it is calculated or left out. */
import { NUMBER } from '../frame/numbers.ts';
import { bounded, examplesOf, type Field, type Values } from '../frame/request.ts';
import { form, OTHER } from '../salary/salary-form.ts';
import { addTexts, text } from '../frame/texts.ts';
import { membersOf } from '../salary/who.ts';
import { dongOf, readCount, readMoney, readMonthCell, sumOf } from './cells.ts';
import { type Column, columnsIn, isWorded, type Mapping, salaryIn } from './mapping.ts';
import {
  areHeads,
  isFilled,
  keyOf,
  labelOf,
  PEOPLE,
  type Row,
  type Sheet,
  SIGNS,
} from './sheet.ts';

addTexts(`
refused.amount | {head}: “{cell}” cannot be read as an amount.
  | {head}: không đọc được “{cell}” thành số tiền.
refused.meaning | {head}: choose above what “{cell}” means. | {head}: hãy chọn ở trên “{cell}”
    nghĩa là gì.
refused.month | Choose the month above. | Hãy chọn tháng ở trên.
refused.contrary | Columns contradict each other: {name}. | Các cột mâu thuẫn với nhau: {name}.
`);

/** The result of a row: its amounts, or its problem. */
export interface RowResult {
  readonly amounts: readonly number[];
  readonly problem: string;
  /** Why the row is not calculated, as it is counted; '' if it is. */
  readonly kind: string;
}

/** A row as its columns say it is. */
export interface Reading {
  readonly row: Row;
  readonly values: Values;
  /** The salary in đồng; 0 or NaN without one. */
  readonly income: number;
  /** The code of the person, or without one the name, in the month: other rows with both may be the same person. */
  readonly person: string;
  /** The key of the choice about the row: the person, or without one the cells, and the place among such rows. */
  readonly key: string;
  /** The reason that the row has by itself. */
  readonly reason: string | undefined;
  /** Whether a formula gives 0 as an amount: perhaps no program has calculated it. */
  readonly isZero: boolean;
  /** Why the row cannot be calculated, by its columns, or ''. */
  readonly problem: string;
  /** The result, once it is calculated. */
  result?: RowResult;
}

/** The beginnings of the names of departments, amounts and totals, which those of people do not have. */
const UNITS = 'phòng|bộ phận|phân xưởng|xưởng|khối|chi nhánh|cửa hàng|tổ(?! trưởng| phó)';

const GROUPS =
  `${UNITS}|ban (?:giám|quản|kiểm)|department|dept|division|branch|team`
  + `|(?:tổng|cộng)(?=\\P{L}*$| (?:cộng|kỳ|lương|tiền|số|trang|quỹ|tháng|${UNITS})(?!\\p{L}))`
  + '|(?:grand |sub-?)?total|bình quân|trung bình|thưởng|phụ cấp|thuế|tạm ứng';

const GROUP = new RegExp(`^(?:[\\divx]+[.)]? ?)?(?:${GROUPS})(?!\\p{L})`, 'u');

const DEFAULTS: Values = { ...examplesOf(form.fields), income: '0' };

/** The largest usual amount of a month, in đồng. */
const MOST = 1_000_000_000;

/** Creates the reader of rows. */
export function readerOf(sheet: Sheet, mapping: Mapping): (row: Row) => Reading {
  const columns = columnsIn(sheet, mapping);
  const type = salaryIn(mapping) ?? '';
  const amounts = columns.filter(({ field }) => field.kind === 'amount');
  const places = new Map<string, number>();
  return (row) => {
    const { stated, problems } = statementOf(columns, mapping, row);
    const values: Values = { ...DEFAULTS, ...mapping.common, type, ...stated };
    const { code, name, number = name, period } = values;
    const cells = String(row.cells);
    const group = GROUP.test(keyOf(name ?? '')) ? 'sum' : undefined;
    const subject = keyOf(code || (number && `${number} ${name ?? ''}`) || cells);
    const place = places.get(subject) ?? 0;
    places.set(subject, place + 1);
    return {
      row,
      values,
      income: Number(values['income']),
      person: `${keyOf(code || name || cells)} ${period}`,
      key: `${subject} ${place}`,
      isZero: amounts.some(({ index }) => row.zeros?.includes(index)),
      reason: reasonOf(sheet, mapping, row, values) ?? group,
      problem: problems.join(' '),
    };
  };
}

/** The values that the columns of a row state, also by who the person is, and their problems. */
function statementOf(
  columns: readonly Column[],
  mapping: Mapping,
  row: Row,
): { readonly stated: Values; readonly problems: readonly string[] } {
  const { common } = mapping;
  const parts = columns
    .filter((column) => isPart(columns, column, row))
    .map((column) => partOf(column, row, common));
  const stated = sumsOfParts(parts);
  const { period = '', who = '', insured } = { ...common, ...stated };
  const all: Values = { ...stated, ...membersOf(who, period) };
  if (insured === 'false') all['insurance_salary'] = '0';
  all['insured'] = String(all['insurance_salary'] !== '0');
  const contrary = Object.keys(stated).filter((name) => stated[name] !== all[name]);
  const problems = [
    ...parts.map(({ problem }) => problem),
    period === '' ? text('refused.month') : '',
    ...contrary.map((name) => text('refused.contrary', { name: labelOf(name) })),
  ];
  return { stated: { ...all, who: OTHER, person: who }, problems: problems.filter(isFilled) };
}

/** The text of a row in a column. */
const cellIn = ({ cells }: Row, { index }: Column): string => bounded((cells[index] ?? '').trim());

/** Whether a cell counts: an empty one adds nothing to an amount in other columns. */
function isPart(columns: readonly Column[], column: Column, row: Row): boolean {
  const others = columns.filter(({ field }) => field === column.field);
  return cellIn(row, column) !== '' || others.every((other) => cellIn(row, other) === '');
}

/** What a cell states. */
interface Part {
  readonly field: Field;
  /** The value; '' is that for all rows, and undefined an income that cannot be read. */
  readonly value: string | undefined;
  readonly problem: string;
}

/** Reads a cell. An income that is no amount is the reason of its row, and no problem. */
function partOf(column: Column, row: Row, common: Values): Part {
  const { field, head } = column;
  const cell = cellIn(row, column);
  const number = row.typed?.[column.index];
  const isTyped = field.kind === 'amount' && typeof number === 'number';
  const value = isTyped ? dongOf(number, common) : valueIn(column, cell, common);
  if (value !== undefined || field.name === 'income') return { field, value, problem: '' };
  const reason = isWorded(field, cell) ? 'meaning' : 'amount';
  const problem = text(`refused.${reason}`, { head, cell: cell || text('blank') });
  return { field, value: '', problem };
}

/** The values that cells state. Amounts are added with their signs; one that is unread stays instead of the sum. */
function sumsOfParts(parts: readonly Part[]): Values {
  const stated: Values = {};
  for (const { field, value = 'unread' } of parts) {
    const { name, kind } = field;
    const { [name]: before } = stated;
    if (value === '') continue;
    stated[name] = kind === 'amount' && before !== undefined ? added(before, value) : value;
  }
  return stated;
}

/** The sum of two amounts, or the one that is unread. */
function added(...amounts: readonly string[]): string {
  return amounts.find((amount) => !NUMBER.test(amount)) ?? sumOf(amounts);
}

/** The value of a cell; '' is that for all rows, and undefined none. */
function valueIn({ field, meaningOf }: Column, cell: string, common: Values): string | undefined {
  if (isWorded(field, cell)) return meaningOf(cell);
  if (cell === '' || field.kind === 'text') return cell;
  if (field.kind === 'month') return readMonthCell(cell);
  return field.kind === 'integer' ? readCount(cell) : readMoney(cell, common);
}

/** The reason of a row by itself, the first that applies. */
function reasonOf(
  sheet: Sheet,
  mapping: Mapping,
  { cells, names, isHidden }: Row,
  values: Values,
): string | undefined {
  const income = Number(values['income']);
  if (income < 0) return 'negative';
  if (Number.isNaN(income)) {
    if (names === 0) return 'text';
    return areHeads(sheet, cells) ? 'blank' : 'other';
  }
  if (income === 0) return 'blank';
  if (isHidden === true) return 'hidden';
  const flaw = flawIn(mapping, values);
  if (flaw !== undefined) return flaw;
  if (cells.slice(sheet.width).some(isFilled)) return 'surplus';
  return oddityIn(values);
}

/** The use of the first cell of a person that has no digit, or for the name no letter. */
function flawIn({ uses }: Mapping, values: Values): string | undefined {
  return PEOPLE.find((use) => uses.includes(use) && !SIGNS[use]?.test(values[use] ?? ''));
}

/** Why an amount is unusual: hardly any, or above a billion. */
function oddityIn(values: Values): string | undefined {
  for (const { name, least = 0 } of form.fields) {
    const amount = Number(values[name]);
    if (amount > 0 && amount < least) return 'low';
    if (amount > MOST) return 'high';
  }
  return undefined;
}

/** The choices of the person about rows, by their keys. */
export type Checks = ReadonlyMap<string, boolean>;

/**
 * The indices of amounts that are the sum of two or more others directly above or below them, up to one of 0 or another
 * sum, or up to the first or the last one, which may be a total. One amount per step.
 */
export function* sumsOf(amounts: readonly number[]): Generator<number, ReadonlySet<number>> {
  const sums = new Set<number>();
  const down = [...amounts.keys()];
  const up = [...down].reverse();
  for (const ordered of [down, up, down]) {
    const starts = new Set([0]);
    let [total, last] = [0, 0];
    for (const at of ordered) {
      const amount = amounts[at]!;
      if (amount > 0 && amount !== last && starts.has(total - amount)) sums.add(at);
      const isPart = amount > 0 && !sums.has(at);
      if (isPart) [total, last] = [total + amount, amount];
      if (!isPart || total === amount) starts.add(total);
      yield 0;
    }
  }
  return sums;
}
