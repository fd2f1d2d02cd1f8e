import { columnsOf, delimiterOf, lineOf, rowsOf, valuesOfRow } from './csv.js';
import { button, element, facts } from './dom.js';
import { messageOf } from './messages.js';
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
hint.paste | The first row names the columns: gross or net salary, dependents, region, month (else this month).
  | Dòng đầu là tên cột: lương gross hoặc net, số người phụ thuộc, vùng, tháng (không có: tháng hiện tại).
samplePayroll | name,gross salary,dependents / An,25000000,1 / Binh,"48,000,000",0
  | họ tên;lương gross;số người phụ thuộc / An;25.000.000;1 / Bình;48tr;0
preview | Preview of the first rows | Xem trước các dòng đầu
noIncome | No column is named salary. | Không có cột nào tên là lương.
kept | kept | giữ nguyên
calculateRows | Calculate {rows} | Tính {rows}
cancel | Cancel | Hủy
cancelled | Cancelled, totals of {rows} | Đã hủy, tổng cộng {rows}
finished | Totals of {rows} | Tổng cộng {rows}
failures | Problems in {rows} | Lỗi ở {rows}
row | Row {row} | Dòng {row}
download | Download the result as CSV | Tải kết quả dạng CSV
problem | Problem | Lỗi
`);

/** Rows per request: the page stays responsive while it reads the answers. */
const BATCH = 500;
const PREVIEWED = 5;
const LISTED_FAILURES = 100;
const NAMES = Object.keys(AMOUNTS);

const breath = () => new Promise((resolve) => setTimeout(resolve));

export function createTool() {
  let running = new AbortController();
  const preview = element('div.answer');
  const outcome = element('div.answer');
  const restart = () => {
    running.abort();
    running = new AbortController();
    outcome.replaceChildren();
  };
  const load = async (csv) => {
    restart();
    preview.replaceChildren();
    const { signal } = running;
    const payroll = await parse(csv, signal);
    const start = () => {
      restart();
      calculate(payroll, running, outcome);
    };
    if (!signal.aborted) preview.replaceChildren(...previewOf(payroll, start));
  };
  const node = element('div.panel.tool', element('div.form', sourcesOf(load)),
    element('section.result', preview, outcome));
  return { node, stop: () => running.abort() };
}

function sourcesOf(load) {
  const placeholder = text('samplePayroll').replaceAll(' / ', '\n');
  const area = element('textarea', { id: 'rows', rows: 8, placeholder, oninput: () => load(area.value) });
  const file = element('input', {
    id: 'file', type: 'file', accept: '.csv,.tsv,.txt,text/csv',
    async onchange() {
      area.value = '';
      load(await file.files[0]?.text() ?? '');
    },
  });
  return [element('label', { for: 'file' }, text('file')), file,
    element('label', { for: 'rows' }, text('paste')), area, element('p.hint', text('hint.paste'))];
}

async function parse(csv, signal) {
  const delimiter = delimiterOf(csv);
  const rows = [];
  for (const row of rowsOf(csv, delimiter)) {
    rows.push(row);
    if (rows.length % 10_000 === 0) await breath();
    if (signal.aborted) break;
  }
  const heads = rows.shift() ?? [];
  const columns = columnsOf(heads);
  const type = /net/i.test(heads[columns.indexOf('income')]) ? 'net' : 'gross';
  return { heads, columns, rows, delimiter, defaults: { ...examplesOf(calculator), income: '', type } };
}

function previewOf({ heads, columns, rows, defaults }, start) {
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

async function calculate(payroll, running, outcome) {
  const { rows, columns, defaults } = payroll;
  const { signal } = running;
  const bar = element('progress', { max: rows.length, value: 0, 'aria-label': text('calculating') });
  outcome.replaceChildren(bar, button(text('cancel'), () => running.abort()));
  const results = [];
  let failure;
  while (results.length < rows.length && !failure && !signal.aborted) {
    const values = rows.slice(results.length, results.length + BATCH)
      .map((row) => valuesOfRow(row, columns, defaults, language));
    const body = values.map((one) => bodyOf(calculator, one)).join('\n');
    const answer = await post(calculator.path, body, { signal });
    const { data, error, status, content } = answer;
    if (status !== 200 || !(data || error)) failure = answer;
    else results.push(...content.trimEnd().split('\n').map((line, index) => resultOf(line, values[index])));
    bar.value = results.length;
    await breath();
  }
  if (!outcome.contains(bar)) return; // another payroll has come
  const ending = counted(signal.aborted ? 'cancelled' : 'finished', results.filter(({ amounts }) => amounts).length);
  const verdict = failure && !signal.aborted ? text(failure.reason, failure) : ending;
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
    facts(NAMES.map((name, index) => [name, format.dong(totalOf(index))])),
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
  element('a', { href, download: 'payroll.csv' }).click();
  setTimeout(() => URL.revokeObjectURL(href), 60_000);
}
