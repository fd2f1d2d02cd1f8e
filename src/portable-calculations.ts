/** The operations that any JavaScript runtime can run. */
import type { Operation } from './contract/operation.ts';
import { interestOperation } from './interest/interest.ts';
import { solveOperation } from './interest/solve.ts';
import { annualOperation } from './tax/annual.ts';
import { taxOperation } from './tax/tax.ts';

export const portableCalculations: readonly Operation[] = [
  taxOperation,
  annualOperation,
  interestOperation,
  solveOperation,
];
