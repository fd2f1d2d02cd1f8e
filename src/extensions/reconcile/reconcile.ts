/** Why another source has another net income. */
import { validationFailure } from '../../contract/failure.ts';
import { type Context, operation } from '../../contract/operation.ts';
import { type Input, parse, type Value } from '../../contract/schema.ts';
import { REVIEW } from '../../tax/contract.ts';
import { lawOf } from '../../tax/law.ts';
import { calculateTax, periodAt } from '../../tax/tax.ts';
import { type Assumptions, salaryMonths } from './alternatives.ts';
import { reconcileRequest, reconcileResult, type ReconcileResult } from './contract.ts';
import { firstMonthOf, LAWS } from './months.ts';
import { changesOf, type Language } from './reasons.ts';
import { type Figures, findMatches } from './search.ts';

/** A salary, and the figures that another source has for it, in đồng per month. */
export type ReconcileRequest = Input<typeof reconcileRequest>;
type Checked = Value<typeof reconcileRequest>;
type Salary = Omit<Checked, keyof Figures>;

/** A figure of less than this part of the income is in another unit, such as millions. */
const LEAST_PART = 1000;

/**
 * Finds the reasons why another source has another net income than `calculateTax`; without a
 * `period`, for the current month in Vietnam. Throws a Failure (`validation_failed`) for an invalid
 * request, and another one (`internal_error`) as `calculateTax` does.
 */
export function reconcileTax(request: ReconcileRequest): ReconcileResult {
  const context = { currentPeriod: () => periodAt(Date.now()) };
  return explain(parse(reconcileRequest, request), context, 'en');
}

/** Finds the reasons in words of a language. */
export function explain(
  request: Checked,
  { currentPeriod }: Pick<Context, 'currentPeriod'>,
  language: Language,
): ReconcileResult {
  const { net_income, tax, insurance, ...salary } = request;
  const { period = currentPeriod(), region } = salary;
  // With a month of payment, the tax operation decides whether the salary month is required.
  const result = calculateTax(salary.paid_in === undefined ? { ...salary, period } : salary);
  checkUnit(request);
  const own = assumptionsOf(salary, period);
  const matches = findMatches(own, lawOf(period, region, salary), { net_income, tax, insurance });
  return {
    net_income: result.net_income,
    tax: result.tax,
    insurance: result.insurance.total,
    difference: net_income - result.net_income,
    explanations: matches.map((match) => ({
      changes: changesOf(match, own, language),
      net_income: match.outcome.net_income,
      tax: match.outcome.tax,
      insurance: match.outcome.insurance,
    })),
  };
}

/** Refuses a net income that the income cannot leave, such as one in another unit. */
function checkUnit({ income, net_income }: Checked): void {
  const least = Math.floor(income / LEAST_PART);
  if (net_income >= least && net_income <= income) return;
  const message = `net_income: expected ${least} up to the income, ${income}, got ${net_income}`;
  throw validationFailure([{ field: 'net_income', code: 'out_of_range', message }]);
}

function assumptionsOf(salary: Salary, period: string): Assumptions {
  const paid_in = salary.paid_in && firstMonthOf(LAWS.tax, salary.paid_in);
  return {
    income: salary.income,
    type: salary.type,
    dependents: salary.dependents,
    taxation: salary.taxation,
    foreigner: salary.foreigner ?? false,
    period: firstMonthOf(salaryMonths({ paid_in }), period),
    paid_in,
    brackets: undefined,
    region: salary.region,
    insurance_salary: salary.insurance_salary ?? 'gross_income',
    exempt_income: salary.exempt_income ?? 0,
    self_deduction: salary.self_deduction ?? true,
    bhxh: salary.bhxh ?? true,
    bhyt: salary.bhyt ?? true,
    bhtn: salary.bhtn ?? true,
    voluntary_pension: salary.voluntary_pension ?? 0,
    union_fund: salary.union_fund ?? false,
    union_dues: 0,
    net_income: 'after_tax',
  };
}

/** POST /api/v1/tax/reconcile */
export const reconcileOperation = operation({
  id: 'reconcileTax',
  path: '/api/v1/tax/reconcile',
  summary: 'Explain another net salary',
  description:
    'Finds why a payslip, an offer or another calculator shows another net salary for the same '
    + 'gross salary than `calculateTax`: the law of another month, other dependents, another '
    + 'insured salary, a flat tax, union dues and others. Use it when such a figure is known. '
    + 'Only changes with exactly these figures are listed, up to the roundings of the source. '
    + `${REVIEW} `
    + 'Amounts are Vietnamese đồng (VND) per month. Not for years, or without the gross salary.',
  input: 'small-body',
  request: reconcileRequest,
  result: reconcileResult,
  examples: {
    'the law of an earlier month': {
      income: 60_000_000,
      net_income: 47_215_500,
      period: '2026-08',
    },
    'three changes, of which the insurance states one': {
      income: 30_000_000,
      net_income: 28_086_082,
      insurance: 557_550,
      period: '2026-08',
    },
  },
  refusals: {
    'a net income above the income': { income: 25, net_income: 22_000_000, period: '2026-08' },
    'contributions above the income': {
      income: 1_000_000,
      net_income: 900_000,
      insurance_salary: 40_000_000,
      period: '2026-08',
    },
  },
  calculate: (request, context) => explain(request, context, 'en'),
});
