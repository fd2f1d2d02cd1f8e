import { addTexts } from './texts.js';

/* What terms mean; loaded when somebody asks. */
addTexts(`
why.dependents | Persons registered with the tax office as yours to support: children, parents without income,
    and others. Each reduces the taxable income.
  | Người đã đăng ký giảm trừ gia cảnh với cơ quan thuế: con, cha mẹ không có thu nhập và người khác. Mỗi người làm
    giảm thu nhập tính thuế.
why.period | The month that is worked decides which law applies. Every month since January 2015 is known.
  | Tháng làm việc quyết định quy định được áp dụng. Có đủ quy định của từng tháng từ tháng 1/2015.
why.region | Each commune has one of four minimum-wage regions, by government decree. Region I contains the
    inner cities of Hanoi and Ho Chi Minh City; region IV has the lowest wages. Unemployment insurance is paid on up
    to 20 times the minimum wage of the region.
  | Nghị định của Chính phủ xếp mỗi xã, phường vào một trong bốn vùng lương tối thiểu. Vùng I gồm nội thành Hà Nội
    và TP. Hồ Chí Minh; vùng IV có mức thấp nhất. BHTN đóng trên tối đa 20 lần lương tối thiểu vùng.
why.marginalRate | The rate of the highest bracket that the taxable income reaches: of the next đồng of taxable
    income, this share is tax.
  | Thuế suất của bậc cao nhất mà thu nhập tính thuế đạt tới: tỷ lệ thuế trên mỗi đồng thu nhập tính thuế tăng thêm.
why.cap | Contributions are paid on a salary up to a cap: 20 times the base salary (since July 2025 the
    reference level) for social and health insurance, 20 times the minimum wage of the region for unemployment
    insurance.
  | Mức lương đóng bảo hiểm có trần: 20 lần lương cơ sở (từ tháng 7/2025 là mức tham chiếu) với BHXH và BHYT, 20 lần
    lương tối thiểu vùng với BHTN.
why.dependent_months | Twelve per dependent for a whole year, summed over all dependents.
  | Mỗi người phụ thuộc đủ năm là 12 tháng, cộng của mọi người phụ thuộc.
`);
