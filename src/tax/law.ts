/**
 * Vietnamese payroll law as data. Each row: the first salary month it applies to, its value, and the instrument that
 * says so. The tables begin in 2015-01, the first month covered, whose rows may be older law still in force then; a
 * month after the newest row uses the newest row. New law is a new row at the end of its table.
 *
 * Reviewed through 2026-10. Drafts are not law and have no row.
 */

import { deepFreeze } from '../contract/freeze.ts';

/** The first salary month covered. */
export const FIRST_PERIOD = '2015-01';

/** A value of the law from a month (YYYY-MM) on. */
export interface Dated<T> {
  readonly from: string;
  readonly value: T;
  readonly instrument: string;
}

/** The three compulsory insurances: social (bhxh), health (bhyt) and unemployment (bhtn). */
export type Insurance = 'bhxh' | 'bhyt' | 'bhtn';

/** The four regions that the minimum wage distinguishes. */
export type Region = 1 | 2 | 3 | 4;

/** A slice of monthly taxable income: over the bracket before it, up to and including `to`, taxed at `rate` percent. */
export interface Bracket {
  readonly to: number;
  readonly rate: number;
}

/** Progressive tax on monthly taxable income (biểu thuế lũy tiến từng phần); đồng and percent. */
export const PROGRESSIVE_TAX: readonly Dated<readonly Bracket[]>[] = deepFreeze([
  {
    from: '2015-01',
    value: [
      { to: 5_000_000, rate: 5 }, { to: 10_000_000, rate: 10 }, { to: 18_000_000, rate: 15 },
      { to: 32_000_000, rate: 20 }, { to: 52_000_000, rate: 25 }, { to: 80_000_000, rate: 30 },
      { to: Infinity, rate: 35 },
    ],
    instrument: 'Law 04/2007/QH12 art. 22',
  },
  {
    from: '2026-01',
    value: [
      { to: 10_000_000, rate: 5 }, { to: 30_000_000, rate: 10 }, { to: 60_000_000, rate: 20 },
      { to: 100_000_000, rate: 30 }, { to: Infinity, rate: 35 },
    ],
    instrument: 'Law 109/2025/QH15 art. 9, art. 29.2; Decree 253/2026/NĐ-CP art. 69.1.a',
  },
]);

/** Family deductions (giảm trừ gia cảnh): đồng a month for the taxpayer and for each dependent. */
export const FAMILY_DEDUCTIONS: readonly Dated<{ readonly self: number; readonly dependent: number }>[] = deepFreeze([
  { from: '2015-01', value: { self: 9_000_000, dependent: 3_600_000 }, instrument: 'Law 26/2012/QH13' },
  { from: '2020-01', value: { self: 11_000_000, dependent: 4_400_000 }, instrument: 'Resolution 954/2020/UBTVQH14' },
  { from: '2026-01', value: { self: 15_500_000, dependent: 6_200_000 }, instrument: 'Resolution 110/2025/UBTVQH15' },
]);

/** What the employee contributes, in tenths of a percent of the insurance salary. */
export const EMPLOYEE_RATES: Readonly<Record<Insurance, readonly Dated<number>[]>> = deepFreeze({
  bhxh: [
    { from: '2015-01', value: 80, instrument: 'Law 58/2014/QH13' },
    { from: '2025-07', value: 80, instrument: 'Law 41/2024/QH15 art. 33' },
  ],
  bhyt: [
    { from: '2015-01', value: 15, instrument: 'Law 25/2008/QH12 art. 13, amended by Law 46/2014/QH13' },
    { from: '2025-07', value: 15, instrument: 'Decree 188/2025/NĐ-CP' },
  ],
  bhtn: [
    { from: '2015-01', value: 10, instrument: 'Law 38/2013/QH13' },
    { from: '2026-01', value: 10, instrument: 'Law 74/2025/QH15 art. 33' },
  ],
});

/** What the employer contributes, likewise; the temporary cuts of 2021 and 2022 are left out. */
export const EMPLOYER_RATES: Readonly<Record<Insurance, readonly Dated<number>[]>> = deepFreeze({
  bhxh: [
    { from: '2015-01', value: 180, instrument: 'Law 58/2014/QH13' },
    { from: '2017-06', value: 175, instrument: 'Decree 44/2017/NĐ-CP' },
    { from: '2025-07', value: 175, instrument: 'Law 41/2024/QH15' },
  ],
  bhyt: [
    { from: '2015-01', value: 30, instrument: 'Law 25/2008/QH12 art. 13, amended by Law 46/2014/QH13' },
    { from: '2025-07', value: 30, instrument: 'Decree 188/2025/NĐ-CP' },
  ],
  bhtn: [
    { from: '2015-01', value: 10, instrument: 'Law 38/2013/QH13' },
    { from: '2026-01', value: 10, instrument: 'Law 74/2025/QH15' },
  ],
});

/** The cap of each insurance is this many times the base salary (bhxh, bhyt) or the minimum wage (bhtn). */
export const CAP_MULTIPLE = 20;

/**
 * Base salary (lương cơ sở), đồng a month. It caps bhxh and bhyt; from 2025-07 through the reference level, which
 * equals it: Law 41/2024/QH15 art. 31.1.đ, art. 141.13.
 */
export const BASE_SALARY: readonly Dated<number>[] = deepFreeze([
  { from: '2015-01', value: 1_150_000, instrument: 'Decree 66/2013/NĐ-CP' },
  { from: '2016-05', value: 1_210_000, instrument: 'Decree 47/2016/NĐ-CP' },
  { from: '2017-07', value: 1_300_000, instrument: 'Decree 47/2017/NĐ-CP' },
  { from: '2018-07', value: 1_390_000, instrument: 'Decree 72/2018/NĐ-CP' },
  { from: '2019-07', value: 1_490_000, instrument: 'Decree 38/2019/NĐ-CP' },
  { from: '2023-07', value: 1_800_000, instrument: 'Decree 24/2023/NĐ-CP' },
  { from: '2024-07', value: 2_340_000, instrument: 'Decree 73/2024/NĐ-CP' },
  { from: '2026-07', value: 2_530_000, instrument: 'Decree 161/2026/NĐ-CP' },
]);

/**
 * Regional minimum wage (lương tối thiểu vùng), đồng a month in regions I to IV. It caps bhtn: Law 38/2013/QH13
 * art. 58; Law 74/2025/QH15 art. 34.2.
 */
export const MINIMUM_WAGE: readonly Dated<Readonly<Record<Region, number>>>[] = deepFreeze([
  { from: '2015-01', value: regions(3_100_000, 2_750_000, 2_400_000, 2_150_000), instrument: 'Decree 103/2014/NĐ-CP' },
  { from: '2016-01', value: regions(3_500_000, 3_100_000, 2_700_000, 2_400_000), instrument: 'Decree 122/2015/NĐ-CP' },
  { from: '2017-01', value: regions(3_750_000, 3_320_000, 2_900_000, 2_580_000), instrument: 'Decree 153/2016/NĐ-CP' },
  { from: '2018-01', value: regions(3_980_000, 3_530_000, 3_090_000, 2_760_000), instrument: 'Decree 141/2017/NĐ-CP' },
  { from: '2019-01', value: regions(4_180_000, 3_710_000, 3_250_000, 2_920_000), instrument: 'Decree 157/2018/NĐ-CP' },
  { from: '2020-01', value: regions(4_420_000, 3_920_000, 3_430_000, 3_070_000), instrument: 'Decree 90/2019/NĐ-CP' },
  { from: '2022-07', value: regions(4_680_000, 4_160_000, 3_640_000, 3_250_000), instrument: 'Decree 38/2022/NĐ-CP' },
  { from: '2024-07', value: regions(4_960_000, 4_410_000, 3_860_000, 3_450_000), instrument: 'Decree 74/2024/NĐ-CP' },
  { from: '2026-01', value: regions(5_310_000, 4_730_000, 4_140_000, 3_700_000), instrument: 'Decree 293/2025/NĐ-CP' },
]);

/** The rows in force in one month and region. */
export interface Law {
  readonly period: string;
  readonly region: Region;
  readonly employeeRates: Readonly<Record<Insurance, Dated<number>>>;
  readonly employerRates: Readonly<Record<Insurance, Dated<number>>>;
  readonly baseSalary: Dated<number>;
  readonly minimumWage: Dated<number>;
  readonly deductions: Dated<{ readonly self: number; readonly dependent: number }>;
  readonly brackets: Dated<readonly Bracket[]>;
}

let latest: Law | undefined;

/** The law of a month (YYYY-MM, 2015-01 or later) in a region. */
export function lawOf(period: string, region: Region): Law {
  // Nearly every request is about the month and region of the one before; to look them up is half of a calculation.
  if (latest?.period !== period || latest.region !== region) latest = deepFreeze(gathered(period, region));
  return latest;
}

function gathered(period: string, region: Region): Law {
  const wage = inForce(MINIMUM_WAGE, period);
  return {
    period,
    region,
    employeeRates: ratesInForce(EMPLOYEE_RATES, period),
    employerRates: ratesInForce(EMPLOYER_RATES, period),
    baseSalary: inForce(BASE_SALARY, period),
    minimumWage: { ...wage, value: wage.value[region] },
    deductions: inForce(FAMILY_DEDUCTIONS, period),
    brackets: inForce(PROGRESSIVE_TAX, period),
  };
}

function regions(first: number, second: number, third: number, fourth: number): Readonly<Record<Region, number>> {
  return { 1: first, 2: second, 3: third, 4: fourth };
}

/** The row of a table that applies in a month: the newest that does not begin after it. */
export function inForce<T>(table: readonly Dated<T>[], period: string): Dated<T> {
  const row = table.findLast(({ from }) => from <= period);
  if (row === undefined) throw new RangeError(`The law tables begin in ${FIRST_PERIOD}`);
  return row;
}

function ratesInForce({ bhxh, bhyt, bhtn }: typeof EMPLOYEE_RATES, period: string): Law['employeeRates'] {
  return { bhxh: inForce(bhxh, period), bhyt: inForce(bhyt, period), bhtn: inForce(bhtn, period) };
}
