/* Why a payslip has another net salary: the reasons, each of which fills the form. */
import { Failure } from '../contract/failure.ts';
import { parseObject } from '../contract/json.ts';
import { parse } from '../contract/schema.ts';
import { reconcileRequest, type ReconcileResult } from '../extensions/reconcile/contract.ts';
import { explain } from '../extensions/reconcile/reconcile.ts';
import { currentPeriod } from './calculation.ts';
import { append, button, type Child, element, redraw } from './dom.ts';
import { createForm } from './form.ts';
import { bodyOf, type InquiryPanel, type Values } from './request.ts';
import { form, OTHER, payslip, personIn, RAW } from './salary-form.ts';
import { addTexts, language, text } from './texts.ts';

addTexts(`
net_income | Net salary there | Lương net trên phiếu
more.salary-payslip | Tax and insurance there | Thuế và bảo hiểm trên phiếu
unexplained | No other month, person, insurance or tax status explains this figure.
  | Không có tháng, người phụ thuộc, mức đóng bảo hiểm hay cách tính thuế nào cho ra đúng số này.
agrees | This figure agrees with the answer. | Số này khớp với kết quả.
apply | Calculate with it | Tính theo cách này
applyLaw | Calculate by the law of {year} | Tính theo luật {year}
`);

type Changes = ReconcileResult['explanations'][number]['changes'];

/** Adds the question for the figures of a payslip; returns the function that answers it anew. */
export function addQuestion(
  node: HTMLElement,
  values: Values,
  { edited, fill }: InquiryPanel,
): () => void {
  const figures = createForm('salary-payslip', payslip, { values, edited, submitted: edited });
  const reasons = element('div.blocks', { 'aria-live': 'polite' });
  append(node, [figures.node, reasons]);
  return () => {
    figures.refresh();
    const doubts = figures.doubts();
    figures.showProblems(doubts);
    const isAnswered = values['net_income'] && doubts.length === 0;
    redraw(reasons, ...(isAnswered ? answers() : []));
  };

  function answers(): Child[] {
    try {
      const explanations = explanationsFor(values);
      if (explanations.length === 0) return [element('p.hint', text('unexplained'))];
      return explanations.map(({ changes }) => reasonOf(changes, fill));
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      figures.showProblems(error.details ?? []);
      return [];
    }
  }
}

function explanationsFor(values: Values): ReconcileResult['explanations'] {
  const stated = payslip.filter(({ name }) => values[name]);
  const body = bodyOf({ name: form.name, fields: [...form.fields, ...stated] }, values);
  const request = parse(reconcileRequest, parseObject(body));
  return explain(request, { currentPeriod }, language).explanations;
}

/** The reason in words, with a button if the form has all its fields. */
function reasonOf(changes: Changes, fill: InquiryPanel['fill']): HTMLElement {
  const [first] = changes;
  if (first === undefined) return element('p', text('agrees'));
  const isInForm = changes.every(({ field }) => form.fields.some(({ name }) => name === field));
  const isLaw = changes.length === 1 && first.field === 'period';
  const label = text(isLaw ? 'applyLaw' : 'apply', { year: String(first.value).slice(0, 4) });
  return element(
    'p',
    `${changes.map(({ reason }) => reason).join('; ')}. `,
    isInForm && button(label, () => fill((values) => applied(values, changes)), 'inline'),
  );
}

/** Values with changes. A person of the list stands for some fields, which then have values of their own. */
function applied(values: Values, changes: Changes): Values {
  const changed = Object.fromEntries(changes.map(({ field, value }) => [field, String(value)]));
  const person = { ...RAW, ...personIn(values) };
  const isOther = Object.keys(changed).some((name) => name in person);
  return { ...values, ...(isOther && { who: OTHER, ...person }), ...changed };
}
