import { addTexts } from './texts.js';

/* What terms mean; loaded when somebody asks. */
addTexts(`
why.dependents | Persons registered with the tax office as yours to support. Each reduces the taxable income.
  | Người đã đăng ký giảm trừ gia cảnh với cơ quan thuế. Mỗi người làm giảm thu nhập tính thuế.
why.period | The month that is worked decides which law applies. Every month since January 2015 is known.
  | Tháng làm việc quyết định quy định được áp dụng. Có đủ quy định của từng tháng từ tháng 1/2015.
why.region | By decree, each commune is in one of four minimum-wage regions. I has the inner cities of Hanoi and
    Ho Chi Minh City, IV the lowest wages. Unemployment insurance is paid on up to 20 times the minimum wage.
  | Nghị định xếp mỗi xã, phường vào một trong bốn vùng lương tối thiểu: vùng I gồm nội thành Hà Nội và
    TP. Hồ Chí Minh, vùng IV có mức thấp nhất. BHTN đóng trên tối đa 20 lần lương tối thiểu vùng.
why.marginalRate | The rate of the highest bracket that the taxable income reaches, which the next đồng would pay.
  | Thuế suất của bậc cao nhất mà thu nhập tính thuế đạt tới, áp dụng cho đồng thu nhập tính thuế tiếp theo.
why.cap | Contributions are paid on a salary up to 20 times the base salary (since July 2025 the reference level) for
    social and health insurance, or the minimum wage of the region for unemployment insurance.
  | Mức lương đóng bảo hiểm tối đa là 20 lần lương cơ sở (từ tháng 7/2025 là mức tham chiếu) với BHXH và BHYT, 20 lần
    lương tối thiểu vùng với BHTN.
why.dependent_months | Twelve per dependent for a whole year, summed over all dependents.
  | Mỗi người phụ thuộc đủ năm là 12 tháng, cộng của mọi người phụ thuộc.
`);
