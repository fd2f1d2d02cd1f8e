/* The view of a payroll, in four steps: the file, the questions, the calculation, the result. */
import { announce, button, type Child, element, facts, redraw } from '../dom.ts';
import { createForm, type Form, phraseOf } from '../form.ts';
import type { View } from '../panel.ts';
import { choice, examplesOf, type Field, type Values } from '../request.ts';
import { calculator } from '../salary.ts';
import { table } from '../tables.ts';
import { addTexts, counted, format, text } from '../texts.ts';
import {
  type CsvRecord,
  decodeFile,
  type Delimiter,
  delimiterOf,
  isArchive,
  recordsOf,
} from './csv.ts';
import { choicesOf, decide, type Decision, type Question } from './decide.ts';
import { linesOf, NAMES, resultOf, type RowResult, summarize } from './results.ts';
import { nameIn } from './rows.ts';
import { isFilled, type Row, rowOf, type Sheet, sheetOf, titlesOf } from './sheet.ts';

addTexts(`
title.payroll | Payroll from a CSV file | Tính bảng lương từ tệp CSV
about.payroll | This page calculates by itself: no salary leaves this machine.
  | Trang tự tính toán: không có dữ liệu lương nào rời khỏi máy này.
stage.file | The file | Tệp
stage.questions | Month, columns and questions | Tháng, cột và các câu hỏi
stage.calculation | Calculate | Tính lương
stage.result | Result | Kết quả
file | Choose a CSV file, or drop it here | Chọn tệp CSV hoặc thả vào đây
paste | Or paste rows from Excel | Hoặc dán dữ liệu từ Excel
tryExample | Try an example | Thử với một ví dụ
hint.paste | With the heads of the columns, such as gross salary and dependents. Other columns are
    kept.
  | Nên có dòng tên cột, ví dụ lương gross, số người phụ thuộc. Các cột khác được giữ nguyên.
samplePayroll | No.,Name,Position,Salary,Dependents / 1,Nguyen An,Director,"65,000,000",2
    / 2,Tran Binh,Accountant,"28,500,000",1 / 3,Le Chi,Sales,"18,000,000",0
    / ,Total,,"111,500,000",
  | STT;Họ tên;Chức vụ;Lương;Số người phụ thuộc / 1;Nguyễn Văn An;Tổng giám đốc;65.000.000;2
    / 2;Trần Thị Bình;Kế toán;28.500.000;1 / 3;Lê Văn Chi;Kinh doanh;18.000.000;0
    / ;Tổng cộng;;111.500.000;
emptyFile | The file is empty. Choose one with a row per person.
  | Tệp trống. Hãy chọn tệp mỗi người một dòng.
headsOnly | The file has no row with a number. Add a row per person.
  | Tệp chưa có dòng nào có số tiền. Hãy thêm mỗi người một dòng.
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
settled | Taken from the file, or chosen | Theo tệp hoặc đã chọn
unit.1 | đồng | đồng
unit.1000 | thousands of đồng | nghìn đồng
unit.1000000 | millions of đồng | triệu đồng
separator.decimal | decimals | thập phân
separator.group | thousands | hàng nghìn
dates.dmy | day first | ngày trước tháng
dates.mdy | month first | tháng trước ngày
unstated.insured | are insured on the gross salary | đóng theo lương gross
unstated.uninsured | are not insured | không đóng bảo hiểm
outside.insured | Insured | Đóng bảo hiểm
outside.foreigner | Insured as foreigners | Đóng bảo hiểm như người nước ngoài
outside.uninsured | Not insured | Không đóng bảo hiểm
preview | The columns of the file | Các cột của tệp
head | Column | Cột
firstRows | First rows | Các dòng đầu
use | Used as | Dùng làm
columnOf | Column “{head}” | Cột “{head}”
kept | not used | không dùng để tính
nameless | column {number} | cột thứ {number}
ask.income | Which column is the salary of one month? | Cột nào là lương của một tháng?
ask.use | What is this column? | Cột này là gì?
use. | It changes no amount | Không ảnh hưởng đến số tiền
use.taxation | How people are taxed; each text is asked about next
  | Cách tính thuế, sẽ hỏi từng loại
use.type | Gross, net or cost | Gross, net hay chi phí
use.uninsured | Whether people are insured | Có đóng bảo hiểm hay không
use.exempt_income | The tax-free part, which the salary contains
  | Phần lương miễn thuế, đã nằm trong lương
ask.word | What do these texts in “{head}” mean for “{field}”?
  | Các chữ sau trong cột “{head}” là trường hợp nào của “{field}”?
blank | (empty) | (để trống)
ask.unit | In which unit is “{head}”? Convert other currencies in the file first.
  | Cột “{head}” tính bằng đơn vị nào? Ngoại tệ: hãy đổi ra đồng trong tệp trước.
ask.separator | In “{head}”, one separator stands before three digits. Does it begin decimals or
    thousands?
  | Cột “{head}” có số với một dấu trước ba chữ số. Đó là phần thập phân hay hàng nghìn?
ask.dates | The dates in “{head}” can be read two ways. Which one is right?
  | Ngày trong cột “{head}” đọc được hai cách. Cách nào đúng?
ask.type | Is “{head}” gross (insurance and tax are deducted from it), net (what the person gets) or
    the cost (what the employer spends)?
  | Cột “{head}” là lương gross (còn trừ bảo hiểm và thuế), net (số tiền thực nhận) hay tổng chi phí
    công ty bỏ ra?
ask.unstated | Some people have no amount in “{head}”. Are they insured?
  | Có người bỏ trống cột “{head}”. Họ có đóng bảo hiểm không?
ask.outside | People marked as follows are not taxed as employees. Are they insured?
  | Người có ghi các chữ sau không được tính thuế như nhân viên. Họ có đóng bảo hiểm không?
ask.month | Which month is this payroll for? The month decides which law applies. Choose one, or
    enter it below. {title}
  | Đây là lương của tháng nào? Tháng quyết định quy định áp dụng. Hãy chọn hoặc nhập tháng bên
    dưới. {title}
ask.region | In which region do people work? The region decides the limits of the insurance.
  | Người lao động làm việc ở vùng nào? Vùng quyết định mức trần đóng bảo hiểm.
blankRows | This is for the rows whose “{head}” is empty, such as this one.
  | Chỉ áp dụng cho các dòng để trống cột “{head}”, như dòng sau.
word.uninsured.true | Not insured | Không đóng bảo hiểm
word.uninsured.false | Insured | Đóng bảo hiểm
word.taxation.progressive | Employee, contract of 3 months or more | Nhân viên, hợp đồng từ 3 tháng
word.taxation.short_term | Freelance or probation, 10% | Freelance, thử việc riêng 10%
word.taxation.non_resident | Not a resident, 20% | Không cư trú, 20%
phrase.month | {value} | Tháng {value}
ask.dependents | No column has the number of dependents. If people have some, enter it below, or
    add a column.
  | Không có cột số người phụ thuộc. Nếu có người phụ thuộc, hãy nhập bên dưới hoặc thêm cột vào
    tệp.
dependents.0 | Nobody has dependents | Không ai có người phụ thuộc
ask.unused | The calculation does not use these columns and lines. Is every amount right without
    them? Look for probation, foreigners, insurance, unpaid leave, other currencies, quarters, and
    people whose salary is missing. If something is not right, choose the use of a column in the
    table of columns, or correct the file.
  | Các cột và dòng sau không được dùng để tính. Bỏ qua chúng thì mọi số tiền có đúng không? Hãy xem
    có thử việc, người nước ngoài, bảo hiểm, nghỉ không lương, ngoại tệ, lương quý hay người thiếu
    lương không. Nếu chưa đúng, hãy chọn công dụng của cột ở bảng các cột hoặc sửa tệp.
unused. | Yes, continue | Đúng, tiếp tục
ask.surplus | These rows have more cells than heads, so that an amount may be divided; if so,
    correct the file. Include them?
  | Các dòng sau có nhiều ô hơn tên cột, có thể một số tiền đã bị tách đôi; nếu vậy, hãy sửa tệp. Có
    tính các dòng này không?
ask.repeated | These rows are of an employee who has another row. Add the amounts of a person in the
    file. Include them?
  | Người trong các dòng sau đã có ở dòng khác. Nếu là một người, hãy cộng các khoản trong tệp. Có
    tính các dòng này không?
ask.currency | These rows name another currency. Include them?
  | Các dòng sau ghi loại tiền khác. Có tính các dòng này không?
ask.total | These rows say “Total” or the like. Include them as people?
  | Các dòng sau có chữ như “Tổng cộng”. Có tính như một người không?
ask.sum | These rows have the sum of other rows. Include them as people?
  | Các dòng sau bằng tổng các dòng khác. Có tính như một người không?
ask.odd | These rows are not like those of most people by their first cell or their name. Include
    them as people?
  | Ô đầu hoặc tên ở các dòng sau không giống của phần lớn mọi người. Có tính như một người không?
ask.extreme | These rows have a very small or very large amount for a month, in đồng. Include them?
  | Các dòng sau có số tiền rất nhỏ hoặc rất lớn cho một tháng (đồng). Có tính các dòng này không?
ask.chosen | You have chosen these rows. | Các dòng bạn đã chọn.
ask.people | Each of these rows is calculated as a person. | Mỗi dòng sau được tính là một người.
in | Include | Tính
out | Leave out | Bỏ
all | All ({count}): | Tất cả ({count}):
more | and {rows} more | và {rows} khác
unanswered | Answer the questions above first. | Hãy trả lời các câu hỏi ở trên trước.
calculateRows | Calculate {rows} | Tính lương cho {rows}
calculating | Calculating… | Đang tính…
cancel | Cancel | Hủy
cancelled | Cancelled, totals of {rows} only | Đã hủy, chỉ tổng cộng {rows}
finished | Totals of {rows} | Tổng cộng {rows}
failures | Problems in {rows} | Lỗi ở {rows}
row | Row {row} | Dòng {row}
results | Results, {rows} | Kết quả, {rows}
firstResults | Results, the first {rows} | Kết quả, {rows} đầu
download | Download the results (opens in Excel) | Tải kết quả (mở bằng Excel)
`);

const LARGEST_FILE = 50_000_000;
const MOST_COLUMNS = 200;
const LONGEST_CELL = 5_000;
const PREVIEWED = 3;
/** The most lines of a list, and results in the table, which can be printed. */
const LISTED = 1_000;
/** The longest answered list that is not folded. */
const UNFOLDED = 20;

/** The values for the rows whose columns do not state them. */
const FORM: readonly Field[] = [
  { name: 'month', kind: 'month', label: 'period', isRequired: true },
  { ...choice('region', ['1', '2', '3', '4'], { isExplained: true }), initial: '' },
  { name: 'dependents', kind: 'integer', range: [0, 50] },
];

const TYPE = calculator.fields.find(({ name }) => name === 'type')!;

/** Milliseconds of work until other events get their turn. */
const TURN = 12;

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
  private readonly preparation = element('div.answer');
  private readonly action = element('div.answer');
  private readonly outcome = element('div.answer');
  private readonly questions = element('div.asked');
  private readonly columns = element('div.answer');
  private readonly settled = element('div.asked');
  /** Ends the reading or calculation under way. */
  private running = new AbortController();
  private sheet: Sheet | undefined;
  private delimiter: Delimiter = ',';
  /** The choices of the person, among them the values of the form. Nothing else writes to them. */
  private choices: Values = {};
  private form: Form | undefined;

  constructor() {
    const stages: Record<string, Child> = {
      file: this.sources(),
      questions: this.preparation,
      calculation: this.action,
      result: this.outcome,
    };
    const stage = ([name, content]: [string, Child]): Child =>
      element(`li.${name}`, element('h2', text(`stage.${name}`)), content);
    this.node = element('ol.stages', Object.entries(stages).map(stage));
  }

  hasWork(): boolean {
    return this.sheet !== undefined;
  }

  /** The zone for a file, and the area for pasted rows. */
  private sources(): Child[] {
    const name = element('b');
    const area = element('textarea', {
      id: 'rows',
      rows: 5,
      oninput: () => {
        name.textContent = '';
        void this.read(area.value);
      },
    });
    const take = (file: File): void => {
      area.value = '';
      name.textContent = file.name;
      void this.open(file);
    };
    const tryExample = (): void => {
      area.value = text('samplePayroll').replaceAll(' / ', '\n');
      area.dispatchEvent(new Event('input'));
    };
    const label = element('label', { for: 'rows' }, text('paste'));
    return [
      element('label.drop', text('file'), name, fileInput(take)),
      element('div.head', label, button(text('tryExample'), tryExample)),
      area,
      element('p.hint', text('hint.paste')),
    ];
  }

  /** Ends the reading or calculation under way, and returns the signal of the next one. */
  private restart(): AbortSignal {
    this.running.abort();
    this.running = new AbortController();
    this.outcome.replaceChildren();
    return this.running.signal;
  }

  private refuse(message: string): void {
    this.sheet = undefined;
    this.action.replaceChildren();
    this.preparation.replaceChildren(element('p.error', { role: 'alert' }, message));
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
    this.refuse('');
    this.delimiter = delimiterOf(csv);
    const rows: Row[] = [];
    const turn = createTurns();
    for (const record of recordsOf(csv, this.delimiter)) {
      const excess = excessOf(record);
      if (excess !== '') {
        this.refuse(excess);
        return;
      }
      rows.push(rowOf(record));
      await turn();
      if (signal.aborted) return;
    }
    if (csv.trim() !== '') this.take(sheetOf(rows));
  }

  private take(sheet: Sheet): void {
    if (!sheet.rows.some(({ cells }) => cells.some((cell) => /\d/.test(cell)))) {
      this.refuse(text(sheet.rows.length === 0 ? 'emptyFile' : 'headsOnly'));
      return;
    }
    this.sheet = sheet;
    this.choices = examplesOf({ fields: FORM });
    this.form = createForm('payroll', FORM, {
      values: this.choices,
      edited: () => this.show(sheet),
      submitted: () => undefined,
    });
    redraw(
      this.preparation,
      this.questions,
      this.columns,
      element('h3', text('forAll')),
      this.form.node,
      this.settled,
    );
    this.show(sheet);
  }

  /** Takes choices, which are then the latest, or takes them back. */
  private choose(sheet: Sheet, choices: Values, isTakenBack = false): void {
    for (const [key, value] of Object.entries(choices)) {
      delete this.choices[key];
      if (!isTakenBack) this.choices[key] = value;
    }
    this.show(sheet);
  }

  /** Shows the decision about the file with the choices. */
  private show(sheet: Sheet): void {
    this.restart();
    const decision = decide(sheet, this.choices);
    const lead = this.guide();
    this.form?.refresh();
    const { questions, people } = decision;
    const open = questions.filter(({ answer }) => answer === undefined);
    const settled = questions.filter(
      ({ name, answer }) => answer !== undefined && !FORM.some((field) => field.name === name),
    );
    const nodesOf = (asked: readonly Question[]): Child =>
      asked.map((question) => this.questionNode(sheet, question));
    redraw(this.questions, nodesOf(open));
    redraw(this.columns, this.columnsTable(sheet, decision));
    redraw(this.settled, settled.length > 0 && element('h3', text('settled')), nodesOf(settled));
    const start = (): void => void this.calculate(sheet, decision);
    redraw(
      this.action,
      open.length > 0
        ? element('p.hint', text('unanswered'))
        : button(counted('calculateRows', people.length), start, 'solid'),
    );
    lead();
  }

  /** Leads from an answer to the next question or the button, and announces other new questions. */
  private guide(): () => void {
    const { activeElement } = document;
    const hasAnswered = this.questions.contains(activeElement);
    const hasChanged = this.settled.contains(activeElement);
    const before = this.asked();
    return () => {
      const next = this.questions.querySelector<HTMLElement>('.ask');
      const news = this.asked().find((question) => !before.includes(question));
      if (hasAnswered) (next ?? this.action.querySelector('button'))?.focus();
      else if (hasChanged && next !== null) next.focus();
      else if (news !== undefined) announce(news);
    };
  }

  /** The texts of the open questions. */
  private asked(): string[] {
    const asked = [...this.questions.querySelectorAll('.ask')];
    return asked.map((node) => node.getAttribute('aria-label') ?? '');
  }

  /** A question with its answers, of which one may be certain or chosen. */
  private questionNode(sheet: Sheet, question: Question): Child {
    const { name, keys = [name], parts = [], options, answer } = question;
    const answers = (chosen: readonly string[], object?: string): Child =>
      this.answerNodes(sheet, question, chosen, object);
    // A list has answers for all its rows, and for each of them.
    const isDivided = parts.length > 1 && options.length > 1;
    const items = parts.slice(0, LISTED).map((part, at) => {
      const shown = typeof part === 'string' ? part || text('blank') : rowText(part);
      return element('li', shown, isDivided && answers(keys.slice(at, at + 1), shown));
    });
    const all = text('all', { count: format.count(parts.length) });
    const isFolded = answer !== undefined && parts.length > UNFOLDED;
    const rest = parts.length - items.length;
    if (rest > 0) items.push(element('li', counted('more', rest)));
    const list = items.length > 0 && element('ul', items);
    const asked = questionText(sheet, question);
    return element(
      answer === undefined ? 'div.ask' : 'div.set',
      { role: 'group', 'aria-label': asked, tabindex: '-1' },
      element('p', asked),
      isFolded ? element('details', element('summary', all), list) : list,
      isDivided && !isFolded && element('b', all),
      answers(keys),
    );
  }

  /** The answers to a question about all its rows, or about one of them, which the text names. */
  private answerNodes(
    sheet: Sheet,
    question: Question,
    keys: readonly string[],
    object?: string,
  ): Child {
    const { name, options, answer } = question;
    return options.map(([value, ...examples]) => {
      const label = optionText(sheet, name, value, answer === undefined ? examples : []);
      const isPressed = value === answer;
      // A list that can only be confirmed can be opened again.
      const isTakenBack = isPressed && options.length === 1;
      const choose = (): void => this.choose(sheet, choicesOf(question, value, keys), isTakenBack);
      const node = button(label, choose, 'inline');
      node.setAttribute('aria-pressed', String(isPressed));
      if (object !== undefined) node.setAttribute('aria-label', `${label}: ${object}`);
      return node;
    });
  }

  /** The columns, each with its first cells and the choice of its field. */
  private columnsTable(sheet: Sheet, { columns }: Decision): Child {
    const rows = sheet.heads.map((_, index) => [
      headAt(sheet, index),
      sheet.rows
        .flatMap(({ cells }) => (isFilled(cells[index]) ? [cells[index]] : []))
        .slice(0, PREVIEWED)
        .join(' · '),
      this.selectOf(sheet, columns, index),
    ]);
    return table('payroll', text('preview'), ['head', 'firstRows', 'use'], rows);
  }

  /** The choice of the use of a column. */
  private selectOf(sheet: Sheet, columns: Decision['columns'], index: number): HTMLElement {
    const [key = ''] = Object.entries(columns).find(([, column]) => column === index) ?? [];
    const [use] = key.split('.');
    const option = (value: string, label: string): HTMLOptionElement =>
      element('option', { value, selected: use === value && '' }, label);
    const select = element(
      'select',
      {
        'aria-label': text('columnOf', { head: headAt(sheet, index) }),
        onchange: (): void => this.choose(sheet, { [`use.${index}`]: select.value }),
      },
      option('', text('kept')),
      calculator.fields.map(({ name }) => option(name, text(`use.${name}`) || text(name))),
    );
    return select;
  }

  private async calculate(sheet: Sheet, decision: Decision): Promise<void> {
    const signal = this.restart();
    const { people } = decision;
    const bar = element('progress', {
      max: people.length,
      value: 0,
      'aria-label': text('calculating'),
    });
    this.outcome.replaceChildren(
      bar,
      button(text('cancel'), () => this.running.abort()),
    );
    const results: RowResult[] = [];
    const turn = createTurns();
    for (const row of people) {
      results.push(resultOf(sheet.heads, decision, row));
      const next = turn();
      if (next === undefined) continue;
      bar.value = results.length;
      await next;
      if (signal.aborted) break;
    }
    if (signal !== this.running.signal) return; // another calculation has begun
    this.showResults(sheet, decision, results, signal.aborted);
  }

  private showResults(
    sheet: Sheet,
    { columns, questions }: Decision,
    results: readonly RowResult[],
    isPart: boolean,
  ): void {
    const nameOf = (row: Row): string => nameIn(sheet, columns, row);
    const { count, totals, failures } = summarize(results);
    const sums = totals.map((total, index) => ({
      name: text(NAMES[index] ?? ''),
      value: format.dong(total),
    }));
    const save = (): void => void download(sheet, results, this.delimiter);
    const ending = counted(isPart ? 'cancelled' : 'finished', count);
    const assumed = [...FORM, TYPE].flatMap((field) => {
      const { answer } = questions.find(({ name }) => name === field.name) ?? {};
      return answer === undefined || field.name in columns ? [] : phraseOf(field, answer);
    });
    announce(ending, 0);
    redraw(
      this.outcome,
      element('p.verdict', ending),
      assumed.length > 0 && element('p.hint', assumed.join(' · ')),
      facts(sums),
      !isPart && button(text('download'), save, 'solid'),
      failures.length > 0 && failureList(failures, nameOf),
      resultTable(results, nameOf),
    );
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

/** The amounts of the first results. */
function resultTable(results: readonly RowResult[], nameOf: (row: Row) => string): Child {
  const shown = results.slice(0, LISTED);
  const rows = shown.map(({ row, amounts }) => [
    nameOf(row) || format.count(row.number),
    ...(amounts.length > 0 ? amounts.map(format.count) : NAMES.map(() => '–')),
  ]);
  const caption = shown.length < results.length ? 'firstResults' : 'results';
  return table('results', counted(caption, rows.length), ['', ...NAMES], rows);
}

/** The rows without a result, each with its problem. */
function failureList(failures: readonly RowResult[], nameOf: (row: Row) => string): Child {
  const items = failures.slice(0, LISTED).map(({ row, problem }) => {
    const number = element('b', text('row', { row: format.count(row.number) }));
    return element('li', number, `, ${[nameOf(row), problem].filter(Boolean).join(', ')}`);
  });
  return [element('h3', counted('failures', failures.length)), element('ul', items)];
}

/** The head of a column, or its number. */
function headAt({ heads }: Sheet, index: number): string {
  return heads[index] || text('nameless', { number: index + 1 });
}

/** A row by its number and its cells. */
function rowText({ number, cells }: Row): string {
  const place = text('row', { row: format.count(number) });
  const shown = cells.filter(isFilled).map((cell) => cell.trim().slice(0, 40));
  return [place, ...shown].join(', ').slice(0, 300);
}

/** The text of a question, about a column and for some rows or all. */
function questionText(sheet: Sheet, { name, index, parts = [] }: Question): string {
  const [group = '', field = ''] = name.split('.');
  const places = {
    field: text(field),
    head: headAt(sheet, index ?? -1),
    title: titlesOf(sheet)
      .filter((title) => /\d/.test(title))
      .join(' · ')
      .slice(0, 200),
  };
  const isCommon = FORM.some((one) => one.name === name);
  const rest = isCommon && parts.length > 0 ? text('blankRows', places) : '';
  return `${text(`ask.${group}`, places)} ${rest}`.trim();
}

/** The text of an answer, with its readings of an example. */
function optionText(
  sheet: Sheet,
  name: string,
  value: string,
  examples: readonly string[],
): string {
  const [, word = name] = name.split('.');
  const field = [...FORM, ...calculator.fields].find((one) => one.name === word);
  const head = name === 'income' && headAt(sheet, Number(value));
  const said = text(`${name}.${value}`) || (field && phraseOf(field, value)) || text(value);
  const readings = examples.map((example) => (head ? example : readingText(example)));
  return [head || said, readings.join(' / ')].filter(isFilled).join(': ');
}

/** An amount in đồng, a month, or a text that is neither. */
function readingText(value: string): string {
  if (/^\d+$/.test(value)) return format.dong(BigInt(value));
  return /^\d{4}-\d\d$/.test(value) ? format.month(value) : value;
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

async function download(
  { heads }: Sheet,
  results: readonly RowResult[],
  delimiter: Delimiter,
): Promise<void> {
  const turn = createTurns();
  const lines = ['\ufeff'];
  for (const line of linesOf(heads, results, delimiter)) {
    lines.push(line);
    await turn();
  }
  const href = URL.createObjectURL(new Blob(lines, { type: 'text/csv' }));
  element('a', { href, download: 'payroll.csv' }).click();
  setTimeout(() => URL.revokeObjectURL(href), 60_000);
}
