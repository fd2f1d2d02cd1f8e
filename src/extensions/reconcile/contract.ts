/** The fields of another figure and its explanations. */
import {
  array,
  type Check,
  choice,
  integer,
  object,
  optional,
  string,
  type Value,
  withDefault,
} from '../../contract/schema.ts';
import { amount, givenAmount, taxRequest } from '../../tax/contract.ts';

const { income, type: _, detail: __, ...salaryFields } = taxRequest.fields;

/** The fields of the tax operation, which describes them. */
const knownFields = Object.fromEntries(
  Object.entries(salaryFields).map(([name, field]) => {
    const { pattern: _, ...schema } = field.schema;
    return [name, { ...field, schema: { ...schema, description: 'As in `calculateTax`' } }];
  }),
) as unknown as typeof salaryFields;

/** A salary as in the tax operation, and the figures of another source. */
export const reconcileRequest = object(
  {
    income,
    net_income: givenAmount('Net income of the other source, đồng'),
    tax: optional(givenAmount('Its tax, đồng')),
    insurance: optional(givenAmount('Its contributions of the employee, đồng')),
    type: withDefault(choice(['gross'], '`income` is gross'), 'gross'),
    ...knownFields,
  },
  'A salary, and the figures of another source',
  undefined,
  {
    net_income: /^(net|takehome)(salary|pay)?$|^(luong)?(net|thuc(nhan|linh))$/,
    tax: /^(pit|incometax)$|^(thue)?tncn$/,
    insurance: /^(total)?insurance(total)?$|^(tien)?(bh|baohiem)$/,
  },
);

const changeResult = object(
  {
    field: string({
      description:
        'Field of the request; or `brackets`, the law of the brackets alone, `union_dues`, which '
        + 'are not modelled, or `net_income`, another kind of amount',
      minLength: 1,
    }),
    value: fieldValue(),
    reason: string({ description: 'The change in words', minLength: 1 }),
  },
  'An assumption of the other source',
  'Change',
);

/** A number, a month or another word, or a flag. */
function fieldValue(): Check<string | number | boolean> {
  const description = 'Its value in the other source; a month stands for the law of several';
  return {
    schema: { type: ['string', 'number', 'boolean'], description },
    read: (value) => value as string | number | boolean,
  };
}

const figures = {
  net_income: amount('Net income, đồng'),
  tax: amount('Tax, đồng'),
  insurance: amount('Contributions of the employee, đồng'),
};

/** The result of the comparison. */
export const reconcileResult = object(
  {
    ...figures,
    difference: integer({ description: 'Net income of the source − own net income, đồng' }),
    explanations: array(
      object(
        { changes: array(changeResult, 'None if the figures agree'), ...figures },
        'Changes, and the figures with them',
        'Explanation',
      ),
      'Smallest sets of changes with these figures, the likeliest first; empty if there is none',
    ),
  },
  'Own figures, and the reasons for the other ones',
  'ReconcileResult',
);

/** The reasons why another source has other figures. */
export type ReconcileResult = Value<typeof reconcileResult>;
