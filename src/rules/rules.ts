/** The law tables as data. */
import { operation } from '../contract/operation.ts';
import { type Input, parse, type Value } from '../contract/schema.ts';
import { CAP_MULTIPLE, FIRST_PERIOD, REVIEWED_THROUGH } from '../tax/law.ts';
import { TABLES, tablesInForce } from './tables.ts';
import { rulesRequest, rulesResult, type TaxRules } from './contract.ts';

/** The rows to return: those in force in a month, or all. */
export type TaxRulesRequest = Input<typeof rulesRequest>;

/**
 * The law tables, or the row of each that is in force in a month (YYYY-MM, 2015-01 or later). Throws a Failure
 * (`validation_failed`) for an invalid request.
 *
 * @example
 * taxRules({ period: '2026-08' }).family_deductions[0].value.self; // 15500000
 */
export function taxRules(request: TaxRulesRequest = {}): TaxRules {
  return rulesOf(parse(rulesRequest, request));
}

function rulesOf({ period }: Value<typeof rulesRequest>): TaxRules {
  return {
    first_period: FIRST_PERIOD,
    reviewed_through: REVIEWED_THROUGH,
    cap_multiple: CAP_MULTIPLE,
    ...(period === undefined ? TABLES : tablesInForce(TABLES, period)),
  };
}

/** GET /api/v1/tax/rules */
export const taxRulesOperation = operation({
  id: 'getTaxRules',
  path: '/api/v1/tax/rules',
  summary: 'Get the tax law',
  description:
    'Returns the law behind the tax calculations, as dated tables: all rows of every table, with '
    + 'its first month (the month of payment for tax, the salary month for insurance) and its '
    + 'legal instrument; with `period`, the row of each table that is in force in that month.',
  method: 'GET',
  request: rulesRequest,
  result: rulesResult,
  examples: { 'in force in one month': { period: '2026-08' } },
  invalidExamples: { 'a month before the law tables': { period: '2014-12' } },
  calculate: rulesOf,
});
