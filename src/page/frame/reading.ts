/** Amounts and months as people write them. */
import { currentPeriod } from './calculation.ts';
import { type Language, NUMBER, ONE_GROUP, SEPARATORS } from './numbers.ts';

/** The kind of a field, which decides how its values are shown and read. */
export type Kind = 'amount' | 'rate' | 'integer' | 'month' | 'choice' | 'flag' | 'term' | 'text';

/** The period of an amount. */
export type Period = 'month' | 'year';

type Read = (text: string, language: Language, per?: Period) => string;

/** Reads the text of an input into JSON notation, by the kind of the field; of another kind, it is the value. */
export const READ: Partial<Record<Kind, Read>> = {
  amount: readTypedAmount,
  rate: readRate,
  integer: readInteger,
  month: readTypedMonth,
  term: readTerm,
};

const CURRENCY = /^(?:₫|đ|vnđ|vnd)|(?:₫|đồng|dong|đ|vnđ|vnd)$/g;
const TRILLION = 'nghìntỷ|ngàntỷ|trillion';
const BILLION = 'tỷ|tỉ|ty|billion|bn|b';
const MILLION = 'triệu|trieu|củ|tr|million|mio|mil|mn|m';
const THOUSAND = 'nghìn|nghin|ngàn|ngan|thousand|k';
/** Half of the word before it: 25 triệu rưỡi is 25.5 million. */
const HALF = new RegExp(`(${BILLION}|${MILLION}|${THOUSAND})(?:rưỡi|rưởi|ruoi)$`);
const WORD = new RegExp(
  `^(?:${TRILLION}|${BILLION}|${MILLION}|${THOUSAND}|`
    + 'rưỡi|rưởi|ruoi|đồng|dong|đ|vnđ|vnd|percent|[₫%])$',
  'i',
);
const SCALED = new RegExp(
  `([\\d.,]+)(?:(${TRILLION})|(${BILLION})|(${MILLION})|(?:${THOUSAND}))`,
  'g',
);

/** Three digits before a word for thousand: 25,000k may be 25 million or, with decimals, 25 thousand. */
const TWO_READINGS = new RegExp(`^([1-9]\\d{0,2})[.,](\\d{3})(?:${THOUSAND})$`);

const SPACED_DIGITS = /\d\s+\d/;

/** Spaces between digits that separate thousands, such as 30 000 000. */
const SPACED_GROUPS = /^\D*\d{1,3}(?:\s\d{3})+(?!\d)(?:[.,]\d+)?\D*$/;

/**
 * Reads an amount into JSON notation; a text that is not a number stays as it is. Where two readings are possible, the
 * language decides, except that one separator before three digits separates thousands: money does not have three
 * decimals.
 */
export function readAmount(text: string, language: Language): string {
  const { group, decimal } = SEPARATORS[language];
  const plain = visible(text);
  if (SPACED_DIGITS.test(plain) && !SPACED_GROUPS.test(plain)) return text;
  const bare = bareOf(text)
    .replace(/[.,]-$/, '')
    .replace(CURRENCY, '')
    .replace(HALF, (_, word: string) => `${word}5`)
    .replace(/(\d)['’_](?=\d{3}(?!\d))/g, '$1');
  if (ONE_GROUP.test(bare)) return bare.replace(/[.,]/, '');
  if (TWO_READINGS.test(bare)) return text;
  return (
    readSeparated(bare, group, decimal)
    ?? readSeparated(bare, decimal, group)
    ?? readScaled(bare, group, decimal)
    ?? text
  );
}

const PERIOD =
  /\s*(?:(?:\/|mỗi|một|per|an?)\s*(?:(tháng|thang|month)|năm|nam|year|annum)|p\.?a\.?)\s*$/iu;

/** A text without the period that ends it, as in 25tr/tháng or 6% per year, and that period. */
function apart(text: string): readonly [bare: string, period?: Period] {
  const plain = visible(text);
  const [ending, month] = PERIOD.exec(plain) ?? [];
  if (ending === undefined) return [text];
  return [plain.slice(0, -ending.length), month === undefined ? 'year' : 'month'];
}

/**
 * Reads an amount that a person types, and sees in full: also +25tr, the sum 175tr + 20tr, and, in a field per month,
 * 25tr/tháng. Not for files, where a sum may be a mistake.
 */
export function readTypedAmount(text: string, language: Language, per?: Period): string {
  const [bare, period = per] = apart(text);
  const read = readSum(bare, language);
  return period === per && NUMBER.test(read) ? read : text;
}

function readSum(text: string, language: Language): string {
  if (!text.includes('+')) return readAmount(text, language);
  const amounts = text
    .split('+')
    .filter((part) => part.trim() !== '')
    .map((part) => readAmount(part, language));
  const areWhole = amounts.length > 0 && amounts.every((amount) => /^\d+$/.test(amount));
  return areWhole ? String(amounts.reduce((sum, amount) => sum + BigInt(amount), 0n)) : text;
}

/** Reads 25,5 triệu, 1 tỷ 200 triệu and 25tr5, whose last digits are decimals of the word before them. */
function readScaled(bare: string, group: string, decimal: string): string | undefined {
  const [, sign = '', amount = '', rest = ''] = /^(-?)(.*?)(\d{0,3})$/.exec(bare) ?? [];
  const parts = [...amount.matchAll(SCALED)];
  if (parts.length === 0 || parts.map(([part]) => part).join('') !== amount) return undefined;
  let total = 0n;
  let smallest = Infinity;
  for (const [, digits = '', ...words] of parts) {
    const power = powerOf(words);
    const [whole, fraction = ''] =
      (readSeparated(digits, group, decimal) ?? readSeparated(digits, decimal, group))?.split('.')
      ?? [];
    if (whole === undefined || power >= smallest || fraction.length > power) return undefined;
    if ((fraction !== '' && rest !== '') || rest.length === 2) return undefined;
    smallest = power;
    total += BigInt(whole + fraction.padEnd(power, '0'));
  }
  return sign + String(total + BigInt(rest.padEnd(smallest, '0')));
}

/** The part of a text that belongs to no number, such as `/tháng` in `25 triệu/tháng`; '' if there is none. */
export function strangeIn(text: string): string {
  for (const [part] of visible(text).matchAll(/\D+/g)) {
    const words = [...part.matchAll(/\p{L}+|[^\p{L}\s.,'’−-]/gu)];
    const strange = words.filter(([word]) => !WORD.test(word));
    const [first, last] = [strange[0], strange.at(-1)];
    if (first !== undefined && last !== undefined) {
      return part.slice(first.index, last.index + last[0].length);
    }
  }
  return '';
}

/** Whether a value is an amount with a part of a đồng; `.00` is no fraction. */
export function isFraction(value: string): boolean {
  return NUMBER.test(value) && /\.(?!00?$)/.test(value);
}

/** The power of ten of a word of scale: of a trillion, a billion, a million, or else of a thousand. */
function powerOf(words: readonly (string | undefined)[]): number {
  const place = words.findIndex((word) => word !== undefined);
  return place === -1 ? 3 : 12 - 3 * place;
}

/** Reads a whole number; another text stays as it is. */
export function readInteger(text: string): string {
  if (SPACED_DIGITS.test(text)) return text;
  const bare = bareOf(text);
  return (/^-?\d+$/.test(bare) && canonical(bare)) || text;
}

const MONTH = /^(0?[1-9]|1[0-2])[/.-]?(\d{4})$/;

/**
 * Reads 8/2026, 2026-08, tháng 8 năm 2026, 082026 and 202608 into 2026-08. A number of five digits stays as it is:
 * spreadsheets count days, and 45962 is in November 2025.
 */
export function readMonth(text: string): string {
  const bare = bareOf(text)
    .replace(/^tháng|^t/, '')
    .replace('năm', '/');
  if (/^\d{5}$/.test(bare)) return text;
  const swapped = bare.replace(/^(\d{4})[/.-]?(\d\d?)$/, '$2/$1');
  const [, month = '', year] = MONTH.exec(bare) ?? MONTH.exec(swapped) ?? [];
  return year === undefined ? text : `${year}-${month.padStart(2, '0')}`;
}

const MONTHS = 'janfebmaraprmayjunjulaugsepoctnovdec';
const ENGLISH_MONTH = /^(jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\.?(?=\d)/;

/**
 * Reads a month that a person types, and sees in full: also 3/26, November 2026, and tháng 3 of the current year. Not
 * for files, where 3/26 may also be 26 March.
 */
export function readTypedMonth(text: string): string {
  const read = readMonth(text);
  if (read !== text) return read;
  const bare = bareOf(text)
    .replace(/^month/, 'tháng')
    .replace(ENGLISH_MONTH, (_, name: string) => `${MONTHS.indexOf(name) / 3 + 1}/`);
  const full = bare
    .replace(/[/.-](?=\d\d$)/, '$&20')
    .replace(/^(?:tháng|t)\d\d?$/, `$&/${currentPeriod().slice(0, 4)}`);
  const month = readMonth(full);
  return month === full ? text : month;
}

/**
 * A text without characters that nobody sees, such as the marks that chats put around an amount, but with U+202E, which
 * reverses what one sees; and with digits for full-width digits (NFKC).
 */
function visible(text: string): string {
  return text.normalize('NFKC').replace(/(?!\u202e)\p{Cf}/gu, '');
}

/** Leaves out the spaces and what nobody sees. */
export function bareOf(text: string): string {
  return visible(text).replace(/\s/g, '').replace('−', '-').toLowerCase();
}

/** Reads digits with the given separators of thousands and decimals into JSON notation; undefined for another text. */
export function readSeparated(bare: string, group: string, decimal: string): string | undefined {
  const [whole = '', fraction, ...more] = bare.split(decimal);
  if (more.length > 0 || fraction?.includes(group)) return undefined;
  const isGrouped = !whole.includes(group) || /^-?[1-9]\d{0,2}(?:\D\d{3})+$/.test(whole);
  return isGrouped ? canonical(whole.replaceAll(group, ''), fraction) : undefined;
}

function canonical(whole: string, fraction = ''): string | undefined {
  const parts = /^(-?)0*(\d*)\.(\d*)$/.exec(`${whole}.${fraction}`);
  if (parts === null || !/\d/.test(whole + fraction)) return undefined;
  const [, sign = '', digits, decimals] = parts;
  return sign + (digits || '0') + (decimals && `.${decimals}`);
}

/** Reads a number in which a point or a comma begins the decimals. */
export function readDecimal(text: string): string {
  if (SPACED_DIGITS.test(text)) return text;
  const bare = bareOf(text).replace(/%$|phầntrăm$|percent$/, '');
  return readSeparated(bare.replace(',', '.'), ',', '.') ?? text;
}

const TIMES_12 = /\s*[*x×]\s*12\s*$/;

/** Reads a percentage per year: 6, 6%/năm and, times 12, 0,5%/tháng and 0,5 × 12. */
export function readRate(text: string): string {
  const [bare, period] = apart(text);
  const factor = bare.replace(TIMES_12, '');
  const read = readDecimal(factor);
  if (!NUMBER.test(read)) return text;
  return period === 'month' || factor !== bare ? yearly(read) : read;
}

/** The rate or amount per year of one per month. */
function yearly(value: string): string {
  return String(Number((Number(value) * 12).toFixed(8)));
}

/** The rate or amount per year that was meant by one below `least`, which may be that of a month. */
export function yearlyBelow(value: string, least: number): string | undefined {
  return Number(value) > 0 && Number(value) < least ? yearly(value) : undefined;
}

/**
 * The amount that was meant by one below `least`, such as 32.5 or 30: the smallest multiple by a power of 1,000; and
 * 25,000,000 for 25,000k, which may be 25 thousand or 25 million. Undefined if there is no doubt.
 */
export function scaledUp(value: string, least: number): string | undefined {
  const [, whole, thousands] = TWO_READINGS.exec(bareOf(value)) ?? [];
  if (whole !== undefined) return `${whole}${thousands}000`;
  const amount = Number(value);
  if (!/^\d{1,9}(?:\.\d+)?$/.test(value) || amount <= 0 || amount >= least) return undefined;
  let scaled = amount;
  while (scaled < least) scaled *= 1_000;
  return String(Math.round(scaled));
}

const TERM = /^(?:([\d.,]+)(?:n[ăa]m|years?|yrs?|y))?(?:([\d.,]+)(?:th[áa]ng|months?|mo|m))?$/;

/** Reads 1,5 and 18 tháng and 1 năm 6 tháng into years. */
export function readTerm(text: string): string {
  const decimal = readDecimal(text);
  if (NUMBER.test(decimal)) return decimal;
  const [, years = '0', months = '0'] = TERM.exec(bareOf(text)) ?? [];
  const total = Number(readDecimal(years)) * 12 + Number(readDecimal(months));
  return total > 0 ? yearsOf(total) : text;
}

/** A number of months in years, with enough decimals to find the months again. */
export function yearsOf(months: number): string {
  return String(Number((months / 12).toFixed(8)));
}

/** The months of a term, or undefined if their number is not whole. */
export function monthsOf(years: string): number | undefined {
  const months = Math.round(Number(years) * 12);
  const isWhole = Math.abs(Number(years) * 12 - months) < 1e-6;
  return NUMBER.test(years) && isWhole ? months : undefined;
}
