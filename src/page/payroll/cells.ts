/* The cells of a payroll, read by the kinds of their fields. */
import { bareOf, readAmount, readInteger, readMonth } from '../reading.ts';
import { bounded, type Field, type Kind, type Values } from '../request.ts';
import { TEXTS } from '../texts.ts';
import { lettersOf } from './heads.ts';

/** One separator before three digits, which in a unit above đồng begins decimals or thousands. */
const TWO_READINGS = /(^|[^\d.,])([1-9]\d{0,2})[.,](\d{3})(?![\d.,])/;

/** A word of scale, such as that of 25tr. */
const SCALE = /\d\s*(?:tr|k|ng|t[yỷỉ]|m|thou|b)/i;

/** Whether an amount has a unit of its own. */
const hasUnit = (cell: string): boolean => /\p{L}|₫/u.test(cell);

/** Whether an amount has two readings in its unit. */
export function isTwofold(cell: string, unit: string): boolean {
  return (hasUnit(cell) ? SCALE.test(cell) : unit !== '1') && TWO_READINGS.test(cell);
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

const REGIONS: Readonly<Record<string, string>> = { i: '1', ii: '2', iii: '3', iv: '4' };
const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];

/** Reads 01/10/2026, T10-26 and Oct-26, as spreadsheets write months, into 2026-10. */
export function readMonthCell(cell: string, { dates }: Values = {}): string {
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
function readAmountCell(cell: string, { unit = '1', separator }: Values): string {
  const cleared = separator === 'decimal' ? '$1$2.$3' : '$1$2$3';
  const written = separator && isTwofold(cell, unit) ? cell.replace(TWO_READINGS, cleared) : cell;
  return readAmount(hasUnit(cell) ? written : written + (SCALES[unit] ?? ''), 'en');
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
    .replace(/^(?:vùng|region)\s*/, '');
  return labelled ?? REGIONS[written] ?? written;
}

/** The key of the choice of a text that is no option of a field. */
export function wordKey({ name }: Field, word: string): string {
  return `word.${name}.${word}`;
}

type Read = (cell: string, options: Values, field: Field) => string;

/** Reads a cell into an option of its field; the person may have chosen it for this text. */
const readOption =
  (read: (cell: string, field: Field) => string): Read =>
  (cell, options, field) => {
    const word = read(cell, field);
    return options[wordKey(field, word)] ?? word;
  };

const READ: Partial<Record<Kind, Read>> = {
  amount: readAmountCell,
  integer: readInteger,
  month: readMonthCell,
  flag: readOption(readFlagCell),
  choice: readOption(readChoiceCell),
};

/** The accounting format of spreadsheets writes zero as a dash. */
const ZERO = /^[-–—]$/;

/** Reads the cell of a field; '' if it is empty. */
export function readCell(field: Field, content: string, options: Values): string {
  const cell = bounded(content.trim());
  const isNumeric = field.kind === 'amount' || field.kind === 'integer';
  if (isNumeric && ZERO.test(cell)) return '0';
  return cell === '' ? '' : (READ[field.kind]?.(cell, options, field) ?? cell);
}
