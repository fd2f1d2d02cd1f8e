/** The web page and its files as resources. */
import { type Answer, answerOf, textAnswer } from '../../service/answer.ts';
import type { RequestHead } from '../../service/request.ts';
import type { Resource } from '../../service/service.ts';
import type { DocumentFactory } from './document.ts';
import type { Page } from './documents.ts';
import { hasPageFiles, readPageFile } from './page-files.ts';
import { preferences } from './preferences.ts';

/** The beginning of the paths of the files of the page. */
const PAGE_PATH = '/page/';

/** The frame of the page in one file, which a person saves. */
const FRAME = 'calculators.html';
/** The document of the API, to which the page and the index link. */
const API_DOCUMENT = 'api.md';
/** The files of the page besides its document, and their media types; no other file is served. */
const FILES: Readonly<Record<string, string>> = {
  'page.js': 'text/javascript',
  'more.js': 'text/javascript',
  'page.css': 'text/css',
  'icon.svg': 'image/svg+xml',
  // Some browsers would save text/markdown instead of showing it.
  [API_DOCUMENT]: 'text/plain',
};
/** The languages of the page. */
const LANGUAGES = ['en', 'vi'];
/** A browser saves the page in one file, whose policy allows inline scripts; that of the service does not. */
const SAVED = ['Content-Disposition', `attachment; filename="${FRAME}"`];
/** The element of the document that gives the page the salary month of requests without a period. */
const TAX_PERIOD = '<meta name="tax-period" content="">';
/** Only files of the page may be loaded, and nothing sent; no other page may frame it; no string may become markup. */
const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'none'; "
  + "base-uri 'none'; form-action 'none'; frame-ancestors 'none'; "
  + "require-trusted-types-for 'script'; trusted-types 'none'";
const PAGE_HEADERS = [
  'Content-Security-Policy',
  POLICY,
  'Referrer-Policy',
  'no-referrer',
  'Cross-Origin-Opener-Policy',
  'same-origin',
];

/**
 * The page for browsers in the language of the request; undefined for a program, or if the page has not been built.
 * `taxPeriod` is the salary month of requests without a period, if it is set.
 */
export function pageOf(document: DocumentFactory, taxPeriod = ''): Page {
  if (!hasPageFiles()) return () => undefined;
  const documents = LANGUAGES.map((language) => {
    const file = readPageFile(`index.${language}.html`);
    return document(() => {
      const text = file.replace(TAX_PERIOD, TAX_PERIOD.replace('""', `"${taxPeriod}"`));
      const headers = [...PAGE_HEADERS, 'Content-Language', language];
      return { ...textAnswer('text/html', text), headers };
    }, ['Accept', 'Accept-Language']);
  });
  return (head) => {
    const isBrowser = String(head.headers['accept'] ?? '').includes('text/html');
    if (!isBrowser) return undefined;
    const location = locationWithSlash(head);
    return location === undefined ? documents[languageFor(head)]!(head) : redirect(location);
  };
}

/**
 * The files of the page besides its document; none if it has not been built. All are read at once, so that a later
 * build changes nothing.
 */
export function pageFiles(document: DocumentFactory): readonly Resource[] {
  if (!hasPageFiles()) return [];
  const names = [FRAME, ...Object.keys(FILES)];
  const texts = new Map(names.map((name) => [name, readPageFile(name)]));
  const file = (name: string, build: () => Answer, headers = PAGE_HEADERS): Resource => ({
    path: PAGE_PATH + name,
    ...(name === API_DOCUMENT && { link: 'documentation' }),
    kind: 'get',
    answer: document(() => ({ ...build(), headers })),
  });
  const files = Object.entries(FILES).map(([name, mediaType]) =>
    file(name, () => textAnswer(mediaType, texts.get(name)!)),
  );
  const saved = [...PAGE_HEADERS, ...SAVED];
  return [...files, file(FRAME, () => textAnswer('text/html', oneFile(texts)), saved)];
}

/**
 * The location with a slash at the end, which the relative links of the page need, if a browser has requested the page
 * without it.
 */
function locationWithSlash({ headers }: RequestHead): string | undefined {
  const target = String(headers[':path'] ?? '/');
  const end = target.search(/\?|$/);
  const path = target.slice(0, end);
  if (!target.startsWith('/') || path.endsWith('/')) return undefined;
  return `./${path.slice(path.lastIndexOf('/') + 1)}/${target.slice(end)}`;
}

/** The answer that refers a client to another location (RFC 9110 section 15.4.9). */
function redirect(location: string): Answer {
  return answerOf(308, undefined, '', ['Location', location]);
}

/** Joins the files of the page, by their names. The last line of its script starts the page. */
function oneFile(texts: ReadonlyMap<string, string>): string {
  const [frame = '', style = '', page = '', more = ''] = [
    FRAME,
    'page.css',
    'page.js',
    'more.js',
  ].map((name) => texts.get(name));
  const [, modules, start] = /^([^]*\n)(.+\n)$/.exec(page) ?? [];
  const script = `${modules}${more.replace(/^import .*\n/, '')}${start}`;
  return frame
    .replace('<style>', (tag) => tag + style)
    .replace('<script type="module">', (tag) => tag + script);
}

/** The index of the language of `?lang=`, or of the one with the largest weight in Accept-Language; else of English. */
function languageFor({ target, headers }: RequestHead): number {
  const requested = /[?&]lang=(\w+)/.exec(target)?.[1] ?? '';
  const preferred = preferences(headers['accept-language']).map((range) => range.slice(0, 2));
  const known = [requested, ...preferred].find((tag) => LANGUAGES.includes(tag));
  return Math.max(LANGUAGES.indexOf(known ?? ''), 0);
}
