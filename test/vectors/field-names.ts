/**
 * Names of columns and fields in payroll files and programs, English and Vietnamese, with and
 * without accents. The service suggests a field of the tax operation for each, with the reason, or
 * none, because the operation does not have the amount or the name has several meanings.
 */
import type { TaxRequest } from '../../src/tax/tax.ts';

/** Names that have the same suggestion for the same reason. */
export interface NamesOfField {
  readonly reason: string;
  /** Absent where the service suggests none. */
  readonly field?: keyof TaxRequest;
  readonly names: readonly string[];
}

export const FIELD_NAMES: readonly NamesOfField[] = [
  // Pay
  {
    reason: 'the pay before insurance and tax, or a slip in its name',
    field: 'income',
    names: [
      'salary', 'Salary', 'gross', 'Gross', 'gross_salary', 'grossSalary', 'GROSS_SALARY',
      'Gross Salary', 'grossIncome', 'gross_pay', 'monthlyPay', 'monthly_salary', 'MonthlyIncome',
      'total_income', 'wage', 'wages', 'incom', 'incomes',
      'Lương', 'luong', 'luong_gross', 'Lương Gross', 'Tổng lương', 'tong_luong', 'TongThuNhap',
      'Tổng thu nhập', 'Mức lương', 'muc_luong',
    ],
  },
  {
    reason: 'a net amount is `income` only together with `type`',
    names: [
      'net', 'net_salary', 'net_income', 'netPay', 'take_home_pay', 'Thực lĩnh', 'thuc_linh',
      'Thực nhận', 'luong_net',
    ],
  },
  { reason: 'the income of a year has another operation', names: ['annual_salary', 'year'] },
  {
    reason: 'also the amount that caps the insurance (lương cơ sở), or a salary without allowances',
    names: [
      'base_salary', 'baseSalary', 'BaseSalary', 'Base Salary', 'base_pay', 'basic_salary',
      'BasicSalary', 'basic_pay', 'Lương cơ sở', 'luong_co_so', 'Lương cơ bản',
      'luong_co_ban', 'LCB',
    ],
  },
  {
    reason: 'a part of the pay, which may be taxed or exempt, and insured or not',
    names: [
      'bonus', 'Thưởng', 'thuong', 'thirteenth_month', 'Lương tháng 13', 'allowance', 'Phụ cấp',
      'phu_cap', 'Tổng phụ cấp', 'Phụ cấp trách nhiệm', 'housing_allowance', 'Phụ cấp nhà ở',
      'taxable_allowance', 'Phụ cấp chịu thuế',
    ],
  },
  {
    reason: 'another unit than đồng per month',
    names: [
      'hourly_rate', 'currency', 'overtime_hours', 'Giờ tăng ca', 'working_days', 'Ngày công',
      'ngay_cong',
    ],
  },
  {
    reason: 'the cost is `income` only together with `type`',
    names: ['employer_cost'],
  },
  // Exempt pay
  {
    reason: 'pay that is not taxed',
    field: 'exempt_income',
    names: [
      'exemptIncome', 'tax_exempt_income', 'tax_exempt', 'tax_free', 'taxFreeAllowances',
      'non_taxable', 'NonTaxableIncome', 'non_taxable_allowance',
      'Phụ cấp miễn thuế', 'Thu nhập miễn thuế', 'thu_nhap_mien_thue', 'Khoản không tính thuế',
      'Thu nhập không chịu thuế', 'Phụ cấp không chịu thuế',
    ],
  },
  {
    reason: 'the pay that is exempt most often: meals and overtime',
    field: 'exempt_income',
    names: [
      'overtime', 'overtime_pay', 'lunch', 'lunch_allowance', 'meal', 'meal_allowance',
      'tien_tang_ca', 'Tăng ca', 'Tiền ăn trưa', 'phu_cap_an_trua', 'Phụ cấp ăn ca',
      'Tiền ăn giữa ca', 'Tiền làm thêm giờ',
    ],
  },
  // Insurance
  {
    reason: 'the salary on which insurance is paid',
    field: 'insurance_salary',
    names: [
      'insuranceSalary', 'insurence_salary', 'insured_salary', 'insurable_salary',
      'insuranceBase', 'insurance_base', 'contract_salary',
      'luong_dong_bhxh', 'Lương đóng BHXH', 'Mức lương đóng BHXH', 'Lương đóng bảo hiểm',
      'Lương BHXH',
    ],
  },
  {
    reason: 'whether social insurance is paid',
    field: 'bhxh',
    names: ['BHXH', 'BHXH (8%)', 'hasSocialInsurance', 'Tham gia BHXH', 'tham_gia_bhxh'],
  },
  { reason: 'whether health insurance is paid', field: 'bhyt', names: ['has_health_insurance'] },
  {
    reason: 'whether unemployment insurance is paid',
    field: 'bhtn',
    names: ['has_unemployment_insurance'],
  },
  {
    reason: 'a contribution or a rate, which the answer states, or all insurances together',
    names: [
      'insurance', 'insurance_rate', 'insurance_total', 'has_insurance', 'social_insurance',
      'healthInsurance', 'bhxh_rate', 'employer_bhxh', 'Mức đóng BHXH', 'muc_dong_bhxh', 'BHTNLĐ',
    ],
  },
  {
    reason: 'a value of the law, which the month and the region select',
    names: ['minimum_wage', 'Lương tối thiểu vùng', 'luong_toi_thieu_vung'],
  },
  // Trade union and pension
  {
    reason: 'the contribution of the employer',
    field: 'union_fund',
    names: [
      'trade_union_fund', 'unionFund', 'KPCĐ', 'kpcd', 'Kinh phí công đoàn', 'kinh_phi_cong_doan',
    ],
  },
  {
    reason: 'the dues of the employee (đoàn phí) are not modelled, and a fee may be either',
    names: [
      'union_dues', 'unionDues', 'union_due', 'union_fee', 'union_fees', 'unionFee',
      'trade_union_dues', 'trade_union_fee', 'Đoàn phí', 'doan_phi', 'Đoàn phí công đoàn',
      'Phí công đoàn', 'phi_cong_doan', 'Công đoàn',
    ],
  },
  {
    reason: 'contributions to a voluntary pension or a life insurance',
    field: 'voluntary_pension',
    names: [
      'pension', 'voluntaryPension', 'pension_fund', 'life_insurance', 'Hưu trí tự nguyện',
      'huu_tri_tu_nguyen',
    ],
  },
  // Tax and deductions
  {
    reason: 'the number of dependents',
    field: 'dependents',
    names: [
      'dependants', 'dependent', 'num_dependents', 'dependentCount', 'numberOfDependents', 'so_npt',
      'Số NPT', 'NguoiPhuThuoc', 'Số người phụ thuộc', 'so_nguoi_phu_thuoc',
    ],
  },
  {
    reason: 'residence determines the kind of the tax',
    field: 'taxation',
    names: ['taxResidency', 'is_resident', 'pit_method', 'Không cư trú', 'khong_cu_tru'],
  },
  {
    reason: 'citizenship determines the insurance',
    field: 'foreigner',
    names: ['is_foreigner', 'isExpat', 'Quốc tịch', 'quoc_tich'],
  },
  {
    reason: 'an amount that the answer states',
    names: [
      'tax', 'pit', 'Thuế TNCN', 'thue_tncn', 'taxable_income', 'taxable_pay', 'Thu nhập chịu thuế',
      'Thu nhập tính thuế',
    ],
  },
  {
    reason: 'whether the personal deduction is used here',
    field: 'self_deduction',
    names: [
      'selfDeduction', 'personal_deduction', 'has_personal_deduction', 'personal_relief',
      'Giảm trừ bản thân', 'giam_tru_ban_than',
    ],
  },
  {
    reason: 'for the taxpayer and the dependents, or an amount that is subtracted from the net pay',
    names: [
      'deduction', 'deductions', 'tax_deduction', 'Giảm trừ gia cảnh', 'giam_tru_gia_canh',
      'Khấu trừ', 'Tạm ứng', 'tam_ung',
    ],
  },
  // Time and place
  {
    reason: 'the month of work',
    field: 'period',
    names: ['month', 'salary_month', 'payPeriod', 'Kỳ lương', 'ky_luong', 'Tháng', 'thang'],
  },
  {
    reason: 'the time of payment',
    field: 'paid_in',
    names: ['pay_date', 'paymentDate', 'Ngày trả lương', 'ngay_tra_luong'],
  },
  {
    reason: 'the region of the minimum wage',
    field: 'region',
    names: ['wageRegion', 'zone', 'Vùng', 'vung', 'vung_luong'],
  },
  { reason: 'gross, net or cost', field: 'type', names: ['calculation_type'] },
  {
    reason: 'a property of the person or the contract; the document of the law states what to send',
    names: [
      'start_date', 'employee_id', 'Mã NV', 'ma_nv', 'Họ và tên', 'ho_va_ten', 'bank_account',
      'contract_type', 'probation', 'Thử việc',
    ],
  },
];
