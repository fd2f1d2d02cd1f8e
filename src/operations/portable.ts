/** The operations that any JavaScript runtime can run. */
import type { Operation } from '../contract/operation.ts';
import { interestOperation } from '../interest/interest.ts';
import { solveOperation } from '../interest/solve.ts';
import { reconcileOperation } from '../reconcile/reconcile.ts';
import { taxRulesOperation } from '../rules/rules.ts';
import { annualOperation } from '../tax/annual.ts';
import { taxOperation } from '../tax/tax.ts';

export const portableOperations: readonly Operation[] = [
  taxOperation,
  annualOperation,
  reconcileOperation,
  taxRulesOperation,
  interestOperation,
  solveOperation,
];
