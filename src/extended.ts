/** The operations that extensions add. */
import type { Operation } from './contract/operation.ts';
import { reconcileOperation } from './extensions/reconcile/reconcile.ts';
import { taxRulesOperation } from './extensions/rules/rules.ts';

/** Adds the operations of extensions to operations, behind those of the folder `tax`. */
export function extended(operations: readonly Operation[]): readonly Operation[] {
  const last = operations.findLastIndex(({ path }) => path.startsWith('/api/v1/tax/'));
  return operations.toSpliced(last + 1, 0, reconcileOperation, taxRulesOperation);
}
