/** The texts of the page in both languages. */
import { languageOfDocument } from './document.ts';
import { type Formats, formatsOf, type Language, LANGUAGES } from './numbers.ts';

/** The language of the document. */
export const language: Language = languageOfDocument();

/** The formats of the language of the document. */
export const format: Formats = formatsOf(language);

/** The values of the placeholders `{name}` of a text. */
export type Placeholders = Readonly<Record<string, string | number>>;

/** The text of a key with its placeholders replaced, or ''. */
export type Texts = (key: string, placeholders?: Placeholders) => string;

/** All texts by their keys, one per language. */
export const TEXTS: Record<string, readonly string[]> = {};

/** Adds a table of keys, English texts and Vietnamese texts; an indented line continues the one before it. */
export function addTexts(table: string): void {
  for (const row of table.trim().split(/\n(?! )/)) {
    const [key = '', ...texts] = row.split(/\s*\|\s*/);
    TEXTS[key] = texts.map((text) => text.replace(/\n +/g, ' '));
  }
}

/* The texts of the document and of the salary; other modules add theirs. */
addTexts(`
income | Salary per month | Lương tháng
hint.income | With the bonus or 13th salary of the month. If there is one, also enter the insured
    salary, which excludes it.
  | Gồm cả thưởng, lương tháng 13 của tháng này; nếu có, nhập thêm “Lương đóng bảo hiểm”, không gồm
    các khoản ấy.
unit.₫ | đồng | đồng
unit.% | percent | phần trăm
type | This amount is | Bạn nhập
gross | Gross | Gross
net | Net | Net
cost | Employer cost | Chi phí công ty
dependents | Dependents | Số người phụ thuộc
period | Salary month | Tháng tính lương
hint.period | Selects the law. Empty: this month. | Để trống để tính theo tháng hiện tại.
region | Minimum-wage region | Vùng lương tối thiểu
insurance_salary | Insured salary | Lương đóng bảo hiểm
hint.insurance_salary | The salary without bonuses and a 13th salary. Hired, leaving or unpaid
    within the month: the salary of the contract. 0: no insurance. Empty: gross without its
    tax-free part, but required if 10% or 20% is withheld or in a second job.
  | Không gồm thưởng, lương tháng 13. Vào làm, nghỉ việc, nghỉ không lương trong tháng: lương theo
    HĐLĐ. 0: không đóng bảo hiểm. Để trống: lương gross trừ phần miễn thuế; phải nhập khi khấu trừ
    10%, 20% hoặc làm nơi thứ hai.
explanation | How it comes about | Diễn giải
copy | Copy | Sao chép
copied | Copied | Đã sao chép
notCopied | Not copied: the browser refused | Chưa sao chép được: trình duyệt từ chối
printed | {address}, printed on {date}. Law reviewed through {month}.
  | {address}, in ngày {date}. Quy định rà soát đến tháng {month}.
unloaded | This part of the page could not be loaded. | Không tải được phần này của trang.
tryAgain | Try again | Thử lại
version | ; law reviewed through {month}. This page sends nothing.
  | ; quy định rà soát đến tháng {month}. Trang này không gửi gì đi.
reviewed | Law reviewed through {month}. | Quy định rà soát đến tháng {month}.
`);

/** The texts of a language. */
export function textsOf(language: Language): Texts {
  const index = LANGUAGES.indexOf(language);
  return (key, placeholders = {}) =>
    (TEXTS[key]?.[index] ?? '').replace(/\{(\w+)\}/g, (_, place: string) =>
      String(placeholders[place]),
    );
}

/** The texts of the language of the document. */
export const text: Texts = textsOf(language);
