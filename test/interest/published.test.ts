import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { calculateInterest, type InterestRequest } from '../../src/interest/interest.ts';
import { solveInterest, type SolveRequest } from '../../src/interest/solve.ts';
import { sourced, vectors } from '../helpers/vectors.ts';

/** Some amounts of a result. */
type Stated = Readonly<Record<string, number>>;
/** A request of which the service returns another amount than its source, with the reason. */
type Deviation<Request> = [
  source: string,
  request: Request,
  stated: number,
  returned: number,
  reason: string,
];

describe('calculates published savings', () => {
  for (const [source, request, stated] of sourced<[InterestRequest, Stated]>('published-savings')) {
    test(`${JSON.stringify(request)} (${source})`, () => {
      const grown = calculateInterest(request);
      // Amounts that the source does not state are not compared.
      assert.deepEqual(grown, { ...grown, ...stated });
    });
  }
});

describe('deviates from published savings and goals for a stated reason', () => {
  for (const [source, request, stated, returned, reason] of vectors<Deviation<InterestRequest>>(
    'deviating-savings',
  )) {
    test(`${reason} (${source})`, () => {
      assert.equal(calculateInterest(request).total_profit, returned);
      assert.notEqual(stated, returned);
    });
  }
  for (const [source, request, stated, returned, reason] of vectors<Deviation<SolveRequest>>(
    'deviating-goals',
  )) {
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
