/**
 * An independent implementation of the tax rules, written to be obviously correct: integers of any size, each amount a
 * fraction that is rounded where the rule requires it. It shares only the tables with the calculations.
 */
import type { AnnualRequestValue, AnnualResult } from '../../src/tax/annual-contract.ts';
import type { Salary } from '../../src/tax/assessment.ts';
import type { TaxResult } from '../../src/tax/contract.ts';
import {
  BASE_SALARY,
  type Bracket,
  type Dated,
  EMPLOYEE_RATES,
  EMPLOYER_RATES,
  EXPENSE_LIMITS,
  FAMILY_DEDUCTIONS,
  FLAT_TAX,
  FOREIGNER_RATES,
  type Insurance,
  LEAST_BRACKET_MONTHS,
  MINIMUM_WAGE,
  PROGRESSIVE_TAX,
  type Rates,
  type Region,
  type Taxation,
  UNION_FUND_RATE,
  VOLUNTARY_PENSION_LIMIT,
} from '../../src/tax/law.ts';

const ALL_RATES: readonly Rates[] = [
  EMPLOYEE_RATES,
  EMPLOYER_RATES,
  FOREIGNER_RATES.employee,
  FOREIGNER_RATES.employer,
];
const TABLES: readonly (readonly Dated<unknown>[])[] = [
  PROGRESSIVE_TAX,
  FAMILY_DEDUCTIONS,
  VOLUNTARY_PENSION_LIMIT,
  BASE_SALARY,
  MINIMUM_WAGE,
  UNION_FUND_RATE,
  ...Object.values(FLAT_TAX),
  ...ALL_RATES.flatMap((rates) => Object.values(rates)),
];

export const REGIONS: readonly Region[] = [1, 2, 3, 4];
export const TAXATIONS: readonly Taxation[] = ['progressive', 'short_term', 'non_resident'];

/** Every combination of insurances; in the first, all are paid. */
export const INSURANCES: readonly Readonly<Record<Insurance, boolean>>[] = [true, false].flatMap(
  (bhxh) => [true, false].flatMap((bhyt) => [true, false].map((bhtn) => ({ bhxh, bhyt, bhtn }))),
);

/** The months in which a row of any table comes into force. */
export const ERAS: readonly string[] = [
  ...new Set(TABLES.flat().map(({ effective_from }) => effective_from)),
].sort();

/** A salary as the calculations receive it; an insurance salary of undefined means the gross income. */
export function salaryOf({
  insurance_salary,
  ...given
}: Partial<Omit<Salary, 'insurance_salary'>> & { insurance_salary?: number | undefined }): Salary {
  const separate = insurance_salary === undefined ? {} : { insurance_salary };
  return { dependents: 0, ...given, ...separate };
}

/** Whether a request must state the insured salary. */
export function mustBeStated({
  taxation = 'progressive',
  self_deduction,
  bhxh,
  bhyt,
}: {
  readonly [Name in 'taxation' | 'self_deduction' | 'bhxh' | 'bhyt']?: unknown;
}): boolean {
  const isUninsured = bhxh === false && bhyt === false;
  return !isUninsured && (taxation !== 'progressive' || self_deduction === false);
}

/** A request with a gross income. */
export interface GrossCase {
  readonly income: number;
  readonly dependents: number;
  readonly period: string;
  readonly region: Region;
  readonly insurance_salary?: number;
  readonly taxation?: Taxation;
  readonly foreigner?: boolean;
  readonly paid_in?: string;
  readonly bhxh?: boolean;
  readonly bhyt?: boolean;
  readonly bhtn?: boolean;
  readonly voluntary_pension?: number;
  readonly exempt_income?: number;
  readonly self_deduction?: boolean;
}

/** The expected result of the tax operation for a gross income, without detail. */
export function expectedTax(given: GrossCase): TaxResult {
  const {
    income,
    dependents,
    period,
    paid_in = period,
    foreigner = false,
    taxation = 'progressive',
    self_deduction = true,
  } = given;
  const gross = wholeDong(income);
  const taxed = taxedPart(given);
  const { bhxh, bhyt, bhtn } = contributions(
    given,
    foreigner ? FOREIGNER_RATES.employee : EMPLOYEE_RATES,
  );
  const insurance = bhxh + bhyt + bhtn;
  const deduction = valueAt(FAMILY_DEDUCTIONS, paid_in);
  const isProgressive = taxation === 'progressive';
  const [self, forDependents] = isProgressive
    ? [self_deduction ? deduction.self : 0, dependents * deduction.dependent]
    : [0, 0];
  const limit = isProgressive ? BigInt(valueAt(VOLUNTARY_PENSION_LIMIT, paid_in)) : 0n;
  const pension = smaller(wholeDong(given.voluntary_pension ?? 0), limit);
  const left = taxed - insurance - BigInt(self + forDependents) - pension;
  const [taxable, tax] =
    taxation === 'progressive'
      ? [left > 0n ? left : 0n, progressiveTax(left, valueAt(PROGRESSIVE_TAX, paid_in))]
      : flatTax(taxed, valueAt(FLAT_TAX[taxation], paid_in));
  return {
    gross_income: Number(gross),
    insurance: {
      bhxh: Number(bhxh),
      bhyt: Number(bhyt),
      bhtn: Number(bhtn),
      total: Number(insurance),
    },
    deductions: { self, dependents: forDependents, total: self + forDependents },
    ...(given.exempt_income !== undefined && {
      exempt_income: Number(wholeDong(given.exempt_income)),
    }),
    ...(given.voluntary_pension !== undefined && { voluntary_pension: Number(pension) }),
    taxable_income: Number(taxable),
    tax: Number(tax),
    net_income: Number(gross - insurance - tax),
  };
}

/** The expected contributions of the employer, and the cost. */
export function expectedEmployer(
  given: GrossCase,
  hasUnionFund: boolean,
): Readonly<Record<string, number>> {
  const rates = given.foreigner === true ? FOREIGNER_RATES.employer : EMPLOYER_RATES;
  const { bhxh, bhyt, bhtn } = contributions(given, rates);
  const isFundDue = hasUnionFund && valueAt(rates.bhxh, given.period) !== 0;
  const fund = isFundDue
    ? ofPercent(bases(given).bhxh, valueAt(UNION_FUND_RATE, given.period))
    : 0n;
  const total = bhxh + bhyt + bhtn + fund;
  return {
    bhxh: Number(bhxh),
    bhyt: Number(bhyt),
    bhtn: Number(bhtn),
    ...(hasUnionFund && { union_fund: Number(fund) }),
    total: Number(total),
    cost: Number(wholeDong(given.income) + total),
  };
}

/** The expected result of the annual settlement, without detail. */
export function expectedYear(given: Omit<AnnualRequestValue, 'detail'>): AnnualResult {
  const period = `${given.year}-06`;
  const family = valueAt(FAMILY_DEDUCTIONS, period);
  const limited = (amount: number, table: readonly Dated<number>[], times: number): bigint => {
    const isAllowed = table.some(({ effective_from }) => effective_from <= period);
    return isAllowed ? smaller(wholeDong(amount), BigInt(valueAt(table, period) * times)) : 0n;
  };
  const deductions = {
    insurance: wholeDong(given.insurance),
    self: BigInt(family.self * given.self_months),
    dependents: BigInt(family.dependent * given.dependent_months),
    voluntary_pension: limited(given.voluntary_pension, VOLUNTARY_PENSION_LIMIT, 12),
    charity: wholeDong(given.charity),
    medical: limited(given.medical, EXPENSE_LIMITS.medical, 1),
    education: limited(given.education, EXPENSE_LIMITS.education, 1),
  };
  const { insurance, self, dependents, voluntary_pension, charity, medical, education } =
    deductions;
  const total = insurance + self + dependents + voluntary_pension + charity + medical + education;
  const left = wholeDong(given.income) - total;
  const months = Math.max(given.self_months, valueAt(LEAST_BRACKET_MONTHS, period));
  const tax = progressiveTax(left, valueAt(PROGRESSIVE_TAX, period), months);
  const numbers = Object.entries({ ...deductions, total }).map(([name, value]) => [
    name,
    Number(value),
  ]);
  return {
    year: given.year,
    income: Number(wholeDong(given.income)),
    deductions: Object.fromEntries(numbers) as AnnualResult['deductions'],
    taxable_income: left > 0n ? Number(left) : 0,
    tax: Number(tax),
    ...(given.withheld !== undefined && balanceOf(tax, wholeDong(given.withheld))),
  };
}

function balanceOf(tax: bigint, withheld: bigint): Pick<AnnualResult, 'withheld' | 'balance'> {
  return { withheld: Number(withheld), balance: Number(tax - withheld) };
}

/** The part of the gross income that is not exempt. */
function taxedPart({ income, exempt_income = 0 }: GrossCase): bigint {
  const gross = wholeDong(income);
  return gross - smaller(gross, wholeDong(exempt_income));
}

/** The expected salary on which each contribution is paid. */
export function bases(given: GrossCase): Readonly<Record<Insurance, bigint>> {
  const { insurance_salary, period, region } = given;
  const salary = insurance_salary === undefined ? taxedPart(given) : wholeDong(insurance_salary);
  const of = (name: Insurance, limit: number): bigint =>
    given[name] === false ? 0n : smaller(salary, 20n * BigInt(limit));
  const baseSalary = valueAt(BASE_SALARY, period);
  return {
    bhxh: of('bhxh', baseSalary),
    bhyt: of('bhyt', baseSalary),
    bhtn: of('bhtn', valueAt(MINIMUM_WAGE, period)[region]),
  };
}

function contributions(given: GrossCase, rates: Rates): Readonly<Record<Insurance, bigint>> {
  const base = bases(given);
  const of = (name: Insurance): bigint => ofPercent(base[name], valueAt(rates[name], given.period));
  return { bhxh: of('bhxh'), bhyt: of('bhyt'), bhtn: of('bhtn') };
}

/** A rate has at most one decimal. */
function ofPercent(base: bigint, rate: number): bigint {
  return halfUp(base * BigInt((rate * 10).toFixed()), 1000n);
}

/** dividend ÷ divisor, rounded half up; neither is negative. */
export function halfUp(dividend: bigint, divisor: bigint): bigint {
  return (2n * dividend + divisor) / (2n * divisor);
}

/** The exact value of the double, rounded half up to whole đồng. */
export function wholeDong(amount: number): bigint {
  const whole = Math.floor(amount);
  return BigInt(whole) + (amount - whole >= 0.5 ? 1n : 0n);
}

function flatTax(
  gross: bigint,
  { rate, threshold }: { rate: number; threshold: number },
): [bigint, bigint] {
  return gross < BigInt(threshold) ? [0n, 0n] : [gross, halfUp(gross * BigInt(rate), 100n)];
}

/**
 * The tax on a taxable income, with each bound of the brackets `months` times. Each đồng of a bracket above its lower
 * bound costs the rate of that bracket more than the rate of the one before.
 */
export function progressiveTax(taxable: bigint, brackets: readonly Bracket[], months = 1): bigint {
  let hundredths = 0n;
  let bound = 0n;
  let rateBefore = 0;
  for (const { to, rate } of brackets) {
    if (taxable > bound) hundredths += (taxable - bound) * BigInt(rate - rateBefore);
    bound = BigInt(to ?? 0) * BigInt(months);
    rateBefore = rate;
  }
  return halfUp(hundredths, 100n);
}

/** The row of a table in a month. */
export function rowAt<T>(table: readonly Dated<T>[], period: string): Dated<T> {
  return table.findLast(({ effective_from }) => effective_from <= period)!;
}

/** The value of a table in a month. */
export function valueAt<T>(table: readonly Dated<T>[], period: string): T {
  return rowAt(table, period).value;
}

function smaller(left: bigint, right: bigint): bigint {
  return left < right ? left : right;
}
