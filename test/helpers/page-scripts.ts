import { readdirSync } from 'node:fs';
import { extname } from 'node:path';
import { root } from './repository.ts';

/** The folder of the page. */
export const FOLDER = 'src/page/';

/** The values of a form, by the names of its fields. */
export type Values = Readonly<Record<string, string>>;

/** A field of a calculator. */
export interface Field {
  readonly name: string;
  readonly kind: string;
  readonly options?: readonly string[];
  readonly initial?: string;
  readonly range?: readonly [number, number];
  readonly isRequired?: boolean;
  /** The members of the request that a field stands for. */
  readonly members?: readonly string[];
}

/** A calculator of the page. */
export interface Calculator {
  readonly name: string;
  readonly always?: readonly string[];
  readonly pathOf: (values: Values) => string;
  readonly calculate: (body: string, values: Values) => { readonly content: string };
  readonly follow?: (values: Values) => Values;
  readonly fields: readonly Field[];
}

/** A row of a payroll. */
export interface Row {
  readonly number: number;
  readonly cells: readonly string[];
}

/** A payroll as a table. */
export interface Sheet {
  readonly heads: readonly string[];
  readonly rows: readonly Row[];
  readonly below: readonly Row[];
}

/** A question about a payroll. */
export interface Question {
  readonly name: string;
  readonly keys?: readonly string[];
  readonly parts?: readonly unknown[];
  readonly options: readonly (readonly [value: string, ...examples: string[]])[];
  readonly answer: string | undefined;
}

/** A payroll with choices. */
export interface Decision {
  readonly columns: Readonly<Record<string, number>>;
  readonly questions: readonly Question[];
  readonly people: readonly Row[];
}

interface Edit {
  readonly inputType: string;
  readonly data: string | null;
}

type Texts = (key: string, places?: Readonly<Record<string, unknown>>) => string | undefined;

/**
 * The functions of the page that need no browser. Their types are declared here, because the modules of the page are
 * checked with the types of a browser, and the tests with those of Node.
 */
export interface Scripts {
  readonly TEXTS: Readonly<Record<string, readonly string[]>>;
  readonly LANGUAGES: readonly string[];
  readonly WHO: Readonly<Record<string, readonly (readonly [from: string, members: Values])[]>>;
  readonly SNIPPETS: Readonly<Record<string, (address: string, body: string) => string>>;
  textsOf(language: string): Texts;
  formatsOf(language: string): Readonly<Record<string, (value: never) => string>>;
  readAmount(text: string, language: string): string;
  displacesGroups(before: string, value: string, edit: Edit): boolean;
  readDecimal(text: string): string;
  readInteger(text: string): string;
  readMonth(text: string): string;
  readTypedMonth(text: string): string;
  readTerm(text: string): string;
  monthsOf(years: string): number | undefined;
  yearsOf(months: number): string;
  writeMonth(value: string): string;
  writeNumber(value: string, language: string, isGrouped: boolean): string;
  examplesOf(calculator: Calculator): Record<string, string>;
  bodyOf(calculator: Calculator, values: Values): string;
  currentPeriod(): string;
  fragmentOf(
    calculator: Calculator,
    values: Values,
    options?: { others?: Values; isPrivateWanted?: boolean },
  ): string;
  viewOf(fragment: string): { readonly view: string; readonly query: string };
  readQuery(
    calculator: Calculator,
    query: string,
  ): { readonly values?: Values; readonly others: Values };
  messageOf(
    problem: { code: string },
    field: Field,
    values: Values,
    texts: Texts,
    formats: unknown,
  ): string;
  membersOf(key: string, month: string): Values;
  instrumentIn(language: string, instrument: string): string;
  overridesOf(values: Values, shown: Values): Values;
  differencesOf(
    one: unknown,
    other: unknown,
  ): readonly (readonly [string, number, number, number])[];
  monthBefore(period: string): string;
  delimiterOf(csv: string): string;
  recordsOf(
    csv: string,
    delimiter: string,
  ): Iterable<{ readonly number: number; readonly cells: readonly string[] }>;
  decodeFile(bytes: Uint8Array): string;
  isArchive(bytes: Uint8Array): boolean;
  rowOf(record: Row): Row;
  sheetOf(rows: readonly Row[]): Sheet;
  decide(sheet: Sheet, choices: Values): Decision;
  choicesOf(question: Question, answer: string, keys?: readonly string[]): Values;
  valuesOf(decision: Decision, row: Row): Values;
  nameIn(sheet: Sheet, columns: Readonly<Record<string, number>>, row: Row): string;
  isNumbering(row: Row): boolean;
  readMonthCell(cell: string, dates?: string): string;
  scaledUp(value: string, least: number): string | undefined;
  bounded(value: string): string;
  lineOf(cells: readonly (string | number)[], delimiter: string): string;
}

/** The tests run on the sources in TypeScript, or on the modules that the build has compiled. */
const isSource = extname(import.meta.url) === '.ts';
const folder = new URL(isSource ? FOLDER : 'dist/page/page/', root);

const modules = new Map<string, Record<string, unknown>>();
for (const name of scriptNames()) {
  if (name === 'app.ts') continue; // which begins to work when it is loaded
  const file = isSource ? name : name.replace('.ts', '.js');
  modules.set(name, (await import(new URL(file, folder).href)) as Record<string, unknown>);
}

/** The functions of all modules, by their names. */
export const scripts = Object.assign({}, ...modules.values()) as Scripts;

/** The calculators by their names. */
export const calculators: Readonly<Record<string, Calculator>> = Object.fromEntries(
  [...modules.values()]
    .flatMap(({ calculator }) => (calculator === undefined ? [] : [calculator as Calculator]))
    .map((calculator) => [calculator.name, calculator]),
);

/** The names of the modules of the page. */
export function scriptNames(): string[] {
  return readdirSync(new URL(FOLDER, root), { encoding: 'utf8', recursive: true }).filter((name) =>
    name.endsWith('.ts'),
  );
}
