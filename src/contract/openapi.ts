/** The operations and the failures as an OpenAPI 3.1 document. All of it is computed; nothing is said here twice. */
import { Failure, type FailureCode, FAILURES, type FailureScope, invalid, PROBLEM_CODES } from './failure.ts';
import { type Context, methodOf, type Operation, subjectOf } from './operation.ts';
import { array, choice, integer, type JsonSchema, object, optional, string } from './schema.ts';

/** Of what service the document is. */
export interface About {
  readonly title: string;
  readonly version: string;
  readonly description: string;
}

/** Where the service has the document. */
export const OPENAPI_PATH = '/openapi.json';

/** The media type of many JSON texts, a line each. */
export const LINES_TYPE = 'application/x-ndjson';

/** Said in words: as a second content it would make the result of every typed client a union with a string. */
const IN_BULK = `A body of \`${LINES_TYPE}\` is a request a line, and is answered 200 with an envelope a line, in `
  + 'order; that of a failure has `line` in its `error`.';
const OPENAPI_VERSION = '3.1.1';
const UNCHANGED: JsonSchema = { description: 'What the client has, by its If-None-Match, is still right' };
const FAILURE_CODES = Object.keys(FAILURES) as FailureCode[];

const failureSchema: JsonSchema = object({
  status: choice(['error'], 'Says that the request failed'),
  error: object({
    code: choice(FAILURE_CODES, 'What kind of failure it is'),
    message: string({ description: 'What was expected and what came', minLength: 1 }),
    details: optional(array(object({
      field: string({ description: 'Name of the field; the path to it where it is inside another', minLength: 0 }),
      code: choice(PROBLEM_CODES, 'What is wrong with it'),
      message: string({ description: 'What was expected of the field and what came', minLength: 1 }),
    }), 'Every problem of every field, for validation_failed only')),
    line: optional(integer({ description: 'Which line it is about, in a request of many lines', minimum: 1 })),
  }, 'The failure'),
}, 'What every failure is answered with').schema;

/** A title, and a value that shows what it says. */
type Example = readonly [title: string, value: unknown];

/** The document, for a service of these operations. */
export function openApi(about: About, operations: readonly Operation[]): JsonSchema {
  const subjects = new Set(operations.map(subjectOf));
  const statuses = [...new Set(FAILURE_CODES.map((code) => FAILURES[code].status))];
  return {
    openapi: OPENAPI_VERSION,
    info: { ...about, license: { name: 'Not stated', identifier: 'NOASSERTION' } },
    servers: [{ url: '.' }],
    security: [],
    tags: [...subjects].map((name) => ({ name, description: summariesOf(operations, name) })),
    paths: {
      ...Object.fromEntries(operations.map((operation) =>
        [operation.path, { [methodOf(operation).toLowerCase()]: describe(operation) }])),
      [OPENAPI_PATH]: { get: describeItself(about.version) },
    },
    components: {
      schemas: {
        ...Object.fromEntries(operations.map((operation) =>
          [nameOf(operation, 'Success'), responseSchema(operation)])),
        Failure: withExamples(failureSchema, [...FAILURE_CODES.map(envelopeOf), { error: { line: 1 } }]),
      },
      requestBodies: Object.fromEntries(operations.filter((operation) => methodOf(operation) === 'POST')
        .map((operation) => [nameOf(operation, 'Request'), requestBody(operation)])),
      responses: Object.fromEntries(statuses.map((status) => [`Failure${status}`, failureResponse(status)])),
    },
  };
}

function summariesOf(operations: readonly Operation[], subject: string): string {
  return operations.filter((operation) => subjectOf(operation) === subject).map(({ summary }) => summary).join('; ');
}

function describe(operation: Operation): JsonSchema {
  const { id, takes, summary, description } = operation;
  const isPost = methodOf(operation) === 'POST';
  const success = reference(nameOf(operation, 'Success'));
  return {
    operationId: id,
    tags: [subjectOf(operation)],
    summary,
    description: isPost ? `${description} ${IN_BULK}` : description,
    ...(takes === 'query' && { parameters: parametersOf(operation) }),
    ...(isPost && { requestBody: { $ref: `#/components/requestBodies/${nameOf(operation, 'Request')}` } }),
    responses: {
      200: { description: 'The result', content: json(success, responsesOf(operation)) },
      ...(takes === 'query' && { 304: UNCHANGED }),
      ...failuresOf(operation),
    },
  };
}

function describeItself(version: string): JsonSchema {
  const description = 'This document';
  const schema = { type: 'object', description, minProperties: 3, additionalProperties: true };
  const example = { openapi: OPENAPI_VERSION, info: { version }, paths: {} };
  return {
    operationId: 'getOpenApi',
    tags: [subjectOf({ path: OPENAPI_PATH })],
    summary: 'What the service takes and answers, in OpenAPI 3.1',
    description: 'Computed from the operations themselves.',
    responses: {
      200: { description, content: { 'application/json': { schema, example } } },
      304: UNCHANGED,
      ...failuresOf({ takes: 'nothing' }),
    },
  };
}

function reference(schema: string): JsonSchema {
  return { $ref: `#/components/schemas/${schema}` };
}

function nameOf({ id }: Operation, part: 'Request' | 'Success'): string {
  return `${id[0]!.toUpperCase()}${id.slice(1)}${part}`;
}

/** The schema stands in the body itself: elsewhere, generators take a field with a default for one that is required. */
function requestBody({ summary, request, examples }: Operation): JsonSchema {
  const schema = withExamples(request.schema, Object.values(examples));
  return { description: summary, required: true, content: json(schema, Object.entries(examples)) };
}

function responseSchema(operation: Operation): JsonSchema {
  const status = choice(['success'], 'Says that the request succeeded');
  const envelope = object({ status, data: operation.result }, 'The success envelope').schema;
  return withExamples(envelope, responsesOf(operation).map(([, value]) => value));
}

function parametersOf({ request, examples }: Operation): JsonSchema[] {
  const required = request.schema['required'] as readonly string[];
  const { properties } = withExamples(request.schema, Object.values(examples));
  return Object.entries(properties as Readonly<Record<string, JsonSchema>>).map(([name, schema]) =>
    ({ name, in: 'query', required: required.includes(name), description: schema['description'], schema }));
}

/** What the examples are answered with; nothing, if this installation lacks something that they need. */
function responsesOf({ examples, run }: Operation): Example[] {
  const context: Context = { currentPeriod: () => '', isReady: () => true };
  const respond = (request: object): unknown => ({ status: 'success', data: JSON.parse(run(request, context)) });
  try {
    return Object.entries(examples).map(([title, request]) => [title, respond(request)]);
  } catch (error) {
    if (error instanceof Failure) return [];
    throw error;
  }
}

/** By status, the failures that an operation can end in. */
function failuresOf({ takes, failures = [] }: Pick<Operation, 'takes' | 'failures'>): JsonSchema {
  const scopes: FailureScope[] = ['request'];
  if (takes !== 'nothing') scopes.push('values');
  if (methodOf({ takes }) === 'POST') scopes.push('body');
  const codes = FAILURE_CODES.filter((code) => scopes.includes(FAILURES[code].scope) || failures.includes(code));
  return Object.fromEntries(codes.map((code) => FAILURES[code].status).map((status) =>
    [status, { $ref: `#/components/responses/Failure${status}` }]));
}

function failureResponse(status: number): JsonSchema {
  const codes = FAILURE_CODES.filter((code) => FAILURES[code].status === status);
  return {
    description: codes.map((code) => FAILURES[code].title).join(' '),
    content: json(reference('Failure'), codes.map((code) => [code, envelopeOf(code)])),
  };
}

function envelopeOf(code: FailureCode): unknown {
  const problem = { field: 'years', code: 'required', message: 'years: expected a value, got none' } as const;
  const failure = code === 'validation_failed' ? invalid([problem]) : new Failure(code);
  return JSON.parse(failure.toEnvelope());
}

function json(schema: JsonSchema, examples: readonly Example[]): JsonSchema {
  const shown = examples.map(([title, value]) => [title.replaceAll(/\W+/g, '_'), { summary: title, value }]);
  return { 'application/json': { schema, examples: Object.fromEntries(shown) } };
}

/** A schema whose fields have an example each: what the first of the values has there, or else the default. */
function withExamples(schema: JsonSchema, values: readonly unknown[]): JsonSchema {
  const { properties, items } = schema;
  if (items !== undefined) return { ...schema, items: withExamples(items as JsonSchema, values.flat()) };
  if (properties !== undefined) {
    const fields = Object.entries(properties as Readonly<Record<string, JsonSchema>>).map(([name, field]) => {
      const given = values.flatMap((value) => Object.entries(value as object).filter(([key]) => key === name));
      return [name, withExamples(field, given.map(([, value]) => value))];
    });
    return { ...schema, properties: Object.fromEntries(fields) };
  }
  const example = values.length > 0 ? values[0] : schema['default'];
  return example === undefined ? schema : { ...schema, examples: [example] };
}
