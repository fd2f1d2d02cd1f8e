import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The tests run from test/ as TypeScript, and from dist/test/ as JavaScript. */
const suffix = extname(import.meta.url);

/** The folder that holds package.json. */
export const root: URL = new URL(suffix === '.ts' ? '../../' : '../../../', import.meta.url);

const { COMMAND, THOROUGH } = process.env;

/** The bundle, which starts faster than its modules. */
export const BUNDLE = 'dist/utility-calculation-service.cjs';

/** The modules of the command: src/main.ts for tests in TypeScript, dist/src/main.js for compiled ones. */
export const modules: string = fileURLToPath(new URL(`../../src/main${suffix}`, import.meta.url));

/** The command to test, which the environment variable COMMAND replaces. Tests in TypeScript need no build. */
export const command: string =
  COMMAND !== undefined || suffix === '.js' ? built(COMMAND ?? BUNDLE) : modules;

/** Whether the searches try all of their cases. */
export const isThorough: boolean = THOROUGH === '1';
/** Otherwise, they try one of as many. */
const SHARE = 10;

/** A part of the cases of a search. */
export function part<T>(all: readonly T[]): readonly T[] {
  return all.filter((_, index) => isThorough || index % SHARE === 0);
}

/** The number of random cases of a search, and its words in a title. */
export function search(all: number): { readonly cases: number; readonly words: string } {
  const cases = isThorough ? all : Math.ceil(all / SHARE);
  return { cases, words: `${cases} of ${all}` };
}

/** The reason to skip a test that takes long and is one of several of its kind, or false. */
export const onlyThorough: string | false = !isThorough && 'npm run test:thorough runs it';

/** The path of a file of the build. */
export function built(path: string): string {
  assert.ok(exists(path), `${path} does not exist: run npm run build first`);
  return fileURLToPath(new URL(path, root));
}

/** A file of the repository, or of the build, as text. */
export function readText(path: string): string {
  return readFileSync(path.startsWith('dist/') ? built(path) : new URL(path, root), 'utf8');
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
  return readdirSync(built(PAGE_FOLDER));
}
