/** The persons of the document of the law, with the requests that are to be sent for them. */
import { Document } from './markdown.ts';
import type { GrossCase } from './tax-oracle.ts';

export const PERSONS = 'Who is paid, and what to send';

/** A person, and the request of a month. */
export interface Person {
  readonly name: string;
  readonly request: Omit<GrossCase, 'dependents' | 'region'>;
  readonly net: number;
  readonly source: string;
}

/** The cells of the table. A row without figures or source has those of the row above. */
const rows: string[][] = [];
for (const row of new Document('src/tax/README.md').table(PERSONS)) {
  const above = rows.at(-1) ?? [];
  const [name = '', income] = row;
  const figures = income === '' ? above.slice(1, 5) : row.slice(1, 5);
  rows.push([name, ...figures, row.at(-1) || above.at(-1)!]);
}

/** All persons, in the order of the document. */
export const persons: readonly Person[] = rows.map(
  ([name = '', income = '', insured = '', further = '', net = '', source = '']) => ({
    name,
    request: {
      income: amountIn(income),
      insurance_salary: amountIn(insured),
      period: '2026-08',
      ...(JSON.parse(`{${further.replaceAll('`', '')}}`) as object),
    },
    net: amountIn(net),
    source,
  }),
);

function amountIn(cell: string): number {
  return Number(cell.replaceAll(',', ''));
}
