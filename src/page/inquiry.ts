/* Why a payslip has another net salary: the reasons, each of which fills the form. */
import { reconcileResult, type ReconcileResult } from '../extensions/reconcile/contract.ts';
import { reconcileIn } from '../extensions/reconcile/reconcile.ts';
import { calculate } from './calculation.ts';
import { append, button, element, redraw } from './dom.ts';
import { Form } from './form.ts';
import { bodyOf, type InquiryPanel, readQuery, type Values } from './request.ts';
import { form, OTHER, payslip, personIn, RAW } from './salary-form.ts';
import { addTexts, language, text } from './texts.ts';

addTexts(`
net_income | Net salary there | Lương net trên phiếu
more.salary-payslip | Tax and insurance there | Thuế và bảo hiểm trên phiếu
unexplained | No usual month, number of dependents, insured salary or tax status explains this
    figure; to have any other insured salary tried, enter the insurance under “{disclosure}”.
  | Không có tháng, người phụ thuộc, mức đóng bảo hiểm hay cách tính thuế thường gặp nào cho ra đúng
    số này; để dò mức đóng khác, hãy nhập số tiền bảo hiểm trong mục “{disclosure}”.
agrees | This figure agrees with the answer. | Số này khớp với kết quả.
apply | Calculate with it | Tính theo cách này
applyLaw | Calculate by the law of {year} | Tính theo luật {year}
`);

type Explanation = ReconcileResult['explanations'][number];

type Changes = Explanation['changes'];

/** Adds the question for the figures of a payslip; returns the function that answers it anew. */
export function addQuestion(
  node: HTMLElement,
  values: Values,
  { edited, fill }: InquiryPanel,
): () => void {
  const figures = new Form('salary-payslip', payslip, { values, edited, submitted: edited });
  const reasons = element('div.blocks', { 'aria-live': 'polite' });
  append(node, [figures.node, reasons]);
  const reconcile = { operation: reconcileIn(language), result: reconcileResult };
  const request = { name: form.name, fields: [...form.fields, ...payslip] };
  let applied = ''; // the reason with which the form agrees
  const apply = (reason: string, changes: Changes): void => {
    applied = reason;
    fill((values) => changed(values, changes));
  };
  return () => {
    figures.refresh();
    const outcome = calculate(reconcile, bodyOf(request, values));
    const isAsked = Boolean(values['net_income']);
    figures.showProblems(isAsked && outcome.kind === 'refusal' ? outcome.problems : []);
    const explanations = isAsked && outcome.kind === 'result' && outcome.data.explanations;
    if (!explanations || !explanations.some(isAgreement)) applied = '';
    redraw(reasons, explanations && reasonsIn(explanations, applied, apply));
  };
}

/** Whether the figures are those of the form. */
function isAgreement({ changes }: Explanation): boolean {
  return changes.length === 0;
}

/** The reasons in words, each with a button if the form has all its fields; one that was applied stays. */
function reasonsIn(
  explanations: readonly Explanation[],
  applied: string,
  apply: (reason: string, changes: Changes) => void,
): HTMLElement[] {
  if (explanations.length === 0) {
    const disclosure = text('more.salary-payslip');
    return [element('p.hint', text('unexplained', { disclosure }))];
  }
  return explanations.map((explanation) => {
    if (isAgreement(explanation)) return element('p', applied, text('agrees'));
    const { changes } = explanation;
    const reason = `${changes.map((change) => change.reason).join('; ')}. `;
    const isInForm = changes.every(({ field }) => form.fields.some(({ name }) => name === field));
    const law = changes.find(({ field }) => field === 'period');
    const label = law ? text('applyLaw', { year: String(law.value).slice(0, 4) }) : text('apply');
    return element('p', reason, isInForm && button(label, () => apply(reason, changes), 'inline'));
  });
}

/** Values with changes of the request, in which a person of the list is replaced by its members. */
function changed({ who = '', ...values }: Values, changes: Changes): Values {
  const person = who === OTHER ? {} : { ...RAW, ...personIn({ ...values, who }) };
  const members = Object.fromEntries(changes.map(({ field, value }) => [field, String(value)]));
  const query = new URLSearchParams({ ...values, ...person, ...members });
  return readQuery({ ...form, linked: payslip }, String(query))?.values ?? values;
}
