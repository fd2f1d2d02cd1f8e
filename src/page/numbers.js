/** A number as JSON writes it, without an exponent. */
export const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?$/;

/** 08/2026 for 2026-08; another text stays as it is. */
export function writeMonth(value) {
  return /^\d{4}-\d{2}$/.test(value) ? `${value.slice(5)}/${value.slice(0, 4)}` : value;
}

/** One separator, which everybody takes for one of thousands. */
export const ONE_GROUP = /^-?[1-9]\d{0,2}[.,]\d{3}$/;

export const SEPARATORS = {
  en: { group: ',', decimal: '.' },
  vi: { group: '.', decimal: ',' },
};

/** Three decimals become four, because they would be read as a group; what is not a number stays as it is. */
export function writeNumber(value, language, isGrouped) {
  if (!NUMBER.test(value)) return value;
  const { group, decimal } = SEPARATORS[language];
  const [whole, fraction] = value.split('.');
  const grouped = isGrouped ? whole.replace(/\B(?=(?:\d{3})+$)/g, group) : whole;
  if (fraction === undefined) return grouped;
  const shown = grouped + decimal + fraction;
  return isGrouped && ONE_GROUP.test(shown) ? `${shown}0` : shown;
}

const LOCALES = { en: 'en-GB', vi: 'vi-VN' };

/** From here a double has fewer digits than the number. */
const SCIENTIFIC_FROM = 1e18;

export function formatsOf(language) {
  const locale = LOCALES[language];
  const number = (options) => {
    const format = new Intl.NumberFormat(locale, options);
    return (value) => format.format(value).replace('-', '−');
  };
  const unit = (name) => number({ style: 'unit', unit: name, unitDisplay: 'long' });
  const monthFormat = new Intl.DateTimeFormat(locale, {
    month: language === 'vi' ? 'numeric' : 'long', year: 'numeric', timeZone: 'UTC',
  });
  const percent = number({ style: 'percent', maximumFractionDigits: 6 });
  const rate = number({ style: 'percent', maximumFractionDigits: 2 });
  const scientific = number({ notation: 'scientific', maximumFractionDigits: 6 });
  // Nobody in Vietnam writes "T" and "Tr", the short forms.
  const compactDisplay = language === 'vi' ? 'long' : 'short';
  const compact = number({ notation: 'compact', compactDisplay, maximumSignificantDigits: 6 });
  const [years, months] = [unit('year'), unit('month')];
  const plural = new Intl.PluralRules(locale);
  const list = new Intl.ListFormat(locale);
  return {
    count: number({ maximumFractionDigits: 2 }),
    signed: number({ signDisplay: 'exceptZero' }),
    dong: number({ style: 'currency', currency: 'VND' }),
    month: (month) => monthFormat.format(new Date(`${month}-01`)),
    percent: (value) => percent(value / 100),
    rate: (value) => rate(value / 100),
    compact: (value) => (Math.abs(value) <= 1e15 ? compact(value) : scientific(value)),
    plural: (value) => plural.select(value),
    list: (items) => list.format(items),
    amount(decimals) {
      const plain = number({ minimumFractionDigits: decimals, maximumFractionDigits: decimals });
      return (value) => (Math.abs(value) < SCIENTIFIC_FROM ? plain(value) : scientific(value));
    },
    duration(value) {
      const whole = Math.round(value * 12);
      const parts = [[Math.floor(whole / 12), years], [whole % 12, months]];
      return parts.flatMap(([part, write]) => (part > 0 ? [write(part)] : [])).join(' ');
    },
  };
}
