/** The reasons for a payslip with another net salary than the answer: in words, and as values of a second plan. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { calculateTax, type TaxRequest } from '../../src/tax/tax.ts';
import { calculators, finished, scripts, type Values } from '../helpers/page-scripts.ts';

/** A reason, and the values that its second plan has in place of those of the first; a reason may have no plan. */
type ShownReason = readonly [words: string, plan?: Values];

/** A reason that names who is paid. */
const person = (who: string, plan: Values = {}, rest = ''): ShownReason => {
  const texts = scripts.textsOf('en');
  return [`${texts('who')}: ${texts(`who.${who}`)}${rest}`, { who, ...plan }];
};

/** The salary of a month with the figures of a payslip, the differences, and the reasons. */
const PAYSLIPS: readonly (readonly [
  query: string,
  differences: string,
  ...reasons: ShownReason[],
])[] = [
  [
    'income=20000000&net_income=17780000',
    'The same net salary',
    ['This figure agrees with the answer'],
  ],
  [
    'income=30000000&net_income=26592500&tax=257500&insurance=3150000',
    'The payslip is ₫377,500 higher than the answer: the same insurance, ₫377,500 less tax',
    ['Dependents: 1 instead of 0', { dependents: '1' }],
  ],
  [
    'income=30000000&net_income=28086082&insurance=557550',
    'The payslip is ₫1,871,082 higher than the answer: ₫2,592,450 less insurance',
    [
      'The law of July 2024 to December 2025: personal deduction of ₫11,000,000, '
        + '₫4,400,000 for dependents, 7 brackets; Dependents: 1 instead of 0; Insured on ₫5,310,000',
      { dependents: '1', period: '2025-12', insurance_salary: '5310000' },
    ],
  ],
  // The form has no union dues.
  [
    'income=25000000&net_income=22216250',
    'The payslip is ₫185,000 higher than the answer',
    [
      'Dependents: 1 instead of 0; Union dues of 0.5% of the insured salary, which are not included',
    ],
  ],
  [
    'income=30000000&net_income=25000000&tax=635000&insurance=3150000',
    'The payslip is ₫1,215,000 lower than the answer: the same insurance, the same tax, ₫1,215,000 less besides both',
    [
      '₫1,215,000 less besides insurance and tax, as by an advance, fine or bonus, unpaid days or meals',
    ],
  ],
  // Other pay, and tax-free pay, keep the insured salary; a second plan has all of it.
  [
    'income=22000000&net_income=17580500&tax=109500&insurance=2310000',
    'The payslip is ₫1,900,000 lower than the answer: the same insurance, ₫100,000 less tax, ₫2,000,000 less besides both',
    [
      'The payslip is for ₫20,000,000, as with unpaid days, a bonus or other pay',
      { income: '20000000', insurance_salary: '22000000' },
    ],
  ],
  [
    'income=18700000&net_income=16736500&tax=0&insurance=1963500',
    'The payslip is ₫61,825 higher than the answer: the same insurance, ₫61,825 less tax',
    ['Dependents: 1 or more instead of 0, or tax-free pay, or a pension', { dependents: '1' }],
    [
      'Tax-free pay of ₫1,237,000 or more, as for overtime or leave, or a pension',
      { exempt_income: '1237000', insurance_salary: '18700000' },
    ],
  ],
  [
    'income=1000000&net_income=1000000',
    'The payslip is ₫105,000 higher than the answer',
    person('uninsured', { insurance_salary: '0' }),
    person('pensioner', { insurance_salary: '0' }),
    person('probation'),
    person('freelance'),
    person('foreigner_uninsured', { insurance_salary: '0' }),
    ['The income was taken for net', { type: 'net' }],
  ],
  [
    'income=30000000&who=non_resident&net_income=26215000',
    'The payslip is ₫2,215,000 higher than the answer',
    person('employee', { insurance_salary: '30000000' }, '; Insured on ₫30,000,000'),
  ],
  // A person who is not in the list has fields of its own.
  [
    'income=30000000&who=other&bhtn=false&net_income=26215000',
    'The payslip is ₫270,000 lower than the answer',
    person('employee', { bhtn: 'true' }),
  ],
  // Nobody of the list is insured as a foreigner without a personal deduction.
  [
    'income=30000000&who=foreigner&insurance_salary=30000000&net_income=24935000',
    'The payslip is ₫1,550,000 lower than the answer',
    [
      'No personal deduction, as in a second job',
      { who: 'other', foreigner: 'true', self_deduction: 'false' },
    ],
  ],
  // The insurance is a member of the request that the person excludes.
  [
    'income=20000000&who=second_job&net_income=16610000',
    'The payslip is ₫1,890,000 lower than the answer',
    [
      'Insured on ₫20,000,000',
      { who: 'other', self_deduction: 'false', insurance_salary: '20000000' },
    ],
  ],
  // The person of the reason has no dependents, whose number stays.
  [
    'income=30000000&dependents=1&who=foreigner&net_income=24000000',
    'The payslip is ₫2,877,500 lower than the answer',
    person('non_resident'),
  ],
  ...(
    [
      ['24000001', '2,214,999 lower', 'An advance, a fine or unpaid days may have been subtracted'],
      ['28000001', '1,785,001 higher', 'A bonus or a repayment may have been added'],
    ] as const
  ).map(
    ([net, difference, cause]) =>
      [
        `income=30000000&net_income=${net}`,
        `The payslip is ₫${difference} than the answer`,
        [
          `No usual reason explains this figure. ${cause}; to be sure, enter or correct income tax, `
            + 'employee insurance, insured salary, tax-free part of the salary, voluntary pension, life insurance',
        ],
      ] as const,
  ),
];

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

for (const [query, differences, ...expected] of PAYSLIPS) {
  test(`explains a payslip in words, and by a second plan: ${query}`, () => {
    const values = valuesOf(query);
    assert.equal(differencesOf(values), differences);
    const { problems, data: reasons = [] } = foundIn(values);
    assert.deepEqual(problems, []);
    assert.equal(reasons.length, expected.length);
    for (const [at, [words, plan]] of expected.entries()) {
      const { words: shown = '', values: others } = reasons[at] ?? assert.fail(words);
      assert.equal(shown.replaceAll('\u00a0', ' '), words);
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
