/** The messages of problems. */
import type { Problem } from '../../contract/failure.ts';
import { type Formats, NUMBER } from './numbers.ts';
import { isFraction, strangeIn } from './reading.ts';
import type { Field, Values } from './request.ts';
import { addTexts, format, type Texts, text } from './texts.ts';

addTexts(`
required | This field is required. | Hãy nhập mục này.
expects.amount | Enter an amount from {from} to {to}, such as 25,000,000 or 25m.
  | Nhập số tiền từ {from} đến {to}, ví dụ 25.000.000 hoặc 25tr.
expects.rate | Enter a number from {from} to {to}. | Nhập một số từ {from} đến {to}.
expects.integer | Enter a whole number from {from} to {to}. | Nhập một số nguyên từ {from} đến {to}.
expects.month | Enter a month and year such as 08/2026. | Nhập tháng và năm, ví dụ 08/2026.
expects.choice | Choose one of these. | Hãy chọn một mục.
currency | Amounts are in đồng; no currency is converted.
  | Hãy nhập bằng đồng, không quy đổi ngoại tệ.
strange | “{part}” is not part of the number. | “{part}” không phải là một phần của số này.
whole | Enter a whole number; separators stand between groups of three digits.
  | Hãy nhập số nguyên; dấu chấm tách từng nhóm ba chữ số.
unclear | These digits and separators can be read in several ways.
  | Các chữ số và dấu phân cách này có thể hiểu theo nhiều cách.
early | The law tables begin in January 2015. | Chỉ có quy định từ tháng 1/2015 trở đi.
unfit.income | This budget does not cover the contributions of {0}.
  | Ngân sách này không đủ để đóng bảo hiểm {0}.
unfit.exempt_income | At most the gross salary, {0}. | Tối đa bằng lương gross, {0}.
unfit.net_income | Enter an amount from {0} to {1}. | Nhập số tiền từ {0} đến {1}.
unfit.other | This does not fit the other values. | Mục này không phù hợp với các mục khác.
unfit.insurance_salary | Insurance and tax of {1} exceed the gross salary, {0}.
  | Tiền bảo hiểm và thuế {1} vượt quá lương gross, {0}.
`);

/** The sign or code of another currency. */
const CURRENCY = /^(?:\p{L}*\p{Sc}|usd|eur|gbp|jpy|krw|cny|sgd|aud)$/iu;

const SIGNS = { '%': '%', '₫': ' đồng' };

/**
 * The message of a problem in the words of its field. The numbers of the message of the service are the limits that
 * other fields set.
 */
export function messageOf(
  { code, message }: Pick<Problem, 'code' | 'message'>,
  field: Field,
  values: Values,
  texts: Texts = text,
  formats: Formats = format,
): string {
  const { kind, name, unit, range: [minimum, maximum] = [-Infinity, Infinity] } = field;
  const given = values[name] ?? '';
  if (code === 'required' || given === '') return texts('required');
  if (code === 'out_of_range' && kind === 'month') return texts('early');
  const value = Number(given);
  if (code === 'out_of_range' && value >= minimum && value <= maximum && value > 0) {
    const numbers = message.match(/\d+/g) ?? [];
    const limits = numbers.map((number, index) => [index, formats.dong(Number(number))]);
    return texts(`unfit.${name}`, Object.fromEntries(limits)) || texts('unfit.other');
  }
  const sign = unit === undefined ? '' : SIGNS[unit];
  const numbers = kind === 'amount' ? formats.compact : formats.count;
  const write = name === 'year' ? String : numbers;
  const [from, to] = [minimum, maximum].map((bound) => (bound === 0 ? '0' : write(bound) + sign));
  const expects = (key: string): string =>
    texts(`expects.${key}`, { from: from ?? '', to: to ?? '' });
  const expected = expects(name) || expects(kind) || texts('unfit.other');
  return [reasonOf(field, given, texts), expected].filter(Boolean).join(' ');
}

/** The reason for which a text is no number, or no amount; '' if the expected values say it. */
function reasonOf({ kind }: Field, given: string, texts: Texts): string {
  const part = /amount|rate|integer/.test(kind) ? strangeIn(given) : '';
  if (CURRENCY.test(part)) return texts('currency');
  if (part !== '') return texts('strange', { part });
  if (kind !== 'amount' || !/\d/.test(given)) return '';
  if (NUMBER.test(given)) return isFraction(given) ? texts('whole') : '';
  const isWritten = /\p{L}/u.test(given) && !/[.,]\d{4}/.test(given); // with words of scale
  return texts(isWritten ? 'unclear' : 'whole');
}
