/** The fields of a savings plan and its growth. */
import type { Problem } from '../contract/failure.ts';
import {
  array,
  type Check,
  choice,
  integer,
  number,
  object,
  refine,
  type Value,
  withDefault,
} from '../contract/schema.ts';

/** The plans that the calculations do not cover. */
export const OTHER_PLANS =
  'Not for loans, withdrawals, changing rates, or deposits of a number of days.';

const MONTH_TOLERANCE = 1e-6;
/** The smallest absolute value of an amount or a rate other than 0. */
export const SMALLEST_MAGNITUDE = 1e-15;
export const MAXIMUM_PRINCIPAL = 1e15;
export const MAXIMUM_DEPOSIT = 1e13;
export const MINIMUM_RATE = -100;
export const MAXIMUM_RATE = 500;
export const MAXIMUM_YEARS = 100;

/** The bound of `notTiny` in words, which a schema states once. */
export const LEAST = 'a number other than 0 has a magnitude of at least 10^-15';

/**
 * Refuses a tiny number other than 0, such as 5e-324, whose exact calculation would take too long.
 */
const notTiny = (check: Check<number>): Check<number> =>
  refine(
    check,
    'malformed',
    `0 or an absolute value of at least ${SMALLEST_MAGNITUDE}`,
    (value) => value === 0 || Math.abs(value) >= SMALLEST_MAGNITUDE,
  );
/** The amounts of a plan. */
const amounts = {
  principal: number({
    description: 'Starting amount',
    minimum: 0,
    maximum: MAXIMUM_PRINCIPAL,
  }),
  deposit: number({
    description: 'Amount added each month',
    minimum: 0,
    maximum: MAXIMUM_DEPOSIT,
  }),
};
const nominalRate = (description: string): Check<number> =>
  number({ description, minimum: MINIMUM_RATE, maximum: MAXIMUM_RATE });
export const principal = notTiny(amounts.principal);
export const deposit = notTiny(amounts.deposit);
export const rate = notTiny(
  nominalRate(
    'Nominal annual rate in percent: 8.5 % is 8.5, not 0.085; a rate per month × 12; an '
      + 'APY with `compounding` annually',
  ),
);
const years = (description: string): Check<number> =>
  number({ description, exclusiveMinimum: 0, maximum: MAXIMUM_YEARS });
const total = (description: string): Check<number> => number({ description, minimum: 0 });
/** A loss cannot exceed the total deposited. */
const gain = (description: string): Check<number> =>
  number({ description, minimum: -(MAXIMUM_PRINCIPAL + 12 * MAXIMUM_YEARS * MAXIMUM_DEPOSIT) });

const isWholeNumberOfMonths = (value: number): boolean => {
  const months = Math.round(value * 12);
  return months > 0 && Math.abs(value * 12 - months) <= MONTH_TOLERANCE;
};
export const term = refine(
  years('Term in years, which must be a whole number of months: 6 months are 0.5'),
  'malformed',
  'a whole number of months, a multiple of 1/12 year',
  isWholeNumberOfMonths,
);
const compounding = choice(
  ['monthly', 'quarterly', 'semiannually', 'annually', 'at_maturity'],
  'When accrued interest is added to the balance, besides the end of the term. Interest paid '
    + 'at maturity, as of a term deposit: `at_maturity`, with an `annual_rate` from 0; its length '
    + 'for a term that is renewed (3 months: `quarterly`)',
);
const timing = choice(
  ['end', 'start'],
  'Whether a deposit is made at the end or the start of each month',
);
const decimals = integer({
  description: 'Decimals of the amounts in the answer, which have at most 2^53 − 1 steps of them',
  minimum: 0,
  maximum: 6,
});
const rows = choice(['yearly', 'monthly', 'none'], 'Rows of `timeline`; none leaves it empty');
/** The fields that determine the course of a plan and the form of its timeline. */
export const options = {
  compounding: withDefault(compounding, 'monthly'),
  deposit_timing: withDefault(timing, 'end'),
  decimals: withDefault(decimals, 2),
  timeline: withDefault(rows, 'yearly'),
};

/** Names of the term in other tools, in plain letters, in which it has months. */
export const SYNONYMS = {
  years: [
    [
      /^(so|numberof)?(months?|thang)$|^(ky|thoi)han(thang)?$|^(term|duration)((in)?months)?$/,
      '6 months are 0.5',
    ],
  ],
} as const;

const plan = object(
  {
    principal,
    monthly_deposit: withDefault(deposit, 0),
    annual_rate: rate,
    years: term,
    ...options,
  },
  `A savings plan in any currency; ${LEAST}; months are equal, while banks count days over 365`,
  undefined,
  SYNONYMS,
);

/** The problem of a loss at maturity, which might exceed the balance, if there is one. */
export function lossAtMaturity({
  compounding,
  annual_rate = 0,
}: Partial<Value<typeof plan>>): Problem[] {
  if (compounding !== 'at_maturity' || annual_rate >= 0) return [];
  const message =
    'annual_rate: expected a number from 0 with `compounding` "at_maturity", '
    + `got the number ${annual_rate}`;
  return [{ field: 'annual_rate', code: 'out_of_range', message }];
}

/** The request of the interest operation: a savings plan, in any currency. */
export const interestRequest: typeof plan = {
  ...plan,
  read(value, path, problems) {
    const checked = plan.read(value, path, problems);
    if (checked !== undefined) problems.push(...lossAtMaturity(checked));
    return checked;
  },
};

const timelineRow = object(
  {
    year: years('Years since the start; fractional within a year'),
    total_balance: total('Balance, including the interest accrued so far'),
    total_deposited: total('Principal and the deposits so far'),
    total_interest: gain('`total_balance` − `total_deposited`'),
  },
  'State of the plan at the end of a year or month',
  'TimelineRow',
);

/** The result of the interest operation: the growth of the plan. */
export const interestResult = object(
  {
    initial_principal: amounts.principal,
    monthly_deposit: amounts.deposit,
    annual_rate_percent: nominalRate('Nominal annual rate in percent'),
    years: years('Term in years'),
    final_balance: total('Balance at the end of the term'),
    total_deposited: total('Principal and all deposits'),
    total_profit: gain('`final_balance` − `total_deposited`'),
    effective_annual_rate: number({
      description:
        'Growth of 12 months at this compounding, whatever the term, percent, to 6 decimals; paid '
        + 'at maturity, the yearly growth over the term',
      minimum: -100,
    }),
    timeline: array(
      timelineRow,
      'Timeline, one row per year or month; a final partial year has its own row',
    ),
  },
  'Growth of the savings plan',
  'InterestResult',
);

/** How often accrued interest is added to the balance. */
export type Compounding = Value<typeof interestRequest>['compounding'];
/** The growth of a savings plan. */
export type InterestResult = Value<typeof interestResult>;
/** The state of the plan after a number of years; a fraction for a month within a year. */
export type TimelineRow = Value<typeof timelineRow>;
