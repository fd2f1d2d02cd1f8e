import {
  array, boolean, type Check, integer, number, object, optional, type Value, withDefault,
} from '../contract/schema.ts';
import { amount, bracketRow, lawRow, marginalRate, MAXIMUM_INCOME, percent } from './contract.ts';
import { FIRST_PERIOD } from './law.ts';

const FIRST_YEAR = Number(FIRST_PERIOD.slice(0, 4));

const year = integer({
  description: 'The tax period, which selects the law', minimum: FIRST_YEAR, maximum: 9999,
});
const amountOfYear = (name: string, rule = ''): Check<number> => number({
  description: `${name}, đồng${rule}; a fraction is rounded half up first`, minimum: 0, maximum: MAXIMUM_INCOME,
});

const ANNUAL_LIMIT = '; deductible from 2026, up to an annual limit';

/** The request of the annual settlement: the totals on the return and on the withholding certificates. */
export const annualRequest = object({
  year,
  income: amountOfYear('Taxable salary income of the year before deductions'),
  insurance: withDefault(amountOfYear('Compulsory contributions of the employee in the year'), 0),
  dependent_months: withDefault(integer({
    description: 'Months of deduction, summed over the dependents', minimum: 0, maximum: 600,
  }), 0),
  self_months: withDefault(integer({
    description: 'Months of the personal deduction; fewer than 12 only for a foreigner resident for part of the year',
    minimum: 1,
    maximum: 12,
  }), 12),
  voluntary_pension: withDefault(amountOfYear('Contributions to a voluntary pension fund', '; deductible up to 12 '
    + 'times the monthly limit'), 0),
  charity: withDefault(amountOfYear('Charitable contributions with receipts'), 0),
  medical: withDefault(amountOfYear('Expenses for medical care', ANNUAL_LIMIT), 0),
  education: withDefault(amountOfYear('Expenses for education', ANNUAL_LIMIT), 0),
  withheld: withDefault(amountOfYear('Tax withheld or paid for the year'), 0),
  detail: withDefault(boolean('Whether to add `data.detail`'), false),
}, 'The salary income of a year, and the deductions and the tax already paid');

const annualDetail = object({
  brackets: array(bracketRow, 'The brackets of the year; their amounts add up to `taxable_income` and `tax`'),
  effective_rate: percent('Tax in percent of the income, rounded half up to two decimals'),
  marginal_rate: marginalRate,
  law: array(lawRow, 'Every value of the law that was used'),
}, 'How the result was calculated; only if `detail` is true', 'AnnualDetail');

/** The result of the annual settlement, in whole đồng. */
export const annualResult = object({
  year,
  income: amount('Salary income, đồng'),
  deductions: object({
    insurance: amount('Compulsory contributions, đồng'),
    self: amount('For the taxpayer, đồng'),
    dependents: amount('For all dependents, đồng'),
    voluntary_pension: amount('Voluntary pension, up to its limit, đồng'),
    charity: amount('Charitable contributions, đồng'),
    medical: amount('Medical care, up to its limit, đồng'),
    education: amount('Education, up to its limit, đồng'),
    total: amount('Sum of the deductions, đồng'),
  }, 'Deductions, not limited to the income', 'AnnualDeductions'),
  taxable_income: amount('Income − deductions, đồng, never negative'),
  tax: amount('Personal income tax of the year, đồng'),
  withheld: amount('Tax withheld or paid for the year, đồng'),
  balance: integer({
    description: 'Tax − withheld, đồng: above 0 to be paid, below 0 to be refunded or set off',
    minimum: -MAXIMUM_INCOME,
  }),
  detail: optional(annualDetail),
}, 'Annual settlement', 'AnnualResult');

/** A checked request of the annual settlement, with its defaults. */
export type AnnualRequestValue = Value<typeof annualRequest>;
/** An annual settlement, in whole đồng. */
export type AnnualResult = Value<typeof annualResult>;
/** How an annual settlement was calculated. */
export type AnnualDetail = Value<typeof annualDetail>;
