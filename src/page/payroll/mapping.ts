/* The choices of the person: what the columns are, what their texts mean, and what holds for all rows. */
import { MONTH } from '../../tax/contract.ts';
import { type Field, isUsed, type Values } from '../frame/request.ts';
import { readMonthCell } from './cells.ts';
import { COMMON, DECIMAL } from './common.ts';
import {
  cellsOf,
  COLUMNS,
  exactTexts,
  fieldNameOf,
  isFilled,
  keyOf,
  labelOf,
  SALARIES,
  type Sheet,
  SIGNS,
  useEnding,
  useNamed,
} from './sheet.ts';

/** The choices of the person. */
export interface Mapping {
  /** The use of each column, or ''. */
  readonly uses: readonly string[];
  /** What the texts of columns mean, by `meaningKey`. */
  readonly meanings: Values;
  /** The values for all rows whose columns state none, by the names of `COMMON`. */
  readonly common: Values;
}

/** The field that a column with a use states. */
const fieldOf = (use: string): Field | undefined =>
  COLUMNS.find(({ name }) => name === fieldNameOf(use));

const isAlike = (use: string, other: string): boolean => fieldNameOf(use) === fieldNameOf(other);

/** Whether a cell of a column can be read as its use: a file may have empty codes, and months without a year. */
function isReadable(sheet: Sheet, index: number, use: string): boolean {
  const isMonth = fieldOf(use)?.kind === 'month';
  const sign = isMonth ? MONTH : SIGNS[use];
  if (sign === undefined) return true;
  return cellsOf(sheet, index).some((cell) => sign.test(isMonth ? readMonthCell(cell) : cell));
}

/**
 * The uses of exact names, or without one of second lines and ends of heads; none of a name that two columns have, nor
 * of one as which no cell can be read.
 */
export function exactUses(sheet: Sheet): string[] {
  const { heads } = sheet;
  const exact = heads.map(useNamed);
  const isNew = (use: string): boolean => !exact.some((other) => isAlike(use, other));
  const named = heads
    .map((head, index) => exact[index] || [useEnding(head)].find(isNew) || '')
    .map((use, index) => (isReadable(sheet, index, use) ? use : ''));
  return named.map((use) => (named.filter((other) => isAlike(use, other)).length > 1 ? '' : use));
}

/** The uses after a choice: other columns of that field lose theirs, but amounts of one use are added. */
function usesWith(uses: readonly string[], [index, use]: readonly [number, string]): string[] {
  const isAdded = fieldOf(use)?.kind === 'amount';
  return uses.map((other, at) => {
    if (at === index) return use;
    const isLost = isAlike(use, other) && !(isAdded && use === other);
    return isLost ? '' : other;
  });
}

/**
 * The uses by the choices of the person, from the first one to the latest. They follow from all of them, so that a
 * choice that keys pass over takes no use away. No head makes an amount tax-free while no column is the salary.
 */
export function usesBy(sheet: Sheet, chosen: ReadonlyMap<number, string>): string[] {
  const uses = [...chosen].reduce(usesWith, exactUses(sheet));
  const isDecided = uses.some((use) => SALARIES.includes(use));
  return uses.map((use, index) =>
    use === TAX_FREE && !isDecided && !chosen.has(index) ? '' : use,
  );
}

/** The tax-free part of the salary. */
const TAX_FREE = 'exempt_income';

/**
 * The columns that the salary is the sum of. The tax-free part lies inside a salary in one column; of one in several
 * columns, it is a part.
 */
export function salaryColumns({ uses }: Pick<Mapping, 'uses'>): number[] {
  const isSum = uses.filter((use) => SALARIES.includes(use)).length > 1;
  return uses.flatMap((use, index) =>
    SALARIES.includes(use) || (isSum && use === TAX_FREE) ? index : [],
  );
}

/** The use of the column of the salary. */
export function salaryIn({ uses }: Mapping): string | undefined {
  return uses.find((use) => SALARIES.includes(use));
}

/** Whether only names distinguish people from other rows. */
export function isUnnumbered({ uses }: Mapping): boolean {
  return !uses.includes('number') && !uses.includes('code');
}

/** What must be chosen before anything can be calculated. */
export function missingIn(mapping: Mapping): string[] {
  const { uses, common } = mapping;
  const { period = '', decimal } = common;
  return [
    MONTH.test(period) || uses.includes('period') ? '' : 'period',
    isUsed(DECIMAL, common) && decimal === '' ? 'decimal' : '',
    salaryIn(mapping) === undefined ? 'salary' : '',
  ].filter(isFilled);
}

/** The key of the meaning of a text in a column that states a field. */
export function meaningKey(index: number, name: string, cell: string): string {
  return `${index} ${name} ${keyOf(cell)}`;
}

/**
 * The meanings that the texts of a field may have; none of a field with amounts or months. Of the salary for insurance,
 * only an empty cell has one: '' is the gross salary.
 */
export function meaningsOf({ name, kind, options = [] }: Field): readonly string[] {
  if (name === 'insurance_salary') return ['', '0'];
  return kind === 'flag' ? ['true', 'false'] : options;
}

/** Whether a cell of a field has a meaning, and not a value. An empty one may have the value for all rows. */
export function isWorded(field: Field, cell: string): boolean {
  const isText =
    cell === '' ? !COMMON.some(({ name }) => name === field.name) : field.kind !== 'amount';
  return isText && meaningsOf(field).length > 0;
}

/** The meaning of a text that is to be chosen. */
export const UNDECIDED = 'choose';

/** The meanings of exact texts. Under another head, a flag may be its contrary. */
function exactMeanings(field: Field, head: string): ReadonlyMap<string, string> {
  const { name, kind } = field;
  const isContrary = kind === 'flag' && useNamed(head) !== name;
  return exactTexts(name, isContrary ? [] : meaningsOf(field));
}

/** A column that states a field. */
export interface Column {
  readonly index: number;
  readonly field: Field;
  readonly head: string;
  /** The meaning of a text; undefined if it is to be chosen. */
  readonly meaningOf: (cell: string) => string | undefined;
}

/** The columns that state fields. */
export function columnsIn({ heads }: Sheet, { uses, meanings }: Mapping): Column[] {
  return uses.flatMap((use, index) => {
    const field = fieldOf(use);
    if (field === undefined) return [];
    const { [index]: head = '' } = heads;
    const exact = exactMeanings(field, head);
    const meaningOf = (cell: string): string | undefined => {
      const meaning = meanings[meaningKey(index, field.name, cell)] ?? exact.get(keyOf(cell));
      return meaning === UNDECIDED ? undefined : meaning;
    };
    return [{ index, field, head: head || labelOf(use), meaningOf }];
  });
}
