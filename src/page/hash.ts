/** The view of hashes. */
import type { HashResult } from '../hash/contract.ts';
import type { Reply, RefusalReply } from './frame/calculation.ts';
import { codeBlock } from './frame/code.ts';
import { isAlone } from './frame/document.ts';
import { element } from './frame/dom.ts';
import { type ShownAnswer, type Calculator, LONGEST_LINKED_TEXT } from './frame/request.ts';
import { addTexts, format, text } from './frame/texts.ts';

addTexts(`
title.hash | SHA-256, MD5 and Base64 of a text | SHA-256, MD5 và Base64 của văn bản
about.hash | The text goes to this service only, which does not keep it.
  | Văn bản chỉ được gửi đến dịch vụ này và không được lưu.
about.hash.alone | The text does not leave this machine. | Văn bản không rời máy này.
text | Text | Văn bản
hint.text | Nothing is trimmed or added. A line break is one LF.
  | Không cắt bớt, không thêm gì. Xuống dòng là một ký tự LF.
hashCaption | {characters} characters, {bytes} bytes in UTF-8
  | {characters} ký tự, {bytes} byte UTF-8
md5Warning | MD5 protects nothing: two texts with the same MD5 are easily made.
  | MD5 không bảo vệ được gì: rất dễ tạo ra hai văn bản có cùng MD5.
md5Missing | MD5 is calculated by the service: browsers do not have it.
  | MD5 do dịch vụ tính: trình duyệt không có MD5.
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
`);

const PATH = 'api/v1/hash';
const HALF_CHARACTER = /\p{Surrogate}/u;

/** The digests of a text. Without a service, there is no MD5. */
interface Digests {
  readonly sha256: string;
  readonly base64: string;
  readonly md5?: string;
}

interface HashedText extends Digests {
  readonly input: string;
}

/** SHA-256, MD5 and Base64 of a text. */
export const calculator: Calculator<HashedText> = {
  name: 'hash',
  pathOf: () => PATH,
  fields: [{ name: 'text', kind: 'text', isRequired: true }],
  calculate(body, { text: input = '' }) {
    if (input === '') return MISSING;
    if (HALF_CHARACTER.test(input)) return refusal(text('loneSurrogate'));
    if (!isAlone) return ask(body);
    return isSecureContext ? digestText(input) : refusal(text('insecure'));
  },
  answer: ({ data }) => answer(data),
};

/** The service hashes an empty text, too; a person has not typed one yet. */
const MISSING: RefusalReply = {
  kind: 'refusal',
  problems: [{ field: 'text', code: 'required', message: '' }],
  content: '',
};

function answer(data: HashedText): ShownAnswer {
  const { input, sha256 } = data;
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
      ? element('div.code', element('h2', 'MD5'), element('p.hint', text('md5Missing')))
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
