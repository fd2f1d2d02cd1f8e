/* Why a payslip has another net salary: the reasons, each with a link that compares the answers. */
import { reconcileResult, type ReconcileResult } from '../../reconcile/contract.ts';
import { reconcileIn } from '../../reconcile/reconcile.ts';
import { MONTH } from '../../tax/contract.ts';
import { calculate, type Reply } from '../frame/calculation.ts';
import { append, element, redraw } from '../frame/dom.ts';
import { Form } from '../frame/form.ts';
import { bodyOf, fragmentOf, isUsed, type Values } from '../frame/request.ts';
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
reason.exempt_income | Tax-free meals of {value} | Tiền ăn miễn thuế {value}
reason.union_dues | Union dues of {rate} % of the insured salary, which are not modelled
  | Trừ đoàn phí {rate} % lương đóng bảo hiểm (công cụ chưa tính)
reason.self_deduction | No personal deduction, as in a second job
  | Không giảm trừ bản thân, như nơi làm việc thứ hai
reason.bhtn | No unemployment insurance, as from the pension age on
  | Không đóng BHTN, như khi đủ tuổi nghỉ hưu
reason.foreigner | The insurance of a foreigner | Đóng bảo hiểm như người nước ngoài
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

type Explanation = ReconcileResult['explanations'][number];
type Change = Explanation['changes'][number];

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

/**
 * The reasons in words. A person of the list, who may change several fields at once, is a likelier
 * reason than two changes, and than the fields for which that person stands.
 */
function reasonsFrom(data: ReconcileResult, values: Values): HTMLElement[] {
  if (isAgreement(data)) return [element('p', text('agrees'))];
  const persons = WHO.map((who) => personOf(who, values)).filter((person) => {
    const outcome = reconcile({ ...values, ...person });
    return outcome.kind === 'result' && isAgreement(outcome.data);
  });
  const others = data.explanations.filter(
    ({ changes }) => persons.length === 0 || (changes.length === 1 && !changes.some(isPersonal)),
  );
  const reasons = [
    ...persons.map((person) =>
      reason(`${text('who')}: ${text(`who.${person['who']}`)}`, values, person),
    ),
    ...others.map(({ changes }) =>
      reason(
        changes.map(({ reason: words }) => words).join('; '),
        values,
        valuesWith(changes, values),
      ),
    ),
  ];
  const disclosure = text('more.salary-payslip');
  return reasons.length > 0 ? reasons : [element('p.hint', text('unexplained', { disclosure }))];
}

/** The value of a person, with an insured salary, that of the contract, if it must be stated. */
function personOf(who: string, values: Values): Values {
  if (reconcile({ ...values, who }).kind === 'result') return { who };
  const { income, exempt_income = '' } = values;
  return { who, insurance_salary: String(Number(income) - Number(exempt_income)) };
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
  const members = Object.fromEntries(changes.map(({ field, value }) => [field, String(value)]));
  if (Object.keys(members).some((name) => form.fields.every((field) => field.name !== name))) {
    return undefined;
  }
  const person = values['who'] === OTHER ? {} : { ...RAW, ...personIn(values) };
  const all = { ...values, ...person, ...members };
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
