import { announce, button, copyButton, disclosure, element, open, redraw } from './dom.js';
import { createForm } from './form.js';
import { bodyOf, fragmentOf } from './request.js';
import { post, reviewedThrough } from './service.js';
import { text } from './texts.js';

const TYPING_PAUSE = 300;

/** An answer that is not replaced by then is marked as being calculated. */
const PATIENCE = 400;

/**
 * The panel of a calculator. `memory` holds its values and last answer, and outlives the panel; `remember` takes the
 * fragment of its address.
 */
export class Panel {
  #calculator;
  #memory;
  #remember;
  #form;
  #result = element('section', { class: 'result' });
  #headline = element('header');
  #status = element('div', { class: 'status' });
  #body = element('div', { class: 'answer' });
  #mini = element('p', { class: 'mini', 'aria-hidden': 'true' });
  #exchange;
  #comparison;
  #timer;
  #running = new AbortController();
  #isFailed = false;

  constructor(calculator, memory, remember) {
    this.#calculator = calculator;
    this.#memory = memory;
    this.#remember = remember;
    const submitted = () => this.calculate({ isAsked: true, isSubmitted: true });
    const edited = () => this.#later();
    this.#form = createForm(calculator.name, calculator.fields, { values: memory.values, edited, submitted });
    this.#result.append(this.#status, this.#headline, this.#actions(), ...this.#comparing(), this.#body);
    const developer = disclosure('exchange', text('exchange'), () => this.#createExchange());
    const sections = [this.#form.node, this.#result, element('section', { class: 'exchange' }, developer)];
    this.node = element('div', { class: 'panel' }, sections, this.#mini);
    new IntersectionObserver(([entry]) => {
      this.#mini.hidden = entry.isIntersecting;
    }).observe(this.#headline);
    this.#showHead({ caption: text('calculating'), figure: '…' });
  }

  /** Ends what is running, without a result. */
  stop() {
    clearTimeout(this.#timer);
    this.#running.abort();
  }

  /** Asks again after a failure that may have passed. */
  retry() {
    if (this.#isFailed) this.calculate({ isAsked: true });
  }

  async calculate({ isAsked = false, isSubmitted = false } = {}) {
    this.stop();
    const running = new AbortController();
    this.#running = running;
    this.#timer = setTimeout(() => this.#mark('calculating'), PATIENCE);
    const values = { ...this.#memory.values };
    const body = bodyOf(this.#calculator, values);
    this.#remember(fragmentOf(this.#calculator, values, { others: this.#memory.others }));
    const { isLaw, pathOf, path = pathOf(values) } = this.#calculator;
    const asked = isLaw ? reviewedThrough() : undefined;
    const [outcome, reviewed] = await Promise.all([post(path, body, { signal: running.signal }), asked]);
    if (running.signal.aborted) return;
    clearTimeout(this.#timer);
    this.#form.listen();
    this.#memory.exchange = { path, body, content: outcome.content };
    this.#exchange?.show(this.#memory.exchange);
    const message = this.#showAnswer(outcome, values, reviewed)
      ?? await this.#showFailure(outcome, values, isSubmitted);
    if (isAsked || this.#isFailed) announce(message);
  }

  #later() {
    this.stop();
    this.#timer = setTimeout(() => this.calculate({ isAsked: true }), TYPING_PAUSE);
  }

  /** Undefined where there is no answer, or one that cannot be drawn. */
  #showAnswer({ data }, values, reviewed) {
    if (data === undefined) return undefined;
    try {
      const { nodes, ...head } = this.#calculator.answer(data, values, reviewed);
      redraw(this.#body, ...nodes.filter(Boolean));
      this.#showHead(head);
      this.#memory.period = head.period;
    } catch {
      return undefined; // the data is not that of the service
    }
    this.#isFailed = false;
    this.#form.showProblems([]);
    this.#status.replaceChildren();
    this.#mark('');
    this.#memory.last = [data, values];
    this.#comparison?.update(data, values);
    const { caption, figure, note } = this.#memory.head;
    import('./messages.js').catch(() => undefined); // at hand when the network is not
    return [caption, figure, note].filter(Boolean).join(', ');
  }

  #showHead(head) {
    this.#memory.head = head;
    const { caption, figure, note } = head;
    const parts = figure?.split(/(₫)/).map((part) => (part === '₫' ? element('span', {}, part) : part));
    redraw(this.#headline, ...[
      element('h2', { tabindex: -1 }, caption),
      element('p', { class: 'badge' }),
      figure !== undefined && element('p', { class: 'figure', '--length': Math.max(figure.length, 8) }, parts),
      element('p', { class: 'note' }, note),
    ].filter(Boolean));
    this.#mini.replaceChildren(element('span', {}, caption), element('b', {}, figure ?? ''));
    const title = document.getElementById('title').textContent;
    document.title = figure ? `${figure} · ${caption} – ${title}` : title;
  }

  /** The state of the answer: the last one that was valid, or about to be replaced. */
  #mark(state) {
    this.#result.dataset.state = state;
    const badge = this.#headline.querySelector('.badge');
    if (state !== '' && this.#memory.last) badge.textContent = text(state);
    else badge.replaceChildren();
  }

  async #showFailure(outcome, values, isSubmitted) {
    this.#isFailed = true;
    const words = await import('./messages.js').catch(() => undefined);
    if (words === undefined) return this.#showStatus(text('unreachable'));
    const { invalid, others } = this.#form.showProblems(outcome.error?.details ?? [], words.messageOf);
    const isExplained = invalid.length > 0 && others.length === 0;
    if (isExplained && isSubmitted) invalid[0].focus();
    return this.#showStatus(...(isExplained ? words.adviceOn(invalid) : [words.reasonOf(outcome)]));
  }

  /** Returns the message. Without `links` to what must be changed, the request can be repeated. */
  #showStatus(message, links) {
    const again = button(text('tryAgain'), () => {
      this.#headline.querySelector('h2').focus(); // the button goes
      this.calculate({ isAsked: true });
    });
    this.#status.replaceChildren(element('p', {}, links ?? message), ...(links ? [] : [again]));
    this.#mark('stale');
    if (!this.#memory.last) this.#showHead({ caption: text('noAnswer') });
    return message;
  }

  /** The address that gives this answer whenever it is opened: with the month of the law. */
  #link() {
    const { values, others, period } = this.#memory;
    const pinned = period && !values.period ? { ...values, period } : values;
    const fragment = fragmentOf(this.#calculator, pinned, { others, isPrivateWanted: true });
    return `${location.href.split('#')[0]}#${fragment}`;
  }

  #actions() {
    const share = () => navigator.share({ title: document.title, url: this.#link() }).catch(() => undefined);
    const isShared = navigator.share && matchMedia('(pointer: coarse)').matches;
    return element('div', { class: 'actions' },
      copyButton(text(this.#calculator.linkText ?? 'copyLink'), () => this.#link()),
      isShared && button(text('share'), share));
  }

  #comparing() {
    if (!this.#calculator.isComparable) return [];
    if (Object.keys(this.#memory.others).length > 0) open('compare');
    const details = disclosure('compare', text('compare'), async () => {
      const { createComparison } = await import('./compare.js');
      this.#comparison = createComparison(this.#memory, () => this.calculate());
      this.#comparison.toggle(true);
      return [this.#comparison.node];
    });
    details.addEventListener('toggle', () => {
      this.#comparison?.toggle(details.open);
    });
    return [details];
  }

  async #createExchange() {
    const { createExchange } = await import('./developer.js');
    this.#exchange = createExchange();
    if (this.#memory.exchange) this.#exchange.show(this.#memory.exchange);
    return [this.#exchange.node];
  }
}
