/** The ids of requests. */
import { addProblem, type Check, type Fields, type ObjectCheck } from './schema.ts';

const MAXIMUM_LENGTH = 128;
const EXPECTED =
  `a string of 1 to ${MAXIMUM_LENGTH} characters, `
  + 'or a whole number from -(2^53 - 1) to 2^53 - 1';

/** The `id` of a request. It is the first member of the answer, so that clients can match answers to requests. */
export const id: Check<string | number> = {
  schema: {
    title: 'Id',
    type: ['string', 'integer'],
    description: 'Id of the request, for the client: the answer has the same id',
    minLength: 1,
    maxLength: MAXIMUM_LENGTH,
    minimum: Number.MIN_SAFE_INTEGER,
    maximum: Number.MAX_SAFE_INTEGER,
    examples: ['E-1017'],
  },
  read(value, field, problems) {
    if (typeof value === 'string') {
      // A character may be two code units.
      const isWithin =
        value !== '' && value.length <= 2 * MAXIMUM_LENGTH && [...value].length <= MAXIMUM_LENGTH;
      return isWithin ? value : addProblem(problems, field, 'out_of_range', EXPECTED, value);
    }
    // JSON.parse reads 2^53 + 1 as 2^53, so that the answer would have another id.
    if (Number.isSafeInteger(value)) return value as number;
    const isWhole = Number.isInteger(value) || value === Infinity || value === -Infinity;
    return addProblem(problems, field, isWhole ? 'out_of_range' : 'wrong_type', EXPECTED, value);
  },
};

/** Accepts an `id` in addition to the fields of a request; the value does not contain it. */
export function withId<F extends Fields>(check: ObjectCheck<F>): ObjectCheck<F> {
  const { properties } = check.schema as { readonly properties: object };
  return {
    ...check,
    schema: { ...check.schema, properties: { ...properties, id: id.schema } },
    read(value, path, problems) {
      if (typeof value !== 'object' || value === null || !Object.hasOwn(value, 'id')) {
        return check.read(value, path, problems);
      }
      const { id: given, ...fields } = value as { readonly id: unknown };
      id.read(given, 'id', problems);
      return check.read(fields, path, problems);
    },
  };
}

/**
 * The first member of an envelope, as JSON text: the id of the request, or nothing if it has no valid one. The id is
 * read a second time, because a refusal has it, too; `withId` reports its problems.
 */
export function idMember(request: object): string {
  const given = Object.hasOwn(request, 'id')
    ? id.read((request as { readonly id: unknown }).id, 'id', [])
    : undefined;
  return given === undefined ? '' : `"id":${JSON.stringify(given)},`;
}
