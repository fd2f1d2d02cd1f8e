/** What checks say about themselves: to tsc as types, and to clients as JSON Schema. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  array, boolean, type Check, choice, integer, type JsonSchema, nullable, number, object, optional, refine, string,
  withDefault,
} from '../../src/contract/schema.ts';

interface Plan {
  readonly amount: number;
  readonly kind: 'a' | 'b';
  readonly note?: string;
}

const amount = number({ description: 'Amount', minimum: 0 });
const kind = choice(['a', 'b'], 'Kind');
const note = string({ description: 'Note' });

/** Compiles only for a check of exactly T. */
function checkOf<T>(check: Check<T>): Check<T> {
  return check;
}

test('a check fits an interface that says the same, and tsc refuses any other', () => {
  const plan: Check<Plan> = object({ amount, kind, note: optional(note) });
  assert.deepEqual(plan.schema['required'], ['amount', 'kind']);
  const withDefaults = checkOf<Plan>(object({ amount, kind: withDefault(kind, 'a'), note: optional(note) }));
  assert.deepEqual(withDefaults.schema['required'], ['amount']);
  checkOf<readonly Plan[]>(array(plan, 'Plans'));
  checkOf<number | null>(nullable(amount));

  // @ts-expect-error: `note?` is not a required field
  checkOf<Plan>(object({ amount, kind, note }));
  // @ts-expect-error: `amount` is not an optional field
  checkOf<Plan>(object({ amount: optional(amount), kind, note: optional(note) }));
  // @ts-expect-error: `kind` is missing
  checkOf<Plan>(object({ amount, note: optional(note) }));
  // @ts-expect-error: `more` is not in the interface
  checkOf<Plan>(object({ amount, kind, note: optional(note), more: amount }));
  // @ts-expect-error: `note` is missing, though it may be absent from a value
  checkOf<Plan>(object({ amount, kind }));
  // @ts-expect-error: `more` is not in the interface, even where it may be absent
  checkOf<Plan>(object({ amount, kind, note: optional(note), more: optional(amount) }));
  // @ts-expect-error: `amount` is a number
  checkOf<Plan>(object({ amount: note, kind, note: optional(note) }));
  // @ts-expect-error: `kind` may also be 'b'
  checkOf<Plan>(object({ amount, kind: choice(['a'], 'Kind'), note: optional(note) }));
  // @ts-expect-error: `kind` may not be 'c'
  checkOf<Plan>(object({ amount, kind: choice(['a', 'b', 'c'], 'Kind'), note: optional(note) }));
  // @ts-expect-error: `amount` may not be null
  checkOf<Plan>(object({ amount: nullable(amount), kind, note: optional(note) }));
  // @ts-expect-error: `kind` has no such value to stand in
  withDefault(kind, 'c');
  // @ts-expect-error: a number is no array of numbers
  checkOf<readonly number[]>(amount);
});

const SCHEMAS: readonly [name: string, check: { readonly schema: JsonSchema }, schema: JsonSchema][] = [
  ['a number', number({ description: 'A' }), { type: 'number', description: 'A' }],
  ['a number within bounds', number({ description: 'A', minimum: 0, maximum: 9 }),
    { type: 'number', description: 'A', minimum: 0, maximum: 9 }],
  ['a number above a bound', number({ description: 'A', above: 0 }),
    { type: 'number', description: 'A', exclusiveMinimum: 0 }],
  ['a whole number', integer({ description: 'A', minimum: -1 }), { type: 'integer', description: 'A', minimum: -1 }],
  ['a string', string({ description: 'A' }), { type: 'string', description: 'A' }],
  ['a string with a pattern', string({ description: 'A', pattern: '^a$' }),
    { type: 'string', description: 'A', pattern: '^a$' }],
  ['true or false', boolean('A'), { type: 'boolean', description: 'A' }],
  ['a choice of strings', choice(['a', 'b'], 'A'), { type: 'string', enum: ['a', 'b'], description: 'A' }],
  ['a choice of numbers', choice([1, 2], 'A'), { type: 'integer', enum: [1, 2], description: 'A' }],
  ['a refined check is described as before', refine(amount, 'malformed', 'any', () => true), amount.schema],
  ['a value or null', nullable(amount), { type: ['number', 'null'], description: 'Amount', minimum: 0 }],
  ['a default', withDefault(boolean('A'), false), { type: 'boolean', description: 'A', default: false }],
  ['a list', array(boolean('A'), 'B'),
    { type: 'array', items: { type: 'boolean', description: 'A' }, description: 'B' }],
  ['an object', object({ a: amount, b: optional(note), c: withDefault(kind, 'a') }, 'A'), {
    type: 'object',
    description: 'A',
    properties: {
      a: { type: 'number', description: 'Amount', minimum: 0 },
      b: { type: 'string', description: 'Note' },
      c: { type: 'string', enum: ['a', 'b'], description: 'Kind', default: 'a' },
    },
    required: ['a'],
    minProperties: 1,
    additionalProperties: false,
  }],
  ['an object without fields', object({}),
    { type: 'object', properties: {}, required: [], minProperties: 0, additionalProperties: false }],
];
for (const [name, check, schema] of SCHEMAS) {
  test(`schema of ${name}`, () => assert.deepEqual(check.schema, schema));
}
