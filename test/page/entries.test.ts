/** Amounts as people write them: the page changes none, and reads none as another amount. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { missing, type Page, startBrowser } from '../helpers/browser.ts';
import { run } from '../helpers/command.ts';
import { scripts } from '../helpers/page-scripts.ts';

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
  ['25000000.00', '25000000.00'],
  ['25000000,00', '25000000.00'],
  ['25.000.000,00', '25000000.00'],
  ['25,000,000.00', '25000000.00'],
  ['25 000 000,5', '25000000.5'],
  ['25.000', '25000'], // one separator before three digits is that of thousands
  ['25,000', '25000'],
  ['25,000.000', '25000.000', 'en'],
  ['7500000', '7500000'],
  ['7.500.000', '7500000'],
  ['1000000000', '1000000000'],
  ['1.000.000.000', '1000000000'],
  ['1,000,000,000', '1000000000'],
  ['025000000', '25000000'],
  ['0', '0'],
  ['２５００００００', '25000000'],
  ['２５.０００.０００', '25000000'],
  ['25.', '25'],
  // Decimals: the page asks about an amount of less than a million
  ['25,5', '25.5'],
  ['25.5', '25.5'],
  ['32.75', '32.75'],
  ['0,125', '0.125'],
  ['1,234.5', '1234.5'],
  ['1.234,5', '1234.5'],
  // Units of money
  ['25.000.000 ₫', '25000000'],
  ['25.000.000₫', '25000000'],
  ['₫25,000,000', '25000000'],
  ['₫ 25,000,000', '25000000'],
  ['25000000đ', '25000000'],
  ['25.000.000 đ', '25000000'],
  ['25.000.000 đồng', '25000000'],
  ['25000000 dong', '25000000'],
  ['25.000.000 VNĐ', '25000000'],
  ['25.000.000 vnd', '25000000'],
  ['VND 25,000,000', '25000000'],
  ['VNĐ25.000.000', '25000000'],
  ['25 triệu đồng', '25000000'],
  ['25 triệu VND', '25000000'],
  ['VND25m', '25000000'],
  // Millions
  ['25tr', '25000000'],
  ['25 tr', '25000000'],
  ['25TR', '25000000'],
  ['25Tr', '25000000'],
  ['25 triệu', '25000000'],
  ['25triệu', '25000000'],
  ['25 trieu', '25000000'],
  ['25 TRIỆU', '25000000'],
  ['25 triệu', '25000000'], // composed of letters and marks
  ['25 củ', '25000000'],
  ['25m', '25000000'],
  ['25M', '25000000'],
  ['25 m', '25000000'],
  ['25mn', '25000000'],
  ['25 mil', '25000000'],
  ['25 million', '25000000'],
  ['25 Million dong', '25000000'],
  ['25.5tr', '25500000'],
  ['25,5tr', '25500000'],
  ['25,5 triệu', '25500000'],
  ['25.5 million', '25500000'],
  ['25.75m', '25750000'],
  ['0,5tr', '500000'],
  ['.5tr', '500000'],
  ['25tr5', '25500000'],
  ['25 tr 5', '25500000'],
  ['25m5', '25500000'],
  ['25tr500', '25500000'],
  ['25 triệu 500', '25500000'],
  ['25 triệu 500 nghìn', '25500000'],
  ['25tr500k', '25500000'],
  ['25tr050', '25050000'],
  ['25 triệu rưỡi', '25500000'],
  ['25 trieu ruoi', '25500000'],
  ['25tr rưỡi', '25500000'],
  ['100tr', '100000000'],
  ['1200 triệu', '1200000000'],
  ['1 200 triệu', '1200000000'],
  ['1.200 triệu', '1200000000', 'vi'], // with a word, the language decides
  ['1.200 triệu', '1200000', 'en'],
  ['1,200m', '1200000000', 'en'],
  ['1,200m', '1200000', 'vi'],
  // Billions
  ['1 tỷ', '1000000000'],
  ['1tỷ', '1000000000'],
  ['1 tỉ', '1000000000'],
  ['1ty', '1000000000'],
  ['1bn', '1000000000'],
  ['1 billion', '1000000000'],
  ['1b', '1000000000'],
  ['1,5 tỷ', '1500000000'],
  ['1.5bn', '1500000000'],
  ['0.5 tỷ', '500000000'],
  ['1 tỷ 2', '1200000000'],
  ['1ty2', '1200000000'],
  ['1tỷ250', '1250000000'],
  ['1 tỷ rưỡi', '1500000000'],
  ['1 tỷ 200 triệu', '1200000000'],
  ['1 tỷ 200 triệu 500 nghìn', '1200500000'],
  // Thousands
  ['25000k', '25000000'],
  ['25000K', '25000000'],
  ['25000 nghìn', '25000000'],
  ['25000 ngàn', '25000000'],
  ['25000 ngan', '25000000'],
  ['500k', '500000'],
  ['500 nghin', '500000'],
  ['7500 thousand', '7500000'],
  ['-5', '-5'],
  ['−25tr', '-25000000'],
];

/** An entry that is refused, and the part that is the reason; '' for separators in unusual places. */
const REFUSED: readonly (readonly [text: string, part: string])[] = [
  ['abc', 'abc'],
  ['25 triệu/tháng', '/tháng'],
  ['25.000.000đ/tháng', '/tháng'],
  ['25m/month', '/month'],
  ['25m per month', 'per month'],
  ['25tr net', 'net'],
  ['khoảng 25tr', 'khoảng'],
  ['~25tr', '~'],
  ['>25tr', '>'],
  ['25tr+5tr', '+'],
  ['25*2', '*'],
  ['25tr - thuế', 'thuế'],
  ['$1000', '$'],
  ['1000 USD', 'USD'],
  ['2.5e7', 'e'],
  ['25 trăm', 'trăm'],
  ['25_000_000', '_000_'],
  ['hai mươi lăm triệu', 'hai mươi lăm'],
  ['30,000,00', ''],
  ['30.000.00', ''],
  ['1.2.3', ''],
  ['30 00 000', ''],
  ['3 0', ''],
  ['25tr50', ''], // 25.5 or 25.05 million
  ['25tr5tr', ''],
  ['25tr 1 tỷ', ''],
  ['25,000k', ''], // 25 thousand or 25 million: the page asks
  ['25.000 nghìn', ''],
  ['0,0000000001 tỷ', ''],
  ['triệu', ''],
  ['-', ''],
];

const LANGUAGES = ['en', 'vi'] as const;

test('130 entries and more are read as what they mean, or refused for a reason that is theirs', () => {
  assert.ok(READ.length + REFUSED.length >= 130);
  for (const language of LANGUAGES) {
    for (const [text, value] of READ.filter(([, , only]) => (only ?? language) === language)) {
      assert.equal(scripts.readAmount(text, language), value, `${text} ${language}`);
    }
    for (const [text, part] of REFUSED) {
      assert.equal(scripts.readAmount(text, language), text, `${text} ${language}`);
      assert.equal(scripts.strangeIn(text), part, text);
    }
  }
});

/** In the page: an entry as it stands in the field, the line below it, and the message. */
const STATE = `['salary-income', 'salary-income-reading', 'salary-income-error']
  .map((id) => document.getElementById(id))
  .map((node) => node.value ?? node.textContent)`;

/** Types or pastes a text, and returns the state of the field. */
async function enter(page: Page, text: string, isTyped: boolean): Promise<readonly string[]> {
  await page.evaluate("document.getElementById('salary-income').focus()");
  await page.press('a', 'control');
  await page.press('Delete');
  if (isTyped) await page.type(text);
  else await page.send('Input.insertText', { text });
  return (await page.evaluate(STATE)) as readonly string[];
}

/** The line below an entry: the amount as the page writes it, unless it is written so. */
function readingOf(text: string, value: string, language: string): string {
  const written = scripts.writeNumber(value, language, true);
  return written === text ? '' : `${text} = ${written}\u00a0₫`;
}

/** The beginning of a refusal. */
function reasonOf(part: string, language: string): string {
  const texts = scripts.textsOf(language);
  return String(part === '' ? texts('unclear') : texts('strange', { part }));
}

async function checkEntries(page: Page, language: string, isTyped: boolean): Promise<void> {
  const how = `${language} ${isTyped ? 'typed' : 'pasted'}`;
  for (const [text, value] of READ.filter(([, , only]) => (only ?? language) === language)) {
    const [shown, reading] = await enter(page, text, isTyped);
    assert.deepEqual([shown, reading], [text, readingOf(text, value, language)], how);
  }
  for (const [text, part] of REFUSED) {
    const [shown, reading, error] = await enter(page, text, isTyped);
    assert.deepEqual([shown, reading], [text, ''], how);
    assert.ok(error?.startsWith(reasonOf(part, language)), `${text} ${how}: ${error}`);
  }
}

test(
  'browser: an entry stays as it is typed or pasted, and the page says what it has read',
  { skip: missing },
  async (context) => {
    const { port } = new URL(String((await run(context, ['--port=0']).event('ready'))['address']));
    const base = `http://localhost:${port}/`;
    const open = await startBrowser(context, base);
    if (open === undefined) return;
    for (const language of LANGUAGES) {
      await context.test(language, async (part) => {
        const page = await open(part, false);
        await page.open(`${base}#salary?income=1234567&period=2026-08`, language);
        await page.until("document.querySelector('.answer > *')");
        for (const isTyped of [true, false]) await checkEntries(page, language, isTyped);
        assert.deepEqual(page.problems, []);
      });
    }
  },
);
