/* The cells of a payroll: an amount, a number or a month has one reading, or none. */
import { NUMBER } from '../frame/numbers.ts';
import { bareOf, readAmount, readInteger, readMonth } from '../frame/reading.ts';
import type { Values } from '../frame/request.ts';

/** As spreadsheets write zero. */
const DASH = /^[-–—]$/;

/** One separator before three digits and a word of scale: 12,345 tr has two readings. */
const TWO_READINGS = /(?:^|[^\d.,])\d{1,3}[.,]\d{3}(?![\d.,]|₫|đ|vn)./;

/** Signed numbers with a decimal comma or a decimal point, whose thousands may be separated. */
const WRITTEN: Readonly<Record<string, RegExp>> = {
  ',': /^(-?\d+|-?\d{1,3}(?:\.\d{3})+)(?:,(\d+))?$/,
  '.': /^(-?\d+|-?\d{1,3}(?:,\d{3})+)(?:\.(\d+))?$/,
};

/** Reads an amount into đồng in JSON notation; undefined for another text. */
export function readMoney(cell: string, { unit = '1', decimal = '' }: Values): string | undefined {
  const bare = bareOf(cell);
  if (DASH.test(bare)) return '0';
  const isScaled = unit !== '1';
  if (!isScaled && TWO_READINGS.test(bare)) return undefined;
  const amount = isScaled ? readScaled(cell, unit.length - 1, decimal) : readAmount(cell, 'vi');
  return NUMBER.test(amount) ? amount.replace(/\.0+$/, '') : undefined;
}

/** Reads an amount in a unit with zeros, which has digits and separators only. */
function readScaled(cell: string, zeros: number, decimal: string): string {
  const [, whole = '', fraction = ''] = WRITTEN[decimal]?.exec(cell.trim()) ?? [];
  return whole && scaled(`${whole.replace(/[.,]/g, '')}.${fraction}`, zeros);
}

const scaled = (amount: string | number, zeros: number): string =>
  String(Number(`${amount}e${zeros}`));

/** Makes a number in a unit đồng in JSON notation; undefined if it needs an exponent. */
export function dongOf(amount: number, { unit = '1' }: Values): string | undefined {
  const written = scaled(amount, unit.length - 1);
  return NUMBER.test(written) ? written : undefined;
}

/** The exact sum of amounts in JSON notation. */
export function sumOf(amounts: readonly string[]): string {
  const decimals = amounts.map((amount) => amount.split('.')[1]?.length ?? 0);
  const places = Math.max(...decimals);
  const total = amounts.reduce((sum, amount, index) => {
    const digits = amount.replace('.', '') + '0'.repeat(places - decimals[index]!);
    return sum + BigInt(digits);
  }, 0n);
  return scaled(String(total), -places);
}

/** Reads a month, or a date with one reading; another text is no month. */
export function readMonthCell(cell: string): string {
  const plain = bareOf(cell)
    // The day of a date is above 12, or is its month: 31/10/2026, 10/31/2026, 10/10/2026.
    .replace(/^(?:1[3-9]|2\d|3[01])[/.-](?=\d\d?[/.-]\d{4}$)/, '')
    .replace(/^(\d\d?)[/.-](?:1[3-9]|2\d|3[01]|\1)(?=[/.-]\d{4}$)/, '$1')
    .replace(/^(\d{4}-\d\d)-\d\d$/, '$1');
  return readMonth(plain);
}

/** Reads a whole number, also 2,0; another text stays. */
export function readCount(cell: string): string {
  return DASH.test(cell) ? '0' : readInteger(cell.replace(/^(\d+)[.,]0{1,2}$/, '$1'));
}
