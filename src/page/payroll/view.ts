/* The view of a payroll: the file, what its columns are, and the result, which follows every choice. */
import { announce, button, type Child, element, facts, redraw, tableRow } from '../dom.ts';
import type { View } from '../panel.ts';
import type { Field } from '../request.ts';
import { reviewHint } from '../salary.ts';
import { table } from '../tables.ts';
import { addTexts, counted, format, text } from '../texts.ts';
import { arrange, createCommon, select } from './controls.ts';
import {
  type CsvRecord,
  decodeFile,
  type Delimiter,
  delimiterOf,
  isArchive,
  recordsOf,
} from './csv.ts';
import { orderOf, RowList } from './list.ts';
import {
  exactMeaning,
  exactUses,
  isUnnumbered,
  isWorded,
  type Mapping,
  meaningKey,
  meaningsOf,
  meaningText,
  missingIn,
  monthsIn,
  salaryIn,
  usesWith,
  wordedIn,
} from './mapping.ts';
import {
  calculateAll,
  type Line,
  linesOf,
  NAMES,
  type Results,
  summarize,
  type Summary,
  type Texts,
  textsIn,
} from './results.ts';
import { checksIn, judge, type Reading, readerOf } from './rows.ts';
import { isFilled, labelOf, namesOf, type Row, rowOf, type Sheet, sheetOf, USES } from './sheet.ts';
import { eachOf, inTurns } from './turns.ts';

addTexts(`
title.payroll | Payroll from a CSV file | Tính bảng lương từ tệp CSV
about.payroll | This page calculates by itself: no salary leaves this machine.
  | Trang tự tính toán: không có dữ liệu lương nào rời khỏi máy này.
stage.file | The file | Tệp
stage.mapping | Month and columns | Tháng và các cột
stage.result | Result | Kết quả
file | Choose a CSV file, or drop it here | Chọn tệp CSV hoặc thả vào đây
paste | Or paste rows from Excel | Hoặc dán dữ liệu từ Excel
tryExample | Try an example | Thử với một ví dụ
template | Download the template | Tải tệp mẫu
hint.paste | One row per person, with the names of the columns above. Other columns are kept.
  | Mỗi người một dòng, phía trên là tên các cột. Các cột khác được giữ nguyên.
names | Names of columns that need no choice | Tên cột không cần chọn
emptyFile | The file has no row with a person. Add a row per person.
  | Tệp chưa có dòng nào. Hãy thêm mỗi người một dòng.
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
forAll | For all rows, unless a column says otherwise | Áp dụng cho mọi dòng, trừ khi có cột riêng
preview | What each column is | Mỗi cột là gì
head | Column | Cột
cellsOf | In the file | Trong tệp
use | Used as | Dùng làm
use. | not used | không dùng
columnOf | Column “{head}” | Cột “{head}”
nameless | column {number} | cột thứ {number}
meanings | What the texts of “{head}” mean | Các chữ trong cột “{head}” nghĩa là gì
word | Text | Chữ trong cột
means | Means | Nghĩa là
blank | (empty) | (để trống)
manyTexts | The column has more than {count} different texts. Is its use right?
  | Cột có hơn {count} chữ khác nhau. Công dụng của cột có đúng không?
missing | Choose: | Hãy chọn:
missing.month | the month | tháng
missing.decimal | how decimals are written | cách viết số lẻ
missing.salary | the column of the salary | cột lương
calculating | Calculating… | Đang tính…
cancel | Cancel | Hủy
cancelled | Cancelled. | Đã hủy.
again | Calculate again | Tính lại
finished | Totals of {rows} | Tổng cộng {rows}
unnumbered | No column is the number or code of people, so that every row with an amount counts as a
    person. Look for sums and notes in the list below.
  | Không có cột STT hoặc mã, nên mọi dòng có số tiền đều được tính là một người. Hãy tìm dòng cộng
    và
    ghi chú trong danh sách bên dưới.
leftOut | Not calculated | Không tính
sign | {rows}: {why} | {rows}: {why}
unused | Columns not used | Các cột không dùng
assumed.unit | in {value} | tính bằng {value}
assumed.region | region {value} | vùng {value}
assumed.dependents | dependents: {value} | người phụ thuộc: {value}
assumed.insured | insured on the gross salary | đóng bảo hiểm theo lương gross
download | Download the results (opens in Excel) | Tải kết quả (mở bằng Excel)
samplePayroll | No.,Name,Gross salary,Dependents,Who is paid,Tax-free part of the salary
    / 1,Nguyen An,"65,000,000",2,"Employee, contract of 3 months or more","1,200,000"
    / 2,Tran Binh,"28,500,000",1,"Employee, contract of 3 months or more","1,200,000"
    / 3,Le Chi,"18,000,000",,"Freelancer or casual worker, 10%",
    / ,Total,"111,500,000",3,,"2,400,000"
  | STT;Họ tên;Lương gross;Số người phụ thuộc;Người được trả lương;Phần lương miễn thuế
    / 1;Nguyễn Văn An;65.000.000;2;Nhân viên, hợp đồng từ 3 tháng;1.200.000
    / 2;Trần Thị Bình;28.500.000;1;Nhân viên, hợp đồng từ 3 tháng;1.200.000
    / 3;Lê Văn Chi;18.000.000;;Cộng tác viên, thời vụ 10%;
    / ;Tổng cộng;111.500.000;3;;2.400.000
`);

const LARGEST_FILE = 50_000_000;
const MOST_COLUMNS = 200;
const LONGEST_CELL = 5_000;
/** The most texts that are shown: in the table of columns, of a column that is not used, with a meaning. */
const [PREVIEWED, MOST_UNUSED, MOST_MEANINGS] = [4, 20, 50];
/** The rows from which the table of columns has its texts. */
const SAMPLED = 1_000;

/** Creates the view of a payroll. */
export function createTool(): View {
  return new PayrollView();
}

/** A finished calculation. */
interface Done extends Summary {
  readonly lines: readonly Line[];
  readonly texts: Texts;
  readonly order: readonly number[];
}

class PayrollView implements View {
  readonly node: HTMLElement;
  private readonly setup = element('div.answer');
  private readonly words = element('div.answer');
  private readonly outcome = element('div.answer');
  private readonly list = new RowList((row, isIn) => this.check(row, isIn));
  /** Ends the reading or calculation under way. */
  private running = new AbortController();
  private delimiter: Delimiter = ',';
  private sheet: Sheet | undefined;
  private mapping: Mapping = { uses: [], meanings: {}, common: {} };
  private checks = new Map<number, boolean>();
  /** The selects and the texts of the table of columns. */
  private columns: (readonly [use: HTMLSelectElement, cells: HTMLElement])[] = [];
  private preparation: readonly Node[] = [];
  private readonly known = new Map<string, Element>();
  private readings: readonly Reading[] | undefined;
  private results: Results = [];

  constructor() {
    const stages: Record<string, Child> = {
      file: this.sources(),
      mapping: this.setup,
      result: [this.outcome, this.list.node],
    };
    const stage = ([name, content]: [string, Child]): Child =>
      element(`li.${name}`, element('h2', text(`stage.${name}`)), content);
    this.node = element('ol.stages', Object.entries(stages).map(stage));
  }

  hasWork(): boolean {
    return this.setup.childElementCount > 0;
  }

  /** The zone for a file, and the area for pasted rows. */
  private sources(): Child[] {
    const name = element('b');
    const oninput = (): void => {
      name.textContent = '';
      void this.read(area.value);
    };
    const area: HTMLTextAreaElement = element('textarea', { id: 'rows', rows: 5, oninput });
    const take = (file: File): void => {
      area.value = '';
      name.textContent = file.name;
      void this.open(file);
    };
    const sample = text('samplePayroll').split(' / ');
    const tryExample = (): void => {
      area.value = sample.join('\n');
      oninput();
    };
    const saveTemplate = (): void => save([`${sample[0]}\r\n`], 'template.csv');
    return [
      element('label.drop', text('file'), name, fileInput(take)),
      element(
        'div.head',
        element('label', { for: 'rows' }, text('paste')),
        button(text('template'), saveTemplate),
        button(text('tryExample'), tryExample),
      ),
      area,
      element('p.hint', text('hint.paste')),
      element(
        'details',
        element('summary', text('names')),
        element(
          'ul',
          USES.map((use) => element('li', namesOf(use))),
        ),
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
    this.setup.replaceChildren(
      message === '' ? '' : element('p.error', { role: 'alert' }, message),
    );
    this.clear();
  }

  private clear(): void {
    this.outcome.replaceChildren();
    this.list.node.hidden = true;
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
    this.clear();
    this.delimiter = delimiterOf(csv);
    const { delimiter } = this;
    let excess = '';
    const add = (record: CsvRecord): Row => {
      excess ||= excessOf(record);
      return rowOf(record);
    };
    const steps = function* (): Generator<undefined, Sheet> {
      const rows = yield* eachOf(recordsOf(csv, delimiter), add);
      return yield* sheetOf(rows.filter(({ cells }) => cells.some(isFilled)));
    };
    const sheet = await inTurns(steps(), signal);
    if (sheet === undefined) return;
    if (excess !== '') this.refuse(excess);
    else if (sheet.rows.length > 0) this.take(sheet);
    else this.refuse(csv === '' ? '' : text('emptyFile'));
  }

  /** Takes a table. The choices about one with the same heads stay. */
  private take(sheet: Sheet): void {
    const { sheet: before } = this;
    const isSame = before !== undefined && String(before.heads) === String(sheet.heads);
    this.sheet = sheet;
    this.checks = isSame ? checksIn(sheet, before, this.checks) : new Map();
    if (!isSame) this.begin(sheet);
    this.setup.replaceChildren(...this.preparation);
    this.columns.forEach(([, cells], index) => {
      cells.textContent = previewOf(sheet, index);
    });
    this.renew({});
  }

  /** Begins with the exact uses of a table, and without choices. */
  private begin(sheet: Sheet): void {
    const renew = (): void => this.renew({ common: { ...common.values } });
    const common = createCommon(monthsIn(sheet), renew);
    this.mapping = { uses: exactUses(sheet), meanings: {}, common: { ...common.values } };
    this.known.clear();
    this.words.replaceChildren();
    this.columns = sheet.heads.map((_, index) => [this.useSelect(sheet, index), element('span')]);
    const rows = this.columns.map(([use, cells], index) => [headAt(sheet, index), cells, use]);
    this.preparation = [
      element('h3', text('forAll')),
      common.node,
      table('payroll', text('preview'), ['head', 'cellsOf', 'use'], rows),
      this.words,
    ];
  }

  private useSelect(sheet: Sheet, index: number): HTMLSelectElement {
    const label = text('columnOf', { head: headAt(sheet, index) });
    const uses = ['', ...USES].map((use) => [use, labelOf(use)] as const);
    const id = index === 0 ? { id: 'payroll-salary' } : {};
    const attributes = { ...id, 'aria-label': label };
    return select(attributes, uses, this.mapping.uses[index], (use) => this.use(index, use));
  }

  /** Takes the use of a column, which another column may lose. */
  private use(index: number, use: string): void {
    const uses = usesWith(this.mapping.uses, index, use);
    this.columns.forEach(([node], at) => {
      node.value = uses[at] ?? '';
    });
    this.renew({ uses });
  }

  /** Takes choices about columns, their texts or all rows, which are then read again. */
  private renew(changed: Partial<Mapping>): void {
    this.mapping = { ...this.mapping, ...changed };
    this.readings = undefined;
    this.results = [];
    this.clear();
    void this.update();
  }

  /** Takes the choice about a row. */
  private check(row: number, isIn: boolean): void {
    this.checks.set(row, isIn);
    void this.update();
  }

  /** Reads, judges and calculates what is not known; then shows the result, or what is missing. */
  private async update(): Promise<void> {
    const signal = this.restart();
    const { sheet, mapping } = this;
    if (sheet === undefined) return;
    const missing = missingIn(mapping);
    if (missing.length > 0) this.ask(missing);
    const waits = this.progress(sheet.rows.length, missing.length > 0);
    const done = await inTurns(this.work(sheet, missing.length === 0), signal, waits);
    if (done === undefined) return;
    this.showSummary(sheet, done);
    this.list.show(mapping, done.lines, done.order);
    this.list.node.hidden = false;
  }

  /** Reads, judges and calculates the rows, one per step; what is known of them stays. */
  private *work(
    sheet: Sheet,
    isComplete: boolean,
  ): Generator<number | undefined, Done | undefined> {
    const { mapping } = this;
    const rows = salaryIn(mapping) === -1 ? [] : sheet.rows;
    this.readings ??= yield* eachOf(rows, readerOf(sheet, mapping));
    const verdicts = yield* judge(mapping, this.readings, this.checks);
    const texts = yield* textsIn(verdicts, mapping.uses.length);
    this.showWords(sheet, texts);
    if (!isComplete) return undefined;
    const lines = yield* calculateAll(sheet, mapping, verdicts, this.results);
    const summary = yield* summarize(lines);
    const order = yield* orderOf(lines);
    return { ...summary, lines, texts, order };
  }

  /** Says what is missing, each with a link to its control. */
  private ask(missing: readonly string[]): void {
    const links = missing.flatMap((name, index) => {
      const control = `#payroll-${name}, [name=payroll-${name}]`;
      const focus = (): void => document.querySelector<HTMLElement>(control)?.focus();
      return [index > 0 && ', ', button(text(`missing.${name}`), focus, 'inline')];
    });
    redraw(this.outcome, element('p', text('missing'), ' ', links));
  }

  /** Shows the progress when a turn ends, and a button that cancels. */
  private progress(rows: number, isHidden: boolean): (done: number | undefined) => void {
    const label = { max: rows, value: 0, 'aria-label': text('calculating') };
    const bar = element('progress', label);
    const cancel = (): void => {
      this.running.abort();
      const again = button(text('again'), () => this.update());
      this.outcome.replaceChildren(element('p', text('cancelled'), ' ', again));
      again.focus();
    };
    return (done) => {
      if (isHidden) return;
      bar.value = done ?? bar.value;
      if (!bar.isConnected) this.outcome.replaceChildren(bar, button(text('cancel'), cancel));
    };
  }

  /** Shows the texts of columns with options, each with the choice of its meaning. */
  private showWords(sheet: Sheet, texts: Texts): void {
    const tables = wordedIn(this.mapping).flatMap(([field, index]) => {
      const filled = (texts[index] ?? []).filter((cell) => isWorded(field, cell));
      const cells = filled.sort((one) => (one === '' ? 1 : 0)).slice(0, MOST_MEANINGS);
      if (cells.length === 0) return [];
      const head = headAt(sheet, index);
      const node = this.keep(`${field.name} ${index}`, () =>
        element(
          'div',
          table('payroll words', text('meanings', { head }), ['word', 'means'], []),
          element('p.error'),
        ),
      );
      const rows = cells.map((cell) => this.wordRow(sheet, field, index, cell));
      arrange(node.querySelector('tbody')!, rows);
      const isMore = filled.length > MOST_MEANINGS;
      node.querySelector('.error')!.textContent = isMore
        ? text('manyTexts', { count: MOST_MEANINGS })
        : '';
      return [node];
    });
    arrange(this.words, tables);
  }

  private wordRow(sheet: Sheet, field: Field, index: number, cell: string): Element {
    const key = meaningKey(index, cell);
    return this.keep(`${field.name} ${key}`, () => {
      const options = meaningsOf(field).map((one) => [one, meaningText(field, one)] as const);
      const meaning =
        this.mapping.meanings[key] ?? exactMeaning(field, sheet.heads[index] ?? '', cell);
      const shown = cell.slice(0, 100) || text('blank');
      const choose = (chosen: string): void =>
        this.renew({ meanings: { ...this.mapping.meanings, [key]: chosen } });
      return tableRow([shown, select({ 'aria-label': shown }, options, meaning, choose)]);
    });
  }

  /** The element of a key, which is made once for a table. */
  private keep(key: string, make: () => Element): Element {
    const node = this.known.get(key) ?? make();
    this.known.set(key, node);
    return node;
  }

  private showSummary(sheet: Sheet, { counts, totals, latest, lines, texts }: Done): void {
    const sums = totals.map((total, index) => ({
      name: text(NAMES[index] ?? ''),
      value: format.dong(total),
    }));
    const ending = counted('finished', counts.get('') ?? 0);
    announce(ending);
    redraw(
      this.outcome,
      element('p.verdict', ending),
      this.signs(sheet, counts, texts),
      element('p.hint', this.assumed().join(' · ')),
      reviewHint(latest),
      facts(sums),
      button(text('download'), () => this.download(sheet, lines), 'solid'),
    );
  }

  /** What may make a sum wrong: rows and columns that do not count, and what no column states. */
  private signs(sheet: Sheet, counts: Summary['counts'], texts: Texts): Child {
    const rows = [...counts].filter(([kind]) => kind !== '');
    const unused = this.mapping.uses.flatMap((use, index) => {
      const found = (texts[index] ?? []).filter(isFilled);
      const shown =
        found.length > MOST_UNUSED ? '' : `: ${found.map((one) => one.slice(0, 40)).join(' · ')}`;
      return use === '' && found.length > 0 ? [headAt(sheet, index) + shown] : [];
    });
    return [
      isUnnumbered(this.mapping) && element('p.error', text('unnumbered')),
      rows.length > 0
        && listOf(
          'leftOut',
          rows.map(([kind, count]) => counted('sign', count, { why: text(`reason.${kind}`) })),
        ),
      unused.length > 0 && listOf('unused', unused),
    ];
  }

  /** The values that hold because no column states others. */
  private assumed(): string[] {
    const { uses, common } = this.mapping;
    const { month = '', unit = '', region = '', dependents = '' } = common;
    const stated: readonly (readonly [use: string, phrase: string])[] = [
      ['period', format.month(month)],
      ['', text('assumed.unit', { value: text(`unit.${unit}`) })],
      ['region', text('assumed.region', { value: text(`choice.${region}`) })],
      ['dependents', text('assumed.dependents', { value: dependents })],
      ['who', text('who.employee')],
      ['insurance_salary', text('assumed.insured')],
    ];
    return stated.flatMap(([use, phrase]) => (use !== '' && uses.includes(use) ? [] : [phrase]));
  }

  private async download(sheet: Sheet, lines: readonly Line[]): Promise<void> {
    const all = eachOf(linesOf(sheet, lines, this.delimiter), (line) => line);
    const written = await inTurns(all, this.running.signal);
    if (written !== undefined) save(written, 'payroll.csv');
  }
}

/** The input of a file, whose zone is all of its label. */
function fileInput(take: (file: File) => void): HTMLInputElement {
  const input = element('input', {
    id: 'file',
    type: 'file',
    accept: '.csv,.tsv,.txt,text/csv',
    onchange: () => {
      const [file] = input.files ?? [];
      if (file === undefined) return;
      take(file);
      input.value = ''; // so that the corrected file can be chosen again
    },
  });
  return input;
}

function listOf(title: string, items: readonly string[]): HTMLElement {
  const list = element(
    'ul',
    items.map((item) => element('li', item)),
  );
  return element('div.signs', element('h3', text(title)), list);
}

/** The head of a column, or its number. */
function headAt({ heads }: Sheet, index: number): string {
  return heads[index] || text('nameless', { number: index + 1 });
}

/** Some of the texts of a column. */
function previewOf({ rows }: Sheet, index: number): string {
  const texts = rows.slice(0, SAMPLED).map(({ cells }) => (cells[index] ?? '').trim().slice(0, 40));
  return [...new Set(texts)].filter(isFilled).slice(0, PREVIEWED).join(' · ');
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

function save(lines: readonly string[], name: string): void {
  const href = URL.createObjectURL(new Blob(['\ufeff', ...lines], { type: 'text/csv' }));
  element('a', { href, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(href), 60_000);
}
