import { text } from './texts.js';

const SVG = 'http://www.w3.org/2000/svg';

/**
 * An HTML element. Attributes that are undefined or false are left out, a function under `on…` listens, and `--name` is
 * a property for the style sheet: the content security policy refuses a style attribute.
 */
export function element(name, attributes = {}, ...children) {
  return complete(document.createElement(name), attributes, children);
}

export function shape(name, attributes = {}, ...children) {
  return complete(document.createElementNS(SVG, name), attributes, children);
}

function complete(node, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === 'function') node.addEventListener(name.slice(2), value);
    else if (name.startsWith('--')) node.style.setProperty(name, value);
    else if (value !== undefined && value !== false) node.setAttribute(name, value);
  }
  node.append(...children.flat(2).filter((child) => child !== undefined && child !== false));
  return node;
}

export function button(label, onclick, attributes = {}) {
  return element('button', { type: 'button', class: 'quiet', onclick, ...attributes }, label);
}

/** Replaces what a node holds. The focus, where it was inside, goes to the control that now stands in that place. */
export function redraw(node, ...children) {
  const controls = () => [...node.querySelectorAll('button, summary, input, [tabindex]')];
  const place = controls().indexOf(document.activeElement);
  node.replaceChildren(...children);
  controls()[place]?.focus();
}

/** The first cell names the row; `kind` is a class. */
export function tableRow([name, ...cells], kind) {
  return element('tr', { class: kind },
    element('th', { scope: 'row' }, name), cells.map((cell) => element('td', {}, cell)));
}

/** An entry is a name, a figure, and maybe the part of a drawing whose colour stands for it. */
export function facts(entries) {
  return element('dl', { class: 'facts' }, entries.map(([name, value, swatch]) =>
    element('div', {}, element('dt', {}, swatch ? named(swatch, name) : name), element('dd', {}, value))));
}

export function named(swatch, name) {
  return element('span', {}, element('span', { class: `swatch ${swatch}` }), name);
}

let terms = 0; // makes the ids of explanations unique

/** A name with a button that explains the term under a key. */
export function explained(name, key, term = name) {
  const id = `term-${terms++}`;
  const onbeforetoggle = async () => {
    await import('./terms.js');
    explanation.textContent = text(`why.${key}`);
  };
  const explanation = element('span', { id, popover: '', class: 'term', onbeforetoggle });
  return [name, element('button', {
    type: 'button', class: 'why', popovertarget: id, 'aria-label': text('explain', { term }),
  }, '?'), explanation];
}

const openDisclosures = new Set(); // what is open stays open when it is drawn anew

/** The content is made, and its module loaded, when it is first shown. */
export function disclosure(key, summary, content) {
  const details = element('details', { open: openDisclosures.has(key) && '' }, element('summary', {}, summary));
  let isRevealed = false;
  const reveal = async () => {
    if (isRevealed) return;
    isRevealed = true;
    details.append(...await content());
  };
  details.addEventListener('toggle', () => {
    openDisclosures[details.open ? 'add' : 'delete'](key);
    if (details.open) reveal();
  });
  if (details.open) reveal();
  return details;
}

export function open(key) {
  openDisclosures.add(key);
}

export function copyButton(label, source, object) {
  let restored;
  const name = object && `${label}: ${object}`;
  const node = button(label, async () => {
    const { copy } = await import('./clipboard.js');
    const outcome = text(await copy(source()) ? 'copied' : 'notCopied');
    node.textContent = outcome;
    announce(outcome, 0);
    clearTimeout(restored);
    restored = setTimeout(() => node.replaceChildren(label), 2_000);
  }, { 'aria-label': name });
  return node;
}

const ANNOUNCEMENT_PAUSE = 1_000;

let announcement; // there is one live region for the whole page

/** Screen readers hear it once the page has been quiet for a moment. */
export function announce(message, pause = ANNOUNCEMENT_PAUSE) {
  clearTimeout(announcement);
  announcement = setTimeout(() => document.getElementById('announcement').replaceChildren(message), pause);
}

/** Resolves when the style sheet is there, or cannot be had. */
export async function appendStyle(name) {
  const href = `page/${name}.css`;
  if (document.querySelector(`link[href='${href}']`)) return;
  await new Promise((resolve) => {
    document.head.append(element('link', { rel: 'stylesheet', href, onload: resolve, onerror: resolve }));
  });
}
