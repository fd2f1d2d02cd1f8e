/* CSV (RFC 4180), also with semicolons or tabs, and a byte order mark. */

const DELIMITERS = ['\t', ';', ','] as const;

/** A separator of cells. */
export type Delimiter = (typeof DELIMITERS)[number];

/** The separator in the most lines, outside quotes; commas may also be in amounts and addresses. */
export function delimiterOf(csv: string): Delimiter {
  const lines = csv
    .slice(0, 10_000)
    .replace(/"[^"]*"/g, '')
    .split(/\r?\n|\r/);
  const countOf = (one: Delimiter): number => lines.filter((line) => line.includes(one)).length;
  const most = Math.max(...DELIMITERS.map(countOf), 1);
  return DELIMITERS.find((one) => countOf(one) === most) ?? ',';
}

/** A row of a file, and its number there, which counts empty lines. */
export interface CsvRecord {
  readonly number: number;
  readonly cells: readonly string[];
}

/**
 * The rows that are not empty. Quotation marks that are not at both ends of a cell are ordinary
 * characters.
 */
export function* recordsOf(csv: string, delimiter: Delimiter): Generator<CsvRecord> {
  const end = `${delimiter}|\\r\\n|\\r|\\n|$`;
  const source = `(?:"([^"]*(?:""[^"]*)*)"(?=${end})|([^${delimiter}\\r\\n]*))(${end})`;
  const cell = new RegExp(source, 'y');
  cell.lastIndex = csv.startsWith('\ufeff') ? 1 : 0;
  let cells: string[] = [];
  let number = 1;
  while (cell.lastIndex < csv.length || cells.length > 0) {
    const [, quoted, plain = '', separator] = cell.exec(csv) ?? [];
    cells.push(quoted === undefined ? plain : quoted.replaceAll('""', '"'));
    if (separator === delimiter) continue;
    if (cells.length > 1 || cells[0]?.trim() !== '') yield { number, cells };
    cells = [];
    number += 1;
  }
}

/**
 * The beginning of a formula: at the beginning of a cell, and after all that some spreadsheet takes
 * for the end of one, because its separator depends on its language. A lone dash and a telephone
 * number are none. OWASP lists the characters.
 */
const FORMULA = new RegExp(
  '((?:^|[,;|\\t\\r\\n])[" ]*)(?=[=+\\-@＝＋－＠])'
    + '(?!(?:-|[-+]\\d+(?:[.,]\\d+)?)(?:$|[,;|\\t\\r\\n]))',
  'g',
);

/** Writes a line, in which an apostrophe makes each formula a text. */
export function lineOf(cells: readonly (string | number)[], delimiter: Delimiter): string {
  return `${cells
    .map((cell) => {
      const safe = String(cell)
        .replace(/^(?=[\t\r])/, "'")
        .replace(FORMULA, "$1'");
      return /["\r\n,;\t]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
    })
    .join(delimiter)}\r\n`;
}

const UTF8_MARK = [0xef, 0xbb, 0xbf];
const UTF16_MARKS = [
  { mark: [0xff, 0xfe], label: 'utf-16le' },
  { mark: [0xfe, 0xff], label: 'utf-16be' },
];

/** Decodes a file: UTF-16 by its mark, UTF-8 with or without a mark, else Windows-1258. */
export function decodeFile(bytes: Uint8Array): string {
  const startsWith = (mark: readonly number[]): boolean =>
    mark.every((byte, index) => bytes[index] === byte);
  const utf16 = UTF16_MARKS.find(({ mark }) => startsWith(mark));
  if (utf16 !== undefined) return new TextDecoder(utf16.label).decode(bytes);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    if (startsWith(UTF8_MARK)) return new TextDecoder().decode(bytes);
    // Windows-1258 writes the tones of Vietnamese as characters of their own.
    return new TextDecoder('windows-1258').decode(bytes).normalize('NFC');
  }
}

/** Whether the bytes are those of a ZIP archive, which an .xlsx file is. */
export function isArchive(bytes: Uint8Array): boolean {
  return bytes[0] === 0x50 && bytes[1] === 0x4b && bytes[2] === 3 && bytes[3] === 4;
}
