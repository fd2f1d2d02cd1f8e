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
  readonly employer_bhxh?: number;
  readonly employer_bhyt?: number;
  readonly employer_bhtn?: number;
  /** Sum of the contributions of the employer, with the trade-union fund if the request has it. */
  readonly employer_total?: number;
  readonly union_fund?: number;
  readonly cost?: number;
}

/** Examples by their source. */
type Sources<Example> = Readonly<Record<string, readonly Example[]>>;

/** A payment to someone without a labour contract. */
const CASUAL = { taxation: 'short_term', bhxh: false, bhyt: false, bhtn: false } as const;

/** A payment to a non-resident without compulsory insurance. */
const NON_RESIDENT = { taxation: 'non_resident', insurance_salary: 0 } as const;

/** A taxable income without insurance and deductions, as a table of the tax states it. */
const TAXABLE = { insurance_salary: 0, self_deduction: false } as const;

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
  'github.com/DongThin/my-love-e2e-testing, test/net.test.js of 2024-04': [
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
  'github.com/DongThin/my-love-e2e-testing, calcTaxes.test.js': [
    [{ income: 9_000_000, period: '2023-07', ...TAXABLE }, { tax: 650_000 }],
    [{ income: 12_000_000, period: '2023-07', ...TAXABLE }, { tax: 1_050_000 }],
    [{ income: 29_000_000, period: '2023-07', ...TAXABLE }, { tax: 4_150_000 }],
    [{ income: 54_880_000, period: '2023-07', ...TAXABLE }, { tax: 10_614_000 }],
    [{ income: 84_644_000, period: '2023-07', ...TAXABLE }, { tax: 19_775_400 }],
    [{ income: 983_562_000, period: '2023-07', ...TAXABLE }, { tax: 334_396_700 }],
  ],
  'github.com/DongThin/my-love-e2e-testing, calcInsuranceDetails.test.js': [
    // The source sets a base salary of 1,490,000 and the minimum wages of 2020-01 to 2022-06.
    [{ income: 88_888_888, period: '2021-06' },
      { bhxh: 2_384_000, bhyt: 447_000, bhtn: 884_000, insurance_total: 3_715_000 }],
    [{ income: 88_888_888, period: '2021-06', region: 2 },
      { bhtn: 784_000, insurance_total: 3_615_000 }],
    [{ income: 88_888_888, period: '2021-06', region: 3 },
      { bhtn: 686_000, insurance_total: 3_517_000 }],
    [{ income: 88_888_888, period: '2021-06', region: 4 },
      { bhtn: 614_000, insurance_total: 3_445_000 }],
    [{ income: 29_900_000, period: '2023-07' },
      { bhxh: 2_392_000, bhyt: 448_500, bhtn: 299_000, insurance_total: 3_139_500 }],
    [{ income: 93_600_000, period: '2023-07' },
      { bhxh: 2_880_000, bhyt: 540_000, bhtn: 936_000, insurance_total: 4_356_000 }],
    [{ income: 93_678_123, period: '2023-07', region: 2 },
      { bhtn: 832_000, insurance_total: 4_252_000 }],
    [{ income: 95_000_000, period: '2023-07', region: 3 },
      { bhtn: 728_000, insurance_total: 4_148_000 }],
    [{ income: 95_000_000, period: '2023-07', region: 4 },
      { bhtn: 650_000, insurance_total: 4_070_000 }],
  ],
  'github.com/DongThin/my-love-e2e-testing, calcTotalInsurance.test.js': [
    // The gross income that the source finds is that of a net income and its tax.
    [{ income: 121_284_154, period: '2025-06' }, { insurance_total: 5_438_000 }],
    [{ income: 121_174_154, period: '2025-06', region: 2 }, { insurance_total: 5_328_000 }],
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
    // Overtime is exempt.
    [{ income: 25_000_000, period: '2026-08', exempt_income: 5_000_000 },
      { insurance_total: 2_100_000, taxable_income: 2_400_000, tax: 120_000 }],
    [{ income: 8_000_000, period: '2026-08', ...CASUAL }, { tax: 800_000 }],
  ],
  'github.com/dinhkhanh/suzu.one, src/modules/payroll/engine/golden/ and net-to-gross.test.ts': [
    // 01: meals and telephone are exempt.
    [{
      income: 32_230_000, period: '2026-08', exempt_income: 1_230_000,
      insurance_salary: 30_000_000,
    },
    {
      gross_income: 32_230_000, bhxh: 2_400_000, bhyt: 450_000, bhtn: 300_000,
      insurance_total: 3_150_000, taxable_income: 12_350_000, tax: 735_000,
      net_income: 28_345_000, employer_bhxh: 5_250_000, employer_bhyt: 900_000,
      employer_bhtn: 300_000, employer_total: 6_450_000, cost: 38_680_000,
    }],
    [{ income: 80_000_000, dependents: 2, period: '2026-08' },
      {
        bhxh: 4_048_000, bhyt: 759_000, bhtn: 800_000, insurance_total: 5_607_000,
        taxable_income: 46_493_000, tax: 5_798_600, net_income: 68_594_400,
        employer_bhxh: 8_855_000, employer_bhyt: 1_518_000, employer_bhtn: 800_000,
        employer_total: 11_173_000, cost: 91_173_000,
      }],
    [{ income: 15_000_000, period: '2026-08', ...CASUAL },
      { insurance_total: 0, tax: 1_500_000, net_income: 13_500_000 }],
    // 05: with the commitment 08/CK-TNCN, nothing is withheld.
    [{ income: 15_000_000, period: '2026-08', taxation: 'short_term', exempt_income: 15_000_000 },
      { gross_income: 15_000_000, tax: 0, net_income: 15_000_000 }],
    // 06: the employee joins on the 17th; the insurance is that of a whole month.
    [{ income: 15_000_000, period: '2026-08', insurance_salary: 30_000_000 },
      {
        bhxh: 2_400_000, bhyt: 450_000, bhtn: 300_000, insurance_total: 3_150_000,
        taxable_income: 0, tax: 0, net_income: 11_850_000,
      }],
    // 07: the employee leaves on the 7th; 17 days without pay leave the month without insurance.
    [{ income: 6_818_182, period: '2026-08', insurance_salary: 0 },
      {
        insurance_total: 0, taxable_income: 0, tax: 0, net_income: 6_818_182, employer_total: 0,
      }],
    // 08 and 09: 10 and 14 days of unpaid leave.
    [{ income: 16_363_636, period: '2026-08', insurance_salary: 30_000_000 },
      { bhxh: 2_400_000, insurance_total: 3_150_000, tax: 0, net_income: 13_213_636 }],
    [{ income: 10_909_091, period: '2026-08', insurance_salary: 0 },
      { insurance_total: 0, net_income: 10_909_091, employer_total: 0 }],
    // 10: the source exempts the part of overtime and night work above ordinary pay.
    [{
      income: 27_987_500, period: '2026-08', exempt_income: 2_987_500,
      insurance_salary: 22_000_000,
    },
    {
      gross_income: 27_987_500, insurance_total: 2_310_000, taxable_income: 7_190_000,
      tax: 359_500, net_income: 25_318_000, employer_total: 4_730_000,
    }],
    // 11: a union member; the source then subtracts dues of 253,000 from the net income.
    [{ income: 40_000_000, dependents: 2, period: '2026-08', union_fund: true },
      {
        insurance_total: 4_200_000, taxable_income: 7_900_000, tax: 395_000, union_fund: 800_000,
        cost: 49_400_000,
      }],
    [{ income: 50_000_000, period: '2026-08', taxation: 'non_resident', foreigner: true },
      {
        bhxh: 4_000_000, bhyt: 750_000, bhtn: 0, insurance_total: 4_750_000, tax: 10_000_000,
        net_income: 35_250_000, employer_bhxh: 8_750_000, employer_bhyt: 1_500_000,
        employer_bhtn: 0, employer_total: 10_250_000,
      }],
    // 16: a salary of 30,000,000, and a bonus of 20,000,000 in a payroll run of its own.
    [{ income: 50_000_000, period: '2026-08', insurance_salary: 30_000_000 },
      { insurance_total: 3_150_000, taxable_income: 31_350_000, tax: 2_770_000 }],
    [{ income: 30_000_000, period: '2026-08', voluntary_pension: 1_000_000 },
      {
        insurance_total: 3_150_000, taxable_income: 10_350_000, tax: 535_000,
        net_income: 26_315_000,
      }],
    [{ income: 18_000_000, type: 'net', period: '2026-08', ...CASUAL },
      { gross_income: 20_000_000, net_income: 18_000_000 }],
  ],
  'github.com/googlesky/thue-2026, scripts/golden/salary-slip.ts': [
    [{ income: 60_000_000, period: '2025-12' }, { insurance_total: 5_046_000, tax: 7_738_500 }],
    [{ income: 60_000_000, period: '2026-03' },
      { bhxh: 3_744_000, bhyt: 702_000, tax: 4_390_800 }],
    [{ income: 60_000_000, period: '2026-09' },
      { bhxh: 4_048_000, bhyt: 759_000, tax: 4_318_600 }],
    // A bonus of 10,000,000; overtime of 6,000,000 that the source taxes in full.
    [{ income: 70_000_000, period: '2026-09', insurance_salary: 60_000_000 },
      { insurance_total: 5_407_000, tax: 6_318_600 }],
    [{ income: 66_000_000, period: '2025-12', insurance_salary: 60_000_000 }, { tax: 9_238_500 }],
    // Meals and telephone are exempt.
    [{
      income: 63_500_000, period: '2026-09', exempt_income: 1_700_000,
      insurance_salary: 60_000_000,
    },
    { tax: 4_678_600 }],
    [{ income: 60_000_000, period: '2026-09', insurance_salary: 5_000_000 },
      { insurance_total: 525_000, tax: 5_295_000 }],
    [{ income: 60_000_000, period: '2026-09', voluntary_pension: 5_000_000 }, { tax: 3_718_600 }],
  ],
  'github.com/googlesky/thue-2026, scripts/golden/optimization-tips.ts': [
    [{ income: 300_000_000, dependents: 1, period: '2026-09' },
      { insurance_total: 5_869_000, taxable_income: 272_431_000, tax: 80_850_850 }],
    [{ income: 30_000_000, dependents: 1, period: '2026-09' },
      { taxable_income: 5_150_000, tax: 257_500 }],
    [{ income: 30_000_000, period: '2026-09', voluntary_pension: 3_000_000 },
      { taxable_income: 8_350_000, tax: 417_500 }],
    [{ income: 45_000_000, period: '2026-09', voluntary_pension: 1_000_000 },
      { taxable_income: 23_775_000, tax: 1_877_500 }],
    [{ income: 45_000_000, period: '2026-09', voluntary_pension: 3_000_000 },
      { taxable_income: 21_775_000, tax: 1_677_500 }],
    [{ income: 30_000_000, period: '2026-09', insurance_salary: 5_000_000 },
      { insurance_total: 525_000, taxable_income: 13_975_000, tax: 897_500 }],
    [{ income: 30_000_000, dependents: 1, period: '2026-09', insurance_salary: 5_000_000 },
      { taxable_income: 7_775_000, tax: 388_750 }],
  ],
  'github.com/googlesky/thue-2026, scripts/golden/bonus.ts': [
    [{ income: 60_000_000, period: '2026-12', insurance_salary: 30_000_000 }, { tax: 4_770_000 }],
    [{ income: 120_000_000, period: '2026-12', insurance_salary: 30_000_000 },
      { taxable_income: 101_350_000, tax: 20_972_500 }],
    [{ income: 60_000_000, period: '2026-12', insurance_salary: 10_000_000 },
      { taxable_income: 43_450_000 }],
  ],
  'github.com/googlesky/thue-2026, scripts/golden/employer-insurance.ts': [
    [{ income: 60_000_000, period: '2026-09', union_fund: true },
      { union_fund: 1_012_000, employer_total: 11_985_000, cost: 71_985_000 }],
    [{
      income: 30_000_000, dependents: 1, period: '2026-09', insurance_salary: 10_000_000,
      union_fund: true,
    },
    { insurance_total: 1_050_000, tax: 362_500, union_fund: 200_000 }],
    [{ income: 20_000_000, period: '2026-09' },
      { insurance_total: 2_100_000, employer_total: 4_300_000 }],
  ],
  'github.com/googlesky/thue-2026, scripts/golden/withholding.ts and foreigner-treaty.ts': [
    [{ income: 5_000_000, period: '2026-09', ...CASUAL }, { tax: 500_000 }],
    [{ income: 4_999_999, period: '2026-09', ...CASUAL }, { tax: 0 }],
    [{ income: 10_000_000, period: '2026-09', ...NON_RESIDENT }, { tax: 2_000_000 }],
    [{ income: 50_000_000, period: '2026-09', ...NON_RESIDENT }, { tax: 10_000_000 }],
    [{ income: 33_333_333, period: '2026-09', ...NON_RESIDENT }, { tax: 6_666_667 }],
    // A salary of 100,000,000, and the taxed part of the housing that the employer pays.
    [{ income: 115_000_000, period: '2026-09', ...NON_RESIDENT },
      { taxable_income: 115_000_000, tax: 23_000_000 }],
    [{ income: 110_000_000, period: '2026-09', foreigner: true, insurance_salary: 0 },
      { taxable_income: 94_500_000, tax: 18_850_000 }],
    [{ income: 115_000_000, period: '2026-09', foreigner: true, insurance_salary: 0 },
      { taxable_income: 99_500_000, tax: 20_350_000 }],
  ],
  'github.com/googlesky/thue-2026, scripts/golden/overtime.ts': [
    // 40 hours of overtime at 150 % of the hourly rate, 1/208 of the salary, are exempt.
    [{
      income: 25_769_231, period: '2026-08', exempt_income: 5_769_231,
      insurance_salary: 20_000_000,
    },
    { insurance_total: 2_100_000, tax: 120_000 }],
    [{
      income: 77_307_692, period: '2026-08', exempt_income: 17_307_692,
      insurance_salary: 60_000_000,
    },
    { insurance_total: 5_407_000, tax: 4_318_600 }],
    [{ income: 20_000_000, period: '2026-08', insurance_salary: 0 },
      { insurance_total: 0, tax: 225_000 }],
  ],
  'github.com/googlesky/thue-2026, scripts/golden/monthly-planner.ts': [
    // A bonus of 30,000,000 in January.
    [{ income: 60_000_000, period: '2026-01', insurance_salary: 30_000_000 },
      { insurance_total: 3_150_000, taxable_income: 41_350_000, tax: 4_770_000 }],
    [{ income: 30_000_000, period: '2026-02' }, { taxable_income: 11_350_000, tax: 635_000 }],
    // Overtime of 10,000,000 is exempt and not insured.
    [{ income: 40_000_000, period: '2026-01', exempt_income: 10_000_000 },
      {
        gross_income: 40_000_000, insurance_total: 3_150_000, tax: 635_000,
        net_income: 36_215_000,
      }],
    [{ income: 60_000_000, period: '2026-01' }, { insurance_total: 5_046_000 }],
    [{ income: 60_000_000, period: '2026-07' }, { insurance_total: 5_407_000 }],
    [{ income: 60_000_000, period: '2027-01' }, { insurance_total: 5_407_000 }],
    [{ income: 40_000_000, period: '2026-01', insurance_salary: 10_000_000 },
      { taxable_income: 23_450_000, tax: 1_845_000 }],
    [{ income: 30_000_000, period: '2026-01', insurance_salary: 10_000_000 },
      { insurance_total: 1_050_000 }],
    // A taxed allowance of 2,000,000 is not insured.
    [{ income: 32_000_000, period: '2026-01', insurance_salary: 30_000_000 },
      { insurance_total: 3_150_000, tax: 835_000 }],
  ],
  'github.com/googlesky/thue-2026, scripts/golden/engine.ts': [
    // Meals of 2,000,000, of which 1,200,000 are exempt: 800,000 more are taxed than without them.
    [{
      income: 32_000_000, period: '2026-09', exempt_income: 1_200_000,
      insurance_salary: 30_000_000,
    },
    { taxable_income: 12_150_000, tax: 715_000, net_income: 28_135_000 }],
    [{ income: 60_000_000, period: '2025-06' }, { insurance_total: 5_046_000 }],
    [{ income: 150_000_000, period: '2025-06' }, { bhtn: 992_000 }],
  ],
  'github.com/oronculzac/vietnam-pit-calculator, tests/unit/calculator.test.ts': [
    [{ income: 20_000_000, period: '2026-03', insurance_salary: 0 }, { tax: 225_000 }],
    [{ income: 30_000_000, dependents: 2, period: '2026-03', insurance_salary: 0 },
      { tax: 105_000 }],
    [{ income: 10_000_000, period: '2026-03', insurance_salary: 0 }, { tax: 0 }],
    [{ income: 25_000_000, period: '2026-03', insurance_salary: 0 }, { tax: 475_000 }],
    [{ income: 50_000_000, period: '2026-03', ...NON_RESIDENT }, { tax: 10_000_000 }],
    [{ income: 5_000_000, period: '2026-03', ...CASUAL }, { tax: 500_000 }],
  ],
  'github.com/oronculzac/vietnam-pit-calculator, docs/50-cases.txt': [
    // T-011 to T-019: the bounds of the brackets.
    [{ income: 24_500_000, period: '2026-03', insurance_salary: 0 },
      { taxable_income: 9_000_000, tax: 450_000 }],
    [{ income: 25_500_000, period: '2026-03', insurance_salary: 0 },
      { taxable_income: 10_000_000, tax: 500_000 }],
    [{ income: 25_600_000, period: '2026-03', insurance_salary: 0 },
      { taxable_income: 10_100_000, tax: 510_000 }],
    [{ income: 45_500_000, period: '2026-03', insurance_salary: 0 },
      { taxable_income: 30_000_000, tax: 2_500_000 }],
    [{ income: 45_600_000, period: '2026-03', insurance_salary: 0 },
      { taxable_income: 30_100_000, tax: 2_520_000 }],
    // T-016 and T-019 have the same total: a salary alone, and 55,500,000 with a bonus.
    [{ income: 75_500_000, period: '2026-03', insurance_salary: 0 },
      { taxable_income: 60_000_000, tax: 8_500_000 }],
    [{ income: 115_500_000, period: '2026-03', insurance_salary: 0 },
      { taxable_income: 100_000_000, tax: 20_500_000 }],
    [{ income: 135_500_000, period: '2026-03', insurance_salary: 0 },
      { taxable_income: 120_000_000, tax: 27_500_000 }],
    // D-021 to D-023: the same taxable income with 0, 1 and 2 dependents.
    [{ income: 40_500_000, period: '2026-03', insurance_salary: 0 },
      { taxable_income: 25_000_000, tax: 2_000_000 }],
    [{ income: 46_700_000, dependents: 1, period: '2026-03', insurance_salary: 0 },
      { taxable_income: 25_000_000, tax: 2_000_000 }],
    [{ income: 52_900_000, dependents: 2, period: '2026-03', insurance_salary: 0 },
      { taxable_income: 25_000_000, tax: 2_000_000 }],
    // D-030: 30,000,000 and 20,000,000 from two employers.
    [{ income: 50_000_000, period: '2026-03', insurance_salary: 0 },
      { taxable_income: 34_500_000, tax: 3_400_000 }],
    [{ income: 60_000_000, period: '2026-03', ...NON_RESIDENT }, { tax: 12_000_000 }],
    // N-035: overtime is exempt.
    [{ income: 40_000_000, period: '2026-03', exempt_income: 1_000_000, ...NON_RESIDENT },
      { taxable_income: 39_000_000, tax: 7_800_000 }],
    [{ income: 20_000_000, period: '2026-03', ...NON_RESIDENT }, { tax: 4_000_000 }],
    [{ income: 30_000_000, dependents: 2, period: '2026-03', ...NON_RESIDENT },
      { tax: 6_000_000 }],
    [{ income: 1_900_000, period: '2026-03', ...CASUAL }, { tax: 0 }],
    [{ income: 20_000_000, period: '2026-03', ...CASUAL }, { tax: 2_000_000 }],
    [{ income: 10_000_000, period: '2026-03', ...CASUAL }, { tax: 1_000_000 }],
    // E-050: allowances of 3,000,000 are taxed, and those of 2,000,000 are exempt.
    [{ income: 45_000_000, period: '2026-03', exempt_income: 2_000_000, insurance_salary: 0 },
      { taxable_income: 27_500_000, tax: 2_250_000 }],
  ],
  'a public repository: tests of calculatePayroll, "contract W5"': [
    [{ income: 200_000_000, period: '2026-03' },
      {
        bhxh: 3_744_000, bhyt: 702_000, bhtn: 1_062_000, insurance_total: 5_508_000,
        taxable_income: 178_992_000, tax: 48_147_200, net_income: 146_344_800,
      }],
    [{ income: 200_000_000, region: 4, period: '2026-03' }, { bhtn: 740_000 }],
    [{ income: 400_000_000, period: '2026-03' }, { insurance_total: 5_508_000 }],
    [{ income: 10_000_000_000, period: '2026-03' }, { insurance_total: 5_508_000 }],
    [{ income: 8_000_000, period: '2026-03' },
      { insurance_total: 840_000, taxable_income: 0, tax: 0, net_income: 7_160_000 }],
    [{ income: 1_000_000, period: '2026-03' }, { tax: 0, net_income: 895_000 }],
    [{ income: 30_000_000, period: '2026-03', insurance_salary: 10_000_000 },
      {
        insurance_total: 1_050_000, taxable_income: 13_450_000, tax: 845_000,
        net_income: 28_105_000,
      }],
    [{ income: 28_105_000, type: 'net', period: '2026-03', insurance_salary: 10_000_000 },
      { gross_income: 30_000_000 }],
    [{ income: 200_000_000, period: '2026-08' }, { bhxh: 4_048_000, bhyt: 759_000 }],
  ],
  'github.com/dteedee/QuangHuongComputer, PayrollTaxCalculatorTests of the backend': [
    // TV1: 1,000,000 for meals and 649,035 of overtime are exempt.
    [{
      income: 10_649_035, dependents: 1, period: '2026-09', paid_in: '2026-10',
      exempt_income: 1_649_035, insurance_salary: 9_000_000, union_fund: true,
    },
    {
      gross_income: 10_649_035, bhxh: 720_000, bhyt: 135_000, bhtn: 90_000,
      insurance_total: 945_000, tax: 0, net_income: 9_704_035, employer_bhxh: 1_575_000,
      employer_bhyt: 270_000, employer_bhtn: 90_000, union_fund: 180_000, cost: 12_764_035,
    }],
    [{
      income: 65_000_000, dependents: 2, period: '2026-09', paid_in: '2026-10',
      insurance_salary: 60_000_000, union_fund: true,
    },
    {
      employer_bhxh: 8_855_000, employer_bhyt: 1_518_000, employer_bhtn: 600_000,
      union_fund: 1_012_000,
    }],
    [{
      income: 65_000_000, dependents: 2, period: '2026-06', paid_in: '2026-07',
      insurance_salary: 60_000_000,
    },
    {
      bhxh: 3_744_000, bhyt: 702_000, bhtn: 600_000, taxable_income: 32_054_000, tax: 2_910_800,
      net_income: 57_043_200,
    }],
    // TV3: probation under a contract of its own, for a month and for half a month.
    [{ income: 8_500_000, period: '2026-09', paid_in: '2026-10', ...CASUAL },
      { insurance_total: 0, tax: 850_000, net_income: 7_650_000, employer_total: 0 }],
    [{ income: 4_250_000, period: '2026-09', paid_in: '2026-10', ...CASUAL }, { tax: 0 }],
    // TV4: the month of payment selects the tax.
    [{ income: 30_000_000, period: '2025-11', paid_in: '2025-12' },
      {
        insurance_total: 3_150_000, taxable_income: 15_850_000, tax: 1_627_500,
        net_income: 25_222_500,
      }],
    [{ income: 30_000_000, period: '2025-12', paid_in: '2026-01' },
      {
        insurance_total: 3_150_000, taxable_income: 11_350_000, tax: 635_000,
        net_income: 26_215_000,
      }],
    // TV5: probation within a contract of twelve months.
    [{ income: 8_500_000, period: '2026-09', paid_in: '2026-10' },
      { bhxh: 680_000, bhyt: 127_500, bhtn: 85_000, insurance_total: 892_500, tax: 0 }],
    [{ income: 4_000_000, period: '2026-09', paid_in: '2026-10', insurance_salary: 0 },
      { bhxh: 0, bhyt: 0, bhtn: 0 }],
    [{ income: 30_000_000, period: '2026-09', paid_in: '2026-10', taxation: 'non_resident' },
      { tax: 6_000_000 }],
  ],
  'github.com/dteedee/QuangHuongComputer, Domain/Accounting/VietnameseTaxEnginePitTests.cs': [
    [{ income: 5_000_000, period: '2025-06', insurance_salary: 0 }, { tax: 0 }],
    [{ income: 12_000_000, period: '2025-06', insurance_salary: 0 }, { tax: 50_000 }],
    [{ income: 20_000_000, period: '2025-06', insurance_salary: 0 },
      { tax: 650_000, net_income: 19_350_000 }],
    [{ income: 35_000_000, period: '2025-06', insurance_salary: 0 }, { tax: 3_150_000 }],
    [{ income: 60_000_000, period: '2025-06', insurance_salary: 0 }, { tax: 9_000_000 }],
    [{ income: 90_000_000, period: '2025-06', insurance_salary: 0 }, { tax: 17_850_000 }],
    [{ income: 150_000_000, period: '2025-06', insurance_salary: 0 }, { tax: 38_800_000 }],
    [{ income: 11_000_000, period: '2025-06', insurance_salary: 0 },
      { taxable_income: 0, tax: 0, net_income: 11_000_000 }],
    // The upper bounds of the seven brackets.
    [{ income: 16_000_000, period: '2025-06', insurance_salary: 0 }, { tax: 250_000 }],
    [{ income: 21_000_000, period: '2025-06', insurance_salary: 0 }, { tax: 750_000 }],
    [{ income: 29_000_000, period: '2025-06', insurance_salary: 0 }, { tax: 1_950_000 }],
    [{ income: 43_000_000, period: '2025-06', insurance_salary: 0 }, { tax: 4_750_000 }],
    [{ income: 63_000_000, period: '2025-06', insurance_salary: 0 }, { tax: 9_750_000 }],
    [{ income: 91_000_000, period: '2025-06', insurance_salary: 0 }, { tax: 18_150_000 }],
    [{ income: 20_000_000, dependents: 1, period: '2025-06', insurance_salary: 0 },
      { tax: 230_000 }],
    [{ income: 35_000_000, dependents: 1, period: '2025-06', insurance_salary: 0 },
      { tax: 2_270_000 }],
    [{ income: 30_000_000, dependents: 2, period: '2025-06', insurance_salary: 0 },
      { tax: 780_000 }],
    [{ income: 20_000_000, dependents: 3, period: '2025-06', insurance_salary: 0 }, { tax: 0 }],
    [{ income: 30_000_000, period: '2025-06' },
      { insurance_total: 3_150_000, taxable_income: 15_850_000, tax: 1_627_500 }],
  ],
  'github.com/dteedee/QuangHuongComputer, VietnameseTaxEngineInsuranceTests.cs': [
    [{ income: 20_000_000, period: '2025-06' },
      {
        bhxh: 1_600_000, bhyt: 300_000, bhtn: 200_000, insurance_total: 2_100_000,
        employer_bhxh: 3_500_000, employer_bhyt: 600_000, employer_bhtn: 200_000,
        employer_total: 4_300_000,
      }],
    [{ income: 60_000_000, period: '2025-06' },
      {
        bhxh: 3_744_000, bhyt: 702_000, bhtn: 600_000, insurance_total: 5_046_000,
        taxable_income: 43_954_000, tax: 7_738_500, net_income: 47_215_500,
        employer_bhxh: 8_190_000, employer_bhyt: 1_404_000,
      }],
    [{ income: 100_000_000, period: '2025-06' },
      { bhxh: 3_744_000, bhyt: 702_000, bhtn: 992_000 }],
    [{ income: 46_800_000, period: '2025-06' }, { bhxh: 3_744_000 }],
    [{ income: 80_000_000, period: '2025-06', region: 4 }, { bhtn: 690_000 }],
    [{ income: 0, period: '2025-06' }, { insurance_total: 0, employer_total: 0 }],
    [{ income: 25_000_000, dependents: 1, period: '2025-06' },
      {
        insurance_total: 2_625_000, taxable_income: 6_975_000, tax: 447_500,
        net_income: 21_927_500,
      }],
    [{ income: 25_000_000, period: '2025-06' }, { employer_total: 5_375_000, cost: 30_375_000 }],
  ],
  'github.com/kataro92/KSalaryInsights, "October business improvement acceptance"': [
    // Meals and other allowances are exempt.
    [{
      income: 30_000_000, period: '2026-07', exempt_income: 1_700_000,
      insurance_salary: 30_000_000, voluntary_pension: 5_000_000,
    },
    { taxable_income: 6_650_000 }],
  ],
  'a public repository: page on gross and net salaries, October 2026': [
    [{ income: 100_000_000, dependents: 1, period: '2026-10' },
      {
        bhxh: 4_048_000, bhyt: 759_000, bhtn: 1_000_000, insurance_total: 5_807_000,
        taxable_income: 72_493_000, tax: 12_247_900, net_income: 81_945_100,
      }],
  ],
  'a public repository: tests of calculateGrossToNet and calculateVietnamInsurance': [
    [{ income: 30_000_000, period: '2026-09', insurance_salary: 30_000_000 },
      {
        bhxh: 2_400_000, bhyt: 450_000, bhtn: 300_000, insurance_total: 3_150_000,
        taxable_income: 11_350_000, tax: 635_000, net_income: 26_215_000,
        employer_total: 6_450_000, cost: 36_450_000,
      }],
  ],
  'a public repository: tests of a tax calculator, with allowances and trade-union dues': [
    // Overtime is exempt, and an allowance of 2,000,000 is not insured.
    [{
      income: 27_000_000, period: '2026-08', exempt_income: 5_000_000,
      insurance_salary: 20_000_000,
    },
      { insurance_total: 2_100_000, taxable_income: 4_400_000, tax: 220_000 }],
  ],
  'a public repository: tests of Tax.calculate': [
    [{ income: 50_000_000, dependents: 1, period: '2026-03' },
      { insurance_total: 4_946_000, tax: 1_835_400 }],
  ],
  'github.com/tridinhbui/tu-hoc-cong-nghe, tests of lib/vn-income-tax.ts': [
    [{ income: 30_000_000, period: '2025-06' },
      { insurance_total: 3_150_000, taxable_income: 15_850_000, tax: 1_627_500 }],
    [{ income: 12_000_000, period: '2025-06' }, { tax: 0 }],
    [{ income: 30_000_000, period: '2026-03' }, { taxable_income: 11_350_000, tax: 635_000 }],
    [{ income: 45_000_000, period: '2026-03' },
      { insurance_total: 4_725_000, taxable_income: 24_775_000, tax: 1_977_500 }],
  ],
  'github.com/PhamVanPhuc2k2/manage, tests of the payroll': [
    // 11 of 22 days of work; the insurance is that of a whole month.
    [{ income: 11_000_000, period: '2025-06', insurance_salary: 22_000_000 },
      { insurance_total: 2_310_000 }],
  ],
  'github.com/thangtd-0050/pit, tests/unit/tax.test.ts': [
    [{ income: 10_000_000, dependents: 2, period: '2025-06' },
      { insurance_total: 1_050_000, tax: 0, net_income: 8_950_000 }],
    [{ income: 10_000_001, period: '2025-06' },
      { bhxh: 800_000, bhyt: 150_000, bhtn: 100_000 }],
    [{ income: 30_000_000, dependents: 2, period: '2025-06' },
      {
        insurance_total: 3_150_000, taxable_income: 7_050_000, tax: 455_000,
        net_income: 26_395_000,
      }],
    [{ income: 60_000_000, dependents: 2, period: '2025-06' }, { insurance_total: 5_046_000 }],
    [{ income: 100_000_000, dependents: 2, period: '2025-06' }, { insurance_total: 5_438_000 }],
    [{ income: 4_960_000, period: '2025-06' },
      { bhxh: 396_800, bhyt: 74_400, bhtn: 49_600, insurance_total: 520_800 }],
    // The bounds of the seven and of the five brackets, and an amount above the last of them.
    [{ income: 5_000_000, period: '2025-06', ...TAXABLE }, { tax: 250_000 }],
    [{ income: 7_850_000, period: '2025-06', ...TAXABLE }, { tax: 535_000 }],
    [{ income: 10_000_000, period: '2025-06', ...TAXABLE }, { tax: 750_000 }],
    [{ income: 18_000_000, period: '2025-06', ...TAXABLE }, { tax: 1_950_000 }],
    [{ income: 32_000_000, period: '2025-06', ...TAXABLE }, { tax: 4_750_000 }],
    [{ income: 52_000_000, period: '2025-06', ...TAXABLE }, { tax: 9_750_000 }],
    [{ income: 80_000_000, period: '2025-06', ...TAXABLE }, { tax: 18_150_000 }],
    [{ income: 100_000_000, period: '2025-06', ...TAXABLE }, { tax: 25_150_000 }],
    [{ income: 10_000_000, period: '2026-03', ...TAXABLE }, { tax: 500_000 }],
    [{ income: 30_000_000, period: '2026-03', ...TAXABLE }, { tax: 2_500_000 }],
    [{ income: 60_000_000, period: '2026-03', ...TAXABLE }, { tax: 8_500_000 }],
    [{ income: 100_000_000, period: '2026-03', ...TAXABLE }, { tax: 20_500_000 }],
    [{ income: 150_000_000, period: '2026-03', ...TAXABLE }, { tax: 38_000_000 }],
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
  'Official Letter 12495/BTC-TCT of 2014-09, quoted by afo.edu.vn': [
    // The law of 2014-09 is that of 2015-01, the first month of the tables.
    [{ income: 182_750_000, type: 'net', period: '2015-01', insurance_salary: 0 },
      { taxable_income: 252_150_000 },
      { taxable_income: 252_153_846 },
      'The source rounds to ten thousand đồng.'],
  ],
  'github.com/oronculzac/vietnam-pit-calculator, docs/50-cases.txt, W-040 and W-041': [
    [{ income: 2_000_000, period: '2026-03', ...CASUAL }, { tax: 200_000 }, { tax: 0 },
      'The source keeps the threshold of 2,000,000 in 2026.'],
    [{ income: 3_000_000, period: '2026-03', ...CASUAL }, { tax: 300_000 }, { tax: 0 },
      'The source keeps the threshold of 2,000,000 in 2026, also for a contract of two months.'],
  ],
  'github.com/tanloc-98/demo-scale-ai, HR-008 Compliance Tests': [
    [{ income: 15_000_000, period: '2026-05' },
      { tax: 121_250, net_income: 13_303_750 },
      { tax: 0, net_income: 13_425_000 },
      'The source withholds by the brackets and the deductions of 2025 until 2026-06.'],
  ],
  'a public repository: tests of a tax calculator, with trade-union dues': [
    [{ income: 60_000_000, dependents: 1, period: '2026-08' },
      { net_income: 51_261_400 },
      { net_income: 51_514_400 },
      'The source subtracts the trade-union dues of the employee, 253,000.'],
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
  'github.com/kataro92/KSalaryInsights, "October business improvement acceptance"': [
    // A pension of 5,000,000 in six months, each up to the monthly limit.
    [{
      year: 2026, income: 360_000_000, insurance: 37_800_000, dependent_months: 6,
      voluntary_pension: 18_000_000, charity: 1_000_000, medical: 30_000_000,
      education: 30_000_000,
    },
    { taxable_income: 33_000_000, tax: 1_650_000 }],
    // Two salaries after their insurance.
    [{ year: 2026, income: 322_200_000, medical: 30_000_000, education: 30_000_000 },
      { tax: 4_460_000 }],
  ],
  'github.com/googlesky/thue-2026, scripts/golden/annual-settlement.ts': [
    [{ year: 2026, income: 360_000_000, insurance: 37_800_000 },
      { taxable_income: 136_200_000, tax: 7_620_000 }],
    [{
      year: 2026, income: 360_000_000, insurance: 37_800_000, voluntary_pension: 50_000_000,
      charity: 1_000_000, medical: 30_000_000, education: 10_000_000,
    },
    { taxable_income: 66_200_000, tax: 3_310_000 }],
    [{ year: 2025, income: 360_000_000, insurance: 37_800_000 },
      { taxable_income: 190_200_000, tax: 19_530_000 }],
    // A dependent from July on.
    [{ year: 2026, income: 360_000_000, insurance: 37_800_000, dependent_months: 6 },
      { taxable_income: 99_000_000, tax: 4_950_000 }],
    // The source waives these two balances, which are at most 50,000, but not the third.
    [{ year: 2026, income: 360_000_000, insurance: 37_800_000, withheld: 7_580_000 },
      { tax: 7_620_000, balance: 40_000 }],
    [{ year: 2026, income: 360_000_000, insurance: 37_800_000, withheld: 7_670_000 },
      { tax: 7_620_000, balance: -50_000 }],
    [{ year: 2026, income: 360_000_000, insurance: 37_800_000, withheld: 7_670_001 },
      { tax: 7_620_000, balance: -50_001 }],
    [{ year: 2026, income: 2_400_000_000, insurance: 68_262_000 },
      { taxable_income: 2_145_738_000, tax: 577_008_300 }],
  ],
  'github.com/googlesky/thue-2026, scripts/golden/multi-source-income.ts': [
    [{ year: 2026, income: 720_000_000, insurance: 62_718_000 },
      { taxable_income: 471_282_000, tax: 52_256_400 }],
    // Payments without a labour contract; then a salary with such payments.
    [{ year: 2026, income: 500_000_000 }, { tax: 25_400_000 }],
    [{ year: 2026, income: 460_000_000, insurance: 37_800_000 }, { tax: 17_620_000 }],
    [{
      year: 2026, income: 720_000_000, insurance: 62_718_000, voluntary_pension: 100_000_000,
    },
    { tax: 45_056_400 }],
    [{
      year: 2025, income: 360_000_000, insurance: 37_800_000, voluntary_pension: 100_000_000,
    },
    { tax: 17_730_000 }],
    [{ year: 2026, income: 360_000_000, insurance: 37_800_000, charity: 12_000_000 },
      { tax: 6_420_000 }],
    [{ year: 2026, income: 360_000_000 }, { tax: 11_400_000 }],
    [{ year: 2026, income: 420_000_000, insurance: 37_800_000 }, { tax: 13_620_000 }],
  ],
  'github.com/googlesky/thue-2026, scripts/golden/bonus.ts': [
    [{ year: 2026, income: 150_000_000, insurance: 12_600_000 }, { tax: 0 }],
    [{
      year: 2026, income: 390_000_000, insurance: 37_800_000, voluntary_pension: 120_000_000,
    },
    { taxable_income: 130_200_000, tax: 7_020_000 }],
    [{
      year: 2025, income: 390_000_000, insurance: 37_800_000, voluntary_pension: 120_000_000,
    },
    { tax: 22_230_000 }],
  ],
  // A bonus of half a month, one month, one and a half and three months; two months of 60,000,000.
  'github.com/googlesky/thue-2026, scripts/golden/salary-comparison.ts': [
    [{ year: 2026, income: 375_000_000, insurance: 37_800_000 }, { tax: 9_120_000 }],
    [{ year: 2026, income: 390_000_000, insurance: 37_800_000 }, { tax: 10_620_000 }],
    [{ year: 2026, income: 405_000_000, insurance: 37_800_000 }, { tax: 12_120_000 }],
    [{ year: 2026, income: 450_000_000, insurance: 37_800_000 }, { tax: 16_620_000 }],
    [{ year: 2026, income: 840_000_000, insurance: 64_884_000 }, { tax: 75_823_200 }],
    [{ year: 2026, income: 390_000_000, insurance: 12_600_000 }, { tax: 13_140_000 }],
  ],
  // Twelve months and their settlement: a bonus in January, equal months, and a bonus on a low salary.
  'github.com/googlesky/thue-2026, scripts/golden/monthly-planner.ts': [
    [{ year: 2026, income: 390_000_000, insurance: 37_800_000, withheld: 11_755_000 },
      { taxable_income: 166_200_000, tax: 10_620_000, balance: -1_135_000 }],
    [{ year: 2026, income: 360_000_000, insurance: 37_800_000, withheld: 7_620_000 },
      { tax: 7_620_000, balance: 0 }],
    [{ year: 2026, income: 150_000_000, insurance: 12_600_000, withheld: 1_845_000 },
      { tax: 0, balance: -1_845_000 }],
    [{ year: 2026, income: 360_000_000, insurance: 37_800_000, dependent_months: 12 },
      { tax: 3_090_000 }],
  ],
  'github.com/googlesky/thue-2026, scripts/golden/yearly-comparison.ts': [
    [{ year: 2025, income: 390_000_000, insurance: 37_800_000 },
      { taxable_income: 220_200_000, tax: 24_240_000 }],
    [{ year: 2026, income: 390_000_000, insurance: 37_800_000, dependent_months: 12 },
      { taxable_income: 91_800_000, tax: 4_590_000 }],
    // A taxable income of 120,000,000.
    [{ year: 2026, income: 306_000_000 }, { taxable_income: 120_000_000, tax: 6_000_000 }],
    // Two years, with the bonus of the first deferred to the second.
    [{ year: 2025, income: 360_000_000, insurance: 37_800_000 },
      { taxable_income: 190_200_000, tax: 19_530_000 }],
    [{ year: 2026, income: 420_000_000, insurance: 37_800_000 },
      { taxable_income: 196_200_000, tax: 13_620_000 }],
  ],
  'github.com/oronculzac/vietnam-pit-calculator, docs/50-cases.txt, D-029': [
    [{ year: 2026, income: 486_000_000 }, { tax: 24_000_000 }],
  ],
};
