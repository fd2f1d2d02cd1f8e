import { codeBlock, SNIPPETS } from './code.js';
import { disclosure, element } from './dom.js';
import { table } from './tables.js';
import { addTexts, format, text } from './texts.js';

addTexts(`
title.api | API reference | Tài liệu API
about.api | Every path, field, example and failure of the service. | Mọi đường dẫn, trường, ví dụ và lỗi của dịch vụ.
details | Fields, examples and failures | Các trường, ví dụ và lỗi
fields | Fields of the request | Các trường của yêu cầu
answerFields | Fields of the response | Các trường của phản hồi
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
  const fields = [...fieldsOf(body?.schema, resolve),
    ...parameters.map(({ name, required, schema }) => [name, schema, required])];
  const answers = fieldsOf(resolve(success?.schema)?.properties?.data, resolve);
  const failures = Object.entries(responses).filter(([status]) => status >= 400 || status === 'default');
  const address = new URL(path.slice(1), document.baseURI).href;
  return [
    ...description.split('\n\n').map((part) => element('p', prose(part))),
    fieldTable(text('fields'), fields),
    ...Object.values(body?.examples ?? {}).slice(0, 3).map(({ summary, value }) =>
      codeBlock(text('example', { name: summary }), SNIPPETS.curl(address, JSON.stringify(value)))),
    ...Object.values(success?.examples ?? {}).slice(0, 1).map(({ summary, value }) =>
      codeBlock(text('responseTo', { name: summary }), JSON.stringify(value, null, 2))),
    fieldTable(text('answerFields'), answers),
    failures.length > 0 && table('prose', text('failuresOf'), ['status', 'meaning'],
      failures.map(([status, response]) => [status, resolve(response).description])),
  ].filter(Boolean);
}

/** What stands between backticks is code. */
function prose(words) {
  return words.split('`').map((part, index) => (index % 2 === 1 ? element('code', part) : part));
}

/** Names with their path, such as `insurance.total`, and `timeline[].year`. */
function fieldsOf(schema, resolve, path = '') {
  const { properties, items, required = [] } = resolve(schema) ?? {};
  if (items) return fieldsOf(items, resolve, `${path.slice(0, -1)}[].`);
  return Object.entries(properties ?? {}).flatMap(([name, field]) =>
    [[path + name, resolve(field), required.includes(name)], ...fieldsOf(field, resolve, `${path}${name}.`)]);
}

function fieldTable(caption, fields) {
  return fields.length > 0 && table('prose', caption, ['field', 'kind', 'meaning'],
    fields.map(([name, schema, isRequired]) =>
      [element('code', name), kindOf(schema, isRequired), prose(schema.description ?? '')]));
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
