/* The cells of a payroll: an amount, a number or a month has one reading, or none. */
import { bareOf, readAmount, readInteger, readMonth } from '../reading.ts';
import type { Values } from '../request.ts';

/** As spreadsheets write zero. */
const DASH = /^[-–—]$/;

/** The zeros of a unit. */
const ZEROS: Readonly<Record<string, number>> = { 1: 0, 1000: 3, 1000000: 6 };

/** One separator before three digits and a word of scale: 12,345 tr has two readings. */
const TWO_READINGS = /(?:^|[^\d.,])\d{1,3}[.,]\d{3}(?![\d.,]|₫|đ|vn)./;

/** Numbers with a decimal comma or a decimal point, whose thousands may be separated. */
const WRITTEN: Readonly<Record<string, RegExp>> = {
  ',': /^(\d+|\d{1,3}(?:\.\d{3})+)(?:,(\d+))?$/,
  '.': /^(\d+|\d{1,3}(?:,\d{3})+)(?:\.(\d+))?$/,
};

/** Reads an amount into đồng in JSON notation; undefined for another text. */
export function readMoney(cell: string, { unit = '1', decimal = '' }: Values): string | undefined {
  const bare = bareOf(cell);
  if (DASH.test(bare)) return '0';
  const { [unit]: zeros = 0 } = ZEROS;
  if (zeros > 0) return readScaled(cell, zeros, decimal);
  const amount = TWO_READINGS.test(bare) ? cell : readAmount(cell, 'vi');
  return /^\d+(?:\.\d+)?$/.test(amount) ? amount.replace(/\.0+$/, '') : undefined;
}

/** Reads an amount in thousands or millions, which has digits and separators only. */
function readScaled(cell: string, zeros: number, decimal: string): string | undefined {
  const [, whole = '', fraction = ''] = WRITTEN[decimal]?.exec(cell.trim()) ?? [];
  if (whole === '') return undefined;
  const digits = fraction.padEnd(zeros, '0');
  const rest = digits.slice(zeros);
  const dong = (whole.replace(/\D/g, '') + digits.slice(0, zeros)).replace(/^0+(?=\d)/, '');
  return rest === '' ? dong : `${dong}.${rest}`;
}

const MONTHS =
  'january february march april may june july august september october november december';

/** Reads a month, also Oct-26 or October 2026, or a date with one reading; another text stays. */
export function readMonthCell(cell: string): string {
  const bare = bareOf(cell);
  const [, name, ending] = /^([a-z]{3,9})(?:-|-?20)(\d\d)$/.exec(bare) ?? [];
  if (name !== undefined) {
    const index = MONTHS.split(' ').findIndex((month) => month.startsWith(name));
    return index === -1 ? cell : `20${ending}-${String(index + 1).padStart(2, '0')}`;
  }
  if (/^\d{4}-\d\d-\d\d$/.test(bare)) return bare.slice(0, 7);
  if (!/^\d\d?[/.-]\d\d?[/.-]\d{4}$/.test(bare)) return readMonth(cell);
  const [first = 0, second = 0, year] = bare.split(/[/.-]/).map(Number);
  const [month, day] = [Math.min(first, second), Math.max(first, second)];
  const hasOneReading = day <= 31 && (day > 12 || day === month);
  return hasOneReading ? readMonth(`${month}/${year}`) : cell;
}

/** Reads a whole number, also 2,0; another text stays. */
export function readCount(cell: string): string {
  return DASH.test(cell) ? '0' : readInteger(cell.replace(/^(\d+)[.,]0{1,2}$/, '$1'));
}
