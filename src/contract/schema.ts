import { invalid, type Problem, type ProblemCode } from './failure.ts';

/** A JSON Schema (draft 2020-12), as plain data. */
export type JsonSchema = { readonly [keyword: string]: unknown };

/** A check of whatever type. */
export interface AnyCheck {
  readonly schema: JsonSchema;
  readonly read: (value: unknown, field: string, problems: Problem[]) => unknown;
  readonly fallback?: unknown;
  readonly optional?: true;
}

type Complete<T> = { readonly [K in keyof T]-?: T[K] };

/** A check of a value that came from outside, which also describes itself as JSON Schema. */
export interface Check<T> extends AnyCheck {
  /** The checked value; or undefined, after adding what is wrong with it to `problems`. */
  readonly read: (value: unknown, field: string, problems: Problem[]) => T | undefined;
  /** Stands in for an absent field. */
  readonly fallback?: T;
  /** Never present. It makes `Check<A>` and `Check<B>` differ wherever A and B do, also by a `?` or what has one. */
  readonly exactly?: { readonly complete: (value: Complete<T>) => Complete<T>; readonly same: (value: T) => T };
}

/** A field that may be absent and then stays absent. */
export interface Optional<T> extends Check<T> {
  readonly optional: true;
}

type Fields = Readonly<Record<string, AnyCheck>>;
type Value<C> = C extends Check<infer T> ? T : never;
type OptionalKeys<F> = { [K in keyof F]: F[K] extends { readonly optional: true } ? K : never }[keyof F];
type Shape<F> = { readonly [K in Exclude<keyof F, OptionalKeys<F>>]: Value<F[K]> } & {
  readonly [K in OptionalKeys<F>]?: Value<F[K]>;
};
type Flat<T> = { readonly [K in keyof T]: T[K] };

/** Bounds of a number; inclusive but for `above`. */
interface Bounds {
  readonly description: string;
  readonly minimum?: number;
  readonly above?: number;
  readonly maximum?: number;
  readonly whole?: boolean;
}

const SHOWN_CHARACTERS = 40;
const SHOWN_UNKNOWN_FIELDS = 20;

/** A finite number within bounds; with `whole`, one without a fraction. −0 reads as 0. */
export function number({ description, minimum, above, maximum, whole = false }: Bounds): Check<number> {
  const expected = [whole ? 'a whole number' : 'a number', above !== undefined && `above ${above}`,
    minimum !== undefined && `from ${minimum}`, maximum !== undefined && `up to ${maximum}`].filter(Boolean).join(' ');
  return {
    schema: defined({ type: whole ? 'integer' : 'number', description, minimum, exclusiveMinimum: above, maximum }),
    read(value, field, problems) {
      if (typeof value !== 'number' || Number.isNaN(value)) {
        return refuse(problems, field, 'wrong_type', expected, value);
      }
      const isAbove = value >= (minimum ?? -Infinity) && value > (above ?? -Infinity);
      const isWithin = isAbove && value <= (maximum ?? Infinity) && Number.isFinite(value);
      if (!isWithin) return refuse(problems, field, 'out_of_range', expected, value);
      return whole && value % 1 !== 0 ? refuse(problems, field, 'wrong_type', expected, value) : value + 0;
    },
  };
}

/** A whole number within bounds. */
export function integer(bounds: Bounds): Check<number> {
  return number({ ...bounds, whole: true });
}

/** A text. What its description says of pattern and length is checked with `refine`. */
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
      typeof value === type ? (value as T) : refuse(problems, field, 'wrong_type', expected, value),
  };
}

/** One of a few values, all of one type. */
export function choice<const T extends string | number>(values: readonly T[], description: string): Check<T> {
  const type = typeof values[0];
  const expected = `one of ${values.map((value) => JSON.stringify(value)).join(', ')}`;
  return {
    schema: { type: type === 'number' ? 'integer' : type, enum: values, description },
    read: (value, field, problems) => values.find((allowed) => allowed === value)
      ?? refuse(problems, field, typeof value === type ? 'not_allowed' : 'wrong_type', expected, value),
  };
}

/** A check with one more condition, which JSON Schema cannot say. */
export function refine<T>(
  check: Check<T>,
  code: ProblemCode,
  expected: string,
  holds: (value: T) => boolean,
): Check<T> {
  return {
    ...check,
    read(value, field, problems) {
      const known = check.read(value, field, problems);
      return known === undefined || holds(known) ? known : refuse(problems, field, code, expected, value);
    },
  };
}

/** A field that may be absent. */
export function optional<T>(check: Check<T>): Optional<T> {
  return { ...check, optional: true };
}

/** A field that has a value where it is absent. */
export function withDefault<T>(check: Check<T>, fallback: NoInfer<T>): Check<T> {
  return { ...check, fallback, schema: { ...check.schema, default: fallback } };
}

/** A value or null. */
export function nullable<T>(check: Check<T>): Check<T | null> {
  return {
    schema: { ...check.schema, type: [check.schema['type'], 'null'] },
    read: (value, field, problems) => (value === null ? null : check.read(value, field, problems)),
  };
}

/** A list of any length. */
export function array<T>(items: Check<T>, description: string): Check<readonly T[]> {
  return {
    schema: { type: 'array', items: items.schema, description },
    read(value, field, problems) {
      if (!Array.isArray(value)) return refuse(problems, field, 'wrong_type', 'an array', value);
      const before = problems.length;
      const known = value.map((item, index) => items.read(item, `${field}[${index}]`, problems));
      return problems.length === before ? (known as T[]) : undefined;
    },
  };
}

/** An object of known fields: a field that is not among them is refused, and a near name is suggested. */
export function object<const F extends Fields>(fields: F, description?: string): Check<Flat<Shape<F>>> {
  const entries = Object.entries<AnyCheck>(fields);
  const required = entries.filter(([, check]) => !check.optional && check.fallback === undefined).map(([name]) => name);
  return {
    schema: defined({
      type: 'object',
      description,
      properties: Object.fromEntries(entries.map(([name, check]) => [name, check.schema])),
      required,
      minProperties: required.length,
      additionalProperties: false,
    }),
    read(value, path, problems) {
      if (typeof value !== 'object' || value === null || Array.isArray(value)) {
        return refuse(problems, path, 'wrong_type', 'an object', value);
      }
      const before = problems.length;
      const given = value as Readonly<Record<string, unknown>>;
      const known: Record<string, unknown> = {};
      let found = 0;
      for (const [name, check] of entries) {
        const field = path === '' ? name : `${path}.${name}`;
        const isOwn = Object.hasOwn(value, name);
        if (isOwn) found += 1;
        if (isOwn && given[name] !== undefined) {
          known[name] = check.read(given[name], field, problems);
        } else if (check.fallback !== undefined) {
          known[name] = check.fallback;
        } else if (!check.optional) {
          problems.push({ field, code: 'required', message: `${field}: expected a value, got none` });
        }
      }
      const names = Object.keys(value);
      if (names.length > found) reportUnknown(names, fields, path, problems);
      // Every field has passed its own check, which is what the type says.
      return problems.length === before ? (known as Flat<Shape<F>>) : undefined;
    },
  };
}

/** The checked value. Throws `validation_failed` with every problem found. */
export function parse<T>(check: Check<T>, value: unknown): T {
  const problems: Problem[] = [];
  const known = check.read(value, '', problems);
  if (known === undefined) throw invalid(problems);
  return known;
}

function refuse(problems: Problem[], field: string, code: ProblemCode, expected: string, value: unknown): undefined {
  problems.push({ field, code, message: `${field}: expected ${expected}, got ${nameOf(value)}` });
}

/** What came, in a few words: a long string is cut, for nobody needs it back. */
function nameOf(value: unknown): string {
  if (value === null || value === undefined || typeof value === 'boolean') return String(value);
  if (typeof value === 'string') return `the string ${quote(value)}`;
  if (value === Infinity || value === -Infinity) return 'a number beyond any double';
  if (typeof value === 'number') return `the number ${value}`;
  return Array.isArray(value) ? 'an array' : 'an object';
}

function quote(text: string): string {
  return JSON.stringify(text.length > SHOWN_CHARACTERS ? `${text.slice(0, SHOWN_CHARACTERS)}…` : text);
}

function reportUnknown(names: readonly string[], fields: Fields, path: string, problems: Problem[]): void {
  const unknown = names.filter((name) => !Object.hasOwn(fields, name));
  for (const name of unknown.slice(0, SHOWN_UNKNOWN_FIELDS)) {
    const field = (path === '' ? name : `${path}.${name}`).slice(0, SHOWN_CHARACTERS);
    const near = Object.keys(fields).find((candidate) => isNear(name, candidate));
    const hint = near === undefined ? `expected only ${Object.keys(fields).join(', ')}` : `did you mean \`${near}\`?`;
    problems.push({ field, code: 'unknown_field', message: `${quote(name)} is not a field here; ${hint}` });
  }
  const more = unknown.length - SHOWN_UNKNOWN_FIELDS;
  if (more > 0) problems.push({ field: path, code: 'unknown_field', message: `${more} more fields are not known` });
}

/** Whether two names differ by at most a third of their letters (Levenshtein distance). */
function isNear(name: string, candidate: string): boolean {
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

function defined(keywords: JsonSchema): JsonSchema {
  return Object.fromEntries(Object.entries(keywords).filter(([, value]) => value !== undefined));
}
