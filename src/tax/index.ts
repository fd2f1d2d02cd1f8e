/** The subpath `/tax` of the package: the tax calculations, without Node modules. */
export {
  Failure,
  FAILURES,
  type FailureCode,
  type Problem,
  type ProblemCode,
} from '../contract/failure.ts';
export { type AnnualRequest, settleYear } from './annual.ts';
export type { AnnualDetail, AnnualResult } from './annual-contract.ts';
export type {
  BracketRow,
  Contributions,
  Insurances,
  LawRow,
  TaxDetail,
  TaxResult,
} from './contract.ts';
export { taxRules, type TaxRulesRequest } from './rules.ts';
export type { TaxRules } from './rules-contract.ts';
export { calculateTax, type TaxRequest } from './tax.ts';
