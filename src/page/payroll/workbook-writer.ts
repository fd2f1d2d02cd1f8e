/* Writes a workbook .xlsx (ECMA-376): a ZIP archive (APPNOTE.TXT of PKWARE) of XML. */
import { inTurns } from '../frame/turns.ts';

/** A cell. A text stays one, whatever it looks like; a bigint is an amount in đồng. */
export type Cell = string | number | bigint;

/** A sheet with a name. */
export interface WrittenSheet {
  readonly name: string;
  readonly rows: Iterable<readonly Cell[]>;
}

const TYPES = `<?xml version="1.0" encoding="UTF-8" standalone="yes"?>
<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">
<Default Extension="rels"
ContentType="application/vnd.openxmlformats-package.relationships+xml"/>
<Default Extension="xml"
ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.worksheet+xml"/>
<Override PartName="/xl/workbook.xml"
ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml"/>
<Override PartName="/xl/styles.xml"
ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.styles+xml"/>
</Types>`;

const LINKS = `<?xml version="1.0" encoding="UTF-8" standalone="yes"?>
<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">
<Relationship Id="r1"
Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument"
Target="xl/workbook.xml"/>
</Relationships>`;

const WORKBOOK_LINKS = `<?xml version="1.0" encoding="UTF-8" standalone="yes"?>
<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">
<Relationship Id="r1"
Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/worksheet"
Target="worksheets/1.xml"/>
<Relationship Id="r2"
Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/worksheet"
Target="worksheets/2.xml"/>
<Relationship Id="r3"
Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/styles"
Target="styles.xml"/>
</Relationships>`;

/** The second style separates thousands. */
const STYLES = `<?xml version="1.0" encoding="UTF-8" standalone="yes"?>
<styleSheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main">
<fonts count="1"><font/></fonts>
<fills count="2">
<fill><patternFill/></fill><fill><patternFill patternType="gray125"/></fill>
</fills>
<borders count="1"><border/></borders>
<cellStyleXfs count="1"><xf/></cellStyleXfs>
<cellXfs count="2"><xf xfId="0"/><xf numFmtId="3" xfId="0" applyNumberFormat="1"/></cellXfs>
<cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles>
</styleSheet>`;

const WORKBOOK = `<?xml version="1.0" encoding="UTF-8" standalone="yes"?>
<workbook xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"
xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships">
<bookViews><workbookView/></bookViews>
<sheets>`;

const SHEET = `<?xml version="1.0" encoding="UTF-8" standalone="yes"?>
<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main">
<sheetViews><sheetView workbookViewId="0">
<pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/>
</sheetView></sheetViews>
<sheetFormatPr defaultColWidth="16" defaultRowHeight="15"/>
<sheetData>`;

/** A text in XML. The characters that XML lacks are written as Excel writes them: _x0001_. */
function escaped(text: string): string {
  return text
    .replace(/_(?=x[\da-f]{4}_)/gi, '_x005F_')
    .replace(/[\0-\x08\x0b-\x1f\ufffe\uffff]/g, (character) => {
      const code = character.charCodeAt(0).toString(16);
      return `_x${code.padStart(4, '0')}_`;
    })
    .replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`);
}

function cellOf(cell: Cell): string {
  if (cell === '') return '<c/>';
  if (typeof cell === 'number') return `<c><v>${cell}</v></c>`;
  if (typeof cell === 'bigint') return `<c s="1"><v>${cell}</v></c>`;
  return `<c t="inlineStr"><is><t xml:space="preserve">${escaped(cell)}</t></is></c>`;
}

/** The XML of a sheet, in parts. */
function* linesOf({ rows }: WrittenSheet): Generator<string> {
  yield SHEET;
  for (const cells of rows) yield `<row>${cells.map(cellOf).join('')}</row>`;
  yield '</sheetData></worksheet>';
}

/** Writes a workbook of two sheets in turns; undefined if the signal ends it. */
export async function writeWorkbook(
  sheets: readonly [WrittenSheet, WrittenSheet],
  signal: AbortSignal,
): Promise<Blob | undefined> {
  const names = sheets.map(
    ({ name }, at) => `<sheet name="${escaped(name)}" sheetId="${at + 1}" r:id="r${at + 1}"/>`,
  );
  const files: Readonly<Record<string, Iterable<string>>> = {
    '[Content_Types].xml': [TYPES],
    '_rels/.rels': [LINKS],
    'xl/workbook.xml': [WORKBOOK, ...names, '</sheets></workbook>'],
    'xl/_rels/workbook.xml.rels': [WORKBOOK_LINKS],
    'xl/styles.xml': [STYLES],
    'xl/worksheets/1.xml': linesOf(sheets[0]),
    'xl/worksheets/2.xml': linesOf(sheets[1]),
  };
  const parts: BlobPart[] = [];
  const directory: BlobPart[] = [];
  for (const [path, lines] of Object.entries(files)) {
    const packed = await inTurns(packedIn(lines), signal);
    if (packed === undefined) return undefined;
    const head = headOf(path, packed);
    const place = [0, 0, 0, 0, 0, ...wordsOf(sizeOf(parts))];
    directory.push(Uint16Array.of(0x4b50, 0x201, 20, ...head, ...place), path);
    parts.push(Uint16Array.of(0x4b50, 0x403, ...head), path, packed.data);
  }
  const { length } = Object.keys(files);
  const place = [sizeOf(directory), sizeOf(parts)].flatMap(wordsOf);
  const end = Uint16Array.of(0x4b50, 0x605, 0, 0, length, length, ...place, 0);
  return new Blob([...parts, ...directory, end]);
}

const sizeOf = (parts: readonly BlobPart[]): number => new Blob([...parts]).size;

/** The low and the high word of a number. The words of ZIP are little-endian, as those of all browsers are. */
const wordsOf = (value: number): number[] => [value & 0xffff, value >>> 16];

/** What both headers of a file have: version 2.0, names in UTF-8, and the first day that ZIP has. */
function headOf(path: string, { data, method, size, crc }: Packed): number[] {
  const sizes = [crc, data.size, size].flatMap(wordsOf);
  return [20, 0x800, method, 0, 0x21, ...sizes, path.length, 0];
}

/** The characters that are encoded at once. */
const PIECE = 65_536;

/** A file, and its CRC-32. */
interface Packed {
  readonly data: Blob;
  /** 8 if it is compressed, else 0. */
  readonly method: number;
  readonly size: number;
  readonly crc: number;
}

/** Encodes a text, and compresses it if the browser can, a piece per step. */
async function* packedIn(lines: Iterable<string>): AsyncGenerator<undefined, Packed> {
  const { readable, writable } = deflater() ?? new TransformStream();
  const packed = new Response(readable).blob();
  const writer = writable.getWriter();
  let [waiting, crc, size] = ['', ~0, 0];
  const write = (): Promise<void> => {
    const bytes = new TextEncoder().encode(waiting);
    [waiting, crc, size] = ['', crcOf(bytes, crc), size + bytes.length];
    return writer.write(bytes);
  };
  for (const line of lines) {
    waiting += line;
    if (waiting.length < PIECE) continue;
    await write();
    yield;
  }
  await write();
  await writer.close();
  return { data: await packed, method: deflater() ? 8 : 0, size, crc: ~crc };
}

/** The remainders of CRC-32 (ISO 3309) by bytes. */
const CRC = Uint32Array.from({ length: 256 }, (_, byte) => {
  let rest = byte;
  for (let bit = 0; bit < 8; bit += 1) rest = (rest >>> 1) ^ (rest & 1 && 0xedb88320);
  return rest;
});

/** The CRC-32 of bytes that follow those of another one; the first is that of ~0. Both are inverted. */
export function crcOf(bytes: Uint8Array, before: number): number {
  let crc = before;
  for (const byte of bytes) crc = (crc >>> 8) ^ CRC[(crc ^ byte) & 0xff]!;
  return crc;
}

/** The compression, which Chrome before 103, Firefox before 113 and Safari before 16.4 lack. */
function deflater(): CompressionStream | undefined {
  try {
    return new CompressionStream('deflate-raw');
  } catch {
    return undefined;
  }
}
