/** The request and the response, for developers. */
import { codeBlock, SNIPPETS } from './code.ts';
import { isAlone } from './document.ts';
import { element } from './dom.ts';
import { addTexts, text } from './texts.ts';

addTexts(`
request | Request | Yêu cầu
response | Response | Phản hồi
program | Language of the request | Ngôn ngữ gọi API
`);

/** The service to which the snippets of a page without a service send their requests. */
const LOCAL_SERVICE = 'http://localhost:8080/';

/** The address of a path of the service. */
export function addressOf(path: string): string {
  return new URL(path, isAlone ? LOCAL_SERVICE : document.baseURI).href;
}

/** A request to a path of the service, and its response; '' if there is none. */
export interface ServiceCall {
  readonly path: string;
  readonly body: string;
  readonly content: string;
}

/** The language of the snippet that is shown: it stays chosen while the values change. */
let chosen = 'curl';

/** Creates the request in the chosen language, and the response. */
export function exchangeBlocks({ path, body, content }: ServiceCall): HTMLElement[] {
  const address = addressOf(path);
  const response = content && JSON.stringify(JSON.parse(content), null, 2);
  const snippet = element('div');
  const show = (): void => {
    snippet.replaceChildren(codeBlock(text('request'), SNIPPETS[chosen]?.(address, body) ?? ''));
  };
  const select: HTMLSelectElement = element(
    'select',
    {
      'aria-label': text('program'),
      onchange() {
        chosen = select.value;
        show();
      },
    },
    Object.keys(SNIPPETS).map((name) =>
      element('option', { selected: name === chosen && '' }, name),
    ),
  );
  show();
  return [select, snippet, codeBlock(text('response'), response)];
}
