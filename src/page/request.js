import { NUMBER } from './numbers.js';

/**
 * The operation and the fields of each calculator. `initial` is the service's own default, which is not sent; `example`
 * stands in the field when the page opens without a link; `isExtra` puts the field under "More options".
 */
export const CALCULATORS = {
  salary: {
    path: 'api/v1/tax/calculate',
    always: ['"detail":true'],
    fields: [
      { name: 'income', kind: 'amount', unit: '₫', isRequired: true, example: '30000000' },
      { name: 'type', kind: 'choice', options: ['gross', 'net'], initial: 'gross' },
      { name: 'dependents', kind: 'integer', initial: '0', range: [0, 50] },
      { name: 'period', kind: 'month', isExtra: true },
      { name: 'region', kind: 'choice', options: ['1', '2', '3', '4'], initial: '1', isExtra: true },
      { name: 'insurance_salary', kind: 'amount', unit: '₫', isExtra: true },
    ],
  },
  growth: {
    path: 'api/v1/interest/calculate',
    fields: [
      { name: 'principal', kind: 'amount', isRequired: true, example: '100000000' },
      { name: 'monthly_deposit', kind: 'amount', initial: '0', example: '5000000' },
      { name: 'annual_rate', kind: 'decimal', unit: '%', isRequired: true, example: '6' },
      { name: 'years', kind: 'decimal', isRequired: true, example: '10' },
      {
        name: 'compounding',
        kind: 'choice',
        options: ['monthly', 'quarterly', 'semiannually', 'annually'],
        initial: 'monthly',
        isExtra: true,
      },
      { name: 'deposit_timing', kind: 'choice', options: ['end', 'start'], initial: 'end', isExtra: true },
      { name: 'timeline', kind: 'choice', options: ['yearly', 'monthly', 'none'], initial: 'yearly', isExtra: true },
      { name: 'decimals', kind: 'integer', initial: '2', range: [0, 6], isExtra: true },
    ],
  },
  hash: {
    path: 'api/v1/hash',
    fields: [{ name: 'text', kind: 'text', isRequired: true }],
  },
};

/** Longer texts are left out of the link, as long addresses get cut. */
export const LONGEST_LINKED_TEXT = 4_000;

export function examplesOf(calculator) {
  return valuesOf(CALCULATORS[calculator].fields, ({ example, initial = '' }) => example ?? initial);
}

function valuesOf(fields, value) {
  return Object.fromEntries(fields.map((field) => [field.name, value(field)]));
}

export function bodyOf(calculator, values) {
  const { fields, always = [] } = CALCULATORS[calculator];
  const members = fields
    .filter(({ name, kind, initial }) => kind === 'text' || (values[name] !== '' && values[name] !== initial))
    .map((field) => `"${field.name}":${literal(field, values[field.name])}`);
  return `{${[...members, ...always].join(', ')}}`;
}

/**
 * Numbers go out digit by digit as they stand, other texts as strings, which the service refuses. So does 1.000 where a
 * whole number is asked for: it is 1 in JSON, and 1000 to a Vietnamese reader.
 */
function literal({ name, kind }, value) {
  const isNumeric = ['amount', 'decimal', 'integer'].includes(kind) || name === 'region';
  const isAllowed = NUMBER.test(value) && !(kind === 'integer' && value.includes('.'));
  return isNumeric && isAllowed ? value : JSON.stringify(value);
}

/** Such as `salary?income=30000000&lang=vi`. */
export function fragmentOf({ calculator, values, language }) {
  const parameters = new URLSearchParams();
  for (const { name, isRequired, initial = '' } of CALCULATORS[calculator].fields) {
    const value = values[name];
    const isWanted = (isRequired || value !== initial) && value.length <= LONGEST_LINKED_TEXT;
    if (isWanted) parameters.set(name, value);
  }
  if (language !== undefined) parameters.set('lang', language);
  const query = parameters.toString();
  return query === '' ? calculator : `${calculator}?${query}`;
}

/** Has `values` only where the fragment names a field; their line breaks are those of a text field. */
export function readFragment(fragment) {
  const [name, query = ''] = fragment.replace(/^#/, '').split(/\?(.*)/s);
  const calculator = Object.hasOwn(CALCULATORS, name) ? name : 'salary';
  const parameters = new URLSearchParams(query);
  const { fields } = CALCULATORS[calculator];
  const isNamed = fields.some((field) => parameters.has(field.name));
  const values = valuesOf(fields, ({ name: key, initial = '' }) =>
    (parameters.get(key) ?? initial).replace(/\r\n?/g, '\n'));
  return { calculator, language: parameters.get('lang'), ...(isNamed && { values }) };
}

/** Quoted for a POSIX shell. */
export function curlOf(address, body) {
  return `curl ${quoted(address)} \\\n  -H 'Content-Type: application/json' \\\n  -d ${quoted(body)}`;
}

function quoted(word) {
  return /^[\w:/.-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
