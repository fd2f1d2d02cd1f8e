/** The form of the law tables in an answer. */
import {
  array,
  type Check,
  integer,
  nullable,
  object,
  optional,
  string,
  type Value,
} from '../contract/schema.ts';
import { amount, MONTH, percent, period, reviewedThrough, source } from '../tax/contract.ts';
import type { Dated, Rates } from '../tax/law.ts';

/** The month of the rules; without it, the rules of all months. */
export const rulesRequest = object({ period: optional(period) });

function rowOf<T>(title: string, value: Check<T>): Check<Dated<T>> {
  return object({ ...source, value }, 'A value and its source', title) as Check<Dated<T>>;
}

const amountRow = rowOf('AmountRow', amount('Amount, đồng'));
const rateRow = rowOf('RateRow', percent('Rate, percent'));

function rates(description: string): Check<Rates> {
  return object(
    {
      bhxh: array(rateRow, 'Social insurance'),
      bhyt: array(rateRow, 'Health insurance'),
      bhtn: array(rateRow, 'Unemployment insurance'),
    },
    description,
    'RateTables',
  );
}

const flatTaxRow = rowOf(
  'FlatTaxRow',
  object(
    {
      rate: percent('Tax rate, percent'),
      threshold: amount('Smallest payment that is taxed, đồng; 0 if every payment is taxed'),
    },
    'Rate and threshold',
    'FlatTax',
  ),
);

const bracket = object(
  {
    to: nullable(
      amount(
        'Taxable income up to and including this amount, đồng per month; null in the last bracket',
      ),
    ),
    rate: percent('Tax rate, percent'),
  },
  'A bracket of the progressive tax',
  'BracketRate',
);

const bracketsRow = rowOf('BracketsRow', array(bracket, 'Brackets, the lowest first'));

const familyDeductionsRow = rowOf(
  'FamilyDeductionsRow',
  object(
    {
      self: amount('For the taxpayer, đồng per month'),
      dependent: amount('For each dependent, đồng per month'),
    },
    'Deductions of the taxpayer and of each dependent',
    'FamilyDeductions',
  ),
);

const minimumWageRow = rowOf(
  'MinimumWageRow',
  object(
    {
      1: amount('Region I, đồng per month'),
      2: amount('Region II, đồng per month'),
      3: amount('Region III, đồng per month'),
      4: amount('Region IV, đồng per month'),
    },
    'Minimum wage by region',
    'MinimumWage',
  ),
);

/** The result of the rules. */
export const rulesResult = object(
  {
    first_period: string({ description: 'First month covered, YYYY-MM', pattern: MONTH.source }),
    reviewed_through: reviewedThrough,
    cap_multiple: integer({
      description:
        'Contributions are capped at this multiple of the base salary (bhxh, bhyt) or the '
        + 'minimum wage (bhtn)',
      minimum: 1,
    }),
    progressive_tax: array(bracketsRow, 'Progressive tax on monthly taxable income'),
    family_deductions: array(familyDeductionsRow, 'Family deductions'),
    least_bracket_months: array(
      rowOf('MonthsRow', integer({ description: 'Months', minimum: 1, maximum: 12 })),
      'Least months of the brackets of a year, which have those of the personal deduction of a '
        + 'foreigner resident for part of it',
    ),
    voluntary_pension_limit: array(
      amountRow,
      'Deductible contributions to a voluntary or '
        + 'supplementary pension and to life insurance, including those of the employer, per month',
    ),
    expense_limits: object(
      {
        medical: array(amountRow, 'Expenses for medical care, per year'),
        education: array(amountRow, 'Expenses for education, per year'),
      },
      'Deductible expenses; no row before 2026',
      'ExpenseLimits',
    ),
    flat_tax: object(
      {
        short_term: array(flatTaxRow, 'Resident without a contract of three months or more'),
        non_resident: array(flatTaxRow, 'Non-resident'),
      },
      'Flat tax on payments, without deductions',
      'FlatTaxTables',
    ),
    employee_rates: rates('Contributions of the employee'),
    employer_rates: rates(
      'Contributions of the employer, with the cuts of 2021 and 2022 for '
        + 'employers outside the State budget',
    ),
    foreigner_rates: object(
      {
        employee: rates('Contributions of the employee'),
        employer: rates('Contributions of the employer'),
      },
      'Contributions for an employee who is not a Vietnamese citizen',
      'ForeignerRates',
    ),
    union_fund_rate: array(
      rateRow,
      'Contribution of the employer to the trade-union fund, in '
        + 'percent of the salary on which social insurance is paid',
    ),
    base_salary: array(
      amountRow,
      'Base salary per month; from 2025-07 the reference level, which equals it',
    ),
    minimum_wage: array(minimumWageRow, 'Regional minimum wage'),
  },
  'The law tables',
  'TaxRules',
);

/** The law tables; amounts are in đồng, rates in percent. */
export type TaxRules = Value<typeof rulesResult>;
