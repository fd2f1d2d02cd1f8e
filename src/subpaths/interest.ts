/** The subpath `/interest` of the package: the interest calculations, without Node modules. */
export {
  Failure,
  FAILURES,
  type FailureCode,
  type Problem,
  type ProblemCode,
} from '../contract/failure.ts';
export type { Compounding, InterestResult, TimelineRow } from '../interest/contract.ts';
export { calculateInterest, type InterestRequest } from '../interest/interest.ts';
export type { SolveResult, Sought } from '../interest/solve-contract.ts';
export { solveInterest, type SolveRequest } from '../interest/solve.ts';
