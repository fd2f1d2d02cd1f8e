/** Numbers of rows in words, which the salary does not have. */
import { addTexts, format, type Placeholders, text } from './texts.ts';

addTexts(`
rows.one | {count} row | {count} dòng
rows.other | {count} rows | {count} dòng
`);

/** A text with a place for "1 row" or "1,200 rows". */
export function counted(key: string, count: number, placeholders: Placeholders = {}): string {
  const rows = text(count === 1 ? 'rows.one' : 'rows.other', { count: format.count(count) });
  return text(key, { ...placeholders, rows });
}
