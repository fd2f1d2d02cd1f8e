/* The results of a payroll, their sums, and the file with them. */
import { messageOf } from '../frame/messages.ts';
import { AMOUNTS } from '../salary/salary.ts';
import { calculateSalary, type DetailedResult, form, INSURANCES } from '../salary/salary-form.ts';
import { addTexts, text } from '../frame/texts.ts';
import { type Column, columnsIn, isUnnumbered, type Mapping } from './mapping.ts';
import { type Checks, type Reading, type RowResult, sumsOf } from './rows.ts';
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
reason.number | the No. cell is empty or has no digit: is it a person?
  | ô STT trống hoặc không có số: có phải một người?
reason.code | the code cell is empty or has no digit: is it a person?
  | ô mã trống hoặc không có số: có phải một người?
reason.name | the name cell is empty or has no letter: is it a person?
  | ô tên trống hoặc không có chữ: có phải một người?
reason.surplus | more cells than heads: is an amount divided? | nhiều ô hơn tên cột: số tiền bị
    tách đôi?
reason.low | an amount below 1 million: is the unit right?
  | có số tiền dưới 1 triệu: đơn vị có đúng không?
reason.high | an amount above 1 billion: is the unit right?
  | có số tiền trên 1 tỷ: đơn vị có đúng không?
reason.sum | a department or total, not a person?
  | dòng bộ phận hoặc tổng cộng, không phải một người?
reason.twice | in several rows: add the amounts of a person up, or tick another person of that name
  | có ở nhiều dòng: hãy cộng các khoản của một người, hoặc đánh dấu người khác trùng tên
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
  const { data, problems } = calculateSalary(values);
  if (data !== undefined) {
    const shown = Object.values(AMOUNTS).map((amountOf) => amountOf(data));
    return { amounts: [...shown, ...fundsOf(data)], kind: '', problem };
  }
  const messages = problems.map((one) => {
    const { field: name = '' } = one;
    const field = form.fields.find((other) => other.name === name);
    if (field === undefined) return one.message;
    const places = columns
      .filter((column) => column.field.name === name)
      .map(({ head, index }) => head + shortOf(row.cells[index]).replace(/.+/, ' “$&”'));
    return `${places.join(' + ') || labelOf(name)}: ${messageOf(one, field, values)}`;
  });
  return refused(messages.join(' '));
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

/**
 * Judges, calculates and sums up all rows, one per step, which is the number of rows done. Results that are known stay.
 * A row that the person includes counts for the reasons of others; one that the person leaves out counts as before, so
 * that nobody else's reason changes. Where no column has the number or code of people, a sum is left out.
 */
export function* outcomeOf(
  sheet: Sheet,
  mapping: Mapping,
  readings: readonly Reading[],
  checks: Checks,
): Generator<number, PayrollResult> {
  const amounts = readings.map(({ reason, key, income }) =>
    reason === undefined || checks.get(key) === true ? income : 0,
  );
  const sums = yield* sumsOf(amounts);
  const others = isUnnumbered(mapping) ? sums : new Set<number>();
  const [once, twice] = [new Set<string>(), new Set<string>()];
  for (const [at, { person }] of readings.entries()) {
    if (amounts[at]! > 0 && !others.has(at)) (once.has(person) ? twice : once).add(person);
    yield 0;
  }
  const columns = columnsIn(sheet, mapping);
  const lines: RowOutcome[] = [];
  for (const [at, reading] of readings.entries()) {
    const { key, income, person } = reading;
    const repeated = twice.has(person) ? 'twice' : undefined;
    const reason = reading.reason ?? (others.has(at) ? 'sum' : repeated);
    const isIn = income > 0 && (checks.get(key) ?? reason === undefined);
    const kind = reason ?? 'chosen';
    const result = isIn
      ? (reading.result ??= resultOf(columns, reading))
      : { amounts: [], kind, problem: text(`reason.${kind}`) };
    lines.push({ reading, isIn, isSum: sums.has(at) && !checks.has(key), ...result });
    yield at;
  }
  return yield* summaryOf(mapping, lines);
}

/** The place of lines in the list by their kinds; that of sums is 0, and of others that need a look 1. */
const PLACES: Readonly<Record<string, number>> = { '': 2, blank: 3 };

/** Sums outcomes up, one per step. */
function* summaryOf(
  { uses }: Mapping,
  lines: readonly RowOutcome[],
): Generator<number, PayrollResult> {
  const counts = new Map<string, number>();
  const totals = NAMES.map(() => 0n);
  const texts = uses.map(() => new Set<string>());
  const places: number[] = [];
  let [latest, zeros] = ['', 0];
  for (const { reading, isIn, isSum, kind, amounts } of lines) {
    const { row, values, isZero } = reading;
    places.push(isSum ? 0 : (PLACES[kind] ?? 1));
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
    yield lines.length;
  }
  const order = [...places.keys()].sort((one, other) => places[one]! - places[other]!);
  const sums = places.filter((place) => place === 0).length;
  return { lines, order, sums, counts, totals, zeros, latest, texts };
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
