import { announce, button, copyButton, disclosure, element, openDisclosures, redraw } from './dom.js';
import { createForm } from './form.js';
import { bodyOf, fragmentOf, post, reviewedThrough } from './request.js';
import { text } from './texts.js';

const TYPING_PAUSE = 300;

/** An answer that is not replaced by then is marked. */
const PATIENCE = 400;

/** `memory` outlives the panel; `remember` takes the fragment of its address. */
export class Panel {
  #headline = element('header');
  #status = element('div.status');
  #body = element('div.answer');
  #mini = element('p.mini', { 'aria-hidden': 'true' });
  #form;
  #result;
  #exchange;
  #comparison;
  #timer;
  #running = new AbortController();
  #isFailed = false;
  #asked = {
    edited: () => {
      this.stop();
      this.#timer = setTimeout(() => this.calculate({ isAsked: true }), TYPING_PAUSE);
    },
    submitted: () => this.calculate({ isAsked: true, isSubmitted: true }),
  };

  constructor(calculator, memory, remember) {
    Object.assign(this, { calculator, memory, remember });
    const { name, fields, isComparable } = calculator;
    this.#form = createForm(name, fields, { values: memory.values, ...this.#asked });
    this.#result = element('section.result', this.#status, this.#headline, this.#actions(),
      isComparable && this.#comparing(), this.#body);
    const exchange = disclosure('exchange', text('exchange'), () => this.#createExchange());
    this.node = element('div.panel', this.#form.node, this.#result, element('section.exchange', exchange), this.#mini);
    new IntersectionObserver(([{ isIntersecting }]) => {
      this.#mini.hidden = isIntersecting;
    }).observe(this.#headline);
    this.#showHead({ caption: text('calculating'), figure: '…' });
  }

  stop() {
    clearTimeout(this.#timer);
    this.#running.abort();
  }

  retry() {
    if (this.#isFailed) this.calculate({ isAsked: true });
  }

  async calculate({ isAsked = false, isSubmitted = false } = {}) {
    this.stop();
    this.#running = new AbortController();
    this.#timer = setTimeout(() => this.#mark('calculating'), PATIENCE);
    const { calculator, memory } = this;
    const { signal } = this.#running;
    const { isLaw, pathOf, path = pathOf(memory.values) } = calculator;
    const values = { ...memory.values };
    const body = bodyOf(calculator, values);
    this.remember(fragmentOf(calculator, values, memory));
    const [outcome, reviewed] = await Promise.all([post(path, body, { signal }), isLaw && reviewedThrough()]);
    if (signal.aborted) return;
    clearTimeout(this.#timer);
    memory.exchange = { path, body, content: outcome.content };
    this.#exchange?.show(memory.exchange);
    const message = this.#showAnswer(outcome, values, reviewed)
      ?? await this.#showFailure(outcome, values, isSubmitted);
    if (isAsked || this.#isFailed) announce(message);
    import('./messages.js').catch(() => undefined); // at hand when it is needed, even if the network is not
  }

  /** Undefined where there is no answer, or one that cannot be drawn. */
  #showAnswer({ data }, values, reviewed) {
    if (data === undefined) return undefined;
    try {
      const { nodes, ...head } = this.calculator.answer(data, values, reviewed);
      redraw(this.#body, ...nodes);
      this.#showHead(head);
    } catch {
      return undefined; // the data is not that of the service
    }
    this.#isFailed = false;
    this.#form.showProblems([]);
    this.#status.replaceChildren();
    this.#mark('');
    this.memory.isAnswered = true;
    this.#comparison?.update(data, values);
    const { caption, figure, note } = this.memory.head;
    return [caption, figure, note].filter(Boolean).join(', ');
  }

  #showHead(head) {
    this.memory.head = head;
    const { caption, figure = '', note } = head;
    redraw(this.#headline,
      element('h2', { tabindex: -1 }, caption),
      element('p.badge'),
      element('p.figure', { '--length': Math.max(figure.length, 8) }, figure),
      element('p.note', note));
    this.#mini.replaceChildren(element('span', caption), element('b', figure));
    const title = document.getElementById('title').textContent;
    document.title = figure ? `${figure} · ${caption} – ${title}` : title;
  }

  /** The answer is the last that was valid, or about to be replaced. */
  #mark(state) {
    this.#result.dataset.state = state;
    this.#headline.querySelector('.badge').textContent = (this.memory.isAnswered && text(state)) ?? '';
  }

  async #showFailure(outcome, values, isSubmitted) {
    this.#isFailed = true;
    const words = await import('./messages.js').catch(() => undefined);
    if (words === undefined) return this.#showStatus(text('unreachable'));
    const { invalid, others } = this.#form.showProblems(outcome.error?.details ?? [], words.messageOf);
    if (invalid.length === 0 || others.length > 0) return this.#showStatus(text(outcome.reason, outcome));
    if (isSubmitted) invalid[0].focus();
    return this.#showStatus(...words.adviceOn(invalid));
  }

  /** Without `links` to what must be changed, the request can be repeated. */
  #showStatus(message, links) {
    const again = button(text('tryAgain'), () => {
      this.#headline.querySelector('h2').focus(); // the button goes
      this.calculate({ isAsked: true });
    });
    this.#status.replaceChildren(element('p', links ?? message), links ? '' : again);
    this.#mark('stale');
    if (!this.memory.isAnswered) this.#showHead({ caption: text('noAnswer') });
    return message;
  }

  /** The address that gives this answer whenever it is opened: with the month of the law. */
  #link() {
    const { values, others, head: { period } } = this.memory;
    const pinned = period && !values.period ? { ...values, period } : values;
    return `${location.href.split('#')[0]}#${fragmentOf(this.calculator, pinned, { others, isPrivateWanted: true })}`;
  }

  #actions() {
    const share = () => navigator.share({ title: document.title, url: this.#link() }).catch(() => undefined);
    return element('div.actions',
      copyButton(text('copyLink'), () => this.#link()),
      navigator.share && button(text('share'), share));
  }

  #comparing() {
    if (Object.keys(this.memory.others).length > 0) openDisclosures.add('compare');
    const details = disclosure('compare', text('compare'), async () => {
      const { createComparison } = await import('./compare.js');
      this.#comparison = createComparison(this.memory, this.#asked);
      this.#comparison.toggle(true);
      return [this.#comparison.node];
    });
    details.addEventListener('toggle', () => this.#comparison?.toggle(details.open));
    return details;
  }

  async #createExchange() {
    const { createExchange } = await import('./developer.js');
    this.#exchange = createExchange();
    if (this.memory.exchange) this.#exchange.show(this.memory.exchange);
    return [this.#exchange.node];
  }
}
