import { NUMBER } from './numbers.js';

/*
 * A calculator is the name and the path of an operation, the members that are always sent, the fields, and the function
 * that draws its answer. Of a field, `initial` is the service's own default, which is not sent; `example` stands in it
 * when the page opens without a link; `range` holds the service's bounds, for the messages; `isExtra` puts it under
 * "More options"; it is there only where its `when` holds.
 */

/** Longer texts are left out of the link, as long addresses get cut. */
export const LONGEST_LINKED_TEXT = 4_000;

function fieldsOf({ fields }, values) {
  return fields.filter(({ when }) => when === undefined || when(values));
}

export function examplesOf({ fields }) {
  return valuesOf(fields, ({ example, initial = '' }) => example ?? initial);
}

function valuesOf(fields, value) {
  return Object.fromEntries(fields.map((field) => [field.name, value(field)]));
}

/** Whether a value differs from what the service takes without it. */
export function isSet({ initial = '' }, value) {
  return value !== '' && value !== initial;
}

export function bodyOf(calculator, values) {
  const { always = [] } = calculator;
  const members = fieldsOf(calculator, values)
    .filter((field) => field.kind === 'text' || isSet(field, values[field.name]))
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
  const isAllowed = NUMBER.test(value) && !(kind === 'integer' && value.includes('.'));
  return isNumeric && isAllowed ? value : JSON.stringify(value);
}

/** Such as `salary?income=30000000`; `others` are values to compare with, and private ones only go in if asked for. */
export function fragmentOf(calculator, values, { others = {}, isPrivateWanted = false } = {}) {
  const parameters = new URLSearchParams();
  for (const field of fieldsOf(calculator, values)) {
    const { name, isRequired, initial = '', isPrivate } = field;
    const value = values[name];
    const isAllowed = !isPrivate || (isPrivateWanted && value.length <= LONGEST_LINKED_TEXT);
    if ((isRequired || value !== initial) && isAllowed) parameters.set(name, value);
  }
  for (const [name, value] of Object.entries(others)) parameters.set(`vs.${name}`, value);
  const query = parameters.toString();
  return query === '' ? calculator.name : `${calculator.name}?${query}`;
}

/** The view that a fragment names, and its query. */
export function viewOf(fragment) {
  const [view, query = ''] = fragment.replace(/^#/, '').split(/\?(.*)/s);
  return { view, query };
}

/** Has `values` only where the query names a field; their line breaks are those of a text field. */
export function readQuery({ fields }, query) {
  const parameters = new URLSearchParams(query);
  const valueOf = (key) => parameters.get(key)?.replace(/\r\n?/g, '\n');
  const others = fields.map(({ name }) => [name, valueOf(`vs.${name}`)]).filter(([, value]) => value !== undefined);
  const isNamed = fields.some(({ name }) => parameters.has(name));
  const values = valuesOf(fields, ({ name, initial = '' }) => valueOf(name) ?? initial);
  for (const { name, when, example } of fields) if (when?.(values) === false) values[name] = example ?? values[name];
  return { others: Object.fromEntries(others), ...(isNamed && { values }) };
}
