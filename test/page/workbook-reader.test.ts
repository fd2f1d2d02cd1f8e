/**
 * Workbooks as six programs write them, in test/vectors/workbooks/, and as hostile ones are made. Each program has
 * written the same three sheets: LibreOffice 7.4, openpyxl 3.0.9, XlsxWriter 3.0.2, exceljs 4.4.0, SheetJS 0.18.5 and
 * Gnumeric 1.12. Rich text is in those of XlsxWriter and exceljs; SheetJS marks no sheet as open, and Gnumeric none as
 * hidden.
 */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { deflateRawSync } from 'node:zlib';
import {
  type CsvRecord,
  finished,
  type Mapping,
  type Outcome,
  type Reading,
  type ReadSheet,
  scripts,
  type WrittenSheet,
} from '../helpers/page-scripts.ts';
import { onlyThorough, root } from '../helpers/repository.ts';
import { zip } from '../helpers/zip.ts';

const FOLDER = 'test/vectors/workbooks/';

const read = (bytes: Uint8Array, index?: number): Promise<ReadSheet | string | undefined> =>
  scripts.readWorkbook(new Uint8Array(bytes), index, new AbortController().signal);

/** The key of the refusal of a workbook or of its sheet. */
async function refusalOf(bytes: Uint8Array): Promise<unknown> {
  const found = await read(bytes);
  return typeof found === 'object' ? found.records : found;
}

/** The sheet of a workbook, which must be read. */
async function sheetOf(bytes: Uint8Array, index?: number): Promise<ReadSheet> {
  const found = await read(bytes, index);
  assert.ok(typeof found === 'object', String(found));
  return found;
}

type Rows = readonly (readonly (string | number)[])[];

function rowsIn({ records }: ReadSheet): readonly CsvRecord[] {
  assert.ok(typeof records === 'object', String(records));
  return records;
}

const typedIn = (sheet: ReadSheet): Rows =>
  rowsIn(sheet).map(({ typed }) => typed ?? assert.fail());

const HEADS = [
  ...['STT', 'Mã NV', 'Họ tên', 'Lương gross', 'Phần lương miễn thuế', 'NPT', 'Tháng'],
  ...['Số CCCD', 'Ngày vào làm'],
];
const AN = [1, 'NV01', 'Nguyễn Văn An', 30_000_000, 1_000_000.25, 1, '2026-10-01', '001099000123'];
const FORMULA = '=E4/2+500000.5';
const RESULT = 15_500_000.5;
/** The result of the formula, if the program has calculated it, and the third name: some programs do not escape it. */
const PROGRAMS: Readonly<Record<string, readonly [result: string | number, name: string]>> = {
  'exceljs.xlsx': [RESULT, 'Lê A Chi'],
  'gnumeric.xlsx': [RESULT, 'Lê A Chi'],
  'libreoffice.xlsx': [RESULT, 'Lê _x0041_ Chi'],
  'openpyxl.xlsx': [FORMULA, 'Lê A Chi'],
  'sheetjs.xlsx': [RESULT, 'Lê A Chi'],
  'xlsxwriter.xlsx': [FORMULA, 'Lê _x0041_ Chi'],
};

test('there is a workbook of each program', () => {
  assert.deepEqual(readdirSync(new URL(FOLDER, root)).sort(), Object.keys(PROGRAMS));
});

for (const [name, [result, third]] of Object.entries(PROGRAMS)) {
  test(`payroll workbook: ${name}`, async () => {
    const bytes = readFileSync(new URL(FOLDER + name, root));
    const isOpenKnown = name !== 'sheetjs.xlsx';
    const sheet = await sheetOf(bytes, isOpenKnown ? undefined : 1);
    const names = ['Ghi chú', 'Tháng 10', ...(name === 'gnumeric.xlsx' ? ['Ẩn'] : [])];
    assert.deepEqual([sheet.names, sheet.index], [names, 1]);
    const blanks = Array.from({ length: 8 }, () => '');
    assert.deepEqual(typedIn(sheet), [
      ['BẢNG LƯƠNG', ...blanks],
      HEADS,
      [...AN, '2020-02-29'],
      [
        2,
        'NV02',
        'Trần & <Bình> "B"\nphó phòng',
        result,
        0,
        0,
        '2026-10-01',
        '079088000456',
        '2021-12-31',
      ],
      [3, 'NV03', third, 25_500_000, '', 2, '2026-10-01', '1234567890123', ''],
      ['Hà Nội, ngày 31', ...blanks],
    ]);
    // Rows have the numbers and the visibility that they have in Excel.
    assert.deepEqual(
      rowsIn(sheet).map(({ number }) => number),
      [1, 3, 4, 5, 6, 9],
    );
    assert.deepEqual(
      rowsIn(sheet).flatMap(({ number, isHidden }) => (isHidden ? number : [])),
      [6],
    );
    assert.deepEqual([sheet.isStale, sheet.hidden], [result === FORMULA, []]);
    const [first] = typedIn(await sheetOf(bytes, 0));
    assert.deepEqual(first, ['Người lập: Chi']);
  });
}

test('the page reads the workbook that it writes', async () => {
  const rows = [
    ['a', 1.5, '', 30_000_000n],
    ['_x0041_ \u0001<&>"', '0099'],
    ['=1', 'x\ny', ' z '],
  ];
  const sheets: readonly [WrittenSheet, WrittenSheet] = [
    { name: 'Bảng & lương', rows },
    { name: 'b', rows: [] },
  ];
  const blob = await scripts.writeWorkbook(sheets, new AbortController().signal);
  const sheet = await sheetOf(Buffer.from((await blob?.arrayBuffer()) ?? assert.fail()));
  assert.deepEqual(sheet.names, ['Bảng & lương', 'b']);
  assert.deepEqual(typedIn(sheet), [
    ['a', 1.5, '', 30_000_000],
    ['_x0041_ \u0001<&>"', '0099', '', ''],
    ['=1', 'x\ny', ' z ', ''],
  ]);
});

interface Parts {
  readonly workbook?: string;
  readonly sheets?: string;
  readonly styles?: string;
  readonly strings?: string;
  readonly start?: string;
}

const TYPE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships/';

/** The files of a workbook whose first sheet has the given XML. */
function filesOf(rows: string, parts: Parts = {}): Record<string, string> {
  const { workbook = '', styles = '', strings = '' } = parts;
  const { sheets = '<sheet name="A" sheetId="1" r:id="r1"/>', start = '<worksheet><sheetData>' } =
    parts;
  const link = (id: string, type: string, target: string): string =>
    `<Relationship Id="${id}" Type="${TYPE}${type}" Target="${target}"/>`;
  return {
    '_rels/.rels': link('r0', 'officeDocument', 'xl/workbook.xml'),
    'xl/workbook.xml': `<workbook>${workbook}<sheets>${sheets}</sheets></workbook>`,
    'xl/_rels/workbook.xml.rels':
      link('r1', 'worksheet', 'worksheets/sheet1.xml')
      + link('r2', 'worksheet', '/xl/worksheets/sheet2.xml')
      + link('r3', 'sharedStrings', 'sharedStrings.xml')
      + link('r4', 'styles', 'styles.xml')
      + link('r5', 'chartsheet', 'chartsheets/sheet1.xml'),
    'xl/worksheets/sheet1.xml': `${start}${rows}</sheetData></worksheet>`,
    'xl/worksheets/sheet2.xml':
      '<worksheet><sheetData><row><c><v>2</v></c></row></sheetData></worksheet>',
    'xl/sharedStrings.xml': `<sst>${strings}</sst>`,
    'xl/styles.xml': `<styleSheet>${styles}</styleSheet>`,
  };
}

const workbookOf = (rows: string, parts?: Parts): Buffer => zip(filesOf(rows, parts));

const cellsOf = async (rows: string, parts?: Parts): Promise<Rows> =>
  typedIn(await sheetOf(workbookOf(rows, parts)));

test('a formula without a result, or with 0 before Excel has calculated it, is its own text', async () => {
  const cells =
    '<row><c><f>A1+1</f></c><c><f>A1*2</f><v></v></c><c><f t="shared" si="0"/></c><c><f>B1</f><v>0</v></c>'
    + '<c><f>C1</f><v>5</v></c><c t="str"><f>D1&amp;"x"</f><v>đ</v></c><c><v>0</v></c></row>';
  assert.deepEqual(await cellsOf(cells), [['=A1+1', '=A1*2', '=', 0, 5, 'đ', 0]]);
  const sheet = await sheetOf(workbookOf(cells));
  assert.deepEqual(rowsIn(sheet)[0]?.zeros, [3]);
  for (const value of ['1', 'true']) {
    const workbook = `<calcPr calcId="0" fullCalcOnLoad="${value}"/>`;
    assert.deepEqual(await cellsOf(cells, { workbook }), [
      ['=A1+1', '=A1*2', '=', '=B1', 5, 'đ', 0],
    ]);
  }
});

test('a sheet with a formula that nothing has calculated says so, and an empty text is a result', async () => {
  const isStale = async (cell: string, workbook = ''): Promise<boolean> =>
    (await sheetOf(workbookOf(`<row><c><v>1</v></c>${cell}</row>`, { workbook }))).isStale;
  const later = '<calcPr fullCalcOnLoad="1"/>';
  assert.equal(await isStale('<c><f>A1</f></c>'), true);
  assert.equal(await isStale('<c><f>A1</f><v>0</v></c>', later), true);
  for (const cell of ['<c><f>A1</f><v>0</v></c>', '<c t="str"><f>""</f><v></v></c>', '<c/>']) {
    assert.equal(await isStale(cell), false, cell);
  }
  const blank = '<row><c><v>1</v></c><c t="str"><f>""</f><v></v></c><c><v>2</v></c></row>';
  assert.deepEqual(await cellsOf(blank), [[1, 2]]);
  for (const language of scripts.LANGUAGES)
    assert.match(scripts.textsOf(language)('uncalculated'), /Excel/);
});

test('columns that Excel hides are known by their place among those with content', async () => {
  const start =
    '<worksheet><cols><col min="2" max="3" hidden="1"/><col min="4" max="4"/>'
    + '<col min="6" max="16384" hidden="true"/></cols><sheetData>';
  const cell = (reference: string): string => `<c r="${reference}1"><v>1</v></c>`;
  const rows = `<row>${['A', 'C', 'D', 'E', 'G'].map(cell).join('')}</row>`;
  assert.deepEqual((await sheetOf(workbookOf(rows, { start }))).hidden, [1, 4]);
});

test('a refusal of a sheet stands beside the names of all sheets', async () => {
  const sheets = ['A', 'B'].map(
    (name, at) => `<sheet name="${name}" sheetId="${at + 1}" r:id="r${at + 1}"/>`,
  );
  const wide = `<row>${'<c t="str"><v>x</v></c>'.repeat(101)}</row>`;
  const refused = await sheetOf(workbookOf(wide, { sheets: sheets.join('') }));
  assert.deepEqual([refused.names, refused.index], [['A', 'B'], 0]);
  assert.equal(refused.records, 'largeWorkbook');
  assert.deepEqual(typedIn(await sheetOf(workbookOf(wide, { sheets: sheets.join('') }), 1)), [[2]]);
});

test('columns count up to the last head', async () => {
  const head = (column: string): string => `<c r="${column}1" t="str"><v>x</v></c>`;
  const numbers = '<c><v>7</v></c>'.repeat(300);
  const sheet = await sheetOf(
    workbookOf(
      `<row r="1">${head('A')}${head('B')}<c r="XFD1" t="str"><v> </v></c></row>`
        + `<row r="2">${numbers}</row>`,
    ),
  );
  assert.equal(typedIn(sheet)[1]?.length, 100);
  assert.deepEqual(typedIn(sheet)[0]?.slice(0, 3), ['x', 'x', '']);
});

test('numbers are finite, and those that Excel shows with 15 digits', async () => {
  const numbers = '20000000.000000004 0.1 1E7 1.5e-3 -2 Infinity -1e999 99000123 1234567890123456';
  const cells = numbers.split(' ').map((number) => `<c><v>${number}</v></c>`);
  assert.deepEqual(await cellsOf(`<row>${cells.join('')}</row>`), [
    [20_000_000, 0.1, 1e7, 0.0015, -2, 'Infinity', '-1e999', 99_000_123, 1_234_567_890_123_460],
  ]);
});

test('a number in a format of zeros has the digits that Excel shows', async () => {
  const styles =
    '<numFmts><numFmt numFmtId="164" formatCode="00000"/><numFmt numFmtId="165" formatCode="0.00"/></numFmts>'
    + '<cellXfs><xf numFmtId="0"/><xf numFmtId="164"/><xf numFmtId="165"/></cellXfs>';
  const cells = [
    ...[1, 1, 1, 2, 0].map(
      (at, index) => `<c s="${at}"><v>${[42, 123_456, 4.5, 7, 7][index]}</v></c>`,
    ),
    '<c s="1" t="str"><v>A1</v></c>',
  ];
  assert.deepEqual(await cellsOf(`<row>${cells.join('')}</row>`, { styles }), [
    ['00042', 123_456, 4.5, 7, 7, 'A1'],
  ]);
});

test('dates are known by their formats, in both calendars', async () => {
  const codes = [
    ...[
      'dd/mm/yyyy',
      'mmm\\-yy',
      '[$-42A]d mmmm yyyy;@',
      '#,##0\\ "đồng/ngày (day)"',
      '#,##0 [Red]',
    ],
    ...['#,##0 \\d', '#,##0_d', '* #,##0 ₫', '[$₫-42A] #,##0', "yyyy'", '"ngày" d'],
  ];
  const formats = codes.map(
    (code, at) => `<numFmt numFmtId="${164 + at}" formatCode="${code.replaceAll('"', '&quot;')}"/>`,
  );
  const ids = [0, 14, 22, 45, 57, ...codes.keys()].map((id, at) => (at < 5 ? id : 164 + id));
  const styles =
    `<numFmts>${formats.join('')}</numFmts><cellStyleXfs><xf numFmtId="14"/></cellStyleXfs>`
    + `<cellXfs>${ids.map((id) => `<xf numFmtId="${id}"/>`).join('')}</cellXfs>`;
  const cells = ids.map((_, at) => `<c s="${at}"><v>46326</v></c>`).join('');
  const [day, plain] = ['2026-10-31', 46_326];
  const expected = [plain, day, day, plain, day].concat(
    ...[day, day, day, plain, plain, plain, plain, plain, plain, day, day],
  );
  assert.deepEqual(await cellsOf(`<row>${cells}</row>`, { styles }), [expected]);
  const workbook = '<workbookPr date1904="1"/>';
  const [row = []] = await cellsOf('<row><c s="1"><v>44864</v></c></row>', { styles, workbook });
  assert.deepEqual(row, ['2026-10-31']);
  const iso = '<row><c t="d"><v>2026-10-31T00:00:00</v></c><c s="1"><v>0.5</v></c></row>';
  assert.deepEqual(await cellsOf(iso, { styles }), [['2026-10-31', 0.5]]);
});

test('texts in runs, with phonetic runs, prefixes, escapes or inline are whole', async () => {
  const strings =
    '<si><t xml:space="preserve"> An </t></si><si><r><rPr><b/></rPr><t>Lê </t></r><r><t>Chi</t></r></si>'
    + '<si><t>東</t><rPh sb="0" eb="1"><t>ひがし</t></rPh><t>京</t></si><si><t>a_x000D_&#10;b&amp;lt;&#x1F600;</t></si>'
    + '<si/><x:si><x:t>Bình</x:t></x:si>';
  const cells = [0, 1, 2, 3, 4, 5].map((index) => `<c t="s"><v>${index}</v></c>`).join('');
  const inline =
    '<x:c r="G1" t="inlineStr"><x:is><x:r><x:t>x</x:t></x:r><x:r><x:t>y</x:t></x:r></x:is></x:c>'
    + '<c r=\'H1\' t=\'str\'><v>z</v></c><c t="b"><v>1</v></c><c t="b"><v>0</v></c><c t="e"><v>#N/A</v></c>';
  assert.deepEqual(await cellsOf(`<row>${cells}${inline}</row>`, { strings }), [
    [' An ', 'Lê Chi', '東京', 'a\nb&lt;😀', 'Bình', 'xy', 'z', 'TRUE', 'FALSE', '#N/A'],
  ]);
});

test('gaps in rows and columns keep the places of cells, and empty columns go', async () => {
  const rows =
    '<row r="2"><c r="C2"><v>1</v></c><c r="XFD2" s="1"/><c r="AA2"><v>2</v></c></row><row r="3"/>'
    + '<row r="7" hidden="1"><c r="C7"><v>3</v></c><c><v>4</v></c></row><row><c r="AA8"><v>5</v></c></row>';
  const records = rowsIn(await sheetOf(workbookOf(rows)));
  assert.deepEqual(
    records.map(({ number, cells, isHidden }) => [number, cells, isHidden]),
    [
      [2, ['1', '', '2'], false],
      [7, ['3', '4', ''], true],
      [8, ['', '', '5'], false],
    ],
  );
});

test('the open sheet is read, or the first one; those that are hidden are not offered', async () => {
  const sheets =
    '<sheet name="Z" sheetId="3" state="veryHidden" r:id="r2"/><sheet name="X" sheetId="4" r:id="r5"/>'
    + '<sheet name="A &amp; B" sheetId="1" r:id="r1"/><sheet name="C" sheetId="2" r:id="r2"/>';
  const rows = '<row><c><v>1</v></c></row>';
  for (const active of [0, 1, 2, 3, 9]) {
    const index = active === 3 ? 1 : 0;
    const workbook = `<bookViews><workbookView activeTab="${active}"/></bookViews>`;
    const sheet = await sheetOf(workbookOf(rows, { sheets, workbook }));
    assert.deepEqual([sheet.names, sheet.index], [['A & B', 'C'], index]);
    assert.deepEqual(typedIn(sheet), [[index + 1]]);
  }
  assert.equal(await read(workbookOf(rows, { sheets }), 2), 'workbook');
});

test('archives of many programs are read: stored, with ZIP64, comments, and names with backslashes', async () => {
  const files = filesOf('<row><c><v>7</v></c></row>');
  const backslashes = Object.fromEntries(
    Object.entries(files).map(([name, text]) => [name.replaceAll('/', '\\').toUpperCase(), text]),
  );
  const archives = [
    zip(files, { isStored: true }),
    zip(files, { isWide: true }),
    zip(files, { comment: 'x'.repeat(65_535) }),
    zip(files, { before: 'self-extracting' }),
    zip(backslashes),
  ];
  for (const bytes of archives) assert.deepEqual(typedIn(await sheetOf(bytes)), [[7]]);
});

/** The table of rows, its readings in a unit, and their outcomes, with the exact uses of its heads. */
async function tableOf(rows: string): Promise<{
  readonly readings: (unit: string) => readonly Reading[];
  readonly outcome: () => Outcome;
}> {
  const records = rowsIn(await sheetOf(workbookOf(rows)));
  const sheet = finished(scripts.sheetIn(records));
  assert.ok(typeof sheet !== 'string');
  const common = { period: '2026-10', decimal: '', who: 'employee', isTyped: 'true' };
  const mappingIn = (unit: string): Mapping => ({
    uses: scripts.exactUses(sheet),
    meanings: {},
    common: { ...common, unit, region: '1', dependents: '0' },
  });
  const readings = (unit: string): readonly Reading[] => {
    assert.deepEqual(scripts.missingIn(mappingIn(unit)), []);
    return sheet.rows.map(scripts.readerOf(sheet, mappingIn(unit)));
  };
  const outcome = (): Outcome =>
    finished(scripts.outcomeOf(sheet, mappingIn('1'), readings('1'), new Map()));
  return { readings, outcome };
}

test('a formula that gives 0 as an amount is counted, and a hidden row needs a choice', async () => {
  const heads = ['STT', 'Lương gross', 'Phần lương miễn thuế', 'Ghi chú'];
  const zero = '<c><f>A1*0</f><v>0</v></c>';
  const number = (value: number): string => `<c><v>${value}</v></c>`;
  const { outcome } = await tableOf(
    `<row>${heads.map((head) => `<c t="str"><v>${head}</v></c>`).join('')}</row>`
      + `<row>${number(1)}${number(2e7)}${zero}</row><row>${number(2)}${zero}${number(0)}</row>`
      + `<row>${number(3)}${number(2e7)}${number(0)}${zero}</row>`
      + `<row hidden="1">${number(4)}${number(2e7)}${number(0)}</row>`,
  );
  const { zeros, counts } = outcome();
  assert.equal(zeros, 2);
  assert.deepEqual(Object.fromEntries(counts), { '': 2, blank: 1, hidden: 1 });
});

test('amounts of a workbook need no notation, also in thousands, and texts have no two readings', async () => {
  const cells = (...values: readonly (string | number)[]): string =>
    `<row>${values
      .map((value) =>
        typeof value === 'number'
          ? `<c><v>${value}</v></c>`
          : `<c t="inlineStr"><is><t>${value}</t></is></c>`,
      )
      .join('')}</row>`;
  const { readings } = await tableOf(
    cells('STT', 'Lương gross', 'Phần lương miễn thuế')
      + cells(1, 25.5, 1.234)
      + cells(2, '25,5', 0)
      + cells(3, '20.000.000', 123.456),
  );
  const valuesWith = (unit: string): unknown[] =>
    readings(unit).map(({ values }) => [values['income'], values['exempt_income']]);
  assert.deepEqual(valuesWith('1000000'), [
    ['25500000', '1234000'],
    ['unread', '0'],
    ['unread', '123456000'],
  ]);
  assert.deepEqual(valuesWith('1'), [
    ['25.5', '1.234'],
    ['25.5', '0'],
    ['20000000', '123.456'],
  ]);
});

type Workbooks = Readonly<Record<string, () => Buffer>>;

/** Workbooks that are made to ask for much: those that take long to make, and others. */
const LARGEST: Workbooks = {
  'a bomb of 66 MB in three parts whose stated sizes are 1': () => {
    const part = `<a>${' '.repeat(10_000)}`.repeat(2_200);
    return zip(filesOf(part, { strings: part, styles: part }), { statedSize: 1 });
  },
  'a hundred thousand and one rows': () => workbookOf('<row><c><v>1</v></c></row>'.repeat(100_001)),
};
const LARGE: Workbooks = {
  'a tag without end': () => workbookOf(`<c ${'r'.repeat(2_000_000)}`),
  'a text without end': () => workbookOf(`<row><c><v>${'1'.repeat(2_000_000)}`),
  'a hundred and one columns': () =>
    workbookOf(`<row>${'<c t="str"><v>x</v></c>'.repeat(101)}</row>`),
};
/** Files that are no workbook, or contradict themselves. */
const MALFORMED: Workbooks = {
  'a column behind the last one': () => workbookOf('<row><c r="ZZZ1"><v>1</v></c></row>'),
  'a row behind the last one': () => workbookOf('<row r="1e9"><c><v>1</v></c></row>'),
  'rows that go back': () =>
    workbookOf('<row r="5"><c><v>1</v></c></row><row r="5"><c><v>2</v></c></row>'),
  'an archive without a directory': () => workbookOf('').subarray(0, -30),
  'an archive of nothing but its beginning': () => Buffer.from('PK\u0003\u0004'),
  'a directory that leads out of the file': () => {
    const bytes = Buffer.from(workbookOf(''));
    bytes.writeUInt32LE(0xfffffff0, bytes.length - 6);
    return bytes;
  },
  'a part with another content than its sum': () =>
    zip(filesOf('<row><c><v>30000000</v></c></row>'), { sum: 1 }),
  'a part that is cut off': () => {
    const { length } = deflateRawSync(filesOf('<row/>')['xl/worksheets/sheet1.xml']!);
    return zip(filesOf('<row/>'), { cut: Math.ceil(length / 2) });
  },
  'a text that is not in the list': () => workbookOf('<row><c t="s"><v>9</v></c></row>'),
  'a character that is none': () => workbookOf('<row><c t="str"><v>&#x110000;</v></c></row>'),
  'names of Object.prototype': () =>
    workbookOf('<constructor/><__proto__/><toString/><row><c t="s"><v>__proto__</v></c></row>'),
  'an encrypted workbook': () => zip({ EncryptedPackage: 'x' }),
  'an .ods': () => zip({ mimetype: 'application/vnd.oasis.opendocument.spreadsheet' }),
  'an .xlsb': () => {
    const files = filesOf('');
    files['_rels/.rels'] = files['_rels/.rels']!.replace('workbook.xml', 'workbook.bin');
    return zip({ ...files, 'xl/workbook.bin': '\u0083\u0001\0<\0' });
  },
  'another method of compression': () => zip(filesOf(''), { isStored: true, method: 12 }),
};

/** Workbooks, the key of their refusal, and the reason to skip them. */
const HOSTILE: readonly (readonly [Workbooks, answer: string, skip?: string | false])[] = [
  [LARGEST, 'largeWorkbook', onlyThorough],
  [LARGE, 'largeWorkbook'],
  [MALFORMED, 'workbook'],
];

for (const [workbooks, answer, skip = false] of HOSTILE) {
  for (const [name, make] of Object.entries(workbooks)) {
    test(`a hostile workbook is refused: ${name}`, { skip }, async () => {
      assert.equal(await refusalOf(make()), answer);
      for (const language of scripts.LANGUAGES) assert.ok(scripts.textsOf(language)(answer));
    });
  }
}

test('XML of hostile repetitions has no rows, and ends', async () => {
  for (const part of [
    '<',
    '<c r="',
    '<a:a:',
    `<${'c'.repeat(60)}`,
    '<row ',
    '</c',
    '&#',
    '<!--',
    "='",
  ]) {
    assert.deepEqual(typedIn(await sheetOf(workbookOf(part.repeat(600_000 / part.length)))), []);
  }
});

test('what is no workbook at all is refused: random bytes, and workbooks with random changes', async () => {
  const original = readFileSync(new URL(`${FOLDER}openpyxl.xlsx`, root));
  const expected = JSON.stringify(typedIn(await sheetOf(original)));
  for (let at = 0; at < original.length; at += 97) {
    const changed = new Uint8Array(original);
    changed[at]! ^= 0x55;
    const refusal = await refusalOf(changed);
    // A change in a name or a time is not in the content.
    if (refusal === 'workbook') continue;
    assert.equal(JSON.stringify(typedIn(await sheetOf(changed))), expected, String(at));
  }
});

test('a browser that cannot inflate says so', async () => {
  const { DecompressionStream } = globalThis;
  Object.assign(globalThis, {
    DecompressionStream: class {
      constructor() {
        throw new TypeError('Unsupported compression format');
      }
    },
  });
  try {
    assert.equal(await read(workbookOf('')), 'oldBrowser');
  } finally {
    Object.assign(globalThis, { DecompressionStream });
  }
});

test('reading ends when it is cancelled, and reports how far it is', async () => {
  const running = new AbortController();
  const bytes = workbookOf('<row><c><v>1</v></c></row>'.repeat(90_000));
  const places: number[] = [];
  const found = scripts.readWorkbook(new Uint8Array(bytes), undefined, running.signal, (place) => {
    places.push(place);
    running.abort();
  });
  assert.equal(await found, undefined);
  assert.equal(places.length, 1);
  assert.ok(places[0]! >= 0 && places[0]! <= bytes.length);
});
