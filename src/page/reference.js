import { codeBlock, SNIPPETS } from './code.js';
import { disclosure, element } from './dom.js';
import { table } from './tables.js';
import { addTexts, format, text } from './texts.js';

addTexts(`
title.api | API reference | Tài liệu API
about.api | Every path, field, example and failure of the service. | Mọi đường dẫn, trường, ví dụ và lỗi của dịch vụ.
details | Fields, examples and failures | Các trường, ví dụ và lỗi
fields | Fields of the request | Các trường của yêu cầu
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

/** The OpenAPI document, whose texts are English. */
export function createTool() {
  const node = element('div.tool.reference', { 'aria-busy': 'true' }, text('calculating'));
  fetch('openapi.json', { credentials: 'omit' })
    .then((response) => response.json())
    .then((document) => node.replaceChildren(...operationsOf(document)))
    .catch(() => node.replaceChildren(text('unreachable')))
    .finally(() => node.removeAttribute('aria-busy'));
  return { node };
}

function operationsOf(document) {
  const resolve = (part) => (part?.$ref === undefined ? part
    : { ...part.$ref.slice(2).split('/').reduce((value, key) => value[key], document), ...part });
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => element('section', { lang: 'en' },
      element('h2', element('code', `${method.toUpperCase()} ${path}`)),
      element('p', operation.summary),
      disclosure(`api${path}`, text('details'), () => describe(path, operation, resolve)))));
}

function describe(path, operation, resolve) {
  const { description = '', requestBody, responses, parameters = [] } = operation;
  const [body, success] = [requestBody, responses[200]].map((part) => resolve(part)?.content['application/json']);
  const { properties = {}, required = [] } = resolve(body?.schema) ?? {};
  const fields = [
    ...Object.entries(properties).map(([name, schema]) => ({ name, schema, required: required.includes(name) })),
    ...parameters,
  ];
  const failures = Object.entries(responses).filter(([status]) => !/^[23]/.test(status));
  const address = new URL(path.slice(1), document.baseURI).href;
  return [
    ...description.split('\n\n').map((part) => element('p', prose(part))),
    fields.length > 0 && table('prose', `${text('fields')}: ${path}`, ['field', 'kind', 'meaning'],
      fields.map(({ name, schema, required }) =>
        [element('code', name), kindOf(schema, required), prose(schema.description)])),
    ...Object.values(body?.examples ?? {}).slice(0, 3).map(({ summary, value }) =>
      codeBlock(text('example', { name: summary }), SNIPPETS.curl(address, JSON.stringify(value)))),
    ...Object.values(success?.examples ?? {}).slice(0, 1).map(({ summary, value }) =>
      codeBlock(text('responseTo', { name: summary }), JSON.stringify(value, null, 2))),
    failures.length > 0 && table('prose', `${text('failuresOf')}: ${path}`, ['status', 'meaning'],
      failures.map(([status, response]) => [status, resolve(response).description])),
  ].filter(Boolean);
}

/** What stands between backticks is code. */
function prose(words) {
  return words.split('`').map((part, index) => (index % 2 === 1 ? element('code', part) : part));
}

const BOUNDS = { minimum: '≥', exclusiveMinimum: '>', maximum: '≤' };

function kindOf(schema, isRequired) {
  const { type, enum: options, default: initial } = schema;
  const bounds = Object.entries(BOUNDS).filter(([name]) => name in schema);
  return [
    (options?.map((option) => JSON.stringify(option)) ?? [type].flat()).join(' | '),
    ...bounds.map(([name, sign]) => `${sign} ${format.count(schema[name])}`),
    isRequired && text('needed'),
    initial !== undefined && text('byDefault', { value: JSON.stringify(initial) }),
  ].filter(Boolean).join(', ');
}
