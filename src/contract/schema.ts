/** Checks of values that describe themselves as JSON Schema. */
import { quotedShort, shortened } from './escape.ts';
import { missingField, type Problem, type ProblemCode, validationFailure } from './failure.ts';

/** A JSON Schema (draft 2020-12), as plain data. */
export type JsonSchema = { readonly [keyword: string]: unknown };

/** A check of untrusted input, which also describes that input as JSON Schema. */
export interface Check<T> {
  readonly schema: JsonSchema;
  /**
   * Returns the checked value; or undefined, after adding a problem to `problems`. The value of an object or an array
   * is valid only if none of its members has added a problem.
   */
  readonly read: (value: unknown, field: string, problems: Problem[]) => T | undefined;
}

/** A field that may be absent. */
export interface OptionalField<T> extends Check<T> {
  readonly isOptional: true;
}

/** A field with a default. */
export interface DefaultedField<T> extends Check<T> {
  readonly default: T;
}

type Field = Check<unknown> & {
  readonly isOptional?: true;
  readonly default?: unknown;
  /** The end of the refusal of a request without the field. */
  readonly remark?: string;
};

/** The fields of an object, by their names. */
export type Fields = Readonly<Record<string, Field>>;

/** A check of an object. */
export interface ObjectCheck<F extends Fields> extends Check<ObjectValue<F>> {
  readonly fields: F;
}

/** The type of the values that pass a check. */
export type Value<C> = C extends Check<infer T> ? T : never;

/** The type of the values that a caller may pass to a check of an object: fields with a default may be absent. */
export type Input<C> =
  C extends ObjectCheck<infer F>
    ? Values<F, OptionalField<unknown> | DefaultedField<unknown>, undefined>
    : never;

type ObjectValue<F> = Values<F, OptionalField<unknown>, never>;

/** The values of fields. A field whose check has the type `Absent` may be absent, or have the value `Empty`. */
type Values<F, Absent, Empty> = Merge<
  { readonly [K in keyof F as F[K] extends Absent ? never : K]: Value<F[K]> } & {
    readonly [K in keyof F as F[K] extends Absent ? K : never]?: Value<F[K]> | Empty;
  }
>;
type Merge<T> = { readonly [K in keyof T]: T[K] };

/** The bounds of a number, by their keywords in JSON Schema. */
interface Bounds {
  readonly description: string;
  readonly minimum?: number;
  readonly exclusiveMinimum?: number;
  readonly maximum?: number;
}

/** Maximum number of unknown fields that a refusal lists. */
export const MAXIMUM_SHOWN_FIELDS = 10;

/** A finite number within bounds. −0 is read as 0. */
export function number(bounds: Bounds): Check<number> {
  return numberCheck('number', 'a number', bounds);
}

/** A whole number within bounds. */
export function integer(bounds: Bounds): Check<number> {
  return numberCheck('integer', 'a whole number', bounds);
}

function numberCheck(type: 'number' | 'integer', noun: string, bounds: Bounds): Check<number> {
  const {
    minimum = -Number.MAX_VALUE,
    exclusiveMinimum = -Infinity,
    maximum = Number.MAX_VALUE,
  } = bounds;
  const schema: JsonSchema = { type, ...bounds };
  const expected = withBounds(noun, schema);
  return {
    schema,
    read(value, field, problems) {
      if (typeof value !== 'number' || Number.isNaN(value)) {
        return addProblem(problems, field, 'wrong_type', expected, value);
      }
      if (value < minimum || value <= exclusiveMinimum || value > maximum) {
        return addProblem(problems, field, 'out_of_range', expected, value);
      }
      if (type === 'integer' && value % 1 !== 0) {
        return addProblem(problems, field, 'wrong_type', expected, value);
      }
      return value + 0; // Turns −0 into 0.
    },
  };
}

/** A noun with the bounds of a schema in words: "a number from 0 up to 50". */
export function withBounds(
  noun: string,
  { exclusiveMinimum, minimum, maximum }: JsonSchema,
): string {
  const bounds = [
    ['above', exclusiveMinimum],
    ['from', minimum],
    ['up to', maximum],
  ];
  return [noun, ...bounds.filter(([, bound]) => bound !== undefined).flat()].join(' ');
}

/** A string. The keywords only describe it; `refine` enforces a pattern or a length. */
export function string(keywords: {
  title?: string;
  description: string;
  pattern?: string;
  minLength?: number;
}): Check<string> {
  return primitive('string', 'a string', keywords);
}

/** A boolean. */
export function boolean(description: string): Check<boolean> {
  return primitive('boolean', 'true or false', { description });
}

function primitive<T>(
  type: 'string' | 'boolean',
  expected: string,
  keywords: JsonSchema,
): Check<T> {
  return {
    schema: { type, ...keywords },
    read: (value, field, problems) =>
      typeof value === type
        ? (value as T)
        : addProblem(problems, field, 'wrong_type', expected, value),
  };
}

/** One of a few values of the same type. */
export function choice<const T extends string | number>(
  values: readonly T[],
  description: string,
): Check<T> {
  const type = typeof values[0];
  const expected = `one of ${values.map((value) => JSON.stringify(value)).join(', ')}`;
  return {
    schema: { type: type === 'number' ? 'integer' : type, enum: values, description },
    read(value, field, problems) {
      const chosen = values.find((allowed) => allowed === value);
      if (chosen !== undefined) return chosen;
      const code = typeof value === type ? 'not_allowed' : 'wrong_type';
      return addProblem(problems, field, code, expected, value);
    },
  };
}

/** Adds a condition that JSON Schema cannot express. */
export function refine<T>(
  check: Check<T>,
  code: ProblemCode,
  expected: string,
  isValid: (value: T) => boolean,
): Check<T> {
  return {
    ...check,
    read(value, field, problems) {
      const checked = check.read(value, field, problems);
      return checked === undefined || isValid(checked)
        ? checked
        : addProblem(problems, field, code, expected, value);
    },
  };
}

/** Makes a field optional. */
export function optional<T>(check: Check<T>): OptionalField<T> {
  return { ...check, isOptional: true };
}

/** Copies the fields of another operation with new descriptions, and without their patterns. */
export function describedAs<F extends Fields>(
  fields: F,
  descriptions: Readonly<Record<keyof F, string>>,
): F {
  const described = Object.entries(fields).map(([name, field]) => {
    const { pattern: _, ...schema } = field.schema;
    return [name, { ...field, schema: { ...schema, description: descriptions[name] } }];
  });
  return Object.fromEntries(described) as F;
}

/** Other names of fields, and of their parts. */
type Synonyms<F> = { readonly [K in keyof F]?: RegExp | readonly Synonym[] };

/** A pattern of plain letters, which are `grosssalary` for `Gross salary`, and a remark on the field for them. */
type Synonym = readonly [names: RegExp, remark?: string];

/** Gives a field a default. */
export function withDefault<T, V extends T = T>(check: Check<T>, value: V): DefaultedField<T> {
  return { ...check, default: value, schema: { ...check.schema, default: value } };
}

/** A value or null. */
export function nullable<T>(check: Check<T>): Check<T | null> {
  return {
    schema: { ...check.schema, type: [check.schema['type'], 'null'] },
    read: (value, field, problems) => (value === null ? null : check.read(value, field, problems)),
  };
}

/** An array of any length. */
export function array<T>(items: Check<T>, description: string): Check<readonly T[]> {
  return {
    schema: { type: 'array', items: items.schema, description },
    read(value, field, problems) {
      if (!Array.isArray(value)) {
        return addProblem(problems, field, 'wrong_type', 'an array', value);
      }
      const checked = value.map((item, index) => items.read(item, `${field}[${index}]`, problems));
      return checked as T[];
    },
  };
}

/**
 * An object. An unknown field is refused, and a known field with a similar name or a matching synonym is suggested. The
 * title is its name in generated clients.
 */
export function object<const F extends Fields>(
  fields: F,
  description?: string,
  title?: string,
  synonyms: Synonyms<F> = {},
): ObjectCheck<F> {
  // All members have the same shape, because V8 reads the properties of objects of many shapes more slowly.
  const members = Object.entries<Field>(fields).map(([name, field]) => ({
    name,
    read: field.read,
    schema: field.schema,
    defaultValue: field.default,
    isRequired: !field.isOptional && field.default === undefined,
    remark: field.remark,
  }));
  const required = members.filter(({ isRequired }) => isRequired).map(({ name }) => name);
  return {
    fields,
    schema: {
      ...(title && { title }),
      type: 'object',
      ...(description && { description }),
      properties: Object.fromEntries(members.map(({ name, schema }) => [name, schema])),
      required,
      additionalProperties: false,
    },
    read(value, path, problems) {
      if (typeof value !== 'object' || value === null || Array.isArray(value)) {
        return addProblem(problems, path, 'wrong_type', 'an object', value);
      }
      const checked = new CheckedFields();
      const given = value as Readonly<Record<string, unknown>>;
      const names = Object.keys(given);
      let known = 0;
      for (const { name, read, defaultValue, isRequired, remark } of members) {
        // Once as many known fields have been found as were given, all further ones are absent.
        const field = known < names.length ? given[name] : undefined;
        // Most fields are absent, and the comparison with undefined is cheaper than Object.hasOwn.
        if (field !== undefined && Object.hasOwn(given, name)) {
          known += 1;
          checked[name] = read(field, fieldPath(path, name), problems);
        } else if (defaultValue !== undefined) {
          checked[name] = defaultValue;
        } else if (isRequired) {
          problems.push(missingField(fieldPath(path, name), remark));
        }
      }
      if (names.length > known) addUnknownFields(names, fields, synonyms, path, problems);
      // Without a problem, every field has passed its own check, so the object has the declared type.
      return checked as ObjectValue<F>;
    },
  };
}

/**
 * The checked fields of an object. They have no prototype but an empty one, so that an absent field stays absent if
 * another module of the program has added a member of its name to Object.prototype. V8 would read the properties of an
 * object without any prototype more slowly: a tax request would take 25 % more time.
 */
class CheckedFields {
  [name: string]: unknown;
}
Object.setPrototypeOf(CheckedFields.prototype, null);

function fieldPath(path: string, name: string): string {
  return path === '' ? name : `${path}.${name}`;
}

/** Returns the checked value. Throws `validation_failed` with every problem found. */
export function parse<T>(check: Check<T>, value: unknown): T {
  const problems: Problem[] = [];
  const checked = check.read(value, '', problems);
  if (checked === undefined || problems.length > 0) throw validationFailure(problems);
  return checked;
}

/** Adds a problem that names the expected and the received value. Returns undefined, the result of `read`. */
export function addProblem(
  problems: Problem[],
  field: string,
  code: ProblemCode,
  expected: string,
  received: unknown,
): undefined {
  const prefix = field === '' ? 'Expected' : `${field}: expected`;
  problems.push({ field, code, message: `${prefix} ${expected}, got ${describeValue(received)}` });
}

/** A received value in a few words; a long string is shortened. */
function describeValue(value: unknown): string {
  if (value === Infinity || value === -Infinity) return 'a number too large to represent';
  if (Number.isNaN(value)) return 'NaN';
  switch (typeof value) {
    case 'string':
      return `the string ${quotedShort(value)}`;
    case 'number':
      return `${isAsSent(value) ? 'the number' : 'a number near'} ${value}`;
    case 'boolean':
    case 'undefined':
      return String(value);
    case 'object':
      if (value === null) return 'null';
      return Array.isArray(value) ? 'an array' : 'an object';
    default:
      return `a ${typeof value}`;
  }
}

/** Whether a number is the one that JSON contained: JSON.parse may round a number of more than 15 digits. */
function isAsSent(value: number): boolean {
  return Number(value.toPrecision(15)) === value && Math.abs(value) <= Number.MAX_SAFE_INTEGER;
}

function addUnknownFields(
  names: readonly string[],
  fields: Fields,
  synonyms: Synonyms<Fields>,
  path: string,
  problems: Problem[],
): void {
  const unknown = names.filter((name) => !Object.hasOwn(fields, name));
  const known = Object.keys(fields);
  const similarName = similarNameIn(known);
  for (const name of unknown.slice(0, MAXIMUM_SHOWN_FIELDS)) {
    const field = shortened(fieldPath(path, name));
    const similar = similarName(name);
    const meant = similar === undefined ? fieldWithSynonym(name, synonyms) : `\`${similar}\``;
    const hint =
      meant === undefined ? `expected only ${known.join(', ')}` : `did you mean ${meant}?`;
    problems.push({
      field,
      code: 'unknown_field',
      message: `Unknown field ${quotedShort(name)}; ${hint}`,
    });
  }
  const more = unknown.length - MAXIMUM_SHOWN_FIELDS;
  if (more > 0) {
    problems.push({
      field: path,
      code: 'unknown_field',
      message: `Further unknown fields: ${more}`,
    });
  }
}

/** The field that has a name among its synonyms, in words, if any. */
function fieldWithSynonym(name: string, synonyms: Synonyms<Fields>): string | undefined {
  const letters = plainLetters(name);
  for (const [known, patterns] of Object.entries(synonyms)) {
    const rows: readonly Synonym[] = patterns instanceof RegExp ? [[patterns]] : patterns!;
    const row = rows.find(([names]) => names.test(letters));
    if (row !== undefined) return [`\`${known}\``, ...row.slice(1)].join(': ');
  }
  return undefined;
}

/** Returns the function that finds the first of the known names that is similar to a name, if any. */
export function similarNameIn(known: readonly string[]): (name: string) => string | undefined {
  const candidates = known.map((name) => ({ name, letters: plainLetters(name) }));
  return (name) => {
    const letters = plainLetters(name);
    return candidates.find((candidate) => isSimilar(letters, candidate.letters))?.name;
  };
}

/** The letters and digits of a name, in lower case and without accents. */
function plainLetters(name: string): string {
  return name
    .normalize('NFD')
    .toLowerCase()
    .replaceAll('đ', 'd')
    .replace(/[^a-z0-9]/g, '');
}

/**
 * Whether a name is a candidate with at most one slip, or two if the candidate has ten letters or more. A slip is a
 * letter that is missing, added, wrong or exchanged with the next. Two different words never match: `union_dues` is not
 * `union_fund`, and `deduction` is not `education`.
 */
function isSimilar(
  name: string,
  candidate: string,
  slips = candidate.length < 10 ? 1 : 2,
): boolean {
  if (name === candidate) return true;
  if (slips === 0) return false;
  let at = 0;
  while (name[at] === candidate[at]) at += 1;
  const goesOn = (after: number, candidateAfter: number): boolean =>
    isSimilar(name.slice(at + after), candidate.slice(at + candidateAfter), slips - 1);
  const isExchanged = name[at] === candidate[at + 1] && name[at + 1] === candidate[at];
  return goesOn(1, 1) || goesOn(1, 0) || goesOn(0, 1) || (isExchanged && goesOn(2, 2));
}
