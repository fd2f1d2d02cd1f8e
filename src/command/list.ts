/** Settings whose values are lists. */
import { addProblem, type Check, string } from '../contract/schema.ts';

/** A list of items, separated by commas. A refusal names the first item that is invalid. */
export function list(
  description: string,
  expected: string,
  isValid: (item: string, isAlone: boolean) => boolean,
): Check<string> {
  const { schema, read } = string({ description: `${description}: ${expected}` });
  return {
    schema,
    read(value, field, problems) {
      const text = read(value, field, problems);
      if (text === undefined) return undefined;
      const items = text.split(',');
      const invalid = items.find((item) => !isValid(item, items.length === 1));
      return invalid === undefined
        ? text
        : addProblem(problems, field, 'malformed', expected, invalid);
    },
  };
}
