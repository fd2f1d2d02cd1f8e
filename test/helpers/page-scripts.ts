import { readdirSync } from 'node:fs';
import { extname } from 'node:path';
import type { Calculator as AnyCalculator } from '../../dist/page/page/frame/request.js';
import { root } from './repository.ts';

export type { Language } from '../../dist/page/page/frame/numbers.js';
export type { Field, Memory, RequestForm, Values } from '../../dist/page/page/frame/request.js';
export type { CsvRecord } from '../../dist/page/page/payroll/csv.js';
export type { Mapping } from '../../dist/page/page/payroll/mapping.js';
export type {
  PayrollResult as Outcome,
  RowOutcome as Line,
} from '../../dist/page/page/payroll/results.js';
export type { Reading } from '../../dist/page/page/payroll/rows.js';
export type { Row, Sheet } from '../../dist/page/page/payroll/sheet.js';
export type { ReadSheet } from '../../dist/page/page/payroll/workbook-reader.js';
export type { WrittenSheet } from '../../dist/page/page/payroll/workbook-writer.js';

/** The folder of the page. */
export const FOLDER = 'src/page/';

/**
 * The modules of the page whose functions need no browser. Their types are those of the build of the page, because the
 * page is checked with the types of a browser, and the tests with those of Node.
 */
export type Scripts = typeof import('../../dist/page/page/frame/calculation.js')
  & typeof import('../../dist/page/page/frame/compare.js')
  & typeof import('../../dist/page/page/frame/developer.js')
  & typeof import('../../dist/page/page/frame/messages.js')
  & typeof import('../../dist/page/page/frame/numbers.js')
  & typeof import('../../dist/page/page/frame/reading.js')
  & typeof import('../../dist/page/page/frame/request.js')
  & typeof import('../../dist/page/page/frame/texts.js')
  & typeof import('../../dist/page/page/frame/turns.js')
  & typeof import('../../dist/page/page/payroll/cells.js')
  & typeof import('../../dist/page/page/payroll/csv.js')
  & typeof import('../../dist/page/page/payroll/list.js')
  & typeof import('../../dist/page/page/payroll/mapping.js')
  & typeof import('../../dist/page/page/payroll/results.js')
  & typeof import('../../dist/page/page/payroll/rows.js')
  & typeof import('../../dist/page/page/payroll/sheet.js')
  & typeof import('../../dist/page/page/payroll/workbook-reader.js')
  & typeof import('../../dist/page/page/payroll/workbook-writer.js')
  & typeof import('../../dist/page/page/salary/law.js')
  & typeof import('../../dist/page/page/salary/reasons.js')
  & typeof import('../../dist/page/page/salary/salary-form.js')
  & typeof import('../../dist/page/page/salary/who.js')
  & typeof import('../../dist/page/page/year.js');

/** A calculator of the page, whatever its result. */
export type Calculator = AnyCalculator<unknown>;

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

/** Takes all steps, and returns the result. */
export function finished<Result>(steps: Generator<unknown, Result>): Result {
  for (;;) {
    const { done, value } = steps.next();
    if (done === true) return value;
  }
}

/** The names of the modules of the page. */
export function scriptNames(): string[] {
  return readdirSync(new URL(FOLDER, root), { encoding: 'utf8', recursive: true }).filter((name) =>
    name.endsWith('.ts'),
  );
}
