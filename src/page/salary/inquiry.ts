/* The question for the figures of a payslip, and the reasons, each with its salary as the second plan. */
import type { TaxResult } from '../../tax/contract.ts';
import type { Reply } from '../frame/calculation.ts';
import { append, button, type Child, element, redraw } from '../frame/dom.ts';
import { Form } from '../frame/form.ts';
import { bodyOf, type Plans, type Values } from '../frame/request.ts';
import { addTexts, text } from '../frame/texts.ts';
import { inTurns } from '../frame/turns.ts';
import { differencesIn, type Reason, reasonsIn } from './reasons.ts';
import { form, payslip, payslipForm } from './salary-form.ts';

addTexts(`
net_income | Net salary | Lương net
expects.net_income | Enter an amount above 0, at most {to}.
  | Nhập số tiền lớn hơn 0, tối đa {to}.
compareWith | Compare | So sánh
replaceB | Compare (replaces B) | So sánh (thay B)
compared | Compared in B | Đang so sánh ở B
`);

/** Before the search. */
const NONE: Reply<readonly Reason[]> = { problems: [] };

/** Milliseconds after the last change until the search for reasons begins. */
const PAUSE = 700;

/** Adds the question for the figures of a payslip; returns the function that answers it anew for a salary. */
export function addQuestion(
  node: HTMLElement,
  { memory, edited, compare }: Plans,
): (own: TaxResult | undefined) => void {
  const { values } = memory;
  const figures = new Form('salary-payslip', payslip, { values, edited, submitted: edited });
  const differences = element('p.differences');
  const list = element('div.blocks', { 'aria-live': 'polite' });
  append(node, [figures.node, differences, list]);
  let asked = ''; // the request of the reasons
  let found = NONE;
  let running = new AbortController();
  const show = (): void => {
    const bodyOfB = memory.others && bodyOf(form, memory.others);
    const label = text(memory.others ? 'replaceB' : 'compareWith');
    const offer = (others: Values): Child =>
      bodyOf(form, others) === bodyOfB
        ? `${text('compared')}.`
        : button(label, () => compare({ ...others }), 'inline');
    figures.show(found.problems);
    const nodes = (found.data ?? []).map(({ words, values: others }) =>
      element('p', `${words}. `, others && offer(others)),
    );
    redraw(list, nodes);
  };
  const search = async ({ signal }: AbortController): Promise<void> => {
    await new Promise((resolve) => setTimeout(resolve, PAUSE));
    if (signal.aborted) return;
    const endIfLeft = (): void => {
      if (!list.isConnected) running.abort();
    };
    const problems = figures.problems();
    const outcome =
      problems.length > 0 ? { problems } : await inTurns(reasonsIn(values), signal, endIfLeft);
    if (outcome === undefined) return;
    found = outcome;
    if (found.problems.length > 0) differences.replaceChildren();
    show();
  };
  return (own) => {
    const isStated = own !== undefined && Boolean(values['net_income']);
    const body = isStated ? bodyOf(payslipForm, values) : '';
    if (body !== asked) {
      differences.textContent = own === undefined ? '' : differencesIn(own, values);
      found = NONE;
      running.abort();
      running = new AbortController();
      if (isStated) void search(running);
    }
    asked = body;
    show();
  };
}
