/** GET /api/v1/tax/rules: the rows of `law.ts` that the tax operation uses. */
import { operation, type Operation } from '../contract/operation.ts';
import {
  array, type Check, type Input, integer, nullable, object, optional, parse, string, type Value,
} from '../contract/schema.ts';
import { amount, MONTH, percent, period, source } from './contract.ts';
import {
  BASE_SALARY, CAP_MULTIPLE, type Dated, EMPLOYEE_RATES, EMPLOYER_RATES, FAMILY_DEDUCTIONS, FIRST_PERIOD, inForce,
  MINIMUM_WAGE, PROGRESSIVE_TAX, REVIEWED_THROUGH,
} from './law.ts';

const taxRulesRequest = object({ period: optional(period) });

const tableOf = <T>(value: Check<T>, description: string): Check<readonly Dated<T>[]> =>
  array(object({ ...source, value }) as Check<Dated<T>>, description);

const rates = (description: string): Check<typeof EMPLOYEE_RATES> => object({
  bhxh: tableOf(percent('Rate of social insurance, percent'), 'Social insurance'),
  bhyt: tableOf(percent('Rate of health insurance, percent'), 'Health insurance'),
  bhtn: tableOf(percent('Rate of unemployment insurance, percent'), 'Unemployment insurance'),
}, description);

const taxRulesResult = object({
  first_period: string({ description: 'First salary month covered, YYYY-MM', pattern: MONTH.source }),
  reviewed_through: string({
    description: 'Last salary month whose law has been reviewed, YYYY-MM; a later month uses the rows of this one',
    pattern: MONTH.source,
  }),
  cap_multiple: integer({
    description: 'Contributions are capped at this multiple of the base salary (bhxh, bhyt) or the minimum wage (bhtn)',
    minimum: 1,
  }),
  progressive_tax: tableOf(array(object({
    to: nullable(amount('Taxable income up to and including this amount, đồng per month; null in the last bracket')),
    rate: percent('Tax rate, percent'),
  }), 'Brackets, the lowest first'), 'Progressive tax on monthly taxable income'),
  family_deductions: tableOf(object({
    self: amount('For the taxpayer, đồng per month'),
    dependent: amount('For each dependent, đồng per month'),
  }, 'Deductions of the taxpayer and of each dependent'), 'Family deductions'),
  employee_rates: rates('Contributions of the employee'),
  employer_rates: rates('Contributions of the employer, without the temporary cuts of 2021 and 2022'),
  base_salary: tableOf(amount('đồng per month'), 'Base salary; from 2025-07 the reference level, which equals it'),
  minimum_wage: tableOf(object({
    1: amount('Region I, đồng per month'),
    2: amount('Region II, đồng per month'),
    3: amount('Region III, đồng per month'),
    4: amount('Region IV, đồng per month'),
  }, 'Minimum wage by region'), 'Regional minimum wage'),
}, 'The law tables');

/** The rows to return: those in force in a salary month, or all. */
export type TaxRulesRequest = Input<typeof taxRulesRequest>;
/** The law tables; amounts are in đồng per month, rates in percent. */
export type TaxRules = Value<typeof taxRulesResult>;

/**
 * The law tables, or the row of each that is in force in a salary month (YYYY-MM, 2015-01 or later). Throws a Failure
 * (`validation_failed`) for an invalid request.
 */
export function taxRules(request: TaxRulesRequest = {}): TaxRules {
  return rowsFor(parse(taxRulesRequest, request));
}

function rowsFor({ period }: Value<typeof taxRulesRequest>): TaxRules {
  const rows = <T>(table: readonly Dated<T>[]): readonly Dated<T>[] =>
    (period === undefined ? table : [inForce(table, period)]);
  const rateRows = ({ bhxh, bhyt, bhtn }: typeof EMPLOYEE_RATES): typeof EMPLOYEE_RATES =>
    ({ bhxh: rows(bhxh), bhyt: rows(bhyt), bhtn: rows(bhtn) });
  return {
    first_period: FIRST_PERIOD,
    reviewed_through: REVIEWED_THROUGH,
    cap_multiple: CAP_MULTIPLE,
    progressive_tax: rows(PROGRESSIVE_TAX),
    family_deductions: rows(FAMILY_DEDUCTIONS),
    employee_rates: rateRows(EMPLOYEE_RATES),
    employer_rates: rateRows(EMPLOYER_RATES),
    base_salary: rows(BASE_SALARY),
    minimum_wage: rows(MINIMUM_WAGE),
  };
}

/** GET /api/v1/tax/rules */
export const taxRulesOperation: Operation = operation({
  id: 'getTaxRules',
  path: '/api/v1/tax/rules',
  summary: 'The law behind the tax calculation, as dated tables',
  description: 'All rows of every table, with the first salary month of each and its legal instrument; with `period`, '
    + 'the row of each table that is in force in that month.',
  input: 'query',
  request: taxRulesRequest,
  result: taxRulesResult,
  examples: { 'in force in one month': { period: '2026-08' } },
  calculate: rowsFor,
});
