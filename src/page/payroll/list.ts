/* The outcomes of rows in pages, each with a box to include the row or to leave it out. */
import { element } from '../dom.ts';
import { table } from '../tables.ts';
import { addTexts, format, text } from '../texts.ts';
import type { Mapping } from './mapping.ts';
import { kindOf, type Line, NAMES } from './results.ts';
import { AMOUNTLESS } from './rows.ts';
import { isFilled, PEOPLE, type Row } from './sheet.ts';
import { eachOf, inTurns } from './turns.ts';

addTexts(`
row | Row {row} | Dòng {row}
person | Person | Người
results | Rows {from} to {to} of {all} | Dòng {from} đến {to} trong {all}
page | Page, 1 to {pages} | Trang, 1 đến {pages}
`);

/** The most rows of a page, which can be printed. */
const PAGE = 100;

/** Rows that need a look stand first, and those without a salary last. */
const rankOf = (line: Line): number => ({ '': 1, blank: 2 })[kindOf(line)] ?? 0;

/** The places of outcomes in a list, one per step. */
export function* orderOf(lines: readonly Line[]): Generator<undefined, number[]> {
  const ranks: readonly number[][] = [[], [], []];
  for (const [at, line] of lines.entries()) {
    ranks[rankOf(line)]?.push(at);
    yield;
  }
  return ranks.flat();
}

/** The list of outcomes. Its order is that of a new calculation, until the next one. */
export class RowList {
  readonly node: HTMLElement = element('div.answer');
  private readonly check: (row: number, isIn: boolean) => void;
  private readonly frame = element('div');
  private uses: readonly string[] = [];
  private lines: readonly Line[] = [];
  private places: readonly number[] = [];
  private updates: (() => void)[] = [];
  private drawing = new AbortController();

  constructor(check: (row: number, isIn: boolean) => void) {
    this.check = check;
  }

  /** Shows outcomes: those of the rows that it has in the same places. */
  show({ uses }: Mapping, lines: readonly Line[], order: readonly number[]): void {
    const isSame = this.lines[0]?.reading === lines[0]?.reading;
    this.lines = lines;
    if (isSame) {
      for (const update of this.updates) update();
      return;
    }
    this.uses = uses;
    this.places = order;
    const pages = Math.ceil(lines.length / PAGE);
    this.node.replaceChildren(pages > 1 ? this.pageInput(pages) : '', this.frame);
    void this.draw(0);
  }

  /** The number of the page, of which there may be hundreds. */
  private pageInput(pages: number): HTMLElement {
    const onchange = (): void => {
      const page = Math.min(Math.max(Math.trunc(input.valueAsNumber) || 1, 1), pages);
      input.valueAsNumber = page;
      void this.draw((page - 1) * PAGE);
    };
    const input = element('input', { type: 'number', min: 1, max: pages, value: 1, onchange });
    const label = text('page', { pages: format.count(pages) });
    return element('label.head', label, element('span.box', input));
  }

  private captionFrom(start: number): string {
    const { length } = this.places;
    const [from, to, all] = [start + 1, Math.min(start + PAGE, length), length].map(format.count);
    return text('results', { from: from ?? '', to: to ?? '', all: all ?? '' });
  }

  private async draw(start: number): Promise<void> {
    this.drawing.abort();
    this.drawing = new AbortController();
    this.updates = [];
    const body = element('tbody');
    const frame = table('results', this.captionFrom(start), ['person', ...NAMES], []);
    frame.querySelector('tbody')?.replaceWith(body);
    this.frame.replaceChildren(frame);
    const rows = eachOf(this.places.slice(start, start + PAGE), (at) =>
      body.append(this.rowAt(at)),
    );
    await inTurns(rows, this.drawing.signal);
  }

  /** The row of an outcome, which follows its changes. */
  private rowAt(at: number): HTMLTableRowElement {
    const {
      reading: { row },
      reason,
    } = this.lines[at]!;
    const why = element('span.how');
    const cells = NAMES.map(() => element('td'));
    const onchange = (): void => this.check(row.number, box.checked);
    const box = element('input', { type: 'checkbox', onchange });
    const name = rankOf(this.lines[at]!) === 1 ? this.nameOf(row) : rowText(row);
    let shown: string | undefined;
    const update = (): void => {
      const { isIn, problem, amounts } = this.lines[at]!;
      if (box.checked === isIn && shown === problem) return;
      box.checked = isIn;
      shown = problem;
      why.textContent = problem;
      cells.forEach((cell, index) => {
        cell.textContent = index in amounts ? format.count(amounts[index] ?? 0) : '–';
      });
    };
    update();
    this.updates.push(update);
    const isFixed = AMOUNTLESS.includes(reason);
    const head = isFixed ? [name, why] : element('label', box, ' ', name, why);
    return element('tr', element('th', { scope: 'row' }, head), cells);
  }

  /** The number, the code and the name of a person, or the number of the row. */
  private nameOf({ number, cells }: Row): string {
    const parts = PEOPLE.map((use) => cells[this.uses.indexOf(use)]?.trim() ?? '');
    const name = parts.filter(isFilled).join(' · ').slice(0, 100);
    return name || text('row', { row: format.count(number) });
  }
}

/** A row by its number and its cells. */
function rowText({ number, cells }: Row): string {
  const place = text('row', { row: format.count(number) });
  const shown = cells.filter(isFilled).map((cell) => cell.trim().slice(0, 40));
  return [place, ...shown].join(', ').slice(0, 300);
}
