/** The fields of another figure and its explanations. */
import {
  array,
  type Check,
  describedAs,
  integer,
  object,
  optional,
  string,
  type Value,
} from '../contract/schema.ts';
import { amount, givenAmount, taxRequest } from '../tax/contract.ts';

const { income: _, type: __, union_fund: ___, detail: ____, ...salaryFields } = taxRequest.fields;

/** A salary as in the tax operation, and the figures of another source. */
export const reconcileRequest = object(
  {
    income: givenAmount('Gross income of the month, with its bonuses'),
    net_income: givenAmount('Net income of the source'),
    tax: optional(givenAmount('Tax shown by the source')),
    insurance: optional(givenAmount('Contributions of the employee shown by it')),
    ...describedAs(salaryFields, {
      dependents: 'Registered dependents, without the employee',
      taxation:
        'Resident with a contract of three months or more, other resident, or under 183 days in '
        + 'Vietnam',
      foreigner: 'Whether the employee is not a Vietnamese citizen',
      period: 'Salary month (YYYY-MM), by default the current one in Vietnam',
      paid_in: 'Month of payment (YYYY-MM), with `period`',
      region: 'Minimum-wage region of the workplace',
      insurance_salary:
        'Insured salary, by default gross − `exempt_income`; 0 for none. Required with a '
        + '`taxation` other than progressive or `self_deduction` false',
      exempt_income: 'Tax-free part of the income',
      self_deduction: 'Whether the personal deduction is used here',
      bhxh: 'Whether social insurance is paid',
      bhyt: 'Whether health insurance is paid',
      bhtn: 'Whether unemployment insurance is paid',
      voluntary_pension: 'Contributions to a voluntary pension or life insurance',
    }),
  },
  'A salary, and figures of a source; amounts are whole đồng (VND) per month',
);

/** A checked request. */
export type ReconcileRequestValue = Value<typeof reconcileRequest>;

const value: Check<string | number | boolean> = {
  schema: {
    type: ['string', 'number', 'boolean'],
    description:
      'Its value there: of `period` the last month of the law, of `brackets` their number, of '
      + '`union_dues` the amount',
  },
  read: (given) => given as string | number | boolean,
};

const change = object(
  {
    field: string({
      description: 'A field, `brackets`, `union_dues` or `outside`',
      minLength: 1,
    }),
    value,
    reason: string({ description: 'The change in words', minLength: 1 }),
  },
  'An assumption of the source',
  'Change',
);

/** A field with the value of the source, and the reason in words. */
export type Change = Value<typeof change>;

const figures = {
  net_income: amount('Net income'),
  tax: amount('Tax of the month'),
  insurance: amount('Contributions of the employee'),
};

const differences = object(
  {
    net_income: integer({ description: 'Net income' }),
    tax: optional(integer({ description: 'Tax of the month' })),
    insurance: optional(integer({ description: 'Contributions' })),
    outside: optional(
      integer({
        description: 'Added or (below 0) subtracted besides both',
      }),
    ),
    words: string({ description: 'In words', minLength: 1 }),
  },
  'Figures of the source − own ones, đồng',
  'Differences',
);

/** The fields that help to find a reason, if the request lacks them. */
export const HELPFUL_FIELDS = [
  'tax',
  'insurance',
  'insurance_salary',
  'exempt_income',
  'voluntary_pension',
] as const;

/** The result of the comparison. */
export const reconcileResult = object(
  {
    differences,
    ...figures,
    explanations: array(
      object(
        { changes: array(change, 'Empty if the figures agree'), ...figures },
        'Changes and figures',
        'Explanation',
      ),
      'Smallest sets of changes with the figures of the source, up to roundings, likeliest first',
    ),
    would_help: optional(
      array(
        string({ description: 'Field', minLength: 1 }),
        'Without one, absent fields that may lead to it',
      ),
    ),
  },
  'Own figures in đồng, and reasons for others',
  'ReconcileResult',
);

/** The reasons why another source has other figures. */
export type ReconcileResult = Value<typeof reconcileResult>;
