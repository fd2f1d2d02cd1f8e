/* The choices of the person: what the columns are, what their texts mean, and what holds for all rows. */
import { MONTH } from '../../tax/contract.ts';
import type { Field, Values } from '../frame/request.ts';
import { readMonthCell } from './cells.ts';
import {
  COLUMNS,
  exactTexts,
  fieldNameOf,
  isFilled,
  keyOf,
  labelOf,
  SALARIES,
  saysWho,
  type Sheet,
  useNamed,
} from './sheet.ts';

/** The choices of the person. */
export interface Mapping {
  /** The use of each column, or ''. */
  readonly uses: readonly string[];
  /** What the texts of columns mean, by `meaningKey`. */
  readonly meanings: Values;
  /** The values for all rows whose columns state none: period, unit, decimal, region, dependents. */
  readonly common: Values;
}

/** The field of which several columns are added. */
export const ADDED = 'exempt_income';

const isAlike = (use: string, other: string): boolean => fieldNameOf(use) === fieldNameOf(other);

/** The uses of exact names, none of a name that two columns have; and who is paid, by exact texts. */
export function exactUses(sheet: Sheet): string[] {
  const named = sheet.heads.map(useNamed);
  const uses = named.map((use) =>
    named.filter((other) => isAlike(use, other)).length > 1 ? '' : use,
  );
  if (uses.includes('who')) return uses;
  const who = uses.findIndex((use, index) => use === '' && saysWho(sheet, index));
  return usesWith(uses, who, 'who');
}

/** The uses after a choice: another column of that field loses its own. */
export function usesWith(uses: readonly string[], index: number, use: string): string[] {
  const isLost = (other: string): boolean => use !== ADDED && isAlike(use, other);
  return uses.map((other, at) => (at === index ? use : isLost(other) ? '' : other));
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
  const { period = '', unit, decimal } = common;
  return [
    MONTH.test(period) || uses.includes('period') ? '' : 'period',
    unit !== '1' && decimal === '' ? 'decimal' : '',
    salaryIn(mapping) === undefined ? 'salary' : '',
  ].filter(isFilled);
}

/** A month, which no day precedes: 9/2026; tháng 9 năm 2026, September 2026. */
const TITLED =
  /(?:^|[^\d\s/.-]|[.-]\s)\s*(\d\d?\/20\d\d|(?:tháng\s+\d\d?\s+năm|\b[a-z]+)\s+20\d\d)(?!\d)/g;

/** A quarter, such as Quý 3 and Q3, whose number is not that of a month. */
const QUARTER = /\bq\p{L}*\.?\s*\d+/gu;

/** The months that the titles name as 9/2026, tháng 9 năm 2026 or September 2026. */
export function monthsIn({ heads, above, rows }: Sheet): string[] {
  const titles = [...rows.slice(0, above).flatMap(({ cells }) => cells), ...heads];
  const text = titles.join(' ; ').normalize('NFC').toLowerCase().replace(QUARTER, '');
  const months = [...text.matchAll(TITLED)].map(([, month = '']) => readMonthCell(month));
  return [...new Set(months)].filter((month) => MONTH.test(month));
}

/** The key of the meaning of a text in a column that states a field. */
export function meaningKey(index: number, name: string, cell: string): string {
  return `${index} ${name} ${keyOf(cell)}`;
}

/**
 * The meanings that the texts of a field may have; none of a field with amounts or months. Of the
 * salary for insurance, only an empty cell has one: '' is the gross salary.
 */
export function meaningsOf({ name, kind, options = [] }: Field): readonly string[] {
  if (name === 'insurance_salary') return ['', '0'];
  return kind === 'flag' ? ['true', 'false'] : options;
}

/** Whether a cell of a field has a meaning, and not a value. An empty region is that of the form. */
export function isWorded(field: Field, cell: string): boolean {
  const isText = cell === '' ? field.name !== 'region' : field.kind !== 'amount';
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
    const field = COLUMNS.find(({ name }) => name === fieldNameOf(use));
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
