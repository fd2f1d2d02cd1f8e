/* CSV (RFC 4180) as people save it: with a comma, a semicolon or a tab, with or without a byte order mark. */
import { readAmount, readInteger, readMonth } from './reading.js';

/** The delimiter that occurs most often in the first line, outside quotes. */
export function delimiterOf(csv) {
  const [line] = csv.slice(0, 10_000).replace(/"[^"]*"/g, '').split(/\r?\n|\r/, 1);
  const counts = [',', ';', '\t'].map((delimiter) => [line.split(delimiter).length, delimiter]);
  return counts.sort(([one], [other]) => other - one)[0][1];
}

/**
 * The rows of a text, one by one, so that a long text can be read in parts. Empty lines are left out. A quotation
 * mark that is not closed, or that is not at both ends of a cell, is an ordinary character.
 */
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

/**
 * A line of CSV. A text that a spreadsheet would take for a formula begins with an apostrophe instead, as OWASP
 * advises. A plain number is not a formula.
 */
export function lineOf(cells, delimiter) {
  return `${cells.map((cell) => {
    const value = String(cell);
    const isFormula = /^[=+\-@\t\r]/.test(value) && !/^-?\d+(?:[.,]\d+)?$/.test(value);
    const safe = isFormula ? `'${value}` : value;
    return /["\r\n,;\t]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
  }).join(delimiter)}\r\n`;
}

/** The words by which people head a column, without marks and spaces. */
const COLUMNS = {
  income: ['income', 'gross', 'net', 'grosssalary', 'netsalary', 'salary', 'luong', 'luonggross', 'luongnet', 'thunhap',
    'mucluong', 'tongluong', 'luongthang'],
  type: ['type', 'grossnet', 'loai', 'loailuong'],
  taxation: ['taxation', 'cachtinhthue'],
  foreigner: ['foreigner', 'nguoinuocngoai'],
  paid_in: ['paidin', 'thangtraluong'],
  union_fund: ['unionfund', 'kinhphicongdoan'],
  dependents: ['dependents', 'dependants', 'numberofdependents', 'nguoiphuthuoc', 'songuoiphuthuoc', 'npt', 'sonpt'],
  period: ['period', 'month', 'salarymonth', 'thang', 'thangluong', 'kyluong'],
  region: ['region', 'vung', 'vungluong', 'vungluongtoithieu'],
  insurance_salary: ['insurancesalary', 'insurance', 'luongdongbaohiem', 'luongdongbhxh', 'luongdongbh', 'luongbhxh',
    'luongbh', 'mucdongbhxh', 'mucdongbaohiem'],
};

/** The field that each head of a column names, or undefined; a field is taken by the first column that names it. */
export function columnsOf(heads) {
  const taken = new Set();
  return heads.map((head) => {
    const plain = head.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase().replaceAll('đ', 'd');
    const key = plain.replace(/\(.*|[^a-z]/g, '');
    const [field] = Object.entries(COLUMNS).find(([name, keys]) => !taken.has(name) && keys.includes(key)) ?? [];
    taken.add(field);
    return field;
  });
}

const REGIONS = { i: '1', ii: '2', iii: '3', iv: '4' };

const READ = {
  income: (cell, language) => readAmount(cell, language, false).value,
  insurance_salary: (cell, language) => readAmount(cell, language, false).value,
  dependents: readInteger,
  period: readMonth,
  paid_in: readMonth,
  type: (cell) => cell.toLowerCase(),
  taxation: (cell) => cell.toLowerCase(),
  foreigner: readFlag,
  union_fund: readFlag,
  region: (cell) => {
    const name = cell.toLowerCase().replace(/^(?:vùng|region)\s*/, '');
    return REGIONS[name] ?? name;
  },
};

function readFlag(cell) {
  return String(/^(?:true|yes|y|x|1|có)$/i.test(cell));
}

/** The values of a request from the cells of a row; an empty cell takes the value of `defaults`. */
export function valuesOfRow(row, columns, defaults, language) {
  const given = columns.flatMap((field, index) => {
    const cell = row[index]?.trim() ?? '';
    return field === undefined || cell === '' ? [] : [[field, READ[field](cell, language)]];
  });
  return { ...defaults, ...Object.fromEntries(given) };
}
