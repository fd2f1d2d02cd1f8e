/**
 * The words in which an answer to an assistant states its case. A field whose default may differ from the question has
 * words, which name the usual case of the default. They are apart from the checks, because only MCP needs them.
 */
import type { CaseWords, Operation } from '../contract/operation.ts';
import { interestRequest } from '../interest/contract.ts';
import { annualRequest } from '../tax/annual-contract.ts';
import { taxRequest } from '../tax/contract.ts';
import { REVIEWED_THROUGH } from '../tax/law.ts';

const ALL_TAXED = 'all taxed income, as in a full month without bonus, 13th month or pension';

const salary: CaseWords<typeof taxRequest.fields> = {
  income: () => 'amounts in đồng (VND) per month',
  type: (kind) => `${kind} income${kind === 'cost' ? ', by default with the union fund' : ''}`,
  dependents: (count) => `dependents: ${count}`,
  taxation: (kind) => (kind === 'progressive' ? 'a contract of three months or more' : `${kind}`),
  foreigner: (isForeigner) => (isForeigner ? 'a foreigner' : 'a Vietnamese citizen'),
  period: (month, currentPeriod) => `month ${reviewed(month ?? currentPeriod())}`,
  paid_in: (month = 'the same month') => `paid in ${month}`,
  region: (number) => `region ${number}`,
  insurance_salary: (amount) => `insured salary: ${amount ?? ALL_TAXED}`,
  exempt_income: (amount) => (amount ? `${amount} tax-free` : 'no tax-free overtime or meals'),
  self_deduction: (isUsed) => `personal deduction ${isUsed ? 'not ' : ''}used elsewhere`,
};

const year: CaseWords<typeof annualRequest.fields> = {
  year: (number) => `year ${reviewed(String(number))}`,
  income: () => 'amounts in đồng (VND) of the year',
  insurance: (total) => `contributions of ${total} to the insurance`,
  dependent_months: (months) => `${months} months of dependents`,
  self_months: (months) => `${months} months of the personal deduction`,
};

const plan: CaseWords<typeof interestRequest.fields> = {
  annual_rate: () => 'any currency, at a nominal rate per year',
  compounding: (kind) => `interest added ${String(kind).replace('_', ' ')}`,
  deposit_timing: (end) => `deposits at the ${end} of each month`,
};

const CASE_WORDS: Readonly<Record<string, Operation['caseWords']>> = {
  calculateTax: salary,
  settleYear: year,
  reconcileTax: salary,
  calculateInterest: plan,
  solveInterest: plan,
};

/** Adds the words of an operation, if it has some. */
export function withCaseWords(operation: Operation): Operation {
  return { ...operation, caseWords: CASE_WORDS[operation.id] };
}

/** A month or a year, with the last review of the law if that is earlier. */
function reviewed(time: string): string {
  const isLater = time > REVIEWED_THROUGH.slice(0, time.length);
  return isLater ? `${time}, after the last review of the law in ${REVIEWED_THROUGH}` : time;
}
