import {
  array, boolean, type Check, choice, integer, nullable, number, object, optional, refine, string, withDefault,
} from '../contract/schema.ts';
import { FIRST_PERIOD, type Region } from './law.ts';

/** A salary and what decides its insurance and tax. Amounts are đồng a month. */
export interface TaxRequest {
  readonly income: number;
  readonly type: 'gross' | 'net';
  readonly dependents: number;
  readonly period?: string;
  readonly region: Region;
  readonly insurance_salary?: number;
  readonly detail: boolean;
}

/** An amount for each compulsory insurance: social, health, unemployment. */
export interface Contributions {
  readonly bhxh: number;
  readonly bhyt: number;
  readonly bhtn: number;
}

/** The salary taken apart, in whole đồng a month. */
export interface TaxResult {
  readonly gross_income: number;
  readonly insurance: Contributions & { readonly total: number };
  readonly deductions: { readonly self: number; readonly dependents: number; readonly total: number };
  readonly taxable_income: number;
  readonly tax: number;
  readonly net_income: number;
  readonly detail?: TaxDetail;
}

/** How the result came about. */
export interface TaxDetail {
  readonly period: string;
  readonly region: Region;
  readonly insurance_base: Contributions;
  readonly brackets: readonly BracketRow[];
  readonly employer: Contributions & { readonly total: number; readonly cost: number };
  readonly effective_rate: number;
  readonly marginal_rate: number;
  readonly law: readonly LawRow[];
}

/** One bracket of the table in force, and what of the income falls into it. */
export interface BracketRow {
  readonly rate: number;
  readonly from: number;
  readonly to: number | null;
  readonly taxable_amount: number;
  readonly tax: number;
}

/** One value of the law that was used. */
export interface LawRow {
  readonly rule: string;
  readonly value: number;
  readonly effective_from: string;
  readonly instrument: string;
}

const MAXIMUM_INCOME = 1e12;

/** A whole amount of đồng. */
export const amount = (description: string): Check<number> => integer({ description, minimum: 0 });
/** A share of 100. */
export const percent = (description: string): Check<number> => number({ description, minimum: 0, maximum: 100 });

const salary = (description: string): Check<number> => number({ description, minimum: 0, maximum: MAXIMUM_INCOME });

/** A month as it is written, YYYY-MM. */
export const MONTH: RegExp = /^\d{4}-(0[1-9]|1[0-2])$/;
const month = string({
  description: `The salary month, YYYY-MM, ${FIRST_PERIOD} or later; it selects the law`,
  pattern: MONTH.source,
});
const wellFormedMonth = refine(month, 'malformed', 'a month as YYYY-MM', (text) => MONTH.test(text));

/** A salary month (YYYY-MM) that the law tables cover. */
export const period: Check<string> =
  refine(wellFormedMonth, 'out_of_range', `${FIRST_PERIOD} or later`, (text) => text >= FIRST_PERIOD);

/** Where a value of the law comes from. */
export const source: Readonly<Record<'effective_from' | 'instrument', Check<string>>> = {
  effective_from: string({
    description: 'First salary month that the tables give it for, YYYY-MM',
    pattern: MONTH.source,
  }),
  instrument: string({ description: 'The legal instrument that sets it', minLength: 1 }),
};

const region: Check<Region> =
  choice([1, 2, 3, 4], 'Minimum-wage region of the workplace; it caps unemployment insurance');

/** What the tax operation takes. */
export const taxRequest: Check<TaxRequest> = object({
  income: salary('Income, đồng a month; a fraction of a đồng is rounded half up first'),
  type: withDefault(choice(['gross', 'net'], 'Which of the two `income` is'), 'gross'),
  dependents: withDefault(integer({ description: 'Number of registered dependents', minimum: 0, maximum: 50 }), 0),
  period: optional(period),
  region: withDefault(region, 1),
  insurance_salary: optional(salary('Salary on which insurance is paid, đồng a month, where it is not the gross '
    + 'income; 0 means no insurance; a fraction is rounded half up first')),
  detail: withDefault(boolean('Whether `data.detail` is wanted'), false),
}, 'A salary and what decides its insurance and tax');

const bhxh = amount('Social insurance, đồng');
const bhyt = amount('Health insurance, đồng');
const bhtn = amount('Unemployment insurance, đồng');

const detail: Check<TaxDetail> = object({
  period,
  region,
  insurance_base: object({ bhxh, bhyt, bhtn }, 'Salary on which each contribution is paid, after its cap'),
  brackets: array(object({
    rate: percent('Tax rate, percent'),
    from: amount('Taxable income over this amount, đồng'),
    to: nullable(amount('up to and including this amount, đồng; null for the last bracket')),
    taxable_amount: amount('What of the taxable income falls into the bracket, đồng'),
    tax: amount('Tax on it, đồng'),
  }), 'The brackets of the table in force; they add up to `taxable_income` and `tax`'),
  employer: object({
    bhxh,
    bhyt,
    bhtn,
    total: amount('Sum of the three, đồng'),
    cost: amount('Gross income and employer contributions, đồng'),
  }, 'What the employer pays beside the gross income'),
  effective_rate: percent('Tax in percent of the gross income, rounded half up to two decimals'),
  marginal_rate: percent('Rate of the bracket of the last đồng of taxable income, percent; 0 without any'),
  law: array(object({
    rule: string({ description: 'Which rule', minLength: 1 }),
    value: number({
      description: 'Its value: đồng, percent, or the number of brackets of the progressive tax',
      minimum: 0,
    }),
    ...source,
  }), 'Every value of the law that was used'),
}, 'How the result came about; only where `detail` is true');

/** What the tax operation returns. */
export const taxResult: Check<TaxResult> = object({
  gross_income: amount('Gross income, đồng'),
  insurance: object({ bhxh, bhyt, bhtn, total: amount('Sum of the three, đồng') }, 'Contributions of the employee'),
  deductions: object({
    self: amount('For the taxpayer, đồng'),
    dependents: amount('For all dependents, đồng'),
    total: amount('Sum of the two, đồng'),
  }, 'Family deductions as the law sets them, not limited to the income'),
  taxable_income: amount('Gross income less contributions and deductions, đồng, never negative'),
  tax: amount('Personal income tax, đồng'),
  net_income: amount('Gross income less contributions and tax, đồng'),
  detail: optional(detail),
}, 'The salary taken apart');
