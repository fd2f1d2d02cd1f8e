/** Elements of the document. */
import { text } from './texts.ts';

/** A listener of any kind of event. */
type Listener = (event: never) => unknown;

type AttributeValue = string | number | boolean | undefined | Listener;

/** Attributes, listeners under `on…`, and properties for the style sheet under `--…`. */
export type Attributes = Readonly<Record<string, AttributeValue>>;

/** The children of an element; those that are absent, false or empty are left out. */
export type Child = Node | string | number | false | undefined | readonly Child[];

/** The attributes, if there are any, and the children. */
type Content = readonly [Attributes, ...Child[]] | readonly Child[];

type TagName = keyof HTMLElementTagNameMap;

/**
 * Creates an element from its name and classes, such as `p.hint`, attributes and children. A property under `--…` is
 * set by script, because the content security policy refuses a style attribute.
 */
export function element<Name extends TagName>(
  selector: Name | `${Name}.${string}`,
  ...content: Content
): HTMLElementTagNameMap[Name] {
  const [name, ...classes] = selector.split('.');
  const node = document.createElement(name as Name);
  node.classList.add(...classes);
  const [first, ...others] = content;
  const hasAttributes = isAttributes(first);
  if (hasAttributes) setAttributes(node, first);
  append(node, (hasAttributes ? others : content) as readonly Child[]);
  return node;
}

function isAttributes(value: Attributes | Child): value is Attributes {
  return typeof value === 'object' && value.constructor === Object;
}

function setAttributes(node: HTMLElement, attributes: Attributes): void {
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === 'function') node.addEventListener(name.slice(2), value as EventListener);
    else if (name.startsWith('--')) node.style.setProperty(name, String(value));
    else if (value !== undefined && value !== false) node.setAttribute(name, String(value));
  }
}

/** Appends children. */
export function append(node: Element, children: readonly Child[]): void {
  for (const child of children) {
    if (Array.isArray(child)) append(node, child as readonly Child[]);
    else if (child instanceof Node) node.append(child);
    else if (typeof child === 'number' || typeof child === 'string') node.append(String(child));
  }
}

/** Shows a text, unless it is there: the layout begins anew after each change. */
export function showText(node: Element, content: string): void {
  if (node.textContent !== content) node.textContent = content;
}

/** Creates a button with a style: `quiet` like a link, `solid` for the main action. */
export function button(
  label: string,
  onclick: () => unknown,
  kind: 'quiet' | 'solid' | 'inline' = 'quiet',
): HTMLButtonElement {
  return element(`button.${kind}`, { type: 'button', onclick }, label);
}

/** The element with an id of the document. */
export function byId(id: string): HTMLElement {
  const found = document.getElementById(id);
  if (found === null) throw new Error(`The document has no element #${id}`);
  return found;
}

/** Replaces the children. A focus inside goes to the control with its id, or in its place, or else to the node. */
export function redraw(node: HTMLElement, ...children: readonly Child[]): void {
  const controls = (): HTMLElement[] => [
    ...node.querySelectorAll<HTMLElement>('button, summary, input, select, [tabindex]'),
  ];
  const { activeElement } = document;
  const place = controls().findIndex((control) => control === activeElement);
  node.replaceChildren();
  append(node, children);
  if (place === -1) return;
  node.tabIndex = -1;
  (document.getElementById(activeElement!.id) ?? controls()[place] ?? node).focus();
}

/** Creates the row of a table, whose first cell is its head. */
export function tableRow([name, ...cells]: readonly Child[], kind = ''): HTMLTableRowElement {
  return element(
    'tr',
    { class: kind },
    element('th', { scope: 'row' }, name),
    cells.map((cell) => element('td', cell)),
  );
}

/** The parts of a drawing, which the style sheet colours. */
export type Part = 'net' | 'insurance' | 'tax' | 'employer' | 'deposits' | 'gains';

/** Creates a mark in the colour of a part of a drawing. */
export function swatch(part: Part): HTMLSpanElement {
  return element(`span.swatch.${part}`);
}

/** The keys of the open disclosures, which stay open when they are drawn anew. */
export const openDisclosures = new Set<string>();

/**
 * Creates a disclosure, whose content is made when it is first shown; with a promise if another file of the page makes
 * it.
 */
export function disclosure(
  key: string,
  summary: Child,
  content: () => readonly Child[] | Promise<readonly Child[]>,
): HTMLDetailsElement {
  const details = element(
    'details',
    { open: openDisclosures.has(key) && '' },
    element('summary', summary),
  );
  const show = (children: readonly Child[]): void => append(details, children);
  let isRevealed = false;
  const reveal = (): void => {
    if (details.open) openDisclosures.add(key);
    else openDisclosures.delete(key);
    if (isRevealed || !details.open) return;
    isRevealed = true;
    const made = content();
    if (made instanceof Promise) void made.catch(() => [text('unloaded')]).then(show);
    else show(made);
  };
  details.addEventListener('toggle', reveal);
  if (details.open) reveal();
  return details;
}

/** Creates a button that copies a text; `object` says to a screen reader what is copied. */
export function copyButton(
  label: string,
  source: () => string,
  object?: string,
): HTMLButtonElement {
  let restored: number | undefined;
  const node = button(label, async () => {
    const outcome = text((await copy(source())) ? 'copied' : 'notCopied');
    node.textContent = outcome;
    announce(outcome, 0);
    clearTimeout(restored);
    restored = setTimeout(() => node.replaceChildren(label), 2_000);
  });
  if (object !== undefined) node.setAttribute('aria-label', `${label}: ${object}`);
  return node;
}

/** Without TLS only localhost has a clipboard; elsewhere the old command copies, or refuses. */
async function copy(content: string): Promise<boolean> {
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
    if (activeElement instanceof HTMLElement) activeElement.focus();
    return isCopied;
  }
}

let announcement: number | undefined; // of the one live region

/** Reports a message to screen readers after a pause in milliseconds. */
export function announce(message: string, pause = 1_000): void {
  clearTimeout(announcement);
  announcement = setTimeout(() => byId('announcement').replaceChildren(message), pause);
}
