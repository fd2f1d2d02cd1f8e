/**
 * Worked salary examples that other people have published: in the test suites of open calculators, in guides, and in a
 * payroll specification. Each was checked against the law tables before it was taken in. They are evidence from
 * outside that the rules are read here as others read them.
 */

/** What a source states about one salary: only the amounts that it names, in whole đồng. */
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

/** One example; an `insurance_salary` of null means the gross income. */
export interface PublishedExample {
  readonly id: string;
  readonly source: string;
  readonly period: string;
  readonly type: 'gross' | 'net';
  readonly income: number;
  readonly dependents: number;
  readonly region: 1 | 2 | 3 | 4;
  readonly insurance_salary: number | null;
  readonly expected: Stated;
}

export const PUBLISHED_EXAMPLES: readonly PublishedExample[] = [
  {
    id: 's01-01',
    source: 'HuyHuy0933/CQRS SalaryCalculator.Core.Test/PayrollReportRecordTest.cs',
    period: '2020-07', type: 'gross', income: 3_000_000, dependents: 0, region: 1, insurance_salary: null,
    expected: { bhxh: 240_000, bhyt: 45_000, bhtn: 30_000, taxable_income: 0, tax: 0, net_income: 2_685_000 },
  },
  {
    id: 's01-02',
    source: 'HuyHuy0933/CQRS SalaryCalculator.Core.Test/PayrollReportRecordTest.cs',
    period: '2020-07', type: 'gross', income: 18_000_000, dependents: 0, region: 1, insurance_salary: null,
    expected: {
      bhxh: 1_440_000, bhyt: 270_000, bhtn: 180_000, deductions_total: 11_000_000, taxable_income: 5_110_000,
      tax: 261_000, net_income: 15_849_000,
    },
  },
  {
    id: 's01-03',
    source: 'HuyHuy0933/CQRS SalaryCalculator.Core.Test/PayrollReportRecordTest.cs',
    period: '2020-07', type: 'gross', income: 35_000_000, dependents: 1, region: 1, insurance_salary: null,
    expected: {
      bhxh: 2_384_000, bhyt: 447_000, bhtn: 350_000, deductions_total: 15_400_000, taxable_income: 16_419_000,
      tax: 1_712_850, net_income: 30_106_150,
    },
  },
  {
    id: 's02-01',
    source: 'a public repository: mocha suite importing ../src/net.js',
    period: '2023-07', type: 'gross', income: 2_000_000, dependents: 0, region: 1, insurance_salary: null,
    expected: { bhxh: 160_000, bhyt: 30_000, bhtn: 20_000, tax: 0, net_income: 1_790_000 },
  },
  {
    id: 's02-04',
    source: 'a public repository: mocha suite importing ../src/net.js',
    period: '2023-07', type: 'gross', income: 16_000_000, dependents: 1, region: 1, insurance_salary: null,
    expected: {
      bhxh: 1_280_000, bhyt: 240_000, bhtn: 160_000, deductions_total: 15_400_000, tax: 0, net_income: 14_320_000,
    },
  },
  {
    id: 's02-05',
    source: 'a public repository: mocha suite importing ../src/net.js',
    period: '2023-07', type: 'gross', income: 16_000_000, dependents: 2, region: 1, insurance_salary: null,
    expected: {
      bhxh: 1_280_000, bhyt: 240_000, bhtn: 160_000, deductions_total: 19_800_000, tax: 0, net_income: 14_320_000,
    },
  },
  {
    id: 's02-06',
    source: 'a public repository: mocha suite importing ../src/net.js',
    period: '2023-07', type: 'gross', income: 20_000_000, dependents: 0, region: 1, insurance_salary: null,
    expected: { bhxh: 1_600_000, bhyt: 300_000, bhtn: 200_000, tax: 440_000, net_income: 17_460_000 },
  },
  {
    id: 's02-07',
    source: 'a public repository: mocha suite importing ../src/net.js',
    period: '2023-07', type: 'gross', income: 20_000_000, dependents: 1, region: 1, insurance_salary: null,
    expected: { taxable_income: 2_500_000, tax: 125_000, net_income: 17_775_000 },
  },
  {
    id: 's02-08',
    source: 'a public repository: mocha suite importing ../src/net.js',
    period: '2023-07', type: 'gross', income: 20_000_000, dependents: 2, region: 1, insurance_salary: null,
    expected: { taxable_income: 0, tax: 0, net_income: 17_900_000 },
  },
  {
    id: 's02-29',
    source: 'a public repository: mocha suite importing ../src/net.js',
    period: '2023-07', type: 'gross', income: 60_900_000, dependents: 0, region: 1, insurance_salary: null,
    expected: {
      bhxh: 2_880_000, bhyt: 540_000, bhtn: 609_000, taxable_income: 45_871_000, tax: 8_217_750, net_income: 48_653_250,
    },
  },
  {
    id: 's02-30',
    source: 'a public repository: mocha suite importing ../src/net.js',
    period: '2023-07', type: 'gross', income: 60_900_000, dependents: 1, region: 1, insurance_salary: null,
    expected: { taxable_income: 41_471_000, tax: 7_117_750, net_income: 49_753_250 },
  },
  {
    id: 's02-31',
    source: 'a public repository: mocha suite importing ../src/net.js',
    period: '2023-07', type: 'gross', income: 60_900_000, dependents: 11, region: 1, insurance_salary: null,
    expected: { taxable_income: 0, net_income: 56_871_000 },
  },
  {
    id: 's02-33',
    source: 'a public repository: mocha suite importing ../src/net.js',
    period: '2023-07', type: 'gross', income: 68_000_000, dependents: 1, region: 1, insurance_salary: null,
    expected: { taxable_income: 48_500_000, tax: 8_875_000, net_income: 55_025_000 },
  },
  {
    id: 's02-34',
    source: 'a public repository: mocha suite importing ../src/net.js',
    period: '2023-07', type: 'gross', income: 70_000_000, dependents: 0, region: 1, insurance_salary: null,
    expected: { taxable_income: 54_880_000, tax: 10_614_000, net_income: 55_266_000 },
  },
  {
    id: 's02-35',
    source: 'a public repository: mocha suite importing ../src/net.js',
    period: '2023-07', type: 'gross', income: 93_600_000, dependents: 0, region: 1, insurance_salary: null,
    expected: { bhtn: 936_000, taxable_income: 78_244_000, tax: 17_623_200, net_income: 71_620_800 },
  },
  {
    id: 's02-36',
    source: 'a public repository: mocha suite importing ../src/net.js',
    period: '2023-07', type: 'gross', income: 93_600_000, dependents: 1, region: 1, insurance_salary: null,
    expected: { taxable_income: 73_844_000, tax: 16_303_200, net_income: 72_940_800 },
  },
  {
    id: 's02-37',
    source: 'a public repository: mocha suite importing ../src/net.js',
    period: '2023-07', type: 'gross', income: 95_000_000, dependents: 0, region: 1, insurance_salary: null,
    expected: { bhtn: 936_000, taxable_income: 79_644_000, tax: 18_043_200, net_income: 72_600_800 },
  },
  {
    id: 's02-38',
    source: 'a public repository: mocha suite importing ../src/net.js',
    period: '2023-07', type: 'gross', income: 95_000_000, dependents: 0, region: 2, insurance_salary: null,
    expected: { bhtn: 832_000, taxable_income: 79_748_000, tax: 18_074_400, net_income: 72_673_600 },
  },
  {
    id: 's02-39',
    source: 'a public repository: mocha suite importing ../src/net.js',
    period: '2023-07', type: 'gross', income: 95_000_000, dependents: 0, region: 3, insurance_salary: null,
    expected: { bhtn: 728_000, taxable_income: 79_852_000, tax: 18_105_600, net_income: 72_746_400 },
  },
  {
    id: 's02-40',
    source: 'a public repository: mocha suite importing ../src/net.js',
    period: '2023-07', type: 'gross', income: 95_000_000, dependents: 0, region: 4, insurance_salary: null,
    expected: { bhtn: 650_000, taxable_income: 79_930_000, tax: 18_129_000, net_income: 72_801_000 },
  },
  {
    id: 's02-41',
    source: 'a public repository: mocha suite importing ../src/net.js',
    period: '2023-07', type: 'gross', income: 95_000_000, dependents: 1, region: 1, insurance_salary: null,
    expected: { taxable_income: 75_244_000, tax: 16_723_200, net_income: 73_920_800 },
  },
  {
    id: 's02-42',
    source: 'a public repository: mocha suite importing ../src/net.js',
    period: '2023-07', type: 'gross', income: 95_000_000, dependents: 1, region: 2, insurance_salary: null,
    expected: { taxable_income: 75_348_000, tax: 16_754_400, net_income: 73_993_600 },
  },
  {
    id: 's02-43',
    source: 'a public repository: mocha suite importing ../src/net.js',
    period: '2023-07', type: 'gross', income: 95_000_000, dependents: 1, region: 3, insurance_salary: null,
    expected: { taxable_income: 75_452_000, tax: 16_785_600, net_income: 74_066_400 },
  },
  {
    id: 's02-44',
    source: 'a public repository: mocha suite importing ../src/net.js',
    period: '2023-07', type: 'gross', income: 95_000_000, dependents: 1, region: 4, insurance_salary: null,
    expected: { taxable_income: 75_530_000, tax: 16_809_000, net_income: 74_121_000 },
  },
  {
    id: 's02-45',
    source: 'a public repository: mocha suite importing ../src/net.js',
    period: '2023-07', type: 'gross', income: 95_000_000, dependents: 19, region: 1, insurance_salary: null,
    expected: { taxable_income: 0, net_income: 90_644_000 },
  },
  {
    id: 's02-46',
    source: 'a public repository: mocha suite importing ../src/net.js',
    period: '2023-07', type: 'gross', income: 95_356_000, dependents: 0, region: 1, insurance_salary: null,
    expected: { taxable_income: 80_000_000, tax: 18_150_000, net_income: 72_850_000 },
  },
  {
    id: 's02-47',
    source: 'a public repository: mocha suite importing ../src/net.js',
    period: '2023-07', type: 'gross', income: 95_356_000, dependents: 0, region: 2, insurance_salary: null,
    expected: { taxable_income: 80_104_000, tax: 18_186_400, net_income: 72_917_600 },
  },
  {
    id: 's02-48',
    source: 'a public repository: mocha suite importing ../src/net.js',
    period: '2023-07', type: 'gross', income: 95_356_000, dependents: 0, region: 3, insurance_salary: null,
    expected: { taxable_income: 80_208_000, tax: 18_222_800, net_income: 72_985_200 },
  },
  {
    id: 's02-49',
    source: 'a public repository: mocha suite importing ../src/net.js',
    period: '2023-07', type: 'gross', income: 95_356_000, dependents: 0, region: 4, insurance_salary: null,
    expected: { taxable_income: 80_286_000, tax: 18_250_100, net_income: 73_035_900 },
  },
  {
    id: 's02-50',
    source: 'a public repository: mocha suite importing ../src/net.js',
    period: '2023-07', type: 'gross', income: 95_356_000, dependents: 1, region: 1, insurance_salary: null,
    expected: { taxable_income: 75_600_000, tax: 16_830_000, net_income: 74_170_000 },
  },
  {
    id: 's02-51',
    source: 'a public repository: mocha suite importing ../src/net.js',
    period: '2023-07', type: 'gross', income: 95_356_000, dependents: 5, region: 4, insurance_salary: null,
    expected: { taxable_income: 58_286_000, tax: 11_635_800, net_income: 79_650_200 },
  },
  {
    id: 's02-52',
    source: 'a public repository: mocha suite importing ../src/net.js',
    period: '2023-07', type: 'gross', income: 100_000_000, dependents: 0, region: 4, insurance_salary: null,
    expected: { taxable_income: 84_930_000, tax: 19_875_500, net_income: 76_054_500 },
  },
  {
    id: 's02-53',
    source: 'a public repository: mocha suite importing ../src/net.js',
    period: '2023-07', type: 'gross', income: 100_000_000, dependents: 0, region: 2, insurance_salary: null,
    expected: { taxable_income: 84_748_000, tax: 19_811_800, net_income: 75_936_200 },
  },
  {
    id: 's03-01',
    source: 'sub2pewds12/Gross-to-Net-Converter tests/test_calculator.py + tests/data/data_test_gross_net.csv',
    period: '2025-05', type: 'gross', income: 30_000_000, dependents: 1, region: 1, insurance_salary: null,
    expected: {
      bhxh: 2_400_000, bhyt: 450_000, bhtn: 300_000, insurance_total: 3_150_000, taxable_income: 11_450_000,
      tax: 967_500, net_income: 25_882_500,
    },
  },
  {
    id: 's03-02',
    source: 'sub2pewds12/Gross-to-Net-Converter tests/test_calculator.py + tests/data/data_test_gross_net.csv',
    period: '2025-05', type: 'gross', income: 20_000_000, dependents: 0, region: 1, insurance_salary: null,
    expected: { insurance_total: 2_100_000, taxable_income: 6_900_000, tax: 440_000, net_income: 17_460_000 },
  },
  {
    id: 's03-03',
    source: 'sub2pewds12/Gross-to-Net-Converter tests/test_calculator.py + tests/data/data_test_gross_net.csv',
    period: '2025-05', type: 'gross', income: 100_000_000, dependents: 2, region: 1, insurance_salary: null,
    expected: {
      bhxh: 3_744_000, bhyt: 702_000, bhtn: 992_000, insurance_total: 5_438_000, taxable_income: 74_762_000,
      tax: 16_578_600, net_income: 77_983_400,
    },
  },
  {
    id: 's03-04',
    source: 'sub2pewds12/Gross-to-Net-Converter tests/test_calculator.py + tests/data/data_test_gross_net.csv',
    period: '2025-05', type: 'gross', income: 4_000_000, dependents: 0, region: 4, insurance_salary: null,
    expected: { bhxh: 320_000, bhyt: 60_000, bhtn: 40_000, net_income: 3_580_000 },
  },
  {
    id: 's03-06',
    source: 'sub2pewds12/Gross-to-Net-Converter tests/test_calculator.py + tests/data/data_test_gross_net.csv',
    period: '2025-05', type: 'gross', income: 15_000_000, dependents: 0, region: 1, insurance_salary: null,
    expected: {
      bhxh: 1_200_000, bhyt: 225_000, bhtn: 150_000, taxable_income: 2_425_000, tax: 121_250, net_income: 13_303_750,
    },
  },
  {
    id: 's05-01',
    source: 'a public repository: tinh_luong unit tests',
    period: '2025-06', type: 'gross', income: 20_000_000, dependents: 0, region: 1, insurance_salary: null,
    expected: {
      bhxh: 1_600_000, bhyt: 300_000, bhtn: 200_000, taxable_income: 6_900_000, tax: 440_000, net_income: 17_460_000,
    },
  },
  {
    id: 's05-02',
    source: 'a public repository: tinh_luong unit tests',
    period: '2025-06', type: 'gross', income: 60_000_000, dependents: 0, region: 1, insurance_salary: null,
    expected: { bhxh: 3_744_000, bhyt: 702_000, bhtn: 600_000 },
  },
  {
    id: 's05-03',
    source: 'a public repository: tinh_luong unit tests',
    period: '2025-06', type: 'gross', income: 120_000_000, dependents: 0, region: 1, insurance_salary: null,
    expected: { bhxh: 3_744_000, bhtn: 992_000 },
  },
  {
    id: 's07-01',
    source: 'kataro92/KSalaryInsights src/__tests__/unit/*.ts and docs/domain/thue-tncn.md',
    period: '2025-06', type: 'gross', income: 30_000_000, dependents: 0, region: 1, insurance_salary: null,
    expected: {
      bhxh: 2_400_000, bhyt: 450_000, bhtn: 300_000, insurance_total: 3_150_000, taxable_income: 15_850_000,
      tax: 1_627_500, net_income: 25_222_500,
    },
  },
  {
    id: 's07-02',
    source: 'kataro92/KSalaryInsights src/__tests__/unit/*.ts and docs/domain/thue-tncn.md',
    period: '2026-03', type: 'gross', income: 30_000_000, dependents: 0, region: 1, insurance_salary: null,
    expected: { insurance_total: 3_150_000, taxable_income: 11_350_000, tax: 635_000, net_income: 26_215_000 },
  },
  {
    id: 's07-04',
    source: 'kataro92/KSalaryInsights src/__tests__/unit/*.ts and docs/domain/thue-tncn.md',
    period: '2026-03', type: 'gross', income: 30_000_000, dependents: 2, region: 1, insurance_salary: null,
    expected: { tax: 0, net_income: 26_850_000 },
  },
  {
    id: 's07-05',
    source: 'kataro92/KSalaryInsights src/__tests__/unit/*.ts and docs/domain/thue-tncn.md',
    period: '2026-03', type: 'net', income: 26_215_000, dependents: 0, region: 1, insurance_salary: null,
    expected: { gross_income: 30_000_000 },
  },
  {
    id: 's07-06',
    source: 'kataro92/KSalaryInsights src/__tests__/unit/*.ts and docs/domain/thue-tncn.md',
    period: '2026-03', type: 'gross', income: 60_000_000, dependents: 0, region: 1, insurance_salary: null,
    expected: { bhxh: 3_744_000, bhyt: 702_000, bhtn: 600_000, insurance_total: 5_046_000 },
  },
  {
    id: 's07-07',
    source: 'kataro92/KSalaryInsights src/__tests__/unit/*.ts and docs/domain/thue-tncn.md',
    period: '2026-08', type: 'gross', income: 60_000_000, dependents: 0, region: 1, insurance_salary: null,
    expected: { bhxh: 4_048_000, bhyt: 759_000, bhtn: 600_000, insurance_total: 5_407_000 },
  },
  {
    id: 's09-01',
    source: 'a public repository: tax-calculator test',
    period: '2026-08', type: 'gross', income: 30_000_000, dependents: 0, region: 1, insurance_salary: null,
    expected: {
      bhxh: 2_400_000, bhyt: 450_000, bhtn: 300_000, taxable_income: 11_350_000, tax: 635_000, net_income: 26_215_000,
    },
  },
  {
    id: 's09-02',
    source: 'a public repository: tax-calculator test',
    period: '2026-08', type: 'gross', income: 15_000_000, dependents: 0, region: 1, insurance_salary: null,
    expected: { taxable_income: 0, tax: 0, net_income: 13_425_000 },
  },
  {
    id: 's09-03',
    source: 'a public repository: tax-calculator test',
    period: '2026-08', type: 'gross', income: 80_000_000, dependents: 0, region: 4, insurance_salary: null,
    expected: { bhtn: 740_000, taxable_income: 58_953_000, tax: 8_290_600, net_income: 66_162_400 },
  },
  {
    id: 's09-04',
    source: 'a public repository: tax-calculator test',
    period: '2026-08', type: 'gross', income: 40_000_000, dependents: 0, region: 1, insurance_salary: 10_000_000,
    expected: {
      bhxh: 800_000, bhyt: 150_000, bhtn: 100_000, taxable_income: 23_450_000, tax: 1_845_000, net_income: 37_105_000,
    },
  },
  {
    id: 's09-05',
    source: 'a public repository: tax-calculator test',
    period: '2026-08', type: 'net', income: 26_215_000, dependents: 0, region: 1, insurance_salary: null,
    expected: { gross_income: 30_000_000 },
  },
  {
    id: 's14-01',
    source: 'AZTomiq/ztools.site tests',
    period: '2025-06', type: 'gross', income: 20_000_000, dependents: 0, region: 1, insurance_salary: null,
    expected: { insurance_total: 2_100_000, taxable_income: 6_900_000, tax: 440_000 },
  },
  {
    id: 's14-02',
    source: 'AZTomiq/ztools.site tests',
    period: '2025-06', type: 'gross', income: 50_000_000, dependents: 0, region: 1, insurance_salary: null,
    expected: { bhxh: 3_744_000, bhyt: 702_000, bhtn: 500_000, insurance_total: 4_946_000 },
  },
  {
    id: 's16-01',
    source: 'a public repository: payrollEngine tests',
    period: '2025-06', type: 'gross', income: 100_000_000, dependents: 0, region: 1, insurance_salary: null,
    expected: { bhxh: 3_744_000, bhyt: 702_000 },
  },
  {
    id: 's16-02',
    source: 'a public repository: payrollEngine tests',
    period: '2025-06', type: 'gross', income: 200_000_000, dependents: 0, region: 1, insurance_salary: null,
    expected: { bhtn: 992_000 },
  },
  {
    id: 's20-01',
    source: 'a public repository: payroll specification, worked table',
    period: '2026-09', type: 'gross', income: 65_000_000, dependents: 2, region: 1, insurance_salary: 60_000_000,
    expected: { insurance_total: 5_407_000, taxable_income: 31_693_000, tax: 2_838_600, net_income: 56_754_400 },
  },
  {
    id: 's20-02',
    source: 'a public repository: payroll specification, worked table',
    period: '2026-06', type: 'gross', income: 65_000_000, dependents: 2, region: 1, insurance_salary: 60_000_000,
    expected: { insurance_total: 5_046_000, tax: 2_910_800, net_income: 57_043_200 },
  },
  {
    id: 's20-03',
    source: 'a public repository: payroll specification, worked table',
    period: '2025-12', type: 'gross', income: 30_000_000, dependents: 0, region: 1, insurance_salary: null,
    expected: { tax: 1_627_500, net_income: 25_222_500 },
  },
  {
    id: 's20-04',
    source: 'a public repository: payroll specification, worked table',
    period: '2026-01', type: 'gross', income: 30_000_000, dependents: 0, region: 1, insurance_salary: null,
    expected: { tax: 635_000, net_income: 26_215_000 },
  },
  {
    id: 's20-05',
    source: 'a public repository: payroll specification, worked table',
    period: '2026-09', type: 'gross', income: 8_500_000, dependents: 0, region: 1, insurance_salary: null,
    expected: { insurance_total: 892_500, tax: 0, net_income: 7_607_500 },
  },
  {
    id: 's22-01',
    source: 'a public repository: net->gross test',
    period: '2026-09', type: 'net', income: 51_514_400, dependents: 1, region: 1, insurance_salary: null,
    expected: { gross_income: 60_000_000 },
  },
  {
    id: 's23-01',
    source: 'a public repository: Miyano Vietnam payroll document, official net conversion table',
    period: '2026-06', type: 'net', income: 25_000_000, dependents: 1, region: 1, insurance_salary: 25_000_000,
    expected: { gross_income: 27_798_684, insurance_total: 2_625_000, taxable_income: 3_473_684, tax: 173_684 },
  },
  {
    id: 's24-01',
    source: 'Anhthai1991/Personal-tax USER_GUIDE.md',
    period: '2025-06', type: 'gross', income: 20_000_000, dependents: 1, region: 1, insurance_salary: null,
    expected: { insurance_total: 2_100_000, taxable_income: 2_500_000, tax: 125_000, net_income: 17_775_000 },
  },
  {
    id: 's24-02',
    source: 'Anhthai1991/Personal-tax USER_GUIDE.md',
    period: '2025-06', type: 'gross', income: 30_000_000, dependents: 2, region: 1, insurance_salary: null,
    expected: { tax: 455_000, net_income: 26_395_000 },
  },
  {
    id: 's24-04',
    source: 'Anhthai1991/Personal-tax USER_GUIDE.md',
    period: '2026-01', type: 'gross', income: 20_000_000, dependents: 1, region: 1, insurance_salary: null,
    expected: { tax: 0, net_income: 17_900_000 },
  },
  {
    id: 's24-05',
    source: 'Anhthai1991/Personal-tax USER_GUIDE.md',
    period: '2026-01', type: 'gross', income: 30_000_000, dependents: 2, region: 1, insurance_salary: null,
    expected: { tax: 0, net_income: 26_850_000 },
  },
  {
    id: 's26-01',
    source: 'RinNguyens/SalaryCalcVN documentation',
    period: '2026-01', type: 'gross', income: 25_000_000, dependents: 2, region: 1, insurance_salary: 15_000_000,
    expected: {
      bhxh: 1_200_000, bhyt: 225_000, bhtn: 150_000, insurance_total: 1_575_000, deductions_total: 27_900_000,
      taxable_income: 0, tax: 0, net_income: 23_425_000,
    },
  },
  {
    id: 's26-02',
    source: 'RinNguyens/SalaryCalcVN documentation',
    period: '2026-12', type: 'gross', income: 75_000_000, dependents: 2, region: 1, insurance_salary: 15_000_000,
    expected: { taxable_income: 45_525_000, tax: 5_605_000, net_income: 67_820_000 },
  },
  {
    id: 's26-03',
    source: 'RinNguyens/SalaryCalcVN documentation',
    period: '2026-01', type: 'gross', income: 15_000_000, dependents: 0, region: 1, insurance_salary: 10_000_000,
    expected: { insurance_total: 1_050_000, net_income: 13_950_000 },
  },
  {
    id: 's26-04',
    source: 'RinNguyens/SalaryCalcVN documentation',
    period: '2026-01', type: 'gross', income: 35_000_000, dependents: 0, region: 1, insurance_salary: 10_000_000,
    expected: { taxable_income: 18_450_000, tax: 1_345_000, net_income: 32_605_000 },
  },
  {
    id: 's26-05',
    source: 'RinNguyens/SalaryCalcVN documentation',
    period: '2026-01', type: 'gross', income: 50_000_000, dependents: 3, region: 1, insurance_salary: 30_000_000,
    expected: {
      insurance_total: 3_150_000, deductions_total: 34_100_000, taxable_income: 12_750_000, tax: 775_000,
      net_income: 46_075_000,
    },
  },
  {
    id: 's26-06',
    source: 'RinNguyens/SalaryCalcVN documentation',
    period: '2026-01', type: 'gross', income: 150_000_000, dependents: 3, region: 1, insurance_salary: 30_000_000,
    expected: { taxable_income: 112_750_000, tax: 24_962_500, net_income: 121_887_500 },
  },
  {
    id: 's26-07',
    source: 'RinNguyens/SalaryCalcVN documentation',
    period: '2026-01', type: 'gross', income: 80_000_000, dependents: 2, region: 1, insurance_salary: 36_000_000,
    expected: { insurance_total: 3_780_000, taxable_income: 48_320_000, tax: 6_164_000, net_income: 70_056_000 },
  },
  {
    id: 's26-08',
    source: 'RinNguyens/SalaryCalcVN documentation',
    period: '2026-01', type: 'gross', income: 280_000_000, dependents: 2, region: 1, insurance_salary: 36_000_000,
    expected: { taxable_income: 248_320_000, tax: 72_412_000, net_income: 203_808_000 },
  },
  {
    id: 's26-12',
    source: 'RinNguyens/SalaryCalcVN documentation',
    period: '2025-06', type: 'gross', income: 30_000_000, dependents: 2, region: 1, insurance_salary: null,
    expected: { net_income: 26_395_000 },
  },
  {
    id: 's26-13',
    source: 'RinNguyens/SalaryCalcVN documentation',
    period: '2026-01', type: 'gross', income: 30_000_000, dependents: 2, region: 1, insurance_salary: null,
    expected: { net_income: 26_850_000 },
  },
];
