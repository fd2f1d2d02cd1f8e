/** The fields of an annual settlement and its result. */
import {
  array,
  boolean,
  type Check,
  integer,
  object,
  optional,
  type Value,
  withDefault,
} from '../contract/schema.ts';
import {
  amount,
  bracketRow,
  givenAmount,
  lawRow,
  marginalRate,
  MAXIMUM_AMOUNT,
  percent,
  reviewedThrough,
} from './contract.ts';
import { FIRST_PERIOD } from './law.ts';

const year = integer({
  description: 'The tax period, which selects the law',
  minimum: Number(FIRST_PERIOD.slice(0, 4)),
  maximum: 9999,
});

/** Names of the income of a year in other tools, in plain letters. */
const ANNUAL_INCOME =
  /^gross$|^(gross|annual|yearly|total)?(salary|income|pay|wages?)$|^(tong)?thunhap(chiuthue)?$/;
const CONTRIBUTIONS =
  ': the sum of `insurance.total` of the months; 0 for a year without insurance';
const insurance: Check<number> & { readonly remark: string } = {
  ...givenAmount(`Compulsory contributions of the employee${CONTRIBUTIONS}`),
  remark: CONTRIBUTIONS,
};
const ANNUAL_LIMIT = 'deductible from 2026, up to an annual limit';

/** The request of the annual settlement: totals of the return and the withholding certificates. */
export const annualRequest = object(
  {
    year,
    income: givenAmount(
      'Thu nhập chịu thuế: gross income − exempt income of all months, before deductions',
    ),
    insurance,
    dependent_months: withDefault(
      integer({
        description:
          'Months of deduction, summed over the dependents: 12 for a child of the whole year',
        minimum: 0,
        maximum: 600,
      }),
      0,
    ),
    self_months: withDefault(
      integer({
        description:
          'Months of the personal deduction; fewer than 12 only for a foreigner resident '
          + 'for part of the year. Until 2025, the brackets have as many, as for citizens of '
          + 'treaty countries',
        minimum: 1,
        maximum: 12,
      }),
      12,
    ),
    voluntary_pension: withDefault(
      givenAmount(
        'Contributions to a voluntary or supplementary '
          + 'pension and, from 2026, to life insurance: the sum of the monthly amounts, each '
          + 'up to the monthly limit; those of the employer count if `income` includes them',
      ),
      0,
    ),
    charity: withDefault(givenAmount('Charitable contributions with receipts'), 0),
    medical: withDefault(givenAmount(`Expenses for medical care; ${ANNUAL_LIMIT}`), 0),
    education: withDefault(givenAmount(`Expenses for education; ${ANNUAL_LIMIT}`), 0),
    withheld: optional(
      givenAmount('Tax withheld or paid for the year by the certificates of the employers'),
    ),
    detail: withDefault(boolean('Whether to add `detail`'), false),
  },
  'The salary income of a year, and the deductions and the tax already paid; whole đồng (VND)',
  undefined,
  { income: ANNUAL_INCOME },
);

const annualDetail = object(
  {
    reviewed_through: reviewedThrough,
    brackets: array(bracketRow, 'Brackets of the year, which add up to `taxable_income` and `tax`'),
    effective_rate: percent('Tax in percent of the income, rounded half up to two decimals'),
    marginal_rate: marginalRate,
    law: array(lawRow, 'Every value of the law that was used'),
  },
  'How the result was calculated; only if `detail` is true',
  'AnnualDetail',
);

const annualDeductions = object(
  {
    insurance: amount('Compulsory contributions'),
    self: amount('For the taxpayer'),
    dependents: amount('For all dependents'),
    voluntary_pension: amount(
      'Voluntary pension and life insurance, up to 12 times the monthly limit',
    ),
    charity: amount('Charitable contributions'),
    medical: amount('Medical care, up to its limit'),
    education: amount('Education, up to its limit'),
    total: amount('Sum of the deductions'),
  },
  'Deductions in đồng, including the insurance and not limited to the income',
  'AnnualDeductions',
);

/** The result of the annual settlement, in whole đồng. */
export const annualResult = object(
  {
    year,
    income: amount('Salary income'),
    deductions: annualDeductions,
    taxable_income: amount('Thu nhập tính thuế: income − deductions, never negative'),
    tax: amount('Personal income tax of the year'),
    withheld: optional(
      amount('Tax withheld or paid for the year; only if the request has the field'),
    ),
    balance: optional(
      integer({
        description:
          'Tax − withheld, only with `withheld`: above 0 to be paid, below 0 to be refunded '
          + 'or set off; up to 50,000 owed is waived, and up to 50,000 overpaid is set off and not '
          + 'refunded; this is not applied',
        minimum: -MAXIMUM_AMOUNT,
      }),
    ),
    detail: optional(annualDetail),
  },
  'Annual settlement, đồng',
  'AnnualResult',
);

/** A checked request of the annual settlement, with its defaults. */
export type AnnualRequestValue = Value<typeof annualRequest>;
/** An annual settlement, in whole đồng. */
export type AnnualResult = Value<typeof annualResult>;
/** How an annual settlement was calculated. */
export type AnnualDetail = Value<typeof annualDetail>;
