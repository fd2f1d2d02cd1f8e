/* The cells of a payroll: an amount, a number or a month has one reading, or none. */
import { NUMBER } from '../frame/numbers.ts';
import { bareOf, readAmount, readInteger, readMonth, readSeparated } from '../frame/reading.ts';
import type { Values } from '../frame/request.ts';

/** As spreadsheets write zero. */
const DASH = /^[-–—]$/;

/** Reads an amount into đồng in JSON notation; undefined for another text. */
export function readMoney(cell: string, common: Values): string | undefined {
  if (DASH.test(bareOf(cell))) return '0';
  const { unit = '1', decimal = '' } = common;
  if (unit === '1') return plainOf(readAmount(cell, 'vi'));
  if (decimal === '') return undefined;
  const read = readSeparated(cell.trim(), decimal === ',' ? '.' : ',', decimal);
  return read && dongOf(Number(read), common);
}

/** An amount without decimals that are zeros; undefined for another text. */
const plainOf = (amount: string): string | undefined =>
  NUMBER.test(amount) ? amount.replace(/\.0+$/, '') : undefined;

const scaled = (amount: string | number, zeros: number): string =>
  String(Number(`${amount}e${zeros}`));

/** Makes a number in a unit đồng in JSON notation; undefined if it needs an exponent. */
export function dongOf(amount: number, { unit = '1' }: Values): string | undefined {
  return plainOf(scaled(amount, unit.length - 1));
}

/** The most decimals of an amount that count in a sum. */
const PLACES = 20;

/** The exact sum of amounts in JSON notation. */
export function sumOf(amounts: readonly string[]): string {
  const units = amounts.map((amount) => {
    const [whole = '', decimals = ''] = amount.split('.');
    return BigInt(whole + decimals.padEnd(PLACES, '0').slice(0, PLACES));
  });
  return scaled(String(units.reduce((sum, one) => sum + one)), -PLACES);
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
