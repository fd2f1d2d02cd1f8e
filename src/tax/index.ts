/** The tax calculations as functions. */
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
export { calculateTax, type TaxRequest } from './tax.ts';
