import { NUMBER, ONE_GROUP, SEPARATORS, writeNumber } from './numbers.js';

const CURRENCY = /^(?:₫|đ|vnđ|vnd)|(?:₫|đồng|đ|vnđ|vnd)$/g;
const SCALED = /([\d.,]+)(?:(tỷ|tỉ|ty|billion|bn|b)|(triệu|tr|million|mn|m)|(?:nghìn|ngàn|thousand|k))/g;

/**
 * Reads an amount into JSON notation; a text that is not a number stays as it is. Where two readings are possible, the
 * language decides, except that one separator before three digits separates thousands: money does not have three
 * decimals. After an edit of the digits alone (`isLoose`), the group separators are wherever the edit left them.
 */
export function readAmount(text, language, isLoose) {
  const { group, decimal } = SEPARATORS[language];
  const bare = bareOf(text).replace(CURRENCY, '').replace(/(\d)['’](?=\d{3}(?!\d))/g, '$1');
  if (ONE_GROUP.test(bare) && !isLoose) return { value: bare.replace(/[.,]/, ''), isOwn: bare.includes(group) };
  const own = read(bare, group, decimal, isLoose);
  const value = own ?? read(bare, decimal, group) ?? readScaled(bare, group, decimal) ?? text;
  return { value, isOwn: own !== undefined };
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

export function addMonths(month, count) {
  const date = new Date(month);
  date.setUTCMonth(date.getUTCMonth() + count);
  return date.toISOString().slice(0, 7);
}

/** What an amount field shows after an edit; as many digits stay behind the caret as before. */
export function regroup({ text, caret, value, language, isForwards }) {
  const { group, decimal } = SEPARATORS[language];
  const isUnfinished = !value.includes('.') && text.endsWith(decimal);
  const shown = writeNumber(value, language, true) + (isUnfinished ? decimal : '');
  const counted = shown.includes(decimal) ? `-0123456789${decimal}` : '-0123456789';
  const digits = (part) => [...part].filter((character) => counted.includes(character)).length;
  const behind = digits(text.slice(caret));
  let position = shown.length;
  while (position > 0 && digits(shown.slice(position)) < behind) position--;
  // Deleting forwards steps over a separator, which would only come back.
  while (!isForwards && shown[position - 1] === group) position--;
  return { text: shown, caret: position };
}

/** NFKC turns full-width digits into digits. */
function bareOf(text) {
  return text.normalize('NFKC').replace(/\s/g, '').replace('−', '-').toLowerCase();
}

function read(bare, group, decimal, isLoose = false) {
  const [whole, fraction, ...more] = bare.split(decimal);
  if (more.length > 0 || fraction?.includes(group)) return undefined;
  const isGrouped = isLoose || !whole.includes(group) || /^-?[1-9]\d{0,2}(?:\D\d{3})+$/.test(whole);
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

const TERM = /^(?:([\d.,]+)(?:năm|years?|yrs?|y))?(?:([\d.,]+)(?:tháng|months?|mo|m))?$/;

/** Reads 1,5 and 18 tháng and 1 năm 6 tháng into years. */
export function readTerm(text) {
  const decimal = readDecimal(text);
  if (NUMBER.test(decimal)) return decimal;
  const [, years = '0', months = '0'] = TERM.exec(bareOf(text)) ?? [];
  const total = Number(readDecimal(years)) * 12 + Number(readDecimal(months));
  return total > 0 ? yearsOf(total) : text;
}

export function yearsOf(months) {
  return String(Number((months / 12).toFixed(8))); // from which the service finds the month again
}

/** Undefined if they are not whole. */
export function monthsOf(years) {
  const months = Math.round(Number(years) * 12);
  return NUMBER.test(years) && Math.abs(Number(years) * 12 - months) < 1e-6 ? months : undefined;
}
