/** Tables. */
import { type Child, element, tableRow } from './dom.ts';
import { text } from './texts.ts';

/** Creates a table in a frame that scrolls sideways. Heads are keys of texts, texts or nodes. */
export function table(
  kind: string,
  caption: string,
  heads: readonly Child[],
  rows: readonly (readonly Child[])[],
): HTMLDivElement {
  const headOf = (head: Child): Element => {
    if (head === '') return element('td');
    return element('th', { scope: 'col' }, (typeof head === 'string' && text(head)) || head);
  };
  return scrollable(
    element(
      'div.scroll',
      element(
        'table',
        { class: kind },
        element('caption', caption),
        heads.length > 0 && element('thead', element('tr', heads.map(headOf))),
        element(
          'tbody',
          rows.map((cells) => tableRow(cells)),
        ),
      ),
    ),
    caption,
  );
}

/** Makes a frame a stop of the keyboard and a region for screen readers while it scrolls. */
export function scrollable<E extends HTMLElement>(frame: E, label: string): E {
  const attributes = { tabindex: '0', role: 'region', 'aria-label': label };
  new ResizeObserver(() => {
    const isScrolling =
      frame.scrollWidth > frame.clientWidth || frame.scrollHeight > frame.clientHeight;
    for (const [name, value] of Object.entries(attributes)) {
      if (isScrolling) frame.setAttribute(name, value);
      else frame.removeAttribute(name);
    }
  }).observe(frame);
  return frame;
}
