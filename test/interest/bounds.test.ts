/** The work of the most expensive plans, counted, because times depend on the machine. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ExactGrowth } from '../../src/interest/closed-form.ts';
import { difference, Growth, nearestInteger } from '../../src/interest/growth.ts';
import { type Plan, rowMonths } from '../../src/interest/plan.ts';
import { DEAR_PLANS, dearPlan } from '../helpers/dear-plans.ts';
import { seeded } from '../helpers/random.ts';
import { search } from '../helpers/repository.ts';

const MOST_PLACES = 1024n;

/** Calculates the amounts of the months that are left to the exact growth, whose numbers must stay small. Returns their number. */
function compareExactly(plan: Plan): number {
  const label = JSON.stringify(plan);
  const growth = new Growth(plan);
  const exact = new ExactGrowth(plan, BigInt(10 ** plan.decimals));
  let compared = 0;
  for (const month of rowMonths(plan)) {
    const [balance, deposited] = [growth.balanceAfter(month), growth.depositedAfter(month)];
    const interest = difference(balance, deposited);
    const amounts = [balance, deposited, interest];
    if (!amounts.some((amount) => Number.isNaN(nearestInteger(amount)))) continue;
    exact.amountsAfter(month);
    compared += 1;
    assert.ok(exact.places <= MOST_PLACES, `${exact.places} places: ${label}`);
  }
  return compared;
}

for (const [name, plan] of Object.entries(DEAR_PLANS)) {
  test(`the exact growth has small numbers: ${name}`, () => {
    compareExactly(plan);
  });
}

const PLANS = search(500);

test(`the exact growth has small numbers in ${PLANS.words} plans with ties and near ties`, () => {
  const random = seeded(2);
  let compared = 0;
  for (let count = 0; count < PLANS.cases; count += 1) compared += compareExactly(dearPlan(random));
  assert.ok(compared > PLANS.cases);
});
