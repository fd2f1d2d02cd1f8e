/** The subpath `/tax` of the package: the tax calculations and the law tables, without Node modules. */
export {
  Failure,
  FAILURES,
  type FailureCode,
  type Problem,
  type ProblemCode,
} from '../contract/failure.ts';
export type { ReconcileResult } from '../reconcile/contract.ts';
export { type ReconcileRequest, reconcileTax } from '../reconcile/reconcile.ts';
export type { TaxRules } from '../rules/contract.ts';
export { taxRules, type TaxRulesRequest } from '../rules/rules.ts';
export { type AnnualRequest, settleYear } from '../tax/annual.ts';
export type { AnnualDetail, AnnualResult } from '../tax/annual-contract.ts';
export type {
  BracketRow,
  Contributions,
  Insurances,
  LawRow,
  TaxDetail,
  TaxResult,
} from '../tax/contract.ts';
export { calculateTax, type TaxRequest } from '../tax/tax.ts';
