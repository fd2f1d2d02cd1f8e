/** The view of a calculator: its form and its answer. */
import { currentPeriod, type Outcome, type Refusal } from './calculation.ts';
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
import type { Exchange } from './developer.ts';
import { createForm, type Form } from './form.ts';
import { adviceOn } from './messages.ts';
import {
  type AdditionPanel,
  type Answer,
  bodyOf,
  type Calculator,
  fragmentOf,
  type Head,
  type Inquiry,
  type Memory,
  type Plan,
  type Values,
} from './request.ts';
import { addTexts, text } from './texts.ts';

addTexts(`
copyResult | Copy result | Sao chép kết quả
share | Share | Chia sẻ
print | Print | In
exchange | For developers: the request | Dành cho lập trình viên: gọi API
stale | Last valid answer | Kết quả hợp lệ gần nhất
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
  /** The last answer in words, and its address: a page on a disk has none that others can open. */
  private shared = { text: '', url: '' };
  private readonly actions = this.createActions();
  private readonly exchange = element('div.blocks');
  private exchanged: Exchange | undefined;
  private isAnswered = false;
  /** The number of the last calculation: the page ignores an answer to an earlier one. */
  private calculations = 0;

  constructor(calculator: Calculator<Result>, memory: Memory, remember: Remember) {
    this.calculator = calculator;
    this.memory = memory;
    this.remember = remember;
    const { name, fields, comparison } = calculator;
    const { values, others } = memory;
    const edited = (): void => this.calculate(false);
    const submitted = (): void => this.calculate(true);
    this.form = createForm(name, fields, { values, edited, submitted });
    this.versus =
      comparison
      && createForm(`${name}-versus`, fieldsOfOther(fields, comparison, values, others), {
        values: others,
        edited,
        submitted,
      });
    this.inquiry = calculator.inquiry?.(values, { edited, fill: this.fill });
    this.result = element(
      'section.result',
      this.status,
      this.headline,
      this.versus?.node,
      this.actions,
      this.body,
      this.inquiry?.node,
    );
    append(this.form.node, [calculator.addition?.(this)]);
    const exchange = disclosure('exchange', text('exchange'), () => {
      void this.showExchange();
      return [this.exchange];
    });
    const more = element('section.exchange', exchange);
    this.node = element('div.panel', this.form.node, this.result, more);
  }

  start(): void {
    this.calculate(false, false);
  }

  /** Shows an answer to something other than the values of the form, unless another one follows. */
  readonly show = async (answer: Promise<Answer>): Promise<void> => {
    this.calculations += 1;
    const number = this.calculations;
    const shown = await answer;
    if (number !== this.calculations) return;
    this.showAnswer(shown);
    this.result.dataset['state'] = 'apart'; // The link and the request are those of the values.
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
    this.calculations += 1;
    const number = this.calculations;
    const outcome = this.outcomeOf(body);
    const showOutcome = (shown: Outcome<Result>): void => {
      if (number !== this.calculations) return;
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

  private outcomeOf(body: string): Outcome<Result> | Promise<Outcome<Result>> {
    const doubts = this.form.doubts();
    if (doubts.length > 0) return { kind: 'refusal', problems: doubts, content: '' };
    return this.calculator.calculate(body, { ...this.memory.values });
  }

  private showOutcome(outcome: Outcome<Result>, body: string, isSubmitted: boolean): string {
    const path = this.calculator.pathOf(this.memory.values);
    this.exchanged = { path, body, content: outcome.content };
    if (this.exchange.isConnected) void this.showExchange();
    if (outcome.kind === 'refusal') return this.showRefusal(outcome, isSubmitted);
    const { data } = outcome;
    const values = { ...this.memory.values };
    this.form.showProblems([]);
    const answer = this.calculator.answer(data, values, this.other());
    this.showAnswer(answer);
    this.inquiry?.update();
    const { caption, figure, note, verdict } = answer;
    return [caption, figure, note, verdict].filter(Boolean).join(', ');
  }

  /** The other plan, if it differs and its values are valid. */
  private other(): Plan<Result> | undefined {
    const { comparison } = this.calculator;
    const own = ownOf(this.memory.values, this.memory.others);
    this.versus?.refresh();
    this.versus?.showProblems([]);
    if (comparison === undefined || Object.keys(own).length === 0) return undefined;
    const values = comparison.valuesOf(this.memory.values, own);
    const outcome = comparison.calculate(values);
    const doubts = this.versus?.doubts() ?? [];
    if (outcome.kind === 'result' && doubts.length === 0) return { data: outcome.data, values };
    this.versus?.showProblems(outcome.kind === 'result' ? doubts : outcome.problems);
    return undefined;
  }

  private showAnswer({ nodes, summary, ...head }: Answer): void {
    redraw(this.body, ...nodes);
    this.showHead(head);
    const { caption, figure, note, verdict } = head;
    const headline = [caption, figure, note].filter(Boolean).join(', ');
    const words = [summary ?? headline, verdict?.replace(/\.$/, '')].filter(Boolean).join('. ');
    const address = location.href.split('#')[0] ?? '';
    const isLinked = location.protocol !== 'file:';
    this.shared = { text: words, url: isLinked ? `${address}#${this.fragment(true)}` : '' };
    this.isAnswered = true;
    this.status.replaceChildren();
    this.mark(nodes.length === 0 ? 'apart' : '');
  }

  private showHead({ caption, figure = '', note = '', verdict = '' }: Head): void {
    redraw(
      this.headline,
      element('h2', { tabindex: -1 }, caption),
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
    this.badge.textContent = this.isAnswered ? text(state) : '';
    this.actions.hidden = !this.isAnswered;
  }

  private showRefusal({ problems, message }: Refusal, isSubmitted: boolean): string {
    const { invalid, others } = this.form.showProblems(problems);
    const isNamed = invalid.length > 0 && others.length === 0 && message === undefined;
    const advice = adviceOn(invalid);
    const said = isNamed ? advice.message : (message ?? text('refused'));
    const shown: readonly Child[] = isNamed ? advice.links : [said];
    if (isNamed && isSubmitted) invalid[0]?.focus();
    this.status.replaceChildren(element('p', shown));
    if (!this.isAnswered) this.showHead({ caption: text('noAnswer') });
    this.mark('stale');
    return said;
  }

  /** The fragment of the address that gives this answer whenever it is opened: with its month. */
  private fragment(isPrivateWanted = false): string {
    const { values, others } = this.memory;
    const pinned = values['period'] === '' ? { ...values, period: currentPeriod() } : values;
    return fragmentOf(this.calculator, pinned, { others, isPrivateWanted });
  }

  private createActions(): HTMLElement {
    const share = async (): Promise<void> => {
      try {
        await navigator.share({ title: document.title, ...this.shared });
      } catch {
        // The person has changed their mind.
      }
    };
    const isShared = 'share' in navigator && location.protocol !== 'file:';
    return element(
      'div.actions',
      copyButton(text('copyResult'), () => Object.values(this.shared).filter(Boolean).join('. ')),
      isShared && button(text('share'), share),
      button(text('print'), () => print()),
    );
  }

  /** Shows the request of the answer and its response, which another file of the page draws. */
  private async showExchange(): Promise<void> {
    try {
      const { exchangeBlocks } = await import('./developer.ts');
      if (this.exchanged) this.exchange.replaceChildren(...exchangeBlocks(this.exchanged));
    } catch {
      this.exchange.replaceChildren(text('unloaded'));
    }
  }
}
