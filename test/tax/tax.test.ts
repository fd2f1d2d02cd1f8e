import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Failure, type Problem } from '../../src/contract/failure.ts';
import type { TaxResult } from '../../src/tax/contract.ts';
import { endOf, periodAt } from '../../src/tax/period.ts';
import { calculateTax, taxOperation, type TaxRequest } from '../../src/tax/tax.ts';
import { resultOf } from '../helpers/problems.ts';
import { type Random, seeded } from '../helpers/random.ts';
import {
  ERAS,
  expectedTax,
  type GrossCase,
  mustBeStated,
  REGIONS,
  TAXATIONS,
} from '../helpers/tax-oracle.ts';
import { vectors } from '../helpers/vectors.ts';

function calculate(request: Partial<TaxRequest>, period = '2026-08'): TaxResult {
  return calculateTax({ income: 0, period, ...request });
}

type Amounts = readonly [
  insurance: readonly [bhxh: number, bhyt: number, bhtn: number, total: number],
  deductions: readonly [self: number, dependents: number],
  taxable: number,
  tax: number,
  net: number,
];

const WORKED =
  vectors<[working: string, period: string, request: Partial<TaxRequest>, amounts: Amounts]>(
    'worked-salaries',
  );

test('calculates the worked examples', async (context) => {
  for (const [
    working,
    period,
    request,
    [insurance, [self, dependents], taxable, tax, net],
  ] of WORKED) {
    await context.test(working, () => {
      const [bhxh, bhyt, bhtn, total] = insurance;
      assert.deepEqual(calculate(request, period), {
        gross_income: net + total + tax,
        insurance: { bhxh, bhyt, bhtn, total },
        deductions: { self, dependents, total: self + dependents },
        taxable_income: taxable,
        tax,
        net_income: net,
      });
      if (request.type !== 'net') assert.equal(net + total + tax, request.income ?? 0);
    });
  }
});

type Edge = [bound: number, tax: number, below: number, above: number];

/** With no insurance and one person, income = deduction + taxable income. */
const EDGES = vectors<[period: string, self: number, edges: Edge[]]>('bracket-edges');
for (const [period, self, edges] of EDGES) {
  for (const [bound, tax, below, above] of edges) {
    test(`charges ${tax} on ${bound} in ${period}, ${below} % below this bound, and ${above} % above it`, () => {
      const taxes = [-100, 0, 100].map(
        (more) => calculate({ income: self + bound + more, insurance_salary: 0 }, period).tax,
      );
      assert.deepEqual(taxes, [tax - below, tax, tax + above]);
    });
  }
}

const TAX_ROUNDING = vectors<[working: string, taxable: number, tax: number]>('rounded-taxes');
for (const [working, taxable, tax] of TAX_ROUNDING) {
  test(`rounds the tax half up, taxable ${taxable} in 2025-12: ${working}`, () => {
    assert.equal(
      calculate({ income: 11_000_000 + taxable, insurance_salary: 0 }, '2025-12').tax,
      tax,
    );
  });
}

const CONTRIBUTION_ROUNDING =
  vectors<[working: string, salary: number, insurance: number[]]>('rounded-contributions');
for (const [working, insurance_salary, [bhxh, bhyt, bhtn, total]] of CONTRIBUTION_ROUNDING) {
  test(`rounds contributions half up, on ${working}`, () => {
    assert.deepEqual(calculate({ income: 1000, insurance_salary }).insurance, {
      bhxh,
      bhyt,
      bhtn,
      total,
    });
  });
}

const FRACTIONS = vectors<[income: number, whole: number]>('rounded-incomes');
for (const [income, whole] of FRACTIONS) {
  test(`rounds an income of ${income} half up to ${whole}, gross or net`, () => {
    assert.equal(calculate({ income }).gross_income, whole);
    assert.equal(calculate({ income, type: 'net' }).net_income, whole);
  });
}

test('accepts contributions on a separate salary that use up the income, and rejects larger ones', () => {
  // 10.5 % of 20M is 2.1M.
  assert.equal(calculate({ income: 2_100_000, insurance_salary: 20_000_000 }).net_income, 0);
  assert.throws(
    () => calculate({ income: 2_099_999, insurance_salary: 20_000_000 }),
    (error) => {
      assert.ok(error instanceof Failure);
      const message =
        'insurance_salary: expected a salary whose contributions are at most the income of 2099999; '
        + 'they are 2100000';
      assert.equal(error.code, 'validation_failed');
      assert.deepEqual(error.details, [
        { field: 'insurance_salary', code: 'out_of_range', message },
      ]);
      return true;
    },
  );
});

test('accepts an exempt income up to the gross income, sent or found, and rejects a larger one', () => {
  const exempt = { exempt_income: 5_000_000, insurance_salary: 10_000_000 };
  // On 10M, the employee pays 1.05M, and the employer 2.15M and 200,000 for the trade-union fund.
  for (const [type, income] of [
    ['gross', 5_000_000],
    ['net', 3_950_000],
    ['cost', 7_350_000],
  ] as const) {
    const { gross_income, exempt_income, taxable_income, net_income } = calculate({
      ...exempt,
      type,
      income,
    });
    assert.deepEqual(
      [gross_income, exempt_income, taxable_income, net_income],
      [5_000_000, 5_000_000, 0, 3_950_000],
    );
    assert.deepEqual(problemsOf({ ...exempt, type, income: income - 1, period: '2026-08' }), [
      {
        field: 'exempt_income',
        code: 'out_of_range',
        message: 'exempt_income: expected at most the gross income, 4999999, got 5000000',
      },
    ]);
  }
});

test('without the personal deduction, it is neither deducted nor cited, except by a flat tax', () => {
  const request = {
    income: 20_000_000,
    insurance_salary: 20_000_000,
    dependents: 1,
    self_deduction: false,
    detail: true,
  };
  const { deductions, detail } = calculate(request);
  assert.deepEqual(deductions, { self: 0, dependents: 6_200_000, total: 6_200_000 });
  const rules = detail!.law.map(({ rule }) => rule);
  assert.ok(!rules.includes('self_deduction') && rules.includes('dependent_deduction'));
  for (const taxation of ['short_term', 'non_resident'] as const) {
    const { self_deduction, ...used } = { ...request, taxation };
    assert.deepEqual(calculate({ ...used, self_deduction }), calculate(used));
  }
});

test('returns the members of the contract, in their order', () => {
  const result = calculate({ income: 1, exempt_income: 0, voluntary_pension: 0, detail: true });
  assert.deepEqual(Object.keys(result), [
    'gross_income',
    'insurance',
    'deductions',
    'exempt_income',
    'voluntary_pension',
    'taxable_income',
    'tax',
    'net_income',
    'detail',
  ]);
  assert.deepEqual(Object.keys(result.insurance), ['bhxh', 'bhyt', 'bhtn', 'total']);
  assert.deepEqual(Object.keys(result.deductions), ['self', 'dependents', 'total']);
});

/** Small and large incomes, with and without a fraction, some of them near round amounts. */
function randomIncome(random: Random): number {
  const income = random.pick([
    () => random.next() * 2e8,
    () => random.below(200) * 1_000_000 + random.below(7) - 3,
    () => 10 ** (random.next() * 12),
    () => random.below(100_000) * 10 + 0.5,
  ])();
  return Math.max(0, random.below(3) === 0 ? income : Math.round(income));
}

/** A salary of any era and employment; `paid_in` up to two years before or after the month of work. */
function randomCase(random: Random): GrossCase {
  const given = randomFields(random);
  const { income, exempt_income = 0 } = given;
  return mustBeStated(given)
    ? { insurance_salary: Math.max(0, income - exempt_income), ...given }
    : given;
}

function randomFields(random: Random): GrossCase {
  const [period, income] = [random.pick(ERAS), randomIncome(random)];
  const other = `${Math.max(2015, Number(period.slice(0, 4)) + random.below(4) - 2)}-12`;
  return {
    income,
    period,
    region: random.pick(REGIONS),
    dependents: random.pick([0, 0, 1, 2, 5, 50]),
    taxation: random.pick(TAXATIONS),
    foreigner: random.below(2) === 0,
    ...(random.below(3) === 0 && { paid_in: random.pick([period, other]) }),
    ...(random.below(3) === 0 && {
      [random.pick(['bhxh', 'bhyt', 'bhtn'])]: random.below(2) === 0,
    }),
    ...(random.below(3) === 0 && { voluntary_pension: random.next() * 5_000_000 }),
    ...(random.below(3) === 0 && {
      exempt_income: random.pick([0, income * 1.2, 3_000_000]) * random.next(),
    }),
    ...(random.below(3) === 0 && { self_deduction: random.below(2) === 0 }),
    ...(random.below(2) === 0 && { insurance_salary: Math.min(randomIncome(random), income * 15) }),
  };
}

test('returns the results of the oracle for 6,000 random salaries of every era and employment', (context) => {
  const random = seeded(2015);
  const counts = new Map<string, number>();
  for (let count = 0; count < 6000; count += 1) {
    const given = randomCase(random);
    const label = JSON.stringify(given);
    const expected = expectedTax(given);
    const refused = refusedField(expected);
    if (refused === undefined) {
      const result = calculateTax(given);
      assert.deepEqual(result, expected, label);
      assert.equal(
        result.net_income,
        result.gross_income - result.insurance.total - result.tax,
        label,
      );
    } else {
      assert.deepEqual(
        problemsOf(given).map(({ field, code }) => [field, code]),
        [[refused, 'out_of_range']],
        label,
      );
    }
    const kind = `${given.taxation} ${given.foreigner ? 'foreigner' : 'citizen'} ${refused ?? 'answered'}`;
    counts.set(kind, (counts.get(kind) ?? 0) + 1);
  }
  context.diagnostic(JSON.stringify(Object.fromEntries(counts)));
  for (const taxation of TAXATIONS) {
    assert.ok((counts.get(`${taxation} foreigner answered`) ?? 0) > 500, taxation);
    assert.ok((counts.get(`${taxation} citizen insurance_salary`) ?? 0) > 50, taxation);
    assert.ok((counts.get(`${taxation} citizen exempt_income`) ?? 0) > 20, taxation);
  }
});

/** The field that is refused instead of an expected result; undefined if there is none. */
function refusedField(expected: TaxResult): string | undefined {
  const { gross_income, exempt_income = 0, net_income } = expected;
  if (exempt_income > gross_income) return 'exempt_income';
  return net_income < 0 ? 'insurance_salary' : undefined;
}

/** The problems that the service finds in a request. */
function problemsOf(request: unknown): readonly Problem[] {
  try {
    calculateTax(request as TaxRequest);
    return [];
  } catch (error) {
    assert.ok(
      error instanceof Failure && error.code === 'validation_failed' && error.details !== undefined,
    );
    return error.details;
  }
}

type Rejected = [
  working: string,
  request: Partial<Record<keyof TaxRequest, unknown>>,
  problems: string[],
];
const REJECTED = vectors<Rejected>('rejected-salaries');
for (const [working, request, problems] of REJECTED) {
  test(`rejects ${working}: ${JSON.stringify(request)}`, () => {
    assert.deepEqual(
      problemsOf(request).map(
        ({ field, code, message }) => `${field} ${code}:${message.slice(field.length + 1)}`,
      ),
      problems,
    );
  });
}

test('requires the salary month with a month of payment, even if the service has a month by default', () => {
  const context = { currentPeriod: () => '2026-08', isReady: () => true };
  const run = (request: object): string => resultOf(taxOperation, request, context);
  const refused = taxOperation.run({ income: 30_000_000, paid_in: '2026-08' }, context);
  assert.ok(typeof refused !== 'string');
  assert.equal(refused.details?.[0]?.message, 'period: this field is required with `paid_in`');
  assert.equal(
    run({ income: 30_000_000, paid_in: undefined }),
    run({ income: 30_000_000, period: '2026-08', paid_in: '2026-08' }),
  );
});

test('begins a month at midnight in Vietnam', () => {
  const midnight = Date.UTC(2026, 6, 31, 17);
  assert.deepEqual([periodAt(midnight - 1), periodAt(midnight)], ['2026-07', '2026-08']);
  const newYear = Date.UTC(2026, 11, 31, 17);
  assert.deepEqual([periodAt(newYear - 1), periodAt(newYear)], ['2026-12', '2027-01']);
  assert.deepEqual([endOf('2026-07'), endOf('2026-12')], [midnight, newYear]);
});
