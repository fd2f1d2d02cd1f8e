/**
 * Start here: the service is the operations in this list. Each has a folder of its own: `contract.ts` is what goes over
 * the wire, the file of the folder's name is the calculation and, at its end, the operation.
 */
import type { Operation } from './contract/operation.ts';
import { hashOperation } from './hash/hash.ts';
import { interestOperation } from './interest/interest.ts';
import { taxRulesOperation } from './tax/rules.ts';
import { taxOperation } from './tax/tax.ts';

/** All operations of the service. */
export const operations: readonly Operation[] = [taxOperation, interestOperation, hashOperation, taxRulesOperation];
