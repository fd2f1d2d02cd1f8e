/** Amounts as people write them are read as what they mean, or refused for a reason of their own. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { calculators, type Language, scripts } from '../helpers/page-scripts.ts';

const { LANGUAGES } = scripts;

/** An entry, what it means in đồng, and the language in which it means that; both, if none is named. */
type Entry = readonly [text: string, value: string, language?: 'en' | 'vi'];

const READ: readonly Entry[] = [
  // Digits, and separators of thousands
  ['25000000', '25000000'],
  ['25.000.000', '25000000'],
  ['25,000,000', '25000000'],
  ['25 000 000', '25000000'],
  ['25\u00a0000\u202f000', '25000000'],
  ["25'000'000", '25000000'],
  ['25’000’000', '25000000'],
  ['25_000_000', '25000000'],
  ['25000000.00', '25000000.00'],
  ['25000000,00', '25000000.00'],
  ['25.000.000,00', '25000000.00'],
  ['25,000,000.00', '25000000.00'],
  ['25 000 000,5', '25000000.5'],
  ['25.000', '25000'], // one separator before three digits is that of thousands
  ['25,000', '25000'],
  ['25,000.000', '25000.000', 'en'],
  ['025000000', '25000000'],
  ['0', '0'],
  ['２５００００００', '25000000'],
  ['２５.０００.０００', '25000000'],
  ['25.', '25'],
  // Decimals: the page asks about an amount of less than a million
  ['25,5', '25.5'],
  ['0,125', '0.125'],
  ['1,234.5', '1234.5'],
  ['1.234,5', '1234.5'],
  // Units of money
  ['25.000.000 ₫', '25000000'],
  ['₫25,000,000', '25000000'],
  ['25000000đ', '25000000'],
  ['25.000.000 đồng', '25000000'],
  ['25000000 dong', '25000000'],
  ['25.000.000 VNĐ', '25000000'],
  ['25.000.000 vnd', '25000000'],
  ['VND 25,000,000', '25000000'],
  ['25 triệu đồng', '25000000'],
  // Millions
  ['25tr', '25000000'],
  ['25TR', '25000000'],
  ['25triệu', '25000000'],
  ['25 triệu', '25000000'], // composed of letters and marks
  ['25 củ', '25000000'],
  ['25m', '25000000'],
  ['25mn', '25000000'],
  ['25 mil', '25000000'],
  ['25 Million dong', '25000000'],
  ['25.5tr', '25500000'],
  ['25,5tr', '25500000'],
  ['.5tr', '500000'],
  ['25tr5', '25500000'],
  ['25tr500', '25500000'],
  ['25 triệu 500 nghìn', '25500000'],
  ['25tr500k', '25500000'],
  ['25tr050', '25050000'],
  ['25 triệu rưỡi', '25500000'],
  ['25 trieu ruoi', '25500000'],
  ['1 200 triệu', '1200000000'],
  ['1.200 triệu', '1200000000', 'vi'], // with a word, the language decides
  ['1.200 triệu', '1200000', 'en'],
  ['1,200m', '1200000000', 'en'],
  ['1,200m', '1200000', 'vi'],
  // Billions
  ['1 tỷ', '1000000000'],
  ['1 tỉ', '1000000000'],
  ['1ty', '1000000000'],
  ['1bn', '1000000000'],
  ['1 billion', '1000000000'],
  ['1b', '1000000000'],
  ['1 tỷ 2', '1200000000'],
  ['1tỷ250', '1250000000'],
  ['1 tỷ rưỡi', '1500000000'],
  ['1 tỷ 200 triệu 500 nghìn', '1200500000'],
  // Thousands
  ['25000k', '25000000'],
  ['25000 nghìn', '25000000'],
  ['25000 ngàn', '25000000'],
  ['25000 ngan', '25000000'],
  ['500 nghin', '500000'],
  ['7500 thousand', '7500000'],
  // Sums, a sign, no decimals, and marks that nobody sees
  ['175tr + 175tr', '350000000'],
  ['+25.000.000', '25000000'],
  ['25.000.000,-', '25000000'],
  ['25mio', '25000000'],
  ['\u200b25.000.000\u200f', '25000000'],
  ['\u200e25 000 000\u2066', '25000000'],
  ['-5', '-5'],
  // Per month, as the field is
  ['25 triệu/tháng', '25000000'],
  ['25tr5 một tháng', '25500000'],
  ['25m per month', '25000000'],
  ['−25tr', '-25000000'],
];

/** An entry that is refused, the text of its reason, '' if there is none, and the part that is no number. */
type Refused = readonly [text: string, reason: string, part?: string];

const REFUSED: readonly Refused[] = [
  ['abc', 'strange', 'abc'],
  ['25 triệu/năm', 'strange', '/năm'],
  ['25%/tháng', 'strange', '/tháng'],
  ['25tr net', 'strange', 'net'],
  ['khoảng 25tr', 'strange', 'khoảng'],
  ['~25tr', 'strange', '~'],
  ['25tr+x', 'strange', '+x'],
  ['\u202e25tr', 'strange', '\u202e'],
  ['+', 'strange', '+'],
  ['25*2', 'strange', '*'],
  ['25tr - thuế', 'strange', 'thuế'],
  ['$1000', 'currency', '$'],
  ['1000 USD', 'currency', 'USD'],
  ['US$1,000', 'currency', 'US$'],
  ['1000€', 'currency', '€'],
  ['2.5e7', 'strange', 'e'],
  ['25*000*000', 'strange', '*'],
  ['2_5000_000', 'strange', '_'],
  ['hai mươi lăm triệu', 'strange', 'hai mươi lăm'],
  ['30,000,00', 'whole'],
  ['1.2.3', 'whole'],
  ['30 00 000', 'whole'],
  ['25.0000.000', 'whole'],
  ['3 0', 'whole'],
  ['25tr50', 'unclear'], // 25.5 or 25.05 million
  ['25tr5tr', 'unclear'],
  ['25,5tr5', 'unclear'],
  ['25tr 1 tỷ', 'unclear'],
  ['25,000k', 'unclear'], // 25 thousand or 25 million: the page asks
  ['25.000 nghìn', 'unclear'],
  ['0,0000000001 tỷ', 'whole'],
  ['triệu', ''],
  ['-', ''],
];

/** Amounts that are read, and then refused, because they are not whole đồng, or their groups are not of three digits. */
const FRACTIONS: readonly string[] = [
  '25,000.50',
  '25.000,50',
  '25.0000',
  '25,0000',
  '25500000.5',
  '25500000,5',
  '25 000 000,5',
  '32.5',
  '0,125',
];

/** The message for a value of the salary. */
function messageFor(income: string, language: Language): string {
  const field = calculators['salary']!.fields.find(({ name }) => name === 'income')!;
  const texts = scripts.textsOf(language);
  const problem = { code: 'malformed', message: '' } as const;
  return scripts.messageOf(problem, field, { income }, texts, scripts.formatsOf(language));
}

test('entries are read as what they mean, or refused for a reason that is theirs', () => {
  for (const language of LANGUAGES) {
    const texts = scripts.textsOf(language);
    for (const [text, value] of READ.filter(([, , only]) => (only ?? language) === language)) {
      assert.equal(scripts.readTypedAmount(text, language, 'month'), value, `${text} ${language}`);
    }
    for (const [text, reason, part = ''] of REFUSED) {
      assert.equal(scripts.readTypedAmount(text, language, 'month'), text, `${text} ${language}`);
      assert.equal(scripts.strangeIn(text), part, text);
      const places = { part, from: 0, to: '…' };
      const [expected = ''] = String(texts(reason || 'expects.amount', places)).split('…');
      const message = messageFor(text, language);
      assert.ok(message.startsWith(expected), `${text}: ${message}`);
    }
  }
});

test('an amount per month is read in a field per month only, and a rate per month becomes one per year', () => {
  for (const language of LANGUAGES) {
    for (const [text, month, year] of [
      ['25tr/tháng', '25000000', undefined],
      ['390tr/năm', undefined, '390000000'],
      ['390m per year', undefined, '390000000'],
    ]) {
      assert.equal(scripts.readTypedAmount(text!, language, 'month'), month ?? text);
      assert.equal(scripts.readTypedAmount(text!, language, 'year'), year ?? text);
      assert.equal(scripts.readTypedAmount(text!, language), text);
    }
  }
  for (const [text, rate] of [
    ['6', '6'],
    ['6%', '6'],
    ['6,25 %/năm', '6.25'],
    ['6% p.a.', '6'],
    ['0.5 * 12', '6'],
    ['0,5 x 12', '6'],
    ['0,55% × 12', '6.6'],
    ['0,5%/tháng', '6'],
    ['0.5% per month', '6'],
    ['0,5 % mỗi tháng', '6'],
    ['0,5% × 12 tháng', '0,5% × 12 tháng'],
    ['6 tháng', '6 tháng'],
    ['/tháng', '/tháng'],
    ['6 * 2', '6 * 2'],
    ['-1', '-1'],
  ] as const) {
    assert.equal(scripts.readRate(text), rate, text);
  }
});

test('an amount with a part of a đồng is refused for that, and two zeros are none', () => {
  for (const language of LANGUAGES) {
    for (const text of FRACTIONS) {
      const value = scripts.readTypedAmount(text, language);
      assert.ok(scripts.isFraction(value), `${text} ${language}: ${value}`);
      const message = messageFor(value, language);
      assert.ok(message.startsWith(String(scripts.textsOf(language)('whole'))), message);
    }
    for (const text of ['25000000.00', '25.000.000,00', '25.000', '25tr5', '-5', 'abc', '']) {
      assert.equal(scripts.isFraction(scripts.readTypedAmount(text, language)), false, text);
    }
  }
});

/** The inputs of amounts of all views. */
const AMOUNTS = [
  ...Object.values(calculators).flatMap(({ fields, linked = [] }) => [...fields, ...linked]),
  ...scripts.COLUMNS,
].filter(({ kind }) => kind === 'amount');

test('every amount is refused with the bounds of its input', () => {
  const names = new Set(AMOUNTS.map(({ name }) => name));
  for (const name of ['income', 'net_income', 'tax', 'insurance', 'withheld', 'target']) {
    assert.ok(names.has(name), name);
  }
  for (const language of LANGUAGES) {
    const [texts, formats] = [scripts.textsOf(language), scripts.formatsOf(language)];
    for (const field of AMOUNTS) {
      const [minimum, maximum] = field.range ?? assert.fail(field.name);
      assert.ok(minimum === 0 && maximum >= 1e12 && maximum <= 1e15, field.name);
      const malformed = ['29.25', 'abc', '1e12', '$5'].map(
        (given) => ['malformed', given] as const,
      );
      const outside = ['-5000000', `${maximum}0`].map((given) => ['out_of_range', given] as const);
      for (const [code, given] of [...malformed, ...outside]) {
        const values = { [field.name]: given };
        const message = scripts.messageOf({ code, message: '' }, field, values, texts, formats);
        const bound = (formats['compact'] as (value: number) => string)(maximum);
        assert.doesNotMatch(message, /∞|NaN|undefined/, `${field.name} ${given}: ${message}`);
        assert.ok(message.includes(bound), `${field.name} ${given}: ${message}`);
      }
    }
  }
});
