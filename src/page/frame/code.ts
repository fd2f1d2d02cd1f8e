/** Blocks of code. */
import { copyButton, element } from './dom.ts';
import { scrollable } from './tables.ts';
import { addTexts, text } from './texts.ts';

addTexts(`
empty | (empty) | (rỗng)
`);

const LONGEST_SHOWN = 20_000; // more is slow to lay out

/** Creates a block of code with its label, a button that copies it, and a hint. */
export function codeBlock(label: string, content: string, hint = ''): HTMLElement {
  const isLong = content.length > LONGEST_SHOWN;
  const shown = isLong ? `${content.slice(0, LONGEST_SHOWN)}…` : content || text('empty');
  return element(
    'div.code',
    element(
      'div.head',
      element('h2', label),
      copyButton(text('copy'), () => content, label),
    ),
    scrollable(element('pre', { translate: 'no' }, element('code', shown)), label),
    element('p.hint', hint),
  );
}

/** A request as a command for a POSIX shell. */
export function curlOf(address: string, body: string): string {
  return [
    `curl ${quoted(address)} \\`,
    "  -H 'Content-Type: application/json' \\",
    `  -d ${quoted(body)}`,
  ].join('\n');
}

/** Quotes a word for a POSIX shell. */
function quoted(word: string): string {
  return /^[\w:/.-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
