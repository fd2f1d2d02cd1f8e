import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { bisect } from '../../src/contract/bisection.ts';
import { Failure } from '../../src/contract/failure.ts';
import type { ReconcileResult } from '../../src/reconcile/contract.ts';
import {
  reconcileOperation,
  type ReconcileRequest,
  reconcileTax,
} from '../../src/reconcile/reconcile.ts';
import { RANKS as SEARCHED_RANKS } from '../../src/reconcile/search.ts';
import {
  BASE_SALARY,
  type Dated,
  EMPLOYEE_RATES,
  FAMILY_DEDUCTIONS,
  FOREIGNER_RATES,
  MINIMUM_WAGE,
  PROGRESSIVE_TAX,
} from '../../src/tax/law.ts';
import { calculateTax } from '../../src/tax/tax.ts';
import { parsed } from '../helpers/problems.ts';
import { type Random, seeded } from '../helpers/random.ts';
import {
  type Change,
  changesTo,
  expectedReasons,
  figuresOf,
  LAWS,
  outline,
  RANKS,
} from '../helpers/reconcile-oracle.ts';
import { isThorough, readText, search } from '../helpers/repository.ts';
import { mustBeStated, REGIONS, TAXATIONS } from '../helpers/tax-oracle.ts';
import { vectors } from '../helpers/vectors.ts';

const CASES = isThorough ? 600 : 60;

function reconcile(request: ReconcileRequest): ReconcileResult {
  return reconcileTax({ period: '2026-08', ...request });
}

/** The changes of each explanation, as fields with values. */
const changesIn = ({ explanations }: ReconcileResult): Record<string, unknown>[] =>
  explanations.map(({ changes }) =>
    Object.fromEntries(changes.map(({ field, value }) => [field, value])),
  );

const EXAMPLES =
  vectors<readonly [request: ReconcileRequest, changes: Record<string, unknown>[]]>('explanations');

test('finds the reasons of the examples', () => {
  for (const [request, changes] of EXAMPLES)
    assert.deepEqual(changesIn(reconcile(request)), changes, JSON.stringify(request));
});

test('explains the examples of the operation', () => {
  const examples = Object.values(reconcileOperation.examples) as ReconcileRequest[];
  assert.deepEqual(
    examples.map((request) => changesIn(reconcile(request))),
    [[{ period: '2025-12' }], [{ period: '2025-12', dependents: 1, insurance_salary: 5_310_000 }]],
  );
});

/** The request without the figures of the source. */
const salaryIn = ({
  net_income: _,
  tax: __,
  insurance: ___,
  ...salary
}: ReconcileRequest): Omit<ReconcileRequest, 'net_income' | 'tax' | 'insurance'> => salary;

type Salary = ReturnType<typeof salaryIn>;

function randomSalary(random: Random): Salary {
  const income = random.pick([
    1e6 * (4 + random.below(60)),
    1e5 * (40 + random.below(2000)),
    1e6 + random.below(200_000_000),
  ]);
  const maybe = <T>(one: number, value: T): T | undefined =>
    random.below(one) === 0 ? value : undefined;
  const fields = {
    income,
    dependents: random.pick([0, 0, 1, 2, 3, 7]),
    region: random.pick(REGIONS),
    period: random.pick(random.below(2) === 0 ? LAWS : LAWS.slice(0, 3)),
    paid_in: maybe(8, random.pick(['2026-08', '2025-12', '2019-03'])),
    taxation: maybe(8, random.pick(TAXATIONS)),
    foreigner: maybe(8, true),
    insurance_salary: maybe(6, random.pick([0, 5_310_000, Math.floor(income / 3)])),
    exempt_income: maybe(8, random.pick([730_000, 900_001])),
    self_deduction: maybe(10, false),
    bhxh: maybe(15, false),
    bhtn: maybe(10, false),
    voluntary_pension: maybe(10, random.pick([500_000, 4_000_000])),
  };
  if (mustBeStated(fields)) fields.insurance_salary ??= random.pick([0, income]);
  const given = Object.entries(fields).filter(([, value]) => value !== undefined);
  return Object.fromEntries(given) as unknown as Salary;
}

/** The explanations as the oracle writes them. */
const reasonsIn = ({ explanations }: ReconcileResult): string[] =>
  explanations.map(({ changes, ...figures }) =>
    outline(
      changes.map(({ field, value, reason }) => {
        const months = /^The law of (\S+ to \S+?)(?=:|$)/.exec(reason)?.[1];
        return [field, field === 'period' ? months : value];
      }),
      figures,
    ),
  );

/** Compares the explanations, and their order, with those of the oracle. */
function assertReasons(request: ReconcileRequest): ReconcileResult {
  const result = reconcileTax(request);
  const title = JSON.stringify(request);
  assert.deepEqual(reasonsIn(result), expectedReasons(request), title);
  const { net_income } = calculateTax(salaryIn(request));
  assert.equal(result.net_income, net_income, title);
  assert.equal(result.differences.net_income, Math.round(request.net_income) - net_income, title);
  return result;
}

/** The figures with changes, of which the source states some; undefined if they are impossible. */
function figuresWith(
  random: Random,
  salary: Salary,
  changes: readonly Change[],
): ReconcileRequest | undefined {
  const figures = figuresOf({ ...salary, ...Object.fromEntries(changes) });
  if (figures === undefined) return undefined;
  const { net_income, tax, insurance } = figures;
  if (net_income * 1000 < salary.income) return undefined;
  const stated = random.below(3);
  return { ...salary, net_income, ...(stated > 0 && { tax }), ...(stated > 1 && { insurance }) };
}

/** Random changes that the operation tries together; undefined if it does not. */
function randomSet(random: Random, salary: Salary, count: number): readonly Change[] | undefined {
  const { likely, alone } = changesTo(salary);
  const dues: readonly Change[] = [
    ['union_dues', 0.5],
    ['union_dues', 1],
  ];
  if (count === 1) return random.pick([...[...dues, ...likely].map((one) => [one]), ...alone]);
  const set = [random.pick([...dues, ...likely]), random.pick(likely)];
  return set[0]![0] === set[1]![0] ? undefined : set;
}

for (const count of [1, 2]) {
  test(`explains the figures with ${count} random changes of ${CASES} of 600 random salaries to the đồng`, () => {
    const random = seeded(48 + count);
    let explained = 0;
    for (let done = 0; done < CASES; ) {
      const salary = randomSalary(random);
      const changes = randomSet(random, salary, count);
      if (changes === undefined || isRefused(salary)) continue;
      const request = figuresWith(random, salary, changes);
      if (request === undefined) continue;
      done += 1;
      const { explanations } = assertReasons(request);
      const [first] = explanations;
      assert.ok(first !== undefined, JSON.stringify([request, changes]));
      if (first.net_income === request.net_income) explained += 1;
      else assert.ok(Math.abs(first.net_income - request.net_income) <= 500);
    }
    assert.ok(explained >= (count === 1 ? CASES : 0.98 * CASES), String(explained));
  });
}

function isRefused(salary: Salary): boolean {
  try {
    calculateTax(salary);
    return false;
  } catch {
    return true;
  }
}

test(`explains no other figure: ${CASES} of 600 random ones, near misses among them`, (context) => {
  const random = seeded(50);
  let empty = 0;
  for (let done = 0; done < CASES; ) {
    const salary = randomSalary(random);
    if (isRefused(salary)) continue;
    const { net_income: own, tax, insurance } = calculateTax(salary);
    const { likely } = changesTo(salary);
    const near = figuresWith(random, salary, [random.pick(likely), random.pick(likely)]);
    const net_income = random.pick([
      Math.round(own * (0.7 + random.next() * 0.3)),
      Math.round((own * (0.7 + random.next() * 0.3)) / 1000) * 1000,
      (near?.net_income ?? own) + random.pick([-501, -500, -4, -1, 1, 2, 3, 499, 700]),
      Math.round((near?.net_income ?? own) / 1000) * 1000,
    ]);
    if (net_income > salary.income || net_income * 1000 < salary.income) continue;
    done += 1;
    const further = random.pick([
      {},
      {},
      { insurance: insurance.total },
      { tax: tax + 1 },
      { insurance: random.below(7_000_000) },
    ]);
    const { explanations } = assertReasons({ ...salary, net_income, ...further });
    if (explanations.length === 0) empty += 1;
  }
  context.diagnostic(`${empty} of ${CASES} have no explanation`);
  assert.ok(empty > CASES / 2, String(empty));
});

const INSURED = search(200);

test(`determines the insured salary of a stated insurance: ${INSURED.words} random ones`, () => {
  const random = seeded(52);
  for (let done = 0; done < INSURED.cases; ) {
    const { insurance_salary: _, ...salary } = randomSalary(random);
    if (mustBeStated(salary)) continue;
    const insured = 1000 * random.below(salary.income / 1000);
    const request = figuresWith(random, salary, [['insurance_salary', insured]]);
    // Contributions of up to 3 đồng count as roundings.
    if ((request?.insurance ?? 0) <= 3 || isRefused(salary)) continue;
    done += 1;
    assert.ok(assertReasons(request!).explanations.length > 0, JSON.stringify(request));
  }
});

const CROSSINGS = search(500);
/** From 2,000,000 up to 200,000,000. */
const INCOMES = Array.from({ length: 21 }, (_, step) => Math.round(2e6 * 10 ** (step / 10)));

/** An income from which on the other one of two sets of changes has the greater net income, if there is one. */
function crossingOf(netOf: (income: number, side: 0 | 1) => number): number | undefined {
  const isLess = (income: number): boolean => netOf(income, 0) < netOf(income, 1);
  const at = INCOMES.findIndex(
    (income, step) => step > 0 && isLess(income) !== isLess(INCOMES[0]!),
  );
  if (at < 0) return undefined;
  return bisect(INCOMES[at - 1]!, INCOMES[at]!, (income) => isLess(income) !== isLess(INCOMES[0]!));
}

test(`ranks the reasons where the figures of two are close together, at ${CROSSINGS.words} random crossings`, () => {
  const random = seeded(51);
  for (let done = 0; done < CROSSINGS.cases; ) {
    const salary = randomSalary(random);
    const sets = [0, 1].map(() => {
      const count = random.pick([0, 1, 1, 2, 2]);
      return count === 0 ? [] : randomSet(random, salary, count);
    });
    if (sets.includes(undefined)) continue;
    const netOf = (income: number, side: 0 | 1): number =>
      figuresOf({ ...salary, income, ...Object.fromEntries(sets[side]!) })?.net_income ?? NaN;
    const income = crossingOf(netOf);
    if (income === undefined || Math.abs(netOf(income, 0) - netOf(income, 1)) > 3) continue;
    done += 1;
    const compare = (near: number, net_income: number): void => {
      const request = { ...salary, income: near };
      const isIncome = net_income <= near && net_income >= near / 1000;
      if (!isRefused(request) && isIncome) assertReasons({ ...request, net_income });
    };
    compare(income, netOf(income, 0));
    // Incomes nearby with a whole net income, and with one that is whole but for a rounding.
    const thousands = Math.round(netOf(income, 0) / 1000) * 1000;
    for (const net of [thousands, thousands + 1]) {
      const isReached = (near: number): boolean => netOf(near, 0) >= net;
      compare(bisect(income - 2000, income + 2000, isReached), thousands);
    }
  }
});

/** The first reason of a payslip as changes; null if it is an error of the payroll, for which there is no field. */
type Payslip = readonly [reason: string, request: ReconcileRequest, changes: object | null];

describe('explains payslips as people have them', () => {
  for (const [reason, request, changes] of vectors<Payslip>('payslips')) {
    const isKnown = request.tax !== undefined;
    test(`${reason}, ${isKnown ? 'with all figures' : 'with the net alone'}`, () => {
      const [first] = changesIn(reconcile(request));
      // The net alone may have no reason, but no false one.
      if (isKnown || first !== undefined) assert.deepEqual(first ?? null, changes);
    });
  }
});

test('states each reason in words, with the values of the tables', () => {
  for (const [request, reasons] of vectors<[ReconcileRequest, string[]]>('reasons')) {
    const [explanation] = reconcile(request).explanations;
    assert.deepEqual(
      explanation?.changes.map(({ reason }) => reason),
      reasons,
      JSON.stringify(request),
    );
  }
});

test('begins with the differences of the stated figures, and in words', () => {
  const salary = { income: 30_000_000, period: '2026-08' };
  for (const [figures, differences] of vectors<[ReconcileRequest, object]>('differences')) {
    const result = reconcileTax({ ...salary, ...figures });
    assert.equal(Object.keys(result)[0], 'differences');
    assert.deepEqual(result.differences, differences, JSON.stringify(figures));
  }
});

test('has the words of differences that the API quotes', () => {
  const [, quoted] = /also in\s+`words`: "([^"]+)"/.exec(readText('src/API.md'))!;
  const figures = { net_income: 26_005_000, tax: 635_000, insurance: 3_360_000 };
  assert.equal(reconcile({ income: 30_000_000, ...figures }).differences.words, quoted);
});

test('names the fields that would help, if no reason was found: only those that are absent', () => {
  const unexplained = { income: 40_000_000, net_income: 33_000_001 };
  const names = ['tax', 'insurance', 'insurance_salary', 'exempt_income', 'voluntary_pension'];
  assert.deepEqual(reconcile(unexplained).would_help, names);
  const stated = { insurance: 0, exempt_income: 0, voluntary_pension: 0 };
  assert.deepEqual(reconcile({ ...unexplained, ...stated }).would_help, [
    'tax',
    'insurance_salary',
  ]);
  assert.ok(!('would_help' in reconcile({ income: 30_000_000, net_income: 26_592_500 })));
});

test('finds each change alone', () => {
  const salary = { income: 61_000_000, dependents: 7, period: '2026-08', region: 2 } as const;
  const { likely, alone } = changesTo(salary);
  for (const set of [...likely.map((change) => [change]), ...alone]) {
    const { net_income, tax, insurance } = figuresOf({ ...salary, ...Object.fromEntries(set) })!;
    if (net_income <= salary.income) assertReasons({ ...salary, net_income, tax });
    assertReasons({ ...salary, net_income: Math.min(net_income, salary.income), tax, insurance });
  }
});

test('without a period, takes the current month, unless there is a month of payment', () => {
  const request = { income: 60_000_000, net_income: 47_215_500 };
  const text = reconcileOperation.run(request, {
    currentPeriod: () => '2025-12',
    isReady: () => true,
  });
  assert.equal(JSON.parse(String(text)).differences.net_income, 0);
  assert.throws(() => reconcileTax({ ...request, paid_in: '2025-12' }), { message: /^period: / });
});

/** Payslips, with the insured salary that their explanations need; the others state or imply it. */
const APPLIED: readonly (readonly [request: ReconcileRequest, insurance_salary?: number])[] = [
  [{ income: 30_000_000, net_income: 28_086_082, insurance: 557_550 }],
  [{ income: 15_000_000, net_income: 13_500_000 }],
  [{ income: 20_000_000, net_income: 18_500_000 }],
  [{ income: 30_000_000, net_income: 20_850_000 }],
  [{ income: 31_000_000, exempt_income: 1_000_000, net_income: 25_665_000 }],
  [{ income: 37_050_000, net_income: 26_215_000 }],
  // The explanations have other pay or tax-free pay, and the insurance stays.
  ...[
    { income: 18_000_000, net_income: 14_472_000, tax: 0, insurance: 1_890_000 },
    { income: 22_000_000, net_income: 17_580_500, tax: 109_500, insurance: 2_310_000 },
    { income: 15_000_000, net_income: 16_948_750, tax: 76_250, insurance: 1_575_000 },
    { income: 18_700_000, net_income: 16_736_500, tax: 0, insurance: 1_963_500 },
  ].map((request) => [request, request.income] as const),
];

test('the tax operation has the figures of each explanation with its changes', () => {
  for (const [request, insurance_salary] of APPLIED) {
    const { explanations } = reconcile(request);
    assert.ok(explanations.length > 0, JSON.stringify(request));
    for (const { changes, ...figures } of explanations) {
      const fields = Object.fromEntries(changes.map(({ field, value }) => [field, value]));
      const salary = { ...salaryIn(request), ...(insurance_salary && { insurance_salary }) };
      const { net_income, tax, insurance } = calculateTax({
        period: '2026-08',
        ...salary,
        ...fields,
      });
      assert.deepEqual({ net_income, tax, insurance: insurance.total }, figures);
      if (insurance_salary) assert.equal(figures.insurance, request.insurance);
    }
  }
});

test('searches in every law of the tables', () => {
  const values = (table: readonly Dated<unknown>[]): string[] =>
    table
      .filter(({ value }, at) => JSON.stringify(value) !== JSON.stringify(table[at - 1]?.value))
      .map(({ effective_from }) => effective_from);
  const tables = [
    PROGRESSIVE_TAX,
    FAMILY_DEDUCTIONS,
    BASE_SALARY,
    MINIMUM_WAGE,
    ...Object.values(EMPLOYEE_RATES),
    ...Object.values(FOREIGNER_RATES.employee),
  ];
  const months = new Set(tables.flatMap(values));
  assert.equal(months.size, LAWS.length);
  for (const period of months) {
    // Between the caps of all months, so that each law has a net income of its own.
    const income = 200_000_000;
    const { net_income } = calculateTax({ income, period });
    const [first] = changesIn(reconcile({ income, net_income }));
    const found = calculateTax({ income, period: '2026-08', ...first }).net_income;
    assert.equal(found, net_income, period);
  }
});

test('refuses what the tax operation refuses, other types, and figures in another unit', () => {
  const refusals: readonly (readonly [request: object, field: string, code: string])[] = [
    [{ income: 25, net_income: 22_000_000 }, 'net_income', 'out_of_range'],
    [{ income: 25_000_000, net_income: 24_999 }, 'net_income', 'out_of_range'],
    [{ income: 25_000, net_income: 25_000_001 }, 'net_income', 'out_of_range'],
    [{ income: 25_000_000 }, 'net_income', 'required'],
    [{ income: 25_000_000, net_income: 22_000_000, type: 'gross' }, 'type', 'unknown_field'],
    [
      { income: 25_000_000, net_income: 22_000_000, union_fund: true },
      'union_fund',
      'unknown_field',
    ],
    [{ income: 25_000_000, net_income: 22_000_000, detail: true }, 'detail', 'unknown_field'],
    [{ income: 25_000_000, net_income: 22_000_000, taxes: 1 }, 'taxes', 'unknown_field'],
    [
      { income: 25_000_000, net_income: 22_000_000, taxation: 'short_term' },
      'insurance_salary',
      'required',
    ],
    [
      { income: 1_000_000, net_income: 900_000, insurance_salary: 40_000_000 },
      'insurance_salary',
      'out_of_range',
    ],
    [
      { income: 1_000_000, net_income: 900_000, exempt_income: 1_000_001 },
      'exempt_income',
      'out_of_range',
    ],
  ];
  for (const [request, field, code] of refusals) {
    assert.throws(
      () => reconcileTax(request as ReconcileRequest),
      (error) =>
        error instanceof Failure
        && error.details?.map((problem) => `${problem.field} ${problem.code}`).join()
          === `${field} ${code}`,
      JSON.stringify(request),
    );
  }
});

test('takes net incomes from a thousandth of the income up to a thousand incomes', () => {
  for (const net_income of [25_000, 25_000_000, 25_000_000_000])
    assert.equal(reconcile({ income: 25_000_000, net_income }).net_income, 22_031_250);
});

test('explains no income with no income', () => {
  assert.deepEqual(reconcile({ income: 0, net_income: 0 }).explanations, [
    { changes: [], net_income: 0, tax: 0, insurance: 0 },
  ]);
});

test('returns results that its schema accepts', () => {
  for (const [request] of EXAMPLES) {
    const text = reconcileOperation.run(
      { period: '2026-08', ...request },
      { currentPeriod: () => '', isReady: () => true },
    );
    assert.deepEqual(
      parsed(reconcileOperation.result, JSON.parse(String(text))),
      JSON.parse(String(text)),
    );
  }
});

test('ranks as the oracle does', () => {
  assert.deepEqual(SEARCHED_RANKS, RANKS);
});
