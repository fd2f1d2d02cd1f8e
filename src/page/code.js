import { copyButton, element } from './dom.js';
import { scrollable } from './tables.js';
import { addTexts, text } from './texts.js';

addTexts(`
shortened | Shortened here; the button copies all of it. | Ở đây đã rút gọn; nút sao chép lấy toàn bộ.
empty | (empty) | (rỗng)
`);

/** More than this of a text is slow to lay out and nobody reads it. */
const LONGEST_SHOWN = 20_000;

/** A named text that is copied whole. */
export function codeBlock(label, content, hint) {
  const isLong = content.length > LONGEST_SHOWN;
  const shown = isLong ? `${content.slice(0, LONGEST_SHOWN)}…` : content || text('empty');
  const name = element('h3', label);
  return element('div.code',
    element('div.head', name, copyButton(text('copy'), () => content, label)),
    scrollable(element('pre', { translate: 'no' }, element('code', shown)), label),
    element('p.hint', isLong ? text('shortened') : hint));
}

/** The request as a command or a program, of an address and a body, which is JSON text. */
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

/** Quoted for a POSIX shell. */
function quoted(word) {
  return /^[\w:/.-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}

/** PowerShell doubles a quote in a text, and also takes typographic quotes for quotes. */
function powerShellText(word) {
  return `'${word.replace(/['‘’‚‛]/g, '$&$&')}'`;
}
