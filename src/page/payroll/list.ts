/* The outcomes of rows in pages, each with a box to include the row or to leave it out. */
import { selectOf } from '../controls.ts';
import { type Child, element } from '../dom.ts';
import type { Field } from '../request.ts';
import { table } from '../tables.ts';
import { addTexts, format, text } from '../texts.ts';

import { type Line, NAMES, type Outcome } from './results.ts';
import { isFilled, PEOPLE } from './sheet.ts';

addTexts(`
row | Row {row} | Dòng {row}
person | Person | Người
results | Rows {from} to {to} of {all} | Dòng {from} đến {to} trong {all}
page | Page | Trang
`);

/** The most rows of a page, which can be printed. */
const PAGE = 100;

/** Takes the choice about a row. */
type Check = (row: number, isIn: boolean) => void;

/** The list of outcomes. They stay in their places, while the boxes change them. */
export interface RowList {
  readonly node: HTMLElement;
  /** Shows changed outcomes of the same rows. */
  readonly show: (lines: readonly Line[]) => void;
}

/** Creates the list of outcomes. */
export function createList(
  uses: readonly string[],
  { lines, places }: Outcome,
  check: Check,
): RowList {
  const updates = new Map<number, (line: Line) => void>();
  const frame = element('div');
  let current: readonly Line[] = lines;
  const show = (changed: readonly Line[]): void => {
    current = changed;
    for (const [at, update] of updates) update(changed[at]!);
  };
  const draw = (page: string): void => {
    const start = (Number(page) - 1) * PAGE;
    updates.clear();
    const rows = places.slice(start, start + PAGE).map((at) => {
      const { cells, update } = rowOf(uses, current[at]!, check);
      updates.set(at, update);
      return cells;
    });
    const caption = captionOf(start, places.length);
    frame.replaceChildren(table('results', caption, ['person', ...NAMES], rows));
  };
  draw('1');
  const pages = Math.ceil(places.length / PAGE);
  const options = Array.from({ length: pages }, (_, index) => `${index + 1}`);
  const field: Field = { name: 'page', kind: 'choice', options };
  const row = { id: 'payroll-page', field, label: text('page'), value: () => '1', change: draw };
  return { node: element('div.answer', pages > 1 && selectOf(row).content, frame), show };
}

function captionOf(start: number, length: number): string {
  const counts = [start + 1, Math.min(start + PAGE, length), length].map(format.count);
  const [from = '', to = '', all = ''] = counts;
  return text('results', { from, to, all });
}

/** Creates the cells of an outcome, and their update. */
function rowOf(
  uses: readonly string[],
  line: Line,
  check: Check,
): { readonly cells: Child[]; readonly update: (line: Line) => void } {
  const { reading, isFixed, kind } = line;
  const { number, cells } = reading.row;
  const onchange = (): void => check(number, box.checked);
  const box = element('input', { type: 'checkbox', onchange });
  const why = element('span.how');
  const figures = NAMES.map(() => new Text());
  const update = ({ isIn, problem, amounts }: Line): void => {
    box.checked = isIn;
    why.textContent = problem;
    figures.forEach((figure, index) => {
      figure.data = index in amounts ? format.count(amounts[index] ?? 0) : '–';
    });
  };
  update(line);
  const shown = kind === '' ? PEOPLE.map((use) => cells[uses.indexOf(use)]) : cells;
  const parts = shown.filter(isFilled).map((cell = '') => cell.trim().slice(0, 40));
  const place = text('row', { row: format.count(number) });
  const name = (kind === '' && parts.join(' · ')) || [place, ...parts].join(', ').slice(0, 300);
  const head = [name, why];
  return { cells: [isFixed ? head : element('label', box, ' ', head), ...figures], update };
}
