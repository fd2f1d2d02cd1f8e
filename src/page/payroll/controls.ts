/* The controls of a payroll. None is drawn anew while somebody may use it. */
import { currentPeriod } from '../calculation.ts';
import { button, element } from '../dom.ts';
import { createForm } from '../form.ts';
import { writeMonth } from '../numbers.ts';
import { choice, examplesOf, type Field, type Values } from '../request.ts';
import { addTexts, text } from '../texts.ts';

addTexts(`
month | Salary month | Tháng lương
unit | Amounts in the file | Số tiền trong tệp
unit.1 | đồng | đồng
unit.1000 | thousands | nghìn đồng
unit.1000000 | millions | triệu đồng
decimal | Decimals are written like | Số lẻ viết như
decimal., | 1.234,5 | 1.234,5
decimal.. | 1,234.5 | 1,234.5
choose | choose… | hãy chọn…
`);

/** The values for all rows. */
const COMMON: readonly Field[] = [
  { name: 'month', kind: 'month', isRequired: true },
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
      values['month'] = month;
      form.refresh();
      edited();
    }),
  );
  const offered = element('div.offered', { role: 'group', 'aria-label': text('month') }, buttons);
  form.node.firstElementChild?.after(offered);
  return { node: form.node, values };
}

/** The choice of an option; while none is chosen, the select says so. */
export function select(
  attributes: { readonly id?: string; readonly 'aria-label'?: string },
  options: readonly (readonly [value: string, label: string])[],
  chosen: string | undefined,
  choose: (value: string) => void,
): HTMLSelectElement {
  const open = element('option', { value: 'open', disabled: '', selected: '' }, text('choose'));
  const nodes = options.map(([value, label]) =>
    element('option', { value, selected: value === chosen && '' }, label),
  );
  const onchange = (): void => choose(node.value);
  const node: HTMLSelectElement = element(
    'select',
    { ...attributes, onchange },
    chosen === undefined && open,
    nodes,
  );
  return node;
}

/** Puts nodes into a parent in their order; those that are there stay, and keep the focus. */
export function arrange(parent: Element, nodes: readonly Element[]): void {
  const wanted = new Set(nodes);
  for (const child of [...parent.children]) if (!wanted.has(child)) child.remove();
  nodes.forEach((node, at) => {
    const { [at]: place } = parent.children;
    if (place !== node) parent.insertBefore(node, place ?? null);
  });
}
