/* Why a payslip has another net salary: the reasons, each with a link that compares the answers. */
import { reconcileResult, type ReconcileResult } from '../../reconcile/contract.ts';
import { reconcileIn } from '../../reconcile/reconcile.ts';
import { MONTH } from '../../tax/contract.ts';
import { calculate, type Reply } from '../frame/calculation.ts';
import { append, element, redraw } from '../frame/dom.ts';
import { Form } from '../frame/form.ts';
import { bodyOf, fragmentOf, isPart, isUsed, type Values } from '../frame/request.ts';
import { form, OTHER, payslip, personIn, RAW, whoHas } from './salary-form.ts';
import { addTexts, format, text } from '../frame/texts.ts';
import { WHO } from './who.ts';

addTexts(`
net_income | Net salary on the payslip | Lương net trên phiếu lương
more.salary-payslip | Tax and insurance on the payslip | Thuế và bảo hiểm trên phiếu lương
unexplained | No usual person, month, number of dependents or insured salary explains this figure;
    to have any other insured salary tried, enter the insurance under “{disclosure}”.
  | Chưa tìm ra trường hợp thường gặp nào cho đúng số này; để dò mức đóng bảo hiểm khác, hãy nhập số
    tiền bảo hiểm trong mục “{disclosure}”.
agrees | This figure agrees with the answer. | Số này khớp với kết quả.
compare | Compare | So sánh
reason.period | The law of {since} to {value} | Quy định từ {since} đến {value}
reason.brackets | Other brackets with the same deductions | Biểu thuế khác, giữ nguyên mức giảm trừ
reason.region | Region {value} | Vùng {value}
reason.dependents | Dependents: {value} instead of {own} | Số người phụ thuộc: {value} thay vì {own}
reason.insurance_salary | Insured on {value} | Đóng bảo hiểm trên {value}
reason.insurance_salary.0 | No insurance | Không đóng bảo hiểm
reason.insurance_salary.minimum | Insured on the minimum wage of {value} only
  | Chỉ đóng bảo hiểm trên lương tối thiểu vùng {value}
reason.insurance_salary.above | Insured on {value}, as in a part of a month
  | Đóng bảo hiểm trên {value}, như tháng làm không đủ ngày
reason.exempt_income | Tax-free pay of {value}, as for meals or overtime
  | Khoản miễn thuế {value}, như tiền ăn hoặc tiền làm thêm giờ
reason.union_dues | Union dues of {rate} % of the insured salary, which are not modelled
  | Trừ đoàn phí {rate} % lương đóng bảo hiểm (công cụ chưa tính)
reason.outside | {change} besides the insurance and the tax, as by an advance, a fine or meals
  | {change} ngoài bảo hiểm và thuế, như tạm ứng, phạt hoặc tiền ăn
reason.self_deduction.true | The personal deduction | Có giảm trừ bản thân
reason.self_deduction.false | No personal deduction, as in a second job
  | Không giảm trừ bản thân, như nơi làm việc thứ hai
reason.bhxh.true | Social insurance | Có đóng BHXH
reason.bhxh.false | No social insurance | Không đóng BHXH
reason.bhyt.true | Health insurance | Có đóng BHYT
reason.bhyt.false | No health insurance | Không đóng BHYT
reason.bhtn.true | Unemployment insurance | Có đóng BHTN
reason.bhtn.false | No unemployment insurance, as from the pension age on
  | Không đóng BHTN, như khi đủ tuổi nghỉ hưu
reason.foreigner.true | The insurance of a foreigner | Đóng bảo hiểm như người nước ngoài
reason.foreigner.false | The insurance of a citizen | Đóng bảo hiểm như công dân Việt Nam
reason.taxation | Another tax status | Cách tính thuế khác
reason.net_income | The other figure is the income before tax | Số kia là thu nhập trước thuế
reason.type.net | The income was taken for net | Lương đã nhập được hiểu là lương net
reason.type.cost | The income was taken for the budget of the employer
  | Lương đã nhập được hiểu là tổng chi phí công ty
reason.union_fund | A budget without the trade-union fund | Chi phí chưa gồm kinh phí công đoàn
reason.difference.0 | The same net salary | Lương net bằng nhau
reason.difference.1 | Higher by {value} | Cao hơn {value}
reason.difference.-1 | Lower by {value} | Thấp hơn {value}
reason.difference.insurance | insurance {change} | bảo hiểm {change}
reason.difference.tax | tax {change} | thuế {change}
reason.difference.outside | besides them {change} | ngoài các khoản đó {change}
reason.law.self | personal deduction of {value} | giảm trừ bản thân {value}
reason.law.dependents | {value} for dependents | giảm trừ người phụ thuộc {value}
reason.law.brackets | {value} brackets | {value} bậc thuế
reason.law.rate | flat tax of {value} % | khấu trừ {value} %
reason.law.threshold | no tax below {value} | chưa khấu trừ dưới {value}
reason.law.bhxhBase | bhxh and bhyt on {value} | đóng BHXH, BHYT trên {value}
reason.law.bhtnBase | bhtn on {value} | đóng BHTN trên {value}
reason.law.bhxh | bhxh of {value} % | BHXH {value} %
`);

type Change = ReconcileResult['explanations'][number]['changes'][number];

const operation = { operation: reconcileIn(inWords), result: reconcileResult };
const request = { ...form, always: [], fields: [...form.fields, ...payslip] };

/** Adds the question for the figures of a payslip; returns the function that answers it anew. */
export function addQuestion(node: HTMLElement, values: Values, edited: () => void): () => void {
  const figures = new Form('salary-payslip', payslip, { values, edited, submitted: edited });
  const reasons = element('div.blocks', { 'aria-live': 'polite' });
  append(node, [figures.node, reasons]);
  return () => {
    figures.refresh();
    const outcome = figures.refusal() ?? reconcile(values);
    const isAsked = Boolean(values['net_income']);
    figures.showProblems(isAsked && outcome.kind === 'refusal' ? outcome.problems : []);
    const isAnswered = isAsked && outcome.kind === 'result';
    redraw(reasons, isAnswered && reasonsFrom(outcome.data, values));
  };
}

function reconcile(values: Values): Reply<ReconcileResult> {
  return calculate(operation, bodyOf(request, values));
}

/** Whether the figures are those of the answer. */
function isAgreement({ explanations }: ReconcileResult): boolean {
  return explanations.some(({ changes }) => changes.length === 0);
}

/** The reasons in words. */
function reasonsFrom(data: ReconcileResult, values: Values): HTMLElement[] {
  if (isAgreement(data)) return [element('p', text('agrees'))];
  const reasons = data.explanations.flatMap(({ changes }) => reasonsOf(changes, values));
  const disclosure = text('more.salary-payslip');
  return reasons.length > 0 ? reasons : [element('p.hint', text('unexplained', { disclosure }))];
}

/** A reason for each person of the list whose values are those with the changes, or the changes in words. */
function reasonsOf(changes: readonly Change[], values: Values): HTMLElement[] {
  const others = valuesWith(changes, values);
  const persons = changes.some(isPersonal) ? personsWith(changes, values) : [];
  const rest = persons.length > 0 ? changes.filter((change) => !isPersonal(change)) : changes;
  const words = rest.map(({ reason: inOneWay }) => inOneWay);
  if (persons.length === 0) return [reason(words.join('; '), values, others)];
  return persons.map((who) => {
    const person = `${text('who')}: ${text(`who.${who}`)}`;
    return reason([person, ...words].join('; '), values, { ...others, who });
  });
}

function isPersonal({ field, value }: Change): boolean {
  return field in RAW || (field === 'insurance_salary' && value === 0);
}

/** The words of a reason in the language of the page. */
function inWords(key: string, placeholders: Readonly<Record<string, unknown>>): string {
  const written = Object.entries(placeholders).map(([name, value]) => [
    name,
    name === 'change' ? format.signed(Number(value)) : notationOf(value),
  ]);
  return text(`reason.${key}`, Object.fromEntries(written));
}

/** Writes an amount, a number of less than a thousand such as a rate, or a month. */
function notationOf(value: unknown): string {
  if (typeof value === 'number') return (value < 1000 ? format.count : format.dong)(value);
  return MONTH.test(String(value)) ? format.month(String(value)) : String(value);
}

/** A reason with a link that compares the answer with that to other values, if the form has their fields. */
function reason(words: string, values: Values, others: Values | undefined): HTMLElement {
  const href = others && `#${fragmentOf(request, { values, others })}`;
  return element('p', `${words}. `, href && element('a', { href }, text('compare')));
}

/**
 * The values that differ with changes of the request, in which a person of the list is replaced by
 * its members; undefined if the form lacks a field.
 */
export function valuesWith(changes: readonly Change[], values: Values): Values | undefined {
  const isKnown = (name: string): boolean => form.fields.some((field) => field.name === name);
  if (!changes.every(({ field }) => isKnown(field))) return undefined;
  const all = membersWith(changes, values);
  const changed: Values = { ...all, who: whoHas(all) };
  const differing = form.fields.filter(
    // Without the month of payment, another salary month would have another one.
    ({ name }) => name === 'paid_in' || changed[name] !== values[name],
  );
  return Object.fromEntries(
    differing
      .filter((field) => isUsed(field, changed))
      .map(({ name }) => [name, changed[name] ?? '']),
  );
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
