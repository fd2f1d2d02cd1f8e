import './controls.js';
import { codeBlock } from './code.js';
import { element } from './dom.js';
import { LONGEST_LINKED_TEXT } from './request.js';
import { addTexts, format, text } from './texts.js';

addTexts(`
title.hash | SHA-256, MD5 and Base64 of a text | SHA-256, MD5 và Base64 của văn bản
about.hash | The text goes to this service, which does not keep it, and stays out of the address.
  | Văn bản chỉ được gửi đến dịch vụ này, không được lưu lại và không nằm trong địa chỉ.
text | Text | Văn bản
hint.text | Nothing is trimmed or added. A line break is one LF.
  | Không cắt bớt, không thêm gì. Xuống dòng là một ký tự LF.
hashCaption | {characters} characters, {bytes} bytes in UTF-8 | {characters} ký tự, {bytes} byte UTF-8
md5Warning | MD5 protects nothing: two texts with the same MD5 are easily made.
  | MD5 không bảo vệ được gì: rất dễ tạo ra hai văn bản có cùng MD5.
linkLacksText | The text is too long to be part of the link. | Văn bản quá dài nên không nằm trong liên kết.
`);

export const calculator = {
  name: 'hash',
  path: 'api/v1/hash',
  fields: [{ name: 'text', kind: 'text', isRequired: true, isPrivate: true }],
  answer,
};

function answer(data) {
  const characters = format.count([...data.input].length);
  const bytes = format.count(new TextEncoder().encode(data.input).length);
  return {
    caption: text('hashCaption', { characters, bytes }),
    nodes: [
      data.input.length > LONGEST_LINKED_TEXT && element('p.hint', text('linkLacksText')),
      codeBlock('SHA-256', data.sha256),
      codeBlock('MD5', data.md5, text('md5Warning')),
      codeBlock('Base64', data.base64_encoded),
    ],
  };
}
