/* Two plans side by side. */
import type { Child } from './dom.ts';
import { PLANS } from './request.ts';
import { table } from './tables.ts';
import { addTexts, format, text } from './texts.ts';

addTexts(`
difference | Difference | Chênh lệch
change.1 | {difference} more | cao hơn {difference}
change.0 | no difference | không chênh lệch
change.-1 | {difference} less | thấp hơn {difference}
`);

/** A difference in đồng, in words. */
export function changeBy(difference: number): string {
  const amount = format.dong(Math.abs(difference));
  return text(`change.${Math.sign(difference)}`, { difference: amount });
}

/** A name, and its amount in each plan. */
export type AmountRow = readonly [name: Child, own: number, other: number | undefined];

/** The kind, heads and cells of a table of amounts: of one plan, or of two, with their differences if `isCompared`. */
export function tableOfAmounts(rows: readonly AmountRow[], isCompared = true) {
  const isPair = rows[0]?.[2] !== undefined;
  const width = isPair ? 3 + Number(isCompared) : 2;
  const cells = rows.map(([name, own, other = own]): Child[] =>
    [name, format.count(own), format.count(other), format.signed(other - own)].slice(0, width),
  );
  const heads = ['', ...PLANS, 'difference'].slice(0, width);
  return isPair ? { kind: 'shares columns', heads, cells } : { kind: 'shares', heads: [], cells };
}

/** Creates a table of amounts. */
export function amountsTable(
  caption: string,
  rows: readonly AmountRow[],
  isCompared = true,
): HTMLElement {
  const { kind, heads, cells } = tableOfAmounts(rows, isCompared);
  return table(kind, caption, heads, cells);
}
