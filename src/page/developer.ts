import { codeBlock, SNIPPETS } from './code.ts';
import { isAlone } from './document.ts';
import { addTexts, text } from './texts.ts';

addTexts(`
response | Response | Phản hồi
`);

/** The service to which the snippets of a page without a service send their requests. */
const LOCAL_SERVICE = 'http://localhost:8080/';

/** The address of a path of the service. */
export function addressOf(path: string): string {
  return new URL(path, isAlone ? LOCAL_SERVICE : document.baseURI).href;
}

/** A request to a path of the service, and its response; '' if there is none. */
export interface Exchange {
  readonly path: string;
  readonly body: string;
  readonly content: string;
}

/** Creates the request in each language of the snippets, and the response. */
export function exchangeBlocks({ path, body, content }: Exchange): HTMLElement[] {
  const address = addressOf(path);
  const response = content && JSON.stringify(JSON.parse(content), null, 2);
  return [
    ...Object.entries(SNIPPETS).map(([name, write]) => codeBlock(name, write(address, body))),
    codeBlock(text('response'), response),
  ];
}
