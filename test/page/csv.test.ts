/** Payrolls as CSV: what people save and paste is read, and what is downloaded is safe to open. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { calculators, scripts } from './scripts.ts';

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
  for (const [csv, ...expected] of cases) assert.deepEqual(rows(csv), expected, JSON.stringify(csv));
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
    const head = scripts.lineOf(cells.map((_, index) => `c${index}`), delimiter);
    assert.deepEqual(rows(head + scripts.lineOf(cells, delimiter))[1], cells, JSON.stringify(delimiter));
  }
});

test('a text that a spreadsheet would take for a formula is written as a text', () => {
  const cases: Readonly<Record<string, string>> = {
    '=1+1': "'=1+1", '+1+1': "'+1+1", '-1+1': "'-1+1", '@SUM(A1)': "'@SUM(A1)", '\t=1': `"'\t=1"`, '\r=1': `"'\r=1"`,
    '=HYPERLINK("http://x","y")': '"\'=HYPERLINK(""http://x"",""y"")"',
    '-5': '-5', '-5,25': '"-5,25"', '+84912': '+84912', '-': '-', '+84 9': "'+84 9",
    '＝1': '＝1', 'a=1': 'a=1',
  };
  for (const [cell, written] of Object.entries(cases)) {
    assert.equal(scripts.lineOf([cell], ','), `${written}\r\n`, cell);
  }
});

test('columns are recognized by their names in both languages', () => {
  const cases: readonly (readonly [heads: string, fields: readonly (string | undefined)[]])[] = [
    ['Name|Gross salary|Dependents|Region|Month', [undefined, 'income', 'dependents', 'region', 'period']],
    ['Họ tên|Lương gross (đ)|Số người phụ thuộc|Vùng|Tháng', [undefined, 'income', 'dependents', 'region', 'period']],
    ['LƯƠNG NET|Lương đóng BHXH|loại', ['income', 'insurance_salary', 'type']],
    ['income|insurance_salary|gross', ['income', 'insurance_salary', undefined]],
    ['constructor|toString|', [undefined, undefined, undefined]],
  ];
  for (const [heads, fields] of cases) assert.deepEqual(scripts.columnsOf(heads.split('|')), fields, heads);
  const known = calculators['salary']!.fields.map(({ name }) => name);
  for (const field of scripts.columnsOf(known)) assert.ok(field !== undefined);
});

test('a row becomes a request; an empty cell takes the value for all rows', () => {
  const columns = ['income', 'dependents', 'region', 'period', undefined, 'type'];
  const defaults = { ...scripts.examplesOf(calculators['salary']!), region: '2' };
  const request = (...row: string[]): string =>
    scripts.bodyOf(calculators['salary']!, scripts.valuesOfRow(row, columns, defaults, 'vi'));
  assert.equal(request(' 25.000.000 ', '1', 'Vùng III', '08/2026', 'x', 'NET'),
    '{"income":25000000, "type":"net", "period":"2026-08", "region":3, "dependents":1, "detail":true}');
  assert.equal(request('25tr', '', '', ''), '{"income":25000000, "region":2, "detail":true}');
  assert.equal(request('x"y', '1.5', '5'), '{"income":"x\\"y", "region":5, "dependents":"1.5", "detail":true}');
});
