/** The view of a calculator: its form and its answer. */
import type { Reply, RefusalReply } from './calculation.ts';
import { fieldsOfOther, ownOf } from './compare.ts';
import {
  announce,
  append,
  byId,
  button,
  type Child,
  copyButton,
  disclosure,
  element,
  redraw,
} from './dom.ts';
import type { ServiceCall } from './developer.ts';
import { Form, phrasesOf } from './form.ts';
import {
  type AdditionPanel,
  type ShownAnswer,
  bodyOf,
  type Calculator,
  fragmentOf,
  type Head,
  type Inquiry,
  isPart,
  type Memory,
  type PlanResult,
  type Values,
} from './request.ts';
import { addTexts, text } from './texts.ts';

addTexts(`
copyResult | Copy result | Sao chép kết quả
print | Print | In
exchange | For developers: the request | Dành cho lập trình viên: gọi API
stale | Last valid answer | Kết quả hợp lệ gần nhất
check | Please check: | Hãy kiểm tra:
noAnswer | No answer yet | Chưa có kết quả
refused | The service refused the request. | Dịch vụ từ chối yêu cầu này.
`);

/** A view of the page. */
export interface View {
  readonly node: HTMLElement;
  /** Shows the first answer, when the node is in the document. */
  readonly start?: () => void;
  /** Whether the person would lose work by leaving the view. */
  readonly hasWork?: () => boolean;
}

/** Takes the fragment of the address that gives the answer. */
export type Remember = (fragment: string) => void;

/** Milliseconds after the last change until screen readers are told the answer. */
const TYPING_PAUSE = 1_000;

/** Milliseconds after the last change until the address has it: Safari refuses 100 in 30 s. */
const ADDRESS_PAUSE = 200;

/** Whether the page is a file, to which others have no link. */
const isOnDisk = globalThis.location?.protocol === 'file:';

/** Joins sentences; those that are absent are left out. */
function sentences(parts: readonly (string | undefined)[]): string {
  return parts.flatMap((part) => part?.replace(/\.$/, '') || []).join('. ');
}

/** The view of a calculator: its form, answer, the form of another plan, and the request. */
export class Panel<Result> implements View, AdditionPanel {
  readonly node: HTMLElement;
  private readonly calculator: Calculator<Result>;
  private readonly memory: Memory;
  private readonly remember: Remember;
  private remembering: number | undefined;
  private readonly headline = element('header');
  private readonly status = element('div.status');
  private readonly body = element('div.answer');
  private readonly badge = element('p.badge');
  private readonly result: HTMLElement;
  private readonly form: Form;
  /** The form of another plan, with the values in which it differs. */
  private readonly versus: Form | undefined;
  private readonly inquiry: Inquiry | undefined;
  /** The last answer in words, and its address. */
  private shared: { readonly text: string; readonly url: string } | undefined;
  private readonly actions = this.createActions();
  private readonly exchange = element('section.exchange');
  /** The number of calculations so far: the page ignores an answer that is not of the last. */
  private calculations = 0;

  constructor(calculator: Calculator<Result>, memory: Memory, remember: Remember) {
    this.calculator = calculator;
    this.memory = memory;
    this.remember = remember;
    const { name, fields, comparison } = calculator;
    const { values, others } = memory;
    const edited = (): void => this.calculate(false);
    const submitted = (): void => this.calculate(true);
    this.form = new Form(name, fields, { values, edited, submitted });
    this.versus =
      comparison
      && new Form(`${name}-versus`, fieldsOfOther(fields, comparison, values, others), {
        values: others,
        edited,
        submitted,
      });
    this.inquiry = calculator.inquiry?.(values, edited);
    this.result = element(
      'section.result',
      this.status,
      this.headline,
      this.versus?.node,
      this.inquiry?.node,
      this.actions,
      this.body,
    );
    append(this.form.node, [calculator.addition?.(this)]);
    this.node = element('div.panel', this.form.node, this.result, this.exchange);
  }

  start(): void {
    this.calculate(false, false);
  }

  /** Shows an answer to something other than the values of the form, unless another one follows. */
  readonly show = async (answer: Promise<ShownAnswer>): Promise<void> => {
    const isLast = this.begin();
    const shown = await answer;
    // The link and the request are those of the values.
    if (isLast()) this.showAnswer(shown, 'apart');
  };

  /** Changes values of the form. */
  readonly fill = (changed: (values: Values) => Values): void => {
    Object.assign(this.memory.values, changed(this.memory.values));
    this.form.refresh();
    this.calculate(false);
  };

  /** Calculates, and tells screen readers the answer, unless it is the first one. */
  private calculate(isSubmitted: boolean, isAnnounced = true): void {
    this.follow();
    const body = bodyOf(this.calculator, this.memory.values);
    if (isAnnounced) this.rememberSoon();
    else this.remember(this.fragment());
    const isLast = this.begin();
    const outcome = this.outcomeOf(body);
    const showOutcome = (shown: Reply<Result>): void => {
      if (!isLast()) return;
      const message = this.showOutcome(shown, body, isSubmitted);
      if (isAnnounced || shown.kind === 'refusal') announce(message, TYPING_PAUSE);
    };
    if (outcome instanceof Promise) {
      this.body.replaceChildren();
      void outcome.then(showOutcome);
    } else {
      showOutcome(outcome);
    }
  }

  /** Begins an answer, and returns whether no other has begun since. */
  private begin(): () => boolean {
    this.calculations += 1;
    const number = this.calculations;
    return () => number === this.calculations;
  }

  private follow(): void {
    const { follow } = this.calculator;
    if (follow === undefined) return;
    const { values } = this.memory;
    Object.assign(values, follow(values));
    this.form.refresh();
  }

  private rememberSoon(): void {
    clearTimeout(this.remembering);
    this.remembering = setTimeout(() => this.remember(this.fragment()), ADDRESS_PAUSE);
  }

  private outcomeOf(body: string): Reply<Result> | Promise<Reply<Result>> {
    const values = { ...this.memory.values };
    return this.form.refusal() ?? this.calculator.calculate(body, values);
  }

  private showOutcome(outcome: Reply<Result>, body: string, isSubmitted: boolean): string {
    const path = this.calculator.pathOf(this.memory.values);
    this.showExchange({ path, body, content: outcome.content });
    if (outcome.kind === 'refusal') return this.showRefusal(outcome, isSubmitted);
    const { data } = outcome;
    const values = { ...this.memory.values };
    const answer = this.calculator.answer(data, values, this.other());
    this.form.showProblems([], answer.limits);
    this.inquiry?.update();
    return this.showAnswer(answer, answer.nodes.length === 0 ? 'apart' : '');
  }

  /** The other plan, if it differs and its values are valid. */
  private other(): PlanResult<Result> | undefined {
    const { comparison } = this.calculator;
    const own = ownOf(this.memory.others);
    this.versus?.refresh();
    this.versus?.showProblems([]);
    if (comparison === undefined || isPart(own, this.memory.values)) return undefined;
    const values = comparison.valuesOf(this.memory.values, own);
    const outcome = this.versus?.refusal() ?? comparison.calculate(values);
    if (outcome.kind === 'result') return { data: outcome.data, values };
    this.versus?.showProblems(outcome.problems);
    return undefined;
  }

  /** Shows an answer, and returns its headline. */
  private showAnswer({ nodes, summary, ...head }: ShownAnswer, state: '' | 'apart'): string {
    redraw(this.body, ...nodes);
    this.showHead(head);
    const { caption, figure, note, verdict } = head;
    const headline = [caption, figure, note].filter(Boolean).join(', ');
    const given = phrasesOf(this.calculator.fields, this.memory.values).join(' · ');
    const address = location.href.split('#')[0] ?? '';
    const url = isOnDisk ? '' : `${address}#${this.fragment(true)}`;
    this.shared = { text: sentences([summary ?? sentences([given, headline]), verdict]), url };
    this.status.replaceChildren();
    this.mark(state);
    return sentences([headline, verdict]);
  }

  private showHead({ caption, figure = '', note = '', verdict = '' }: Head): void {
    redraw(
      this.headline,
      element('h2', caption),
      this.badge,
      element('p.figure', { '--length': Math.max(figure.length, 8) }, figure),
      element('p.note', note),
      element('p.verdict', verdict),
    );
    const title = byId('title').textContent;
    document.title = figure === '' ? title : `${figure} · ${caption} – ${title}`;
  }

  /** Marks an answer that is not the one to the values of the form. */
  private mark(state: '' | 'stale' | 'apart'): void {
    this.result.dataset['state'] = state;
    this.badge.textContent = this.shared ? text(state) : '';
    this.actions.hidden = !this.shared;
  }

  private showRefusal({ problems, message }: RefusalReply, isSubmitted: boolean): string {
    const invalid = this.form.showProblems(problems);
    const links = invalid.map(({ label, focus }, index) => [
      index > 0 ? ', ' : ' ',
      button(label, focus, 'inline'),
    ]);
    const reason = links.length > 0 ? [text('check'), links] : (message ?? text('refused'));
    if (isSubmitted) invalid[0]?.focus();
    this.status.replaceChildren(element('p', reason));
    if (!this.shared) this.showHead({ caption: text('noAnswer') });
    this.mark('stale');
    return this.status.textContent;
  }

  /** The fragment of the address that gives this answer. */
  private fragment(isTextWanted = false): string {
    return fragmentOf(this.calculator, this.memory, isTextWanted);
  }

  private createActions(): HTMLElement {
    return element(
      'div.actions',
      copyButton(text('copyResult'), () => sentences([this.shared?.text, this.shared?.url])),
      button(text('print'), () => print()),
    );
  }

  private showExchange(call: ServiceCall): void {
    const content = async (): Promise<Child[]> => {
      const { exchangeBlocks } = await import('./developer.ts');
      return exchangeBlocks(call);
    };
    redraw(this.exchange, disclosure('exchange', text('exchange'), content));
  }
}
