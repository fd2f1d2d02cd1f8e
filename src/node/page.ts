import { readdirSync, readFileSync } from 'node:fs';
import { type Answer, lazy, textAnswer, withETag } from '../http/answer.ts';
import type { Page } from '../http/service.ts';

const INDEX = 'index.html';
const MEDIA_TYPES: Readonly<Record<string, string>> = {
  html: 'text/html',
  css: 'text/css',
  js: 'text/javascript',
  svg: 'image/svg+xml',
};
/** Only files of the page may be loaded; no other page may frame it; no string may become markup. */
const POLICY = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
  + "base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'";

/** The files of the page, each read when it is first requested. Throws if the folder does not exist. */
export function openPage(): Page {
  const folder = new URL('../page/', import.meta.url);
  const open = (name: string, headers: readonly string[] = []): (() => Answer) => lazy(() => {
    const mediaType = MEDIA_TYPES[name.slice(name.lastIndexOf('.') + 1)]!;
    const text = readFileSync(new URL(name, folder), 'utf8');
    return withETag(textAnswer(mediaType, text), ['Content-Security-Policy', POLICY, ...headers]);
  });
  const names = readdirSync(folder).filter((name) => name !== INDEX);
  return {
    document: open(INDEX, ['Vary', 'Accept']),
    files: new Map(names.map((name) => [`/page/${name}`, open(name)])),
  };
}
