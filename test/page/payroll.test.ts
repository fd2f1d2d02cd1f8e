/**
 * The payroll files of test/vectors/payroll/: what a person says about each, the rows that are not calculated, and the
 * requests of the others. To add a file, write `<name>.txt` there; no other file needs a change. It has three parts, with
 * the lines `--- file` and `--- requests` between them:
 *
 *     A sentence or more: where such a file comes from, and what is special about it.
 *     uses: #3=gross; #4=who
 *     form: period=2026-10; unit=1000; decimal=,
 *     meanings: #4/thời vụ=freelance
 *     boxes: 4=in
 *     out: 3 refused, 5 number
 *     --- file
 *     STT;Họ tên;Lương;Hợp đồng
 *     …
 *     --- requests
 *     {"income":20000000, "period":"2026-10"}
 *
 * - `uses`: the uses of columns besides those of exact names, by the number of the column; `none` takes a use away.
 * - `form`: the values for all rows; `meanings`: those of texts, in small letters; `boxes`: rows that the person includes
 *   or leaves out, by their numbers.
 * - `out`: all rows that are not calculated, with their reasons, or `none`.
 * - The requests of all other rows in the order of the file; members with the default of the service are absent.
 */
import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { test } from 'node:test';
import {
  calculators,
  finished,
  type Line,
  type Outcome,
  scripts,
  type Sheet,
  type Values,
} from '../helpers/page-scripts.ts';
import { seeded } from '../helpers/random.ts';
import { part, readText, root } from '../helpers/repository.ts';

const FOLDER = 'test/vectors/payroll/';
const LEAST_FILES = 30;
const COMMON: Values = {
  ...{ period: '', unit: '1', decimal: '', who: 'employee', region: '1', dependents: '0' },
};

const OCTOBER: Values = { period: '2026-10' };

/** What a person says about a file. */
interface Choices {
  readonly uses?: Readonly<Record<number, string>>;
  readonly form?: Values;
  readonly meanings?: readonly (readonly [column: number, text: string, meaning: string])[];
  readonly boxes?: readonly (readonly [number, boolean])[];
}

function sheetOf(csv: string): Sheet {
  const sheet = finished(scripts.sheetIn(scripts.recordsOf(csv)));
  assert.ok(typeof sheet !== 'string', sheet as string);
  return sheet;
}

/** The outcomes of all rows. */
const outcomesOf = (csv: string, choices?: Choices): readonly Line[] =>
  calculated(csv, choices).lines;

function calculated(csv: string, choices: Choices = {}): Outcome {
  const sheet = sheetOf(csv);
  const { uses: chosen = {}, form = {}, meanings: meant = [], boxes = [] } = choices;
  const uses = scripts.usesBy(
    sheet,
    new Map(Object.entries(chosen).map(([column, use]) => [Number(column) - 1, use])),
  );
  const meanings = Object.fromEntries(
    meant.map(([column, text, meaning]) => [
      scripts.meaningKey(column - 1, uses[column - 1] ?? assert.fail(), text),
      meaning,
    ]),
  );
  const mapping = { uses, meanings, common: { ...COMMON, ...form } };
  assert.deepEqual(scripts.missingIn(mapping), []);
  const readings = sheet.rows.map(scripts.readerOf(sheet, mapping));
  const keyOf = (number: number): string =>
    readings.find(({ row }) => row.number === number)?.key ?? `${number} is not in the file`;
  const checks = new Map(boxes.map(([number, isIn]) => [keyOf(number), isIn]));
  return finished(scripts.outcomeOf(sheet, mapping, readings, checks));
}

/** The request of a row, without the detail for which the page always asks. */
function requestIn({ reading }: Line): unknown {
  const { detail, ...request } = JSON.parse(
    scripts.bodyOf(calculators['salary']!, reading.values),
  ) as Values;
  assert.equal(detail, true);
  return request;
}

const isDone = ({ amounts }: Line): boolean => amounts.length > 0;

const requestsOf = (lines: readonly Line[]): unknown[] => lines.filter(isDone).map(requestIn);

/** The numbers and reasons of the rows that are not calculated. */
const outOf = (lines: readonly Line[]): string[] =>
  lines.flatMap((line) => (isDone(line) ? [] : [`${line.reading.row.number} ${line.kind}`]));

/** The numbers and reasons of the rows that are not calculated, if all have one salary. */
function outsOf(heads: string, ...rows: readonly string[]): string[] {
  const csv = [`${heads};Lương gross`, ...rows.map((row) => `${row};20000000`)].join('\n');
  return outOf(outcomesOf(csv, { form: OCTOBER }));
}

interface Vector extends Choices {
  readonly out: readonly string[];
  readonly file: string;
  readonly requests: readonly unknown[];
}

function vectorOf(name: string): Vector {
  const parts = /^([\s\S]*)^--- file\n([\s\S]*)^--- requests\n([\s\S]*)$/m.exec(
    readText(FOLDER + name),
  );
  assert.ok(parts, `${name}: the lines --- file and --- requests`);
  const [, head = '', file = '', requests = ''] = parts;
  const pairsOf = (key: string): [string, string][] => {
    const line = new RegExp(`^${key}: (.*)$`, 'm').exec(head)?.[1] ?? '';
    const pairs = line.split('; ').filter((pair) => pair !== '');
    return pairs.map((pair) => {
      const [, name = '', value = ''] = /^#?(.*)=(.*)$/.exec(pair) ?? assert.fail(pair);
      return [name, value];
    });
  };
  const meanings = pairsOf('meanings').map(([name, meaning]) => {
    const [column, text = ''] = name.split(/\/(.*)/s);
    return [Number(column), text, meaning] as const;
  });
  const [, out = ''] = /^out: (.*)$/m.exec(head) ?? assert.fail(`${name}: the line out:`);
  return {
    file,
    uses: Object.fromEntries(pairsOf('uses').map(([at, use]) => [at, use === 'none' ? '' : use])),
    form: Object.fromEntries(pairsOf('form')),
    meanings,
    boxes: pairsOf('boxes').map(([row, box]) => [Number(row), box === 'in']),
    out: out === 'none' ? [] : out.split(', '),
    requests: requests
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as unknown),
  };
}

const names = readdirSync(new URL(FOLDER, root)).sort();

test('there are files of many kinds', () => {
  assert.ok(names.length >= LEAST_FILES, `${names.length} files`);
});

for (const name of names) {
  test(`payroll: ${name}`, () => {
    const { file, out, requests, ...choices } = vectorOf(name);
    const lines = outcomesOf(file, choices);
    assert.deepEqual(outOf(lines), out);
    assert.deepEqual(requestsOf(lines), requests);
  });
}

test('the payslip to which a row leads has the person and the result of the row', () => {
  const salary = calculators['salary']!;
  const answerOf = (values: Values): unknown =>
    scripts.replyTo(salary.calculationOf(values), scripts.requestOf(salary, values));
  const linked = ({ reading }: Line): Values => {
    const { query } = scripts.viewOf(scripts.payslipFragment(reading));
    const { values } = scripts.readQuery(salary, query) ?? assert.fail(query);
    assert.deepEqual(answerOf(values), answerOf(reading.values), query);
    return values;
  };
  for (const name of names) {
    const { file, ...choices } = vectorOf(name);
    outcomesOf(file, choices).filter(isDone).forEach(linked);
  }
  for (const who of scripts.WHO) {
    // The law asks for the insured salary of some.
    const insured = /^(?:short_contract|non_resident_insured)$/.test(who) ? '8000000' : '';
    const csv = `STT;Lương gross;Hợp đồng;Lương đóng BHXH\n1;20000000;${who};${insured}`;
    const choices: Choices = { form: OCTOBER, meanings: [[4, '', '']] };
    assert.deepEqual(outcomesOf(csv, choices).map(linked)[0]?.['who'], who);
  }
});

test('a file with decomposed letters is read as one with composed letters', () => {
  for (const name of ['misa-letterhead', 'words-of-contracts', 'plain-gross']) {
    const { file, out, requests, ...choices } = vectorOf(`${name}.txt`);
    const lines = outcomesOf(file.normalize('NFD'), choices);
    assert.deepEqual([outOf(lines), requestsOf(lines)], [out, requests], name);
  }
});

/** A random payroll of people and other rows, with or without numbers, and choices about some rows. */
function randomPayroll(seed: number): [csv: string, choices: Choices] {
  const random = seeded(seed);
  const rows = Array.from({ length: 12 }, (_, at) => {
    const number = random.pick([String(at), String(at), '', 'I']);
    const name = random.pick(['An', 'Bình', `Chi ${at}`, `Dung ${at}`, '', 'Tổng']);
    const salary = random.pick(['10000000', '20000000', '30000000', '5', '', 'nghỉ', '9 triệu']);
    return [number, name, salary, random.pick(['1', '', '2,0', 'hai'])].join(';');
  });
  const heads = random.pick(['STT;Họ tên;Lương gross;NPT', ';Họ tên;Lương net;NPT']);
  const boxes = Array.from({ length: 3 }, () => [random.below(13), true] as const);
  return [[heads, ...rows].join('\n'), { form: { period: '2026-10' }, boxes }];
}

const SEEDS = part(Array.from({ length: 200 }, (_, seed) => seed));

test(`every row of ${SEEDS.length} of 200 random payrolls has one outcome: its amounts or a reason`, () => {
  for (const seed of SEEDS) {
    const [csv, choices] = randomPayroll(seed);
    const lines = outcomesOf(csv, choices);
    const numbers = sheetOf(csv).rows.map(({ number }) => number);
    assert.deepEqual(
      lines.map(({ reading }) => reading.row.number),
      numbers,
    );
    for (const { amounts, problem } of lines) assert.equal(amounts.length > 0, problem === '');
  }
});

test('the sums are those of the rows that are shown as calculated', () => {
  for (const seed of SEEDS) {
    const { lines, counts, totals } = calculated(...randomPayroll(seed));
    totals.forEach((total, index) => {
      const expected = lines.reduce((sum, { amounts }) => sum + (amounts[index] ?? 0), 0);
      assert.equal(total, BigInt(expected));
    });
    const all = [...counts.values()].reduce((sum, count) => sum + count, 0);
    assert.deepEqual([counts.get('') ?? 0, all], [lines.filter(isDone).length, lines.length]);
  }
});

test('the sums state the latest month of salary or payment in the calculated rows', () => {
  const csv = 'STT;Lương gross;Tháng;Ngày trả lương\n1;20000000;11/2026;\n';
  const choices: Choices = { uses: { 2: 'gross', 3: 'period', 4: 'paid_in' } };
  const latestIn = (rows: string): string => calculated(csv + rows, choices).latest;
  assert.equal(latestIn(''), '2026-11');
  assert.equal(latestIn('2;30000000;10/2026;12/2026\n'), '2026-12');
  assert.equal(latestIn('2;30000000;1/2027;12/2026\n'), '2027-01');
  assert.equal(latestIn('2;abc;1/2027;\n'), '2026-11');
});

test('leaving a row out changes nobody else', () => {
  for (const seed of SEEDS) {
    const [csv, choices] = randomPayroll(seed);
    const { boxes = [] } = choices;
    const lines = outcomesOf(csv, choices);
    const included = new Map(boxes);
    const others = lines
      .filter(({ isIn }) => isIn)
      .map(({ reading }) => reading.row.number)
      .filter((number) => !included.has(number));
    for (const number of others) {
      const after = outcomesOf(csv, { ...choices, boxes: [...boxes, [number, false]] });
      const shown = (all: readonly Line[]): unknown =>
        all
          .filter((line) => line.reading.row.number !== number)
          .map(({ amounts, problem }) => [amounts, problem]);
      assert.deepEqual(shown(after), shown(lines), `${seed}, row ${number}`);
    }
  }
});

test('with exact heads and texts in either language, nothing but the month is chosen', () => {
  for (const [at, language] of scripts.LANGUAGES.entries()) {
    const labelOf = (use: string): string =>
      (scripts.TEXTS[`use.${use}`] ?? scripts.TEXTS[use] ?? assert.fail(use))[at]!;
    const uses = scripts.USES.filter((use) => !/^(?:net|cost|type|exempt_beside)$/.test(use));
    const cells: Values = {
      ...{ number: '1', code: 'NV1', name: 'An', gross: '30000000', dependents: '1' },
      ...{ who: labelOf('who.employee'), insurance_salary: '20000000', period: '10/2026' },
      ...{ exempt_income: '1000000', paid_in: '11/2026', region: 'II', insured: 'x' },
      ...{ voluntary_pension: '500000', taxation: labelOf('progressive') },
      ...{ foreigner: '-', self_deduction: '1', union_fund: 'yes' },
    };
    const csv = [uses.map(labelOf), uses.map((use) => cells[use] ?? assert.fail(use))];
    const [line, ...more] = outcomesOf(csv.map((row) => row.join(';')).join('\n'));
    assert.deepEqual([line?.problem, more], ['', []], language);
    const [sample = ''] = scripts.TEXTS['samplePayroll']?.slice(at) ?? [];
    const lines = outcomesOf(sample.split(' / ').join('\n'), { form: { period: '2026-10' } });
    assert.deepEqual([lines.map(isDone), outOf(lines)], [[true, true, true, false], ['5 number']]);
    // Most people fill in the first columns of the template only.
    const [heads = ''] = sample.split(' / ');
    const filled = `${heads.replaceAll(',', ';')}\n1;An;30000000;1;;`;
    assert.deepEqual(outOf(outcomesOf(filled, { form: { period: '2026-10' } })), []);
  }
});

test('a row that is no person names the column by which it is none', () => {
  const cases: Values = {
    ';A1;An': 'number',
    'I;A1;An': 'number',
    '1;;An': 'code',
    '1;Tổ;An': 'code',
    '1;A1;': 'name',
    '1;A1;123': 'name',
    ';;Tổng': 'number',
  };
  for (const [cells, kind] of Object.entries(cases)) {
    const csv = `STT;Mã NV;Họ tên;Lương gross\n${cells};20000000\n2;A2;Bình;25000000`;
    const [line] = outcomesOf(csv, { form: OCTOBER });
    assert.equal(line?.kind, kind, cells);
    const cell = kind.replace('number', 'No.');
    const pattern = new RegExp(`^the ${cell} cell is empty or has no`);
    assert.match(scripts.textsOf('en')(`reason.${kind}`) ?? '', pattern);
  }
});

test('other heads are a sign, and rows below them count', () => {
  const outs = (heads: string, ...rows: readonly string[]): string[] => {
    const csv = [heads, '1;An;20000000', ...rows, '2;Bình;30000000'].join('\n');
    return outOf(outcomesOf(csv, { form: OCTOBER, uses: { 3: 'gross' } }));
  };
  const named = 'STT;Họ tên;Lương gross';
  for (const heads of ['STT;Họ tên;Lương net', 'STT;Lương gross;Họ tên', 'STT;Mã;Lương gross']) {
    assert.deepEqual(outs(named, heads), ['3 other'], heads);
  }
  assert.deepEqual(outs('STT;Họ tên;Tổng lương', 'STT;Họ tên;Đơn giá'), ['3 other']);
  // A title names no other column.
  assert.deepEqual(outs(named, 'Lương net', 'STT;Họ tên;Lương net'), ['3 blank', '4 other']);
  for (const heads of [named, 'No.;Full name;Gross salary', 'STT;;Lương gross']) {
    assert.deepEqual(outs(named, heads), ['3 blank'], heads);
  }
});

test('choices about rows are those of people, and stay when rows are corrected or moved', () => {
  const heads = 'STT;Họ tên;Lương gross\n';
  const keysIn = (csv: string): string[] =>
    outcomesOf(heads + csv, { form: OCTOBER }).map(({ reading }) => reading.key);
  const [an, binh] = keysIn('1;An;20000000\n2;Bình;25000000');
  assert.deepEqual(keysIn('0;Chi;9000000\n1;An;21000000\n2;Bình;'), [...['0 chi 0', an, binh]]);
  // A second row of a person, and a row that is no person, have choices of their own.
  const keys = keysIn('1;An;20000000\n1;An;20000000\n;Bình;25000000\n;Bình;25000000\n;;\n;;1');
  assert.equal(new Set([...keys, an]).size, keys.length);
  // Without a number or code, they are those of the cells: a row that is added above has no choice.
  const coded = (rows: string): string[] =>
    outcomesOf(`Mã NV;Họ tên;Lương gross\n${rows}`, { form: OCTOBER }).map(
      ({ reading }) => reading.key,
    );
  const [row] = coded(';Bình;30000000');
  assert.deepEqual(coded(';Khu A;50000000\n;Bình;30000000').indexOf(row!), 1);
});

test('a use has at most five other names per language, and a name one use', () => {
  for (const use of scripts.USES) {
    for (const heads of scripts.TEXTS[`exact.${use}`] ?? []) {
      const others = heads.split('; ');
      assert.ok(others.length <= 5, use);
      for (const other of others) {
        const used = scripts.exactUses(sheetOf(`${other}\n${use === 'period' ? '10/2026' : 'A1'}`));
        assert.deepEqual(used, [use], other);
      }
    }
  }
});

test('nothing but exact names is taken, in any case and with a unit in brackets', () => {
  const usesOf = (heads: string): string[] =>
    scripts.exactUses(sheetOf(`${heads}\n${heads.replace(/[^;]+/g, 'A1')}`));
  assert.deepEqual(usesOf('STT;HỌ  TÊN;LƯƠNG gross;dependents'), [
    ...['number', 'name', 'gross', 'dependents'],
  ]);
  assert.deepEqual(usesOf('Lương gross (triệu đồng);Gross salary (VND)'), ['', '']);
  assert.deepEqual(usesOf('Lương gross (triệu đồng);Lương'), ['gross', '']);
  assert.deepEqual(usesOf('Lương gross (USD);Lương gross chính;BHXH'), ['', '', '']);
  assert.deepEqual(usesOf('Họ tên;Lương gross;Lương net'), ['name', '', '']);
  assert.deepEqual(usesOf('Mã;Lương gross (tr);Mức đóng BHXH'), [
    ...['code', 'gross', 'insurance_salary'],
  ]);
});

test('an exact name is taken only if a cell can be read as it', () => {
  const usesOf = (csv: string): string[] => scripts.exactUses(sheetOf(csv));
  const heads = 'STT;Mã số;Họ tên;Tháng;Năm;Lương gross';
  const taken = ['number', 'code', 'name', 'period', '', 'gross'];
  const person = '1;A1;An;10/2026;2026;20000000';
  const without = (cells: string, use: string): void => {
    const expected = taken.map((other) => (other === use ? '' : other));
    assert.deepEqual(usesOf(`${heads}\n${cells}`), expected, cells);
    assert.deepEqual(usesOf(`${heads}\n${cells}\n${person}`), taken, cells);
  };
  without('1;A1;An;10;2026;20000000', 'period');
  without('1;A1;An;;2026;20000000', 'period');
  without('1;;An;10/2026;2026;20000000', 'code');
  without('1;Kho;An;10/2026;2026;20000000', 'code');
  without(';A1;An;10/2026;2026;20000000', 'number');
  without('1;A1;2;10/2026;2026;20000000', 'name');
  // Of two columns of one name, that with months is taken; an empty amount stays, because it needs a meaning.
  assert.deepEqual(usesOf('Mã;Tháng;Kỳ lương\nA1;10;10/2026'), ['code', '', 'period']);
  assert.deepEqual(usesOf('Mã;Lương đóng BHXH\nA1;'), ['code', 'insurance_salary']);
});

test('the end of a head is its use if no head has that use exactly', () => {
  const usesOf = (heads: string): string[] => scripts.exactUses(sheetOf(`${heads}\n1`));
  for (const head of ['Tiền ăn ca miễn thuế', 'Ăn ca không tính thuế', 'Quà không chịu thuế (đ)']) {
    assert.deepEqual(usesOf(`STT;${head}`), ['number', 'exempt_income'], head);
    assert.deepEqual(usesOf(`STT;${head};Phần lương miễn thuế`), ['number', '', 'exempt_income']);
  }
  assert.deepEqual(usesOf('STT;Ăn ca miễn thuế;Xăng miễn thuế'), ['number', '', '']);
  for (const head of [
    ...['Phụ cấp không miễn thuế', 'Thu nhập sau khi trừ khoản miễn thuế'],
    ...['Thu nhập chịu thuế và không chịu thuế', 'Phần chưa miễn thuế'],
  ]) {
    assert.deepEqual(usesOf(`STT;${head}`), ['number', ''], head);
  }
  const lines = 'STT;Lương gross;Giảm trừ;\n;;Số NPT;Lương đóng BHXH\n1;20000000;1;10000000';
  const { heads } = sheetOf(lines);
  assert.deepEqual(heads, ['STT', 'Lương gross', 'Giảm trừ – Số NPT', 'Lương đóng BHXH']);
  assert.deepEqual(scripts.exactUses(sheetOf(lines)), [
    ...['number', 'gross', 'dependents', 'insurance_salary'],
  ]);
});

test('a title or a head states the unit of amounts', () => {
  const unitOf = (csv: string): string => scripts.unitIn(sheetOf(`${csv}\n1;25,5`));
  const heads = 'STT;Lương gross';
  for (const stated of ['(triệu đồng)', '(tr)', '(Đơn vị: triệu đồng)', '(VND millions)']) {
    assert.equal(unitOf(`${heads} ${stated}`), '1000000', stated);
  }
  assert.equal(unitOf(`ĐVT: triệu đồng\n${heads}`), '1000000');
  for (const title of ['Đơn vị tính: nghìn đồng', 'ĐVT: 1.000 đồng', '(Đơn vị: 1000đ)']) {
    assert.equal(unitOf(`${title}\n${heads}`), '1000', title);
  }
  for (const title of [
    'Đơn vị tính: đồng',
    'Đơn vị: Công ty Triệu Phong',
    'Đơn vị: 1.000 nhân viên',
    '(1.000.000 đồng)',
    'Lương (trước thuế)',
    '',
  ]) {
    assert.equal(unitOf(`${title}\n${heads}`), '1', title);
  }
});

test('a use belongs to the column that was chosen last, except that amounts are added', () => {
  const sheet = sheetOf('Lương gross;Thưởng;STT;Phần lương miễn thuế;Ăn ca\n1;2;3;4;5');
  const usesBy = (...chosen: readonly [number, string][]): string[] =>
    scripts.usesBy(sheet, new Map(chosen));
  const exact = ['gross', '', 'number', 'exempt_income', ''];
  assert.deepEqual(usesBy(), exact);
  assert.deepEqual(usesBy([1, 'gross'], [4, 'exempt_income']), [
    ...['gross', 'gross', 'number', 'exempt_beside', 'exempt_income'],
  ]);
  assert.deepEqual(usesBy([3, 'exempt_income'], [4, 'exempt_beside']), [
    ...['gross', '', 'number', 'exempt_income', 'exempt_beside'],
  ]);
  assert.deepEqual(usesBy([1, 'net']), ['', 'net', ...exact.slice(2)]);
  assert.deepEqual(usesBy([1, 'gross'], [4, 'net']), ['', '', 'number', 'exempt_income', 'net']);
  assert.deepEqual(usesBy([1, 'number']), ['gross', 'number', '', 'exempt_income', '']);
  // Keys pass over other uses, which then belong to their columns again.
  assert.deepEqual(usesBy([1, '']), exact);
});

test('a text has a meaning in its column, for its use, in any case', () => {
  const key = scripts.meaningKey(1, 'who', 'CTV');
  assert.equal(scripts.meaningKey(1, 'who', ' ctv'), key);
  for (const other of [scripts.meaningKey(2, 'who', 'CTV'), scripts.meaningKey(1, 'type', 'CTV')]) {
    assert.notEqual(other, key);
  }
});

test('amounts have one reading in the unit of the file, or none', () => {
  const cases: readonly (readonly [cell: string, unit: string, value?: string])[] = [
    ['25.500', '1000,', '25500000'],
    ['25.500', '1000000.', '25500000'],
    ['25,5', '1000000,', '25500000'],
    ['166,667', '1000,', '166667'],
    ['1.234,5678', '1000,', '1234567.8'],
    ['0,5', '1000000,', '500000'],
    ['-', '1000,', '0'],
    ['25,5', '1000000.'],
    ['25tr', '1000000,'],
    ['1.234.567', '1000.'],
    ['25.000.000', '1', '25000000'],
    ['25,000,000 đ', '1', '25000000'],
    ['25.000 VNĐ', '1', '25000'],
    ['30tr', '1', '30000000'],
    ['25,5 triệu', '1', '25500000'],
    ['12,345 triệu', '1', '12345000'],
    ['12.345k', '1'],
    ['2,500 USD', '1'],
    ['-500.000', '1', '-500000'],
    ['-5tr', '1', '-5000000'],
    ['-1.234,5', '1000,', '-1234500'],
    ['-0.5', '1000000.', '-500000'],
    ['5-5', '1000,'],
    ['(500.000)', '1'],
  ];
  for (const [cell, written, value] of cases) {
    const [, unit = '', decimal = ''] = /^(\d+)(.?)$/.exec(written) ?? [];
    assert.equal(scripts.readMoney(cell, { unit, decimal }), value, `${cell} in ${written}`);
  }
});

test('months are read as spreadsheets write them, and dates with one reading', () => {
  const october = ['10/2026', '2026-10', 'tháng 10/2026', '2026-10-01'];
  for (const cell of [...october, '31/10/2026', '10/31/2026', '10/10/2026']) {
    assert.equal(scripts.readMonthCell(cell), '2026-10', cell);
  }
  for (const cell of [
    '01/10/2026',
    '10',
    '3/26',
    'Oct-26',
    'October 2026',
    '45962',
    '32/10/2026',
  ]) {
    assert.doesNotMatch(scripts.readMonthCell(cell), /^\d{4}-\d\d$/, cell);
  }
  for (const cell of ['2', '2,0', '2.00']) assert.equal(scripts.readCount(cell), '2');
  assert.equal(scripts.readCount('–'), '0');
});

/** The rows that are sums, in a file with or without codes, and whether the sums come first. */
function sumsIn(
  salaries: readonly number[],
  chosen: Choices = {},
): [out: string[], sums: number[]] {
  const rows = salaries.map((salary, at) => `Tên ${at};${salary * 1_000_000}`);
  const csv = ['Họ tên;Lương gross', ...rows].join('\n');
  const { lines, order, sums } = calculated(csv, { form: OCTOBER, ...chosen });
  const marked = lines.flatMap(({ isSum, reading }) => (isSum ? reading.row.number : []));
  assert.equal(sums, marked.length);
  assert.deepEqual(
    order.slice(0, sums).map((at) => lines[at]!.isSum),
    marked.map(() => true),
  );
  return [outOf(lines), marked];
}

test('sums of the rows above or below are a sign, and left out only without numbers and codes', () => {
  const cases: readonly (readonly [salaries: readonly number[], sums: readonly number[]])[] = [
    [
      [57, 32, 25, 22, 13, 9, 79],
      [2, 5, 8],
    ],
    [
      [32, 25, 57, 13, 9, 22, 79],
      [4, 7, 8],
    ],
    [
      [79, 57, 32, 25, 22, 13, 9],
      [2, 3, 6],
    ],
    [[20, 25, 45], [4]],
    [[20, 20, 20, 30], []],
    // A department of one person is no sum of several rows, and neither are equal salaries.
    [[20, 20, 30, 30], []],
  ];
  for (const [salaries, sums] of cases) {
    assert.deepEqual(sumsIn(salaries), [sums.map((row) => `${row} sum`), sums]);
    assert.deepEqual(sumsIn(salaries, { uses: { 1: 'code' } }), [[], sums]);
  }
});

test('a sum about which the person decides is none any more', () => {
  const coded: Choices = { uses: { 1: 'code' } };
  assert.deepEqual(sumsIn([20, 25, 45], { boxes: [[4, true]] }), [[], []]);
  assert.deepEqual(sumsIn([20, 25, 45], { ...coded, boxes: [[4, true]] }), [[], []]);
  assert.deepEqual(sumsIn([20, 25, 45], { ...coded, boxes: [[4, false]] }), [['4 chosen'], []]);
  assert.deepEqual(sumsIn([32, 25, 57, 13, 9, 22], { ...coded, boxes: [[4, false]] }), [
    ['4 chosen'],
    [7],
  ]);
});

test('a department with a number counts, and its sum is a sign', () => {
  const csv = 'STT;Họ tên;Lương gross\n1;Kế toán;50tr\n1.1;An;20tr\n1.2;Bình;30tr\n2;Kho;9tr';
  const { lines, sums } = calculated(csv, { form: OCTOBER });
  assert.deepEqual([outOf(lines), sums, lines[0]?.isSum], [[], 1, true]);
  const words = calculated(csv.replace('Kế toán', 'Phòng Kế toán'), { form: OCTOBER });
  assert.deepEqual([outOf(words.lines), words.sums], [['2 sum'], 0]);
});

test('names of totals and of amounts are those of no person', () => {
  const outs = (names: readonly string[]): string[] => {
    const rows = names.map((name, at) => `${at + 1};${name};${20_000_017 + 1_013 * at * at}`);
    return outOf(outcomesOf(['STT;Họ tên;Lương gross', ...rows].join('\n'), { form: OCTOBER }));
  };
  const others = [
    ...[
      'Cộng',
      'CỘNG:',
      'Tổng',
      'Tổng kỳ trước',
      'Cộng tiền lương',
      'Cộng trang 1',
      'Cộng phòng Kho',
    ],
    ...['Bình quân', 'Trung bình lương', 'Thưởng Tết', 'Phụ cấp', 'Thuế', 'Thuế TNCN', 'Tạm ứng'],
  ];
  assert.deepEqual(
    outs(others),
    others.map((_, at) => `${at + 2} sum`),
  );
  assert.deepEqual(
    outs([
      'Cộng A Sùng',
      'Tổng Văn Cộng',
      'Ban Ki-moon',
      'Cộng Kỳa',
      'Thuếa',
      'Bình',
      'Tổng Số An',
    ]),
    ['8 sum'],
  );
});

test('people of equal pay are no sums, whatever the form of their codes and names', () => {
  const names = ['Ban Ki-moon', 'Cộng A Sùng', 'Tổng Thị Cộng', 'Tổ trưởng An', 'Đội Trưởng Hùng'];
  const numbers = names.map((name, at) => `${at + 1};${name}`);
  assert.deepEqual(outsOf('STT;Họ tên', ...numbers), []);
  assert.deepEqual(outsOf('Họ tên', ...names, 'Phong', 'Khối Văn Totali', 'Teama'), ['8 sum']);
  assert.deepEqual(outsOf('Mã NV', 'NV01', 'NV02', 'NV10', 'TV-01', 'TV-02', 'TV-10'), []);
  assert.deepEqual(outsOf('Mã NV', 'NV1', 'NV10', 'NV11', 'NV2', 'NV20'), []);
  // Each department has numbers of its own.
  assert.deepEqual(
    outsOf('STT;Họ tên', '1;A', '2;B', '3;C', '1;D', '2;E', '1;F', '2;G', '1;H'),
    [],
  );
});

test('amounts from 1 million, or from 100,000 if they are tax-free, to 1 billion are usual', () => {
  const outs = (cells: string): string[] =>
    outOf(outcomesOf(`STT;Phần lương miễn thuế;Lương gross\n1;${cells}`, { form: OCTOBER }));
  for (const cells of ['0;1000000', '0;1000000000', '100000;2000000', '1000000000;2000000']) {
    assert.doesNotMatch(String(outs(cells)), /low|high/, cells);
  }
  const unusual: Values = {
    '0;999999': 'low',
    '0;1000000001': 'high',
    '99999;2000000': 'low',
    '1000000001;2000000': 'high',
  };
  for (const [cells, kind] of Object.entries(unusual)) {
    assert.deepEqual(outs(cells), [`2 ${kind}`], cells);
  }
});

test('a row that the person includes counts for the reasons of others', () => {
  const csv = 'Mã NV;Lương gross\nA1;500000\nA1;20000000\nA2;20000000';
  assert.deepEqual(outOf(outcomesOf(csv, { form: OCTOBER })), ['2 low']);
  const included = outcomesOf(csv, { form: OCTOBER, boxes: [[2, true]] });
  assert.deepEqual(outOf(included), ['3 twice']);
});

test('a salary that is not calculated is unreadable, negative or above the limit, and its row says so', () => {
  const salaries: readonly (readonly [cell: string, kind: string, unit?: string])[] = [
    ['-5tr', 'negative'],
    ['-20.000.000', 'negative'],
    ['-5', 'negative', '1000000'],
    ['năm triệu', 'text'],
    ['5tr', 'text', '1000000'],
    ['2000 tỷ', 'high'],
    ['0', 'blank'],
  ];
  for (const [cell, kind, unit = '1'] of salaries) {
    const csv = `STT;Lương gross\n1;${cell}`;
    const form: Values = { ...OCTOBER, unit, decimal: ',' };
    assert.deepEqual(outOf(outcomesOf(csv, { form })), [`2 ${kind}`], cell);
  }
  const reasons = { en: 'the salary is negative', vi: 'lương là số âm' };
  for (const language of scripts.LANGUAGES) {
    assert.equal(scripts.textsOf(language)('reason.negative'), reasons[language]);
  }
});

test('amounts are added with their signs, and only a negative sum is negative', () => {
  const uses = { 3: 'exempt_income', 4: 'exempt_income' };
  const of = (cells: string): Line =>
    outcomesOf(`STT;Lương gross;Ăn ca;Điện thoại\n1;20000000;${cells}`, { form: OCTOBER, uses })[0]
    ?? assert.fail();
  assert.equal(of('-500000;1tr').reading.values['exempt_income'], '500000');
  const refused = of('-500000;400k');
  assert.equal(refused.kind, 'refused');
  assert.match(refused.problem, /^Ăn ca “-500000” \+ Điện thoại “400k”: /);
  const csv = 'STT;Lương gross;Truy thu\n1;9500000;-500000\n2;-500000;9500000\n3;400000;-500000';
  const lines = outcomesOf(csv, { form: OCTOBER, uses: { 3: 'gross' } });
  assert.deepEqual(outOf(lines), ['4 negative']);
  const income = { income: 9_000_000, period: '2026-10' };
  assert.deepEqual(requestsOf(lines), [income, income]);
});

test('a column is who is paid by its exact head, and its texts are exact in either language', () => {
  const keys = ['employee', 'probation', 'foreigner'];
  const labels = [0, 1].map((at) => keys.map((key) => scripts.TEXTS[`who.${key}`]![at]!));
  for (const texts of [keys, ...labels]) {
    const rows = texts.map((cell, at) => `${at};20tr;${cell}`);
    for (const head of ['Contract', 'Contract type', 'Hợp đồng', 'Loại hợp đồng', 'HỢP ĐỒNG']) {
      const csv = [`STT;Lương gross;${head}`, ...rows].join('\n');
      assert.deepEqual(scripts.exactUses(sheetOf(csv)), ['number', 'gross', 'who']);
      const [employee, probation, foreigner] = requestsOf(
        outcomesOf(csv, { form: OCTOBER }),
      ) as Values[];
      assert.deepEqual(employee, { income: 20_000_000, period: '2026-10' });
      assert.equal(probation?.['taxation'], 'short_term');
      assert.equal(foreigner?.['foreigner'], true);
    }
  }
  const other = sheetOf('STT;Lương gross;Nhóm\n1;20tr;employee');
  assert.deepEqual(scripts.exactUses(other), ['number', 'gross', '']);
});

test('the texts of a column are those of rows that count, at most 51', () => {
  const textsIn = (cells: readonly string[], salary: number): readonly string[] => {
    const rows = cells.map((cell, at) => `${at};${salary};${cell}`);
    const csv = ['STT;Lương gross;Loại tiền', ...rows].join('\n');
    const { 2: texts = assert.fail() } = calculated(csv, { form: OCTOBER }).texts;
    return [...texts];
  };
  assert.deepEqual(textsIn(['VND', 'USD', 'VND'], 20_000_000), ['VND', 'USD']);
  assert.deepEqual(textsIn(['VND', 'USD', 'VND'], 5), []);
  const numbers = Array.from({ length: 60 }, (_, at) => String(at));
  assert.deepEqual(textsIn(numbers, 20_000_000), numbers.slice(0, 51));
});

test('columns that contradict each other refuse a row', () => {
  const form = { period: '2026-10' };
  const heads = 'Người được trả lương;Lương đóng BHXH;Có đóng bảo hiểm;Lương gross';
  const problemOf = (cells: string, meanings: Choices['meanings'] = []): string | undefined =>
    outcomesOf(`${heads}\n${cells};20000000`, { form, meanings })[0]?.problem;
  assert.equal(problemOf('freelance;0;không'), '');
  assert.equal(problemOf('employee;10000000;có'), '');
  for (const cells of ['freelance;10000000;có', 'employee;10000000;không', 'pensioner;0;có']) {
    assert.match(problemOf(cells) ?? '', /contradict|mâu thuẫn/, cells);
  }
  assert.match(problemOf('employee;;có') ?? '', /\(empty\)|\(để trống\)/);
  assert.equal(problemOf('employee;;có', [[2, '', '']]), '');
});

test('a row of a person who must state the insured salary is refused without one', () => {
  const heads = 'Người được trả lương;Lương đóng BHXH;Lương gross';
  const problemOf = (cells: string): string | undefined =>
    outcomesOf(`${heads}\n${cells};20000000`, {
      form: { period: '2026-10' },
      meanings: [[2, '', '']],
    })[0]?.problem;
  for (const who of ['short_contract', 'non_resident_insured']) {
    assert.match(problemOf(`${who};`) ?? '', /^Lương đóng BHXH: This field is required\.$/, who);
    assert.equal(problemOf(`${who};20000000`), '');
  }
  for (const who of ['employee', 'second_job']) assert.equal(problemOf(`${who};`), '', who);
});

test('an empty text refuses its row until its meaning is chosen, under any head', () => {
  const fields = scripts.COLUMNS.filter(({ kind }) => kind === 'choice' || kind === 'flag');
  const worded = fields.map(({ name }) => name).filter((name) => !/^(?:region|who)$/.test(name));
  assert.deepEqual(worded.slice(0, 2), ['type', 'taxation']);
  for (const use of worded) {
    const [meaning = assert.fail(use)] = scripts.meaningsOf(
      fields.find(({ name }) => name === use)!,
    );
    for (const head of [use, 'Ghi chú']) {
      const csv = `STT;Lương gross;${head}\n1;25000000;\n2;25000000`;
      const choices: Choices = { form: OCTOBER, uses: { 3: use } };
      assert.deepEqual(outOf(outcomesOf(csv, choices)), ['2 refused', '3 refused'], use);
      const chosen = outcomesOf(csv, { ...choices, meanings: [[3, '', meaning]] });
      assert.deepEqual(outOf(chosen), [], use);
    }
  }
});

test('an empty cell of who is paid, a region or dependents has the value of the form', () => {
  const csv = 'STT;Lương gross;Vùng;NPT;Hợp đồng\n1;150000000;;;\n2;150000000;I;0;employee';
  const requests = (form: Values): Values[] =>
    requestsOf(outcomesOf(csv, { form: { ...OCTOBER, ...form } })) as Values[];
  const plain = { income: 150_000_000, period: '2026-10' };
  assert.deepEqual(requests({ region: '4', dependents: '2', who: 'civil_servant' }), [
    { ...plain, region: 4, dependents: 2, bhtn: false },
    plain,
  ]);
  assert.deepEqual(requests({}), [plain, plain]);
});

test('a row without a month of its own has that of the form, and is refused without one', () => {
  const csv = 'Họ tên;Lương gross;Tháng\nAn;30000000;9/2026\nBình;30000000;';
  assert.deepEqual(outOf(outcomesOf(csv)), ['3 refused']);
  const [an, binh] = requestsOf(outcomesOf(csv, { form: { period: '2026-10' } })) as Values[];
  assert.deepEqual([an?.['period'], binh?.['period']], ['2026-09', '2026-10']);
});

test('a salary in parts is their exact sum, and a part that is unread decides the row', () => {
  const heads = 'Mã;Họ tên;Lương cơ bản;Phụ cấp;Thưởng';
  const uses = { 3: 'gross', 4: 'gross', 5: 'gross' };
  const of = (cells: string, form: Values = OCTOBER): readonly Line[] =>
    outcomesOf(`${heads}\nNV1;An;${cells}`, { form, uses });
  const sums: Values = {
    '20.000.000;1.500.000;500.000': '22000000',
    '20.000.000;;': '20000000',
    ';-;20tr': '20000000',
    '10.000.000,1;10.000.000,2;0,2': '20000000.5',
    '0;9.007.199,25;0,75': '9007200',
  };
  for (const [cells, income] of Object.entries(sums)) {
    assert.deepEqual(
      [of(cells)[0]?.reading.values['income'], outOf(of(cells))],
      [income, []],
      cells,
    );
  }
  const millions = of('20,5;1,25;0,25', { ...OCTOBER, unit: '1000000', decimal: ',' });
  assert.equal(millions[0]?.reading.values['income'], '22000000');
  const kinds: Values = {
    '20.000.000;nghỉ;': 'text',
    'nghỉ;20.000.000;1tr': 'text',
    '-20.000.000;500.000;': 'negative',
    '0;;': 'blank',
  };
  for (const [cells, kind] of Object.entries(kinds)) {
    assert.deepEqual(outOf(of(cells)), [`2 ${kind}`], cells);
  }
});

test('tax-free parts beside a salary are added to it, and those inside it are not', () => {
  const heads = 'STT;Cơ bản;Phụ cấp;Ăn ca;Điện thoại;Mức đóng';
  const csv = `${heads}\n1;15000000;5000000;700000;300000;10000000`;
  for (const type of ['gross', 'net']) {
    for (const [exempt, income] of [
      ['exempt_income', 20_000_000],
      ['exempt_beside', 21_000_000],
    ] as const) {
      const uses = { 2: type, 3: type, 4: exempt, 5: exempt, 6: 'insurance_salary' };
      assert.deepEqual(requestsOf(outcomesOf(csv, { form: OCTOBER, uses })), [
        {
          income,
          ...(type === 'net' && { type }),
          exempt_income: 1_000_000,
          insurance_salary: 10_000_000,
          period: '2026-10',
        },
      ]);
    }
  }
});

test('a tax-free head alone lies inside one column of the salary, beside several, and is nothing without one', () => {
  const sheet = sheetOf('STT;Lương cơ bản;Trách nhiệm;Ăn ca miễn thuế\n1;20000000;5000000;730000');
  const usesBy = (...chosen: readonly [number, string][]): string[] =>
    scripts.usesBy(sheet, new Map(chosen));
  assert.deepEqual(usesBy(), ['number', '', '', '']);
  assert.deepEqual(usesBy([1, 'gross']), ['number', 'gross', '', 'exempt_income']);
  assert.deepEqual(usesBy([1, 'gross'], [1, '']), ['number', '', '', '']);
  const parts = ['number', 'gross', 'gross'];
  assert.deepEqual(usesBy([1, 'gross'], [2, 'gross']), [...parts, 'exempt_beside']);
  assert.deepEqual(usesBy([3, 'exempt_income'], [1, 'gross'], [2, 'gross']), [
    ...[...parts, 'exempt_income'],
  ]);
  assert.deepEqual(usesBy([3, 'exempt_income']), ['number', '', '', 'exempt_income']);
  assert.deepEqual(usesBy([1, 'gross'], [3, '']), ['number', 'gross', '', '']);
});

test('an empty cell of the insured salary adds nothing to another column, and needs no meaning then', () => {
  const csv = 'STT;Lương gross;Lương đóng BHXH;Phụ cấp\n1;30000000;20000000;\n2;30000000;;';
  const lines = outcomesOf(csv, { form: OCTOBER, uses: { 4: 'insurance_salary' } });
  assert.deepEqual(outOf(lines), ['3 refused']);
  assert.deepEqual(requestsOf(lines), [
    { income: 30_000_000, insurance_salary: 20_000_000, period: '2026-10' },
  ]);
});

test('without an exact name, the heads are the last texts above the first two numbers', () => {
  const headsIn = (csv: string): readonly string[] => sheetOf(csv).heads;
  const title = 'BẢNG LƯƠNG;;;\nTháng 10;;;\n';
  const heads = 'Ma so;Ho;Base;Allowance';
  const rows = 'Phòng Kế toán;;;\nA1;An;20.000.000;1tr\nA2;Bình;25.000.000;2tr';
  assert.deepEqual(headsIn(`${title}${heads}\n${rows}`), heads.split(';'));
  assert.deepEqual(headsIn(`${title}${heads}\n1;2;3;4\n${rows}`), heads.split(';'));
  assert.deepEqual(scripts.exactUses(sheetOf(`${heads}\n${rows}`)), ['', '', '', '']);
  // A row with a number is no head, and neither is a title, or a row below people.
  for (const csv of [
    'An;20tr;\nBình;25tr;1',
    'BẢNG LƯƠNG;;\nAn;20tr;1',
    'An;20tr;1\nTên họ;b;c\n2;3',
  ]) {
    const { heads: none, rows: all } = sheetOf(csv);
    assert.deepEqual([new Set(none), all.length], [new Set(['']), csv.split('\n').length], csv);
  }
});

test('heads of two lines keep the texts of both, and exact names stay', () => {
  const headsIn = (...rows: readonly string[]): readonly string[] => sheetOf(rows.join('\n')).heads;
  const people = '1;An;20.000.000;1.000.000;2';
  const joined = ['STT', 'Họ tên', 'Lương – Cơ bản', 'Phụ cấp', 'NPT'];
  assert.deepEqual(headsIn('STT;Họ tên;Lương;;NPT', ';;Cơ bản;Phụ cấp;', people), joined);
  assert.deepEqual(
    headsIn('TT;Người;Lương;;', ';;Lương gross;Lương net;Số người phụ thuộc', people),
    ['TT', 'Người', 'Lương gross', 'Lương net', 'Số người phụ thuộc'],
  );
  // A department below the heads is no line of them, nor is a title above.
  const named = ';Họ tên;Lương gross;Ghi chú;NPT';
  for (const row of ['Phòng Kế toán;;;;', 'I;Kế toán;;;', 'I;Kế toán;20.000.000;;']) {
    assert.deepEqual(headsIn('BẢNG LƯƠNG;;;;', named, row, people), named.split(';'), row);
  }
});

test('empty cells behind the last column count for nothing', () => {
  const csv = `STT;Lương gross${';'.repeat(16_382)}\n1;20000000${';'.repeat(16_382)}`;
  assert.deepEqual(requestsOf(outcomesOf(csv, { form: OCTOBER })), [
    { income: 20_000_000, period: '2026-10' },
  ]);
  const wide = scripts.sheetIn(scripts.recordsOf(`STT;Lương gross\n1;2${';'.repeat(200)}x`));
  assert.match(String(finished(wide)), /200/);
});

test('a title names months in several ways, and dates name theirs', () => {
  const monthsIn = (title: string): string[] =>
    scripts.monthsIn(sheetOf(`${title}\nSTT;Lương gross\n1;20000000`));
  for (const title of ['Bảng lương tháng 8/2026', 'THÁNG 08 NĂM 2026', 'LƯƠNG T8/2026']) {
    assert.deepEqual(monthsIn(title), ['2026-08'], title);
  }
  assert.deepEqual(monthsIn('T8-2026\nTừ 01/08/2026 đến 31/08/2026\nNgày 5.9.2026'), [
    ...['2026-08', '2026-09'],
  ]);
  for (const title of [
    'Bảng lương',
    'Năm 2026',
    'ĐT 028 2026 1234',
    '13/2026',
    'Payroll August 2026',
  ]) {
    assert.deepEqual(monthsIn(title), [], title);
  }
  assert.deepEqual(scripts.monthsIn(sheetOf('8/2026;Lương\n8/2026;20000000')), []);
});

test('columns that may be the salary are named, and none is taken', () => {
  const sheet = sheetOf('STT;Họ tên;Tổng thu nhập;Tổng lương;Thuế\n1;An;20000000;19000000;1');
  const uses = scripts.exactUses(sheet);
  assert.deepEqual(uses, ['number', 'name', '', '', '']);
  assert.deepEqual(scripts.likelySalaries(sheet, uses), [2, 3]);
  assert.deepEqual(scripts.likelySalaries(sheet, ['', '', 'insured']), [3]);
  const both = sheetOf('Gross;Lương gross\n1;2');
  assert.deepEqual(scripts.likelySalaries(both, scripts.exactUses(both)), [0, 1]);
  const free = sheetOf('Lương;Phần lương miễn thuế;Lương đóng BHXH\n1;2;3');
  assert.deepEqual(scripts.likelySalaries(free, ['', '', '']), [0]);
});

test('rows of one code, or without codes of one name, need a choice', () => {
  assert.deepEqual(outsOf('Mã NV;Họ tên', 'A1;An', 'A2;An', 'A3;Chi'), []);
  assert.deepEqual(outsOf('Mã NV;Họ tên', 'A1;An', 'a1;Bình'), ['2 twice', '3 twice']);
  assert.deepEqual(outsOf('STT;Họ tên', '1;An', '2;an', '3;Chi'), ['2 twice', '3 twice']);
  assert.deepEqual(outsOf('STT;Họ tên', '1;An', '1;An', '2;Chi'), ['2 twice', '3 twice']);
  assert.deepEqual(outsOf('Họ tên', 'An', 'An', 'Chi'), ['2 twice', '3 twice']);
});
