/** Why another source has another net income. */
import { outOfRange } from '../contract/failure.ts';
import { type Context, type Operation, operation } from '../contract/operation.ts';
import { type Input, parse } from '../contract/schema.ts';
import { lawOf } from '../tax/law.ts';
import { periodAt } from '../tax/period.ts';
import { calculateTax } from '../tax/tax.ts';
import { assumptionsOf } from './alternatives.ts';
import {
  HELPFUL_FIELDS,
  reconcileRequest,
  type ReconcileRequestValue,
  reconcileResult,
  type ReconcileResult,
} from './contract.ts';
import { differencesFrom } from './differences.ts';
import { changesOf, inEnglish, type ReasonWords } from './reasons.ts';
import { Search } from './search.ts';

/** A salary, and the figures that another source has for it, in đồng per month. */
export type ReconcileRequest = Input<typeof reconcileRequest>;

/** An income and a figure that differ by more than this factor are in different units, such as millions. */
const UNIT = 1000;

/**
 * Finds the reasons why another source has another net income than `calculateTax`; without a `period`, for the current
 * month in Vietnam. Throws a Failure (`validation_failed`) for an invalid request, and another one (`internal_error`)
 * as `calculateTax` does.
 *
 * @example
 * reconcileTax({ income: 30_000_000, net_income: 26_592_500, period: '2026-08' })
 *   .differences.net_income; // 377500
 */
export function reconcileTax(request: ReconcileRequest): ReconcileResult {
  return explain(parse(reconcileRequest, request), { currentPeriod: periodAt });
}

function explain(
  request: ReconcileRequestValue,
  context: Pick<Context, 'currentPeriod'>,
): ReconcileResult {
  const steps = explaining(request, context, inEnglish);
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
  }
}

/** Finds the reasons step by step, in the words of the caller. Throws as `reconcileTax` does. */
export function* explaining(
  request: ReconcileRequestValue,
  { currentPeriod }: Pick<Context, 'currentPeriod'>,
  inWords: ReasonWords,
): Generator<void, ReconcileResult> {
  const { paid_in, period = currentPeriod() } = request;
  const { net_income, tax, insurance, ...salary } = request;
  const source = { net_income, tax, insurance };
  // With a month of payment, the tax operation decides whether the salary month is required.
  const result = calculateTax(paid_in === undefined ? { ...salary, period } : salary);
  checkUnit(request);
  const own = assumptionsOf(salary, lawOf(period, request.region, request));
  const matches = yield* new Search(own, source).run();
  const explanations = matches.map((match) => ({
    changes: changesOf(match, own, inWords),
    net_income: match.net_income,
    tax: match.tax,
    insurance: match.insurance,
  }));
  return {
    differences: differencesFrom(result, source, inWords),
    net_income: result.net_income,
    tax: result.tax,
    insurance: result.insurance.total,
    explanations,
    ...(explanations.length === 0 && {
      would_help: HELPFUL_FIELDS.filter((name) => request[name] === undefined),
    }),
  };
}

/** Refuses a net income in another unit than the income. */
function checkUnit({ income, net_income }: ReconcileRequestValue): void {
  const least = Math.floor(income / UNIT);
  if (net_income >= least && net_income <= income * UNIT) return;
  throw outOfRange('net_income', `${least} to ${income * UNIT}, got ${net_income}`);
}

/** POST /api/v1/tax/reconcile */
export const reconcileOperation: Operation = operation({
  id: 'reconcileTax',
  path: '/api/v1/tax/reconcile',
  summary: 'Explain another net salary',
  description:
    'Finds why a payslip, an offer or another calculator has another net salary for the same '
    + 'gross salary: another law, person, insured salary, tax status, income, meals or dues. The '
    + 'more of its figures are stated, the more is found. Not for years.',
  method: 'POST',
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
  invalidExamples: {
    'a net income in another unit': { income: 25, net_income: 22_000_000, period: '2026-08' },
  },
  calculate: explain,
});
