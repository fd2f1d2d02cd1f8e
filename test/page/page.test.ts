/** The page as people use it: in Chromium, which is driven by the Chrome DevTools Protocol. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { type TestContext, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { VERSION } from '../../src/command/service-settings.ts';
import { operations } from '../../src/operations/operations.ts';
import { REVIEWED_THROUGH } from '../../src/tax/law.ts';
import { missing, type Page, startBrowser } from '../helpers/browser.ts';
import { run } from '../helpers/command.ts';
import { scripts } from '../helpers/page-scripts.ts';
import { built, isThorough, part, root, search } from '../helpers/repository.ts';
import { elementsOf, parseXml, unzip, type XmlElement, zip } from '../helpers/zip.ts';

const SALARY = '#salary?income=30000000&dependents=1&period=2026-08';
const GROWTH = '#growth?principal=100000000&monthly_deposit=5000000&annual_rate=8.5&years=1.5';

const seen = (selector: string): string => `document.querySelector('${selector}')`;
/** Whether an element contains a text; spaces of all kinds are the same. */
const contains = (selector: string, text: string): string =>
  `${seen(selector)}?.innerText.replaceAll('\\u00a0', ' ').includes(${JSON.stringify(text)})`;
const shows = (selector: string, text: string): string =>
  `${seen(selector)}?.textContent.replaceAll('\\u00a0', ' ') === ${JSON.stringify(text)}`;
const focused = (id: string): string => `document.activeElement.id === '${id}'`;
const isOpen = (view: string): string => `${seen('nav [aria-current=page]')}?.hash === '#${view}'`;
/** The button with a text. */
const named = (text: string): string =>
  `[...document.querySelectorAll('button')].find((one) => one.textContent === '${text}')`;
const ANSWERED = seen('.answer > *');
/** Whether a form without problems has its result in sight, and one with problems has none. */
const HAS_RESULT = `!${seen('.result.refused')}`;
const HAS_NONE = `${seen('.result.refused')} && [...document.querySelectorAll('.result :is(.figure, .answer, .actions)')]
  .every((node) => getComputedStyle(node).visibility === 'hidden' || !node.checkVisibility())`;

/** Opens what explains an answer, and the law in it. It stays open for later answers. */
const unfold = (page: Page): Promise<void> =>
  page.until(`(document.querySelectorAll('.explanations details:not(.exchange, [open]) > summary')
    .forEach((one) => one.click()), ${seen('.sources')} !== null)`);

/** Opens the further options of a form, which stay open in later forms. */
const openOptions = (page: Page): Promise<void> =>
  page.until(`(${seen('.inputs > form > details:not([open]) > summary')}?.click(),
    ${seen('.inputs > form > details')}.open)`);

/** Whether the browser asks before it leaves the document. */
const ASKS = "!dispatchEvent(new Event('beforeunload', { cancelable: true }))";

interface Site {
  readonly page: Page;
  readonly base: string;
}

type Part = (site: Site) => Promise<void>;

/** Enters a text into a field, in place of its content. */
async function fill(page: Page, id: string, text: string): Promise<void> {
  await page.evaluate(`document.getElementById('${id}').focus()`);
  await page.press('a', 'control');
  if (text === '') await page.press('Delete');
  else await page.send('Input.insertText', { text });
}

/** Clicks into an input, at a distance from its left edge. */
async function click(page: Page, selector: string, distance: number): Promise<void> {
  const [x, y] = (await page.evaluate(`(({ left, top, height }) =>
    [left + ${distance}, top + height / 2])(${seen(selector)}.getBoundingClientRect())`)) as number[];
  for (const type of ['mousePressed', 'mouseReleased']) {
    await page.send('Input.dispatchMouseEvent', { x, y, button: 'left', clickCount: 1, type });
  }
}

/** Clicks a button that shows a text for two seconds; the wait begins first, because the click may be late to return. */
async function clickAndSee(page: Page, selector: string, text: string): Promise<void> {
  await Promise.all([
    page.until(shows(selector, text)),
    page.evaluate(`${seen(selector)}.click()`),
  ]);
}

/** What an answer shows at a fragment: elements, and texts in them. */
type Shown = readonly [fragment: string, ...(readonly [selector: string, text: string])[]];

const ANSWERS: Readonly<Record<string, readonly Shown[]>> = {
  en: [
    [
      SALARY,
      ['.result', '37,050,000'],
      ['.result h2', 'August 2026'],
      ['.steps', '8% of 30,000,000'],
      ['.result .hint a[href="#year"]', 'annual tax settlement'],
    ],
    [
      '#salary?income=100000000&period=2026-08',
      ['.steps', '8% of 50,600,000, the cap: 20 × 2,530,000'],
    ],
    ['#salary?income=0&period=2026-08', ['.steps', 'Taxable income\nnot below 0']],
    [
      '#salary?income=50000000&type=cost&dependents=1&period=2026-09',
      ['.figure', '₫40,485,830'],
      ['.note', 'leaves ₫35,281,337 net and costs ₫50,000,000'],
      ['.result', 'Social insurance with the accident fund'],
    ],
    [
      '#salary?income=30000000&voluntary_pension=4000000&period=2026-08',
      ['#salary-voluntary_pension-limit', 'At most ₫3,000,000 is deducted in August 2026.'],
      ['.steps', 'Voluntary pension, life insurance\t−3,000,000'],
    ],
    [
      '#salary?income=1000000&type=cost&insurance_salary=50000000&period=2026-09',
      ['#salary-income-error', 'does not cover the contributions of ₫11,750,000.'],
    ],
    [
      '#salary?income=38000000&exempt_income=41000000&period=2026-08',
      ['#salary-exempt_income-error', 'At most the gross salary, ₫38,000,000.'],
    ],
    [
      '#year?year=2026&income=660000000&insurance=64200000&withheld=28980000',
      ['.result h2', 'To be paid for 2026'],
      ['.figure', '₫10,980,000'],
    ],
    [
      '#year?year=2025&income=660000000&insurance=0&medical=9000000',
      ['#year-medical-limit', 'Not deductible in 2025.'],
    ],
    [
      '#year?year=2026&income=187000000&insurance=0&withheld=0',
      ['.figure', '₫50,000'],
      ['.result', '50,000 đồng or less: tax owed is waived'],
    ],
    [
      '#growth?principal=1&annual_rate=500&years=100&compounding=monthly',
      ['#growth-years-error', '₫9,007,199,254,740,991: enter a shorter time.'],
    ],
    [GROWTH, ['.shares', '19,176,448'], ['.note', '8.84%']],
  ],
  vi: [
    [
      `${SALARY}&type=net`,
      ['.result h2', 'Lương gross tương ứng'],
      ['.note', '30.000.000 ₫'],
      ['#title', 'Tính lương gross ↔ net'],
      ['#about', 'Quy định rà soát đến tháng 11/2026.'],
    ],
    [
      '#salary?income=30000000&who=non_resident_insured&insurance_salary=30000000&period=2026-03',
      ['.figure', '21.150.000 ₫'],
      ['.steps', 'Khấu trừ 20%'],
    ],
    [
      '#salary?income=1000000&insurance_salary=50000000&period=2026-08',
      ['#salary-insurance_salary-error', '5.250.000 ₫ vượt quá lương gross, 1.000.000 ₫.'],
    ],
    [
      '#year?year=2026&income=390000000&insurance=37800000&withheld=11755000',
      ['.result h2', 'Số thuế nộp thừa năm 2026'],
      ['.figure', '1.135.000 ₫'],
    ],
    [
      '#year?year=2026&income=660000000&insurance=0&education=30000000',
      ['.result h2', 'Số thuế của cả năm 2026'],
      ['.steps', 'Chi phí giáo dục\t−24.000.000'],
      ['#year-education-limit', 'Năm 2026 được trừ tối đa 24.000.000 ₫.'],
    ],
  ],
};

const LANGUAGE = 'document.documentElement.lang';

const answers: Part = async ({ page }) => {
  await page.follow('#salary?income=20000000');
  await page.until(ANSWERED);
  await unfold(page);
  const language = String(await page.evaluate(LANGUAGE));
  for (const [fragment, ...expected] of ANSWERS[language] ?? assert.fail(language)) {
    await page.follow(fragment);
    const checks = expected.map(([selector, text]) => contains(selector, text));
    await page.until(checks.join(' && '));
  }
};

const REVIEWED = new Date(`${REVIEWED_THROUGH}-01`).toLocaleDateString('en', {
  month: 'long',
  year: 'numeric',
  timeZone: 'UTC',
});

const titles: Part = async ({ page }) => {
  await page.follow(SALARY);
  await page.until(
    "document.title.replaceAll('\\u00a0', ' ') === "
      + "'₫26,592,500 · Net salary, August 2026 – Vietnam gross ↔ net salary'",
  );
  await page.follow('#payroll');
  await page.until("document.title === 'Payroll from an Excel or CSV file'");
  // The month of the salary, or that of its payment.
  for (const months of ['period=2099-12', 'period=2026-08&paid_in=2099-12']) {
    await page.follow(`#salary?income=30000000&${months}`);
    await page.until(
      contains(
        '.result',
        `The law has been reviewed through ${REVIEWED}; later months use the newest law.`,
      ),
    );
    await page.follow(SALARY);
    await page.until(`!(${contains('.result', 'later months')})`);
  }
};

const refusals: Part = async ({ page }) => {
  await page.follow(SALARY);
  await page.until(shows('.figure', '26.592.500 ₫'));
  await fill(page, 'salary-income', 'abc');
  await page.until(contains('#salary-income-error', 'Nhập số tiền từ 0 đến 1 nghìn tỷ đồng'));
  const described = "document.querySelector('#salary-income').getAttribute('aria-describedby')";
  const notes = ['reading', 'question', 'limit', 'error', 'hint'].map(
    (note) => `salary-income-${note}`,
  );
  assert.equal(await page.evaluate(described), notes.join(' '));
  assert.equal(await page.evaluate(HAS_NONE), true);
  assert.equal(await page.evaluate('document.title'), 'Lỗi: Tính lương gross ↔ net');
  await page.until(shows('#announcement', 'Hãy kiểm tra: Lương tháng'));
  await fill(page, 'salary-income', '');
  // An empty box shows that by itself.
  await page.until(
    `${contains('.status', 'Hãy nhập: Lương tháng')} && ${shows('#salary-income-error', '')}`,
  );
  await page.evaluate(`${seen('.status .inline')}.click()`);
  await page.until(focused('salary-income'));
  await fill(page, 'salary-income', '25tr5');
  await page.until(`${shows('#salary-income-error', '')} && ${HAS_RESULT}`);
  await page.press('Tab');
  await page.until("document.querySelector('#salary-income').value === '25.500.000'");
  assert.equal(await page.evaluate(shows('.reading', '25tr5 = 25.500.000 ₫')), true);
  // What is refused stays as it was typed, also while another field changes.
  await fill(page, 'salary-income', '-5tr');
  await page.until(contains('#salary-income-error', 'Nhập số tiền từ 0'));
  await fill(page, 'salary-dependents', '51');
  await page.until("location.hash.includes('dependents=51')");
  assert.equal(await page.evaluate(`${seen('#salary-income')}.value`), '-5tr');
  assert.equal(await page.evaluate(shows('.reading', '')), true); // only a value that counts has one
  await page.press('Enter');
  await page.until(focused('salary-income')); // the first that is wrong
  await page.follow('#salary?income=1&region=9&period=2014-01');
  await page.until(contains('form', 'Hãy chọn một mục.'));
  // Of two plans, the message names the plan.
  await page.follow('#salary?income=25 triệu/năm&vs.income=27.000.000,5');
  await page.until(shows('.status', 'Hãy kiểm tra: Lương tháng (A), Lương tháng (B)'));
  await page.until(contains('#salary-A-income-error', '“/năm” không phải là một phần của số này.'));
  await page.until(contains('#salary-B-income-error', 'Hãy nhập số nguyên'));
};

const links: Part = async ({ page }) => {
  await page.follow(`${SALARY}&region=3&insurance_salary=20000000`);
  await page.until(shows('.figure', '₫27,590,000'));
  const summary = '.inputs > form > details summary';
  const set = 'August 2026 · Insured on ₫20,000,000';
  await page.until(
    `${contains(summary, set)} && ${contains(summary, 'Insured salary, bonus, meals')}`,
  );
  await openOptions(page);
  await page.until("document.getElementById('salary-insurance_salary') !== null");
  for (const [name, value] of [
    ['income', '30,000,000'],
    ['period', '08/2026'],
    ['region', '3'],
    ['insurance_salary', '20,000,000'],
  ]) {
    assert.equal(await page.evaluate(`document.getElementById('salary-${name}').value`), value);
  }
  await page.follow('#salary?income=30000000');
  await page.until(ANSWERED);
  await page.evaluate('navigator.clipboard.writeText = async (text) => { window.copied = text; }');
  await page.evaluate(`${named('Copy result')}.id = 'copy'`);
  await clickAndSee(page, '#copy', 'Copied');
  const copied = String(await page.evaluate("window.copied.replaceAll('\\u00a0', ' ')"));
  assert.match(
    copied,
    /^₫30,000,000 · \w+ \d{4}\. Net salary, \w+ \d{4}: ₫[\d,]+ \(of ₫30,000,000 gross\)\. http:.*#salary\?income=30000000&period=\d{4}-\d\d$/,
  );
  await page.evaluate(`navigator.clipboard.writeText = () => Promise.reject(new Error());
    document.execCommand = () => false`);
  await clickAndSee(page, '#copy', 'Not copied: the browser refused');
};

/** A tap on an example or a 0 selects it, so that typing replaces it; other texts keep the caret. */
const taps: Part = async ({ page }) => {
  await page.follow('#salary');
  await page.until(ANSWERED);
  const tap = async (name: string): Promise<unknown> => {
    await click(page, `#salary-${name}`, 30);
    return page.evaluate('String(getSelection())');
  };
  assert.equal(await tap('income'), '30000000');
  await page.type('70tr');
  await page.until("location.hash.includes('income=70000000')");
  assert.equal(await tap('dependents'), '0');
  assert.equal(await tap('income'), '');
};

/** The groups of an amount are those of the page, so that digits are added and deleted without them. */
const groups: Part = async ({ page }) => {
  const box = seen('#salary-income');
  const state = `(({ value, selectionStart, selectionEnd }) => [value, selectionStart, selectionEnd])(${box})`;
  const leave = `${box}.blur()`;
  const language = await page.evaluate(LANGUAGE);
  const grouped = (text: string): string => (language === 'vi' ? text.replaceAll(',', '.') : text);
  await page.follow('#salary?income=378000&period=2026-08');
  await page.until(ANSWERED);
  await click(page, '#salary-income', 200);
  await page.type('00');
  await page.until("location.hash.includes('income=37800000&')");
  const undo = { type: 'keyDown', key: 'z', modifiers: 2, commands: ['undo'] };
  for (let count = 0; count < 2; count += 1) await page.send('Input.dispatchKeyEvent', undo);
  assert.deepEqual(await page.evaluate(state), ['378000', 6, 6]);
  await page.type('22');
  await page.evaluate(leave);
  assert.equal(await page.evaluate(`${box}.value`), grouped('37,800,022'));
  await click(page, '#salary-income', 200);
  for (const key of ['ArrowLeft', 'ArrowLeft', 'Backspace']) await page.press(key);
  await page.until("location.hash.includes('income=3780022&')");
  assert.deepEqual(await page.evaluate(state), ['3780022', 5, 5]);
  await page.evaluate(leave);
  // The Tab key selects the amount, which typing then replaces.
  await page.evaluate(`${seen('nav a:last-child')}.focus()`);
  while ((await page.evaluate(focused('salary-income'))) === false) await page.press('Tab');
  assert.deepEqual(await page.evaluate(state), ['3780022', 0, 7]);
  // Separators that a person has typed stay, and so does a refused text.
  for (const text of [grouped('25,000,000 '), grouped('1,2345,678')]) {
    await fill(page, 'salary-income', text);
    await page.evaluate("document.activeElement.dispatchEvent(new Event('focus'))");
    assert.equal(await page.evaluate(`${box}.value`), text);
  }
  await page.evaluate(leave);
  await click(page, '#salary-income', 200);
  assert.equal(await page.evaluate(`${box}.value`), grouped('1,2345,678'));
};

/** The text that somebody pastes. All tabs have one clipboard. */
const copies: Part = async ({ page, base }) => {
  const cases: readonly (readonly [fragment: string, copied: string])[] = [
    [
      '#salary?income=25000000&dependents=1&period=2026-12&vs.income=27000000',
      'A: 25.000.000 ₫ · Số người phụ thuộc: 1 · Tháng 12/2026. '
        + 'B: 27.000.000 ₫ · Số người phụ thuộc: 1 · Tháng 12/2026. '
        + 'Lương net: A 22.341.250 ₫ · B 24.041.750 ₫. B: cao hơn 1.700.500 ₫. ',
    ],
    [
      '#growth?principal=100000000&monthly_deposit=5000000&annual_rate=8.5&years=1.5&compounding=quarterly',
      'Số tiền gửi ban đầu: 100.000.000 ₫ · 5.000.000 ₫ mỗi tháng · lãi suất 8,5%/năm · 1 năm 6 tháng · lãi nhập gốc mỗi 3 tháng. '
        + 'Số dư sau 1 năm 6 tháng: 209.038.082 ₫ (lãi nhập gốc mỗi 3 tháng, lãi suất hiệu dụng 8,77%/năm). ',
    ],
    [
      '#year?year=2026&income=660000000&insurance=64200000&dependent_months=12&withheld=28980000',
      'Năm 2026 · Thu nhập chịu thuế cả năm: 660.000.000 ₫ · BHXH, BHYT, BHTN đã đóng: 64.200.000 ₫ · '
        + 'Số tháng giảm trừ người phụ thuộc: 12 · Thuế đã khấu trừ, đã nộp: 28.980.000 ₫ · '
        + 'Giảm trừ bản thân: 12 tháng. Số thuế ',
    ],
  ];
  for (const [fragment, copied] of cases) {
    await page.follow(fragment);
    await page.until(ANSWERED);
    await page.evaluate(`${seen('.actions button')}.id = 'copy'`);
    await clickAndSee(page, '#copy', 'Đã sao chép');
    const pasted = String(await page.evaluate('navigator.clipboard.readText()'));
    assert.equal(pasted.replaceAll('\u00a0', ' ').slice(0, copied.length), copied);
    assert.ok(pasted.endsWith(` ${base}${fragment}`), pasted);
  }
};

const history: Part = async ({ page, base }) => {
  await page.open(`${base}#salary?income=20000000&period=2026-08`, 'en');
  await page.until(ANSWERED);
  await page.evaluate('document.querySelector(\'nav [href="#growth"]\').click()');
  await page.until(`${isOpen('growth')} && ${seen('#growth-principal')}`);
  await page.evaluate('document.querySelector(\'nav [href="#year"]\').click()');
  await page.until(isOpen('year'));
  await page.evaluate('history.back()');
  await page.until(isOpen('growth'));
  await page.evaluate('history.back()');
  await page.until(
    `${isOpen('salary')} && document.getElementById('salary-income')?.value === '20,000,000'`,
  );
  await page.evaluate('history.forward()');
  await page.until(isOpen('growth'));
  // The second plan is an entry of the history, too.
  await page.follow(SALARY);
  await page.until(ANSWERED);
  await page.evaluate(`${named('+ Compare with another salary')}.click()`);
  await fill(page, 'salary-B-income', '35m');
  await page.until("location.hash.endsWith('&vs.income=35000000')");
  await page.evaluate('history.back()');
  await page.until(`location.hash === '${SALARY}' && ${shows('.figure', '₫26,592,500')}`);
  await page.open(base, 'en'); // the next visit
  await page.until("document.getElementById('salary-income')?.value === '30,000,000'");
  assert.equal(await page.evaluate('localStorage.length + sessionStorage.length'), 0);
};

/** Of many changes of the view in a moment, the last counts; nothing is asked of the service. */
const haste: Part = async ({ page }) => {
  await page.follow('#year');
  await page.until(seen('#year-income'));
  const before = page.requests.length;
  await page.evaluate(
    "for (let count = 1; count <= 60; count++) location.hash = count % 2 ? '#year' : '#growth'",
  );
  await page.until(`${isOpen('growth')} && ${seen('#growth-principal')}`);
  assert.deepEqual(page.requests.slice(before), []);
};

const languages: Part = async ({ page, base }) => {
  await page.open(`${base}${SALARY}`, 'en');
  await page.until(ANSWERED);
  const address = await page.evaluate(`(() => {
    const link = document.getElementById('language');
    link.addEventListener('click', (event) => event.preventDefault());
    link.click();
    return link.href;
  })()`);
  assert.match(String(address), /\?lang=vi#salary\?income=30000000&dependents=1&period=2026-08$/);
  await page.load(String(address)); // as the link does
  await page.until(`${shows('.figure', '26.592.500 ₫')} && ${focused('language')}`);
  await page.open(String(address), 'en'); // by itself, an address moves no focus
  await page.until(shows('.figure', '26.592.500 ₫'));
  assert.equal(await page.evaluate('document.activeElement === document.body'), true);
  await unfold(page);
  await page.until(contains('.sources', 'Nghị định 161/2026/NĐ-CP'));
  assert.equal(await page.evaluate(contains('.sources', 'Decree')), false);
};

/** Without a connection, also a calculator that was not opened before works; with one, the policy refuses every request. */
const offline: Part = async ({ page, base }) => {
  const network = { offline: true, latency: 0, downloadThroughput: -1, uploadThroughput: -1 };
  await page.open(`${base}#year`, 'vi');
  await page.until(contains('footer', 'Trang này không gửi gì đi'));
  const refusal = await page.evaluate(`Promise.all([
    new Promise((resolve) => addEventListener('securitypolicyviolation', () => resolve('reported'))),
    fetch('healthz').catch(() => 'refused'),
  ])`);
  assert.deepEqual(refusal, ['reported', 'refused']);
  for (const problem of page.problems.splice(0))
    assert.match(problem, /connect-src|Content Security Policy/);
  await page.send('Network.emulateNetworkConditions', network);
  for (const [fragment, figure] of [
    [SALARY, '26.592.500 ₫'],
    [GROWTH, '209.176.448 ₫'],
  ]) {
    await page.follow(String(fragment));
    await page.until(shows('.figure', String(figure)));
  }
};

/** All by keys: views, amounts, choices, another plan, a disclosure. */
const keyboard: Part = async ({ page, base }) => {
  await page.open(base, 'en-GB');
  await page.until(ANSWERED);
  const tab = async (id: string): Promise<void> => {
    await page.press('Tab');
    await page.until(focused(id));
  };
  await page.press('Tab'); // to the calculator
  await tab('language');
  for (const view of ['salary', 'payroll', 'year', 'growth']) {
    await page.press('Tab');
    await page.until(`document.activeElement.hash === '#${view}'`);
  }
  await tab('salary-income');
  await page.press('a', 'control');
  await page.type('26592500');
  await page.until('/^#salary.income=26592500&period=\\d{4}-\\d\\d$/.test(location.hash)');
  await page.press('Tab');
  await page.until("document.getElementById('salary-income').value === '26,592,500'");
  await page.press('ArrowRight');
  await page.until("document.activeElement.value === 'net'");
  await tab('salary-who');
  await tab('salary-dependents');
  await page.press('a', 'control');
  await page.type('1');
  await tab('');
  await page.press('Enter');
  await page.until(seen('#salary-period'));
  await tab('salary-period');
  await page.type('8/2026');
  await page.until(shows('.figure', '₫30,000,000'));
  const isAdding = "document.activeElement.textContent.startsWith('+')";
  for (let count = 0; count < 8 && (await page.evaluate(isAdding)) !== true; count += 1) {
    await page.press('Tab');
  }
  // The second plan begins with the amount of the first, which typing replaces; Shift and Tab lead to the first.
  await page.press('Enter');
  await page.until(focused('salary-B-income'));
  await page.type('27m');
  await page.until(contains('.verdict', 'more; employer cost: ₫'));
  await page.press('Tab', 'shift');
  await page.until("document.activeElement.textContent === 'Remove B'");
  await page.press('Enter');
  await page.until("document.activeElement.textContent === '+ Compare with another salary'");
};

/** The focus and screen readers follow to another view, and to a message that it is not there. */
const entries: Part = async ({ page }) => {
  await page.follow(SALARY);
  await page.until(ANSWERED);
  await fill(page, 'salary-income', 'abc');
  const message = "document.querySelector('#announcement').textContent";
  await page.until(`${message} === 'Please check: Salary per month'`);
  await page.evaluate('document.querySelector(\'nav [href="#growth"]\').click()');
  await page.until(`/^Please enter: Initial deposit/.test(${message})`); // a message is that of one view
  await page.evaluate('scrollTo(0, 500)');
  await page.evaluate('document.querySelector(\'nav [href="#year"]\').click()');
  await page.until(`${focused('main')} && ${seen('#year-income')}`);
  assert.deepEqual(
    await page.evaluate(`[scrollY, ${seen('#main')}.ariaLabelledByElements?.[0].textContent
      ?? document.getElementById(${seen('#main')}.getAttribute('aria-labelledby')).textContent]`),
    [0, 'Vietnam annual tax settlement'],
  );
  await page.press('Tab');
  await page.until(`${seen('#main')}.contains(document.activeElement)`);
};

const terms: Part = async ({ page }) => {
  await page.follow('#growth?principal=1000&annual_rate=12&years=7&compounding=monthly');
  await page.until(contains('.answer summary', 'Bảng theo thời gian (đồng), 7 dòng'));
  await fill(page, 'growth-years', '18 tháng');
  await page.until(contains('.result h2', '1 năm 6 tháng'));
  await page.evaluate('document.activeElement.blur()');
  const shown = `${seen('#growth-years')}.value.replaceAll('\\u00a0', ' ')`;
  assert.equal(await page.evaluate(shown), '1 năm 6 tháng');
};

const chart: Part = async ({ page }) => {
  const marks = (selector: string): string =>
    `[...document.querySelectorAll('${selector}')].map((mark) => mark.classList[1] ?? mark.classList[0]).join()`;
  await page.follow('#growth?principal=1000000&annual_rate=8.5&years=3');
  await page.until(`${marks('.bar:last-child b')} === 'deposits,gains'`);
  assert.equal(await page.evaluate(marks('.shares .swatch')), 'deposits,gains');
  await page.follow('#growth?principal=1000&annual_rate=-20&years=3&compounding=monthly');
  await page.until(`${contains('.shares', 'Interest\t−')} && !${seen('.axes')}`);
  // A chart of two bars, like that of a loss, says nothing.
  await page.follow('#growth?principal=1000&annual_rate=12&years=2&compounding=at_maturity');
  await page.until(`${contains('.shares', '1,240')} && !${seen('.axes')}`);
};

/** In the page: the choices of the lists of two plans whose names their boxes do not show in full. */
const CUT_CHOICES = `[...document.querySelectorAll('form select')]
  .filter((list) => list.checkVisibility())
  .flatMap((list) => [...list.options].map(({ value, text }) => {
    list.value = value;
    list.dispatchEvent(new Event('change', { bubbles: true }));
    const [shown, box] = [list.previousSibling, list.parentNode];
    const isCut = shown.scrollWidth > shown.clientWidth || box.scrollHeight > box.clientHeight;
    const isName = shown.textContent === text.split(/[,:] /)[0];
    return !isName || isCut ? text : '';
  }))
  .filter(Boolean)`;

/** The list of who is paid: its row explains itself, the figure stays in sight, and the raw fields follow *other*. */
const persons: Part = async ({ page }) => {
  await page.resize(390, 844);
  await page.follow('#salary?income=20000000&period=2026-08');
  await page.until(shows('.figure', '17.780.000 ₫'));
  await page.until(contains('#salary-income-hint', 'lương tháng 13'));
  const choose = (who: string): Promise<unknown> =>
    page.evaluate(`${seen('#salary-who')}.value = '${who}';
      ${seen('#salary-who')}.dispatchEvent(new Event('change'))`);
  // Whether these people are insured depends on their contract.
  await choose('short_contract');
  await page.until(contains('#salary-insurance_salary-error', 'Hãy nhập mục này.'));
  await fill(page, 'salary-insurance_salary', '20tr');
  const cases: readonly (readonly [who: string, figure: string, hint: string])[] = [
    ['probation', '18.000.000 ₫', 'Khấu trừ 10% mỗi lần trả'],
    ['short_contract', '15.900.000 ₫', 'hãy nhập lương đóng bảo hiểm'],
    ['civil_servant', '17.970.000 ₫', 'Không đóng BHTN'],
    ['non_resident', '16.000.000 ₫', 'HĐLĐ dưới 12 tháng'],
    ['employee', '17.780.000 ₫', 'thử việc'],
  ];
  for (const [who, figure, hint] of cases) {
    await choose(who);
    await page.until(`${shows('.figure', figure)} && ${contains('#salary-who-hint', hint)}`);
    const link =
      who === 'employee'
        ? "!location.hash.includes('who')"
        : `location.hash.includes('who=${who}')`;
    await page.until(link);
    const top = Number(await page.evaluate(`${seen('.figure')}.getBoundingClientRect().top`));
    assert.ok(top >= 0 && top < 300, `${who}: ${top}`);
  }
  const off = seen('[name=salary-bhtn][value=false]');
  assert.equal(await page.evaluate(`${off}.checkVisibility()`), false);
  await choose('other');
  await page.until(`${off}.checkVisibility()`);
  await page.evaluate(`${off}.click()`);
  await page.until(`${shows('.figure', '17.970.000 ₫')} && location.hash.includes('bhtn=false')`);
};

/** Tax-free pay, and links as a person writes them. */
const payslips: Part = async ({ page }) => {
  await page.follow('#salary?income=20tr&period=T8/26');
  await page.until("location.hash === '#salary?income=20000000&period=2026-08'");
  await unfold(page);
  await openOptions(page);
  await page.until(contains('#salary-exempt_income-hint', 'Ăn ca, làm thêm, trang phục…'));
  await fill(page, 'salary-exempt_income', '1,2 trieu');
  await page.until(`${shows('.figure', '17.959.700 ₫')} && ${contains('.steps', '−1.200.000')}`);
  await page.until(contains('.result', 'Chưa tính: đoàn phí'));
  await page.follow('#salary?income=3000000&period=2026-08&who=probation');
  await page.until(contains('.steps', 'dưới 5.000.000 ₫, mức bắt đầu khấu trừ'));
  assert.equal(await page.evaluate(contains('.steps', 'BHXH')), false); // no rows of 0
  await page.follow(GROWTH);
  await page.until(contains('.result', 'Chưa tính: kỳ hạn theo ngày'));
};

const ROUNDS = search(12);

/** A view that is left stays as it is, and is not made again. */
const rounds: Part = async ({ page, base }) => {
  await page.open(base, 'en');
  await page.until(ANSWERED);
  const round = async (count: number): Promise<number> => {
    for (let number = 0; number < count; number += 1) {
      for (const view of ['year', 'growth', 'payroll', 'salary']) {
        await page.follow(`#${view}`);
        await page.until(`${isOpen(view)} && ${seen('main form, main .stages')}`);
      }
    }
    await page.until(ANSWERED);
    await page.send('HeapProfiler.collectGarbage');
    const { nodes } = await page.send('Memory.getDOMCounters');
    return Number(nodes);
  };
  const first = await round(1);
  const last = await round(ROUNDS.cases);
  assert.ok(last < 1.5 * first, `${first} nodes, then ${last}`);
};

const LOADED = [
  '#salary',
  '#year?year=2026&income=390000000&insurance=37800000',
  '#growth?principal=100000000&monthly_deposit=5000000&annual_rate=6&years=10',
  '#payroll',
];

/** The layout stays where it is while the page loads and calculates. */
const stable: Part = async ({ page, base }) => {
  const source = `window.shifts = 0;
    new PerformanceObserver((list) => {
      for (const { value } of list.getEntries()) window.shifts += value;
    }).observe({ type: 'layout-shift', buffered: true });`;
  await page.send('Page.addScriptToEvaluateOnNewDocument', { source });
  const network = {
    offline: false,
    latency: 100,
    downloadThroughput: 200_000,
    uploadThroughput: 200_000,
  };
  await page.send('Network.emulateNetworkConditions', network);
  for (const [width, height] of part([
    [360, 740],
    [412, 915],
  ] as const)) {
    await page.resize(width, height);
    for (const fragment of part(LOADED)) {
      await page.open(base + fragment, 'vi');
      await page.until(`${ANSWERED} || ${seen('#rows')}`);
      await page.evaluate(
        'new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)))',
      );
      assert.ok(Number(await page.evaluate('window.shifts')) <= 0.01, `${fragment} ${width}`);
    }
  }
};

/** In the window: the bottom of the verdict. */
const VERDICT_END = `${seen('.verdict')}.getBoundingClientRect().bottom`;

const FIGURES =
  "[...document.querySelectorAll('.figure')].map((one) => one.textContent).join(' · ')";

/** What another amount, month or person changes: a second plan, which shares nothing out of sight. */
const whatIf: Part = async ({ page }) => {
  const figures = (shown: string): string => `${FIGURES}.replaceAll('\\u00a0', ' ') === '${shown}'`;
  await page.follow('#salary?income=25000000&dependents=1&period=2026-12');
  await page.until(ANSWERED);
  await page.evaluate(`${named('+ So với lương khác')}.click()`);
  await page.until(`${focused('salary-B-income')} && ${shows('.verdict', 'B: không chênh lệch')}`);
  await fill(page, 'salary-B-income', '27tr');
  await page.until(shows('.verdict', 'B: cao hơn 1.700.500 ₫'));
  await page.until(figures('A 22.341.250 ₫ · B 24.041.750 ₫'));
  await page.until("location.hash.endsWith('&vs.income=27000000')");
  await page.until(contains('.shares thead', 'A\tB\tChênh lệch'));
  const last = "document.querySelector('.shares tbody tr:last-child').textContent";
  assert.equal(await page.evaluate(last), 'Lương net22.341.25024.041.750+1.700.500');
  await fill(page, 'salary-A-income', '28000000');
  await page.until(shows('.verdict', 'B: thấp hơn 850.250 ₫'));
  await fill(page, 'salary-B-income', '28tr');
  await fill(page, 'salary-B-period', '12/2025');
  await page.until(figures('A 24.892.000 ₫ · B 24.344.000 ₫'));
  await page.evaluate(`${seen('#salary-B-who')}.value = 'freelance';
    ${seen('#salary-B-who')}.dispatchEvent(new Event('change'))`);
  await page.until(figures('A 24.892.000 ₫ · B 25.200.000 ₫'));
  await page.until(contains('#salary-B-who-hint', 'Khấu trừ 10%'));
  await page.evaluate(`${named('Bỏ B')}.click()`);
  await page.until(`!location.hash.includes('vs.') && ${figures('24.892.000 ₫')}`);
};

/** Two offers, of which one has a part that is not taxed: each has what it is given. */
const offers: Part = async ({ page }) => {
  await page.follow('#salary?income=32000000&exempt_income=2000000&period=2026-11');
  await page.until(shows('.figure', '28.215.000 ₫'));
  await page.evaluate(`${named('+ So với lương khác')}.click()`);
  await fill(page, 'salary-B-income', '30tr');
  await page.until(shows('.verdict', 'B: thấp hơn 1.633.000 ₫')); // B is tax-free in part, too
  assert.equal(await page.evaluate(`${seen('#salary-B-exempt_income')}.checkVisibility()`), true);
  await fill(page, 'salary-B-exempt_income', ' '); // as if empty
  await page.until(shows('.verdict', 'B: thấp hơn 2.000.000 ₫'));
  await page.until("location.hash.endsWith('&vs.income=30000000&vs.exempt_income=')");
  const explained = `[...document.querySelectorAll('.answer > details:not(.exchange) > summary')]
    .map(({ textContent }) => textContent)`;
  assert.deepEqual(await page.evaluate(explained), ['A: Diễn giải', 'B: Diễn giải']);
  // The fields of both stand beside each other, and the fold of one opens that of the other.
  assert.equal(await page.evaluate(`${seen('form + form > details')}.checkVisibility()`), false);
  await openOptions(page);
  await page.until(`${seen('form + form > details')}.open`);
  const pairs = (selector: string): string =>
    `[...document.querySelectorAll('form:first-child ' + '${selector}')]
      .map((own, at) => [own, document.querySelectorAll('form + form ' + '${selector}')[at]])
      .map((pair) => pair.map((one) => one.getBoundingClientRect()))
      .filter(([own]) => own.height > 0)`;
  for (const width of [1280, 390, 320]) {
    await page.resize(width, 900);
    const apart = `${pairs('.entry > :first-child')}.filter(([own, other]) => own.top !== other.top).length`;
    assert.equal(await page.evaluate(apart), 0, String(width));
  }
};

/** At every width, the name of each choice can be read in full; what explains those of both plans stands there once. */
const choices: Part = async ({ page }) => {
  await page.resize(320, 640);
  for (const fragment of [
    '#salary?income=30000000&period=2026-08&vs.income=32000000',
    `${GROWTH}&solve_for=monthly_deposit&target=1000000000&vs.annual_rate=9`,
  ]) {
    await page.follow(fragment);
    await page.until(ANSWERED);
    assert.deepEqual(await page.evaluate(CUT_CHOICES), [], fragment);
  }
  const hints =
    "['A', 'B'].map((plan) => document.getElementById(`salary-${plan}-who-hint`).textContent !== '')";
  for (const [other, shown] of [
    ['income=40000000', [true, false]],
    ['who=pension_entitled', [true, true]],
  ] as const) {
    await page.follow(`#salary?income=30000000&who=civil_servant&vs.${other}`);
    await page.until(ANSWERED);
    assert.deepEqual(await page.evaluate(hints), shown, other);
  }
};

const REASONS = '.asked .blocks .blocks';

/** Why a payslip has another figure, and the answer with that reason. */
const payslip: Part = async ({ page }) => {
  await page.follow('#salary?income=60000000&period=2026-08');
  await page.until(ANSWERED);
  await page.evaluate(`${seen('.asked > details > summary')}.click()`);
  await page.until(seen('#salary-payslip-net_income'));
  const boxes = `[...document.querySelectorAll('.asked .box')].map((box) => box.getBoundingClientRect().top)`;
  for (const text of ['47.215.500', '47 triệu']) {
    await fill(page, 'salary-payslip-net_income', text);
    const [first, ...others] = (await page.evaluate(boxes)) as number[];
    assert.deepEqual(others, [first, first], text); // the reading moves no other box
  }
  await fill(page, 'salary-payslip-net_income', '47.215.500');
  await page.until(
    contains(REASONS, 'Quy định từ 7/2024 đến 12/2025: giảm trừ bản thân 11.000.000'),
  );
  await page.until(contains('.differences', 'Phiếu lương thấp hơn kết quả 3.058.900 ₫'));
  await page.until("location.hash.endsWith('&net_income=47215500')");
  // The reason stays in sight, and the focus where it was.
  await page.evaluate(`${seen(`${REASONS} button`)}.focus(); document.activeElement.click()`);
  await page.until("location.hash.endsWith('&net_income=47215500&vs.period=2025-12')");
  await page.until(contains('.figures', '47.215.500 ₫'));
  await page.until(contains(`${REASONS}:focus`, 'Đang so sánh ở B.'));
  assert.equal(await page.evaluate(contains(REASONS, 'giảm trừ bản thân 11.000.000')), true);
  await page.follow('#salary?income=60000000&period=2026-08&net_income=47215501');
  await page.until(contains(REASONS, 'Chưa tìm ra lý do thường gặp nào'));
  assert.equal(await page.evaluate(contains(REASONS, 'giảm trừ bản thân')), false);
  await fill(page, 'salary-payslip-net_income', '60000000001');
  const bounds = 'Nhập số tiền từ 60.000 ₫ đến 60.000.000.000 ₫.';
  await page.until(contains('#salary-payslip-net_income-error', bounds));
  await fill(page, 'salary-payslip-net_income', '0');
  const least = 'Nhập số tiền lớn hơn 0, tối đa';
  await page.until(contains('#salary-payslip-net_income-error', least));
  await page.until(`!(${contains('.differences', 'Phiếu lương')})`);
};

/** In the page: keeps the texts of all reasons that it shows, in window.shown. */
const KEEP_REASONS = `window.shown = '';
  new MutationObserver(() => {
    window.shown += document.querySelector('${REASONS}')?.innerText ?? '';
  }).observe(document.body, { childList: true, subtree: true })`;

/** In the page: enters texts into fields, all in one task, so that the pause before a search has no time to end. */
const entering = (entries: readonly (readonly [id: string, text: string])[]): string =>
  `for (const [id, text] of ${JSON.stringify(entries)}) {
    const field = document.getElementById('salary-' + id);
    field.value = text;
    field.dispatchEvent(new Event('input', { bubbles: true }));
  }`;

/** A search for reasons that a new key, a changed salary or a refused form has ended shows none. */
const payslipEnds: Part = async ({ page }) => {
  await page.follow('#salary?income=30000000&period=2026-08&net_income=26065000');
  await page.until(contains(REASONS, 'Union dues of 0.5%'));
  await page.evaluate(KEEP_REASONS);
  const ends: readonly (readonly [id: string, text: string])[] = [
    ['payslip-net_income', '265925001'],
    ['income', '31000000'],
    ['income', ''],
  ];
  for (const end of ends) {
    await page.evaluate(entering([['payslip-net_income', '26592500'], end]));
    await page.until(`!(${contains(REASONS, 'This figure agrees with the answer.')})`);
    // The reasons of a later search are shown after those of an earlier one.
    const agreeing = entering([
      ['income', '30000000'],
      ['payslip-net_income', '26215000'],
    ]);
    await page.evaluate(agreeing);
    await page.until(contains(REASONS, 'This figure agrees with the answer.'));
  }
  assert.equal(await page.evaluate("window.shown.includes('Dependents: 1 instead of 0')"), false);
  assert.equal(await page.evaluate("window.shown.includes('agrees')"), true);
};

/** In the page: presses each button that has another text, and returns those after which nothing has the focus. */
const PRESS_ALL = `(async () => {
  window.print = () => undefined;
  HTMLAnchorElement.prototype.click = () => undefined;
  const [pressed, lost] = [new Set(), []];
  const next = () => [...document.querySelectorAll('main button')]
    .find((one) => one.checkVisibility() && !pressed.has(one.textContent));
  for (let button = next(); button !== undefined; button = next()) {
    const name = button.textContent;
    pressed.add(name);
    button.focus();
    button.click();
    for (let turn = 0; turn < 10; turn += 1) await new Promise((resolve) => setTimeout(resolve));
    if (document.activeElement === document.body) lost.push(name);
  }
  return lost;
})()`;

const pressed: Part = async ({ page }) => {
  for (const fragment of [
    '#salary?income=60000000&period=2026-08&net_income=47215500&vs.income=70',
    '#salary?income=32.5',
    '#year?year=2026&income=390',
    ...VIEWS,
  ]) {
    await page.follow(fragment);
    await page.until(`${ANSWERED} || ${seen('.status button, .stages')}`);
    await page.evaluate(
      "document.querySelectorAll('summary:not([open] > *)').forEach((one) => one.click())",
    );
    if (fragment === '#payroll') await page.evaluate(`${named('Try an example')}.click()`);
    await page.until(
      `[...document.querySelectorAll('details')].every((node) => !node.open || node.childElementCount > 1
        || node.matches('form > *'))`,
    );
    assert.deepEqual(await page.evaluate(PRESS_ALL), [], fragment);
  }
};

/** Links keep their comparison, and show its difference in the first window. */
const comparedLinks: Part = async ({ page }) => {
  const cases: readonly (readonly [query: string, verdict: string, figures: string])[] = [
    [
      'income=30000000&dependents=1&period=2026-08&vs.period=2025-12',
      'B: ₫710,000 less',
      'A ₫26,592,500 · B ₫25,882,500',
    ],
    [
      'income=45000000&type=net&period=2026-11&vs.income=50000000',
      'more; employer cost: ₫',
      'A ₫53,3',
    ],
    [
      'income=50000000&type=cost&period=2026-11&vs.income=45000000',
      'B: ₫4,048,582 less',
      'A ₫40,485,830',
    ],
    // What is compared of different types is the net salary.
    [
      'income=45000000&type=net&period=2026-11&vs.income=50000000&vs.type=gross',
      'B: ₫2,675,000 less',
      'A ₫45,000,000 · B ₫42,325,000',
    ],
  ];
  for (const [query, verdict, figures] of cases) {
    await page.follow(`#salary?${query}`);
    await page.until(
      `${contains('.verdict', verdict)} && ${FIGURES}.replaceAll('\\u00a0', ' ').startsWith('${figures}')`,
    );
    for (const [width, height] of [
      [1280, 900],
      [390, 844],
    ] as const) {
      await page.resize(width, height);
      const end = Number(await page.evaluate(VERDICT_END));
      assert.ok(end > 0 && end < height, `${query} ${width}: ${end}`);
    }
  }
};

/** The other bank: two offers for the same savings are compared by their interest, and others by their rates. */
const otherBank: Part = async ({ page }) => {
  await page.follow(
    '#growth?principal=500000000&monthly_deposit=0&annual_rate=6&years=3&compounding=monthly',
  );
  await page.until(ANSWERED);
  await page.evaluate(`${named('+ So với ngân hàng khác')}.click()`);
  // No verdict assumes how the other bank pays its interest.
  await page.until(shows('.status', 'Hãy nhập: Lãi nhập vào gốc (B)'));
  await fill(page, 'growth-B-annual_rate', '6,2');
  await page.evaluate(`${seen('#growth-B-compounding')}.value = 'at_maturity';
    ${seen('#growth-B-compounding')}.dispatchEvent(new Event('change'))`);
  await page.until(contains('.figures', '93.000.000 ₫'));
  await page.until(shows('.verdict', 'B: tiền lãi thấp hơn 5.340.262 ₫'));
  const rows = "document.querySelector('.columns tbody')?.innerText.replace(/\\s+/g, ' ')";
  await page.until(`${rows}?.includes('(%/năm) 6,17 5,85 −0,32')`);
  await page.until("location.hash.endsWith('vs.annual_rate=6.2&vs.compounding=at_maturity')");
  // Unequal terms or deposits: the rates are the verdict, and no amounts are subtracted.
  for (const [query, rates, apart] of [
    [
      'principal=300000000&annual_rate=9&years=0.5&compounding=at_maturity&vs.annual_rate=5.6&vs.years=1',
      '9,2% · B 5,6%',
      'tổng thời gian gửi',
    ],
    [
      'principal=300000000&annual_rate=6&years=5&compounding=at_maturity&vs.principal=600000000',
      '5,39% · B 5,39%',
      'số tiền gửi ban đầu',
    ],
  ] as const) {
    await page.follow(`#growth?${query}`);
    await page.until(shows('.verdict', `Chỉ so được lãi suất: ${apart} khác nhau`));
    assert.equal(String(await page.evaluate(FIGURES)).replaceAll('\u00a0', ' '), `A ${rates}`);
    assert.equal(await page.evaluate(contains('.shares', 'Chênh lệch')), false);
  }
  await page.follow(
    '#growth?solve_for=years&target=1000000000&principal=0&monthly_deposit=5000000&annual_rate=6&vs.annual_rate=7',
  );
  await page.until(
    `${shows('.result h2', 'Tổng thời gian gửi')} && ${contains('.figures', 'B 1')}`,
  );
  assert.equal(await page.evaluate(shows('.verdict', '')), true);
  const goal = '#growth?solve_for=monthly_deposit&target=1000000000&principal=0&years=8';
  await page.follow(`${goal}&annual_rate=6&vs.annual_rate=7`);
  await page.until(`${rows}?.includes('8.141.431 7.800.384 −341.047')`);
  await page.until(shows('.verdict', 'B: mỗi tháng thấp hơn 341.047 ₫'));
};

/** A deposit has no balance until its term, its rate and the payment of its interest are the person's own. */
const payments: Part = async ({ page }) => {
  await page.follow('#growth');
  await page.until(contains('.status', 'Hãy nhập: Số tiền gửi ban đầu, Lãi suất mỗi năm'));
  await fill(page, 'growth-principal', '300tr');
  await fill(page, 'growth-annual_rate', '5,2');
  await fill(page, 'growth-years', '6 thang');
  await page.until(shows('.status', 'Hãy nhập: Lãi nhập vào gốc'));
  assert.equal(await page.evaluate(HAS_NONE), true);
  for (const [payment, balance, words] of [
    ['at_maturity', '307.800.000 ₫', 'lãi nhập gốc một lần, khi tất toán hoặc lĩnh lãi tháng, quý'],
    ['monthly', '307.884.990 ₫', 'lãi nhập gốc mỗi tháng, lãi suất hiệu dụng'],
  ] as const) {
    await page.evaluate(`${seen('#growth-compounding')}.value = '${payment}';
      ${seen('#growth-compounding')}.dispatchEvent(new Event('change'))`);
    await page.until(`${shows('.figure', balance)} && ${contains('.note', words)}`);
  }
  await page.until("location.hash.endsWith('&years=0.5&compounding=monthly')");
  await fill(page, 'growth-principal', '0');
  await page.until(`${shows('.figure', '0 ₫')} && ${shows('.note', '')}`); // nothing has no rate
};

/** A link is read as a whole, or not at all, and then it stays in the address. */
const damagedLinks: Part = async ({ page }) => {
  const query = 'income=30000000&amp;dependents=1&amp;period=2026-08';
  for (const link of [
    `#salary?${query}`,
    `#${encodeURIComponent(`salary?${query.replaceAll('amp;', '')}`)}`,
  ]) {
    await page.follow(link);
    await page.until(shows('.figure', '26.592.500 ₫'));
  }
  for (const link of [`${SALARY}&insurance_sal`, '#salary?incom', '#hash?text=abc', '#growt']) {
    await page.follow(link);
    await page.until(shows('.status', 'Liên kết không đầy đủ.'));
    assert.equal(await page.evaluate(HAS_NONE), true, link);
    assert.equal(await page.evaluate('location.hash'), link);
  }
  await page.follow('#salary?incom');
  await page.until(shows('.status', 'Liên kết không đầy đủ.'));
  await fill(page, 'salary-income', '20tr');
  await page.until(`${HAS_RESULT} && location.hash.startsWith('#salary?income=20000000&')`);
};

/** Screen readers are told the outcome of an edit once, when it has ended. */
const announcements: Part = async ({ page }) => {
  await page.follow(`${SALARY}&vs.period=2025-12`);
  await page.until(contains('.figures', '₫25,882,500'));
  await page.evaluate(`window.said = [];
    for (const region of document.querySelectorAll('[role=status], [role=alert], [aria-live]')) {
      new MutationObserver(() => said.push(region.textContent))
        .observe(region, { childList: true, characterData: true, subtree: true });
    }
    const field = ${seen('#salary-A-income')};
    field.focus();
    for (const length of [1, 2, 3, 4, 5, 6, 7, 8]) {
      field.value = '45000000'.slice(0, length);
      field.dispatchEvent(new InputEvent('input', { inputType: 'insertText', data: '0' }));
    }`);
  await page.until('said.length > 0');
  assert.deepEqual(await page.evaluate("said.map((text) => text.replaceAll('\\u00a0', ' '))"), [
    'Net salary: A ₫38,917,500 · B ₫25,882,500. B: ₫13,035,000 less',
  ]);
};

/** Amounts that two people read differently, or that no salary has, are asked about. */
const questions: Part = async ({ page }) => {
  await page.follow('#salary?period=2026-08&income=30000000');
  await page.until(ANSWERED);
  await fill(page, 'salary-income', '25,000k');
  await page.until(`${contains('.question', 'Ý bạn là 25.000.000 ₫?')} && ${HAS_NONE}`);
  await page.evaluate(`${seen('.question button')}.click()`);
  await page.until(`${contains('.note', 'từ 25.000.000 ₫')} && ${shows('.question', '')}`);
  await page.follow('#year?year=2026&income=390&insurance=37.8&withheld=7.5');
  await page.until(seen('.question button'));
  for (const meant of ['390.000.000', '37.800.000', '7.500.000']) {
    await page.until(contains('form', `Ý bạn là ${meant} ₫?`));
  }
  await page.evaluate(
    "document.querySelectorAll('.question button').forEach((button) => button.click())",
  );
  await page.until(contains('.note', 'đã khấu trừ, đã nộp 7.500.000 ₫'));
  await fill(page, 'year-withheld', '750000'); // a usual amount
  await page.until(
    `${contains('.note', 'đã khấu trừ, đã nộp 750.000 ₫')} && !${seen('.question button')}`,
  );
  await page.follow('#growth?principal=100000000&annual_rate=6&years=1');
  await page.until(ANSWERED);
  await fill(page, 'growth-annual_rate', '0,5');
  await page.until(contains('#growth-annual_rate-question', 'Là số của một tháng? Dùng 6%/năm'));
  await page.until(`${contains('.result h2', 'Số dư')} && ${HAS_RESULT}`); // an answer, nonetheless
  await page.evaluate(`${seen('#growth-annual_rate-question button')}.click()`);
  await page.until(
    `location.hash.includes('annual_rate=6&') && ${shows('#growth-annual_rate-question', '')}`,
  );
  await fill(page, 'growth-annual_rate', '0,5%/tháng');
  await page.until(shows('#growth-annual_rate-reading', '0,5%/tháng = 6 %/năm'));
};

/** A number without end does not block the page. */
const endless: Part = async ({ page }) => {
  await page.evaluate("location.hash = '#salary?income=' + '1'.repeat(100_000)");
  await page.until(contains('#salary-income-error', 'Enter an amount from 0'));
  assert.ok(Number(await page.evaluate('location.hash.length')) < 1_000);
  await page.evaluate(`${seen('#salary-income')}.value = '1'.repeat(100_000);
    ${seen('#salary-income')}.dispatchEvent(new InputEvent('input', { inputType: 'insertText', data: '1' }))`);
  await page.until(contains('#salary-income-error', 'Enter an amount from 0'));
  assert.ok(Number(await page.evaluate('location.hash.length')) < 1_000);
};

/** Each year of the chart has its label under its bar. */
const axes: Part = async ({ page }) => {
  for (const [width, years] of [
    [1440, 3],
    [820, 4],
    [390, 5],
    [2560, 6],
  ] as const) {
    await page.resize(width, 900);
    await page.follow(`#growth?principal=1000000&annual_rate=6&years=${years}`);
    await page.until(seen('.bar span'));
    const offsets = (await page.evaluate(`(() => {
      const plot = ${seen('.bars')}.getBoundingClientRect();
      return [...document.querySelectorAll('.bar span')].map((label, index) => {
        const { left, width } = label.getBoundingClientRect();
        return left + width / 2 - plot.left - plot.width * (index + 0.5) / ${years};
      });
    })()`)) as readonly number[];
    assert.equal(offsets.length, years);
    for (const offset of offsets) assert.ok(Math.abs(offset) < 3, `${width} ${years}: ${offset}`);
  }
};

/** The page in one file calculates from disk, and connects to nothing. */
const oneFile: Part = async ({ page }) => {
  const address = pathToFileURL(built('dist/calculators.html')).href;
  await page.open(`${address}?lang=vi${SALARY}`, 'en');
  await page.until(`${shows('.figure', '26.592.500 ₫')} && ${contains('nav', 'Bảng lương')}`);
  const [year, month] = REVIEWED_THROUGH.split('-');
  const reviewed = `quy định rà soát đến tháng ${month}/${year}`;
  await page.until(contains('footer', `Phiên bản ${VERSION}; ${reviewed}`));
  assert.match(
    String(await page.evaluate("document.getElementById('language').href")),
    /calculators.html\?lang=en$/,
  );
  await page.follow(GROWTH);
  await page.until(shows('.figure', '209.176.448 ₫'));
  assert.equal(await page.evaluate(contains('.actions', 'liên kết')), false); // nobody else can open a link to a disk
  assert.deepEqual(
    page.requests.filter((url) => !/^(?:file|data|about):/.test(url)),
    [],
  );
  await page.follow('#payroll');
  await page.until(seen('#file'));
  await chooseWorkbook(page, 'libreoffice');
  await page.until(contains('.verdict', 'Tổng của 2 dòng đã tính'));
};

/** In the page: amounts that stand on two lines. */
const BROKEN = `(() => {
  const walker = document.createTreeWalker(document.getElementById('main'), NodeFilter.SHOW_TEXT);
  const broken = [];
  const range = document.createRange();
  while (walker.nextNode()) {
    for (const { 0: amount, index } of walker.currentNode.data.matchAll(/₫?\\d[\\d.,]*\\d(?:\\u00a0₫)?/g)) {
      range.setStart(walker.currentNode, index);
      range.setEnd(walker.currentNode, index + amount.length);
      const tops = [...range.getClientRects()].filter(({ width }) => width > 0).map(({ top }) => Math.round(top));
      if (new Set(tops).size > 1) broken.push(amount);
    }
  }
  return broken;
})()`;

const WIDTHS = [320, 344, 360, 375, 390, 430, 768, 1280];

/** In the page: the tables that are wider than their frame. */
const OVERFLOWS = `[...document.querySelectorAll('.scroll')]
  .filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth)
  .map(({ textContent }) => textContent)`;

/** In the page: the texts under 13 px, and the notes that are wider than the box of their field. */
const UNREADABLE = `[...document.querySelectorAll('body *')]
  .filter((node) => node.checkVisibility() && [...node.childNodes].some(({ nodeType, data }) => nodeType === 3 && data.trim()))
  .filter((node) => {
    const box = node.matches('.field .hint, .error') && node.closest('.field:not(.wide)')?.querySelector('.box');
    const isWide = box && node.closest('.panel:not(.pair)') && node.offsetWidth > box.offsetWidth;
    return parseFloat(getComputedStyle(node).fontSize) < 13 || isWide;
  })
  .map(({ outerHTML }) => outerHTML)`;

const amounts: Part = async ({ page }) => {
  for (const fragment of [
    '#salary?income=987654321&period=2026-08&vs.income=999999999',
    '#growth?principal=700000000&monthly_deposit=50000000&annual_rate=6&years=10&vs.annual_rate=7',
    '#year?year=2026&income=9876543210&insurance=0&withheld=1234567890',
  ]) {
    await page.follow(fragment);
    await page.until(ANSWERED);
    for (const width of part(WIDTHS)) {
      await page.resize(width, 800);
      for (const found of [BROKEN, OVERFLOWS, UNREADABLE]) {
        assert.deepEqual(await page.evaluate(found), [], `${fragment} ${width}`);
      }
    }
  }
};

/** Beside a long answer, a form stays in view, and all of a form that is higher than the window can be reached. */
const besideAnswer: Part = async ({ page }) => {
  const places = `(({ top, bottom }) => [top, bottom])(${seen('.panel > .inputs')}.getBoundingClientRect())`;
  await page.follow(SALARY);
  await page.until(ANSWERED);
  await unfold(page);
  await page.evaluate('scrollTo(0, 300)');
  assert.deepEqual(await page.evaluate(places), [0, 900]);
  for (const fragment of [
    `${SALARY}&who=other`,
    '#year?year=2026&income=390000000&insurance=37800000',
  ]) {
    await page.follow(fragment);
    await page.until(ANSWERED);
    await openOptions(page);
    await page.until(`${seen('.inputs > form > .extra')}.checkVisibility()`);
    const hidden =
      await page.evaluate(`[...document.querySelectorAll('.inputs > form :is(input, select)')]
      .filter((one) => one.checkVisibility())
      .filter((one) => {
        scrollTo(0, 0);
        scrollTo(0, one.getBoundingClientRect().top - innerHeight / 2);
        const { top, bottom } = one.getBoundingClientRect();
        return top < 0 || bottom > innerHeight;
      }).map(({ id }) => id)`);
    assert.deepEqual(hidden, [], fragment);
    const isCut = `${seen('.inputs')}.scrollHeight > ${seen('.inputs')}.clientHeight`;
    assert.equal(await page.evaluate(isCut), false, fragment);
  }
  await page.evaluate(`${seen('.inputs > form > details > summary')}.click()`);
};

/** The accessible name of a field has its unit, without stray marks. */
const names: Part = async ({ page }) => {
  await page.send('Accessibility.enable');
  for (const [fragment, selector, name] of [
    [GROWTH, '#growth-monthly_deposit', 'Deposit at the end of each month (đồng)'],
    [SALARY, '#salary-dependents', 'Dependents'],
    [`${SALARY}&vs.income=1`, '#salary-B-income', 'Salary per month (đồng) B'],
  ] as const) {
    await page.follow(fragment);
    await page.until(`${ANSWERED} && ${seen(selector)}`);
    const { root } = await page.send('DOM.getDocument');
    const { nodeId } = root as { readonly nodeId: number };
    const found = await page.send('DOM.querySelector', { nodeId, selector });
    const { nodes } = await page.send('Accessibility.getPartialAXTree', {
      nodeId: found['nodeId'],
      fetchRelatives: false,
    });
    const [node] = nodes as readonly { readonly name: { readonly value: string } }[];
    assert.equal(node?.name.value.trim(), name);
  }
};

/** States that are colours are also there where the person has chosen the colours. */
const forcedColours: Part = async ({ page }) => {
  await page.send('Emulation.setEmulatedMedia', {
    features: [{ name: 'forced-colors', value: 'active' }],
  });
  await page.follow('#salary?income=30000000&who=other');
  await page.until(ANSWERED);
  const colours = (selector: string): Promise<unknown> =>
    page.evaluate(`(({ backgroundColor, borderBottomColor }) => backgroundColor + borderBottomColor)(
      getComputedStyle(${seen(selector)}))`);
  const pairs: readonly (readonly [on: string, off: string])[] = [
    ['[value=gross] + span', '[value=net] + span'],
    ['[value=gross]', '[value=net]'], // the whole segment
    ['nav [href="#salary"]', 'nav [href="#year"]'],
  ];
  for (const [on, off] of pairs) assert.notEqual(await colours(on), await colours(off), on);
  const before = await colours('.box');
  await fill(page, 'salary-income', 'abc');
  await page.until(seen('.invalid .box'));
  assert.notEqual(await colours('.invalid .box'), before);
  await page.follow('#payroll');
  await page.until(seen('#rows'));
  await page.evaluate(`${seen('#rows')}.parentNode.append(
    Object.assign(document.createElement('button'), { className: 'solid' }))`);
  assert.notEqual(await colours('.solid'), await colours('.stages .quiet'));
  await page.evaluate(`${seen('.solid')}.remove()`);
  await page.send('Emulation.setEmulatedMedia', { features: [] });
};

/** Letters of 200 % on a phone of 360 px are letters of 100 % on one of 180 px. */
const largeLetters: Part = async ({ page }) => {
  await page.resize(180, 370);
  for (const fragment of [
    '#salary?income=100000000&period=2026-08',
    '#year?year=2026&income=390000000&insurance=37800000',
    GROWTH,
    '#payroll',
  ]) {
    await page.follow(fragment);
    await page.until(`${ANSWERED} || ${seen('#rows')}`);
    const wide = await page.evaluate(`[...document.querySelectorAll('main *')].filter((node) =>
      node.getBoundingClientRect().right > 181 && !node.closest('.scroll, .hidden')).map((node) => node.outerHTML)`);
    assert.deepEqual(wide, [], fragment);
    const broken =
      "[...document.querySelectorAll('dd')].filter((amount) => amount.offsetHeight > 36).length";
    assert.equal(await page.evaluate(broken), 0, fragment);
  }
};

const developer: Part = async ({ page }) => {
  await page.follow(SALARY);
  await page.until(ANSWERED);
  await page.evaluate(`${seen('.exchange summary')}.click()`);
  await page.until(contains('.exchange pre', 'curl http'));
  await page.until(contains('.exchange', '{"income":30000000,'));
  // Of two plans, the request is that of the first, and says so.
  await page.follow(`${SALARY}&vs.income=40000000`);
  await page.until(contains('.exchange summary', 'the request (A)'));
  await page.until(contains('.exchange pre', '{"income":30000000,'));
  const link = seen('footer [href="page/api.md"]');
  const answer = await fetch(String(await page.evaluate(`${link}.href`)));
  const document = await answer.text();
  for (const { path } of operations) assert.ok(document.includes(path), path);
  assert.match(String(answer.headers.get('content-type')), /^text\/plain/); // which browsers show
};

/** Enters rows, as somebody who pastes them. */
const paste = (page: Page, csv: string): Promise<unknown> =>
  page.evaluate(`
    document.getElementById('rows').value = ${JSON.stringify(csv)};
    document.getElementById('rows').dispatchEvent(new Event('input'))`);

/** Chooses an option of a control, named by a selector, as somebody does. */
const choose = (page: Page, selector: string, value: string): Promise<unknown> =>
  page.until(`(() => {
    const control = ${seen(selector)};
    if (![...(control?.options ?? [])].some((option) => option.value === '${value}')) return false;
    control.focus();
    control.value = '${value}';
    control.dispatchEvent(new Event('change'));
    return true;
  })()`);

/** Chooses a file of some bytes or of a text, as somebody does. */
const chooseFile = (page: Page, name: string, content: Uint8Array | string): Promise<unknown> =>
  page.evaluate(`(() => {
    const bytes = Uint8Array.from(atob('${Buffer.from(content).toString('base64')}'), (one) => one.charCodeAt(0));
    const files = new DataTransfer();
    files.items.add(new File([bytes], '${name}'));
    const input = ${seen('#file')};
    input.files = files.files;
    input.dispatchEvent(new Event('change'));
  })()`);

/** Changes a property of a control without the focus, as a program does. */
const change = (page: Page, selector: string, property: string, value: unknown): Promise<unknown> =>
  page.evaluate(`${seen(selector)}.${property} = ${JSON.stringify(value)};
    ${seen(selector)}.dispatchEvent(new Event('change'))`);

const MONTH_ASKED = shows('.result .answer p', 'Hãy chọn tháng tính lương');

/** The choice of the use of a column, or of the meaning of a text. */
const labelled = (label: string): string => `.payroll select[aria-label="${label}"]`;

const payroll: Part = async ({ page }) => {
  await page.until(seen('#rows'));
  await paste(
    page,
    'họ tên;lương gross;npt;tháng;Loại tiền\nAn;30.000.000;1;8/2026;VND\n=Hoa+1;25.000.000;hai;8/2026;USD\nBình;30tr;;08/2026;VND\nTổng cộng;85.000.000;1;;',
  );
  // What does not count stands above the sums.
  await page.until(contains('.result', 'Không có cột STT hoặc mã'));
  await page.until(
    contains('.signs', '1 dòng: dòng bộ phận hoặc tổng cộng, không phải một người?'),
  );
  await page.until(contains('.signs:nth-of-type(2)', 'Loại tiền: VND · USD'));
  await page.until(contains('.verdict', 'Tổng của 2 dòng đã tính, chưa gồm 1 dòng cần sửa'));
  await page.until(contains('.facts', '52.807.500 ₫'));
  const tops = await page.evaluate(`['.verdict', '.signs', '.facts', '.results']
    .map((part) => document.querySelector(part).getBoundingClientRect().top)`);
  assert.deepEqual(
    tops,
    [...(tops as number[])].sort((one, other) => one - other),
  );
  await page.until(contains('.results', 'Dòng 3, =Hoa+1, 25.000.000, hai, 8/2026, USD'));
  await page.until(
    contains(
      '.results',
      'npt “hai”: “hai” không phải là một phần của số này. Nhập một số nguyên từ 0 đến 50.',
    ),
  );
  await page.evaluate(`URL.createObjectURL = (blob) => { window.saved = blob; return 'data:,'; };
    HTMLAnchorElement.prototype.click = () => undefined;
    ${seen('.result .solid')}.click()`);
  await page.until('window.saved');
  const bytes = await page.evaluate(
    'window.saved.arrayBuffer().then((data) => btoa(String.fromCharCode(...new Uint8Array(data))))',
  );
  const saved = unzip(Buffer.from(String(bytes), 'base64'));
  const [people, others] = ['1', '2'].map((name) => {
    const sheet = parseXml(saved.get(`xl/worksheets/${name}.xml`) ?? assert.fail());
    const textOf = (cell: XmlElement): string =>
      [...elementsOf(cell, 't'), ...elementsOf(cell, 'v')].map(({ text }) => text).join();
    return elementsOf(sheet, 'row').map(({ children }) => children.map(textOf).join(';'));
  });
  assert.deepEqual(people, [
    'họ tên;lương gross;npt;tháng;Loại tiền;'
      + 'Kết quả: Tháng tính lương;Kết quả: Vùng lương tối thiểu;'
      + 'Kết quả: Lương net;Kết quả: Lương gross;Kết quả: Bảo hiểm trừ vào lương;Kết quả: Giảm trừ gia cảnh;Kết quả: Thu nhập tính thuế;Kết quả: Thuế TNCN;'
      + 'Kết quả: Chi phí công ty;'
      + 'Kết quả: BHXH trừ vào lương;Kết quả: BHYT trừ vào lương;Kết quả: BHTN trừ vào lương;'
      + 'Kết quả: BHXH công ty đóng;Kết quả: BHYT công ty đóng;Kết quả: BHTN công ty đóng',
    'An;30.000.000;1;8/2026;VND;2026-08;1;26592500;30000000;3150000;21700000;5150000;257500;37050000;2400000;450000;300000;5250000;900000;300000',
    'Bình;30tr;;08/2026;VND;2026-08;1;26215000;30000000;3150000;15500000;11350000;635000;37050000;2400000;450000;300000;5250000;900000;300000',
  ]);
  assert.equal(others?.[0], 'họ tên;lương gross;npt;tháng;Loại tiền;Lý do không tính');
  assert.match(others[1]!, /^=Hoa\+1;25\.000\.000;hai;8\/2026;USD;npt “hai”: “hai” không/);
  assert.match(others[2]!, /^Tổng cộng;85\.000\.000;1;;;dòng bộ phận hoặc tổng cộng/);
  assert.equal(others.length, 3);
  // On paper, only the results, not wider than a sheet of A4 without its margins.
  await page.send('Emulation.setEmulatedMedia', { media: 'print' });
  await page.resize(700, 900);
  assert.equal(await page.evaluate('document.documentElement.scrollWidth <= innerWidth'), true);
  const printed = String(await page.evaluate("document.querySelector('main').innerText"));
  assert.match(printed, /^Tổng của 2 dòng/);
  assert.doesNotMatch(printed, /Chọn tệp|Tải kết quả|Mỗi cột là gì|Phiếu lương/);
  await page.send('Emulation.setEmulatedMedia', { media: '' });
};

/** What the person says about columns and texts, and that the control in use keeps the focus. */
const payrollChoices: Part = async ({ page }) => {
  await page.until(seen('#rows'));
  await page.evaluate(`${named('Thử với một ví dụ')}.click()`);
  await page.until(contains('.payroll', 'Cộng tác viên, hợp đồng dịch vụ, thực t…'));
  // With exact heads, the month is all that is missing, and the link leads to it.
  await page.until(MONTH_ASKED);
  await page.evaluate(`${seen('.result .inline')}.click()`);
  await page.until(focused('payroll-period'));
  await page.type('10/2026');
  await page.until(contains('.verdict', 'Tổng của 3 dòng'));
  await page.until(focused('payroll-period'));
  await page.until(contains('.signs', '1 dòng: ô STT trống'));
  // A text has another meaning.
  const freelance = labelled('Cộng tác viên, hợp đồng dịch vụ, thực tập, HĐLĐ dưới 1 tháng');
  const before = await page.evaluate(`${seen('.facts dd')}.textContent`);
  await choose(page, freelance, 'employee');
  await page.until(
    `${seen('.facts')} && ${seen('.facts dd')}.textContent !== ${JSON.stringify(before)}`,
  );
  assert.equal(await page.evaluate(`document.activeElement === ${seen(freelance)}`), true);
  // A row is left out, and included; the box keeps its place and the focus.
  const box = "document.querySelectorAll('.results input')[1]";
  await page.evaluate(`${box}.focus(); ${box}.click()`);
  await page.until(contains('.signs', '1 dòng: bạn đã bỏ ra'));
  await page.until(contains('.verdict', 'Tổng của 2 dòng'));
  assert.deepEqual(await page.evaluate(`[document.activeElement === ${box}, ${box}.checked]`), [
    true,
    false,
  ]);
  assert.match(String(await page.evaluate(`${box}.closest('tr').innerText`)), /Nguyễn Văn An/);
  // A corrected amount keeps all choices, and other heads do not.
  const correct = (from: string, to: string): Promise<unknown> =>
    page.evaluate(`(() => {
      const area = document.getElementById('rows');
      area.value = area.value.replace('${from}', '${to}');
      area.dispatchEvent(new Event('input'));
    })()`);
  await correct('18.000.000', '19.000.000');
  await page.until(contains('.results', '19.000.000'));
  await page.until(contains('.signs', '1 dòng: bạn đã bỏ ra'));
  assert.equal(await page.evaluate(`${seen(freelance)}.value`), 'employee');
  await correct('Lương gross', 'Lương');
  await page.until(
    shows(
      '.result .answer p',
      'Hãy chọn tháng tính lương, “Lương” là lương gross, net hay chi phí',
    ),
  );
  await page.evaluate(`${seen('.result .inline:last-of-type')}.click()`);
  await page.until(`document.activeElement === ${seen(labelled('Cột “Lương”'))}`);
  // By keys, the choice passes over the uses of other columns, which keep theirs.
  for (const use of ['number', 'name', 'gross', 'net']) {
    await choose(page, labelled('Cột “Lương”'), use);
  }
  assert.equal(await page.evaluate(`${seen(labelled('Cột “STT”'))}.value`), 'number');
  await page.evaluate(`${seen('.offered button')}.click()`);
  await page.until(contains('.verdict', 'Tổng của 3 dòng'));
  // The unit is that of the head. Decimals are asked about only in a unit but đồng.
  await paste(page, 'Tháng 12/2025\nHọ tên;Lương gross (triệu đồng)\nAn;25,5\nBình;12,345');
  await page.until(contains('.result .answer p', 'Hãy chọn tháng tính lương'));
  await page.evaluate(`${seen('.offered button')}.click()`);
  await page.until(shows('.result .answer p', 'Hãy chọn cách viết phần thập phân'));
  await page.evaluate('document.querySelector(\'[name=payroll-decimal][value=","]\').click()');
  await page.until(contains('.facts', '37.845.000 ₫'));
  await page.until(contains('.result .error', 'Tiêu đề bảng ghi tháng khác: 12/2025.'));
  await page.evaluate('document.querySelector(\'[name=payroll-unit][value="1"]\').click()');
  await page.until(contains('.signs', '2 dòng: có số tiền dưới 1 triệu'));
  // A part of the salary is added, and the choice does not depend on the focus.
  await paste(page, 'Mã;Họ tên;Lương cơ bản;Phụ cấp;Thưởng\nNV1;An;20.000.000;;1.000.000');
  await page.evaluate(`${seen('.offered button')}.click()`);
  for (const head of ['Lương cơ bản', 'Thưởng']) {
    await change(page, labelled(`Cột “${head}”`), 'value', 'gross');
  }
  await page.until(contains('.result .hint', 'Lương gross = Lương cơ bản + Thưởng · '));
  await page.until(contains('.facts', '21.000.000 ₫'));
  // The row of a person leads to the payslip, with the values of the row.
  const link = `${seen('.results a')}`;
  assert.equal(await page.evaluate(`${link}.getAttribute('aria-label')`), 'Phiếu lương: NV1 · An');
  assert.match(
    String(await page.evaluate(`${link}.hash`)),
    /^#salary\?income=21000000&period=\d{4}-\d\d$/,
  );
};

/** Files as people have them: each is read, or says what to do. */
const payrollFiles: Part = async ({ page }) => {
  await page.until(seen('#file'));
  const refused: readonly (readonly [content: Uint8Array | string, message: string])[] = [
    ['lương gross\n', 'Tệp chưa có dòng nào'],
    [Uint8Array.of(0x50, 0x4b, 3, 4, 0), 'Đây không phải tệp CSV hay tệp .xlsx'],
    [`name,income\n${','.repeat(100_000)}1`, 'Dòng 2 có hơn 200 cột hoặc'],
    [`name,income\nAn,1\n${'a'.repeat(5001)},1`, 'Dòng 3 có hơn 200 cột hoặc'],
  ];
  for (const [content, message] of refused) {
    await chooseFile(page, 'payroll.csv', content);
    await page.until(contains('.result .error', message));
  }
  // UTF-16 by its mark, with tabs, as Excel saves "Unicode text"; the corrected file of the same name is read.
  for (const salary of ['20.000.000', '21.000.000']) {
    const rows = `\ufeffHọ tên\tLương net\tTháng\tThưởng\nAn\t${salary}\t10/2026\t500.000`;
    await chooseFile(page, 'payroll.csv', Buffer.from(rows, 'utf16le'));
    await page.until(contains('.payroll', salary));
    await page.until(contains('.facts', `${salary} ₫`));
    await page.until(contains('.signs', 'Thưởng: 500.000'));
  }
  // Letters of another encoding may be wrong.
  assert.equal(await page.evaluate(`${seen('.stages .error')}.textContent`), '');
  await chooseFile(page, 'a.csv', Buffer.from('STT;Gross;Tên\n1;20000000;Ti\xea', 'latin1'));
  await page.until(contains('.stages .error', 'Tệp không theo mã UTF-8'));
  // A text without a meaning refuses its row.
  await chooseFile(page, 'b.csv', 'Họ tên|Lương gross|Vùng|Tháng\nAn|20.000.000|Hà Nội|10/2026');
  await page.until(contains('.results', 'Vùng: hãy chọn ở trên “Hà Nội” nghĩa là gì.'));
  await choose(page, labelled('Hà Nội'), '1');
  await page.until(contains('.verdict', 'Tổng của 1 dòng'));
  // Another view leaves the payroll as it is.
  await page.evaluate("location.hash = '#salary'");
  await page.until(`${isOpen('salary')} && ${ANSWERED}`);
  assert.equal(await page.evaluate(ASKS), true);
  await page.evaluate("location.hash = '#payroll'");
  await page.until(contains('.verdict', 'Tổng của 1 dòng'));
};

/** A workbook with the XML of columns in its sheets. */
function withColumns(workbook: Buffer, columns: string): Buffer {
  const files = [...unzip(workbook)].map(([path, xml]) => [
    path,
    xml.replace('<sheetData>', `${columns}<sheetData>`),
  ]);
  return zip(Object.fromEntries(files));
}

/** Chooses a workbook of test/vectors/workbooks/; with the XML of columns, if it is given. */
const chooseWorkbook = (page: Page, name: string, columns = ''): Promise<unknown> => {
  const original = readFileSync(new URL(`test/vectors/workbooks/${name}.xlsx`, root));
  const bytes = columns === '' ? original : withColumns(original, columns);
  return chooseFile(page, `${name}.xlsx`, bytes);
};

const payrollWorkbooks: Part = async ({ page }) => {
  await page.until(seen('#file'));
  // The months are in a column: nothing is asked. Excel hides one row, which has a reason and a box.
  await chooseWorkbook(page, 'exceljs');
  await page.until(contains('.verdict', 'Tổng của 2 dòng đã tính'));
  await page.until(contains('.facts', '45.500.001 ₫'));
  await page.until(contains('.signs', '1 dòng: dòng bị ẩn trong Excel: có tính không?'));
  assert.equal(await page.evaluate(seen('.signs ~ .error')), null);
  await page.evaluate("document.querySelector('.results input').click()");
  await page.until(contains('.verdict', 'Tổng của 3 dòng đã tính'));
  await page.until(contains('.facts', '71.000.001 ₫'));
  // Another sheet is chosen by keys, and the select keeps the focus.
  const sheet = `${seen('.file select')}`;
  assert.equal(
    await page.evaluate(`${sheet}.labels[0].innerText.split('\\n')[0].trim()`),
    'Trang tính',
  );
  await page.evaluate(`${sheet}.focus()`);
  await page.press('ArrowUp');
  await page.until(contains('.payroll', 'Người lập: Chi'));
  await page.until(`document.activeElement === ${sheet} && ${sheet}.selectedIndex === 0`);
  await page.press('ArrowDown');
  await page.until(contains('.verdict', 'Tổng của 2 dòng đã tính'));
  // All rows that Excel hides are included at once.
  await page.until(shows('.signs + button', 'Tính cả 1 dòng bị ẩn'));
  await page.evaluate(`${seen('.signs + button')}.click()`);
  await page.until(contains('.verdict', 'Tổng của 3 dòng đã tính'));
  // A column that Excel hides may be used, which is a sign.
  await chooseWorkbook(page, 'exceljs', '<cols><col min="5" max="6" hidden="1"/></cols>');
  const hidden = 'Có dùng cột bị ẩn trong Excel: Lương gross · Phần lương miễn thuế.';
  await page.until(contains('.result .error', hidden));
  // A formula that no program has calculated is no amount, and the file says so.
  await chooseWorkbook(page, 'openpyxl');
  await page.until(contains('.stages .error', 'Một số công thức trong trang này chưa có kết quả'));
  await page.until(contains('.signs', '1 dòng: không đọc được lương thành số tiền'));
  await page.until(contains('.results', '=E4/2+500000.5'));
  await page.until(contains('.verdict', 'Tổng của 1 dòng đã tính'));
  // A text in place of the workbook has no sheets.
  await paste(page, 'Mã;Gross\nA1;20tr');
  await page.until(`${seen('.file select')} === null`);
};

/** Values for all rows, meanings of empty cells and boxes go with the file and its sheet; uses and other meanings with the heads. */
const payrollState: Part = async ({ page }) => {
  const HEADS = ['STT', 'Họ tên', 'Tổng lương', 'Hợp đồng', 'Lương đóng BHXH'];
  const tableOf = (salaries: readonly number[]): (string | number)[][] => [
    HEADS,
    ...salaries.map((salary, at) => [at + 1, `Người ${'AB'[at]}`, salary, 'dài hạn', '']),
  ];
  const blob = await scripts.writeWorkbook(
    [
      { name: 'T7', rows: tableOf([30_000_000, 20_000_000]) },
      { name: 'T6', rows: tableOf([31_000_000, 22_000_000]) },
    ],
    new AbortController().signal,
  );
  const workbook = new Uint8Array((await blob?.arrayBuffer()) ?? assert.fail());
  const EMPTY = labelled('(để trống)');
  /** The month, the unit and the region of the form, and the use and the meanings that are chosen. */
  const stateOf = (): Promise<unknown> =>
    page.evaluate(`[${seen('#payroll-period')}.value,
      document.querySelector('[name=payroll-unit]:checked')?.value,
      ${seen('#payroll-region')}.value, ${seen(labelled('Cột “Tổng lương”'))}?.value,
      ${seen(labelled('dài hạn'))}?.value, ${seen(EMPTY)}?.value]`);
  /** Answers what the page asks about two people, and leaves the first one out. */
  const decide = async (region: string, period: string, sum: string): Promise<void> => {
    await choose(page, labelled('Cột “Tổng lương”'), 'gross');
    await choose(page, labelled('dài hạn'), 'employee');
    await choose(page, EMPTY, '0');
    await choose(page, '#payroll-region', region);
    await fill(page, 'payroll-period', period);
    await page.until(contains('.verdict', 'Tổng của 2 dòng'));
    await page.until(contains('.facts', sum));
    await page.evaluate("document.querySelector('.results input').click()");
    await page.until(contains('.verdict', 'Tổng của 1 dòng'));
  };
  await page.until(seen('#file'));
  await chooseFile(page, 'a.xlsx', workbook);
  await page.until(contains('.result .answer p', 'Hãy chọn tháng tính lương'));
  await decide('4', '07/2026', '50.000.000 ₫');
  assert.deepEqual(await stateOf(), ['07/2026', '1', '4', 'gross', 'employee', '0']);
  // Another sheet is of another month, perhaps of other workers, and of other boxes.
  await change(page, '.file select', 'selectedIndex', 1);
  await page.until(`${MONTH_ASKED} && ${seen(EMPTY)}`);
  assert.deepEqual(await stateOf(), ['', '1', '1', 'gross', 'employee', 'choose']);
  await decide('1', '06/2026', '53.000.000 ₫');
  // Another file with these heads, in another unit; and its correction.
  const csv = (title: string, salary: string, heads = HEADS): Uint8Array =>
    Buffer.from(
      `${title}\n${heads.join(';')}\n1;Người A;${salary};dài hạn;\n2;Người B;20.000;dài hạn;`,
    );
  await chooseFile(page, 'T8.csv', csv('ĐVT: nghìn đồng', '30.000'));
  // The cells of a workbook are typed, and need no notation: a file of texts begins anew.
  await page.until(contains('.result .answer p', 'Hãy chọn tháng tính lương'));
  await page.evaluate('document.querySelector(\'[name=payroll-decimal][value=","]\').click()');
  await decide('2', '08/2026', '50.000.000 ₫');
  await chooseFile(page, 'T8.csv', csv('ĐVT: nghìn đồng', '31.000'));
  await page.until(contains('.results', '31.000'));
  await page.until(contains('.verdict', 'Tổng của 1 dòng'));
  assert.deepEqual(await stateOf(), ['08/2026', '1000', '2', 'gross', 'employee', '0']);
  await chooseFile(page, 'T9.csv', csv('', '32.000.000'));
  await page.until(`${MONTH_ASKED} && ${seen(EMPTY)}`);
  assert.deepEqual(await stateOf(), ['', '1', '1', 'gross', 'employee', 'choose']);
  // Other heads begin without choices.
  await chooseFile(page, 'T9.csv', csv('', '32.000.000', [...HEADS.slice(0, 4), 'Mức đóng']));
  await page.until(contains('.result .answer p', '“Tổng lương” là lương gross, net hay chi phí'));
  assert.equal(await page.evaluate(`${seen(labelled('Cột “Tổng lương”'))}.value`), '');
};

/** A department with a number counts, is a sign above the sums, and is found by its link. */
const payrollSums: Part = async ({ page }) => {
  await page.until(seen('#rows'));
  const people = Array.from(
    { length: 120 },
    (_, at) => `${at + 1};Người ${at};${20_000_001 + at * at};10/2026`,
  );
  const sum = people.slice(0, 2).reduce((total, row) => total + Number(row.split(';')[2]), 0);
  const rows = [
    'STT;Họ tên;Lương gross;Tháng',
    ...people.slice(0, 2),
    `121;Kho;${sum};10/2026`,
    ...people.slice(2),
  ];
  await paste(page, rows.join('\n'));
  const sign = '1 dòng có số tiền bằng tổng của các dòng ngay dưới hoặc trên: phòng ban?';
  await page.until(contains('.result .error', sign));
  await page.until(contains('.verdict', 'Tổng của 121 dòng'));
  await page.evaluate(`${seen('.result [type=number]')}.value = 2`);
  await page.evaluate(`${seen('.result [type=number]')}.dispatchEvent(new Event('change'))`);
  await page.until(contains('.results caption', 'Dòng 51 đến 100 trong 121'));
  await page.evaluate(`${seen('.result .error button')}.click()`);
  await page.until(
    "document.activeElement === document.querySelector('.results tbody input')"
      + " && document.activeElement.closest('tr').innerText.includes('Kho')",
  );
  await page.evaluate('document.activeElement.click()');
  await page.until(contains('.verdict', 'Tổng của 120 dòng'));
  assert.equal(await page.evaluate(`${seen('.result .error button')}`), null);
};

/** The rows of a long payroll. */
const ROWS = isThorough ? 100_000 : 10_000;
const inEnglish = (count: number): string => count.toLocaleString('en');

/**
 * While the page reads and calculates a long payroll, it lets other timers run, and shows the progress; another file
 * ends the calculation. Every row has a box.
 */
const longPayroll: Part = async ({ page, base }) => {
  await page.open(`${base}#payroll`, 'en');
  await page.until(seen('#file'));
  await page.evaluate(`(() => {
    window.beats = 0;
    const beat = () => {
      if (document.querySelector('progress')?.value > 0) return;
      window.beats += 1;
      setTimeout(beat);
    };
    const csv = 'no.,name,gross,month,region,dependents\\n'
      + Array.from({ length: ${ROWS} }, (_, index) => index + ',A' + index + ',30000000,2026-10,1,0\\n').join('');
    const bytes = new TextEncoder().encode(csv);
    File.prototype.arrayBuffer = async () => bytes.buffer; // at once: only the reading of the rows takes time
    const files = new DataTransfer();
    files.items.add(new File([csv], 'payroll.csv'));
    window.give = () => {
      const input = document.getElementById('file');
      input.files = files.files; // as the browser does when a file is dropped on the input
      input.dispatchEvent(new Event('change'));
    };
    give();
    setTimeout(beat);
  })()`);
  await page.until(`${seen('progress')}?.value >= 2_000 && (give(), true)`);
  const beats = Number(await page.evaluate('window.beats'));
  assert.ok(beats >= 5, `${beats} timers`);
  await page.until(contains('.verdict', `Totals of ${inEnglish(ROWS)} rows calculated`));
  // A number behind the last page is that of the last page.
  await page.evaluate(`(() => {
    const input = ${seen('.result [type=number]')};
    input.value = '${ROWS}';
    input.dispatchEvent(new Event('change'));
  })()`);
  assert.equal(await page.evaluate(`${seen('.result [type=number]')}.value`), String(ROWS / 50));
  await page.until(
    contains(
      '.results caption',
      `${inEnglish(ROWS - 49)} to ${inEnglish(ROWS)} of ${inEnglish(ROWS)}`,
    ),
  );
  await page.until("document.querySelectorAll('.results tbody tr').length === 50");
  await page.evaluate("[...document.querySelectorAll('.results input')].at(-1).click()");
  await page.until(contains('.verdict', `Totals of ${inEnglish(ROWS - 1)} rows`));
  const last = "document.querySelector('.results tbody tr:last-child').innerText";
  assert.match(
    String(await page.evaluate(last)),
    new RegExp(`^ Row ${inEnglish(ROWS + 1)}, ${ROWS - 1}, A${ROWS - 1}, .*\nleft out by you`),
  );
};

const small: Part = async ({ page }) => {
  await page.resize(390, 500);
  await page.follow(SALARY);
  await page.until(ANSWERED);
  await page.evaluate("document.getElementById('salary-income').focus()");
  await page.until(contains('.result > header', '26.592.500 ₫'));
  const bounds = `['nav', '.result > header', '#salary-income'].flatMap((selector) => {
    const { top, bottom } = document.querySelector(selector).getBoundingClientRect();
    return [top, bottom];
  })`;
  const places = (await page.evaluate(bounds)) as readonly number[];
  assert.deepEqual(
    [...places].sort((one, other) => one - other),
    places,
  );
  await page.evaluate('scrollTo(0, 1e6)');
  const [, , top, bottom = Infinity] = (await page.evaluate(bounds)) as readonly number[];
  assert.ok(top === 0 && bottom < 110, `the answer is at ${top} to ${bottom}`);
  await fill(page, 'salary-income', 'abc');
  await page.until(`${contains('.result > header', 'Hãy kiểm tra: Lương tháng')} && ${HAS_NONE}`);
  await fill(page, 'salary-income', '30tr');
  await page.until(shows('.result h2', 'Lương net, tháng 8/2026'));
  await page.resize(360, 740);
  const heights =
    "[...document.querySelectorAll('#salary-income, [name=salary-type]')].map((node) => node.offsetHeight)";
  for (const type of ['gross', 'cost']) {
    await page.evaluate(`document.querySelector('[name=salary-type][value=${type}]').click()`);
    const [field = 0, ...options] = (await page.evaluate(heights)) as readonly number[];
    for (const height of options)
      assert.ok(height <= field + 4, `${type} is ${height} pixels high`);
  }
  await page.follow('#growth'); // the last of the views
  await page.until(isOpen('growth'));
  assert.equal(
    await page.evaluate(
      `${seen('nav [aria-current=page]')}.getBoundingClientRect().left <= innerWidth - 32`,
    ),
    true,
  );
};

const PRINTED = [`${SALARY}&vs.income=35000000`, SALARY, GROWTH];

const print: Part = async ({ page, base }) => {
  await page.open(`${base}#year`, 'vi');
  for (const fragment of part(PRINTED)) {
    await page.follow(fragment);
    await page.until(ANSWERED);
    const { data } = await page.send('Page.printToPDF', { paperWidth: 8.27, paperHeight: 11.69 });
    const pages = Buffer.from(String(data), 'base64')
      .toString('latin1')
      .match(/\/Type\s*\/Page\b/g);
    assert.equal(pages?.length, 1, fragment);
  }
  await page.follow(SALARY);
  await page.until(ANSWERED);
  await unfold(page);
  await page.send('Emulation.setEmulatedMedia', { media: 'print' });
  await page.resize(700, 900); // A4 without its margins
  assert.equal(await page.evaluate('document.documentElement.scrollWidth <= innerWidth'), true);
  const texts = String(await page.evaluate("document.querySelector('form').innerText"));
  assert.match(texts, /Gross/);
  assert.match(texts, /Tháng\s8\/2026$/m);
  assert.doesNotMatch(texts, /Net/);
  await page.send('Emulation.setEmulatedMedia', { media: '' });
  await page.resize(1280, 900);
};

const withoutScripts: Part = async ({ page, base }) => {
  await page.send('Emulation.setScriptExecutionDisabled', { value: true });
  await page.open(base, 'en');
  const text = await page.evaluate("document.querySelector('noscript').innerText");
  assert.match(String(text), /POST api\/v1\/tax\/calculate/);
  assert.match(
    String(await page.evaluate("document.getElementById('language').href")),
    /\/\?lang=(?:en|vi)$/,
  );
  const hrefs = (await page.evaluate(
    "[...document.querySelectorAll('noscript a, footer a')].filter((one) => one.checkVisibility()).map((one) => one.href)",
  )) as readonly string[];
  assert.ok(hrefs.includes(`${base}api/v1/tax/calculate`)); // the address for POST
  for (const href of hrefs) {
    const { status } = await fetch(href);
    assert.equal(status, href.endsWith('/calculate') ? 405 : 200, href);
  }
  await page.send('Emulation.setScriptExecutionDisabled', { value: false });
};

/** In the page: whatever cannot be hit where it is drawn, overlaps, or makes the page scroll sideways. */
const LAYOUT = `(() => {
  const problems = [];
  const name = (node) => (node?.id || node?.className || node?.localName) + ': ' + node?.textContent.slice(0, 30);
  const isHit = (node, x, y) => {
    const hit = document.elementFromPoint(x, y);
    return node.contains(hit) || hit?.closest('label')?.control === node;
  };
  const centerOf = (node) => {
    const [{ left, top, width, height }] = node.getClientRects(); // of the first line of a link
    return [left + width / 2, top + height / 2];
  };
  const controls = [...document.querySelectorAll('a, button, input, select, textarea, summary, th, td')]
    .filter((node) => !node.closest('details:not([open]) > :not(summary)') && node.getBoundingClientRect().width > 1);
  const check = (node, where) => {
    const [x, y] = centerOf(node);
    const hit = document.elementFromPoint(x, y);
    if (!isHit(node, x, y)) problems.push([name(node), 'is under', name(hit), where].join(' '));
    const { left } = node.getBoundingClientRect();
    if (node.localName === 'summary' && !isHit(node, left + 5, y)) problems.push(name(node) + ' at its triangle');
  };
  // On a phone, the headline stays in sight, and the rest scrolls under it.
  const endOfHeadline = () => {
    const { top = 1, bottom } = document.querySelector('.result > header')?.getBoundingClientRect() ?? {};
    return top === 0 ? bottom : 0;
  };
  const inWindow = (node) => {
    const [x, y] = centerOf(node);
    const frame = node.closest('nav, .scroll, pre')?.getBoundingClientRect();
    const isClipped = frame && (y < frame.top || y > frame.bottom || x < frame.left || x > frame.right);
    return y > endOfHeadline() + 1 && y < innerHeight - 1 && x > 1 && x < innerWidth - 1 && !isClipped;
  };
  const unseen = new Set(controls);
  const { scrollHeight } = document.documentElement;
  for (let top = 0; top < scrollHeight; top += innerHeight * 0.8) {
    scrollTo(0, top);
    for (const node of controls.filter(inWindow)) {
      check(node, 'at ' + top);
      unseen.delete(node);
    }
  }
  for (const node of unseen) { // in a part that scrolls by itself
    node.scrollIntoView({ block: 'center', inline: 'center', behavior: 'instant' });
    check(node, 'in the middle');
  }
  for (const end of [scrollHeight, 0]) {
    scrollTo(0, end);
    for (const node of controls.filter(inWindow)) check(node, end ? 'at the end' : 'at the beginning');
    const parts = ['.panel > .inputs', '.result', 'footer', 'nav', '.top']
      .map((selector) => document.querySelector(selector)).filter(Boolean);
    for (const one of parts) for (const other of parts) {
      const [a, b] = [one, other].map((node) => node.getBoundingClientRect());
      const isOverlap = a.left < b.right && b.left < a.right && a.top < b.bottom - 1 && b.top < a.bottom - 1;
      if (one !== other && isOverlap) problems.push(name(one) + ' overlaps ' + name(other));
    }
  }
  const { scrollWidth, clientWidth } = document.documentElement;
  if (scrollWidth > clientWidth) problems.push('scrolls sideways: ' + scrollWidth);
  return [...new Set(problems)];
})()`;

/** In the page: an entry as it stands in the field, the line below it, and the message, in the turn after an event. */
const STATE = `new Promise((resolve) => setTimeout(resolve)).then(() =>
  ['salary-income', 'salary-income-reading', 'salary-income-error']
    .map((id) => document.getElementById(id))
    .map((node) => node.value ?? node.textContent))`;

/** A person may begin an amount, look into another window, and continue; a program replaces an amount. */
const otherWindow: Part = async ({ page }) => {
  await page.follow(SALARY);
  await page.until(ANSWERED);
  await fill(page, 'salary-income', '378000');
  // The browser dispatches it, and the input stays the active element.
  await page.evaluate("document.activeElement.dispatchEvent(new Event('blur'))");
  assert.deepEqual(await page.evaluate(STATE), ['378000', '378000 = 378.000\u00a0₫', '']);
  await page.type('00');
  assert.deepEqual(await page.evaluate(STATE), ['37800000', '37800000 = 37.800.000\u00a0₫', '']);
  await page.evaluate("document.getElementById('salary-dependents').focus()");
  await page.until("document.getElementById('salary-income').value === '37.800.000'");
  await page.evaluate("document.getElementById('salary-income').select()");
  await page.send('Input.insertText', { text: '25tr' });
  await page.until("location.hash.includes('income=25000000&')");
};

const WINDOWS = [
  [320, 640],
  [390, 844],
  [768, 1024],
  [1280, 720],
  [1366, 650],
  [1440, 900],
  [2560, 1440],
] as const;
const VIEWS = [
  '#salary?income=100000000&dependents=1&period=2026-08',
  '#salary?income=100000000&who=other&period=2026-08&vs.income=110000000&vs.period=2025-12',
  `${GROWTH}&vs.annual_rate=9`,
  '#year?year=2026&income=390000000&insurance=37800000',
  '#payroll',
];

const layout: Part = async ({ page, base }) => {
  await page.open(base, 'vi');
  for (const fragment of VIEWS) {
    await page.follow(fragment);
    await page.until(`${ANSWERED} || ${seen('.stages')}`);
    for (const isExpanded of [false, true]) {
      if (isExpanded) {
        // A fold may be in another one.
        await page.until(`(document.querySelectorAll('details:not([open]) > summary')
          .forEach((summary) => summary.click()), [...document.querySelectorAll('details')]
          .every((node) => node.open && (node.childElementCount > 1 || node.matches('form > *'))))`);
      }
      for (const [width, height] of part(WINDOWS)) {
        await page.resize(width, height);
        assert.deepEqual(
          await page.evaluate(LAYOUT),
          [],
          `${fragment} ${width} × ${height} ${isExpanded}`,
        );
      }
    }
  }
};

/** Chromium prints, reports shifts of the layout, and calls observers, only in a painted page. */
const PAINTED: ReadonlySet<Part> = new Set([print, stable]);

const PARTS: Readonly<Record<string, Part>> = {
  'answers are shown': answers,
  'the title names the calculator and the result, and says where the law is not reviewed': titles,
  'problems are shown beside their fields, in the language of the page': refusals,
  'a link brings back the values, and pins the month; a copy that fails is not called one': links,
  'a copied result is read back from the clipboard, and its link gives the same answer': copies,
  'Back and Forward lead between calculators, and nothing stays in the browser': history,
  'of many changes of the view in a moment, the last one counts': haste,
  'a tap selects an example': taps,
  'digits are added to an amount and deleted without its groups': groups,
  'the other language is another document with the same answer': languages,
  'everything works without a connection, and the policy refuses every one': offline,
  'everything works by keys': keyboard,
  'another view takes the focus, and is named': entries,
  'terms are years and months': terms,
  'the chart has three bars or more, and the table under it explains its parts': chart,
  'who is paid is one list, whose choice explains itself': persons,
  'a salary is compared with another amount, month or person beside it': whatIf,
  'of two offers, each has what it is given': offers,
  'each choice can be read in full, and what explains two of them stands there once': choices,
  'a payslip with another figure is explained, also in a link': payslip,
  'a search for reasons that another entry ends shows none': payslipEnds,
  'no press of a button loses the focus': pressed,
  'a link shows its comparison in the first window': comparedLinks,
  'savings are compared with those at another bank': otherBank,
  'a deposit has no balance until the payment of its interest is chosen': payments,
  'a link is read as a whole, or not at all': damagedLinks,
  'a payslip has tax-free pay, and no rows of 0': payslips,
  'an entry goes on after a look into another window, and that of a program replaces it':
    otherWindow,
  [`each view is made once, in ${ROUNDS.words} rounds`]: rounds,
  [`the layout stays where it is while ${part(LOADED).length} of ${LOADED.length} views load`]:
    stable,
  'screen readers are told an answer and its comparison once': announcements,
  'an amount that is too small is asked about': questions,
  'a number without end is bounded': endless,
  'the labels of the chart stand under their bars': axes,
  'the page in one file calculates from disk': oneFile,
  [`no amount breaks at ${part(WIDTHS).length} of ${WIDTHS.length} widths`]: amounts,
  'a form beside a long answer stays in view, and can be reached to its end': besideAnswer,
  'the name of a field has its unit': names,
  'every state is visible in forced colours': forcedColours,
  'letters of twice the size neither make the page scroll sideways nor break an amount':
    largeLetters,
  'the request and its response are shown, and the document of the API': developer,
  'a payroll is calculated, its problems are named, and the result is safe to open': payroll,
  'a payroll follows what the person says, and keeps it': payrollChoices,
  'payroll files of all kinds are read, or say what to do': payrollFiles,
  'a workbook is read, also another sheet of it': payrollWorkbooks,
  'the choices about a payroll stay with its file and sheet, or with its heads': payrollState,
  'a department with a number is a sign, and a link leads to it': payrollSums,
  [`a payroll of ${ROWS} rows does not block the page, and ends when another file is chosen`]:
    longPayroll,
  'on a phone the answer stays in sight while one types': small,
  [`${part(PRINTED).length} of ${PRINTED.length} answers print on one sheet, without what cannot be used on paper`]:
    print,
  'without scripts it has the address of the service, and links to documents': withoutScripts,
  [`every control can be hit where it is drawn, in ${part(WINDOWS).length} of ${WINDOWS.length} windows`]:
    layout,
};

/**
 * Parts that follow links in one document, in this order, because a document takes as long to load as ten links to
 * follow. The first one needs a new view, and the last one replaces functions of the browser.
 */
const LINKED: readonly (readonly [language: string, fragment: string, parts: readonly Part[]])[] = [
  [
    'en',
    '#year',
    [
      ...[entries, links, developer, answers, titles, chart, comparedLinks, endless, announcements],
      ...[payslipEnds, haste, names, forcedColours, pressed],
    ],
  ],
  [
    'vi',
    '#year',
    [
      ...[taps, payments, small, amounts, largeLetters, choices, besideAnswer, offers, answers],
      ...[refusals, groups, copies, terms, axes, damagedLinks, persons, questions, whatIf],
      ...[otherBank, payslips, payslip, otherWindow],
    ],
  ],
  [
    'vi',
    '#payroll',
    [payrollChoices, payrollFiles, payrollWorkbooks, payrollState, payrollSums, payroll],
  ],
  // Groups and widths depend on the language.
  ['en', '#year', isThorough ? [groups, choices, amounts] : []],
];

test('browser: shows the page', { skip: missing, concurrency: 2 }, async (context: TestContext) => {
  built('dist/src/page/page.js');
  const { port } = new URL(String((await run(context, ['--port=0']).event('ready'))['address']));
  const base = `http://localhost:${port}/`;
  const openPage = await startBrowser(context, base);
  if (openPage === undefined) return;
  const check = async (page: Page, part: Part): Promise<void> => {
    await part({ page, base });
    assert.deepEqual(page.problems, []);
    const others = page.requests.filter(
      (url) => !/^(?:about|data|blob|file):/.test(url) && !url.startsWith(base),
    );
    assert.deepEqual(others, []);
  };
  const shared = new Set(LINKED.flatMap(([, , parts]) => parts));
  const titleOf = new Map(Object.entries(PARTS).map(([title, part]) => [part, title]));
  const linked = LINKED.filter(([, , parts]) => parts.length > 0).map(([language, start, parts]) =>
    context.test(`in one document, in ${language}, from ${start}:`, async (own: TestContext) => {
      const page = await openPage(own, false);
      await page.open(base + start, language);
      for (const part of parts) {
        await page.resize(1280, 900);
        // Another fragment than the first one of the part.
        await page.evaluate("location.hash = '#payroll'");
        await own.test(titleOf.get(part), () => check(page, part));
      }
    }),
  );
  const single = Object.entries(PARTS)
    .filter(([, part]) => !shared.has(part))
    .map(([title, part]) =>
      context.test(title, async (own: TestContext) =>
        check(await openPage(own, PAINTED.has(part)), part),
      ),
    );
  await Promise.all([...linked, ...single]);
});
