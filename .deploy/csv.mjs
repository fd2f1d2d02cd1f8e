/**
 * Turns CSV into bulk requests, and their answers into CSV. The first line has the names of the fields; an empty cell is
 * an absent field. A column `id` matches the answers to the rows; without it, each id is the number of the row in the
 * sheet, whose first row has the names:
 *
 *   node csv.mjs to-ndjson < payroll.csv | utility-calculation-service calc tax | node csv.mjs to-csv > answers.csv
 *
 * On Windows, use WSL or Git Bash. In a checkout, the second command is `node dist/src/main.js calc tax`. With the URL of
 * a calculation, the script sends the requests to a service, in parts of up to 1 MiB:
 *
 *   node csv.mjs http://127.0.0.1:8080/api/v1/tax/calculate < payroll.csv > answers.csv
 *
 * The names are those of the request, such as income, dependents and exempt_income. A row with any other column fails: delete the
 * column, or rename that of the people to id. If all rows are of one month, `calc tax --tax-period=2026-08` replaces a column.
 * Cells are quoted as in RFC 4180, and separated by commas, semicolons or tabs; the answers are separated by SEPARATOR. A number
 * has digits and a decimal point. Any other cell, also one like 45.000, which may mean thousands, stays a text, and the
 * service refuses it as an amount: format amounts as General, and months as Text, before you save. Excel opens the answers by Data, From Text/CSV, as UTF-8.
 */
import { isUtf8 } from 'node:buffer';
import { readFileSync } from 'node:fs';

const SEPARATOR = ',';
const LITERAL = /^(?:true|false|-?(?=[\d.]{1,16}$)(?:0|[1-9]\d{0,14})(?:\.\d+)?)$/i;
const FORMULA = /((?:^|[,;|\t\r\n])[" ]*)(?=[=+\-@＝＋－＠])/g;
/** Bytes of a bulk request. */
const PART_SIZE = 1024 * 1024;
const MAYBE_THOUSANDS = /^-?[1-9]\d{0,2}\.\d{3}$/;

/** The rows of a file as lists of cells. */
function rowsOf(csv) {
  const [separator = ','] = /[,;\t]/.exec(csv.split('\n', 1)[0]) ?? [];
  const cell = new RegExp(
    `(?:"((?:[^"]|"")*)"|([^"\\r\\n${separator}]*))(${separator}|\\r?\\n|$)`,
    'gy',
  );
  const rows = [[]];
  let read = 0;
  for (const [text, quoted, plain, end] of csv.matchAll(cell)) {
    read += text.length;
    rows.at(-1).push(quoted?.replaceAll('""', '"') ?? plain);
    if (end === '') break;
    if (end !== separator) rows.push([]);
  }
  if (read < csv.length)
    throw new Error(`expected the end of a cell at character ${read + 1} of the file`);
  return rows;
}

/** Numbers of up to 15 digits, which a double preserves, and booleans; neither "007", an id, nor a longer number. */
function valueOf(cell) {
  const isLiteral = LITERAL.test(cell) && !MAYBE_THOUSANDS.test(cell);
  return isLiteral ? JSON.parse(cell.toLowerCase()) : cell;
}

function toNdjson(csv) {
  const [names, ...rows] = rowsOf(csv);
  return rows.flatMap((row, number) => {
    if (row.join('') === '') return [];
    const cells = row.map((cell, index) => [names[index] ?? `column ${index + 1}`, valueOf(cell)]);
    const fields = Object.fromEntries(cells.filter(([, value]) => value !== ''));
    return JSON.stringify(names.includes('id') ? fields : { id: number + 2, ...fields });
  });
}

/** The bulk requests of up to PART_SIZE bytes that have the given lines; a longer line is one by itself. */
function* partsOf(lines) {
  let part = '';
  let size = 0;
  for (const line of lines) {
    const added = Buffer.byteLength(line) + 1;
    if (size > 0 && size + added > PART_SIZE) {
      yield part;
      part = '';
      size = 0;
    }
    part += `${line}\n`;
    size += added;
  }
  if (size > 0) yield part;
}

/** The lines of the answers of a service. */
async function answersOf(url, requests) {
  const answers = [];
  const headers = { 'Content-Type': 'application/x-ndjson' };
  for (const body of partsOf(requests)) {
    const response = await fetch(url, { method: 'POST', headers, body });
    const text = (await response.text()).trim();
    if (!response.ok) throw new Error(`expected status 200, got ${response.status}: ${text}`);
    for (const line of text.split('\n')) answers.push(line);
  }
  return answers;
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

/** An apostrophe makes a formula a text, also after anything that some spreadsheet takes for the end of a cell. */
function inert(cell) {
  return typeof cell === 'string'
    ? cell.replace(/^(?=[\t\r])/, "'").replace(FORMULA, "$1'")
    : String(cell);
}

function toCsv(answers) {
  if (!answers[0]) throw new Error('expected answers, got none: see the command before');
  const rows = answers.map((line) => {
    const { id, data = {}, error } = JSON.parse(line);
    const messages = error?.details?.map(({ message }) => message) ?? [error?.message];
    return { id, ...Object.fromEntries(flatten(data)), error: error && messages.join('; ') };
  });
  const names = [...new Set(rows.flatMap(Object.keys).filter((name) => name !== 'error')), 'error'];
  const quote = (cell = '') => `"${inert(cell).replaceAll('"', '""')}"`;
  return [names, ...rows.map((row) => names.map((name) => row[name]))].map((row) =>
    row.map(quote).join(SEPARATOR),
  );
}

/** The text of the standard input. Workbooks and UTF-16 have bytes that no text in UTF-8 has. */
function readText() {
  const bytes = readFileSync(0);
  if (isUtf8(bytes) && !bytes.includes(0)) return String(bytes);
  throw new Error('expected text in UTF-8; in a spreadsheet, save the file as "CSV UTF-8"');
}

/** The lines of the output; `way` is the argument of the command. */
function convert(way, text) {
  if (way === 'to-ndjson') return toNdjson(text);
  if (way === 'to-csv') return toCsv(text.split('\n'));
  if (URL.canParse(way)) return answersOf(way, toNdjson(text)).then(toCsv);
  throw new Error('expected to-ndjson, to-csv or the URL of a calculation');
}

// A reader that closes the pipe early, such as head, is not an error.
process.stdout.on('error', ({ code }) => process.exit(code === 'EPIPE' ? 0 : 1));
try {
  // trim also removes a byte order mark.
  const lines = await convert(process.argv[2] ?? '', readText().trim());
  process.stdout.write(`${lines.join('\n')}\n`);
} catch ({ message, cause }) {
  console.error(`csv.mjs: ${cause?.message ?? message}`);
  process.exitCode = 1;
}
