import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { Failure, type Problem } from '../../src/contract/failure.ts';
import { parseObject } from '../../src/contract/json.ts';
import { methodOf, operation, type Operation, tagOf } from '../../src/contract/operation.ts';
import { type JsonSchema, number, object, parse } from '../../src/contract/schema.ts';
import { commandOf } from '../../src/extensions/calc/calc.ts';
import { hashResult } from '../../src/hash/contract.ts';
import { interestResult } from '../../src/interest/contract.ts';
import { solveResult } from '../../src/interest/solve-contract.ts';
import { operations } from '../../src/operations.ts';
import { annualResult } from '../../src/tax/annual-contract.ts';
import { taxResult } from '../../src/tax/contract.ts';
import { firstExample } from '../helpers/fixture.ts';

const [tax, annual, interest, solve, hash] = [
  'calculateTax',
  'settleYear',
  'calculateInterest',
  'solveInterest',
  'hashText',
].map((id) => operations.find((one) => one.id === id)) as [
  Operation,
  Operation,
  Operation,
  Operation,
  Operation,
];
const CONTEXT = { currentPeriod: () => '2026-08', isReady: () => true };

/** Runs an operation with a JSON body. */
function run(target: Operation, body: string): unknown {
  return JSON.parse(target.run(parseObject(body), CONTEXT));
}

/** The problems that an operation reports for a body, as `field code`. */
function problemsOf(target: Operation, body: string): string[] {
  let details: readonly Problem[] | undefined;
  assert.throws(
    () => run(target, body),
    (error) => {
      details =
        error instanceof Failure && error.code === 'validation_failed' ? error.details : undefined;
      return details !== undefined;
    },
  );
  return (details ?? []).map(({ field, code }) => `${field} ${code}`);
}

test('has these operations, with their paths, inputs, methods, tags and commands', () => {
  const rows = operations.map((target) =>
    [target.path, target.input, methodOf(target), tagOf(target), commandOf(target)].join(' '),
  );
  const published = [
    ['/api/v1/tax/calculate', 'small-body', 'POST', 'tax', 'tax'],
    ['/api/v1/tax/annual', 'small-body', 'POST', 'tax', 'annual'],
    ['/api/v1/tax/rules', 'query', 'GET', 'tax', 'rules'],
    ['/api/v1/interest/calculate', 'small-body', 'POST', 'interest', 'interest'],
    ['/api/v1/interest/solve', 'small-body', 'POST', 'interest', 'solve'],
    ['/api/v1/hash', 'large-body', 'POST', 'hash', 'hash'],
  ];
  for (const row of published) assert.ok(rows.includes(row.join(' ')), row.join(' '));
  assert.deepEqual([methodOf({ input: 'none' }), tagOf({ path: '/healthz' })], ['GET', 'service']);
});

test('names the command of an operation by the last segment of its path that is not `calculate`', () => {
  const names = [
    ['/api/v1/tax/calculate', 'tax'],
    ['/api/v1/tax/annual', 'annual'],
    ['/api/v1/interest/solve', 'solve'],
    ['/api/v1/hash', 'hash'],
  ] as const;
  for (const [path, name] of names) assert.equal(commandOf({ path }), name);
});

test('gives every operation with a body a unique command', () => {
  const names = operations.filter((one) => methodOf(one) === 'POST').map(commandOf);
  for (const name of names) assert.match(name, /^[a-z]+$/);
  assert.equal(new Set(names).size, names.length);
});

type Example = [
  target: Operation,
  request: unknown,
  check: (result: unknown) => unknown,
  result: unknown,
];

/** The results of the examples, with their members in order. */
const EXAMPLES: readonly Example[] = [
  [
    tax,
    { income: 30_000_000, dependents: 1, period: '2026-08' },
    (result) => parse(taxResult, result),
    {
      gross_income: 30_000_000,
      insurance: { bhxh: 2_400_000, bhyt: 450_000, bhtn: 300_000, total: 3_150_000 },
      deductions: { self: 15_500_000, dependents: 6_200_000, total: 21_700_000 },
      taxable_income: 5_150_000,
      tax: 257_500,
      net_income: 26_592_500,
    },
  ],
  [
    annual,
    { year: 2026, income: 660_000_000, insurance: 64_200_000, withheld: 28_980_000 },
    (result) => parse(annualResult, result),
    {
      year: 2026,
      income: 660_000_000,
      deductions: {
        insurance: 64_200_000,
        self: 186_000_000,
        dependents: 0,
        voluntary_pension: 0,
        charity: 0,
        medical: 0,
        education: 0,
        total: 250_200_000,
      },
      taxable_income: 409_800_000,
      tax: 39_960_000,
      withheld: 28_980_000,
      balance: 10_980_000,
    },
  ],
  [
    interest,
    { principal: 100_000_000, monthly_deposit: 5_000_000, annual_rate: 8.5, years: 1.5 },
    (result) => parse(interestResult, result),
    {
      initial_principal: 100_000_000,
      monthly_deposit: 5_000_000,
      annual_rate_percent: 8.5,
      years: 1.5,
      final_balance: 209_176_447.85,
      total_deposited: 190_000_000,
      total_profit: 19_176_447.85,
      effective_annual_rate: 8.839091,
      timeline: [
        {
          year: 1,
          total_balance: 171_232_671.22,
          total_deposited: 160_000_000,
          total_interest: 11_232_671.22,
        },
        {
          year: 1.5,
          total_balance: 209_176_447.85,
          total_deposited: 190_000_000,
          total_interest: 19_176_447.85,
        },
      ],
    },
  ],
  [
    solve,
    {
      solve_for: 'monthly_deposit',
      target: 200_000_000,
      principal: 100_000_000,
      annual_rate: 8.5,
      years: 1,
    },
    (result) => parse(solveResult, result),
    {
      solve_for: 'monthly_deposit',
      target: 200_000_000,
      months: 12,
      initial_principal: 100_000_000,
      monthly_deposit: 7_305_311.58,
      annual_rate_percent: 8.5,
      years: 1,
      final_balance: 200_000_000.01,
      total_deposited: 187_663_738.96,
      total_profit: 12_336_261.05,
      effective_annual_rate: 8.839091,
      timeline: [
        {
          year: 1,
          total_balance: 200_000_000.01,
          total_deposited: 187_663_738.96,
          total_interest: 12_336_261.05,
        },
      ],
    },
  ],
  [
    hash,
    { text: 'Xin chào' },
    (result) => parse(hashResult, result),
    {
      input: 'Xin chào',
      md5: 'd507cf86fa25f6787e3fc5e5d61e00a3',
      sha256: '117ae605a3a02bf47978fba60ef2bf4a08a73eb34b0124d9a1a088c8cab6d9de',
      base64_encoded: 'WGluIGNow6Bv',
    },
  ],
];
for (const [target, request, check, result] of EXAMPLES) {
  test(`${target.path} writes the expected text for its example`, () => {
    assert.deepEqual(firstExample(target), request);
    const text = target.run(request, CONTEXT);
    assert.equal(text, JSON.stringify(result));
    assert.deepEqual(check(JSON.parse(text)), result);
  });
}

test('returns results that their schema accepts, with every option', () => {
  for (const type of ['gross', 'net', 'cost']) {
    for (const taxation of ['progressive', 'short_term', 'non_resident']) {
      const employment = {
        taxation,
        foreigner: true,
        paid_in: '2026-09',
        union_fund: true,
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
      assert.deepEqual(parse(taxResult, result), result);
    }
  }
  const settled = run(
    annual,
    JSON.stringify({ year: 2020, income: 1, withheld: 1e12, detail: true }),
  );
  assert.deepEqual(parse(annualResult, settled), settled);
  for (const timeline of ['none', 'yearly', 'monthly']) {
    const result = run(
      interest,
      JSON.stringify({ principal: 1, annual_rate: -100, years: 2.5, timeline }),
    );
    assert.deepEqual(parse(interestResult, result), result);
  }
});

test('applies the law of the current month to a tax request without a period', () => {
  const june = { ...CONTEXT, currentPeriod: () => '2019-06' };
  const body = { income: 30_000_000, detail: true };
  assert.equal(tax.run(body, june), tax.run({ ...body, period: '2019-06' }, CONTEXT));
  assert.notEqual(tax.run(body, june), tax.run(body, CONTEXT));
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
            /^(object|array|string|boolean|number|integer|integer,null|string,integer)$/,
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

const BAD: readonly [target: Operation, body: string, problems: string[]][] = [
  [tax, '{}', ['income required']],
  [tax, '{"income":"20000000"}', ['income wrong_type']],
  [
    tax,
    '{"income":null,"type":"brutto","dependents":1.5}',
    ['income wrong_type', 'type not_allowed', 'dependents wrong_type'],
  ],
  [
    tax,
    '{"income":-1,"dependents":51,"region":5}',
    ['income out_of_range', 'dependents out_of_range', 'region not_allowed'],
  ],
  [tax, '{"income":1e400}', ['income out_of_range']],
  [
    tax,
    '{"income":1000000000000.1,"insurance_salary":-0.1}',
    ['income out_of_range', 'insurance_salary out_of_range'],
  ],
  [tax, '{"income":1,"period":"2014-12"}', ['period out_of_range']],
  [tax, '{"income":1,"period":"2026-13"}', ['period malformed']],
  [tax, '{"income":1,"period":"2026-1"}', ['period malformed']],
  [tax, '{"income":1,"period":"2026-08-01"}', ['period malformed']],
  [tax, '{"income":1,"period":202608}', ['period wrong_type']],
  [tax, '{"income":1,"period":null}', ['period wrong_type']],
  [tax, '{"income":1,"detail":"true"}', ['detail wrong_type']],
  [
    tax,
    '{"income":1,"dependants":2,"__proto__":{"region":4}}',
    ['dependants unknown_field', '__proto__ unknown_field'],
  ],
  [tax, '{"income":1,"insurance_salary":1000}', ['insurance_salary out_of_range']],
  [interest, '{}', ['principal required', 'annual_rate required', 'years required']],
  [interest, '{"principal":1,"annual_rate":5,"years":0}', ['years out_of_range']],
  [interest, '{"principal":1,"annual_rate":5,"years":100.01}', ['years out_of_range']],
  [interest, '{"principal":1,"annual_rate":5,"years":0.5001}', ['years malformed']],
  [interest, '{"principal":1,"annual_rate":5,"years":1e-8}', ['years malformed']],
  [
    interest,
    '{"principal":1e16,"annual_rate":501,"years":1}',
    ['principal out_of_range', 'annual_rate out_of_range'],
  ],
  [interest, '{"principal":1,"annual_rate":-100.1,"years":1}', ['annual_rate out_of_range']],
  [interest, '{"principal":1,"annual_rate":5,"years":1,"decimals":7}', ['decimals out_of_range']],
  [
    interest,
    '{"principal":1,"annual_rate":5,"years":1,"compounding":"daily"}',
    ['compounding not_allowed'],
  ],
  [
    interest,
    '{"principal":1,"annual_rate":5,"years":1,"monthly_deposit":10000000000001}',
    ['monthly_deposit out_of_range'],
  ],
  [
    interest,
    '{"principal":1e-16,"annual_rate":-5e-324,"years":1,"monthly_deposit":9e-16}',
    ['principal malformed', 'monthly_deposit malformed', 'annual_rate malformed'],
  ],
  [solve, '{}', ['solve_for required', 'target required']],
  [
    solve,
    '{"solve_for":"target","target":1,"years":0}',
    ['solve_for not_allowed', 'years out_of_range'],
  ],
  [solve, '{"solve_for":"years","target":1}', ['principal required', 'annual_rate required']],
  [
    solve,
    '{"solve_for":"principal","target":0,"principal":null,"annual_rate":"8","interest":1}',
    [
      'target out_of_range',
      'principal wrong_type',
      'annual_rate wrong_type',
      'interest unknown_field',
      'years required',
      'principal not_allowed',
    ],
  ],
  [
    solve,
    '{"solve_for":"monthly_deposit","target":1,"principal":1,"annual_rate":1,"years":1,"monthly_deposit":0}',
    ['monthly_deposit not_allowed'],
  ],
  [
    solve,
    '{"solve_for":"annual_rate","target":66,"principal":1,"years":1}',
    ['target out_of_range'],
  ],
  [hash, '{}', ['text required']],
  [hash, '{"text":null}', ['text wrong_type']],
  [hash, '{"text":"\\ud800"}', ['text malformed']],
  [hash, '{"txt":"a"}', ['text required', 'txt unknown_field']],
];
for (const [target, body, problems] of BAD) {
  test(`${target.path} rejects ${body}`, () =>
    assert.deepEqual(problemsOf(target, body), problems));
}

test('accepts years within a millionth of a whole number of months', () => {
  const plan = (years: number): unknown =>
    run(interest, JSON.stringify({ principal: 100, annual_rate: 12, years }));
  assert.deepEqual(plan(0.0833333), { ...(plan(1 / 12) as object), years: 0.0833333 });
  assert.deepEqual(plan(0.08333341), { ...(plan(1 / 12) as object), years: 0.08333341 });
  assert.throws(() => plan(0.0833332), Failure);
});

test('rejects a duplicate name instead of choosing between its values', () => {
  for (const body of [
    '{"income":1,"income":2}',
    '{"income":{},"income":2}',
    '{"income":[1],"income":2}',
  ]) {
    assert.throws(() => run(tax, body), Failure, body);
  }
});

test('writes a result with JSON.stringify by default', () => {
  const value = number({ description: 'Value' });
  const double = operation({
    id: 'double',
    path: '/double',
    summary: 'Double',
    description: 'Doubles',
    input: 'small-body',
    request: object({ value }),
    result: object({ value }),
    examples: {},
    refusals: {},
    calculate: (request) => ({ value: 2 * request.value }),
  });
  assert.equal(double.run({ value: 21 }, CONTEXT), '{"value":42}');
  assert.throws(() => double.run({ value: '21' }, CONTEXT), Failure);
});
