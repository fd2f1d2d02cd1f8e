/** The descriptions of checks: types for tsc, and JSON Schema for clients. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { describeValues } from '../../src/contract/describe.ts';
import { id } from '../../src/contract/id.ts';
import {
  array,
  boolean,
  choice,
  type Input,
  integer,
  type JsonSchema,
  nullable,
  number,
  object,
  optional,
  refine,
  string,
  type Value,
  withDefault,
} from '../../src/contract/schema.ts';

const amount = number({ description: 'Amount', minimum: 0 });
const kind = choice(['a', 'b'], 'Kind');
const note = string({ description: 'Note' });

/** Whether two types are identical, which `true` and `any` are not, although they are assignable to each other. */
type Same<A, B> =
  (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;

function expectType<Result extends true>(result: Result): void {
  assert.equal(result, true);
}

test('derives the types of values and inputs from the checks', () => {
  const plan = object({ amount, kind: withDefault(kind, 'a'), note: optional(note) });
  assert.deepEqual(plan.schema['required'], ['amount']);
  interface Plan {
    readonly amount: number;
    readonly kind: 'a' | 'b';
    readonly note?: string;
  }
  interface PlanInput {
    readonly amount: number;
    readonly kind?: 'a' | 'b' | undefined;
    readonly note?: string | undefined;
  }
  expectType<Same<Value<typeof plan>, Plan>>(true);
  expectType<Same<Input<typeof plan>, PlanInput>>(true);
  const plans = array(plan, 'Plans');
  expectType<Same<Value<typeof plans>, readonly Plan[]>>(true);
  const nullableAmount = nullable(amount);
  expectType<Same<Value<typeof nullableAmount>, number | null>>(true);

  // @ts-expect-error: `note` may be absent
  expectType<Same<Value<typeof plan>, Required<Plan>>>(true);
  // @ts-expect-error: a value has the default of `kind`
  expectType<Same<Value<typeof plan>, PlanInput>>(true);
  // @ts-expect-error: 'c' is not one of the choices
  withDefault(kind, 'c');
});

const SCHEMAS: readonly [
  name: string,
  check: { readonly schema: JsonSchema },
  schema: JsonSchema,
][] = [
  ['a number', number({ description: 'A' }), { type: 'number', description: 'A' }],
  [
    'a number within bounds',
    number({ description: 'A', minimum: 0, maximum: 9 }),
    { type: 'number', description: 'A', minimum: 0, maximum: 9 },
  ],
  [
    'a number above a bound',
    number({ description: 'A', exclusiveMinimum: 0 }),
    { type: 'number', description: 'A', exclusiveMinimum: 0 },
  ],
  [
    'a whole number',
    integer({ description: 'A', minimum: -1 }),
    { type: 'integer', description: 'A', minimum: -1 },
  ],
  ['a string', string({ description: 'A' }), { type: 'string', description: 'A' }],
  [
    'a string with a pattern',
    string({ description: 'A', pattern: '^a$' }),
    { type: 'string', description: 'A', pattern: '^a$' },
  ],
  ['a boolean', boolean('A'), { type: 'boolean', description: 'A' }],
  [
    'a choice of strings',
    choice(['a', 'b'], 'A'),
    { type: 'string', enum: ['a', 'b'], description: 'A' },
  ],
  ['a choice of numbers', choice([1, 2], 'A'), { type: 'integer', enum: [1, 2], description: 'A' }],
  [
    'a refined check, equal to the original',
    refine(amount, 'malformed', 'any', () => true),
    amount.schema,
  ],
  [
    'a value or null',
    nullable(amount),
    { type: ['number', 'null'], description: 'Amount', minimum: 0 },
  ],
  [
    'a field with a default',
    withDefault(boolean('A'), false),
    { type: 'boolean', description: 'A', default: false },
  ],
  [
    'an array',
    array(boolean('A'), 'B'),
    { type: 'array', items: { type: 'boolean', description: 'A' }, description: 'B' },
  ],
  [
    'an object',
    object({ a: amount, b: optional(note), c: withDefault(kind, 'a') }, 'A'),
    {
      type: 'object',
      description: 'A',
      properties: {
        a: { type: 'number', description: 'Amount', minimum: 0 },
        b: { type: 'string', description: 'Note' },
        c: { type: 'string', enum: ['a', 'b'], description: 'Kind', default: 'a' },
      },
      required: ['a'],
      additionalProperties: false,
    },
  ],
  [
    'an object without fields',
    object({}),
    { type: 'object', properties: {}, required: [], additionalProperties: false },
  ],
];
for (const [name, check, schema] of SCHEMAS) {
  test(`describes ${name} by its schema`, () => assert.deepEqual(check.schema, schema));
}

test('describes the values of a schema in words', () => {
  const whole = integer({ description: 'Count', minimum: 1, maximum: 256 });
  const facts: readonly (readonly [schema: JsonSchema, words: string])[] = [
    [whole.schema, 'integer from 1 up to 256'],
    [number({ description: 'Rate', exclusiveMinimum: 0 }).schema, 'number above 0'],
    [note.schema, 'string'],
    [kind.schema, 'one of "a", "b"'],
    [choice(['a'], 'Kind').schema, '"a"'],
    [nullable(whole).schema, 'integer from 1 up to 256 or null'],
    [id.schema, 'string or integer from -9007199254740991 up to 9007199254740991'],
    [{ anyOf: [whole.schema, { enum: ['max'] }] }, 'integer from 1 up to 256 or "max"'],
  ];
  for (const [schema, words] of facts) assert.equal(describeValues(schema), words);
});
