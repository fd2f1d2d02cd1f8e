/** The operations as tools of the Model Context Protocol: all but the NOTES is derived from their declarations. */
import { envelopeOf } from '../../contract/failure.ts';
import { type BodyLimits, methodOf, type Operation } from '../../contract/operation.ts';
import type { JsonSchema } from '../../contract/schema.ts';
import { type Call, lazy } from '../../service/answer.ts';
import { exceeds, tooLarge } from '../../service/body.ts';
import type { ServiceOptions } from '../../service/service.ts';

/** Instructions for models. Not every client passes them on, so each tool is described completely, too. */
export const INSTRUCTIONS =
  'Exact calculators. Call them instead of calculating, and repeat their numbers unchanged. Write '
  + 'plain JSON numbers: 30 million is 30000000. State the defaults that decide a result, such as '
  + 'no dependents. A result with isError lists every problem of the arguments: correct them all, '
  + 'and call again. Calls have no effects; the same arguments give the same result, except for '
  + 'calculateTax without `period`, which uses the law of the current month in Vietnam.';

/** Notes for models, by the beginning of the paths: knowledge that the descriptions presuppose in programmers. */
export const NOTES: Readonly<Record<string, string>> = {
  '/api/v1/tax':
    'Amounts are Vietnamese đồng (VND), not thousands or millions; convert other currencies first. '
    + 'Gross is the salary before the contributions of the employee and the tax; net is the '
    + 'amount paid to the employee, after both; cost is the gross with the contributions of the '
    + 'employer. The month (`period`) or the `year` selects the law, which changes: pass the one '
    + 'that the question is about. For the cost of the employer, and the month and the law that '
    + 'were used, send `detail`: true. An employee who is not Vietnamese needs `foreigner`: true, '
    + 'also as a non-resident. Not for business, rental or investment income, severance pay, or '
    + 'other countries.',
  '/api/v1/interest':
    'Amounts are in any one currency. Rates are in percent per year: 8.5 is 8.5 %. '
    + 'Without a starting amount, `principal` is 0. Not for loans, '
    + 'withdrawals, changing rates, or deposits that a bank counts by days.',
  '/api/v1/hash':
    'A call has up to 64 KiB: hash a longer text over HTTP, with POST /api/v1/hash. Not for '
    + 'passwords, signatures or encryption: there is no key and no salt.',
};

/** A result: its members as JSON text, and the call of a tool that it answers, if any. */
export interface Result {
  readonly members: string;
  readonly call?: Call;
}

/** The tools of a service. */
export interface Tools {
  readonly list: () => readonly object[];
  /**
   * Calls a tool with arguments in a message, to which the limit of the operation applies. The result of a refused
   * calculation has `isError`; undefined if there is no tool with this name.
   */
  readonly call: (name: string, given: unknown, message: string) => Result | undefined;
}

/** The tools of a service with these options: the operations with POST. */
export function toolsOf(options: ServiceOptions): Tools {
  const operations = options.operations.filter((operation) => methodOf(operation) === 'POST');
  return {
    list: lazy(() => operations.map(describe)),
    call(name, given, message) {
      const operation = operations.find(({ id }) => id === name);
      return operation && callOperation(operation, given, message, options);
    },
  };
}

function describe(operation: Operation): object {
  const { id: name, path, summary: title, request, result, examples } = operation;
  const [, note] = Object.entries(NOTES).find(([beginning]) => path.startsWith(beginning)) ?? [];
  // A message has an id of its own.
  const { id: _, ...properties } = request.schema['properties'] as JsonSchema;
  return {
    name,
    title,
    description: [operation.description, note].join(' ').trimEnd(),
    inputSchema: { ...request.schema, properties, examples: Object.values(examples) },
    // Clients keep the list, and a result may have further members in a later version.
    outputSchema: JSON.parse(
      JSON.stringify(result.schema, (key, value: unknown) =>
        key === 'additionalProperties' ? undefined : value,
      ),
    ) as JsonSchema,
    annotations: { readOnlyHint: true, idempotentHint: true, openWorldHint: false },
  };
}

function callOperation(
  { id: tool, input, run }: Operation,
  given: unknown,
  message: string,
  options: ServiceOptions,
): Result {
  const limit = options.bodyLimits[input as keyof BodyLimits];
  const result = exceeds(message, limit) ? tooLarge(limit) : run(given, options);
  if (typeof result === 'string') {
    const members = `${contentOf(result)},"structuredContent":${result}`;
    return { members, call: { tool, outcome: 'success' } };
  }
  const members = `${contentOf(envelopeOf(result))},"isError":true`;
  return { members, call: { tool, outcome: 'error' } };
}

function contentOf(text: string): string {
  return `"content":[{"type":"text","text":${JSON.stringify(text)}}]`;
}
