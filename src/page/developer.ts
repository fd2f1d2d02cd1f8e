import { codeBlock, SNIPPETS } from './code.ts';
import { button, element } from './dom.ts';
import { createForm } from './form.ts';
import { choice } from './request.ts';
import { addTexts, text } from './texts.ts';

addTexts(`
request | Request | Yêu cầu
hint.request | Change and calculate it: the calculator stays as it is.
  | Có thể sửa rồi tính: công cụ tính không thay đổi.
response | Response | Phản hồi
send | Calculate | Tính
snippet | As a command | Dạng lệnh
`);

/** The request of an answer, which can be changed, and its response. */
export interface Exchange {
  readonly node: HTMLElement;
  readonly show: (body: string, content: string) => void;
}

/** The service to which the snippets of a page without a service send their requests. */
const LOCAL_SERVICE = 'http://localhost:8080/';

/** The address of a path of the service. */
export function addressOf(path: string): string {
  return new URL(path, document.getElementById('version') ? LOCAL_SERVICE : document.baseURI).href;
}

/** Shows the requests to a path; `respond` answers a body that is changed. */
export function createExchange(
  path: () => string,
  respond: (body: string) => Promise<string>,
): Exchange {
  const values = { snippet: 'curl' };
  const command = element('div');
  const response = element('div');
  const showCommand = (): void => {
    const snippet = Object.entries(SNIPPETS).find(([name]) => name === values.snippet);
    if (snippet === undefined) return;
    const [name, write] = snippet;
    command.replaceChildren(codeBlock(name, write(addressOf(path()), request.value)));
  };
  const showResponse = (content: string): void =>
    response.replaceChildren(codeBlock(text('response'), indented(content)));
  const request = element('textarea', {
    id: 'request',
    rows: 5,
    spellcheck: 'false',
    autocapitalize: 'off',
    oninput: showCommand,
  });
  const send = async (): Promise<void> => showResponse(await respond(request.value));
  const field = choice('snippet', ['curl', 'PowerShell', 'fetch', 'Python'], { columns: 2 });
  const form = createForm('exchange', [field], { values, edited: showCommand, submitted: send });
  const node = element(
    'div.blocks',
    element(
      'div.code',
      element('label', { for: 'request' }, text('request')),
      request,
      element('p.hint', text('hint.request')),
      button(text('send'), send, 'solid'),
      form.node,
      command,
    ),
    response,
  );
  return {
    node,
    show(body, content) {
      if (request.value !== body) request.value = body;
      showCommand();
      showResponse(content);
    },
  };
}

/** JSON in lines; another text stays as it is. */
function indented(content: string): string {
  try {
    return JSON.stringify(JSON.parse(content), null, 2);
  } catch {
    return content;
  }
}
