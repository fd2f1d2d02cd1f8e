/** The operations as tools of the Model Context Protocol, derived from their declarations. */
import { envelopeOf } from '../../contract/failure.ts';
import type { Operation } from '../../contract/operation.ts';
import type { JsonSchema } from '../../contract/schema.ts';
import type { Answer } from '../../service/answer.ts';
import { exceeds, tooLarge } from '../../service/body.ts';
import type { ServiceOptions } from '../../service/service.ts';

/** Instructions for models. Not every client passes them on, so each tool is described completely, too. */
export const INSTRUCTIONS =
  'Exact calculators. Call them instead of calculating, and repeat their numbers unchanged. Write '
  + 'plain JSON numbers: 30 million is 30000000. Ask for what only the user knows, such as an '
  + 'exchange rate or the length of a contract. State the defaults that decide a result, such as '
  + 'no dependents and the month. Decline what a tool is not for. A result with isError lists '
  + 'every problem of the arguments: correct them all, and call again. Calls have no effects; the '
  + 'same arguments give the same result, except without `period`: calculateTax and reconcileTax '
  + 'then use the law of the current month in Vietnam. Send the month of the question, and say so '
  + 'if it is after the last review of the law.';

/** Instructions on a tool, besides the facts of its description, by the name of the tool. */
export const ADVICE: Readonly<Record<string, string>> = {
  calculateTax:
    ' For a year, call it for a month of each half and for each month that differs, as by a bonus; '
    + 'then call settleYear with the sums.',
  settleYear: ' Take the amounts from the user, or from calculateTax for the months.',
};

/**
 * Maximum bytes of the message of a call. The answer to a hash request has the text twice, and the answer to its call
 * has it four times, so that a call with a longer text would take more than twice as long as the request.
 */
export const CALL_LIMIT = 8 * 1024;

/**
 * Maximum rows of a monthly timeline. Clients show a model about 25,000 tokens of a result, and 1,200 rows have 40,000.
 */
export const MAXIMUM_ROWS = 120;

/** The least maximum that the list of tools leaves out. */
const WIDE = 1e12;

/** A result: its members as JSON text, and for observers the tool that was called, if any. */
export interface RpcResult {
  readonly members: string;
  readonly facts?: Answer['facts'];
}

/** The tools of a service. */
export interface Tools {
  readonly names: readonly string[];
  readonly list: () => readonly object[];
  /**
   * Calls a tool with arguments in a message of up to CALL_LIMIT bytes. The result of a refused calculation has
   * `isError`; undefined if there is no tool with this name.
   */
  readonly call: (name: string, given: object, message: string) => RpcResult | undefined;
}

/** The tools of a service with these options: the operations with POST. */
export function toolsOf(service: ServiceOptions): Tools {
  const options = { ...service, maximumRows: MAXIMUM_ROWS };
  const operations = options.operations.filter(({ method }) => method === 'POST');
  return {
    names: operations.map(({ id }) => id),
    list: () => operations.map(describe),
    call(name, given, message) {
      const operation = operations.find(({ id }) => id === name);
      return operation && callOperation(operation, given, message, options);
    },
  };
}

function describe(operation: Operation): object {
  const { id: name, summary: title, path, hasLargeBody, request, result, examples } = operation;
  const longer =
    ` A call has up to ${CALL_LIMIT / 1024} KiB: `
    + `send a longer request over HTTP, with POST ${path}.`;
  const properties = Object.fromEntries(fieldsOf(request.schema));
  const rows = ` A call returns up to ${MAXIMUM_ROWS} rows of \`timeline\`.`;
  return {
    name,
    title,
    description:
      operation.description
      + (hasLargeBody ? longer : '')
      + ('timeline' in properties ? rows : '')
      + (ADVICE[name] ?? ''),
    inputSchema: {
      ...copyOf({ ...request.schema, properties }, ['pattern']),
      // A model reads the list with each conversation.
      examples: Object.values(examples).slice(0, 1),
    },
    // Clients keep the list, and a result may have further members in a later version. A title is a name for generated
    // code.
    outputSchema: copyOf(result.schema, ['additionalProperties', 'title']),
    annotations: { readOnlyHint: true, idempotentHint: true, openWorldHint: false },
  };
}

/** The fields of a request, except those without a choice: the id, because a message has its own, and single values. */
function fieldsOf({ properties }: JsonSchema): [name: string, schema: JsonSchema][] {
  return Object.entries(properties as Readonly<Record<string, JsonSchema>>).filter(
    ([name, { enum: values }]) => name !== 'id' && (values as readonly unknown[])?.length !== 1,
  );
}

/** A copy of a schema without some keywords. Some APIs of models refuse all tools if one has an enum of integers. */
function copyOf(schema: JsonSchema, without: readonly string[]): JsonSchema {
  const text = JSON.stringify(schema, (key, value: JsonSchema) =>
    without.includes(key) || isWide(key, value) ? undefined : withBoundsForEnum(value),
  );
  return JSON.parse(text) as JsonSchema;
}

/** Whether a keyword is a maximum that no question reaches: it would only cost a model tokens. */
function isWide(key: string, value: unknown): boolean {
  return key === 'maximum' && Number(value) >= WIDE;
}

/** A schema whose enum, if it has one of consecutive integers, is replaced by bounds. */
function withBoundsForEnum(schema: JsonSchema): JsonSchema {
  if (schema?.['type'] !== 'integer' || !Array.isArray(schema['enum'])) return schema;
  const { enum: values, ...others } = schema as { readonly enum: readonly number[] };
  return { ...others, minimum: Math.min(...values), maximum: Math.max(...values) };
}

function callOperation(
  { id: tool, run }: Operation,
  given: object,
  message: string,
  options: ServiceOptions,
): RpcResult {
  const isTooLarge = exceeds(message, CALL_LIMIT);
  const result = isTooLarge ? tooLarge(CALL_LIMIT) : run(withoutNulls(given), options);
  if (typeof result === 'string') {
    const members = `${contentOf(result)},"structuredContent":${result}`;
    return { members, facts: { tool, outcome: 'success' } };
  }
  const members = `${contentOf(envelopeOf(result))},"isError":true`;
  return { members, facts: { tool, outcome: 'error' } };
}

/** Arguments without those that are null: many clients write an absent argument as null, and no model corrects them. */
function withoutNulls(given: object): object {
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== null));
}

function contentOf(text: string): string {
  return `"content":[{"type":"text","text":${JSON.stringify(text)}}]`;
}
