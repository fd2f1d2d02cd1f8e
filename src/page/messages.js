import { button } from './dom.js';
import { addTexts, format, text } from './texts.js';

addTexts(`
needs.amount | Enter an amount. | Hãy nhập số tiền.
needs.other | This field is required. | Hãy nhập mục này.
expects.amount | Enter an amount from {from} to {to}, such as 25,000,000 or 25m.
  | Nhập số tiền từ {from} đến {to}, ví dụ 25.000.000 hoặc 25tr.
expects.decimal | Enter a number from {from} to {to}. | Nhập một số từ {from} đến {to}.
expects.integer | Enter a whole number from {from} to {to}. | Nhập một số nguyên từ {from} đến {to}.
expects.term | Enter a whole number of months, up to {to} years, such as 1 year 6 months.
  | Nhập số tháng tròn, tối đa {to} năm, ví dụ 1 năm 6 tháng.
expects.month | Enter a month such as 08/2026. | Nhập tháng như 08/2026.
expects.choice | Choose one of these. | Hãy chọn một mục.
early | The law tables begin in January 2015. | Chỉ có quy định từ tháng 1/2015 trở đi.
unfit.income | This budget does not cover the contributions. | Ngân sách này không đủ để đóng bảo hiểm.
unfit.target | No value reaches this goal. | Không có giá trị nào đạt được mục tiêu này.
unfit.other | This does not fit the other values. | Mục này không phù hợp với các mục khác.
check | Please check: | Hãy kiểm tra:
timeout | The service did not answer in time. | Dịch vụ không trả lời kịp.
foreign | Something other than the service answered, such as a login page.
  | Phản hồi không đến từ dịch vụ, có thể là một trang đăng nhập.
overloaded | The service is busy. | Dịch vụ đang bận.
tooLarge | The text is longer than the service accepts. | Văn bản vượt quá giới hạn của dịch vụ.
refused | The service refused the request. | Dịch vụ từ chối yêu cầu này.
failed | The service failed with status {status}. | Dịch vụ gặp lỗi, mã trạng thái {status}.
`);

export function messageOf({ code }, field, values, texts = text, formats = format) {
  const { kind, name, unit, range = [] } = field;
  if (code === 'required' || values[name] === '') return texts(`needs.${kind}`) ?? texts('needs.other');
  if (code === 'out_of_range' && kind === 'month') return texts('early');
  const value = Number(values[name]);
  if (code === 'out_of_range' && value >= range[0] && value <= range[1] && value > 0) {
    return texts(`unfit.${name}`) ?? texts('unfit.other');
  }
  const sign = { '%': ' %', '₫': ' đồng' }[unit] ?? '';
  const write = kind === 'amount' ? formats.compact : formats.count;
  const [from, to] = range.map((bound) => (bound === 0 ? '0' : write(bound) + sign));
  return texts(`expects.${kind}`, { from, to }) ?? texts('unfit.other');
}

/** As a text, and with links to the fields. */
export function adviceOn(fields) {
  const links = fields.flatMap(({ label, focus }) => [' ', button(label, focus, 'inline')]);
  return [`${text('check')} ${format.list(fields.map(({ label }) => label))}`, [text('check'), ...links]];
}
