import { NUMBER } from './numbers.js';

/*
 * A calculator has the path of an operation, the fields of its request, the members that are always sent, and the
 * function that draws its answer. Of a field, `initial` is the default of the service, which is not sent; `example` is
 * there when the page opens without a link; `range` has the bounds of the service; `isExtra` puts it under "More
 * options"; it is used where its `when` holds.
 */

/** Longer addresses get cut. */
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
 * Numbers are sent digit by digit, other texts as strings, which the service refuses; so is 1.000 as a whole number,
 * because it is 1 in JSON, and 1000 to a Vietnamese reader.
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
