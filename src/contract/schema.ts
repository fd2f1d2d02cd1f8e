import { type Problem, type ProblemCode, validationFailure } from './failure.ts';

/** A JSON Schema (draft 2020-12), as plain data. */
export type JsonSchema = { readonly [keyword: string]: unknown };

/** A check of a value from outside, which also describes itself as JSON Schema. */
export interface Check<T> {
  readonly schema: JsonSchema;
  /** Returns the checked value; or undefined, after adding the problems of the value to `problems`. */
  readonly read: (value: unknown, field: string, problems: Problem[]) => T | undefined;
}

/** A field that may be absent. */
export interface OptionalField<T> extends Check<T> {
  readonly isOptional: true;
}

/** A field that has a value where it is absent. */
export interface DefaultedField<T> extends Check<T> {
  readonly default: T;
}

type Field = Check<unknown> & { readonly isOptional?: true; readonly default?: unknown };

/** The fields of an object, by their names. */
export type Fields = Readonly<Record<string, Field>>;

/** A check of an object. */
export interface ObjectCheck<F extends Fields> extends Check<ObjectValue<F>> {
  readonly fields: F;
}

/** The type of the values that pass a check. */
export type Value<C> = C extends Check<infer T> ? T : never;

/** The type of the values that a caller may give to a check of an object: fields with a default may be absent. */
export type Input<C> = C extends ObjectCheck<infer F> ? Merge<
  { readonly [K in Exclude<keyof F, AbsentKeys<F>>]: Value<F[K]> }
  & { readonly [K in AbsentKeys<F>]?: Value<F[K]> | undefined }
> : never;

type OptionalKeys<F> = { [K in keyof F]: F[K] extends OptionalField<unknown> ? K : never }[keyof F];
type AbsentKeys<F> =
  { [K in keyof F]: F[K] extends OptionalField<unknown> | DefaultedField<unknown> ? K : never }[keyof F];
type Merge<T> = { readonly [K in keyof T]: T[K] };
type ObjectValue<F> = Merge<
  { readonly [K in Exclude<keyof F, OptionalKeys<F>>]: Value<F[K]> }
  & { readonly [K in OptionalKeys<F>]?: Value<F[K]> }
>;

/** The bounds of a number: inclusive, except `above`. */
interface Bounds {
  readonly description: string;
  readonly minimum?: number;
  readonly above?: number;
  readonly maximum?: number;
}

const MAXIMUM_SHOWN_LENGTH = 40;
const MAXIMUM_SHOWN_FIELDS = 20;

/** A finite number within bounds. −0 is read as 0. */
export function number(bounds: Bounds): Check<number> {
  return numberCheck('number', 'a number', bounds);
}

/** A whole number within bounds. */
export function integer(bounds: Bounds): Check<number> {
  return numberCheck('integer', 'a whole number', bounds);
}

function numberCheck(type: 'number' | 'integer', noun: string, bounds: Bounds): Check<number> {
  const { description, minimum = -Infinity, above = -Infinity, maximum = Infinity } = bounds;
  const limits = [['above', bounds.above], ['from', bounds.minimum], ['up to', bounds.maximum]];
  const expected = [noun, ...limits.flatMap((limit) => (limit[1] === undefined ? [] : limit))].join(' ');
  return {
    schema: withoutUndefined({
      type, description, minimum: bounds.minimum, exclusiveMinimum: bounds.above, maximum: bounds.maximum,
    }),
    read(value, field, problems) {
      if (typeof value !== 'number' || Number.isNaN(value)) {
        return addProblem(problems, field, 'wrong_type', expected, value);
      }
      const isWithin = value >= minimum && value > above && value <= maximum && Number.isFinite(value);
      if (!isWithin) return addProblem(problems, field, 'out_of_range', expected, value);
      if (type === 'integer' && value % 1 !== 0) return addProblem(problems, field, 'wrong_type', expected, value);
      return value + 0;
    },
  };
}

/** A string. The keywords describe it; a pattern or a length is checked with `refine`. */
export function string(keywords: { description: string; pattern?: string; minLength?: number }): Check<string> {
  return primitive('string', 'a string', keywords);
}

/** true or false. */
export function boolean(description: string): Check<boolean> {
  return primitive('boolean', 'true or false', { description });
}

function primitive<T>(type: 'string' | 'boolean', expected: string, keywords: JsonSchema): Check<T> {
  return {
    schema: { type, ...keywords },
    read: (value, field, problems) =>
      typeof value === type ? (value as T) : addProblem(problems, field, 'wrong_type', expected, value),
  };
}

/** One of a few values of the same type. */
export function choice<const T extends string | number>(values: readonly T[], description: string): Check<T> {
  const type = typeof values[0];
  const expected = `one of ${values.map((value) => JSON.stringify(value)).join(', ')}`;
  return {
    schema: { type: type === 'number' ? 'integer' : type, enum: values, description },
    read: (value, field, problems) => values.find((allowed) => allowed === value)
      ?? addProblem(problems, field, typeof value === type ? 'not_allowed' : 'wrong_type', expected, value),
  };
}

/** Adds a condition that JSON Schema cannot express. */
export function refine<T>(
  check: Check<T>, code: ProblemCode, expected: string, isValid: (value: T) => boolean,
): Check<T> {
  return {
    ...check,
    read(value, field, problems) {
      const checked = check.read(value, field, problems);
      return checked === undefined || isValid(checked) ? checked : addProblem(problems, field, code, expected, value);
    },
  };
}

/** Makes a field optional. */
export function optional<T>(check: Check<T>): OptionalField<T> {
  return { ...check, isOptional: true };
}

/** Gives a field a default. */
export function withDefault<T>(check: Check<T>, value: NoInfer<T>): DefaultedField<T> {
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
      if (!Array.isArray(value)) return addProblem(problems, field, 'wrong_type', 'an array', value);
      const before = problems.length;
      const checked = value.map((item, index) => items.read(item, `${field}[${index}]`, problems));
      return problems.length === before ? (checked as T[]) : undefined;
    },
  };
}

/** An object. A field that it does not have is refused, and the field that was probably meant is suggested. */
export function object<const F extends Fields>(fields: F, description?: string): ObjectCheck<F> {
  // Copies of one shape, because loads from checks of many shapes are slower.
  const members = Object.entries<Field>(fields).map(([name, { read, schema, default: fallback, isOptional = false }]) =>
    ({ name, read, schema, fallback, isRequired: !isOptional && fallback === undefined }));
  const required = members.filter(({ isRequired }) => isRequired).map(({ name }) => name);
  return {
    fields,
    schema: withoutUndefined({
      type: 'object',
      description,
      properties: Object.fromEntries(members.map(({ name, schema }) => [name, schema])),
      required,
      minProperties: required.length,
      additionalProperties: false,
    }),
    read(value, path, problems) {
      if (typeof value !== 'object' || value === null || Array.isArray(value)) {
        return addProblem(problems, path, 'wrong_type', 'an object', value);
      }
      const before = problems.length;
      const given = value as Readonly<Record<string, unknown>>;
      const checked = new PlainObject();
      let known = 0;
      for (const { name, read, fallback, isRequired } of members) {
        const item = given[name];
        // Most fields are absent, and the test for undefined is cheaper than that for an inherited member.
        if (item !== undefined && Object.hasOwn(value, name)) {
          known += 1;
          checked[name] = read(item, fieldPath(path, name), problems);
        } else if (fallback !== undefined) {
          checked[name] = fallback;
        } else if (isRequired) {
          const absent = fieldPath(path, name);
          problems.push({ field: absent, code: 'required', message: `${absent}: expected a value, got none` });
        }
      }
      let count = 0;
      for (const _ in value) count += 1;
      if (count > known) addUnknownFields(Object.keys(value), fields, path, problems);
      // Every field has passed its own check, which is what the type says.
      return problems.length === before ? (checked as ObjectValue<F>) : undefined;
    },
  };
}

/**
 * Creates an object like `{}`. V8 gives it room for as many members as earlier ones had; a literal has room for four
 * and grows by three at a time, which made a tax request of eleven fields a tenth slower.
 */
const PlainObject = function () {} as unknown as new () => Record<string, unknown>;
PlainObject.prototype = Object.prototype;

function fieldPath(path: string, name: string): string {
  return path === '' ? name : `${path}.${name}`;
}

/** Returns the checked value. Throws `validation_failed` with every problem found. */
export function parse<T>(check: Check<T>, value: unknown): T {
  const problems: Problem[] = [];
  const checked = check.read(value, '', problems);
  if (checked === undefined) throw validationFailure(problems);
  return checked;
}

function addProblem(
  problems: Problem[], field: string, code: ProblemCode, expected: string, received: unknown,
): undefined {
  const prefix = field === '' ? 'Expected' : `${field}: expected`;
  problems.push({ field, code, message: `${prefix} ${expected}, got ${describeValue(received)}` });
}

/** A received value in a few words; a long string is shortened. */
function describeValue(value: unknown): string {
  if (value === Infinity || value === -Infinity) return 'a number too large to represent';
  switch (typeof value) {
    case 'string': return `the string ${quote(value)}`;
    case 'number': return `the number ${value}`;
    case 'boolean': case 'undefined': return String(value);
    case 'object': return value === null ? 'null' : Array.isArray(value) ? 'an array' : 'an object';
    default: return `a ${typeof value}`;
  }
}

function quote(text: string): string {
  return JSON.stringify(text.length > MAXIMUM_SHOWN_LENGTH ? `${text.slice(0, MAXIMUM_SHOWN_LENGTH)}…` : text);
}

function addUnknownFields(names: readonly string[], fields: Fields, path: string, problems: Problem[]): void {
  const unknown = names.filter((name) => !Object.hasOwn(fields, name));
  for (const name of unknown.slice(0, MAXIMUM_SHOWN_FIELDS)) {
    const field = fieldPath(path, name).slice(0, MAXIMUM_SHOWN_LENGTH);
    const similar = Object.keys(fields).find((candidate) => isSimilar(name, candidate));
    const hint = similar === undefined
      ? `expected only ${Object.keys(fields).join(', ')}`
      : `did you mean \`${similar}\`?`;
    problems.push({ field, code: 'unknown_field', message: `Unknown field ${quote(name)}; ${hint}` });
  }
  const more = unknown.length - MAXIMUM_SHOWN_FIELDS;
  if (more > 0) problems.push({ field: path, code: 'unknown_field', message: `${more} more fields are unknown` });
}

/** Whether two names differ by at most a third of their letters (Levenshtein distance). */
function isSimilar(name: string, candidate: string): boolean {
  if (Math.abs(name.length - candidate.length) > candidate.length / 3) return false;
  let row = Array.from({ length: candidate.length + 1 }, (_, index) => index);
  for (const [at, letter] of [...name.toLowerCase()].entries()) {
    const next = [at + 1];
    for (let to = 1; to <= candidate.length; to += 1) {
      const substituted = row[to - 1]! + (letter === candidate[to - 1] ? 0 : 1);
      next.push(Math.min(substituted, row[to]! + 1, next[to - 1]! + 1));
    }
    row = next;
  }
  return row[candidate.length]! <= candidate.length / 3;
}

function withoutUndefined(keywords: JsonSchema): JsonSchema {
  return Object.fromEntries(Object.entries(keywords).filter(([, value]) => value !== undefined));
}
