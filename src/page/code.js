import { copyButton, element } from './dom.js';
import { scrollable } from './tables.js';
import { addTexts, text } from './texts.js';

addTexts(`
empty | (empty) | (rỗng)
`);

const LONGEST_SHOWN = 20_000; // more is slow to lay out

export function codeBlock(label, content, hint) {
  const shown = content.length > LONGEST_SHOWN ? `${content.slice(0, LONGEST_SHOWN)}…` : content || text('empty');
  return element('div.code',
    element('div.head', element('h3', label), copyButton(text('copy'), () => content, label)),
    scrollable(element('pre', { translate: 'no' }, element('code', shown)), label),
    element('p.hint', hint));
}

export const SNIPPETS = {
  curl: (address, body) =>
    `curl ${quoted(address)} \\\n  -H 'Content-Type: application/json' \\\n  -d ${quoted(body)}`,

  PowerShell: (address, body) => `$body = [Text.Encoding]::UTF8.GetBytes(${powerShellText(body)})
Invoke-RestMethod ${powerShellText(address)} -Method Post -ContentType 'application/json' -Body $body`,

  fetch: (address, body) => `const response = await fetch(${JSON.stringify(address)}, {
  method: 'POST',
  headers: { 'Content-Type': 'application/json' },
  body: ${JSON.stringify(body)},
});
const { data, error } = await response.json();`,
};

/** For a POSIX shell. */
function quoted(word) {
  return /^[\w:/.-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}

/** PowerShell doubles a quote in a text, and also takes typographic quotes for quotes. */
function powerShellText(word) {
  return `'${word.replace(/['‘’‚‛]/g, '$&$&')}'`;
}
