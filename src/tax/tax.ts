import { invalid } from '../contract/failure.ts';
import { operation, type Operation } from '../contract/operation.ts';
import { assess, type Assessment } from './assessment.ts';
import { type TaxRequest, taxRequest, type TaxResult, taxResult } from './contract.ts';
import { explain } from './detail.ts';
import { grossUp } from './gross-up.ts';
import { type Law, lawOf } from './law.ts';

/**
 * Takes a salary apart by the law of `period` (YYYY-MM, 2015-01 or later). Throws `validation_failed` where the
 * contributions on a separate insurance salary are more than the income they would be paid from.
 */
export function calculateTax(request: TaxRequest, period: string): TaxResult {
  const { type, dependents, region } = request;
  const law = lawOf(period, region);
  const deductions = deductionsFor(dependents, law);
  const income = Math.round(request.income);
  const insuranceSalary = request.insurance_salary === undefined ? undefined : Math.round(request.insurance_salary);
  const assessGross = (gross: number): Assessment =>
    assess(gross, insuranceSalary ?? gross, deductions.total, law);
  const gross = type === 'gross' ? income : grossUp(income, (candidate) => assessGross(candidate).net);
  const assessment = assessGross(gross);
  const { insurance, taxableIncome, tax, net } = assessment;
  if (insurance.total > gross) {
    const message = `insurance_salary: expected contributions up to the income of ${gross}, got ${insurance.total}`;
    throw invalid([{ field: 'insurance_salary', code: 'out_of_range', message }]);
  }
  const result = {
    gross_income: gross,
    insurance,
    deductions,
    taxable_income: taxableIncome,
    tax,
    net_income: net,
  };
  return request.detail ? { ...result, detail: explain(gross, assessment, law) } : result;
}

function deductionsFor(dependents: number, { deductions: { value } }: Law): TaxResult['deductions'] {
  const forDependents = dependents * value.dependent;
  return { self: value.self, dependents: forDependents, total: value.self + forDependents };
}

/** The result as JSON. Whole numbers are written as they are; JSON.stringify takes longer than the calculation. */
export function writeTax(result: TaxResult): string {
  const { insurance, deductions, detail } = result;
  return `{"gross_income":${result.gross_income},"insurance":{"bhxh":${insurance.bhxh},"bhyt":${insurance.bhyt},`
    + `"bhtn":${insurance.bhtn},"total":${insurance.total}},"deductions":{"self":${deductions.self},`
    + `"dependents":${deductions.dependents},"total":${deductions.total}},"taxable_income":${result.taxable_income},`
    + `"tax":${result.tax},"net_income":${result.net_income}`
    + `${detail === undefined ? '' : `,"detail":${JSON.stringify(detail)}`}}`;
}

/** POST /api/v1/tax/calculate */
export const taxOperation: Operation = operation({
  id: 'calculateTax',
  path: '/api/v1/tax/calculate',
  summary: 'Personal income tax, insurance contributions and net or gross salary of a month in Vietnam',
  description: 'Takes the salary of a resident employee on a labour contract apart by the law of its month. Each '
    + 'contribution is rounded half up to the đồng, the tax once. With `type` "net" it finds the smallest whole gross '
    + 'income that leaves exactly that net.',
  takes: 'fields',
  request: taxRequest,
  result: taxResult,
  examples: {
    'from gross to net': { income: 30_000_000, dependents: 1, period: '2026-08' },
    'from net to gross, with every detail': {
      income: 40_000_000, type: 'net', period: '2026-08', insurance_salary: 10_000_000, detail: true,
    },
  },
  calculate: (request, { currentPeriod }) => calculateTax(request, request.period ?? currentPeriod()),
  write: writeTax,
});
