/** The work of the most expensive plans, counted, because times depend on the machine. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Amount, ExactGrowth } from '../../src/interest/closed-form.ts';
import { Growth } from '../../src/interest/growth.ts';
import { type Plan, rowMonths } from '../../src/interest/plan.ts';
import { DEAR_PLANS, dearPlan } from '../helpers/dear-plans.ts';
import { seeded } from '../helpers/random.ts';
import { search } from '../helpers/repository.ts';

const AMOUNTS: readonly Amount[] = ['balance', 'deposited', 'interest'];
const MOST_PLACES = 1024n;

/** The number of amounts of each row that are left to the exact growth, whose numbers stay small. */
function countOpen(plan: Plan): number[] {
  const label = JSON.stringify(plan);
  const stepsPerOne = 10 ** plan.decimals;
  const growth = new Growth(plan);
  const exact = new ExactGrowth(plan, BigInt(stepsPerOne));
  return rowMonths(plan).map((month) => {
    growth.advanceTo(month);
    const open = AMOUNTS.filter((amount) => growth[amount].round(stepsPerOne) === undefined);
    for (const amount of open) exact.round(amount, month);
    assert.ok(exact.places <= MOST_PLACES, `${exact.places} places: ${label}`);
    return open.length;
  });
}

for (const [name, plan] of Object.entries(DEAR_PLANS)) {
  test(`decides at most two amounts of a row exactly: ${name}`, () => {
    assert.ok(Math.max(...countOpen(plan)) <= 2);
  });
}

const PLANS = search(500);

test(`decides at most two amounts of a row exactly in ${PLANS.words} plans with ties and near ties`, () => {
  const random = seeded(2);
  for (let count = 0; count < PLANS.cases; count += 1) {
    const plan = dearPlan(random);
    assert.ok(Math.max(...countOpen(plan)) <= 2, JSON.stringify(plan));
  }
});
