import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parse } from '../../src/contract/schema.ts';
import { taxRules } from '../../src/rules/rules.ts';
import { operations } from '../../src/operations/operations.ts';
import { period as periodCheck } from '../../src/tax/contract.ts';
import type { Dated } from '../../src/tax/law.ts';
import * as law from '../../src/tax/law.ts';
import { problemsOf, resultOf } from '../helpers/problems.ts';
import { ERAS } from '../helpers/tax-oracle.ts';

type Table = readonly Dated<unknown>[];

/** Every table in a value, at any depth; a table is an array of rows with an instrument. */
function tablesIn(value: unknown): Table[] {
  if (typeof value !== 'object' || value === null) return [];
  if (!Array.isArray(value)) return Object.values(value).flatMap(tablesIn);
  return value.length > 0 && Object.hasOwn(value[0] as object, 'instrument')
    ? [value as Table]
    : [];
}

const TABLES: readonly Table[] = tablesIn(law);

test('returns every table of the law, and no other', () => {
  const returned = tablesIn(taxRules());
  assert.ok(TABLES.length >= 20);
  for (const table of TABLES) assert.ok(returned.includes(table), JSON.stringify(table[0]));
  assert.deepEqual(new Set(returned), new Set(TABLES));
  const { first_period, cap_multiple } = taxRules();
  assert.deepEqual([first_period, cap_multiple], ['2015-01', 20]);
});

test('returns the row of each table in force in a month, or none before the first row', () => {
  for (const period of ERAS) {
    const rules = taxRules({ period });
    const inForce = TABLES.flatMap((table) => law.findInForce(table, period) ?? []);
    assert.deepEqual(new Set(tablesIn(rules).flat()), new Set(inForce), period);
    for (const table of tablesIn(rules)) assert.equal(table.length, 1);
  }
  assert.deepEqual(taxRules({ period: '2025-12' }).expense_limits, { medical: [], education: [] });
});

test('returns results that their schema accepts', () => {
  const context = { currentPeriod: () => '', isReady: () => true };
  const operation = operations.find(({ path }) => path.endsWith('/rules'))!;
  for (const request of [{}, { period: '2015-01' }, { period: '2026-08' }]) {
    const text = resultOf(operation, request, context);
    const read = structuredClone(parse(operation.result, JSON.parse(text)));
    assert.deepEqual(read, JSON.parse(text));
    assert.deepEqual(JSON.parse(text), JSON.parse(JSON.stringify(taxRules(request))));
  }
});

test('names each table by its rule', () => {
  const {
    flat_tax,
    foreigner_rates,
    union_fund_rate,
    voluntary_pension_limit,
    expense_limits,
    ...rules
  } = taxRules();
  assert.deepEqual(flat_tax, law.FLAT_TAX);
  assert.deepEqual(foreigner_rates, law.FOREIGNER_RATES);
  assert.deepEqual(union_fund_rate, law.UNION_FUND_RATE);
  assert.deepEqual(voluntary_pension_limit, law.VOLUNTARY_PENSION_LIMIT);
  assert.deepEqual(expense_limits, law.EXPENSE_LIMITS);
  assert.deepEqual(rules.employee_rates, law.EMPLOYEE_RATES);
  assert.deepEqual(rules.employer_rates, law.EMPLOYER_RATES);
  assert.deepEqual(rules.least_bracket_months, law.LEAST_BRACKET_MONTHS);
  assert.deepEqual(rules.family_deductions, law.FAMILY_DEDUCTIONS);
  assert.deepEqual(rules.progressive_tax, law.PROGRESSIVE_TAX);
});

test('describes a period by a pattern that accepts exactly the months that the check accepts', () => {
  const pattern = new RegExp(String(periodCheck.schema['pattern']), 'u');
  for (let year = 0; year <= 9999; year += 1) {
    for (const month of ['00', '01', '09', '10', '12', '13']) {
      const text = `${String(year).padStart(4, '0')}-${month}`;
      assert.equal(pattern.test(text), problemsOf(periodCheck, text).length === 0, text);
    }
  }
  for (const text of ['', '2026', '2026-8', '02026-08', '2026-08 '])
    assert.ok(!pattern.test(text), text);
});
