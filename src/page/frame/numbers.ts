/** Numbers and months as the languages of the page write them. */

/** The languages of the page, in the order of the texts in a table. */
export const LANGUAGES = ['en', 'vi'] as const;

/** A language of the page. */
export type Language = (typeof LANGUAGES)[number];

/** A number as JSON writes it, without an exponent. */
export const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?$/;

/** Writes 08/2026 for 2026-08; another text stays as it is. */
export function writeMonth(value: string): string {
  return /^\d{4}-\d{2}$/.test(value) ? `${value.slice(5)}/${value.slice(0, 4)}` : value;
}

/** One separator, which everyone reads as a thousands separator. */
export const ONE_GROUP = /^-?[1-9]\d{0,2}[.,]\d{3}$/;

/** The separators of thousands and of decimals. */
export const SEPARATORS: Readonly<Record<Language, { group: string; decimal: string }>> = {
  en: { group: ',', decimal: '.' },
  vi: { group: '.', decimal: ',' },
};

/**
 * Writes a number in the notation of a language; a text that is not a number stays as it is. Three decimals become
 * four, because they would be read as a group.
 */
export function writeNumber(value: string, language: Language, isGrouped = false): string {
  if (!NUMBER.test(value)) return value;
  const { group, decimal } = SEPARATORS[language];
  const [whole = '', fraction] = value.split('.');
  const grouped = isGrouped ? whole.replace(/\B(?=(?:\d{3})+$)/g, group) : whole;
  if (fraction === undefined) return grouped;
  const shown = grouped + decimal + fraction;
  return isGrouped && ONE_GROUP.test(shown) ? `${shown}0` : shown;
}

const LOCALES: Readonly<Record<Language, string>> = { en: 'en-GB', vi: 'vi-VN' };

/** Above it, a double has fewer digits than the number. */
const LARGEST_EXACT = 1e18;

/** Writes a number. */
type Write = (value: number | bigint) => string;

/** The notations of a language. */
export type Formats = ReturnType<typeof formatsOf>;

/** Creates the notations of a language. */
export function formatsOf(language: Language) {
  const locale = LOCALES[language];
  return {
    ...amountFormats(locale),
    ...percentFormats(locale),
    month: monthFormat(locale, language === 'vi' ? 'numeric' : 'long'),
    duration: durationFormat(locale),
  };
}

function amountFormats(locale: string) {
  const scientific = numberFormat(locale, { notation: 'scientific', maximumFractionDigits: 6 });
  const exact = (options: Intl.NumberFormatOptions): Write => {
    const write = numberFormat(locale, options);
    return (value) => (Math.abs(Number(value)) <= LARGEST_EXACT ? write : scientific)(value);
  };
  return {
    count: exact({ maximumFractionDigits: 2 }),
    signed: exact({ signDisplay: 'exceptZero', maximumFractionDigits: 2 }),
    dong: exact({ style: 'currency', currency: 'VND' }),
    compact: exact({
      notation: 'compact',
      compactDisplay: 'long', // Nobody in Vietnam writes "T" and "Tr", the short forms.
      maximumSignificantDigits: 6,
    }),
  };
}

function percentFormats(locale: string) {
  const upTo = (maximumFractionDigits: number, minimumFractionDigits = 0) => {
    const decimals = { minimumFractionDigits, maximumFractionDigits };
    const write = numberFormat(locale, { style: 'percent', ...decimals });
    return (value: number) => write(value / 100);
  };
  return {
    /** A percentage, with all its decimals. */
    percent: upTo(6),
    /** A percentage, rounded to two decimals. */
    rate: upTo(2),
    /** A percentage with one decimal, which is compared with others. */
    share: upTo(1, 1),
  };
}

function numberFormat(locale: string, options: Intl.NumberFormatOptions): Write {
  const format = new Intl.NumberFormat(locale, options);
  return (value) => format.format(value).replace('-', '−');
}

/** Writes the name of a month YYYY-MM. */
function monthFormat(locale: string, month: 'long' | 'numeric') {
  const format = new Intl.DateTimeFormat(locale, { month, year: 'numeric', timeZone: 'UTC' });
  return (value: string) => format.format(new Date(`${value}-01`));
}

/** Writes a number of years, as years and months. */
function durationFormat(locale: string) {
  const units = ['year', 'month'].map((unit) =>
    numberFormat(locale, { style: 'unit', unit, unitDisplay: 'long' }),
  );
  return (value: number): string => {
    const months = Math.round(value * 12);
    const parts = [Math.floor(months / 12), months % 12];
    return parts.flatMap((part, index) => (part > 0 ? [units[index]?.(part)] : [])).join(' ');
  };
}
