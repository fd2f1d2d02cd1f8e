import { text } from './texts.js';

/**
 * An HTML element: its name and classes, such as `p.hint`, attributes, and children. A function under `on…` listens;
 * `--name` is a property for the style sheet, because the content security policy refuses a style attribute.
 */
export function element(selector, ...content) {
  return create('http://www.w3.org/1999/xhtml', selector, content);
}

export function shape(selector, ...content) {
  return create('http://www.w3.org/2000/svg', selector, content);
}

function create(namespace, selector, content) {
  const [name, ...classes] = selector.split('.');
  const [attributes, ...children] = content[0]?.constructor === Object ? content : [{}, content];
  const node = document.createElementNS(namespace, name);
  node.classList.add(...classes);
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === 'function') node.addEventListener(name.slice(2), value);
    else if (name.startsWith('--')) node.style.setProperty(name, value);
    else if (value !== undefined && value !== false) node.setAttribute(name, value);
  }
  node.append(...children.flat(3).filter(Boolean));
  return node;
}

export function button(label, onclick, kind = 'quiet') {
  return element(`button.${kind}`, { type: 'button', onclick }, label);
}

/** Replaces the children. The focus, where it was inside, goes to the control that is now in that place. */
export function redraw(node, ...children) {
  const controls = () => [...node.querySelectorAll('button, summary, input, [tabindex]')];
  const place = controls().indexOf(document.activeElement);
  node.replaceChildren(...children.filter(Boolean));
  controls()[place]?.focus();
}

export function tableRow([name, ...cells], kind) {
  return element('tr', { class: kind },
    element('th', { scope: 'row' }, name), cells.map((cell) => element('td', cell)));
}

/** An entry has a name or the key of its text, a figure, and maybe the part of a drawing that it explains. */
export function facts(entries) {
  return element('dl.facts', entries.map(([name, value, part]) =>
    element('div', element('dt', part && swatch(part), text(name) ?? name), element('dd', value))));
}

export function swatch(part) {
  return element(`span.swatch.${part}`);
}

export function explained(name, key, term = name) {
  const explanation = element('span.term', {
    popover: '',
    async onbeforetoggle() {
      await import('./terms.js');
      explanation.textContent = text(`why.${key}`);
    },
  });
  const why = element('button.why', { type: 'button', 'aria-label': text('explain', { term }) }, '?');
  why.popoverTargetElement = explanation;
  return [name, why, explanation];
}

export const openDisclosures = new Set(); // which stay open when they are drawn anew

/** The content is made when it is first shown. */
export function disclosure(key, summary, content) {
  const details = element('details', { open: openDisclosures.has(key) && '' }, element('summary', summary));
  let isRevealed;
  const reveal = async () => {
    openDisclosures[details.open ? 'add' : 'delete'](key);
    if (isRevealed || !details.open) return;
    isRevealed = true;
    details.append(...await content());
  };
  details.addEventListener('toggle', reveal);
  if (details.open) reveal();
  return details;
}

export function copyButton(label, source, object) {
  let restored;
  const node = button(label, async () => {
    const outcome = text(await copy(source()) ? 'copied' : 'notCopied');
    node.textContent = outcome;
    announce(outcome, 0);
    clearTimeout(restored);
    restored = setTimeout(() => node.replaceChildren(label), 2_000);
  });
  if (object) node.ariaLabel = `${label}: ${object}`;
  return node;
}

/** Without TLS only localhost has a clipboard; elsewhere the old command copies, or refuses. */
async function copy(content) {
  try {
    await navigator.clipboard.writeText(content);
    return true;
  } catch {
    const { activeElement } = document;
    const area = element('textarea.hidden', content);
    document.body.append(area);
    area.select();
    const isCopied = document.execCommand('copy');
    area.remove();
    activeElement.focus();
    return isCopied;
  }
}

let announcement; // of the one live region

export function announce(message, pause = 1_000) {
  clearTimeout(announcement);
  announcement = setTimeout(() => document.getElementById('announcement').replaceChildren(message), pause);
}

export async function appendStyle(name) {
  const href = `page/${name}.css`;
  if (document.querySelector(`link[href='${href}']`)) return;
  await new Promise((resolve) => {
    document.head.append(element('link', { rel: 'stylesheet', href, onload: resolve, onerror: resolve }));
  });
}
