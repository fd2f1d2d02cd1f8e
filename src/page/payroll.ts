import {
  type Columns,
  columnsOf,
  headFactsOf,
  headsAt,
  headsOf,
  inDong,
  isGroup,
  isNumbering,
  isTotal,
  monthOfTitle,
  nameIn,
  valuesOfRow,
} from './columns.ts';
import { READ } from './controls.ts';
import {
  type CsvRecord,
  decodeFile,
  type Delimiter,
  delimiterOf,
  isArchive,
  lineOf,
  recordsOf,
} from './csv.ts';
import { button, type Child, element, facts, redraw } from './dom.ts';
import { createForm } from './form.ts';
import { messageOf } from './messages.ts';
import type { View } from './panel.ts';
import { scaledUp } from './reading.ts';
import { bounded, choice, examplesOf, type Field, type Values } from './request.ts';
import { AMOUNTS, calculateSalary, calculator, detailed } from './salary.ts';
import { table } from './tables.ts';
import { addTexts, counted, format, language, text } from './texts.ts';

addTexts(`
title.payroll | Payroll from a CSV file | Tính bảng lương từ tệp CSV
about.payroll | This page calculates by itself: no salary leaves this machine.
  | Trang tự tính toán: không có dữ liệu lương nào rời khỏi máy này.
file | Choose a CSV file, or drop it here | Chọn tệp CSV hoặc thả vào đây
paste | Or paste rows from Excel | Hoặc dán dữ liệu từ Excel
hint.paste | A row of heads, such as gross or net salary, dependents, region, month. Other columns
    are kept.
  | Cần một dòng tên cột, ví dụ lương gross hoặc net, số người phụ thuộc, vùng, tháng. Các cột khác
    được giữ nguyên.
samplePayroll | name,gross salary,dependents / An,25000000,1 / Binh,"48,000,000",0
  | họ tên;lương gross;số người phụ thuộc / An;25.000.000;1 / Bình;48tr;0
emptyFile | The file is empty. Choose one with a row of heads and a row per person.
  | Tệp trống. Hãy chọn tệp có một dòng tên cột và mỗi người một dòng.
headsOnly | The file has heads and no rows. Add a row per person.
  | Tệp chỉ có tên cột. Hãy thêm mỗi người một dòng.
workbook | This is an Excel workbook. In Excel, save it as “CSV UTF-8”, and choose that file; or
    copy the cells and paste them.
  | Đây là tệp Excel. Trong Excel, hãy lưu dưới dạng “CSV UTF-8” rồi chọn tệp đó; hoặc sao chép các
    ô và dán vào đây.
fileTooBig | The file is larger than {bytes} bytes. Divide it.
  | Tệp lớn hơn {bytes} byte. Hãy chia nhỏ tệp.
wideRow | Row {row} has more than {count} columns. | Dòng {row} có hơn {count} cột.
longCell | Row {row} has a cell of more than {count} characters.
  | Dòng {row} có một ô dài hơn {count} ký tự.
unreadable | The browser cannot read this file. | Trình duyệt không đọc được tệp này.
preview | Preview of the first rows | Xem trước các dòng đầu
columnOf | Column “{head}” | Cột “{head}”
noIncome | No column of salaries was found. Choose the column that has them.
  | Không tìm thấy cột lương. Hãy chọn cột chứa tiền lương.
kept | not used | không dùng để tính
forAll | For all rows, unless a column says otherwise | Áp dụng cho mọi dòng, trừ khi có cột riêng
unit | The amounts are in | Đơn vị tiền trong tệp
unit.1 | đồng | đồng
unit.1000 | thousands of đồng | nghìn đồng
unit.1000000 | millions of đồng | triệu đồng
tooSmall | Half of the salaries are below a million đồng. Are they in another unit?
  | Một nửa số lương dưới một triệu đồng. Có phải tệp dùng đơn vị khác?
meantUnit | Yes, {unit} | Đúng, {unit}
totalsLeftOut | Left out as totals: {rows}. | Không tính dòng tổng cộng: {rows}.
rowNumbers | row {rows} | dòng {rows}
usedColumns | Columns that are used: {columns}. | Các cột dùng để tính: {columns}.
usedColumn | {head} ({field}) | {head} ({field})
nameless | column {number} | cột thứ {number}
unusedAmounts | Amounts that are not used: {heads}. Add those that are part of the salary to its
    column, unless it contains them.
  | Các cột tiền không dùng để tính: {heads}. Cột nào thuộc lương mà chưa có trong cột lương thì hãy
    cộng vào.
titleMonth | The title of the file has the month {month}, which is set below.
  | Tiêu đề của tệp ghi tháng {month}, đã được chọn bên dưới.
calculateRows | Calculate {rows} | Tính lương, {rows}
calculating | Calculating… | Đang tính…
cancel | Cancel | Hủy
cancelled | Cancelled, totals of {rows} only | Đã hủy, chỉ tổng cộng {rows}
finished | Totals of {rows} | Tổng cộng {rows}
oneOf | Write one of: {options}. | Ghi một trong các mục: {options}.
failures | Problems in {rows} | Lỗi ở {rows}
row | Row {row} | Dòng {row}
results | Results, the first {rows} | Kết quả, {rows} đầu
resultOf | Result: {name} | Kết quả: {name}
download | Download the results (opens in Excel) | Tải kết quả (mở bằng Excel)
problem | Problem | Lỗi
`);

const LARGEST_FILE = 50_000_000;
const MOST_COLUMNS = 200;
const LONGEST_CELL = 5_000;
const PREVIEWED = 5;
const LISTED = 100;
const LEAST_SALARY = 1_000_000;
/** A lower income, in đồng, of one person is refused as one in thousands or millions. */
const LEAST_INCOME = 100_000;
/** A larger amount is the number of a tax code, an identity card or an account. */
const LEAST_IDENTIFIER = 1_000_000_000;
/** A lower number, in any unit, may be that of a row or of days. */
const LEAST_COUNT = 500;
/** The rows that are searched for amounts that are not used. */
const SEARCHED = 10_000;
const NAMES = Object.keys(AMOUNTS);
const BASIS = ['period', 'region'];

/** Milliseconds of work until other events get their turn. */
const TURN = 12;

/** The rows of a file under the row of heads. */
interface Payroll {
  readonly heads: readonly string[];
  readonly all: readonly CsvRecord[];
  /** The rows of people. */
  readonly rows: readonly CsvRecord[];
  readonly totals: readonly CsvRecord[];
  readonly delimiter: Delimiter;
}

/** The result of a row: its amounts, or its problem. */
interface RowResult {
  readonly row: CsvRecord;
  /** The month and the region, which decide about the law. */
  readonly basis: readonly string[];
  readonly amounts: readonly number[];
  readonly problem: string;
}

/** Lets other events have their turn whenever the time of a turn is over. */
function createTurns(): () => Promise<void> | undefined {
  let end = performance.now() + TURN;
  return () => {
    if (performance.now() < end) return undefined;
    return new Promise((resolve) =>
      setTimeout(() => {
        end = performance.now() + TURN;
        resolve();
      }),
    );
  };
}

/** Creates the view of a payroll. */
export function createTool(): View {
  return new PayrollView();
}

class PayrollView implements View {
  readonly node: HTMLElement;
  private readonly preview = element('div.answer');
  private readonly outcome = element('div.answer');
  /** Ends the reading or calculation under way. */
  private running = new AbortController();
  private payroll: Payroll | undefined;
  private columns: (string | undefined)[] = [];
  private options: Values = {};
  private titleMonth: string | undefined;

  constructor() {
    this.node = element(
      'div.panel.tool',
      element('div.form', this.sources()),
      element('section.result', this.preview, this.outcome),
    );
  }

  hasWork(): boolean {
    return this.payroll !== undefined;
  }

  private sources(): Child[] {
    const chosen = element('p.hint');
    const area = element('textarea', {
      id: 'rows',
      rows: 8,
      placeholder: text('samplePayroll').replaceAll(' / ', '\n'),
      oninput: () => {
        chosen.textContent = '';
        void this.read(area.value);
      },
    });
    const file = element('input', {
      id: 'file',
      type: 'file',
      accept: '.csv,.tsv,.txt,text/csv',
      onchange: () => {
        const [first] = file.files ?? [];
        if (first === undefined) return;
        area.value = '';
        chosen.textContent = first.name;
        void this.open(first);
        file.value = ''; // so that the corrected file can be chosen again
      },
    });
    return [
      element('label', { for: 'file' }, text('file')),
      file,
      chosen,
      element('label', { for: 'rows' }, text('paste')),
      area,
      element('p.hint', text('hint.paste')),
    ];
  }

  /** Ends what is under way, and returns the signal of what begins. */
  private restart(): AbortSignal {
    this.running.abort();
    this.running = new AbortController();
    this.outcome.replaceChildren();
    return this.running.signal;
  }

  private refuse(message: string): void {
    this.payroll = undefined;
    this.preview.replaceChildren(element('p.error', { role: 'alert' }, message));
  }

  private async open(file: File): Promise<void> {
    const signal = this.restart();
    if (file.size > LARGEST_FILE) {
      this.refuse(text('fileTooBig', { bytes: format.count(LARGEST_FILE) }));
      return;
    }
    try {
      const bytes = new Uint8Array(await file.arrayBuffer());
      if (signal.aborted) return;
      if (isArchive(bytes) || /\.xlsx?$/i.test(file.name)) this.refuse(text('workbook'));
      else if (bytes.length === 0) this.refuse(text('emptyFile'));
      else await this.read(decodeFile(bytes));
    } catch {
      if (!signal.aborted) this.refuse(text('unreadable'));
    }
  }

  private async read(csv: string): Promise<void> {
    const signal = this.restart();
    this.payroll = undefined;
    this.preview.replaceChildren();
    const delimiter = delimiterOf(csv);
    const records: CsvRecord[] = [];
    const turn = createTurns();
    for (const record of recordsOf(csv, delimiter)) {
      const excess = excessOf(record);
      if (excess !== '') {
        this.refuse(excess);
        return;
      }
      if (record.cells.some((cell) => cell.trim() !== '')) records.push(record);
      await turn();
      if (signal.aborted) return;
    }
    if (csv.trim() === '') return;
    this.take(records, delimiter);
  }

  private take(records: readonly CsvRecord[], delimiter: Delimiter): void {
    const at = headsAt(records);
    const heads = headsOf(records, at);
    const isNumbered = isNumbering(records[at + 1]?.cells ?? []);
    const all = records.slice(isNumbered ? at + 2 : at + 1);
    if (all.length === 0) {
      this.refuse(text(records.length === 0 ? 'emptyFile' : 'headsOnly'));
      return;
    }
    this.columns = [...columnsOf(heads)];
    this.titleMonth = monthOfTitle(records.slice(0, at));
    this.options = { ...examplesOf({ fields: OPTIONS }), period: this.titleMonth ?? '' };
    this.divide({ heads, all, delimiter });
  }

  /**
   * Divides the rows into people and totals, by the columns. The head of the salaries states their
   * type, and maybe their unit.
   */
  private divide(file: Pick<Payroll, 'heads' | 'all' | 'delimiter'>): void {
    const head = file.heads[this.columns.indexOf('income')];
    if (head !== undefined) Object.assign(this.options, headFactsOf(head));
    this.payroll = { ...file, ...withoutTotals(file.all, this.columns) };
    this.showPreview(this.payroll);
  }

  private showPreview(payroll: Payroll): void {
    const { heads, rows, totals } = payroll;
    const previewed = rows.slice(0, PREVIEWED);
    const width = Math.max(heads.length, ...previewed.map(({ cells }) => cells.length));
    const columns = Array.from({ length: width }, (_, index) => [
      this.selectOf(index, payroll),
      element('span.how', heads[index]),
    ]);
    const cells = previewed.map((row) =>
      Array.from({ length: width }, (_, index) => row.cells[index] ?? ''),
    );
    const unused = element('p');
    const action = element('div.answer');
    const update = (): void => {
      const names = this.unusedAmounts(payroll);
      unused.textContent =
        names.length === 0 ? '' : text('unusedAmounts', { heads: format.list(names) });
      this.showAction(action, payroll);
    };
    const form = createForm('payroll', OPTIONS, {
      values: this.options,
      edited: update,
      submitted: update,
    });
    const used = this.usedColumns(heads);
    const isTitled = this.titleMonth !== undefined && !this.columns.includes('period');
    const numbers = format.list(totals.map(({ number }) => format.count(number)));
    redraw(
      this.preview,
      table('payroll', text('preview'), columns, cells),
      totals.length > 0
        && element('p', text('totalsLeftOut', { rows: text('rowNumbers', { rows: numbers }) })),
      used.length > 0 && element('p', text('usedColumns', { columns: format.list(used) })),
      unused,
      isTitled && element('p', text('titleMonth', { month: format.month(this.titleMonth ?? '') })),
      element('h2', text('forAll')),
      form.node,
      action,
    );
    update();
  }

  /** The heads of the columns that are used, and their fields. */
  private usedColumns(heads: readonly string[]): string[] {
    return calculator.fields.flatMap(({ name, label = name }) => {
      const index = this.columns.indexOf(name);
      const head = nameOfColumn(heads, index);
      const field = text(label);
      if (index === -1) return [];
      return head === field ? [head] : [text('usedColumn', { head, field })];
    });
  }

  /** The heads of the columns with amounts that no field uses. */
  private unusedAmounts({ heads, rows }: Payroll): string[] {
    const least = Math.max(LEAST_INCOME / Number(this.options['unit']), LEAST_COUNT);
    const isAmount = (cell = ''): boolean => {
      const amount = /^[1-9]/.test(cell) ? Number(READ.amount(bounded(cell), language)) : 0;
      return amount >= least && amount < LEAST_IDENTIFIER;
    };
    const searched = rows.slice(0, SEARCHED);
    const width = Math.max(heads.length, ...searched.map(({ cells }) => cells.length));
    return Array.from({ length: width }, (_, index) => index)
      .filter(
        (index) =>
          this.columns[index] === undefined
          && searched.some(({ cells }) => isAmount(cells[index]?.trim())),
      )
      .map((index) => nameOfColumn(heads, index));
  }

  /** The choice of the field of a column. */
  private selectOf(index: number, payroll: Payroll): HTMLElement {
    const option = (value: string, label: string): HTMLOptionElement =>
      element('option', { value, selected: (this.columns[index] ?? '') === value && '' }, label);
    const select = element(
      'select',
      {
        'aria-label': text('columnOf', { head: payroll.heads[index] ?? '' }),
        onchange: () => {
          const field = select.value === '' ? undefined : select.value;
          const before = field === undefined ? -1 : this.columns.indexOf(field);
          if (before !== -1) this.columns[before] = undefined;
          this.columns[index] = field;
          this.divide(payroll);
        },
      },
      option('', text('kept')),
      calculator.fields.map(({ name, label = name }) => option(name, text(label))),
    );
    return select;
  }

  /** The button that calculates, or what must be decided before. */
  private showAction(action: HTMLElement, payroll: Payroll): void {
    this.restart();
    if (!this.columns.includes('income')) {
      action.replaceChildren(element('p.error', text('noIncome')));
      return;
    }
    const meant = this.meantUnit(payroll);
    if (meant !== undefined) {
      const answer = button(
        text('meantUnit', { unit: text(`unit.${meant}`) }),
        () => {
          this.options['unit'] = meant;
          this.showPreview(payroll);
        },
        'solid',
      );
      action.replaceChildren(element('p.error', text('tooSmall')), answer);
      return;
    }
    const start = (): void => void this.calculate(payroll);
    action.replaceChildren(button(counted('calculateRows', payroll.rows.length), start, 'solid'));
  }

  /** The larger unit in which half of the salaries are at least a million đồng. */
  private meantUnit({ rows }: Payroll): string | undefined {
    const incomes = rows
      .slice(0, 1_000)
      .map(({ cells }) => Number(this.valuesOf(cells)['income']))
      .filter((income) => income > 0)
      .sort((one, other) => one - other);
    const median = incomes[Math.floor(incomes.length / 2)];
    if (median === undefined || median >= LEAST_SALARY) return undefined;
    const unit = Number(this.options['unit']);
    return ['1000', '1000000'].find((larger) => (median / unit) * Number(larger) >= LEAST_SALARY);
  }

  private valuesOf(cells: readonly string[]): Values {
    const { unit = '1', ...defaults } = this.options;
    const values = valuesOfRow(cells, this.columns, { ...DEFAULTS, ...defaults }, language);
    for (const { name, kind } of calculator.fields) {
      const value = values[name] ?? '';
      const isGiven = this.columns.includes(name);
      if (kind === 'amount' && isGiven) values[name] = inDong(value, unit);
    }
    return values;
  }

  private async calculate(payroll: Payroll): Promise<void> {
    const signal = this.restart();
    const { rows } = payroll;
    const bar = element('progress', {
      max: rows.length,
      value: 0,
      'aria-label': text('calculating'),
    });
    const cancel = (): void => this.running.abort();
    this.outcome.replaceChildren(bar, button(text('cancel'), cancel));
    const results: RowResult[] = [];
    const turn = createTurns();
    for (const row of rows) {
      results.push(this.resultOf(row, payroll));
      const next = turn();
      if (next === undefined) continue;
      bar.value = results.length;
      await next;
      if (signal.aborted) break;
    }
    if (!this.outcome.contains(bar)) return; // another calculation has begun
    const count = results.filter(({ problem }) => problem === '').length;
    const ending = counted(signal.aborted ? 'cancelled' : 'finished', count);
    redraw(
      this.outcome,
      element('p.verdict', { role: 'status' }, ending),
      this.summaryOf(payroll, results, signal.aborted),
    );
  }

  private resultOf(row: CsvRecord, payroll: Payroll): RowResult {
    const refused = (problem: string): RowResult => ({ row, basis: [], amounts: [], problem });
    const values = this.valuesOf(row.cells);
    const meant = scaledUp(values['income'] ?? '', LEAST_INCOME);
    if (meant !== undefined) {
      const question = text('meant', { amount: format.dong(BigInt(meant)) });
      const cell = this.cellOf({ name: 'income' }, row, payroll);
      return refused(`${cell}: ${question}`);
    }
    const outcome = calculateSalary(values);
    if (outcome.kind === 'result') {
      const data = detailed(outcome.data);
      const amounts = Object.values(AMOUNTS).map((amountOf) => amountOf(data));
      const basis = [data.detail.period, values['region'] ?? ''];
      return { row, basis, amounts, problem: '' };
    }
    const problems = outcome.problems.map((problem) => {
      const field = calculator.fields.find(({ name }) => name === problem.field);
      if (field === undefined) return problem.message;
      const { name, kind, options = [] } = field;
      const labels = options.map((option) => text(`${name}.${option}`) || text(option));
      const message =
        kind === 'choice'
          ? text('oneOf', { options: labels.join('; ') })
          : messageOf(problem, field, values);
      return `${this.cellOf(field, row, payroll)}: ${message}`;
    });
    return refused(problems.join(' '));
  }

  /** The head of a field in the file, and the cell as it is written there. */
  private cellOf(
    { name, label = name }: Pick<Field, 'name' | 'label'>,
    row: CsvRecord,
    { heads }: Payroll,
  ): string {
    const index = this.columns.indexOf(name);
    const head = heads[index] ?? text(label);
    const cell = row.cells[index] ?? '';
    return cell.trim() === '' ? head : `${head} «${cell.trim().slice(0, 40)}»`;
  }

  private summaryOf(payroll: Payroll, results: readonly RowResult[], isPart: boolean): Child[] {
    const nameOf = ({ cells }: CsvRecord): string => nameIn(cells, payroll.heads, this.columns);
    const totals = NAMES.map((_, index) =>
      results.reduce((sum, { amounts }) => sum + BigInt(amounts[index] ?? 0), 0n),
    );
    const failures = results.filter(({ problem }) => problem !== '');
    const listed = results
      .slice(0, LISTED)
      .map(({ row, amounts, problem }) => [
        nameOf(row) || format.count(row.number),
        ...(problem === '' ? amounts.map(format.count) : NAMES.map(() => '–')),
      ]);
    const heads = ['', ...NAMES];
    return [
      facts(
        totals.map((total, index) => ({
          name: text(NAMES[index] ?? ''),
          value: format.dong(total),
        })),
      ),
      !isPart && button(text('download'), () => void download(payroll, results), 'solid'),
      failures.length > 0 && element('h2', counted('failures', failures.length)),
      failures.length > 0
        && element(
          'ul',
          failures
            .slice(0, LISTED)
            .map(({ row, problem }) =>
              element(
                'li',
                element('b', text('row', { row: format.count(row.number) })),
                `, ${[nameOf(row), problem].filter(Boolean).join(', ')}`,
              ),
            ),
        ),
      table('results', counted('results', listed.length), heads, listed),
    ];
  }
}

/** The options of a file, for rows whose columns do not state them. */
const OPTIONS: readonly Field[] = [
  choice('type', ['gross', 'net', 'cost']),
  { name: 'period', kind: 'month' },
  choice('region', ['1', '2', '3', '4'], { isExplained: true }),
  { name: 'dependents', kind: 'integer', initial: '0', range: [0, 50] },
  choice('unit', ['1', '1000', '1000000'], { columns: 1 }),
];

const DEFAULTS: Values = { ...examplesOf(calculator), income: '' };

/** The head of a column, in one line, or its number. */
function nameOfColumn(heads: readonly string[], index: number): string {
  const head = (heads[index] ?? '').replace(/\s+/g, ' ').trim();
  return head === '' ? text('nameless', { number: index + 1 }) : head;
}

/** The reason to refuse a row that is too large to work with, or ''. */
function excessOf({ number, cells }: CsvRecord): string {
  const row = format.count(number);
  if (cells.length > MOST_COLUMNS) {
    return text('wideRow', { row, count: format.count(MOST_COLUMNS) });
  }
  const isLong = cells.some((cell) => cell.length > LONGEST_CELL);
  return isLong ? text('longCell', { row, count: format.count(LONGEST_CELL) }) : '';
}

/** Separates the rows of totals from the rows of people. */
function withoutTotals(
  all: readonly CsvRecord[],
  columns: Columns,
): Pick<Payroll, 'rows' | 'totals'> {
  const rows: CsvRecord[] = [];
  const totals: CsvRecord[] = [];
  const at = columns.indexOf('income');
  let sum = 0;
  const incomeOf = ({ cells }: CsvRecord): number =>
    Number(READ.amount(bounded(cells[at] ?? ''), language)) || 0;
  const sumBelow = (index: number): number => {
    let below = 0;
    for (let next = index + 1; next < all.length; next += 1) {
      const row = all[next];
      const isEnd =
        row === undefined || isGroup(row.cells, columns) || isTotal(row.cells, columns, below);
      if (isEnd) break;
      below += incomeOf(row);
    }
    return below;
  };
  const isGroupTotal = (row: CsvRecord, index: number): boolean =>
    isGroup(row.cells, columns) && incomeOf(row) > 0 && incomeOf(row) === sumBelow(index);
  for (const [index, row] of all.entries()) {
    if (isTotal(row.cells, columns, sum) || isGroupTotal(row, index)) {
      totals.push(row);
    } else {
      rows.push(row);
      sum += incomeOf(row);
    }
  }
  return { rows, totals };
}

async function download(
  { heads, delimiter }: Payroll,
  results: readonly RowResult[],
): Promise<void> {
  const turn = createTurns();
  // A file with tabs does not open in columns.
  const separator = delimiter === '\t' ? SEPARATOR_OF_FILES : delimiter;
  const resultHeads = [...BASIS, ...NAMES].map((name) => text('resultOf', { name: text(name) }));
  const lines = [lineOf([...heads, ...resultHeads, text('problem')], separator)];
  for (const { row, basis, amounts, problem } of results) {
    const cells = heads.map((_, column) => row.cells[column] ?? '');
    const added = [
      ...BASIS.map((_, index) => basis[index] ?? ''),
      ...NAMES.map((_, index) => amounts[index] ?? ''),
    ];
    lines.push(lineOf([...cells, ...added, problem], separator));
    await turn();
  }
  const href = URL.createObjectURL(new Blob(['\ufeff', ...lines], { type: 'text/csv' }));
  element('a', { href, download: 'payroll.csv' }).click();
  setTimeout(() => URL.revokeObjectURL(href), 60_000);
}

/** The list separator of Excel in the language of the page. */
const SEPARATOR_OF_FILES: Delimiter = language === 'vi' ? ';' : ',';
