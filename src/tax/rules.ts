/** The law tables as the service tells them: the very rows of `law.ts` that the calculation uses. */
import { operation, type Operation } from '../contract/operation.ts';
import { array, type Check, integer, nullable, object, optional, string } from '../contract/schema.ts';
import { amount, MONTH, percent, period, source } from './contract.ts';
import {
  BASE_SALARY, CAP_MULTIPLE, type Dated, EMPLOYEE_RATES, EMPLOYER_RATES, FAMILY_DEDUCTIONS, FIRST_PERIOD, inForce,
  type Insurance, MINIMUM_WAGE, PROGRESSIVE_TAX, type Region,
} from './law.ts';

/** Which rows are wanted: those in force in one salary month, or all. */
export interface TaxRulesRequest {
  readonly period?: string;
}

/** A row: the value from a salary month on, and the instrument that sets it. */
export interface Rule<T> {
  readonly effective_from: string;
  readonly instrument: string;
  readonly value: T;
}

type Rules<T> = readonly Rule<T>[];

/** The tables; amounts are đồng a month, rates percent. */
export interface TaxRules {
  readonly first_period: string;
  readonly cap_multiple: number;
  readonly progressive_tax: Rules<readonly { readonly to: number | null; readonly rate: number }[]>;
  readonly family_deductions: Rules<{ readonly self: number; readonly dependent: number }>;
  readonly employee_rates: Readonly<Record<Insurance, Rules<number>>>;
  readonly employer_rates: Readonly<Record<Insurance, Rules<number>>>;
  readonly base_salary: Rules<number>;
  readonly minimum_wage: Rules<Readonly<Record<Region, number>>>;
}

const TENTHS = 10;

/** The tables, or of each the one row in force in a salary month (YYYY-MM, 2015-01 or later). */
export function taxRules({ period }: TaxRulesRequest): TaxRules {
  const rules = <T, Shown>(table: readonly Dated<T>[], show: (value: T) => Shown): Rules<Shown> =>
    (period === undefined ? table : [inForce(table, period)])
      .map(({ from, instrument, value }) => ({ effective_from: from, instrument, value: show(value) }));
  const same = <T>(value: T): T => value;
  const percents = ({ bhxh, bhyt, bhtn }: typeof EMPLOYEE_RATES): TaxRules['employee_rates'] => {
    const show = (tenths: number): number => tenths / TENTHS;
    return { bhxh: rules(bhxh, show), bhyt: rules(bhyt, show), bhtn: rules(bhtn, show) };
  };
  return {
    first_period: FIRST_PERIOD,
    cap_multiple: CAP_MULTIPLE,
    progressive_tax: rules(PROGRESSIVE_TAX, (brackets) =>
      brackets.map(({ to, rate }) => ({ to: to === Infinity ? null : to, rate }))),
    family_deductions: rules(FAMILY_DEDUCTIONS, same),
    employee_rates: percents(EMPLOYEE_RATES),
    employer_rates: percents(EMPLOYER_RATES),
    base_salary: rules(BASE_SALARY, same),
    minimum_wage: rules(MINIMUM_WAGE, same),
  };
}

function rules<T>(value: Check<T>, description: string): Check<Rules<T>> {
  return array(object({ ...source, value }), description);
}

const rates = (description: string): Check<TaxRules['employee_rates']> => object({
  bhxh: rules(percent('Rate of social insurance, percent'), 'Social insurance'),
  bhyt: rules(percent('Rate of health insurance, percent'), 'Health insurance'),
  bhtn: rules(percent('Rate of unemployment insurance, percent'), 'Unemployment insurance'),
}, description);

/** What the rules operation takes. */
export const taxRulesRequest: Check<TaxRulesRequest> = object({ period: optional(period) });

const result: Check<TaxRules> = object({
  first_period: string({ description: 'First salary month covered, YYYY-MM', pattern: MONTH.source }),
  cap_multiple: integer({
    description: 'Contributions are capped at this many times the base salary (bhxh, bhyt) or the minimum wage (bhtn)',
    minimum: 1,
  }),
  progressive_tax: rules(array(object({
    to: nullable(amount('Taxable income up to and including this amount, đồng a month; null for the last bracket')),
    rate: percent('Tax rate, percent'),
  }), 'Brackets, the lowest first'), 'Progressive tax on monthly taxable income'),
  family_deductions: rules(object({
    self: amount('For the taxpayer, đồng a month'),
    dependent: amount('For each dependent, đồng a month'),
  }, 'Both'), 'Family deductions'),
  employee_rates: rates('What the employee contributes'),
  employer_rates: rates('What the employer contributes; the temporary cuts of 2021 and 2022 are left out'),
  base_salary: rules(amount('đồng a month'), 'Base salary; from 2025-07 the reference level, which equals it'),
  minimum_wage: rules(object({
    1: amount('Region I, đồng a month'),
    2: amount('Region II, đồng a month'),
    3: amount('Region III, đồng a month'),
    4: amount('Region IV, đồng a month'),
  }, 'By region'), 'Regional minimum wage'),
}, 'The law tables');

/** GET /api/v1/tax/rules */
export const taxRulesOperation: Operation = operation({
  id: 'getTaxRules',
  path: '/api/v1/tax/rules',
  summary: 'The law that the tax calculation uses, as dated tables',
  description: 'All rows of every table with the salary month from which each applies and its legal instrument; with '
    + '`period`, of each table the one row in force in that month.',
  takes: 'query',
  request: taxRulesRequest,
  result,
  examples: { 'in force in one month': { period: '2026-08' } },
  calculate: taxRules,
});
