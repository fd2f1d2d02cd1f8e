import { NUMBER } from './numbers.js';

/*
 * A calculator is the name and the path of an operation, the members that are always sent, the fields, and the function
 * that draws its answer. Of a field, `initial` is the service's own default, which is not sent; `example` stands in it
 * when the page opens without a link; `range` holds the service's bounds, for the messages; `isExtra` puts it under
 * "More options"; it is there only where its `when` holds.
 */

/** Longer texts are left out of the link, as long addresses get cut. */
export const LONGEST_LINKED_TEXT = 4_000;

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

/** Whether a value differs from what the service takes without it. */
export function isSet({ initial = '' }, value) {
  return value !== '' && value !== initial;
}

export function bodyOf(calculator, values) {
  const { fields, always = [] } = calculator;
  const members = fields.filter((field) => isUsed(field, values))
    .filter(({ name, kind, initial }) => kind === 'text' || isSet({ initial }, values[name]))
    .map((field) => `"${field.name}":${literal(field, values[field.name])}`);
  return `{${[...members, ...always].join(', ')}}`;
}

/**
 * Numbers go out digit by digit as they stand, other texts as strings, which the service refuses. So does 1.000 where a
 * whole number is asked for: it is 1 in JSON, and 1000 to a Vietnamese reader.
 */
function literal({ name, kind }, value) {
  if (kind === 'flag') return String(value === 'true');
  const isNumeric = ['amount', 'decimal', 'integer', 'term'].includes(kind) || name === 'region';
  const isExact = NUMBER.test(value) && !(kind === 'integer' && value.includes('.'));
  return isNumeric && isExact ? value : JSON.stringify(value);
}

/** Such as `salary?income=30000000`; `others` are values to compare with, and private ones only go in if asked for. */
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

/** The view that a fragment names, and its query. */
export function viewOf(fragment) {
  const [view, query = ''] = fragment.replace(/^#/, '').split(/\?(.*)/s);
  return { view, query };
}

/** Has `values` only where the query names a field; their line breaks are those of a text field. */
export function readQuery({ fields }, query) {
  const parameters = new URLSearchParams(query);
  const given = (prefix) => Object.fromEntries(fields.filter(({ name }) => parameters.has(prefix + name))
    .map(({ name }) => [name, parameters.get(prefix + name).replace(/\r\n?/g, '\n')]));
  const others = given('vs.');
  if (fields.every(({ name }) => !parameters.has(name))) return { others };
  const values = { ...Object.fromEntries(fields.map(({ name, initial = '' }) => [name, initial])), ...given('') };
  for (const field of fields) if (!isUsed(field, values)) values[field.name] = field.example ?? values[field.name];
  return { others, values };
}
