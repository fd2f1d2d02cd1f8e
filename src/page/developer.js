import { codeBlock, SNIPPETS } from './code.js';
import { button, element } from './dom.js';
import { createForm } from './form.js';
import { choice, post } from './request.js';
import { addTexts, text } from './texts.js';

addTexts(`
request | Request | Yêu cầu
hint.request | Change and send it: the calculator stays as it is. | Có thể sửa rồi gửi: công cụ tính không thay đổi.
response | Response | Phản hồi
send | Send | Gửi
snippet | As a command | Dạng lệnh
`);

/** The request of an answer, which can be changed and sent, and its response. */
export function createExchange() {
  const values = { snippet: 'curl' };
  let path = '';
  const command = element('div');
  const response = element('div');
  const showCommand = () => {
    const { snippet } = values;
    command.replaceChildren(codeBlock(snippet, SNIPPETS[snippet](new URL(path, location.href).href, request.value)));
  };
  const showResponse = ({ content }) => response.replaceChildren(codeBlock(text('response'), indented(content)));
  const request = element('textarea', {
    id: 'request', rows: 5, spellcheck: 'false', autocapitalize: 'off', oninput: showCommand,
  });
  const send = async () => showResponse(await post(path, request.value, { mediaType: 'application/json' }));
  const fields = [choice('snippet', Object.keys(SNIPPETS))];
  const node = element('div.blocks',
    element('div.code',
      element('label', { for: 'request' }, text('request')), request,
      element('p.hint', text('hint.request')), button(text('send'), send, 'solid'),
      createForm('exchange', fields, { values, edited: showCommand, submitted: send }).node, command),
    response);
  return {
    node,
    show(exchange) {
      path = exchange.path;
      if (request.value !== exchange.body) request.value = exchange.body;
      showCommand();
      showResponse(exchange);
    },
  };
}

/** JSON without the number of the line that the page has sent; another text stays as it is. */
function indented(content) {
  try {
    const envelope = JSON.parse(content);
    delete envelope.error?.line;
    return JSON.stringify(envelope, null, 2);
  } catch {
    return content;
  }
}
