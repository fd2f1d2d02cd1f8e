/** The requests that the document of the law shows are sent, and their answers compared with it and with the oracle. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { calculateTax } from '../../src/tax/tax.ts';
import { Document } from '../helpers/markdown.ts';
import { expectedTax, type GrossCase } from '../helpers/tax-oracle.ts';

const PERIOD = '2026-08';
const document = new Document('src/tax/README.md');
const rows = document.table('Who is paid, and what to send');

describe('answers the request of each person as the document states', () => {
  for (const [person = '', request = '', net = '', source = ''] of rows) {
    test(person, () => {
      const sent = JSON.parse(request.replaceAll('`', '')) as Pick<GrossCase, 'income'>;
      const result = calculateTax({ ...sent, period: PERIOD });
      assert.equal(result.net_income.toLocaleString('en-US'), net);
      assert.deepEqual(result, expectedTax({ ...sent, period: PERIOD, dependents: 0, region: 1 }));
      assert.match(source, /(Law|Decree|Code)\b.* art\. \d/);
    });
  }
});

test('the document has every person of the table once', () => {
  const persons = rows.map(([person]) => person);
  assert.ok(persons.length >= 15);
  assert.deepEqual(persons, [...new Set(persons)]);
});
