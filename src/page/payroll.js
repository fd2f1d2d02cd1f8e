import { columnsOf, delimiterOf, lineOf, rowsOf, valuesOfRow } from './csv.js';
import { button, element, facts } from './dom.js';
import { createForm } from './form.js';
import { messageOf, reasonOf } from './messages.js';
import { writeNumber } from './numbers.js';
import { bodyOf, examplesOf, post } from './request.js';
import { AMOUNTS, calculator } from './salary.js';
import { table } from './tables.js';
import { addTexts, counted, format, language, text } from './texts.js';

addTexts(`
title.payroll | Payroll from a CSV file | Tính bảng lương từ tệp CSV
about.payroll | The rows go to this service and nowhere else, and it does not keep them.
  | Các dòng chỉ được gửi đến dịch vụ này, và dịch vụ không lưu lại.
file | Choose a CSV file, or drop it here | Chọn tệp CSV hoặc thả vào đây
paste | Or paste the rows | Hoặc dán các dòng
hint.paste | The first row names the columns: income, dependents, region, month, insurance salary. Others are kept.
  | Dòng đầu là tên cột: lương gross, số người phụ thuộc, vùng, tháng, lương đóng bảo hiểm. Cột khác được giữ lại.
samplePayroll | name,gross salary,dependents / An,25000000,1 / Binh,"48,000,000",0
  | họ tên;lương gross;số người phụ thuộc / An;25.000.000;1 / Bình;48tr;0
defaults | For rows that do not say otherwise | Cho dòng không ghi riêng
preview | The first rows, as understood | Các dòng đầu, như được hiểu
noIncome | No column is named income, gross, net or salary.
  | Không có cột nào tên là lương, lương gross, lương net hoặc thu nhập.
kept | kept | giữ nguyên
calculateRows | Calculate {rows} | Tính {rows}
progress | {done} of {rows} | {done} trên {rows}
cancel | Cancel | Hủy
cancelled | Cancelled after {rows}. | Đã hủy sau {rows}.
finished | {rows} calculated. | Đã tính {rows}.
failures | Problems in {rows} | Lỗi ở {rows}
row | Row {row} | Dòng {row}
total | {name}, total | {name}, tổng cộng
download | Download the result as CSV | Tải kết quả dạng CSV
problem | Problem | Lỗi
resultFile | payroll.csv | bang-luong.csv
`);

/** Rows per request: the page stays responsive while it reads the answers. */
const BATCH = 500;
const PREVIEWED = 5;
const LISTED_FAILURES = 100;
const NAMES = Object.keys(AMOUNTS);

const breath = () => new Promise((resolve) => setTimeout(resolve));

export function createTool() {
  const defaults = { ...examplesOf(calculator), income: '' };
  let payroll = { heads: [], columns: [], rows: [] };
  let running = new AbortController();
  let reading;
  const preview = element('div.answer');
  const outcome = element('div.answer');
  const restart = () => {
    running.abort();
    outcome.replaceChildren();
    preview.replaceChildren(...previewOf(payroll, defaults, start));
  };
  const load = async (csv) => {
    reading = csv;
    const read = await parse(csv, () => reading !== csv);
    if (reading !== csv) return;
    payroll = read;
    if (/net/i.test(read.heads[read.columns.indexOf('income')])) defaults.type = 'net';
    form.refresh();
    restart();
  };
  const start = () => {
    running.abort();
    running = new AbortController();
    calculate(payroll, { ...defaults }, running, outcome);
  };
  const fields = calculator.fields.filter(({ name }) => ['type', 'period', 'region'].includes(name));
  const form = createForm('payroll', fields, { values: defaults, edited: restart, submitted: start });
  const node = element('div.panel.tool',
    element('div.form', sourcesOf(load), element('h2', text('defaults')), form.node),
    element('section.result', preview, outcome));
  return { node, stop: () => running.abort() };
}

/** A file, which can also be dropped on its input, or rows that are pasted. */
function sourcesOf(load) {
  const placeholder = text('samplePayroll').replaceAll(' / ', '\n');
  const area = element('textarea', { id: 'rows', rows: 8, placeholder, oninput: () => load(area.value) });
  const file = element('input', {
    id: 'file',
    type: 'file',
    accept: '.csv,.tsv,.txt,text/csv',
    async onchange() {
      area.value = '';
      load(await file.files[0]?.text() ?? '');
    },
  });
  return [element('label', { for: 'file' }, text('file')), file,
    element('label', { for: 'rows' }, text('paste')), area, element('p.hint', text('hint.paste'))];
}

async function parse(csv, isOutdated) {
  const delimiter = delimiterOf(csv);
  const rows = [];
  for (const row of rowsOf(csv, delimiter)) {
    rows.push(row);
    if (rows.length % 10_000 === 0) await breath();
    if (isOutdated()) break;
  }
  const heads = rows.shift() ?? [];
  return { heads, columns: columnsOf(heads), rows, delimiter };
}

function previewOf({ heads, columns, rows }, defaults, start) {
  if (rows.length === 0) return [];
  if (!columns.includes('income')) return [element('p.error', text('noIncome'))];
  const cells = (row) => {
    const values = valuesOfRow(row, columns, defaults, language);
    return columns.map((field, index) => (field ? writeNumber(values[field], language, true) : row[index]));
  };
  return [
    table('', text('preview'),
      heads.map((head, index) => [head, element('span.how', text(columns[index] ?? 'kept'))]),
      rows.slice(0, PREVIEWED).map(cells)),
    button(counted('calculateRows', rows.length), start, 'solid'),
  ];
}

async function calculate(payroll, defaults, running, outcome) {
  const { rows, columns } = payroll;
  const { signal } = running;
  const bar = element('progress', { max: rows.length, value: 0, 'aria-label': text('calculating') });
  const count = element('p', { role: 'status' });
  outcome.replaceChildren(bar, count, button(text('cancel'), () => running.abort()));
  const results = [];
  let failure;
  while (results.length < rows.length && !failure && !signal.aborted) {
    const values = rows.slice(results.length, results.length + BATCH)
      .map((row) => valuesOfRow(row, columns, defaults, language));
    const body = values.map((one) => bodyOf(calculator, one)).join('\n');
    const answer = await post(calculator.path, body, { signal });
    const { data, error, status, content } = answer;
    const lines = status === 200 && (data || error) ? content.trimEnd().split('\n') : [];
    results.push(...lines.map((line, index) => resultOf(line, values[index])));
    if (lines.length === 0) failure = answer;
    bar.value = results.length;
    count.textContent = counted('progress', rows.length, { done: format.count(results.length) });
    await breath();
  }
  if (!outcome.contains(bar)) return; // another payroll has come
  const ending = counted(signal.aborted ? 'cancelled' : 'finished', results.length);
  const verdict = failure && !signal.aborted ? reasonOf(failure) : ending;
  outcome.replaceChildren(element('p.verdict', { role: 'status' }, verdict), ...summaryOf(payroll, results));
}

function resultOf(line, values) {
  const { data, error } = JSON.parse(line);
  if (data) return { amounts: NAMES.map((name) => AMOUNTS[name](data)) };
  const problems = (error.details ?? []).map((problem) => {
    const field = calculator.fields.find(({ name }) => name === problem.field);
    return field ? `${text(field.name)}: ${messageOf(problem, field, values)}` : problem.message;
  });
  return { problem: problems.join(' ') || error.message };
}

function summaryOf(payroll, results) {
  const totalOf = (index) => results.reduce((sum, { amounts }) => sum + BigInt(amounts?.[index] ?? 0), 0n);
  const failures = results.map(({ problem }, index) => ({ problem, row: index + 2 })).filter(({ problem }) => problem);
  return [
    facts(NAMES.map((name, index) => [text('total', { name: text(name) }), format.dong(totalOf(index))])),
    button(text('download'), () => download(payroll, results), 'solid'),
    ...(failures.length > 0 ? [
      element('h3', counted('failures', failures.length)),
      element('ul', failures.slice(0, LISTED_FAILURES).map(({ problem, row }) =>
        element('li', element('b', text('row', { row: format.count(row) })), ` ${problem}`))),
    ] : []),
  ];
}

async function download({ heads, rows, delimiter }, results) {
  const lines = [lineOf([...heads, ...NAMES.map((name) => text(name)), text('problem')], delimiter)];
  for (const [index, { amounts = NAMES.map(() => ''), problem = '' }] of results.entries()) {
    lines.push(lineOf([...heads.map((_, column) => rows[index][column] ?? ''), ...amounts, problem], delimiter));
    if (index % 5_000 === 0) await breath();
  }
  const href = URL.createObjectURL(new Blob(['\ufeff', ...lines], { type: 'text/csv' }));
  element('a', { href, download: text('resultFile') }).click();
  setTimeout(() => URL.revokeObjectURL(href), 60_000);
}
