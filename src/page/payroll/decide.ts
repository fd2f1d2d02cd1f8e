/* The requests of a payroll, from the certain statements of its file and the choices of the person. */
import { currentPeriod } from '../calculation.ts';
import { examplesOf, type Field, type Values } from '../request.ts';
import { calculator } from '../salary.ts';
import { isTwofoldDate, readCell, readMonthCell, twofoldIn, UNANSWERED } from './cells.ts';
import {
  type AnswerTo,
  assign,
  type Columns,
  type Context,
  fieldsIn,
  type ReadField,
  readerOf,
  unitAt,
} from './columns.ts';
import { isExact, isHarmless, plain, typeIn } from './heads.ts';
import { isUsual, type Item, judge, type Verdict } from './rows.ts';
import { isFilled, isHeads, numberIn, type Row, SAMPLE, type Sheet, titlesOf } from './sheet.ts';

/** A question about a statement that is not certain, or that the person may want to change. */
export interface Question {
  readonly name: string;
  /** The keys of the choices that an answer makes, if it is not the name: several for a list. */
  readonly keys?: readonly string[];
  /** The list, with a part of the file for each key. */
  readonly parts?: readonly Item['part'][];
  /** The answers, each with the examples as it reads them, if the readings differ. */
  readonly options: readonly (readonly [value: string, ...examples: string[]])[];
  /** The answer that is certain or chosen; undefined if the question is open. */
  readonly answer: string | undefined;
  readonly index?: number | undefined;
}

/** A sheet with choices. */
export interface Decision extends Context {
  readonly questions: readonly Question[];
  /** The rows to calculate: none while a question is open. */
  readonly people: readonly Row[];
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

const isOpen = ({ answer }: Question): boolean => answer === undefined;

const isMonth = (value = ''): boolean => /^\d{4}-(?:0[1-9]|1[0-2])$/.test(value);

/** The salary of a row in đồng: 0 without a digit, and NaN for a text. */
function salaryOf(read: ReadField, index: number, row: Row): number {
  return /\d/.test(row.cells[index] ?? '') ? Number(read(INCOME, index, row)) : 0;
}

/** The readers by each meaning of separators, unless there is an answer about them. */
function readersOf(sheet: Sheet, columns: Columns, answerTo: AnswerTo): ReadField[] {
  return ANSWERS.separator.map((meaning) => {
    const meaningOf = (key: string): string | undefined =>
      key.startsWith('separator.') ? meaning : undefined;
    return readerOf(sheet, columns, (key) => answerTo(key) ?? meaningOf(key));
  });
}

/** The unit of the head of the salaries, if it makes most of them usual ones; else ''. */
function unitOf(sheet: Sheet, columns: Columns, choices: Values): string {
  const { income: index = -1 } = columns;
  const { [index]: stated } = sheet.units;
  if (stated === undefined) return '';
  const unit = stated || '1';
  const rows = sheet.rows.slice(0, SAMPLE);
  const isFit = (read: ReadField): boolean => {
    const salaries = rows.map((row) => salaryOf(read, index, row)).filter((salary) => salary > 0);
    return salaries.filter(isUsual).length * 2 >= salaries.length;
  };
  const answerTo: AnswerTo = (key) => (key === `unit.${index}` ? unit : choices[key]);
  return readersOf(sheet, columns, answerTo).some(isFit) ? unit : '';
}

/** Asks about the cells of a column if a row depends on it; each answer has its readings of that row. */
function ask(
  { sheet, columns, answerTo }: Context,
  name: string,
  row: Row | undefined,
  [field, index]: readonly [Field, number],
): Question[] {
  if (row === undefined) return [];
  const [group = ''] = name.split('.');
  const key = `${name}.${index}`;
  const values = ANSWERS[group as keyof typeof ANSWERS];
  const readings = values.map((value) => {
    const readers = readersOf(sheet, columns, (one) => (one === key ? value : answerTo(one)));
    return [...new Set(readers.map((read) => read(field, index, row)))];
  });
  const isAlike = new Set(readings.map(String)).size === 1;
  const options = values.map(
    (value, at) => [value, ...((!isAlike && readings[at]) || [])] as const,
  );
  const item = { name: group, key, part: row, answer: answerTo(key) || undefined };
  return askItems([item], options, index);
}

/** A month with its year, also after a day; a quarter is none. */
const MONTHS = new RegExp(
  '(quy\\s*)?(?:\\b\\d{1,2}[/.-](?=\\d{1,2}[/.-]))?'
    + '(?:\\b(\\d{1,2})|\\b(jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*)'
    + '(?:\\s*nam\\s*|[\\s/.,-]+)(?:20)?(\\d\\d)\\b(?![/.-]\\d)',
  'g',
);

/** The months that the titles and heads name; without one, this month and the last. */
function monthsOf(sheet: Sheet): string[] {
  const text = plain([...titlesOf(sheet), ...sheet.heads].join(' ; ')).replace(/\bt(?=\d)/g, ' ');
  const months = [...text.matchAll(MONTHS)].map(([, quarter, number, name, year]) =>
    quarter === undefined ? readMonthCell(`${number ?? name}-${year}`) : '',
  );
  const named = [...new Set(months)].filter(isMonth);
  const current = currentPeriod();
  const lastDay = new Date(Date.parse(current) - 1);
  return named.length > 0 ? named : [current, lastDay.toISOString().slice(0, 7)];
}

/** Asks for the values of the people whose rows state none. A cell without dependents is like zero. */
function askCommon({ sheet, columns, answerTo }: Context, people: readonly Row[]): Question[] {
  const offered = { region: ['1', '2', '3', '4'], dependents: ['0'], month: monthsOf(sheet) };
  return Object.entries(offered).flatMap(([name, values]) => {
    const { [name === 'month' ? 'period' : name]: index } = columns;
    if (name === 'dependents' && index !== undefined) return [];
    const blank = people.find(({ cells }) => !isFilled(cells[index ?? -1]));
    if (blank === undefined) return [];
    const given = answerTo(name) ?? '';
    const answer = (name === 'month' && !isMonth(given) ? '' : given) || undefined;
    const options = values.map((value) => [value] as const);
    const parts = index === undefined ? [] : [blank];
    return [{ name, parts, options, answer, index }];
  });
}

/** Asks which column has the salary, if none has it for certain. */
function askSalary({ sheet, columns, salaries }: Context): Question[] {
  if ('income' in columns) return [];
  const options = salaries.map((index): Question['options'][number] => {
    const row = sheet.rows.find(({ cells }) => isFilled(cells[index]));
    return [String(index), row?.cells[index] ?? ''];
  });
  return [{ name: 'income', options, answer: undefined }];
}

/** Asks about parts of the file: one question lists those with the same name and answer. */
function askItems(
  items: readonly Item[],
  options: Question['options'],
  index?: number,
): Question[] {
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
    index,
  }));
}

/** Asks about the cells of people that have two readings: amounts by their separators, and dates. */
function askTwofold(context: Context, people: readonly Row[]): Question[] {
  const { sheet, columns, answerTo } = context;
  return fieldsIn(columns).flatMap((column) => {
    const [field, index] = column;
    const rowWith = (isCause: (cell: string) => boolean): Row | undefined =>
      people.find(({ cells }) => isCause(cells[index] ?? ''));
    if (field.kind === 'month') return ask(context, 'dates', rowWith(isTwofoldDate), column);
    if (field.kind !== 'amount') return [];
    const unit = unitAt(sheet, columns, answerTo, index);
    return ['.', ','].flatMap((separator) => {
      const row = rowWith((cell) => twofoldIn(cell, unit) === separator);
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
function askWords({ sheet, columns, answerTo }: Context, people: readonly Row[]): Question[] {
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
    const items = asked.map(([word, part]): Item => {
      const key = `word.${word}.${index}`;
      return { name: `word.${field.name}`, key, part, answer: answerTo(key) };
    });
    const values = options.map((option) => [option] as const);
    return askItems(items, values, index);
  });
}

/** The key of the answer about a text of another tax status, unless the row is about insurance; else ''. */
function outsideIn({ columns, read }: Context, row: Row): string {
  const { taxation, uninsured = -1 } = columns;
  if (taxation === undefined || 'insurance_salary' in columns) return '';
  if (isFilled(row.cells[uninsured])) return '';
  const { initial, options = [] } = TAXATION;
  const status = read(TAXATION, taxation, row);
  if (status === initial || !options.includes(status)) return '';
  const text = row.cells[taxation]?.normalize('NFC').trim().toLowerCase();
  return `outside.${text}.${taxation}`;
}

/** Asks for the insurance of people with another tax status. */
function askOutside(context: Context, people: readonly Row[]): Question[] {
  const { columns, answerTo } = context;
  const { taxation = -1 } = columns;
  const texts = new Map(people.map((row) => [outsideIn(context, row), row.cells[taxation] ?? '']));
  texts.delete('');
  const items = [...texts].map(([key, part]): Item => {
    return { name: 'outside', key, part, answer: answerTo(key) };
  });
  return askItems(items, OUTSIDE);
}

/** Asks for the options that the rows of some people leave open. */
function askUnstated(context: Context, people: readonly Row[]): Question[] {
  const { columns } = context;
  const [type, insured] = ['type', 'insurance_salary'].map((name) =>
    people.find(({ cells }) => !isFilled(cells[columns[name] ?? -1])),
  );
  const field = FIELDS.find(({ name }) => name === 'insurance_salary')!;
  const { income = -1, [field.name]: index } = columns;
  return [
    ...ask(context, 'type', type, [INCOME, income]),
    ...(index === undefined ? [] : ask(context, 'unstated', insured, [field, index])),
    ...askOutside(context, people),
  ];
}

const MOST_TEXTS = 1_000;
const MOST_NUMBERS = 3;
const LONGEST_EXAMPLE = 200;

/** The texts in the cells of a column, some of its numbers, and the number of the others. */
function examplesIn(index: number, people: readonly Row[]): string {
  const cells = new Set(people.map((row) => row.cells[index]?.trim() ?? ''));
  const filled = [...cells].filter(isFilled);
  const isText = (cell: string): boolean => numberIn(cell) === undefined;
  const texts = filled.filter(isText).slice(0, MOST_TEXTS);
  const numbers = filled.filter((cell) => !isText(cell)).slice(0, MOST_NUMBERS);
  const examples = [...texts, ...numbers].map((cell) =>
    cell.length > LONGEST_EXAMPLE ? `${cell.slice(0, LONGEST_EXAMPLE)}…` : cell,
  );
  const rest = filled.length - examples.length;
  return [...examples, ...(rest > 0 ? [`… (+${rest})`] : [])].join(' · ');
}

/** The columns without a field, each with the fields that it may have, and with some of its cells. */
function unusedIn(
  { sheet, columns, likely, answerTo }: Context,
  people: readonly Row[],
): (readonly [fields: readonly string[], item: Item])[] {
  const { heads, width } = sheet;
  const used = Object.values(columns);
  return heads.flatMap((head, index) => {
    const isBeyond = width > 0 && index >= width;
    if (used.includes(index) || isHarmless(head) || isBeyond) return [];
    const examples = examplesIn(index, people);
    if (examples === '') return [];
    const key = `use.${index}`;
    const part = `${head || index + 1}: ${examples}`;
    // A column whose field another one has taken is open again.
    const answer = answerTo(key) === '' ? '' : undefined;
    const { [index]: fields = [] } = likely;
    return [[fields, { name: fields.length > 0 ? 'use' : 'unused', key, part, answer }] as const];
  });
}

/** Asks for the use of a column that may have a field. */
function askUse(fields: readonly string[], item: Item): Question[] {
  const options = [...fields, ''].map((field) => [field] as const);
  return fields.length === 0 ? [] : askItems([item], options);
}

/** Whether a row that is left out says something: letters, or a number that is not in the first cell. */
function isTelling({ cells }: Row): boolean {
  return cells.some(
    (cell, index) => /[\p{L}$€£¥]/u.test(cell) || (index > 0 && /[1-9]/.test(cell)),
  );
}

/** The lines that are left out: those without a salary, and those of other tables. */
function linesIn({ sheet, answerTo }: Context, unpaid: readonly Row[]): Item[] {
  const people = unpaid.filter((row) => !isHeads(row));
  const lines = [...sheet.above, ...people, ...sheet.below].filter(isTelling);
  return lines.map((part) => {
    const key = `line.${part.number}`;
    return { name: 'unused', key, part, answer: answerTo(key) };
  });
}

/** The rows without a doubt, which can be left out. */
function peopleIn(verdicts: readonly Verdict[]): Item[] {
  const certain = verdicts.filter(({ doubts }) => doubts.length === 0);
  return certain.map(({ row }) => {
    return { name: 'people', key: `row.${row.number}`, part: row, answer: 'in' };
  });
}

/**
 * The choices that an answer makes. That to the salary is the use of a column; each other one is about
 * the keys of its question, or some of them.
 */
export function choicesOf({ name, keys = [name] }: Question, answer: string, some = keys): Values {
  if (name === 'income') return { [`use.${answer}`]: name };
  return Object.fromEntries(some.map((key) => [key, answer]));
}

/** Reads a file with the choices of the person, which always take precedence. */
function contextOf(sheet: Sheet, choices: Values): Context {
  const assignment = assign(sheet, choices);
  const { columns } = assignment;
  const { income = -1 } = columns;
  const certain: Values = {
    [`type.${income}`]: typeIn(sheet.heads[income] ?? '') ?? '',
    [`unit.${income}`]: unitOf(sheet, columns, choices),
  };
  const answerTo: AnswerTo = (key) => choices[key] ?? certain[key];
  return { ...assignment, sheet, answerTo, read: readerOf(sheet, columns, answerTo) };
}

/** Decides about a file. */
export function decide(sheet: Sheet, choices: Values): Decision {
  const context = contextOf(sheet, choices);
  const { income = -1 } = context.columns;
  const amounts = sheet.rows.map((row) => salaryOf(context.read, income, row));
  const verdicts = judge(context, amounts);
  const isOut = ({ doubts }: Verdict): boolean => doubts.some(({ answer }) => answer === 'out');
  const taken = verdicts.filter((verdict) => !isOut(verdict)).map(({ row }) => row);
  const basic = [
    ...askSalary(context),
    ...ask(context, 'unit', taken[0], [INCOME, income]),
    ...askTwofold(context, taken),
  ];
  const unpaid = sheet.rows.filter((_, at) => amounts[at] === 0);
  const unused = unusedIn(context, taken);
  const uses = unused.flatMap(([fields, item]) => askUse(fields, item));
  const questions = [...basic, ...uses];
  // The later questions depend on the answers to the first ones.
  if (!questions.some(isOpen)) {
    const others = unused.map(([, item]) => item);
    const doubts = verdicts.flatMap((verdict) => verdict.doubts);
    questions.push(
      ...askItems([...others, ...linesIn(context, unpaid)], [['']]),
      ...askItems([...doubts, ...peopleIn(verdicts)], [['in'], ['out']]),
      ...askWords(context, taken),
      ...askUnstated(context, taken),
      ...askCommon(context, taken),
    );
  }
  return { ...context, questions, people: questions.some(isOpen) ? [] : taken };
}

/** The sum of two amounts; a text that is refused, if one of them is no whole number. */
function sumOf(left: string, right: string): string {
  const isWhole = [left, right].every((amount) => /^\d+$/.test(amount));
  return isWhole ? String(BigInt(left) + BigInt(right)) : `${left} + ${right}`;
}

/** The values of the request of a person; an empty cell has the value for all rows. */
export function valuesOf(decision: Decision, row: Row): Values {
  const { columns, answerTo, read } = decision;
  const { income, insurance_salary: insured } = columns;
  const common = {
    type: `type.${income}`,
    period: 'month',
    region: 'region',
    dependents: 'dependents',
  };
  const values: Record<string, string> = { ...DEFAULTS };
  for (const [name, key] of Object.entries(common)) values[name] = answerTo(key) ?? '';
  if (answerTo(`unstated.${insured}`) === 'uninsured') values['insurance_salary'] = '0';
  const insurance = answerTo(outsideIn(decision, row));
  if (insurance === 'uninsured' || insurance === 'foreigner') values[insurance] = 'true';
  const stated: Record<string, string> = {};
  for (const [field, index] of fieldsIn(columns)) {
    const cell = read(field, index, row);
    const { [field.name]: before } = stated;
    if (cell !== '') stated[field.name] = before === undefined ? cell : sumOf(before, cell);
  }
  return { ...values, ...stated };
}
