/** The requests that the document of the law shows are sent, and their answers compared with it and with the oracle. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { calculateTax } from '../../src/tax/tax.ts';
import { persons } from '../helpers/persons.ts';
import { expectedTax } from '../helpers/tax-oracle.ts';

describe('answers the request of each person as the document states', () => {
  for (const { name, request, net, source } of persons) {
    test(name, () => {
      const result = calculateTax(request);
      assert.equal(result.net_income, net);
      assert.deepEqual(result, expectedTax({ ...request, dependents: 0, region: 1 }));
      assert.ok(request.insurance_salary! >= 0);
      assert.match(source, /(Law|Decree|Code)\b.* art\. \d/);
    });
  }
});

test('the document has every person of the table once', () => {
  const names = persons.map(({ name }) => name);
  assert.ok(names.length >= 15);
  assert.deepEqual(names, [...new Set(names)]);
});
