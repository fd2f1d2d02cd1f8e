import { codeBlock } from './code.js';
import { button, element } from './dom.js';
import { post } from './service.js';
import { SNIPPETS } from './snippets.js';
import { addTexts, text } from './texts.js';

addTexts({
  request: ['Request', 'Yêu cầu'],
  'hint.request': [
    'Change it and send it: the calculator above stays as it is.',
    'Có thể sửa rồi gửi: công cụ tính ở trên không thay đổi.',
  ],
  response: ['Response', 'Phản hồi'],
  send: ['Send', 'Gửi'],
  as: ['As a command', 'Dạng lệnh'],
});

/** The request and the response of an answer; the request can be changed and sent again. */
export function createExchange() {
  const request = element('textarea', { id: 'request', rows: 5, spellcheck: 'false', autocapitalize: 'off' });
  const command = element('div');
  const response = element('div');
  let path = '';
  let snippet = 'curl';
  const showCommand = () => {
    const address = new URL(path, location.href).href;
    command.replaceChildren(codeBlock(snippet, SNIPPETS[snippet](address, request.value)));
  };
  const showResponse = (content) => response.replaceChildren(codeBlock(text('response'), content));
  request.addEventListener('input', showCommand);
  const again = async () => showResponse((await post(path, request.value)).content);
  const send = button(text('send'), again, { class: 'solid' });
  const choice = element('div', { class: 'choice', '--count': 3 }, Object.keys(SNIPPETS).map((name) => {
    const radio = element('input', { type: 'radio', name: 'snippet', value: name, onchange() {
      snippet = name;
      showCommand();
    } });
    radio.checked = name === snippet;
    return element('label', {}, radio, element('span', { translate: 'no' }, name));
  }));
  const node = element('div', { class: 'blocks' },
    element('div', { class: 'code' },
      element('label', { for: 'request' }, text('request')), request,
      element('p', { class: 'hint' }, text('hint.request')), send,
      element('fieldset', { class: 'field' }, element('legend', {}, text('as')), choice), command),
    response);
  return {
    node,
    show({ path: asked, body, content }) {
      path = asked;
      if (request.value !== body) request.value = body;
      showCommand();
      showResponse(content);
    },
  };
}
