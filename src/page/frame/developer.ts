/** The request and the response, for developers. */
import { isAlone } from './document.ts';
import { copyButton, element } from './dom.ts';
import { scrollable } from './tables.ts';
import { addTexts, text } from './texts.ts';

addTexts(`
request | Request | Yêu cầu
response | Response | Phản hồi
`);

/** The service to which the commands of a page without a service send their requests. */
const LOCAL_SERVICE = 'http://localhost:8080/';

/** The address of a path of the service. */
function addressOf(path: string): string {
  return new URL(path, isAlone ? LOCAL_SERVICE : document.baseURI).href;
}

/** A request to a path of the service, and its response; '' if there is none. */
export interface ServiceCall {
  readonly path: string;
  readonly body: string;
  readonly content: string;
}

/** Creates the request, as a command, and the response. */
export function exchangeBlocks({ path, body, content }: ServiceCall): HTMLElement[] {
  return [
    codeBlock('request', curlOf(addressOf(path), body)),
    codeBlock('response', content && JSON.stringify(JSON.parse(content), null, 2)),
  ];
}

/** Creates a block of code with the key of its label, and a button that copies it. */
function codeBlock(key: string, content: string): HTMLElement {
  const label = text(key);
  return element(
    'div.code',
    element(
      'div.head',
      element('h2', label),
      copyButton(text('copy'), () => content, label),
    ),
    scrollable(element('pre', { translate: 'no' }, element('code', content)), label),
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
