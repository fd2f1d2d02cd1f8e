/** The reasons for a payslip: in words, and as values of a second plan. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { scripts, type Values } from '../helpers/page-scripts.ts';
import { differencesOf, foundIn, testPayslips, valuesOf } from '../helpers/payslips.ts';

testPayslips('en');

/** The values that the second plan of each reason has in place of those of the first; undefined without a plan. */
function plansOf(query: string): (Values | undefined)[] {
  const values = valuesOf(query);
  const { reasons = [] } = foundIn(values);
  return reasons.map(
    ({ values: others }) =>
      others
      && Object.fromEntries(
        Object.entries(others).filter(([name, value]) => value !== (values[name] ?? '')),
      ),
  );
}

test('the second plan differs from the first by the reason, and keeps what it does not use', () => {
  const cases: readonly (readonly [query: string, ...plans: (Values | undefined)[]])[] = [
    ['income=60000000&net_income=47215500', { period: '2025-12' }],
    ['income=30000000&dependents=2&net_income=26592500', { dependents: '1' }],
    ['income=30000000&net_income=28548205', { insurance_salary: '5310000' }],
    // The insurance is a member of the request that the person excludes.
    [
      'income=20000000&who=second_job&net_income=16610000',
      { who: 'other', self_deduction: 'false', insurance_salary: '20000000' },
    ],
    // The person of the reason has no dependents, whose number stays.
    ['income=30000000&dependents=1&who=foreigner&net_income=24000000', { who: 'non_resident' }],
    // Other pay, and tax-free pay, keep the insured salary; a second plan has all of it.
    [
      'income=22000000&net_income=17580500&tax=109500&insurance=2310000',
      { income: '20000000', insurance_salary: '22000000' },
    ],
    [
      'income=18700000&net_income=16736500&tax=0&insurance=1963500',
      { dependents: '1' },
      { exempt_income: '1237000', insurance_salary: '18700000' },
    ],
    // The form has no union dues, and nothing to compare an agreement or a missing reason with.
    ['income=25000000&net_income=22216250', undefined],
    ['income=20000000&net_income=17780000', undefined],
    ['income=30000000&net_income=24000001', undefined],
  ];
  for (const [query, ...plans] of cases) assert.deepEqual(plansOf(query), plans, query);
});

test('names only those fields that may help and are empty; without one, none', () => {
  const words = (figures: string): string =>
    foundIn(valuesOf(`income=30000000&net_income=24000001${figures}`)).reasons?.[0]?.words ?? '';
  const insured = '&insurance_salary=30000000&exempt_income=500000';
  const fewer = words(insured);
  assert.match(fewer, /enter or correct income tax, employee insurance, voluntary pension/);
  const all = words(`&tax=634999&insurance=3149999${insured}&voluntary_pension=100000`);
  assert.equal(all, 'No usual reason explains this figure');
});

test('finds problems in place of reasons of a refused payslip', () => {
  const cases = [
    ['income=60000000&net_income=59999', 'net_income', 'out_of_range'],
    ['income=30000000&net_income=26215000&tax=abc', 'tax', 'wrong_type'],
  ] as const;
  for (const [query, field, code] of cases) {
    const { reasons, problems } = foundIn(valuesOf(query));
    assert.equal(reasons, undefined);
    assert.deepEqual(
      problems.map((problem) => [problem.field, problem.code]),
      [[field, code]],
    );
  }
});

test('a refusal without a field has no problems that the payslip could show', () => {
  const { value } = scripts.reasonsIn('[]', {}).next();
  assert.deepEqual(value, { problems: [] });
});

test('states no differences without a net salary, or of figures that are not whole amounts', () => {
  const figures = ['26215000.5', '-26215000', 'abc'];
  for (const figure of figures) {
    const values = { ...valuesOf('income=30000000'), net_income: '26215000', tax: figure };
    assert.equal(differencesOf(values), '');
    assert.equal(differencesOf({ ...values, net_income: figure, tax: '' }), '');
  }
  assert.equal(differencesOf({ ...valuesOf('income=30000000'), tax: '635000' }), '');
  const whole = { ...valuesOf('income=30000000'), net_income: '26215000', insurance: '0' };
  assert.equal(
    differencesOf(whole),
    'The same net salary: ₫3,150,000 less insurance',
    'an insurance of 0 is a figure',
  );
});

test('writes numbers of less than a thousand as they are, and others as amounts', () => {
  const written = (value: unknown): string => scripts.inWords('region', { value });
  assert.deepEqual(
    [0.5, 999, 1_000, 1_001, '2026-08', 'IV'].map(written),
    ['0.5', '999', '₫1,000', '₫1,001', 'August 2026', 'IV'].map((words) => `Region ${words}`),
  );
  assert.equal(
    scripts.inWords('difference.1', { amount: 1 }),
    'The payslip is ₫1 higher than the answer',
  );
  assert.equal(scripts.inWords('difference.tax', { change: -1 }), '₫1 less tax');
});
