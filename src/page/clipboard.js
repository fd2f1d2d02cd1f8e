import { element } from './dom.js';

/** Without TLS a page has no clipboard, except on the same machine; there the old command does it, or refuses. */
export async function copy(content) {
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
