import { ONE_GROUP, SEPARATORS } from './numbers.js';

const CURRENCY = /^(?:₫|đ|vnđ|vnd)|(?:₫|đồng|đ|vnđ|vnd)$/g;
const SCALED = /([\d.,]+)(?:(tỷ|tỉ|ty|billion|bn|b)|(triệu|tr|million|mn|m)|(?:nghìn|ngàn|thousand|k))/g;

/**
 * Reads an amount into JSON notation; a text that is not a number stays as it is. Where two readings are possible, the
 * language decides, except that one separator before three digits separates thousands: money does not have three
 * decimals.
 */
export function readAmount(text, language) {
  const { group, decimal } = SEPARATORS[language];
  const bare = bareOf(text).replace(CURRENCY, '').replace(/(\d)['’](?=\d{3}(?!\d))/g, '$1');
  if (ONE_GROUP.test(bare)) return bare.replace(/[.,]/, '');
  return read(bare, group, decimal) ?? read(bare, decimal, group) ?? readScaled(bare, group, decimal) ?? text;
}

/** Reads 25,5 triệu, 1 tỷ 200 triệu and 25tr5, whose last digits are decimals of the word before them. */
function readScaled(bare, group, decimal) {
  const [, sign, amount, rest] = /^(-?)(.*?)(\d{0,3})$/.exec(bare);
  const parts = [...amount.matchAll(SCALED)];
  if (parts.length === 0 || parts.map(([part]) => part).join('') !== amount) return undefined;
  let total = 0n;
  let smallest = Infinity;
  for (const [, digits, billion, million] of parts) {
    const power = billion ? 9 : million ? 6 : 3;
    const [whole, fraction = ''] = (read(digits, group, decimal) ?? read(digits, decimal, group))?.split('.') ?? [];
    if (whole === undefined || power >= smallest || fraction.length > power) return undefined;
    smallest = power;
    total += BigInt(whole + fraction.padEnd(power, '0'));
  }
  return sign + (total + BigInt(rest.padEnd(smallest, '0')));
}

export function readInteger(text) {
  const bare = bareOf(text);
  return /^-?\d+$/.test(bare) ? canonical(bare) : text;
}

const MONTH = /^(0?[1-9]|1[0-2])[/.-]?(\d{4})$/;

/** Reads 8/2026, 2026-08, tháng 8 năm 2026, 082026 and 202608 into 2026-08. */
export function readMonth(text) {
  const bare = bareOf(text).replace(/^tháng|^t/, '').replace('năm', '/');
  const swapped = bare.replace(/^(\d{4})[/.-]?(\d\d?)$/, '$2/$1');
  const [, month, year] = MONTH.exec(bare) ?? MONTH.exec(swapped) ?? [];
  return year === undefined ? text : `${year}-${month.padStart(2, '0')}`;
}

/** Whether an edit of digits leaves separators of thousands in wrong places, such as 1.2345 after 1.234. */
export function displacesGroups(before, value, { inputType, data }) {
  const isOfDigits = /^delete/.test(inputType) || /^\d+$/.test(data);
  return isOfDigits && before.replace(/\D/g, '') === value && !/[.,]$/.test(before);
}

/** NFKC turns full-width digits into digits. */
export function bareOf(text) {
  return text.normalize('NFKC').replace(/\s/g, '').replace('−', '-').toLowerCase();
}

function read(bare, group, decimal) {
  const [whole, fraction, ...more] = bare.split(decimal);
  if (more.length > 0 || fraction?.includes(group)) return undefined;
  const isGrouped = !whole.includes(group) || /^-?[1-9]\d{0,2}(?:\D\d{3})+$/.test(whole);
  return isGrouped ? canonical(whole.replaceAll(group, ''), fraction) : undefined;
}

function canonical(whole, fraction = '') {
  const [, sign, digits, decimals] = /^(-?)0*(\d*)\.(\d*)$/.exec(`${whole}.${fraction}`) ?? [];
  if (sign === undefined || !/\d/.test(whole + fraction)) return undefined;
  return sign + (digits || '0') + (decimals && `.${decimals}`);
}

/** Point and comma both begin the decimals. */
export function readDecimal(text) {
  return read(bareOf(text).replace(/%$|phầntrăm$|percent$/, '').replace(',', '.'), ',', '.') ?? text;
}

/** By the kind of a field. */
export const READ = { amount: readAmount, decimal: readDecimal, integer: readInteger, month: readMonth };
