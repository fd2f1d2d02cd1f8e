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

/** One separator, which everybody takes for one of thousands. */
export const ONE_GROUP = /^-?[1-9]\d{0,2}[.,]\d{3}$/;

/** The separators of thousands and of decimals. */
export const SEPARATORS: Readonly<Record<Language, { group: string; decimal: string }>> = {
  en: { group: ',', decimal: '.' },
  vi: { group: '.', decimal: ',' },
};

/**
 * Writes a number in the notation of a language; a text that is not a number stays as it is. Three
 * decimals become four, because they would be read as a group.
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
export type Write = (value: number | bigint) => string;

/** The notations of a language. */
export interface Formats {
  readonly count: Write;
  readonly signed: Write;
  readonly dong: Write;
  readonly compact: Write;
  /** A percentage, with all its decimals. */
  readonly percent: (value: number) => string;
  /** A percentage, rounded to two decimals. */
  readonly rate: (value: number) => string;
  /** A percentage with one decimal, which is compared with others. */
  readonly share: (value: number) => string;
  /** The name of a month YYYY-MM. */
  readonly month: (month: string) => string;
  readonly plural: (value: number) => string;
  readonly list: (items: readonly string[]) => string;
  /** A number of years, as years and months. */
  readonly duration: (years: number) => string;
}

/** The notations of a language. */
export function formatsOf(language: Language): Formats {
  const locale = LOCALES[language];
  const month = new Intl.DateTimeFormat(locale, {
    month: language === 'vi' ? 'numeric' : 'long',
    year: 'numeric',
    timeZone: 'UTC',
  });
  const plural = new Intl.PluralRules(locale);
  const list = new Intl.ListFormat(locale);
  return {
    ...amountFormats(locale),
    ...percentFormats(locale),
    month: (value) => month.format(new Date(`${value}-01`)),
    plural: (value) => plural.select(value),
    list: (items) => list.format(items),
    duration: durationFormat(locale),
  };
}

function amountFormats(locale: string): Pick<Formats, 'count' | 'signed' | 'dong' | 'compact'> {
  const scientific = numberFormat(locale, { notation: 'scientific', maximumFractionDigits: 6 });
  const upTo = (largest: number, options: Intl.NumberFormatOptions): Write => {
    const write = numberFormat(locale, options);
    return (value) => (Math.abs(Number(value)) <= largest ? write : scientific)(value);
  };
  return {
    count: numberFormat(locale, { maximumFractionDigits: 2 }),
    signed: numberFormat(locale, { signDisplay: 'exceptZero' }),
    dong: upTo(LARGEST_EXACT, { style: 'currency', currency: 'VND' }),
    compact: upTo(1e15, {
      notation: 'compact',
      compactDisplay: 'long', // Nobody in Vietnam writes "T" and "Tr", the short forms.
      maximumSignificantDigits: 6,
    }),
  };
}

function percentFormats(locale: string): Pick<Formats, 'percent' | 'rate' | 'share'> {
  const upTo = (most: number, least = 0): ((value: number) => string) => {
    const decimals = { minimumFractionDigits: least, maximumFractionDigits: most };
    const write = numberFormat(locale, { style: 'percent', ...decimals });
    return (value) => write(value / 100);
  };
  return { percent: upTo(6), rate: upTo(2), share: upTo(1, 1) };
}

function numberFormat(locale: string, options: Intl.NumberFormatOptions): Write {
  const format = new Intl.NumberFormat(locale, options);
  return (value) => format.format(value).replace('-', '−');
}

function durationFormat(locale: string): (years: number) => string {
  const unit = (name: string): Write =>
    numberFormat(locale, { style: 'unit', unit: name, unitDisplay: 'long' });
  const [years, months] = [unit('year'), unit('month')];
  return (value) => {
    const whole = Math.round(value * 12);
    const parts: [number, Write][] = [
      [Math.floor(whole / 12), years],
      [whole % 12, months],
    ];
    return parts.flatMap(([part, write]) => (part > 0 ? [write(part)] : [])).join(' ');
  };
}
