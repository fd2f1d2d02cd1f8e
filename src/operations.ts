/**
 * Start here: the service is this list of operations. Each operation has its own folder: `contract.ts` declares its
 * request and result; the file named after the folder contains the calculation and, at its end, the operation. A
 * further operation of a folder has files of its own, such as `rules-contract.ts` and `rules.ts`. The operations that
 * need no Node module are listed in `portable-operations.ts`.
 */
import type { Operation } from './contract/operation.ts';
import { hashOperation } from './hash/hash.ts';
import { portableOperations } from './portable-operations.ts';

/** All operations of the service. */
export const operations: readonly Operation[] = [...portableOperations, hashOperation];
