/**
 * Names of columns and fields in payroll files and programs, English and Vietnamese, with the field
 * of the tax operation that the service suggests for each. It suggests none for an amount that the
 * operation does not have, and none for a name with several meanings.
 */
import type { TaxRequest } from '../../src/tax/tax.ts';

export const FIELD_NAMES: readonly (readonly [name: string, field?: keyof TaxRequest])[] = [
  // Pay
  ['salary', 'income'], ['Salary', 'income'], ['gross', 'income'], ['Gross', 'income'],
  ['gross_salary', 'income'], ['grossSalary', 'income'], ['GROSS_SALARY', 'income'],
  ['Gross Salary', 'income'], ['grossIncome', 'income'], ['gross_pay', 'income'],
  ['monthlyPay', 'income'], ['monthly_salary', 'income'], ['MonthlyIncome', 'income'],
  ['total_income', 'income'], ['wage', 'income'], ['wages', 'income'],
  ['incom', 'income'], ['incomes', 'income'],
  ['Lương', 'income'], ['luong_gross', 'income'], ['Lương Gross', 'income'],
  ['tong_luong', 'income'], ['TongThuNhap', 'income'], ['Tổng thu nhập', 'income'],
  ['Mức lương', 'income'],
  ['net'], ['net_salary'], ['net_income'], ['netPay'], ['take_home_pay'], ['Thực lĩnh'], ['luong_net'],
  ['annual_salary'], ['base_salary'], ['baseSalary'], ['Base Salary'], ['basic_salary'],
  ['BasicSalary'], ['luong_co_so'], ['Lương cơ bản'], ['hourly_rate'], ['bonus'], ['Thưởng'],
  ['thirteenth_month'], ['overtime_hours'], ['allowance'], ['Phụ cấp'], ['Tổng phụ cấp'],
  ['employer_cost'], ['currency'], ['taxable_pay'], ['Thu nhập chịu thuế'],
  // Exempt pay
  ['exemptIncome', 'exempt_income'], ['tax_exempt_income', 'exempt_income'],
  ['tax_exempt', 'exempt_income'], ['tax_free', 'exempt_income'],
  ['taxFreeAllowances', 'exempt_income'], ['non_taxable', 'exempt_income'],
  ['NonTaxableIncome', 'exempt_income'], ['overtime', 'exempt_income'],
  ['overtime_pay', 'exempt_income'], ['lunch', 'exempt_income'],
  ['lunch_allowance', 'exempt_income'], ['meal', 'exempt_income'],
  ['meal_allowance', 'exempt_income'], ['tien_tang_ca', 'exempt_income'],
  ['Tiền ăn trưa', 'exempt_income'], ['Phụ cấp ăn ca', 'exempt_income'],
  ['Tiền ăn giữa ca', 'exempt_income'], ['Tiền làm thêm giờ', 'exempt_income'],
  ['Phụ cấp miễn thuế', 'exempt_income'], ['Thu nhập miễn thuế', 'exempt_income'],
  ['Khoản không tính thuế', 'exempt_income'], ['Thu nhập không chịu thuế', 'exempt_income'],
  // Insurance
  ['insuranceSalary', 'insurance_salary'], ['insurence_salary', 'insurance_salary'],
  ['insured_salary', 'insurance_salary'], ['insurable_salary', 'insurance_salary'],
  ['insuranceBase', 'insurance_salary'], ['insurance_base', 'insurance_salary'],
  ['contract_salary', 'insurance_salary'], ['luong_dong_bhxh', 'insurance_salary'],
  ['Lương đóng BHXH', 'insurance_salary'], ['Mức lương đóng BHXH', 'insurance_salary'],
  ['Lương đóng bảo hiểm', 'insurance_salary'],
  ['BHXH', 'bhxh'], ['BHXH (8%)', 'bhxh'], ['hasSocialInsurance', 'bhxh'], ['Tham gia BHXH', 'bhxh'],
  ['has_health_insurance', 'bhyt'], ['has_unemployment_insurance', 'bhtn'],
  ['insurance'], ['insurance_rate'], ['insurance_total'], ['has_insurance'], ['social_insurance'],
  ['healthInsurance'], ['bhxh_rate'], ['Mức đóng BHXH'], ['BHTNLĐ'],
  ['minimum_wage'], ['Lương tối thiểu vùng'],
  // Trade union and pension
  ['trade_union_fund', 'union_fund'], ['unionFund', 'union_fund'], ['KPCĐ', 'union_fund'],
  ['Kinh phí công đoàn', 'union_fund'],
  ['union_dues'], ['unionDues'], ['union_fee'], ['trade_union_fee'], ['Đoàn phí'],
  ['Phí công đoàn'],
  ['pension', 'voluntary_pension'], ['voluntaryPension', 'voluntary_pension'],
  ['pension_fund', 'voluntary_pension'], ['life_insurance', 'voluntary_pension'],
  ['Hưu trí tự nguyện', 'voluntary_pension'],
  // Tax and deductions
  ['dependants', 'dependents'], ['dependent', 'dependents'], ['num_dependents', 'dependents'],
  ['dependentCount', 'dependents'], ['numberOfDependents', 'dependents'], ['so_npt', 'dependents'],
  ['Số NPT', 'dependents'], ['NguoiPhuThuoc', 'dependents'], ['Số người phụ thuộc', 'dependents'],
  ['taxResidency', 'taxation'], ['is_resident', 'taxation'], ['pit_method', 'taxation'],
  ['Không cư trú', 'taxation'],
  ['is_foreigner', 'foreigner'], ['isExpat', 'foreigner'], ['Quốc tịch', 'foreigner'],
  ['tax'], ['pit'], ['Thuế TNCN'], ['taxable_income'], ['Thu nhập tính thuế'], ['deduction'],
  ['deductions'], ['Giảm trừ gia cảnh'], ['tax_deduction'],
  ['selfDeduction', 'self_deduction'], ['personal_deduction', 'self_deduction'],
  ['has_personal_deduction', 'self_deduction'], ['personal_relief', 'self_deduction'],
  ['Giảm trừ bản thân', 'self_deduction'], ['Khấu trừ'], ['Tạm ứng'],
  // Time and place
  ['month', 'period'], ['salary_month', 'period'], ['payPeriod', 'period'], ['Kỳ lương', 'period'],
  ['Tháng', 'period'], ['pay_date', 'paid_in'], ['paymentDate', 'paid_in'],
  ['Ngày trả lương', 'paid_in'],
  ['wageRegion', 'region'], ['zone', 'region'], ['Vùng', 'region'], ['vung_luong', 'region'],
  ['calculation_type', 'type'], ['year'], ['start_date'], ['working_days'], ['Ngày công'],
  // Person
  ['employee_id'], ['Mã NV'], ['Họ và tên'], ['bank_account'], ['contract_type'],
];
