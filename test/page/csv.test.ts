/** Payrolls as CSV: what people save and paste is read. */
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
    ['a|b|c\n"1|2"|3,4', ['a', 'b', 'c'], ['1|2', '3,4']],
    ['a', ['a']],
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
  assert.equal(scripts.delimiterOf('a|b,c|d\ne|f,g'), ',');
});

test('a quote of a megabyte and a hundred thousand rows are read', () => {
  const long = 'x""y'.repeat(250_000);
  assert.equal(rows(`a\n"${long}"\n`)[1]?.[0]?.length, 750_000);
  const csv = `name,income\n${Array.from({ length: 100_000 }, (_, index) => `n${index},${index}`).join('\n')}`;
  assert.equal(rows(csv).length, 100_001);
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
