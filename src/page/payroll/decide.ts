/* The requests of a payroll: what the file says for certain, and what the person has chosen. */
import { examplesOf, type Field, type Values } from '../request.ts';
import { calculator } from '../salary.ts';
import { isTwofold, isTwofoldDate, readMonthCell } from './cells.ts';
import { assign, type Columns, type ReadField, readerOf, unitAt } from './columns.ts';
import type { CsvRecord } from './csv.ts';
import { isDecisive, isHarmless, plain, typeIn } from './heads.ts';
import { groupsOf, isUsual, judge, type Verdict } from './rows.ts';
import { isFilled, SAMPLE, type Sheet } from './sheet.ts';

/** What a file does not say for certain, or what the person may want to change. */
export interface Question {
  readonly name: string;
  /** The key of the choice. */
  readonly key: string;
  /** The answers, each with what it makes of an example, if that differs. */
  readonly options: readonly (readonly [value: string, example?: string | undefined])[];
  /** What is certain or chosen; undefined if the question is open. */
  readonly answer: string | undefined;
  readonly index?: number | undefined;
  readonly row?: CsvRecord | undefined;
  /** All that the answer is about. */
  readonly list?: readonly string[];
}

/** A sheet with choices. */
export interface Decision {
  readonly columns: Columns;
  /** The values for all rows, found in the file or chosen; '' for one that is open. */
  readonly options: Values;
  readonly questions: readonly Question[];
  /** The rows to calculate: none while a question is open. */
  readonly people: readonly CsvRecord[];
  readonly read: ReadField;
}

const FIELDS = calculator.fields;
const [INCOME] = FIELDS as readonly [Field, ...Field[]];
const DEFAULTS: Values = { ...examplesOf(calculator), income: '' };

/** The answers to the questions about all rows. */
const ANSWERS = {
  unit: ['1', '1000', '1000000'],
  separator: ['decimal', 'group'],
  dates: ['dmy', 'mdy'],
  type: ['gross', 'net', 'cost'],
  unstated: ['insured', 'uninsured'],
} as const;

const isOpen = ({ answer }: Question): boolean => answer === undefined;

const isMonth = (value = ''): boolean => /^\d{4}-(?:0[1-9]|1[0-2])$/.test(value);

/** The salary of a row in đồng: 0 without a digit, and NaN for a text. */
function salaryOf(read: ReadField, index: number, row: CsvRecord): number {
  return /\d/.test(row.cells[index] ?? '') ? Number(read(INCOME, index, row)) : 0;
}

/** The unit of a head, if it makes most salaries usual ones; else ''. */
function unitOf(sheet: Sheet, index: number, separator: string): string {
  const unit = sheet.units[index];
  if (unit === undefined) return '';
  const read = readerOf(sheet, { unit, separator });
  const amounts = sheet.rows
    .slice(0, SAMPLE)
    .map((row) => salaryOf(read, index, row))
    .filter((amount) => amount > 0);
  return amounts.filter(isUsual).length * 2 >= amounts.length ? unit : '';
}

/** What the file says about all its rows; '' where it does not. */
function findingsOf(sheet: Sheet, index: number, { separator = 'decimal' }: Values): Values {
  const type = typeIn(sheet.heads[index] ?? '') ?? '';
  const unit = unitOf(sheet, index, separator);
  return { month: '', type, region: '1', dependents: '0', unit };
}

type Ask = (name: keyof typeof ANSWERS, row: CsvRecord | undefined, field?: Field) => Question[];

/** Asks about all rows if there is a row that needs it; the answers have what they make of it. */
const askerOf =
  (sheet: Sheet, columns: Columns, options: Values): Ask =>
  (name, row, field = INCOME) => {
    const index = columns[field.name] ?? -1;
    if (row === undefined) return [];
    const answers = ANSWERS[name].map((value) => {
      const read = readerOf(sheet, { ...options, [name]: value });
      return [value, read(field, index, row)] as const;
    });
    return [{ name, key: name, options: answers, answer: options[name] || undefined, index, row }];
  };

const MONTHS = new RegExp(
  '(?:\\b(\\d{1,2})|\\b(jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*)'
    + '(?:\\s*nam\\s*|[\\s/.,-]+)(?:20)?(\\d\\d)\\b',
  'g',
);

/** The months that the titles name. */
function monthsOf({ titles }: Sheet): string[] {
  const text = plain(titles.join(' ; ')).replace(/\bt(?=\d)/g, ' ');
  const months = [...text.matchAll(MONTHS)].map(([, number, name, year]) =>
    readMonthCell(`${name ?? number}-${year}`),
  );
  return [...new Set(months)].filter(isMonth);
}

/** Asks about the month, which a title only offers. */
function askMonth(sheet: Sheet, { month }: Values, row: CsvRecord | undefined): Question[] {
  const options = monthsOf(sheet).map((one) => [one] as const);
  const answer = isMonth(month) ? month : undefined;
  return row === undefined ? [] : [{ name: 'month', key: 'month', options, answer }];
}

/** Asks which of some columns has a field. */
function askColumn(
  { rows }: Sheet,
  [name, indexes]: readonly [string, readonly number[]],
): Question {
  const key = `column.${name}`;
  const options = indexes.map((index): Question['options'][number] => {
    const row = rows.find(({ cells }) => isFilled(cells[index]));
    return [String(index), row?.cells[index]];
  });
  return {
    name: key,
    key,
    options: name === 'income' ? options : [...options, ['']],
    answer: undefined,
  };
}

/** Asks about the rows that may be left out; the columns and the unit decide about them. */
function askRows(verdicts: readonly Verdict[], isReady: boolean): Question[] {
  return verdicts.flatMap(({ row, reason, key, answer }) => {
    if (reason === undefined || (!isReady && answer === undefined)) return [];
    return [{ name: reason, key, options: [['in'], ['out']], answer, row }];
  });
}

/** The row whose cell of a field of a kind has two readings, asked about. */
function askTwofold(sheet: Sheet, columns: Columns, options: Values, ask: Ask): Question[] {
  const isCause = (field: Field, index: number, cell = ''): boolean =>
    field.kind === 'month'
      ? isTwofoldDate(cell)
      : isTwofold(cell, unitAt(sheet, field, index, options));
  const found = FIELDS.flatMap((field) => {
    const index = columns[field.name] ?? -1;
    const row = sheet.rows.find(({ cells }) => isCause(field, index, cells[index]));
    return ask(field.kind === 'month' ? 'dates' : 'separator', row, field);
  });
  return found.filter(({ name }, at) => found.findIndex((one) => one.name === name) === at);
}

/** Asks about what some people's rows do not state. */
function askUnstated(columns: Columns, people: readonly CsvRecord[], ask: Ask): Question[] {
  const rowWithout = (name: string): CsvRecord | undefined =>
    people.find(({ cells }) => !isFilled(cells[columns[name] ?? -1]));
  const insured = FIELDS.filter(({ name }) => name === 'insurance_salary' && name in columns);
  return [
    ...ask('type', rowWithout('type')),
    ...insured.flatMap((field) => ask('unstated', rowWithout(field.name), field)),
  ];
}

type Item = readonly [place: number, text: string];

const EXAMPLES = 3;

/** Asks to confirm that all of a list leaves the amounts as they are; another list asks again. */
function confirm(name: string, items: readonly Item[], choices: Values): Question[] {
  if (items.length === 0) return [];
  const key = [name, ...items.map(([place]) => place)].join('.');
  const list = items.map(([, text]) => text.slice(0, 200));
  return [{ name, key, options: [['confirmed']], answer: choices[key], list }];
}

/** The columns without a field that may change amounts of people, each with some of its cells. */
function unusedOf({ heads, width }: Sheet, columns: Columns, rows: readonly CsvRecord[]): Item[] {
  const used = Object.values(columns);
  return heads.flatMap((head, index): Item[] => {
    if (used.includes(index) || (width > 0 && index >= width)) return [];
    const matters = isHarmless(head) ? isDecisive : isFilled;
    const cells = new Set(rows.map((row) => row.cells[index] ?? ''));
    const examples = [...cells].filter(matters).slice(0, EXAMPLES);
    return examples.length === 0 ? [] : [[index, `${head || index + 1}: ${examples.join(' · ')}`]];
  });
}

/** A row as an item of a list. */
const itemOf = ({ number, cells }: CsvRecord): Item => [
  number,
  `${number}: ${cells.filter(isFilled).join(' · ')}`,
];

const YEAR = /\bnam\s*\d{4}|\b(?:ca|hang|dau|cuoi) nam\b|\byear/;
const QUARTER = /\bquy\s*(?:\d|i)|\bq[1-4]\b|annual|quarter/;

/** Whether a text names a year without a month, a quarter, a currency or a kind of work. */
function isBasis(text: string): boolean {
  const words = plain(text);
  return isDecisive(text) || QUARTER.test(words) || YEAR.test(words.replace(MONTHS, ''));
}

/** Asks about all that the file itself leaves out and that may change amounts. */
function askLists(
  sheet: Sheet,
  columns: Columns,
  verdicts: readonly Verdict[],
  choices: Values,
): Question[] {
  const rowsOf = (isLeftOut: boolean): CsvRecord[] =>
    verdicts.filter((verdict) => verdict.isLeftOut === isLeftOut).map(({ row }) => row);
  const groups = groupsOf(verdicts);
  const lines = rowsOf(true).filter((row) => !groups.includes(row) && row.cells.some(isBasis));
  const titles = sheet.titles.filter(isBasis).map((title, at): Item => [-at, title]);
  return [
    ...confirm('tables', sheet.others.map(itemOf), choices),
    ...confirm('unused', unusedOf(sheet, columns, rowsOf(false)), choices),
    ...confirm('groups', groups.map(itemOf), choices),
    ...confirm('basis', [...titles, ...lines.map(itemOf)], choices),
  ];
}

/** Decides what a file says with the choices of the person, which always count. */
export function decide(sheet: Sheet, choices: Values): Decision {
  const { columns, open } = assign(sheet, choices);
  const { income = -1, period = -1 } = columns;
  const options = { ...findingsOf(sheet, income, choices), ...choices };
  const read = readerOf(sheet, options);
  const ask = askerOf(sheet, columns, options);
  const rows = income === -1 ? [] : sheet.rows;
  const amounts = rows.map((row) => salaryOf(read, income, row));
  const verdicts = judge({ sheet, rows, amounts, columns }, choices);
  const taken = verdicts.filter(({ answer }) => answer !== 'out').map(({ row }) => row);
  const basic = [
    ...open.map((one) => askColumn(sheet, one)),
    ...ask(
      'unit',
      rows.find((_, at) => amounts[at] !== 0),
    ),
    ...askTwofold(sheet, columns, options, ask),
  ];
  const isReady = !basic.some(isOpen);
  const questions = [
    ...basic,
    ...(isReady ? askLists(sheet, columns, verdicts, choices) : []),
    ...askUnstated(columns, taken, ask),
    ...askRows(verdicts, isReady),
    ...askMonth(
      sheet,
      options,
      taken.find(({ cells }) => !isFilled(cells[period])),
    ),
  ];
  return { columns, options, questions, people: questions.some(isOpen) ? [] : taken, read };
}

/** The values of the request of a person; an empty cell has the value for all rows. */
export function valuesOf({ columns, options, read }: Decision, row: CsvRecord): Values {
  const values: Values = { ...DEFAULTS, ...options, period: options['month'] ?? '' };
  if (options['unstated'] === 'uninsured') values['insurance_salary'] = '0';
  for (const field of FIELDS) {
    const cell = field.name in columns ? read(field, columns[field.name] ?? -1, row) : '';
    if (cell !== '') values[field.name] = cell;
  }
  return values;
}
