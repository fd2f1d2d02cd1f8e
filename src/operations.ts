/**
 * Start here: the service is this list of operations. Each operation has its own folder: `contract.ts` declares its
 * request and result; the files of the calculations contain, at their ends, the operations.
 */
import type { Operation } from './contract/operation.ts';
import { hashOperation } from './hash/hash.ts';
import { interestOperation } from './interest/interest.ts';
import { solveOperation } from './interest/solve.ts';
import { taxRulesOperation } from './tax/rules.ts';
import { taxOperation } from './tax/tax.ts';

/** All operations of the service. */
export const operations: readonly Operation[] = [
  taxOperation, interestOperation, solveOperation, hashOperation, taxRulesOperation,
];
