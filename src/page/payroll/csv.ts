/* CSV (RFC 4180), also with semicolons, tabs or vertical bars, and a byte order mark. */

/** The latest one wins in as many lines. */
const DELIMITERS = ['|', ',', ';', '\t'];

/** The separator in the most lines, outside quotes; commas may also be in amounts and addresses. */
export function delimiterOf(csv: string): string {
  const lines = csv
    .slice(0, 10_000)
    .replace(/"[^"]*"/g, '')
    .split(/\r?\n|\r/);
  const countOf = (one: string): number => lines.filter((line) => line.includes(one)).length;
  return DELIMITERS.reduce((best, one) =>
    countOf(one) >= Math.max(countOf(best), 1) ? one : best,
  );
}

/** A row of a file, and its number there. */
export interface CsvRecord {
  readonly number: number;
  readonly cells: readonly string[];
  /** The cells of a workbook, in which numbers are not texts. */
  readonly typed?: readonly (string | number)[];
  /** Whether a workbook hides the row. */
  readonly isHidden?: boolean;
  /** The columns whose formulas have the result 0. */
  readonly zeros?: readonly number[];
}

/**
 * The rows. Quotation marks that are not at both ends of a cell are ordinary characters.
 */
export function* recordsOf(
  csv: string,
  delimiter: string = delimiterOf(csv),
): Generator<CsvRecord> {
  const end = `[${delimiter}]|\\r\\n|\\r|\\n|$`;
  const source = `(?:"([^"]*(?:""[^"]*)*)"(?=${end})|([^${delimiter}\\r\\n]*))(${end})`;
  const cell = new RegExp(source, 'y');
  cell.lastIndex = csv.startsWith('\ufeff') ? 1 : 0;
  let cells: string[] = [];
  let number = 1;
  while (cell.lastIndex < csv.length || cells.length > 0) {
    const [, quoted, plain = '', separator] = cell.exec(csv) ?? [];
    cells.push(quoted === undefined ? plain : quoted.replaceAll('""', '"'));
    if (separator === delimiter) continue;
    yield { number, cells };
    cells = [];
    number += 1;
  }
}

/** The encodings by the first two bytes of their byte order marks. */
const MARKED: Readonly<Record<string, string>> = {
  '255,254': 'utf-16le',
  '254,255': 'utf-16be',
  '239,187': 'utf-8',
};

/** A file as text. */
export interface Decoded {
  readonly csv: string;
  /** Whether the encoding is certain; another one than Windows-1258 shows other letters. */
  readonly isUnicode: boolean;
}

/** What no table in text form has: NUL, which binary files have, and the beginning of HTML or XML. */
const FOREIGN = /\0|^\s*</;

/** Decodes a file by its mark, without one as UTF-8, else as Windows-1258; undefined if it is no table. */
export function decodeFile(bytes: Uint8Array): Decoded | undefined {
  const { [bytes.subarray(0, 2).join()]: marked } = MARKED;
  let [csv, isUnicode] = ['', true];
  try {
    csv = new TextDecoder(marked, { fatal: marked === undefined }).decode(bytes);
  } catch {
    // Windows-1258 writes the tones of Vietnamese as characters of their own.
    csv = new TextDecoder('windows-1258').decode(bytes).normalize('NFC');
    isUnicode = false;
  }
  return FOREIGN.test(csv) ? undefined : { csv, isUnicode };
}
