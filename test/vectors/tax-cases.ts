/**
 * Requests of the tax operation with their results, calculated exactly by scripts that are independent of the service.
 * The amounts of those marked `published` also stand in published examples.
 */
import type { TaxRequest } from '../../src/tax/tax.ts';

/** The amounts of a result that a case states, in whole đồng. */
export interface Expected {
  readonly gross?: number;
  readonly insurance?: number;
  readonly taxable?: number;
  readonly tax?: number;
  readonly net: number;
  /** The contributions of the employer: social, health and unemployment insurance, and the trade-union fund if asked. */
  readonly employer?: readonly number[];
  readonly employerTotal?: number;
}

export const TAX_CASES: readonly (readonly [request: TaxRequest, expected: Expected, origin?: 'published'])[] = [
  [{ income: 30_000_000, period: '2026-03', taxation: 'non_resident', foreigner: true },
    { insurance: 2_850_000, taxable: 30_000_000, tax: 6_000_000, net: 21_150_000, employer: [5_250_000, 900_000, 0] },
    'published'],
  [{ income: 20_000_000, period: '2026-03', foreigner: true },
    { insurance: 1_900_000, taxable: 2_600_000, tax: 130_000, net: 17_970_000, employerTotal: 4_100_000 }, 'published'],
  [{ income: 10_000_000, period: '2026-03', taxation: 'short_term' },
    { insurance: 1_050_000, taxable: 10_000_000, tax: 1_000_000, net: 7_950_000 }, 'published'],
  [{ income: 2_000_000, period: '2025-12', taxation: 'short_term', insurance_salary: 0 },
    { insurance: 0, taxable: 2_000_000, tax: 200_000, net: 1_800_000 }, 'published'],
  [{ income: 1_999_999, period: '2025-12', taxation: 'short_term', insurance_salary: 0 },
    { insurance: 0, taxable: 0, tax: 0, net: 1_999_999 }, 'published'],
  [{ income: 5_000_005, period: '2026-08', taxation: 'short_term', insurance_salary: 0 },
    { insurance: 0, taxable: 5_000_005, tax: 500_001, net: 4_500_004 }],
  [{ income: 5_000_000, type: 'net', period: '2026-08', taxation: 'short_term', insurance_salary: 0 },
    { gross: 5_555_556, insurance: 0, taxable: 5_555_556, tax: 555_556, net: 5_000_000 }],
  [{ income: 30_000_000, period: '2018-06', foreigner: true },
    { insurance: 390_000, taxable: 20_610_000, tax: 2_472_000, net: 27_138_000 }],
  [{ income: 30_000_000, period: '2022-01', foreigner: true },
    { insurance: 2_831_000, taxable: 16_169_000, tax: 1_675_350, net: 25_493_650 }],
  [{ income: 36_450_000, type: 'cost', period: '2026-09' },
    { gross: 30_000_000, employerTotal: 6_450_000, net: 26_215_000 }, 'published'],
  [{ income: 37_050_000, type: 'cost', period: '2026-09', union_fund: true },
    { gross: 30_000_000, employer: [5_250_000, 900_000, 300_000, 600_000], employerTotal: 7_050_000, net: 26_215_000 }],
  [{ income: 50_000_000, type: 'cost', dependents: 1, period: '2026-09', union_fund: true },
    { gross: 40_485_830, employer: [7_085_020, 1_214_575, 404_858, 809_717], employerTotal: 9_514_170, net: 35_281_337 }],
  [{ income: 50_000_000, type: 'cost', period: '2026-09', insurance_salary: 10_000_000 },
    { gross: 47_850_000, employerTotal: 2_150_000, net: 44_040_000 }],
  [{ income: 20_000_000, period: '2026-08', exempt_income: 1_200_000 },
    { insurance: 1_974_000, taxable: 1_326_000, tax: 66_300, net: 17_959_700 }],
  [{ income: 20_000_000, period: '2026-08', exempt_income: 20_000_000 },
    { insurance: 0, taxable: 0, tax: 0, net: 20_000_000 }],
  [{ income: 60_000_000, period: '2026-08', exempt_income: 5_000_000, insurance_salary: 40_000_000 },
    { insurance: 4_200_000, taxable: 35_300_000, tax: 3_560_000, net: 52_240_000 }],
  [{
    income: 30_000_000, period: '2026-08', taxation: 'non_resident', exempt_income: 2_000_000,
    insurance_salary: 0,
  },
  { insurance: 0, taxable: 28_000_000, tax: 5_600_000, net: 24_400_000 }],
  [{ income: 17_959_700, type: 'net', period: '2026-08', exempt_income: 1_200_000 },
    { gross: 20_000_000, net: 17_959_700 }],
  [{ income: 20_000_000, period: '2026-08' }, { net: 17_780_000 }],
  [{ income: 20_000_000, period: '2026-08', insurance_salary: 0, self_deduction: false },
    { insurance: 0, taxable: 20_000_000, tax: 1_500_000, net: 18_500_000 }],
  [{ income: 20_000_000, period: '2026-08', insurance_salary: 0 }, { tax: 225_000, net: 19_775_000 }],
];
