/**
 * Vietnamese payroll law as data. Each row has the first month to which it applies, its value, and the legal instrument
 * that sets it. Tax follows the month of payment, insurance the salary month. The tables begin with 2015-01, the first
 * month covered; their first rows may be older law that was still in force. A month after the newest row uses the
 * newest row. To add a law, append a row to its table here and in README.md, which also states the rules and the
 * readings of the law.
 *
 * All tables have been compared with the law of all months through REVIEWED_THROUGH. A row may begin later: it states
 * law that has been issued, not a review. Drafts are not law and have no row.
 */
import { deepFreeze } from '../contract/freeze.ts';

/** The first month covered. */
export const FIRST_PERIOD = '2015-01';

/** The last month whose law has been compared with all tables. A new row does not change it. */
export const REVIEWED_THROUGH = '2026-11';

/** A value of the law, from a month (YYYY-MM) on. */
export interface Dated<T> {
  readonly effective_from: string;
  readonly instrument: string;
  readonly value: T;
}

/** The rows of a rule, in ascending order of their months. */
export type Table<T> = readonly Dated<T>[];

/** The three compulsory insurances: social (bhxh), health (bhyt) and unemployment (bhtn). */
export type Insurance = 'bhxh' | 'bhyt' | 'bhtn';

/** The four regions of the minimum wage. */
export type Region = 1 | 2 | 3 | 4;

/** How a salary is taxed: a resident with a contract of three months or more, another resident, or a non-resident. */
export type Taxation = 'progressive' | 'short_term' | 'non_resident';

/** The deductions of the taxpayer and of each dependent, in đồng per month. */
export interface FamilyDeductions {
  readonly self: number;
  readonly dependent: number;
}

/** A tax of `rate` percent on a payment of `threshold` đồng or more, without deductions. */
export interface FlatTax {
  readonly rate: number;
  readonly threshold: number;
}

/**
 * A slice of monthly taxable income: above the bracket before it, up to and including `to` (null in the last bracket),
 * taxed at `rate` percent.
 */
export interface Bracket {
  readonly to: number | null;
  readonly rate: number;
}

/** Progressive tax (biểu thuế lũy tiến từng phần) on monthly taxable income, đồng and percent. */
export const PROGRESSIVE_TAX: Table<readonly Bracket[]> = [
  row(
    '2015-01',
    [
      { to: 5_000_000, rate: 5 },
      { to: 10_000_000, rate: 10 },
      { to: 18_000_000, rate: 15 },
      { to: 32_000_000, rate: 20 },
      { to: 52_000_000, rate: 25 },
      { to: 80_000_000, rate: 30 },
      { to: null, rate: 35 },
    ],
    'Law 04/2007/QH12 art. 22',
  ),
  row(
    '2026-01',
    [
      { to: 10_000_000, rate: 5 },
      { to: 30_000_000, rate: 10 },
      { to: 60_000_000, rate: 20 },
      { to: 100_000_000, rate: 30 },
      { to: null, rate: 35 },
    ],
    'Law 109/2025/QH15 art. 9.2, art. 29.2; Decree 253/2026/NĐ-CP art. 69.1.a',
  ),
];

/** Family deductions (giảm trừ gia cảnh). */
export const FAMILY_DEDUCTIONS: Table<FamilyDeductions> = [
  row('2015-01', { self: 9_000_000, dependent: 3_600_000 }, 'Law 26/2012/QH13 art. 1.4'),
  row('2020-01', { self: 11_000_000, dependent: 4_400_000 }, 'Resolution 954/2020/UBTVQH14'),
  row(
    '2026-01',
    { self: 15_500_000, dependent: 6_200_000 },
    'Resolution 110/2025/UBTVQH15; Law 109/2025/QH15 art. 10.1',
  ),
];

/**
 * The least number of months in the brackets of a year. They have as many months as the personal deduction of a
 * foreigner who arrives or leaves within the year, but at least these. The first row is a reading: see README.md.
 */
export const LEAST_BRACKET_MONTHS: Table<number> = [
  row('2015-01', 1, 'Circular 111/2013/TT-BTC art. 1, amended by Circular 119/2014/TT-BTC art. 2'),
  row('2026-01', 12, 'Decree 253/2026/NĐ-CP art. 46'),
];

/**
 * Deductible contributions to voluntary and supplementary pension funds and to life insurance, in đồng per month. The
 * limit includes the part that the employer pays.
 */
export const VOLUNTARY_PENSION_LIMIT: Table<number> = [
  row(
    '2015-01',
    1_000_000,
    'Circular 111/2013/TT-BTC art. 9.2.b, amended by Circular 92/2015/TT-BTC art. 15',
  ),
  row('2026-01', 3_000_000, 'Law 109/2025/QH15 art. 8.2; Decree 253/2026/NĐ-CP art. 46.2.a'),
];

/**
 * Deductible expenses of a year for medical care and for education, in đồng. They have no row before 2026, because no
 * law allowed them.
 */
export const EXPENSE_LIMITS: Readonly<Record<'medical' | 'education', Table<number>>> = {
  medical: [
    row('2026-01', 23_000_000, 'Law 109/2025/QH15 art. 11; Decree 253/2026/NĐ-CP art. 49.2.a'),
  ],
  education: [
    row('2026-01', 24_000_000, 'Law 109/2025/QH15 art. 11; Decree 253/2026/NĐ-CP art. 49.2.b'),
  ],
};

type FlatTaxation = Exclude<Taxation, 'progressive'>;

/** Flat tax, for employees without the progressive tax. */
export const FLAT_TAX: Readonly<Record<FlatTaxation, Table<FlatTax>>> = {
  short_term: [
    row('2015-01', { rate: 10, threshold: 2_000_000 }, 'Circular 111/2013/TT-BTC art. 25.1.i'),
    row('2026-07', { rate: 10, threshold: 5_000_000 }, 'Decree 253/2026/NĐ-CP art. 50.2'),
  ],
  non_resident: [
    row('2015-01', { rate: 20, threshold: 0 }, 'Law 04/2007/QH12 art. 26'),
    row('2026-07', { rate: 20, threshold: 0 }, 'Law 109/2025/QH15 art. 21'),
  ],
};

/** The rates of the three insurances, in percent of the insurance salary. */
export type Rates = Readonly<Record<Insurance, Table<number>>>;

const HEALTH_LAWS = 'Law 25/2008/QH12 art. 13, amended by Law 46/2014/QH13';
const CUT_OF_2021 = 'Resolution 68/NQ-CP of 2021-07-01; Decision 23/2021/QĐ-TTg';

/** The contributions of the employee. */
export const EMPLOYEE_RATES: Rates = {
  bhxh: [
    row('2015-01', 8, 'Law 71/2006/QH11 art. 91'),
    row('2016-01', 8, 'Law 58/2014/QH13 art. 85'),
    row('2025-07', 8, 'Law 41/2024/QH15 art. 33.1'),
  ],
  bhyt: [
    row('2015-01', 1.5, `${HEALTH_LAWS}; Decree 105/2014/NĐ-CP`),
    row('2018-12', 1.5, `${HEALTH_LAWS}; Decree 146/2018/NĐ-CP art. 7`),
    row('2025-07', 1.5, 'Law 51/2024/QH15; Decree 188/2025/NĐ-CP'),
  ],
  bhtn: [
    row('2015-01', 1, 'Law 38/2013/QH13 art. 57'),
    row('2026-01', 1, 'Law 74/2025/QH15 art. 33; Decree 374/2025/NĐ-CP'),
  ],
};

/** The contributions of the employer; the cuts of 2021 and 2022 are those for employers outside the State budget. */
export const EMPLOYER_RATES: Rates = {
  bhxh: [
    row('2015-01', 18, 'Law 71/2006/QH11 art. 92'),
    row('2016-01', 18, 'Law 58/2014/QH13 art. 86'),
    row('2017-06', 17.5, 'Law 58/2014/QH13 art. 86; Decree 44/2017/NĐ-CP'),
    row('2020-07', 17.5, 'Law 58/2014/QH13 art. 86; Decree 58/2020/NĐ-CP art. 4'),
    row('2021-07', 17, CUT_OF_2021),
    row('2022-07', 17.5, 'Law 58/2014/QH13 art. 86; Decree 58/2020/NĐ-CP art. 4'),
    row(
      '2025-07',
      17.5,
      'Law 41/2024/QH15 art. 34.1; Decree 58/2020/NĐ-CP art. 4, amended by Decree 158/2025/NĐ-CP',
    ),
  ],
  bhyt: [
    row('2015-01', 3, `${HEALTH_LAWS}; Decree 105/2014/NĐ-CP`),
    row('2018-12', 3, `${HEALTH_LAWS}; Decree 146/2018/NĐ-CP art. 7`),
    row('2025-07', 3, 'Law 51/2024/QH15; Decree 188/2025/NĐ-CP'),
  ],
  bhtn: [
    row('2015-01', 1, 'Law 38/2013/QH13 art. 57'),
    row('2021-10', 0, 'Resolution 116/NQ-CP; Decision 28/2021/QĐ-TTg'),
    row('2022-10', 1, 'Law 38/2013/QH13 art. 57'),
    row('2026-01', 1, 'Law 74/2025/QH15 art. 33; Decree 374/2025/NĐ-CP'),
  ],
};

const EXEMPT_FROM_BHTN: Table<number> = [
  row('2015-01', 0, 'Law 38/2013/QH13 art. 43'),
  row('2026-01', 0, 'Law 74/2025/QH15 art. 31'),
];

/** The contributions where the employee is not a Vietnamese citizen. */
export const FOREIGNER_RATES: Readonly<Record<'employee' | 'employer', Rates>> = {
  employee: {
    bhxh: [
      row('2015-01', 0, 'Law 71/2006/QH11 art. 2'),
      row('2018-12', 0, 'Decree 143/2018/NĐ-CP art. 12'),
      row('2022-01', 8, 'Decree 143/2018/NĐ-CP art. 12'),
      row('2025-07', 8, 'Law 41/2024/QH15 art. 33.1'),
    ],
    bhyt: EMPLOYEE_RATES.bhyt,
    bhtn: EXEMPT_FROM_BHTN,
  },
  employer: {
    bhxh: [
      row('2015-01', 0, 'Law 71/2006/QH11 art. 2'),
      row('2018-12', 3.5, 'Decree 143/2018/NĐ-CP art. 13'),
      row('2021-07', 3, CUT_OF_2021),
      row('2022-01', 17, `Decree 143/2018/NĐ-CP art. 13; ${CUT_OF_2021}`),
      row('2022-07', 17.5, 'Decree 143/2018/NĐ-CP art. 13; Decree 58/2020/NĐ-CP art. 4'),
      // That the 0.5 % for accidents at work still applies to foreigners is a reading of the text.
      row('2025-07', 17.5, 'Law 41/2024/QH15 art. 34.1; Decree 58/2020/NĐ-CP art. 4'),
    ],
    bhyt: EMPLOYER_RATES.bhyt,
    bhtn: EXEMPT_FROM_BHTN,
  },
};

/**
 * The contribution of the employer to the trade-union fund, in percent of the base of bhxh. Employers that the State
 * budget pays in full owe none.
 */
export const UNION_FUND_RATE: Table<number> = [
  row('2015-01', 2, 'Law 12/2012/QH13 art. 26.2; Decree 191/2013/NĐ-CP art. 5'),
  row('2025-07', 2, 'Law 50/2024/QH15 art. 29.1.b'),
  row(
    '2026-05',
    2,
    'Law 50/2024/QH15 art. 29.1.b, amended by Law 97/2025/QH15 art. 2.8; '
      + 'Decree 105/2026/NĐ-CP art. 2.1',
  ),
];

/** The multiple of the base salary (bhxh, bhyt) or the minimum wage (bhtn) that caps a salary. */
export const CAP_MULTIPLE = 20;

/**
 * Base salary (lương cơ sở), in đồng per month. It determines the caps of bhxh and bhyt; from 2025-07 the reference
 * level, which equals it, does so: Law 41/2024/QH15 art. 31.1.đ, art. 141.13.
 */
export const BASE_SALARY: Table<number> = [
  row('2015-01', 1_150_000, 'Decree 66/2013/NĐ-CP'),
  row('2016-05', 1_210_000, 'Decree 47/2016/NĐ-CP'),
  row('2017-07', 1_300_000, 'Decree 47/2017/NĐ-CP'),
  row('2018-07', 1_390_000, 'Decree 72/2018/NĐ-CP'),
  row('2019-07', 1_490_000, 'Decree 38/2019/NĐ-CP'),
  row('2023-07', 1_800_000, 'Decree 24/2023/NĐ-CP'),
  row('2024-07', 2_340_000, 'Decree 73/2024/NĐ-CP'),
  row('2026-07', 2_530_000, 'Decree 161/2026/NĐ-CP'),
];

type ByRegion = Readonly<Record<Region, number>>;

/**
 * Regional minimum wage (lương tối thiểu vùng), in đồng per month, of regions I to IV. It caps bhtn: Law 38/2013/QH13
 * art. 58; Law 74/2025/QH15 art. 34.2.
 */
export const MINIMUM_WAGE: Table<ByRegion> = [
  row('2015-01', byRegion(3_100_000, 2_750_000, 2_400_000, 2_150_000), 'Decree 103/2014/NĐ-CP'),
  row('2016-01', byRegion(3_500_000, 3_100_000, 2_700_000, 2_400_000), 'Decree 122/2015/NĐ-CP'),
  row('2017-01', byRegion(3_750_000, 3_320_000, 2_900_000, 2_580_000), 'Decree 153/2016/NĐ-CP'),
  row('2018-01', byRegion(3_980_000, 3_530_000, 3_090_000, 2_760_000), 'Decree 141/2017/NĐ-CP'),
  row('2019-01', byRegion(4_180_000, 3_710_000, 3_250_000, 2_920_000), 'Decree 157/2018/NĐ-CP'),
  row('2020-01', byRegion(4_420_000, 3_920_000, 3_430_000, 3_070_000), 'Decree 90/2019/NĐ-CP'),
  row('2022-07', byRegion(4_680_000, 4_160_000, 3_640_000, 3_250_000), 'Decree 38/2022/NĐ-CP'),
  row('2024-07', byRegion(4_960_000, 4_410_000, 3_860_000, 3_450_000), 'Decree 74/2024/NĐ-CP'),
  row('2026-01', byRegion(5_310_000, 4_730_000, 4_140_000, 3_700_000), 'Decree 293/2025/NĐ-CP'),
];

function byRegion(first: number, second: number, third: number, fourth: number): ByRegion {
  return { 1: first, 2: second, 3: third, 4: fourth };
}

function row<T>(effective_from: string, value: T, instrument: string): Dated<T> {
  return { effective_from, instrument, value };
}

/** The row of a table that is in force in a month (YYYY-MM); undefined before its first row. */
export function findInForce<T>(table: Table<T>, period: string): Dated<T> | undefined {
  return table.findLast(({ effective_from }) => effective_from <= period);
}

/** The row of a table from 2015-01 that is in force in a month (YYYY-MM). */
export function inForce<T>(table: Table<T>, period: string): Dated<T> {
  const found = findInForce(table, period);
  if (found === undefined) throw new RangeError(`The law tables begin in ${FIRST_PERIOD}`);
  return found;
}

/** The progressive tax and its deductions. */
export interface ProgressiveTaxLaw {
  readonly kind: 'progressive';
  readonly deductions: Dated<FamilyDeductions>;
  readonly brackets: Dated<readonly Bracket[]>;
}

/** The tax on a salary: progressive after deductions, or flat. */
export type TaxLaw =
  | ProgressiveTaxLaw
  | { readonly kind: 'flat'; readonly flatTax: Dated<FlatTax> };

/** The properties that select rows besides the salary month; `paid_in` is the month of payment. */
export interface Employment {
  readonly taxation: Taxation;
  readonly foreigner: boolean;
  readonly paid_in: string;
}

/** The rates of the three insurances in one month. */
export type RatesInForce = Readonly<Record<Insurance, Dated<number>>>;

/** The rows that apply to the salary of a month (`period`). */
export interface Law extends Employment {
  readonly period: string;
  readonly region: Region;
  readonly employeeRates: RatesInForce;
  readonly employerRates: RatesInForce;
  readonly unionFundRate: Dated<number>;
  readonly baseSalary: Dated<number>;
  readonly minimumWage: Dated<number>;
  readonly voluntaryPension: Dated<number>;
  readonly tax: TaxLaw;
}

// Nearly all requests have the month, the region and the employment of the previous request, and the look-up takes half
// the time of a calculation. The cached object is frozen, so that all callers can share it.
let latest: Law | undefined;

/**
 * Returns the law of a salary month (YYYY-MM, 2015-01 or later) for a region and an employment. By default, the
 * employee is a citizen under the progressive tax who is paid in the salary month.
 */
export function lawOf(
  period: string,
  region: Region,
  { taxation = 'progressive', foreigner = false, paid_in = period }: Partial<Employment> = {},
): Law {
  const isLatest =
    latest?.period === period
    && latest.region === region
    && latest.taxation === taxation
    && latest.foreigner === foreigner
    && latest.paid_in === paid_in;
  if (latest === undefined || !isLatest) {
    latest = deepFreeze(lookUp(period, region, { taxation, foreigner, paid_in }));
  }
  return latest;
}

function lookUp(period: string, region: Region, employment: Employment): Law {
  const { taxation, foreigner, paid_in } = employment;
  const employee = foreigner ? FOREIGNER_RATES.employee : EMPLOYEE_RATES;
  const employer = foreigner ? FOREIGNER_RATES.employer : EMPLOYER_RATES;
  const minimumWage = inForce(MINIMUM_WAGE, period);
  return {
    period,
    region,
    ...employment,
    employeeRates: ratesInForce(employee, period),
    employerRates: ratesInForce(employer, period),
    unionFundRate: inForce(UNION_FUND_RATE, period),
    baseSalary: inForce(BASE_SALARY, period),
    minimumWage: { ...minimumWage, value: minimumWage.value[region] },
    voluntaryPension: inForce(VOLUNTARY_PENSION_LIMIT, paid_in),
    tax:
      taxation === 'progressive'
        ? progressiveTaxOf(paid_in)
        : { kind: 'flat', flatTax: inForce(FLAT_TAX[taxation], paid_in) },
  };
}

/** The rows that apply to an annual settlement. */
export interface AnnualLaw {
  readonly tax: ProgressiveTaxLaw;
  readonly leastBracketMonths: Dated<number>;
  readonly voluntaryPension: Dated<number>;
  readonly medical: Dated<number> | undefined;
  readonly education: Dated<number> | undefined;
}

/** The law of the annual settlement of a year, whose tables change only in January. */
export function annualLawOf(year: number): AnnualLaw {
  const period = `${year}-01`;
  return deepFreeze({
    tax: progressiveTaxOf(period),
    leastBracketMonths: inForce(LEAST_BRACKET_MONTHS, period),
    voluntaryPension: inForce(VOLUNTARY_PENSION_LIMIT, period),
    medical: findInForce(EXPENSE_LIMITS.medical, period),
    education: findInForce(EXPENSE_LIMITS.education, period),
  });
}

function progressiveTaxOf(paidIn: string): ProgressiveTaxLaw {
  return {
    kind: 'progressive',
    deductions: inForce(FAMILY_DEDUCTIONS, paidIn),
    brackets: inForce(PROGRESSIVE_TAX, paidIn),
  };
}

function ratesInForce({ bhxh, bhyt, bhtn }: Rates, period: string): RatesInForce {
  return { bhxh: inForce(bhxh, period), bhyt: inForce(bhyt, period), bhtn: inForce(bhtn, period) };
}
