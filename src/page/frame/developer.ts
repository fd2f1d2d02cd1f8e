/** The request and the response, for developers. */
import { codeBlock, curlOf } from './code.ts';
import { isAlone } from './document.ts';
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
  const response = content && JSON.stringify(JSON.parse(content), null, 2);
  return [
    codeBlock(text('request'), curlOf(addressOf(path), body)),
    codeBlock(text('response'), response),
  ];
}
