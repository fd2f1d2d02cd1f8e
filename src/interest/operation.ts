import { operation, type Operation } from '../contract/operation.ts';
import { interestRequest, interestResult } from './contract.ts';
import { calculateInterest } from './interest.ts';

/** POST /api/v1/interest/calculate */
export const interestOperation: Operation = operation({
  path: '/api/v1/interest/calculate',
  summary: 'Compound interest and growth of a principal with monthly deposits',
  body: 'fields',
  request: interestRequest,
  result: interestResult,
  example: {
    request: { principal: 100_000_000, monthly_deposit: 5_000_000, annual_rate: 8.5, years: 1.5 },
    result: {
      initial_principal: 100_000_000,
      monthly_deposit: 5_000_000,
      annual_rate_percent: 8.5,
      years: 1.5,
      final_balance: 209_176_447.85,
      total_deposited: 190_000_000,
      total_profit: 19_176_447.85,
      effective_annual_rate: 8.839091,
      timeline: [
        { year: 1, total_balance: 171_232_671.22, total_deposited: 160_000_000, total_interest: 11_232_671.22 },
        { year: 1.5, total_balance: 209_176_447.85, total_deposited: 190_000_000, total_interest: 19_176_447.85 },
      ],
    },
  },
  calculate: calculateInterest,
});
