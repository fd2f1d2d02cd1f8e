import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Failure } from '../../src/contract/failure.ts';
import { calculateInterest } from '../../src/interest/interest.ts';
import { monthsOf, type Plan } from '../../src/interest/plan.ts';
import type { SolveResult } from '../../src/interest/solve-contract.ts';
import { solveInterest, type SolveRequest } from '../../src/interest/solve.ts';
import {
  expectedInterest,
  fractionOf,
  MOST_STEPS,
  roundHalfAway,
  simulate,
  stepsOf,
} from '../helpers/interest-oracle.ts';
import { OPTIONS, withoutLoss } from '../helpers/plans.ts';
import { type Random, seeded } from '../helpers/random.ts';
import { search } from '../helpers/repository.ts';
import { vectors } from '../helpers/vectors.ts';

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
  // Near 2^53 steps, two candidates may be the same JSON number.
  for (let steps = stepsOf(fractionOf(value), decimals) - 1n; ; steps -= 1n) {
    const candidate = Number(`${steps}e-${decimals}`);
    if (candidate !== value) return candidate;
  }
}

/** The candidate for an amount or a rate, found with exact fractions; 2^53 steps stand for all amounts that are larger. */
function leastCandidate(request: SolveRequest): number {
  const { solve_for: sought, decimals = 2, compounding } = request;
  const stepsPerOne = sought === 'annual_rate' ? 1e6 : 10 ** decimals;
  const least = compounding === 'at_maturity' ? 0 : LEAST[sought];
  let failing = least * stepsPerOne - 1;
  let passing = Math.min(GREATEST[sought] * stepsPerOne, Number(MOST_STEPS) + 1);
  while (passing - failing > 1) {
    const middle = Math.floor((failing + passing) / 2);
    if (reaches(request, middle / stepsPerOne)) passing = middle;
    else failing = middle;
  }
  return passing / stepsPerOne;
}

/** Checks that a goal is refused because an amount is too large, and does what the refusal says. */
function checkSize(request: SolveRequest, message: string): void {
  const { solve_for: sought, decimals = 2, years = 1 } = request;
  const label = JSON.stringify(request);
  if (message.startsWith('years')) {
    const expected = expectedInterest(completed(request, leastCandidate(request)));
    assert.equal(message, expected, label);
    check({ ...request, years: Math.ceil(years * 6) / 12 });
    return;
  }
  const coarser = { ...request, decimals: decimals - 1 };
  if (sought === 'years') {
    // The term is that of whole amounts.
    const term = solveInterest({ ...request, decimals: 0 }).years;
    assert.ok(term > 30 || message === expectedInterest(completed(request, term)), label);
  } else {
    assert.equal(message, expectedInterest(completed(request, leastCandidate(request))), label);
  }
  check(coarser);
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
    if (error.details[0].field !== 'target') {
      checkSize(request, error.message);
      return false;
    }
    assert.ok(!reaches(request, GREATEST[request.solve_for]), label);
    if (request.solve_for === 'years')
      assert.ok(!reachedByMonth(request, 40 / 12).includes(true), label);
    return false;
  }
  const { solve_for, target, months, ...growth } = result;
  const value = valueOf(result);
  const isAtMaturity = request.compounding === 'at_maturity';
  assert.deepEqual(
    [solve_for, target, months],
    [request.solve_for, request.target, Math.round(growth.years * 12)],
    label,
  );
  assert.deepEqual(growth, calculateInterest(completed(request, value)), label);
  assert.ok(reaches(request, value), `${label}: ${value} is not enough`);
  if (solve_for === 'years') {
    assert.equal(reachedByMonth(request, value).indexOf(true), months - 1, label);
  } else if (value > (isAtMaturity ? 0 : LEAST[solve_for])) {
    assert.ok(
      !reaches(request, predecessor(request, value)),
      `${label}: ${value} is not the smallest`,
    );
  }
  return true;
}

for (const [label, request, value, finalBalance] of vectors<
  [label: string, request: SolveRequest, value: number, finalBalance: number]
>('solved-goals')) {
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

for (const [label, request, message, changes] of vectors<
  [label: string, request: SolveRequest, message: string, changes: Partial<SolveRequest>]
>('rejected-sizes')) {
  test(`rejects a goal with an amount that is too large, and says what to send: ${label}`, () => {
    assert.throws(
      () => solveInterest(request),
      (error) =>
        error instanceof Failure && error.code === 'validation_failed' && error.message === message,
    );
    assert.ok(check({ ...request, ...changes } as SolveRequest));
  });
}

for (const [label, request, reached] of vectors<
  [label: string, request: SolveRequest, reached: number]
>('rejected-goals')) {
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

/** The exact final balance of a plan, rounded to its decimals. */
function balanceOf(plan: Plan): number {
  const { balance, denominator } = simulate(plan, monthsOf(plan)).at(-1)!;
  return roundHalfAway({ numerator: balance, denominator }, plan.decimals);
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
  const { annual_rate } = withoutLoss({ ...plan, ...options });
  plan.annual_rate = annual_rate;
  const balance = balanceOf({ ...plan, ...options });
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

for (const [all, longest] of [
  [1500, 18],
  [60, 120],
] as const) {
  const { cases, words } = search(all);
  test(`finds the smallest value in ${words} random requests of up to ${longest} months`, () => {
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

const EDGES = vectors<[label: string, request: SolveRequest, value: number]>('goals-at-edges');
for (const [label, request, value] of EDGES) {
  test(`returns the smallest value that reaches the target: ${label}`, () => {
    assert.equal(valueOf(solveInterest(request)), value);
    check(request);
  });
}
