/** Payrolls as CSV: what people save and paste is read, and what is downloaded is safe to open. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { calculators, scripts } from '../helpers/page-scripts.ts';

const rows = (csv: string): readonly (readonly string[])[] =>
  [...scripts.recordsOf(csv, scripts.delimiterOf(csv))].map(({ cells }) => cells);

test('rows are read with every delimiter, line end, quote and byte order mark', () => {
  const cases: readonly (readonly [csv: string, ...rows: string[][]])[] = [
    ['a,b\n1,2\n', ['a', 'b'], ['1', '2']],
    ['a;b\r\n1,5;2', ['a', 'b'], ['1,5', '2']],
    ['a\tb\r1\t2\r', ['a', 'b'], ['1', '2']],
    ['\ufeffa,b', ['a', 'b']],
    ['"a,b";c\n"x ""y""\nz";', ['a,b', 'c'], ['x "y"\nz', '']],
    ['a,b\n\n , \n,\n1', ['a', 'b'], [' ', ' '], ['', ''], ['1']],
    ['a\n"open\nb', ['a'], ['"open'], ['b']],
    ['a,b\n"q"z,c"d"', ['a', 'b'], ['"q"z', 'c"d"']],
    ['', ...[]],
    ['\ufeff', ...[]],
  ];
  for (const [csv, ...expected] of cases)
    assert.deepEqual(rows(csv), expected, JSON.stringify(csv));
  assert.equal(scripts.delimiterOf('"a;b;c;d",e'), ',');
  assert.equal(scripts.delimiterOf('luong'), ',');
});

test('a quote of a megabyte and a hundred thousand rows are read', () => {
  const long = 'x""y'.repeat(250_000);
  assert.equal(rows(`a\n"${long}"\n`)[1]?.[0]?.length, 750_000);
  const csv = `name,income\n${Array.from({ length: 100_000 }, (_, index) => `n${index},${index}`).join('\n')}`;
  assert.equal(rows(csv).length, 100_001);
});

test('what is written is read again, whatever is in it', () => {
  const cells = ['plain', 'a,b', 'a;b', 'a\tb', 'a "quote"', 'two\nlines', '', ' ', '5', '-5'];
  for (const delimiter of [',', ';', '\t']) {
    const head = scripts.lineOf(
      cells.map((_, index) => `c${index}`),
      delimiter,
    );
    assert.deepEqual(
      rows(head + scripts.lineOf(cells, delimiter))[1],
      cells,
      JSON.stringify(delimiter),
    );
  }
});

test('a text that a spreadsheet would take for a formula is written as a text', () => {
  const cases: Readonly<Record<string, string>> = {
    '=1+1': "'=1+1",
    '+1+1': "'+1+1",
    '-1+1': "'-1+1",
    '@SUM(A1)': "'@SUM(A1)",
    '\t=1': `"'\t'=1"`,
    '\r=1': `"'\r'=1"`,
    '=HYPERLINK("http://x","y")': '"\'=HYPERLINK(""http://x"",""y"")"',
    '-5': '-5',
    '-5,25': '"-5,25"',
    '+84912': '+84912',
    '-': '-',
    '+84 9': "'+84 9",
    '＝1': "'＝1",
    '＋1': "'＋1",
    '－1': "'－1",
    '＠a': "'＠a",
    'a=1': 'a=1',
    'A - B': 'A - B',
    // A spreadsheet with another separator sees a cell after each of these characters.
    'X;=cmd': `"X;'=cmd"`,
    'X,=cmd': `"X,'=cmd"`,
    'X\t@a': `"X\t'@a"`,
    'X\r=1': `"X\r'=1"`,
    'X\n=1': `"X\n'=1"`,
    'X|=1': "X|'=1",
    'X; =1': `"X; '=1"`,
    'X;"=1"': `"X;""'=1"""`,
    'X;;=1;+A1': `"X;;'=1;'+A1"`,
    '"=1': `"""'=1"`,
    'X;-5;+84912;-': '"X;-5;+84912;-"',
    'X;-5-1': `"X;'-5-1"`,
    'X;-': '"X;-"',
  };
  for (const [cell, written] of Object.entries(cases)) {
    assert.equal(scripts.lineOf([cell], ','), `${written}\r\n`, cell);
  }
});

test('columns are recognized by their names in both languages', () => {
  const cases: readonly (readonly [heads: string, fields: readonly (string | undefined)[]])[] = [
    [
      'Name|Gross salary|Dependents|Region|Month',
      [undefined, 'income', 'dependents', 'region', 'period'],
    ],
    [
      'Họ tên|Lương gross (đ)|Số người phụ thuộc|Vùng|Tháng',
      [undefined, 'income', 'dependents', 'region', 'period'],
    ],
    ['LƯƠNG NET|Lương đóng BHXH|loại', ['income', 'insurance_salary', 'type']],
    ['income|insurance_salary|gross', ['income', 'insurance_salary', undefined]],
    ['constructor|toString|', [undefined, undefined, undefined]],
  ];
  for (const [heads, fields] of cases)
    assert.deepEqual(scripts.columnsOf(heads.split('|')), fields, heads);
  const known = calculators['salary']!.fields.map(({ name }) => name);
  for (const field of scripts.columnsOf(known)) assert.ok(field !== undefined);
});

test('a file is decoded as UTF-8 with or without mark, as UTF-16 by its mark, else as Windows-1258', () => {
  const text = 'Lương,Họ tên';
  const utf16 = (order: number): Uint8Array => {
    const bytes = Buffer.from(`\ufeff${text}`, 'utf16le');
    return order === 0 ? bytes : bytes.swap16();
  };
  for (const bytes of [Buffer.from(text), Buffer.from(`\ufeff${text}`), utf16(0), utf16(1)]) {
    assert.equal(scripts.decodeFile(bytes), text);
  }
  // Windows-1258: ư is 0xFD, ơ is 0xF5, and the dot below is 0xF2 after its letter.
  const windows = Uint8Array.from([
    0x4c, 0xfd, 0xf5, 0x6e, 0x67, 0x2c, 0x48, 0x6f, 0xf2, 0x20, 0x74, 0xea, 0x6e,
  ]);
  assert.equal(scripts.decodeFile(windows), text);
  assert.ok(scripts.isArchive(Uint8Array.from([0x50, 0x4b, 3, 4])) && !scripts.isArchive(windows));
});

test('usual heads of salaries are recognized, below a title, with their unit', () => {
  const heads = [
    'Lương cơ bản',
    'Tiền lương',
    'Tổng thu nhập',
    'Lương hợp đồng',
    'L.Gross',
    'Thu nhập chịu thuế',
    'Monthly salary',
    'Basic salary',
    'Base salary',
    'Lương Gross (nghìn đồng)',
    'Gross',
    'Net pay',
    'Mức lương',
    'Thực lĩnh',
    'Wage',
  ];
  for (const head of heads)
    assert.deepEqual(scripts.columnsOf(['Họ tên', head]), [undefined, 'income'], head);
  assert.deepEqual(scripts.columnsOf(['Lương cơ bản', 'Lương gross']), [undefined, 'income']);
  // The amount that the firm has paid follows from another one, which is the salary.
  for (const salary of [
    'Tổng thu nhập',
    'Tổng lương',
    'Lương hợp đồng',
    'Lương chính',
    'Lương cơ bản',
  ]) {
    assert.deepEqual(
      scripts.columnsOf(['Thực lãnh', salary, 'Thuế TNCN']),
      [undefined, 'income', undefined],
      salary,
    );
  }
  assert.deepEqual(scripts.columnsOf(['Basic salary', 'Total income', 'Net pay']), [
    undefined,
    'income',
    undefined,
  ]);
  assert.deepEqual(scripts.columnsOf(['Lương cơ bản', 'Lương net']), [undefined, 'income']);
  assert.equal(scripts.headFactsOf('Thực lãnh').type, 'net');
  const records = [
    ['BẢNG LƯƠNG THÁNG 10'],
    ['Công ty A'],
    ['Họ tên', 'Lương gross'],
    ['An', '30000000'],
  ].map((cells, index) => ({ number: index + 1, cells }));
  assert.equal(scripts.headsAt(records), 2);
  assert.deepEqual(scripts.headFactsOf('Lương net (nghìn đồng)'), { type: 'net', unit: '1000' });
  assert.deepEqual(scripts.headFactsOf('Lương gross (triệu)'), { type: 'gross', unit: '1000000' });
  assert.deepEqual(scripts.headFactsOf('Lương gross'), { type: 'gross', unit: '1' });
  assert.deepEqual(
    [
      scripts.inDong('32.5', '1000000'),
      scripts.inDong('25000', '1000'),
      scripts.inDong('x', '1000'),
    ],
    ['32500000', '25000000', 'x'],
  );
});

test('heads that stand in two rows, as merged cells do, are read', () => {
  const table = (...lines: readonly string[]): { number: number; cells: string[] }[] =>
    lines.map((line, index) => ({ number: index + 1, cells: line.split('|') }));
  const merged = table(
    'BẢNG LƯƠNG|||||',
    'Họ tên|Lương||Tổng lương|Khấu trừ|',
    '|Lương chính|Ăn ca||BHXH|Thuế TNCN',
    'An|20|1|21|2|0',
  );
  assert.equal(scripts.headsAt(merged), 2);
  const heads = scripts.headsOf(merged, 2);
  assert.deepEqual(heads, ['Họ tên', 'Lương chính', 'Ăn ca', 'Tổng lương', 'BHXH', 'Thuế TNCN']);
  assert.equal(scripts.columnsOf(heads).indexOf('income'), 3);
  const single = table(
    'Họ tên|Lương gross|NPT',
    '|PHÒNG KẾ TOÁN|',
    'An|20000000|',
    'Bình|30000000|1',
  );
  assert.equal(scripts.headsAt(single), 0);
  const titled = table('Kỳ lương: 01/09/2026||', 'Họ tên|Lương gross|Ký nhận', 'An|20000000|');
  assert.equal(scripts.headsAt(titled), 1);
  assert.deepEqual(scripts.headsOf(titled, 1), ['Họ tên', 'Lương gross', 'Ký nhận']);
});

test('usual heads of dependents are recognized, and those of their names and deductions are not', () => {
  const heads = [
    'NPT',
    'Số NPT',
    'SL NPT',
    'Số NPT đăng ký',
    'Phụ thuộc',
    'Số phụ thuộc',
    'Số người PT',
    'Người phụ thuộc',
    'Số lượng người phụ thuộc',
    'Tổng số người phụ thuộc',
    'Dependants',
    'No. of dependents',
  ];
  for (const head of heads)
    assert.deepEqual(scripts.columnsOf(['Họ tên', head]), [undefined, 'dependents'], head);
  for (const head of [
    'Tên người phụ thuộc',
    'MST NPT',
    'Giảm trừ người phụ thuộc',
    'Giảm trừ gia cảnh',
  ]) {
    assert.deepEqual(scripts.columnsOf(['Họ tên', head]), [undefined, undefined], head);
  }
});

test('a person has the name of the column of names, else the first text', () => {
  const cases: readonly (readonly [heads: string, cells: string, name: string])[] = [
    ['STT|Mã NV|Họ và tên|Lương', '1|NV01|Nguyễn An|20', 'Nguyễn An'],
    ['Phòng ban|HỌ TÊN|Lương', 'Kế toán|Bình|20', 'Bình'],
    ['Department|Full name|Salary', 'Sales|John|20', 'John'],
    ['STT|Họ tên|Phòng|Lương', 'II||Phòng kinh doanh|', 'II'],
    ['STT|Người|Lương', '1|Chi|20', 'Chi'],
    ['STT|Lương', '1|20', ''],
  ];
  for (const [heads, cells, name] of cases) {
    const [names, values] = [heads.split('|'), cells.split('|')];
    assert.equal(scripts.nameIn(values, names, scripts.columnsOf(names)), name, heads);
  }
});

test('a row that numbers the columns is told apart from a person', () => {
  for (const row of ['1|2|3|4', '(1)|(2)|(3)=(1)+(2)', 'A|B|1|2|3 = 1 + 2', '1||2|3']) {
    assert.ok(scripts.isNumbering(row.split('|')), row);
  }
  for (const row of ['1|2', '1|25|0', '1|An|20000000', 'A|B|C', '1|2000000', '1', '']) {
    assert.ok(!scripts.isNumbering(row.split('|')), row);
  }
});

test('a row of totals is told apart from a person', () => {
  const columns = [undefined, 'income'];
  for (const name of ['Tổng cộng', 'Cộng', 'TOTAL', 'Tổng số', 'Tong cong', 'Grand total:']) {
    assert.ok(scripts.isTotal([name, '50'], columns, 7), name);
  }
  assert.ok(scripts.isTotal(['II', 'Cộng phòng', '5'], [undefined, undefined, 'income'], 7));
  assert.ok(scripts.isTotal(['', '50000000'], columns, 50_000_000));
  for (const name of ['Phòng Kế toán', 'BỘ PHẬN BÁN HÀNG', 'Department of sales']) {
    assert.ok(scripts.isGroup(['I', name, '5'], [undefined, undefined, 'income']), name);
  }
  assert.ok(
    scripts.isGroup(
      ['Phòng Kế toán', '', '1.000.000', '5'],
      [undefined, undefined, undefined, 'income'],
    ),
  );
  for (const cell of ['An', 'NV01', '001']) {
    assert.ok(
      !scripts.isGroup(['Phòng Kế toán', cell, '5'], [undefined, undefined, 'income']),
      cell,
    );
  }
  for (const name of ['Phongsavan', 'Tô Ban', 'Bành An', ''])
    assert.ok(!scripts.isGroup([name, '5'], columns), name);
  assert.ok(!scripts.isTotal(['', '50000000'], columns, 40_000_000));
  for (const name of ['An', 'Tống Văn An', 'Công', 'Summer', 'Tong Van An']) {
    assert.ok(!scripts.isTotal([name, '50000000'], columns, 50_000_000), name);
  }
});

test('the month of a title is read, unless it is that of a day, or one of several', () => {
  const cases: readonly (readonly [title: string, period: string | undefined])[] = [
    ['BẢNG LƯƠNG THÁNG 10/2026', '2026-10'],
    ['Bảng thanh toán tiền lương tháng 9 năm 2025', '2025-09'],
    ['T10/2026', '2026-10'],
    ['Payroll, month 01/2026', '2026-01'],
    ['Hà Nội, ngày 05 tháng 11 năm 2026. Bảng lương tháng 10/2026', '2026-10'],
    ['Hà Nội, ngày 5 tháng 11 năm 2026', undefined],
    ['Tháng 9/2026 và tháng 10/2026', undefined],
    ['Tháng 13/2026', undefined],
    ['Công ty 10/2026', undefined],
    ['BANG LUONG THANG 10 NAM 2026', '2026-10'],
    ['Ha Noi, ngay 5 thang 11 nam 2026', undefined],
    ['Tháng: 10/2026', '2026-10'],
    ['Kỳ lương: 10/2026', '2026-10'],
    ['Lương đợt 2/2026', undefined],
  ];
  for (const [title, period] of cases)
    assert.equal(scripts.monthOfTitle([{ cells: ['', title] }]), period, title);
});

test('months are read as spreadsheets write them', () => {
  for (const cell of [
    '01/10/2026',
    '10/2026',
    'T10-26',
    'Oct-26',
    'October 2026',
    '2026-10-01',
    'tháng 10/2026',
    '10/31/2026',
  ]) {
    assert.equal(scripts.readMonthCell(cell), '2026-10', cell);
  }
});

test('cells that say yes or no are read, and other texts are refused', () => {
  const defaults = scripts.examplesOf(calculators['salary']!);
  const request = (cell: string, name: string): string =>
    scripts.bodyOf(calculators['salary']!, scripts.valuesOfRow([cell], [name], defaults, 'vi'));
  for (const cell of ['x', 'X', 'có', 'co\u0301', 'CÓ', '✓', 'đúng', '1', 'v', 'TRUE']) {
    assert.match(request(cell, 'foreigner'), /"foreigner":true/, cell);
    assert.match(request(cell, 'uninsured'), /"bhxh":false, "bhyt":false, "bhtn":false/, cell);
  }
  for (const cell of ['', 'không', '0', 'no', '-', 'FALSE']) {
    assert.doesNotMatch(request(cell, 'foreigner'), /"foreigner":(?!false)/, cell);
    assert.doesNotMatch(request(cell, 'uninsured'), /bhxh/, cell);
  }
  assert.match(request('2', 'foreigner'), /"foreigner":"2"/);
  assert.match(request('maybe', 'uninsured'), /"bhxh":"maybe"/);
});

test('options are read by their labels in both languages, and as in a request', () => {
  const defaults = scripts.examplesOf(calculators['salary']!);
  const request = (cell: string): string =>
    scripts.bodyOf(
      calculators['salary']!,
      scripts.valuesOfRow([cell], ['taxation'], defaults, 'vi'),
    );
  for (const cell of [
    'Không cư trú',
    'KHÔNG CƯ TRÚ',
    'Not a resident of Vietnam',
    'non_resident',
  ]) {
    assert.match(request(cell), /"taxation":"non_resident"/, cell);
  }
  assert.match(request('Cư trú, không có hợp đồng từ 3 tháng trở lên'), /"taxation":"short_term"/);
  assert.doesNotMatch(request('Cư trú, hợp đồng từ 3 tháng trở lên'), /taxation/);
  assert.match(request('thử việc'), /"taxation":"thử việc"/);
});

test('a column with contributions is no column with salaries for insurance', () => {
  assert.deepEqual(scripts.columnsOf(['Income', 'Insurance', 'Insurance salary']), [
    'income',
    undefined,
    'insurance_salary',
  ]);
});

test('a row becomes a request; an empty cell takes the value for all rows', () => {
  const columns = ['income', 'dependents', 'region', 'period', undefined, 'type'];
  const defaults = { ...scripts.examplesOf(calculators['salary']!), region: '2' };
  const request = (...row: string[]): string =>
    scripts.bodyOf(calculators['salary']!, scripts.valuesOfRow(row, columns, defaults, 'vi'));
  assert.equal(
    request(' 25.000.000 ', '1', 'Vùng III', '08/2026', 'x', 'NET'),
    '{"income":25000000, "type":"net", "period":"2026-08", "region":3, "dependents":1, "detail":true}',
  );
  assert.equal(
    request('25tr', '', 'iv', '', '', 'Tổng chi phí công ty'),
    '{"income":25000000, "type":"cost", "region":4, "detail":true}',
  );
  assert.equal(request('25tr', '', '', ''), '{"income":25000000, "region":2, "detail":true}');
  assert.equal(
    request('x"y', '1.5', '5'),
    '{"income":"x\\"y", "region":5, "dependents":"1.5", "detail":true}',
  );
});
