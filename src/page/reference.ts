/** The API reference, from the OpenAPI document. */
import { describeValues } from '../contract/describe.ts';
import { codeBlock, SNIPPETS } from './code.ts';
import { type Child, disclosure, element, openDisclosures } from './dom.ts';
import { addressOf } from './developer.ts';
import type { View } from './panel.ts';
import type { Schema as FieldSchema } from './request.ts';
import { table } from './tables.ts';
import { addTexts, text } from './texts.ts';

addTexts(`
title.api | API reference | Tài liệu API
about.api | Every path, field, example and failure of the service.
  | Mọi đường dẫn, trường, ví dụ và lỗi của dịch vụ.
details | Fields, examples and failures | Các trường, ví dụ và lỗi
loading | Loading… | Đang tải…
unavailable | The reference comes from the service, which cannot be reached.
  | Tài liệu này do dịch vụ cung cấp, hiện không kết nối được với dịch vụ.
requestFields | Fields of the request | Các trường của yêu cầu
responseFields | Fields of the response | Các trường của phản hồi
field | Field | Trường
kind | Type | Kiểu
meaning | Meaning | Ý nghĩa
needed | required | bắt buộc
byDefault | default {value} | mặc định {value}
example | Example: {name} | Ví dụ: {name}
responseTo | Response: {name} | Phản hồi: {name}
failuresOf | Failures | Các lỗi
status | Status | Mã
`);

/** The parts of OpenAPI 3.1 and of JSON Schema that the document of the service has. */
interface OpenApi {
  readonly paths: Readonly<Record<string, Readonly<Record<string, OperationObject>>>>;
}

interface OperationObject {
  readonly summary: string;
  readonly description?: string;
  readonly requestBody?: Reference<Body>;
  readonly parameters?: readonly Parameter[];
  readonly responses: Readonly<Record<string, Reference<Body>>>;
}

interface Body {
  readonly description?: string;
  readonly content?: Readonly<Record<string, Media>>;
}

interface Media {
  readonly schema?: Reference<Schema>;
  readonly examples?: Readonly<Record<string, Example>>;
}

interface Example {
  readonly summary: string;
  readonly value: unknown;
}

interface Parameter {
  readonly name: string;
  readonly required?: boolean;
  readonly schema: Reference<Schema>;
}

type Schema = FieldSchema & {
  readonly description?: string;
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, Reference<Schema>>>;
  readonly items?: Reference<Schema>;
};

type Reference<T> = T & { readonly $ref?: string };

/** Replaces a reference to another part of the document by that part. */
type Resolve = <T extends object>(part: Reference<T>) => T;

/** Creates the reference from the OpenAPI document of the service, whose texts are English. */
export function createTool(query: string): View {
  const node = element('div.tool.reference', { 'aria-busy': 'true' }, text('loading'));
  const load = async (): Promise<void> => {
    try {
      const response = await fetch('openapi.json', { credentials: 'omit' });
      const api = (await response.json()) as OpenApi;
      openDisclosures.add(query);
      node.replaceChildren(...operationsOf(api));
      document.getElementById(query)?.scrollIntoView();
    } catch {
      node.replaceChildren(text('unavailable'));
    }
    node.removeAttribute('aria-busy');
  };
  void load();
  return { node };
}

function operationsOf(api: OpenApi): HTMLElement[] {
  const resolve: Resolve = (part) => {
    if (part.$ref === undefined) return part;
    const names = part.$ref.slice(2).split('/');
    return { ...names.reduce<object>(memberOf, api), ...part };
  };
  const methods = Object.entries(api.paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({ path, method, operation })),
  );
  return methods.map(({ path, method, operation }) => {
    const name = element('code', `${method.toUpperCase()} ${path}`);
    return element(
      'section',
      { lang: 'en', id: path },
      element('h2', element('a', { href: `#api?${path}` }, name)),
      element('p', operation.summary),
      disclosure(path, text('details'), () => [
        ...(operation.description ?? '').split('\n\n').map((part) => element('p', prose(part))),
        ...describeRequest(path, operation, resolve),
        ...describeResponses(path, operation, resolve),
      ]),
    );
  });
}

function memberOf(value: object, name: string): object {
  const member: unknown = new Map(Object.entries(value)).get(name);
  return typeof member === 'object' && member !== null ? member : {};
}

const JSON_TYPE = 'application/json';

function describeRequest(path: string, operation: OperationObject, resolve: Resolve): Child[] {
  const { requestBody, parameters = [] } = operation;
  const body = requestBody && resolve(requestBody).content?.[JSON_TYPE];
  const address = addressOf(path.slice(1));
  const given = parameters.map(({ name, required = false, schema }) =>
    fieldRow(name, resolve(schema), required),
  );
  const requests = Object.values(body?.examples ?? {}).slice(0, 3);
  return [
    ...fieldTable('requestFields', path, [...rowsOf(body?.schema, resolve), ...given]),
    ...requests.map(({ summary, value }) =>
      codeBlock(text('example', { name: summary }), SNIPPETS.curl(address, JSON.stringify(value))),
    ),
  ];
}

function describeResponses(
  path: string,
  { responses }: OperationObject,
  resolve: Resolve,
): Child[] {
  const success = responses['200'] && resolve(responses['200']).content?.[JSON_TYPE];
  const examples = Object.values(success?.examples ?? {}).slice(0, 1);
  const failures = Object.entries(responses)
    .filter(([status]) => !/^[23]/.test(status))
    .map(([status, response]) => [status, resolve(response).description]);
  const caption = `${text('failuresOf')}: ${path}`;
  return [
    ...fieldTable('responseFields', path, rowsOf(success?.schema, resolve)),
    ...examples.map(({ summary, value }) =>
      codeBlock(text('responseTo', { name: summary }), JSON.stringify(value, null, 2)),
    ),
    failures.length > 0 && table('prose', caption, ['status', 'meaning'], failures),
  ];
}

function fieldTable(key: string, path: string, rows: readonly Child[][]): Child[] {
  const heads = ['field', 'kind', 'meaning'];
  return rows.length === 0 ? [] : [table('prose', `${text(key)}: ${path}`, heads, rows)];
}

/** The rows of the fields of an object and of its objects, such as `data.detail.law[].rule`. */
function rowsOf(schema: Reference<Schema> | undefined, resolve: Resolve, prefix = ''): Child[][] {
  const { properties = {}, required = [] } = schema === undefined ? {} : resolve(schema);
  return Object.entries(properties).flatMap(([name, member]) => {
    const inner = resolve(member);
    const path = prefix + name;
    return [
      fieldRow(path, inner, required.includes(name)),
      ...rowsOf(inner, resolve, `${path}.`),
      ...rowsOf(inner.items, resolve, `${path}[].`),
    ];
  });
}

function fieldRow(name: string, schema: Schema, isRequired: boolean): Child[] {
  return [element('code', name), kindOf(schema, isRequired), prose(schema.description ?? '')];
}

/** The parts between backticks are code. */
function prose(words: string): Child[] {
  return words.split('`').map((part, index) => (index % 2 === 1 ? element('code', part) : part));
}

function kindOf(schema: Schema, isRequired: boolean): string {
  const { default: value, type = '', ...bounds } = schema;
  return [
    describeValues({ type, ...bounds }),
    isRequired && text('needed'),
    value !== undefined && text('byDefault', { value: JSON.stringify(value) }),
  ]
    .filter(Boolean)
    .join(', ');
}
