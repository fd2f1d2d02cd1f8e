/* The requests of a payroll, from the certain statements of its file and the choices of the person. */
import { currentPeriod } from '../calculation.ts';
import { examplesOf, type Field, type Values } from '../request.ts';
import { calculator } from '../salary.ts';
import { isTwofold, isTwofoldDate, readCell, readMonthCell, wordKey } from './cells.ts';
import { assign, type Columns, fieldsIn, type ReadField, readerOf, unitAt } from './columns.ts';
import { isDecisive, isHarmless, plain, typeIn } from './heads.ts';
import { groupsOf, isUsual, type Item, judge, type Verdict } from './rows.ts';
import { isFilled, isHeads, type Row, SAMPLE, type Sheet } from './sheet.ts';

/** A question about a statement that is not certain, or that the person may want to change. */
export interface Question {
  readonly name: string;
  /** The keys of the choices that an answer makes, if it is not the name: several for a list. */
  readonly keys?: readonly string[];
  /** The list, with a part of the file for each key. */
  readonly parts?: readonly Item['part'][];
  /** The answers, each with the example as this answer reads it, if the readings differ. */
  readonly options: readonly (readonly [value: string, example?: string | undefined])[];
  /** The answer that is certain or chosen; undefined if the question is open. */
  readonly answer: string | undefined;
  readonly index?: number | undefined;
  readonly row?: Row | undefined;
}

/** A sheet with choices. */
export interface Decision {
  readonly columns: Columns;
  /** The values for all rows, found in the file or chosen; '' for one that is open. */
  readonly options: Values;
  readonly questions: readonly Question[];
  /** The rows to calculate: none while a question is open. */
  readonly people: readonly Row[];
  readonly read: ReadField;
}

const FIELDS = calculator.fields;
const [INCOME] = FIELDS as readonly [Field, ...Field[]];
const TAXATION = FIELDS.find(({ name }) => name === 'taxation')!;
const DEFAULTS: Values = { ...examplesOf(calculator), income: '' };

/** The answers to the questions about all rows. */
const ANSWERS = {
  unit: ['1', '1000', '1000000'],
  separator: ['decimal', 'group'],
  dates: ['dmy', 'mdy'],
  type: ['gross', 'net', 'cost'],
  unstated: ['insured', 'uninsured'],
  outside: ['insured', 'uninsured'],
} as const;

/** The values that are offered for all rows. */
const COMMON = { region: ['1', '2', '3', '4'], dependents: ['0'] } as const;

/** The texts of a column that are asked about at a time. */
const MOST_WORDS = 20;

const isOpen = ({ answer }: Question): boolean => answer === undefined;

const isMonth = (value = ''): boolean => /^\d{4}-(?:0[1-9]|1[0-2])$/.test(value);

/** The salary of a row in đồng: 0 without a digit, and NaN for a text. */
function salaryOf(read: ReadField, index: number, row: Row): number {
  return /\d/.test(row.cells[index] ?? '') ? Number(read(INCOME, index, row)) : 0;
}

/** The unit of a head, if it makes most salaries usual ones; else ''. */
function unitOf(sheet: Sheet, index: number, separator = 'decimal'): string {
  const unit = sheet.units[index];
  if (unit === undefined) return '';
  const read = readerOf(sheet, { unit, separator });
  const amounts = sheet.rows
    .slice(0, SAMPLE)
    .map((row) => salaryOf(read, index, row))
    .filter((amount) => amount > 0);
  return amounts.filter(isUsual).length * 2 >= amounts.length ? unit : '';
}

type Ask = (
  name: keyof typeof ANSWERS,
  row: Row | undefined,
  field?: Field,
  index?: number,
) => Question[];

/** Asks for an option of all rows if a row depends on it; each answer shows its reading of that row. */
const askerOf =
  (sheet: Sheet, columns: Columns, options: Values): Ask =>
  (name, row, field = INCOME, index = columns[field.name] ?? -1) => {
    if (row === undefined) return [];
    const answers = ANSWERS[name].map((value) => {
      const read = readerOf(sheet, { ...options, [name]: value });
      return [value, read(field, index, row)] as const;
    });
    const answer = options[name] || undefined;
    return [{ name, options: answers, answer, index, row }];
  };

const MONTHS = new RegExp(
  '(?:\\b(\\d{1,2})|\\b(jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*)'
    + '(?:\\s*nam\\s*|[\\s/.,-]+)(?:20)?(\\d\\d)\\b',
  'g',
);

/** The months that the titles and heads name; without one, this month and the last. */
function monthsOf({ titles, heads }: Sheet): string[] {
  const text = plain([...titles, ...heads].join(' ; ')).replace(/\bt(?=\d)/g, ' ');
  const months = [...text.matchAll(MONTHS)].map(([, number, name, year]) =>
    readMonthCell(`${name ?? number}-${year}`),
  );
  const named = [...new Set(months)].filter(isMonth);
  const current = currentPeriod();
  const lastDay = new Date(Date.parse(current) - 1);
  return named.length > 0 ? named : [current, lastDay.toISOString().slice(0, 7)];
}

/** Asks about the month, which is only offered. */
function askMonth(sheet: Sheet, { month }: Values, row: Row | undefined): Question[] {
  const options = monthsOf(sheet).map((one) => [one] as const);
  const answer = isMonth(month) ? month : undefined;
  return row === undefined ? [] : [{ name: 'month', options, answer }];
}

/** Asks for the values of all rows for which there is no column. */
function askCommon(columns: Columns, options: Values): Question[] {
  return Object.entries(COMMON)
    .filter(([name]) => !(name in columns))
    .map(([name, values]) => ({
      name,
      options: values.map((value) => [value] as const),
      answer: options[name] || undefined,
    }));
}

/** Asks which of some columns has a field. */
function askColumn(
  { rows }: Sheet,
  [name, indexes]: readonly [string, readonly number[]],
): Question {
  const options = indexes.map((index): Question['options'][number] => {
    const row = rows.find(({ cells }) => isFilled(cells[index]));
    return [String(index), row?.cells[index]];
  });
  return {
    name: `column.${name}`,
    options: name === 'income' ? options : [...options, ['']],
    answer: undefined,
  };
}

/** Asks about parts of the file: one question lists those with the same name and answer. */
function askItems(items: readonly Item[], options: Question['options']): Question[] {
  const lists = new Map<string, Item[]>();
  for (const item of items) {
    const kind = `${item.name} ${item.answer}`;
    const list = lists.get(kind) ?? [];
    list.push(item);
    lists.set(kind, list);
  }
  return [...lists.values()].map((list) => ({
    name: list[0]?.name ?? '',
    keys: list.map(({ key }) => key),
    parts: list.map(({ part }) => part),
    options,
    answer: list[0]?.answer,
  }));
}

/** The row whose cell of a field of a kind has two readings, asked about. */
function askTwofold(sheet: Sheet, columns: Columns, options: Values, ask: Ask): Question[] {
  const found = fieldsIn(columns).flatMap(([field, index]) => {
    const unit = unitAt(sheet, field, index, options);
    const isMonth = field.kind === 'month';
    const isCause = (cell = ''): boolean => (isMonth ? isTwofoldDate(cell) : isTwofold(cell, unit));
    const row = sheet.rows.find(({ cells }) => isCause(cells[index]));
    return ask(isMonth ? 'dates' : 'separator', row, field, index);
  });
  return found.filter(({ name }, at) => found.findIndex((one) => one.name === name) === at);
}

/** Asks about the texts of people that are no options of their fields, each once. */
function askWords(columns: Columns, people: readonly Row[], choices: Values): Question[] {
  return fieldsIn(columns).flatMap(([field, index]) => {
    const answers =
      field.kind === 'flag' ? ['true', 'false'] : (field.options ?? []).filter(Boolean);
    if (answers.length === 0) return [];
    const rows = new Map(people.map((row) => [row.cells[index] ?? '', row]));
    const words = new Map([...rows].map(([cell, row]) => [readCell(field, cell, {}), row]));
    const unknown = [...words].filter(([word]) => word !== '' && !answers.includes(word));
    return unknown.slice(0, MOST_WORDS).map(([word, row]) => {
      const key = wordKey(field, word);
      const options = answers.map((answer) => [answer] as const);
      return { name: `word.${field.name}`, keys: [key], options, answer: choices[key], index, row };
    });
  });
}

/** Whether a row has a tax status of people who may be uninsured, and no word on the insurance. */
function isOutside(columns: Columns, read: ReadField, row: Row): boolean {
  const { taxation, uninsured = -1 } = columns;
  if (taxation === undefined || 'insurance_salary' in columns) return false;
  if (isFilled(row.cells[uninsured])) return false;
  const { initial, options = [] } = TAXATION;
  const status = read(TAXATION, taxation, row);
  return status !== initial && options.includes(status);
}

/** Asks for the options that the rows of some people leave open. */
function askUnstated(
  columns: Columns,
  people: readonly Row[],
  read: ReadField,
  ask: Ask,
): Question[] {
  const rowWithout = (name: string): Row | undefined =>
    people.find(({ cells }) => !isFilled(cells[columns[name] ?? -1]));
  const insured = FIELDS.filter(({ name }) => name === 'insurance_salary' && name in columns);
  return [
    ...ask('type', rowWithout('type')),
    ...insured.flatMap((field) => ask('unstated', rowWithout(field.name), field)),
    ...ask(
      'outside',
      people.find((row) => isOutside(columns, read, row)),
      TAXATION,
    ),
  ];
}

const EXAMPLES = 8;
const LONGEST_EXAMPLE = 40;

/** The columns without a field that may change amounts of people, each with some of its cells. */
function unusedOf(
  { heads, width }: Sheet,
  columns: Columns,
  rows: readonly Row[],
): (readonly [index: number, text: string])[] {
  const used = Object.values(columns);
  return heads.flatMap((head, index) => {
    if (used.includes(index) || (width > 0 && index >= width)) return [];
    const isCalm = isHarmless(head);
    const matters = ({ cells, decisive }: Row): boolean =>
      isCalm ? decisive.includes(index) : isFilled(cells[index]);
    const cells = new Set(
      rows.filter(matters).map((row) => row.cells[index]?.slice(0, LONGEST_EXAMPLE)),
    );
    const examples = [...cells].slice(0, EXAMPLES);
    const text = `${head || index + 1}: ${examples.join(' · ')}`;
    return examples.length === 0 ? [] : [[index, text] as const];
  });
}

const YEAR = /\bnam\s*\d{4}|\b(?:ca|hang|dau|cuoi) nam\b|\byear/;
const QUARTER = /\bquy\s*(?:\d|i)|\bq[1-4]\b|annual|quarter/;

/** Whether a text names a year without a month, a quarter, a currency or a kind of work. */
function isBasis(text: string): boolean {
  const words = plain(text);
  return isDecisive(text) || QUARTER.test(words) || YEAR.test(words.replace(MONTHS, ''));
}

/** The other tables, each by the numbers of its rows and its heads. */
function tablesOf({ others }: Sheet): (readonly [number: number, text: string])[] {
  const heads = others.filter(isHeads);
  return heads.map(({ number, cells }, at) => {
    const { number: end = Infinity } = heads[at + 1] ?? {};
    const last = others.filter((row) => row.number < end).at(-1);
    return [number, `${number}–${last?.number}: ${cells.filter(isFilled).join(' · ')}`];
  });
}

/** The parts of the file that are left out and may change amounts. */
function listed(
  sheet: Sheet,
  columns: Columns,
  verdicts: readonly Verdict[],
  choices: Values,
): Item[] {
  const item = (name: string, place: number, part: Item['part']): Item => {
    const key = `${name}.${place}`;
    return { name, key, part, answer: choices[key] };
  };
  const rowsOf = (isLeftOut: boolean): Row[] =>
    verdicts.filter((verdict) => verdict.isLeftOut === isLeftOut).map(({ row }) => row);
  const groups = groupsOf(verdicts);
  const lines = rowsOf(true).filter((row) => !groups.includes(row) && row.cells.some(isBasis));
  const unused = unusedOf(sheet, columns, rowsOf(false));
  return [
    ...tablesOf(sheet).map(([number, text]) => item('tables', number, text)),
    ...unused.map(([index, text]) => item('unused', index, text)),
    ...groups.map((row) => item('groups', row.number, row)),
    ...sheet.titles.filter(isBasis).map((title, at) => item('basis', -at, title)),
    ...lines.map((row) => item('basis', row.number, row)),
  ];
}

/** Decides about a file. The choices of the person always take precedence. */
export function decide(sheet: Sheet, choices: Values): Decision {
  const { columns, open } = assign(sheet, choices);
  const { income = -1, period = -1 } = columns;
  const type = typeIn(sheet.heads[income] ?? '') ?? '';
  const options = { type, unit: unitOf(sheet, income, choices['separator']), ...choices };
  const read = readerOf(sheet, options);
  const ask = askerOf(sheet, columns, options);
  const amounts = sheet.rows.map((row) => salaryOf(read, income, row));
  const verdicts = judge({ sheet, amounts, columns }, choices);
  const first = sheet.rows.find((_, at) => amounts[at] !== 0);
  const isOut = ({ doubts }: Verdict): boolean => doubts.some(({ answer }) => answer === 'out');
  const taken = verdicts.filter((verdict) => !isOut(verdict)).map(({ row }) => row);
  const undated = taken.find(({ cells }) => !isFilled(cells[period]));
  const doubts = verdicts.flatMap((verdict) => verdict.doubts);
  const basic = [
    ...open.map((one) => askColumn(sheet, one)),
    ...ask('unit', first),
    ...askTwofold(sheet, columns, options, ask),
  ];
  const isReady = !basic.some(isOpen);
  const questions = [
    ...basic,
    ...askItems(isReady ? listed(sheet, columns, verdicts, choices) : [], [['confirmed']]),
    ...askItems(isReady ? doubts : [], [['in'], ['out']]),
    ...askWords(columns, taken, choices),
    ...askUnstated(columns, taken, read, ask),
    ...(taken.length > 0 ? askCommon(columns, options) : []),
    ...askMonth(sheet, options, undated),
  ];
  return { columns, options, questions, people: questions.some(isOpen) ? [] : taken, read };
}

/** The sum of two amounts; a text that is refused, if one of them is no whole number. */
function sumOf(left: string, right: string): string {
  const isWhole = [left, right].every((amount) => /^\d+$/.test(amount));
  return isWhole ? String(BigInt(left) + BigInt(right)) : `${left} + ${right}`;
}

/** The values of the request of a person; an empty cell has the value for all rows. */
export function valuesOf({ columns, options, read }: Decision, row: Row): Values {
  const stated: Values = {};
  for (const [field, index] of fieldsIn(columns)) {
    const cell = read(field, index, row);
    const { [field.name]: before } = stated;
    if (cell !== '') stated[field.name] = before === undefined ? cell : sumOf(before, cell);
  }
  const values: Values = { ...DEFAULTS, ...options, period: options['month'] ?? '' };
  if (options['unstated'] === 'uninsured') values['insurance_salary'] = '0';
  if (options['outside'] === 'uninsured' && isOutside(columns, read, row)) {
    values['uninsured'] = 'true';
  }
  return { ...values, ...stated };
}
