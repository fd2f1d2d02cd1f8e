import { type Answer, lazy, textAnswer, withETag } from '../http/answer.ts';
import { preferences, type RequestHead } from '../http/request.ts';
import { type Page, PAGE_PATH } from '../http/service.ts';
import { pageFiles, readPageFile } from './page-files.ts';

const TEMPLATE = 'index.html';
/** The languages of the page, in the order in which the template writes a text: `{English|tiếng Việt}`. */
const LANGUAGES = ['en', 'vi'];
const TEXTS = /\{([^{}|]*)\|([^{}|]*)\}/g;
const MEDIA_TYPES: Readonly<Record<string, string>> = {
  html: 'text/html',
  css: 'text/css',
  js: 'text/javascript',
  svg: 'image/svg+xml',
};
/** Only files of the page may be loaded; no other page may frame it; no string may become markup. */
const POLICY = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
  + "base-uri 'none'; form-action 'none'; frame-ancestors 'none'; "
  + "require-trusted-types-for 'script'; trusted-types 'none'";
const HEADERS = [
  'Content-Security-Policy', POLICY,
  'Referrer-Policy', 'no-referrer',
  'Cross-Origin-Opener-Policy', 'same-origin',
];

/** The files of the page, each read when it is first requested. */
export function openPage(): Page {
  const documents = LANGUAGES.map((language, index) => lazy(() => {
    const text = readPageFile(TEMPLATE).replace(TEXTS, (_, ...texts: string[]) => texts[index]!);
    return answerOf(TEMPLATE, text, ['Content-Language', language], ['Accept', 'Accept-Language']);
  }));
  const listFiles = (): ReadonlyMap<string, () => Answer> => new Map(pageFiles()
    .filter((name) => name !== TEMPLATE && mediaTypeOf(name) !== undefined)
    .map((name) => [PAGE_PATH + name, lazy(() => answerOf(name, readPageFile(name)))]));
  let files: ReturnType<typeof listFiles> | undefined;
  return {
    document: (head) => documents[languageFor(head)]!(),
    file: (path) => (files ??= listFiles()).get(path)?.(),
  };
}

function answerOf(
  name: string,
  text: string,
  headers: readonly string[] = [],
  vary: readonly string[] = [],
): Answer {
  return withETag(textAnswer(mediaTypeOf(name)!, text), [...HEADERS, ...headers], vary);
}

/** The media type of a file, by its extension; undefined if the page has no such files. */
function mediaTypeOf(name: string): string | undefined {
  return MEDIA_TYPES[name.slice(name.lastIndexOf('.') + 1)];
}

/** The index of the language of `?lang=`, or of the one with the largest weight in Accept-Language; else of English. */
function languageFor({ target, headers }: Pick<RequestHead, 'target' | 'headers'>): number {
  const requested = /[?&]lang=(\w+)/.exec(target)?.[1] ?? '';
  const preferred = preferences(headers['accept-language']).map((range) => range.slice(0, 2));
  const known = [requested, ...preferred].find((tag) => LANGUAGES.includes(tag));
  return Math.max(LANGUAGES.indexOf(known ?? ''), 0);
}
