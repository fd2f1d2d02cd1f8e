/** The fields of another figure and its explanations. */
import {
  array,
  type Check,
  choice,
  describedBy,
  integer,
  object,
  optional,
  string,
  type Value,
  withDefault,
} from '../contract/schema.ts';
import { amount, givenAmount, taxRequest } from '../tax/contract.ts';

const { income: _, type: __, detail: ___, ...salaryFields } = taxRequest.fields;

/** A salary as in the tax operation, and the figures of another source. */
export const reconcileRequest = object(
  {
    income: givenAmount('Gross income of the month, with its bonuses, đồng'),
    net_income: givenAmount('Net income of the source, đồng'),
    tax: optional(givenAmount('Tax shown by the source, đồng')),
    insurance: optional(givenAmount('Contributions of the employee shown by it, đồng')),
    type: withDefault(choice(['gross'], '`income` is gross'), 'gross'),
    ...describedBy('calculateTax', salaryFields),
  },
  'A salary, and figures of a source',
);

const value: Check<string | number | boolean> = {
  schema: {
    type: ['string', 'number', 'boolean'],
    description:
      'Its value there: of `period` the last month of the law, of `brackets` their number, of '
      + '`union_dues` the amount',
  },
  read: (given) => given as string | number | boolean,
};

const changeResult = object(
  {
    field: string({
      description: 'A field, or `brackets` or `union_dues`',
      minLength: 1,
    }),
    value,
    reason: string({ description: 'The change in words', minLength: 1 }),
  },
  'An assumption of the source',
  'Change',
);

const figures = {
  net_income: amount('Net income, đồng'),
  tax: amount('Tax, đồng'),
  insurance: amount('Contributions of the employee, đồng'),
};

const differences = object(
  {
    net_income: integer({ description: 'Net income, đồng' }),
    tax: optional(integer({ description: 'Tax, đồng' })),
    insurance: optional(integer({ description: 'Contributions, đồng' })),
    outside: optional(
      integer({
        description: 'Added or (below 0) subtracted besides both, đồng',
      }),
    ),
    words: string({ description: 'In words', minLength: 1 }),
  },
  'Figures of the source − own ones',
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
        { changes: array(changeResult, 'Empty if the figures agree'), ...figures },
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
  'Own figures, and reasons for others',
  'ReconcileResult',
);

/** The reasons why another source has other figures. */
export type ReconcileResult = Value<typeof reconcileResult>;
