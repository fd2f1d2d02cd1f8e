/** The operations of the core. */
import type { Operation } from '../contract/operation.ts';
import { hashOperation } from '../hash/hash.ts';
import { interestOperation } from '../interest/interest.ts';
import { solveOperation } from '../interest/solve.ts';
import { annualOperation } from '../tax/annual.ts';
import { taxOperation } from '../tax/tax.ts';

export const coreOperations: readonly Operation[] = [
  taxOperation,
  annualOperation,
  interestOperation,
  solveOperation,
  hashOperation,
];
