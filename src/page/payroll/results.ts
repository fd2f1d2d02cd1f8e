/* The results of a payroll, their sums, and the file with them. */
import { messageOf } from '../frame/messages.ts';
import { AMOUNTS, calculateSalary, detailed } from '../salary/salary.ts';
import { type DetailedResult, form, INSURANCES } from '../salary/salary-form.ts';
import { addTexts, text } from '../frame/texts.ts';
import { type Column, columnsIn, type Mapping } from './mapping.ts';
import { type Checks, type Reading, judge, type RowResult } from './rows.ts';
import { labelOf, type Sheet, shortOf } from './sheet.ts';
import type { Cell, WrittenSheet } from './workbook-writer.ts';

addTexts(`
people | Payroll | Bảng lương
resultOf | Result: {name} | Kết quả: {name}
problem | Reason not calculated | Lý do không tính
sum.insurance | Employee insurance | Bảo hiểm trừ vào lương
fund.employee | {name}, employee | {name} trừ vào lương
fund.employer | {name}, employer | {name} công ty đóng
reason.blank | no salary | không có lương
reason.text | the salary cannot be read as an amount | không đọc được lương thành số tiền
reason.negative | the salary is negative | lương là số âm
reason.other | other heads: do the rows below belong to this table?
  | tên cột khác: các dòng bên dưới có thuộc bảng này?
reason.hidden | a row that Excel hides: does it count? | dòng bị ẩn trong Excel: có tính không?
reason.number | no digit in the No. cell: is it a person?
  | ô STT không có số: có phải một người?
reason.code | no digit in the code cell: is it a person?
  | ô mã không có số: có phải một người?
reason.name | no letter in the name cell: is it a person?
  | ô tên không có chữ: có phải một người?
reason.number.empty | the No. cell is empty: is it a person? | ô STT trống: có phải một người?
reason.code.empty | the code cell is empty: is it a person? | ô mã trống: có phải một người?
reason.name.empty | the name cell is empty: is it a person? | ô tên trống: có phải một người?
reason.surplus | more cells than heads: is an amount divided? | nhiều ô hơn tên cột: số tiền bị
    tách đôi?
reason.low | an amount below 1 million: is the unit right?
  | có số tiền dưới 1 triệu: đơn vị có đúng không?
reason.high | an amount above 1 billion: is the unit right?
  | có số tiền trên 1 tỷ: đơn vị có đúng không?
reason.sum | a department or total, not a person?
  | dòng bộ phận hoặc tổng cộng, không phải một người?
reason.twice | in several rows: add the amounts of a person up
  | có ở nhiều dòng: hãy cộng các khoản của một người
reason.namesake | same name: tick if it is another person
  | trùng tên: hãy đánh dấu nếu là người khác
reason.chosen | left out by you | bạn đã bỏ ra
reason.refused | to be corrected | cần sửa
`);

/** The names of the amounts that the page shows. */
export const NAMES: readonly string[] = Object.keys(AMOUNTS).map(
  (key) => text(`sum.${key}`) || text(key),
);

/** The insurances of both sides, by their funds, which only the file has. */
function fundsOf({ insurance, detail: { employer } }: DetailedResult): number[] {
  return [insurance, employer].flatMap((side) => INSURANCES.map((name) => side[name]));
}

/** The month and the region, which decide about the law. */
const BASIS = ['period', 'region'];

/** The only outcome of a row. */
export interface RowOutcome extends RowResult {
  readonly reading: Reading;
  readonly isIn: boolean;
  /** Whether its amount is a sum of rows beside it, and the person has not said if it is a person. */
  readonly isSum: boolean;
}

/** Calculates the result of a row. */
function resultOf(columns: readonly Column[], { row, values, problem }: Reading): RowResult {
  const refused = (why: string): RowResult => ({ amounts: [], kind: 'refused', problem: why });
  if (problem !== '') return refused(problem);
  const outcome = calculateSalary(values);
  if (outcome.kind === 'result') {
    const data = detailed(outcome.data);
    const shown = Object.values(AMOUNTS).map((amountOf) => amountOf(data));
    return { amounts: [...shown, ...fundsOf(data)], kind: '', problem };
  }
  const problems = outcome.problems.map((one) => {
    const { field: name = '' } = one;
    const field = form.fields.find((other) => other.name === name);
    if (field === undefined) return one.message;
    const places = columns
      .filter((column) => column.field.name === name)
      .map(({ head, index }) => [head, shortOf(row.cells[index])])
      .map(([head, cell]) => (cell ? `${head} “${cell}”` : head));
    return `${places.join(' + ') || labelOf(name)}: ${messageOf(one, field, values)}`;
  });
  return refused(problems.join(' '));
}

/** The outcomes of all rows, the number of each kind, and the sums of the calculated ones. */
export interface PayrollResult {
  readonly lines: readonly RowOutcome[];
  /** The indices of lines: sums and others that need a look stand first, and those without a salary last. */
  readonly order: readonly number[];
  /** The number of sums of other rows. */
  readonly sums: number;
  readonly counts: Map<string, number>;
  readonly totals: bigint[];
  /** The number of rows in which a formula gives 0 as an amount. */
  readonly zeros: number;
  /** The latest month whose law was used; '' if none was. */
  readonly latest: string;
  /** The different texts of each column in the rows that count, up to one more than MOST_TEXTS. */
  readonly texts: readonly ReadonlySet<string>[];
}

/** The most texts of a column that have a meaning. */
export const MOST_TEXTS = 50;

/** Judges and calculates all rows, one per step, which is the number of rows done. Results that are known stay. */
export function* outcomeOf(
  sheet: Sheet,
  mapping: Mapping,
  readings: readonly Reading[],
  checks: Checks,
): Generator<number, PayrollResult> {
  const { reasons, sums } = judge(readings, mapping, checks);
  const columns = columnsIn(sheet, mapping);
  const lines: RowOutcome[] = [];
  for (const reading of readings) {
    const { key, income } = reading;
    const { [lines.length]: reason } = reasons;
    const isIn = income > 0 && (checks.get(key) ?? reason === undefined);
    const result = isIn
      ? (reading.result ??= resultOf(columns, reading))
      : { amounts: [], kind: reason ?? 'chosen', problem: text(`reason.${reason ?? 'chosen'}`) };
    const isSum = sums.has(lines.length) && !checks.has(key);
    lines.push({ reading, isIn, isSum, ...result });
    yield lines.length;
  }
  return summaryOf(mapping, lines);
}

/** Sums outcomes up. */
function summaryOf({ uses }: Mapping, lines: readonly RowOutcome[]): PayrollResult {
  const counts = new Map<string, number>();
  const totals = NAMES.map(() => 0n);
  const texts = uses.map(() => new Set<string>());
  const sums: number[] = [];
  const [doubtful, calculated, blank]: [number[], number[], number[]] = [[], [], []];
  let [latest, zeros] = ['', 0];
  lines.forEach(({ reading, isIn, isSum, kind, amounts }, at) => {
    const { row, values, isZero } = reading;
    const place = kind === '' ? calculated : doubtful;
    const other = kind === 'blank' ? blank : place;
    (isSum ? sums : other).push(at);
    zeros += Number(isZero);
    counts.set(kind, (counts.get(kind) ?? 0) + 1);
    const { period = '', paid_in = '' } = values;
    for (const month of [period, paid_in]) if (kind === '' && month > latest) latest = month;
    totals.forEach((total, index) => {
      totals[index] = total + BigInt(amounts[index] ?? 0);
    });
    texts.forEach((found, index) => {
      if (isIn && found.size <= MOST_TEXTS) found.add((row.cells[index] ?? '').trim());
    });
  });
  const order = sums.concat(doubtful, calculated, blank);
  return { lines, order, sums: sums.length, counts, totals, zeros, latest, texts };
}

/** The sheets of the file with the results: people, and the rows that are not calculated. */
export function sheetsOf(
  sheet: Sheet,
  mapping: Mapping,
  lines: readonly RowOutcome[],
): [WrittenSheet, WrittenSheet] {
  const { heads } = sheet;
  const amounts = columnsIn(sheet, mapping).filter(({ field }) => field.kind === 'amount');
  const places = new Set(amounts.map(({ index }) => index));
  const funds = ['employee', 'employer'].flatMap((side) =>
    INSURANCES.map((name) => text(`fund.${side}`, { name: text(name) })),
  );
  const labels = [...BASIS.map((name) => text(name)), ...NAMES, ...funds];
  const results = labels.map((name) => text('resultOf', { name }));
  function* rowsOf(isCalculated: boolean, names: readonly string[]): Generator<readonly Cell[]> {
    yield [...heads, ...names];
    for (const { reading, amounts: results, problem } of lines) {
      const basis = BASIS.map((name) => reading.values[name] ?? '');
      const added = isCalculated ? [...basis, ...results.map(BigInt)] : [problem];
      const { cells: texts, typed = texts } = reading.row;
      const cells = heads.map((_, column) => {
        const { [column]: cell = '' } = typed;
        return places.has(column) && Number.isSafeInteger(cell) ? BigInt(cell) : cell;
      });
      if (isCalculated === (problem === '')) yield [...cells, ...added];
    }
  }
  return [
    { name: text('people'), rows: rowsOf(true, results) },
    { name: text('leftOut'), rows: rowsOf(false, [text('problem')]) },
  ];
}
