/* The outcomes of rows in pages, each with a box to include the row or to leave it out. */
import { type Child, element, redraw } from '../frame/dom.ts';
import { fragmentOf } from '../frame/request.ts';
import { form, whoHas } from '../salary/salary-form.ts';
import { table } from '../frame/tables.ts';
import { addTexts, format, text } from '../frame/texts.ts';
import { type RowOutcome, NAMES, type PayrollResult } from './results.ts';
import type { Reading } from './rows.ts';
import { isFilled, PEOPLE, shortOf } from './sheet.ts';

addTexts(`
row | Row {row} | Dòng {row}
person | Person | Người
payslip | Payslip | Phiếu lương
results | Rows {from} to {to} of {all} | Dòng {from} đến {to} trong {all}
page | Page | Trang
`);

/** The most rows of a page, which can be printed. */
const PAGE = 50;

/** The list of outcomes. */
export interface List {
  readonly node: HTMLElement;
  /** Moves to the box of a line. */
  readonly show: (at: number) => void;
}

/**
 * Creates the list of outcomes, which keep their order. A box changes them by `check`, which has no outcome if another
 * choice follows.
 */
export function createList(
  { lines, order }: PayrollResult,
  check: (key: string, isIn: boolean) => Promise<PayrollResult | undefined>,
): List {
  const node = element('div.answer');
  const pages = Math.ceil(order.length / PAGE);
  let [current, start] = [lines, 0];
  const change = async (key: string, isIn: boolean): Promise<void> => {
    const outcome = await check(key, isIn);
    if (outcome === undefined) return;
    current = outcome.lines;
    draw();
  };
  const turnTo = (page: number): void => {
    start = PAGE * (Math.min(Math.max(Math.trunc(page), 1), pages) - 1);
    draw();
  };
  const draw = (): void => {
    const shown = order.slice(start, start + PAGE);
    const caption = text('results', {
      from: format.count(start + 1),
      to: format.count(start + shown.length),
      all: format.count(order.length),
    });
    // Not a select: to lay thousands of options out takes longer than the list.
    const input: HTMLInputElement = element('input', {
      id: 'payroll-page',
      type: 'number',
      min: 1,
      max: pages,
      value: start / PAGE + 1,
      onchange: () => turnTo(Number(input.value)),
    });
    const label = pages > 1 && element('label', text('page'), ' ', input);
    const rows = shown.map((at) => cellsOf(current[at]!, change));
    redraw(node, label, table('results', caption, ['person', ...NAMES], rows));
  };
  draw();
  const show = (at: number): void => {
    turnTo(Math.floor(order.indexOf(at) / PAGE) + 1);
    document.getElementById(boxOf(lines[at]!))?.focus();
  };
  return { node, show };
}

/** The id of the box of a line. */
const boxOf = ({ reading }: RowOutcome): string => `payroll-row-${reading.row.number}`;

/** The fragment of the salary of a row. */
export function payslipFragment({ values }: Reading): string {
  const who = whoHas({ ...values, who: values['person'] ?? '' });
  return fragmentOf(form, { values: { ...values, who } });
}

/** Creates the link to the payslip of a person, in another tab: this one keeps the payroll. */
function payslipOf(line: RowOutcome): HTMLAnchorElement {
  const href = `#${payslipFragment(line.reading)}`;
  const label = `${text('payslip')}: ${nameOf(line)}`;
  return element('a', { href, target: '_blank', 'aria-label': label }, text('payslip'));
}

/** Creates the cells of an outcome. */
function cellsOf(line: RowOutcome, change: (key: string, isIn: boolean) => unknown): Child[] {
  const { reading, isIn, isSum, problem, amounts } = line;
  const box: HTMLInputElement = element('input', {
    id: boxOf(line),
    type: 'checkbox',
    checked: isIn,
    onchange: () => change(reading.key, box.checked),
  });
  const head = [nameOf(line), element('span.how', problem || (isSum ? text('reason.sum') : ''))];
  const link = amounts.length > 0 && payslipOf(line);
  // On a phone, each amount has its name, because the table has no heads.
  const figures = NAMES.map((name, index) => {
    const { [index]: amount } = amounts;
    return amount !== undefined && element('span', element('span.cue', name), format.count(amount));
  });
  const name = reading.income > 0 ? [element('label', box, ' ', head), ' ', link] : head;
  return [name, ...figures];
}

/** The number, code and name of a person; of another row, its place and all of its cells. */
function nameOf({ reading, kind }: RowOutcome): string {
  const { row, values } = reading;
  const { number, cells } = row;
  const shown = kind === '' ? PEOPLE.map((use) => values[use]) : cells;
  const parts = shown.filter(isFilled).map(shortOf);
  const place = text('row', { row: format.count(number) });
  return (kind === '' && parts.join(' · ')) || [place, ...parts].join(', ').slice(0, 300);
}
