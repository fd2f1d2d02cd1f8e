import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { parseObject } from '../../src/contract/json.ts';
import { operation, type Operation } from '../../src/contract/operation.ts';
import { type JsonSchema, number, object } from '../../src/contract/schema.ts';
import { calculationsOf } from '../../src/extensions/calc/calc.ts';
import { tagOf } from '../../src/extensions/documents/openapi.ts';
import { interestResult } from '../../src/interest/contract.ts';
import { operations } from '../../src/operations/operations.ts';
import { annualResult } from '../../src/tax/annual-contract.ts';
import { taxResult } from '../../src/tax/contract.ts';
import { firstExample } from '../helpers/fixture.ts';
import { parsed, resultOf } from '../helpers/problems.ts';
import { vectors } from '../helpers/vectors.ts';

function operationOf(id: string): Operation {
  return operations.find((one) => one.id === id) ?? assert.fail(id);
}

const tax = operationOf('calculateTax');
const annual = operationOf('settleYear');
const interest = operationOf('calculateInterest');
const CONTEXT = { currentPeriod: () => '2026-08', isReady: () => true };

/** Runs an operation with a JSON body. */
function run(target: Operation, body: string): unknown {
  return JSON.parse(resultOf(target, parseObject(body), CONTEXT));
}

/** The problems that an operation reports for a body, as `field code`. */
function problemsOf(target: Operation, body: string): string[] {
  const refusal = target.run(parseObject(body), CONTEXT);
  assert.ok(typeof refusal !== 'string' && refusal.code === 'validation_failed');
  return refusal.details!.map(({ field, code }) => `${field} ${code}`);
}

test('has these operations, with their methods, paths, tags and commands', () => {
  const commands = new Map([...calculationsOf(operations)].map(([name, target]) => [target, name]));
  const rows = operations.map((target) =>
    [target.method, target.path, tagOf(target), commands.get(target)].join(' '),
  );
  const published = [
    'POST /api/v1/tax/calculate tax tax',
    'POST /api/v1/tax/annual tax annual',
    'GET /api/v1/tax/rules tax ',
    'POST /api/v1/interest/calculate interest interest',
    'POST /api/v1/interest/solve interest solve',
    'POST /api/v1/hash hash hash',
  ];
  for (const row of published) assert.ok(rows.includes(row), row);
  assert.equal(tagOf({ path: '/healthz' }), 'service');
  const large = operations.filter(({ hasLargeBody }) => hasLargeBody);
  assert.deepEqual(
    large.map(({ id }) => id),
    ['hashText'],
  );
});

test('gives every operation with a body a unique command', () => {
  const names = [...calculationsOf(operations).keys()];
  for (const name of names) assert.match(name, /^[a-z]+$/);
  assert.equal(names.length, operations.filter(({ method }) => method === 'POST').length);
});

/** The results of the examples, with their members in order. */
for (const [id, request, result] of vectors<[id: string, request: unknown, result: unknown]>(
  'example-results',
)) {
  const target = operationOf(id);
  test(`${target.path} writes the expected text for its example`, () => {
    assert.deepEqual(firstExample(target), request);
    const text = resultOf(target, request, CONTEXT);
    assert.equal(text, JSON.stringify(result));
    assert.deepEqual(parsed(target.result, JSON.parse(text)), result);
  });
}

test('returns results that their schema accepts, with every option', () => {
  for (const type of ['gross', 'net', 'cost']) {
    for (const taxation of ['progressive', 'short_term', 'non_resident']) {
      const employment = {
        taxation,
        foreigner: true,
        period: '2026-08',
        paid_in: '2026-09',
        bhyt: false,
        voluntary_pension: 5e6,
        exempt_income: 5e6,
        self_deduction: false,
      };
      const request = {
        income: 250_000_000,
        type,
        detail: true,
        region: 4,
        insurance_salary: 50_000_000,
        ...employment,
      };
      const result = run(tax, JSON.stringify(request));
      assert.deepEqual(parsed(taxResult, result), result);
    }
  }
  const settled = run(
    annual,
    JSON.stringify({ year: 2020, income: 1, insurance: 0, withheld: 1e12, detail: true }),
  );
  assert.deepEqual(parsed(annualResult, settled), settled);
  for (const timeline of ['none', 'yearly', 'monthly']) {
    const result = run(
      interest,
      JSON.stringify({ principal: 1, annual_rate: -100, years: 2.5, timeline }),
    );
    assert.deepEqual(parsed(interestResult, result), result);
  }
});

/** A schema and every schema within it, with their paths. */
function* schemasIn(
  schema: JsonSchema,
  path: string,
): Generator<[path: string, schema: JsonSchema]> {
  yield [path, schema];
  if (schema['items'] !== undefined) yield* schemasIn(schema['items'] as JsonSchema, `${path}[]`);
  for (const [name, inner] of Object.entries(
    (schema['properties'] ?? {}) as Record<string, JsonSchema>,
  )) {
    yield* schemasIn(inner, `${path}.${name}`);
  }
}

describe('every field of a request and a result has a type and a description', () => {
  for (const target of operations) {
    for (const kind of ['request', 'result'] as const) {
      test(`${target.path}, ${kind}`, () => {
        const schemas = [...schemasIn(target[kind].schema, kind)];
        assert.ok(schemas.length > 1);
        for (const [path, { type, description }] of schemas) {
          assert.match(
            String(type),
            /^(object|array|string|boolean|number|integer|integer,null|string,integer|string,number,boolean)$/,
            path,
          );
          // A request, a result and the items of an array are described where they are used.
          if (path !== kind && !path.endsWith('[]'))
            assert.match(String(description), /^\S.{3,}$/s, path);
        }
      });
    }
  }
});

/** Runs a synchronous function while every object inherits these members. */
function whileInherited<T>(members: Readonly<Record<string, unknown>>, work: () => T): T {
  const prototype = Object.prototype as unknown as Record<string, unknown>;
  try {
    Object.assign(prototype, members);
    return work();
  } finally {
    for (const name of Object.keys(members)) delete prototype[name];
  }
}

test('answers the same if another module has added members to Object.prototype', () => {
  const names = operations
    .flatMap(({ request, result }) => [request.schema, result.schema])
    .flatMap((schema) => [...schemasIn(schema, '')])
    .map(([path]) => /(\w+)(?:\[\])*$/.exec(path)?.[1] ?? 'other');
  for (const name of ['period', 'paid_in', 'detail', 'other']) assert.ok(names.includes(name));
  const outcome = (target: Operation, request: object): unknown => {
    const result = target.run(request, CONTEXT);
    // A refusal has inherited members, too.
    return typeof result === 'string' ? result : [result.code, result.message, result.details];
  };
  for (const target of operations) {
    const unknown = { 'an unknown field': { something: 1 } };
    const requests = { ...target.examples, ...target.invalidExamples, ...unknown };
    for (const [title, request] of Object.entries(requests)) {
      const expected = outcome(target, request);
      // The first value turns a flag off; the second is a month, and turns a flag on.
      for (const value of [0, '2016-02']) {
        const members = Object.fromEntries(names.map((name) => [name, value]));
        const received = whileInherited(members, () => outcome(target, request));
        assert.deepEqual(received, expected, `${target.id}, ${title}, ${value}`);
      }
    }
  }
});

for (const [id, body, problems] of vectors<[id: string, body: string, problems: string[]]>(
  'rejected-requests',
)) {
  const target = operationOf(id);
  test(`${target.path} rejects ${body}`, () =>
    assert.deepEqual(problemsOf(target, body), problems));
}

test('accepts years within a millionth of a whole number of months', () => {
  const plan = (years: number): unknown =>
    run(interest, JSON.stringify({ principal: 100, annual_rate: 12, years }));
  assert.deepEqual(plan(0.0833333), { ...(plan(1 / 12) as object), years: 0.0833333 });
  assert.deepEqual(plan(0.08333341), { ...(plan(1 / 12) as object), years: 0.08333341 });
  assert.throws(() => plan(0.0833332), /malformed/);
});

test('writes a result with JSON.stringify by default', () => {
  const value = number({ description: 'Value' });
  const double = operation({
    id: 'double',
    path: '/double',
    summary: 'Double',
    description: 'Doubles',
    method: 'POST',
    request: object({ value }),
    result: object({ value }),
    examples: {},
    invalidExamples: {},
    calculate: (request) => ({ value: 2 * request.value }),
  });
  assert.equal(double.run({ value: 21 }, CONTEXT), '{"value":42}');
  assert.deepEqual(problemsOf(double, '{"value":"21"}'), ['value wrong_type']);
});
