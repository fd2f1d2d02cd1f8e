import { formatsOf } from './numbers.js';

export const LANGUAGES = ['en', 'vi'];

export const language = globalThis.document?.documentElement.lang ?? 'en';

export const format = formatsOf(language);

export const TEXTS = {};

/** Adds a table of keys, English texts and Vietnamese texts; a line that is indented continues the last. */
export function addTexts(table) {
  for (const row of table.trim().split(/\n(?! )/)) {
    const [key, ...texts] = row.split(/\s*\|\s*/);
    TEXTS[key] = texts.map((text) => text.replace(/\n +/, ' '));
  }
}

/* The texts of the first answer; other modules add theirs. */
addTexts(`
explain | What is “{term}”? | “{term}” là gì?
income | Salary per month | Lương tháng
unit.₫ | đồng | đồng
unit.% | percent | phần trăm
unit.years | years | năm
unit.months | months | tháng
type | This amount is | Số tiền này là
gross | Gross | Gross
net | Net | Net
cost | Budget | Ngân sách
dependents | Dependents | Số người phụ thuộc
period | Salary month | Tháng tính lương
hint.period | Selects the law. Empty: this month. | Áp dụng quy định của tháng này. Để trống: tháng hiện tại.
region | Region of the workplace | Vùng nơi làm việc
1 | I | I
2 | II | II
3 | III | III
4 | IV | IV
insurance_salary | Salary for insurance | Lương đóng bảo hiểm
hint.insurance_salary | Empty: the gross salary. 0: no insurance.
  | Để trống: bằng lương gross. 0: không đóng bảo hiểm.
step.-1 | {label}: one fewer | {label}: bớt một
step.1 | {label}: one more | {label}: thêm một
moreOptions | More options | Tùy chọn khác
copy | Copy | Sao chép
copied | Copied | Đã sao chép
notCopied | Not copied: the browser refused | Chưa sao chép được: trình duyệt từ chối
copyLink | Copy link | Sao chép liên kết
share | Share | Chia sẻ
exchange | For developers: the request | Cho lập trình viên: yêu cầu API
calculating | Calculating… | Đang tính…
stale | Last valid answer | Kết quả hợp lệ gần nhất
unreachable | The service cannot be reached. The page tries again once it is online.
  | Không kết nối được với dịch vụ. Trang sẽ thử lại khi có kết nối.
tryAgain | Try again | Thử lại
compare | Compare with another month or offer | So sánh với tháng hoặc mức lương khác
noAnswer | No answer yet | Chưa có kết quả
beyondReview | The law has been reviewed through {month}. Later months use its law.
  | Quy định đã được rà soát đến tháng {month}. Các tháng sau dùng quy định của tháng đó.
rows.one | {count} row | {count} dòng
rows.other | {count} rows | {count} dòng
reviewed | Reviewed through {month}. | Đã rà soát đến tháng {month}.
`);

export function textsOf(language) {
  const index = LANGUAGES.indexOf(language);
  return (key, places = {}) => TEXTS[key]?.[index].replace(/\{(\w+)\}/g, (_, place) => places[place]);
}

export const text = textsOf(language);

/** A text with a place for "1 row" or "1,200 rows". */
export function counted(key, count, places) {
  return text(key, { ...places, rows: text(`rows.${format.plural(count)}`, { count: format.count(count) }) });
}
