/**
 * Worked examples of salaries and years that other people have published: in the test suites of
 * open calculators, in guides, and in a payroll specification. They are evidence from outside that
 * others read the rules as the service does. Of some sources, only a description is known.
 */
import type { AnnualRequest } from '../../src/tax/annual.ts';
import type { TaxRequest } from '../../src/tax/tax.ts';

/** The amounts that a source states, in whole đồng. */
export interface Stated {
  readonly gross_income?: number;
  readonly bhxh?: number;
  readonly bhyt?: number;
  readonly bhtn?: number;
  /** Sum of the three contributions. */
  readonly insurance_total?: number;
  /** Own deduction and that for dependents. */
  readonly deductions_total?: number;
  readonly taxable_income?: number;
  readonly tax?: number;
  readonly net_income?: number;
}

/** Examples by their source. */
type Sources<Example> = Readonly<Record<string, readonly Example[]>>;

/** A payment to someone without a labour contract. */
const CASUAL = { taxation: 'short_term', bhxh: false, bhyt: false, bhtn: false } as const;

/** Salaries whose stated amounts are those of the service. */
export const PUBLISHED_SALARIES: Sources<readonly [request: TaxRequest, stated: Stated]> = {
  'github.com/HuyHuy0933/CQRS, SalaryCalculator.Core.Test/PayrollReportRecordTest.cs': [
    [{ income: 3_000_000, period: '2020-07' },
      {
        bhxh: 240_000, bhyt: 45_000, bhtn: 30_000, taxable_income: 0, tax: 0,
        net_income: 2_685_000,
      }],
    [{ income: 18_000_000, period: '2020-07' },
      {
        bhxh: 1_440_000, bhyt: 270_000, bhtn: 180_000, deductions_total: 11_000_000,
        taxable_income: 5_110_000, tax: 261_000, net_income: 15_849_000,
      }],
    [{ income: 35_000_000, dependents: 1, period: '2020-07' },
      {
        bhxh: 2_384_000, bhyt: 447_000, bhtn: 350_000, deductions_total: 15_400_000,
        taxable_income: 16_419_000, tax: 1_712_850, net_income: 30_106_150,
      }],
  ],
  'a public repository: tests of src/net.js in Mocha': [
    [{ income: 2_000_000, period: '2023-07' },
      { bhxh: 160_000, bhyt: 30_000, bhtn: 20_000, tax: 0, net_income: 1_790_000 }],
    [{ income: 16_000_000, dependents: 1, period: '2023-07' },
      {
        bhxh: 1_280_000, bhyt: 240_000, bhtn: 160_000, deductions_total: 15_400_000, tax: 0,
        net_income: 14_320_000,
      }],
    [{ income: 16_000_000, dependents: 2, period: '2023-07' },
      {
        bhxh: 1_280_000, bhyt: 240_000, bhtn: 160_000, deductions_total: 19_800_000, tax: 0,
        net_income: 14_320_000,
      }],
    [{ income: 20_000_000, period: '2023-07' },
      { bhxh: 1_600_000, bhyt: 300_000, bhtn: 200_000, tax: 440_000, net_income: 17_460_000 }],
    [{ income: 20_000_000, dependents: 1, period: '2023-07' },
      { taxable_income: 2_500_000, tax: 125_000, net_income: 17_775_000 }],
    [{ income: 20_000_000, dependents: 2, period: '2023-07' },
      { taxable_income: 0, tax: 0, net_income: 17_900_000 }],
    [{ income: 60_900_000, period: '2023-07' },
      {
        bhxh: 2_880_000, bhyt: 540_000, bhtn: 609_000, taxable_income: 45_871_000, tax: 8_217_750,
        net_income: 48_653_250,
      }],
    [{ income: 60_900_000, dependents: 1, period: '2023-07' },
      { taxable_income: 41_471_000, tax: 7_117_750, net_income: 49_753_250 }],
    [{ income: 60_900_000, dependents: 11, period: '2023-07' },
      { taxable_income: 0, net_income: 56_871_000 }],
    [{ income: 68_000_000, dependents: 1, period: '2023-07' },
      { taxable_income: 48_500_000, tax: 8_875_000, net_income: 55_025_000 }],
    [{ income: 70_000_000, period: '2023-07' },
      { taxable_income: 54_880_000, tax: 10_614_000, net_income: 55_266_000 }],
    [{ income: 93_600_000, period: '2023-07' },
      { bhtn: 936_000, taxable_income: 78_244_000, tax: 17_623_200, net_income: 71_620_800 }],
    [{ income: 93_600_000, dependents: 1, period: '2023-07' },
      { taxable_income: 73_844_000, tax: 16_303_200, net_income: 72_940_800 }],
    [{ income: 95_000_000, period: '2023-07' },
      { bhtn: 936_000, taxable_income: 79_644_000, tax: 18_043_200, net_income: 72_600_800 }],
    [{ income: 95_000_000, period: '2023-07', region: 2 },
      { bhtn: 832_000, taxable_income: 79_748_000, tax: 18_074_400, net_income: 72_673_600 }],
    [{ income: 95_000_000, period: '2023-07', region: 3 },
      { bhtn: 728_000, taxable_income: 79_852_000, tax: 18_105_600, net_income: 72_746_400 }],
    [{ income: 95_000_000, period: '2023-07', region: 4 },
      { bhtn: 650_000, taxable_income: 79_930_000, tax: 18_129_000, net_income: 72_801_000 }],
    [{ income: 95_000_000, dependents: 1, period: '2023-07' },
      { taxable_income: 75_244_000, tax: 16_723_200, net_income: 73_920_800 }],
    [{ income: 95_000_000, dependents: 1, period: '2023-07', region: 2 },
      { taxable_income: 75_348_000, tax: 16_754_400, net_income: 73_993_600 }],
    [{ income: 95_000_000, dependents: 1, period: '2023-07', region: 3 },
      { taxable_income: 75_452_000, tax: 16_785_600, net_income: 74_066_400 }],
    [{ income: 95_000_000, dependents: 1, period: '2023-07', region: 4 },
      { taxable_income: 75_530_000, tax: 16_809_000, net_income: 74_121_000 }],
    [{ income: 95_000_000, dependents: 19, period: '2023-07' },
      { taxable_income: 0, net_income: 90_644_000 }],
    [{ income: 95_356_000, period: '2023-07' },
      { taxable_income: 80_000_000, tax: 18_150_000, net_income: 72_850_000 }],
    [{ income: 95_356_000, period: '2023-07', region: 2 },
      { taxable_income: 80_104_000, tax: 18_186_400, net_income: 72_917_600 }],
    [{ income: 95_356_000, period: '2023-07', region: 3 },
      { taxable_income: 80_208_000, tax: 18_222_800, net_income: 72_985_200 }],
    [{ income: 95_356_000, period: '2023-07', region: 4 },
      { taxable_income: 80_286_000, tax: 18_250_100, net_income: 73_035_900 }],
    [{ income: 95_356_000, dependents: 1, period: '2023-07' },
      { taxable_income: 75_600_000, tax: 16_830_000, net_income: 74_170_000 }],
    [{ income: 95_356_000, dependents: 5, period: '2023-07', region: 4 },
      { taxable_income: 58_286_000, tax: 11_635_800, net_income: 79_650_200 }],
    [{ income: 100_000_000, period: '2023-07', region: 4 },
      { taxable_income: 84_930_000, tax: 19_875_500, net_income: 76_054_500 }],
    [{ income: 100_000_000, period: '2023-07', region: 2 },
      { taxable_income: 84_748_000, tax: 19_811_800, net_income: 75_936_200 }],
  ],
  'github.com/sub2pewds12/Gross-to-Net-Converter, tests/': [
    [{ income: 30_000_000, dependents: 1, period: '2025-05' },
      {
        bhxh: 2_400_000, bhyt: 450_000, bhtn: 300_000, insurance_total: 3_150_000,
        taxable_income: 11_450_000, tax: 967_500, net_income: 25_882_500,
      }],
    [{ income: 20_000_000, period: '2025-05' },
      {
        insurance_total: 2_100_000, taxable_income: 6_900_000, tax: 440_000,
        net_income: 17_460_000,
      }],
    [{ income: 100_000_000, dependents: 2, period: '2025-05' },
      {
        bhxh: 3_744_000, bhyt: 702_000, bhtn: 992_000, insurance_total: 5_438_000,
        taxable_income: 74_762_000, tax: 16_578_600, net_income: 77_983_400,
      }],
    [{ income: 4_000_000, period: '2025-05', region: 4 },
      { bhxh: 320_000, bhyt: 60_000, bhtn: 40_000, net_income: 3_580_000 }],
    [{ income: 15_000_000, period: '2025-05' },
      {
        bhxh: 1_200_000, bhyt: 225_000, bhtn: 150_000, taxable_income: 2_425_000, tax: 121_250,
        net_income: 13_303_750,
      }],
  ],
  'a public repository: tests of tinh_luong': [
    [{ income: 20_000_000, period: '2025-06' },
      {
        bhxh: 1_600_000, bhyt: 300_000, bhtn: 200_000, taxable_income: 6_900_000, tax: 440_000,
        net_income: 17_460_000,
      }],
    [{ income: 60_000_000, period: '2025-06' }, { bhxh: 3_744_000, bhyt: 702_000, bhtn: 600_000 }],
    [{ income: 120_000_000, period: '2025-06' }, { bhxh: 3_744_000, bhtn: 992_000 }],
  ],
  'github.com/kataro92/KSalaryInsights, src/__tests__/unit/ and docs/domain/thue-tncn.md': [
    [{ income: 30_000_000, period: '2025-06' },
      {
        bhxh: 2_400_000, bhyt: 450_000, bhtn: 300_000, insurance_total: 3_150_000,
        taxable_income: 15_850_000, tax: 1_627_500, net_income: 25_222_500,
      }],
    [{ income: 30_000_000, period: '2026-03' },
      {
        insurance_total: 3_150_000, taxable_income: 11_350_000, tax: 635_000,
        net_income: 26_215_000,
      }],
    [{ income: 30_000_000, dependents: 2, period: '2026-03' }, { tax: 0, net_income: 26_850_000 }],
    [{ income: 26_215_000, type: 'net', period: '2026-03' }, { gross_income: 30_000_000 }],
    [{ income: 60_000_000, period: '2026-03' },
      { bhxh: 3_744_000, bhyt: 702_000, bhtn: 600_000, insurance_total: 5_046_000 }],
    [{ income: 60_000_000, period: '2026-08' },
      { bhxh: 4_048_000, bhyt: 759_000, bhtn: 600_000, insurance_total: 5_407_000 }],
    [{ income: 30_000_000, period: '2026-03', insurance_salary: 21_000_000 },
      { insurance_total: 2_205_000 }],
    [{ income: 10_000_000, period: '2026-08', ...CASUAL },
      { tax: 1_000_000, net_income: 9_000_000 }],
    [{ income: 4_000_000, period: '2026-08', ...CASUAL }, { tax: 0 }],
    [{ income: 4_000_000, period: '2025-06', ...CASUAL }, { tax: 400_000 }],
  ],
  'a public repository: tests of a tax calculator': [
    [{ income: 30_000_000, period: '2026-08' },
      {
        bhxh: 2_400_000, bhyt: 450_000, bhtn: 300_000, taxable_income: 11_350_000, tax: 635_000,
        net_income: 26_215_000,
      }],
    [{ income: 15_000_000, period: '2026-08' },
      { taxable_income: 0, tax: 0, net_income: 13_425_000 }],
    [{ income: 80_000_000, period: '2026-08', region: 4 },
      { bhtn: 740_000, taxable_income: 58_953_000, tax: 8_290_600, net_income: 66_162_400 }],
    [{ income: 40_000_000, period: '2026-08', insurance_salary: 10_000_000 },
      {
        bhxh: 800_000, bhyt: 150_000, bhtn: 100_000, taxable_income: 23_450_000, tax: 1_845_000,
        net_income: 37_105_000,
      }],
    [{ income: 26_215_000, type: 'net', period: '2026-08' }, { gross_income: 30_000_000 }],
  ],
  'github.com/AZTomiq/ztools.site, tests/features/tax.test.js': [
    [{ income: 20_000_000, period: '2025-06' },
      { insurance_total: 2_100_000, taxable_income: 6_900_000, tax: 440_000 }],
    [{ income: 50_000_000, period: '2025-06' },
      { bhxh: 3_744_000, bhyt: 702_000, bhtn: 500_000, insurance_total: 4_946_000 }],
  ],
  'a public repository: tests of payrollEngine': [
    [{ income: 100_000_000, period: '2025-06' }, { bhxh: 3_744_000, bhyt: 702_000 }],
    [{ income: 200_000_000, period: '2025-06' }, { bhtn: 992_000 }],
  ],
  'a public repository: table of a payroll specification': [
    [{ income: 65_000_000, dependents: 2, period: '2026-09', insurance_salary: 60_000_000 },
      {
        insurance_total: 5_407_000, taxable_income: 31_693_000, tax: 2_838_600,
        net_income: 56_754_400,
      }],
    [{ income: 65_000_000, dependents: 2, period: '2026-06', insurance_salary: 60_000_000 },
      { insurance_total: 5_046_000, tax: 2_910_800, net_income: 57_043_200 }],
    [{ income: 30_000_000, period: '2025-12' }, { tax: 1_627_500, net_income: 25_222_500 }],
    [{ income: 30_000_000, period: '2026-01' }, { tax: 635_000, net_income: 26_215_000 }],
    [{ income: 8_500_000, period: '2026-09' },
      { insurance_total: 892_500, tax: 0, net_income: 7_607_500 }],
  ],
  'a public repository: a test from net to gross': [
    [{ income: 51_514_400, type: 'net', dependents: 1, period: '2026-09' },
      { gross_income: 60_000_000 }],
  ],
  'a public repository: a payroll document that quotes the official table from net to gross': [
    [{
      income: 25_000_000, type: 'net', dependents: 1, period: '2026-06',
      insurance_salary: 25_000_000,
    },
      {
        gross_income: 27_798_684, insurance_total: 2_625_000, taxable_income: 3_473_684,
        tax: 173_684,
      }],
  ],
  'github.com/Anhthai1991/Personal-tax, USER_GUIDE.md': [
    [{ income: 20_000_000, dependents: 1, period: '2025-06' },
      {
        insurance_total: 2_100_000, taxable_income: 2_500_000, tax: 125_000,
        net_income: 17_775_000,
      }],
    [{ income: 30_000_000, dependents: 2, period: '2025-06' },
      { tax: 455_000, net_income: 26_395_000 }],
    [{ income: 20_000_000, dependents: 1, period: '2026-01' }, { tax: 0, net_income: 17_900_000 }],
    [{ income: 30_000_000, dependents: 2, period: '2026-01' }, { tax: 0, net_income: 26_850_000 }],
  ],
  'github.com/RinNguyens/SalaryCalcVN, documentation': [
    [{ income: 25_000_000, dependents: 2, period: '2026-01', insurance_salary: 15_000_000 },
      {
        bhxh: 1_200_000, bhyt: 225_000, bhtn: 150_000, insurance_total: 1_575_000,
        deductions_total: 27_900_000, taxable_income: 0, tax: 0, net_income: 23_425_000,
      }],
    [{ income: 75_000_000, dependents: 2, period: '2026-12', insurance_salary: 15_000_000 },
      { taxable_income: 45_525_000, tax: 5_605_000, net_income: 67_820_000 }],
    [{ income: 15_000_000, period: '2026-01', insurance_salary: 10_000_000 },
      { insurance_total: 1_050_000, net_income: 13_950_000 }],
    [{ income: 35_000_000, period: '2026-01', insurance_salary: 10_000_000 },
      { taxable_income: 18_450_000, tax: 1_345_000, net_income: 32_605_000 }],
    [{ income: 50_000_000, dependents: 3, period: '2026-01', insurance_salary: 30_000_000 },
      {
        insurance_total: 3_150_000, deductions_total: 34_100_000, taxable_income: 12_750_000,
        tax: 775_000, net_income: 46_075_000,
      }],
    [{ income: 150_000_000, dependents: 3, period: '2026-01', insurance_salary: 30_000_000 },
      { taxable_income: 112_750_000, tax: 24_962_500, net_income: 121_887_500 }],
    [{ income: 80_000_000, dependents: 2, period: '2026-01', insurance_salary: 36_000_000 },
      {
        insurance_total: 3_780_000, taxable_income: 48_320_000, tax: 6_164_000,
        net_income: 70_056_000,
      }],
    [{ income: 280_000_000, dependents: 2, period: '2026-01', insurance_salary: 36_000_000 },
      { taxable_income: 248_320_000, tax: 72_412_000, net_income: 203_808_000 }],
    [{ income: 30_000_000, dependents: 2, period: '2025-06' }, { net_income: 26_395_000 }],
    [{ income: 30_000_000, dependents: 2, period: '2026-01' }, { net_income: 26_850_000 }],
  ],
  'github.com/tndvnn/tncn, references/vi-du-tinh-thue.md': [
    [{ income: 25_000_000, dependents: 1, period: '2026-08' },
      { insurance_total: 2_625_000, taxable_income: 675_000, tax: 33_750 }],
    [{ income: 50_000_000, period: '2026-08' },
      {
        bhxh: 4_000_000, bhyt: 750_000, bhtn: 500_000, insurance_total: 5_250_000,
        taxable_income: 29_250_000, tax: 2_425_000,
      }],
    [{ income: 80_000_000, dependents: 1, period: '2026-08' },
      {
        bhxh: 4_048_000, bhyt: 759_000, bhtn: 800_000, insurance_total: 5_607_000,
        deductions_total: 21_700_000, taxable_income: 52_693_000, tax: 7_038_600,
      }],
    // The source has a further 5,000,000 of overtime, which is exempt and not part of the income.
    [{ income: 20_000_000, period: '2026-08' },
      { insurance_total: 2_100_000, taxable_income: 2_400_000, tax: 120_000 }],
    [{ income: 8_000_000, period: '2026-08', ...CASUAL }, { tax: 800_000 }],
  ],
};

/** A salary of which the service returns another amount, with the reason. */
export type Deviation =
  readonly [request: TaxRequest, stated: Stated, returned: Stated, reason: string];

/** Salaries whose stated amounts differ from those of the service. */
export const DEVIATING_SALARIES: Sources<Deviation> = {
  'taxsummaries.pwc.com/vietnam/individual/sample-personal-income-tax-calculation, 2022-07': [
    [{
      income: 90_000_000, type: 'net', dependents: 1, period: '2022-07', insurance_salary: 0,
    },
    { taxable_income: 99_615_385, tax: 25_015_385 },
    { taxable_income: 99_615_384, tax: 25_015_384 },
    'Both gross incomes leave the net income; the service returns the smaller one.'],
  ],
  'github.com/sub2pewds12/Gross-to-Net-Converter, tests/data/data_test_gross_net.csv': [
    [{ income: 3_000_000, region: 4, period: '2025-04' },
      { bhxh: 276_000, bhyt: 51_750, bhtn: 34_500, net_income: 2_637_750 },
      { bhxh: 240_000, bhyt: 45_000, bhtn: 30_000, net_income: 2_685_000 },
      'The source raises the insurance salary to the minimum wage, which the service does not.'],
  ],
  'github.com/Anhthai1991/Personal-tax, USER_GUIDE.md, a salary above the cap': [
    [{ income: 50_000_000, dependents: 2, period: '2025-06' },
      { insurance_total: 5_250_000, taxable_income: 24_950_000, tax: 3_340_000 },
      { insurance_total: 4_946_000, taxable_income: 25_254_000, tax: 3_400_800 },
      'The source does not cap the contributions at 20 times the base salary.'],
  ],
};

/** The amounts of a year that a source states; a balance below 0 is a refund. */
export interface StatedYear {
  readonly taxable_income?: number;
  readonly tax: number;
  readonly balance?: number;
}

/** Years whose stated amounts are those of the service. */
export const PUBLISHED_YEARS: Sources<readonly [request: AnnualRequest, stated: StatedYear]> = {
  'github.com/kataro92/KSalaryInsights, src/__tests__/unit/annualSettlement.test.ts': [
    [{ year: 2025, income: 300_000_000, insurance: 31_500_000, withheld: 16_275_000 },
      { tax: 11_475_000, balance: -4_800_000 }],
    [{ year: 2026, income: 600_000_000, insurance: 37_800_000, withheld: 31_620_000 },
      { tax: 33_240_000, balance: 1_620_000 }],
    [{ year: 2026, income: 240_000_000, insurance: 25_200_000, withheld: 1_440_000 },
      { tax: 1_440_000, balance: 0 }],
    [{ year: 2026, income: 300_000_000, insurance: 25_200_000, withheld: 7_440_000 },
      { tax: 4_440_000, balance: -3_000_000 }],
  ],
  'github.com/tndvnn/tncn, references/vi-du-tinh-thue.md': [
    [{ year: 2026, income: 360_000_000, insurance: 37_800_000, dependent_months: 12 },
      { taxable_income: 61_800_000, tax: 3_090_000 }],
    [{
      year: 2026, income: 360_000_000, insurance: 37_800_000, dependent_months: 12,
      education: 30_000_000, medical: 15_000_000,
    },
    { taxable_income: 22_800_000, tax: 1_140_000 }],
  ],
};
