/* CSV (RFC 4180), also with semicolons or tabs, and a byte order mark. */
import { READ } from './reading.js';
import { calculator } from './salary.js';
import { TEXTS } from './texts.js';

/** The most frequent one in the first line, outside quotes. */
export function delimiterOf(csv) {
  const [line] = csv.slice(0, 10_000).replace(/"[^"]*"/g, '').split(/\r?\n|\r/, 1);
  const counts = [',', ';', '\t'].map((delimiter) => [line.split(delimiter).length, delimiter]);
  return counts.sort(([one], [other]) => other - one)[0][1];
}

/** The rows that are not empty. Quotation marks that are not at both ends of a cell are ordinary characters. */
export function* rowsOf(csv, delimiter = delimiterOf(csv)) {
  const end = `${delimiter}|\\r\\n|\\r|\\n|$`;
  const cell = new RegExp(`(?:"([^"]*(?:""[^"]*)*)"(?=${end})|([^${delimiter}\\r\\n]*))(${end})`, 'y');
  cell.lastIndex = csv.startsWith('\ufeff') ? 1 : 0;
  let row = [];
  while (cell.lastIndex < csv.length || row.length > 0) {
    const [, quoted, plain, separator] = cell.exec(csv);
    row.push(quoted === undefined ? plain : quoted.replaceAll('""', '"'));
    if (separator === delimiter) continue;
    if (row.length > 1 || row[0].trim() !== '') yield row;
    row = [];
  }
}

/** As OWASP advises, an apostrophe precedes a text that a spreadsheet would take for a formula. */
export function lineOf(cells, delimiter) {
  return `${cells.map((cell) => {
    const value = String(cell);
    const isFormula = /^[=+\-@\t\r]/.test(value) && !/^-\d+([.,]\d+)?$/.test(value);
    const safe = isFormula ? `'${value}` : value;
    return /["\r\n,;\t]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
  }).join(delimiter)}\r\n`;
}

/** Heads of columns, besides the names of fields and their labels. */
const HEADS = {
  income: /^(gross|net|(gross|net)?salary|(muc|tong)?luong(gross|net)?|thunhap)$/,
  type: /^(grossnet|loai(luong)?)$/,
  dependents: /^((numberof)?depend[ae]nts|(so)?npt|nguoiphuthuoc)$/,
  period: /^(month|thang(luong)?|kyluong)$/,
  region: /^vung(luong(toithieu)?)?$/,
  insurance_salary: /^(insurance|luong(dong)?(bhxh|bh)|mucdong(bhxh|baohiem))$/,
};

/** The field of each column; the first column that names a field has it. */
export function columnsOf(heads) {
  const free = new Set(calculator.fields.map(({ name }) => name));
  return heads.map((head) => {
    const key = plain(head);
    const field = [...free].find((name) => [name, ...TEXTS[name]].some((known) => plain(known) === key)
      || HEADS[name]?.test(key));
    free.delete(field);
    return field;
  });
}

function plain(head) {
  return head.normalize('NFD').toLowerCase().replaceAll('đ', 'd').replace(/\(.*|[^a-z]/g, '');
}

const REGIONS = { i: '1', ii: '2', iii: '3', iv: '4' };

const READ_CELL = {
  ...READ,
  flag: (cell) => String(/^(?:true|yes|y|x|1|có)$/i.test(cell)),
  choice(cell) {
    const option = cell.toLowerCase().replace(/^(?:vùng|region)\s*/, '');
    return REGIONS[option] ?? option;
  },
};

/** The values of a request from the cells of a row; an empty cell takes the value of `defaults`. */
export function valuesOfRow(row, columns, defaults, language) {
  const values = { ...defaults };
  for (const [index, name] of columns.entries()) {
    const cell = row[index]?.trim();
    if (!name || !cell) continue;
    const { kind } = calculator.fields.find((field) => field.name === name);
    values[name] = READ_CELL[kind](cell, language);
  }
  return values;
}
