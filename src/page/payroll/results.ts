/* The results of a payroll, their sums, and the file with them. */
import { messageOf } from '../messages.ts';
import { AMOUNTS, calculateSalary, calculator, detailed } from '../salary.ts';
import { addTexts, language, text } from '../texts.ts';
import { fieldsIn } from './columns.ts';
import { type Delimiter, lineOf } from './csv.ts';
import { type Decision, valuesOf } from './decide.ts';
import type { Row } from './sheet.ts';

addTexts(`
resultOf | Result: {name} | Kết quả: {name}
problem | Problem | Lỗi
`);

/** The keys of the amounts of a result. */
export const NAMES: readonly string[] = Object.keys(AMOUNTS);

/** The month and the region, which decide about the law. */
const BASIS = ['period', 'region'];

/** The result of a row: its amounts, or its problem. */
export interface RowResult {
  readonly row: Row;
  readonly basis: readonly string[];
  readonly amounts: readonly number[];
  readonly problem: string;
}

/** The sums of the amounts of all results, and the results without amounts. */
export interface Summary {
  readonly count: number;
  readonly totals: readonly bigint[];
  readonly failures: readonly RowResult[];
}

/** Adds up results. */
export function summarize(results: readonly RowResult[]): Summary {
  const failures = results.filter(({ problem }) => problem !== '');
  const totals = NAMES.map((_, index) =>
    results.reduce((sum, { amounts }) => sum + BigInt(amounts[index] ?? 0), 0n),
  );
  return { count: results.length - failures.length, totals, failures };
}

/** Calculates the result of a row. */
export function resultOf(heads: readonly string[], decision: Decision, row: Row): RowResult {
  const values = valuesOf(decision, row);
  const outcome = calculateSalary(values);
  if (outcome.kind === 'result') {
    const data = detailed(outcome.data);
    const amounts = Object.values(AMOUNTS).map((amountOf) => amountOf(data));
    return { row, basis: [data.detail.period, values['region'] ?? ''], amounts, problem: '' };
  }
  const problems = outcome.problems.map((problem) => {
    const field = calculator.fields.find(({ name }) => name === problem.field);
    if (field === undefined) return problem.message;
    const columns = fieldsIn(decision.columns).filter(([{ name }]) => name === field.name);
    // Of several columns, that of the amount which is none.
    const refused = columns.find((column) => !/^\d*$/.test(decision.read(...column, row)));
    const [, index = -1] = refused ?? columns[0] ?? [];
    const head = heads[index] ?? text(field.label ?? field.name);
    const cell = (row.cells[index] ?? '').trim().slice(0, 40);
    return `${head}${cell && ` «${cell}»`}: ${messageOf(problem, field, values)}`;
  });
  return { row, basis: [], amounts: [], problem: problems.join(' ') };
}

/** The list separator of Excel in the language of the page; a file with tabs has no columns. */
const separatorOf = (delimiter: Delimiter): Delimiter =>
  delimiter === '\t' ? (language === 'vi' ? ';' : ',') : delimiter;

/** The lines of the file with the results. */
export function* linesOf(
  heads: readonly string[],
  results: readonly RowResult[],
  delimiter: Delimiter,
): Generator<string> {
  const separator = separatorOf(delimiter);
  const names = [...BASIS, ...NAMES].map((name) => text('resultOf', { name: text(name) }));
  yield lineOf([...heads, ...names, text('problem')], separator);
  for (const { row, basis, amounts, problem } of results) {
    const cells = heads.map((_, column) => row.cells[column] ?? '');
    const added = problem === '' ? [...basis, ...amounts] : names.map(() => '');
    yield lineOf([...cells, ...added, problem], separator);
  }
}
