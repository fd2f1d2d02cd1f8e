/** The OpenAPI 3.1 document, computed from the operations and the failures. */
import {
  Failure, type FailureCode, FAILURES, type FailureScope, missingField, PROBLEM_CODES, validationFailure,
} from './failure.ts';
import { id } from './id.ts';
import { JSON_TYPE, NDJSON_TYPE } from './media-types.ts';
import { type Context, methodOf, type Operation, tagOf } from './operation.ts';
import { array, choice, integer, type JsonSchema, object, optional, string } from './schema.ts';

/** The service that a document describes. */
export interface About {
  readonly title: string;
  readonly version: string;
  readonly description: string;
}

/** The path of the document. */
export const OPENAPI_PATH = '/openapi.json';

/** In words, because a second media type would turn the results of typed clients into a union with string. */
const BULK_DESCRIPTION = `A body of type \`${NDJSON_TYPE}\` contains one request per line. The response is 200, with `
  + 'one envelope per line in the same order; the `error` of a failure includes its `line`.';
const OPENAPI_VERSION = '3.1.1';
const NOT_MODIFIED: JsonSchema = { description: 'Not modified' };
const FAILURE_CODES = Object.keys(FAILURES) as FailureCode[];

const failureSchema: JsonSchema = object({
  id: optional(id),
  status: choice(['error'], 'The request failed'),
  error: object({
    code: choice(FAILURE_CODES, 'Code of the failure'),
    message: string({ description: 'What was expected and what was received', minLength: 1 }),
    details: optional(array(object({
      field: string({ description: 'Name of the field, or its path in nested objects', minLength: 0 }),
      code: choice(PROBLEM_CODES, 'Code of the problem'),
      message: string({ description: 'What was expected of the field and what was received', minLength: 1 }),
    }), 'All problems of all fields, for validation_failed only')),
    line: optional(integer({ description: 'Line of the request, in a bulk request', minimum: 1 })),
  }, 'The failure'),
}, 'The failure envelope').schema;

/** A title and a value. */
type Example = readonly [title: string, value: unknown];

/** Creates the document for a service with these operations. */
export function openApi(about: About, operations: readonly Operation[]): JsonSchema {
  const tags = new Set(operations.map(tagOf));
  const statuses = [...new Set(FAILURE_CODES.map((code) => FAILURES[code].status))];
  return {
    openapi: OPENAPI_VERSION,
    info: { ...about, license: { name: 'Not stated', identifier: 'NOASSERTION' } },
    servers: [{ url: '.' }],
    security: [],
    tags: [...tags].map((name) => ({ name, description: summariesOf(operations, name) })),
    paths: {
      ...Object.fromEntries(operations.map((operation) =>
        [operation.path, { [methodOf(operation).toLowerCase()]: describe(operation) }])),
      [OPENAPI_PATH]: { get: describeItself(about.version) },
    },
    components: {
      schemas: {
        ...Object.fromEntries(operations.map((operation) =>
          [schemaName(operation, 'Success'), responseSchema(operation)])),
        Failure: withExamples(failureSchema, [...FAILURE_CODES.map(exampleEnvelope), { error: { line: 1 } }]),
      },
      requestBodies: Object.fromEntries(operations.filter((operation) => methodOf(operation) === 'POST')
        .map((operation) => [schemaName(operation, 'Request'), requestBody(operation)])),
      responses: Object.fromEntries(statuses.map((status) => [`Failure${status}`, failureResponse(status)])),
    },
  };
}

function summariesOf(operations: readonly Operation[], tag: string): string {
  return operations.filter((operation) => tagOf(operation) === tag).map(({ summary }) => summary).join('; ');
}

function describe(operation: Operation): JsonSchema {
  const { id, input, summary, description } = operation;
  const isPost = methodOf(operation) === 'POST';
  const success = reference(schemaName(operation, 'Success'));
  return {
    operationId: id,
    tags: [tagOf(operation)],
    summary,
    description: isPost ? `${description} ${BULK_DESCRIPTION}` : description,
    ...(input === 'query' && { parameters: parametersOf(operation) }),
    ...(isPost && { requestBody: { $ref: `#/components/requestBodies/${schemaName(operation, 'Request')}` } }),
    responses: {
      200: { description: 'The result', content: json(success, responsesOf(operation)) },
      ...(input === 'query' && { 304: NOT_MODIFIED }),
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
    tags: [tagOf({ path: OPENAPI_PATH })],
    summary: 'Get this document',
    description: 'Returns this OpenAPI document, which is computed from the declarations of the operations.',
    responses: {
      200: { description, content: { [JSON_TYPE]: { schema, example } } },
      304: NOT_MODIFIED,
      ...failuresOf({ input: 'none' }),
    },
  };
}

function reference(schema: string): JsonSchema {
  return { $ref: `#/components/schemas/${schema}` };
}

function schemaName({ id }: Operation, part: 'Request' | 'Success'): string {
  return `${id[0]!.toUpperCase()}${id.slice(1)}${part}`;
}

/** The schema is inline, because generators treat a field with a default as required if its schema is a component. */
function requestBody({ summary, request, examples }: Operation): JsonSchema {
  const schema = withExamples(request.schema, Object.values(examples));
  return { description: summary, required: true, content: json(schema, Object.entries(examples)) };
}

function responseSchema(operation: Operation): JsonSchema {
  const status = choice(['success'], 'The request succeeded');
  const members = { status, data: operation.result };
  const envelope = object(methodOf(operation) === 'POST' ? { id: optional(id), ...members } : members,
    'The success envelope').schema;
  return withExamples(envelope, responsesOf(operation).map(([, value]) => value));
}

function parametersOf({ request, examples }: Operation): JsonSchema[] {
  const required = request.schema['required'] as readonly string[];
  const { properties } = withExamples(request.schema, Object.values(examples));
  return Object.entries(properties as Readonly<Record<string, JsonSchema>>).map(([name, schema]) =>
    ({ name, in: 'query', required: required.includes(name), description: schema['description'], schema }));
}

/** The responses to the examples; none if this installation lacks a hash algorithm that they need. */
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

/** The failures of an operation, by status. */
function failuresOf({ input, failures = [] }: Pick<Operation, 'input' | 'failures'>): JsonSchema {
  const scopes: FailureScope[] = ['request'];
  if (input !== 'none') scopes.push('fields');
  if (methodOf({ input }) === 'POST') scopes.push('body');
  const codes = FAILURE_CODES.filter((code) => scopes.includes(FAILURES[code].scope) || failures.includes(code));
  return Object.fromEntries(codes.map((code) => FAILURES[code].status).map((status) =>
    [status, { $ref: `#/components/responses/Failure${status}` }]));
}

function failureResponse(status: number): JsonSchema {
  const codes = FAILURE_CODES.filter((code) => FAILURES[code].status === status);
  return {
    description: codes.map((code) => FAILURES[code].title).join(' '),
    content: json(reference('Failure'), codes.map((code) => [code, exampleEnvelope(code)])),
  };
}

function exampleEnvelope(code: FailureCode): unknown {
  const failure = code === 'validation_failed' ? validationFailure([missingField('years')]) : new Failure(code);
  return JSON.parse(failure.toEnvelope());
}

function json(schema: JsonSchema, examples: readonly Example[]): JsonSchema {
  const shown = examples.map(([title, value]) => [title.replaceAll(/\W+/g, '_'), { summary: title, value }]);
  return { [JSON_TYPE]: { schema, examples: Object.fromEntries(shown) } };
}

/** Adds an example to each field of a schema: the first of its values in `values`, or else its default. */
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
