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

/**
 * A row is a list of texts or nodes, of which the first names it; its `kind` is a class. The frame can be reached by
 * keyboard where the table scrolls sideways in it.
 */
export function table({ caption, heads, rows, foot, kind = '' }) {
  const frame = element('div', { class: 'scroll' },
    element('table', { class: kind },
      element('caption', {}, caption),
      heads && element('thead', {}, element('tr', {}, heads.map((head) =>
        (head === '' ? element('td') : element('th', { scope: 'col' }, head))))),
      element('tbody', {}, rows.map((cells) => tableRow(cells))),
      foot && element('tfoot', {}, tableRow(foot))));
  return scrollable(frame, caption);
}

export function tableRow([name, ...cells], kind) {
  return element('tr', { class: kind },
    element('th', { scope: 'row' }, name), cells.map((cell) => element('td', {}, cell)));
}

/** Only a frame that scrolls is a stop of the keyboard and a region for screen readers. */
export function scrollable(frame, label) {
  new ResizeObserver(() => {
    const isScrolling = frame.scrollWidth > frame.clientWidth || frame.scrollHeight > frame.clientHeight;
    for (const [name, value] of Object.entries({ tabindex: 0, role: 'region', 'aria-label': label })) {
      if (isScrolling) frame.setAttribute(name, value);
      else frame.removeAttribute(name);
    }
  }).observe(frame);
  return frame;
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
    const outcome = text(await copy(await source()) ? 'copied' : 'notCopied');
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

/** Without TLS a page has no clipboard, except on the same machine; there the old command does it, or refuses. */
async function copy(content) {
  try {
    await navigator.clipboard.writeText(content);
    return true;
  } catch {
    const { activeElement } = document;
    const area = element('textarea', { class: 'hidden' }, content);
    document.body.append(area);
    area.select();
    const isCopied = document.execCommand('copy');
    area.remove();
    activeElement.focus();
    return isCopied;
  }
}

/** Resolves when the style sheet is there, or cannot be had. */
export async function appendStyle(name) {
  const href = `page/${name}.css`;
  if (document.querySelector(`link[href='${href}']`)) return;
  await new Promise((resolve) => {
    document.head.append(element('link', { rel: 'stylesheet', href, onload: resolve, onerror: resolve }));
  });
}
