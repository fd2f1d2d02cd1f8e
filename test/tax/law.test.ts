import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { TABLES as ALL_TABLES } from '../../src/rules/tables.ts';
import {
  BASE_SALARY,
  CAP_MULTIPLE,
  type Dated,
  EMPLOYEE_RATES,
  EMPLOYER_RATES,
  EXPENSE_LIMITS,
  FAMILY_DEDUCTIONS,
  findInForce,
  FIRST_PERIOD,
  FLAT_TAX,
  FOREIGNER_RATES,
  inForce,
  lawOf,
  LEAST_BRACKET_MONTHS,
  MINIMUM_WAGE,
  PROGRESSIVE_TAX,
  REVIEWED_THROUGH,
  UNION_FUND_RATE,
  VOLUNTARY_PENSION_LIMIT,
} from '../../src/tax/law.ts';
import { Document } from '../helpers/markdown.ts';
import { readText } from '../helpers/repository.ts';

const lawDocument = new Document('src/tax/README.md');

/**
 * The tables by the headings of the document, which states them independently of the code. Tables with the same months and
 * instruments are the columns of one.
 */
const TABLES: Readonly<Record<string, readonly (readonly Dated<unknown>[])[]>> = {
  'Progressive tax': [PROGRESSIVE_TAX],
  'Family deductions': [FAMILY_DEDUCTIONS],
  'Months of the brackets of a year': [LEAST_BRACKET_MONTHS],
  'Voluntary pension limit': [VOLUNTARY_PENSION_LIMIT],
  'Medical limit': [EXPENSE_LIMITS.medical],
  'Education limit': [EXPENSE_LIMITS.education],
  'Flat tax on a short term': [FLAT_TAX.short_term],
  'Flat tax of a non-resident': [FLAT_TAX.non_resident],
  'Social insurance of the employee': [EMPLOYEE_RATES.bhxh],
  'Health insurance': [EMPLOYEE_RATES.bhyt, EMPLOYER_RATES.bhyt],
  'Unemployment insurance of the employee': [EMPLOYEE_RATES.bhtn],
  'Social insurance of the employer': [EMPLOYER_RATES.bhxh],
  'Unemployment insurance of the employer': [EMPLOYER_RATES.bhtn],
  'Social insurance of a foreigner': [FOREIGNER_RATES.employee.bhxh],
  'Social insurance of the employer of a foreigner': [FOREIGNER_RATES.employer.bhxh],
  'Unemployment insurance of a foreigner': [
    FOREIGNER_RATES.employee.bhtn,
    FOREIGNER_RATES.employer.bhtn,
  ],
  'Trade-union fund': [UNION_FUND_RATE],
  'Base salary': [BASE_SALARY],
  'Regional minimum wage': [MINIMUM_WAGE],
};

/** The month a number of months after another; before it, if the number is negative. */
function monthAfter(period: string, months = 1): string {
  const [year = 0, month = 0] = period.split('-').map(Number);
  const index = year * 12 + month - 1 + months;
  return `${Math.floor(index / 12)}-${String((index % 12) + 1).padStart(2, '0')}`;
}

/** Every number in a value, at any depth. */
function numbersIn(value: unknown): number[] {
  if (value === null) return [];
  return typeof value === 'number' ? [value] : Object.values(value as object).flatMap(numbersIn);
}

/** The numbers in a text, where 5M is 5,000,000. */
function numbersInText(text: string): number[] {
  return [...text.matchAll(/(\d[\d,]*(?:\.\d+)?)(M?)/g)].map(
    ([, number = '', million]) =>
      Number(number.replaceAll(',', '')) * (million === '' ? 1 : 1_000_000),
  );
}

/** The row of a document that states a row of the law, in the words of the document. */
const inWords = (from: string, numbers: readonly number[], instrument: string): string =>
  `${from} | ${numbers.map((number) => number.toLocaleString('en-US')).join(' ')} | ${instrument}`;

/** The rows of a table of the document: first month, all numbers, instrument. */
const rowsInDocument = (name: string): string[] =>
  lawDocument
    .table(name)
    .map((cells) => inWords(cells[0]!, cells.slice(1, -1).flatMap(numbersInText), cells.at(-1)!));

const rowsInCode = ([first, ...others]: readonly (readonly Dated<unknown>[])[]): string[] =>
  first!.map(({ effective_from: from, value, instrument }, index) => {
    const columns = others.map((table) => {
      assert.equal(table.length, first!.length);
      assert.deepEqual(
        [table[index]!.effective_from, table[index]!.instrument],
        [from, instrument],
      );
      return table[index]!.value;
    });
    return inWords(from, [value, ...columns].flatMap(numbersIn), instrument);
  });

test('the document has every table, and no other', () => {
  const headings = lawDocument.headings('###');
  assert.deepEqual(headings, Object.keys(TABLES));
  const listed = new Set<unknown>(Object.values(TABLES).flat());
  const all = (tables: object): object[] =>
    Array.isArray(tables) ? [tables] : Object.values(tables).flatMap(all);
  for (const table of all(ALL_TABLES))
    assert.ok(listed.has(table), `src/tax/README.md: add ${JSON.stringify(table)}`);
});

test('the document names no instrument that the code does not name', () => {
  const code = readText('src/tax/law.ts');
  for (const [number] of lawDocument.text.matchAll(/\d+\/\d{4}\/[\p{L}\d-]+/gu))
    assert.ok(code.includes(number), number);
});

test('the document states the month of the last review', () => {
  const section = lawDocument.section('Which month selects the law');
  assert.ok(section.includes(`compared with the law in ${REVIEWED_THROUGH};`));
});

describe('every table of the law', () => {
  for (const [name, tables] of Object.entries(TABLES)) {
    const table = tables[0]!;
    test(`${name}: has the values and the instruments of the law`, () => {
      const stated = rowsInDocument(name);
      const rows = rowsInCode(tables);
      for (const row of rows)
        assert.ok(stated.includes(row), `src/tax/README.md: "${name}" lacks the row ${row}`);
      for (const row of stated)
        assert.ok(rows.includes(row), `src/tax/law.ts: "${name}" lacks the row ${row}`);
      assert.deepEqual(rows, stated);
    });

    test(`${name}: begins in ${table[0]?.effective_from}, and its months ascend`, () => {
      const months = table.map(({ effective_from }) => effective_from);
      assert.equal(
        months[0],
        name === 'Medical limit' || name === 'Education limit' ? '2026-01' : '2015-01',
      );
      for (const month of months) assert.match(month, /^\d{4}-(0[1-9]|1[0-2])$/);
      assert.deepEqual(months, [...new Set(months)].sort());
    });

    test(`${name}: has an instrument in every row, and numbers with at most one decimal`, () => {
      for (const { instrument, value } of table) {
        assert.match(instrument, /^(Law|Decree|Resolution|Circular) \d+\/(\d{4}\/)?[A-Z\dĐ-]+/);
        assert.notEqual(numbersIn(value).length, 0);
        assert.ok(numbersIn(value).every((number) => number >= 0 && Number.isInteger(number * 10)));
      }
    });

    test(`${name}: applies a row from its month on until the next one, and none before the first`, () => {
      for (const [at, row] of table.entries()) {
        assert.equal(inForce(table, row.effective_from), row);
        assert.equal(findInForce(table, monthAfter(row.effective_from, -1)), table[at - 1]);
      }
      assert.equal(inForce(table, '9999-12'), table.at(-1));
      assert.throws(
        () => inForce(table, '2014-12'),
        new RangeError('The law tables begin in 2015-01'),
      );
    });
  }

  test('brackets ascend in bound and rate, and the last bracket has no bound', () => {
    for (const { value } of PROGRESSIVE_TAX) {
      assert.equal(value.at(-1)!.to, null);
      for (const [at, { to, rate }] of value.entries()) {
        assert.ok((to ?? Infinity) > (value[at - 1]?.to ?? 0) && rate > (value[at - 1]?.rate ?? 0));
      }
    }
  });

  test('the bounds of the brackets are whole multiples of 100 đồng, so that a full bracket has a whole tax', () => {
    for (const { to } of PROGRESSIVE_TAX.flatMap(({ value }) => value))
      assert.equal((to ?? 0) % 100, 0);
  });

  test('caps are 20 times the base salary or the minimum wage, and the first month is 2015-01', () => {
    assert.equal(CAP_MULTIPLE, 20);
    assert.equal(FIRST_PERIOD, '2015-01');
  });
});

test('lawOf returns the tax law of the month of payment, and the insurance law of the month of work', () => {
  const law = lawOf('2025-06', 1, { paid_in: '2026-01' });
  assert.deepEqual(law.tax, lawOf('2026-01', 1).tax);
  const ofTax = { paid_in: '', tax: 0, voluntaryPension: 0 };
  assert.equal(law.voluntaryPension, VOLUNTARY_PENSION_LIMIT[1]);
  assert.deepEqual({ ...law, ...ofTax }, { ...lawOf('2025-06', 1), ...ofTax });
  const inAdvance = lawOf('2026-01', 1, { paid_in: '2025-12' });
  assert.deepEqual({ ...inAdvance, ...ofTax }, { ...lawOf('2026-01', 1), ...ofTax });
  assert.deepEqual(inAdvance.tax, lawOf('2025-12', 1).tax);
  const flat = lawOf('2025-06', 1, { taxation: 'short_term', paid_in: '2026-01' });
  assert.deepEqual(flat.tax, { kind: 'flat', flatTax: inForce(FLAT_TAX.short_term, '2026-01') });
});

test('lawOf returns the object of the previous call only for equal arguments', () => {
  const calls: Parameters<typeof lawOf>[] = [
    ['2026-08', 1],
    ['2026-07', 1],
    ['2026-08', 2],
    ['2026-08', 1, { foreigner: true }],
    ['2026-08', 1, { taxation: 'short_term' }],
    ['2026-08', 1, { taxation: 'non_resident' }],
    ['2026-08', 1, { paid_in: '2026-09' }],
  ];
  for (const first of calls) {
    for (const second of calls) {
      const law = lawOf(...first);
      assert.equal(lawOf(...second) === law, first === second, JSON.stringify([first, second]));
      assert.ok(Object.isFrozen(law));
    }
  }
});
