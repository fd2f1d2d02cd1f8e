import { readdirSync, readFileSync } from 'node:fs';
import { type Answer, document, lazily, plain } from './answer.ts';

/** The files of the page by their paths, each read for the first who asks; `/` is the one that a browser is shown. */
export type Page = ReadonlyMap<string, () => Answer>;

const TYPES: Readonly<Record<string, string>> = {
  html: 'text/html',
  css: 'text/css',
  js: 'text/javascript',
  svg: 'image/svg+xml',
};
/** Nothing but these files, in no frame; texts become markup nowhere. */
const POLICY = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
  + "base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'";

/** The page beside the code that runs. Throws if it is not there. */
export function openPage(): Page {
  const folder = new URL('../page/', import.meta.url);
  return new Map(readdirSync(folder).map((name) => [
    name === 'index.html' ? '/' : `/page/${name}`,
    lazily(() => {
      const headers = ['Content-Security-Policy', POLICY, ...(name === 'index.html' ? ['Vary', 'Accept'] : [])];
      const type = TYPES[name.slice(name.lastIndexOf('.') + 1)]!;
      return document(plain(type, readFileSync(new URL(name, folder), 'utf8')), headers);
    }),
  ]));
}
