import { MONTHS_PER_PERIOD, type Plan } from '../../src/interest/plan.ts';
import type { Random } from './random.ts';

/** All values of the options. */
export const OPTIONS = {
  compounding: ['monthly', 'quarterly', 'semiannually', 'annually', 'at_maturity'],
  deposit_timing: ['end', 'start'],
  decimals: [0, 1, 2, 3, 4, 5, 6],
  timeline: ['yearly', 'monthly', 'none'],
} as const;
const RATES = [
  0, 1e-10, -1e-10, 1e-15, -5, 500, -100, 12, -12, 8.5, 0.1, 8.123456789012345, -33.333333333333336,
];
const PRINCIPALS = [
  0, 1e-15, 1e15, 1.005, 0.5, 2.5, 100, 100.005, 1e-7, 123_456_789.12, 999_999_999_999_999.9,
];
const DEPOSITS = [0, 1e-15, 1e13, 1.00005, 0.005, 1, 100.1, 5_000_000, 1.0050000000000001];

/** A plan without a loss at maturity, which is refused. */
export function withoutLoss<P extends Pick<Plan, 'annual_rate' | 'compounding'>>(plan: P): P {
  const isLoss = plan.compounding === 'at_maturity' && plan.annual_rate < 0;
  return isLoss ? { ...plan, annual_rate: -plan.annual_rate } : plan;
}

/** A plan with ordinary and extreme numbers. */
export function randomPlan(random: Random, months: number): Plan {
  return withoutLoss({
    principal: random.pick([...PRINCIPALS, random.next() * 1e6, random.below(1e9) / 1000]),
    monthly_deposit: random.pick([...DEPOSITS, random.next() * 1e4]),
    annual_rate: random.pick([
      ...RATES,
      random.next() * 20,
      random.next() * 600 - 100,
      random.below(2000) / 100,
    ]),
    years: months / 12,
    compounding: random.pick(OPTIONS.compounding),
    deposit_timing: random.pick(OPTIONS.deposit_timing),
    decimals: random.pick(OPTIONS.decimals),
    timeline: random.pick(OPTIONS.timeline),
  });
}

/** Rates at which balances stay constant, converge, stay near a tie, or are whole multiples of earlier ones. */
const HARD_RATES = [
  -100, -99.99999999999999, -99.999999, -96, -50, -12, -1.2, -1.2e-9, -1.2e-12,
  -1.2000000000000001e-12, -1.2e-15, 0, 1.2e-15, 3e-13, 1.2e-12, 1.2000000000000001e-12, 12, 50,
  100, 200, 300, 400, 500, 499.99999999999994,
];

/** A plan whose amounts are likely to be ties or near ties, or to have more digits than a double. */
export function hardPlan(random: Random, months: number): Plan {
  const plan = withoutLoss({
    ...randomPlan(random, months),
    annual_rate: random.pick(HARD_RATES),
  });
  const step = 10 ** -plan.decimals;
  const half = (random.below(10 ** random.below(10)) + 0.5) * step;
  const digits = Number((random.next() * 10 ** (random.below(28) - 15)).toPrecision(17));
  const amount = (maximum: number): number =>
    Math.min(
      maximum,
      random.pick([0, half, half, step, digits < 1e-15 ? 0 : digits, 1e15 * step, maximum]),
    );
  return random.pick<() => Plan>([
    () => ({ ...plan, principal: amount(1e15), monthly_deposit: amount(1e13) }),
    () => ({ ...plan, principal: Math.min(1e15, 1e15 * step + step / 2), monthly_deposit: step }),
    () => steadyPlan(periodic(plan), half, random.pick([1, 1, 0, 1 + 1e-15, 1000])),
  ])();
}

/** A plan with periods, of which at least two begin. */
function periodic(plan: Plan): Plan {
  return plan.compounding === 'at_maturity' ? { ...plan, compounding: 'annually' } : plan;
}

/** A plan whose balance stays constant, if it has a negative rate, after a start at a multiple of this balance. */
function steadyPlan(plan: Plan, balance: number, multiple: number): Plan {
  const period = MONTHS_PER_PERIOD[plan.compounding];
  const months = (period + (plan.deposit_timing === 'start' ? 1 : -1)) / 2;
  const deposit = -balance / (1200 / Math.min(plan.annual_rate, -1) + months);
  const principal = Number((balance * multiple).toPrecision(17));
  return { ...plan, principal, monthly_deposit: Number(deposit.toPrecision(15)) };
}

/** A plan whose balance converges to a tie, from above or below, or is one from the start. */
export function convergingPlan(random: Random): Plan {
  const decimals = random.pick(OPTIONS.decimals);
  const plan = periodic({
    principal: 0,
    monthly_deposit: 0,
    annual_rate: -random.pick([100, 96, 75, 60, 50, 48, 99.9, 12]),
    years: 100,
    compounding: random.pick(OPTIONS.compounding),
    deposit_timing: random.pick(OPTIONS.deposit_timing),
    decimals,
    timeline: 'monthly',
  });
  const tie = (random.below(10 ** random.below(6)) + 0.5) * 10 ** -decimals;
  const multiple = random.pick([
    0,
    1,
    1 - 2 ** -40,
    1 + 2 ** -30,
    random.next(),
    1000 * random.next(),
  ]);
  return steadyPlan(plan, tie, multiple);
}
