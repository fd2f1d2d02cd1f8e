/**
 * Start here: the core of the service is this list of operations. Each operation has its own folder: `contract.ts`
 * declares its request and result; the file named after the folder contains the calculation and, at its end, the
 * operation. A further operation of a folder has files of its own, such as `annual-contract.ts` and `annual.ts`. The
 * operations that need no Node module are listed in `portable-calculations.ts`.
 */
import type { Operation } from './contract/operation.ts';
import { hashOperation } from './hash/hash.ts';
import { portableCalculations } from './portable-calculations.ts';

/** The operations of the core. */
export const calculations: readonly Operation[] = [...portableCalculations, hashOperation];
