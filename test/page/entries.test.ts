/** Amounts as people write them are read as what they mean, or refused for a reason of their own. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FRACTIONS, LANGUAGES, READ, REFUSED } from '../helpers/entries.ts';
import { calculators, type Language, scripts } from '../helpers/page-scripts.ts';

/** The message for a value of the salary. */
function messageFor(income: string, language: Language): string {
  const field = calculators['salary']!.fields.find(({ name }) => name === 'income')!;
  const texts = scripts.textsOf(language);
  const problem = { code: 'malformed', message: '' } as const;
  return scripts.messageOf(problem, field, { income }, texts, scripts.formatsOf(language));
}

test('130 entries and more are read as what they mean, or refused for a reason that is theirs', () => {
  assert.ok(READ.length + REFUSED.length >= 130);
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
