/** The request as a command or a program. A body is JSON text. */
export const SNIPPETS = { curl: curlOf, PowerShell: powerShellOf, fetch: fetchOf };

/** Quoted for a POSIX shell. */
export function curlOf(address, body) {
  return `curl ${quoted(address)} \\\n  -H 'Content-Type: application/json' \\\n  -d ${quoted(body)}`;
}

function quoted(word) {
  return /^[\w:/.-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}

/** PowerShell doubles a quote in a text, and also takes typographic quotes for quotes. */
export function powerShellOf(address, body) {
  const text = (word) => `'${word.replace(/['‘’‚‛]/g, '$&$&')}'`;
  return [
    `$body = [Text.Encoding]::UTF8.GetBytes(${text(body)})`,
    `Invoke-RestMethod ${text(address)} -Method Post -ContentType 'application/json' -Body $body`,
  ].join('\n');
}

export function fetchOf(address, body) {
  return [
    `const response = await fetch(${JSON.stringify(address)}, {`,
    "  method: 'POST',",
    "  headers: { 'Content-Type': 'application/json' },",
    `  body: ${JSON.stringify(body)},`,
    '});',
    'const { data, error } = await response.json();',
  ].join('\n');
}
