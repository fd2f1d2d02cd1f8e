/* The cells of a payroll, read by the kinds of their fields. */
import { bareOf, readAmount, readInteger, readMonth } from '../reading.ts';
import { bounded, type Field, type Kind } from '../request.ts';
import { TEXTS } from '../texts.ts';
import { lettersOf } from './heads.ts';

/** A unit in đồng, and the answers of the person about a column. */
export interface Reading {
  readonly unit: string;
  readonly answer: (name: string) => string | undefined;
}

/** The reading without an answer. */
export const UNANSWERED: Reading = { unit: '1', answer: () => undefined };

/** One separator before three digits, which in a unit above đồng begins decimals or thousands. */
const TWO_READINGS = /(^|[^\d.,])([1-9]\d{0,2})([.,])(\d{3})(?![\d.,])/;

/** A word of scale, such as that of 25tr. */
const SCALE = /\d\s*(?:tr|k|ng|t[yỷỉ]|m|thou|b|củ)/i;

/** Whether an amount has a unit of its own. */
const hasUnit = (cell: string): boolean => /\p{L}|₫/u.test(cell);

/** The separator with which an amount has two readings in its unit, or ''. */
export function twofoldIn(cell: string, unit: string): string {
  const isScaled = hasUnit(cell) ? SCALE.test(cell) : unit !== '1';
  return (isScaled && TWO_READINGS.exec(cell)?.[3]) || '';
}

/** Whether a date may begin with its day or with its month. */
export function isTwofoldDate(cell: string): boolean {
  const [day = 0, month = 0] = dateIn(cell);
  return day !== month && Math.max(day, month) <= 12;
}

/** The two numbers before the year of a date. */
export function dateIn(cell: string): [day?: number, month?: number, year?: number] {
  const [, ...numbers] = /^(\d{1,2})[/.-](\d{1,2})[/.-](\d{4})/.exec(bareOf(bounded(cell))) ?? [];
  return numbers.map(Number) as [];
}

const REGIONS: ReadonlyMap<string, string> = new Map([
  ['i', '1'],
  ['ii', '2'],
  ['iii', '3'],
  ['iv', '4'],
]);
const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];

/** Reads 01/10/2026, T10-26 and Oct-26, as spreadsheets write months, into 2026-10. */
export function readMonthCell(cell: string, dates = 'dmy'): string {
  const [first = 0, second = 0, year] = dateIn(cell);
  if (year !== undefined) {
    const isDayFirst = isTwofoldDate(cell) ? dates !== 'mdy' : second <= 12;
    return readMonth(`${isDayFirst ? second : first}/${year}`);
  }
  const bare = bareOf(cell);
  const iso = /^(\d{4}-\d{1,2})-\d{1,2}/.exec(bare)?.[1];
  if (iso !== undefined) return readMonth(iso);
  const [, number, short] = /^t?(\d{1,2})[/.-](\d{2})$/.exec(bare) ?? [];
  if (number !== undefined) return readMonth(`${number}/20${short}`);
  const [, name = '', digits = ''] = /^([a-z]{3})[a-z]*[/.,-]?(\d{2}|\d{4})$/.exec(bare) ?? [];
  const place = MONTHS.indexOf(name) + 1;
  return place === 0 ? readMonth(cell) : readMonth(`${place}/${digits.padStart(4, '20')}`);
}

const SCALES: Readonly<Record<string, string>> = { 1000: 'k', 1000000: 'tr' };

/** Reads an amount into đồng. */
function readAmountCell(cell: string, { unit, answer }: Reading): string {
  const separator = twofoldIn(cell, unit);
  const meaning = separator && answer(`separator.${separator}`);
  // Three decimals of a thousand are đồng.
  const isWhole = meaning === 'group' || (unit === '1000' && !hasUnit(cell));
  const written = meaning ? cell.replace(TWO_READINGS, isWhole ? '$1$2$4' : '$1$2.$4') : cell;
  const isScaled = hasUnit(cell) || (meaning === 'decimal' && unit === '1000');
  return readAmount(isScaled ? written : written + (SCALES[unit] ?? ''), 'en');
}

const YES = /^(?:true|yes|y|x|v|1|có|đúng|✓|✔|☑)$/;
const NO = /^(?:false|no|n|0|không|ko|sai|-|–|—|☐)$/;

/** Reads a cell that says yes or no; another text stays. */
function readFlagCell(cell: string): string {
  const word = cell.normalize('NFC').toLowerCase();
  if (YES.test(word)) return 'true';
  return NO.test(word) ? 'false' : word;
}

/** Reads an option by its label in either language, or as the request has it. */
function readChoiceCell(cell: string, { name, options = [] }: Field): string {
  const letters = lettersOf(cell);
  const isLabel = (label: string): boolean => letters !== '' && lettersOf(label) === letters;
  const labelled = options.find((option) =>
    (TEXTS[`${name}.${option}`] ?? TEXTS[option] ?? []).some(isLabel),
  );
  const written = cell
    .normalize('NFC')
    .toLowerCase()
    .replace(/\s+/g, ' ')
    .replace(/^(?:vùng|region)\s*/, '');
  const region = REGIONS.get(written) ?? '';
  return labelled ?? (options.includes(region) && region ? region : written);
}

type Read = (cell: string, reading: Reading, field: Field) => string;

/** Reads a cell into an option of its field, which may be the answer about its text. */
const readOption =
  (read: (cell: string, field: Field) => string): Read =>
  (cell, { answer }, field) => {
    const word = cell === '' ? '' : read(cell, field);
    return answer(`word.${word}`) ?? word;
  };

const READ: Partial<Record<Kind, Read>> = {
  amount: readAmountCell,
  integer: (cell) => readInteger(cell.replace(/^(\d+)[.,]0{1,2}$/, '$1')),
  month: (cell, { answer }) => readMonthCell(cell, answer('dates')),
  flag: readOption(readFlagCell),
  choice: readOption(readChoiceCell),
};

/** The accounting format of spreadsheets writes zero as a dash. */
const ZERO = /^[-–—]$/;

/** Reads the cell of a field; an empty one is '', unless there is an answer about it. */
export function readCell(field: Field, content: string, reading: Reading): string {
  const cell = bounded(content.trim());
  const isNumeric = field.kind === 'amount' || field.kind === 'integer';
  if (isNumeric && ZERO.test(cell)) return '0';
  return READ[field.kind]?.(cell, reading, field) ?? cell;
}
