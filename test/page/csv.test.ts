/** Payrolls as CSV: what people save and paste is read, and what is downloaded is safe to open. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { scripts } from '../helpers/page-scripts.ts';

const rows = (csv: string): readonly (readonly string[])[] =>
  [...scripts.recordsOf(csv, scripts.delimiterOf(csv))].map(({ cells }) => cells);

test('rows are read with every delimiter, line end, quote and byte order mark', () => {
  const cases: readonly (readonly [csv: string, ...rows: string[][]])[] = [
    ['a,b\n1,2\n', ['a', 'b'], ['1', '2']],
    ['a;b\r\n1,5;2', ['a', 'b'], ['1,5', '2']],
    ['a\tb\r1\t2\r', ['a', 'b'], ['1', '2']],
    ['x, y, z;\na;b\n1,000;2,000', ['x, y, z', ''], ['a', 'b'], ['1,000', '2,000']],
    ['\ufeffa,b', ['a', 'b']],
    ['"a,b";c\n"x ""y""\nz";', ['a,b', 'c'], ['x "y"\nz', '']],
    ['a,b\n\n , \n,\n1', ['a', 'b'], [''], [' ', ' '], ['', ''], ['1']],
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

test('a file is decoded as UTF-8 with or without mark, as UTF-16 by its mark, else as Windows-1258', () => {
  const text = 'Lương,Họ tên';
  const utf16 = (order: number): Uint8Array => {
    const bytes = Buffer.from(`\ufeff${text}`, 'utf16le');
    return order === 0 ? bytes : bytes.swap16();
  };
  for (const bytes of [Buffer.from(text), Buffer.from(`\ufeff${text}`), utf16(0), utf16(1)]) {
    assert.deepEqual(scripts.decodeFile(bytes), { csv: text, isUnicode: true });
  }
  // Windows-1258: ư is 0xFD, ơ is 0xF5, and the dot below is 0xF2 after its letter.
  const windows = Uint8Array.from([
    0x4c, 0xfd, 0xf5, 0x6e, 0x67, 0x2c, 0x48, 0x6f, 0xf2, 0x20, 0x74, 0xea, 0x6e,
  ]);
  assert.deepEqual(scripts.decodeFile(windows), { csv: text, isUnicode: false });
});

test('a file of bytes, of HTML or of XML is no table, whatever its name', () => {
  const old = [0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1, 0, 0, 0];
  const files = [
    Uint8Array.from(old),
    Buffer.from('PK\u0003\u0004\0\0'),
    Buffer.from('a;b\n1;2\n', 'utf16le'),
    Buffer.from('\r\n <html><table><tr><td>STT</td></tr></table></html>'),
    Buffer.from('\ufeff<?xml version="1.0"?>'),
  ];
  for (const bytes of files) assert.equal(scripts.decodeFile(bytes), undefined);
});
