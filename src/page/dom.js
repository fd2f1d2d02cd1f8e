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
  node.append(...children.flat().filter((child) => child !== undefined));
  return node;
}

/** Replaces what a node holds. The focus, where it was inside, goes to the control that now stands in that place. */
export function redraw(node, ...children) {
  const controls = () => [...node.querySelectorAll('button, summary, [tabindex]')];
  const place = controls().indexOf(document.activeElement);
  node.replaceChildren(...children);
  controls()[place]?.focus();
}

/** The frame scrolls sideways. A row is a list of texts or nodes, of which the first names it. */
export function table({ caption, heads, rows, foot, isMuted = () => false }) {
  return element('div', { class: 'scroll', role: 'region', 'aria-label': caption, tabindex: 0 },
    element('table', {},
      element('caption', {}, caption),
      element('thead', {}, element('tr', {}, heads.map((head) => element('th', { scope: 'col' }, head)))),
      element('tbody', {}, rows.map((cells, index) => tableRow(cells, isMuted(index)))),
      foot && element('tfoot', {}, tableRow(foot, false))));
}

function tableRow([name, ...cells], isMuted) {
  return element('tr', { class: isMuted && 'muted' },
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

const openDisclosures = new Set();

/** The content is made when it is first shown. What is open stays open when it is drawn anew. */
export function disclosure(key, summary, content) {
  const details = element('details', { open: openDisclosures.has(key) && '' }, element('summary', {}, summary));
  const reveal = () => details.childElementCount === 1 && details.append(...content());
  details.addEventListener('toggle', () => {
    if (details.open) reveal();
    openDisclosures[details.open ? 'add' : 'delete'](key);
  });
  if (details.open) reveal();
  return details;
}

/** More than this of a text is slow to lay out and nobody reads it. */
const LONGEST_SHOWN = 20_000;

export function codeBlock(label, content, text, hint) {
  const isLong = content.length > LONGEST_SHOWN;
  const shown = isLong ? `${content.slice(0, LONGEST_SHOWN)}…` : content;
  return element('figure', { class: 'code' },
    element('figcaption', {}, element('span', {}, label), copyButton(text('copy'), text, () => content, label)),
    element('pre', { tabindex: 0, role: 'region', 'aria-label': label, translate: 'no' }, element('code', {}, shown)),
    element('p', { class: 'hint' }, isLong ? text('shortened') : hint));
}

export function copyButton(label, text, source, object) {
  const onclick = async () => {
    await copy(source());
    button.textContent = text('copied');
    announce(text('copied'), 0);
    setTimeout(() => button.replaceChildren(label), 2_000);
  };
  const name = object && `${label}: ${object}`;
  const button = element('button', { type: 'button', class: 'quiet', 'aria-label': name, onclick }, label);
  return button;
}

const ANNOUNCEMENT_PAUSE = 1_000;

let announcement;

/** Screen readers hear it once the page has been quiet for a moment. */
export function announce(message, pause = ANNOUNCEMENT_PAUSE) {
  clearTimeout(announcement);
  announcement = setTimeout(() => document.getElementById('announcement').replaceChildren(message), pause);
}

/** Without TLS a page has no clipboard, except on the same machine; there the old command does it. */
async function copy(text) {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    const { activeElement } = document;
    const area = element('textarea', { class: 'hidden' }, text);
    document.body.append(area);
    area.select();
    document.execCommand('copy');
    area.remove();
    activeElement.focus();
  }
}
