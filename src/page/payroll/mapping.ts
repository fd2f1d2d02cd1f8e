/* The choices of the person: what the columns are, what their texts mean, and what holds for all rows. */
import { MONTH } from '../../tax/contract.ts';
import { type Field, isUsed, type Values } from '../frame/request.ts';
import { readMonthCell } from './cells.ts';
import { COMMON, DECIMAL } from './common.ts';
import {
  BESIDE,
  cellsOf,
  COLUMNS,
  exactTexts,
  fieldNamesOf,
  isFilled,
  keyOf,
  labelOf,
  SALARIES,
  type Sheet,
  SIGNS,
  TAX_FREE,
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

/** The fields that a column with a use states. */
const fieldsOf = (use: string): Field[] =>
  COLUMNS.filter(({ name }) => fieldNamesOf(use).includes(name));

const isKind = (use: string, kind: Field['kind']): boolean => fieldsOf(use)[0]?.kind === kind;

const isAlike = (use: string, other: string): boolean =>
  fieldNamesOf(use)[0] === fieldNamesOf(other)[0];

/** Whether a cell of a column can be read as its use: a file may have empty codes, and months without a year. */
function isReadable(sheet: Sheet, index: number, use: string): boolean {
  const isMonth = isKind(use, 'month');
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

/** The uses after a choice: other columns of that field lose theirs, but amounts and salaries of one type are added. */
function usesWith(uses: readonly string[], [index, use]: readonly [number, string]): string[] {
  const isAdded = isKind(use, 'amount');
  return uses.map((other, at) => {
    if (at === index) return use;
    const isSame = SALARIES.includes(use) ? use === other : isAdded;
    return isAlike(use, other) && !isSame ? '' : other;
  });
}

/**
 * The uses by the choices of the person, from the first one to the latest. They follow from all of them, so that a
 * choice that keys pass over takes no use away. By its head alone, a tax-free amount has no use while no column is the
 * salary, lies inside a salary in one column, and beside the parts of one in several columns.
 */
export function usesBy(sheet: Sheet, chosen: ReadonlyMap<number, string>): string[] {
  const uses = [...chosen].reduce(usesWith, exactUses(sheet));
  const salaries = uses.filter((use) => SALARIES.includes(use));
  const taxFree = ['', TAX_FREE][salaries.length] ?? BESIDE;
  return uses.map((use, index) => (use === TAX_FREE && !chosen.has(index) ? taxFree : use));
}

/** The use of the column of the salary. */
export function salaryIn({ uses }: Mapping): string | undefined {
  return uses.find((use) => SALARIES.includes(use));
}

/** Whether only names distinguish people from other rows. */
export function isUnnumbered({ uses }: Mapping): boolean {
  return !uses.includes('number') && !uses.includes('code');
}

/** The missing choice of the salary, by the control of the first column. */
export const SALARY = 'column-0';

/** The names of the controls of what must be chosen before anything can be calculated. */
export function missingIn(mapping: Mapping): string[] {
  const { uses, common } = mapping;
  const { period = '', decimal } = common;
  return [
    MONTH.test(period) || uses.includes('period') ? '' : 'period',
    isUsed(DECIMAL, common) && decimal === '' ? 'decimal' : '',
    salaryIn(mapping) === undefined ? SALARY : '',
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

/** A column that states a field. */
export interface Column {
  readonly index: number;
  readonly field: Field;
  readonly head: string;
  /** The meaning of a text; undefined if it is to be chosen. */
  readonly meaningOf: (cell: string) => string | undefined;
}

/** The columns by the fields that they state. */
export function columnsIn({ heads }: Sheet, { uses, meanings }: Mapping): Column[] {
  return uses.flatMap((use, index) =>
    fieldsOf(use).map((field) => {
      const { [index]: head = '' } = heads;
      // Under another head, a flag may be the contrary of exact texts.
      const isExact = field.kind !== 'flag' || useNamed(head) === field.name;
      const exact = exactTexts(field.name, isExact ? meaningsOf(field) : []);
      const meaningOf = (cell: string): string | undefined => {
        const meaning = meanings[meaningKey(index, field.name, cell)] ?? exact.get(keyOf(cell));
        return meaning === UNDECIDED ? undefined : meaning;
      };
      return { index, field, head: head || labelOf(use), meaningOf };
    }),
  );
}
