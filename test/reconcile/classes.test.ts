/** The share of random payslips of each class whose true reason comes first. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { ReconcileResult } from '../../src/reconcile/contract.ts';
import { type ReconcileRequest, reconcileTax } from '../../src/reconcile/reconcile.ts';
import { MINIMUM_WAGE } from '../../src/tax/law.ts';
import { personalValues } from '../../src/tax/persons.ts';
import { type Random, seeded } from '../helpers/random.ts';
import { type Figures, figuresOf } from '../helpers/reconcile-oracle.ts';
import { search } from '../helpers/repository.ts';
import { REGIONS, valueAt } from '../helpers/tax-oracle.ts';

const PERIOD = '2026-08';
const PAYSLIPS = 100;
const { cases, words } = search(PAYSLIPS);

type Fields = Readonly<Record<string, unknown>>;
type Shown = Pick<Figures, 'net_income' | 'tax' | 'insurance'>;

/** A salary as a person enters it. */
interface Salary {
  readonly income: number;
  readonly dependents: number;
  readonly region: (typeof REGIONS)[number];
  readonly period: string;
  readonly insurance_salary?: number;
}

/** The payslips in a hundred with the true reason first, at least, and with a false one first, at most. */
type Shares = readonly [first: number, false: number];

/** The payslips of a class. */
interface Class {
  /** Enters other values than those of a random salary. */
  readonly enter?: (random: Random, salary: Salary) => Salary;
  /** The true reason: the changes of the fields. */
  readonly changes?: (random: Random, salary: Salary) => Fields;
  /** Whether the insured salary is that of the entered salary. */
  readonly isInsuredAlike?: boolean;
  /** The field that a reason has, if several causes lead to no tax, so that the reason is one of those listed. */
  readonly cause?: string;
  /** The amount that the payslip adds besides the insurance and the tax. */
  readonly outside?: (random: Random) => number;
  /** The figures that the payslip shows, if they are not the calculated ones. */
  readonly show?: (figures: Figures, random: Random, salary: Salary) => Shown;
  /** Whether no reason is true. */
  readonly isError?: boolean;
  /** If all three figures are stated; by default, each true reason comes first. */
  readonly all?: Shares;
  /** If the net income alone is stated: one figure may have several causes, and by default, no false one comes first. */
  readonly net?: Shares;
}

const thousands = (amount: number): number => Math.round(amount / 1000) * 1000;

/** The figures with the union dues in the contributions, which may reduce the taxable income. */
const duesInside = (figures: Figures, random: Random): Shown => {
  const insurance = figures.insurance + figures.dues;
  const tax = random.pick([figures.tax, figures.reducedTax]);
  return { insurance, tax, net_income: figures.gross - insurance - tax };
};

/** The pay of a part of the days, or other pay; without a tax, the payslip shows an amount outside. */
const otherPay =
  (payOf: (random: Random, salary: Salary) => number) =>
  (random: Random, salary: Salary): Fields => {
    const income = payOf(random, salary);
    const insurance_salary = salary.insurance_salary ?? salary.income;
    const { tax } = figuresOf({ ...salary, income, insurance_salary })!;
    return tax === figuresOf({ ...salary })!.tax ? { outside: income - salary.income } : { income };
  };

/** A salary without dependents that is taxed for a part of the days and with a dependent, too. */
const enterTaxed = (random: Random, salary: Salary): Salary => ({
  ...salary,
  income: 1e6 * (40 + random.below(40)),
  dependents: 0,
});

/** The pay of all but one to eight days of 26. */
const fewerDays = (random: Random, { income }: Salary): Fields => ({
  income: Math.round(income * (1 - (1 + random.below(8)) / 26)),
});

/** A salary that is taxed without dependents, and tax-free pay or a pension with which it is not. */
const untaxed = (field: string, amountOf: (random: Random, salary: Salary) => number): Class => ({
  enter: (random, salary) => ({ ...salary, income: 1e5 * (175 + random.below(85)), dependents: 0 }),
  changes: (random, salary) => ({ [field]: amountOf(random, salary) }),
  isInsuredAlike: true,
  cause: 'exempt_income',
  net: [0, 100],
});

/** The pay for hours of overtime at one and a half of the pay per hour, in whole đồng. */
const overtimeOn = (income: number, hours: number): number =>
  Math.round((income / 176) * 1.5 * hours);

/** The overtime in a salary that is otherwise whole hundred thousands. */
const overtimeIn = (income: number): number => {
  const hours = Array.from({ length: 37 }, (_, at) => 4 + at);
  const bases = hours.map((count) => Math.round(income / (1 + (1.5 * count) / 176) / 1e5) * 1e5);
  const at = bases.findIndex((base, index) => base + overtimeOn(base, hours[index]!) === income);
  return income - bases[at]!;
};

const dues = (random: Random): Fields => ({ union_dues: random.pick([0.5, 1]) });
const person = (key: string) => (): Fields => personalValues(key, PERIOD);
const partOf = (random: Random, { income }: Salary): number =>
  1e5 * Math.floor((income / 1e5) * (0.3 + 0.6 * random.next()));

/** One of three states that it is insured on a part of the salary. */
const enterPart = (random: Random, salary: Salary): Salary =>
  random.below(3) > 0 ? salary : { ...salary, insurance_salary: partOf(random, salary) };

const CLASSES: Readonly<Record<string, Class>> = {
  // Without the tax and the insurance, an amount outside has no reason, or one by chance.
  advance: { enter: enterPart, outside: (random) => -1e5 * (5 + random.below(30)), net: [0, 1] },
  // A fine may be as high as the union dues.
  fine: {
    enter: enterPart,
    outside: (random) => -1e4 * (5 + random.below(100)),
    all: [99, 1],
    net: [0, 2],
  },
  'meals on top, in money': {
    enter: enterPart,
    outside: (random) => random.pick([730_000, 1_200_000, 25_000 * (10 + random.below(15))]),
  },
  'net rounded to thousands': {
    enter: (random, salary) => ({ ...salary, income: salary.income + random.below(1e5) }),
    show: (figures) => ({ ...figures, net_income: thousands(figures.net_income) }),
    net: [100, 0],
  },
  // A salary above the cap of the insurance, 50,600,000, is not implied.
  'hired on the 16th': {
    enter: (_, salary) => ({ ...salary, income: salary.income / 2 }),
    changes: (_, { income }) => ({ insurance_salary: 2 * income }),
    all: [69, 0],
  },
  // Without a tax, a lower insured salary and a tax-free income have the same figures.
  overtime: {
    changes: (random, { income }) => ({
      exempt_income: thousands(income * (0.02 + 0.2 * random.next())),
    }),
    all: [78, 22],
  },
  'dues outside the insurance': { enter: enterPart, changes: dues, net: [100, 0] },
  // The net alone does not show dues that reduce the tax.
  'dues in the insurance': { changes: dues, show: duesInside, net: [58, 0] },
  'dues in the insurance of a stated salary': {
    enter: (random, salary) => ({ ...salary, insurance_salary: partOf(random, salary) }),
    changes: dues,
    show: duesInside,
    net: [57, 0],
  },
  'insured on a part': {
    changes: (random, salary) => ({ insurance_salary: partOf(random, salary) }),
  },
  'insured on the minimum wage': {
    changes: (_, { region }) => ({ insurance_salary: valueAt(MINIMUM_WAGE, PERIOD)[region] }),
    net: [100, 0],
  },
  'insured on the minimum wage and 7 %': {
    changes: (_, { region }) => ({
      insurance_salary: valueAt(MINIMUM_WAGE, PERIOD)[region] * 1.07,
    }),
  },
  'law of last year': { enter: enterPart, changes: () => ({ period: '2025-12' }), net: [100, 0] },
  // Where one dependent suffices for no tax, it is the first reason.
  'two dependents': {
    enter: (random, salary) => ({ ...enterPart(random, salary), dependents: 0 }),
    changes: () => ({ dependents: 2 }),
    all: [92, 8],
    net: [92, 8],
  },
  // A flat tax and the progressive one may be equal, and both may be 0.
  probation: { changes: person('probation'), net: [98, 2] },
  'second contract': { changes: person('second_job'), all: [99, 1], net: [94, 6] },
  pensioner: { changes: person('pensioner'), all: [94, 6], net: [100, 0] },
  'foreigner for less than 183 days': { changes: person('non_resident'), net: [100, 0] },
  'unpaid days': {
    changes: otherPay((random, { income }) =>
      Math.round(income * (1 - (1 + random.below(13)) / random.pick([22, 26]))),
    ),
    isInsuredAlike: true,
  },
  bonus: {
    changes: otherPay((random, { income }) => income + 1e5 * (5 + random.below(300))),
    isInsuredAlike: true,
  },
  'other pay': {
    changes: otherPay((random, { income }) => thousands(income * (0.6 + 0.8 * random.next()))),
    isInsuredAlike: true,
    net: [0, 2],
  },
  'unpaid days, and a dependent': {
    enter: enterTaxed,
    changes: (random, salary) => ({ ...fewerDays(random, salary), dependents: 1 }),
    isInsuredAlike: true,
  },
  // A tax-free pay and an amount outside, both implied, would explain any figures.
  'error: unpaid days, and dues that the payslip subtracts': {
    enter: enterTaxed,
    changes: fewerDays,
    isInsuredAlike: true,
    show: (figures) => ({ ...figures, net_income: figures.net_income - figures.insured / 200 }),
    isError: true,
    net: [100, 0],
  },
  'other pay, insured': {
    changes: (random, { income }) => ({ income: thousands(income * (0.6 + 0.8 * random.next())) }),
  },
  // A round amount may also be the pay of whole days.
  'pension, which the payslip subtracts': {
    changes: (random, salary) => {
      const paid = 5e5 * (1 + random.below(6));
      const { tax } = figuresOf({ ...salary, voluntary_pension: paid })!;
      const isTaxed = tax !== figuresOf({ ...salary })!.tax;
      return { outside: -paid, ...(isTaxed && { voluntary_pension: paid }) };
    },
    all: [97, 3],
  },
  'no tax: overtime': untaxed('exempt_income', (random, { income }) =>
    Math.round((income / 176) * 1.5 * (4 + random.below(37))),
  ),
  'no tax: leave paid out': untaxed('exempt_income', (random, { income }) =>
    Math.round((income / 22) * (1 + random.below(12))),
  ),
  'no tax: telephone': untaxed('exempt_income', (random) => 1e5 * (3 + random.below(28))),
  'no tax: pension': untaxed('voluntary_pension', (random) => 5e5 * (1 + random.below(6))),
  // The salary of the contract is insured, and the pay of 4 to 40 hours is besides.
  'overtime in đồng': {
    enter: (random, salary) => ({
      ...salary,
      income: salary.income + overtimeOn(salary.income, 4 + random.below(37)),
    }),
    changes: (_, { income }) => ({ exempt_income: overtimeIn(income) }),
    all: [82, 18],
  },
  // An insured salary up to the cap is implied.
  'leaver insured on more': {
    enter: (random, salary) => ({ ...salary, income: 1e5 * (60 + random.below(160)) }),
    changes: (random, { income }) => ({
      taxation: 'short_term',
      insurance_salary: Math.round((income * (1.05 + random.next())) / 1e5) * 1e5,
    }),
  },
  // The tax may be equal to the flat one.
  'error: the tax is on the salary before the insurance': {
    show: ({ insurance }, _, salary) => {
      const { tax, net_income } = figuresOf({ ...salary, insurance_salary: 0 })!;
      return { tax, insurance, net_income: net_income - insurance };
    },
    isError: true,
    all: [98, 2],
    net: [97, 3],
  },
};

function randomSalary(random: Random): Salary {
  return {
    income: random.pick([1e6 * (6 + random.below(75)), 1e5 * (60 + random.below(740))]),
    dependents: random.pick([0, 0, 1, 2]),
    region: random.pick(REGIONS),
    period: PERIOD,
  };
}

/** A request, and the true reason, if it has a field. */
type Payslip = readonly [request: ReconcileRequest, reason: Fields | undefined];

/** A random payslip with all three figures, if these are possible and differ from the answer. */
function randomPayslip(random: Random, group: Class): readonly Payslip[] {
  const drawn = randomSalary(random);
  const salary = group.enter?.(random, drawn) ?? drawn;
  const changes = group.changes?.(random, salary) ?? {};
  const insured = { insurance_salary: salary.insurance_salary ?? salary.income };
  const figures = figuresOf({ ...salary, ...(group.isInsuredAlike && insured), ...changes })!;
  const shown = group.show?.(figures, random, salary) ?? figures;
  const outside = group.outside?.(random) ?? 0;
  const { tax, insurance } = shown;
  const net_income = shown.net_income + outside;
  const own = figuresOf({ ...salary })!;
  const isOwn = net_income === own.net_income && tax === own.tax && insurance === own.insurance;
  if (isOwn || net_income * 1000 < salary.income) return [];
  if (group.cause !== undefined && tax > 0) return [];
  const reason = {
    ...changes,
    ...('union_dues' in changes && { union_dues: figures.dues }),
    ...(outside !== 0 && { outside }),
  };
  const request = { ...salary, net_income, tax, insurance };
  return [[request, group.isError === true ? undefined : reason]];
}

/** The random payslips of a class. */
function payslipsOf(group: Class): readonly Payslip[] {
  const random = seeded(59);
  const payslips: Payslip[] = [];
  while (payslips.length < cases) payslips.push(...randomPayslip(random, group));
  return payslips;
}

/** The changes of an explanation, as fields with values. */
const changesIn = ({ changes }: ReconcileResult['explanations'][number]): Fields =>
  Object.fromEntries(changes.map(({ field, value }) => [field, value]));

const sorted = (fields: Fields | undefined): string =>
  fields === undefined ? 'none' : JSON.stringify(Object.entries(fields).sort());

/** Whether a figure agrees with a stated one: rounded, or after roundings of the contributions. */
const agrees = (figure: number, stated: number): boolean =>
  Math.abs(figure - stated) <= 3 || thousands(figure) === stated;

/** Requires that the explanations have the stated figures, and no insured salary but the stated one. */
function assertNoContradiction(request: ReconcileRequest, { explanations }: ReconcileResult): void {
  for (const explanation of explanations) {
    const text = JSON.stringify([request, explanation]);
    for (const name of ['net_income', 'tax', 'insurance'] as const)
      assert.ok(agrees(explanation[name], request[name] ?? explanation[name]), text);
    const isSalaryStated = request.insurance_salary !== undefined;
    assert.ok(!isSalaryStated || !('insurance_salary' in changesIn(explanation)), text);
  }
}

/** Whether the first reason of a payslip is the true one. */
function outcomeOf(
  [request, reason]: Payslip,
  cause: string | undefined,
): 'true' | 'false' | 'none' {
  const result = reconcileTax(request);
  const [first] = result.explanations;
  if (request.tax !== undefined) assertNoContradiction(request, result);
  const found = sorted(first && changesIn(first));
  if (found === sorted(reason)) return 'true';
  const isCause = (one: Fields): boolean => Object.keys(one).join() === cause;
  if (result.explanations.map(changesIn).some(isCause)) return 'true';
  return first === undefined ? 'none' : 'false';
}

function withoutCharges([request, reason]: Payslip): Payslip {
  const { tax: _, insurance: __, ...alone } = request;
  return [alone, reason];
}

describe(`explains ${words} random payslips per class`, () => {
  for (const [name, group] of Object.entries(CLASSES)) {
    const payslips = payslipsOf(group);
    const check = (given: readonly Payslip[], [least, most]: Shares): void => {
      const outcomes = given.map((payslip) => outcomeOf(payslip, group.cause));
      const count = (kind: string): number => outcomes.filter((outcome) => outcome === kind).length;
      const others = outcomes.length - count('true');
      assert.ok(others <= PAYSLIPS - least, `${others} of ${outcomes.length} are not true`);
      assert.ok(count('false') <= most, `${count('false')} of ${outcomes.length} are false`);
    };
    test(`${name}, with all figures`, () => check(payslips, group.all ?? [100, 0]));
    test(`${name}, with the net alone`, () =>
      check(payslips.map(withoutCharges), group.net ?? [0, 0]));
  }
});
