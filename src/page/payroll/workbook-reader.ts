/* Reads a workbook .xlsx (ECMA-376) of any program: a ZIP archive (APPNOTE.TXT of PKWARE) of XML. */
import { addTexts } from '../frame/texts.ts';
import type { CsvRecord } from './csv.ts';
import { isFilled, SEARCHED } from './sheet.ts';
import { inTurns } from '../frame/turns.ts';
import { crcOf } from './workbook-writer.ts';

addTexts(`
largeWorkbook | The sheet has more than 100,000 rows or 100 columns, or the workbook more than
    64 MB of content. Divide it, or copy the cells and paste them.
  | Trang tính có hơn 100.000 dòng hoặc 100 cột, hoặc tệp có hơn 64 MB nội dung. Hãy chia nhỏ
    tệp, hoặc sao chép các ô và dán vào đây.
uncalculated | Formulas of this sheet have no results yet, so that their cells have no amounts.
    Open the file in Excel, save it, and choose it again.
  | Một số công thức trong trang này chưa có kết quả nên các ô đó chưa có số tiền. Hãy mở tệp bằng
    Excel, lưu lại rồi chọn lại.
oldBrowser | This browser cannot read workbooks: Chrome 103, Firefox 113 and Safari 16.4 can. Or
    copy the cells and paste them.
  | Trình duyệt này chưa đọc được tệp Excel: cần Chrome 103, Firefox 113 hoặc Safari 16.4 trở
    lên. Hoặc sao chép các ô và dán vào đây.
`);

/** The most bytes of all parts that are read, counted while they are inflated. */
const MOST_BYTES = 64_000_000;
/** The most rows with content, and columns with content up to the last head. */
const [MOST_ROWS, MOST_COLUMNS] = [100_000, 100];
/** The size of a sheet in Excel. */
const [LAST_ROW, LAST_COLUMN] = [1_048_576, 16_384];
/** The most characters of a tag and the text after it. */
const LONGEST = 1_000_000;
/** The bytes that are inflated at once, up to a thousandfold, and those that are read at once. */
const [PACKED, PIECE] = [4_096, 65_536];

/** The reason to refuse a workbook, by the key of its text. */
class Refusal extends Error {}

/** A sheet of a workbook, and the names of all sheets that are not hidden. */
export interface ReadSheet {
  /** The rows, or the key of a refusal of this sheet, beside which another one can be chosen. */
  readonly records: readonly CsvRecord[] | string;
  readonly names: readonly string[];
  readonly index: number;
  /** The indices of cells whose columns Excel hides. */
  readonly hidden: readonly number[];
  /** Whether there is a formula without a result. */
  readonly isStale: boolean;
}

/**
 * Reads a sheet, or without an index the one that was open when the workbook was saved. Returns the key of a refusal,
 * or undefined if the signal ends the work. `waits` receives the bytes read.
 */
export async function readWorkbook(
  bytes: Uint8Array<ArrayBuffer>,
  index: number | undefined,
  signal: AbortSignal,
  waits?: (read: number) => void,
): Promise<ReadSheet | string | undefined> {
  try {
    return await inTurns(new Workbook(bytes).sheet(index), signal, waits);
  } catch (error) {
    return reasonOf(error);
  }
}

/** The key of the text about an error. */
const reasonOf = (error: unknown): string =>
  error instanceof Refusal ? error.message : 'workbook';

/** A file in an archive. */
interface Entry {
  readonly start: number;
  readonly size: number;
  readonly method: number;
  readonly crc: number;
}

const [END, ZIP64, WIDE] = [0x06054b50, 1, 0xffffffff];
/** The bytes of the end of a directory with the longest comment. */
const LONGEST_END = 65_557;

/** The files of an archive by their names in small letters, from its directory; throws without one. */
function entriesOf(bytes: Uint8Array<ArrayBuffer>): ReadonlyMap<string, Entry> {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const short = (at: number): number => view.getUint16(at, true);
  const long = (at: number): number => view.getUint32(at, true);
  let end = bytes.length - 22;
  while (long(end) !== END && end > bytes.length - LONGEST_END) end -= 1;
  const entries = new Map<string, Entry>();
  let at = long(end + 16);
  for (let count = short(end + 10); count > 0; count -= 1) {
    const extra = at + 46 + short(at + 28);
    const next = extra + short(at + 30);
    const name = new TextDecoder().decode(bytes.subarray(at + 46, extra));
    const places = [long(at + 24), long(at + 20), long(at + 42)];
    for (let field = extra; field < next; field += 4 + short(field + 2)) {
      if (short(field) === ZIP64) widen(places, view, field + 4);
    }
    const [, size = 0, local = 0] = places;
    const start = local + 30 + short(local + 26) + short(local + 28);
    const entry = { start, size, method: short(at + 10), crc: long(at + 16) };
    entries.set(name.replaceAll('\\', '/').toLowerCase(), entry);
    at = next + short(at + 32);
  }
  return entries;
}

/** Replaces the sizes and places that do not fit into 32 bits. */
function widen(places: number[], view: DataView, start: number): void {
  let at = start;
  places.forEach((place, index) => {
    if (place !== WIDE) return;
    places[index] = Number(view.getBigUint64(at, true));
    at += 8;
  });
}

/** Takes a tag: its name without a prefix, with `/` at an end; its attributes, and the text after it. */
type Take = (name: string, attributes: string, content: string) => void;

/** A tag, and the text after it. No part of it is looked at twice, so that it is linear. */
const TAG = /<(\/?)(?:[\w.-]{1,40}:)?([\w.-]{1,40})(?![\w:.-])([^<>]*)>([^<]*)/g;

const ENTITIES: Readonly<Record<string, string>> = {
  lt: '<',
  gt: '>',
  amp: '&',
  quot: '"',
  apos: "'",
};

/** The text of XML. Excel escapes what XML cannot have: _x000D_ is a carriage return, which is left out. */
function plainOf(xml: string): string {
  return xml
    .replace(/&(?:(\w{2,4})|#x([\da-f]{1,6})|#(\d{1,7}));/gi, (_, name, hex, decimal) =>
      name ? (ENTITIES[name] ?? '') : String.fromCodePoint(Number(hex ? `0x${hex}` : decimal)),
    )
    .replace(/_x([\da-f]{4})_/gi, (_, hex: string) => String.fromCharCode(Number(`0x${hex}`)))
    .replaceAll('\r', '');
}

/** Creates the reader of an attribute, which is '' if it is absent. */
function attribute(name: string): (attributes: string) => string {
  const pattern = new RegExp(`\\s(?:\\w+:)?${name}=(?:"([^"]*)"|'([^']*)')`);
  return (attributes) => {
    const [, double, single = ''] = pattern.exec(attributes) ?? [];
    return plainOf(double ?? single);
  };
}

const isTrue = (value: string): boolean => /^(?:1|true)$/.test(value);

/** The paths of the parts that a part names: of worksheets by their identifiers, of others by their types. */
type Links = ReadonlyMap<string, string>;

/** A workbook. Each step is the number of bytes of its parts that have been read. */
class Workbook {
  readonly strings: string[] = [];
  /** Whether the numbers of each style are dates. */
  readonly dates: boolean[] = [];
  /** The least digits of the numbers of each style: 5 in the format 00000. */
  readonly digits: number[] = [];
  /** The day 0, in milliseconds. */
  epoch = Date.UTC(1899, 11, 30);
  /** Whether the program that wrote the file left the formulas for Excel to calculate. */
  isUncalculated = false;
  private readonly sheets: { readonly name: string; readonly path: string }[] = [];
  /** The index of the sheet that was open. */
  private open = 0;
  private readonly bytes: Uint8Array<ArrayBuffer>;
  private readonly entries: ReadonlyMap<string, Entry>;
  private read = 0;
  private inflated = 0;

  constructor(bytes: Uint8Array<ArrayBuffer>) {
    this.bytes = bytes;
    this.entries = entriesOf(bytes);
  }

  async *sheet(wanted: number | undefined): AsyncGenerator<number, ReadSheet> {
    const root = yield* this.linksOf('');
    const path = root.get('officeDocument');
    const links = yield* this.linksOf(path ?? '');
    yield* this.scan(path, this.sheetTaker(links));
    const { [wanted ?? this.open]: sheet = refuse() } = this.sheets;
    yield* this.scan(links.get('sharedStrings'), this.stringTaker());
    yield* this.scan(links.get('styles'), this.styleTaker());
    const rows = new Rows(this);
    const records = yield* this.recordsOf(sheet.path, rows);
    return {
      records,
      names: this.sheets.map(({ name }) => name),
      index: this.sheets.indexOf(sheet),
      hidden: rows.hiddenPlaces(),
      isStale: rows.isStale,
    };
  }

  /** The rows of a sheet, or the key of its refusal. */
  private async *recordsOf(path: string, rows: Rows): AsyncGenerator<number, CsvRecord[] | string> {
    try {
      yield* this.scan(path, rows.take);
      return yield* rows.records();
    } catch (error) {
      return reasonOf(error);
    }
  }

  private async *linksOf(path: string): AsyncGenerator<number, Links> {
    const links = new Map<string, string>();
    yield* this.scan(path.replace(/[^/]*$/, '_rels/$&.rels'), (tag, attributes) => {
      if (tag !== 'Relationship') return;
      const { pathname } = new URL(attribute('Target')(attributes), `file:///${path}`);
      const type = attribute('Type')(attributes).replace(/.*\//, '');
      const key = type === 'worksheet' ? attribute('Id')(attributes) : type;
      links.set(key, pathname.slice(1));
    });
    return links;
  }

  private sheetTaker(links: Links): Take {
    let [open, place] = [0, 0];
    return (tag, attributes) => {
      const of = (name: string): string => attribute(name)(attributes);
      if (tag === 'workbookPr' && isTrue(of('date1904'))) this.epoch = Date.UTC(1904, 0, 1);
      if (tag === 'calcPr') this.isUncalculated = isTrue(of('fullCalcOnLoad'));
      if (tag === 'workbookView') open = Number(of('activeTab'));
      if (tag !== 'sheet') return;
      const path = links.get(of('id'));
      const isShown = path !== undefined && !/hidden/i.test(of('state'));
      if (isShown && place === open) this.open = this.sheets.length;
      if (isShown) this.sheets.push({ name: of('name'), path });
      place += 1;
    };
  }

  private stringTaker(): Take {
    let isSpoken = false;
    return (tag, _, content) => {
      if (tag === 'si') this.strings.push('');
      if (/rPh$/.test(tag)) isSpoken = tag === 'rPh';
      if (tag === 't' && !isSpoken) this.strings.push(this.strings.pop() + plainOf(content));
    };
  }

  private styleTaker(): Take {
    const codes = new Map<string, string>();
    let isCell = false;
    return (tag, attributes) => {
      const format = attribute('numFmtId')(attributes);
      if (tag === 'numFmt') codes.set(format, attribute('formatCode')(attributes));
      if (/cellXfs$/.test(tag)) isCell = tag === 'cellXfs';
      if (tag !== 'xf' || !isCell) return;
      const code = codes.get(format) ?? '';
      this.dates.push(isDate(Number(format), code));
      this.digits.push(/^0+$/.test(code) ? code.length : 0);
    };
  }

  /** Takes the tags of a part, if the workbook names one. */
  private async *scan(path: string | undefined, take: Take): AsyncGenerator<number, void> {
    if (path === undefined) return;
    const entry = this.entries.get(path.toLowerCase()) ?? refuse();
    const decoder = new TextDecoder();
    const reader = this.piecesOf(entry).getReader();
    let [crc, rest] = [~0, ''];
    for (;;) {
      const { done, value = new Uint8Array() } = await reader.read();
      this.inflated += value.length;
      if (this.inflated > MOST_BYTES) refuse('largeWorkbook');
      crc = crcOf(value, crc);
      for (let at = 0; at < value.length; at += PIECE) {
        rest += decoder.decode(value.subarray(at, at + PIECE), { stream: true });
        rest = takeTags(rest, take);
        yield this.read;
      }
      if (done) break;
    }
    if (~crc >>> 0 !== entry.crc) refuse();
    takeTags(`${rest}<`, take);
  }

  /** The content of a file, inflated in small pieces, because a browser inflates a piece at once. */
  private piecesOf({ start, size, method }: Entry): ReadableStream<Uint8Array<ArrayBuffer>> {
    let at = start;
    const packed = new ReadableStream<Uint8Array<ArrayBuffer>>({
      pull: (controller) => {
        const piece = this.bytes.slice(at, Math.min(at + PACKED, start + size));
        at += piece.length;
        this.read += piece.length;
        if (piece.length > 0) controller.enqueue(piece);
        else controller.close();
      },
    });
    return method === 0 ? packed : packed.pipeThrough(inflater());
  }
}

function refuse(reason = 'workbook'): never {
  throw new Refusal(reason);
}

function inflater(): DecompressionStream {
  try {
    return new DecompressionStream('deflate-raw');
  } catch {
    return refuse('oldBrowser');
  }
}

/** Takes all tags but the last one, whose text may go on, and returns that one. */
function takeTags(xml: string, take: Take): string {
  const last = Math.max(xml.lastIndexOf('<'), 0);
  for (const [, end = '', name = '', attributes = '', content = ''] of xml
    .slice(0, last)
    .matchAll(TAG)) {
    take(end + name, attributes, content);
    if (attributes.endsWith('/')) take(`/${name}`, '', '');
  }
  const rest = xml.slice(last);
  return rest.length > LONGEST ? refuse('largeWorkbook') : rest;
}

/** Whether a format is one of dates: those that programs know by number, and those with a day, month or year. */
function isDate(id: number, code: string): boolean {
  if ((id >= 14 && id <= 22) || (id >= 27 && id <= 36) || (id >= 50 && id <= 58)) return true;
  return /[ymd]/i.test(code.replace(/"[^"]*"|\[[^\]]*\]|[\\_*]./g, ''));
}

const DAY = 86_400_000;
/** The days after 31 December 9999. */
const MOST_DAYS = 2_958_466;

const [reference, style, kind, hidden, first, last] = [
  attribute('r'),
  attribute('s'),
  attribute('t'),
  attribute('hidden'),
  attribute('min'),
  attribute('max'),
];

/** A row, with the columns of its cells. */
interface SparseRow {
  readonly number: number;
  readonly isHidden: boolean;
  readonly cells: Map<number, string | number>;
  /** The columns whose formulas have the result 0. */
  readonly zeros: number[];
}

/** The rows of a sheet with content. */
class Rows {
  isStale = false;
  private readonly workbook: Workbook;
  private readonly rows: SparseRow[] = [];
  private readonly columns = new Set<number>();
  /** The last column with a text in the first rows, one of which has the heads. */
  private lastHead: number | undefined;
  /** The first and last columns of those that are hidden. */
  private readonly hidden: [number, number][] = [];
  private row: SparseRow = { number: 0, isHidden: false, cells: new Map(), zeros: [] };
  private column = 0;
  private attributes = '';
  private value = '';
  private formula = '';
  private isSpoken = false;

  constructor(workbook: Workbook) {
    this.workbook = workbook;
  }

  readonly take: Take = (name, attributes, content) => {
    if (name === 'c') this.beginCell(attributes);
    else if (name === 'v' || (name === 't' && !this.isSpoken)) this.value += plainOf(content);
    else if (name === '/c') this.endCell();
    else if (name === 'f') this.formula = `=${plainOf(content)}`;
    else if (name === 'row') this.beginRow(attributes);
    else if (name === 'col' && isTrue(hidden(attributes)))
      this.hidden.push([Number(first(attributes)), Number(last(attributes))]);
    else if (name === '/row') this.endRow();
    else if (/rPh$/.test(name)) this.isSpoken = name === 'rPh';
  };

  /** The columns with content, without those that stray cells behind the last head have. */
  private order(): number[] {
    return [...this.columns].sort((one, other) => one - other).slice(0, MOST_COLUMNS);
  }

  /** The indices of hidden columns among those with content. */
  hiddenPlaces(): number[] {
    return this.order().flatMap((column, place) => {
      const isHidden = this.hidden.some(([from, to]) => from <= column && column <= to);
      return isHidden ? place : [];
    });
  }

  /** The rows in the columns with content, one per step. */
  *records(): Generator<number, CsvRecord[]> {
    const { lastHead = LAST_COLUMN } = this;
    const headed = [...this.columns].filter((column) => column <= lastHead);
    if (headed.length > MOST_COLUMNS) refuse('largeWorkbook');
    const order = this.order();
    const records: CsvRecord[] = [];
    for (const { number, isHidden, cells, zeros } of this.rows) {
      const typed = order.map((column) => cells.get(column) ?? '');
      const places = zeros.map((column) => order.indexOf(column));
      records.push({ number, cells: typed.map(String), typed, isHidden, zeros: places });
      yield 0;
    }
    return records;
  }

  private beginRow(attributes: string): void {
    const { number: last } = this.row;
    const number = Number(reference(attributes) || last + 1);
    if (!(number > last && number <= LAST_ROW)) refuse();
    this.row = { number, isHidden: isTrue(hidden(attributes)), cells: new Map(), zeros: [] };
    this.column = 0;
  }

  private endRow(): void {
    if (this.row.cells.size > 0) this.rows.push(this.row);
    if (this.rows.length > MOST_ROWS) refuse('largeWorkbook');
  }

  private beginCell(attributes: string): void {
    const [letters = ''] = /^[A-Z]*/.exec(reference(attributes)) ?? [];
    const column = [...letters].reduce((sum, one) => sum * 26 + one.charCodeAt(0) - 64, 0);
    this.column = column || this.column + 1;
    if (this.column > LAST_COLUMN) refuse();
    [this.attributes, this.value, this.formula] = [attributes, '', ''];
  }

  private endCell(): void {
    const { row, column, formula } = this;
    const cell = this.cell();
    if (cell === '') return;
    row.cells.set(column, cell);
    this.columns.add(column);
    const isHead = this.rows.length < SEARCHED && typeof cell === 'string' && isFilled(cell);
    if (isHead) this.lastHead = Math.max(this.lastHead ?? 0, column);
    if (formula !== '' && cell === 0) row.zeros.push(column);
  }

  /** The cell; a formula without a result as its own text, which is no amount. */
  private cell(): string | number {
    const { attributes, value, formula, workbook } = this;
    const type = kind(attributes) || 'n';
    const isBlank = value === '' && type !== 'str';
    const isStale = formula !== '' && (isBlank || (workbook.isUncalculated && value === '0'));
    this.isStale ||= isStale;
    if (isStale) return formula;
    if (type === 's') return workbook.strings[Number(value)] ?? refuse();
    if (type === 'b') return isTrue(value) ? 'TRUE' : 'FALSE';
    if (type === 'd') return value.slice(0, 10);
    // Excel shows 15 digits.
    const number = Number(Number(value).toPrecision(15));
    if (type !== 'n' || value === '' || !Number.isFinite(number)) return value;
    const { [Number(style(attributes))]: digits = 0 } = workbook.digits;
    if (/^\d+$/.test(value) && value.length < digits) return value.padStart(digits, '0');
    const isDay = number >= 1 && number < MOST_DAYS && workbook.dates[Number(style(attributes))];
    if (!isDay) return number;
    return new Date(workbook.epoch + Math.round(number * DAY)).toISOString().slice(0, 10);
  }
}
