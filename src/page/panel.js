import { ANSWERS } from './answers.js';
import { bodyOf, CALCULATORS, curlOf, LONGEST_LINKED_TEXT } from './calculators.js';
import { announce, codeBlock, copyButton, element } from './dom.js';
import { createForm } from './form.js';

const TYPING_PAUSE = 300;

/** The content of a tab: form, answer and exchange, and the calculation that connects them. */
export function createPanel(calculator, values, context) {
  const { text, remember } = context;
  const address = new URL(CALCULATORS[calculator].path, location.href).href;
  let timer;
  let running = new AbortController();
  const stop = () => {
    clearTimeout(timer);
    running.abort();
  };
  const calculate = async () => {
    stop();
    running = new AbortController();
    const { signal } = running;
    const asked = { ...values };
    const body = bodyOf(calculator, values);
    remember();
    linkHint.hidden = !(values.text?.length > LONGEST_LINKED_TEXT);
    const response = await post(address, body, signal);
    if (signal.aborted) return;
    exchange.replaceChildren(...exchangeOf(address, body, response.content, text));
    if (response.data === undefined) result.showFailure(response);
    else result.showAnswer(response.data, asked);
  };
  const edited = () => {
    clearTimeout(timer);
    timer = setTimeout(calculate, TYPING_PAUSE);
  };
  const form = createForm(calculator, values, { ...context, edited, submitted: calculate });
  const result = createResult(ANSWERS[calculator], form, { ...context, calculate });
  const exchange = element('div', { class: 'blocks' });
  const linkOf = () => {
    remember();
    return location.href;
  };
  const linkHint = element('p', { class: 'hint' }, text('linkLacksText'));
  const link = element('div', { class: 'link' }, copyButton(text('copyLink'), text, linkOf));
  const nodes = [
    form.node,
    element('section', { class: 'result' }, link, linkHint, ...result.nodes),
    element('section', { class: 'exchange' }, element('h2', {}, text('exchange')), exchange),
  ];
  return { nodes, calculate, stop };
}

/** The last good answer, and the status line for failures that belong to no field. */
function createResult(answerOf, form, { text, format, calculate }) {
  const status = element('div', { class: 'status' });
  const answer = element('div', { class: 'answer' });
  const statusOf = (advice, error) => [
    element('p', {}, advice),
    element('p', { lang: 'en' }, error?.message ?? ''),
    element('button', { type: 'button', class: 'quiet', onclick: calculate }, text('tryAgain')),
  ];
  return {
    nodes: [status, answer],
    showAnswer(data, asked) {
      const { nodes, ...head } = answerOf(data, asked, { text, format });
      form.showProblems([]);
      status.replaceChildren();
      answer.classList.remove('stale');
      answer.replaceChildren(headline(head, text), ...nodes);
      announce([head.caption, head.figure, head.note].filter(Boolean).join(', '));
    },
    showFailure({ error, httpStatus }) {
      const { labels, others } = form.showProblems(error?.details ?? []);
      const isExplained = labels.length > 0 && others.length === 0;
      const advice = isExplained
        ? text('checkFields', { fields: labels.join(', ') })
        : text(adviceKey(httpStatus), { status: httpStatus });
      status.replaceChildren(...(isExplained ? [] : statusOf(advice, error)));
      answer.classList.add('stale');
      if (!answer.querySelector('.badge')) answer.replaceChildren(element('h2', {}, text('noAnswer')), advice);
      announce(advice);
    },
  };
}

/** The beginning of an answer. The badge shows while the fields ask for something else. */
function headline({ caption, figure, note }, text) {
  const big = figure && element('p', { class: 'figure' }, figure.split(/(₫)/).map((part) =>
    (part === '₫' ? element('span', {}, part) : part)));
  big?.style.setProperty('--length', Math.max(figure.length, 8));
  return element('header', {},
    element('h2', {}, caption),
    element('p', { class: 'badge' }, text('stale')),
    big,
    element('p', { class: 'note' }, note));
}

function exchangeOf(address, body, content, text) {
  const blocks = { command: curlOf(address, body), request: body, response: content };
  return Object.entries(blocks).map(([name, code]) => codeBlock(text(name), code, text));
}

/** What to tell about a failure of an HTTP status; 0 is none at all. */
function adviceKey(status) {
  const keys = { 0: 'unreachable', 413: 'tooLarge', 503: 'overloaded' };
  return keys[status] ?? (status < 500 ? 'refused' : 'failed');
}

/** Sends a request. What comes back has neither data nor error where it is not the service's envelope. */
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
