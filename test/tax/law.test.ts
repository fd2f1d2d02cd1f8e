import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  BASE_SALARY, CAP_MULTIPLE, type Dated, EMPLOYEE_RATES, EMPLOYER_RATES, EXPENSE_LIMITS, FAMILY_DEDUCTIONS,
  findInForce, FIRST_PERIOD, FLAT_TAX, FOREIGNER_RATES, inForce, lawOf, MINIMUM_WAGE, PROGRESSIVE_TAX, UNION_FUND_RATE,
  VOLUNTARY_PENSION_LIMIT,
} from '../../src/tax/law.ts';
import { REGIONS } from './oracle.ts';

const HEALTH_LAW = 'Law 25/2008/QH12 art. 13, amended by Law 46/2014/QH13';
const CUT = 'Resolution 68/NQ-CP of 2021-07-01; Decision 23/2021/QĐ-TTg';
const NO_BHTN = `
    2015-01 | 0 | Law 38/2013/QH13 art. 43
    2026-01 | 0 | Law 74/2025/QH15 art. 31`;

/**
 * Each table as its instruments state it, independent of the code: first month, all numbers of the row, instrument. A
 * new row of a table needs a new line here, and breaks no other test.
 */
const TABLES: Readonly<Record<string, readonly [table: readonly Dated<unknown>[], text: string]>> = {
  'progressive tax, as upper bounds and rates': [PROGRESSIVE_TAX, `
    2015-01 | 5,000,000 5 10,000,000 10 18,000,000 15 32,000,000 20 52,000,000 25 80,000,000 30 35 | Law 04/2007/QH12 art. 22
    2026-01 | 10,000,000 5 30,000,000 10 60,000,000 20 100,000,000 30 35 | Law 109/2025/QH15 art. 9.2, art. 29.2; Decree 253/2026/NĐ-CP art. 69.1.a`],
  'family deductions: own, each dependent': [FAMILY_DEDUCTIONS, `
    2015-01 |  9,000,000 3,600,000 | Law 26/2012/QH13 art. 1.4
    2020-01 | 11,000,000 4,400,000 | Resolution 954/2020/UBTVQH14
    2026-01 | 15,500,000 6,200,000 | Resolution 110/2025/UBTVQH15; Law 109/2025/QH15 art. 10.1`],
  'voluntary pension limit': [VOLUNTARY_PENSION_LIMIT, `
    2015-01 | 1,000,000 | Circular 111/2013/TT-BTC art. 9.2.b
    2026-01 | 3,000,000 | Law 109/2025/QH15 art. 8.2; Decree 253/2026/NĐ-CP art. 46`],
  'medical limit': [EXPENSE_LIMITS.medical, `
    2026-01 | 23,000,000 | Law 109/2025/QH15 art. 11; Decree 253/2026/NĐ-CP art. 49.2.a`],
  'education limit': [EXPENSE_LIMITS.education, `
    2026-01 | 24,000,000 | Law 109/2025/QH15 art. 11; Decree 253/2026/NĐ-CP art. 49.2.b`],
  'flat tax on a short term: rate, threshold': [FLAT_TAX.short_term, `
    2015-01 | 10 2,000,000 | Circular 111/2013/TT-BTC art. 25.1.i
    2026-01 | 10 5,000,000 | Decree 253/2026/NĐ-CP art. 50.2, art. 69.1.a`],
  'flat tax of a non-resident: rate, threshold': [FLAT_TAX.non_resident, `
    2015-01 | 20 0 | Law 04/2007/QH12 art. 26
    2026-07 | 20 0 | Law 109/2025/QH15 art. 21`],
  'bhxh rate of the employee': [EMPLOYEE_RATES.bhxh, `
    2015-01 | 8 | Law 71/2006/QH11 art. 91
    2016-01 | 8 | Law 58/2014/QH13 art. 85
    2025-07 | 8 | Law 41/2024/QH15 art. 33.1`],
  'bhyt rate of the employee': [EMPLOYEE_RATES.bhyt, `
    2015-01 | 1.5 | ${HEALTH_LAW}; Decree 105/2014/NĐ-CP
    2018-12 | 1.5 | ${HEALTH_LAW}; Decree 146/2018/NĐ-CP art. 7
    2025-07 | 1.5 | Law 51/2024/QH15; Decree 188/2025/NĐ-CP`],
  'bhtn rate of the employee': [EMPLOYEE_RATES.bhtn, `
    2015-01 | 1 | Law 38/2013/QH13 art. 57
    2026-01 | 1 | Law 74/2025/QH15 art. 33; Decree 374/2025/NĐ-CP`],
  'bhxh rate of the employer': [EMPLOYER_RATES.bhxh, `
    2015-01 | 18   | Law 71/2006/QH11 art. 92
    2016-01 | 18   | Law 58/2014/QH13 art. 86
    2017-06 | 17.5 | Law 58/2014/QH13 art. 86; Decree 44/2017/NĐ-CP
    2020-07 | 17.5 | Law 58/2014/QH13 art. 86; Decree 58/2020/NĐ-CP art. 4
    2021-07 | 17   | ${CUT}
    2022-07 | 17.5 | Law 58/2014/QH13 art. 86; Decree 58/2020/NĐ-CP art. 4
    2025-07 | 17.5 | Law 41/2024/QH15 art. 34.1; Decree 58/2020/NĐ-CP art. 4, amended by Decree 158/2025/NĐ-CP`],
  'bhyt rate of the employer': [EMPLOYER_RATES.bhyt, `
    2015-01 | 3 | ${HEALTH_LAW}; Decree 105/2014/NĐ-CP
    2018-12 | 3 | ${HEALTH_LAW}; Decree 146/2018/NĐ-CP art. 7
    2025-07 | 3 | Law 51/2024/QH15; Decree 188/2025/NĐ-CP`],
  'bhtn rate of the employer': [EMPLOYER_RATES.bhtn, `
    2015-01 | 1 | Law 38/2013/QH13 art. 57
    2021-10 | 0 | Resolution 116/NQ-CP; Decision 28/2021/QĐ-TTg
    2022-10 | 1 | Law 38/2013/QH13 art. 57
    2026-01 | 1 | Law 74/2025/QH15 art. 33; Decree 374/2025/NĐ-CP`],
  'bhxh rate of a foreigner': [FOREIGNER_RATES.employee.bhxh, `
    2015-01 | 0 | Law 71/2006/QH11 art. 2
    2018-12 | 0 | Decree 143/2018/NĐ-CP art. 12
    2022-01 | 8 | Decree 143/2018/NĐ-CP art. 12
    2025-07 | 8 | Law 41/2024/QH15 art. 33.1`],
  'bhtn rate of a foreigner': [FOREIGNER_RATES.employee.bhtn, NO_BHTN],
  'bhxh rate of the employer of a foreigner': [FOREIGNER_RATES.employer.bhxh, `
    2015-01 | 0    | Law 71/2006/QH11 art. 2
    2018-12 | 3.5  | Decree 143/2018/NĐ-CP art. 13
    2021-07 | 3    | ${CUT}
    2022-01 | 17   | Decree 143/2018/NĐ-CP art. 13; ${CUT}
    2022-07 | 17.5 | Decree 143/2018/NĐ-CP art. 13; Decree 58/2020/NĐ-CP art. 4
    2025-07 | 17.5 | Law 41/2024/QH15 art. 34.1; Decree 58/2020/NĐ-CP art. 4`],
  'bhtn rate of the employer of a foreigner': [FOREIGNER_RATES.employer.bhtn, NO_BHTN],
  'trade-union fund rate': [UNION_FUND_RATE, `
    2015-01 | 2 | Law 12/2012/QH13 art. 26.2; Decree 191/2013/NĐ-CP art. 5
    2025-07 | 2 | Law 50/2024/QH15 art. 29.1.b`],
  'base salary': [BASE_SALARY, `
    2015-01 | 1,150,000 | Decree 66/2013/NĐ-CP
    2016-05 | 1,210,000 | Decree 47/2016/NĐ-CP
    2017-07 | 1,300,000 | Decree 47/2017/NĐ-CP
    2018-07 | 1,390,000 | Decree 72/2018/NĐ-CP
    2019-07 | 1,490,000 | Decree 38/2019/NĐ-CP
    2023-07 | 1,800,000 | Decree 24/2023/NĐ-CP
    2024-07 | 2,340,000 | Decree 73/2024/NĐ-CP
    2026-07 | 2,530,000 | Decree 161/2026/NĐ-CP`],
  'minimum wage of the regions I, II, III, IV': [MINIMUM_WAGE, `
    2015-01 | 3,100,000 2,750,000 2,400,000 2,150,000 | Decree 103/2014/NĐ-CP
    2016-01 | 3,500,000 3,100,000 2,700,000 2,400,000 | Decree 122/2015/NĐ-CP
    2017-01 | 3,750,000 3,320,000 2,900,000 2,580,000 | Decree 153/2016/NĐ-CP
    2018-01 | 3,980,000 3,530,000 3,090,000 2,760,000 | Decree 141/2017/NĐ-CP
    2019-01 | 4,180,000 3,710,000 3,250,000 2,920,000 | Decree 157/2018/NĐ-CP
    2020-01 | 4,420,000 3,920,000 3,430,000 3,070,000 | Decree 90/2019/NĐ-CP
    2022-07 | 4,680,000 4,160,000 3,640,000 3,250,000 | Decree 38/2022/NĐ-CP
    2024-07 | 4,960,000 4,410,000 3,860,000 3,450,000 | Decree 74/2024/NĐ-CP
    2026-01 | 5,310,000 4,730,000 4,140,000 3,700,000 | Decree 293/2025/NĐ-CP`],
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

/** The rows of a table in text: month, numbers, instrument. */
function rowsOf(text: string): { from: string; numbers: number[]; instrument: string }[] {
  return text.trim().split('\n').map((line) => {
    const [from = '', numbers = '', instrument = ''] = line.split('|').map((cell) => cell.trim());
    return { from, numbers: numbers.split(' ').map((number) => Number(number.replaceAll(',', ''))), instrument };
  });
}

describe('every table of the law', () => {
  for (const [name, [table, text]] of Object.entries(TABLES)) {
    test(`${name}: has the values and the instruments of the law`, () => {
      assert.deepEqual(
        table.map(({ effective_from: from, value, instrument }) => ({ from, numbers: numbersIn(value), instrument })),
        rowsOf(text),
      );
    });

    test(`${name}: begins in ${table[0]?.effective_from}, and its months ascend`, () => {
      const months = table.map(({ effective_from }) => effective_from);
      assert.equal(months[0], name === 'medical limit' || name === 'education limit' ? '2026-01' : '2015-01');
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

    test(`${name}: applies a row from its month on, and the row before until then`, () => {
      for (const [at, row] of table.entries()) {
        assert.equal(inForce(table, row.effective_from), row);
        if (at > 0) assert.equal(inForce(table, monthAfter(row.effective_from, -1)), table[at - 1]);
      }
    });

    test(`${name}: applies the newest row to every later month`, () => {
      const newest = table.at(-1)!;
      assert.equal(inForce(table, monthAfter(newest.effective_from)), newest);
      assert.equal(inForce(table, '9999-12'), newest);
    });

    test(`${name}: has no row for the months before its first row`, () => {
      assert.equal(findInForce(table, monthAfter(table[0]!.effective_from, -1)), undefined);
      assert.throws(() => inForce(table, '2014-12'), new RangeError('The law tables begin in 2015-01'));
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
    for (const { to } of PROGRESSIVE_TAX.flatMap(({ value }) => value)) assert.equal((to ?? 0) % 100, 0);
  });

  test('caps are 20 times the base salary or the minimum wage, and the first month is 2015-01', () => {
    assert.equal(CAP_MULTIPLE, 20);
    assert.equal(FIRST_PERIOD, '2015-01');
  });
});

/** The latest month in which any table changes. */
const NEWEST = Object.values(TABLES).flatMap(([table]) => table.map(({ effective_from }) => effective_from)).sort().at(-1)!;

test('the rates of health insurance apply to foreigners too', () => {
  assert.equal(FOREIGNER_RATES.employee.bhyt, EMPLOYEE_RATES.bhyt);
  assert.equal(FOREIGNER_RATES.employer.bhyt, EMPLOYER_RATES.bhyt);
});

test('lawOf returns the minimum wage of the region and the newest row of every table', () => {
  const wages = REGIONS.map((region) => lawOf(NEWEST, region).minimumWage.value);
  assert.deepEqual(wages, REGIONS.map((region) => MINIMUM_WAGE.at(-1)!.value[region]));
  const { period, region, baseSalary, tax, employeeRates, employerRates, unionFundRate } = lawOf(NEWEST, 4);
  assert.deepEqual([period, region], [NEWEST, 4]);
  assert.equal(baseSalary, BASE_SALARY.at(-1));
  assert.deepEqual(tax,
    { kind: 'progressive', deductions: FAMILY_DEDUCTIONS.at(-1), brackets: PROGRESSIVE_TAX.at(-1) });
  assert.equal(unionFundRate, UNION_FUND_RATE.at(-1));
  for (const insurance of ['bhxh', 'bhyt', 'bhtn'] as const) {
    assert.equal(employeeRates[insurance], EMPLOYEE_RATES[insurance].at(-1));
    assert.equal(employerRates[insurance], EMPLOYER_RATES[insurance].at(-1));
  }
  assert.throws(() => lawOf('2014-12', 1), RangeError);
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
    ['2026-08', 1], ['2026-07', 1], ['2026-08', 2], ['2026-08', 1, { foreigner: true }],
    ['2026-08', 1, { taxation: 'short_term' }], ['2026-08', 1, { taxation: 'non_resident' }],
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
