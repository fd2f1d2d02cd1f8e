import { existsSync, readFileSync } from 'node:fs';
import { type Answer, lazy, textAnswer, withETag } from '../http/answer.ts';
import type { RequestHead } from '../http/request.ts';
import { type Page, PAGE_PATH } from '../http/service.ts';

const TEMPLATE = 'index.html';
/** The files of the page besides its document, and their media types; no other file is served. */
const FILES: Readonly<Record<string, string>> = {
  'page.js': 'text/javascript',
  'more.js': 'text/javascript',
  'page.css': 'text/css',
  'icon.svg': 'image/svg+xml',
};
/** The folder of the built page: beside a compiled program, or that of the last build for a program in TypeScript. */
const FOLDERS = ['../page/', '../../dist/src/page/'];
/** The languages of the page, in the order in which the template writes a text: `{English|tiếng Việt}`. */
const LANGUAGES = ['en', 'vi'];
/** Language ranges of Accept-Language that are considered. */
const MAXIMUM_RANGES = 50;
const TEXTS = /\{([^{}|]*)\|([^{}|]*)\}/g;
/** The element of the template that tells the page the salary month of requests without a period. */
const TAX_PERIOD = '<meta name="tax-period" content="">';
/** Only files of the page may be loaded; no other page may frame it; no string may become markup. */
const POLICY = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
  + "base-uri 'none'; form-action 'none'; frame-ancestors 'none'; "
  + "require-trusted-types-for 'script'; trusted-types 'none'";
const HEADERS = [
  'Content-Security-Policy', POLICY,
  'Referrer-Policy', 'no-referrer',
  'Cross-Origin-Opener-Policy', 'same-origin',
];

/**
 * The files of the page, each read when it is first requested; undefined if the page has not been built, as a program
 * that runs from its sources may find it. `taxPeriod` is the salary month of requests without a period, if it is set.
 */
export function openPage(taxPeriod?: string): Page | undefined {
  const folder = FOLDERS.map((path) => new URL(path, import.meta.url))
    .find((candidate) => existsSync(new URL('page.js', candidate)));
  if (folder === undefined) return undefined;
  const read = (name: string): string => readFileSync(new URL(name, folder), 'utf8');
  const documents = LANGUAGES.map((language, index) => lazy(() => {
    const headers = [...HEADERS, 'Content-Language', language, 'Vary', 'Accept, Accept-Language'];
    const text = read(TEMPLATE)
      .replace(TEXTS, (_, ...texts: string[]) => texts[index]!)
      .replace(TAX_PERIOD, TAX_PERIOD.replace('""', `"${taxPeriod ?? ''}"`));
    return withETag(textAnswer('text/html', text), headers);
  }));
  const files: ReadonlyMap<string, () => Answer> = new Map(Object.entries(FILES).map(([name, mediaType]) =>
    [PAGE_PATH + name, lazy(() => withETag(textAnswer(mediaType, read(name)), HEADERS))]));
  return {
    document: (head) => documents[languageFor(head)]!(),
    file: (path) => files.get(path)?.(),
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
