/** GET /api/v1/tax/rules: the rows of `law.ts` that the tax operations use. */
import { operation, type Operation } from '../contract/operation.ts';
import {
  array, type Check, type Input, integer, nullable, object, optional, parse, string, type Value,
} from '../contract/schema.ts';
import { amount, MONTH, percent, period, source } from './contract.ts';
import {
  BASE_SALARY, CAP_MULTIPLE, type Dated, EMPLOYEE_RATES, EMPLOYER_RATES, EXPENSE_LIMITS, FAMILY_DEDUCTIONS,
  findInForce, FIRST_PERIOD, FLAT_TAX, FOREIGNER_RATES, MINIMUM_WAGE, PROGRESSIVE_TAX, type Rates,
  REVIEWED_THROUGH, UNION_FUND_RATE, VOLUNTARY_PENSION_LIMIT,
} from './law.ts';

const taxRulesRequest = object({ period: optional(period) });

const rowOf = <T>(title: string, value: Check<T>): Check<Dated<T>> =>
  object({ ...source, value }, 'A value and its source', title) as Check<Dated<T>>;

const amountRow = rowOf('AmountRow', amount('Amount, đồng'));
const rateRow = rowOf('RateRow', percent('Rate, percent'));

const rates = (description: string): Check<Rates> => object({
  bhxh: array(rateRow, 'Social insurance'),
  bhyt: array(rateRow, 'Health insurance'),
  bhtn: array(rateRow, 'Unemployment insurance'),
}, description, 'RateTables');

const flatTaxRow = rowOf('FlatTaxRow', object({
  rate: percent('Tax rate, percent'),
  threshold: amount('Smallest payment that is taxed, đồng; 0 if every payment is taxed'),
}, 'Rate and threshold', 'FlatTax'));

const bracketsRow = rowOf('BracketsRow', array(object({
  to: nullable(amount('Taxable income up to and including this amount, đồng per month; null in the last bracket')),
  rate: percent('Tax rate, percent'),
}, 'A bracket of the progressive tax', 'BracketRate'), 'Brackets, the lowest first'));

const familyDeductionsRow = rowOf('FamilyDeductionsRow', object({
  self: amount('For the taxpayer, đồng per month'),
  dependent: amount('For each dependent, đồng per month'),
}, 'Deductions of the taxpayer and of each dependent', 'FamilyDeductions'));

const minimumWageRow = rowOf('MinimumWageRow', object({
  1: amount('Region I, đồng per month'),
  2: amount('Region II, đồng per month'),
  3: amount('Region III, đồng per month'),
  4: amount('Region IV, đồng per month'),
}, 'Minimum wage by region', 'MinimumWage'));

const taxRulesResult = object({
  first_period: string({ description: 'First month covered, YYYY-MM', pattern: MONTH.source }),
  reviewed_through: string({
    description: 'Last salary month whose law has been reviewed, YYYY-MM; a later month uses the rows of this one',
    pattern: MONTH.source,
  }),
  cap_multiple: integer({
    description: 'Contributions are capped at this multiple of the base salary (bhxh, bhyt) or the minimum wage (bhtn)',
    minimum: 1,
  }),
  progressive_tax: array(bracketsRow, 'Progressive tax on monthly taxable income'),
  family_deductions: array(familyDeductionsRow, 'Family deductions'),
  voluntary_pension_limit: array(amountRow, 'Deductible contributions to a voluntary pension fund, per month'),
  expense_limits: object({
    medical: array(amountRow, 'Expenses for medical care, per year'),
    education: array(amountRow, 'Expenses for education, per year'),
  }, 'Deductible expenses; no row before 2026', 'ExpenseLimits'),
  flat_tax: object({
    short_term: array(flatTaxRow, 'Resident without a contract of three months or more'),
    non_resident: array(flatTaxRow, 'Non-resident'),
  }, 'Flat tax on payments, without deductions', 'FlatTaxTables'),
  employee_rates: rates('Contributions of the employee'),
  employer_rates: rates('Contributions of the employer, with the cuts of 2021 and 2022 for employers outside the '
    + 'State budget'),
  foreigner_rates: object({
    employee: rates('Contributions of the employee'),
    employer: rates('Contributions of the employer'),
  }, 'Contributions for an employee who is not a Vietnamese citizen', 'ForeignerRates'),
  union_fund_rate: array(rateRow, 'Contribution of the employer to the trade-union fund, in percent of the salary on '
    + 'which social insurance is paid'),
  base_salary: array(amountRow, 'Base salary per month; from 2025-07 the reference level, which equals it'),
  minimum_wage: array(minimumWageRow, 'Regional minimum wage'),
}, 'The law tables', 'TaxRules');

/** The rows to return: those in force in a month, or all. */
export type TaxRulesRequest = Input<typeof taxRulesRequest>;
/** The law tables; amounts are in đồng, rates in percent. */
export type TaxRules = Value<typeof taxRulesResult>;

/**
 * The law tables, or the row of each that is in force in a month (YYYY-MM, 2015-01 or later). Throws a Failure
 * (`validation_failed`) for an invalid request.
 */
export function taxRules(request: TaxRulesRequest = {}): TaxRules {
  return rowsFor(parse(taxRulesRequest, request));
}

function rowsFor({ period }: Value<typeof taxRulesRequest>): TaxRules {
  const rows = <T>(table: readonly Dated<T>[]): readonly Dated<T>[] => {
    if (period === undefined) return table;
    const row = findInForce(table, period);
    return row === undefined ? [] : [row];
  };
  const rateRows = ({ bhxh, bhyt, bhtn }: Rates): Rates =>
    ({ bhxh: rows(bhxh), bhyt: rows(bhyt), bhtn: rows(bhtn) });
  return {
    first_period: FIRST_PERIOD,
    reviewed_through: REVIEWED_THROUGH,
    cap_multiple: CAP_MULTIPLE,
    progressive_tax: rows(PROGRESSIVE_TAX),
    family_deductions: rows(FAMILY_DEDUCTIONS),
    voluntary_pension_limit: rows(VOLUNTARY_PENSION_LIMIT),
    expense_limits: { medical: rows(EXPENSE_LIMITS.medical), education: rows(EXPENSE_LIMITS.education) },
    flat_tax: { short_term: rows(FLAT_TAX.short_term), non_resident: rows(FLAT_TAX.non_resident) },
    employee_rates: rateRows(EMPLOYEE_RATES),
    employer_rates: rateRows(EMPLOYER_RATES),
    foreigner_rates: { employee: rateRows(FOREIGNER_RATES.employee), employer: rateRows(FOREIGNER_RATES.employer) },
    union_fund_rate: rows(UNION_FUND_RATE),
    base_salary: rows(BASE_SALARY),
    minimum_wage: rows(MINIMUM_WAGE),
  };
}

/** GET /api/v1/tax/rules */
export const taxRulesOperation: Operation = operation({
  id: 'getTaxRules',
  path: '/api/v1/tax/rules',
  summary: 'Get the tax law',
  description: 'Returns the law behind the tax calculations, as dated tables: all rows of every table, with the first '
    + 'month of each and its legal instrument; with `period`, the row of each table that is in force in that month.',
  input: 'query',
  request: taxRulesRequest,
  result: taxRulesResult,
  examples: { 'in force in one month': { period: '2026-08' } },
  refusals: { 'a month before the law tables': { period: '2014-12' } },
  calculate: rowsFor,
});
