import { copyButton, element } from './dom.js';
import { scrollable } from './tables.js';
import { addTexts, text } from './texts.js';

addTexts({
  shortened: ['Shortened here; the button copies all of it.', 'Ở đây đã rút gọn; nút sao chép lấy toàn bộ.'],
  empty: ['(empty)', '(rỗng)'],
});

/** More than this of a text is slow to lay out and nobody reads it. */
const LONGEST_SHOWN = 20_000;

/** A named text that is copied whole. */
export function codeBlock(label, content, hint) {
  const isLong = content.length > LONGEST_SHOWN;
  const shown = isLong ? `${content.slice(0, LONGEST_SHOWN)}…` : content || text('empty');
  const name = element('h3', {}, label);
  return element('div', { class: 'code' },
    element('div', { class: 'head' }, name, copyButton(text('copy'), () => content, label)),
    scrollable(element('pre', { translate: 'no' }, element('code', {}, shown)), label),
    element('p', { class: 'hint' }, isLong ? text('shortened') : hint));
}
