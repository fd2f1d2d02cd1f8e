/* The view of a payroll: the file, what its columns are, and the result, which follows every choice. */
import { announce, append, button, type Child, element, redraw } from '../frame/dom.ts';
import { type FieldRow, selectOf } from '../frame/controls.ts';
import { phrasesOf } from '../frame/form.ts';
import type { View } from '../frame/panel.ts';
import { examplesOf, type Field } from '../frame/request.ts';
import { reviewHint } from '../salary/salary.ts';
import { writeMonth } from '../frame/numbers.ts';
import { table } from '../frame/tables.ts';
import { counted } from '../frame/counts.ts';
import { addTexts, format, text } from '../frame/texts.ts';
import { COMMON, createCommon } from './common.ts';
import { type CsvRecord, decodeFile, recordsOf } from './csv.ts';
import { createList, type List } from './list.ts';
import {
  type Column,
  columnsIn,
  isUnnumbered,
  isWorded,
  type Mapping,
  meaningKey,
  meaningsOf,
  missingIn,
  SALARY,
  UNDECIDED,
  usesBy,
} from './mapping.ts';
import { MOST_TEXTS, NAMES, type PayrollResult, outcomeOf, sheetsOf } from './results.ts';
import { type Reading, readerOf } from './rows.ts';
import {
  isFilled,
  labelOf,
  likelySalaries,
  monthsIn,
  SALARIES,
  type Sheet,
  sheetIn,
  shortOf,
  TAX_FREE,
  cellsOf,
  fieldNamesOf,
  unitIn,
  USES,
} from './sheet.ts';
import { inTurns } from '../frame/turns.ts';
import { type WrittenSheet, writeWorkbook } from './workbook-writer.ts';

addTexts(`
title.payroll | Payroll from an Excel or CSV file | Tính bảng lương từ tệp Excel hoặc CSV
about.payroll | This page calculates by itself: no salary leaves this machine.
  | Trang tự tính toán: không có dữ liệu lương nào rời khỏi máy này.
stage.file | The file | Tệp
stage.mapping | Month and columns | Tháng và các cột
stage.result | Result | Kết quả
file | Choose an Excel or CSV file, or drop it here | Chọn tệp Excel hoặc CSV, hoặc thả vào đây
sheet | Sheet | Trang tính
paste | Or paste rows from Excel | Hoặc dán dữ liệu từ Excel
tryExample | Try an example | Thử với một ví dụ
template | Download the template | Tải tệp mẫu
hint.paste | One row per person, under a row of column names, which the template lists. Other
    columns are kept.
  | Dòng đầu là tên cột, có trong tệp mẫu; mỗi người một dòng. Các cột khác được giữ nguyên.
columnNames | Column names recognised | Tên cột tự nhận biết
workbook | This is neither CSV nor a whole .xlsx workbook without a password. If Excel opens it,
    save it there as .xlsx, and choose that file; or copy the cells and paste them.
  | Đây không phải tệp CSV hay tệp .xlsx nguyên vẹn, không mật khẩu. Nếu Excel mở được tệp, hãy lưu
    dưới dạng .xlsx rồi chọn tệp đó; hoặc sao chép các ô và dán vào đây.
encoding | The file is not in UTF-8. Compare the names below: if letters are wrong, save the file as
    .xlsx, or copy the cells and paste them.
  | Tệp không theo mã UTF-8. Hãy xem họ tên bên dưới: nếu sai chữ, hãy lưu tệp dưới dạng
    .xlsx, hoặc sao chép các ô và dán vào đây.
fileTooBig | The file is larger than {bytes} bytes. Divide it.
  | Tệp lớn hơn {bytes} byte. Hãy chia nhỏ tệp.
unreadable | The browser cannot read this file. | Trình duyệt không đọc được tệp này.
forAll | For all rows, unless a column says otherwise | Áp dụng cho mọi dòng, trừ khi có cột riêng
preview | What each column is | Mỗi cột là gì
head | Column | Cột
cellsOf | In the file | Trong tệp
use | Used as | Dùng làm
use. | not used | không dùng
columnOf | Column “{head}” | Cột “{head}”
nameless | column {number} | cột thứ {number}
choose | choose… | hãy chọn…
means | “{cell}” means | “{cell}” nghĩa là
blank | (empty) | (để trống)
manyTexts | The column has more than {count} different texts. Is it the right column?
  | Cột có hơn {count} giá trị khác nhau. Có chọn nhầm cột không?
missing | Choose | Hãy chọn
missing.period | the salary month | tháng tính lương
missing.decimal | how decimals are written | cách viết phần thập phân
missing.column-0 | the column of the salary | cột lương
missing.likely | whether “{head}” is gross, net or cost | “{head}” là lương gross, net hay chi phí
calculating | Reading and calculating… | Đang đọc và tính…
finished | Totals of {rows} calculated | Tổng của {rows} đã tính
partial | , without {rows} to be corrected | , chưa gồm {rows} cần sửa
unnumbered | No column is the number or code of people, so that every row with an amount counts as a
    person. Look for sums and notes in the list below.
  | Không có cột STT hoặc mã, nên mọi dòng có số tiền đều được tính là một người. Hãy tìm dòng cộng
    và ghi chú trong danh sách bên dưới.
sumRows | {rows}: the amount is the sum of the rows directly below or above. Departments?
  | {rows} có số tiền bằng tổng của các dòng ngay dưới hoặc trên: phòng ban?
includeHidden | Calculate {rows} that Excel hides | Tính cả {rows} bị ẩn
zeros | {rows}: a formula gives 0 as an amount. If that is wrong, open the file in Excel, save it,
    and choose it again.
  | {rows}: công thức cho số tiền bằng 0. Nếu sai, hãy mở tệp bằng Excel, lưu lại rồi chọn lại.
titled | The title of the table names another month: {months}.
  | Tiêu đề bảng ghi tháng khác: {months}.
hiddenColumns | Columns that Excel hides are used: {heads}.
  | Có dùng cột bị ẩn trong Excel: {heads}.
leftOut | Not calculated | Không tính
sign | {rows}: {why} | {rows}: {why}
unused | Columns not used | Các cột không dùng
assumed.inside | {part} within {salary} | {part} nằm trong {salary}
assumed.insured | insured on the gross salary without its tax-free part
  | đóng bảo hiểm theo lương gross trừ phần miễn thuế
download | Download the results (Excel) | Tải kết quả (Excel)
samplePayroll | No.,Name,Gross salary,Dependents,Type of worker,Tax-free part of the salary
    / 1,Nguyen An,"65,000,000",2,"Vietnamese employee, labour contract of 3 months or
    more","1,200,000"
    / 2,Tran Binh,"28,500,000",1,"Vietnamese employee, labour contract of 3 months or
    more","1,200,000"
    / 3,Le Chi,"18,000,000",,"Freelancer, service contract, intern, or labour contract under a
    month",
    / ,Total,"111,500,000",3,,"2,400,000"
  | STT;Họ tên;Lương gross;Số người phụ thuộc;Loại lao động;Phần lương miễn thuế
    / 1;Nguyễn Văn An;65.000.000;2;Nhân viên, HĐLĐ từ 3 tháng;1.200.000
    / 2;Trần Thị Bình;28.500.000;1;Nhân viên, HĐLĐ từ 3 tháng;1.200.000
    / 3;Lê Văn Chi;18.000.000;;Cộng tác viên, hợp đồng dịch vụ, thực tập, HĐLĐ dưới 1 tháng;
    / ;Tổng cộng;111.500.000;3;;2.400.000
`);

const LARGEST_FILE = 50_000_000;
/** The first bytes of a ZIP archive, which a workbook is. */
const ARCHIVE = '80,75,3,4';
/** The most texts of a column that are shown. */
const PREVIEWED = 4;

/** The field of the use of a column. */
const USE: Field = { name: 'use', kind: 'choice', options: ['', ...USES] };

/** A workbook to be filled in, and the names that its columns may have. */
const TEMPLATE: [WrittenSheet, WrittenSheet] = [
  {
    name: text('people'),
    rows: [['number', 'name', 'gross', 'dependents', 'who', 'exempt_income'].map(labelOf)],
  },
  {
    name: text('columnNames'),
    rows: USES.map((use) => [labelOf(use), ...text(`exact.${use}`).split('; ')]),
  },
];

/**
 * The payroll of a file. Its state goes with the first of these that changes:
 *
 * | of the               | state                                                                         |
 * |----------------------|-------------------------------------------------------------------------------|
 * | file                 | the choice of sheets                                                          |
 * | file and sheet       | the values for all rows, the meanings of empty cells, boxes                   |
 * | heads of the columns | chosen uses, the meanings of texts                                            |
 * | rows                 | table, uses by exact names, readings, texts of the columns, notice, result    |
 */
export class PayrollView implements View {
  readonly node: HTMLElement;
  private readonly setup = element('div.answer', { hidden: '' });
  /** What may be wrong with all of the file. */
  private readonly notice = element('p.error');
  /** The values for all rows, and the columns. */
  private readonly common = element('div');
  private readonly columns = element('div');
  /** The choice of a sheet of a workbook. */
  private readonly sheets = element('div');
  private readonly outcome = element('div.answer');
  private readonly rows = element('div');
  /** Ends the reading or calculation under way. */
  private running = new AbortController();
  /** The file, and the sheet of a workbook. */
  private source = '';
  private sheet: Sheet | undefined;
  private mapping: Mapping = { uses: [], meanings: {}, common: {} };
  /** The uses that the person has chosen, the latest last. */
  private chosen = new Map<number, string>();
  private checks = new Map<string, boolean>();
  /** The different texts of each column in the rows that count. */
  private texts: PayrollResult['texts'] = [];
  private readings: Reading[] = [];
  private list: List | undefined;
  /** The texts with a meaning that are drawn; '' before the columns are drawn. */
  private drawn = '';

  constructor() {
    const stage = (name: string, ...content: readonly Child[]): Child =>
      element(`li.${name}`, element('h2', text(`stage.${name}`)), content);
    this.node = element(
      'ol.stages',
      stage('file', this.sources()),
      stage('mapping', this.setup),
      stage('result', this.outcome, this.rows),
    );
    append(this.setup, [this.notice, element('h3', text('forAll')), this.common, this.columns]);
  }

  hasWork(): boolean {
    return !this.setup.hidden;
  }

  /** The zone for a file, and the area for pasted rows. */
  private sources(): Child[] {
    const name = element('b');
    let pastes = 0;
    const oninput = (event?: Event): void => {
      name.textContent = '';
      this.sheets.replaceChildren();
      pastes += Number(/^insertFrom/.test((event as InputEvent)?.inputType));
      void this.read(recordsOf(area.value), `${pastes}`);
    };
    const area: HTMLTextAreaElement = element('textarea', { id: 'rows', rows: 5, oninput });
    const onchange = (): void => {
      const [file] = input.files ?? [];
      if (file === undefined) return;
      area.value = '';
      name.textContent = file.name;
      void this.open(file);
      input.value = ''; // so that the corrected file can be chosen again
    };
    const input: HTMLInputElement = element('input', {
      id: 'file',
      type: 'file',
      accept: '.xlsx,.xlsm,.csv,.tsv,.txt,text/csv',
      onchange,
    });
    const tryExample = (): void => {
      area.value = text('samplePayroll').replaceAll(' / ', '\n');
      oninput();
    };
    return [
      element('label.drop', text('file'), name, input),
      this.sheets,
      element('label', { for: 'rows' }, text('paste')),
      area,
      element('p.hint', text('hint.paste')),
      element(
        'div.head',
        button(text('template'), () => this.save('template.xlsx', TEMPLATE)),
        button(text('tryExample'), tryExample),
      ),
    ];
  }

  /** Ends the reading or calculation under way, and returns the signal of the next one. */
  private restart(): AbortSignal {
    this.running.abort();
    this.running = new AbortController();
    return this.running.signal;
  }

  /** Shows a reason in place of the columns and the result, which another text may bring back. */
  private refuse(message: string): void {
    this.setup.hidden = true;
    this.clear();
    this.outcome.append(element('p.error', { role: 'alert' }, message));
  }

  private clear(): void {
    this.outcome.replaceChildren();
    this.rows.replaceChildren();
  }

  private async open(file: File): Promise<void> {
    const signal = this.restart();
    this.sheets.replaceChildren();
    if (file.size > LARGEST_FILE) {
      return this.refuse(text('fileTooBig', { bytes: format.count(LARGEST_FILE) }));
    }
    const bytes = await file.arrayBuffer().then(
      (buffer) => new Uint8Array(buffer),
      () => undefined,
    );
    if (signal.aborted) return;
    if (bytes === undefined) return this.refuse(text('unreadable'));
    if (String(bytes.subarray(0, 4)) === ARCHIVE) return this.openWorkbook(bytes, file.name);
    const decoded = decodeFile(bytes);
    if (decoded === undefined) return this.refuse(text('workbook'));
    return this.read(recordsOf(decoded.csv), file.name, decoded.isUnicode ? '' : 'encoding');
  }

  /** Reads a sheet of a workbook, by default the one that was open when it was saved. */
  private async openWorkbook(
    bytes: Uint8Array<ArrayBuffer>,
    file: string,
    index?: number,
  ): Promise<void> {
    const signal = this.restart();
    this.clear();
    const { readWorkbook } = await import('./workbook-reader.ts');
    const found = await readWorkbook(bytes, index, signal, this.progress(bytes.length));
    if (found === undefined || signal.aborted) return;
    if (typeof found === 'string') return this.refuse(text(found));
    const onchange = (): unknown => this.openWorkbook(bytes, file, select.selectedIndex);
    const options = found.names.map((name) => element('option', name));
    const select = element('select', { onchange }, options);
    select.selectedIndex = found.index;
    redraw(this.sheets, options.length > 1 && element('label', text('sheet'), ' ', select));
    const { records, hidden } = found;
    if (typeof records === 'string') return this.refuse(text(records));
    const source = `${file} ${found.names[found.index]}`;
    return this.read(records, source, found.isStale ? 'uncalculated' : '', hidden);
  }

  /** Reads the rows of a file and sheet, with the key of a text about them, and the columns that Excel hides. */
  private async read(
    records: Iterable<CsvRecord>,
    source: string,
    notice = '',
    hidden: readonly number[] = [],
  ): Promise<void> {
    const signal = this.restart();
    this.clear();
    const found = await inTurns(sheetIn(records, hidden), signal);
    if (found === undefined) return;
    if (typeof found === 'string') return this.refuse(found);
    this.notice.textContent = notice && text(notice);
    this.take(found, source);
  }

  /** Takes a table. The choices that belong to its file and sheet, or to its heads, stay if these do. */
  private take(sheet: Sheet, source: string): void {
    const isNew = String(this.sheet?.heads) !== String(sheet.heads);
    if (isNew) this.chosen = new Map();
    if (isNew || source !== this.source) {
      const common = {
        ...examplesOf(COMMON),
        isTyped: String(sheet.isTyped),
        unit: unitIn(sheet),
      };
      const meant = Object.entries(isNew ? {} : this.mapping.meanings);
      const meanings = Object.fromEntries(meant.filter(([key]) => !key.endsWith(' ')));
      this.mapping = { uses: [], meanings, common };
      this.checks = new Map();
      this.texts = [];
      this.common.replaceChildren(createCommon(common, () => this.renew()));
    }
    this.source = source;
    this.sheet = sheet;
    this.setup.hidden = false;
    this.renew();
  }

  /** Shows the columns, their uses, and their texts that have a meaning, unless these are drawn. */
  private showColumns(sheet: Sheet): void {
    const columns = columnsIn(sheet, this.mapping);
    const words = sheet.heads.map((_, at) =>
      columns.filter(({ index }) => index === at).flatMap((one) => this.wordsOf(one)),
    );
    const drawn = JSON.stringify(words);
    if (drawn === this.drawn) return;
    this.drawn = drawn;
    const rows = words.map((own, at) => {
      const isMany = own.length > MOST_TEXTS && text('manyTexts', { count: MOST_TEXTS });
      const meanings = own.map((word) =>
        element('label', text('means', { cell: word.label }), ' ', selectOf(word).content),
      );
      const use = this.useOf(headAt(sheet, at), at);
      const sample = cellsOf(sheet, at).slice(0, PREVIEWED).join(' · ');
      return [headAt(sheet, at), sample, [use, isMany && element('p.error', isMany), meanings]];
    });
    redraw(this.columns, table('payroll', text('preview'), ['head', 'cellsOf', 'use'], rows));
  }

  /** Creates the choice of the use of a column. */
  private useOf(head: string, index: number): Node {
    return selectOf({
      id: `payroll-column-${index}`,
      field: USE,
      label: text('columnOf', { head }),
      value: () => this.mapping.uses[index] ?? '',
      change: (use) => {
        this.chosen.delete(index);
        this.chosen.set(index, use);
        this.renew();
      },
    }).content;
  }

  /** The texts of a column that have a meaning. */
  private wordsOf({ index, field, meaningOf }: Column): FieldRow[] {
    const cells = [...(this.texts[index] ?? [])].filter((cell) => isWorded(field, cell));
    const words = new Map(cells.map((cell) => [meaningKey(index, field.name, cell), cell]));
    const options = [UNDECIDED, ...meaningsOf(field)];
    return [...words].map(([key, cell]) => ({
      id: `payroll-${key}`,
      field: { ...field, kind: 'choice', options },
      label: cell.slice(0, 100) || text('blank'),
      value: () => meaningOf(cell) ?? UNDECIDED,
      change: (chosen) => {
        this.mapping.meanings[key] = chosen;
        this.renew();
      },
    }));
  }

  /** Takes choices about columns, their texts or all rows, which are then read again. */
  private renew(): void {
    const uses = this.sheet ? usesBy(this.sheet, this.chosen) : [];
    this.mapping = { ...this.mapping, uses };
    this.readings = [];
    this.drawn = '';
    this.clear();
    void this.update();
  }

  private async update(): Promise<void> {
    const outcome = await this.calculate();
    if (outcome === undefined) return;
    this.list = createList(outcome, (key, isIn) => {
      this.checks.set(key, isIn);
      return this.calculate();
    });
    this.rows.replaceChildren(this.list.node);
  }

  /** Reads, judges and calculates the rows; then shows the sums, unless a choice is missing. */
  private async calculate(): Promise<PayrollResult | undefined> {
    const signal = this.restart();
    const { sheet } = this;
    if (sheet === undefined) return undefined;
    this.showColumns(sheet);
    const missing = missingIn(this.mapping);
    const isComplete = missing.length === 0;
    if (!isComplete) this.ask(sheet, missing);
    const waits = isComplete ? this.progress(sheet.rows.length) : undefined;
    const outcome = await inTurns(this.work(sheet), signal, waits);
    if (outcome === undefined) return undefined;
    this.texts = outcome.texts;
    this.showColumns(sheet);
    if (!isComplete) return undefined;
    this.showSummary(sheet, outcome);
    return outcome;
  }

  /** Reads and calculates the rows, one per step. They are read anew after a choice about columns or all rows. */
  private *work(sheet: Sheet): Generator<number, PayrollResult> {
    const { mapping, readings, checks } = this;
    const read = readerOf(sheet, mapping);
    for (const row of sheet.rows.slice(readings.length)) {
      readings.push(read(row));
      yield 0;
    }
    return yield* outcomeOf(sheet, mapping, readings, checks);
  }

  /** Lists the missing choices, with a link to each control; for the salary, one to each likely column. */
  private ask(sheet: Sheet, missing: readonly string[]): void {
    const likely = likelySalaries(sheet, this.mapping.uses).map((index) => ({
      label: text('missing.likely', { head: headAt(sheet, index) }),
      name: `column-${index}`,
    }));
    const asked = missing.flatMap((name) => {
      const one = { label: text(`missing.${name}`), name };
      return name === SALARY && likely.length > 0 ? likely : one;
    });
    const links = asked.flatMap(({ label, name }, index) => {
      const control = `#payroll-${name}, [name=payroll-${name}]`;
      const focus = (): void => document.querySelector<HTMLElement>(control)?.focus();
      return [index > 0 && ', ', button(label, focus, 'inline')];
    });
    redraw(this.outcome, element('p', text('missing'), ' ', links));
  }

  /** Shows the progress when a turn ends. */
  private progress(max: number): (done: number) => void {
    const bar = element('progress', { max, value: 0, 'aria-label': text('calculating') });
    return (done) => {
      bar.value = done;
      if (!bar.isConnected) this.outcome.replaceChildren(bar);
    };
  }

  private showSummary(sheet: Sheet, outcome: PayrollResult): void {
    const { totals, latest, lines, counts } = outcome;
    const refused = counts.get('refused') ?? 0;
    const ending =
      counted('finished', counts.get('') ?? 0) + (refused > 0 ? counted('partial', refused) : '');
    announce(ending);
    const sums = totals.map((total, index) =>
      element('div', element('dt', NAMES[index]), element('dd', format.dong(total))),
    );
    const save = (): unknown => this.save('payroll.xlsx', sheetsOf(sheet, this.mapping, lines));
    redraw(
      this.outcome,
      element('p.verdict', ending),
      this.signs(sheet, outcome),
      element('p.hint', assumedIn(sheet, this.mapping)),
      reviewHint(latest),
      element('dl.facts', sums),
      button(text('download'), save, 'solid'),
    );
  }

  /** What may make a sum wrong: rows and columns that do not count, and what no column states. */
  private signs(sheet: Sheet, { counts, zeros, sums, lines }: PayrollResult): Child {
    const { uses, common } = this.mapping;
    const rows = [...counts].flatMap(([kind, count]) =>
      kind === '' ? [] : counted('sign', count, { why: text(`reason.${kind}`) }),
    );
    const unused = uses.flatMap((use, index) => {
      const found = [...(this.texts[index] ?? [])].filter(isFilled).slice(0, PREVIEWED);
      const shown = `${headAt(sheet, index)}: ${found.map(shortOf).join(' · ')}`;
      return use === '' && found.length > 0 ? shown : [];
    });
    const toSum = (): void => this.list?.show(lines.findIndex(({ isSum }) => isSum));
    const outside = lines.filter(({ kind }) => kind === 'hidden');
    const include = (): void => {
      for (const { reading } of outside) this.checks.set(reading.key, true);
      void this.update();
    };
    const hidden = sheet.hidden.filter((index) => isFilled(uses[index]));
    const heads = hidden.map((index) => headAt(sheet, index)).join(' · ');
    const titled = monthsIn(sheet);
    const { period = '' } = common;
    const isOther = titled.length > 0 && !uses.includes('period') && !titled.includes(period);
    return [
      isOther && element('p.error', text('titled', { months: titled.map(writeMonth).join(', ') })),
      heads !== '' && element('p.error', text('hiddenColumns', { heads })),
      isUnnumbered(this.mapping) && element('p.error', text('unnumbered')),
      zeros > 0 && element('p.error', counted('zeros', zeros)),
      sums > 0 && element('p.error', button(counted('sumRows', sums), toSum, 'inline')),
      listOf('leftOut', rows),
      outside.length > 0 && button(counted('includeHidden', outside.length), include),
      listOf('unused', unused),
    ];
  }

  /** Writes a workbook, unless the person changes something meanwhile, and saves it. */
  private async save(name: string, sheets: [WrittenSheet, WrittenSheet]): Promise<void> {
    const written = await writeWorkbook(sheets, this.running.signal);
    if (written === undefined) return;
    const href = URL.createObjectURL(written);
    element('a', { href, download: name }).click();
    setTimeout(() => URL.revokeObjectURL(href), 60_000);
  }
}

/** Creates a list with a title, if it has items. */
function listOf(title: string, items: readonly string[]): Child {
  const list = element(
    'ul',
    items.map((item) => element('li', item)),
  );
  return items.length > 0 && element('div.signs', element('h3', text(title)), list);
}

/** The parts of amounts, and the values that hold because no column states others. */
function assumedIn(sheet: Sheet, { uses, common }: Mapping): string {
  const headsOf = (isOne: (use: string) => boolean): string[] =>
    uses.flatMap((use, index) => (isOne(use) ? headAt(sheet, index) : []));
  const salary = headsOf((use) => fieldNamesOf(use).includes('income'));
  const partsOf = (use: string): string[] =>
    SALARIES.includes(use) ? salary : headsOf((other) => other === use);
  const sums = [...new Set(uses)].map((use) => {
    const parts = partsOf(use);
    return use !== '' && parts.length > 1 && `${labelOf(use)} = ${parts.join(' + ')}`;
  });
  const part = partsOf(TAX_FREE).join(' + ');
  return [
    ...sums,
    part && text('assumed.inside', { part, salary: salary.join(' + ') }),
    ...phrasesOf(
      COMMON.filter(({ name }) => !uses.includes(name)),
      common,
    ),
    !uses.includes('insurance_salary') && text('assumed.insured'),
  ]
    .filter(Boolean)
    .join(' · ');
}

/** The head of a column, or its number. */
function headAt({ heads }: Sheet, index: number): string {
  return heads[index] || text('nameless', { number: index + 1 });
}
