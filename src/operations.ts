/**
 * Start here: the service is these three operations. Each is a folder of its own, with `contract.ts` (what goes over
 * the wire), `operation.ts` (path, example, function) and the calculation.
 */
import type { Operation } from './contract/operation.ts';
import { hashOperation } from './hash/operation.ts';
import { interestOperation } from './interest/operation.ts';
import { taxOperation } from './tax/operation.ts';

export const operations: readonly Operation[] = [taxOperation, interestOperation, hashOperation];
