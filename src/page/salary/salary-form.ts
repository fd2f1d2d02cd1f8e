/* The form of a salary: who is paid stands for several members of the request. */
import { type TaxDetail, taxRequest, type TaxResult } from '../../tax/contract.ts';
import { calculateTax, type TaxRequest } from '../../tax/tax.ts';
import { currentPeriod, type Reply, replyTo } from '../frame/calculation.ts';
import {
  type Field,
  fieldsOf,
  isPart,
  LEAST_PAYMENT,
  type RequestForm,
  requestOf,
  type Values,
} from '../frame/request.ts';
import { addTexts } from '../frame/texts.ts';
import { membersOf, WHO } from './who.ts';

addTexts(`
taxation | Tax status | Cách tính thuế
progressive | Resident, contract of 3 months or more | Cư trú, hợp đồng từ 3 tháng trở lên
short_term | Resident, shorter or no contract | Cư trú, không có hợp đồng từ 3 tháng trở lên
non_resident | Not a resident of Vietnam | Không cư trú
foreigner | Foreign citizen | Người nước ngoài
who.other | Other… | Trường hợp khác…
paid_in | Month of payment | Tháng trả lương
hint.paid_in | Selects the tax law. Empty: the salary month.
  | Để trống: tháng tính lương. Thuế tính theo tháng trả.
voluntary_pension | Voluntary pension, life insurance | Hưu trí tự nguyện, bảo hiểm nhân thọ
hint.voluntary_pension | With the part of the employer. Each month counts up to its limit; life
    insurance since 2026.
  | Gồm cả phần công ty đóng. Mỗi tháng được trừ tối đa theo mức quy định; bảo hiểm nhân thọ từ
    năm 2026.
region.1 | I, such as Ho Chi Minh City, Hanoi, Hai Phong | I, như TP.HCM, Hà Nội, Hải Phòng
region.2 | II, such as Da Nang, Can Tho, Hue | II, như Đà Nẵng, Cần Thơ, Huế
region.3 | III | III
region.4 | IV, the lowest | IV, thấp nhất
hint.region | Counts for unemployment insurance, on a salary of over 20 times its minimum wage.
  | Chỉ ảnh hưởng đến BHTN, khi lương trên 20 lần lương tối thiểu vùng.
bhxh | Social insurance | BHXH
bhyt | Health insurance | BHYT
bhtn | Unemployment insurance | BHTN
exempt_income | Tax-free part of the salary | Phần lương miễn thuế
hint.exempt_income | Meals, overtime, clothing… contained in the salary. Empty: all of the salary
    is taxed.
  | Ăn ca, làm thêm, trang phục… đã nằm trong lương. Để trống: tính thuế trên toàn bộ lương.
self_deduction | Use the personal deduction here | Tính giảm trừ bản thân tại đây
hint.self_deduction | No: another employer uses it. | Không: đã đăng ký ở nơi khác.
union_fund | Trade-union fund | Kinh phí công đoàn
hint.union_fund | 2% of the insured salary, in the employer cost. Many calculators leave it out;
    bodies paid by the State budget do not owe it.
  | 2% lương đóng bảo hiểm, trong chi phí công ty. Nhiều công cụ khác không tính; cơ quan hưởng
    toàn bộ ngân sách không phải đóng.
`);

/** The page asks about a smaller salary, in đồng per month. */
const LEAST_SALARY = 1_000_000;

/** The members of the request for which a person of the list stands. */
export const RAW: Values = {
  taxation: 'progressive',
  foreigner: 'false',
  self_deduction: 'true',
  bhxh: 'true',
  bhyt: 'true',
  bhtn: 'true',
};
export const INSURANCES = ['bhxh', 'bhyt', 'bhtn'] as const;
/** The choice of a person who is not in the list. */
export const OTHER = 'other';

const monthly = { unit: '₫', per: 'month' } as const;

/** Fields that only a person who is not in the list has. */
const raw = { when: ({ who }: Values) => who === OTHER };

/** A result with its detail, for which the page always asks. */
export type DetailedResult = TaxResult & { readonly detail: TaxDetail };

/** The calculation of salaries. */
export const calculation = {
  path: '/api/v1/tax/calculate',
  calculate: calculateTax as (request: TaxRequest) => DetailedResult,
};

/** The request of a salary. */
export const form: RequestForm = {
  name: 'salary',
  always: { detail: true },
  fields: fieldsOf(taxRequest, {
    income: { ...monthly, example: '30000000', least: LEAST_SALARY },
    type: {},
    who: {
      kind: 'choice',
      options: [...WHO, OTHER],
      initial: 'employee',
      members: personIn,
    },
    taxation: raw,
    ...Object.fromEntries(INSURANCES.map((name) => [name, raw])),
    foreigner: raw,
    self_deduction: { when: (values) => values['who'] === OTHER && isProgressive(values) },
    dependents: { when: isProgressive },
    // A link has the month, so that it gives the same answer whenever it is opened.
    period: { isExtra: true, isNamed: () => true, example: currentPeriod() },
    region: { isExtra: true, isNamed: isRegional },
    exempt_income: { ...monthly, isExtra: true, least: LEAST_PAYMENT },
    paid_in: { isExtra: true, isRare: true },
    insurance_salary: { ...monthly, isExtra: true, least: LEAST_SALARY, when: isInsured },
    voluntary_pension: { ...monthly, isExtra: true, least: LEAST_PAYMENT, when: isProgressive },
    union_fund: { isExtra: true, isRare: true },
  }),
};

/** The figures of a payslip, which a link keeps. */
export const payslip: readonly Field[] = ['net_income', 'tax', 'insurance'].flatMap((name) =>
  fieldsOf(taxRequest, {
    // An amount with the same bounds.
    insurance_salary: {
      name,
      ...monthly,
      ...(name === 'net_income' && { least: LEAST_SALARY }),
      when: ({ type }) => type === 'gross',
    },
  }),
);

/** The request of a gross salary with the figures of a payslip. */
export const payslipForm: RequestForm = {
  name: 'salary',
  fields: [...form.fields, ...payslip].filter(({ name }) => !['type', 'union_fund'].includes(name)),
};

/** The members of the request for the person, in the salary month. */
export function personIn({ who = '', period = '' }: Values): Values {
  return membersOf(who, period);
}

/** Whether the region decides the unemployment insurance of a salary: that of a higher one has a cap. */
function isRegional(values: Values): boolean {
  const [least, most] = ['4', '1'].map(
    (region) => calculateSalary({ ...values, region }).data?.insurance.bhtn,
  );
  return least !== most;
}

/** Calculates the salary of given values. */
export function calculateSalary(values: Values): Reply<DetailedResult> {
  return replyTo(calculation, requestOf(form, values));
}

/** Whether the tax of the person is progressive. */
function isProgressive(values: Values): boolean {
  const { taxation = 'progressive' } = values['who'] === OTHER ? values : personIn(values);
  return taxation === 'progressive';
}

/** Whether the person does not exclude the insurance. */
function isInsured(values: Values): boolean {
  return !('insurance_salary' in personIn(values));
}

/** The person with the members of these values: the chosen one, if possible, or another one of the list. */
export function whoHas(values: Values): string {
  const { who = '', period = '' } = values;
  const persons = [who, ...WHO];
  return persons.find((key) => isPart({ ...RAW, ...membersOf(key, period) }, values)) ?? OTHER;
}
