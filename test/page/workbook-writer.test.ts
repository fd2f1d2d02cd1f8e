/** The workbook with the results: its ZIP and its XML, and how other programs read it, where they are installed. */
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { spawnSync } from '../helpers/child.ts';
import { finished, scripts, type WrittenSheet } from '../helpers/page-scripts.ts';
import { onlyThorough } from '../helpers/repository.ts';
import { elementsOf, parseXml, unzip, type XmlElement } from '../helpers/zip.ts';

/** Texts that a spreadsheet may take for something else, or that XML cannot have. */
const TEXTS = [
  ...['plain', 'a,b;c\td', 'two\nlines', ' spaces ', '<b>&amp;"\'', 'Nguyễn Thị Ái 𠀀 ₫'],
  ...['=1+1', '+84 912 345 678', '-1+1', '@SUM(A1)', '=HYPERLINK("http://x","y")', "'=1"],
  ...['001099000123', '0123456789012345678', '1.9E+11', '30.000.000', '1/2', '10-2026', 'TRUE'],
];
const STRANGE = ['a\0b\u0007c', 'a\rb', '_x0041_', '_x005F_x', '\ufffe\uffff', ']]>', '_x0041'];
const NUMBERS = [0, -1.5, 26_592_500, 0.1, 20_000_000.25];
const AMOUNTS = [26_592_500n, 0n];

async function written(sheets: readonly [WrittenSheet, WrittenSheet]): Promise<Buffer> {
  const blob = await scripts.writeWorkbook(sheets, new AbortController().signal);
  return Buffer.from((await blob?.arrayBuffer()) ?? assert.fail());
}

type Cells = readonly (readonly (string | number | bigint)[])[];

const workbookOf = (
  rows: Cells,
  others: Cells = [['Lý do'], ['không có lương']],
): Promise<Buffer> =>
  written([
    { name: 'Bảng <lương> & "tên"', rows },
    { name: 'Không tính', rows: others },
  ]);

/** The value of a cell: of a text with the characters that Excel reads from its escapes. */
function valueOf({ attributes, children }: XmlElement): unknown {
  const [child] = children;
  if (child === undefined) return '';
  if (attributes['t'] !== 'inlineStr') {
    assert.deepEqual([child.name, attributes['t']], ['v', undefined]);
    const number = Number(child.text);
    return attributes['s'] === '1' ? BigInt(number) : number;
  }
  const [text = assert.fail()] = elementsOf(child, 't');
  assert.equal(text.attributes['xml:space'], 'preserve');
  return text.text.replace(/_x([\da-f]{4})_/gi, (_, code: string) =>
    String.fromCharCode(parseInt(code, 16)),
  );
}

const rowsIn = (xml = ''): unknown[] =>
  elementsOf(parseXml(xml), 'row').map(({ children }) => children.map(valueOf));

test('a workbook has the files, types and links of ECMA-376, and only those', async () => {
  const files = unzip(await workbookOf([['a']]));
  const parsed = new Map([...files].map(([path, xml]) => [path, parseXml(xml)]));
  const attributesOf = (path: string, name: string): Readonly<Record<string, string>>[] =>
    elementsOf(parsed.get(path) ?? assert.fail(path), name).map(({ attributes }) => attributes);
  const overridden = attributesOf('[Content_Types].xml', 'Override').map((one) => one['PartName']);
  for (const path of overridden) assert.ok(files.has(path?.slice(1) ?? ''), path);
  const [start] = attributesOf('_rels/.rels', 'Relationship');
  assert.equal(start?.['Target'], 'xl/workbook.xml');
  const links = attributesOf('xl/_rels/workbook.xml.rels', 'Relationship');
  const targets = links.map(({ Id, Target }) => [Id, `xl/${Target}`] as const);
  const sheets = attributesOf('xl/workbook.xml', 'sheet').map((sheet) => sheet['r:id']);
  const linked = ['xl/worksheets/1.xml', 'xl/worksheets/2.xml'];
  assert.deepEqual(
    sheets.map((id) => new Map(targets).get(id)),
    linked,
  );
  assert.deepEqual(
    [...files.keys()].sort(),
    ['[Content_Types].xml', '_rels/.rels', 'xl/_rels/workbook.xml.rels', 'xl/styles.xml']
      .concat('xl/workbook.xml', linked)
      .sort(),
  );
  assert.deepEqual(
    attributesOf('xl/workbook.xml', 'sheet').map(({ name }) => name),
    [...['Bảng <lương> & "tên"', 'Không tính']],
  );
});

test('texts stay texts, numbers are numbers, and empty cells keep their place', async () => {
  const rows = [[...TEXTS, ...STRANGE], [], ['', ...NUMBERS, '', ...AMOUNTS, '']];
  const files = unzip(await workbookOf(rows));
  assert.deepEqual(rowsIn(files.get('xl/worksheets/1.xml')), rows);
  assert.deepEqual(rowsIn(files.get('xl/worksheets/2.xml')), [['Lý do'], ['không có lương']]);
});

test('a browser that cannot compress stores the same files', async () => {
  const { CompressionStream } = globalThis;
  const rows = Array.from({ length: 3_000 }, (_, row) => [row, `Tên ${row}`, BigInt(row)]);
  const packed = await workbookOf(rows);
  // Chrome before 103 knows other formats only, and throws this error.
  Object.assign(globalThis, {
    CompressionStream: class {
      constructor() {
        throw new TypeError('Unsupported compression format');
      }
    },
  });
  try {
    const stored = await workbookOf(rows);
    assert.deepEqual(unzip(stored), unzip(packed));
    assert.ok(stored.length > 5 * packed.length);
  } finally {
    Object.assign(globalThis, { CompressionStream });
  }
});

test('the workbook of a cancelled calculation is not written', async () => {
  const running = new AbortController();
  running.abort();
  const rows = Array.from({ length: 100_000 }, (_, row) => [row, 'x'.repeat(100)]);
  const sheet = { name: 'a', rows };
  assert.equal(await scripts.writeWorkbook([sheet, sheet], running.signal), undefined);
});

test('amounts that are kept are numbers in the format of amounts, others as they were', () => {
  const heads = ['STT', 'Lương gross', 'Phần lương miễn thuế', 'CCCD'];
  const typed = [1, 20_000_000, 0.5, 1_234_567_890];
  const records = [heads, typed].map((cells, at) => ({
    ...{ number: at + 1, cells: cells.map(String), typed: cells },
  }));
  const sheet = finished(scripts.sheetIn(records));
  assert.ok(typeof sheet !== 'string');
  const common = { period: '2026-10', unit: '1', region: '1', dependents: '0', isTyped: 'true' };
  const mapping = { uses: scripts.exactUses(sheet), meanings: {}, common };
  const readings = sheet.rows.map(scripts.readerOf(sheet, mapping));
  const { lines } = finished(scripts.outcomeOf(sheet, mapping, readings, new Map()));
  const all = scripts.sheetsOf(sheet, mapping, lines).flatMap(({ rows }) => [...rows]);
  const row = all.find(([first]) => first === 1);
  assert.deepEqual(row?.slice(0, 4), [1, 20_000_000n, 0.5, 1_234_567_890]);
});

/** Runs a program on the workbook of all kinds of cells, or skips the test where it is not installed. */
async function opened(
  context: TestContext,
  program: string,
  check: readonly string[],
  argumentsOf: (path: string, folder: string) => readonly string[],
  read: (folder: string, stdout: string) => void,
): Promise<void> {
  if (spawnSync(program, check).status !== 0) {
    context.skip(`${program} ${check.join(' ')} fails`);
    return;
  }
  const folder = mkdtempSync(join(tmpdir(), 'workbook-'));
  try {
    const path = join(folder, 'payroll.xlsx');
    writeFileSync(path, await workbookOf([TEXTS, NUMBERS, AMOUNTS]));
    const { status, stdout, stderr } = spawnSync(program, argumentsOf(path, folder));
    assert.equal(status, 0, stderr);
    read(folder, stdout);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

test('LibreOffice opens the workbook', { skip: onlyThorough }, async (context) => {
  // Separator, quote, UTF-8, first row, formats, language, all texts quoted, cells as they are.
  const filter = 'csv:Text - txt - csv (StarCalc):9,34,76,1,,0,true,false';
  await opened(
    context,
    'soffice',
    ['--version'],
    (path, folder) => [
      `-env:UserInstallation=${pathToFileURL(folder).href}/profile`,
      '--headless',
      '--convert-to',
      filter,
      '--outdir',
      folder,
      path,
    ],
    (folder) => {
      const csv = readFileSync(join(folder, 'payroll.csv'), 'utf8');
      const [texts, numbers, amounts] = [...scripts.recordsOf(csv, '\t')].map(({ cells }) => cells);
      assert.deepEqual(texts, TEXTS);
      assert.deepEqual(numbers?.slice(0, NUMBERS.length).map(Number), NUMBERS);
      assert.deepEqual(amounts?.slice(0, AMOUNTS.length), ['26,592,500', '0']);
    },
  );
});

test('openpyxl opens the workbook', async (context) => {
  const script = [
    'import json, sys, openpyxl',
    'book = openpyxl.load_workbook(sys.argv[1])',
    'rows = [[[cell.data_type, cell.value, cell.number_format] for cell in row] for row in book.worksheets[0]]',
    'print(json.dumps([book.sheetnames, rows]))',
  ].join('\n');
  await opened(
    context,
    'python3',
    ['-c', 'import openpyxl'],
    (path) => ['-W', 'error::UserWarning', '-c', script, path],
    (_, stdout) => {
      const [names, rows] = JSON.parse(stdout) as [string[], [string, unknown, string][][]];
      assert.deepEqual(names, ['Bảng <lương> & "tên"', 'Không tính']);
      const cellsIn = (row: number, count: number): unknown => rows[row]?.slice(0, count);
      const of = (type: string, cells: readonly unknown[], format = 'General'): unknown =>
        cells.map((cell) => [type, cell, format]);
      assert.deepEqual(cellsIn(0, TEXTS.length), of('s', TEXTS));
      assert.deepEqual(cellsIn(1, NUMBERS.length), of('n', NUMBERS));
      assert.deepEqual(cellsIn(2, AMOUNTS.length), of('n', AMOUNTS.map(Number), '#,##0'));
    },
  );
});
