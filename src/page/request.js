import { NUMBER } from './numbers.js';

/*
 * A calculator has the path of an operation, the fields of its request, the members that are always sent, and the
 * function that draws its answer. Of a field, `initial` is the default of the service, which is not sent; `example` is
 * its value on the first visit; `range` has the bounds of the service; `isExtra` puts it under "More options"; it is
 * used where its `when` holds; `members` are sent in place of the field, if it is set.
 */

/** Longer addresses get cut. */
export const LONGEST_LINKED_TEXT = 4_000;

export function amount(name, more) {
  return { name, kind: 'amount', unit: '₫', range: [0, 1e12], ...more };
}

/** The first option is the default. */
export function choice(name, options, more) {
  return { name, kind: 'choice', options, initial: options[0], ...more };
}

export function isUsed({ when }, values) {
  return when?.(values) ?? true;
}

export function examplesOf({ fields }) {
  return Object.fromEntries(fields.map(({ name, example, initial = '' }) => [name, example ?? initial]));
}

export function isSet({ initial = '' }, value) {
  return value !== '' && value !== initial;
}

export function bodyOf(calculator, values) {
  const { fields, always = [] } = calculator;
  const members = fields.filter((field) => isUsed(field, values))
    .filter(({ name, kind, initial }) => kind === 'text' || isSet({ initial }, values[name]))
    .map((field) => field.members ?? `"${field.name}":${literal(field, values[field.name])}`);
  return `{${[...members, ...always].join(', ')}}`;
}

/**
 * Numbers are sent digit by digit, and other texts as strings, which the service refuses. The integer 1.000 is such a
 * text: 1 in JSON, but 1000 in Vietnam.
 */
function literal({ name, kind }, value) {
  if (kind === 'flag') return String(value === 'true');
  const isNumeric = ['amount', 'decimal', 'integer', 'term'].includes(kind) || name === 'region';
  const isExact = NUMBER.test(value) && !(kind === 'integer' && value.includes('.'));
  return isNumeric && isExact ? value : JSON.stringify(value);
}

/** Such as `salary?income=30000000`; `others` are values to compare with. */
export function fragmentOf(calculator, values, { others = {}, isPrivateWanted = false } = {}) {
  const parameters = new URLSearchParams();
  for (const field of calculator.fields) {
    const { name, isRequired, initial = '', isPrivate } = field;
    const value = values[name];
    const isAllowed = !isPrivate || (isPrivateWanted && value.length <= LONGEST_LINKED_TEXT);
    if (isUsed(field, values) && (isRequired || value !== initial) && isAllowed) parameters.set(name, value);
  }
  for (const [name, value] of Object.entries(others)) parameters.set(`vs.${name}`, value);
  return calculator.name + (parameters.size > 0 ? `?${parameters}` : '');
}

export function viewOf(fragment) {
  const [view, query = ''] = fragment.replace(/^#/, '').split(/\?(.*)/s);
  return { view, query };
}

/** Has `values` only if the query names a field. */
export function readQuery({ fields }, query) {
  const parameters = new URLSearchParams(query);
  const given = (prefix) => Object.fromEntries(fields.filter(({ name }) => parameters.has(prefix + name))
    .map(({ name }) => [name, parameters.get(prefix + name).replace(/\r\n?/g, '\n')])); // as a text field has it
  const others = given('vs.');
  if (fields.every(({ name }) => !parameters.has(name))) return { others };
  const values = { ...Object.fromEntries(fields.map(({ name, initial = '' }) => [name, initial])), ...given('') };
  for (const field of fields) if (!isUsed(field, values)) values[field.name] = field.example ?? values[field.name];
  return { others, values };
}

const PATIENCE = 15_000;
const ATTEMPTS = 3;
const LONGEST_WAIT = 10; // seconds, whatever Retry-After asks for

/** A refused line is no failure of HTTP, which browsers would report in the console. */
const LINES = 'application/x-ndjson';

/** The outcome has the `content` of the response, and its `data` or the `error` and the `reason` of a failure. */
export async function post(path, body, { signal, mediaType = LINES } = {}) {
  for (let attempt = 1; ; attempt++) {
    const outcome = await postOnce(path, body, signal, mediaType);
    if (outcome.reason !== 'overloaded' || attempt === ATTEMPTS || signal?.aborted) return outcome;
    await new Promise((resolve) => setTimeout(resolve, Math.min(outcome.wait, LONGEST_WAIT) * 1_000));
  }
}

async function postOnce(path, body, signal, mediaType) {
  const timeout = AbortSignal.timeout(PATIENCE);
  const signals = AbortSignal.any([timeout, signal].filter(Boolean));
  const headers = { 'Content-Type': mediaType };
  try {
    const response = await fetch(path, { method: 'POST', headers, body, credentials: 'omit', signal: signals });
    return outcomeOf(response, await response.text());
  } catch {
    return { reason: timeout.aborted ? 'timeout' : 'unreachable', content: '' };
  }
}

function outcomeOf({ status, headers }, content) {
  const wait = Number(headers.get('Retry-After')) || 1;
  const isJson = /json/.test(headers.get('Content-Type')); // unlike the login page of a hotel
  const { data, error } = isJson ? JSON.parse(content.split('\n', 1)[0]) : {};
  return { data, error, reason: reasonOf(status, error), status, wait, content };
}

function reasonOf(status, error) {
  if (status === 503) return 'overloaded';
  if (status >= 500) return 'failed';
  if (error === undefined) return 'foreign';
  return error.code === 'body_too_large' ? 'tooLarge' : 'refused';
}

let reviewed; // every answer shares the request

/** Undefined where the service does not name the month. */
export function reviewedThrough() {
  reviewed ??= fetch('api/v1/tax/rules?period=2015-01', { signal: AbortSignal.timeout(3_000), credentials: 'omit' })
    .then((response) => response.json())
    .then(({ data }) => data.reviewed_through)
    .catch(() => undefined);
  return reviewed;
}
