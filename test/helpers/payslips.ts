/** Payslips with another net salary than the answer, and their reasons in both languages. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { calculateTax, type TaxRequest } from '../../src/tax/tax.ts';
import { calculators, scripts, type Values } from './page-scripts.ts';

type Words = Readonly<Record<string, string>>;

/** The query of a salary with the figures of a payslip; the differences; and each reason. */
interface Payslip {
  readonly query: string;
  readonly differences: Words;
  readonly reasons: readonly Words[];
}

/** A reason that only names who is paid. */
const person = (who: string, rest: Words = { en: '', vi: '' }): Words =>
  Object.fromEntries(
    scripts.LANGUAGES.map((language) => {
      const texts = scripts.textsOf(language);
      return [language, `${texts('who')}: ${texts(`who.${who}`)}${rest[language]}`];
    }),
  );

/** The fields that are named if there is no reason. */
const FIELDS = {
  en: 'income tax, employee insurance, insured salary, tax-free part of the salary, voluntary pension, life insurance',
  vi: 'thuế TNCN, bảo hiểm trừ vào lương, lương đóng bảo hiểm, phần lương miễn thuế, hưu trí tự nguyện, bảo hiểm nhân thọ',
};

const PAYSLIPS: readonly Payslip[] = [
  {
    query: 'income=20000000&net_income=17780000',
    differences: { en: 'The same net salary', vi: 'Lương net bằng nhau' },
    reasons: [{ en: 'This figure agrees with the answer', vi: 'Số này khớp với kết quả' }],
  },
  {
    query: 'income=30000000&net_income=26592500&tax=257500&insurance=3150000',
    differences: {
      en: 'The payslip is ₫377,500 higher than the answer: the same insurance, ₫377,500 less tax',
      vi: 'Phiếu lương cao hơn kết quả 377.500 ₫: bảo hiểm như nhau, thuế ít hơn 377.500 ₫',
    },
    reasons: [{ en: 'Dependents: 1 instead of 0', vi: 'Số người phụ thuộc: 1 thay vì 0' }],
  },
  {
    query: 'income=30000000&net_income=28086082&insurance=557550',
    differences: {
      en: 'The payslip is ₫1,871,082 higher than the answer: ₫2,592,450 less insurance',
      vi: 'Phiếu lương cao hơn kết quả 1.871.082 ₫: bảo hiểm ít hơn 2.592.450 ₫',
    },
    reasons: [
      {
        en:
          'The law of July 2024 to December 2025: personal deduction of ₫11,000,000, '
          + '₫4,400,000 for dependents, 7 brackets; Dependents: 1 instead of 0; Insured on ₫5,310,000',
        vi:
          'Quy định từ 7/2024 đến 12/2025: giảm trừ bản thân 11.000.000 ₫, giảm trừ người phụ thuộc '
          + '4.400.000 ₫, 7 bậc thuế; Số người phụ thuộc: 1 thay vì 0; Đóng bảo hiểm theo mức 5.310.000 ₫',
      },
    ],
  },
  {
    query: 'income=25000000&net_income=22216250',
    differences: {
      en: 'The payslip is ₫185,000 higher than the answer',
      vi: 'Phiếu lương cao hơn kết quả 185.000 ₫',
    },
    reasons: [
      {
        en: 'Dependents: 1 instead of 0; Union dues of 0.5% of the insured salary, which are not included',
        vi: 'Số người phụ thuộc: 1 thay vì 0; Trừ đoàn phí 0,5% lương đóng bảo hiểm (chưa tính)',
      },
    ],
  },
  {
    query: 'income=30000000&net_income=25000000&tax=635000&insurance=3150000',
    differences: {
      en: 'The payslip is ₫1,215,000 lower than the answer: the same insurance, the same tax, ₫1,215,000 less besides both',
      vi: 'Phiếu lương thấp hơn kết quả 1.215.000 ₫: bảo hiểm như nhau, thuế như nhau, ngoài hai khoản đó ít hơn 1.215.000 ₫',
    },
    reasons: [
      {
        en: '₫1,215,000 less besides insurance and tax, as by an advance, fine or bonus, unpaid days or meals',
        vi: 'Ngoài bảo hiểm và thuế: ít hơn 1.215.000 ₫, như tạm ứng, phạt, nghỉ không lương, thưởng hoặc tiền ăn',
      },
    ],
  },
  {
    query: 'income=22000000&net_income=17580500&tax=109500&insurance=2310000',
    differences: {
      en: 'The payslip is ₫1,900,000 lower than the answer: the same insurance, ₫100,000 less tax, ₫2,000,000 less besides both',
      vi: 'Phiếu lương thấp hơn kết quả 1.900.000 ₫: bảo hiểm như nhau, thuế ít hơn 100.000 ₫, ngoài hai khoản đó ít hơn 2.000.000 ₫',
    },
    reasons: [
      {
        en: 'The payslip is for ₫20,000,000, as with unpaid days, a bonus or other pay',
        vi: 'Phiếu lương này là của 20.000.000 ₫, như tháng nghỉ không lương, có thưởng hoặc khoản khác',
      },
    ],
  },
  {
    query: 'income=18700000&net_income=16736500&tax=0&insurance=1963500',
    differences: {
      en: 'The payslip is ₫61,825 higher than the answer: the same insurance, ₫61,825 less tax',
      vi: 'Phiếu lương cao hơn kết quả 61.825 ₫: bảo hiểm như nhau, thuế ít hơn 61.825 ₫',
    },
    reasons: [
      {
        en: 'Dependents: 1 or more instead of 0, or tax-free pay, or a pension',
        vi: 'Số người phụ thuộc: từ 1 trở lên thay vì 0, hoặc có khoản miễn thuế, hoặc đóng hưu trí',
      },
      {
        en: 'Tax-free pay of ₫1,237,000 or more, as for overtime or leave, or a pension',
        vi: 'Khoản miễn thuế từ 1.237.000 ₫ trở lên, như làm thêm giờ, ngày phép, hoặc đóng hưu trí',
      },
    ],
  },
  {
    query: 'income=1000000&net_income=1000000',
    differences: {
      en: 'The payslip is ₫105,000 higher than the answer',
      vi: 'Phiếu lương cao hơn kết quả 105.000 ₫',
    },
    reasons: [
      person('uninsured'),
      person('pensioner'),
      person('probation'),
      person('freelance'),
      person('foreigner_uninsured'),
      { en: 'The income was taken for net', vi: 'Lương đã nhập được hiểu là lương net' },
    ],
  },
  {
    query: 'income=18000000&who=civil_servant&net_income=16200000',
    differences: {
      en: 'The payslip is ₫50,500 lower than the answer',
      vi: 'Phiếu lương thấp hơn kết quả 50.500 ₫',
    },
    reasons: [person('probation'), person('freelance')],
  },
  {
    query: 'income=30000000&who=non_resident&net_income=26215000',
    differences: {
      en: 'The payslip is ₫2,215,000 higher than the answer',
      vi: 'Phiếu lương cao hơn kết quả 2.215.000 ₫',
    },
    reasons: [
      person('employee', {
        en: '; Insured on ₫30,000,000',
        vi: '; Đóng bảo hiểm theo mức 30.000.000 ₫',
      }),
    ],
  },
  {
    // A person who is not in the list has fields of its own.
    query: 'income=30000000&who=other&bhtn=false&net_income=26215000',
    differences: {
      en: 'The payslip is ₫270,000 lower than the answer',
      vi: 'Phiếu lương thấp hơn kết quả 270.000 ₫',
    },
    reasons: [person('employee')],
  },
  {
    // Nobody of the list is insured as a foreigner without a personal deduction.
    query: 'income=30000000&who=foreigner&insurance_salary=30000000&net_income=24935000',
    differences: {
      en: 'The payslip is ₫1,550,000 lower than the answer',
      vi: 'Phiếu lương thấp hơn kết quả 1.550.000 ₫',
    },
    reasons: [
      {
        en: 'No personal deduction, as in a second job',
        vi: 'Không giảm trừ bản thân, như nơi làm việc thứ hai',
      },
    ],
  },
  {
    query: 'income=30000000&net_income=24000001',
    differences: {
      en: 'The payslip is ₫2,214,999 lower than the answer',
      vi: 'Phiếu lương thấp hơn kết quả 2.214.999 ₫',
    },
    reasons: [
      {
        en: `No usual reason explains this figure. An advance, a fine or unpaid days may have been subtracted; to be sure, enter or correct ${FIELDS.en}`,
        vi: `Chưa tìm ra lý do thường gặp nào cho đúng số này. Có thể đã trừ tạm ứng, tiền phạt, ngày nghỉ không lương; để biết chắc, hãy nhập thêm hoặc sửa ${FIELDS.vi}`,
      },
    ],
  },
  {
    query: 'income=30000000&net_income=28000001',
    differences: {
      en: 'The payslip is ₫1,785,001 higher than the answer',
      vi: 'Phiếu lương cao hơn kết quả 1.785.001 ₫',
    },
    reasons: [
      {
        en: `No usual reason explains this figure. A bonus or a repayment may have been added; to be sure, enter or correct ${FIELDS.en}`,
        vi: `Chưa tìm ra lý do thường gặp nào cho đúng số này. Có thể đã cộng thưởng, khoản hoàn trả; để biết chắc, hãy nhập thêm hoặc sửa ${FIELDS.vi}`,
      },
    ],
  },
];

const salary = calculators['salary']!;

/** The request of a salary. */
const requestOf = (values: Values): TaxRequest =>
  JSON.parse(scripts.bodyOf(salary, values)) as TaxRequest;

/** The values of a salary in a month with its payslip. */
export function valuesOf(query: string): Values {
  return scripts.readQuery(salary, `period=2026-08&${query}`)!.values;
}

/** Searches for the reasons of a payslip to the end. */
export function foundIn(values: Values) {
  const steps = scripts.reasonsIn(scripts.bodyOf(scripts.payslipForm, values), values);
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
  }
}

/** The differences of a payslip from the answer, in words. */
export function differencesOf(values: Values): string {
  return scripts.differencesIn(calculateTax(requestOf(values)), values).replaceAll('\u00a0', ' ');
}

/** Tests that each payslip is explained in the language of the document. */
export function testPayslips(language: string): void {
  for (const { query, differences, reasons } of PAYSLIPS) {
    test(`explains a payslip in words, and by a second plan, in ${language}: ${query}`, () => {
      const values = valuesOf(query);
      assert.equal(differencesOf(values), differences[language]);
      const found = foundIn(values);
      assert.deepEqual(found.problems, []);
      assert.deepEqual(
        found.reasons?.map(({ words }) => words.replaceAll('\u00a0', ' ')),
        reasons.map((words) => words[language]),
      );
      for (const { words, values: others } of found.reasons ?? []) {
        if (others === undefined) continue;
        const { net_income } = calculateTax(requestOf(others));
        assert.equal(net_income, Number(values['net_income']), words);
      }
    });
  }
}
