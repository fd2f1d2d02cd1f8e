/** Requests as programs in several languages. */
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
      element('h3', label),
      copyButton(text('copy'), () => content, label),
    ),
    scrollable(element('pre', { translate: 'no' }, element('code', shown)), label),
    element('p.hint', hint),
  );
}

/** Writes a request as a program. */
type Snippet = (address: string, body: string) => string;

/** A request as a program, by the name of its language. */
export const SNIPPETS: Readonly<Record<string, Snippet>> & { readonly curl: Snippet } = {
  curl: (address, body) =>
    [
      `curl ${quoted(address)} \\`,
      "  -H 'Content-Type: application/json' \\",
      `  -d ${quoted(body)}`,
    ].join('\n'),

  PowerShell: (address, body) =>
    [
      `$body = [Text.Encoding]::UTF8.GetBytes(${powerShellText(body)})`,
      `Invoke-RestMethod ${powerShellText(address)} -Method Post -ContentType 'application/json' `
        + '-Body $body',
    ].join('\n'),

  fetch: (address, body) => `const response = await fetch(${JSON.stringify(address)}, {
  method: 'POST',
  headers: { 'Content-Type': 'application/json' },
  body: ${JSON.stringify(body)},
});
const { data, error } = await response.json();`,

  // Python reads every escape of JSON.
  Python: (address, body) => `import json, urllib.request

request = urllib.request.Request(
    ${JSON.stringify(address)},
    data=${JSON.stringify(body)}.encode(),
    headers={"Content-Type": "application/json"},
)
with urllib.request.urlopen(request) as response:
    print(json.load(response)["data"])`,
};

/** Quotes a word for a POSIX shell. */
function quoted(word: string): string {
  return /^[\w:/.-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}

/** PowerShell doubles a quote in a text, and also takes typographic quotes for quotes. */
function powerShellText(word: string): string {
  return `'${word.replace(/['‘’‚‛]/g, '$&$&')}'`;
}
