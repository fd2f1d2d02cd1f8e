/* Why a payslip has another net salary: the differences and the reasons, in words. */
import { Failure } from '../../contract/failure.ts';
import { parse } from '../../contract/schema.ts';
import { type Change, reconcileRequest, type ReconcileResult } from '../../reconcile/contract.ts';
import { differencesFrom } from '../../reconcile/differences.ts';
import { explaining } from '../../reconcile/reconcile.ts';
import { MONTH, type TaxResult } from '../../tax/contract.ts';
import { currentPeriod, type Reply } from '../frame/calculation.ts';
import { isPart, isUsed, requestOf, type Values } from '../frame/request.ts';
import { addTexts, format, text } from '../frame/texts.ts';
import { form, OTHER, payslip, payslipForm, personIn, RAW, whoHas } from './salary-form.ts';
import { WHO } from './who.ts';

addTexts(`
unexplained | No usual reason explains this figure
  | Chưa tìm ra lý do thường gặp nào cho đúng số này
unexplained.help | No usual reason explains this figure. {cause}; to be sure, enter or correct
    {fields}
  | Chưa tìm ra lý do thường gặp nào cho đúng số này. {cause}; để biết chắc, hãy nhập thêm hoặc sửa
    {fields}
cause.-1 | An advance, a fine or unpaid days may have been subtracted
  | Có thể đã trừ tạm ứng, tiền phạt, ngày nghỉ không lương
cause.0 | The tax or the insurance may be wrong | Số thuế hoặc bảo hiểm có thể chưa đúng
cause.1 | A bonus or a repayment may have been added | Có thể đã cộng thưởng, khoản hoàn trả
agrees | This figure agrees with the answer | Số này khớp với kết quả
reason.period | The law of {since} to {value} | Quy định từ {since} đến {value}
reason.brackets | Other brackets with the same deductions | Biểu thuế khác, giữ nguyên mức giảm trừ
reason.region | Region {value} | Vùng {value}
reason.dependents | Dependents: {value} instead of {own} | Số người phụ thuộc: {value} thay vì {own}
reason.dependents.least | Dependents: {value} or more instead of {own}, or tax-free pay, or a
    pension
  | Số người phụ thuộc: từ {value} trở lên thay vì {own}, hoặc có khoản miễn thuế, hoặc đóng hưu trí
reason.income | The payslip is for {value}, as with unpaid days, a bonus or other pay
  | Phiếu lương này là của {value}, như tháng nghỉ không lương, có thưởng hoặc khoản khác
reason.insurance_salary | Insured on {value} | Đóng bảo hiểm theo mức {value}
reason.insurance_salary.0 | No insurance | Không đóng bảo hiểm
reason.insurance_salary.minimum | Insured on the minimum wage of {value} only
  | Chỉ đóng bảo hiểm theo lương tối thiểu vùng {value}
reason.insurance_salary.above | Insured on {value}, as in a part of a month, or for several
  | Đóng bảo hiểm theo mức {value}, như tháng làm không đủ ngày, hoặc đóng cho nhiều tháng
reason.exempt_income | Tax-free pay of {value}, as for meals or overtime, or a pension
  | Khoản miễn thuế {value}, như tiền ăn, tiền làm thêm giờ, hoặc đóng hưu trí
reason.exempt_income.least | Tax-free pay of {value} or more, as for overtime or leave, or a pension
  | Khoản miễn thuế từ {value} trở lên, như làm thêm giờ, ngày phép, hoặc đóng hưu trí
reason.voluntary_pension | A voluntary pension or life insurance of {value}
  | Đóng hưu trí tự nguyện hoặc bảo hiểm nhân thọ {value}
reason.union_dues | Union dues of {rate}% of the insured salary, which are not included
  | Trừ đoàn phí {rate}% lương đóng bảo hiểm (chưa tính)
reason.outside | {change} besides insurance and tax, as by an advance, fine or bonus, unpaid days
    or meals
  | Ngoài bảo hiểm và thuế: {change}, như tạm ứng, phạt, nghỉ không lương, thưởng hoặc tiền ăn
reason.self_deduction.true | The personal deduction | Có giảm trừ bản thân
reason.self_deduction.false | No personal deduction, as in a second job
  | Không giảm trừ bản thân, như nơi làm việc thứ hai
reason.bhxh.true | Social insurance | Có đóng BHXH
reason.bhxh.false | No social insurance | Không đóng BHXH
reason.bhyt.true | Health insurance | Có đóng BHYT
reason.bhyt.false | No health insurance | Không đóng BHYT
reason.bhtn.true | Unemployment insurance | Có đóng BHTN
reason.bhtn.false | No unemployment insurance, as for civil servants, foreigners, or at the pension
    age
  | Không đóng BHTN, như công chức, người nước ngoài, hoặc khi đủ tuổi nghỉ hưu
reason.foreigner.true | The insurance of a foreigner | Đóng bảo hiểm như người nước ngoài
reason.foreigner.false | The insurance of a citizen | Đóng bảo hiểm như công dân Việt Nam
reason.taxation | Another tax status | Cách tính thuế khác
reason.net_income | The stated net is income before tax, after insurance
  | Số net đã nêu là thu nhập trước thuế (đã trừ bảo hiểm)
reason.type.net | The income was taken for net | Lương đã nhập được hiểu là lương net
reason.type.cost | The income was taken for the employer cost
  | Lương đã nhập được hiểu là chi phí công ty
reason.difference.0 | The same net salary | Lương net bằng nhau
reason.difference.1 | The payslip is {amount} higher than the answer
  | Phiếu lương cao hơn kết quả {amount}
reason.difference.-1 | The payslip is {amount} lower than the answer
  | Phiếu lương thấp hơn kết quả {amount}
reason.difference.insurance | {change} insurance | bảo hiểm {change}
reason.difference.tax | {change} tax | thuế {change}
reason.difference.outside | {change} besides both | ngoài hai khoản đó {change}
by.1 | {amount} more | nhiều hơn {amount}
by.0 | the same | như nhau
by.-1 | {amount} less | ít hơn {amount}
reason.law.self | personal deduction of {value} | giảm trừ bản thân {value}
reason.law.dependents | {value} for dependents | giảm trừ người phụ thuộc {value}
reason.law.brackets | {value} brackets | {value} bậc thuế
reason.law.rate | {value}% withheld | khấu trừ {value}%
reason.law.threshold | no tax below {value} | chưa khấu trừ dưới {value}
reason.law.bhxhBase | social and health insurance on {value} | đóng BHXH, BHYT theo mức {value}
reason.law.bhtnBase | unemployment insurance on {value} | đóng BHTN theo mức {value}
reason.law.bhxh | social insurance of {value}% | BHXH {value}%
`);

/** A reason, and the values of a salary that has it, if the form has their fields. */
export interface Reason {
  readonly words: string;
  readonly values?: Values | undefined;
}

/** Finds the reasons step by step, in the words of the page. */
export function* reasonsIn(values: Values): Generator<void, Reply<readonly Reason[]>> {
  try {
    const checked = parse(reconcileRequest, requestOf(payslipForm, values));
    const result = yield* explaining(checked, { currentPeriod }, inWords);
    return { data: reasonsFrom(result, values), problems: [] };
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return { problems: error.details ?? [] };
  }
}

/** The differences of the payslip from an answer, in words; '' without a net salary, or if a figure is no amount. */
export function differencesIn(own: TaxResult, values: Values): string {
  const stated = payslip.map(({ name }) => name).filter((name) => values[name]);
  const areAmounts = stated.every((name) => /^\d+$/.test(values[name] ?? ''));
  if (!areAmounts || !values['net_income']) return '';
  const figures = Object.fromEntries(stated.map((name) => [name, Number(values[name])]));
  return differencesFrom(own, { net_income: NaN, ...figures }, inWords).words;
}

/** The reasons in words. One without a change is the answer. */
function reasonsFrom(data: ReconcileResult, values: Values): readonly Reason[] {
  const isAgreement = data.explanations.some(({ changes }) => changes.length === 0);
  if (isAgreement) return [{ words: text('agrees') }];
  const reasons = data.explanations.flatMap(({ changes, insurance }) => {
    const isInsuredAlike = insurance === data.insurance && changes.some(isPay);
    return reasonsOf(changes, isInsuredAlike ? insuredAlike(values) : values);
  });
  return reasons.length > 0 ? reasons : [{ words: unexplained(data) }];
}

/** Whether a change also changes the insured salary, unless the request states it. */
function isPay({ field }: Change): boolean {
  return field === 'income' || field === 'exempt_income';
}

/** The values with the insured salary of the answer. */
function insuredAlike(values: Values): Values {
  const { income, exempt_income, insurance_salary } = values;
  const insured = Number(income) - Number(exempt_income);
  return { ...values, insurance_salary: insurance_salary || String(insured) };
}

/** What would help to find a reason. */
function unexplained({ would_help = [], differences }: ReconcileResult): string {
  if (would_help.length === 0) return text('unexplained');
  const names = would_help.map((name) => text(name).replace(/^./, (first) => first.toLowerCase()));
  const cause = text(`cause.${Math.sign(differences.net_income)}`);
  return text('unexplained.help', { cause, fields: names.join(', ') });
}

/** A reason for each person of the list whose values are those with the changes, or the changes in words. */
function reasonsOf(changes: readonly Change[], values: Values): readonly Reason[] {
  const others = valuesWith(changes, values);
  const persons = changes.some(isPersonal) ? personsWith(changes, values) : [];
  const rest = persons.length > 0 ? changes.filter((change) => !isPersonal(change)) : changes;
  const words = rest.map(({ reason: inOneWay }) => inOneWay);
  if (persons.length === 0) return [{ words: words.join('; '), values: others }];
  return persons.map((who) => ({
    words: [`${text('who')}: ${text(`who.${who}`)}`, ...words].join('; '),
    values: others && { ...others, who },
  }));
}

function isPersonal({ field, value }: Change): boolean {
  return field in RAW || (field === 'insurance_salary' && value === 0);
}

/** How to write the placeholders that are always amounts. */
const WRITERS: Readonly<Record<string, (value: unknown) => string>> = {
  amount: (value) => format.dong(Number(value)),
  change: (value) =>
    text(`by.${Math.sign(Number(value))}`, { amount: format.dong(Math.abs(Number(value))) }),
};

/** The words of a reason in the language of the page. */
export function inWords(key: string, placeholders: Readonly<Record<string, unknown>>): string {
  const written = Object.entries(placeholders).map(([name, value]) => [
    name,
    (WRITERS[name] ?? notationOf)(value),
  ]);
  return text(`reason.${key}`, Object.fromEntries(written));
}

/** Writes an amount, a number of less than a thousand such as a rate, or a month. */
function notationOf(value: unknown): string {
  if (typeof value === 'number') return (value < 1000 ? format.count : format.dong)(value);
  return MONTH.test(String(value)) ? format.month(String(value)) : String(value);
}

/**
 * The values with changes of the request, in which a person of the list is replaced by its members; undefined if the
 * form lacks a field, because a part of the changes gives another net salary.
 */
export function valuesWith(changes: readonly Change[], values: Values): Values | undefined {
  const isKnown = (name: string): boolean => form.fields.some((field) => field.name === name);
  if (!changes.every(({ field }) => isKnown(field))) return undefined;
  const all = membersWith(changes, values);
  const changed: Values = { ...all, who: whoHas(all) };
  const unused = form.fields.filter((field) => !isUsed(field, changed));
  return {
    ...changed,
    ...Object.fromEntries(unused.map(({ name }) => [name, values[name] ?? ''])),
  };
}

/** The values with the members of the person, and with changes. */
function membersWith(changes: readonly Change[], values: Values): Values {
  const members = Object.fromEntries(changes.map(({ field, value }) => [field, String(value)]));
  const person = values['who'] === OTHER ? {} : { ...RAW, ...personIn(values) };
  return { ...values, ...person, ...members };
}

/** The persons of the list who have the values with changes, and determine those that are personal. */
function personsWith(changes: readonly Change[], values: Values): readonly string[] {
  const all = membersWith(changes, values);
  const personal = changes.filter(isPersonal);
  return WHO.filter((who) => {
    const members: Values = { ...RAW, ...personIn({ ...all, who }) };
    return isPart(members, all) && personal.every(({ field }) => field in members);
  });
}
