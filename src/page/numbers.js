/** A number as JSON writes it, without an exponent. */
export const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?$/;

const SEPARATORS = {
  en: { group: ',', decimal: '.' },
  vi: { group: '.', decimal: ',' },
};

/**
 * Reads an amount into JSON notation; a text that is no number stays as it is. Where two readings are possible (1.234)
 * the language decides; what it cannot have written (1.000.000 or 1,5 in English) is read the other way. After an edit
 * of the digits alone (`isLoose`) the group separators are wherever the edit left them.
 */
export function readAmount(text, language, isLoose) {
  const { group, decimal } = SEPARATORS[language];
  const bare = bareOf(text);
  const own = read(bare, group, decimal, isLoose);
  return { value: own ?? read(bare, decimal, group) ?? text, isOwn: own !== undefined };
}

/** Too small a number to be grouped: point and comma both begin the decimals. */
export function readDecimal(text) {
  return read(bareOf(text).replace(',', '.'), ',', '.') ?? text;
}

export function readInteger(text) {
  const bare = bareOf(text);
  return /^-?\d+$/.test(bare) ? canonical(bare) : text;
}

/** Any text but a number in JSON notation stays as it is. */
export function writeNumber(value, language, isGrouped) {
  if (!NUMBER.test(value)) return value;
  const { group, decimal } = SEPARATORS[language];
  const [whole, fraction] = value.split('.');
  const grouped = isGrouped ? whole.replace(/\B(?=(?:\d{3})+$)/g, group) : whole;
  return fraction === undefined ? grouped : grouped + decimal + fraction;
}

/**
 * What an amount field shows after an edit, and where the caret goes: as many digits stay behind it as before. Deleting
 * forwards steps over a separator, which would only come back.
 */
export function regroup({ text, caret, value, language, isForwards }) {
  const { group, decimal } = SEPARATORS[language];
  const isUnfinished = !value.includes('.') && text.endsWith(decimal);
  const shown = writeNumber(value, language, true) + (isUnfinished ? decimal : '');
  const digits = (part) => part.replaceAll(group, '').replace(/\s/g, '').length;
  const behind = digits(text.slice(caret));
  let position = shown.length;
  while (position > 0 && digits(shown.slice(position)) < behind) position--;
  while (!isForwards && shown[position - 1] === group) position--;
  return { text: shown, caret: position };
}

function bareOf(text) {
  return text.replace(/\s/g, '').replace('−', '-');
}

function read(bare, group, decimal, isLoose = false) {
  const [whole, fraction, ...more] = bare.split(decimal);
  if (more.length > 0 || fraction?.includes(group)) return undefined;
  const isGrouped = isLoose || !whole.includes(group) || /^-?[1-9]\d{0,2}(?:\D\d{3})+$/.test(whole);
  return isGrouped ? canonical(whole.replaceAll(group, ''), fraction) : undefined;
}

function canonical(whole, fraction = '') {
  if (!/^-?\d*$/.test(whole) || !/^\d*$/.test(fraction) || !/\d/.test(whole + fraction)) return undefined;
  const sign = whole.startsWith('-') ? '-' : '';
  const digits = whole.slice(sign.length).replace(/^0+(?=\d)/, '') || '0';
  return sign + digits + (fraction && `.${fraction}`);
}

const LOCALES = { en: 'en-GB', vi: 'vi-VN' };

/** From here digits are noise: a double has fewer of them. */
const SCIENTIFIC_FROM = 1e18;

export function formatsOf(language) {
  const locale = LOCALES[language];
  const number = (options) => {
    const format = new Intl.NumberFormat(locale, options);
    return (value) => format.format(value);
  };
  const unit = (name) => number({ style: 'unit', unit: name, unitDisplay: 'long' });
  const monthFormat = new Intl.DateTimeFormat(locale, {
    month: language === 'vi' ? 'numeric' : 'long', year: 'numeric', timeZone: 'UTC',
  });
  const percent = number({ style: 'percent', maximumFractionDigits: 6 });
  const scientific = number({ notation: 'scientific', maximumFractionDigits: 6 });
  const compact = number({ notation: 'compact', maximumSignificantDigits: 6 });
  const [years, months] = [unit('year'), unit('month')];
  return {
    count: number({ maximumFractionDigits: 2 }),
    dong: number({ style: 'currency', currency: 'VND' }),
    month: (month) => monthFormat.format(new Date(`${month}-01`)),
    percent: (value) => percent(value / 100),
    share: number({ style: 'percent', minimumFractionDigits: 1, maximumFractionDigits: 1 }),
    compact: (value) => (Math.abs(value) < 1e15 ? compact(value) : scientific(value)),
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
