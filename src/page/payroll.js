import { AMOUNTS } from './amounts.js';
import { delimiterOf, columnsOf, lineOf, rowsOf, valuesOfRow } from './csv.js';
import { button, element, facts } from './dom.js';
import { createForm } from './form.js';
import { messageOf, reasonOf } from './messages.js';
import { bodyOf, examplesOf } from './request.js';
import { calculator } from './salary.js';
import { post } from './service.js';
import { table } from './tables.js';
import { addTexts, counted, format, language, text } from './texts.js';

addTexts({
  'title.payroll': ['Payroll from a CSV file', 'Tính bảng lương từ tệp CSV'],
  'about.payroll': [
    'The rows go to this service and nowhere else, and it does not keep them.',
    'Các dòng chỉ được gửi đến dịch vụ này, và dịch vụ không lưu lại.',
  ],
  file: ['Choose a CSV file, or drop it here', 'Chọn tệp CSV hoặc thả vào đây'],
  paste: ['Or paste the rows', 'Hoặc dán các dòng'],
  'hint.paste': [
    'The first row names the columns, such as income, dependents, region, month, insurance salary. Other columns stay '
    + 'in the result.',
    'Dòng đầu là tên cột, ví dụ lương gross, số người phụ thuộc, vùng, tháng, lương đóng bảo hiểm. Các cột khác được '
    + 'giữ lại trong kết quả.',
  ],
  samplePayroll: [
    'name,gross salary,dependents\nAn,25000000,1\nBinh,"48,000,000",0',
    'họ tên;lương gross;số người phụ thuộc\nAn;25.000.000;1\nBình;48tr;0',
  ],
  defaults: ['For rows that do not say otherwise', 'Cho các dòng không ghi riêng'],
  preview: ['The first rows, as they are understood', 'Các dòng đầu, như được hiểu'],
  noIncome: [
    'No column is named income, gross, net or salary.',
    'Không có cột nào tên là lương, lương gross, lương net hoặc thu nhập.',
  ],
  kept: ['kept', 'giữ nguyên'],
  'calculateRows.one': ['Calculate {count} row', 'Tính {count} dòng'],
  'calculateRows.other': ['Calculate {count} rows', 'Tính {count} dòng'],
  progress: ['{done} of {count} rows', '{done} trên {count} dòng'],
  cancel: ['Cancel', 'Hủy'],
  cancelled: ['Cancelled after {done} rows.', 'Đã hủy sau {done} dòng.'],
  finished: ['{done} rows calculated.', 'Đã tính {done} dòng.'],
  'failures.one': ['{count} row has a problem', '{count} dòng có lỗi'],
  'failures.other': ['{count} rows have a problem', '{count} dòng có lỗi'],
  row: ['Row {row}', 'Dòng {row}'],
  total: ['{name}, total', 'Tổng {name}'],
  download: ['Download the result as CSV', 'Tải kết quả dạng CSV'],
  problem: ['Problem', 'Lỗi'],
  resultFile: ['payroll.csv', 'bang-luong.csv'],
});

/** Rows of one request: few enough that the page stays responsive while it reads the answers. */
const BATCH = 500;
const PREVIEWED = 5;
const LISTED_FAILURES = 100;

const breath = () => new Promise((resolve) => setTimeout(resolve));

/** A table of salaries that is calculated in batches. */
export function createTool() {
  const defaults = { ...examplesOf(calculator), income: '' };
  const state = { heads: [], columns: [], rows: [], delimiter: ',' };
  let running = new AbortController();
  let reading = 0;
  const preview = element('div', { class: 'answer' });
  const outcome = element('div', { class: 'answer' });
  const restart = () => {
    running.abort();
    outcome.replaceChildren();
    preview.replaceChildren(...previewOf(state, defaults, start));
  };
  const load = async (csv) => {
    const turn = ++reading;
    const loaded = await parse(csv, () => turn !== reading);
    if (turn !== reading) return;
    Object.assign(state, loaded);
    if (/net/i.test(state.heads[state.columns.indexOf('income')])) defaults.type = 'net';
    form.refresh();
    restart();
  };
  const start = () => {
    running.abort();
    running = new AbortController();
    calculate(state, { ...defaults }, running, outcome);
  };
  const fields = calculator.fields.filter(({ name }) => ['type', 'period', 'region'].includes(name));
  const form = createForm('payroll', fields, { values: defaults, edited: restart, submitted: start });
  const node = element('div', { class: 'panel tool' },
    element('div', { class: 'form' }, sourceOf(load), element('h2', {}, text('defaults')), form.node),
    element('section', { class: 'result' }, preview, outcome));
  return { node, stop: () => running.abort() };
}

function sourceOf(load) {
  const area = element('textarea', { id: 'rows', rows: 8, spellcheck: 'false', placeholder: text('samplePayroll') });
  const take = async (files) => {
    if (files.length === 0) return;
    area.value = '';
    load(await files[0].text());
  };
  const file = element('input', {
    type: 'file', id: 'file', accept: '.csv,.tsv,.txt,text/csv', onchange: () => take(file.files),
  });
  area.addEventListener('input', () => load(area.value));
  const node = element('div', {
    class: 'drop',
    ondragover: (event) => event.preventDefault(),
    ondrop(event) {
      if (event.dataTransfer.files.length === 0) return;
      event.preventDefault();
      take(event.dataTransfer.files);
    },
  },
  element('label', { for: 'file' }, text('file')), file,
  element('label', { for: 'rows' }, text('paste')), area, element('p', { class: 'hint' }, text('hint.paste')));
  return node;
}

/** Reads the rows with a pause now and then; ends early where a newer text has come. */
async function parse(csv, isOutdated) {
  const delimiter = delimiterOf(csv);
  const rows = [];
  for (const row of rowsOf(csv, delimiter)) {
    rows.push(row);
    if (rows.length % 10_000 === 0) await breath();
    if (isOutdated()) break;
  }
  const [heads = []] = rows.splice(0, 1);
  return { heads, columns: columnsOf(heads), rows, delimiter };
}

function previewOf({ heads, columns, rows }, defaults, start) {
  if (rows.length === 0) return [];
  if (!columns.includes('income')) return [element('p', { class: 'error' }, text('noIncome'))];
  const shown = heads.map((head, index) => [head, columns[index] === undefined ? text('kept') : text(columns[index])]);
  const cells = (row) => columns.map((field, index) => {
    if (field === undefined) return row[index] ?? '';
    const value = valuesOfRow(row, columns, defaults, language)[field];
    return /^\d+$/.test(value) ? format.count(BigInt(value)) : value;
  });
  return [
    table({
      caption: text('preview'),
      heads: shown.map(([head, meaning]) => [head, element('span', { class: 'how' }, meaning)]),
      rows: rows.slice(0, PREVIEWED).map(cells),
    }),
    button(counted('calculateRows', rows.length), start, { class: 'solid' }),
  ];
}

/** Sends the rows batch by batch, and shows how far it is, and what came of it. */
async function calculate(state, defaults, running, outcome) {
  const { rows, columns } = state;
  const bar = element('progress', { max: rows.length, value: 0, 'aria-label': text('calculating') });
  const count = element('p', { role: 'status' });
  outcome.replaceChildren(bar, count, button(text('cancel'), () => running.abort()));
  const results = [];
  let failure;
  while (results.length < rows.length && failure === undefined && !running.signal.aborted) {
    const values = rows.slice(results.length, results.length + BATCH)
      .map((row) => valuesOfRow(row, columns, defaults, language));
    const body = values.map((one) => bodyOf(calculator, one)).join('\n');
    const options = { signal: running.signal, mediaType: 'application/x-ndjson', isText: true };
    const answer = await post(calculator.path, body, options);
    if (answer.data === undefined) failure = answer;
    else results.push(...answer.data.trimEnd().split('\n').map((line, index) => resultOf(line, values[index])));
    bar.value = results.length;
    count.textContent = text('progress', { done: format.count(results.length), count: format.count(rows.length) });
    await breath();
  }
  const isCancelled = running.signal.aborted;
  if (isCancelled && !outcome.contains(bar)) return; // another table has come
  const message = failure && !isCancelled ? reasonOf(failure)
    : text(isCancelled ? 'cancelled' : 'finished', { done: format.count(results.length) });
  outcome.replaceChildren(element('p', { role: 'status', class: 'verdict' }, message), ...summaryOf(state, results));
}

/** The amounts of a row, or what is wrong with it. */
function resultOf(line, values) {
  const { data, error } = JSON.parse(line);
  if (data) return { amounts: Object.values(AMOUNTS).map((amountOf) => amountOf(data)) };
  const problems = (error.details ?? []).map((problem) => {
    const field = calculator.fields.find(({ name }) => name === problem.field);
    return field ? `${text(field.name)}: ${messageOf(problem, field, values)}` : problem.message;
  });
  return { problem: problems.join(' ') || error.message };
}

function summaryOf(state, results) {
  const names = Object.keys(AMOUNTS);
  const totals = names.map((name, index) => [text('total', { name: text(name) }),
    format.dong(results.reduce((sum, { amounts }) => sum + BigInt(amounts?.[index] ?? 0), 0n))]);
  const failed = results.flatMap(({ problem }, index) => (problem ? [[index, problem]] : []));
  const list = failed.slice(0, LISTED_FAILURES).map(([index, problem]) =>
    element('li', {}, element('b', {}, text('row', { row: format.count(index + 2) })), ` ${problem}`));
  const save = button(text('download'), () => download(state, results), { class: 'solid' });
  return [
    facts(totals), save,
    ...(failed.length > 0 ? [element('h3', {}, counted('failures', failed.length)), element('ul', {}, list)] : []),
  ];
}

async function download({ heads, rows, delimiter }, results) {
  const names = Object.keys(AMOUNTS);
  const parts = ['\ufeff', lineOf([...heads, ...names.map((name) => text(name)), text('problem')], delimiter)];
  for (let start = 0; start < results.length; start += BATCH * 10) {
    parts.push(results.slice(start, start + BATCH * 10).map(({ amounts, problem = '' }, index) => {
      const cells = heads.map((_, column) => rows[start + index][column] ?? '');
      return lineOf([...cells, ...(amounts ?? names.map(() => '')), problem], delimiter);
    }).join(''));
    await breath();
  }
  const href = URL.createObjectURL(new Blob(parts, { type: 'text/csv' }));
  element('a', { href, download: text('resultFile') }).click();
  setTimeout(() => URL.revokeObjectURL(href), 60_000);
}
