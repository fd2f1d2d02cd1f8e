/** The operations as tools of the Model Context Protocol, derived from their declarations. */
import { envelopeOf } from '../../contract/failure.ts';
import type { Operation } from '../../contract/operation.ts';
import type { JsonSchema } from '../../contract/schema.ts';
import { type Answer, lazy } from '../../service/answer.ts';
import { exceeds, tooLarge } from '../../service/body.ts';
import type { ServiceOptions } from '../../service/service.ts';

type Schemas = Readonly<Record<string, JsonSchema>>;

/** Instructions for models. Not every client passes them on, so each tool is described completely, too. */
export const INSTRUCTIONS =
  'Exact calculators. Call them instead of calculating, and repeat their numbers unchanged. Write '
  + 'plain JSON numbers: 30 million is 30000000. Ask for what only the user knows, such as an '
  + 'exchange rate or the length of a contract. An answer states its case: say what of it decides '
  + 'the result. Decline what a tool is not for. A result with isError lists every problem of the '
  + 'arguments: correct them all, and call again.';

/** The beginning of the text that states the case of an answer. */
export const CASE = 'Call again if the question differs from this case: ';

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

/** A result: its members as JSON text, and for observers the tool that was called, if any. */
export interface RpcResult {
  readonly members: string;
  readonly facts?: Answer['facts'];
}

/** The tools of a service, by their names. */
export type Tools = ReadonlyMap<string, Operation>;

/** The tools of a service with these options: the operations with POST. */
export function toolsOf({ operations }: ServiceOptions): Tools {
  const tools = operations.filter(({ method }) => method === 'POST');
  return new Map(tools.map((operation) => [operation.id, operation]));
}

/** A tool in the list of tools. */
export function describeTool(operation: Operation): object {
  const { id: name, summary: title, path, hasLargeBody, request, result } = operation;
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
    inputSchema: plain({ ...request.schema, properties }),
    outputSchema: plain(result.schema),
    annotations: { readOnlyHint: true, idempotentHint: true, openWorldHint: false },
  };
}

/** The fields of a request, except the id, because a message has its own. */
function fieldsOf({ properties }: JsonSchema): [name: string, schema: JsonSchema][] {
  return Object.entries(properties as Schemas).filter(([name]) => name !== 'id');
}

/**
 * A schema with the keywords that each API of models accepts; some refuse all tools because of one default, bound,
 * example, or enum of integers. A default stands in the description, and a refusal states the bounds.
 */
function plain(schema: JsonSchema): JsonSchema {
  const {
    type,
    description,
    default: byDefault,
    enum: values,
    properties,
    required,
    items,
  } = schema;
  return {
    type,
    description:
      byDefault === undefined
        ? description
        : `${String(description)}; default ${String(byDefault)}`,
    ...(type === 'string' && { enum: values }),
    ...(type === 'object' && { properties: mapped(properties as Schemas), required }),
    ...(type === 'array' && { items: plain(items as JsonSchema) }),
  };
}

function mapped(schemas: Schemas): Schemas {
  return Object.fromEntries(Object.entries(schemas).map(([name, schema]) => [name, plain(schema)]));
}

/**
 * Calls a tool of a service with the arguments in a message of up to CALL_LIMIT bytes. The result of a refused
 * calculation has `isError`.
 */
export function callTool(
  operation: Operation,
  sent: object,
  message: string,
  options: ServiceOptions,
): RpcResult {
  const { id: tool, run } = operation;
  // The result and its case have the same month, even if it ends now.
  const currentPeriod = lazy(options.currentPeriod);
  const given = argumentsIn(sent);
  const isTooLarge = exceeds(message, CALL_LIMIT);
  const result = isTooLarge
    ? tooLarge(CALL_LIMIT)
    : run(Object.fromEntries(given), { ...options, maximumRows: MAXIMUM_ROWS, currentPeriod });
  if (typeof result === 'string') {
    const content = contentOf(result, ...caseOf(operation, given, currentPeriod));
    return {
      members: `${content},"structuredContent":${result}`,
      facts: { tool, outcome: 'success' },
    };
  }
  const members = `${contentOf(envelopeOf(result))},"isError":true`;
  return { members, facts: { tool, outcome: 'error' } };
}

/** Arguments without those that are null: many clients write an absent argument as null, and no model corrects them. */
function argumentsIn(sent: object): ReadonlyMap<string, unknown> {
  return new Map(Object.entries(sent).filter(([, value]) => value !== null));
}

/**
 * The text that states the case of an answer, if the operation has words for it. An optional field without words is
 * named if its value is not its default.
 */
function caseOf(
  { request, caseWords }: Operation,
  given: ReadonlyMap<string, unknown>,
  currentPeriod: () => string,
): string[] {
  if (caseWords === undefined) return [];
  const required = request.schema['required'] as readonly string[];
  const words = fieldsOf(request.schema).flatMap(([name, { default: byDefault }]) => {
    const value = given.get(name) ?? byDefault;
    const inWords = caseWords[name];
    if (inWords !== undefined) return inWords(value, currentPeriod);
    return value === byDefault || required.includes(name) ? [] : `${name}: ${String(value)}`;
  });
  return [CASE + words.join('; ')];
}

function contentOf(...texts: readonly string[]): string {
  return `"content":${JSON.stringify(texts.map((text) => ({ type: 'text', text })))}`;
}
