/** The view of hashes. */
import type { HashResult } from '../hash/contract.ts';
import type { Reply, RefusalReply } from './frame/calculation.ts';
import { codeBlock } from './frame/code.ts';
import { isAlone } from './frame/document.ts';
import { type Child, element } from './frame/dom.ts';
import {
  type AdditionPanel,
  type ShownAnswer,
  type Calculator,
  LONGEST_LINKED_TEXT,
} from './frame/request.ts';
import { addTexts, format, text } from './frame/texts.ts';

addTexts(`
title.hash | SHA-256, MD5 and Base64 of a text or file | SHA-256, MD5 và Base64 của văn bản hoặc tệp
about.hash | A text goes to this service only, which does not keep it. A file stays here.
  | Văn bản chỉ được gửi đến dịch vụ này và không được lưu. Tệp không rời máy này.
about.hash.alone | Neither a text nor a file leaves this machine.
  | Văn bản và tệp không rời máy này.
text | Text | Văn bản
hint.text | Nothing is trimmed or added. A line break is one LF.
  | Không cắt bớt, không thêm gì. Xuống dòng là một ký tự LF.
hashedFile | Or choose a file, or drop it here | Hoặc chọn tệp, hoặc thả tệp vào đây
textMissing | Type a text, or choose a file | Hãy nhập văn bản hoặc chọn tệp
hashCaption | {characters} characters, {bytes} bytes in UTF-8
  | {characters} ký tự, {bytes} byte UTF-8
fileCaption | {name}, {bytes} bytes | {name}, {bytes} byte
md5Warning | MD5 protects nothing: two texts with the same MD5 are easily made.
  | MD5 không bảo vệ được gì: rất dễ tạo ra hai văn bản có cùng MD5.
md5Missing | MD5 is calculated by the service, for texts only: browsers do not have it.
  | MD5 do dịch vụ tính, chỉ cho văn bản: trình duyệt không có MD5.
linkLacksText | The text is too long to be part of the link.
  | Văn bản quá dài nên không nằm trong liên kết.
unreachable | The service cannot be reached. Change the text to try again.
  | Không kết nối được với dịch vụ. Hãy sửa văn bản để thử lại.
busy | The service has too many requests at the moment. Change the text to try again.
  | Dịch vụ đang nhận quá nhiều yêu cầu. Hãy sửa văn bản để thử lại.
tooLarge | The text is longer than the {bytes} bytes that the service accepts.
  | Văn bản vượt quá giới hạn {bytes} byte của dịch vụ.
loneSurrogate | The text has half of a character, which UTF-8 cannot encode.
  | Văn bản có một nửa ký tự, UTF-8 không mã hóa được.
insecure | Browsers hash only on a secure page: open this page by HTTPS.
  | Trình duyệt chỉ tính mã băm trên trang an toàn: hãy mở trang này bằng HTTPS.
fileTooLarge | The file is larger than the {bytes} bytes that the page reads.
  | Tệp lớn hơn giới hạn {bytes} byte của trang.
fileUnreadable | The browser cannot read this file. | Trình duyệt không đọc được tệp này.
`);

const PATH = 'api/v1/hash';
/** The largest file that the page reads, in bytes; Base64 of it is a third longer. */
const LARGEST_FILE = 100_000_000;
const HALF_CHARACTER = /\p{Surrogate}/u;

/** The digests of a text or a file. Without a service, there is no MD5. */
interface Digests {
  readonly sha256: string;
  readonly base64: string;
  readonly md5?: string;
}

interface HashedText extends Digests {
  readonly input: string;
}

/** SHA-256, MD5 and Base64 of a text, or of a file. */
export const calculator: Calculator<HashedText> = {
  name: 'hash',
  pathOf: () => PATH,
  fields: [{ name: 'text', kind: 'text', isRequired: true }],
  calculate(body, { text: input = '' }) {
    if (input === '')
      return { kind: 'result', data: { input, sha256: '', base64: '' }, content: '' };
    if (HALF_CHARACTER.test(input)) return refusal(text('loneSurrogate'));
    if (!isAlone) return ask(body);
    return isSecureContext ? digestText(input) : refusal(text('insecure'));
  },
  answer,
  addition: createFileInput,
};

function answer(data: HashedText): ShownAnswer {
  const { input, sha256 } = data;
  if (input === '') return { caption: text('textMissing'), nodes: [] };
  const isUnlinked = input.length > LONGEST_LINKED_TEXT;
  return {
    caption: text('hashCaption', {
      characters: format.count([...input].length),
      bytes: format.count(new TextEncoder().encode(input).length),
    }),
    summary: `SHA-256: ${sha256}`,
    nodes: [isUnlinked && element('p.hint', text('linkLacksText')), ...blocksOf(data)],
  };
}

function blocksOf({ sha256, md5, base64 }: Digests): HTMLElement[] {
  return [
    codeBlock('SHA-256', sha256),
    md5 === undefined
      ? element('div.code', element('h3', 'MD5'), element('p.hint', text('md5Missing')))
      : codeBlock('MD5', md5, text('md5Warning')),
    codeBlock('Base64', base64),
  ];
}

function refusal(message: string, content = ''): RefusalReply {
  return { kind: 'refusal', problems: [], message, content };
}

interface Envelope {
  readonly data?: HashResult;
  readonly error?: { readonly code: string; readonly message: string };
}

/** Asks the service. */
async function ask(body: string): Promise<Reply<HashedText>> {
  try {
    const response = await fetch(PATH, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body,
      credentials: 'omit',
    });
    const content = await response.text();
    const isBusy = response.status === 429 || response.status === 503;
    return isBusy ? refusal(text('busy')) : outcomeOf(content);
  } catch {
    return refusal(text('unreachable'));
  }
}

function outcomeOf(content: string): Reply<HashedText> {
  const { data, error } = JSON.parse(content) as Envelope;
  if (data === undefined) return refusal(messageOf(error), content);
  const { base64_encoded: base64, ...others } = data;
  return { kind: 'result', data: { ...others, base64 }, content };
}

function messageOf(error: Envelope['error']): string {
  if (error === undefined) return text('unreachable');
  const [limit] = /\d+/.exec(error.message) ?? [];
  const isTooLarge = error.code === 'body_too_large' && limit !== undefined;
  return isTooLarge ? text('tooLarge', { bytes: format.count(Number(limit)) }) : text('refused');
}

/** Calculates without a service. */
async function digestText(input: string): Promise<Reply<HashedText>> {
  const digests = await digest(new Blob([input]));
  return { kind: 'result', data: { input, ...digests }, content: '' };
}

/** SHA-256 and Base64 of bytes, on a secure page. */
async function digest(blob: Blob): Promise<Digests> {
  const hash = new Uint8Array(await crypto.subtle.digest('SHA-256', await blob.arrayBuffer()));
  const sha256 = [...hash].map((byte) => byte.toString(16).padStart(2, '0')).join('');
  return { sha256, base64: await base64Of(blob) };
}

function base64Of(blob: Blob): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.addEventListener('load', () => resolve(String(reader.result).split(',')[1] ?? ''));
    reader.addEventListener('error', () => reject(reader.error ?? new Error('unreadable')));
    reader.readAsDataURL(blob);
  });
}

function createFileInput({ show }: AdditionPanel): Child {
  const input = element('input', {
    id: 'hashed-file',
    type: 'file',
    onchange() {
      const [file] = input.files ?? [];
      if (file !== undefined) void show(answerOfFile(file));
      input.value = '';
    },
  });
  return element('label.drop', text('hashedFile'), input);
}

async function answerOfFile(file: File): Promise<ShownAnswer> {
  const caption = text('fileCaption', { name: file.name, bytes: format.count(file.size) });
  const refused = (reason: string): ShownAnswer => ({
    caption,
    nodes: [element('p.error', reason)],
  });
  if (!isSecureContext) return refused(text('insecure'));
  if (file.size > LARGEST_FILE) {
    return refused(text('fileTooLarge', { bytes: format.count(LARGEST_FILE) }));
  }
  try {
    return { caption, nodes: blocksOf(await digest(file)) };
  } catch {
    return refused(text('fileUnreadable'));
  }
}
