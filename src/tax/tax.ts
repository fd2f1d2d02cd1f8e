/** The operation on a monthly salary. */
import { type Failure, outOfRange } from '../contract/failure.ts';
import { type Context, operation } from '../contract/operation.ts';
import { type Input, parse } from '../contract/schema.ts';
import { assess } from './assessment.ts';
import {
  OTHER_PURPOSES,
  taxRequest,
  type TaxRequestValue,
  type TaxResult,
  taxResult,
} from './contract.ts';
import { employerOn, grossWithin } from './cost.ts';
import { detailOf } from './detail.ts';
import { grossUp } from './gross-up.ts';
import { type Law, lawOf } from './law.ts';
import { periodAt } from './period.ts';

/** A salary and what determines its insurance and tax, in đồng per month. */
export type TaxRequest = Input<typeof taxRequest>;

/**
 * Calculates insurance, tax and net salary of a month; without a `period`, of the current month in Vietnam. Throws a
 * Failure (`validation_failed`) for an invalid request, and another one (`internal_error`) if it needs the current
 * month and the clock is before the law tables.
 *
 * @example
 * calculateTax({ income: 30_000_000, dependents: 1, period: '2026-08' }).net_income; // 26592500
 */
export function calculateTax(request: TaxRequest): TaxResult {
  return calculateSalary(parse(taxRequest, request), { currentPeriod: periodAt });
}

function calculateSalary(
  request: TaxRequestValue,
  { currentPeriod }: Pick<Context, 'currentPeriod'>,
): TaxResult {
  const { region, period = currentPeriod() } = request;
  const law = lawOf(period, region, request);
  const gross = grossOf(request, law);
  if (gross < 0) {
    const { cost } = employerOn(0, request, law);
    const least = `at least the contributions of the employer, ${cost}`;
    throw outOfRange('income', `${least}, got ${request.income}`);
  }
  const { exempt_income = 0 } = request;
  if (exempt_income > gross) {
    const most = `at most the gross income, ${gross}`;
    throw outOfRange('exempt_income', `${most}, got ${exempt_income}`);
  }
  const result = assess(gross, request, law);
  if (result.net_income < 0) throw tooLittle(result, request);
  return request.detail ? { ...result, detail: detailOf(result, request, law) } : result;
}

/** The gross income of a request, which may state a net income or a cost; -1 if no gross costs so little. */
export function grossOf(request: TaxRequestValue, law: Law): number {
  const { income, type } = request;
  if (type === 'gross') return income;
  if (type === 'net') return grossUp(income, (gross) => assess(gross, request, law).net_income);
  return grossWithin(income, (gross) => employerOn(gross, request, law).cost);
}

/** Contributions on a separate salary can exceed the income; so can the sum of them and a flat tax. */
function tooLittle(result: TaxResult, { type }: TaxRequestValue): Failure {
  const { gross_income, insurance, tax } = result;
  const charges = tax > 0 ? 'contributions and tax' : 'contributions';
  const income = type === 'cost' ? 'gross income' : 'income';
  return outOfRange(
    'insurance_salary',
    `a salary whose ${charges} are at most the ${income} of `
      + `${gross_income}; they are ${insurance.total + tax}`,
  );
}

/**
 * Writes the result as JSON, without inherited members. The numbers need no escaping. With JSON.stringify, a request
 * would take up to 3 % longer, and a bulk line 30 %.
 */
function writeTax(result: TaxResult): string {
  const { insurance, deductions } = result;
  return (
    `{"gross_income":${result.gross_income},"insurance":{"bhxh":${insurance.bhxh},`
    + `"bhyt":${insurance.bhyt},"bhtn":${insurance.bhtn},"total":${insurance.total}},`
    + `"deductions":{"self":${deductions.self},"dependents":${deductions.dependents},`
    + `"total":${deductions.total}}${further(result, 'exempt_income')}`
    + `${further(result, 'voluntary_pension')},"taxable_income":${result.taxable_income},`
    + `"tax":${result.tax},"net_income":${result.net_income}${further(result, 'detail')}}`
  );
}

/** Writes a member that a result may lack. The comparison with undefined is cheaper than Object.hasOwn. */
function further(result: TaxResult, name: keyof TaxResult): string {
  const isPresent = result[name] !== undefined && Object.hasOwn(result, name);
  return isPresent ? `,"${name}":${JSON.stringify(result[name])}` : '';
}

export const taxOperation = operation({
  id: 'calculateTax',
  path: '/api/v1/tax/calculate',
  summary: 'Calculate salary tax',
  description:
    'Calculates the personal income tax, the insurance contributions and the net or gross salary '
    + 'of one month in Vietnam. Gross is the salary before the contributions of the employee and '
    + 'the tax; net is the rest; cost is the gross with the contributions of the employer, which '
    + '`detail` shows. From a net, the gross is the smallest that leaves exactly this net; from a '
    + 'cost, it is the largest whose cost is at most `income`. The net of a bonus is that of the '
    + `month with it minus that without it. ${OTHER_PURPOSES}`,
  method: 'POST',
  request: taxRequest,
  result: taxResult,
  examples: {
    'from gross to net': { income: 30_000_000, dependents: 1, period: '2026-08' },
    'from net to gross, with every detail': {
      income: 40_000_000,
      type: 'net',
      period: '2026-08',
      insurance_salary: 10_000_000,
      detail: true,
    },
    'from the budget of the employer': {
      income: 50_000_000,
      type: 'cost',
      dependents: 1,
      period: '2026-09',
    },
    'a foreigner and non-resident, paid a month later': {
      income: 30_000_000,
      taxation: 'non_resident',
      foreigner: true,
      insurance_salary: 30_000_000,
      period: '2026-06',
      paid_in: '2026-07',
    },
    'a pensioner at work, with tax-free meals and a life insurance': {
      income: 40_000_000,
      exempt_income: 1_200_000,
      bhxh: false,
      bhyt: false,
      bhtn: false,
      voluntary_pension: 4_000_000,
      period: '2026-08',
    },
  },
  invalidExamples: {
    'an income that is a string, and an unknown field': { income: '30000000', dependant: 1 },
    'a flat tax without an insured salary, and no salary month': {
      income: 30_000_000,
      taxation: 'short_term',
      paid_in: '2026-08',
    },
    'contributions above the income': {
      income: 1_000_000,
      insurance_salary: 40_000_000,
      period: '2026-08',
    },
    'contributions and tax above the income': {
      income: 5_000_000,
      insurance_salary: 40_000_000,
      taxation: 'non_resident',
      period: '2026-08',
    },
    'exempt income above the gross income': {
      income: 1_000_000,
      exempt_income: 1_200_000,
      period: '2026-08',
    },
    'a cost below the contributions': {
      income: 1_000_000,
      type: 'cost',
      insurance_salary: 40_000_000,
      period: '2026-08',
    },
  },
  calculate: calculateSalary,
  write: writeTax,
});
