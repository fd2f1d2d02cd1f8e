import { element, tableRow } from './dom.js';

/**
 * A row is a list of texts or nodes, of which the first names it; its `kind` is a class. The frame can be reached by
 * keyboard where the table scrolls sideways in it.
 */
export function table({ caption, heads, rows, foot, kind = '' }) {
  const frame = element('div.scroll',
    element('table', { class: kind },
      element('caption', caption),
      heads && element('thead', element('tr', heads.map((head) =>
        (head === '' ? element('td') : element('th', { scope: 'col' }, head))))),
      element('tbody', rows.map((cells) => tableRow(cells))),
      foot && element('tfoot', tableRow(foot))));
  return scrollable(frame, caption);
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
