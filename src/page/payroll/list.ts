/* The outcomes of rows in pages, each with a box to include the row or to leave it out. */
import { type Child, element } from '../frame/dom.ts';
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
const PAGE = 100;

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
  const frame = element('div');
  let current = lines;
  let shown: readonly ShownRow[] = [];
  const change = async (key: string, isIn: boolean): Promise<void> => {
    const outcome = await check(key, isIn);
    if (outcome === undefined) return;
    current = outcome.lines;
    for (const { update } of shown) update();
  };
  const draw = (page: number): void => {
    const start = (page - 1) * PAGE;
    const rows = order
      .slice(start, start + PAGE)
      .map((at) => createRow(() => current[at]!, change));
    const caption = text('results', {
      from: format.count(start + 1),
      to: format.count(start + rows.length),
      all: format.count(order.length),
    });
    const cells = rows.map((row) => row.cells);
    frame.replaceChildren(table('results', caption, ['person', ...NAMES], cells));
    shown = rows;
  };
  draw(1);
  const pages = Math.ceil(order.length / PAGE);
  const turnTo = (number: number): void => {
    const page = Math.min(Math.max(Math.trunc(number), 1), pages);
    input.value = String(page);
    draw(page);
  };
  const onchange = (): void => turnTo(Number(input.value));
  // Not a select: to lay thousands of options out takes longer than the list.
  const input: HTMLInputElement = element('input', {
    ...{ type: 'number', min: 1, max: pages, value: 1 },
    onchange,
  });
  const label = element('label', text('page'), ' ', input);
  const show = (at: number): void => {
    const place = order.indexOf(at);
    turnTo(Math.floor(place / PAGE) + 1);
    shown[place % PAGE]?.box.focus();
  };
  return { node: element('div.answer', pages > 1 && label, frame), show };
}

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

/** The cells of an outcome, their box, and their update. */
interface ShownRow {
  readonly cells: Child[];
  readonly box: HTMLInputElement;
  readonly update: () => void;
}

/** Creates the cells of an outcome. */
function createRow(
  line: () => RowOutcome,
  change: (key: string, isIn: boolean) => unknown,
): ShownRow {
  const { key, income } = line().reading;
  const onchange = (): unknown => change(key, box.checked);
  const box: HTMLInputElement = element('input', { type: 'checkbox', onchange });
  const why = element('span.how');
  const link = payslipOf(line());
  const figures = NAMES.map(() => new Text());
  // On a phone, each amount has its name, because the table has no heads.
  const named = figures.map((figure, index) =>
    element('span', element('span.cue', NAMES[index]), figure),
  );
  const update = (): void => {
    const { isIn, isSum, problem, amounts } = line();
    const shown = amounts.map(format.count);
    box.checked = isIn;
    why.textContent = problem || (isSum ? text('reason.sum') : '');
    link.hidden = amounts.length === 0;
    figures.forEach((figure, index) => {
      figure.data = shown[index] ?? '';
    });
    for (const one of named) one.hidden = amounts.length === 0;
  };
  update();
  const head = [nameOf(line()), why];
  const name = income > 0 ? [element('label', box, ' ', head), ' ', link] : head;
  return { cells: [name, ...named], box, update };
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
