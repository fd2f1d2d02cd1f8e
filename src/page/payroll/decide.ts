/* The requests of a payroll, from the certain statements of its file and the choices of the person. */
import { currentPeriod } from '../calculation.ts';
import { examplesOf, type Field, type Values } from '../request.ts';
import { calculator } from '../salary.ts';
import { isTwofoldDate, readCell, readMonthCell, twofoldIn, UNANSWERED } from './cells.ts';
import {
  type AnswerAt,
  assign,
  type Columns,
  fieldsIn,
  type ReadField,
  readerOf,
  unitAt,
} from './columns.ts';
import { isDecisive, isExact, isHarmless, plain, typeIn } from './heads.ts';
import { groupsOf, isUsual, type Item, judge, type Verdict } from './rows.ts';
import { isFilled, isHeads, numberIn, type Row, SAMPLE, type Sheet, titlesOf } from './sheet.ts';

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
export interface Decision extends Context {
  /** The values for all rows, found in the file or chosen; '' for one that is open. */
  readonly options: Values;
  readonly questions: readonly Question[];
  /** The rows to calculate: none while a question is open. */
  readonly people: readonly Row[];
}

/** A sheet with its columns, and the readings that are certain or chosen. */
interface Context {
  readonly sheet: Sheet;
  readonly columns: Columns;
  readonly unit: string;
  readonly answerAt: AnswerAt;
  readonly read: ReadField;
}

const FIELDS = calculator.fields;
const [INCOME] = FIELDS as readonly [Field, ...Field[]];
const TAXATION = FIELDS.find(({ name }) => name === 'taxation')!;
const DEFAULTS: Values = { ...examplesOf(calculator), income: '' };

/** The answers to the questions about the cells of a column. */
const ANSWERS = {
  unit: ['1', '1000', '1000000'],
  separator: ['decimal', 'group'],
  dates: ['dmy', 'mdy'],
  type: ['gross', 'net', 'cost'],
  unstated: ['insured', 'uninsured'],
} as const;

/** The answers about the insurance of people with another tax status. */
const OUTSIDE = [['insured'], ['foreigner'], ['uninsured']] as const;

/** The largest part of a salary that another amount of its row usually is. */
const MOST_SHARE = 2;

const isOpen = ({ answer }: Question): boolean => answer === undefined;

const isMonth = (value = ''): boolean => /^\d{4}-(?:0[1-9]|1[0-2])$/.test(value);

/** The salary of a row in đồng: 0 without a digit, and NaN for a text. */
function salaryOf(read: ReadField, index: number, row: Row): number {
  return /\d/.test(row.cells[index] ?? '') ? Number(read(INCOME, index, row)) : 0;
}

/** The amounts of each row of which one is unusual: below the least of its field, or above the salary. */
function unusualOf(
  { sheet, columns, read }: Context,
  salaries: readonly number[],
): (string | undefined)[] {
  const amounts = fieldsIn(columns).filter(([{ kind }]) => kind === 'amount');
  return sheet.rows.map((row, at) => {
    const salary = salaries[at] ?? 0;
    if (Number.isNaN(salary) || salary === 0) return undefined;
    const values = amounts.map((column) => Number(read(...column, row)));
    const isUnusual = amounts.some(([{ name, least = 0 }], place) => {
      const { [place]: value = 0 } = values;
      if (name === 'income') return !isUsual(value);
      return value > 0 && (value < least || value > MOST_SHARE * salary);
    });
    return isUnusual ? values.join('-') : undefined;
  });
}

/** The unit of a head, if it makes most salaries usual ones; else ''. */
function unitOf(sheet: Sheet, index: number, answerAt: AnswerAt): string {
  const { [index]: stated } = sheet.units;
  if (stated === undefined) return '';
  const unit = stated || '1';
  const read = readerOf(sheet, unit, (name, at) => answerAt(name, at) ?? 'decimal');
  const amounts = sheet.rows
    .slice(0, SAMPLE)
    .map((row) => salaryOf(read, index, row))
    .filter((amount) => amount > 0);
  return amounts.filter(isUsual).length * 2 >= amounts.length ? unit : '';
}

/** Asks about the cells of a column if a row depends on it; each answer shows its reading of that row. */
function ask(
  { sheet, unit, answerAt }: Context,
  name: string,
  row: Row | undefined,
  [field, index]: readonly [Field, number],
  answer: string | undefined = answerAt(name, index),
): Question[] {
  if (row === undefined) return [];
  const [group = ''] = name.split('.');
  const options = ANSWERS[group as keyof typeof ANSWERS].map((value) => {
    const answered: AnswerAt = (one, at) =>
      one === name && at === index ? value : answerAt(one, at);
    const read = readerOf(sheet, name === 'unit' ? value : unit, answered);
    return [value, read(field, index, row)] as const;
  });
  return [
    { name: group, keys: [`${name}.${index}`], options, answer: answer || undefined, index, row },
  ];
}

const MONTHS = new RegExp(
  '(?:\\b(\\d{1,2})|\\b(jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*)'
    + '(?:\\s*nam\\s*|[\\s/.,-]+)(?:20)?(\\d\\d)\\b',
  'g',
);

/** The months that the titles and heads name; without one, this month and the last. */
function monthsOf(sheet: Sheet): string[] {
  const text = plain([...titlesOf(sheet), ...sheet.heads].join(' ; ')).replace(/\bt(?=\d)/g, ' ');
  const months = [...text.matchAll(MONTHS)].map(([, number, name, year]) =>
    readMonthCell(`${name ?? number}-${year}`),
  );
  const named = [...new Set(months)].filter(isMonth);
  const current = currentPeriod();
  const lastDay = new Date(Date.parse(current) - 1);
  return named.length > 0 ? named : [current, lastDay.toISOString().slice(0, 7)];
}

/** Asks for the values of the people whose rows state none. A cell without dependents is like zero. */
function askCommon(
  { sheet, columns }: Context,
  options: Values,
  people: readonly Row[],
): Question[] {
  const offered = { region: ['1', '2', '3', '4'], dependents: ['0'], month: monthsOf(sheet) };
  return Object.entries(offered).flatMap(([name, values]) => {
    const index = columns[name === 'month' ? 'period' : name] ?? -1;
    const isBlankKnown = name === 'dependents' && index !== -1;
    if (isBlankKnown || people.every(({ cells }) => isFilled(cells[index]))) return [];
    const { [name]: given = '' } = options;
    const answer = name === 'month' && !isMonth(given) ? '' : given;
    return [
      { name, options: values.map((value) => [value] as const), answer: answer || undefined },
    ];
  });
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

/** Asks about the cells that have two readings: amounts by their separators, and dates. */
function askTwofold(context: Context): Question[] {
  const { sheet, columns, unit } = context;
  return fieldsIn(columns).flatMap((column) => {
    const [field, index] = column;
    const rowWith = (isCause: (cell: string) => boolean): Row | undefined =>
      sheet.rows.find(({ cells }) => isCause(cells[index] ?? ''));
    if (field.kind === 'month') return ask(context, 'dates', rowWith(isTwofoldDate), column);
    if (field.kind !== 'amount') return [];
    const own = unitAt(sheet, field, index, unit);
    return ['.', ','].flatMap((separator) => {
      const row = rowWith((cell) => twofoldIn(cell, own) === separator);
      return ask(context, `separator.${separator}`, row, column);
    });
  });
}

/** The options of a field with texts; undefined for another field. */
function optionsOf({ kind, options }: Field): readonly string[] | undefined {
  return kind === 'flag' ? ['true', 'false'] : options?.filter(isFilled);
}

/** The fields whose empty cells are asked about in another way. */
const ASKED = ['type', 'region'];

/** Asks about the texts of people that are no options, each once; under an uncertain head, about all. */
function askWords({ sheet, columns, answerAt }: Context, people: readonly Row[]): Question[] {
  return fieldsIn(columns).flatMap(([field, index]) => {
    const options = optionsOf(field);
    if (options === undefined) return [];
    const isFlag = field.kind === 'flag';
    const isCertain = isFlag
      ? isExact(field.name, sheet.heads[index] ?? '')
      : ASKED.includes(field.name);
    const cells = new Set(people.map((row) => row.cells[index]?.trim() ?? ''));
    const words = new Map([...cells].map((cell) => [readCell(field, cell, UNANSWERED), cell]));
    const isOpenWord = (word: string): boolean =>
      word === '' ? !isCertain : !options.includes(word) || (isFlag && !isCertain);
    const asked = [...words].filter(([word]) => isOpenWord(word));
    const items = asked.map(([word, cell]): Item => {
      const answer = answerAt(`word.${word}`, index);
      return { name: `word.${field.name}`, key: `word.${word}.${index}`, part: cell, answer };
    });
    const questions = askItems(
      items,
      options.map((option) => [option]),
    );
    return questions.map((question) => ({ ...question, index }));
  });
}

/** The text of another tax status, by which people may be uninsured, if their row has no word on that. */
function outsideIn({ columns, read }: Context, row: Row): string | undefined {
  const { taxation, uninsured = -1, foreigner = -1 } = columns;
  if (taxation === undefined || 'insurance_salary' in columns) return undefined;
  if (isFilled(row.cells[uninsured]) || isFilled(row.cells[foreigner])) return undefined;
  const { initial, options = [] } = TAXATION;
  const status = read(TAXATION, taxation, row);
  if (status === initial || !options.includes(status)) return undefined;
  return readCell(TAXATION, row.cells[taxation] ?? '', UNANSWERED);
}

/** Asks for the insurance of people with another tax status. */
function askOutside(context: Context, people: readonly Row[]): Question[] {
  const {
    columns: { taxation = -1 },
    answerAt,
  } = context;
  const words = new Map(people.map((row) => [outsideIn(context, row), row.cells[taxation] ?? '']));
  const items = [...words].flatMap(([word, part]): Item[] => {
    const name = `outside.${word}`;
    const answer = answerAt(name, taxation);
    return word === undefined
      ? []
      : [{ name: 'outside', key: `${name}.${taxation}`, part, answer }];
  });
  return askItems(items, OUTSIDE);
}

/** Asks for the options that the rows of some people leave open. */
function askUnstated(context: Context, people: readonly Row[], type: string): Question[] {
  const { income = -1, insurance_salary: insured } = context.columns;
  const rowWithout = (name: string): Row | undefined =>
    people.find(({ cells }) => !isFilled(cells[context.columns[name] ?? -1]));
  const field = FIELDS.find(({ name }) => name === 'insurance_salary')!;
  return [
    ...ask(context, 'type', rowWithout('type'), [INCOME, income], type),
    ...(insured === undefined
      ? []
      : ask(context, 'unstated', rowWithout(field.name), [field, insured])),
    ...askOutside(context, people),
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
  const { income = -1 } = columns;
  const groups = groupsOf(verdicts, income);
  const above = sheet.above.filter(({ cells }) => numberIn(cells[income]) !== undefined);
  const left = rowsOf(true).filter((row) => !groups.includes(row) && !isHeads(row));
  const lines = left.filter(({ cells }) => cells.some(isBasis));
  const unused = unusedOf(sheet, columns, rowsOf(false));
  return [
    ...above.map((row) => item('tables', row.number, row)),
    ...tablesOf(sheet).map(([number, text]) => item('tables', number, text)),
    ...unused.map(([index, text]) => item('unused', index, text)),
    ...groups.map((row) => item('groups', row.number, row)),
    ...titlesOf(sheet)
      .filter(isBasis)
      .map((title, at) => item('basis', -at, title)),
    ...lines.map((row) => item('basis', row.number, row)),
  ];
}

/** Decides about a file. The choices of the person always take precedence. */
export function decide(sheet: Sheet, choices: Values): Decision {
  const { columns, open } = assign(sheet, choices);
  const { income = -1 } = columns;
  const answerAt: AnswerAt = (name, index) => choices[`${name}.${index}`];
  const type = answerAt('type', income) ?? typeIn(sheet.heads[income] ?? '') ?? '';
  const unit = answerAt('unit', income) ?? unitOf(sheet, income, answerAt);
  const read = readerOf(sheet, unit, answerAt);
  const context: Context = { sheet, columns, unit, answerAt, read };
  const amounts = sheet.rows.map((row) => salaryOf(read, income, row));
  const unusual = unusualOf(context, amounts);
  const verdicts = judge({ sheet, amounts, unusual, columns }, choices);
  const first = sheet.rows.find((_, at) => amounts[at] !== 0);
  const isOut = ({ doubts }: Verdict): boolean => doubts.some(({ answer }) => answer === 'out');
  const taken = verdicts.filter((verdict) => !isOut(verdict)).map(({ row }) => row);
  const basic = [
    ...open.map((one) => askColumn(sheet, one)),
    ...ask(context, 'unit', first, [INCOME, income], unit),
    ...askTwofold(context),
  ];
  const isReady = !basic.some(isOpen);
  const lists = isReady ? listed(sheet, columns, verdicts, choices) : [];
  const doubts = isReady ? verdicts.flatMap((verdict) => verdict.doubts) : [];
  const options = { ...choices, type };
  const questions = [
    ...basic,
    ...askItems(lists, [['confirmed']]),
    ...askItems(doubts, [['in'], ['out']]),
    ...askWords(context, taken),
    ...askUnstated(context, taken, type),
    ...askCommon(context, options, taken),
  ];
  return { ...context, options, questions, people: questions.some(isOpen) ? [] : taken };
}

/** The sum of two amounts; a text that is refused, if one of them is no whole number. */
function sumOf(left: string, right: string): string {
  const isWhole = [left, right].every((amount) => /^\d+$/.test(amount));
  return isWhole ? String(BigInt(left) + BigInt(right)) : `${left} + ${right}`;
}

/** The values of the request of a person; an empty cell has the value for all rows. */
export function valuesOf(decision: Decision, row: Row): Values {
  const { columns, options, read, answerAt } = decision;
  const values: Values = { ...DEFAULTS, ...options, period: options['month'] ?? '' };
  const { insurance_salary: insured = -1, taxation = -1 } = columns;
  if (answerAt('unstated', insured) === 'uninsured') values['insurance_salary'] = '0';
  const outside = outsideIn(decision, row);
  const insurance = outside === undefined ? '' : answerAt(`outside.${outside}`, taxation);
  if (insurance === 'uninsured') values['uninsured'] = 'true';
  if (insurance === 'foreigner') values['foreigner'] = 'true';
  const stated: Values = {};
  for (const [field, index] of fieldsIn(columns)) {
    const cell = read(field, index, row);
    const { [field.name]: before } = stated;
    if (cell !== '') stated[field.name] = before === undefined ? cell : sumOf(before, cell);
  }
  return { ...values, ...stated };
}
