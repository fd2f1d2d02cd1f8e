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
    tax: optional(givenAmount('Its tax, đồng')),
    insurance: optional(givenAmount('Its contributions of the employee, đồng')),
    type: withDefault(choice(['gross'], '`income` is gross'), 'gross'),
    ...describedBy('calculateTax', salaryFields),
  },
  'A salary, and the figures of another source',
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

/** The result of the comparison. */
export const reconcileResult = object(
  {
    ...figures,
    difference: integer({ description: 'Net income of the source − own one, đồng' }),
    explanations: array(
      object(
        { changes: array(changeResult, 'Empty if the figures agree'), ...figures },
        'Changes, and the figures with them',
        'Explanation',
      ),
      'Smallest sets of changes with exactly the figures of the source, up to roundings, the '
        + 'likeliest first. Empty if no such change gives them: say so, and ask for the '
        + 'dependents, the insured salary and other deductions',
    ),
  },
  'Own figures, and the reasons for the other ones',
  'ReconcileResult',
);

/** The reasons why another source has other figures. */
export type ReconcileResult = Value<typeof reconcileResult>;
