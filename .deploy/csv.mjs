/**
 * Turns CSV into bulk requests, and their answers into CSV. The first line has the names of the fields; an empty cell is
 * an absent field. A column `id` matches the answers to the rows:
 *
 *   node csv.mjs to-ndjson < payroll.csv | utility-calculation-service calc tax | node csv.mjs to-csv > answers.csv
 *
 * Cells are quoted as in RFC 4180. Where Excel separates them with semicolons, set SEPARATOR to ';'.
 */
import { readFileSync } from 'node:fs';

const SEPARATOR = ',';
const CELL = new RegExp(`(?:"((?:[^"]|"")*)"|([^"\\r\\n${SEPARATOR}]*))(${SEPARATOR}|\\r?\\n|$)`, 'gy');
/** Numbers of up to 15 digits, which a double preserves; neither "007", which is an id, nor a longer number. */
const LITERAL = /^(?:true|false|-?(?=[\d.]{1,16}$)(?:0|[1-9]\d{0,14})(?:\.\d+)?)$/;

function rowsOf(csv) {
  const rows = [[]];
  let read = 0;
  for (const [text, quoted, plain, end] of csv.matchAll(CELL)) {
    read += text.length;
    rows.at(-1).push(quoted?.replaceAll('""', '"') ?? plain);
    if (end === '') break;
    if (end !== SEPARATOR) rows.push([]);
  }
  if (read < csv.length) throw new Error(`expected the end of a cell at character ${read + 1} of the file`);
  return rows;
}

function toNdjson(csv) {
  const [names, ...rows] = rowsOf(csv);
  return rows.filter((row) => row.join('') !== '').map((row) => {
    const cells = row.map((cell, index) => [names[index] ?? `column ${index + 1}`, LITERAL.test(cell) ? JSON.parse(cell) : cell]);
    return JSON.stringify(Object.fromEntries(cells.filter(([, value]) => value !== '')));
  });
}

/** The members of an object and of the objects in it; a list becomes the number of its items. */
function flatten(object, prefix = '') {
  return Object.entries(object).flatMap(([name, value]) => {
    if (Array.isArray(value)) return [[prefix + name, value.length]];
    return typeof value === 'object' && value !== null
      ? flatten(value, `${prefix}${name}.`)
      : [[prefix + name, value]];
  });
}

/** A text that a spreadsheet would run as a formula gets an apostrophe before it. */
function inert(cell) {
  return typeof cell === 'string' && /^[=+\-@\t\r]/.test(cell) ? `'${cell}` : String(cell);
}

function toCsv(ndjson) {
  const rows = ndjson.split('\n').map((line) => {
    const { id, data = {}, error } = JSON.parse(line);
    return { id, ...Object.fromEntries(flatten(data)), error: error?.message };
  });
  const names = [...new Set(rows.flatMap(Object.keys).filter((name) => name !== 'error')), 'error'];
  const quote = (cell = '') => `"${inert(cell).replaceAll('"', '""')}"`;
  return [names, ...rows.map((row) => names.map((name) => row[name]))].map((row) => row.map(quote).join(SEPARATOR));
}

const convert = { 'to-ndjson': toNdjson, 'to-csv': toCsv }[process.argv[2]];
if (convert === undefined) throw new Error('expected to-ndjson or to-csv');
// trim also removes a byte order mark.
process.stdout.write(`${convert(readFileSync(0, 'utf8').trim()).join('\n')}\n`);
