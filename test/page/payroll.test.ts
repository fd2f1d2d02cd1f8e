/**
 * The payroll files of test/vectors/payroll/: each gives its expected requests, and before its questions are answered,
 * none. To add a file, write `<name>.txt` there; no other file needs a change. It has three parts, with the lines
 * `--- file` and `--- requests` between them:
 *
 *     A sentence or more: where such a file comes from, and what is special about it.
 *     encoding: windows-1258
 *     asks: column.income, type, month
 *     answers: column.income=Lương cơ bản; type=gross; month=2026-10
 *     left out: 4
 *     --- file
 *     STT;Họ tên;Lương cơ bản
 *     1;An;20.000.000
 *     ;Tổng cộng;20.000.000
 *     --- requests
 *     {"income":20000000, "period":"2026-10"}
 *
 * - `encoding`, if it is not `utf-8`: `utf-8-mark`, `utf-16le`, `utf-16be`, `windows-1258` or `nfd` (UTF-8 with the marks
 *   of letters as characters of their own). The file is written as UTF-8 here, and encoded by the test.
 * - `asks`: the names of all questions, in any order, or `nothing`. `income`: which column has the salary; `use`: whether
 *   a column has a field of POST /api/v1/tax/calculate; `type`: gross, net or cost; `unit`: of the amounts; `separator`:
 *   whether 12,345 in a unit above đồng is decimal; `dates`: whether 10/01/2026 is in January; `unstated`: whether people
 *   without an insurance salary are insured; `outside`: whether those with another tax status are; `word.<field>`: the
 *   option of a text; `month`, `region` and `dependents`; `unused`: whether all columns and lines that are left out change
 *   no amount; and about rows that may not be people: `total` (by their text), `sum` (of other rows), `odd` (the first cell
 *   or the name is unlike those of most people), `surplus` (more cells than heads), `repeated` (another row has the code or
 *   the name), `currency` (another one in a cell), `extreme` (an amount that is very small or very large for a month).
 *   A file without this line may ask anything.
 * - `answers`, separated by semicolons. `income=<head>`, or `income=#2` for the second column; `use.4=exempt_income` gives
 *   the fifth column a field, with or without a question, and `use=none` leaves columns unused; `type=net`; `unit=1000`;
 *   `separator=decimal` or `group`; `dates=dmy` or `mdy`; `unstated=insured` or `uninsured`, `outside` likewise;
 *   `month=2026-10`; `total=in` or `total=out` for people and other rows; `unused=confirmed` for the list.
 *   A question without an answer stays open, so that there are no requests.
 *   `word.thời vụ.1=short_term` is for one text of the second column, in small letters, as `outside.thời vụ.1=insured` is;
 *   `region=2` and `dependents=1` are for all rows; `row.5=in` takes the row in line 5, `row.5=out` leaves it out.
 * - `left out`: the numbers of lines below the heads that are left out. A file without this line may leave out any.
 * - The requests, one per person in the order of the file, as JSON; members with the default of the service may be absent.
 *   An income that cannot be read is a string, which the service refuses.
 */
import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { test } from 'node:test';
import {
  calculators,
  type Question,
  scripts,
  type Sheet,
  type Values,
} from '../helpers/page-scripts.ts';
import { readText, root } from '../helpers/repository.ts';

/** The values for all rows, unless a file states others. */
const COMMON: ReadonlyMap<string, string> = new Map([
  ['region', '1'],
  ['dependents', '0'],
]);

/** Reads a file as the view does, which reads it in turns of the event loop. */
const readSheet = (text: string): Sheet =>
  scripts.sheetOf([...scripts.recordsOf(text, scripts.delimiterOf(text))].map(scripts.rowOf));

const FOLDER = 'test/vectors/payroll/';
const LEAST_FILES = 30;
const salary = calculators['salary']!;

/** Characters of Windows-1258 that Latin-1 lacks; the tones are characters of their own. */
const WINDOWS_1258: Readonly<Record<string, number>> = {
  ă: 0xe3,
  Ă: 0xc3,
  đ: 0xf0,
  Đ: 0xd0,
  ơ: 0xf5,
  Ơ: 0xd5,
  ư: 0xfd,
  Ư: 0xdd,
  '\u0300': 0xcc,
  '\u0301': 0xec,
  '\u0303': 0xde,
  '\u0309': 0xd2,
  '\u0323': 0xf2,
  '₫': 0xfe,
};

const TONE = /[\u0300\u0301\u0303\u0309\u0323]/;

function windows1258(text: string): Uint8Array {
  const characters = [...text].flatMap((character) => {
    const [tone = ''] = TONE.exec(character.normalize('NFD')) ?? [];
    return [character.normalize('NFD').replace(TONE, '').normalize('NFC'), tone].filter(Boolean);
  });
  const bytes = characters.map((one) => WINDOWS_1258[one] ?? one.charCodeAt(0));
  assert.ok(
    bytes.every((byte) => byte < 0x100),
    text,
  );
  return Uint8Array.from(bytes);
}

const ENCODE: Readonly<Record<string, (text: string) => Uint8Array>> = {
  'utf-8': (text) => Buffer.from(text),
  'utf-8-mark': (text) => Buffer.from(`\ufeff${text}`),
  'utf-16le': (text) => Buffer.from(`\ufeff${text}`, 'utf16le'),
  'utf-16be': (text) => Buffer.from(`\ufeff${text}`, 'utf16le').swap16(),
  'windows-1258': windows1258,
  nfd: (text) => Buffer.from(text.normalize('NFD')),
};

interface Vector {
  readonly encoding: string;
  readonly asks: readonly string[] | undefined;
  readonly answers: ReadonlyMap<string, string>;
  readonly leftOut: readonly number[] | undefined;
  readonly file: string;
  readonly requests: readonly unknown[];
}

function vectorOf(name: string): Vector {
  const parts = /^([\s\S]*)^--- file\n([\s\S]*)^--- requests\n([\s\S]*)$/m.exec(
    readText(FOLDER + name),
  );
  assert.ok(parts, `${name}: the lines --- file and --- requests`);
  const [, head = '', file = '', requests = ''] = parts;
  const lineOf = (key: string): string | undefined =>
    new RegExp(`^${key}: (.*)$`, 'm').exec(head)?.[1]?.trim();
  const listOf = (key: string): string[] | undefined =>
    lineOf(key)
      ?.split(/[,;]/)
      .map((item) => item.trim())
      .filter((item) => item !== 'nothing');
  return {
    encoding: lineOf('encoding') ?? 'utf-8',
    asks: listOf('asks'),
    answers: new Map(
      (lineOf('answers') ?? '').split(';').map((answer) => {
        const [key = '', value = ''] = answer.split(/=(.*)/s).map((part) => part.trim());
        return [key, value];
      }),
    ),
    leftOut: listOf('left out')?.map(Number),
    file,
    requests: requests
      .trim()
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => complete(JSON.parse(line) as object)),
  };
}

/** A request with the defaults of the service. */
const complete = (request: object): object => ({
  type: 'gross',
  region: 1,
  dependents: 0,
  ...request,
});

/** The value of an answer to a question. */
function valueOf(sheet: Sheet, name: string, answer: string): string {
  if (answer === 'none' || answer === 'confirmed') return '';
  if (name !== 'income') return answer;
  if (/^#\d+$/.test(answer)) return String(Number(answer.slice(1)) - 1);
  const index = sheet.heads.findIndex((head) => head.normalize('NFC') === answer);
  assert.notEqual(index, -1, `no column ${answer} among ${sheet.heads.join(' | ')}`);
  return String(index);
}

/** The requests that a sheet gives with the answers so far; none while a question is open. */
function requestsOf(
  sheet: Sheet,
  choices: Values,
): { requests: unknown[]; questions: readonly Question[]; leftOut: number[] } {
  const decision = scripts.decide(sheet, choices);
  const { people } = decision;
  const questions = decision.questions.filter((question) => question.answer === undefined);
  const requests = people.map((row) => {
    const values = scripts.valuesOf(decision, row);
    const { detail: _, ...request } = JSON.parse(scripts.bodyOf(salary, values)) as Record<
      string,
      unknown
    >;
    return complete(request);
  });
  const taken = new Set(people);
  return {
    requests,
    questions,
    leftOut: sheet.rows.filter((row) => !taken.has(row)).map(({ number }) => number),
  };
}

const names = readdirSync(new URL(FOLDER, root)).sort();

test('there are files of many kinds', () => {
  assert.ok(names.length >= LEAST_FILES, `${names.length} files`);
});

for (const name of names) {
  test(`payroll: ${name}`, () => {
    const vector = vectorOf(name);
    const text = scripts.decodeFile(ENCODE[vector.encoding]!(vector.file));
    const sheet = readSheet(text);
    const asked = new Set<string>();
    // The choices that answer no question; the region of all rows is one where a file asks for it.
    const isGiven = (key: string): boolean =>
      /^(?:region|dependents|row\.\d+|use\.\d+)$/.test(key)
      && !vector.asks?.includes(key.replace(/\.\d+$/, ''));
    let choices: Values = Object.fromEntries(
      [...COMMON, ...vector.answers].filter(([key]) => isGiven(key)),
    );
    for (;;) {
      const { requests, questions, leftOut } = requestsOf(sheet, choices);
      for (const question of questions) asked.add(question.name);
      const answerTo = (name: string, key: string): string | undefined =>
        vector.answers.get(key) ?? vector.answers.get(name);
      const answered = questions.filter(({ name, keys = [name] }) =>
        keys.every((key) => answerTo(name, key) !== undefined),
      );
      if (answered.length > 0) {
        assert.deepEqual(requests, [], 'no amount before the questions are answered');
        choices = Object.assign(
          {},
          choices,
          ...answered.flatMap((question) =>
            (question.keys ?? [question.name]).map((key) => {
              const value = valueOf(sheet, question.name, answerTo(question.name, key)!);
              return scripts.choicesOf(question, value, [key]);
            }),
          ),
        ) as Values;
        continue;
      }
      if (vector.asks) assert.deepEqual([...asked].sort(), [...vector.asks].sort());
      assert.deepEqual(
        requests,
        questions.length > 0 && vector.asks === undefined ? [] : vector.requests,
      );
      if (vector.leftOut && questions.length === 0) assert.deepEqual(leftOut, vector.leftOut);
      break;
    }
  });
}

const CHOICES: Values = { month: '2026-10', ...Object.fromEntries(COMMON) };

/** The request of the only person of a file. */
function requestOf(file: string): Record<string, unknown> {
  const sheet = readSheet(file);
  const { questions } = scripts.decide(sheet, CHOICES);
  const keys = questions.flatMap(({ name, keys: all }) => (name === 'outside' ? (all ?? []) : []));
  const insured = Object.fromEntries(keys.map((key) => [key, 'insured']));
  const decision = scripts.decide(sheet, { ...CHOICES, ...insured });
  const values = scripts.valuesOf(decision, decision.people[0]!);
  return JSON.parse(scripts.bodyOf(salary, values)) as Record<string, unknown>;
}

test('months are read as spreadsheets write them', () => {
  const cells = [
    ...['10/2026', 'T10-26', 'Oct-26', 'October 2026', '2026-10-01', 'tháng 10/2026'],
    ...['31/10/2026', '10/31/2026', '10/10/2026'],
  ];
  for (const cell of cells) assert.equal(scripts.readMonthCell(cell), '2026-10', cell);
  assert.equal(scripts.readMonthCell('01/10/2026', 'dmy'), '2026-10');
  assert.equal(scripts.readMonthCell('01/10/2026', 'mdy'), '2026-01');
});

/** The options that are offered for the text of a cell. */
function offeredFor(head: string, cell: string): readonly string[] | undefined {
  const sheet = readSheet(`gross;${head}\n30000000;${cell}`);
  const { questions, people } = scripts.decide(sheet, CHOICES);
  assert.deepEqual(people, []);
  const key = `word.${cell.toLowerCase()}.1`;
  const question = questions.find(({ keys }) => keys?.[0] === key);
  return question?.options.map(([value]) => value);
}

test('cells that say yes or no are read, and other texts are asked about', () => {
  const read = (head: string, cell: string): Record<string, unknown> =>
    requestOf(`gross;${head}\n30000000;${cell}`);
  for (const cell of ['x', 'X', 'có', 'co\u0301', 'CÓ', '✓', 'đúng', '1', 'v', 'TRUE']) {
    assert.equal(read('foreigner', cell)['foreigner'], true, cell);
    assert.equal(read('uninsured', cell)['bhxh'], false, cell);
  }
  for (const cell of ['', 'không', '0', 'no', '-', 'FALSE']) {
    assert.ok(!read('foreigner', cell)['foreigner'], cell);
    assert.equal(read('uninsured', cell)['bhxh'], undefined, cell);
  }
  assert.deepEqual(offeredFor('foreigner', '2'), ['true', 'false']);
  assert.deepEqual(offeredFor('uninsured', 'Maybe'), ['true', 'false']);
});

test('options are read by their labels in both languages, and as in a request', () => {
  const read = (cell: string): unknown => requestOf(`gross;taxation\n30000000;${cell}`)['taxation'];
  for (const cell of [
    'Không cư trú',
    'KHÔNG CƯ TRÚ',
    'Not a resident of Vietnam',
    'non_resident',
  ]) {
    assert.equal(read(cell), 'non_resident', cell);
  }
  assert.equal(read('Cư trú, không có hợp đồng từ 3 tháng trở lên'), 'short_term');
  assert.equal(read('Cư trú, hợp đồng từ 3 tháng trở lên'), undefined);
  assert.deepEqual(offeredFor('taxation', 'Thử việc'), [
    'progressive',
    'short_term',
    'non_resident',
  ]);
});

test('a person has the name of the column of names, else the first text', () => {
  const cases: readonly (readonly [heads: string, cells: string, name: string])[] = [
    ['STT|Mã NV|Họ và tên|Lương', '1|NV01|Nguyễn An|20', 'Nguyễn An'],
    ['Phòng ban|HỌ TÊN|Lương', 'Kế toán|Bình|20', 'Bình'],
    ['Department|Full name|Salary', 'Sales|John|20', 'John'],
    ['STT|Người|Lương', '1|Chi|20', 'Chi'],
    ['STT|Lương', '1|20', ''],
  ];
  for (const [heads, cells, name] of cases) {
    const sheet = readSheet(`${heads}\n${cells}`.replaceAll('|', ';'));
    assert.equal(scripts.nameIn(sheet, {}, sheet.rows[0]!), name, heads);
  }
});

test('a row that numbers the columns is told apart from a person', () => {
  for (const row of ['1|2|3|4', '(1)|(2)|(3)=(1)+(2)', 'A|B|1|2|3 = 1 + 2', '1||2|3']) {
    assert.ok(scripts.isNumbering({ cells: row.split('|'), number: 1 }), row);
  }
  for (const row of ['1|2', '1|25|0', '1|An|20000000', 'A|B|C', '1|2000000', '1', '']) {
    assert.ok(!scripts.isNumbering({ cells: row.split('|'), number: 1 }), row);
  }
});

test('a choice changes nothing but what it is about', () => {
  const sheet = readSheet('Họ tên;Lương;Người PT\nAn;45.000.000;1\nBình;30.000.000;0');
  const choices = {
    ...{ 'use.1': 'income', 'type.1': 'net', month: '2026-10' },
    ...Object.fromEntries(COMMON),
  };
  for (const use of ['', 'dependents']) {
    const decision = scripts.decide(sheet, { ...choices, 'use.2': use });
    const request = JSON.parse(
      scripts.bodyOf(salary, scripts.valuesOf(decision, decision.people[0]!)),
    ) as Record<string, unknown>;
    assert.equal(request['type'], 'net');
    assert.equal(request['income'], 45_000_000);
  }
});

test('an answer about a column is about no other column', () => {
  const sheet = readSheet(
    'Họ tên;Lương tháng;Lương net;Cư trú;Hợp đồng\nAn;25.000.000;21.000.000;Có;Có',
  );
  const asked = (choices: Values): string[] =>
    scripts
      .decide(sheet, { ...CHOICES, ...choices })
      .questions.flatMap(({ name, answer }) => (answer === undefined ? [name] : []));
  const first: Values = {
    ...{ 'use.1': 'income', 'type.1': 'gross', 'use.2': '' },
    ...{ 'use.3': 'taxation', 'word.có.3': 'progressive', 'use.4': '' },
  };
  assert.deepEqual(asked(first), []);
  // The latest use of a field counts; the column that had it before is asked about.
  const { 'use.2': _, 'use.4': __, ...rest } = first;
  const second: Values = { ...rest, 'use.2': 'income', 'use.4': 'taxation' };
  assert.deepEqual(asked(second), ['unused', 'word.taxation']);
  const last = { ...second, 'use.1': '', 'use.3': '', 'word.có.4': 'progressive' };
  const net = scripts.decide(sheet, { ...CHOICES, ...last });
  assert.equal(scripts.valuesOf(net, net.people[0]!)['type'], 'net');
  assert.deepEqual(asked({ ...first, 'use.1': '' }), ['income']);
});

test('the region and the dependents of all rows are asked about, unless there is a column', () => {
  const openOf = (file: string): string[] => {
    const { questions } = scripts.decide(readSheet(file), { month: '2026-10' });
    return questions.filter(({ answer }) => answer === undefined).map(({ name }) => name);
  };
  assert.deepEqual(openOf('Họ tên;Lương gross\nAn;30.000.000'), ['region', 'dependents']);
  assert.deepEqual(openOf('Họ tên;Lương gross;Vùng;NPT\nAn;30.000.000;2;1'), []);
  // The question about some rows lists the first of them.
  const sheet = readSheet('Họ tên;Lương gross;Vùng;NPT\nAn;30.000.000;2;1\nBình;30.000.000;;');
  const { questions } = scripts.decide(sheet, { month: '2026-10' });
  const region = questions.find(({ name }) => name === 'region');
  assert.deepEqual(region?.parts, [sheet.rows[1]]);
});

test('each row that is calculated is listed, and can be left out', () => {
  const sheet = readSheet('Họ tên;Lương gross\nAn;30.000.000\nCòn Lại;20.000.000');
  const { questions } = scripts.decide(sheet, CHOICES);
  const { keys, parts, answer } = questions.find(({ name }) => name === 'people')!;
  assert.deepEqual([keys, parts, answer], [['row.2', 'row.3'], sheet.rows, 'in']);
  const { people } = scripts.decide(sheet, { ...CHOICES, 'row.3': 'out' });
  assert.deepEqual(people, sheet.rows.slice(0, 1));
});

test('rows with the same doubt are asked about together, and each can have another answer', () => {
  const bonuses = Array.from({ length: 40 }, (_, at) => `Thưởng ${at};2.000.000`);
  const people = Array.from({ length: 40 }, (_, at) => `A${'n'.repeat(at + 1)};30.000.000`);
  const sheet = readSheet(['Họ tên;Lương gross', ...people, ...bonuses].join('\n'));
  const month = { month: '2026-10', ...Object.fromEntries(COMMON) };
  const openOf = (choices: Values): readonly Question[] =>
    scripts.decide(sheet, choices).questions.filter(({ answer }) => answer === undefined);
  const [odd, ...others] = openOf(month);
  assert.equal(odd?.name, 'odd');
  const keys = odd.keys ?? [];
  assert.equal(keys.length, 40);
  assert.deepEqual(others, []);
  const out = Object.fromEntries(keys.map((key) => [key, 'out']));
  const choices: Values = { ...month, ...out, [keys[1]!]: 'in' };
  const { people: taken, questions } = scripts.decide(sheet, choices);
  assert.deepEqual(
    taken.map(({ number }) => number),
    [...people.map((_, at) => 2 + at), 43],
  );
  const asked = questions.filter(({ name }) => name === 'odd');
  assert.deepEqual(asked.map((one) => [one.keys?.length, one.answer]).sort(), [
    [1, 'in'],
    [39, 'out'],
  ]);
  // Without its choice, a row is asked about again.
  const rest = Object.entries(choices).filter(([key]) => key !== keys[0]);
  assert.deepEqual(
    openOf(Object.fromEntries(rest)).map((one) => one.keys),
    [keys.slice(0, 1)],
  );
});

test('the rows of other tables are listed, and those of another currency asked about', () => {
  const other = 'Họ tên;Ngày;Lương gross\nBình;3;1.000.000\nCộng;;1.000.000';
  const sheet = readSheet(
    `Họ tên;Tiền tệ;Lương gross\nAn;VND;30.000.000\nKim;KRW;4.500.000\n${other}`,
  );
  const { questions } = scripts.decide(sheet, {});
  const partsOf = (name: string): unknown => questions.find((one) => one.name === name)?.parts;
  assert.deepEqual(partsOf('unused'), ['Tiền tệ: VND · KRW', ...sheet.below]);
  assert.deepEqual(
    sheet.below.map(({ number }) => number),
    [4, 5, 6],
  );
  assert.deepEqual(partsOf('currency'), [sheet.rows[1]]);
});

test('a title or a head offers its months, else this month and the last', ({ mock }) => {
  mock.timers.enable({ apis: ['Date'], now: Date.UTC(2026, 0, 15) });
  const offered = (title: string, head = 'gross'): readonly string[] => {
    const sheet = readSheet(`${title}\ntên;${head}\nAn;30000000`);
    const { questions } = scripts.decide(sheet, { 'use.1': 'income' });
    const month = questions.find(({ name }) => name === 'month');
    return month!.options.map(([value]) => value);
  };
  const cases: Readonly<Record<string, readonly string[]>> = {
    'BẢNG LƯƠNG THÁNG 10/2026': ['2026-10'],
    'Bảng thanh toán tiền lương tháng 9 năm 2025': ['2025-09'],
    'BANG LUONG T12/25': ['2025-12'],
    'Payroll December 2025': ['2025-12'],
    'Tháng 9/2026 và tháng 10/2026': ['2026-09', '2026-10'],
    'Tháng 13/2026': ['2026-01', '2025-12'],
    'Từ ngày 01/10/2026 đến ngày 31/10/2026': ['2026-10'],
    'Quý 1/2026': ['2026-01', '2025-12'],
    'Bảng lương tháng 12': ['2026-01', '2025-12'],
  };
  for (const [title, months] of Object.entries(cases))
    assert.deepEqual(offered(title), months, title);
  assert.deepEqual(offered('Bảng lương', 'Lương gross tháng 6/2025'), ['2025-06']);
});
