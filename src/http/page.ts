import { readdirSync, readFileSync } from 'node:fs';
import { type Answer, document, file } from './answer.ts';

/** The files of the page by their paths; `/` is the one that a browser is shown. */
export type Page = ReadonlyMap<string, Answer>;

const FOLDER = new URL('../page/', import.meta.url);
const TYPES: Readonly<Record<string, string>> = {
  html: 'text/html; charset=utf-8',
  css: 'text/css; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  svg: 'image/svg+xml; charset=utf-8',
};
/** Nothing but these files, in no frame; texts become markup nowhere. */
const POLICY = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
  + "base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'";

/** Reads the files of the page, once. */
export function readPage(): Page {
  return new Map(readdirSync(FOLDER).map((name) => {
    const type = TYPES[name.slice(name.lastIndexOf('.') + 1)];
    if (type === undefined) throw new Error(`The page has a file of no known type: ${name}`);
    const isIndex = name === 'index.html';
    const headers = ['Content-Security-Policy', POLICY, ...(isIndex ? ['Vary', 'Accept'] : [])];
    const body = readFileSync(new URL(name, FOLDER), 'utf8');
    return [isIndex ? '/' : `/page/${name}`, document(file(type, body, headers))];
  }));
}
