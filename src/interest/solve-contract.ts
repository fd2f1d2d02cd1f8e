/** The contract of the goal: a savings plan without one of its numbers, which is sought. */
import { missingField, type Problem } from '../contract/failure.ts';
import {
  type Check,
  choice,
  describedAs,
  integer,
  number,
  object,
  optional,
  type OptionalField,
  refine,
  type Value,
  withDefault,
} from '../contract/schema.ts';
import {
  deposit,
  interestResult,
  LEAST,
  lossAtMaturity,
  MAXIMUM_PRINCIPAL,
  MAXIMUM_YEARS,
  options,
  principal,
  rate,
  SMALLEST_MAGNITUDE,
  SYNONYMS,
  term,
} from './contract.ts';

const SOUGHT = ['monthly_deposit', 'principal', 'years', 'annual_rate'] as const;
/** The field that the solve operation looks for. */
export type Sought = (typeof SOUGHT)[number];

const requiredUnlessSought = ({ schema, read }: Check<number>): OptionalField<number> => {
  const description = `${String(schema['description'])}; required unless sought`;
  return optional({ schema: { ...schema, description }, read });
};
const soughtFor = choice(
  SOUGHT,
  'Field whose smallest value that reaches `target` is sought, a term of at least one month; the '
    + 'request must omit this field',
);
const balance = number({
  description: 'Final balance to reach',
  exclusiveMinimum: 0,
  maximum: MAXIMUM_PRINCIPAL,
});
const target = refine(
  balance,
  'malformed',
  `at least ${SMALLEST_MAGNITUDE}`,
  (value) => value >= SMALLEST_MAGNITUDE,
);

const goal = object(
  {
    solve_for: soughtFor,
    target,
    principal: requiredUnlessSought(principal),
    monthly_deposit: withDefault(deposit, 0),
    annual_rate: requiredUnlessSought(rate),
    years: requiredUnlessSought(term),
    ...describedAs(options, {
      compounding:
        'When accrued interest is added to the balance; once for a term deposit: `at_maturity`',
      deposit_timing: 'When a deposit is made in its month',
      decimals: 'Decimals of the amounts in the answer',
      timeline: 'Rows of `timeline`',
    }),
  },
  `A savings plan with a target; ${LEAST}`,
  undefined,
  SYNONYMS,
);

/** The request of the solve operation: a savings plan without one of its numbers, and the balance to reach. */
export const solveRequest: typeof goal = {
  ...goal,
  read(value, path, problems) {
    const checked = goal.read(value, path, problems);
    // Own members only, as for the fields themselves.
    problems.push(...soughtProblems({ __proto__: null, ...(value as object) }));
    if (checked !== undefined) problems.push(...lossAtMaturity(checked));
    return checked;
  },
};

/** The problems of the fields as sent, also of those that fail their checks, because one is sought. */
function soughtProblems(given: Readonly<Record<string, unknown>>): Problem[] {
  const sought = SOUGHT.find((name) => name === given['solve_for']);
  if (sought === undefined) return [];
  const missing = SOUGHT.filter(
    (name) => name !== sought && name !== 'monthly_deposit' && given[name] === undefined,
  );
  const problems = missing.map((name) => missingField(name));
  if (given[sought] === undefined) return problems;
  const message = `${sought}: expected no value, because \`solve_for\` names this field`;
  return [...problems, { field: sought, code: 'not_allowed', message }];
}

/** The result of the solve operation: the completed plan and its growth. */
export const solveResult = object(
  {
    solve_for: choice(SOUGHT, 'Field that was sought'),
    target,
    months: integer({ description: 'Term in months', minimum: 1, maximum: 12 * MAXIMUM_YEARS }),
    ...interestResult.fields,
  },
  'Completed savings plan and its growth',
  'SolveResult',
);

/** The growth of a savings plan that reaches a target. */
export type SolveResult = Value<typeof solveResult>;
