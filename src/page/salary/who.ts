/* Who is paid: the persons of the list, who stand for fields of the request that belong together. */
import { PERSONS, personalValues } from '../../tax/persons.ts';
import type { Values } from '../frame/request.ts';
import { addTexts } from '../frame/texts.ts';

addTexts(`
who | Type of worker | Loại lao động
who.employee | Vietnamese employee, labour contract of 3 months or more
  | Nhân viên, HĐLĐ từ 3 tháng
why.employee | By the term of the labour contract; also probation by a clause of it. Hired, leaving
    or unpaid within the month: enter the pay for the days worked, and the salary of the contract
    under “Insured salary”.
  | Gồm cả thử việc ghi trong hợp đồng lao động. Vào làm, nghỉ việc, nghỉ không lương trong tháng:
    nhập số trả cho ngày làm, và lương theo HĐLĐ ở “Lương đóng bảo hiểm”.
who.probation | Probation, contract of its own | Thử việc, hợp đồng riêng
why.probation | 10% of each payment of 5,000,000 or more (until June 2026: 2,000,000), and no
    insurance.
  | Khấu trừ 10% mỗi lần trả từ 5.000.000 (đến tháng 6/2026: 2.000.000), không đóng bảo hiểm.
who.freelance | Freelancer, service contract, intern, or labour contract under a month
  | Cộng tác viên, hợp đồng dịch vụ, thực tập, HĐLĐ dưới 1 tháng
why.freelance | 10% of each payment of 5,000,000 or more (until June 2026: 2,000,000), and no
    insurance; the annual settlement refunds or adds tax. With a signed commitment to owe no tax,
    enter the whole payment under “Tax-free part of the salary”.
  | Khấu trừ 10% mỗi lần trả từ 5.000.000 (đến tháng 6/2026: 2.000.000), không đóng bảo hiểm; quyết
    toán năm sẽ hoàn hoặc thu thêm. Đã nộp cam kết chưa đến mức nộp thuế: nhập cả khoản vào “Phần
    lương miễn thuế”.
who.short_contract | Labour contract of 1 to under 3 months | HĐLĐ từ 1 đến dưới 3 tháng
why.short_contract | 10% of each payment of 5,000,000 or more (until June 2026: 2,000,000). Social
    insurance since 2018, health insurance since July 2025, unemployment insurance since 2026:
    enter the insured salary.
  | Khấu trừ 10% mỗi lần trả từ 5.000.000 (đến tháng 6/2026: 2.000.000). Đóng BHXH từ năm 2018,
    BHYT từ tháng 7/2025, BHTN từ năm 2026: hãy nhập lương đóng bảo hiểm.
who.second_job | Second job, labour contract of 3 months or more
  | Nơi làm việc thứ hai, HĐLĐ từ 3 tháng
why.second_job | The personal deduction and the insurance are those of the first employer. By a
    service contract: choose “Freelancer, service contract”.
  | Giảm trừ bản thân và bảo hiểm đã tính ở công ty thứ nhất. Theo hợp đồng dịch vụ: chọn “Cộng tác
    viên, hợp đồng dịch vụ”.
who.uninsured | No insurance this month | Tháng này không đóng bảo hiểm
why.uninsured | On maternity leave all month; without pay or sick for 14 or more working days; or
    part-time for less than the reference level.
  | Nghỉ thai sản cả tháng; nghỉ không lương hoặc ốm từ 14 ngày làm việc; hoặc làm không trọn thời
    gian, lương dưới mức tham chiếu.
who.pensioner | Pensioner, labour contract of 3 months or more
  | Người hưởng lương hưu, HĐLĐ từ 3 tháng
why.pensioner | No insurance. Include in the salary what the employer pays instead of
    contributions. By a service contract: choose “Freelancer, service contract”.
  | Không đóng bảo hiểm. Cộng vào lương khoản công ty trả thêm thay cho đóng bảo hiểm. Theo hợp đồng
    dịch vụ, như tư vấn: chọn “Cộng tác viên, hợp đồng dịch vụ”.
who.pension_entitled | Entitled to a pension, not drawing it, labour contract of 3 months or more
  | Đủ điều kiện hưu, chưa hưởng, HĐLĐ từ 3 tháng
why.pension_entitled | No unemployment insurance since 2026. By a service contract: choose
    “Freelancer, service contract”.
  | Không đóng BHTN từ năm 2026. Theo hợp đồng dịch vụ: chọn “Cộng tác viên, hợp đồng dịch vụ”.
who.civil_servant | Civil servant, appointed | Công chức, có quyết định bổ nhiệm
why.civil_servant | No unemployment insurance. Staff by contract: choose “Employee”; other work by
    a service contract: “Freelancer, service contract”.
  | Không đóng BHTN. Làm theo HĐLĐ: chọn “Nhân viên”; việc khác theo hợp đồng dịch vụ: “Cộng tác
    viên, hợp đồng dịch vụ”.
who.foreigner | Resident foreigner, labour contract of 12 months or more
  | Người nước ngoài cư trú, HĐLĐ từ 12 tháng
why.foreigner | In Vietnam for 183 days or more. No unemployment insurance.
  | Ở Việt Nam từ 183 ngày. Không đóng BHTN.
who.foreigner_uninsured | Resident foreigner without insurance, labour contract of 3 months or more
  | Người nước ngoài cư trú không bảo hiểm, HĐLĐ từ 3 tháng
why.foreigner_uninsured | In Vietnam for 183 days or more, on a contract of under 12 months,
    transferred within the company, of retirement age, or insured at home by a treaty. Include in
    the salary what the employer pays instead of contributions. By a service contract: choose
    “Freelancer, service contract”.
  | Ở Việt Nam từ 183 ngày, có HĐLĐ dưới 12 tháng, di chuyển nội bộ doanh nghiệp, đến tuổi nghỉ
    hưu hoặc đóng ở nước mình theo hiệp định. Cộng vào lương khoản công ty trả thêm thay cho đóng
    bảo hiểm. Theo hợp đồng dịch vụ: chọn “Cộng tác viên, hợp đồng dịch vụ”.
who.non_resident | Non-resident without insurance, under 183 days: 20%
  | Không cư trú không bảo hiểm, dưới 183 ngày: 20%
why.non_resident | On a contract of under 12 months or none: 20% of each payment.
  | HĐLĐ dưới 12 tháng hoặc không có: khấu trừ 20% mỗi lần trả.
who.non_resident_insured | Non-resident with insurance, under 183 days: 20%
  | Không cư trú có bảo hiểm, dưới 183 ngày: 20%
why.non_resident_insured | On a contract of 12 months or more: 20% of each payment, insured as a
    foreigner: enter the insured salary.
  | HĐLĐ từ 12 tháng: khấu trừ 20% mỗi lần trả, đóng bảo hiểm như người nước ngoài: hãy nhập lương
    đóng bảo hiểm.
`);

/** The keys of the persons, in the order of the list. */
export const WHO: readonly string[] = Object.keys(PERSONS);

/** The members of the request for a person in a salary month (YYYY-MM), in JSON notation. */
export function membersOf(key: string, month: string): Values {
  const values = Object.entries(personalValues(key, month));
  return Object.fromEntries(values.map(([name, value]) => [name, String(value)]));
}
