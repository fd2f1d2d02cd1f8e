/** The OpenAPI 3.1 document, computed from the operations and the failures. */
import { atLine, Failure, type FailureCode, FAILURES, PROBLEM_CODES } from '../contract/failure.ts';
import { id } from '../contract/id.ts';
import { JSON_TYPE, NDJSON_CONTENT, NDJSON_TYPE } from '../contract/media-types.ts';
import { type Context, methodOf, type Operation, tagOf } from '../contract/operation.ts';
import {
  array,
  choice,
  integer,
  type JsonSchema,
  object,
  optional,
  string,
} from '../contract/schema.ts';

/** The service that a document describes. */
export interface About {
  readonly title: string;
  readonly version: string;
  readonly description: string;
}

/** The path of the document. */
export const OPENAPI_PATH = '/openapi.json';

const BULK_DESCRIPTION =
  `A body of type \`${NDJSON_TYPE}\` contains one request per line. The response has the `
  + 'status 200 and one envelope per line, in the same order; '
  + 'the `error` of a failure includes its `line`.';
const OPENAPI_VERSION = '3.1.1';
const FAILURE_CODES = Object.keys(FAILURES) as FailureCode[];
/** The failures that only some operations have; all others are in the default response. */
const SPECIFIC_CODES: readonly FailureCode[] = ['validation_failed', 'digest_unavailable'];

const failureSchema: JsonSchema = object(
  {
    id: optional(id),
    status: choice(['error'], 'The request failed'),
    error: object(
      {
        code: choice(FAILURE_CODES, 'Code of the failure'),
        message: string({ description: 'What was expected and what was received', minLength: 1 }),
        details: optional(
          array(
            object(
              {
                field: string({
                  description: 'Name of the field, or its path in nested objects',
                  minLength: 0,
                }),
                code: choice(PROBLEM_CODES, 'Code of the problem'),
                message: string({
                  description: 'What was expected of the field and what was received',
                  minLength: 1,
                }),
              },
              'A problem of a field',
              'Problem',
            ),
            'All problems of all fields, for validation_failed only',
          ),
        ),
        line: optional(
          integer({ description: 'Line of the request, in a bulk request', minimum: 1 }),
        ),
      },
      'The failure',
      'FailureError',
    ),
  },
  'The failure envelope',
  'Failure',
).schema;

const ETAG_EXAMPLE = '"mFFYUKz6r_ZtmqzrYKkFXg"';
const HEADERS = {
  Allow: header('Methods that the resource supports; only with status 405', 'POST, OPTIONS'),
  ETag: header('Entity tag of the response', ETAG_EXAMPLE),
  'Retry-After': header(
    'Seconds after which the request may be repeated; only with status 503',
    '1',
  ),
  'X-Request-Id': header(
    'X-Request-Id of the request, or else a new id if the status is not 200',
    '71265b38-a62b-2',
  ),
};
const HEADERS_OF_FAILURES: { readonly [code in FailureCode]?: keyof typeof HEADERS } = {
  method_not_allowed: 'Allow',
  overloaded: 'Retry-After',
};
const IF_NONE_MATCH: JsonSchema = {
  name: 'If-None-Match',
  in: 'header',
  required: false,
  ...header(
    'Entity tags of known responses: the status is 304 if one of them is current',
    ETAG_EXAMPLE,
  ),
};
const FAILURE: JsonSchema = reference('responses', 'Failure');
/** Redocly reports an operation without a 4XX response. */
const ANY_FAILURE: JsonSchema = { '4XX': FAILURE, default: FAILURE };

/** The named schemas of a document. */
type Schemas = Record<string, JsonSchema>;

/** A request or a response with its title. */
interface Example {
  readonly title: string;
  readonly value: unknown;
  /** The request, if the value is its response. */
  readonly request?: object;
}

/** Creates the document for a service with these operations. */
export function openApi(about: About, operations: readonly Operation[]): JsonSchema {
  const tags = new Set(operations.map(tagOf));
  const schemas: Schemas = {};
  return {
    openapi: OPENAPI_VERSION,
    info: { ...about, license: { name: 'Not stated', identifier: 'NOASSERTION' } },
    servers: [{ url: '.' }],
    security: [],
    tags: [...tags].map((name) => ({ name, description: summariesOf(operations, name) })),
    paths: {
      ...Object.fromEntries(
        operations.map((operation) => [
          operation.path,
          { [methodOf(operation).toLowerCase()]: describe(operation, schemas) },
        ]),
      ),
      [OPENAPI_PATH]: { get: describeItself(about.version) },
    },
    components: {
      requestBodies: Object.fromEntries(
        operations
          .filter((operation) => methodOf(operation) === 'POST')
          .map((operation) => [nameOf(operation, 'Request'), requestBody(operation, schemas)]),
      ),
      responses: { Failure: defaultResponse(schemas) },
      headers: HEADERS,
      schemas,
    },
  };
}

function summariesOf(operations: readonly Operation[], tag: string): string {
  return operations
    .filter((operation) => tagOf(operation) === tag)
    .map(({ summary }) => summary)
    .join('; ');
}

function describe(operation: Operation, schemas: Schemas): JsonSchema {
  const { id, input, summary, description } = operation;
  const isPost = methodOf(operation) === 'POST';
  return {
    operationId: id,
    tags: [tagOf(operation)],
    summary,
    description: isPost ? `${description} ${BULK_DESCRIPTION}` : description,
    ...(input === 'query' && { parameters: [...parametersOf(operation, schemas), IF_NONE_MATCH] }),
    ...(isPost && { requestBody: reference('requestBodies', nameOf(operation, 'Request')) }),
    responses: {
      200: successResponse(operation, schemas),
      ...(input === 'query' && { 304: notModified() }),
      ...failuresOf(operation, schemas),
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
    description:
      'Returns this OpenAPI document, which is computed from the declarations of the operations.',
    parameters: [IF_NONE_MATCH],
    responses: {
      200: {
        description,
        headers: headersOf('ETag'),
        content: { [JSON_TYPE]: { schema, example } },
      },
      304: notModified(),
      ...ANY_FAILURE,
    },
  };
}

function reference(
  kind: 'headers' | 'requestBodies' | 'responses' | 'schemas',
  name: string,
): JsonSchema {
  return { $ref: `#/components/${kind}/${name}` };
}

function nameOf({ id }: Operation, part: 'Request' | 'Success'): string {
  return `${id[0]!.toUpperCase()}${id.slice(1)}${part}`;
}

function header(description: string, example: string): JsonSchema {
  return { description, schema: { type: 'string', description, examples: [example] } };
}

/** References to headers; every response may have an X-Request-Id. */
function headersOf(...names: readonly (keyof typeof HEADERS)[]): JsonSchema {
  return Object.fromEntries(
    [...names, 'X-Request-Id'].map((name) => [name, reference('headers', name)]),
  );
}

function notModified(): JsonSchema {
  return { description: 'Not modified', headers: headersOf('ETag') };
}

/** The schema is inline, because generators treat a field with a default as required if its schema is a component. */
function requestBody(operation: Operation, schemas: Schemas): JsonSchema {
  const { request, examples } = operation;
  const schema = withExamples(request.schema, Object.values(examples), schemas);
  const lines = lineExamples(operation).map((line) => JSON.stringify(line.request));
  return {
    description: request.schema['description'],
    required: true,
    content: {
      ...json(
        schema,
        Object.entries(examples).map(([title, value]) => ({ title, value })),
      ),
      [NDJSON_TYPE]: ndjson({ ...withoutType(schema), description: 'One request per line' }, lines),
    },
  };
}

function successResponse(operation: Operation, schemas: Schemas): JsonSchema {
  const { input, result, examples } = operation;
  const members = { status: choice(['success'], 'The request succeeded'), data: result };
  const isPost = methodOf(operation) === 'POST';
  const name = nameOf(operation, 'Success');
  const envelope = object(
    isPost ? { id: optional(id), ...members } : members,
    'The success envelope',
    name,
  ).schema;
  const successes = responsesTo(examples, operation).filter(isSuccess);
  const schema = withExamples(
    withoutType(envelope),
    successes.map(({ value }) => value),
    schemas,
  );
  const lines = lineExamples(operation).map((line, index) =>
    isSuccess(line) ? JSON.stringify(line.value) : atLine(JSON.stringify(line.value), index + 1),
  );
  return {
    description: 'The result',
    headers: input === 'query' ? headersOf('ETag') : headersOf(),
    content: {
      ...json({ type: envelope['type'], ...schema }, successes),
      // With its charset, because orval reads every response as a stream if it finds the bare media type.
      ...(isPost && { [NDJSON_CONTENT]: ndjson(schema, lines) }),
    },
  };
}

/**
 * Turns the schema of a line into that of an NDJSON body. Validators treat the body as one string, to which no keyword
 * applies once the type is absent. Generators derive the type of a line, and no union with string.
 */
function withoutType({ type: _, ...schema }: JsonSchema): JsonSchema {
  return schema;
}

function parametersOf({ request, examples }: Operation, schemas: Schemas): JsonSchema[] {
  const required = request.schema['required'] as readonly string[];
  const { properties } = withExamples(request.schema, Object.values(examples), schemas);
  return Object.entries(properties as Readonly<Record<string, JsonSchema>>).map(
    ([name, schema]) => ({
      name,
      in: 'query',
      required: required.includes(name),
      description: schema['description'],
      schema,
    }),
  );
}

/** The responses to requests. A valid request fails if this installation lacks a hash algorithm. */
function responsesTo(requests: Operation['examples'], { run }: Operation): Required<Example>[] {
  const context: Context = { currentPeriod: () => '', isReady: () => true };
  const respond = (request: object): unknown => {
    try {
      return { status: 'success', data: JSON.parse(run(request, context)) };
    } catch (error) {
      if (error instanceof Failure) return JSON.parse(error.toEnvelope());
      throw error;
    }
  };
  return Object.entries(requests).map(([title, request]) => ({
    title,
    value: respond(request),
    request,
  }));
}

function isSuccess({ value }: Example): boolean {
  return (value as { readonly status: string }).status === 'success';
}

/** The lines of an example of a bulk request: a valid and an invalid one. */
function lineExamples(operation: Operation): Required<Example>[] {
  const { examples, refusals = {} } = operation;
  return [examples, refusals].flatMap((requests) => responsesTo(requests, operation).slice(0, 1));
}

/** The responses to failures that only some operations have, by status, and the response to all others. */
function failuresOf(operation: Operation, schemas: Schemas): JsonSchema {
  const { input, refusals = {}, failures = [] } = operation;
  const codes: readonly FailureCode[] =
    input === 'none' ? failures : ['validation_failed', ...failures];
  const responses = codes.map((code) => {
    const examples =
      code === 'validation_failed' ? responsesTo(refusals, operation) : [failureExample(code)];
    return [
      FAILURES[code].status,
      failureResponse(FAILURES[code].title, [code], examples, schemas),
    ] as const;
  });
  return {
    ...Object.fromEntries(responses),
    ...(input === 'none' ? ANY_FAILURE : { default: FAILURE }),
  };
}

function defaultResponse(schemas: Schemas): JsonSchema {
  const codes = FAILURE_CODES.filter((code) => !SPECIFIC_CODES.includes(code));
  const statuses = codes.map((code) => `${FAILURES[code].status} ${code}`);
  const description = `Any other failure: ${statuses.join(', ')}`;
  return failureResponse(description, codes, codes.map(failureExample), schemas);
}

function failureResponse(
  description: string,
  codes: readonly FailureCode[],
  examples: readonly Example[],
  schemas: Schemas,
): JsonSchema {
  const values = [...examples.map(({ value }) => value), { error: { line: 1 } }];
  const headers = codes.flatMap((code) => HEADERS_OF_FAILURES[code] ?? []);
  const content = json(withExamples(failureSchema, values, schemas), examples);
  return { description, headers: headersOf(...headers), content };
}

function failureExample(code: FailureCode): Example {
  return { title: code, value: JSON.parse(new Failure(code).toEnvelope()) };
}

function json(schema: JsonSchema, examples: readonly Example[]): JsonSchema {
  const shown = examples.map(({ title, value, request }) => [
    title.replaceAll(/\W+/g, '_'),
    {
      summary: title,
      ...(request !== undefined && { description: `The response to ${JSON.stringify(request)}` }),
      value,
    },
  ]);
  return { [JSON_TYPE]: { schema, examples: Object.fromEntries(shown) } };
}

function ndjson(schema: JsonSchema, lines: readonly string[]): JsonSchema {
  return { schema, example: lines.map((line) => `${line}\n`).join('') };
}

/**
 * Adds an example to each field of a schema: the first of its values in `values`, or else its default. A schema with a
 * title moves into `schemas`; its first use determines the examples.
 */
function withExamples(
  { title, ...schema }: JsonSchema,
  values: readonly unknown[],
  schemas: Schemas,
): JsonSchema {
  const described = withExamplesInside(schema, values, schemas);
  if (typeof title !== 'string') return described;
  const named = (schemas[title] ??= described);
  const { description } = schema;
  return {
    ...reference('schemas', title),
    ...(description !== named['description'] && { description }),
  };
}

function withExamplesInside(
  schema: JsonSchema,
  values: readonly unknown[],
  schemas: Schemas,
): JsonSchema {
  const { properties, items } = schema;
  if (items !== undefined) {
    return { ...schema, items: withExamples(items as JsonSchema, values.flat(), schemas) };
  }
  if (properties !== undefined) {
    const fields = Object.entries(properties as Readonly<Record<string, JsonSchema>>).map(
      ([name, field]) => {
        const given = values.flatMap((value) =>
          Object.entries(value as object).filter(([key]) => key === name),
        );
        return [
          name,
          withExamples(
            field,
            given.map(([, value]) => value),
            schemas,
          ),
        ];
      },
    );
    return { ...schema, properties: Object.fromEntries(fields) };
  }
  const example = values.length > 0 ? values[0] : schema['default'];
  return example === undefined ? schema : { ...schema, examples: [example] };
}
