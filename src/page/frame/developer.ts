/** The request and the response, for developers. */
import { envelopeOf } from '../../contract/failure.ts';
import type { Calculation, Request } from './calculation.ts';
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

/** The response of the service to a valid request, byte for byte. */
export function responseTo({ calculate }: Calculation<unknown>, request: Request): string {
  return envelopeOf(JSON.stringify(calculate(request as never)));
}

/** Creates the request, as a command, and the response. */
export function exchangeBlocks(calculation: Calculation<unknown>, request: Request): HTMLElement[] {
  const address = addressOf(calculation.path.slice(1));
  const response: unknown = JSON.parse(responseTo(calculation, request));
  return [
    codeBlock('request', curlOf(address, JSON.stringify(request))),
    codeBlock('response', JSON.stringify(response, null, 2)),
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
