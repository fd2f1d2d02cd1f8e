/** The settings of the workers. */
import { availableParallelism } from 'node:os';
import { addProblem, type Check, integer, withDefault } from '../../contract/schema.ts';

const description = 'Worker processes that share the port; max for one per CPU core';
const count = integer({ description, minimum: 1, maximum: 256 });
const workers: Check<number | 'max'> = {
  schema: { description, anyOf: [count.schema, { enum: ['max'] }] },
  read(value, field, problems) {
    const read = value === 'max' ? value : count.read(value, field, []);
    if (read !== undefined) return read;
    const expected = 'a whole number from 1 up to 256, or max';
    return addProblem(problems, field, 'out_of_range', expected, value);
  },
};

/** The setting of the workers. */
export const workerSettings = { workers: withDefault(workers, 1) };

/** The number of worker processes. */
export function workerCount(given: number | 'max'): number {
  return given === 'max' ? availableParallelism() : given;
}
