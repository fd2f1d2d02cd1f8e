/** A validator for the part of JSON Schema (draft 2020-12) that the service uses; any other keyword is an error. */
import { gunzipSync } from 'node:zlib';
import type { JsonSchema } from '../../src/contract/schema.ts';
import { type Answer, headersOf } from '../../src/service/answer.ts';
import { pathOf, type RequestHead } from '../../src/service/request.ts';
import type { Service } from '../../src/service/service.ts';

type Rule = (argument: never, value: never, schema: JsonSchema) => boolean;

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Whether names are some of all names, in their order if it counts. */
function isPartOf(names: readonly string[], all: readonly string[], isOrdered: boolean): boolean {
  const places = names.map((name) => all.indexOf(name));
  return places.every((place, at) => place >= (isOrdered && at > 0 ? places[at - 1]! + 1 : 0));
}

const patterns = new Map<string, RegExp>();

function patternOf(source: string): RegExp {
  const pattern = patterns.get(source) ?? new RegExp(source, 'u');
  patterns.set(source, pattern);
  return pattern;
}

const TYPES: Readonly<Record<string, (value: unknown) => boolean>> = {
  object: isObject,
  array: Array.isArray,
  string: (value) => typeof value === 'string',
  number: (value) => typeof value === 'number' && Number.isFinite(value),
  integer: Number.isSafeInteger,
  boolean: (value) => typeof value === 'boolean',
  null: (value) => value === null,
};

/** Whether a value conforms to a keyword; a value of a type to which the keyword does not apply does. */
const RULES: Readonly<Record<string, Rule>> = {
  type: (type: string | string[], value) =>
    typeof type === 'string' ? TYPES[type]!(value) : type.some((name) => TYPES[name]!(value)),
  enum: (values: unknown[], value) => values.includes(value),
  minimum: (bound: number, value: unknown) => typeof value !== 'number' || value >= bound,
  maximum: (bound: number, value: unknown) => typeof value !== 'number' || value <= bound,
  exclusiveMinimum: (bound: number, value: unknown) => typeof value !== 'number' || value > bound,
  pattern: (pattern: string, value: unknown) =>
    typeof value !== 'string' || patternOf(pattern).test(value),
  // A character takes one or two units of a string; most texts need not be counted.
  minLength: (length: number, value: unknown) =>
    typeof value !== 'string' || value.length >= 2 * length || [...value].length >= length,
  maxLength: (length: number, value: unknown) =>
    typeof value !== 'string' || value.length <= length || [...value].length <= length,
  required: (names: string[], value: unknown) =>
    !isObject(value) || names.every((name) => Object.hasOwn(value, name)),
  // The schema of a request has no further members, and those of responses allow them for later versions. The members of
  // an answer of this version are declared, and in the order of the declaration, so that its bytes stay the same.
  properties: (properties: object, value: unknown, { additionalProperties }) =>
    additionalProperties === true
    || !isObject(value)
    || isPartOf(Object.keys(value), Object.keys(properties), additionalProperties !== false),
};
const ANNOTATIONS = ['title', 'description', 'default', 'examples', 'additionalProperties'];
/** The headers that a response must describe if it has them. */
const HEADERS = ['Allow', 'ETag', 'Retry-After', 'X-Request-Id'];

/** The paths at which a value does not conform to a schema of the document, each with the keyword. */
export function violationsOf(
  document: JsonSchema,
  schema: JsonSchema,
  value: unknown,
  path = '$',
): string[] {
  const problems: string[] = [];
  for (const [keyword, argument] of Object.entries(schema)) {
    if (keyword === '$ref') {
      problems.push(...violationsOf(document, resolve(document, argument as string), value, path));
      continue;
    }
    if (keyword === 'properties') {
      for (const [name, property] of Object.entries(
        argument as Readonly<Record<string, JsonSchema>>,
      )) {
        const isPresent = isObject(value) && Object.hasOwn(value, name);
        if (isPresent)
          problems.push(...violationsOf(document, property, value[name], `${path}.${name}`));
      }
    }
    if (keyword === 'items') {
      const items = Array.isArray(value) ? value : [];
      items.forEach((item, at) =>
        problems.push(...violationsOf(document, argument as JsonSchema, item, `${path}[${at}]`)),
      );
      continue;
    }
    if (!ANNOTATIONS.includes(keyword)) {
      const rule = RULES[keyword];
      if (rule === undefined) throw new Error(`no rule for the keyword ${keyword} at ${path}`);
      if (!rule(argument as never, value as never, schema)) problems.push(`${path}: ${keyword}`);
    }
  }
  return problems;
}

/** The part of the document that a reference refers to. */
export function resolve(document: JsonSchema, reference: string): JsonSchema {
  const parts = reference
    .replace(/^#\//, '')
    .split('/')
    .map((part) => part.replaceAll('~1', '/'));
  return parts.reduce<JsonSchema>((found, part) => found[part] as JsonSchema, document);
}

/** A service that throws if one of its answers does not conform to the OpenAPI document. */
export function checkedAgainst(document: JsonSchema, service: Service): Service {
  const checked = <A extends Answer>(head: RequestHead | undefined, answer: A): A => {
    const problems = problemsOfAnswer(document, head, answer);
    if (problems.length === 0) return answer;
    throw new Error(
      `${head?.method} ${head?.target} → ${answer.status} ${answer.body}: ${problems.join('; ')}`,
    );
  };
  return {
    ...service,
    route(head) {
      const routed = service.route(head);
      if (routed.kind === 'answer') return { ...routed, answer: checked(head, routed.answer) };
      // The answer to a line is the answer to the line as a single request.
      const single = routed.isBulk
        ? { ...head, headers: { 'content-type': 'application/json' } }
        : head;
      return { ...routed, answer: (body) => checked(single, routed.answer(body)) };
    },
    answer: (head, body) => checked(head, service.answer(head, body)),
  };
}

/** The text that has conformed to a schema last: many lines of a bulk request have one answer. */
const conforming = new WeakMap<JsonSchema, string>();

function problemsOfAnswer(
  document: JsonSchema,
  head: RequestHead | undefined,
  answer: Answer,
): string[] {
  const { status, body, contentType } = answer;
  const path = pathOf(head?.target ?? '') ?? '';
  const paths = document['paths'] as Readonly<Record<string, Readonly<Record<string, JsonSchema>>>>;
  const method = head?.method === 'HEAD' ? 'get' : (head?.method.toLowerCase() ?? '');
  const operation = Object.hasOwn(paths, path) ? paths[path]![method] : undefined;
  const fields = headersOf(answer, undefined, undefined, undefined);
  if (new Set(fields.filter((_, index) => index % 2 === 0)).size !== fields.length / 2)
    return ['a duplicate header'];
  // The document does not describe the index, the page, the metrics and OPTIONS.
  if (operation === undefined && status < 400) return [];
  const responses = operation?.['responses'] as Readonly<Record<string, JsonSchema>> | undefined;
  const { $ref, ...own } = responses?.[status] ?? { $ref: '#/components/responses/Failure' };
  const response = $ref === undefined ? own : resolve(document, String($ref));
  const content = response['content'] as
    | Readonly<Record<string, { schema: JsonSchema }>>
    | undefined;
  const described = Object.keys(response['headers'] as object);
  const undescribed = HEADERS.filter((name) => fields.includes(name) && !described.includes(name));
  if (undescribed.length > 0) return [`undescribed headers ${undescribed.join(', ')}`];
  if (content === undefined)
    return body === '' && contentType === undefined ? [] : ['expected no body'];
  const media = content[String(contentType).split(';', 1)[0]!];
  if (media === undefined) return [`no content of ${contentType}`];
  const text = typeof body === 'string' ? body : gunzipSync(body).toString();
  if (status === 200 && conforming.get(media.schema) === text) return [];
  const value = JSON.parse(text) as { readonly error: { readonly code: string } };
  const isListed =
    responses?.[status] !== undefined
    || String(response['description']).includes(`${status} ${value.error.code}`);
  if (!isListed) return [`no response of ${status}`];
  const violations = violationsOf(document, media.schema, value);
  if (violations.length === 0) conforming.set(media.schema, text);
  return violations;
}
