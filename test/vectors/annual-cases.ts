/**
 * Requests of the annual settlement with their results, calculated exactly by scripts that are independent of the
 * service. The amounts of those marked `published` also stand in published examples.
 */
import type { AnnualRequest } from '../../src/tax/annual.ts';

/** The amounts of a settlement, in whole đồng. */
export interface Settled {
  readonly deductions: number;
  readonly taxable: number;
  readonly tax: number;
  readonly balance: number;
}

export const ANNUAL_CASES: readonly (readonly [request: AnnualRequest, settled: Settled, origin?: 'published'])[] = [
  [{ year: 2026, income: 360_000_000, insurance: 37_800_000, dependent_months: 12 },
    { deductions: 298_200_000, taxable: 61_800_000, tax: 3_090_000, balance: 3_090_000 }, 'published'],
  [{ year: 2026, income: 660_000_000, insurance: 64_200_000, withheld: 28_980_000 },
    { deductions: 250_200_000, taxable: 409_800_000, tax: 39_960_000, balance: 10_980_000 }, 'published'],
  // Eleven ordinary months and one with a bonus of a month's salary.
  [{ year: 2026, income: 13 * 30_000_000, insurance: 37_800_000, withheld: 11_755_000 },
    { deductions: 223_800_000, taxable: 166_200_000, tax: 10_620_000, balance: -1_135_000 }],
  [{ year: 2020, income: 300_000_000, insurance: 20_000_000, dependent_months: 12, withheld: 5_000_000 },
    { deductions: 204_800_000, taxable: 95_200_000, tax: 6_520_000, balance: 1_520_000 }],
  [{
    year: 2026, income: 600_000_000, insurance: 60_000_000, voluntary_pension: 50_000_000, medical: 30_000_000,
    education: 30_000_000, charity: 5_000_000,
  }, { deductions: 334_000_000, taxable: 266_000_000, tax: 20_600_000, balance: 20_600_000 }],
  [{ year: 2026, income: 186_000_010 }, { deductions: 186_000_000, taxable: 10, tax: 1, balance: 1 }],
];
