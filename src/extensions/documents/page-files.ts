/** The built files of the page. The bundle has a module of its own in place of this one. */
import { existsSync, readFileSync } from 'node:fs';

/** The folder of the built page: beside a compiled program, or that of the last build for a program in TypeScript. */
const FOLDERS = ['../../page/', '../../../dist/src/page/'].map(
  (path) => new URL(path, import.meta.url),
);

/** Whether the page has been built, which a program that runs from its sources may lack. */
export function hasPageFiles(): boolean {
  return folder() !== undefined;
}

/** Reads a file of the page, a picture in Base64. */
export function readPageFile(name: string): string {
  return readFileSync(new URL(name, folder()), 'utf8');
}

function folder(): URL | undefined {
  return FOLDERS.find((candidate) => existsSync(new URL('page.js', candidate)));
}
