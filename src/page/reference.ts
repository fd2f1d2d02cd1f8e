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
  readonly requestBody?: Body;
  readonly parameters?: readonly Parameter[];
  readonly responses: Readonly<Record<string, Body>>;
}

interface Body {
  readonly description?: string;
  readonly content?: Readonly<Record<string, Media>>;
}

interface Media {
  readonly schema?: Schema;
  readonly examples?: Readonly<Record<string, Example>>;
}

interface Example {
  readonly summary: string;
  readonly value: unknown;
}

interface Parameter {
  readonly name: string;
  readonly required?: boolean;
  readonly schema: Schema;
}

type Schema = FieldSchema & {
  readonly description?: string;
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
};

/** A document as objects in objects. */
type Tree = { readonly [name: string]: Tree };

const JSON_TYPE = 'application/json';

/** Creates the reference from the OpenAPI document of the service, whose texts are English. */
export async function createTool(query: string): Promise<View> {
  const response = await fetch('openapi.json', { credentials: 'omit' });
  const api = await response.json();
  openDisclosures.add(query);
  return {
    node: element('div.tool.reference', sectionsOf(resolved<OpenApi>(api, api))),
    start: () => document.getElementById(query)?.scrollIntoView(),
  };
}

/** A part of a document in which each reference is replaced by the part to which it refers. */
function resolved<T>(part: T, document: Tree): T {
  return JSON.parse(JSON.stringify(part), (_, value) => {
    if (value?.$ref === undefined) return value;
    const names: string[] = value.$ref.slice(2).split('/');
    const target = names.reduce((whole, name) => whole[name] ?? {}, document);
    return { ...resolved(target, document), ...value };
  });
}

function sectionsOf({ paths }: OpenApi): HTMLElement[] {
  return Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => {
      const { summary, description = '' } = operation;
      const name = element('code', `${method.toUpperCase()} ${path}`);
      return element(
        'section',
        { lang: 'en', id: path },
        element('h2', element('a', { href: `#api?${path}` }, name)),
        element('p', summary),
        disclosure(path, text('details'), () => [
          description.split('\n\n').map((part) => element('p', prose(part))),
          describeRequest(path, operation),
          describeResponses(path, operation),
        ]),
      );
    }),
  );
}

function describeRequest(path: string, operation: OperationObject): Child[] {
  const { requestBody, parameters = [] } = operation;
  const { schema, examples = {} } = requestBody?.content?.[JSON_TYPE] ?? {};
  const address = addressOf(path.slice(1));
  const given = parameters.map(({ name, required = false, schema: values }) =>
    fieldRow(name, values, required),
  );
  return [
    tableOf('requestFields', path, FIELD_HEADS, [...rowsOf(schema), ...given]),
    Object.values(examples)
      .slice(0, 3)
      .map(({ summary, value }) =>
        codeBlock(
          text('example', { name: summary }),
          SNIPPETS.curl(address, JSON.stringify(value)),
        ),
      ),
  ];
}

function describeResponses(path: string, { responses }: OperationObject): Child[] {
  const { schema, examples = {} } = responses['200']?.content?.[JSON_TYPE] ?? {};
  const failures = Object.entries(responses)
    .filter(([status]) => !/^[23]/.test(status))
    .map(([status, { description }]) => [status, description]);
  return [
    tableOf('responseFields', path, FIELD_HEADS, rowsOf(schema)),
    Object.values(examples)
      .slice(0, 1)
      .map(({ summary, value }) =>
        codeBlock(text('responseTo', { name: summary }), JSON.stringify(value, null, 2)),
      ),
    tableOf('failuresOf', path, ['status', 'meaning'], failures),
  ];
}

const FIELD_HEADS = ['field', 'kind', 'meaning'];

/** A table whose caption names the path, if it has rows. */
function tableOf(
  caption: string,
  path: string,
  heads: readonly string[],
  rows: readonly Child[][],
): Child {
  return rows.length > 0 && table('prose', `${text(caption)}: ${path}`, heads, rows);
}

/** The rows of the fields of an object and of its objects, such as `data.detail.law[].rule`. */
function rowsOf({ properties = {}, required = [] }: Schema = {}, prefix = ''): Child[][] {
  return Object.entries(properties).flatMap(([name, member]) => {
    const path = prefix + name;
    return [
      fieldRow(path, member, required.includes(name)),
      ...rowsOf(member, `${path}.`),
      ...rowsOf(member.items, `${path}[].`),
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
