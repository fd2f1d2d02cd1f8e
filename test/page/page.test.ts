import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { test } from 'node:test';
import { run } from '../command.ts';
import { readText, root } from '../repository.ts';
import { missing, openPage, type Page } from './browser.ts';

const FOLDER = 'src/page/';
const LARGEST = 60_000;

/** The exports of src/page/ that need no browser. They are plain JavaScript, so that their types are declared here. */
interface Scripts {
  readonly TEXTS: Readonly<Record<string, readonly string[]>>;
  readonly LANGUAGES: readonly string[];
  readonly CALCULATORS: Readonly<Record<string, { readonly fields: readonly Field[] }>>;
  languageOf(preferences: readonly string[]): string;
  readAmount(text: string, language: string, isLoose: boolean): { readonly value: string; readonly isOwn: boolean };
  readDecimal(text: string): string;
  readInteger(text: string): string;
  writeNumber(value: string, language: string, isGrouped: boolean): string;
  regroup(edit: Edit): { readonly text: string; readonly caret: number };
  examplesOf(calculator: string): Record<string, string>;
  bodyOf(calculator: string, values: Readonly<Record<string, string>>): string;
  fragmentOf(state: { calculator: string; values: Record<string, string>; language?: string }): string;
  readFragment(fragment: string): { calculator: string; language: string | null; values?: Record<string, string> };
  curlOf(address: string, body: string): string;
}

interface Field {
  readonly name: string;
  readonly options?: readonly string[];
}

interface Edit {
  readonly text: string;
  readonly caret: number;
  readonly value: string;
  readonly language: string;
  readonly isForwards: boolean;
}

const modules = ['texts', 'numbers', 'calculators'].map((name) => new URL(`${FOLDER}${name}.js`, root).href);
const scripts = Object.assign({}, ...await Promise.all(modules.map((href) => import(href)))) as Scripts;

test('keeps the total size of the page below the limit', () => {
  const sizes = readdirSync(new URL(FOLDER, root)).map((name) => Buffer.byteLength(readText(FOLDER + name)));
  const total = sizes.reduce((sum, size) => sum + size, 0);
  assert.ok(total > 0 && total < LARGEST, `${total} bytes`);
});

test('has every text in every language with equal placeholders', () => {
  const placesOf = (text: string): string[] => [...text.matchAll(/\{\w+\}/g)].map(String).sort();
  for (const [key, translations] of Object.entries(scripts.TEXTS)) {
    assert.equal(translations.length, scripts.LANGUAGES.length, key);
    for (const text of translations) {
      assert.ok(text.trim() !== '' && text.normalize('NFC') === text, key);
      assert.deepEqual(placesOf(text), placesOf(translations[0] ?? ''), key);
    }
  }
  const code = readdirSync(new URL(FOLDER, root)).map((name) => readText(FOLDER + name)).join('\n');
  const fields = Object.values(scripts.CALCULATORS).flatMap((calculator) => calculator.fields);
  for (const key of fields.flatMap(({ name, options = [] }) => [name, ...options])) {
    assert.ok(key in scripts.TEXTS, key);
  }
  for (const [, key = ''] of code.matchAll(/\btext\('([\w.]+)'|data-text="(\w+)"/g)) {
    assert.ok(key === '' || key in scripts.TEXTS, key);
  }
});

test('selects the first supported language of the browser', () => {
  const cases: readonly (readonly [readonly string[], string])[] = [
    [['vi-VN', 'en'], 'vi'], [['en-US', 'vi'], 'en'], [['fr', 'vi'], 'vi'], [['fr-FR'], 'en'], [[], 'en'],
  ];
  for (const [preferences, language] of cases) assert.equal(scripts.languageOf(preferences), language);
});

test('reads amounts in the notation of the language, and leaves others unchanged', () => {
  const cases: readonly (readonly [string, string, string])[] = [
    ['30.000.000', 'vi', '30000000'],
    ['30,000,000', 'en', '30000000'],
    ['30,000,000', 'vi', '30000000'], // a separator that occurs twice separates groups
    ['30.000.000', 'en', '30000000'],
    ['1.234,56', 'en', '1234.56'],
    ['1,234.56', 'vi', '1234.56'],
    ['12.5', 'vi', '12.5'],
    ['1,5', 'en', '1.5'],
    ['0.125', 'vi', '0.125'], // a group does not begin with 0
    ['1.234', 'vi', '1234'], // ambiguous: the language decides
    ['1.234', 'en', '1.234'],
    ['30 000 000', 'en', '30000000'],
    ['30\u00a0000\u202f000', 'vi', '30000000'],
    ['−5', 'en', '-5'],
    ['0,10', 'vi', '0.10'],
    ['007', 'en', '7'],
    ['12345678901234567890', 'en', '12345678901234567890'],
    ['', 'en', ''],
    ['-', 'en', '-'],
    ['1e6', 'en', '1e6'],
    ['30 triệu', 'vi', '30 triệu'],
    ['1.2.3', 'en', '1.2.3'],
    ['30,000,00', 'en', '30,000,00'],
  ];
  for (const [text, language, value] of cases) {
    assert.equal(scripts.readAmount(text, language, false).value, value, `${text} ${language}`);
  }
  assert.equal(scripts.readAmount('1.2345', 'vi', true).value, '12345'); // a digit typed after 1.234
  for (const [text, value] of [['8.5', '8.5'], ['8,5', '8.5'], ['-2,25', '-2.25'], ['1,2,3', '1,2,3'], ['x', 'x']]) {
    assert.equal(scripts.readDecimal(text ?? ''), value);
  }
  for (const [text, value] of [['12', '12'], ['1,5', '1,5'], ['-1', '-1'], ['02', '2'], ['zwei', 'zwei']]) {
    assert.equal(scripts.readInteger(text ?? ''), value);
  }
});

test('writes numbers without rounding', () => {
  assert.equal(scripts.writeNumber('12345678901234567890.120', 'vi', true), '12.345.678.901.234.567.890,120');
  assert.equal(scripts.writeNumber('-1234.5', 'en', true), '-1,234.5');
  assert.equal(scripts.writeNumber('8.5', 'vi', false), '8,5');
  assert.equal(scripts.writeNumber('abc', 'vi', true), 'abc');
});

test('keeps the caret between the digits', () => {
  const cases: readonly (readonly [string, string, string, boolean?])[] = [
    ['1234|', '1234', '1,234|'],
    ['129|,345', '129345', '129|,345'],
    ['1|234', '1234', '1|,234'], // Backspace moves over a separator
    ['1|234', '1234', '1,|234', true], // and so does Delete
    ['|5,000', '5000', '|5,000'],
    ['05|', '5', '5|'],
    ['30.|', '30', '30.|'],
    ['.5|', '0.5', '0.5|'],
  ];
  for (const [before, value, after, isForwards = false] of cases) {
    const caret = before.indexOf('|');
    const shown = scripts.regroup({ text: before.replace('|', ''), caret, value, language: 'en', isForwards });
    assert.equal(`${shown.text.slice(0, shown.caret)}|${shown.text.slice(shown.caret)}`, after, before);
  }
});

test('sends the required fields and those that differ from the defaults', () => {
  const salary = { ...scripts.examplesOf('salary'), income: '30000000.50' };
  assert.equal(scripts.bodyOf('salary', salary), '{"income":30000000.50, "detail":true}');
  const odd = { ...salary, income: 'abc', region: '9', dependents: '1.000', period: '2026-08' };
  assert.equal(
    scripts.bodyOf('salary', odd),
    '{"income":"abc", "dependents":"1.000", "period":"2026-08", "region":9, "detail":true}',
  );
  assert.equal(scripts.bodyOf('hash', { text: '' }), '{"text":""}');
});

test('restores every value from a link', () => {
  const text = "it's\n100 % & #1 + \"Xin chào\"?=\\ %41 \u{1f600} ";
  const growth = { ...scripts.examplesOf('growth'), principal: '', annual_rate: '-5', timeline: 'monthly' };
  const values = { hash: { text }, growth };
  for (const calculator of ['hash', 'growth'] as const) {
    const fragment = scripts.fragmentOf({ calculator, values: values[calculator], language: 'vi' });
    assert.match(fragment, /^[\w?&=%+.-]+$/);
    assert.deepEqual(scripts.readFragment(`#${fragment}`), { calculator, language: 'vi', values: values[calculator] });
  }
  assert.equal(scripts.readFragment('#hash?text=a%0D%0Ab').values?.['text'], 'a\nb');
  assert.deepEqual(scripts.readFragment('#nonsense'), { calculator: 'salary', language: null });
});

test('quotes the curl command for a shell', () => {
  assert.equal(scripts.curlOf('http://127.0.0.1:8080/api/v1/hash', '{"text":"it\'s"}'), [
    'curl http://127.0.0.1:8080/api/v1/hash \\',
    "  -H 'Content-Type: application/json' \\",
    "  -d '{\"text\":\"it'\\''s\"}'",
  ].join('\n'));
});

/** Expressions on the elements of the open calculator. */
const seen = (selector: string): string => `document.querySelector('.panel:not([hidden]) ${selector}')`;
const shows = (selector: string, text: string): string =>
  `${seen(selector)}?.textContent.replaceAll('\\u00a0', ' ') === ${JSON.stringify(text)}`;
const contains = (selector: string, text: string): string =>
  `${seen(selector)}?.innerText.replaceAll('\\u00a0', ' ').includes(${JSON.stringify(text)})`;
const focused = (id: string): string => `document.activeElement.id === '${id}'`;

const SALARY = '#salary?income=30000000&dependents=1&period=2026-08';
const GROWTH = '#growth?principal=100000000&monthly_deposit=5000000&annual_rate=8.5&years=1.5';

async function answers(page: Page, base: string): Promise<void> {
  const cases: readonly (readonly [string, string, ...(readonly [string, string])[]])[] = [
    ['en', SALARY, ['.figure', '₫26,592,500'], ['.answer', '36,450,000'], ['.answer', '5,150,000'],
      ['.answer h2', 'August 2026'],
      ['.blocks', '"income":30000000, "dependents":1, "period":"2026-08", "detail":true'],
      ['.blocks', '"net_income": 26592500']],
    ['vi-VN', SALARY, ['.figure', '26.592.500 ₫'], ['.answer', '2.400.000'], ['.answer h2', 'tháng 8/2026']],
    ['vi', `${SALARY}&type=net`, ['.answer h2', 'Lương gross tương ứng'], ['.note', '30.000.000 ₫']],
    ['en', GROWTH, ['.figure', '209,176,447.85'], ['.chart', '19,176,447.85'], ['.note', '8.839091%']],
    ['vi', GROWTH, ['.figure', '209.176.447,85'], ['.chart', '190.000.000,00'], ['.answer h2', '1 năm 6 tháng']],
    ['en', `${GROWTH}&timeline=none`, ['.figure', '209,176,447.85'], ['.facts', '190,000,000.00']],
    ['en', '#growth?principal=1000&annual_rate=-20&years=2', ['.chart', '-331.94']],
    ['en', '#hash?text=Xin+ch%C3%A0o', ['.answer', 'd507cf86fa25f6787e3fc5e5d61e00a3'], ['.answer', 'WGluIGNow6Bv'],
      ['.answer h2', '8 characters, 9 bytes'], ['.answer', 'MD5 protects nothing']],
    ['vi', '#hash?text=', ['.answer', 'd41d8cd98f00b204e9800998ecf8427e'], ['.answer h2', '0 ký tự']],
  ];
  for (const [languages, fragment, ...expected] of cases) {
    await page.open(base + fragment, languages);
    for (const [selector, text] of expected) {
      await page.until(contains(selector, text));
    }
  }
}

async function refusals(page: Page, base: string): Promise<void> {
  await page.open(`${base}${SALARY}`, 'en');
  await page.until(shows('.figure', '₫26,592,500'));
  await page.evaluate("document.querySelector('#salary-income').focus()");
  await page.press('End');
  await page.type('x');
  const message = 'income: expected a number from 0 up to 1000000000000, got the string "30,000,000x"';
  await page.until(shows('#salary-income-error', message));
  const described = "document.querySelector('#salary-income').getAttribute('aria-describedby')";
  assert.equal(await page.evaluate(described), 'salary-income-error');
  assert.equal(await page.evaluate(`${seen('.answer')}.classList.contains('stale')`), true);
  assert.equal(await page.evaluate(shows('.figure', '₫26,592,500')), true);
  // Loading announces nothing.
  assert.equal(await page.evaluate("document.querySelector('#announcement').textContent"), '');
  await page.until("document.querySelector('#announcement').textContent === 'Please check: Salary a month'");
  await page.press('Backspace');
  await page.until(`document.querySelector('#salary-income-error').textContent === '' && !${seen('.stale')}`);
  await page.type('x');
  await page.until(shows('#salary-income-error', message));
  await page.evaluate("document.querySelector('#language').click()");
  await page.until(shows('#salary-income-error', message));
  assert.equal(await page.evaluate(shows('.stale .figure', '26.592.500 ₫')), true);
  await page.open(`${base}#salary?income=1&region=9&period=2014-01`, 'vi');
  await page.until(contains('form details', 'region: expected one of 1, 2, 3, 4, got the number 9'));
  await page.until(contains('form details', 'period: expected 2015-01 or later'));
  for (const problem of page.problems.splice(0)) assert.match(problem, /status of 422/);
}

async function links(page: Page, base: string): Promise<void> {
  await page.open(`${base}${SALARY}&region=3&insurance_salary=20000000`, 'en');
  await page.until(shows('.figure', '₫27,590,000'));
  await page.until(contains('summary', 'More options: Salary month, Minimum-wage region, Salary for insurance'));
  await page.evaluate(`${seen('summary')}.click()`);
  await page.until("document.getElementById('salary-period') !== null");
  for (const [name, value] of [['income', '30,000,000'], ['period', '2026-08'], ['insurance_salary', '20,000,000']]) {
    assert.equal(await page.evaluate(`document.getElementById('salary-${name}').value`), value);
  }
  assert.equal(await page.evaluate("document.querySelector('[name=salary-region]:checked').value"), '3');
  await page.evaluate("location.hash = '#hash?text=abc&lang=vi'");
  await page.until(contains('.answer', '900150983cd24fb0d6963f7d28e17f72'));
  assert.equal(await page.evaluate('document.documentElement.lang'), 'vi');
  await page.evaluate("document.querySelector('#hash-text').focus()");
  await page.press('End');
  await page.type('d é');
  await page.until("location.hash === '#hash?text=abcd+%C3%A9&lang=vi'");
  await page.evaluate("document.querySelector('#language').click()");
  await page.until("document.documentElement.lang === 'en' && location.hash.endsWith('&lang=en')");
  assert.equal(await page.evaluate("document.querySelector('#hash-text').value"), 'abcd é');
  await page.until(contains('.answer h2', '6 characters'));
}

async function failures(page: Page, base: string): Promise<void> {
  const network = { offline: false, latency: 0, downloadThroughput: -1, uploadThroughput: -1 };
  await page.open(`${base}#hash?text=abc`, 'vi');
  await page.until(contains('.answer', '900150983cd24fb0d6963f7d28e17f72'));
  await page.send('Network.emulateNetworkConditions', { ...network, offline: true });
  await page.evaluate("document.querySelector('#hash-text').focus()");
  await page.press('End');
  await page.type('d');
  await page.until(contains('.status', 'Không kết nối được với dịch vụ.'));
  await page.send('Network.emulateNetworkConditions', network);
  await page.evaluate(`${seen('.status button')}.click()`);
  await page.until(contains('.answer', 'e2fc714c4727ee9395f324cd2e7f331f'));
  assert.equal(await page.evaluate(`document.activeElement === ${seen('.answer')}`), true);
  assert.equal(await page.evaluate(`${seen('.status')}.childElementCount`), 0);
  await page.send('Network.emulateNetworkConditions', { ...network, latency: 2_000 });
  await page.evaluate("document.querySelector('#hash-text').focus()");
  await page.type('e');
  await page.until(seen('.stale .badge')); // the previous answer is marked as out of date
  await page.press('Tab');
  await page.press('Tab');
  await page.until(`${contains('.answer', 'ab56b4d92b40713acc5af89985d4b786')} && !${seen('.stale')}`);
  assert.equal(await page.evaluate('document.activeElement.ariaLabel'), 'Sao chép: SHA-256');
  await page.send('Network.emulateNetworkConditions', network);
  for (const problem of page.problems.splice(0)) assert.match(problem, /ERR_INTERNET_DISCONNECTED/);
}

/** Operates a tab, amounts, a choice, a step, a disclosure and a month with the keyboard alone. */
async function keyboard(page: Page, base: string): Promise<void> {
  await page.open(base, 'en-GB');
  await page.until(seen('.figure'));
  const tab = async (id: string): Promise<void> => {
    await page.press('Tab');
    await page.until(focused(id));
  };
  await tab('language');
  await tab('tab-salary');
  await page.press('ArrowLeft');
  await page.until(focused('tab-hash'));
  await page.press('ArrowRight');
  await tab('salary-income');
  await page.press('a', 'control');
  await page.type('26592500');
  await page.until("document.activeElement.value === '26,592,500'");
  await page.until("location.hash === '#salary?income=26592500'");
  await page.press('Tab');
  await page.press('ArrowRight');
  await page.until("document.activeElement.value === 'net'");
  for (const key of ['Tab', 'Tab', 'Tab', 'Enter']) await page.press(key);
  await page.until("document.querySelector('#salary-dependents').value === '1'");
  for (const key of ['Tab', 'Enter']) await page.press(key);
  await page.until("document.querySelector('#salary-period') !== null");
  await tab('salary-period');
  await page.type('082026');
  await page.until(shows('.figure', '₫30,000,000'));
  await page.press('Tab', 'shift');
  await page.until("document.activeElement.localName === 'summary'");
}

async function caret(page: Page, base: string): Promise<void> {
  await page.open(`${base}#salary?income=50000000`, 'en');
  await page.until(seen('.figure'));
  await page.evaluate("document.querySelector('#salary-income').focus()");
  const expect = (text: string): Promise<void> => {
    const input = 'document.activeElement';
    const before = `${input}.value.slice(0, ${input}.selectionStart)`;
    return page.until(`${before} + '|' + ${input}.value.slice(${input}.selectionStart) === '${text}'`);
  };
  await page.press('Home');
  await page.press('ArrowRight');
  await page.type('7');
  await expect('57|0,000,000');
  await page.press('ArrowRight');
  await page.press('Delete');
  await expect('570,|000,000');
  await page.press('Delete');
  await expect('57,0|00,000');
  await page.press('Backspace');
  await expect('5,7|00,000');
  const typed: readonly (readonly [string, string, string])[] = [
    ['1,5', '1,5|', '1.5'], ['1.5', '1.5|', '1.5'], ['30,000,0001', '300,000,001|', '300000001'],
    ['1.000.000', '1.000.000|', '1000000'], ['1234.', '1,234.|', '1234'], ['1,00', '1,00|', '1.00'],
  ];
  for (const [text, shown, sent] of typed) {
    await page.press('a', 'control');
    await page.type(text);
    await expect(shown);
    await page.until(`location.hash === '#salary?income=${sent}'`);
  }
}

async function chart(page: Page, base: string): Promise<void> {
  await page.open(`${base}${GROWTH}&timeline=monthly`, 'en');
  await page.until(seen('.plot'));
  for (let count = 0; count < 20; count++) {
    await page.press('Tab');
    if (await page.evaluate("document.activeElement.role === 'slider'") === true) break;
  }
  await page.press('ArrowLeft');
  await page.until("document.activeElement.ariaValueText.startsWith('Balance after 1 year 5 months: 202,')");
  await page.press('Home');
  await page.until(contains('.readout', 'Balance after 1 month'));
}

async function fits(page: Page, base: string): Promise<void> {
  const phone = { width: 320, height: 640, deviceScaleFactor: 1, mobile: true };
  await page.send('Emulation.setDeviceMetricsOverride', phone);
  for (const fragment of [SALARY, GROWTH, '#hash?text=abc']) {
    await page.open(base + fragment, 'vi');
    await page.until(seen('.answer > *'));
    assert.equal(await page.evaluate('document.documentElement.scrollWidth'), 320, fragment);
  }
  await page.send('Emulation.clearDeviceMetricsOverride');
}

test('works in a browser', { skip: missing }, async (context) => {
  const { address } = await run(context, ['--port=0']).event('ready');
  const base = `${String(address)}/`;
  const page = await openPage(context);
  const parts: readonly [title: string, part: (page: Page, base: string) => Promise<void>][] = [
    ['shows answers in both languages', answers],
    ['shows problems at their fields', refusals],
    ['reports a failed connection and a slow answer', failures],
    ['restores links and follows their changes', links],
    ['is operable by keyboard', keyboard],
    ['keeps the caret while typing', caret],
    ['reads out the chart', chart],
    ['fits a screen of 320 pixels', fits],
  ];
  for (const [name, part] of parts) {
    await context.test(name, async () => {
      await part(page, base);
      assert.deepEqual(page.problems, []);
      assert.deepEqual(page.requests.filter((url) => !/^(?:about|data):/.test(url) && !url.startsWith(base)), []);
    });
  }
});
