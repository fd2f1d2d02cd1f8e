import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { calculateInterest } from '../../src/interest/interest.ts';
import { solveInterest } from '../../src/interest/solve.ts';
import {
  DEVIATING_GOALS,
  DEVIATING_SAVINGS,
  PUBLISHED_SAVINGS,
} from '../vectors/interest-published.ts';

describe('calculates published savings', () => {
  for (const [source, examples] of Object.entries(PUBLISHED_SAVINGS)) {
    for (const [request, stated] of examples) {
      test(`${JSON.stringify(request)} (${source})`, () => {
        const grown = calculateInterest(request);
        // Amounts that the source does not state are not compared.
        assert.deepEqual(grown, { ...grown, ...stated });
      });
    }
  }
});

describe('deviates from published savings and goals for a stated reason', () => {
  for (const [source, request, stated, returned, reason] of DEVIATING_SAVINGS) {
    test(`${reason} (${source})`, () => {
      assert.equal(calculateInterest(request).total_profit, returned);
      assert.notEqual(stated, returned);
    });
  }
  for (const [source, request, stated, returned, reason] of DEVIATING_GOALS) {
    test(`${reason} (${source})`, () => {
      const { months, initial_principal, monthly_deposit } = solveInterest(request);
      const found = new Map<string, number>([
        ['years', months],
        ['principal', initial_principal],
        ['monthly_deposit', monthly_deposit],
      ]);
      assert.equal(found.get(request.solve_for), returned);
      assert.ok(stated < returned);
    });
  }
});
