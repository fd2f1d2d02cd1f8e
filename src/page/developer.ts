import { codeBlock, SNIPPETS } from './code.ts';
import { isAlone } from './document.ts';
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

/** The service to which the snippets of a page without a service send their requests. */
const LOCAL_SERVICE = 'http://localhost:8080/';

/** The address of a path of the service. */
export function addressOf(path: string): string {
  return new URL(path, isAlone ? LOCAL_SERVICE : document.baseURI).href;
}

/** The request of an answer, which can be changed, and its response. */
export class Exchange {
  readonly node: HTMLElement;
  private readonly path: () => string;
  private readonly values = { snippet: 'curl' };
  private readonly command = element('div');
  private readonly response = element('div');
  private readonly request = element('textarea', {
    id: 'request',
    rows: 5,
    spellcheck: 'false',
    autocapitalize: 'off',
    oninput: () => this.showCommand(),
  });

  /** The requests go to a path; `respond` answers a body that is changed. */
  constructor(path: () => string, respond: (body: string) => Promise<string>) {
    this.path = path;
    const send = async (): Promise<void> => this.showResponse(await respond(this.request.value));
    const field = choice('snippet', ['curl', 'PowerShell', 'fetch', 'Python'], { columns: 2 });
    const edited = (): void => this.showCommand();
    const form = createForm('exchange', [field], { values: this.values, edited, submitted: send });
    const parts = element(
      'div.code',
      element('label', { for: 'request' }, text('request')),
      this.request,
      element('p.hint', text('hint.request')),
      button(text('send'), send, 'solid'),
      form.node,
      this.command,
    );
    this.node = element('div.blocks', parts, this.response);
  }

  show(body: string, content: string): void {
    if (this.request.value !== body) this.request.value = body;
    this.showCommand();
    this.showResponse(content);
  }

  private showCommand(): void {
    const snippet = Object.entries(SNIPPETS).find(([name]) => name === this.values.snippet);
    if (snippet === undefined) return;
    const [name, write] = snippet;
    this.command.replaceChildren(
      codeBlock(name, write(addressOf(this.path()), this.request.value)),
    );
  }

  private showResponse(content: string): void {
    this.response.replaceChildren(codeBlock(text('response'), indented(content)));
  }
}

/** JSON in lines; another text stays as it is. */
function indented(content: string): string {
  try {
    return JSON.stringify(JSON.parse(content), null, 2);
  } catch {
    return content;
  }
}
