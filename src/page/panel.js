import { ANSWERS } from './answers.js';
import { bodyOf, CALCULATORS, curlOf, LONGEST_LINKED_TEXT } from './calculators.js';
import { announce, codeBlock, copyButton, element, redraw } from './dom.js';
import { createForm } from './form.js';

const TYPING_PAUSE = 300;

/** An answer that is not replaced by then is marked as one to other values. */
const PATIENCE = 1_000;

export function createPanel(calculator, memory, context) {
  const { values } = memory;
  const { text, remember } = context;
  const address = new URL(CALCULATORS[calculator].path, location.href).href;
  let timer;
  let running = new AbortController();
  const stop = () => {
    clearTimeout(timer);
    running.abort();
  };
  const calculate = async (isAsked) => {
    stop();
    running = new AbortController();
    timer = setTimeout(result.age, PATIENCE);
    const { signal } = running;
    const asked = { ...values };
    const body = bodyOf(calculator, asked);
    remember();
    linkHint.hidden = !(asked.text?.length > LONGEST_LINKED_TEXT);
    const response = await post(address, body, signal);
    if (signal.aborted) return;
    clearTimeout(timer);
    redraw(exchange, ...exchangeOf(address, body, response.content, text));
    const { data } = response;
    const message = data === undefined ? result.showFailure(response) : result.showAnswer(data, asked);
    if (isAsked) announce(message);
  };
  const submitted = () => calculate(true);
  const edited = () => {
    stop();
    timer = setTimeout(submitted, TYPING_PAUSE);
  };
  const form = createForm(calculator, values, { ...context, edited, submitted });
  const result = createResult(ANSWERS[calculator], memory, form, { ...context, submitted });
  const exchange = element('div', { class: 'blocks' });
  const linkHint = element('p', { class: 'hint' }, text('linkLacksText'));
  const link = element('div', { class: 'link' }, copyButton(text('copyLink'), text, remember));
  const nodes = [
    form.node,
    element('section', { class: 'result' }, link, linkHint, ...result.nodes),
    element('section', { class: 'exchange' }, element('h2', {}, text('exchange')), exchange),
  ];
  return { nodes, calculate, stop };
}

/** `memory` holds the last good answer, which outlives a panel; the status line is for failures of no field. */
function createResult(answerOf, memory, form, { text, format, submitted }) {
  const status = element('div', { class: 'status' });
  const answer = element('div', { class: 'answer', tabindex: -1 });
  const onclick = () => {
    answer.focus(); // the button goes
    submitted();
  };
  const draw = () => {
    const { nodes, ...head } = answerOf(...memory.last, { text, format });
    redraw(answer, headline(head, text), ...nodes);
    return [head.caption, head.figure, head.note].filter(Boolean).join(', ');
  };
  const age = () => answer.classList.add('stale');
  if (memory.last) draw();
  return {
    nodes: [status, answer],
    age,
    showAnswer(...last) {
      memory.last = last;
      form.showProblems([]);
      status.replaceChildren();
      answer.classList.remove('stale');
      return draw();
    },
    showFailure({ error, httpStatus }) {
      const { labels, others } = form.showProblems(error?.details ?? []);
      const isExplained = labels.length > 0 && others.length === 0;
      const advice = isExplained
        ? text('checkFields', { fields: labels.join(', ') })
        : text(adviceKey(httpStatus), { status: httpStatus });
      status.replaceChildren(...(isExplained ? [] : [
        element('p', {}, advice),
        element('p', { lang: 'en' }, error?.message),
        element('button', { type: 'button', class: 'quiet', onclick }, text('tryAgain')),
      ]));
      age();
      if (!memory.last) answer.replaceChildren(element('h2', {}, text('noAnswer')), advice);
      return advice;
    },
  };
}

/** The badge shows while the fields ask for something else. */
function headline({ caption, figure, note }, text) {
  const parts = figure?.split(/(₫)/).map((part) => (part === '₫' ? element('span', {}, part) : part));
  return element('header', {},
    element('h2', {}, caption),
    element('p', { class: 'badge' }, text('stale')),
    parts && element('p', { class: 'figure', '--length': Math.max(figure.length, 8) }, parts),
    element('p', { class: 'note' }, note));
}

function exchangeOf(address, body, content, text) {
  const blocks = { command: curlOf(address, body), request: body, response: content };
  return Object.entries(blocks).map(([name, code]) => codeBlock(text(name), code, text));
}

/** The status is 0 where nothing came back. */
function adviceKey(status) {
  const keys = { 0: 'unreachable', 413: 'tooLarge', 503: 'overloaded' };
  return keys[status] ?? (status < 500 ? 'refused' : 'failed');
}

/** What comes back has neither data nor error where it is not the service's envelope. */
async function post(address, body, signal) {
  const headers = { 'Content-Type': 'application/json' };
  let response;
  try {
    response = await fetch(address, { method: 'POST', headers, body, signal, credentials: 'omit' });
    const envelope = await response.json();
    return { ...envelope, httpStatus: response.status, content: JSON.stringify(envelope, null, 2) };
  } catch {
    return { httpStatus: response?.status ?? 0, content: '' };
  }
}
