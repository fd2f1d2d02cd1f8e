/** The reasons for a payslip with another net salary than the answer: in words, and as values of a second plan. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { calculateTax, type TaxRequest } from '../../src/tax/tax.ts';
import { calculators, finished, scripts, type Values } from '../helpers/page-scripts.ts';
import { vectors } from '../helpers/vectors.ts';

type Payslip = readonly [
  query: string,
  differences: string,
  ...reasons: (readonly [words: string, plan?: Values])[],
];

const texts = scripts.textsOf('en');
/** Words with the labels of the persons in them. */
const labelled = (words: string): string =>
  words.replace(/\{(\w+)\}/g, (_, who) => `${texts('who')}: ${texts(`who.${who}`)}`);

/** The request of a salary. */
const requestOf = (values: Values): TaxRequest =>
  JSON.parse(scripts.bodyOf(calculators['salary']!, values)) as TaxRequest;

/** The values of a salary in a month with its payslip. */
const valuesOf = (query: string): Values =>
  scripts.readQuery(calculators['salary']!, `period=2026-08&${query}`)!.values;

const foundIn = (values: Values) => finished(scripts.reasonsIn(values));

/** The differences of a payslip from the answer, in words. */
const differencesOf = (values: Values): string =>
  scripts.differencesIn(calculateTax(requestOf(values)), values).replaceAll('\u00a0', ' ');

for (const [query, differences, ...expected] of vectors<Payslip>('shown-reasons')) {
  test(`explains a payslip in words, and by a second plan: ${query}`, () => {
    const values = valuesOf(query);
    assert.equal(differencesOf(values), differences);
    const { problems, data: reasons = [] } = foundIn(values);
    assert.deepEqual(problems, []);
    assert.equal(reasons.length, expected.length);
    for (const [at, [words, plan]] of expected.entries()) {
      const { words: shown = '', values: others } = reasons[at] ?? assert.fail(words);
      assert.equal(shown.replaceAll('\u00a0', ' '), labelled(words));
      assert.deepEqual(others, plan && { ...values, ...plan }, words);
      if (others === undefined) continue;
      assert.equal(calculateTax(requestOf(others)).net_income, Number(values['net_income']), words);
    }
  });
}

test('names only those fields that may help and are empty; without one, none', () => {
  const words = (figures: string): string =>
    foundIn(valuesOf(`income=30000000&net_income=24000001${figures}`)).data?.[0]?.words ?? '';
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
    const { data: reasons, problems } = foundIn(valuesOf(query));
    assert.equal(reasons, undefined);
    assert.deepEqual(
      problems.map((problem) => [problem.field, problem.code]),
      [[field, code]],
    );
  }
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
