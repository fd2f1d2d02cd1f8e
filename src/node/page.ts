import { type Answer, lazy, textAnswer, withETag } from '../http/answer.ts';
import type { RequestHead } from '../http/request.ts';
import { type Page, PAGE_PATH } from '../http/service.ts';
import { pageFiles, readPageFile } from './page-files.ts';

const TEMPLATE = 'index.html';
/** The languages of the page, in the order in which the template writes a text: `{English|tiếng Việt}`. */
const LANGUAGES = ['en', 'vi'];
/** Language ranges of Accept-Language that are considered. */
const MAXIMUM_RANGES = 50;
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
  const open = (name: string, headers: readonly string[], edit = (text: string): string => text): (() => Answer) =>
    lazy(() => {
      const mediaType = MEDIA_TYPES[name.slice(name.lastIndexOf('.') + 1)]!;
      return withETag(textAnswer(mediaType, edit(readPageFile(name))), headers);
    });
  const documents = LANGUAGES.map((language, index) =>
    open(TEMPLATE, [...HEADERS, 'Content-Language', language, 'Vary', 'Accept, Accept-Language'],
      (template) => template.replace(TEXTS, (_, ...texts: string[]) => texts[index]!)));
  const readFolder = (): ReadonlyMap<string, () => Answer> => new Map(pageFiles()
    .filter((name) => name !== TEMPLATE)
    .map((name) => [PAGE_PATH + name, open(name, HEADERS)]));
  let files: ReturnType<typeof readFolder> | undefined;
  return {
    document: (head) => documents[languageFor(head)]!(),
    file: (path) => (files ??= readFolder()).get(path)?.(),
  };
}

/** The index of the language of `?lang=`, or of the one with the largest weight in Accept-Language; else of English. */
function languageFor({ target, headers }: Pick<RequestHead, 'target' | 'headers'>): number {
  const requested = /[?&]lang=(\w+)/.exec(target)?.[1] ?? '';
  const ranges = String(headers['accept-language'] ?? '').toLowerCase().split(',', MAXIMUM_RANGES).map((range) => {
    const [tag = '', weight] = range.split(/;\s*q=/);
    return { language: tag.trim().slice(0, 2), weight: Number(weight ?? 1) };
  });
  const preferred = ranges.filter(({ weight }) => weight > 0).sort((one, other) => other.weight - one.weight);
  const known = [requested, ...preferred.map(({ language }) => language)].find((tag) => LANGUAGES.includes(tag));
  return Math.max(LANGUAGES.indexOf(known ?? ''), 0);
}
