import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The tests run from test/ as TypeScript, and from dist/test/ as JavaScript. */
const suffix = extname(import.meta.url);

/** The folder that holds package.json. */
export const root: URL = new URL(suffix === '.ts' ? '../../' : '../../../', import.meta.url);

/** The command of the tests: src/main.ts for tests in TypeScript, dist/src/main.js for compiled ones. */
const main = new URL(`../../src/main${suffix}`, import.meta.url);
const { COMMAND, THOROUGH } = process.env;

/** The path of the command to test, which the environment variable COMMAND replaces. */
export const command: string = fileURLToPath(COMMAND === undefined ? main : new URL(COMMAND, root));

/** Whether the tests calculate all of their cases, instead of a part. */
export const isThorough: boolean = THOROUGH === '1';

/** A file of the repository as text. */
export function readText(path: string): string {
  return readFileSync(new URL(path, root), 'utf8');
}

/** Whether the repository has a file. */
export function exists(path: string): boolean {
  return existsSync(new URL(path, root));
}

/** The source files, as paths below the root. */
export function sources(): string[] {
  return readdirSync(new URL('src/', root), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts'))
    .map((path) => `src/${path.replaceAll('\\', '/')}`);
}

/** The folder of the built page. */
export const PAGE_FOLDER = 'dist/src/page/';

/** The names of the files of the built page. */
export function pageFiles(): string[] {
  return readdirSync(new URL(PAGE_FOLDER, root));
}
