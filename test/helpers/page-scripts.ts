import { readdirSync } from 'node:fs';
import { extname } from 'node:path';
import type { Operation } from '../../src/contract/operation.ts';
import type { TaxResult } from '../../src/tax/contract.ts';
import { root } from './repository.ts';

/** The folder of the page. */
export const FOLDER = 'src/page/';

/** The values of a form, by the names of its fields. */
export type Values = Readonly<Record<string, string>>;

/** The values of a calculator, and those of a second plan. */
export interface Memory {
  readonly values: Values;
  readonly others?: Values | undefined;
}

/** A field of a calculator. */
export interface Field {
  readonly name: string;
  readonly kind: string;
  readonly options?: readonly string[];
  readonly initial?: string;
  readonly range?: readonly [number, number];
  readonly isRequired?: boolean;
  readonly label?: string;
  /** An amount below this one is asked about. */
  readonly least?: number;
  /** Whether the field is folded. */
  readonly isExtra?: boolean;
  /** The members of the request that a choice stands for. */
  readonly members?: (values: Values) => Values;
}

/** The request of a calculator. */
export interface RequestForm {
  readonly name: string;
  readonly fields: readonly Field[];
  readonly always?: Readonly<Record<string, unknown>>;
}

/** An operation, and its calculation. */
export interface Calculation {
  readonly operation: Pick<Operation, 'path' | 'run'>;
  readonly calculate: (request: never) => unknown;
}

/** A calculator of the page. */
export interface Calculator extends RequestForm {
  readonly calculationOf: (values: Values) => Calculation;
  readonly follow?: (values: Values) => Values;
  /** Fields that only links have. */
  readonly linked?: readonly Field[];
}

/** A row of a payroll. */
export interface Row {
  readonly number: number;
  readonly cells: readonly string[];
  readonly typed?: readonly (string | number)[];
  readonly isHidden?: boolean;
  readonly zeros?: readonly number[];
}

/** A sheet of a workbook, and the names of all sheets. */
export interface ReadSheet {
  readonly records: readonly Row[] | string;
  readonly names: readonly string[];
  readonly index: number;
  readonly hidden: readonly number[];
  readonly isStale: boolean;
}

/** A payroll as a table. */
export interface Sheet {
  readonly hidden: readonly number[];
  readonly heads: readonly string[];
  readonly rows: readonly Row[];
}

/** The choices of the person about a payroll. */
export interface Mapping {
  readonly uses: readonly string[];
  readonly meanings: Values;
  readonly common: Values;
}

/** A row of a payroll as its columns say it is. */
export interface Reading {
  readonly row: Row;
  readonly values: Values;
  readonly key: string;
  readonly problem: string;
}

/** The outcome of a row of a payroll. */
export interface Line {
  readonly reading: Reading;
  readonly isIn: boolean;
  readonly isSum: boolean;
  readonly amounts: readonly number[];
  readonly problem: string;
  readonly kind: string;
}

/** The outcomes of all rows of a payroll, their number by kinds, and their sums. */
export interface Outcome {
  readonly lines: readonly Line[];
  readonly sums: number;
  readonly order: readonly number[];
  readonly counts: ReadonlyMap<string, number>;
  readonly totals: readonly bigint[];
  readonly zeros: number;
  readonly latest: string;
  readonly texts: readonly ReadonlySet<string>[];
}

/** A sheet of a workbook that is written. */
export interface WrittenSheet {
  readonly name: string;
  readonly rows: Iterable<readonly (string | number | bigint)[]>;
}

type Texts = (key: string, placeholders?: Readonly<Record<string, unknown>>) => string | undefined;

/**
 * The functions of the page that need no browser. Their types are declared here, because the modules of the page are
 * checked with the types of a browser, and the tests with those of Node.
 */
export interface Scripts {
  readonly TEXTS: Readonly<Record<string, readonly string[]>>;
  readonly LANGUAGES: readonly string[];
  readonly WHO: readonly string[];
  readonly USES: readonly string[];
  curlOf(address: string, body: string): string;
  textsOf(language: string): Texts;
  formatsOf(language: string): Readonly<Record<string, (value: never) => string>>;
  readAmount(text: string, language: string): string;
  readTypedAmount(text: string, language: string, per?: string): string;
  readRate(text: string): string;
  strangeIn(text: string): string;
  isFraction(value: string): boolean;
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
  bodyOf(form: RequestForm, values: Values): string;
  requestOf(form: RequestForm, values: Values): Readonly<Record<string, unknown>>;
  replyTo(
    calculation: Calculation,
    request: object,
  ): { readonly data?: unknown; readonly problems?: readonly { readonly field: string }[] };
  responseTo(operation: Calculation['operation'], request: object): string;
  currentPeriod(): string;
  yearToSettle(month: string): string;
  fragmentOf(calculator: Calculator, memory: Memory): string;
  viewOf(fragment: string): { readonly view: string; readonly query: string };
  readQuery(calculator: Calculator, query: string): Memory | undefined;
  messageOf(
    problem: { code: string; message?: string },
    field: Field,
    values: Values,
    texts: Texts,
    formats: unknown,
  ): string;
  membersOf(key: string, month: string): Values;
  instrumentIn(language: string, instrument: string): string;
  sharedBy(
    fields: readonly Field[],
    own: { readonly values: Values },
    other: { readonly values: Values },
  ): string;
  changeBy(difference: number): string;
  tableOfAmounts(
    rows: readonly (readonly [name: string, own: number, other: number | undefined])[],
  ): {
    readonly kind: string;
    readonly heads: readonly string[];
    readonly cells: readonly (readonly string[])[];
  };
  valuesWith(
    changes: readonly { field: string; value: string | number | boolean }[],
    values: Values,
  ): Values | undefined;
  readonly payslipForm: RequestForm;
  reasonsIn(
    body: string,
    values: Values,
  ): Iterator<
    void,
    {
      readonly reasons?: readonly { readonly words: string; readonly values?: Values }[];
      readonly problems: readonly { readonly field: string; readonly code: string }[];
    }
  >;
  differencesIn(own: TaxResult, values: Values): string;
  inWords(key: string, placeholders: Readonly<Record<string, unknown>>): string;
  inTurns<Step, Result>(
    steps: Iterator<Step, Result>,
    signal: AbortSignal,
    waits?: (step: Step) => void,
  ): Promise<Result | undefined>;
  delimiterOf(csv: string): string;
  recordsOf(csv: string, delimiter?: string): Iterable<Row>;
  readWorkbook(
    bytes: Uint8Array,
    index: number | undefined,
    signal: AbortSignal,
    waits?: (read: number) => void,
  ): Promise<ReadSheet | string | undefined>;
  decodeFile(bytes: Uint8Array): { readonly csv: string; readonly isUnicode: boolean } | undefined;
  labelOf(use: string): string;
  namesOf(use: string): string;
  sheetIn(records: Iterable<Row>): Generator<undefined, Sheet | string>;
  exactUses(sheet: Sheet): string[];
  usesBy(sheet: Sheet, chosen: ReadonlyMap<number, string>): string[];
  missingIn(mapping: Mapping): string[];
  readonly COLUMNS: readonly Field[];
  meaningsOf(field: Field): readonly string[];
  meaningKey(index: number, name: string, cell: string): string;
  readMoney(cell: string, common: Values): string | undefined;
  readMonthCell(cell: string): string;
  readCount(cell: string): string;
  sumOf(amounts: readonly string[]): string;
  readerOf(sheet: Sheet, mapping: Mapping): (row: Row) => Reading;
  outcomeOf(
    sheet: Sheet,
    mapping: Mapping,
    readings: readonly Reading[],
    checks: ReadonlyMap<string, boolean>,
  ): Generator<number, Outcome>;
  payslipFragment(reading: Reading): string;
  scaledUp(value: string, least: number): string | undefined;
  bounded(value: string): string;
  sheetsOf(sheet: Sheet, mapping: Mapping, lines: readonly Line[]): [WrittenSheet, WrittenSheet];
  monthsIn(sheet: Sheet): string[];
  unitIn(sheet: Sheet): string;
  likelySalaries(sheet: Sheet, uses: readonly string[]): number[];
  writeWorkbook(
    sheets: readonly [WrittenSheet, WrittenSheet],
    signal: AbortSignal,
  ): Promise<Blob | undefined>;
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
