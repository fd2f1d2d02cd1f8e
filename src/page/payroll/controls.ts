/* The controls of a payroll. None is drawn anew while somebody may use it. */
import { currentPeriod } from '../calculation.ts';
import { type Row, selectOf } from '../controls.ts';
import { button, element, tableRow } from '../dom.ts';
import { createForm } from '../form.ts';
import { writeMonth } from '../numbers.ts';
import { choice, examplesOf, type Field, type Values } from '../request.ts';
import { addTexts, text } from '../texts.ts';

addTexts(`
unit | Amounts in the file | Số tiền trong tệp
unit.1 | đồng | đồng
unit.1000 | thousands | nghìn đồng
unit.1000000 | millions | triệu đồng
phrase.unit | in {value} | tính bằng {value}
decimal | Decimals are written like | Số lẻ viết như
decimal., | 1.234,5 | 1.234,5
decimal.. | 1,234.5 | 1,234.5
phrase.decimal | decimals like {value} | số lẻ viết như {value}
choose | choose… | hãy chọn…
`);

/** The values for all rows. */
export const COMMON: readonly Field[] = [
  { name: 'period', kind: 'month', isRequired: true, isBrief: true },
  choice('unit', ['1', '1000', '1000000']),
  { ...choice('decimal', [',', '.'], { when: ({ unit }) => unit !== '1' }), initial: '' },
  choice('region', ['1', '2', '3', '4']),
  { name: 'dependents', kind: 'integer', range: [0, 50], initial: '0' },
];

/**
 * Creates the form of the values for all rows, and returns it with these; some months are offered
 * besides the current one and the last.
 */
export function createCommon(
  named: readonly string[],
  edited: () => void,
): { readonly node: HTMLElement; readonly values: Values } {
  const values = examplesOf({ fields: COMMON });
  const form = createForm('payroll', COMMON, { values, edited, submitted: () => undefined });
  const current = currentPeriod();
  const last = new Date(Date.parse(current) - 1).toISOString().slice(0, 7);
  const buttons = [...new Set([...named, current, last])].map((month) =>
    button(writeMonth(month), () => {
      values['period'] = month;
      form.refresh();
      edited();
    }),
  );
  const offered = element('div.offered', { role: 'group', 'aria-label': text('period') }, buttons);
  form.node.firstElementChild?.after(offered);
  return { node: form.node, values };
}

/** A row of a table with a choice, whose identifier tells it from others. */
export interface Choice extends Row {
  readonly name: string;
  readonly sample: string;
}

/** Shows rows with choices. Those that are there stay, and keep the focus. */
export function showChoices(body: HTMLTableSectionElement, choices: readonly Choice[]): void {
  const selectIn = (row: HTMLTableRowElement): HTMLSelectElement => row.querySelector('select')!;
  const known = new Map([...body.rows].map((row) => [selectIn(row).id, row]));
  const rows = choices.map((choice) => {
    const { id, name, sample } = choice;
    return known.get(id) ?? tableRow([name, sample, selectOf(choice).content]);
  });
  for (const row of known.values()) if (!rows.includes(row)) row.remove();
  rows.forEach((row, at) => {
    const { sample, value } = choices[at]!;
    if (body.rows[at] !== row) body.insertBefore(row, body.rows[at] ?? null);
    row.cells[1]!.textContent = sample;
    selectIn(row).value = value();
  });
}
