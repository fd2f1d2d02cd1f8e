import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Failure } from '../../src/contract/failure.ts';
import { calculateInterest } from '../../src/interest/interest.ts';
import type { Plan } from '../../src/interest/plan.ts';
import type { SolveResult } from '../../src/interest/solve-contract.ts';
import { solveInterest, type SolveRequest } from '../../src/interest/solve.ts';
import { fractionOf, simulate } from '../helpers/interest-oracle.ts';
import { OPTIONS } from '../helpers/plans.ts';
import { type Random, seeded } from '../helpers/random.ts';
import { REJECTED_GOALS, SOLVED_GOALS } from '../vectors/interest-goals.ts';

const DEFAULTS = {
  monthly_deposit: 0,
  compounding: 'monthly',
  deposit_timing: 'end',
  decimals: 2,
  timeline: 'yearly',
} as const;
const GREATEST = { monthly_deposit: 1e13, principal: 1e15, years: 100, annual_rate: 500 } as const;
const LEAST = { monthly_deposit: 0, principal: 0, years: 1 / 12, annual_rate: -100 } as const;

/** The interest request that a value for the sought field completes. */
function completed({ solve_for, target, ...given }: SolveRequest, value: number): Plan {
  return {
    ...DEFAULTS,
    principal: 0,
    annual_rate: 0,
    years: 1,
    ...given,
    [solve_for]: value,
  } as Plan;
}

/** For each month of a request with a value, whether the exact balance is at least the target. */
function reachedByMonth(request: SolveRequest, value: number): boolean[] {
  const plan = completed(request, value);
  const target = fractionOf(request.target);
  return simulate(plan, Math.round(plan.years * 12)).map(
    ({ balance, denominator }) => balance * target.denominator >= target.numerator * denominator,
  );
}

/** Whether the exact final balance of a request with a value is at least the target. */
const reaches = (request: SolveRequest, value: number): boolean =>
  reachedByMonth(request, value).at(-1)!;

function valueOf(result: SolveResult): number {
  const {
    initial_principal: principal,
    monthly_deposit,
    years,
    annual_rate_percent: annual_rate,
  } = result;
  return { principal, monthly_deposit, years, annual_rate }[result.solve_for];
}

/** The value before another on the grid. */
function predecessor({ solve_for, decimals = 2 }: SolveRequest, value: number): number {
  if (solve_for === 'years') return (Math.round(value * 12) - 1) / 12;
  if (solve_for === 'annual_rate') return (Math.round(value * 1e6) - 1) / 1e6;
  const { numerator, denominator } = fractionOf(value);
  const steps = (numerator * 10n ** BigInt(decimals)) / denominator;
  const unit = 10n ** BigInt(Math.max(0, String(steps - 1n).length - 15));
  return Number(`${((steps - 1n) / unit) * unit}e-${decimals}`);
}

/** Solves a request, and checks the result or the failure with exact fractions. Returns whether there is a result. */
function check(request: SolveRequest): boolean {
  const label = JSON.stringify(request);
  let result: SolveResult;
  try {
    result = solveInterest(request);
  } catch (error) {
    assert.ok(
      error instanceof Failure && error.details?.[0]?.code === 'out_of_range',
      `${label}: ${String(error)}`,
    );
    assert.ok(!reaches(request, GREATEST[request.solve_for]), label);
    if (request.solve_for === 'years')
      assert.ok(!reachedByMonth(request, 40 / 12).includes(true), label);
    return false;
  }
  const { solve_for, target, months, ...growth } = result;
  const value = valueOf(result);
  assert.deepEqual(
    [solve_for, target, months],
    [request.solve_for, request.target, Math.round(growth.years * 12)],
    label,
  );
  assert.deepEqual(growth, calculateInterest(completed(request, value)), label);
  assert.ok(reaches(request, value), `${label}: ${value} is not enough`);
  if (solve_for === 'years') {
    assert.equal(reachedByMonth(request, value).indexOf(true), months - 1, label);
  } else if (value > LEAST[solve_for]) {
    assert.ok(
      !reaches(request, predecessor(request, value)),
      `${label}: ${value} is not the smallest`,
    );
  }
  return true;
}

for (const [label, request, value, finalBalance] of SOLVED_GOALS) {
  test(`returns the smallest value that reaches the target: ${label}`, () => {
    const result = solveInterest(request);
    assert.deepEqual([valueOf(result), result.final_balance], [value, finalBalance]);
    check(request);
  });
}

test('rejects a target below 10^-15', () => {
  assert.throws(
    () => solveInterest({ solve_for: 'years', target: 9e-16, principal: 1, annual_rate: 1 }),
    { message: 'target: expected at least 1e-15, got the number 9e-16' },
  );
});

for (const [label, request, reached] of REJECTED_GOALS) {
  test(`rejects a target that is out of reach: ${label}`, () => {
    const { solve_for: sought, target } = request;
    const message =
      `target: expected a balance within reach (with \`${sought}\` ${GREATEST[sought]}, the final balance `
      + `is ${reached}), got the number ${target}`;
    assert.throws(
      () => solveInterest(request),
      (error) =>
        error instanceof Failure && error.code === 'validation_failed' && error.message === message,
    );
    check(request);
  });
}

function randomRequest(random: Random, months: number): SolveRequest {
  const amount = (): number =>
    random.pick([0, 100, 1e6, random.below(1e9) / 1000, random.next() * 1e4]);
  const plan = {
    principal: amount(),
    monthly_deposit: amount() / 10,
    annual_rate: random.pick([
      0,
      -100,
      500,
      -5,
      8.5,
      random.next() * 20,
      random.below(2000) / 100,
      random.next() * 600 - 100,
    ]),
    years: months / 12,
  };
  const options = {
    compounding: random.pick(OPTIONS.compounding),
    deposit_timing: random.pick(OPTIONS.deposit_timing),
    decimals: random.pick(OPTIONS.decimals),
    timeline: random.pick(OPTIONS.timeline),
  };
  // Half of the targets are the balance of a plan on the grid, which the exact value should reach without a step more.
  const { final_balance: balance } = calculateInterest({ ...plan, ...options });
  const target = random.pick([
    balance,
    balance * random.next() * 3,
    1e6 * random.next(),
    random.below(1000),
    1e15,
  ]);
  const sought = random.pick(['monthly_deposit', 'principal', 'years', 'annual_rate'] as const);
  const { [sought]: _, ...given } = plan;
  return {
    solve_for: sought,
    target: Math.min(1e15, Math.max(target, 1e-9)),
    ...given,
    ...options,
  };
}

for (const [cases, longest] of [
  [1500, 18],
  [30, 120],
] as const) {
  test(`finds the smallest value in ${cases} random requests of up to ${longest} months`, () => {
    const random = seeded(longest);
    const counts = { solved: 0, rejected: 0 };
    for (let count = 0; count < cases; count += 1) {
      const request = randomRequest(random, 1 + random.below(longest));
      // A term of 100 years in fractions of many digits would take the oracle seconds.
      if (request.solve_for === 'years' && longest > 18) continue;
      counts[check(request) ? 'solved' : 'rejected'] += 1;
    }
    assert.ok(counts.solved > cases / 4 && counts.rejected > 0, JSON.stringify(counts));
  });
}

const STEADY = {
  monthly_deposit: 0.715,
  annual_rate: -96,
  years: 60,
  compounding: 'annually',
} as const;
const EDGES: readonly [label: string, request: SolveRequest, value: number][] = [
  [
    'the principal that stays constant at the target',
    { solve_for: 'principal', target: 5.005, decimals: 3, ...STEADY },
    5.005,
  ],
  [
    'the next cent above a principal of 5.005 that stays constant',
    { solve_for: 'principal', target: 5.005, ...STEADY },
    5.01,
  ],
  [
    'a principal that stays constant for 30 years',
    {
      solve_for: 'principal',
      target: 100.005,
      monthly_deposit: 1.00005,
      annual_rate: -12,
      years: 30,
      decimals: 3,
    },
    100.005,
  ],
  [
    'a principal near the greatest, which stays constant for 30 years',
    {
      solve_for: 'principal',
      target: 9.9e14,
      monthly_deposit: 9.9e12,
      annual_rate: -12,
      years: 30,
    },
    9.9e14,
  ],
  [
    'the next step above a principal that is 7 × 10^-6 steps too small',
    {
      solve_for: 'principal',
      target: 5.005000007,
      monthly_deposit: 0.715000001,
      annual_rate: -96,
      years: 25,
      compounding: 'annually',
      decimals: 3,
    },
    5.006,
  ],
  [
    'an amount of 15 digits, rounded up',
    { solve_for: 'principal', target: 123_456_789_012.3456, annual_rate: 0, years: 1, decimals: 6 },
    123_456_789_012.346,
  ],
  [
    'an amount of 15 digits, unchanged',
    { solve_for: 'principal', target: 123_456_789_012.345, annual_rate: 0, years: 1, decimals: 6 },
    123_456_789_012.345,
  ],
  [
    'the greatest principal',
    { solve_for: 'principal', target: 1e15, annual_rate: 0, years: 1 },
    1e15,
  ],
  [
    'the smallest step for the smallest target',
    { solve_for: 'principal', target: 1e-15, annual_rate: 0, years: 1 },
    0.01,
  ],
  ['the first month', { solve_for: 'years', target: 100, principal: 100, annual_rate: 0 }, 1 / 12],
  [
    'the lowest rate',
    { solve_for: 'annual_rate', target: 1, principal: 0, monthly_deposit: 1, years: 1 / 12 },
    -100,
  ],
  [
    'the highest rate',
    { solve_for: 'annual_rate', target: 600, principal: 100, years: 1, compounding: 'annually' },
    500,
  ],
  [
    'a rate for the smallest target',
    { solve_for: 'annual_rate', target: 1e-15, principal: 1, years: 100, compounding: 'annually' },
    -29.205421,
  ],
  [
    'a principal that has lost its effect but for 10^-1600 of it, which the constant balance decides',
    {
      solve_for: 'principal',
      target: 5.005,
      monthly_deposit: 0.715,
      annual_rate: -96,
      years: 100,
      compounding: 'annually',
      decimals: 3,
    },
    5.005,
  ],
  [
    'a deposit of 15 digits, a seventh of the target, rounded up',
    {
      solve_for: 'monthly_deposit',
      target: 1e13,
      principal: 0,
      annual_rate: 0,
      years: 7 / 12,
      decimals: 6,
    },
    1_428_571_428_571.43,
  ],
  [
    'the greatest deposit',
    {
      solve_for: 'monthly_deposit',
      target: 3e13,
      principal: 0,
      annual_rate: 0,
      years: 0.25,
      decimals: 6,
    },
    1e13,
  ],
  [
    'a rate whose effect is lost in doubles',
    {
      solve_for: 'annual_rate',
      target: 1e13 + 0.001,
      principal: 0.002,
      monthly_deposit: 1e13,
      years: 1 / 12,
    },
    0,
  ],
];
for (const [label, request, value] of EDGES) {
  test(`returns the smallest value that reaches the target: ${label}`, () => {
    assert.equal(valueOf(solveInterest(request)), value);
    check(request);
  });
}
