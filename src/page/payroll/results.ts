/* The results of a payroll, their sums, and the file with them. */
import { taxOperation } from '../../tax/tax.ts';
import { taxResult } from '../../tax/contract.ts';
import { calculate } from '../calculation.ts';
import { messageOf } from '../messages.ts';
import { bodyOf, type Values } from '../request.ts';
import { AMOUNTS, detailed, latestMonthIn } from '../salary.ts';
import { addTexts, language, text } from '../texts.ts';
import { type Delimiter, lineOf } from './csv.ts';
import { type Mapping, salaryIn } from './mapping.ts';
import type { Reading, Reason, Verdict } from './rows.ts';
import { FIELDS, labelOf, type Sheet } from './sheet.ts';

addTexts(`
resultOf | Result: {name} | Kết quả: {name}
problem | Not calculated | Không tính
reason.blank | no salary | không có lương
reason.text | the salary is not a number | lương không phải là số
reason.other | other heads above: paste this table alone
  | tên cột phía trên khác: hãy dán riêng bảng này
reason.nobody | no number, code or name: not a person? | thiếu STT, mã hoặc tên: không phải một
    người?
reason.surplus | more cells than heads: is an amount divided? | nhiều ô hơn tên cột: số tiền bị
    tách đôi?
reason.unusual | an amount below 1 million, above 1 billion or twice the salary: is the unit right?
  | có số tiền dưới 1 triệu, trên 1 tỷ hoặc gấp đôi lương: đơn vị có đúng không?
reason.sum | the sum of other rows: a total? | bằng tổng các dòng khác: dòng tổng cộng?
reason.twice | in several rows: add the amounts of a person up
  | có ở nhiều dòng: hãy cộng các khoản của một người
reason.chosen | left out by you | bạn đã bỏ ra
reason.refused | to be corrected | cần sửa
`);

/** The keys of the amounts of a result. */
export const NAMES: readonly string[] = Object.keys(AMOUNTS);

/** The month and the region, which decide about the law. */
const BASIS = ['period', 'region'];

/** The result of a row: its amounts, or its problem. */
export interface RowResult {
  /** The latest month whose law was used; '' if none was. */
  readonly latest: string;
  readonly basis: readonly string[];
  readonly amounts: readonly number[];
  readonly problem: string;
}

/** The only outcome of a row. */
export type Line = Verdict & RowResult;

/** The request of a row. */
export function requestOf(values: Values): string {
  return bodyOf({ name: 'payroll', fields: FIELDS, always: ['"detail":true'] }, values);
}

/** Calculates the result of a row. */
export function resultOf(sheet: Sheet, mapping: Mapping, reading: Reading): RowResult {
  const { row, values, problem } = reading;
  if (problem !== '') return notCalculated(problem);
  const operation = { operation: taxOperation, result: taxResult };
  const outcome = calculate(operation, requestOf(values));
  if (outcome.kind === 'result') {
    const data = detailed(outcome.data);
    const amounts = Object.values(AMOUNTS).map((amountOf) => amountOf(data));
    const basis = [data.detail.period, values['region'] ?? ''];
    return { latest: latestMonthIn(data.detail), basis, amounts, problem: '' };
  }
  const problems = outcome.problems.map((one) => {
    const field = FIELDS.find(({ name }) => name === one.field);
    if (field === undefined) return one.message;
    const { uses } = mapping;
    const index = field.name === 'income' ? salaryIn(mapping) : uses.indexOf(field.name);
    const cell = (row.cells[index] ?? '').trim().slice(0, 40);
    const head = sheet.heads[index] || labelOf(field.name);
    return `${head}${cell && ` «${cell}»`}: ${messageOf(one, field, values)}`;
  });
  return notCalculated(problems.join(' '));
}

/** The results of the rows so far, in the places of the rows. */
export type Results = (RowResult | undefined)[];

/** The outcomes of all rows, one per step, which is the number of rows done. Known results stay. */
export function* calculateAll(
  sheet: Sheet,
  mapping: Mapping,
  verdicts: readonly Verdict[],
  results: Results,
): Generator<number, Line[]> {
  const lines: Line[] = [];
  for (const [at, verdict] of verdicts.entries()) {
    const { reading, reason, isIn } = verdict;
    if (isIn) results[at] ??= resultOf(sheet, mapping, reading);
    const result = (isIn && results[at]) || leftOut(reason ?? 'chosen');
    lines.push({ ...verdict, ...result });
    yield lines.length;
  }
  return lines;
}

/** The result of a row that is left out: its reason. */
function leftOut(reason: Reason | 'chosen'): RowResult {
  return notCalculated(text(`reason.${reason}`));
}

function notCalculated(problem: string): RowResult {
  return { latest: '', basis: [], amounts: [], problem };
}

/** Why a row is not calculated, as it is counted; '' if it is. */
export function kindOf({ isIn, reason, amounts }: Line): string {
  if (isIn) return amounts.length > 0 ? '' : 'refused';
  return reason ?? 'chosen';
}

/** The number of rows of each kind, and the sums of the calculated ones. */
export interface Summary {
  readonly counts: ReadonlyMap<string, number>;
  readonly totals: readonly bigint[];
  /** The latest month whose law was used; '' if none was. */
  readonly latest: string;
}

/** Adds up the outcomes, one per step. */
export function* summarize(lines: readonly Line[]): Generator<undefined, Summary> {
  const counts = new Map<string, number>();
  const totals = NAMES.map(() => 0n);
  let latest = '';
  for (const line of lines) {
    const kind = kindOf(line);
    counts.set(kind, (counts.get(kind) ?? 0) + 1);
    if (line.latest > latest) latest = line.latest;
    line.amounts.forEach((amount, index) => {
      totals[index] = (totals[index] ?? 0n) + BigInt(amount);
    });
    yield;
  }
  return { counts, totals, latest };
}

/** The different texts of each column in the calculated rows, at most MOST_TEXTS. */
export type Texts = readonly (readonly string[])[];

const MOST_TEXTS = 51;

/** Collects the texts of columns, a row per step. */
export function* textsIn(
  verdicts: readonly Verdict[],
  columns: number,
): Generator<undefined, Texts> {
  const texts = Array.from({ length: columns }, () => new Set<string>());
  for (const { reading, isIn } of verdicts) {
    texts.forEach((found, index) => {
      if (isIn && found.size < MOST_TEXTS) found.add((reading.row.cells[index] ?? '').trim());
    });
    yield;
  }
  return texts.map((found) => [...found]);
}

/** The list separator of Excel in the language of the page; a file with tabs has no columns. */
const separatorOf = (delimiter: Delimiter): Delimiter =>
  delimiter === '\t' ? (language === 'vi' ? ';' : ',') : delimiter;

/** The lines of the file with the results: all rows, each with its amounts or its reason. */
export function* linesOf(
  { heads }: Sheet,
  lines: readonly Line[],
  delimiter: Delimiter,
): Generator<string> {
  const separator = separatorOf(delimiter);
  const names = [...BASIS, ...NAMES].map((name) => text('resultOf', { name: text(name) }));
  yield lineOf([...heads, ...names, text('problem')], separator);
  for (const { reading, basis, amounts, problem } of lines) {
    const cells = heads.map((_, column) => reading.row.cells[column] ?? '');
    const added = problem === '' ? [...basis, ...amounts] : names.map(() => '');
    yield lineOf([...cells, ...added, problem], separator);
  }
}
