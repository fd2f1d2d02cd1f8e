/* The choices of the person: what the columns are, what their texts mean, and what holds for all rows. */
import type { Field, Values } from '../request.ts';
import { TEXTS, text } from '../texts.ts';
import { COLUMNS, isFilled, keyOf, SALARIES, type Sheet, useNamed } from './sheet.ts';

/** The choices of the person. */
export interface Mapping {
  /** The use of each column, or ''. */
  readonly uses: readonly string[];
  /** What the texts of columns mean, by `meaningKey`. */
  readonly meanings: Values;
  /** The values for all rows whose columns state none: month, unit, decimal, region, dependents. */
  readonly common: Values;
}

/** The field of which several columns are added. */
export const ADDED = 'exempt_income';

/** What a file has one column of. */
const roleOf = (use: string): string => (SALARIES.includes(use) ? 'salary' : use);

/** The uses of exact names; none of a name that two columns have. */
export function exactUses({ heads }: Pick<Sheet, 'heads'>): string[] {
  const uses = heads.map(useNamed);
  const roles = uses.map(roleOf);
  const isOnly = (role: string): boolean => roles.indexOf(role) === roles.lastIndexOf(role);
  return uses.map((use) => (isOnly(roleOf(use)) ? use : ''));
}

/** The uses after a choice: another column with that use loses it. */
export function usesWith(uses: readonly string[], index: number, use: string): string[] {
  const isTaken = (other: string): boolean => use !== ADDED && roleOf(other) === roleOf(use);
  return uses.map((other, at) => (at === index ? use : isTaken(other) ? '' : other));
}

/** The column of the salary, or −1. */
export function salaryIn({ uses }: Mapping): number {
  return uses.findIndex((use) => SALARIES.includes(use));
}

/** Whether nothing but their names tells people from other rows. */
export function isUnnumbered({ uses }: Mapping): boolean {
  return !uses.includes('number') && !uses.includes('code');
}

export const isMonth = (value = ''): boolean => /^\d{4}-(?:0[1-9]|1[0-2])$/.test(value);

/** What must be chosen before anything can be calculated. */
export function missingIn(mapping: Mapping): string[] {
  const { uses, common } = mapping;
  const isDecimal = common['unit'] !== '1' && common['decimal'] === '';
  return [
    isMonth(common['month']) || uses.includes('period') ? '' : 'month',
    isDecimal ? 'decimal' : '',
    salaryIn(mapping) === -1 ? 'salary' : '',
  ].filter(isFilled);
}

/** The months that the titles name as MM/YYYY. */
export function monthsIn({ titles }: Sheet): string[] {
  const found = titles.join(' ; ').matchAll(/(^|[^\d/.-])(0?[1-9]|1[0-2])\/(20\d\d)(?!\d)/g);
  const months = [...found].map(([, , month = '', year]) => `${year}-${month.padStart(2, '0')}`);
  return [...new Set(months)];
}

/** The key of the meaning of a text in a column. */
export function meaningKey(index: number, cell: string): string {
  return `${index} ${keyOf(cell)}`;
}

/**
 * The meanings that the texts of a field may have; none of a field with amounts or months. Of the
 * salary for insurance, only an empty cell has one: '' is the gross salary.
 */
export function meaningsOf({ name, kind, options }: Field): readonly string[] {
  if (name === 'insurance_salary') return ['', '0'];
  return kind === 'flag' ? ['true', 'false'] : (options ?? []);
}

/** Whether a cell of a field has a meaning, and not a value. */
export function isWorded(field: Field, cell: string): boolean {
  return meaningsOf(field).length > 0 && (field.kind !== 'amount' || cell === '');
}

/** The columns whose texts may have a meaning. */
export function wordedIn({ uses }: Mapping): (readonly [field: Field, index: number])[] {
  return uses.flatMap((use, index) => {
    const field = COLUMNS.find(({ name }) => name === use);
    return field !== undefined && meaningsOf(field).length > 0 ? [[field, index] as const] : [];
  });
}

/** The fields of which an empty cell has a meaning under an exact head; of the region, under any. */
const BLANK: Values = {
  who: 'employee',
  taxation: 'progressive',
  foreigner: 'false',
  union_fund: 'false',
  type: '',
};

const FLAGS: Values = {
  ...{ x: 'true', 1: 'true', có: 'true', yes: 'true' },
  ...{ '-': 'false', 0: 'false', không: 'false', no: 'false' },
};

/** The words of a meaning. */
export function meaningText({ name, kind }: Field, meaning: string): string {
  const own = text(`${name}.${meaning}`) || text(`${kind}.${name}.${meaning}`);
  return own || text(`${kind}.${meaning}`) || text(meaning || 'asAll');
}

/** The meaning of a text that is exactly that of an option; undefined if it is to be chosen. */
export function exactMeaning(field: Field, head: string, cell: string): string | undefined {
  const { name, kind } = field;
  const isExact = useNamed(head) === name;
  const word = keyOf(cell);
  if (word === '' && name === 'region') return '';
  if (word === '') return isExact ? BLANK[name] : undefined;
  // Under another head, a flag may be its contrary.
  if (kind === 'flag' && !isExact) return undefined;
  const isOption = (option: string): boolean => {
    const key = `${name}.${option}`;
    const names = [option, key, `${kind}.${key}`, `${kind}.${option}`];
    const words = [option, ...names.flatMap((key) => TEXTS[key] ?? [])].map(keyOf);
    return words.includes(word) || words.includes(word.replace(/^(?:vùng|region) /, ''));
  };
  const exact = meaningsOf(field).find((option) => option !== '' && isOption(option));
  return exact ?? (kind === 'flag' ? FLAGS[word] : undefined);
}
