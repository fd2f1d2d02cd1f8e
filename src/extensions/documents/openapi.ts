/** The OpenAPI 3.1 document, computed from the operations and the failures. */
import { type FailureCode, failureOf, FAILURES, PROBLEM_CODES } from '../../contract/failure.ts';
import { id } from '../../contract/id.ts';
import { JSON_TYPE, CHARSET, NDJSON_TYPE } from '../../contract/media-types.ts';
import type { Context, Operation } from '../../contract/operation.ts';
import {
  array,
  choice,
  integer,
  type JsonSchema,
  object,
  optional,
  string,
} from '../../contract/schema.ts';
import { type Answer, envelopeAnswer, textAnswer } from '../../service/answer.ts';
import { healthOperations } from '../../service/health.ts';
import type { About, ServiceOptions } from '../../service/service.ts';
import { entityTag } from './entity-tag.ts';
import { isQuery } from './query.ts';

/** The path of the document. */
export const OPENAPI_PATH = '/openapi.json';

const BULK_DESCRIPTION =
  `\n\nA body of type \`${NDJSON_TYPE}\` contains one request per line. The response has the `
  + 'status 200 and one envelope per line, in the same order; '
  + 'the `error` of a failure includes its `line`.';
const FAILURE_CODES = Object.keys(FAILURES) as FailureCode[];
/** The failures that only some operations have; all others are in the default response. */
const SPECIFIC_CODES: readonly FailureCode[] = ['validation_failed', 'digest_unavailable'];

const failureSchema: JsonSchema = object(
  {
    id: optional(id),
    status: choice(['error'], 'Failure'),
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

const ETAG_EXAMPLE = entityTag('');
const HEADERS = {
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
const HEADERS_OF_FAILURES: { readonly [code in FailureCode]?: JsonSchema } = {
  method_not_allowed: {
    Allow: header('Methods that the resource supports; only with status 405', 'POST, OPTIONS'),
  },
  overloaded: { 'Retry-After': reference('headers', 'Retry-After') },
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
const REFUSAL: JsonSchema = reference('responses', 'ValidationFailed');
/** Redocly reports operations without a 4xx response. */
const ANY_FAILURE: JsonSchema = { 431: FAILURE, default: FAILURE };

/** The named schemas of a document, which are collected while its parts are written. */
type Schemas = Record<string, JsonSchema>;

/** A request or a response with its title. */
type Example = readonly [title: string, value: unknown];

/** The answer with the document for a service. */
export function openApiAnswer({ about, operations }: ServiceOptions): Answer {
  const all = [...operations, ...healthOperations];
  return textAnswer(JSON_TYPE, JSON.stringify(openApi(about, all)));
}

/** Creates the document for a service with these operations. */
export function openApi(
  { title, version, description }: Omit<About, 'reviewed_through'>,
  operations: readonly Operation[],
): JsonSchema {
  const tags = new Set(operations.map(tagOf));
  const schemas: Schemas = {};
  return {
    openapi: '3.1.1',
    info: {
      title,
      version,
      description: description + BULK_DESCRIPTION,
      license: { name: 'Not stated', identifier: 'NOASSERTION' },
    },
    servers: [{ url: '.' }],
    security: [],
    tags: [...tags].map((name) => ({ name, description: summariesOf(operations, name) })),
    paths: Object.fromEntries(
      operations.map((operation) => [
        operation.path,
        { [operation.method.toLowerCase()]: operationObject(operation, schemas) },
      ]),
    ),
    // Each response and header has several references, and a schema that has one gives its type a name. Anything else
    // stands at its place, because some generators look for the body of a request only there.
    components: {
      responses: {
        ValidationFailed: refusalOf(operations, schemas),
        Failure: defaultResponse(schemas),
      },
      headers: HEADERS,
      schemas,
    },
  };
}

/** The tag of an operation: the third segment of its path, such as `tax` in /api/v1/tax/calculate. */
export function tagOf({ path }: Pick<Operation, 'path'>): string {
  return path.split('/')[3] ?? 'service';
}

function summariesOf(operations: readonly Operation[], tag: string): string {
  return operations
    .filter((operation) => tagOf(operation) === tag)
    .map(({ summary }) => summary)
    .join('; ');
}

function operationObject(operation: Operation, schemas: Schemas): JsonSchema {
  const { id, summary, description } = operation;
  const isPost = operation.method === 'POST';
  return {
    operationId: id,
    tags: [tagOf(operation)],
    summary,
    description,
    ...(isQuery(operation) && { parameters: [...parametersOf(operation, schemas), IF_NONE_MATCH] }),
    ...(isPost && { requestBody: requestBody(operation, schemas) }),
    responses: {
      200: successResponse(operation, schemas),
      ...(isQuery(operation) && {
        304: { description: 'Not modified', headers: headerReferences('ETag') },
      }),
      ...failuresOf(operation, schemas),
    },
  };
}

function reference(kind: 'headers' | 'responses' | 'schemas', name: string): JsonSchema {
  return { $ref: `#/components/${kind}/${name}` };
}

function nameOf({ id }: Operation, part: 'Request' | 'Success'): string {
  return `${id[0]!.toUpperCase()}${id.slice(1)}${part}`;
}

function header(description: string, example: string): JsonSchema {
  return { description, schema: { type: 'string' }, example };
}

/** References to headers; every response may have an X-Request-Id. */
function headerReferences(...names: readonly (keyof typeof HEADERS)[]): JsonSchema {
  return Object.fromEntries(
    [...names, 'X-Request-Id'].map((name) => [name, reference('headers', name)]),
  );
}

/**
 * A request as JSON, and as a line of an NDJSON body. Both refer to one schema, because orval sends no Content-Type if
 * they have two. The type stands with the JSON body, because validators treat an NDJSON body as one string, to which no
 * other keyword applies.
 */
function requestBody(operation: Operation, schemas: Schemas): JsonSchema {
  const { request, examples } = operation;
  const { title: _, type, ...schema } = request.schema;
  const name = nameOf(operation, 'Request');
  schemas[name] = {
    ...schema,
    properties: mapFields(fieldSchemas(schema, schemas), withDefaultInWords),
  };
  const line = reference('schemas', name);
  return {
    required: true,
    content: {
      ...json({ type, ...line }, Object.entries(examples)),
      [NDJSON_TYPE]: { schema: line },
    },
  };
}

/** A field with its default in the description: openapi-typescript requires a field of a component that has one. */
function withDefaultInWords({ default: value, ...schema }: JsonSchema): JsonSchema {
  if (value === undefined) return schema;
  const description = `${String(schema['description'])}; default ${JSON.stringify(value)}`;
  return { ...schema, description };
}

function successResponse(operation: Operation, schemas: Schemas): JsonSchema {
  const { result } = operation;
  const members = { status: choice(['success'], 'Success'), data: result };
  const isPost = operation.method === 'POST';
  // The type stands with the JSON body, because validators treat an NDJSON body as one string.
  const { type, ...envelope } = object(
    isPost ? { id: optional(id), ...members } : members,
    'The success envelope',
    nameOf(operation, 'Success'),
  ).schema;
  const schema = named(envelope, schemas);
  return {
    description: 'The result',
    headers: isQuery(operation) ? headerReferences('ETag') : headerReferences(),
    content: {
      // The law tables are long, and one click away.
      ...json({ type, ...schema }, isQuery(operation) ? [] : successesOf(operation)),
      // With its charset, because orval reads every response as a stream if it finds the bare media type.
      ...(isPost && { [NDJSON_TYPE + CHARSET]: { schema } }),
    },
  };
}

function parametersOf({ request }: Operation, schemas: Schemas): JsonSchema[] {
  const required = request.schema['required'] as readonly string[];
  return Object.entries(fieldSchemas(request.schema, schemas)).map(([name, schema]) => ({
    name,
    in: 'query',
    required: required.includes(name),
    description: schema['description'],
    schema,
  }));
}

/** The responses to requests. A valid request fails if this installation lacks a hash algorithm. */
function responsesTo(requests: Operation['examples'], { run }: Operation): Example[] {
  const context: Context = { currentPeriod: () => '', isReady: () => true };
  const respond = (request: object): unknown =>
    JSON.parse(envelopeAnswer(run(request, context)).body);
  return Object.entries(requests).map(([title, request]) => [title, respond(request)]);
}

/** The responses to the examples of an operation that succeed. */
function successesOf(operation: Operation): readonly Example[] {
  return responsesTo(operation.examples, operation).filter(
    ([, value]) => (value as { readonly status: string }).status === 'success',
  );
}

/** The responses to failures that only some operations have, by status, and the response to all others. */
function failuresOf(operation: Operation, schemas: Schemas): JsonSchema {
  const { method, failures = [] } = operation;
  const hasNoFields = method === 'GET' && !isQuery(operation);
  const responses = failures.map((code) => {
    const { status, title } = FAILURES[code];
    return [status, failureResponse(title, [code], [failureExample(code)], schemas)] as const;
  });
  return {
    ...(!hasNoFields && { [FAILURES.validation_failed.status]: REFUSAL }),
    ...Object.fromEntries(responses),
    ...(hasNoFields ? ANY_FAILURE : { default: FAILURE }),
  };
}

/** The response to an invalid request, with that of the first operation as an example. */
function refusalOf(operations: readonly Operation[], schemas: Schemas): JsonSchema {
  const code = 'validation_failed';
  const refused = operations.flatMap((one) => responsesTo(one.invalidExamples, one)).slice(0, 1);
  const examples = refused.length > 0 ? refused : [failureExample(code)];
  return failureResponse(FAILURES[code].title, [code], examples, schemas);
}

function defaultResponse(schemas: Schemas): JsonSchema {
  const codes = FAILURE_CODES.filter((code) => !SPECIFIC_CODES.includes(code));
  const statuses = codes.map((code) => `${FAILURES[code].status} ${code}`);
  const description = `Any other failure: ${statuses.join(', ')}`;
  return failureResponse(description, codes, [failureExample('overloaded')], schemas);
}

function failureResponse(
  description: string,
  codes: readonly FailureCode[],
  examples: readonly Example[],
  schemas: Schemas,
): JsonSchema {
  const headers = codes.map((code) => HEADERS_OF_FAILURES[code] ?? {});
  const content = json(named(failureSchema, schemas), examples);
  return { description, headers: Object.assign({}, ...headers, headerReferences()), content };
}

function failureExample(code: FailureCode): Example {
  return [code, JSON.parse(envelopeAnswer(failureOf(code)).body)];
}

function json(schema: JsonSchema, examples: readonly Example[]): JsonSchema {
  const shown = examples.map(([title, value]) => [
    title.replaceAll(/\W+/g, '_'),
    { summary: title, value },
  ]);
  return { [JSON_TYPE]: { schema, examples: Object.fromEntries(shown) } };
}

/**
 * The schema of a response: each schema with a title is added to `schemas`, and replaced by a reference. The first use
 * of a title defines its description; a use with another one has it beside the reference. Unlike a request, a response
 * may have further members in later versions.
 */
function named(
  { title, additionalProperties: _, ...schema }: JsonSchema,
  schemas: Schemas,
): JsonSchema {
  const { properties, items } = schema;
  const parts = {
    ...schema,
    ...(items !== undefined && { items: named(items as JsonSchema, schemas) }),
    ...(properties !== undefined && { properties: fieldSchemas(schema, schemas) }),
  };
  if (typeof title !== 'string') return parts;
  const { description } = (schemas[title] ??= parts);
  return {
    ...reference('schemas', title),
    ...(description !== schema['description'] && { description: schema['description'] }),
  };
}

function fieldSchemas(
  { properties }: JsonSchema,
  schemas: Schemas,
): Readonly<Record<string, JsonSchema>> {
  return mapFields(properties, (field) => named(field, schemas));
}

function mapFields(
  properties: unknown,
  change: (field: JsonSchema) => JsonSchema,
): Readonly<Record<string, JsonSchema>> {
  const fields = Object.entries(properties as Readonly<Record<string, JsonSchema>>);
  return Object.fromEntries(fields.map(([name, field]) => [name, change(field)]));
}
