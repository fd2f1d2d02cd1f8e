/* Two plans side by side: what they have in common, and how they differ. */
import type { Child } from './dom.ts';
import { phrasesOf } from './form.ts';
import { type Field, isUsed, PLANS, type PlanResult } from './request.ts';
import { table } from './tables.ts';
import { addTexts, format, text } from './texts.ts';

addTexts(`
shared | The same: {what} | Giống nhau: {what}
difference | Difference | Chênh lệch
change.1 | {difference} more | cao hơn {difference}
change.0 | no difference | không chênh lệch
change.-1 | {difference} less | thấp hơn {difference}
`);

/** The fields that are set alike in two plans, in words; '' if there are none. */
export function sharedBy(
  fields: readonly Field[],
  { values }: PlanResult<unknown>,
  { values: others }: PlanResult<unknown>,
): string {
  const alike = fields.filter(
    (field) => isUsed(field, others) && values[field.name] === others[field.name],
  );
  const phrases = phrasesOf(alike, values);
  return phrases.length > 0 ? text('shared', { what: phrases.join(' · ') }) : '';
}

/** A difference in đồng, in words. */
export function changeBy(difference: number): string {
  const amount = format.dong(Math.abs(difference));
  return text(`change.${Math.sign(difference)}`, { difference: amount });
}

/** A name, and its amount in each plan. */
export type AmountRow = readonly [name: Child, own: number, other: number | undefined];

/** A table of amounts, without its caption. */
interface AmountTable {
  readonly kind: string;
  readonly heads: readonly string[];
  readonly cells: readonly (readonly Child[])[];
}

/** The kind, heads and cells of a table of amounts: of one plan, or of two, with their differences if `isCompared`. */
export function tableOfAmounts(rows: readonly AmountRow[], isCompared = true): AmountTable {
  const cells = rows.map(([name, own, other]) => [
    name,
    format.count(own),
    ...(other === undefined ? [] : [format.count(other)]),
    ...(other === undefined || !isCompared ? [] : [format.signed(other - own)]),
  ]);
  const isPair = rows[0]?.[2] !== undefined;
  const heads = ['', ...PLANS, ...(isCompared ? ['difference'] : [])];
  if (isPair) return { kind: 'shares columns', heads, cells };
  return { kind: 'shares', heads: [], cells };
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
