/** The differences between the figures of a source and the calculated ones, also in words. */
import type { TaxResult } from '../tax/contract.ts';
import type { ReconcileResult } from './contract.ts';
import type { ReasonWords } from './reasons.ts';
import type { SourceFigures } from './search.ts';

/** The parts of a difference of the net income, in the order in which the words name them. */
const PARTS = ['insurance', 'tax', 'outside'] as const;

/** The differences of the stated figures from a result, in words as a payslip is compared. */
export function differencesFrom(
  result: TaxResult,
  { net_income, tax, insurance }: SourceFigures,
  inWords: ReasonWords,
): ReconcileResult['differences'] {
  const difference = net_income - result.net_income;
  const found = {
    net_income: difference,
    ...(tax !== undefined && { tax: tax - result.tax }),
    ...(insurance !== undefined && { insurance: insurance - result.insurance.total }),
    ...(tax !== undefined
      && insurance !== undefined && {
        outside: net_income - (result.gross_income - insurance - tax),
      }),
  };
  const parts = PARTS.filter((name) => Object.hasOwn(found, name));
  const named = parts.filter((name) => name !== 'outside' || found.outside !== 0);
  const words = [
    inWords(`difference.${Math.sign(difference)}`, { amount: Math.abs(difference) }),
    named.map((name) => inWords(`difference.${name}`, { change: found[name] })).join(', '),
  ];
  return { ...found, words: words.filter(Boolean).join(': ') };
}
