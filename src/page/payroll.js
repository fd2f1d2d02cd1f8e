import { columnsOf, delimiterOf, lineOf, rowsOf, valuesOfRow } from './csv.js';
import { button, element, facts } from './dom.js';
import { createForm } from './form.js';
import { messageOf, reasonOf } from './messages.js';
import { bodyOf, examplesOf } from './request.js';
import { AMOUNTS, calculator } from './salary.js';
import { post } from './service.js';
import { table } from './tables.js';
import { addTexts, counted, format, language, text } from './texts.js';

addTexts(`
title.payroll | Payroll from a CSV file | Tính bảng lương từ tệp CSV
about.payroll | The rows go to this service and nowhere else, and it does not keep them.
  | Các dòng chỉ được gửi đến dịch vụ này, và dịch vụ không lưu lại.
file | Choose a CSV file, or drop it here | Chọn tệp CSV hoặc thả vào đây
paste | Or paste the rows | Hoặc dán các dòng
hint.paste | The first row names the columns, such as income, dependents, region, month, insurance salary. Other
    columns stay in the result.
  | Dòng đầu là tên cột, ví dụ lương gross, số người phụ thuộc, vùng, tháng, lương đóng bảo hiểm. Các cột khác được
    giữ lại trong kết quả.
samplePayroll | name,gross salary,dependents / An,25000000,1 / Binh,"48,000,000",0
  | họ tên;lương gross;số người phụ thuộc / An;25.000.000;1 / Bình;48tr;0
defaults | For rows that do not say otherwise | Cho các dòng không ghi riêng
preview | The first rows, as they are understood | Các dòng đầu, như được hiểu
noIncome | No column is named income, gross, net or salary.
  | Không có cột nào tên là lương, lương gross, lương net hoặc thu nhập.
kept | kept | giữ nguyên
calculateRows.one | Calculate {count} row | Tính {count} dòng
calculateRows.other | Calculate {count} rows | Tính {count} dòng
progress | {done} of {count} rows | {done} trên {count} dòng
cancel | Cancel | Hủy
cancelled | Cancelled after {done} rows. | Đã hủy sau {done} dòng.
finished | {done} rows calculated. | Đã tính {done} dòng.
failures.one | {count} row has a problem | {count} dòng có lỗi
failures.other | {count} rows have a problem | {count} dòng có lỗi
row | Row {row} | Dòng {row}
total | {name}, total | Tổng {name}
download | Download the result as CSV | Tải kết quả dạng CSV
problem | Problem | Lỗi
resultFile | payroll.csv | bang-luong.csv
`);

/** Rows of one request: few enough that the page stays responsive while it reads the answers. */
const BATCH = 500;
const PREVIEWED = 5;
const LISTED_FAILURES = 100;
const NAMES = Object.keys(AMOUNTS);

const breath = () => new Promise((resolve) => setTimeout(resolve));

/** A table of salaries that is calculated in batches. */
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
    element('div.form', sourceOf(load), element('h2', text('defaults')), form.node),
    element('section.result', preview, outcome));
  return { node, stop: () => running.abort() };
}

/** A file that is chosen or dropped, or rows that are pasted. */
function sourceOf(load) {
  const take = async ([file]) => {
    if (file === undefined) return;
    area.value = '';
    load(await file.text());
  };
  const area = element('textarea', {
    id: 'rows', rows: 8, spellcheck: 'false', placeholder: text('samplePayroll'), oninput: () => load(area.value),
  });
  const file = element('input', {
    id: 'file', type: 'file', accept: '.csv,.tsv,.txt,text/csv', onchange: () => take(file.files),
  });
  const ondrop = (event) => {
    const { files } = event.dataTransfer;
    if (files.length > 0) event.preventDefault();
    take(files);
  };
  return element('div.drop', { ondragover: (event) => event.preventDefault(), ondrop },
    element('label', { for: 'file' }, text('file')), file,
    element('label', { for: 'rows' }, text('paste')), area, element('p.hint', text('hint.paste')));
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
  const heads = rows.shift() ?? [];
  return { heads, columns: columnsOf(heads), rows, delimiter };
}

function previewOf({ heads, columns, rows }, defaults, start) {
  if (rows.length === 0) return [];
  if (!columns.includes('income')) return [element('p.error', text('noIncome'))];
  const cells = (row) => {
    const values = valuesOfRow(row, columns, defaults, language);
    return columns.map((field, index) => {
      if (field === undefined) return row[index];
      return /^\d+$/.test(values[field]) ? format.count(BigInt(values[field])) : values[field];
    });
  };
  return [
    table({
      caption: text('preview'),
      heads: heads.map((head, index) => [head, element('span.how', text(columns[index] ?? 'kept'))]),
      rows: rows.slice(0, PREVIEWED).map(cells),
    }),
    button(counted('calculateRows', rows.length), start, 'solid'),
  ];
}

/** Sends the rows batch by batch, and shows how far it is, and what came of it. */
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
    const answer = await post(calculator.path, body, { signal, mediaType: 'application/x-ndjson' });
    if (answer.data) results.push(...answer.data.trimEnd().split('\n').map((line, index) => resultOf(line, values[index])));
    else failure = answer;
    bar.value = results.length;
    count.textContent = text('progress', { done: format.count(results.length), count: format.count(rows.length) });
    await breath();
  }
  if (!outcome.contains(bar)) return; // another payroll has come
  const ending = text(signal.aborted ? 'cancelled' : 'finished', { done: format.count(results.length) });
  const verdict = failure && !signal.aborted ? reasonOf(failure) : ending;
  outcome.replaceChildren(element('p.verdict', { role: 'status' }, verdict), ...summaryOf(payroll, results));
}

/** The amounts of a row, or what is wrong with it. */
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
  const totals = NAMES.map((name, index) => [text('total', { name: text(name) }),
    format.dong(results.reduce((sum, { amounts }) => sum + BigInt(amounts?.[index] ?? 0), 0n))]);
  const failures = results.flatMap(({ problem }, index) => (problem ? [{ problem, row: format.count(index + 2) }] : []));
  return [
    facts(totals),
    button(text('download'), () => download(payroll, results), 'solid'),
    ...(failures.length > 0 ? [
      element('h3', counted('failures', failures.length)),
      element('ul', failures.slice(0, LISTED_FAILURES).map(({ problem, row }) =>
        element('li', element('b', text('row', { row })), ` ${problem}`))),
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
