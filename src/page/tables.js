import { element, tableRow } from './dom.js';
import { text } from './texts.js';

/** Heads are keys of texts, texts or nodes. */
export function table(kind, caption, heads, rows) {
  return scrollable(element('div.scroll',
    element('table', { class: kind },
      element('caption', caption),
      element('thead', element('tr', heads.map((head) =>
        (head === '' ? element('td') : element('th', { scope: 'col' }, text(head) ?? head))))),
      element('tbody', rows.map((cells) => tableRow(cells))))), caption);
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
