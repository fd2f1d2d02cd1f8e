/**
 * Start here: the service is the operations in this list. Each is a folder of its own, with `contract.ts` (what goes
 * over the wire), `operation.ts` (path, example, function) and the calculation.
 */
import type { Operation } from './contract/operation.ts';
import { hashOperation } from './hash/operation.ts';
import { interestOperation } from './interest/operation.ts';
import { taxOperation } from './tax/operation.ts';

/** All operations of the service. */
export const operations: readonly Operation[] = [taxOperation, interestOperation, hashOperation];
