/**
 * Vietnamese payroll law as data. Each row has the first salary month to which it applies, its value, and the legal
 * instrument that sets it. The tables begin in 2015-01, the first month covered, whose rows may be older law that was
 * in force then; a month after the newest row uses the newest row. New law is a new row at the end of its table.
 *
 * The tables contain the law known at REVIEWED_THROUGH. Drafts are not law and have no row.
 */
import { deepFreeze } from '../contract/freeze.ts';

/** The first salary month covered. */
export const FIRST_PERIOD = '2015-01';

/** The last salary month whose law has been reviewed. */
export const REVIEWED_THROUGH = '2026-10';

/** A value of the law, from a month (YYYY-MM) on. */
export interface Dated<T> {
  readonly effective_from: string;
  readonly instrument: string;
  readonly value: T;
}

/** The three compulsory insurances: social (bhxh), health (bhyt) and unemployment (bhtn). */
export type Insurance = 'bhxh' | 'bhyt' | 'bhtn';

/** The four regions of the minimum wage. */
export type Region = 1 | 2 | 3 | 4;

/**
 * A slice of monthly taxable income: above the bracket before it, up to and including `to` (null in the last bracket),
 * taxed at `rate` percent.
 */
export interface Bracket {
  readonly to: number | null;
  readonly rate: number;
}

/** Progressive tax on monthly taxable income (biểu thuế lũy tiến từng phần), in đồng and percent. */
export const PROGRESSIVE_TAX: readonly Dated<readonly Bracket[]>[] = deepFreeze([
  row('2015-01', [
    { to: 5_000_000, rate: 5 }, { to: 10_000_000, rate: 10 }, { to: 18_000_000, rate: 15 },
    { to: 32_000_000, rate: 20 }, { to: 52_000_000, rate: 25 }, { to: 80_000_000, rate: 30 }, { to: null, rate: 35 },
  ], 'Law 04/2007/QH12 art. 22'),
  row('2026-01', [
    { to: 10_000_000, rate: 5 }, { to: 30_000_000, rate: 10 }, { to: 60_000_000, rate: 20 },
    { to: 100_000_000, rate: 30 }, { to: null, rate: 35 },
  ], 'Law 109/2025/QH15 art. 9, art. 29.2; Decree 253/2026/NĐ-CP art. 69.1.a'),
]);

/** Family deductions (giảm trừ gia cảnh) for the taxpayer and for each dependent, in đồng per month. */
export const FAMILY_DEDUCTIONS: readonly Dated<{ readonly self: number; readonly dependent: number }>[] = deepFreeze([
  row('2015-01', { self: 9_000_000, dependent: 3_600_000 }, 'Law 26/2012/QH13'),
  row('2020-01', { self: 11_000_000, dependent: 4_400_000 }, 'Resolution 954/2020/UBTVQH14'),
  row('2026-01', { self: 15_500_000, dependent: 6_200_000 }, 'Resolution 110/2025/UBTVQH15'),
]);

/** The contributions of the employee, in percent of the insurance salary. */
export const EMPLOYEE_RATES: Readonly<Record<Insurance, readonly Dated<number>[]>> = deepFreeze({
  bhxh: [
    row('2015-01', 8, 'Law 58/2014/QH13'),
    row('2025-07', 8, 'Law 41/2024/QH15 art. 33'),
  ],
  bhyt: [
    row('2015-01', 1.5, 'Law 25/2008/QH12 art. 13, amended by Law 46/2014/QH13'),
    row('2025-07', 1.5, 'Decree 188/2025/NĐ-CP'),
  ],
  bhtn: [
    row('2015-01', 1, 'Law 38/2013/QH13'),
    row('2026-01', 1, 'Law 74/2025/QH15 art. 33'),
  ],
});

/** The contributions of the employer, in percent; the temporary cuts of 2021 and 2022 are not included. */
export const EMPLOYER_RATES: Readonly<Record<Insurance, readonly Dated<number>[]>> = deepFreeze({
  bhxh: [
    row('2015-01', 18, 'Law 58/2014/QH13'),
    row('2017-06', 17.5, 'Decree 44/2017/NĐ-CP'),
    row('2025-07', 17.5, 'Law 41/2024/QH15'),
  ],
  bhyt: [
    row('2015-01', 3, 'Law 25/2008/QH12 art. 13, amended by Law 46/2014/QH13'),
    row('2025-07', 3, 'Decree 188/2025/NĐ-CP'),
  ],
  bhtn: [
    row('2015-01', 1, 'Law 38/2013/QH13'),
    row('2026-01', 1, 'Law 74/2025/QH15'),
  ],
});

/** Contributions are capped at this multiple of the base salary (bhxh, bhyt) or of the minimum wage (bhtn). */
export const CAP_MULTIPLE = 20;

/**
 * Base salary (lương cơ sở), in đồng per month. It caps bhxh and bhyt; from 2025-07 through the reference level, which
 * equals it: Law 41/2024/QH15 art. 31.1.đ, art. 141.13.
 */
export const BASE_SALARY: readonly Dated<number>[] = deepFreeze([
  row('2015-01', 1_150_000, 'Decree 66/2013/NĐ-CP'),
  row('2016-05', 1_210_000, 'Decree 47/2016/NĐ-CP'),
  row('2017-07', 1_300_000, 'Decree 47/2017/NĐ-CP'),
  row('2018-07', 1_390_000, 'Decree 72/2018/NĐ-CP'),
  row('2019-07', 1_490_000, 'Decree 38/2019/NĐ-CP'),
  row('2023-07', 1_800_000, 'Decree 24/2023/NĐ-CP'),
  row('2024-07', 2_340_000, 'Decree 73/2024/NĐ-CP'),
  row('2026-07', 2_530_000, 'Decree 161/2026/NĐ-CP'),
]);

/**
 * Regional minimum wage (lương tối thiểu vùng), in đồng per month, of regions I to IV. It caps bhtn: Law 38/2013/QH13
 * art. 58; Law 74/2025/QH15 art. 34.2.
 */
export const MINIMUM_WAGE: readonly Dated<Readonly<Record<Region, number>>>[] = deepFreeze([
  row('2015-01', { 1: 3_100_000, 2: 2_750_000, 3: 2_400_000, 4: 2_150_000 }, 'Decree 103/2014/NĐ-CP'),
  row('2016-01', { 1: 3_500_000, 2: 3_100_000, 3: 2_700_000, 4: 2_400_000 }, 'Decree 122/2015/NĐ-CP'),
  row('2017-01', { 1: 3_750_000, 2: 3_320_000, 3: 2_900_000, 4: 2_580_000 }, 'Decree 153/2016/NĐ-CP'),
  row('2018-01', { 1: 3_980_000, 2: 3_530_000, 3: 3_090_000, 4: 2_760_000 }, 'Decree 141/2017/NĐ-CP'),
  row('2019-01', { 1: 4_180_000, 2: 3_710_000, 3: 3_250_000, 4: 2_920_000 }, 'Decree 157/2018/NĐ-CP'),
  row('2020-01', { 1: 4_420_000, 2: 3_920_000, 3: 3_430_000, 4: 3_070_000 }, 'Decree 90/2019/NĐ-CP'),
  row('2022-07', { 1: 4_680_000, 2: 4_160_000, 3: 3_640_000, 4: 3_250_000 }, 'Decree 38/2022/NĐ-CP'),
  row('2024-07', { 1: 4_960_000, 2: 4_410_000, 3: 3_860_000, 4: 3_450_000 }, 'Decree 74/2024/NĐ-CP'),
  row('2026-01', { 1: 5_310_000, 2: 4_730_000, 3: 4_140_000, 4: 3_700_000 }, 'Decree 293/2025/NĐ-CP'),
]);

function row<T>(effective_from: string, value: T, instrument: string): Dated<T> {
  return { effective_from, instrument, value };
}

/** The row of a table that is in force in a month (YYYY-MM). */
export function inForce<T>(table: readonly Dated<T>[], period: string): Dated<T> {
  const found = table.findLast(({ effective_from }) => effective_from <= period);
  if (found === undefined) throw new RangeError(`The law tables begin in ${FIRST_PERIOD}`);
  return found;
}

/** The rows in force in a month, for a region. */
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

// Nearly all requests are for the month and region of the request before, and the look-up is half of a calculation.
// The cached object is frozen, so that all callers can share it.
let latest: Law | undefined;

/** The law of a month (YYYY-MM, 2015-01 or later) in a region. */
export function lawOf(period: string, region: Region): Law {
  if (latest?.period !== period || latest.region !== region) latest = deepFreeze(lookUp(period, region));
  return latest;
}

function lookUp(period: string, region: Region): Law {
  const minimumWage = inForce(MINIMUM_WAGE, period);
  return {
    period,
    region,
    employeeRates: ratesInForce(EMPLOYEE_RATES, period),
    employerRates: ratesInForce(EMPLOYER_RATES, period),
    baseSalary: inForce(BASE_SALARY, period),
    minimumWage: { ...minimumWage, value: minimumWage.value[region] },
    deductions: inForce(FAMILY_DEDUCTIONS, period),
    brackets: inForce(PROGRESSIVE_TAX, period),
  };
}

function ratesInForce({ bhxh, bhyt, bhtn }: typeof EMPLOYEE_RATES, period: string): Law['employeeRates'] {
  return { bhxh: inForce(bhxh, period), bhyt: inForce(bhyt, period), bhtn: inForce(bhtn, period) };
}
