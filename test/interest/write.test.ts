import assert from 'node:assert/strict';
import { test } from 'node:test';
import { calculateInterest } from '../../src/interest/interest.ts';
import { writeGrowth } from '../../src/interest/write.ts';
import { randomPlan } from '../helpers/plans.ts';
import { type Random, seeded } from '../helpers/random.ts';
import { search } from '../helpers/repository.ts';

test('writes growths, and those of goals, as JSON.stringify does', () => {
  const random = seeded(6);
  for (let count = 0; count < 300; count += 1) {
    const growth = calculateInterest(randomPlan(random, 1 + random.below(60)));
    assert.equal(writeGrowth(growth), JSON.stringify(growth));
    const found = { solve_for: 'years', target: 1, months: 12, ...growth };
    assert.equal(writeGrowth(found), JSON.stringify(found));
  }
});

/** The decimals of an amount, and the powers of two up to which doubles lie in the middle between two such decimals. */
const MIDDLES: readonly (readonly [decimals: number, exponents: readonly number[]])[] = [
  [1, [49, 50]],
  [2, [46, 47]],
  [3, [43, 44]],
  [4, [39, 40, 41]],
  [5, [36, 37]],
  [6, [33, 34]],
];

/** A double in the middle between the two shortest decimals that read as this double. */
function middle(random: Random): number {
  const [decimals, exponents] = random.pick(MIDDLES);
  const whole = Math.floor(2 ** random.pick(exponents) * (1 + random.next()));
  return whole + (random.below(2 ** decimals) + 0.5) / 2 ** decimals;
}

function randomAmount(random: Random): number {
  const amount = 2 ** (random.next() * 70) * random.next();
  return Math.round(amount * 10 ** random.below(7)) / 10 ** random.below(7);
}

const AMOUNTS = search(200_000);

test(`writes ${AMOUNTS.words} amounts, and as many in the middle between decimals, as JSON.stringify does`, () => {
  const random = seeded(7);
  const growth = calculateInterest({ principal: 1, annual_rate: 1, years: 1 });
  for (let count = 0; count < AMOUNTS.cases; count += 1) {
    const [balance, deposited] = [middle(random), Number(randomAmount(random).toFixed(6))];
    const interest = random.pick([-balance, -deposited]);
    const row = {
      year: 1,
      total_balance: balance,
      total_deposited: deposited,
      total_interest: interest,
    };
    const written = { ...growth, timeline: [row, row] };
    assert.equal(writeGrowth(written), JSON.stringify(written));
  }
});
