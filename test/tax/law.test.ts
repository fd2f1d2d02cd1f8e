import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  BASE_SALARY, CAP_MULTIPLE, type Dated, EMPLOYEE_RATES, EMPLOYER_RATES, FAMILY_DEDUCTIONS, FIRST_PERIOD, inForce,
  lawOf, MINIMUM_WAGE, PROGRESSIVE_TAX,
} from '../../src/tax/law.ts';

const TABLES: Readonly<Record<string, readonly Dated<unknown>[]>> = {
  'progressive tax': PROGRESSIVE_TAX,
  'family deductions': FAMILY_DEDUCTIONS,
  'employee bhxh rate': EMPLOYEE_RATES.bhxh,
  'employee bhyt rate': EMPLOYEE_RATES.bhyt,
  'employee bhtn rate': EMPLOYEE_RATES.bhtn,
  'employer bhxh rate': EMPLOYER_RATES.bhxh,
  'employer bhyt rate': EMPLOYER_RATES.bhyt,
  'employer bhtn rate': EMPLOYER_RATES.bhtn,
  'base salary': BASE_SALARY,
  'minimum wage': MINIMUM_WAGE,
};

function monthBefore(period: string): string {
  const [year, month] = period.split('-').map(Number);
  return month === 1 ? `${year! - 1}-12` : `${year}-${String(month! - 1).padStart(2, '0')}`;
}

/** Every number in a value, at any depth. */
function numbersIn(value: unknown): number[] {
  if (value === null) return [];
  return typeof value === 'number' ? [value] : Object.values(value as object).flatMap(numbersIn);
}

describe('every table of the law', () => {
  for (const [name, table] of Object.entries(TABLES)) {
    test(`${name}: months as YYYY-MM, strictly ascending from 2015-01`, () => {
      const months = table.map(({ effective_from }) => effective_from);
      assert.equal(months[0], '2015-01');
      for (const month of months) assert.match(month, /^\d{4}-(0[1-9]|1[0-2])$/);
      assert.deepEqual(months, [...new Set(months)].sort());
    });

    test(`${name}: an instrument and whole positive numbers in every row`, () => {
      for (const { instrument, value } of table) {
        assert.match(instrument, /^(Law|Decree|Resolution) \d+\/\d{4}\//);
        assert.notEqual(numbersIn(value).length, 0);
        // Rates have at most one decimal.
        const whole = (number: number): boolean => number > 0 && Number.isInteger(number * 10);
        assert.ok(numbersIn(value).every(whole));
      }
    });

    test(`${name}: a row is in force from its month, the month before it is not`, () => {
      for (const [at, row] of table.entries()) {
        assert.equal(inForce(table, row.effective_from), row);
        if (at > 0) assert.equal(inForce(table, monthBefore(row.effective_from)), table[at - 1]);
      }
      assert.equal(inForce(table, '2027-01'), table.at(-1), 'after the newest row');
      assert.equal(inForce(table, '9999-12'), table.at(-1), 'long after the newest row');
    });

    test(`${name}: nothing before 2015-01`, () => {
      assert.throws(() => inForce(table, '2014-12'), new RangeError('The law tables begin in 2015-01'));
    });
  }

  test('brackets ascend in bound and rate, and the last one has no bound', () => {
    for (const { value } of PROGRESSIVE_TAX) {
      assert.equal(value.at(-1)!.to, null);
      for (const [at, { to, rate }] of value.entries()) {
        assert.ok((to ?? Infinity) > (value[at - 1]?.to ?? 0) && rate > (value[at - 1]?.rate ?? 0));
      }
    }
  });

  test('the bounds of the brackets are whole multiples of 100 đồng, so that a full bracket has a whole tax', () => {
    for (const { to } of PROGRESSIVE_TAX.flatMap(({ value }) => value)) assert.equal((to ?? 0) % 100, 0);
  });
});

/** The rows of a table in text: month, numbers, instrument. */
function rowsOf(text: string): { from: string; numbers: number[]; instrument: string }[] {
  return text.trim().split('\n').map((line) => {
    const [from = '', numbers = '', instrument = ''] = line.split('|').map((cell) => cell.trim());
    return { from, numbers: numbers.split(' ').map((number) => Number(number.replaceAll(',', ''))), instrument };
  });
}

const BASE_SALARY_TEXT = `
  2015-01 | 1,150,000 | Decree 66/2013/NĐ-CP
  2016-05 | 1,210,000 | Decree 47/2016/NĐ-CP
  2017-07 | 1,300,000 | Decree 47/2017/NĐ-CP
  2018-07 | 1,390,000 | Decree 72/2018/NĐ-CP
  2019-07 | 1,490,000 | Decree 38/2019/NĐ-CP
  2023-07 | 1,800,000 | Decree 24/2023/NĐ-CP
  2024-07 | 2,340,000 | Decree 73/2024/NĐ-CP
  2026-07 | 2,530,000 | Decree 161/2026/NĐ-CP`;

const MINIMUM_WAGE_TEXT = `
  2015-01 | 3,100,000 2,750,000 2,400,000 2,150,000 | Decree 103/2014/NĐ-CP
  2016-01 | 3,500,000 3,100,000 2,700,000 2,400,000 | Decree 122/2015/NĐ-CP
  2017-01 | 3,750,000 3,320,000 2,900,000 2,580,000 | Decree 153/2016/NĐ-CP
  2018-01 | 3,980,000 3,530,000 3,090,000 2,760,000 | Decree 141/2017/NĐ-CP
  2019-01 | 4,180,000 3,710,000 3,250,000 2,920,000 | Decree 157/2018/NĐ-CP
  2020-01 | 4,420,000 3,920,000 3,430,000 3,070,000 | Decree 90/2019/NĐ-CP
  2022-07 | 4,680,000 4,160,000 3,640,000 3,250,000 | Decree 38/2022/NĐ-CP
  2024-07 | 4,960,000 4,410,000 3,860,000 3,450,000 | Decree 74/2024/NĐ-CP
  2026-01 | 5,310,000 4,730,000 4,140,000 3,700,000 | Decree 293/2025/NĐ-CP`;

const FAMILY_DEDUCTIONS_TEXT = `
  2015-01 |  9,000,000 3,600,000 | Law 26/2012/QH13
  2020-01 | 11,000,000 4,400,000 | Resolution 954/2020/UBTVQH14
  2026-01 | 15,500,000 6,200,000 | Resolution 110/2025/UBTVQH15`;

/** Each table as the instruments have it, typed a second time. */
describe('the values of the law', () => {
  test('base salary', () => {
    assert.deepEqual(
      BASE_SALARY.map(({ effective_from: from, value, instrument }) => ({ from, numbers: [value], instrument })),
      rowsOf(BASE_SALARY_TEXT),
    );
  });

  test('minimum wage of the regions I, II, III, IV', () => {
    assert.deepEqual(
      MINIMUM_WAGE.map(({ effective_from: from, value, instrument }) =>
        ({ from, numbers: [value[1], value[2], value[3], value[4]], instrument })),
      rowsOf(MINIMUM_WAGE_TEXT),
    );
  });

  test('family deductions: own, each dependent', () => {
    assert.deepEqual(
      FAMILY_DEDUCTIONS.map(({ effective_from: from, value, instrument }) =>
        ({ from, numbers: [value.self, value.dependent], instrument })),
      rowsOf(FAMILY_DEDUCTIONS_TEXT),
    );
  });

  test('progressive tax', () => {
    assert.deepEqual(
      PROGRESSIVE_TAX.map(({ effective_from: from, value }) => [from, value.map(({ to, rate }) => `to ${to === null ? 'any amount' : `${to / 1e6}M`}: ${rate} %`)]),
      [
        ['2015-01', ['to 5M: 5 %', 'to 10M: 10 %', 'to 18M: 15 %', 'to 32M: 20 %', 'to 52M: 25 %', 'to 80M: 30 %',
          'to any amount: 35 %']],
        ['2026-01', ['to 10M: 5 %', 'to 30M: 10 %', 'to 60M: 20 %', 'to 100M: 30 %', 'to any amount: 35 %']],
      ],
    );
    assert.match(PROGRESSIVE_TAX[0]!.instrument, /Law 04\/2007\/QH12 art\. 22/);
    assert.match(PROGRESSIVE_TAX[1]!.instrument, /Law 109\/2025\/QH15 art\. 9.*Decree 253\/2026\/NĐ-CP art\. 69\.1\.a/);
  });

  const rates: readonly [period: string, employee: string, employer: string][] = [
    ['2015-01', '8 1.5 1', '18 3 1'],
    ['2017-05', '8 1.5 1', '18 3 1'],
    ['2017-06', '8 1.5 1', '17.5 3 1'],
    ['2025-06', '8 1.5 1', '17.5 3 1'],
    ['2025-07', '8 1.5 1', '17.5 3 1'],
    ['2026-01', '8 1.5 1', '17.5 3 1'],
    ['2027-01', '8 1.5 1', '17.5 3 1'],
  ];
  for (const [period, employee, employer] of rates) {
    test(`${period}: bhxh, bhyt, bhtn at ${employee} % for the employee, ${employer} % for the employer`, () => {
      const { employeeRates, employerRates } = lawOf(period, 1);
      const percents = ({ bhxh, bhyt, bhtn }: typeof employeeRates): string =>
        [bhxh, bhyt, bhtn].map(({ value }) => value).join(' ');
      assert.equal(percents(employeeRates), employee);
      assert.equal(percents(employerRates), employer);
    });
  }

  test('caps are 20 times the base salary or the minimum wage, and the first month is 2015-01', () => {
    assert.equal(CAP_MULTIPLE, 20);
    assert.equal(FIRST_PERIOD, '2015-01');
  });
});

test('lawOf takes the wage of the region and the newest row of every table', () => {
  const wages = ([1, 2, 3, 4] as const).map((region) => lawOf('2026-10', region).minimumWage.value);
  assert.deepEqual(wages, [5_310_000, 4_730_000, 4_140_000, 3_700_000]);
  const { period, region, baseSalary, deductions, brackets } = lawOf('2026-10', 4);
  assert.deepEqual([period, region], ['2026-10', 4]);
  assert.equal(baseSalary, BASE_SALARY.at(-1));
  assert.equal(deductions, FAMILY_DEDUCTIONS.at(-1));
  assert.equal(brackets, PROGRESSIVE_TAX.at(-1));
  assert.throws(() => lawOf('2014-12', 1), RangeError);
});
