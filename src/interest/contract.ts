import { array, type Check, choice, integer, number, object, refine, withDefault } from '../contract/schema.ts';

/** How often accrued interest is added to the balance. */
export type Compounding = 'monthly' | 'quarterly' | 'semiannually' | 'annually';

/** A plan of saving. Amounts are in one currency, whichever it is; the rate is percent a year. */
export interface InterestRequest {
  readonly principal: number;
  readonly monthly_deposit: number;
  readonly annual_rate: number;
  readonly years: number;
  readonly compounding: Compounding;
  readonly deposit_timing: 'end' | 'start';
  readonly decimals: number;
  readonly timeline: 'yearly' | 'monthly' | 'none';
}

/** What the plan grows to. */
export interface InterestResult {
  readonly initial_principal: number;
  readonly monthly_deposit: number;
  readonly annual_rate_percent: number;
  readonly years: number;
  readonly final_balance: number;
  readonly total_deposited: number;
  readonly total_profit: number;
  readonly effective_annual_rate: number;
  readonly timeline: readonly TimelineRow[];
}

/** The state of the plan after `year` years; a fraction for a month within a year. */
export interface TimelineRow {
  readonly year: number;
  readonly total_balance: number;
  readonly total_deposited: number;
  readonly total_interest: number;
}

const MONTH_TOLERANCE = 1e-6;
const MAXIMUM_PRINCIPAL = 1e15;
const MAXIMUM_DEPOSIT = 1e13;
const MAXIMUM_YEARS = 100;

const principal = number({ description: 'Starting amount', minimum: 0, maximum: MAXIMUM_PRINCIPAL });
const deposit = number({ description: 'Amount added each month', minimum: 0, maximum: MAXIMUM_DEPOSIT });
const rate = number({ description: 'Nominal annual rate in percent: 8.5 is 8.5 %', minimum: -100, maximum: 500 });
const years = number({
  description: 'Duration, a whole number of months: 1.5 is 18 months',
  above: 0,
  maximum: MAXIMUM_YEARS,
});
const amount = (description: string): Check<number> => number({ description, minimum: 0 });
/** Nothing loses more than all that is paid in. */
const gain = (description: string): Check<number> =>
  number({ description, minimum: -(MAXIMUM_PRINCIPAL + 12 * MAXIMUM_YEARS * MAXIMUM_DEPOSIT) });

/** What the interest operation takes. */
export const interestRequest: Check<InterestRequest> = object({
  principal,
  monthly_deposit: withDefault(deposit, 0),
  annual_rate: rate,
  years: refine(years, 'malformed', 'a whole number of months, a multiple of 1/12 year', (value) => {
    const months = Math.round(value * 12);
    return months > 0 && Math.abs(value * 12 - months) <= MONTH_TOLERANCE;
  }),
  compounding: withDefault(choice(['monthly', 'quarterly', 'semiannually', 'annually'],
    'When accrued interest is added to the balance; it is also added at the end of the term'), 'monthly'),
  deposit_timing: withDefault(choice(['end', 'start'],
    'Whether a deposit is made at the end or the start of each month'), 'end'),
  decimals: withDefault(integer({ description: 'Decimals of the amounts in the answer', minimum: 0, maximum: 6 }), 2),
  timeline: withDefault(choice(['yearly', 'monthly', 'none'],
    'Which rows `timeline` has; for none it is empty'), 'yearly'),
}, 'A plan of saving');

/** What the interest operation returns. */
export const interestResult: Check<InterestResult> = object({
  initial_principal: principal,
  monthly_deposit: deposit,
  annual_rate_percent: rate,
  years,
  final_balance: amount('Balance at the end of the term'),
  total_deposited: amount('Principal and all deposits'),
  total_profit: gain('`final_balance` less `total_deposited`'),
  effective_annual_rate: number({
    description: 'Growth of one year with this compounding, percent, rounded to 6 decimals',
    minimum: -100,
  }),
  timeline: array(object({
    year: number({ description: 'Years since the start; fractional within a year', above: 0, maximum: MAXIMUM_YEARS }),
    total_balance: amount('Balance with the interest accrued so far'),
    total_deposited: amount('Principal and the deposits so far'),
    total_interest: gain('`total_balance` less `total_deposited`'),
  }), 'The way there, one row a year or a month; a last part year has a row of its own'),
}, 'What the plan grows to');
