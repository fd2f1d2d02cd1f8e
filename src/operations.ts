/** The operations of the service: those of the core, and those that extensions add. */
import { calculations } from './calculations.ts';
import type { Operation } from './contract/operation.ts';
import { extended } from './extended.ts';

/** All operations of the service. */
export const operations: readonly Operation[] = extended(calculations);
