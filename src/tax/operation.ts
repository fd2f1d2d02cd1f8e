import { operation, type Operation } from '../contract/operation.ts';
import { taxRequest, taxResult } from './contract.ts';
import { calculateTax } from './tax.ts';

/** POST /api/v1/tax/calculate */
export const taxOperation: Operation = operation({
  path: '/api/v1/tax/calculate',
  summary: 'Personal income tax, insurance contributions and net or gross salary of a month in Vietnam',
  body: 'fields',
  request: taxRequest,
  result: taxResult,
  example: {
    request: { income: 30_000_000, dependents: 1, period: '2026-08' },
    result: {
      gross_income: 30_000_000,
      insurance: { bhxh: 2_400_000, bhyt: 450_000, bhtn: 300_000, total: 3_150_000 },
      deductions: { self: 15_500_000, dependents: 6_200_000, total: 21_700_000 },
      taxable_income: 5_150_000,
      tax: 257_500,
      net_income: 26_592_500,
    },
  },
  calculate: (request, { currentPeriod }) => calculateTax(request, request.period ?? currentPeriod()),
});
