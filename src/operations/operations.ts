/**
 * Start here: the service is this list of operations. Operations are grouped in folders: `contract.ts` declares the
 * request and the result of the first; the file named after the folder contains its calculation and, at the end, the
 * operation. A further operation has files of its own, such as `annual-contract.ts` and `annual.ts`. The operations
 * that need no Node module are listed in `portable.ts`, and those of the core in `core.ts`.
 */
import type { Operation } from '../contract/operation.ts';
import { hashOperation } from '../hash/hash.ts';
import { withCaseWords } from './case-words.ts';
import { portableOperations } from './portable.ts';

/** All operations of the service. */
export const operations: readonly Operation[] = [...portableOperations, hashOperation].map(
  withCaseWords,
);
